"""Whether raters judged by themselves: the agreement of every pair of them beside what the model makes of it.

A copied or hidden consensus column shows in pairs of raters who agree more than the model says (models.md §8).
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.language import RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy, Cases, Key
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.models.simulate import one_by_one
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.ratings import IntArray, Ratings
from tapdesk.studies.batch_fit import fit_weights
from tapdesk.studies.simulated_data import simulate_datasets

if TYPE_CHECKING:
    from tapdesk.studies.pair_dependence import DependentPair


# Beyond these sizes fitting every simulated data set would keep a committee waiting.
_MOST_RATERS, _MOST_RATINGS = 15, 6_000
_ROUNDING = 1e-5
# Below so many shared cases even raters who talked first would hardly stand out.
_FEW = 20
# The model follows the agreement of so few raters, whatever made it.
_FEW_RATERS = 3
# First and later looks at the data sets simulated by then, and the chance that all looks together stop a panel early
# of which the pair that stands out most does so by luck as rarely as `_NEAR` (Besag & Clifford 1991, *Biometrika* 78;
# shared among the looks as Gandy 2009, *Journal of the American Statistical Association* 104, does).
_FIRST_LOOK, _LOOK = 100, 50
EARLY_ERROR = 0.001
# Chance of flagging any pair of a panel whose raters judge by themselves; below the second it is worth asking which.
_LEVEL, _NEAR = 0.01, 0.2


@dataclass(frozen=True, eq=False)
class Independence:
    """Every pair of raters who share subjects; all arrays have shape (pairs,).

    Attributes
    ----------
    raters
        Names.
    first, second
        Indices of the two raters.
    shared
        Number of subjects both rated.
    observed, expected
        For two classes the covariance of the two raters' ratings over shared subjects, else the share of them on which
        they agree; as seen, and by the model (mean of data simulated from the fit on the same design).
    low, high
        Ends of the middle 95 % of the simulated ones, each told beyond its own fit.
    deviation
        Observed minus expected, in standard deviations of the simulated ones.
    p
        Two-sided, of each pair by itself, by simulation.
    p_adjusted
        Chance that any pair at all would stand out as much if the model were true (Westfall & Young's largest
        deviation).
    flagged
        Whether that is below 0.01.
    measure
        ``covariance`` or ``agreement``.
    replicates
        Simulated data sets: fewer than were allowed where it was settled by then that no pair stands out.
    unanimous
        Whether all ratings of each case are equal.
    pair
        The two raters who agree most beyond what raters who differ and hard cases explain; None where that was not
        looked for.
    """

    raters: tuple[str, ...]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    shared: NDArray[np.int64]
    observed: FloatArray
    expected: FloatArray
    low: FloatArray
    high: FloatArray
    deviation: FloatArray
    p: FloatArray
    p_adjusted: FloatArray
    flagged: NDArray[np.bool_]
    measure: str
    replicates: int
    unanimous: bool = False
    pair: "DependentPair | None" = None

    @property
    def named(self) -> tuple[str, str] | None:
        """The one pair that stands out against all others; None where none does, or others may as well."""
        if not self._seen or self.pair is None or not self.pair.stands_out:
            return None
        return self.raters[self.pair.first], self.raters[self.pair.second]

    @property
    def _raters_paired(self) -> int:
        return int(np.union1d(self.first, self.second).size)

    @property
    def too_alike(self) -> bool:
        """Whether pairs agree more than the model explains, where that could be seen."""
        return self._seen and (bool(self._above.any()) or self.named is not None)

    @property
    def near(self) -> bool:
        """Whether a pair agrees so much that it is worth asking whether it stands out."""
        return self._seen and bool(((self.p_adjusted < _NEAR) & (self.observed > self.expected)).any())

    @property
    def _seen(self) -> bool:
        return not self.unanimous and self._raters_paired > _FEW_RATERS

    @property
    def widespread(self) -> bool:
        """Whether more than two raters are in pairs that do, as where cases differ and not where one pair copies."""
        if self.named is not None:
            return False
        return self.too_alike and np.union1d(self.first[self._above], self.second[self._above]).size > 2

    @property
    def _above(self) -> NDArray[np.bool_]:
        return self.flagged & (self.observed > self.expected)

    @property
    def finding(self) -> str:
        """What the agreement of pairs says, in a sentence.

        Harder cases, unequal classes and ordered errors make pairs agree as copying does, and oftener. So a pair is
        named only after models of these have had their chance (`tapdesk.studies.pair_dependence`).
        """
        most = int(self.shared.max(initial=0))
        if self.unanimous:
            return _(
                "All {ratings} of each {subject} are equal, so it cannot be seen whether the {raters} "
                "judged by themselves: one who copies looks like one who knows."
            )
        raters = self._raters_paired
        if raters <= _FEW_RATERS:
            return ngettext(
                "With {n} {raters} it cannot be seen whether they judged by themselves.",
                "With {n} {raters} it cannot be seen whether they judged by themselves.",
                raters,
            ).format(n=raters)
        if not self.flagged.any() and self.named is None and most < _FEW:
            return ngettext(
                "No pair of {raters} stands out, but no two of them share more than {most} {subject}: too "
                "few to show it.",
                "No pair of {raters} stands out, but no two of them share more than {most} {subjects}: too "
                "few to show it.",
                most,
            ).format(most=most)
        if not self.flagged.any() and self.named is None:
            return _("No two {raters} agree more, or less, than a model of {raters} who judge by themselves explains.")
        if self.too_alike:
            return self._too_alike
        return _("{Raters} agree less often than the model explains: something it leaves out sets them apart.")

    @property
    def _too_alike(self) -> str:
        """Who agrees too often: a pair where one stands out, or some."""
        if self.named is not None:
            one, other = map(RaterName, self.named)
            return _(
                "{one} and {other} agree more often than their accuracies and hard {subjects} explain, and no other "
                "two {raters} do."
            ).format(one=one, other=other)
        if self.widespread:
            return _("Some {subjects} seem harder than others.")
        return _("Some {raters} agree more often than the model explains.")

    @property
    def words(self) -> str:
        """The finding, and what follows from it."""
        if not self.too_alike:
            return self.finding
        if not self.widespread:
            return joined(self.finding, _("So the accuracy is probably too high; why they do cannot be told here."))
        return joined(
            self.finding,
            _(
                "{Raters} agree more often than the model explains, so the accuracy is probably too high. "
                "Whether harder {subjects} or something else makes them agree cannot be told here."
            ),
        )


def independence(ratings: Ratings, fit: Fit, replicates: int = 500, seed: int = 1) -> Run[Independence]:
    """Compare the agreement of every pair of raters with data simulated from a fit on the same design.

    What counts is agreement beyond what the model says of it. The model is fitted to each simulated data set anew, as
    it was to the ratings: a fit follows the agreement of its own raters, and against parameters that are held it would
    hardly ever stand out. Of many raters or ratings, and where the estimate is no maximum, they are held all the same,
    which makes the limits wide. Simulating ends early where it is settled that no pair stands out (`settled`).

    Parameters
    ----------
    ratings, fit
        The data, with known raters, and a model fitted to them.
    replicates, seed
        Simulated data sets, and of the random numbers.

    Yields
    ------
    Step
        Phase ``re-draws``.

    Raises
    ------
    CannotAnswerError
        When raters are not known, or no two of them share a subject.
    """
    if not ratings.raters_known:
        raise CannotAnswerError(_("This needs to know who gave each {rating}, and here the {raters} are not known."))
    plain = one_by_one(ratings)
    counts = _pair_counts(plain)
    first, second = np.nonzero(np.triu(counts > 1, 1))
    if not first.size:
        raise CannotAnswerError(
            _("No two {raters} have rated two {subjects} in common, so there are no pairs to look at.")
        )
    which = (first, second)
    seen = _agreement(plain, plain.category, which)
    again = _refitted(fit, plain)
    words = _expected_agreement(Stack.of([fit.parameters]), which, fit)[0] if again else 0.0
    draws = np.zeros((replicates, first.size))
    looks = looks_at(replicates)
    for turn, (start, stop) in enumerate(pairwise((0, *looks))):
        done, own = start, np.random.SeedSequence([seed, 7, turn])
        for some in simulate_datasets(ratings, fit.model, fit.parameters, stop - start, own):
            category = some.ratings.category
            owner = some.owner[some.ratings.subject]
            for b in range(some.count):
                draws[done + b] = _agreement(plain, category[owner == b], which)
            if again:
                plan, weights = some.tabulate(fit.model)
                run = fit_weights(plan.space, plan.space.evidence(plan.patterns), weights, [fit.parameters])
                result = yield from relay(run, done, replicates, "re-draws")
                draws[done : done + some.count] += words - _expected_agreement(result.stack, which, fit)
            done += some.count
            yield Step(done, replicates, "re-draws")
        judged = _judged(ratings, which, counts, seen, draws[:stop])
        if settled(int(np.rint(judged.p_adjusted.min() * (1 + stop))) - 1, stop, replicates):
            break
    if not judged.near:
        return judged
    from tapdesk.studies.pair_dependence import dependent_pair  # late: few panels agree so often

    try:
        return replace(judged, pair=(yield from dependent_pair(ratings, seed)))
    except CannotAnswerError:
        # Of these ratings no pair can be told apart from harder cases; what holds of the panel is said.
        return judged


def looks_at(replicates: int) -> tuple[int, ...]:
    """After how many simulated data sets it is asked whether the verdict is settled; the last look is at all."""
    return (*range(min(_FIRST_LOOK, replicates), replicates, _LOOK), replicates)


def settled(reached: int, sets: int, replicates: int) -> bool:
    """Whether it is settled, after some of the simulated data sets, that no pair stands out or nearly does.

    Parameters
    ----------
    reached
        Data sets whose largest deviation is at least that of the pair that stands out most.
    sets, replicates
        How many are simulated by now, and how many may be.
    """
    share = EARLY_ERROR / len(looks_at(replicates))
    return reached > 0 and float(bdtrc(reached - 1, sets, _NEAR)) <= share


def _refitted(fit: Fit, ratings: Ratings) -> bool:
    """Whether the model is fitted to the simulated data anew, in the time somebody waits."""
    small = len(ratings.raters) <= _MOST_RATERS and ratings.subject.size <= _MOST_RATINGS
    # What groups, known classes and hard cases do to the agreement of a pair is left to the simulated data.
    plain = not fit.model.by_group and fit.model.key is Key.UNUSED and fit.model.cases is Cases.ALIKE
    held = fit.model.accuracy is Accuracy.REGRESSION or not fit.model.truth.free or not plain
    return small and not held and fit.estimator == "exact-em"


def _expected_agreement(points: Stack, which: tuple[NDArray[np.int64], NDArray[np.int64]], fit: Fit) -> FloatArray:
    """Shape (B, pairs): what parameters say of the measure of each pair, as `_agreement` finds it."""
    truth, k = points.truth, len(fit.classes)
    sentences = []
    for b in range(points.size):
        rates = points.one(b).rating_rates()
        one, two = (rates[side if rates.shape[0] > 1 else np.zeros_like(side)] for side in which)
        if k == 2:
            x, y = one[:, :, 1], two[:, :, 1]
            sentences.append((x * y) @ truth[b] - (x @ truth[b]) * (y @ truth[b]))
        else:
            sentences.append((one * two).sum(axis=2) @ truth[b])
    return np.asarray(sentences)


def _judged(
    ratings: Ratings,
    which: tuple[NDArray[np.int64], NDArray[np.int64]],
    counts: NDArray[np.int64],
    seen: FloatArray,
    draws: FloatArray,
) -> Independence:
    """Limits and p-values from the simulated data."""
    # A model that follows every pair exactly leaves nothing but rounding, which is no deviation.
    mean, sd = draws.mean(axis=0), np.maximum(draws.std(axis=0), _ROUNDING)
    far, farthest = np.abs(seen - mean) / sd, (np.abs(draws - mean) / sd).max(axis=1)
    b = draws.shape[0]
    slack = 1e-9
    own = (1 + (np.abs(draws - mean) / sd >= far - slack).sum(axis=0)) / (1 + b)
    adjusted = (1 + (farthest[:, None] >= far - slack).sum(axis=0)) / (1 + b)
    low, high = np.quantile(draws, [0.025, 0.975], axis=0)
    measure = "covariance" if len(ratings.classes) == 2 else "agreement"
    return Independence(
        ratings.raters,
        *which,
        counts[which],
        seen,
        mean,
        low,
        high,
        (seen - mean) / sd,
        own,
        adjusted,
        adjusted < _LEVEL,
        measure,
        b,
        bool(((ratings.counts() > 0).sum(axis=1) <= 1).all()),
    )


def _indicators(ratings: Ratings, category: IntArray, c: int) -> FloatArray:
    """Shape (N, J): share of a rater's ratings of a subject that are class c; 0 where there is none."""
    n, j = len(ratings.subjects), len(ratings.raters)
    flat = ratings.subject.astype(np.int64) * j + ratings.rater
    times = np.bincount(flat, minlength=n * j)
    hits = np.bincount(flat[category == c], minlength=n * j)
    return np.asarray(hits / np.maximum(times, 1)).reshape(n, j)


