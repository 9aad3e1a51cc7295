"""The three binary count models as priors on the two rates, and the way back from the rates to their parameters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betaln

from tapdesk.fitting.priors import Prior
from tapdesk.fitting.quadrature import flat_curve
from tapdesk.fitting.quadrature.curve import coarse_nodes, flat_difference, lattice, walked
from tapdesk.fitting.quadrature.grid import RatePrior, Target
from tapdesk.fitting.quadrature.inner import OneClass, SharedGuessing, Walk
from tapdesk.fitting.quadrature.likelihood import BinaryCounts, Floats, Rates, log_softplus, probability
from tapdesk.fitting.quadrature.marginal import Cloud, marginal
from tapdesk.fitting.quadrature.parts import Half, Part, truth_cloud
from tapdesk.fitting.quadrature.split import spread_over, told_apart
from tapdesk.fitting.quadrature.summary import Told
from tapdesk.fitting.quadrature.tables import between, chosen, log_jacobian, tabulated

# Both rates at once are told from the nodes of t-a0a1-p, and along m they lie farthest apart.
_ACROSS = 1.5
# Cells along each rate in the table of both.
_TABLE = 120


@dataclass(frozen=True, eq=False)
class OneAccuracy:
    """``t-a-p``: d and g are accuracy and guessing rate themselves."""

    truth: Prior
    accuracy: Prior
    guessing: Prior

    @property
    def names(self) -> tuple[str, ...]:
        """Its parameters in the order of reports."""
        return "t", "a", "p"

    def halves(self, counts: BinaryCounts) -> tuple[Half, ...]:
        """One part: the rate of class 1 cannot be lower for true class 1."""
        a, p = self.accuracy, self.guessing
        constant = betaln(a.alpha, a.beta) + betaln(p.alpha, p.beta)

        def log_prior(r: Rates) -> Floats:
            return a.alpha * r.log_d + a.beta * r.log_not_d + p.alpha * r.log_g + p.beta * r.log_not_g - constant

        return (Half(Target(counts, self.truth, log_prior)),)

    def told(self, parts: Sequence[Part]) -> Mapping[str, Told]:
        """Every parameter; there is one part."""
        (part,) = parts
        grid, mass = part.grid, part.node_mass
        spacing_x, spacing_y, spacing_z = grid.spacing
        found = {
            "t": Cloud.heavy(grid.x, spacing_x, mass),
            "a": Cloud.heavy(grid.y, spacing_y, mass),
            "p": Cloud.heavy(grid.z, spacing_z, mass),
        }
        return {name: Told.of_cloud(cloud) for name, cloud in found.items()}

    def difference(self, part: Part) -> Cloud:
        """Nodes of p - t."""
        gap = probability(part.grid.z) - probability(part.grid.x)
        return Cloud.of(np.log1p(gap) - np.log1p(-gap), part.node_mass)

    def joint(self, part: Part, size: int) -> None:
        """There is one accuracy."""
        del part, size

    def split(self, half: Half, rates: Rates, random: np.random.Generator) -> Mapping[str, Floats]:
        """Nothing is left to chance."""
        del half, random
        return {"a": rates.log_d - rates.log_not_d, "p": rates.log_g - rates.log_not_g}


@dataclass(frozen=True, eq=False)
class TwoAccuracies:
    """``t-a0a1-p``: the rates leave a curve of (a1, a0, p)."""

    truth: Prior
    shared: SharedGuessing

    @property
    def names(self) -> tuple[str, ...]:
        """Its parameters in the order of reports."""
        return "t", "a0", "a1", "p"

    def halves(self, counts: BinaryCounts) -> tuple[Half, ...]:
        """One part: p lies between the two rates."""
        return (Half(Target(counts, self.truth, self._log_prior()), across=_ACROSS),)

    def _log_prior(self) -> RatePrior:
        if self.shared.flat:
            return lambda r: log_jacobian(r) + np.log(r.ones + r.zeros)
        return tabulated(self.shared)

    def told(self, parts: Sequence[Part]) -> Mapping[str, Told]:
        """Every parameter; there is one part."""
        (part,) = parts
        grid, mass = part.grid, part.node_mass
        if self.shared.flat:
            rest = flat_curve.told(grid, mass)
        else:
            nodes = walked(self.shared, lattice(grid, mass)).clouds()
            rest = {name: Told.of_cloud(cloud) for name, cloud in nodes.items()}
        found = {"t": Told.of_cloud(truth_cloud(part)), **rest}
        return {name: found[name] for name in self.names}

    def difference(self, part: Part) -> Cloud:
        """Nodes of p - t."""
        starts = coarse_nodes(part.grid, part.node_mass)
        return flat_difference(starts) if self.shared.flat else walked(self.shared, starts).difference()

    def joint(self, part: Part, size: int) -> Floats:
        """Mass of (a1, a0) in even cells."""
        # A picture needs fewer nodes.
        return walked(self.shared, lattice(part.grid.thinned(), part.node_mass[::2, ::2, ::2])).joint(size)

    def split(self, half: Half, rates: Rates, random: np.random.Generator) -> Mapping[str, Floats]:
        """A random place on the curve."""
        del half
        walk = Walk.of(self.shared.priors, 0.1)
        a1, a0, p, log_mass = self.shared.split(rates.logit_high, rates.logit_low, rates.ones + rates.zeros, walk)
        pick = chosen(log_mass, random)
        return {name: between(x, pick) for name, x in (("a0", a0), ("a1", a1), ("p", p))}


@dataclass(frozen=True, eq=False)
class TwoAndTwo:
    """``t-a0a1-p0p1``: each rate splits on its own, and the two labellings are both possible."""

    truth: Prior
    one: OneClass
    zero: OneClass

    @property
    def names(self) -> tuple[str, ...]:
        """Its parameters in the order of reports."""
        return "t", "a0", "a1", "p0", "p1"

    def halves(self, counts: BinaryCounts) -> tuple[Half, ...]:
        """Two parts: the higher rate of class 1 belongs to true class 1, or to true class 0."""
        return (
            Half(Target(counts, self.truth, self._log_prior(mirrored=False))),
            Half(Target(counts, self.truth.mirrored(), self._log_prior(mirrored=True)), mirrored=True),
        )

    def _log_prior(self, *, mirrored: bool) -> RatePrior:
        one, zero = self.one.log_prior(), self.zero.log_prior()

        def log_prior(r: Rates) -> Floats:
            rate1, rate0 = _rates(r, mirrored=mirrored)
            return np.asarray(log_jacobian(r) + one(log_softplus(rate1)) + zero(log_softplus(rate0)))

        return log_prior

    def told(self, parts: Sequence[Part]) -> Mapping[str, Told]:
        """Every parameter: the distribution of each rate, then the split of the rate."""
        nodes = [_rates(Rates.at(part.grid.y, part.grid.z), mirrored=part.half.mirrored) for part in parts]
        found = {"t": Told.of_cloud(Cloud.together([truth_cloud(part) for part in parts]))}
        for k, (of_class, names) in enumerate(((self.one, ("a1", "p1")), (self.zero, ("a0", "p0")))):
            rate = marginal(
                Cloud.together([Cloud.of(n[k], part.node_mass) for n, part in zip(nodes, parts, strict=True)])
            )
            found[names[0]], found[names[1]] = told_apart(rate, of_class)
        found["p0"] = found["p0"].mirrored()
        return {name: found[name] for name in self.names}

    def difference(self, part: Part) -> None:
        """There are two guessing rates."""
        del part

    def joint(self, part: Part, size: int) -> Floats:
        """Mass of (a1, a0) in even cells: the table of the two rates, each rate spread over its accuracies."""
        rates, mass = Rates.at(part.grid.y, part.grid.z), part.node_mass
        places, spreads = [], []
        for at, of_class in zip(_rates(rates, mirrored=part.half.mirrored), (self.one, self.zero), strict=True):
            seen = at[mass > 1e-9 * mass.max()]
            edges = np.linspace(float(seen.min()), float(seen.max()), _TABLE + 1)
            places.append(np.clip(np.searchsorted(edges, at) - 1, 0, _TABLE - 1).ravel())
            spreads.append(spread_over(of_class, (edges[1:] + edges[:-1]) / 2, size))
        table = np.bincount(places[0] * _TABLE + places[1], mass.ravel(), _TABLE * _TABLE).reshape(_TABLE, _TABLE)
        return np.asarray(spreads[0].T @ table @ spreads[1])

    def split(self, half: Half, rates: Rates, random: np.random.Generator) -> Mapping[str, Floats]:
        """A random split of each rate."""
        found = {}
        for rate, of_class, names in zip(
            _rates(rates, mirrored=half.mirrored), (self.one, self.zero), (("a1", "p1"), ("a0", "p0")), strict=True
        ):
            walk = Walk.of((of_class.accuracy, of_class.guessing), 0.1)
            accuracy, guessing, log_mass = of_class.split(log_softplus(rate), walk)
            pick = chosen(log_mass, random)
            found[names[0]], found[names[1]] = between(accuracy, pick), between(guessing, pick)
        found["p0"] = -found["p0"]
        return found


def _rates(r: Rates, *, mirrored: bool) -> tuple[Floats, Floats]:
    """Logits of the rates of being recognised, mu1 and 1 - mu0, where mu1 is the lower rate if mirrored."""
    return (r.logit_low, -r.logit_high) if mirrored else (r.logit_high, -r.logit_low)
