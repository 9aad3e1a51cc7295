"""Pooled raters as a fit like any other: the estimates drawn towards each other, and the population beside them.

The chains are those of `tapdesk.fitting.sampling.pooled`; how their draws are told is that of every sampled fit.
"""

import time
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from tapdesk.errors import UsageError
from tapdesk.estimate import PooledSlope
from tapdesk.fitting.fit import Fit, ParameterEstimate, SampledPosterior
from tapdesk.fitting.sampling.method import Sampling
from tapdesk.fitting.sampling.pooled import (
    ALIKE,
    PoolRequest,
    new_raters,
    pool_findings,
    rater_columns,
    refuses_pool,
    sampled_pool,
)
from tapdesk.fitting.sampling.posterior_summary import SummaryRequest, estimate_of, summarise, summarise_draws
from tapdesk.models.design import Freedom
from tapdesk.models.model import RaterModel
from tapdesk.models.parameters import FloatArray, ParameterName
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings


@dataclass(frozen=True, slots=True)
class PooledSampling:
    """Hamiltonian Monte Carlo of raters drawn from one population (`Sampling` says what the numbers are).

    On which columns of numbers of raters their accuracies may depend is said by the model (`RaterModel.covariates`).
    """

    chains: int = 16
    draws: int = 800
    level: float = 0.95
    subjects: bool = False

    name = "posterior"

    def __post_init__(self) -> None:
        # The same bounds, in the same sentences.
        Sampling(self.chains, self.draws, level=self.level)

    def refuses(self, model: RaterModel, ratings: Ratings) -> str | None:
        """Why these raters cannot be pooled; None when they can."""
        return refuses_pool(model, ratings, model.covariates)

    def run(self, model: RaterModel, ratings: Ratings, seed: int) -> Run[Fit]:
        """Sample the population.

        Yields
        ------
        Step
            As of `tapdesk.fitting.sampling.pooled.pooled_raters`.

        Raises
        ------
        UsageError
            When raters cannot be pooled.
        CannotAnswerError
            When the chains lose their way.
        """
        began = time.perf_counter()
        if reason := self.refuses(model, ratings):
            raise UsageError(reason)
        request = PoolRequest(self.chains, self.draws, covariates=model.covariates)
        target, sampled = yield from sampled_pool(ratings, model, request, seed)
        flat = sampled.at.reshape(-1, target.size)
        numbers = target.values(flat)
        plain = replace(sampled, at=target.rates(flat).reshape(*sampled.at.shape[:2], -1))
        wanted = SummaryRequest(self.level, seed, self.subjects, request.warmup + request.draws)
        # How far the chains are to be trusted is told of mu and omega as well, which move slowest.
        names, columns = target.names(model.covariates), rater_columns(ratings, model.covariates)
        fit = yield from summarise_draws(target.inside, plain, names, ratings, wanted)
        return replace(
            _with_population(fit, (names, numbers), columns, seed),
            findings=(*fit.findings, *pool_findings(len(ratings.raters))),
            seconds=time.perf_counter() - began,
        )


def _with_population(
    fit: Fit, numbers: tuple[tuple[ParameterName, ...], FloatArray], columns: dict[str, FloatArray], seed: int
) -> Fit:
    """The fit with the numbers of the population among its own, and what is believed of it beside its draws.

    Parameters
    ----------
    fit
        Of the raters.
    numbers
        Names and draws, shape (n, S): first the numbers of the fit, then those of the population.
    columns
        Of each column of the raters its values, shape (J,).
    seed
        Of the raters who are not known yet.
    """
    posterior = fit.posterior
    if not isinstance(posterior, SampledPosterior):
        raise TypeError("a population is told of sampled raters alone")
    worth = posterior.ess_bulk or 1.0
    names, values = numbers
    drawn = {name: values[:, i] for i, name in enumerate(names)}
    mu, omega = drawn[ParameterName("mu")], drawn[ParameterName("omega")]
    for name, own in columns.items():
        # The sampler tells slopes of a column per standard deviation; users read them per unit.
        drawn[ParameterName("b", covariate=name)] = drawn[ParameterName("b", covariate=name)] / own.std()
    rows = [summarise(name, drawn[name], posterior.level, worth)[0] for name in names[len(fit.slots) :]]
    raters = [i for i, slot in enumerate(fit.slots) if slot.part == "accuracy"]
    accuracy = ParameterName("a")
    typical = summarise(accuracy, np.asarray(expit(mu)), posterior.level, worth)[0]
    new = summarise(accuracy, new_raters(mu, omega, seed), posterior.level, worth)[0]
    alike = float((values[:, raters].std(axis=1) < ALIKE).mean())
    along = tuple(
        _slope(name, own, (mu, drawn[ParameterName("b", covariate=name)]), (posterior.level, worth))
        for name, own in columns.items()
    )
    estimates = tuple(ParameterEstimate(row.name, Freedom.FREE, estimate_of(row, posterior.level)) for row in rows)
    held = replace(posterior, population=(typical, new, alike), along=along)
    return replace(fit, estimates=(*fit.estimates, *estimates), posterior=held)


def _slope(
    name: str, own: FloatArray, draws: tuple[FloatArray, FloatArray], weighed: tuple[float, float]
) -> PooledSlope:
    """Accuracy along one column, from draws of mu and of the slope per unit; level and worth as of `summarise`."""
    level, worth = weighed
    mu, slope = draws
    first, last = float(own.min()), float(own.max())
    low, high = (
        estimate_of(summarise(ParameterName("a"), expit(mu + slope * (x - own.mean())), level, worth)[0], level)
        for x in (first, last)
    )
    row = summarise(ParameterName("b", covariate=name), slope, level, worth)[0]
    return PooledSlope(name, first, last, low, high, bool(row.hdi_low > 0 or row.hdi_high < 0), own.size)
