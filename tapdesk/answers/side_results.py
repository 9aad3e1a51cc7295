"""What a report prints besides the answers of the project: computed beforehand, so that setting pages stays quick."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from tapdesk.answers import numbers
from tapdesk.answers.demands import Selection
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.models.model import Key
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings

if TYPE_CHECKING:
    # Every study of the program: a fit is told without loading any of them.
    from tapdesk.agreement.coefficients import Coefficient
    from tapdesk.answers.faults import Fault
    from tapdesk.fitting.fit import BootstrapTest
    from tapdesk.studies.analysis import Request
    from tapdesk.studies.award_answer import AwardRequest
    from tapdesk.studies.case_beliefs import CaseBeliefs
    from tapdesk.studies.case_scores import CaseScores
    from tapdesk.studies.chance import Chance, Horizon
    from tapdesk.studies.consistency import Consistency
    from tapdesk.studies.contrasts import Contrasts
    from tapdesk.studies.dependence import Dependence
    from tapdesk.studies.drift import Drift
    from tapdesk.studies.edge_pooling import EdgePooling
    from tapdesk.studies.group_contrasts import GroupContrast
    from tapdesk.studies.opposition import Opposition
    from tapdesk.studies.paradox import Paradox
    from tapdesk.studies.rater_differences import RaterDifferences
    from tapdesk.studies.rater_pairs import Independence
    from tapdesk.studies.rater_slopes import RaterSlope
    from tapdesk.studies.scan import Pairs, Scan
    from tapdesk.studies.severities import Severity
    from tapdesk.studies.table import StudyTable
    from tapdesk.studies.wrong_together import WrongTogether


T = TypeVar("T")

# Of few classes cases with the same counts are one to the search, however many they are.
_MOST_RATINGS, _FEW_CLASSES, _MOST_OF_MANY_CLASSES = 100_000, 4, 20_000
# Where raters are told apart every case is its own.
MOST_APART, _MOST_APART_RATERS = 20_000, 100
_MOST_LEFT_OUT = 1_000
_MOST_CLASSES = 8


def limited(ratings: Ratings, run: Callable[[], Run[T]]) -> Run[T]:
    """A study of the counts of the classes, unless the ratings are so many that it would take very long."""
    few = len(ratings.classes) <= _FEW_CLASSES
    _refuse_more(ratings.subject.size, _MOST_RATINGS if few else _MOST_OF_MANY_CLASSES)
    return (yield from run())


def within_chance(side: "SideResults") -> bool:
    """Whether the ratings were tested and cannot be told from luck: nothing is read out of a fit to them."""
    return side.chance is not None and not side.chance.more_than_chance


def several_known(ratings: Ratings) -> bool:
    """Whether raters can be compared: there are two or more, and it is known who gave what."""
    return ratings.raters_known and len(ratings.raters) > 1


def apart(ratings: Ratings, run: Callable[[], Run[T]], *, by_rater: bool = True) -> Run[T]:
    """A study in which every rater has numbers of an own, unless ratings or raters are very many.

    Parameters
    ----------
    ratings
        The data.
    run
        The study.
    by_rater
        Whether its model does tell raters apart; else the study is as any other.
    """
    if not by_rater:
        return (yield from limited(ratings, run))
    _refuse_raters(ratings, _MOST_APART_RATERS)
    _refuse_more(ratings.subject.size, MOST_APART)
    return (yield from run())


def each_left_out(ratings: Ratings, run: Callable[[], Run[T]]) -> Run[T]:
    """A study that leaves one rater out after the other, unless these are very many."""
    _refuse_raters(ratings, _MOST_LEFT_OUT)
    return (yield from limited(ratings, run))


def few_classes(ratings: Ratings, run: Callable[[], Run[T]]) -> Run[T]:
    """A study of every class or pair of classes, unless there are very many."""
    if len(ratings.classes) > _MOST_CLASSES:
        raise CannotAnswerError(
            ngettext(
                "With more than {most} class this study is left out of the report.",
                "With more than {most} classes this study is left out of the report.",
                _MOST_CLASSES,
            ).format(most=_MOST_CLASSES)
        )
    return (yield from limited(ratings, run))


def _refuse_more(size: int, most: int) -> None:
    if size > most:
        raise CannotAnswerError(
            _(
                "With more than {most} {ratings} this study would take very long, so it was left out of the report."
            ).format(most=numbers.count(most))
        )


def _refuse_raters(ratings: Ratings, most: int) -> None:
    if ratings.raters_known and len(ratings.raters) > most:
        raise CannotAnswerError(
            _(
                "With more than {most} {raters} this study would take very long, so it was left out of the report."
            ).format(most=numbers.count(most))
        )


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is computed for a report.

    Attributes
    ----------
    level
        Of the intervals of the coefficients.
    replicates
        Simulated data sets for the tests of chance, of fit and of independence.
    seed
        Of everything random.
    agreement, tests, raters, sensitivity
        Which parts are wanted: coefficients; chance, horizon and fit; the raters one by one; other models, cuts, pairs
        and one rater left out.
    selection
        What is asked for of the parts on demand.
    brief
        Whether only that is wanted that can change a word of a brief (`tapdesk.answers.brief.STUDIES`).
    direction
        Which side of every line between classes is counted: a value of `tapdesk.studies.scan.Direction`.
    """

    level: float = 0.95
    replicates: int = 300
    seed: int = 1
    agreement: bool = True
    tests: bool = True
    raters: bool = True
    sensitivity: bool = True
    selection: Selection = field(default_factory=Selection)
    brief: bool = False
    direction: str = "above"


