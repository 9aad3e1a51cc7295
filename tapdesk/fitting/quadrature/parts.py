"""What the quadrature of a posterior consists of: halves, their grids, and what a model must be able to tell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tapdesk.fitting.quadrature.grid import Grid, Target
from tapdesk.fitting.quadrature.likelihood import BinaryCounts, Floats, Rates
from tapdesk.fitting.quadrature.marginal import Cloud
from tapdesk.fitting.quadrature.summary import Told


@dataclass(frozen=True, eq=False)
class Half:
    """One ordering of the two rates.

    Attributes
    ----------
    target
        Its posterior, in terms of the component with the higher rate.
    mirrored
        Whether that component is true class 0.
    across
        So many times more nodes along m than is usual.
    """

    target: Target
    mirrored: bool = False
    across: float = 1.0


@dataclass(frozen=True, eq=False)
class Part:
    """One half, its grid and its share of the posterior.

    Attributes
    ----------
    half, grid, mass
        What it is, where it lies, how much of the posterior it is.
    share
        What is looked at of each node, of the grid's shape; 1 for all of it.
    """

    half: Half
    grid: Grid
    mass: float
    share: Floats | float = 1.0

    @property
    def node_mass(self) -> Floats:
        """Mass of every node, of the grid's shape."""
        return np.asarray(self.mass * self.share * self.grid.mass, dtype=np.float64)


class Sharing(Protocol):
    """What the general machinery needs to know of a model."""

    @property
    def names(self) -> tuple[str, ...]:
        """Its parameters in the order of reports."""
        ...

    def halves(self, counts: BinaryCounts) -> tuple[Half, ...]:
        """The posterior in parts, the expected ordering first."""
        ...

    def told(self, parts: Sequence[Part]) -> Mapping[str, Told]:
        """Every parameter over the parts together."""
        ...

    def difference(self, part: Part) -> Cloud | None:
        """Nodes of p - t, on the scale logit((1 + p - t) / 2); None where there are two p."""
        ...

    def joint(self, part: Part, size: int) -> Floats | None:
        """Mass of (a1, a0), shape (size, size), in even cells of the unit square; None where there is one a."""
        ...

    def split(self, half: Half, rates: Rates, random: np.random.Generator) -> Mapping[str, Floats]:
        """One random draw of every parameter but t on the logit scale, given rates of shape (n,)."""
        ...


def truth_cloud(part: Part) -> Cloud:
    """Nodes of logit t, t the share of true class 1."""
    at = -part.grid.x if part.half.mirrored else part.grid.x
    return Cloud.heavy(at, part.grid.spacing[0], part.node_mass)
