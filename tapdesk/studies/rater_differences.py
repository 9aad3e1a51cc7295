"""Are the raters alike? Asked before anything is said of "a rating", and who stands apart where they are not."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import BootstrapTest, Fit
from tapdesk.fitting.profile import held_maxima
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.model import Key, model
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.models.simulate import one_by_one
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import IntArray, Ratings
from tapdesk.studies.likelihood_ratio import bootstrap_test

if TYPE_CHECKING:
    from tapdesk.studies.differences import PairedDifferences

_LEVEL = 0.05
_MOST_LEANINGS = 150
_MOST_AT_ONCE = 200_000
# Beyond a quarter of the panel nobody stands apart from it: the raters differ.
_FEW_APART = 0.25
_MOST_RATERS, _MOST_RATINGS = 60, 20_000


@dataclass(frozen=True, eq=False)
class RaterDifferences:
    """Whether raters are alike, and how they differ where they are not.

    Attributes
    ----------
    test
        Whether it matters who gave which rating of a case.
    accuracies
        By rater, in the order of the ratings, where accuracies differ clearly; else empty.
    raters
        Their names.
    apart
        Names of those few whose accuracy stands apart from the middle one, at a level corrected for their number.
    middle
        The middle accuracy; None where accuracies do not differ clearly.
    reach
        From where to where accuracies go about: the lowest and the highest estimate lie further apart than what they
        estimate, so all are drawn together until they differ as much as accuracies do beyond luck. None as `middle`.
    """

    test: BootstrapTest
    raters: tuple[str, ...] = ()
    accuracies: tuple[float, ...] = ()
    apart: tuple[str, ...] = ()
    middle: float | None = None
    reach: tuple[float, float] | None = None

    def accuracy(self, rater: str) -> float:
        """The accuracy of a rater where accuracies differ."""
        return self.accuracies[self.raters.index(rater)]


def few_leanings(ratings: Ratings) -> bool:
    """Whether raters and classes are few enough for a rate of every class for every rater."""
    return len(ratings.raters) * (len(ratings.classes) - 1) <= _MOST_LEANINGS


def rater_differences(
    ratings: Ratings, replicates: int = 300, seed: int = 1, key: Key = Key.UNUSED
) -> Run[RaterDifferences]:
    """Test whether raters are alike; where they are not, find their accuracies and who stands apart.

    Whatever the cases are like, ratings of alike raters of a case can change hands: permutations within cases give the
    exact distribution of any statistic under the hypothesis, also where cases are hard or easy. The statistic adds up,
    over raters, how far the share of others they agree with and the share of each class lie from what the cases make of
    them, squared, in units of their variance.

    Parameters
    ----------
    ratings
        The data, of known raters.
    replicates, seed
        Permutations, and of the random numbers.
    key
        What is made of known cases for the accuracies, as in the answer they stand beside; the test needs none.

    Yields
    ------
    Step
        Phases ``re-draws`` and ``fit``.

    Raises
    ------
    CannotAnswerError
        When raters are not known, or no case has two ratings that differ.
    """
    if not ratings.raters_known or len(ratings.raters) < 2:
        raise CannotAnswerError(_("This needs to know who gave each {rating}, and here the {raters} are not known."))
    test = yield from equal_raters(ratings, replicates, seed)
    few = len(ratings.raters) <= _MOST_RATERS and ratings.subject.size <= _MOST_RATINGS
    if not test.rejects or not few:
        return RaterDifferences(test)
    return (yield from _differences(test, ratings, seed, key))


def equal_raters(ratings: Ratings, replicates: int, seed: int) -> Run[BootstrapTest]:
    """The test alone; parameters and errors as in `rater_differences`."""
    about = _("All {raters} are alike: it does not matter who gave which {rating} of {a_subject}.")
    return (yield from _exchanged(ratings, replicates, seed, "equal raters", about))


def equal_leanings(ratings: Ratings, replicates: int, seed: int) -> Run[BootstrapTest]:
    """Whether raters give each class as often as the others do to the same cases, however well they agree.

    Parameters and errors as in `rater_differences`.
    """
    about = _("All {raters} give each class equally often to the same {subjects}.")
    return (yield from _exchanged(ratings, replicates, seed, "equal leanings", about, agreement=False))


def _exchanged(
    ratings: Ratings, replicates: int, seed: int, name: str, about: str, *, agreement: bool = True
) -> Run[BootstrapTest]:
    """The sum of squares of the real ratings among those of ratings that changed hands within cases."""
    plain = one_by_one(ratings)
    several = plain.ratings_per_subject()[plain.subject] > 1
    subject, rater, category = plain.subject[several], plain.rater[several], plain.category[several]
    if not subject.size:
        raise CannotAnswerError(_("No {subject} has two {ratings}, so {raters} cannot be compared."))
    _names, subject = np.unique(subject, return_inverse=True)
    sums = _Sums(subject, rater, category, len(plain.raters), len(plain.classes), agreement=agreement)
    rng = np.random.default_rng(np.random.SeedSequence([seed, 8]))
    draws = np.empty(replicates)
    portion = max(_MOST_AT_ONCE // subject.size, 1)
    for start in range(0, replicates, portion):
        yield Step(start, replicates, "re-draws")
        stop = min(start + portion, replicates)
        # The ratings of each case in another order: they stand together, case by case.
        order = (subject + rng.random((stop - start, subject.size))).argsort(axis=1)
        draws[start:stop] = sums.statistics(category[order])
    yield Step(replicates, replicates, "re-draws")
    return bootstrap_test(name, float(sums.statistics(category[None])[0]), None, draws, about)


class _Sums:
    """Sums by rater of agreement with others and of each class, and what the cases make of them."""

    def __init__(
        self, subject: IntArray, rater: IntArray, category: IntArray, raters: int, classes: int, *, agreement: bool
    ) -> None:
        self._subject = subject
        # By rater, one after another, so that a sum over the ratings of each is one cut of the array.
        self._by_rater = np.argsort(rater, kind="stable")
        self._who, self._first = np.unique(rater[self._by_rater], return_index=True)
        # Of two classes one tells all.
        self._classes = range(1 if classes == 2 else 0, classes)
        n = int(subject.max()) + 1
        counts = np.bincount(subject * classes + category, minlength=n * classes).reshape(n, classes)
        size = counts.sum(axis=1)
        agrees = (counts - 1) / (size - 1)[:, None]
        given = [np.eye(classes)[c] + 0 * counts for c in self._classes]
        self._table = np.array([agrees, *given] if agreement else given)
        shares = counts / size[:, None]
        mean = (self._table * shares).sum(axis=2)
        spread = ((self._table - mean[:, :, None]) ** 2 * shares).sum(axis=2)
        self._mean = np.array([np.bincount(rater, row[subject], raters) for row in mean])
        self._variance = np.array([np.bincount(rater, row[subject], raters) for row in spread])

    def statistics(self, categories: IntArray) -> FloatArray:
        """The sums of squares in units of variance, for classes handed out anew within cases: shape (B,) of (B, n)."""
        total = np.zeros(categories.shape[0])
        for table, means, variances in zip(self._table, self._mean, self._variance, strict=True):
            mean, variance = means[self._who], variances[self._who]
            known = variance > 0
            values = table[self._subject, categories][:, self._by_rater]
            sums = np.add.reduceat(values, self._first, axis=1)
            total += ((sums - mean) ** 2)[:, known] @ (1 / variance[known])
        return total


def _differences(test: BootstrapTest, ratings: Ratings, seed: int, key: Key) -> Run[RaterDifferences]:
    """Accuracies and who stands apart, where accuracies are told and differ; leanings may be all that does."""
    names = ("t-aj-pj", "t-a-pj") if few_leanings(ratings) else ("t-aj-p", "t-a-p")
    larger, equal = (replace(model(name), key=key) for name in names)
    method, simple = ExactEM(), replace(model("t-aj-p"), key=key)
    if method.refuses(larger, ratings):
        return RaterDifferences(test)
    own = yield from method.run(larger, ratings, seed)
    if larger.name == "t-aj-pj" and not method.refuses(simple, ratings):
        # Leanings of their own only where they pay for their number, as where the raters are told one by one: nobody
        # has two accuracies in one report.
        plain = yield from method.run(simple, ratings, seed)
        if plain.aic < own.aic and plain.converged and plain.identification.by_design:
            own, equal = plain, replace(model("t-a-p"), key=key)
    alike = yield from method.run(equal, ratings, seed)
    gain = 2 * (own.log_likelihood.ratings - alike.log_likelihood.ratings)
    by_design = own.identification.by_design and own.converged and alike.converged
    if not by_design or chdtrc(len(own.raters) - 1, max(gain, 0.0)) >= _LEVEL:
        return RaterDifferences(test)
    accuracies = own.parameters.accuracy[:, 0]
    middle = float(np.median(accuracies))
    p = yield from _against(own, ratings, middle)
    result = yield from _with_redraws(own, ratings, seed)
    far = np.flatnonzero((p < _LEVEL / p.size) & _away_from_the_middle(result, p.size))
    apart = far if far.size <= max(_FEW_APART * p.size, 1) and p.size > 2 else far[:0]
    named = tuple(own.raters[j] for j in apart)
    reach = reach_of(accuracies, None if result is None else result.draws[:, :-1].std(axis=0))
    return RaterDifferences(test, own.raters, tuple(map(float, accuracies)), named, middle, reach)


def reach_of(accuracies: FloatArray, errors: FloatArray | None) -> tuple[float, float]:
    """The lowest and the highest of estimates drawn together until their variance is that of what they estimate.

    Estimates vary by luck besides; each is drawn towards the mean by the root of the share of its variance that is not
    luck (T. A. Louis, 1984, J. Am. Stat. Assoc. 79, 393). On the edge resamples hardly move: there the middle error.
    """
    luck = np.zeros_like(accuracies) if errors is None else np.maximum(errors, np.median(errors)) ** 2
    beyond = max(float(accuracies.var(ddof=1) - luck.mean()), 0.0)
    share = np.sqrt(np.divide(beyond, beyond + luck, out=np.ones_like(luck), where=beyond + luck > 0))
    drawn = accuracies.mean() + share * (accuracies - accuracies.mean())
    return float(drawn.min()), float(drawn.max())


def _away_from_the_middle(differences: "PairedDifferences | None", raters: int) -> NDArray[np.bool_]:
    """Shape (J,): whose accuracy lies apart from the middle one also where that is as unsure as it is.

    Both move with the cases. Of a rater on the edge, whom resamples hardly move, the likelihood alone decides.
    """
    if differences is None:
        return np.ones(raters, dtype=bool)
    sentences = [differences.between(j, raters) for j in range(raters)]
    return np.array([one.clear or not one.bounded for one in sentences])


def _with_redraws(fit: Fit, ratings: Ratings, seed: int) -> "Run[PairedDifferences | None]":
    """The accuracies of raters, and the middle one after them, in resamples; None of very many cases."""
    # Start-up cost: raters who are alike are not set against each other.
    from tapdesk.studies.differences import View, paired_differences

    view = View(
        ratings,
        fit,
        _with_the_middle,
        tuple(Estimate(float(a)) for a in _with_the_middle(Stack.of([fit.parameters]))[0]),
    )
    return (yield from paired_differences(ratings, [view], 1 - _LEVEL, seed, against=len(fit.raters)))


def _with_the_middle(stack: Stack) -> FloatArray:
    """Shape (B, J + 1): the accuracies of raters, and the middle one of them."""
    accuracies = stack.accuracy[:, :, 0]
    return np.concatenate([accuracies, np.median(accuracies, axis=1, keepdims=True)], axis=1)


def _against(fit: Fit, ratings: Ratings, middle: float) -> Run[FloatArray]:
    """Shape (J,): how well each accuracy being the middle one fits (likelihood ratio, chi-square of one number)."""
    plan = design(fit.model, ratings)
    wanted = [slot for slot in plan.slots if slot.name.name == "a"]
    owner: NDArray[np.int64] = np.arange(len(wanted))
    held = np.full(len(wanted), middle)
    evidence = plan.space.evidence(plan.patterns)
    levels = yield from held_maxima(plan, evidence, [fit.parameters], wanted, owner, held, (0, len(wanted)))
    return np.asarray(chdtrc(1, np.maximum(2 * (fit.log_likelihood.ratings - levels), 0.0)))
