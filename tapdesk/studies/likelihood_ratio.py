"""Likelihood-ratio tests whose distribution is simulated on the design at hand (models.md §8, "Tests")."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from scipy.special import xlogy

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.em import ExactEM
from tapdesk.language import gettext as _
from tapdesk.models.design import Design
from tapdesk.models.model import Guessing, RaterModel
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.batch_fit import BatchFit, fit_count_vectors, fit_dataset, fit_weights
from tapdesk.studies.parallel import run_inside
from tapdesk.studies.simulated_data import CountVectors, datasets_at_once, design_count_vectors, simulate_datasets

QUANTILES = (0.5, 0.75, 0.9, 0.95, 0.98)

# About so many data sets of by-rater models are simulated and fitted in a few seconds.
_PART = 50


@dataclass(frozen=True, eq=False)
class BootstrapTest:
    """A statistic and how often data drawn from the hypothesis reach it (cli.md, ``tests``).

    Attributes
    ----------
    name
        What is tested: ``a=0``, ``t=p``, ``G2`` ...
    statistic
        The observed statistic.
    df
        Degrees of freedom where counting them means something (the p-value does not rest on them); else None.
    p_bootstrap
        (1 + number of simulated statistics at least as large) / (1 + replicates).
    quantiles
        Of the simulated statistics, by level written as ``0.95``.
    replicates
        Number of simulated data sets.
    draws
        Shape (replicates,): their statistics.
    about
        The hypothesis, in words.
    """

    name: str
    statistic: float
    df: int | None
    p_bootstrap: float
    quantiles: Mapping[str, float]
    replicates: int
    draws: FloatArray
    about: str = ""

    @property
    def rejects(self) -> bool:
        """Whether fewer than 5 in 100 data sets of the hypothesis look like this."""
        return self.p_bootstrap < 0.05

    @property
    def reached(self) -> int:
        """How many of the simulated data sets reach the observed statistic."""
        return round(self.p_bootstrap * (1 + self.replicates)) - 1

    @property
    def how_often(self) -> str:
        """How often data of the hypothesis look like this, in words."""
        if self.replicates and self.p_bootstrap * (1 + self.replicates) < 1.5:
            # None did: the p-value is then a bound set by the number of data sets, not a frequency.
            return _("less than 1 time in {replicates:,}").format(replicates=self.replicates)
        return one_in(self.p_bootstrap)


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
    told = {f"{q:g}": float(x) for q, x in zip(QUANTILES, levels, strict=True) if draws.size}
    p = (1 + reached) / (1 + draws.size)
    return BootstrapTest(name, float(statistic), df, p, MappingProxyType(told), draws.size, draws, about)


def one_in(p: float) -> str:
    """A probability as people say it, to two figures: ``1 time in 5``, ``1 time in 250``, ``more often than not``."""
    if p > 0.6:
        return "more often than not"
    if p >= 0.45:
        return "about every second time"
    times = 1 / max(p, 1e-12)
    size = 10 ** max(math.floor(math.log10(times)) - 1, 0)
    return _("1 time in {times:,}").format(times=round(times / size) * size)


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
    _point, level1, _settled = yield from run_inside(fit_dataset(nested.larger, ratings, seed, near), 0, 1, "fit")
    yield Step(1, 1, "fit")
    return max(2 * (level1 - level0), 0.0)


def portions(ratings: Ratings, nested: Nested, replicates: int) -> tuple[tuple[int, int], ...]:
    """From which to which data set: parts of a test that can be simulated apart, each a matter of seconds.

    They follow from the ratings and the hypothesis alone, whoever works on them.
    """
    if not nested.by_rater and design_count_vectors(ratings) is not None:
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
    here = None if nested.by_rater else design_count_vectors(ratings)
    if here is None:
        return (yield from _on_copies(ratings, nested, null, (part, seed)))
    return (yield from _vectorised(here, nested, null, (part[1], seed)))


def _null(ratings: Ratings, nested: Nested, seed: int) -> Run[tuple[Parameters, float]]:
    """The fit of the hypothesis, and its log-likelihood."""
    if nested.smaller is None:
        return chance_point(nested.larger, ratings)
    null, level, _settled = yield from run_inside(fit_dataset(nested.smaller, ratings, seed), 0, 1, "fit")
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
        reason = _("All ratings are in one class, so there is nothing to test.")
    if reason is None and not (ratings.ratings_per_subject() > 1).any():
        reason = _("No case has two ratings, so there is no agreement to test.")
    if reason:
        raise CannotAnswerError(reason)


def chance_point(model: RaterModel, ratings: Ratings) -> tuple[Parameters, float]:
    """Ratings without information: the parameters, and the log-likelihood (ratings form, nats) at them.

    Every rater picks at the observed rates, own ones where guessing is by rater.
    """
    rates = ratings.class_rates()
    w = ratings.subject_weights()[ratings.subject]
    units = len(ratings.raters) if model.guessing in {Guessing.PER_RATER, Guessing.PER_RATER_AND_CLASS} else 1
    unit = ratings.rater if units > 1 else np.zeros_like(ratings.rater)
    k = len(ratings.classes)
    counts = np.bincount(unit.astype(np.int64) * k + ratings.category, w, units * k).reshape(units, k)
    total = counts.sum(axis=1, keepdims=True)
    guess = np.divide(counts, total, out=np.tile(rates, (units, 1)), where=total > 0)
    level = float(xlogy(counts, guess).sum())
    return Parameters(rates, np.zeros((1, 1)), guess[:, None], np.zeros(0)), level


def _vectorised(here: CountVectors, nested: Nested, null: Parameters, scale: tuple[int, int]) -> Run[FloatArray]:
    """Shape (replicates,): the statistic on data sets told as weights."""
    replicates, seed = scale
    rng = np.random.default_rng(np.random.SeedSequence([seed, 4]))
    draws: list[FloatArray] = []
    done = 0
    for weights in here.portions(null, replicates, rng):
        if nested.smaller is None:
            counts = weights @ here.table
            rates = counts / counts.sum(axis=1, keepdims=True)
            level0 = xlogy(counts, rates).sum(axis=1)
            also = None
        else:
            run = fit_count_vectors(nested.smaller, here, weights, [null])
            below = yield from run_inside(run, done, replicates, "re-draws")
            level0, also = below.log_likelihood, below.stack
        run = fit_count_vectors(nested.larger, here, weights, [null], also=also)
        above = yield from _counted(run, done, replicates)
        draws.append(np.maximum(2 * (above.log_likelihood - level0), 0.0))
        done += weights.shape[0]
    return np.concatenate(draws)


def _counted(run: Run[BatchFit], done: int, total: int) -> Run[BatchFit]:
    """The fits of one portion of data sets, told as so many of all."""
    while True:
        try:
            step = next(run)
        except StopIteration as end:
            found: BatchFit = end.value
            return found
        yield Step(done + step.done, total, step.phase)


def _on_copies(
    ratings: Ratings, nested: Nested, null: Parameters, scale: tuple[tuple[int, int], int]
) -> Run[FloatArray]:
    """Shape (B,): the statistic on data sets with the raters, or patterns too many to list, of the design."""
    (done, replicates), seed = scale
    source = nested.larger if nested.smaller is None else nested.smaller
    draws: list[FloatArray] = []
    for some in simulate_datasets(ratings, source, null, replicates, np.random.SeedSequence([seed, 4]), done):
        also = None
        if nested.smaller is None:
            counts = some.class_counts(by_rater=null.guessing.shape[0] > 1)
            total = counts.sum(axis=2, keepdims=True)
            shares = np.divide(counts, total, out=np.ones_like(counts), where=total > 0)
            level0 = xlogy(counts, shares).sum(axis=(1, 2))
        else:
            plan, weights = some.tabulate(nested.smaller)
            below = yield from _within(plan, weights, null, None, (done, replicates))
            level0, also = below.log_likelihood, below.stack
        plan, weights = some.tabulate(nested.larger)
        above = yield from _within(plan, weights, null, also, (done, replicates))
        draws.append(np.maximum(2 * (above.log_likelihood - level0), 0.0))
        done += some.count
        yield Step(done, replicates, "re-draws", {"draws": {nested.name: draws[-1]}})
    return np.concatenate(draws)


def _within(
    plan: Design, weights: FloatArray, null: Parameters, also: Stack | None, progress: tuple[int, int]
) -> Run[BatchFit]:
    """The fits of one portion of data sets, in the steps of all."""
    evidence = plan.space.evidence(plan.patterns)
    return run_inside(fit_weights(plan.space, evidence, weights, [null], also=also), *progress, "re-draws")
