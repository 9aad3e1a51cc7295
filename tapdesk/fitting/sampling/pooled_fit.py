"""Pooled raters as a fit like any other: the estimates drawn towards each other, and the population beside them.

The chains are those of `tapdesk.fitting.sampling.pooled`; how their draws are told is that of every sampled fit.
"""

import time
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from tapdesk.errors import UsageError
from tapdesk.fitting.fit import Fit, ParameterEstimate, SampledPosterior
from tapdesk.fitting.sampling.method import Sampling
from tapdesk.fitting.sampling.pooled import (
    ALIKE,
    PoolRequest,
    new_raters,
    pool_findings,
    refuses_pool,
    sampled_pool,
)
from tapdesk.fitting.sampling.posterior_summary import SummaryRequest, estimate_of, summarise, summarise_draws
from tapdesk.models.design import Freedom
from tapdesk.models.model import RaterModel
from tapdesk.models.parameters import FloatArray, ParameterName
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings

_LOGITS = (ParameterName("mu"), ParameterName("omega"))


@dataclass(frozen=True, slots=True)
class PooledSampling:
    """Hamiltonian Monte Carlo of raters drawn from one population (`Sampling` says what the numbers are)."""

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
        return refuses_pool(model, ratings)

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
        request = PoolRequest(self.chains, self.draws)
        target, sampled = yield from sampled_pool(ratings, model, request, seed)
        flat = sampled.at.reshape(-1, target.size)
        numbers = target.values(flat)
        plain = replace(sampled, at=target.rates(flat).reshape(*sampled.at.shape[:2], -1))
        wanted = SummaryRequest(self.level, seed, self.subjects, request.warmup + request.draws)
        # How far the chains are to be trusted is told of mu and omega as well, which move slowest.
        fit = yield from summarise_draws(target.inside, plain, target.names(()), ratings, wanted)
        return replace(
            _with_population(fit, numbers, seed),
            findings=(*fit.findings, *pool_findings(len(ratings.raters))),
            seconds=time.perf_counter() - began,
        )


def _with_population(fit: Fit, numbers: FloatArray, seed: int) -> Fit:
    """The fit with mu and omega among its numbers, and what is believed of the population beside its draws.

    Parameters
    ----------
    fit
        Of the raters.
    numbers
        Shape (n, S + 2): draws of its numbers, of mu and of omega.
    seed
        Of the raters who are not known yet.
    """
    posterior = fit.posterior
    if not isinstance(posterior, SampledPosterior):
        raise TypeError("a population is told of sampled raters alone")
    worth = posterior.ess_bulk or 1.0
    rows = [
        summarise(name, numbers[:, at], posterior.level, worth)[0] for name, at in zip(_LOGITS, (-2, -1), strict=True)
    ]
    mu, omega = numbers[:, -2], numbers[:, -1]
    raters = [i for i, slot in enumerate(fit.slots) if slot.part == "accuracy"]
    accuracy = ParameterName("a")
    typical = summarise(accuracy, np.asarray(expit(mu)), posterior.level, worth)[0]
    new = summarise(accuracy, new_raters(mu, omega, seed), posterior.level, worth)[0]
    alike = float((numbers[:, raters].std(axis=1) < ALIKE).mean())
    estimates = tuple(ParameterEstimate(row.name, Freedom.FREE, estimate_of(row, posterior.level)) for row in rows)
    told = replace(posterior, population=(typical, new, alike))
    return replace(fit, estimates=(*fit.estimates, *estimates), posterior=told)