ALL = Wanted()


@dataclass(frozen=True, eq=False)
class SideResults:
    """Studies and coefficients of one set of ratings.

    Attributes
    ----------
    fingerprint
        Of the ratings they were made on; a report of other ratings does not print them.
    wanted
        What was asked for; None where nothing was computed.
    coefficients
        Of the current ratings (`tapdesk.agreement.coefficients`).
    all_classes
        Of the ratings before class 1 was chosen; empty where no class 1 was chosen.
    every_class
        Those ratings themselves; None where no class 1 was chosen.
    opposition
        Who contradicts whom, or judges something else.
    differences
        Whether raters are alike, and who stands apart.
    slopes
        Whether accuracy changes with covariates of raters, tested over raters; empty where the answer has none.
    chance, horizon
        Whether ratings without information could look like these, and how far luck alone reaches.
    goodness
        Whether data made by the first model would misfit as much.
    others
        Further models on the same ratings, without intervals.
    by_rater
        The fit that gives each rater an accuracy, with intervals: the answer itself where it does so; None where raters
        are not known.
    panel
        The fit of one accuracy for all raters, where the answer gives each rater an own; else None.
    pooled
        Raters drawn from one population, where the accuracy of each by itself lies on the edge or rests on few ratings:
        they are told then; else None.
    rater_contrasts
        Who differs from the panel, and whose ratings tell more than another's, by the fit of each rater.
    class_contrasts
        Which classes differ in accuracy, where the answer gives each its own; else None.
    without
        Estimates with each rater left out (`tapdesk.studies.subsets.influence`).
    complete
        Coefficients of the subjects that every rater rated; empty where nothing is missing or too few are left.
    paradox
        What the data leave open, where raw agreement and kappa of two classes tell different stories; else None.
    beliefs
        The probability of each class for each subject; None where the data cannot tell.
    scan, pairs
        Ordered classes at every cut; every pair of classes.
    independence
        Pairs of raters who agree more or less than the model says.
    dependence
        The answer under every way in which cases may differ, where something speaks for it; else None.
    group_contrasts
        How much groups differ, where the answer is about groups.
    consistency
        Raters who rated cases again, where the answer tells raters apart.
    drift
        Whether accuracy changed along the order of the ratings, where one was named.
    together
        The panel against the cases whose class is known, where these are used.
    severities
        Who is strict and who avoids the ends, by a model of ordered classes with lines of each rater's own.
    scores
        Scores of the cases, by a model of ordered classes.
    on_demand
        What was worked out because it was asked for, by the key of its part (`tapdesk.answers.demands`).
    reasons
        Why something above is absent, by its name; sentences.
    faults
        Studies that a bug of ours stopped.
    """

    fingerprint: str = ""
    wanted: Wanted | None = None
    coefficients: "tuple[Coefficient, ...]" = ()
    all_classes: "tuple[Coefficient, ...]" = ()
    every_class: "Ratings | None" = None
    opposition: "Opposition | None" = None
    differences: "RaterDifferences | None" = None
    slopes: "tuple[RaterSlope, ...]" = ()
    chance: "Chance | None" = None
    horizon: "Horizon | None" = None
    goodness: "BootstrapTest | None" = None
    others: "tuple[Fit, ...]" = ()
    by_rater: "Fit | None" = None
    panel: "Fit | None" = None
    pooled: "EdgePooling | None" = None
    rater_contrasts: "Contrasts | None" = None
    class_contrasts: "Contrasts | None" = None
    without: "StudyTable | None" = None
    complete: "tuple[Coefficient, ...]" = ()
    paradox: "Paradox | None" = None
    beliefs: "CaseBeliefs | None" = None
    scan: "Scan | None" = None
    pairs: "Pairs | None" = None
    independence: "Independence | None" = None
    dependence: "Dependence | None" = None
    group_contrasts: "tuple[GroupContrast, ...]" = ()
    consistency: "tuple[Consistency, ...]" = ()
    drift: "tuple[Drift, ...]" = ()
    together: "WrongTogether | None" = None
    severities: "tuple[Severity, ...]" = ()
    scores: "CaseScores | None" = None
    on_demand: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    reasons: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    faults: "tuple[Fault, ...]" = ()


