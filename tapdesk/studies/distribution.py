"""How many subjects have k of their R ratings in one class, seen and expected, and how far what a fit implies moves."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, expit, logit, ndtri, xlog1py, xlogy

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import BootstrapTest, Fit
from tapdesk.language import gettext as _
from tapdesk.models.design import Freedom, Unit, rows_of_ratings, slots
from tapdesk.models.model import Accuracy, Guessing, Key
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.models.space import Space
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import IntArray, Ratings
from tapdesk.studies.likelihood_ratio import goodness_of_fit
from tapdesk.studies.rating_expectations import expected_rates, independent, simulated_hits, truth_priors

# Steps of a search for one accuracy, each as many times as fine as the one before as there are values.
_ZOOMS, _STEPS = 6, 33
# Draws of a posterior that are averaged, and how many probabilities are held at once.
_MOST_DRAWS, _MOST_CELLS = 1000, 4_000_000
_LEAST = 50
_HALF = 0.5
_NO_SPREAD = 1e-9
_STANDS_STILL = 1e-6


def posterior_points(fit: Fit, most: int) -> Stack | None:
    """At most so many draws, evenly taken; None where a fit is no posterior, or has slopes.

    Parameters
    ----------
    fit
        With or without draws.
    most
        Largest number of points.
    """
    if fit.draws is None or fit.draws.kind != "posterior" or fit.model.accuracy is Accuracy.REGRESSION:
        return None
    values = {name: v for name, v in fit.draws.values.items() if v.size}
    if not values:
        return None
    size = min(most, next(iter(values.values())).size)
    pick = np.linspace(0, next(iter(values.values())).size - 1, size).astype(np.int64)
    point = fit.parameters
    parts: dict[str, FloatArray] = {
        part: np.repeat(getattr(point, part)[None], size, axis=0)
        for part in ("truth", "accuracy", "guessing", "slopes", "spread")
    }
    classes, units = len(fit.classes), max(len(fit.raters), 1)
    space = Space(fit.model, units, classes, point.truth, np.zeros((units, 0)))
    for slot in slots(space, fit.classes, [Unit(name) for name in fit.raters]):
        if slot.name in values:
            place: tuple[slice | int, ...] = (slice(None), *slot.index)
            parts[slot.part][place] = values[slot.name][pick]
        elif slot.freedom is Freedom.FREE:
            return None
    if classes == 2:
        # Two classes are told by class 1 alone.
        for part in ("truth", "guessing"):
            parts[part][..., 0] = 1 - parts[part][..., 1]
    if fit.model.guessing is Guessing.AS_TRUTH:
        parts["guessing"] = parts["truth"][:, None, None, :]
    return Stack(**parts) if all(np.isfinite(array).all() for array in parts.values()) else None


def call_rates(points: Stack, category: int) -> FloatArray:
    """Shape (D, U, K): how often each unit calls each true class by the class, at every point."""
    missed = (1 - points.accuracy) * points.guessing[..., category]
    shape = (points.size, missed.shape[1], points.truth.shape[1])
    result = np.broadcast_to(missed, shape).copy()
    result[..., category] += np.broadcast_to(points.accuracy, shape)[..., category]
    return result


@dataclass(frozen=True, eq=False)
class Shares:
    """Shares of subjects with k = 0 ... R ratings in one class.

    Attributes
    ----------
    ratings
        R; None where subjects with different numbers of ratings are taken together.
    subjects, of
        How many are counted, and how many with ratings there are.
    least
        The smallest number of ratings among those counted.
    observed, low, high
        Shape (R + 1,): seen, and the ends of the interval when subjects are drawn anew.
    expected
        Shape (R + 1,) each, by name: ``random`` (every rating drawn at the overall rate), the model's name, ``expert``
        (P-a-P of this class against the rest: truth and guesses at the observed rates).
    """

    ratings: int | None
    subjects: int
    of: int
    least: int
    observed: FloatArray
    low: FloatArray
    high: FloatArray
    expected: Mapping[str, FloatArray]


@dataclass(frozen=True, eq=False)
class Distribution:
    """The check for one class.

    Attributes
    ----------
    category
        Its label.
    parts
        All subjects together first, then, where numbers of ratings differ, each number by itself.
    level
        Of the intervals.
    test
        Goodness of fit of the model, on all classes; None when not asked for.
    """

    category: str
    parts: tuple[Shares, ...]
    level: float
    test: BootstrapTest | None


def distribution(
    ratings: Ratings, fit: Fit, category: int = -1, *, level: float = 0.95, replicates: int = 0, seed: int = 1
) -> Run[Distribution]:
    """Compare the observed distribution of ratings in one class with chance, the fitted model and experts.

    Parameters
    ----------
    ratings, fit
        The data and a model fitted to them.
    category
        Index of the class; the last one (class 1 of two) unless given.
    level
        Of the intervals of the observed shares.
    replicates
        Simulated data sets of the goodness-of-fit test; 0 for no test.
    seed
        Of their random numbers.

    Yields
    ------
    Step
        Phases ``fit`` and ``re-draws``.

    Raises
    ------
    CannotAnswerError
        When there are no ratings.
    """
    if ratings.subject.size == 0:
        raise CannotAnswerError(_("There are no {ratings}."))
    category %= len(ratings.classes)
    yield Step(0, 1, "check")
    sizes = _sizes(ratings)
    able = expert_accuracy(ratings, category)
    parts = [_part(ratings, fit, category, sizes, level, able)]
    if sizes.size > 1:
        parts += [_part(ratings, fit, category, sizes[i : i + 1], level, able) for i in range(sizes.size)]
    test = None
    if replicates:
        test = yield from goodness_of_fit(ratings, fit.model, replicates, seed, fit)
    return Distribution(ratings.classes[category], tuple(parts), level, test)


def shares(ratings: Ratings, fit: Fit, category: int, level: float = 0.95) -> Shares:
    """One picture of it: subjects with the commonest number of ratings alone where they are at least half, else all.

    Parameters
    ----------
    ratings, fit, category, level
        As `distribution`.
    """
    each = ratings.ratings_per_subject()
    weight = np.where(each > 0, ratings.subject_weights(), 0.0)
    by_size = np.bincount(each, weight)
    commonest = int(by_size.argmax())
    alone = by_size[commonest] >= 0.5 * weight.sum()
    sizes = np.array([commonest]) if alone else _sizes(ratings)
    return _part(ratings, fit, category, sizes, level, expert_accuracy(ratings, category))


def _sizes(ratings: Ratings) -> NDArray[np.int64]:
    """The numbers of ratings that subjects have."""
    each = ratings.ratings_per_subject()
    return np.unique(each[(each > 0) & (ratings.subject_weights() > 0)])


def _part(
    ratings: Ratings, fit: Fit, category: int, sizes: NDArray[np.int64], level: float, able: float | None
) -> Shares:
    """The shares of the subjects with these numbers of ratings."""
    each = ratings.ratings_per_subject()
    used = np.where(np.isin(each, sizes), ratings.subject_weights(), 0.0)
    total = float(used.sum())
    most = int(sizes.max())
    inside = np.bincount(ratings.subject[ratings.category == category], minlength=each.size)
    observed = np.bincount(np.minimum(inside, most), used, most + 1) / total
    rate = float(ratings.class_rates()[category])
    chance, expert = np.zeros(most + 1), np.zeros(most + 1)
    for n in sizes:
        share = used[each == n].sum() / total
        chance[: n + 1] += share * _binomials(int(n), rate)
        if able is not None:
            high, low = able + (1 - able) * rate, (1 - able) * rate
            mixed = rate * _binomials(int(n), high) + (1 - rate) * _binomials(int(n), low)
            expert[: n + 1] += share * mixed
    expected = {"random": chance, fit.model.name: expected_shares(ratings, fit, category, used / total, most)}
    if able is not None:
        expected["expert"] = expert
    ends = binomial_band(observed, round(total), level)
    alone = int(sizes[0]) if sizes.size == 1 else None
    whole = float(ratings.subject_weights()[each > 0].sum())
    return Shares(alone, round(total), round(whole), int(sizes.min()), observed, *ends, MappingProxyType(expected))


def expert_accuracy(ratings: Ratings, category: int) -> float | None:
    """The accuracy of P-a-P for a class against the rest, by its likelihood; None where no subject has two ratings.

    Truth and guesses are at the observed rate c, so with k of n ratings in the class the likelihood is
    c mu1^k (1 - mu1)^(n - k) + (1 - c) mu0^k (1 - mu0)^(n - k), mu1 = a + (1 - a) c and mu0 = (1 - a) c.
    """
    each = ratings.ratings_per_subject()
    inside = np.bincount(ratings.subject[ratings.category == category], minlength=each.size)
    side = int(each.max(initial=0)) + 1
    table: FloatArray = np.bincount(each * side + inside, ratings.subject_weights()).astype(np.float64)
    place = np.flatnonzero(table)
    cells, weight = np.stack([place // side, place % side], axis=1), table[place]
    rate = float(ratings.class_rates()[category])
    if not (weight[cells[:, 0] > 1] > 0).any() or not 0 < rate < 1:
        return None
    low, high = 0.0, 1.0
    for _zoom in range(_ZOOMS):
        at = np.linspace(low, high, _STEPS)
        best = int(_expert_level(at, rate, cells, weight).argmax())
        low, high = float(at[max(best - 1, 0)]), float(at[min(best + 1, _STEPS - 1)])
    return (low + high) / 2


def _expert_level(a: FloatArray, rate: float, cells: NDArray[np.int64], weight: FloatArray) -> FloatArray:
    """Shape (n,): log-likelihood of P-a-P at each accuracy."""
    n, k = cells[:, 0], cells[:, 1]
    terms = [
        np.log(share) + xlogy(k, mu[:, None]) + xlog1py(n - k, -mu[:, None])
        for share, mu in ((rate, a + (1 - a) * rate), (1 - rate, (1 - a) * rate))
    ]
    return np.asarray(np.logaddexp(*terms) @ weight)


def expected_shares(ratings: Ratings, fit: Fit, category: int, weight: FloatArray, most: int) -> FloatArray:
    """Shape (most + 1,): probability of k ratings in a class under a fit, subject by subject with its own raters.

    Of a posterior it is the mean over its draws: what the ratings leave open has a mean that may fit nothing.

    Parameters
    ----------
    ratings, fit
        The design and the parameters.
    category
        Index of the class.
    weight
        Shape (N,): weights of the subjects, summing to one.
    most
        Largest k told.
    """
    if not independent(fit.model):
        return simulated_hits(ratings, fit, category, most)
    unit, _kinds = rows_of_ratings(fit.model, ratings)
    each = ratings.ratings_per_subject()
    start = np.cumsum(each) - each
    result = np.zeros(most + 1)
    # Shape (D, U, K): the one point of a fit, or the draws of a posterior.
    rates = expected_rates(fit)[None, :, :, category]
    plain = fit.model.key is Key.UNUSED and not fit.model.by_group
    drawn = posterior_points(fit, _MOST_DRAWS) if plain else None
    if drawn is not None:
        rates = call_rates(drawn, category)
    priors = truth_priors(fit, ratings)
    for number, prior in enumerate(priors.rates):
        # Shape (D, K).
        truth = prior[None] if drawn is None else drawn.truth
        mine = np.where(priors.sort == number, weight, 0.0)
        for n in np.unique(each[mine > 0]):
            who = np.flatnonzero((each == n) & (mine > 0))
            rows, share = _rows(unit if rates.shape[1] > 1 else None, start, who, int(n), mine)
            few = slice(None, None, 1 + truth.shape[0] * rows.shape[0] * rates.shape[2] * int(n) // _MOST_CELLS)
            result[: int(n) + 1] += share @ _hits(truth[few], rates[few], rows)
    return result


def _hits(truth: FloatArray, rates: FloatArray, rows: NDArray[np.int64]) -> FloatArray:
    """Shape (G, n + 1): the probability of each number of ratings in the class, the mean over all points.

    Parameters
    ----------
    truth
        Shape (D, K): of every point.
    rates
        Shape (D, U, K): how often each unit calls each true class by the class.
    rows
        Shape (G, n): the units of each set.
    """
    count, n = rows.shape
    # One more rating in the class with its probability, rating by rater, for each true class.
    chances = np.zeros((truth.shape[0], count, truth.shape[1], n + 1))
    chances[..., 0] = 1.0
    for place in range(n):
        hit = rates[:, rows[:, place]][..., None]
        moved = chances * (1 - hit)
        moved[..., 1:] += chances[..., :-1] * hit
        chances = moved
    return np.asarray(np.einsum("dgkm,dk->gm", chances, truth) / truth.shape[0])


def _rows(
    unit: IntArray | None, start: NDArray[np.int64], who: NDArray[np.int64], n: int, weight: FloatArray
) -> tuple[NDArray[np.int64], FloatArray]:
    """The distinct sets of units who rate subjects with n ratings, shape (G, n), and their shares, shape (G,)."""
    if unit is None:
        return np.zeros((1, n), dtype=np.int64), np.array([weight[who].sum()])
    sets = np.sort(unit[start[who][:, None] + np.arange(n)], axis=1)
    rows, of_subject = np.unique(sets, axis=0, return_inverse=True)
    return rows, np.asarray(np.bincount(of_subject.ravel(), weight[who], rows.shape[0]), dtype=np.float64)


def _binomials(n: int, rate: float) -> FloatArray:
    """Shape (n + 1,): Binomial(n, rate)."""
    upper = bdtr(np.arange(n + 1, dtype=np.float64), n, rate)
    return np.asarray(np.diff(upper, prepend=0.0))


def binomial_band(observed: FloatArray, subjects: int, level: float) -> tuple[FloatArray, FloatArray]:
    """Percentile interval of each share when subjects are drawn anew with replacement.

    The count of a re-draw is binomial, so its quantiles are exact and need no random numbers.
    """
    tail = (1 - level) / 2
    return _quantile(tail, subjects, observed), _quantile(1 - tail, subjects, observed)


def _quantile(q: float, n: int, p: FloatArray) -> FloatArray:
    """Quantile of Binomial(n, p) / n: the smallest count whose distribution function reaches q, by bisection."""
    low, high = np.full(p.shape, -1.0), np.full(p.shape, float(n))
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        reached = bdtr(middle, n, p) >= q
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return high / n


def implied_ranges(fit: Fit) -> Mapping[str, tuple[float, float]]:
    """The middle of the re-draws of what they imply, at the level of the intervals of the fit.

    Parameters
    ----------
    fit
        With one accuracy and one way to guess for all raters, and its re-draws or posterior draws.

    Returns
    -------
    Mapping
        The ends by name: ``observed``, ``accurate``, ``mixed`` and ``inaccurate`` (`MatchRates`); ``of accurate`` ...
        the shares of the matches; ``kappa``. Nothing where there are no re-draws, or where a number of the model was
        held while the others moved.
    """
    points = _points(fit)
    if points is None:
        return {}
    t, a, p = points
    c = a[:, None] * t + (1 - a)[:, None] * p
    accurate, inaccurate = a**2, (1 - a) ** 2 * (p**2).sum(axis=1)
    mixed = 2 * a * (1 - a) * (t * p).sum(axis=1)
    observed = accurate + inaccurate + mixed
    with np.errstate(divide="ignore", invalid="ignore"):
        table = {
            "observed": observed,
            "accurate": accurate,
            "mixed": mixed,
            "inaccurate": inaccurate,
            "of accurate": accurate / observed,
            "of mixed": mixed / observed,
            "of inaccurate": inaccurate / observed,
            "kappa": accurate * (1 - (t**2).sum(axis=1)) / (1 - (c**2).sum(axis=1)),
        }
    tail = (1 - fit.interval[1]) / 2
    ends = {name: _middle(values, tail) for name, values in table.items()}
    return {name: pair for name, pair in ends.items() if pair is not None}


def given_ranges(fit: Fit) -> tuple[tuple[float, float] | None, ...]:
    """For each class the middle of the re-draws of its share of the ratings by the model; empty without re-draws."""
    points = _points(fit)
    if points is None:
        return ()
    t, a, p = points
    tail = (1 - fit.interval[1]) / 2
    given: FloatArray = a[:, None] * t + (1 - a)[:, None] * p
    return tuple(_middle(given[:, at], tail) for at in range(given.shape[1]))


def seen_ranges(ratings: Ratings, level: float) -> tuple[tuple[float, float] | None, ...]:
    """For each class the interval of its share of the ratings, by standard errors over cases, on the logit scale."""
    weight, counts = ratings.subject_weights(), ratings.counts().astype(np.float64)
    size = counts.sum(axis=1)
    total, cases = float(weight @ size), float(weight[size > 0].sum())
    if total == 0 or cases <= 1:
        return tuple(None for _class in ratings.classes)
    rate = weight @ counts / total
    off = counts - rate * size[:, None]
    se = np.sqrt(cases / (cases - 1) * (weight @ off**2)) / total
    reach = [float(s) * float(ndtri((1 + level) / 2)) for s in se]
    return tuple(_on_logit(float(r), far) for r, far in zip(rate, reach, strict=True))


def _on_logit(rate: float, reach: float) -> tuple[float, float] | None:
    """Ends that stay between 0 and 1; None for a share of nothing or all, and where all cases are alike."""
    if not 0 < rate < 1 or reach < _NO_SPREAD:
        return None
    far = reach / (rate * (1 - rate))
    return float(expit(logit(rate) - far)), float(expit(logit(rate) + far))


def _middle(values: FloatArray, tail: float) -> tuple[float, float] | None:
    """The ends of the middle of the draws that have a value; None where too few have, or all are the same."""
    kept = values[np.isfinite(values)]
    if kept.size < max(_LEAST, _HALF * values.size):
        return None
    low, high = np.quantile(kept, [tail, 1 - tail])
    # Re-draws of a number on the edge all lie there, however little is known of it: they are no range of it.
    return (float(low), float(high)) if high - low > _STANDS_STILL else None


def _points(fit: Fit) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Shapes (B, K), (B,), (B, K): truth, accuracy and guesses of every draw."""
    draws = fit.draws.values if fit.draws is not None else {}
    if not draws or any(slot.freedom is Freedom.FIXED or slot.name not in draws for slot in fit.slots):
        return None
    size = next(iter(draws.values())).size
    parts = {
        "truth": np.zeros((size, len(fit.classes))),
        "accuracy": np.zeros((size, 1, 1)),
        "guessing": np.zeros((size, 1, 1, len(fit.classes))),
    }
    for slot in fit.slots:
        if slot.part not in parts or any(i >= n for i, n in zip(slot.index, parts[slot.part].shape[1:], strict=True)):
            return None
        place: tuple[slice | int, ...] = (slice(None), *slot.index)
        parts[slot.part][place] = draws[slot.name]
    t, a, p = parts["truth"], parts["accuracy"][:, 0, 0], parts["guessing"][:, 0, 0]
    if len(fit.classes) == 2:
        # Of two classes the numbers tell of class 1.
        t[:, 0], p[:, 0] = 1 - t[:, 1], 1 - p[:, 1]
    return t, a, p
