"""What each rater contributes, which ratings nobody would have expected, calibration, and pairs who agree too much.

A copied or hidden consensus column shows in pairs of raters who agree more than the model says (models.md §8).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.fit_summary import subject_posterior
from tapdesk.fitting.undetermined import ONE_RATING
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext
from tapdesk.models.design import design, rows_of_ratings
from tapdesk.models.model import Accuracy, Cases, Key
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.models.simulate import one_by_one
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.ratings import IntArray, Ratings
from tapdesk.studies.batch_fit import fit_weights
from tapdesk.studies.simulated_data import simulate_datasets

_TINY = 1e-300
# A truth so near to one class leaves nothing to tell: nats.
_CERTAIN = 1e-6
_ONE_CLASS = _("Every case seems to be of one class, so there is nothing for a rating to tell.")
_SEVERAL_TRUTHS = _("Classes are not equally common in all groups, so there is no one number of what a rating tells.")

_BY_CONSTRUCTION = _(
    "This model gives every rater a rate of the counted class of its own, so modelled "
    "and observed rates agree by construction and show nothing."
)


def rater_information(point: Parameters) -> FloatArray:
    """Shape (raters or 1,): how much of the truth one rating of each rater tells, I(T; C) / H(T) (models.md §8).

    0 for a rater whose ratings say nothing of the case, also one who always gives the same class; 1 for one who is
    always right, or always wrong in the same way. NaN where every case is of one class, so that nothing is to be told,
    and where each group has true class rates of its own.
    """
    truth = point.truth
    rates = point.rating_rates()
    if truth.ndim > 1:
        return np.full(rates.shape[0], np.nan)
    unknown = -float((truth * np.log(np.maximum(truth, _TINY))).sum())
    if unknown < _CERTAIN:
        return np.full(rates.shape[0], np.nan)
    marginal = np.einsum("k,ukc->uc", truth, rates)
    gain = np.log(np.maximum(rates, _TINY)) - np.log(np.maximum(marginal, _TINY))[:, None, :]
    sentence = np.einsum("k,ukc,ukc->u", truth, rates, gain)
    return np.asarray(np.clip(sentence / unknown, 0.0, 1.0))


def rater_informations(fit: Fit) -> list[Estimate]:
    """The same of every rater of a fit, with what it comes to over the interval of the rater's accuracy.

    Truth and guesses are held at what is estimated; there is no interval where the accuracy of the rater has none, and
    no value for a rater of one rating, or of whom the accuracy is not determined.
    """
    silent = {e.name.rater for e in fit.estimates if e.estimate.undefined == ONE_RATING}
    values = rater_information(fit.parameters)
    ends = {e.name.rater: e.estimate for e in fit.estimates if e.name.name == "a" and e.name.category is None}
    estimates = []
    for j, (rater, value) in enumerate(zip(fit.raters, values, strict=True)):
        if rater in silent or not np.isfinite(value):
            why = _ONE_CLASS if fit.parameters.truth.ndim == 1 else _SEVERAL_TRUTHS
            estimates.append(undefined(ONE_RATING if rater in silent else why))
            continue
        a, here = ends.get(rater), Estimate(float(value))
        if a is not None and a.value is None:
            # Of who turns the scale round the bounded model finds nothing, though such ratings tell as much as others.
            estimates.append(undefined(a.undefined or _ONE_CLASS))
            continue
        if a is not None and a.low is not None and a.high is not None and a.level is not None:
            # A less accurate rater is the same one with more noise, so the information rises with the accuracy.
            reach = [float(rater_information(_with_accuracy(fit.parameters, j, x))[0]) for x in (a.low, a.high)]
            here = here.between(min(*reach, float(value)), max(*reach, float(value)), a.level, a.how)
        estimates.append(here)
    return estimates


def _with_accuracy(point: Parameters, rater: int, accuracy: float) -> Parameters:
    """One rater alone, with another accuracy."""
    guessing = point.guessing[min(rater, point.guessing.shape[0] - 1)][None]
    return replace(point, accuracy=np.array([[accuracy]]), guessing=guessing)


@dataclass(frozen=True, eq=False)
class UnexpectedRatings:
    """The ratings that the fit finds least probable given all others; arrays have shape (n,), least probable first.

    Attributes
    ----------
    rating
        Index into the ratings.
    probability
        Of this class, given every other rating of the subject.
    """

    rating: NDArray[np.int64]
    probability: FloatArray


def unexpected_ratings(ratings: Ratings, fit: Fit, count: int = 20) -> UnexpectedRatings:
    """Ratings to look at again.

    Parameters
    ----------
    ratings, fit
        The data and a model fitted to them.
    count
        How many at most.
    """
    probability = leave_one_out(ratings, fit)
    order = np.argsort(probability, kind="stable")[:count]
    return UnexpectedRatings(order, probability[order])


def leave_one_out(ratings: Ratings, fit: Fit) -> FloatArray:
    """Shape (m,): probability of each rating given the other ratings of its subject, at the estimate."""
    return np.asarray(leave_one_out_rates(ratings, fit)[np.arange(ratings.subject.size), ratings.category])


def leave_one_out_rates(ratings: Ratings, fit: Fit) -> FloatArray:
    """Shape (m, K): probability of each class for each rating given the other ratings of its subject."""
    # Late, here and below: pairs of raters are looked at by every fit, single ratings by few.
    from tapdesk.studies.rating_expectations import expected_rates, independent, replaced_rates, truth_priors

    if not independent(fit.model):
        return replaced_rates(ratings, fit)
    unit, _kinds = rows_of_ratings(fit.model, ratings)
    rates, k = expected_rates(fit), len(ratings.classes)
    priors = truth_priors(fit, ratings).each
    row = np.zeros(ratings.subject.size, dtype=np.int64) if unit is None or rates.shape[0] == 1 else unit
    own = rates[row, :, ratings.category]
    # Told apart: a rating that is impossible under a true class rules it out, until that rating is left out.
    logs, never = np.log(np.where(own > 0, own, 1.0)), own == 0
    place = (ratings.subject.astype(np.int64)[:, None] * k + np.arange(k)).ravel()
    size = len(ratings.subjects) * k
    sentence = np.bincount(place, logs.ravel(), size).reshape(-1, k) + _log(priors)
    ruled_out = np.bincount(place, never.ravel(), size).reshape(-1, k)
    level = sentence[ratings.subject] - logs
    level = np.where(ruled_out[ratings.subject] - never > 0, -np.inf, level)
    top = level.max(axis=1, keepdims=True)
    without = np.exp(level - np.where(np.isfinite(top), top, 0.0))
    total = without.sum(axis=1, keepdims=True)
    # Others who contradict each other for certain say nothing: the class may then be any.
    without = np.divide(without, total, out=priors[ratings.subject], where=total > 0)
    result = np.zeros(without.shape)
    for c in range(k):
        result[:, c] = (without * rates[row, :, c]).sum(axis=1)
    return result


def _log(rates: FloatArray) -> FloatArray:
    """Logarithms, minus infinity of 0 without a warning."""
    return np.asarray(np.log(rates, out=np.full(rates.shape, -np.inf), where=rates > 0))


@dataclass(frozen=True, eq=False)
class Calibration:
    """Modelled against observed rates; arrays have shape (n,).

    Attributes
    ----------
    names
        Of the raters, or of the deciles.
    count
        Ratings behind each.
    modelled, observed
        Rates of the class.
    low, high
        Observed minus and plus two standard errors, kept within 0 and 1.
    mean_absolute_error
        Of modelled against observed, weighted by the counts.
    note
        What must be said; empty when nothing.
    """

    names: tuple[str, ...]
    count: NDArray[np.int64]
    modelled: FloatArray
    observed: FloatArray
    low: FloatArray
    high: FloatArray
    mean_absolute_error: float
    note: str = ""


def rater_calibration(ratings: Ratings, fit: Fit, category: int = -1) -> Calibration:
    """For every rater the rate of a class the model expects on this rater's subjects, against the observed one.

    The expected rate is weighted by the posterior of each subject, which has seen the rating itself.

    Parameters
    ----------
    ratings, fit
        The data and a model fitted to them.
    category
        Index of the class; the last one unless given.

    Raises
    ------
    CannotAnswerError
        When raters are not known.
    """
    if not ratings.raters_known:
        raise CannotAnswerError(_("This needs to know who gave each rating, and here the raters are not known."))
    from tapdesk.studies.rating_expectations import expected_rates, independent, replaced_rates  # late, as above

    category %= len(ratings.classes)
    if independent(fit.model):
        plan = design(fit.model, ratings)
        posterior = subject_posterior(fit, plan, plan.space.evidence(plan.patterns))
        unit, _kinds = rows_of_ratings(fit.model, ratings)
        rates = expected_rates(fit)
        row = np.zeros(ratings.subject.size, dtype=np.int64) if unit is None or rates.shape[0] == 1 else unit
        modelled = (posterior[ratings.subject] * rates[row, :, category]).sum(axis=1)
    else:
        # What a case is besides its class shows in its other ratings.
        modelled = replaced_rates(ratings, fit)[:, category]
    own = fit.model.guessing.by_rater
    free = fit.model.accuracy in {Accuracy.PER_RATER, Accuracy.NONE}
    note = _BY_CONSTRUCTION if own and free and len(ratings.classes) == 2 else ""
    return _gathered(ratings, modelled, category, np.asarray(ratings.rater, dtype=np.int64), ratings.raters, note)


def rating_calibration(ratings: Ratings, fit: Fit, category: int = -1, groups: int = 10) -> Calibration:
    """Ratings in groups of equal size by the modelled probability of a class, against how often it was chosen.

    The probability of a rating is what the model says having seen all other ratings of the subject, not this one.

    Parameters
    ----------
    ratings, fit
        The data and a model fitted to them.
    category
        Index of the class; the last one unless given.
    groups
        How many at most; ratings with equal probabilities stay together.

    Raises
    ------
    CannotAnswerError
        When there are no ratings.
    """
    if ratings.subject.size == 0:
        raise CannotAnswerError(_("There are no ratings."))
    category %= len(ratings.classes)
    modelled = leave_one_out_rates(ratings, fit)[:, category]
    edges = np.unique(np.quantile(np.round(modelled, 9), np.linspace(0, 1, groups + 1)[1:-1]))
    group = np.searchsorted(edges, np.round(modelled, 9), side="right")
    _first, group = np.unique(group, return_inverse=True)
    names = tuple(str(g + 1) for g in range(int(group.max()) + 1))
    return _gathered(ratings, modelled, category, group.ravel(), names, "")


def _gathered(
    ratings: Ratings,
    modelled: FloatArray,
    category: int,
    group: NDArray[np.int64],
    names: tuple[str, ...],
    note: str,
) -> Calibration:
    """Means by group, and how far they are apart."""
    w = ratings.subject_weights()[ratings.subject]
    n = len(names)
    count = np.bincount(group, w, n)
    some = np.flatnonzero(count > 0)
    words = (np.bincount(group, w * modelled, n) / np.maximum(count, 1))[some]
    seen = (np.bincount(group, w * (ratings.category == category), n) / np.maximum(count, 1))[some]
    error = 2 * np.sqrt(seen * (1 - seen) / count[some])
    share = count[some] / count.sum()
    return Calibration(
        tuple(names[i] for i in some),
        np.asarray(np.rint(count[some]), dtype=np.int64),
        words,
        seen,
        np.maximum(seen - error, 0.0),
        np.minimum(seen + error, 1.0),
        float(share @ np.abs(words - seen)),
        note,
    )


# Beyond these sizes fitting every simulated data set would keep a committee waiting.
_MOST_RATERS, _MOST_RATINGS = 15, 6_000
_ROUNDING = 1e-5
# Below so many shared cases even raters who talked first would hardly stand out.
_FEW = 20
# The model follows the agreement of so few raters, whatever made it.
_FEW_RATERS = 3
# Chance of flagging any pair of a panel whose raters judge by themselves.
_LEVEL = 0.01


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
        Simulated data sets.
    unanimous
        Whether all ratings of each case are equal.
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

    @property
    def _raters_paired(self) -> int:
        return int(np.union1d(self.first, self.second).size)

    @property
    def too_alike(self) -> bool:
        """Whether pairs agree more than the model explains, where that could be seen."""
        seen = not self.unanimous and self._raters_paired > _FEW_RATERS
        return seen and bool(self._above.any())

    @property
    def widespread(self) -> bool:
        """Whether more than two raters are in pairs that do, as where cases differ and not where one pair copies."""
        return self.too_alike and np.union1d(self.first[self._above], self.second[self._above]).size > 2

    @property
    def _above(self) -> NDArray[np.bool_]:
        return self.flagged & (self.observed > self.expected)

    @property
    def finding(self) -> str:
        """What the agreement of pairs says, in a sentence: of the panel, never of one pair.

        Harder cases, unequal classes and ordered errors make pairs agree as copying does, and oftener. Until models of
        these have had their chance no pair is named (models_more.md §3).
        """
        most = int(self.shared.max(initial=0))
        if self.unanimous:
            return _(
                "All ratings of each case are equal, so it cannot be seen whether the raters judged by themselves: one "
                "who copies looks like one who knows."
            )
        raters = self._raters_paired
        if raters <= _FEW_RATERS:
            return ngettext(
                "With {raters} rater it cannot be seen whether they judged by themselves.",
                "With {raters} raters it cannot be seen whether they judged by themselves.",
                raters,
            ).format(raters=raters)
        if not self.flagged.any() and most < _FEW:
            return ngettext(
                "No pair of raters stands out, but no two of them share more than {most} case: too few to show it.",
                "No pair of raters stands out, but no two of them share more than {most} cases: too few to show it.",
                most,
            ).format(most=most)
        if not self.flagged.any():
            return _("No two raters agree more, or less, than a model of raters who judge by themselves explains.")
        if self.too_alike:
            few, many = (
                _("Some raters agree more often than the model explains."),
                _("Some cases seem harder than others."),
            )
            return many if self.widespread else few
        return _("Raters agree less often than the model explains: something it leaves out sets them apart.")

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
                "Raters agree more often than the model explains, so the accuracy is probably too high. Whether harder "
                "cases or something else makes them agree cannot be told here."
            ),
        )


def independence(ratings: Ratings, fit: Fit, replicates: int = 500, seed: int = 1) -> Run[Independence]:
    """Compare the agreement of every pair of raters with data simulated from a fit on the same design.

    What counts is agreement beyond what the model says of it. The model is fitted to each simulated data set anew, as
    it was to the ratings: a fit follows the agreement of its own raters, and against parameters that are held it would
    hardly ever stand out. Of many raters or ratings, and where the estimate is no maximum, they are held all the same,
    which makes the limits wide.

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
        raise CannotAnswerError(_("This needs to know who gave each rating, and here the raters are not known."))
    plain = one_by_one(ratings)
    counts = _pair_counts(plain)
    first, second = np.nonzero(np.triu(counts > 1, 1))
    if not first.size:
        raise CannotAnswerError(_("No two raters have rated two cases in common, so there are no pairs to look at."))
    which = (first, second)
    seen = _agreement(plain, plain.category, which)
    again = _refitted(fit, plain)
    words = _expected_agreement(Stack.of([fit.parameters]), which, fit)[0] if again else 0.0
    draws = np.zeros((replicates, first.size))
    done = 0
    for some in simulate_datasets(ratings, fit.model, fit.parameters, replicates, np.random.SeedSequence([seed, 7])):
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
    return _judged(ratings, which, counts, seen, draws)


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
