"""Every question of a form at once: the numbers of each, and what they deserve, with many questions allowed for.

A question is analysed as if it stood alone. What is said of it beside others is not: of thirty tests at 5 in 100 one or
two would reject by luck, so p-values are adjusted over the questions (Holm 1979, Scandinavian Journal of Statistics 6,
65). Which questions are tested at all follows from how many cases and how many ratings of each class there are, which
the tests hold fixed, so leaving the others out costs nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from typing import TypeVar

import numpy as np

from tapdesk.agreement.coefficients import RARE, Coefficient, agree
from tapdesk.agreement.known import wilson
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import AccuracyRange, Estimate, Untestable, undefined
from tapdesk.fitting.accuracy_range import with_accuracy_range, with_guessing_interval
from tapdesk.fitting.fit import BootstrapTest, Fit
from tapdesk.language import gettext as _
from tapdesk.models.model import Key, model
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import CONTRADICTED, Request, analyse, refusal
from tapdesk.studies.case_ranges import case_range
from tapdesk.studies.chance import Chance, chance, chance_of
from tapdesk.studies.dependence import Dependence
from tapdesk.studies.holm import holm
from tapdesk.studies.likelihood_ratio import goodness_of_fit
from tapdesk.studies.opposition import Opposition, opposition
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.rater_differences import RaterDifferences, equal_leanings, equal_raters, rater_differences

T = TypeVar("T")

FEW_CASES = 20
"""Fewer cases than this are too few for a verdict on a question."""
CLEAR = 0.5
"""A question is clear where the whole interval of its accuracy lies above this."""
LEVEL = 0.05
"""How often a panel of guessers may be told from guessing, over all questions together."""
_PERMUTATIONS = 2_000
# So that the smallest p-value there can be survives the adjustment for so many questions.
_PERMUTATIONS_EACH = 40
# As many as the single analysis of a question takes, whose marks are the same.
_TEST_DRAWS = 300
# More than these a by-rater test, and one of the model, would take minutes each.
_MOST_RATINGS, _FEW_CLASSES, _MOST_OF_MANY_CLASSES = 100_000, 4, 20_000
_MODEL = model("t-a-p")


class Verdict(Enum):
    """How it stands with a question, the neediest first; the value is the word in JSON."""

    GUESSING = "guessing"
    MIXED = "mixed"
    TOO_FEW = "too few"
    SAME = "all the same"
    UNKNOWN = "not estimated"
    CLEAR = "clear"


class Advice(Enum):
    """What to do about a question; the value is the word in JSON."""

    SCALE = "which way the scale runs"
    PARTS = "what each rater judged"
    DEFINE = "define the term"
    EXAMPLES = "give examples"
    RATER = "look at a rater"
    MORE = "rate more"
    SECOND = "have a second person rate"
    OTHER = "look for another class"
    NONE = "nothing can be said"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Criterion:
    """One line of a form: what it is called, and its ratings."""

    name: str
    ratings: Ratings


@dataclass(frozen=True, slots=True)
class RaterShare:
    """How often one rater gives a class, with the interval of Wilson (1927)."""

    rater: str
    given: int
    ratings: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share itself."""
        return self.given / self.ratings


