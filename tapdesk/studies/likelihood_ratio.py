"""Likelihood-ratio tests and goodness of fit, against data simulated on the design at hand (models.md §8, "Tests")."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb, prod
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlogy

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import BootstrapTest, Fit
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, design
from tapdesk.models.model import RaterModel, model
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.batch_fit import fit_count_vectors, fit_dataset, fit_simulated, fit_weights
from tapdesk.studies.simulated_data import (
    CountVectors,
    ListedDatasets,
    SimulatedDatasets,
    datasets_at_once,
    design_count_vectors,
    simulate_datasets,
)

QUANTILES = (0.5, 0.75, 0.9, 0.95, 0.98)

# About so many data sets of by-rater models are simulated and fitted in a few seconds.
_PART = 50

# A misfit that is one only in the last digits.
_EXACT = 1e-3


def follows_anything(test: BootstrapTest) -> bool:
    """Whether the model has as many numbers as there is to follow: then its own data never misfit either."""
    return float(np.max(test.draws, initial=0.0)) < _EXACT or (test.df is not None and test.df <= 0)


def bootstrap_test(name: str, statistic: float, df: int | None, draws: FloatArray, about: str) -> BootstrapTest:
    """The test of a statistic against its simulated distribution.

    Parameters
    ----------
    name, statistic, df, about
        As in `BootstrapTest`.
    draws
        Shape (replicates,): the statistic under the hypothesis.
    """
    # Equal on paper must count as equal: a statistic of exactly 0 is reached by every draw.
    reached = int((draws >= statistic - 1e-9 * (1 + abs(statistic))).sum())
    levels = np.quantile(draws, QUANTILES) if draws.size else np.full(len(QUANTILES), np.nan)
    table = {f"{q:g}": float(x) for q, x in zip(QUANTILES, levels, strict=True) if draws.size}
    p = (1 + reached) / (1 + draws.size)
    return BootstrapTest(name, float(statistic), df, p, MappingProxyType(table), draws.size, draws, about)


@dataclass(frozen=True, slots=True)
class Nested:
    """A hypothesis: the smaller model inside the larger one.

    Attributes
    ----------
    name
        Of the test.
    larger
        The model that is believed meanwhile.
    smaller
        The hypothesis; None for ratings that carry no information about their subjects.
    about
        The hypothesis in words.
    df
        Number of parameters it saves, where that means something.
    """

    name: str
    larger: RaterModel
    smaller: RaterModel | None
    about: str
    df: int | None = None

    @property
    def pools(self) -> bool:
        """Whether both models look at the class counts of a case only, and cases are alike in the smaller one."""
        return self.larger.counted and (self.smaller is None or self.smaller.pools)

    @property
    def by_rater(self) -> bool:
        """Whether either model needs to know the raters."""
        return self.larger.by_rater or (self.smaller is not None and self.smaller.by_rater)


def likelihood_ratio(ratings: Ratings, nested: Nested, replicates: int, seed: int) -> Run[BootstrapTest]:
    """Twice the gain in log-likelihood, against its distribution on data drawn from the smaller model's fit.

    Parameters
    ----------
    ratings
        The data; the simulated ones have the same subjects rated by the same raters.
    nested
        The hypothesis.
    replicates, seed
        Simulated data sets, and of the random numbers. Fits of by-rater models go one by one and are slower.

    Yields
    ------
    Step
        Phases ``fit`` and ``re-draws``.

    Raises
    ------
    CannotAnswerError
        When there is nothing to test.
    """
    statistic = yield from observed(ratings, nested, seed)
    draws = yield from simulated(ratings, nested, (0, replicates), seed)
    return bootstrap_test(nested.name, statistic, nested.df, draws, nested.about)


def observed(ratings: Ratings, nested: Nested, seed: int) -> Run[float]:
    """Twice the gain in log-likelihood on the ratings themselves.

    Raises
    ------
    CannotAnswerError
        When there is nothing to test.
    """
    check(ratings, nested.larger)
    yield Step(0, 1, "fit")
    null, level0 = yield from _null(ratings, nested, seed)
    near = [Stack.of([null])]
    _point, level1, _settled = yield from relay(fit_dataset(nested.larger, ratings, seed, near), 0, 1, "fit")
    yield Step(1, 1, "fit")
    return max(2 * (level1 - level0), 0.0)


def portions(ratings: Ratings, nested: Nested, replicates: int) -> tuple[tuple[int, int], ...]:
    """From which to which data set: parts of a test that can be simulated apart, each a matter of seconds.

    They follow from the ratings and the hypothesis alone, whoever works on them.
    """
    if nested.pools and design_count_vectors(ratings) is not None:
        return ((0, replicates),)
    size = datasets_at_once(ratings)
    size *= max(_PART // size, 1)
    return tuple((at, min(at + size, replicates)) for at in range(0, replicates, size))


def simulated(ratings: Ratings, nested: Nested, part: tuple[int, int], seed: int) -> Run[FloatArray]:
    """The statistic on data sets drawn from the hypothesis.

    Parameters
    ----------
    ratings, nested, seed
        As in `likelihood_ratio`.
    part
        From which to which data set: all of them, or one of `portions`; the answers of these one after another are the
        answer of all.

    Returns
    -------
    FloatArray
        Shape (B,).
    """
    null, _level = yield from _null(ratings, nested, seed)
    return (yield from drawn_from(null, ratings, nested, part, seed))


def drawn_from(null: Parameters, ratings: Ratings, nested: Nested, part: tuple[int, int], seed: int) -> Run[FloatArray]:
    """The statistic on data sets drawn from any parameters of the larger model.

    Parameters
    ----------
    null
        Those of the hypothesis, or others to see how often the test notices them.
    ratings, nested, part, seed
        As in `simulated`.

    Returns
    -------
    FloatArray
        Shape (B,).
    """
    here = None if not nested.pools else design_count_vectors(ratings)
    done, total = part
    draws: list[FloatArray] = []
    for some in _portions(ratings, nested, null, here, part, np.random.SeedSequence([seed, 4])):
        also = None
        if nested.smaller is None:
            counts = some.class_counts(by_rater=null.guessing.shape[0] > 1)
            sizes = counts.sum(axis=2, keepdims=True)
            shares = np.divide(counts, sizes, out=np.ones_like(counts), where=sizes > 0)
            level0 = xlogy(counts, shares).sum(axis=(1, 2))
        else:
            run = fit_simulated(some, nested.smaller, [null])
            below = yield from relay(run, done, total, "re-draws")
            level0, also = below.log_likelihood, below.stack
        run = fit_simulated(some, nested.larger, [null], also=also)
        above = yield from relay(run, done, total, "re-draws", counted=here is not None)
        draws.append(np.maximum(2 * (above.log_likelihood - level0), 0.0))
        done += some.count
        yield Step(done, total, "re-draws", {"draws": {nested.name: draws[-1]}})
    return np.concatenate(draws)


def _portions(
    ratings: Ratings,
    nested: Nested,
    null: Parameters,
    here: CountVectors | None,
    part: tuple[int, int],
    seed: np.random.SeedSequence,
) -> Iterator[SimulatedDatasets | ListedDatasets]:
    """Data sets of the hypothesis: as weights of all count vectors, or where these are too many with their raters."""
    if here is None:
        source = nested.larger if nested.smaller is None else nested.smaller
        yield from simulate_datasets(ratings, source, null, part[1], seed, part[0])
    else:
        for weights in here.portions(null, part[1], np.random.default_rng(seed)):
            yield ListedDatasets(here, weights)


def _null(ratings: Ratings, nested: Nested, seed: int) -> Run[tuple[Parameters, float]]:
    """The fit of the hypothesis, and its log-likelihood."""
    if nested.smaller is None:
        return chance_point(nested.larger, ratings)
    null, level, _settled = yield from relay(fit_dataset(nested.smaller, ratings, seed), 0, 1, "fit")
    return null, level


def check(ratings: Ratings, model: RaterModel) -> None:
    """Refuse data on which nothing can be tested.

    Raises
    ------
    CannotAnswerError
        With the reason.
    """
    reason = ExactEM().refuses(model, ratings)
    if reason is None and (ratings.class_rates() > 0).sum() < 2:
        reason = _("All {ratings} are in one class, so there is nothing to test.")
    if reason is None and not (ratings.ratings_per_subject() > 1).any():
        reason = _("No {subject} has two {ratings}, so there is no agreement to test.")
    if reason:
        raise CannotAnswerError(reason)


def chance_point(model: RaterModel, ratings: Ratings) -> tuple[Parameters, float]:
    """Ratings without information: the parameters, and the log-likelihood (ratings form, nats) at them.

    Every rater picks at the observed rates, own ones where guessing is by rater.
    """
    rates = ratings.class_rates()
    w = ratings.subject_weights()[ratings.subject]
    units = len(ratings.raters) if model.guessing.by_rater else 1
    unit = ratings.rater if units > 1 else np.zeros_like(ratings.rater)
    k = len(ratings.classes)
    counts = np.bincount(unit.astype(np.int64) * k + ratings.category, w, units * k).reshape(units, k)
    total = counts.sum(axis=1, keepdims=True)
    guess = np.divide(counts, total, out=np.tile(rates, (units, 1)), where=total > 0)
    level = float(xlogy(counts, guess).sum())
    return Parameters(rates, np.zeros((1, 1)), guess[:, None], np.zeros(0)), level


@dataclass(frozen=True, slots=True)
class _Pair:
    """A row of the table of hypotheses: names of the models, and how many parameters the smaller one saves."""

    name: str
    larger: str
    smaller: str
    about: str

    def nested(self, ratings: Ratings) -> Nested:
        larger, smaller = model(self.larger), model(self.smaller)
        df = design(larger, ratings).space.free - design(smaller, ratings).space.free
        return Nested(self.name, larger, smaller, self.about, df)


PAIRS = (
    _Pair("t=p", "t-a-p", "t-a-t", _("{Raters} who do not know pick each class as often as it is true.")),
    _Pair("equal accuracies by class", "t-ak-p", "t-a-p", _("The accuracy is the same for every true class.")),
    _Pair("equal accuracies", "t-aj-p", "t-a-p", _("All {raters} are equally accurate.")),
    _Pair("equal guessing", "t-a-pj", "t-a-p", _("All {raters} pick alike when they do not know.")),
    _Pair(
        "equal accuracies, own guessing", "t-aj-pj", "t-a-pj", _("All {raters} are equally accurate; leanings differ.")
    ),
    _Pair("equal guessing, own accuracies", "t-aj-pj", "t-aj-p", _("All {raters} pick alike; accuracies differ.")),
)


def hypothesis(name: str, ratings: Ratings) -> Nested:
    """The named hypothesis on these ratings.

    Raises
    ------
    CannotAnswerError
        When it cannot be tested on them, with the reason.
    """
    row = next(pair for pair in PAIRS if pair.name == name)
    if name == "equal accuracies by class" and len(ratings.classes) == 2:
        raise CannotAnswerError(
            _("With two classes an accuracy for each class fits exactly as well as one for both, so there is no test.")
        )
    nested = row.nested(ratings)
    if nested.by_rater and not ratings.raters_known:
        raise CannotAnswerError(_("This needs to know who gave each {rating}, and here the {raters} are not known."))
    return nested


def compare(ratings: Ratings, name: str, replicates: int = 1000, seed: int = 1) -> Run[BootstrapTest]:
    """A likelihood-ratio test between two models of the sharing grid.

    Parameters
    ----------
    ratings
        The data.
    name
        ``t=p``, ``equal accuracies`` ... (`PAIRS`).
    replicates, seed
        Simulated data sets, and of the random numbers.

    Raises
    ------
    CannotAnswerError
        When the hypothesis cannot be tested on these ratings.
    """
    test = yield from likelihood_ratio(ratings, hypothesis(name, ratings), replicates, seed)
    return test


def goodness_of_fit(
    ratings: Ratings, within: RaterModel, replicates: int = 1000, seed: int = 1, fit: Fit | None = None
) -> Run[BootstrapTest]:
    """G-squared of the observed patterns of ratings against those expected by a fitted model.

    2 sum n ln(n / e), over the vectors of class counts where raters are pooled, else over the rows of rated classes;
    expected numbers are within subjects rated by as many (the same) raters. The p-value comes from data simulated from
    the fit and fitted again, because cells are small; where there are more of them than subjects df is not told.

    Parameters
    ----------
    ratings, within
        The data and the model.
    replicates, seed
        Simulated data sets, and of the random numbers.
    fit
        The model's fit, where there is one already. The simulated data are fitted by likelihood, so only such a fit may
        stand beside theirs: the means of a posterior may lie far from all that fits well.

    Raises
    ------
    CannotAnswerError
        When there is nothing to test.
    """
    check(ratings, within)
    if fit is None or fit.estimator != ExactEM.name:
        point, level, _rest = yield from relay(fit_dataset(within, ratings, seed), 0, 1, "fit")
    else:
        point, level = fit.parameters, fit.log_likelihood.ratings
    plan = design(within, ratings)
    pooled = within.pools and plan.patterns.units == 1
    here = design_count_vectors(ratings) if pooled else None
    df = None
    if here is not None:
        observed = here.observed(ratings)
        statistic = float(count_vectors_deviance(here, observed[None], np.array([level]))[0])
        # With fewer subjects than cells the statistic is not near any chi-square: its df would only mislead.
        if here.size.size <= here.subjects.sum():
            df = here.size.size - here.sizes.size - plan.space.free
        draws = yield from _vectors_draws(here, within, point, (replicates, seed))
    else:
        statistic = float(_deviances(plan, plan.patterns.weight[None], np.array([level]))[0])
        df = None if within.by_rater else _degrees(plan)
        draws = yield from _design_draws(ratings, within, point, (replicates, seed))
    about = _("The model's patterns of {ratings} are those of the data, up to chance.")
    return bootstrap_test("G2", statistic, None if df is None else max(df, 0), draws, about)


def count_vectors_deviance(here: CountVectors, weights: FloatArray, level: FloatArray) -> FloatArray:
    """Shape (B,): twice the gain of the saturated model; ``level`` (B,) in ratings form."""
    block = np.repeat(here.subjects, np.bincount(np.searchsorted(here.sizes, here.size)))
    saturated = (xlogy(weights, weights) - xlogy(weights, block)).sum(axis=1)
    return np.asarray(np.maximum(2 * (saturated - (level + weights @ here.log_ways)), 0.0))


def _vectors_draws(
    here: CountVectors, within: RaterModel, point: Parameters, scale: tuple[int, int]
) -> Run[FloatArray]:
    replicates, seed = scale
    rng = np.random.default_rng(np.random.SeedSequence([seed, 6]))
    draws: list[FloatArray] = []
    done = 0
    for weights in here.portions(point, replicates, rng):
        result = yield from relay(fit_count_vectors(within, here, weights, [point]), done, replicates, "re-draws")
        draws.append(count_vectors_deviance(here, weights, result.log_likelihood))
        done += weights.shape[0]
        yield Step(done, replicates, "re-draws")
    return np.concatenate(draws)


def _design_draws(ratings: Ratings, within: RaterModel, point: Parameters, scale: tuple[int, int]) -> Run[FloatArray]:
    replicates, seed = scale
    draws: list[FloatArray] = []
    done = 0
    for some in simulate_datasets(ratings, within, point, replicates, np.random.SeedSequence([seed, 6])):
        plan, weights = some.tabulate(within)
        run = fit_weights(plan.space, plan.space.evidence(plan.patterns), weights, [point])
        result = yield from relay(run, done, replicates, "re-draws")
        draws.append(_deviances(plan, weights, result.log_likelihood))
        done += some.count
        yield Step(done, replicates, "re-draws", {"draws": {"G2": draws[-1]}})
    return np.concatenate(draws)


def _deviances(plan: Design, weights: FloatArray, level: FloatArray) -> FloatArray:
    """Shape (B,): twice the gain of giving every pattern its observed share among subjects of the same raters."""
    from scipy import sparse  # start-up cost: loads scipy.linalg as well

    group = _rater_sets(plan)
    belongs = sparse.csr_array((np.ones(group.size), (np.arange(group.size), group)))
    saturated = xlogy(weights, weights).sum(axis=1)
    total = np.asarray(weights @ belongs, dtype=np.float64)
    ways = 0.0
    if plan.patterns.units == 1:
        size, table = plan.patterns.size, plan.patterns.table
        ways = weights @ (gammaln(size + 1) - gammaln(table + 1).sum(axis=1))
    return np.asarray(np.maximum(2 * (saturated - xlogy(total, total).sum(axis=1) - level - ways), 0.0))


def _degrees(plan: Design) -> int | None:
    """How many more shares of patterns there are than parameters; None where there are more of them than subjects."""
    patterns, k = plan.patterns, plan.space.classes
    sets, which = np.unique(_rater_sets(plan), return_index=True)
    cells = 0
    for first in which:
        own = patterns.pattern == first
        each = np.bincount(patterns.unit[own], patterns.count[own]).astype(np.int64)
        cells += prod(comb(int(n) + k - 1, k - 1) for n in each)
    return cells - sets.size - plan.space.free if cells <= patterns.subject_count else None


def _rater_sets(plan: Design) -> NDArray[np.int64]:
    """Shape (P,): which multiset of raters each pattern is from, in which group, and with which known class."""
    patterns = plan.patterns
    times = patterns.count.astype(np.int64)
    rater = np.repeat(patterns.unit, times)
    ends = np.cumsum(patterns.size.astype(np.int64))[:-1]
    numbers: dict[tuple[bytes, int, int], int] = {}
    none = np.full(patterns.patterns, -1)
    group, known = (none if kind is None else kind for kind in (patterns.group, patterns.known))
    keys = zip((part.tobytes() for part in np.split(rater, ends)), group.tolist(), known.tolist(), strict=True)
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
