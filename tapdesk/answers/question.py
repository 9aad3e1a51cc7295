"""The questions a committee can ask, and the models that answer them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from tapdesk.answers import fit_words
from tapdesk.answers.part import Answer
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models import model
from tapdesk.models.model import Accuracy, Key, RaterModel
from tapdesk.project.project import TITLES, Analysis
from tapdesk.ratings.ratings import Ratings

if TYPE_CHECKING:
    # Loaded with the answer that needs it.
    from tapdesk.studies.award_answer import Awards


class Guesses(Enum):
    """What is assumed about ratings that do not follow the case."""

    AUTO = _("their own rate, or p = t where the design cannot tell")
    OWN = _("their own rate")
    TIED = "p = t"


@dataclass(frozen=True, slots=True)
class Question:
    """One row of the catalog of questions.

    Attributes
    ----------
    key
        Its short name, which project files keep.
    about
        What the user reads below its title.
    models
        The names of the models that answer it with their own rate of guessing, and with p = t where there is one.
    refuses
        None when these ratings can be asked, else the reason in words; given the ratings as they are analysed and
        those with every class.
    own, assumed
        The run in one sentence, as rich text: with their own rate of guessing, and with p = t.
    redraws
        Whether re-draws are made for the picture of how far the numbers would move.
    believed
        Whether a design that cannot tell the numbers apart is asked what to believe instead of what fits best.
    picture
        The kind of the picture that answers it and is worked out after the fit; empty where a part does.
    parts
        Keys of the parts that answer it and stand before all others.
    demand
        Key of the part on demand that answers it: it is worked out after the fit, and its headline is the answer.
    """

    key: str
    about: str
    models: dict[Guesses, str] = field(default_factory=dict)
    refuses: Callable[[Ratings, Ratings], str | None] = lambda _ratings, _every: None
    own: str = _(
        "Estimate <i>t</i>, <i>a</i> and <i>p</i>: {what}, {size}, <b>{intervals}</b>, random start <b>{seed}</b>."
    )
    assumed: str = _(
        "Estimate <i>t</i> and <i>a</i>, assuming <i>p</i> = <i>t</i>: {what}, {size}, "
        "<b>{intervals}</b>, random start <b>{seed}</b>."
    )
    redraws: bool = True
    believed: bool = False
    picture: str = ""
    parts: tuple[str, ...] = ()
    demand: str = ""

    @property
    def title(self) -> str:
        """What the user reads."""
        return TITLES[self.key]

    def model(self, guesses: Guesses) -> RaterModel:
        """The model that answers the question."""
        tied = guesses is Guesses.TIED and self.tied
        return model.model(self.models[Guesses.TIED if tied else Guesses.OWN])

    @property
    def tied(self) -> bool:
        """Whether the question can be answered with p = t."""
        return Guesses.TIED in self.models


def _one_class(ratings: Ratings, _every: Ratings | None = None) -> str | None:
    """Why nothing can be told apart."""
    return _nothing_to_tell(ratings)


# Asked by several questions, of large data too: worked out once for the ratings before and after a choice.
@lru_cache(maxsize=4)
def _nothing_to_tell(ratings: Ratings) -> str | None:
    used = [c for c, share in zip(ratings.classes, ratings.class_rates(), strict=True) if share > 0]
    if len(used) < 2:
        which = used[0] if used else ""
        return _(
            "Every {rating} is “{which}”: there is nothing to tell apart. Open the counts in the Dataset pane instead."
        ).format(which=which)
    return None


def _no_raters(ratings: Ratings, _every: Ratings) -> str | None:
    """Why raters cannot be told apart."""
    if not ratings.raters_known:
        return _("The file does not say who gave which {rating}: its columns are seats, not people.")
    count = len(ratings.raters)
    if count < MIN_RATERS:
        return _(
            "{Raters} are told apart by the others; with fewer than {MIN_RATERS} of them that cannot be done."
        ).format(MIN_RATERS=MIN_RATERS)
    numbers_asked = count * (len(ratings.classes) - 1)
    if numbers_asked > MOST_LEANINGS:
        return _("There are too many {raters} and classes for a number of each: choose a counted class first.")
    return _one_class(ratings)


def _no_lines(ratings: Ratings, every: Ratings) -> str | None:
    """Why there are no lines between grades."""
    if len(every.classes) < 2:
        return _one_class(ratings)
    if len(every.classes) == 2:
        return _("There are only two classes, so there is only one line.")
    if not every.ordered:
        return _("These classes have no order, so no line runs between them. Say in Dataset if they have one.")
    if len(every.classes) > MOST_CLASSES:
        return _("There are too many classes to look at every line.")
    return _one_class(ratings)


# Of more whether all judges hang together is said by the run, which may take its time.
_MOST_LOOKED_AT = 100_000


@lru_cache(maxsize=4)
def _no_awards(_ratings: Ratings, every: Ratings) -> str | None:
    """Why nobody can be placed."""
    # Start-up cost: the studies of awards are loaded when there are ratings to ask.
    from tapdesk.studies.awards import no_awards

    return no_awards(every, together=every.subject.size <= _MOST_LOOKED_AT)


def _no_key(ratings: Ratings, every: Ratings) -> str | None:
    """Why nobody can be held against what is known."""
    if not ratings.known:
        return _("No column holds known answers: say in Dataset which one does.")
    return _no_raters(ratings, every)


def _many_classes(ratings: Ratings, _every: Ratings) -> str | None:
    """Why there is no accuracy for each class."""
    if len(ratings.classes) > MOST_CLASSES:
        return _("There are too many classes for an accuracy of each: choose a counted class first.")
    return _one_class(ratings)


def _no_plan(ratings: Ratings, _every: Ratings) -> str | None:
    """Why larger studies cannot be looked at."""
    if len(ratings.classes) > MOST_PLANNED:
        return _("With more than {most} classes this would take very long: choose a counted class first.").format(
            most=MOST_PLANNED
        )
    return _one_class(ratings)


MIN_RATERS = 3
MOST_PLANNED = 4
MOST_LEANINGS = 150
MOST_CLASSES = 12
OF_THE_KEY = ("together", "errors", "known")
"""Keys of the parts that hold raters against known answers."""
KNOWLEDGE = {Guesses.OWN: "t-a-p", Guesses.TIED: "t-a-t"}

# A question joins the window when the study behind it exists: one row here.
QUESTIONS: tuple[Question, ...] = (
    Question(
        "knowledge",
        _("Truth, accuracy and chance, with intervals"),
        KNOWLEDGE,
        _one_class,
    ),
    Question(
        "raters",
        _("An accuracy for each {rater}, with intervals"),
        {Guesses.OWN: "t-aj-pj"},
        _no_raters,
        own=_(
            "Estimate <i>t</i>, and <i>a</i> and <i>p</i> of each {rater}, and set the accuracy "
            "of the whole panel beside them: {what}, {size}, <b>{intervals}</b>, random start "
            "<b>{seed}</b>."
        ),
        redraws=False,
    ),
    Question(
        "cases",
        _("The probability of each answer, {subject} by {subject}"),
        KNOWLEDGE,
        _one_class,
        own=_(
            "Estimate <i>t</i>, <i>a</i> and <i>p</i>, and from them the probability of each "
            "answer for every {subject}: {what}, {size}, <b>{intervals}</b>, random start "
            "<b>{seed}</b>."
        ),
        assumed=_(
            "Estimate <i>t</i> and <i>a</i>, assuming <i>p</i> = <i>t</i>, and from them the "
            "probability of each answer for every {subject}: {what}, {size}, <b>{intervals}</b>, "
            "random start <b>{seed}</b>."
        ),
        parts=("cases",),
    ),
    Question(
        "lines",
        _("The accuracy at every line between two classes"),
        KNOWLEDGE,
        _no_lines,
        own=_(
            "Estimate <i>t</i>, <i>a</i> and <i>p</i> here, and then at every line between two "
            "classes: {what}, {size}, <b>{intervals}</b>, random start <b>{seed}</b>."
        ),
        assumed=_(
            "Estimate <i>t</i> and <i>a</i> here, assuming <i>p</i> = <i>t</i>, and then at "
            "every line between two classes: {what}, {size}, <b>{intervals}</b>, random start "
            "<b>{seed}</b>."
        ),
        parts=("lines",),
    ),
    Question(
        "classes",
        _("An accuracy for each class, with intervals"),
        {Guesses.OWN: "t-ak-p"},
        _many_classes,
        own=_(
            "Estimate <i>t</i>, <i>p</i> and an accuracy <i>a</i> for each class: {what}, "
            "{size}, <b>{intervals}</b>, random start <b>{seed}</b>."
        ),
        redraws=False,
        believed=True,
    ),
    Question(
        "enough",
        _("How the interval shrinks with more {subjects} or {raters}"),
        KNOWLEDGE,
        _no_plan,
        own=_(
            "Estimate <i>t</i>, <i>a</i> and <i>p</i>, and from them how far more {subjects} or "
            "{ratings} would narrow the interval: {what}, {size}, <b>{intervals}</b>, random "
            "start <b>{seed}</b>."
        ),
        assumed=_(
            "Estimate <i>t</i> and <i>a</i>, assuming <i>p</i> = <i>t</i>, and from them how far "
            "more {subjects} or {ratings} would narrow the interval: {what}, {size}, "
            "<b>{intervals}</b>, random start <b>{seed}</b>."
        ),
        picture="plan",
    ),
    Question(
        "known",
        _("How often each {rater} is right, and whether all are wrong alike"),
        {Guesses.OWN: "t-aj-pj"},
        _no_key,
        own=_(
            "Hold each {rater} against the known answers and against the panel, with <i>t</i>, and <i>a</i> and "
            "<i>p</i> of each: {what}, {size}, <b>{intervals}</b>, random start <b>{seed}</b>."
        ),
        redraws=False,
        parts=OF_THE_KEY,
    ),
    # The whole of the answer is in the part; beside it stands the model that is found in a moment of many scores too.
    Question(
        "awards",
        _("What each {subject} is worth, its place, and whether its award is deserved"),
        {Guesses.OWN: "t-a-t"},
        _no_awards,
        own=_(
            "Work out what each {subject} is worth and how sure its place and its award are, with every class and with "
            "what each {rater} is like; beside it <i>t</i> and <i>a</i>, assuming <i>p</i> = <i>t</i>: {what}, {size}, "
            "<b>{intervals}</b>, random start <b>{seed}</b>."
        ),
        redraws=False,
        demand="awards",
    ),
)


def headline(answer: Answer) -> tuple[str, str]:
    """The answer in one sentence, and what follows from it: the same in window, report, terminal and JSON.

    What rests on known answers says so.
    """
    if (result := awarded(answer)) is not None:
        # Start-up cost: few answers are about awards.
        from tapdesk.answers.awards import headline as who_wins

        return who_wins(result)
    sentence, follows = _headline(answer)
    if answer.fit.model.key is Key.UNUSED:
        return sentence, follows
    # Start-up cost: few answers use what is known.
    from tapdesk.answers.known_use import known_words

    words = known_words(answer.fit, answer.ratings)
    if (wrong := _wrong_together(answer)) is not None:
        return wrong[0], joined(wrong[1], words)
    if answer.side.together is not None and answer.analysis is not None and answer.analysis.question == "known":
        from tapdesk.answers.known_use import against_the_known

        verdict, numbers_of_it = against_the_known(answer.side.together)
        return verdict, joined(numbers_of_it, sentence, follows, words)
    return sentence, joined(follows, words)


def awarded(answer: Answer) -> "Awards | None":
    """Who wins, where that was asked and is worked out; None for any other question."""
    question = question_of(answer.analysis) if answer.analysis is not None else None
    result: Awards | None = answer.side.on_demand.get(question.demand) if question is not None else None
    return result


def _wrong_together(answer: Answer) -> tuple[str, str] | None:
    """That the panel seems to be wrong together, before anything else; None where nothing says so."""
    if answer.side.together is None:
        return None
    from tapdesk.answers.known_use import wrong_together

    return wrong_together(answer)


def _headline(answer: Answer) -> tuple[str, str]:
    """The same, before what is known is said.

    Each question has its own where the answer is settled: who stands apart, which line is hardest, how wide the
    interval is. A warning about the data stands before any of them.
    """
    fit, ratings = answer.fit, answer.ratings
    first = _ranks(answer) or _opposed(answer)
    if first is not None:
        return first
    # What only one question needs is loaded with it: with its figures it is half of all that answers need.
    if fit.model.accuracy is Accuracy.PER_RATER and (_settled(fit) or answer.side.pooled is not None):
        from tapdesk.answers import raters

        fit = raters.fit_by_rater(answer) or fit
        panel = raters.panel_accuracy(answer)
        if panel is not None and raters.compared(answer.side):
            words, follows = raters.who_differs(fit, panel, answer.side)
            return words, joined(follows, _of_groups(answer))
    if fit.model.accuracy is Accuracy.REGRESSION and _settled(fit):
        from tapdesk.answers.slope_words import about_slopes

        slopes = about_slopes(answer)
        if slopes is not None:
            return slopes
    by_luck = _by_luck(answer)
    if by_luck is not None:
        return by_luck
    classes = answer.side.class_contrasts
    sentences = fit_words.headline(fit, ratings, classes), fit_words.consequence(fit, classes)
    if fit.model.by_group and _settled(fit):
        from tapdesk.answers import group_words

        sentences = group_words.accuracy_of_groups(fit) or sentences[0], joined(sentences[1], _of_groups(answer))
    first = _misfit(answer)
    if first is not None:
        # Where the whole range is told, the number it begins with is in it.
        whole = _cases_differ(answer)
        flat = joined(*sentences[whole:])
        hedged = _("Only if one accuracy described these {ratings} would this hold: {flat}").format(flat=flat)
        return first[0], joined(first[1], flat if whole or not flat else hedged)
    sentences = sentences[0], joined(*filter(None, (sentences[1], _leanings(answer), _unseen(answer))))
    if (reach := _unproved(answer)) is not None:
        # What follows from the one accuracy holds only where cases are alike; few data are few either way.
        few = fit_words.few_data(fit, ratings)
        alike = _("If all {subjects} are equally hard: {flat}").format(flat=sentences[1]) if sentences[1] else ""
        sentences = joined(reach[0], few), joined(reach[1], alike)
    return sentences if fit_words.warns(fit, ratings) else _of_question(answer, sentences)


def _of_question(answer: Answer, sentences: tuple[str, str]) -> tuple[str, str]:
    """The headline of the question that was asked; ``sentences`` where it has none of its own."""
    key = answer.analysis.question if answer.analysis is not None else ""
    if key == "lines" and answer.side.scan is not None:
        from tapdesk.answers import cut_points

        return cut_points.lines_headline(answer.side.scan) or sentences
    if key == "enough":
        from tapdesk.answers.optional import width_now

        # Whether that is enough is for the committee to say; how much more would help stands right below.
        return width_now(answer.fit, answer.style), joined(*sentences)
    return sentences


def headline_warns(answer: Answer) -> bool:
    """Whether the headline is to be read as a warning."""
    fit, ratings = answer.fit, answer.ratings
    if awarded(answer) is not None:
        return False
    if _ranks(answer) is not None or _opposed(answer) is not None or _wrong_together(answer) is not None:
        return True
    if fit.model.accuracy is Accuracy.PER_RATER and (_settled(fit) or answer.side.pooled is not None):
        from tapdesk.answers import raters
        from tapdesk.answers.figures.raters import accuracies

        fit = raters.fit_by_rater(answer) or fit

        if raters.panel_accuracy(answer) is not None and raters.compared(answer.side):
            untold = all(e.estimate.low is None for e in accuracies(fit))
            return untold or fit_words.small(fit, ratings)
    return fit_words.warns(fit, ratings) or _misfit(answer) is not None or _by_luck(answer) is not None


def _of_groups(answer: Answer) -> str:
    """What an answer about groups says of each; empty for any other."""
    if not answer.fit.model.by_group:
        return ""
    # Start-up cost: few answers are about groups.
    from tapdesk.answers.group_words import shares_of_groups

    return shares_of_groups(answer.fit, answer.ratings)


def _misfit(answer: Answer) -> tuple[str, str] | None:
    """What speaks against one accuracy of all raters and cases; None where there is none to speak against."""
    if not _settled(answer.fit) or (answer.side.goodness is None and answer.side.differences is None):
        return None
    from tapdesk.answers.misfit import before_the_headline

    return before_the_headline(answer.fit, answer.side)


def _unproved(answer: Answer) -> tuple[str, str] | None:
    """The accuracy with its condition, where no test sees whether cases differ; None where little depends on it."""
    if answer.side.dependence is None:
        return None
    from tapdesk.answers.misfit import if_not_alike, unproved

    return if_not_alike(answer.fit, answer.side.dependence) if unproved(answer.fit, answer.side) else None


def _cases_differ(answer: Answer) -> bool:
    """Whether the headline tells the accuracy if all cases are alike and if they are not."""
    if answer.side.dependence is None:
        return False
    from tapdesk.answers.misfit import tells_range

    return tells_range(answer.fit, answer.side)


def _by_luck(answer: Answer) -> tuple[str, str] | None:
    """That these ratings cannot be told from chance, before any number of theirs; None where they can."""
    if answer.side.chance is None or not _settled(answer.fit):
        return None
    from tapdesk.answers.misfit import by_luck

    return by_luck(answer.fit, answer.side)


def _leanings(answer: Answer) -> str:
    """That raters differ in how often they give each answer; empty where nothing shows it."""
    if not _settled(answer.fit) or answer.side.differences is None:
        return ""
    from tapdesk.answers.misfit import beside_the_headline

    return beside_the_headline(answer.fit, answer.side)


def _unseen(answer: Answer) -> str:
    """That hard cases could not be seen, which would make the accuracy lower; empty where they could."""
    if not _settled(answer.fit) or answer.side.goodness is None:
        return ""
    from tapdesk.answers.misfit import unseen
    from tapdesk.answers.range_words import if_some_are_harder

    return if_some_are_harder(answer.side.dependence) if unseen(answer.fit, answer.side) else ""


def _ranks(answer: Answer) -> tuple[str, str] | None:
    """That the ratings are ranks, which no accuracy describes; None where they are none."""
    if "1" not in answer.ratings.classes:
        return None
    # Start-up cost: few ratings are ranks, which begin at 1.
    from tapdesk.answers.ranks import of_ranks

    return of_ranks(answer)


def _opposed(answer: Answer) -> tuple[str, str] | None:
    """Raters who contradict each other stand before everything else; None where there are none."""
    if answer.side.opposition is None or not answer.side.opposition.exists:
        return None
    # Start-up cost: few raters contradict each other.
    from tapdesk.answers.opposition import opposed

    return opposed(answer)


def _settled(fit: Fit) -> bool:
    return fit.converged and fit.identification.identified


def question_of(analysis: Analysis) -> Question | None:
    """The question of an analysis; None where it was asked under a name of its own, or by a later tapdesk."""
    return next((q for q in QUESTIONS if q.key == analysis.question), None)