@dataclass(frozen=True, eq=False)
class CriterionNumbers:
    """What is found of a question by itself.

    Attributes
    ----------
    name
        Of the question.
    subjects, raters, ratings
        What there is: cases, raters (or the most ratings of a case, where nobody is named), ratings.
    classes, rates
        Its classes, and the share of the ratings in each.
    coefficients
        Every coefficient of agreement, each in its estimate or with the reason why there is none.
    fit
        One accuracy for all raters, with the interval of the accuracy; None where it cannot be estimated.
    chance, goodness, differences, opposition
        Could it be luck; does the model fit; are the raters alike; does anybody contradict the others. None where that
        cannot be asked of these ratings; the second and third also where luck explains them.
    dependence
        The ways in which its cases may differ, where that may change what is told (`tapdesk.studies.case_ranges`).
    misfit, unlike
        P-values of the two tests of the model with as many draws as an adjustment for all questions needs.
    leanings
        Whether raters give each class equally often to the same cases; not asked where the accuracy is clear.
    shares
        By rater how often the last class is given; empty where raters are not known or there are more than two classes.
    why_not
        Why there is no fit.
    """

    name: str
    subjects: int
    raters: int
    ratings: int
    classes: tuple[str, ...]
    rates: tuple[float, ...]
    coefficients: tuple[Coefficient, ...] = ()
    fit: Fit | None = None
    chance: Chance | None = None
    goodness: BootstrapTest | None = None
    differences: RaterDifferences | None = None
    opposition: Opposition | None = None
    dependence: Dependence | None = None
    misfit: float = 1.0
    unlike: float = 1.0
    leanings: BootstrapTest | None = None
    shares: tuple[RaterShare, ...] = ()
    why_not: str = ""

    @property
    def commonest(self) -> float:
        """The share of the class that is given most often."""
        return max(self.rates, default=0.0)

    @property
    def rarer(self) -> int:
        """How many ratings lie outside the commonest class."""
        return round(self.ratings * (1 - self.commonest))

    @property
    def same(self) -> bool:
        """Whether all ratings are in one class."""
        return self.rarer == 0

    @property
    def single(self) -> bool:
        """Whether there is one rating of each case, so that nothing can be compared."""
        return self.raters == 1 and not self.why_not and self.ratings == self.subjects > 0

    @property
    def too_few(self) -> bool:
        """Whether cases, or ratings outside the commonest class, are too few for a verdict."""
        return self.subjects < FEW_CASES or self.rarer < RARE

    @property
    def testable(self) -> bool:
        """Whether a verdict on accuracy is given, so that it is one of many that have to be allowed for."""
        return self.chance is not None and not self.same and not self.too_few

    @property
    def contradicted(self) -> bool:
        """Whether raters seem to contradict each other, or to judge different things."""
        return self.opposition is not None and self.opposition.exists

    @property
    def raters_differ(self) -> bool:
        """Whether it matters who gave a rating, as the analysis of this question alone says it."""
        return self.differences is not None and self.differences.test.p_bootstrap < self.level

    @property
    def set_back(self) -> bool:
        """Whether the analysis of this question alone takes its one accuracy back: raters, or cases, differ."""
        own = self.differences is not None and bool(self.differences.accuracies)
        cases = self.goodness is not None and self.goodness.p_bootstrap < self.level
        return self.contradicted or (self.raters_differ and own) or (cases and not self.raters_differ)

    @property
    def level(self) -> float:
        """Of each of the two tests that speak against one accuracy, so that they have the usual one together."""
        return 1 - (1 - LEVEL) ** 0.5 if self.goodness is not None and self.differences is not None else LEVEL

    def coefficient(self, name: str) -> Estimate:
        """A coefficient without weights, or the reason why there is none."""
        plain = (c for c in self.coefficients if c.name == name and c.category is None and c.raters is None)
        result = next(plain, None)
        return undefined(self.why_not or _NO_PAIRS) if result is None else result.estimate


_NO_PAIRS = _("No {subject} has two {ratings}, so nothing can be compared.")


@dataclass(frozen=True, eq=False)
class CriterionRow:
    """A question beside the others.

    Attributes
    ----------
    numbers
        What is found of it by itself.
    verdict, advice
        How it stands with it, and what to do.
    about
        Names of the raters the advice is about; the class to look for where that is the advice.
    accuracy
        As it is told: no value where the ratings cannot be told from guessing, or a range takes its place.
    open_range
        Every accuracy that fits equally well, where only guesses that fall as the truth would give a single one.
    set_back
        Whether the accuracy is not to be relied on, because raters or cases differ.
    p_holm
        Of the test of chance, adjusted for all questions; None where none is judged.
    """

    numbers: CriterionNumbers
    verdict: Verdict
    advice: Advice
    about: tuple[str, ...] = ()
    accuracy: Estimate = field(default_factory=lambda: undefined(_NO_PAIRS))
    open_range: AccuracyRange | None = None
    set_back: bool = False
    p_holm: float | None = None

    @property
    def name(self) -> str:
        """Of the question."""
        return self.numbers.name

    @property
    def needs_talk(self) -> bool:
        """Whether there is anything to do about it."""
        return self.advice is not Advice.KEEP


@dataclass(frozen=True, slots=True)
class RaterAcross:
    """One rater over the questions: how many were answered, and on which this rater stands apart or is turned round.

    ``accuracy`` is one for ``pooled`` of the questions (`tapdesk.studies.pooled_raters`); None where there are none.
    """

    rater: str
    questions: int
    apart: tuple[str, ...]
    turned: tuple[str, ...]
    accuracy: Estimate | None = None
    pooled: int = 0


