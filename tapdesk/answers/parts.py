"""The catalog of parts: all that can be said about an answer, section by section in the order of the page."""

from dataclasses import dataclass

from tapdesk.answers import grid_studies as grid
from tapdesk.answers.award_part import AWARDS
from tapdesk.answers.cases import CASES, CATEGORIES
from tapdesk.answers.checks import CALIBRATION, INDEPENDENCE, INFORMATION, RATER_CALIBRATION, VOTES
from tapdesk.answers.chosen_pictures import PICTURES
from tapdesk.answers.class_rows import CLASSES, class_kinds
from tapdesk.answers.coefficients import ALL_CLASSES, COEFFICIENTS, MATCHING, PAIRS, PARADOX, READINGS
from tapdesk.answers.comparisons import CHOICES, GROUPS, MODELS
from tapdesk.answers.cut_points import LINES
from tapdesk.answers.dependence_part import DEPENDENCE
from tapdesk.answers.design_study import GRID, SQUARE
from tapdesk.answers.drift import DRIFT
from tapdesk.answers.figures.classes import MOST_CLASSES
from tapdesk.answers.fit_parts import CHANCE, DETAILS, ESTIMATES, MODEL, MOVEMENT, PROFILE, SEARCH, TESTS, WORDS
from tapdesk.answers.grid_parts import CONSISTENCY, CONTRASTS, POPULATION, SCORES, TOGETHER
from tapdesk.answers.implied import RECOVERY
from tapdesk.answers.known import ERRORS, KNOWN
from tapdesk.answers.known_use import wrong_together
from tapdesk.answers.misfit import raters_differ
from tapdesk.answers.optional import CONTOUR, PLAN
from tapdesk.answers.paper import PAPER
from tapdesk.answers.part import Answer, Part
from tapdesk.answers.question import OF_THE_KEY, question_of
from tapdesk.answers.ranks import RANKS
from tapdesk.answers.raters import RATERS
from tapdesk.answers.sets import SETS
from tapdesk.answers.severity_part import SEVERITIES
from tapdesk.answers.slope_curve import CURVE
from tapdesk.answers.unanimity import UNANIMITY
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy

PARTS: tuple[Part, ...] = (
    MATCHING,
    PARADOX,
    COEFFICIENTS,
    PAIRS,
    READINGS,
    ALL_CLASSES,
    UNANIMITY,
    RANKS,
    SETS,
    KNOWN,
    ERRORS,
    TOGETHER,
    WORDS,
    ESTIMATES,
    CLASSES,
    CONTRASTS,
    MODEL,
    PROFILE,
    CHANCE,
    DEPENDENCE,
    RATERS,
    CURVE,
    CONSISTENCY,
    DRIFT,
    POPULATION,
    SEVERITIES,
    CASES,
    AWARDS,
    SCORES,
    CATEGORIES,
    CHOICES,
    LINES,
    MODELS,
    CONTOUR,
    GROUPS,
    RECOVERY,
    PLAN,
    GRID,
    SQUARE,
    PICTURES,
    CALIBRATION,
    RATER_CALIBRATION,
    VOTES,
    INDEPENDENCE,
    INFORMATION,
    DETAILS,
    TESTS,
    MOVEMENT,
    SEARCH,
    PAPER,
)
"""Their keys stand in the notes of projects."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """A block of the window in which one of several parts, or of further pictures, is chosen.

    Attributes
    ----------
    key, title, explanation
        As of a part.
    section
        Key of the section that prints the committee's comment on it.
    on_demand
        As of a part.
    """

    key: str
    section: str
    title: str
    explanation: str
    on_demand: bool = True

    @property
    def place(self) -> str:
        """The place of the committee's comment on it, in the notes of a project."""
        return f"comment.{self.section}.{self.key}"


SHELVES: tuple[Shelf, ...] = (
    Shelf(
        "questions",
        "results",
        _("All questions at a glance"),
        _(
            "Every question of the form, those that need talk first: how often the {ratings} agree, how "
            "often they follow the {subject}, how it stands with the question and what to do. Among many "
            "questions some look good or bad by luck alone; the words allow for that, the intervals do "
            "not."
        ),
    ),
    Shelf(
        "of_size",
        "results",
        _("What could a study of this size find?"),
        _(
            "{Ratings} are made up many times for a study as large as yours, with numbers that are known "
            "then. What is found of them shows what a study of this size can find at all, whatever your "
            "own {ratings} say."
        ),
    ),
    Shelf(
        "more",
        "results",
        _("More pictures of these results"),
        _(
            "More questions to the same results. Each picture is drawn from this answer and these "
            "{ratings} when it is asked for; those that simulate take a while, and can be stopped and gone "
            "on with."
        ),
    ),
)
COMMENTED: tuple[Part | Shelf, ...] = (*PARTS, *SHELVES)
"""What a committee can comment on."""
BLOCKS: tuple[Part | Shelf, ...] = (*(row for row in PARTS if not row.block), *SHELVES)
"""What has a block of its own in the window, and a place for the committee's comment."""


