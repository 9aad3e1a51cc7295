"""The catalog of pictures: each a function from a fit and its ratings to figures."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tapdesk.answers.figure import Cells, Figure, Points
from tapdesk.answers.figures import chance as figures_chance
from tapdesk.answers.figures import checks as figures_checks
from tapdesk.answers.figures import classes as figures_classes
from tapdesk.answers.figures import contour as figures_contour
from tapdesk.answers.figures import data as figures_data
from tapdesk.answers.figures import expected as figures_expected
from tapdesk.answers.figures import influence as figures_influence
from tapdesk.answers.figures import models as figures_models
from tapdesk.answers.figures import pairs as figures_pairs
from tapdesk.answers.figures import paradox as figures_paradox
from tapdesk.answers.figures import plan as figures_plan
from tapdesk.answers.figures import profile as figures_profile
from tapdesk.answers.figures import recovery as figures_recovery
from tapdesk.answers.figures import search as figures_search
from tapdesk.answers.figures import surprises as figures_surprises
from tapdesk.answers.figures import tree as figures_tree
from tapdesk.answers.svg.draw import HEIGHT
from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step, finish
from tapdesk.ratings.ratings import Ratings

Needs = Callable[[Fit, Ratings], str | None]
Studied = Callable[[Fit, Ratings], Run[tuple[Figure, ...]]]


@dataclass(frozen=True, slots=True)
class Picture:
    """One row of the catalog.

    Attributes
    ----------
    kind
        Its name on the command line and in project files.
    title
        What it answers, a short question.
    needs
        None when the picture can be drawn, else the sentence why not.
    draw
        The figures, one for each panel, at once.
    run
        Of a picture that is a study of its own, or rests on one: the same as a run. None for the others.
    """

    kind: str
    title: str
    needs: Needs
    draw: Callable[[Fit, Ratings], tuple[Figure, ...]]
    run: Studied | None = None


def _study(kind: str, title: str, needs: Needs, run: Studied) -> Picture:
    """A row whose picture takes time."""
    return Picture(kind, title, needs, partial(_drawn, run), run)


def _drawn(run: Studied, fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    return finish(run(fit, ratings))


FIGURES: tuple[Picture, ...] = (
    Picture("estimates", _("What are the numbers?"), figures_search.estimates_needs, figures_search.estimates),
    Picture(
        "distribution",
        _("Does the model look like the data?"),
        figures_data.distribution_needs,
        figures_data.distribution,
    ),
    Picture(
        "class_rates", _("How often was each class given?"), figures_data.class_rates_needs, figures_data.class_rates
    ),
    Picture(
        "parameters",
        _("How far would the numbers move?"),
        figures_search.parameters_needs,
        figures_search.parameters,
    ),
    Picture("profile", _("Which values fit almost as well?"), figures_profile.profile_needs, figures_profile.profile),
    Picture("pairs", _("Which raters agree with each other?"), figures_pairs.pairs_needs, figures_pairs.pairs),
    Picture("convergence", _("Did the search settle?"), figures_search.convergence_needs, figures_search.convergence),
    Picture("tree", _("How does a rating come about?"), figures_tree.tree_needs, figures_tree.tree),
    Picture(
        "votes",
        _("How often is a vote right?"),
        figures_checks.votes_needs,
        figures_checks.voting,
        figures_checks.foretold,
    ),
    Picture("entropy", _("Whose ratings say most?"), figures_checks.entropy_needs, figures_checks.entropies),
    Picture(
        "calibration",
        _("Does the model predict the rates?"),
        figures_checks.calibration_needs,
        figures_checks.calibration,
    ),
    Picture(
        "surprises",
        _("Which ratings stand against all others?"),
        figures_surprises.surprises_needs,
        figures_surprises.surprising,
    ),
    Picture(
        "expected", _("How much of the agreement is luck?"), figures_expected.expected_needs, figures_expected.expected
    ),
    _study("contour", _("Which two numbers fit together?"), figures_contour.contour_needs, figures_contour.contours),
    _study(
        "paradox", _("What do agreement and kappa leave open?"), figures_paradox.paradox_needs, figures_paradox.panel
    ),
    _study("chance", _("Could this be chance?"), figures_chance.chance_needs, figures_chance.chance),
    _study("horizon", _("How far does luck alone reach?"), figures_chance.chance_needs, figures_chance.horizon),
    _study(
        "independence",
        _("Do two raters agree too well?"),
        figures_checks.independence_needs,
        figures_checks.pairs_together,
    ),
    _study(
        "influence",
        _("What if one rater were left out?"),
        figures_influence.influence_needs,
        figures_influence.leaving_out,
    ),
    _study("scan", _("Does the place of the line matter?"), figures_classes.scan_needs, figures_classes.cuts),
    _study("class_pairs", _("Which classes are confused?"), figures_classes.pairs_needs, figures_classes.each_pair),
    _study("models", _("Would another model say otherwise?"), figures_models.models_needs, figures_models.fitted),
    _study(
        "recovery",
        _("Would such numbers be found again?"),
        figures_recovery.recovery_needs,
        figures_recovery.recovered,
    ),
    _study("plan", _("What would more ratings give?"), figures_plan.plan_needs, figures_plan.planned),
)


# Pictures of rows or with sides that are alike need more room than a curve.
_ROW, _WORDS_ROW, _SQUARE = 26.0, 42.0, 320.0
_SQUARES = {"calibration", "contour", "scan", "plan"}


def height(figure: Figure) -> float:
    """How high a figure is drawn where it stands alone, in pixels."""
    if figure.kind == "pairs":
        return figures_pairs.height(figure)
    if figure.kind == "tree":
        return 70.0 + _WORDS_ROW * (figure.y.high - figure.y.low)
    if any(isinstance(mark, Points) and mark.horizontal for mark in figure.marks):
        return max(HEIGHT, 70.0 + _ROW * len(figure.y.ticks))
    if figure.kind in _SQUARES or any(isinstance(mark, Cells) for mark in figure.marks):
        return _SQUARE
    return HEIGHT


def picture(kind: str) -> Picture:
    """The row of the catalog with this name.

    Raises
    ------
    UsageError
        When there is none; the names are listed.
    """
    for row in FIGURES:
        if row.kind == kind:
            return row
    known = ", ".join(row.kind for row in FIGURES)
    raise UsageError(
        _("There is no figure “{kind}”.").format(kind=kind), fix=_("The figures are: {known}.").format(known=known)
    )


def figures(kind: str, fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """The figures of one kind, one for each panel.

    Raises
    ------
    UsageError
        When there is no such kind.
    CannotAnswerError
        When these data or this fit do not support it; says why.
    """
    return finish(made(kind, fit, ratings))


def made(kind: str, fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The same as a run, for pictures that are studies of their own.

    Yields
    ------
    Step
        The phases of the study, if it is one.

    Raises
    ------
    UsageError, CannotAnswerError
        As `figures`.
    """
    row = picture(kind)
    reason = row.needs(fit, ratings)
    if reason is not None:
        raise CannotAnswerError(reason)
    if row.run is None:
        yield Step(1, 1, "figure")
        return row.draw(fit, ratings)
    return (yield from row.run(fit, ratings))