def criteria(
    questions: Sequence[Criterion],
    level: float = 0.95,
    seed: int = 1,
    *,
    workers: int = 1,
    kept: FinishedPieces | None = None,
) -> Run[tuple[CriterionNumbers, ...]]:
    """The numbers of every question, one after the other.

    Parameters
    ----------
    questions
        The form.
    level, seed
        Of the intervals, and of all that is drawn at random: of each question as of its single analysis.
    workers
        Number of processes; the numbers are the same whatever it is.
    kept
        Numbers that are known by the place of their question, of a run that was stopped; what comes is put there.

    Yields
    ------
    Step
        Phase ``questions``: questions done of all, and more often, so that it can be ended at any time.
    """
    draws = max(_PERMUTATIONS, _PERMUTATIONS_EACH * len(questions))
    return (yield from in_parallel(partial(numbers_of, level, seed, draws), questions, workers, "questions", kept))


def numbers_of(level: float, seed: int, draws: int, question: Criterion) -> Run[CriterionNumbers]:
    """The numbers of one question; parameters as in `criteria`, ``draws`` those of its test of chance."""
    ratings = question.ratings
    numbers = CriterionNumbers(
        question.name,
        ratings.subject_count,
        _raters(ratings),
        ratings.rating_count,
        ratings.classes,
        tuple(map(float, ratings.class_rates())),
        shares=_shares(ratings, level),
    )
    coefficients = yield from agree(ratings, level=level, seed=seed)
    numbers = replace(numbers, coefficients=coefficients)
    if numbers.same:
        return numbers
    # What is known of a question is used for it, as in an answer of its own.
    key = Key.CERTAIN if ratings.knows_answers else Key.UNUSED
    request = Request(replace(_MODEL, key=key), level=level, seed=seed)
    reason = refusal(ratings, request)
    if reason:
        return replace(numbers, why_not=reason)
    fit = yield from analyse(ratings, request, only={"a"}, shares=False)
    fit = yield from with_accuracy_range(fit, ratings, level)
    fit = yield from with_guessing_interval(fit, ratings, level)
    test = chance if ratings.subject.size > _most(ratings) else partial(chance_of, power=False)
    luck = yield from _or_none(test(ratings, draws, seed))
    numbers = replace(numbers, fit=fit, chance=luck)
    return (yield from _beside(numbers, ratings, request, draws))


def _beside(numbers: CriterionNumbers, ratings: Ratings, request: Request, draws: int) -> Run[CriterionNumbers]:
    """The numbers with what speaks against one accuracy for all raters and cases, where there is an accuracy at all."""
    known = ratings.raters_known and len(ratings.raters) > 1
    if known:
        numbers = replace(numbers, opposition=(yield from opposition(ratings, request)))
    fit, seed = numbers.fit, request.seed
    if ratings.subject.size > _most(ratings) or fit is None:
        return numbers
    if numbers.chance is not None and numbers.chance.more_than_chance:
        fits = yield from _or_none(goodness_of_fit(ratings, request.model, _TEST_DRAWS, seed, fit))
        if fits is not None:
            again = partial(goodness_of_fit, ratings, request.model, draws, seed, fit)
            numbers = replace(numbers, goodness=fits, misfit=(yield from _sharper(fits, again)))
        unlike = (
            (yield from _or_none(rater_differences(ratings, _TEST_DRAWS, seed, request.model.key))) if known else None
        )
        if unlike is not None:
            again = partial(equal_raters, ratings, draws, seed)
            numbers = replace(numbers, differences=unlike, unlike=(yield from _sharper(unlike.test, again)))
        numbers = replace(numbers, dependence=(yield from _case_range(numbers, ratings, request)))
    low = fit.estimate("a").low
    if not known or (low is not None and low > CLEAR):
        return numbers
    return replace(numbers, leanings=(yield from _or_none(equal_leanings(ratings, _TEST_DRAWS, seed))))


def _case_range(numbers: CriterionNumbers, ratings: Ratings, request: Request) -> Run[Dependence | None]:
    """The ways in which cases may differ, where one accuracy is told and nobody but the cases can be the reason."""
    fit, test = numbers.fit, numbers.goodness
    if fit is None or test is None or not fit.identification.identified or request.model.key is not Key.UNUSED:
        return None
    if numbers.raters_differ or numbers.contradicted:
        return None
    return (yield from case_range(ratings, fit, test, numbers.level, request.seed))