def part(key: str) -> Part:
    """The part with this key."""
    return next(row for row in PARTS if row.key == key)


def parts_of(answer: Answer) -> tuple[str, ...]:
    """Keys of the parts that stand with an answer, in the order of the window: those that answer its question first."""
    question = question_of(answer.analysis) if answer.analysis is not None else None
    first: tuple[str, ...] = question.parts if question is not None else ()
    about: tuple[str, ...] = ("model", "movement")
    asked = first if question is not None and question.key == "known" else ()
    if answer.fit.model.accuracy is Accuracy.PER_RATER:
        # Single raters have no common curve to draw, and their intervals tell how far their numbers would move.
        first, about = ("raters", "cases"), ()
    ratings = answer.ratings
    categories = ("categories",) if 2 < len(answer.every.classes) <= MOST_CLASSES else ()
    further = _further(answer)
    # Over the whole width, below the strip whose numbers it goes on with; after what another question asks for.
    classes = (CLASSES.key,) if CLASSES.key in further else ()
    per_rater = answer.fit.model.accuracy is Accuracy.PER_RATER
    # Where it matters who gave a rating each rater is shown, whatever the question.
    apart = () if per_rater or not (answer.side.by_rater and raters_differ(answer.side)) else (RATERS.key,)
    asks_more = per_rater or (question is not None and question.key != "knowledge")
    first = (*first, *classes, *apart) if asks_more else (*classes, *apart, *first)
    pairs = ("pairs",) if ratings.raters_known and len(ratings.raters) > 2 else ()
    of_the_grid = tuple(key for key in further if key in _OF_THE_GRID)
    others = tuple(key for key in further if key not in _OF_THE_GRID)
    if answer.side.paradox is not None:
        # Where agreement is high and kappa low nothing else on the page may be read before it.
        first = (PARADOX.key, *first)
    if wrong_together(answer) is not None:
        # What the headline says of a panel is shown before what rests on the panel.
        asked = OF_THE_KEY
    first = (
        *(key for key in asked if key in further or key == TOGETHER.key),
        *(key for key in first if key not in asked),
    )
    of_the_grid = tuple(key for key in of_the_grid if key not in first)
    rest = ("chance", "cases", *categories, "coefficients", "differ", *pairs, *others, "words", "search")
    return (*first, *about, *of_the_grid, *(key for key in rest if key not in first))


# Their place, and whether they have one, is said above.
_PLACED = {
    *("model", "movement", "chance", "cases", "categories", "coefficients"),
    *("differ", "pairs", "raters", "lines", "words", "search", "paradox"),
}


# What such a model was chosen for stands before what is told of every model.
_OF_THE_GRID = {
    row.key
    for row in (
        KNOWN,
        TOGETHER,
        ERRORS,
        CONTRASTS,
        DEPENDENCE,
        CONSISTENCY,
        DRIFT,
        POPULATION,
        SEVERITIES,
        SCORES,
        CURVE,
    )
}


def _further(answer: Answer) -> tuple[str, ...]:
    """Other parts with a block of their own; of one that rests on a study the block says itself why it is empty."""
    rows = [row for row in BLOCKS if isinstance(row, Part) and not row.on_demand and row.key not in _PLACED]
    return tuple(row.key for row in rows if _belongs(row, answer))


def _belongs(row: Part, answer: Answer) -> bool:
    """Whether a part stands with an answer: one of the grid where its study does, the classes where they have more."""
    fit = answer.fit
    belongs = {
        TOGETHER.key: lambda: grid.tells_together(fit),
        CONTRASTS.key: lambda: grid.tells_groups(fit),
        CONSISTENCY.key: lambda: grid.tells_repeats(fit, answer.ratings),
        DRIFT.key: lambda: grid.tells_drift(fit),
        SCORES.key: lambda: grid.tells_scores(fit),
        SEVERITIES.key: lambda: grid.tells_severities(fit),
        POPULATION.key: lambda: POPULATION.content(answer) is not None,
        CLASSES.key: lambda: bool(class_kinds(answer)),
        CURVE.key: lambda: fit.model.accuracy is Accuracy.REGRESSION,
        DEPENDENCE.key: lambda: grid.tells_cases(fit, answer.side),
    }
    if row.key in belongs:
        return belongs[row.key]()
    return bool(row.uses) or row.content(answer) is not None
