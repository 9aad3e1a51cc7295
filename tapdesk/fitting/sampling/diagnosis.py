"""Whether chains have settled: the diagnostics that gate the words used (models.md §5.5)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np

from tapdesk.fitting.fit import FitFinding
from tapdesk.fitting.posterior import Posterior
from tapdesk.fitting.sampling.chains import Sampled, split_rhat
from tapdesk.language import gettext as _
from tapdesk.models.parameters import ParameterName
from tapdesk.progress import Run, Step

# Vehtari, Gelman, Simpson, Carpenter & Bürkner (2021), Bayesian Analysis 16(2): R-hat below 1.01 and at least 400
# effective draws in bulk and tails.
MOST_RHAT = 1.01
LEAST_DRAWS = 400.0
# arviz-stats goes through numbers one by one; of very many only the worst by split R-hat are looked at so closely.
_MOST_NUMBERS = 300


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The worst of every kind over all reported numbers.

    Attributes
    ----------
    rhat
        Rank-normalised split R-hat.
    ess_bulk, ess_tail
        Effective draws for the centre and for the 5 % and 95 % quantiles.
    mcse
        Largest Monte Carlo standard error of a mean, on the scale of the number.
    divergences
        After warm-up.
    worst
        The number with the largest R-hat.
    """

    rhat: float
    ess_bulk: float
    ess_tail: float
    mcse: float
    divergences: int
    worst: ParameterName | None

    @property
    def settled(self) -> bool:
        """Whether the draws may be reported."""
        enough = self.ess_bulk >= LEAST_DRAWS and self.ess_tail >= LEAST_DRAWS
        return self.rhat <= MOST_RHAT and enough and self.divergences == 0

    def finding(self) -> FitFinding | None:
        """What must be said where the sampler has not settled, else None."""
        if self.settled:
            return None
        message = (
            _(
                "The sampler has not settled: do not report these numbers. The chains differ by R-hat "
                "{rhat:.3f} (at most {most:g} is wanted{where}), the draws are worth {bulk:.0f} independent "
                "ones in the middle and {tail:.0f} in the tails (at least {least:.0f}), and {divergences} "
                "trajectories went astray (none should)."
            )
        ).format(
            rhat=self.rhat,
            most=MOST_RHAT,
            where="" if self.worst is None else _("; worst for {worst}").format(worst=self.worst),
            bulk=self.ess_bulk,
            tail=self.ess_tail,
            least=LEAST_DRAWS,
            divergences=self.divergences,
        )
        fix = _("Sample longer (more draws), or choose a model with fewer parameters.")
        return FitFinding("sampler_not_settled", "ask", message, fix)


@dataclass(frozen=True, eq=False)
class SampledPosterior(Posterior):
    """A posterior from Hamiltonian Monte Carlo; ``error`` is the largest Monte Carlo standard error of a mean.

    Attributes
    ----------
    settled
        Whether it may be reported.
    chains
        Number of chains.
    accepted
        Mean acceptance probability.
    truth
        Of ``ti-aj-P``: what is known of every subject's t_i, columns mean, sd, 5 %, 50 % and 95 % quantile, (N, 5).
    beside
        Of ``ti-aj-P``: mean and posterior sd of every accuracy under ``t-aj-p``, for comparison.
    """

    settled: bool = False
    chains: int = 0
    accepted: float = 0.0
    truth: np.ndarray[tuple[int, int], np.dtype[np.float64]] | None = None
    beside: Mapping[ParameterName, tuple[float, float]] = field(default_factory=lambda: MappingProxyType({}))


def _parts_of_arviz() -> Iterator[ModuleType]:
    """What arviz-stats loads, which takes a second: part by part, so that a window can answer in between."""
    import scipy.linalg

    yield scipy.linalg
    import scipy.sparse.linalg

    yield scipy.sparse.linalg
    import scipy.optimize

    yield scipy.optimize
    import scipy.interpolate

    yield scipy.interpolate
    import scipy.ndimage

    yield scipy.ndimage
    import scipy.stats

    yield scipy.stats
    import scipy.signal

    yield scipy.signal


def diagnosed(sampled: Sampled, names: Sequence[ParameterName], sign: Step) -> Run[Diagnosis]:
    """Diagnostics of draws of all reported numbers, by arviz-stats.

    Parameters
    ----------
    sampled
        The draws, relabelled.
    names
        The S reported numbers.
    sign
        What is yielded between two pieces of the work.
    """
    for _part in _parts_of_arviz():
        yield sign
    from arviz_stats.base.array import array_stats

    stats: Any = array_stats
    values = sampled.values
    if values.shape[2] == 0:
        return Diagnosis(1.0, np.inf, np.inf, 0.0, sampled.divergences, None)
    plain = split_rhat(values)
    look = np.sort(np.argsort(-plain, kind="stable")[:_MOST_NUMBERS])
    some = np.ascontiguousarray(np.moveaxis(values[..., look], 2, 0))
    found = []
    for x in some:
        # arviz-stats warns where a quantile is a constant, and so would draws that stand still; R-hat catches them.
        tail = stats.ess(x, chain_axis=0, draw_axis=1, method="tail", prob=(0.05, 0.95))
        found.append((stats.rhat(x, chain_axis=0, draw_axis=1), stats.ess(x, chain_axis=0, draw_axis=1), tail))
        yield sign
    rhat, bulk, tail = np.array(found, dtype=np.float64).T
    rhat = np.where(np.isfinite(rhat), rhat, np.where(some.std(axis=(1, 2)) > 0, np.inf, 1.0))
    bulk, tail = (np.where(np.isfinite(e), e, 0.0) for e in (bulk, tail))
    mcse = some.std(axis=(1, 2)) / np.sqrt(np.maximum(bulk, 1.0))
    worst = names[int(look[int(rhat.argmax())])]
    return Diagnosis(
        float(rhat.max()), float(bulk.min()), float(tail.min()), float(mcse.max()), sampled.divergences, worst
    )