def _sharper(test: BootstrapTest, again: "partial[Run[BootstrapTest]]") -> Run[float]:
    """The p-value of a test; of one that rejects, with as many draws as an adjustment for many questions needs."""
    if 2 * test.p_bootstrap >= LEVEL:
        # One of two tests: it cannot reject with others allowed for.
        return test.p_bootstrap
    return (yield from again()).p_bootstrap


def _most(ratings: Ratings) -> int:
    return _MOST_RATINGS if len(ratings.classes) <= _FEW_CLASSES else _MOST_OF_MANY_CLASSES


def _or_none(run: Run[T]) -> Run[T | None]:
    """What a study finds; None where these ratings have no answer to it."""
    try:
        return (yield from run)
    except CannotAnswerError:
        return None


def _raters(ratings: Ratings) -> int:
    """How many raters there are; where nobody is named the most ratings of one case."""
    if ratings.raters_known:
        return int(np.unique(ratings.rater).size)
    return int(ratings.ratings_per_subject().max(initial=0))


def _shares(ratings: Ratings, level: float) -> tuple[RaterShare, ...]:
    """How often each rater gives the last of two classes, the most often first."""
    if not ratings.raters_known or len(ratings.classes) != 2 or ratings.weight is not None:
        return ()
    n = np.bincount(ratings.rater, minlength=len(ratings.raters))
    k = np.bincount(ratings.rater, ratings.category, len(ratings.raters)).astype(np.int64)
    made = []
    for name, given, of in zip(ratings.raters, k.tolist(), n.tolist(), strict=True):
        if of:
            made.append(RaterShare(name, given, of, *wilson(given / of, of, level)))
    return tuple(sorted(made, key=lambda one: -one.share))


def judge(numbers: Sequence[CriterionNumbers]) -> tuple[CriterionRow, ...]:
    """Every question beside the others, those that need talk first.

    Parameters
    ----------
    numbers
        The numbers of each question; of a run that goes on, of those that are done.

    Returns
    -------
    tuple of CriterionRow
        By verdict in the order of `Verdict`, within one by accuracy, lower first; alike ones as they came.
    """
    family = [i for i, one in enumerate(numbers) if one.testable]
    luck = dict(zip(family, holm([_p(numbers[i]) for i in family]), strict=True))
    # Two tests speak against one accuracy: each of half the level.
    unlike = dict(zip(family, holm([min(2 * numbers[i].unlike, 1.0) for i in family]), strict=True))
    misfit = dict(zip(family, holm([min(2 * numbers[i].misfit, 1.0) for i in family]), strict=True))
    rows = [_row(one, luck.get(i), unlike.get(i, 1.0), misfit.get(i, 1.0)) for i, one in enumerate(numbers)]
    order = list(Verdict)
    return tuple(sorted(rows, key=lambda row: (order.index(row.verdict), _lowness(row))))


def _p(one: CriterionNumbers) -> float:
    return 1.0 if one.chance is None else one.chance.test.p_bootstrap


def _lowness(row: CriterionRow) -> float:
    """What rows of one verdict are sorted by: the accuracy, where there is none the upper end of what there may be."""
    if row.accuracy.value is not None:
        return row.accuracy.value
    if row.open_range is not None:
        return row.open_range.low
    return row.accuracy.high if row.accuracy.high is not None else 1.0


def _row(one: CriterionNumbers, luck: float | None, unlike: float, misfit: float) -> CriterionRow:
    """One question with its verdict and what to do about it."""
    plain = CriterionRow(one, Verdict.UNKNOWN, Advice.NONE, (), _accuracy(one), _open_range(one), one.set_back, luck)
    if one.single or one.same:
        return _nothing_to_compare(one, plain)
    if one.fit is None or one.chance is None:
        return plain
    if one.too_few:
        accuracy = plain.accuracy if one.chance.more_than_chance else _none(one, plain.accuracy)
        return replace(plain, verdict=Verdict.TOO_FEW, advice=Advice.MORE, accuracy=accuracy)
    advice, about = _advice(one, luck, unlike)
    plain = replace(plain, advice=advice, about=about)
    if luck is None or luck >= LEVEL:
        return replace(plain, verdict=Verdict.GUESSING, accuracy=_none(one, plain.accuracy))
    if one.contradicted:
        return replace(plain, verdict=Verdict.MIXED, accuracy=undefined(CONTRADICTED), open_range=None)
    low = plain.accuracy.low
    # As it is printed: what reads 0.50 does not lie above it.
    clear = low is not None and round(low, 2) > CLEAR and not _disproved(one, advice, unlike, misfit)
    if clear and advice is not Advice.RATER:
        plain = replace(plain, advice=Advice.KEEP, about=())
    return replace(plain, verdict=Verdict.CLEAR if clear else Verdict.MIXED)


