"""Independent posterior draws from a quadrature grid, by rejection: exact, not the nodes themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from tapdesk.fitting.fit import Draws
from tapdesk.fitting.quadrature.grid import logits
from tapdesk.fitting.quadrature.likelihood import Floats, Rates, probability
from tapdesk.fitting.quadrature.parts import Part, Sharing
from tapdesk.models.parameters import ParameterName

_BATCH = 4
_ROUNDS = 200


@dataclass(frozen=True, eq=False)
class GridSampler:
    """Makes independent draws of all parameters of a model.

    Attributes
    ----------
    sharing
        The model with its priors.
    parts
        The posterior in parts.
    """

    sharing: Sharing
    parts: tuple[Part, ...]

    def draw(self, n: int, seed: int) -> Draws:
        """So many independent draws on the probability scale; the same seed gives the same."""
        random = np.random.default_rng(seed)
        shares = np.array([part.mass for part in self.parts])
        sizes = random.multinomial(n, shares / shares.sum())
        found = [self._of(part, int(size), random) for part, size in zip(self.parts, sizes, strict=True) if size]
        mixed = random.permutation(n)
        values = {
            ParameterName(name): np.concatenate([part[name] for part in found])[mixed] for name in self.sharing.names
        }
        return Draws("posterior", MappingProxyType(values))

    def _of(self, part: Part, n: int, random: np.random.Generator) -> Mapping[str, Floats]:
        x, y, z = logits(*_points(part, n, random))
        rest = self.sharing.split(part.half, Rates.at(y, z), random)
        drawn = {"t": -x if part.half.mirrored else x, **rest}
        return {name: probability(drawn[name]) for name in self.sharing.names}


def _points(part: Part, n: int, random: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Draws of (w, m, v): a node by its mass, a place in its cell evenly, kept by the density there."""
    grid = part.grid
    run = np.cumsum(np.exp(grid.log_mass - grid.log_mass.max()).ravel())
    kept: list[Floats] = []
    bound = None
    for _ in range(_ROUNDS):
        flat = np.minimum(np.searchsorted(run, random.random(_BATCH * n) * run[-1], side="right"), run.size - 1)
        place = np.array(np.unravel_index(flat, grid.log_mass.shape)) + random.random((3, flat.size)) - 0.5
        point, log_density = _at(part, place)
        ratio = log_density - grid.log_mass.ravel()[flat]
        if bound is None:
            # A bound passed by one proposal in a thousand: those are kept as often as possible.
            bound = float(np.quantile(ratio, 0.999))
        kept.append(point[:, np.log(random.random(flat.size)) < ratio - bound])
        if sum(k.shape[1] for k in kept) >= n:
            break
    w, m, v = np.concatenate(kept, axis=1)[:, :n]
    return w, m, v


def _at(part: Part, place: Floats) -> tuple[Floats, Floats]:
    """Points (3, n) at places between the nodes, and the log density of the places there."""
    from scipy.ndimage import map_coordinates  # start-up cost: a twentieth of a second

    grid = part.grid
    low_m, step_m = grid.m[:, 0], grid.m[:, 1] - grid.m[:, 0]
    low_v, step_v = grid.v[:, :, 0], grid.v[:, :, 1] - grid.v[:, :, 0]
    step_w = grid.w[1] - grid.w[0]
    w = grid.w[0] + place[0] * step_w
    first, first_two = place[:1], place[:2]
    m_step = np.exp(map_coordinates(np.log(step_m), first, order=3, mode="nearest"))
    m = map_coordinates(low_m, first, order=3, mode="nearest") + place[1] * m_step
    v_step = np.exp(map_coordinates(np.log(step_v), first_two, order=3, mode="nearest"))
    v = map_coordinates(low_v, first_two, order=3, mode="nearest") + place[2] * v_step
    log_density = part.half.target.log_density(w, m, v) + np.log(step_w * m_step * v_step)
    return np.array([w, m, v]), log_density