def _seen(ratings: Ratings) -> FloatArray:
    """Shape (N, J): 1 where a rater has rated a subject."""
    n, j = len(ratings.subjects), len(ratings.raters)
    flat = ratings.subject.astype(np.int64) * j + ratings.rater
    return (np.bincount(flat, minlength=n * j) > 0).astype(np.float64).reshape(n, j)


def _pair_counts(ratings: Ratings) -> NDArray[np.int64]:
    """Shape (J, J): number of subjects each pair of raters shares."""
    there = _seen(ratings)
    return np.asarray(np.rint(there.T @ there), dtype=np.int64)


def _agreement(ratings: Ratings, category: IntArray, which: tuple[NDArray[np.int64], NDArray[np.int64]]) -> FloatArray:
    """Shape (pairs,): covariance (two classes) or share of agreement of pairs of raters over shared subjects."""
    there = _seen(ratings)
    n = (there.T @ there)[which]
    if len(ratings.classes) == 2:
        x = _indicators(ratings, category, 1)
        both, own = (x.T @ x)[which] / n, x.T @ there
        return np.asarray(both - (own[which] / n) * (own.T[which] / n))
    total = np.zeros(n.shape)
    for c in range(len(ratings.classes)):
        x = _indicators(ratings, category, c)
        total += (x.T @ x)[which]
    return np.asarray(total / n)