@dataclass(frozen=True, eq=False)
class Basis:
    """What the studies of one answer are made from.

    Attributes
    ----------
    ratings
        The current ratings.
    every
        The same before a class 1 was chosen.
    fit
        The answer; None where there is none, or where it belongs to other classes.
    request
        What was asked.
    wanted
        Level, seed and data sets, and which studies are wanted.
    known
        What was worked out by now, by the name of its study.
    reasons
        Why something is absent, filled by studies that answer in part.
    awards
        What the committee decided about its awards; None for the usual.
    """

    ratings: "Ratings"
    every: "Ratings"
    fit: "Fit | None"
    request: "Request"
    wanted: Wanted
    known: Mapping[str, Any]
    reasons: dict[str, str]
    awards: "AwardRequest | None" = None

    @property
    def by_rater(self) -> bool:
        """Whether the model of the answer tells raters apart."""
        return self.fit is not None and self.fit.model.by_rater

    @property
    def key(self) -> Key:
        """What the answer makes of known cases: what is fitted beside it makes the same of them."""
        return Key.UNUSED if self.fit is None else self.fit.model.key

    @property
    def answer(self) -> "Fit":
        """The fit.

        Raises
        ------
        CannotAnswerError
            When there is none.
        """
        if self.fit is None:
            raise CannotAnswerError(_("This is worked out from the answer of a model, and there is none."))
        return self.fit


# By the name of each part above: the section it is printed in, and what a reader knows it as.
STUDIES = {
    "coefficients": ("agreement", _("Coefficients of agreement")),
    "every_class": ("agreement", _("Agreement on all classes")),
    "all_classes": ("agreement", _("Agreement on all classes")),
    "complete": ("sensitivity", _("Agreement of the fully rated {subjects}")),
    "paradox": ("agreement", _("Why agreement is high and kappa low")),
    "opposition": ("raters", _("{Raters} who contradict each other")),
    "differences": ("raters", _("Are the {raters} alike?")),
    "slopes": ("raters", _("What accuracy changes with")),
    "chance": ("results", _("Could this be chance?")),
    "horizon": ("results", _("How far luck alone reaches")),
    "goodness": ("results", _("Test of fit")),
    "by_rater": ("raters", _("Accuracy of each {rater}")),
    "panel": ("raters", _("The panel to set the {raters} beside")),
    "pooled": ("raters", _("What if {raters} come from one population?")),
    "rater_contrasts": ("raters", _("Who differs from the panel")),
    "class_contrasts": ("results", _("Which classes are easier to recognise")),
    "without": ("sensitivity", _("The answer with one {rater} left out")),
    "independence": ("raters", _("Pairs of {raters} who agree too much or too little")),
    "others": ("sensitivity", _("Other models")),
    "scan": ("sensitivity", _("The line between classes elsewhere")),
    "pairs": ("cases", _("Pairs of classes")),
    "beliefs": ("cases", _("How sure one can be of single {subjects}")),
    "dependence": ("results", _("What if some {subjects} are harder than others?")),
    "group_contrasts": ("results", _("How much do groups or questions differ?")),
    "consistency": ("raters", _("Do {raters} repeat their own answers?")),
    "drift": ("raters", _("Did accuracy change along the way?")),
    "together": ("agreement", _("Is the panel wrong together?")),
    "severities": ("raters", _("Who is strict, who is mild?")),
    "scores": ("cases", _("Which {subjects} stand highest?")),
}