def _nothing_to_compare(one: CriterionNumbers, plain: CriterionRow) -> CriterionRow:
    """A question that one person answered, or that was always answered alike."""
    if one.single:
        return replace(plain, advice=Advice.SECOND, accuracy=undefined(_SINGLE), open_range=None)
    missing = tuple(c for c, rate in zip(one.classes, one.rates, strict=True) if rate == 0)
    return replace(plain, verdict=Verdict.SAME, advice=Advice.OTHER, about=missing[:1])


def _disproved(one: CriterionNumbers, advice: Advice, unlike: float, misfit: float) -> bool:
    """Whether one accuracy does not describe the ratings; a single rater apart leaves the question as clear as it is.

    Many questions are allowed for.
    """
    accuracies = one.differences is not None and bool(one.differences.accuracies)
    raters = unlike < LEVEL and accuracies and advice is not Advice.RATER
    return raters or (misfit < LEVEL and not one.raters_differ)


_ALL_THE_SAME = _("All {ratings} are the same, so there is nothing to tell apart.")
_SINGLE = _("One person answered for each {subject}, so nothing shows whether answers agree.")
_LIKE_GUESSING = _("These {ratings} cannot be told from guessing, so no accuracy is told.")


def _none(one: CriterionNumbers, estimate: Estimate) -> Estimate:
    """An accuracy that luck explains as well: without its value, the interval kept.

    Next to accuracy 0 the table of chi-square that ends a profile does not hold, and the interval may leave out a 0
    that the test of chance, which is exact there, does not reject. So it reaches down to 0 wherever that test does.
    """
    if estimate.value is not None:
        estimate = replace(estimate, value=None, se=None, undefined=_LIKE_GUESSING)
    if estimate.low is None or estimate.level is None or _p(one) < 1 - estimate.level:
        return estimate
    return replace(estimate, low=0.0)


def _accuracy(one: CriterionNumbers) -> Estimate:
    """The one accuracy, or why there is none."""
    if one.fit is None:
        return undefined(one.why_not or _ALL_THE_SAME)
    reach = _open_range(one)
    if reach is None:
        return one.fit.estimate("a")
    return Estimate(None, low=reach.outer_low, high=reach.outer_high, level=reach.level, how="profile", undefined=_OPEN)


_OPEN = _("Two {ratings} of {a_subject} leave the accuracy open within a range.")


def _open_range(one: CriterionNumbers) -> AccuracyRange | None:
    """The range in place of the accuracy, where two ratings of a case leave it open."""
    accuracy_range = None if one.fit is None else one.fit.accuracy_range
    return accuracy_range if accuracy_range is not None and accuracy_range.without is Untestable.GUESSES else None


def _advice(one: CriterionNumbers, luck: float | None, unlike: float) -> tuple[Advice, tuple[str, ...]]:
    """What to do about a question that may be clearer: about a scale, a rater, a term, or examples."""
    # Two who contradict each other look like luck to its test, which knows no accuracy below 0.
    sure = one.raters == 2 or (luck is not None and luck < LEVEL)
    if one.opposition is not None and one.contradicted and sure:
        return (Advice.PARTS, ()) if one.opposition.groups else (Advice.SCALE, one.opposition.turned)
    if unlike < LEVEL and one.differences is not None and one.differences.apart:
        return Advice.RATER, one.differences.apart
    if one.leanings is not None and one.leanings.rejects:
        return Advice.DEFINE, ()
    return Advice.EXAMPLES, ()


def across(questions: Sequence[Criterion], rows: Collection[CriterionRow]) -> tuple[RaterAcross, ...]:
    """Every known rater over all questions, those who stand apart most often first.

    Parameters
    ----------
    questions
        The form.
    rows
        Its questions beside each other.
    """
    rated: dict[str, int] = {}
    for question in questions:
        if question.ratings.raters_known:
            for j in np.unique(question.ratings.rater):
                name = question.ratings.raters[int(j)]
                rated[name] = rated.get(name, 0) + 1

    def on(name: str, advice: Advice) -> tuple[str, ...]:
        return tuple(row.name for row in rows if row.advice is advice and name in row.about)

    made = [RaterAcross(name, n, on(name, Advice.RATER), on(name, Advice.SCALE)) for name, n in rated.items()]
    return tuple(sorted(made, key=lambda one: -len(one.apart) - len(one.turned)))
