"""A posterior's own account of itself, however it was obtained."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.fit import Draws, LogLikelihood
from tapdesk.models.parameters import ParameterName


@dataclass(frozen=True, slots=True)
class Mode:
    """One peak of a density: where it is highest (0 or 1 when it rises to the edge), and the mass around it."""

    at: float
    mass: float


@dataclass(frozen=True, slots=True)
class Summary:
    """What the posterior says of one parameter, on the probability scale.

    Attributes
    ----------
    name
        The parameter.
    mean, sd, median
        Its centre and spread.
    q05, q25, q75, q95
        Quantiles.
    hdi_low, hdi_high
        The shortest interval that holds ``Posterior.level`` of the mass.
    modes
        Its peaks, the highest mass first; with two, neither mean nor median describes it.
    """

    name: ParameterName
    mean: float
    sd: float
    median: float
    q05: float
    q25: float
    q75: float
    q95: float
    hdi_low: float
    hdi_high: float
    modes: tuple[Mode, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """One of several ways to understand the data: its share of the posterior, in words, and the parameters under it."""

    mass: float
    words: str
    summaries: tuple[Summary, ...]


@dataclass(frozen=True, eq=False)
class Curve:
    """A density for drawing: ``x`` and ``density`` of shape (n,), per unit of ``x``."""

    x: NDArray[np.float64]
    density: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Surface:
    """A joint density for drawing.

    Attributes
    ----------
    x_name, y_name
        The parameters.
    x_edges, y_edges
        Shape (n + 1,), (m + 1,).
    density
        Shape (n, m): per unit of area, in cell (x, y).
    """

    x_name: ParameterName
    y_name: ParameterName
    x_edges: NDArray[np.float64]
    y_edges: NDArray[np.float64]
    density: NDArray[np.float64]


class Sampler(Protocol):
    """Something that makes independent posterior draws."""

    def draw(self, n: int, seed: int) -> Draws:
        """So many independent draws; the same seed gives the same."""
        ...


def no_curves() -> Mapping[ParameterName, Curve]:
    """No densities."""
    return MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Posterior:
    """The posterior of one model.

    Attributes
    ----------
    method
        ``quadrature`` or ``hmc``.
    summaries
        One for each parameter, in the order of reports, over the whole posterior.
    level
        Mass of the ``hdi`` intervals.
    log_evidence
        Log of the integral of likelihood times prior, in nats, in both conventions; None where it is not computed.
    error
        Estimated numerical error of the summaries, on their scale; the largest Monte Carlo error of a mean for hmc.
    rhat, ess_bulk, ess_tail, divergences
        Diagnostics of a sampler, the worst parameter's; None for quadrature.
    other_labelling_mass
        Mass of the labelling with the lower expected diagonal; None where labels cannot switch.
    readings
        The ways to understand the data when there are two; else empty.
    marginals
        Densities on the probability scale, by parameter.
    joint
        Density of (a1, a0), where the model tells them apart.
    guess_minus_truth
        Density of p - t, where there is one p.
    sampler
        Makes draws (see ``draws``); None where only ``sample`` is kept.
    sample
        Draws kept with the posterior, or None.
    """

    method: str
    summaries: tuple[Summary, ...]
    level: float = 0.95
    log_evidence: LogLikelihood | None = None
    error: float | None = None
    rhat: float | None = None
    ess_bulk: float | None = None
    ess_tail: float | None = None
    divergences: int | None = None
    other_labelling_mass: float | None = None
    readings: tuple[Reading, ...] = ()
    marginals: Mapping[ParameterName, Curve] = field(default_factory=no_curves)
    joint: Surface | None = None
    guess_minus_truth: Curve | None = None
    sampler: Sampler | None = None
    sample: Draws | None = None

    def summary(self, name: str, category: str | None = None, rater: str | None = None) -> Summary:
        """The summary of a named parameter.

        Raises
        ------
        KeyError
            When there is none.
        """
        for row in self.summaries:
            if (row.name.name, row.name.category, row.name.rater) == (name, category, rater):
                return row
        raise KeyError(f"there is no parameter {ParameterName(name, category, rater)}")

    def draws(self, n: int, seed: int) -> Draws:
        """So many draws, by parameter; independent ones where there is a sampler, else drawn again from the kept ones.

        Raises
        ------
        ValueError
            When ``n`` is below 1, or there is nothing to draw from.
        """
        if n < 1:
            raise ValueError(f"the number of draws must be at least 1, not {n}")
        if self.sampler is not None:
            return self.sampler.draw(n, seed)
        if self.sample is None:
            raise ValueError("this posterior keeps neither draws nor a way to make them")
        kept = next(iter(self.sample.values.values())).size
        pick = np.random.default_rng(seed).integers(0, kept, n)
        return Draws("posterior", MappingProxyType({k: v[pick] for k, v in self.sample.values.items()}))
