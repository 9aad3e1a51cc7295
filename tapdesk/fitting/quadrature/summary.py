"""Numbers and curves read off the distribution of one probability."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tapdesk.fitting.posterior import Curve, Mode, Summary
from tapdesk.fitting.quadrature.likelihood import Floats, probability
from tapdesk.fitting.quadrature.marginal import Cloud, Marginal, marginal
from tapdesk.models.parameters import ParameterName

SHARES = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
# Two peaks are two when it takes this mass to fill the dip between them, and each holds at least that mass;
# the last per mille towards an edge is not looked at by itself.
_LEAST_WATER = 0.005
# Two peaks are two readings when the density between them falls below this part of the lower one.
_APART = 0.5
_LEAST_MASS, _EDGE, _FAR_EDGE = 0.01, 1e-3, 1e-5
_POINTS = 600
_CURVE = 401


@dataclass(frozen=True, eq=False)
class Told:
    """One probability: its distribution on the logit scale, and its mean and standard deviation."""

    found: Marginal
    mean: float
    sd: float

    @staticmethod
    def of_cloud(cloud: Cloud) -> "Told":
        """From nodes on the logit scale."""
        return Told(marginal(cloud), *_moments(cloud.at, cloud.mass))

    @staticmethod
    def of_marginal(found: Marginal) -> "Told":
        """From a distribution on a fine grid."""
        return Told(found, *_moments((found.at[1:] + found.at[:-1]) / 2, np.diff(found.cdf)))

    def mirrored(self) -> "Told":
        """The same of one minus the probability."""
        return Told(self.found.mirrored(), 1 - self.mean, self.sd)

    def numbers(self) -> Floats:
        """Mean, standard deviation and the quantiles that are told, on the probability scale."""
        return np.array([self.mean, self.sd, *probability(self.found.quantile(SHARES))])

    def blur(self) -> float:
        """How far a wider kernel moves the quantiles that are told, on the probability scale."""
        return float(np.abs(probability(self.found.moved(SHARES)) - probability(self.found.quantile(SHARES))).max())


def _moments(at: Floats, mass: Floats) -> tuple[float, float]:
    value, total = probability(at), mass.sum()
    mean = float(mass @ value / total)
    return mean, float(np.sqrt(mass @ (value - mean) ** 2 / total))


def summarise(name: str, told: Told, level: float) -> Summary:
    """All numbers of one parameter."""
    found, mean, sd = told.found, told.mean, told.sd
    q05, q25, median, q75, q95 = probability(found.quantile(SHARES)).tolist()
    low, high = shortest(found, level)
    return Summary(ParameterName(name), mean, sd, median, q05, q25, q75, q95, low, high, modes(found))


def shortest(found: Marginal, level: float) -> tuple[float, float]:
    """The shortest interval, on the probability scale, that holds so much mass."""
    start = np.linspace(0.0, 1 - level, 2001)
    for _ in range(3):
        width = probability(found.quantile(start + level)) - probability(found.quantile(start))
        best = int(width.argmin())
        low, high = start[max(best - 2, 0)], start[min(best + 2, start.size - 1)]
        chosen = start[best]
        start = np.linspace(low, high, 201)
    ends = probability(found.quantile(np.array([chosen, min(chosen + level, 1.0)])))
    return float(ends[0]), float(ends[1])


def modes(found: Marginal) -> tuple[Mode, ...]:
    """The peaks of the density on the probability scale, the one with the most mass first."""
    at = _places(found)
    density = _density(found, at)
    value = probability(at)
    peaks, dips = _peaks(density, found, at)
    cuts = np.interp(at[dips], found.at, found.cdf) if dips else np.empty(0)
    masses = np.diff(np.concatenate([[0.0], cuts, [1.0]]))
    ends = {0: _end(found, upper=False), at.size - 1: _end(found, upper=True)}
    rows = [Mode(ends.get(k, float(value[k])), float(mass)) for k, mass in zip(peaks, masses, strict=True)]
    return tuple(sorted(rows, key=lambda mode: -mode.mass))


def _end(found: Marginal, *, upper: bool) -> float:
    """Where a density that still rises in the last per mille is highest: an edge, if it rises to there."""
    shares = np.array([_FAR_EDGE, _EDGE])
    low, high = found.quantile(1 - shares[::-1] if upper else shares)
    at = np.linspace(low, high, 101)
    top = int(_density(found, at).argmax())
    outermost, value = (100, 1.0) if upper else (0, 0.0)
    return value if top == outermost else float(probability(at)[top])


def valley(found: Marginal) -> float | None:
    """Where (logit scale) the density is lowest between two peaks, if it falls below half the lower one; else None."""
    at = _places(found)
    density = _density(found, at)
    peaks, dips = _peaks(density, found, at)
    depth = {dip: density[dip] / min(density[a], density[b]) for dip, (a, b) in zip(dips, pairwise(peaks), strict=True)}
    if not depth:
        return None
    deepest = min(depth, key=lambda dip: depth[dip])
    return float(at[deepest]) if depth[deepest] < _APART else None


def curve(found: Marginal) -> Curve:
    """The density on the probability scale, for drawing: points crowd where the mass is."""
    low, high = found.quantile(np.array([_EDGE / 10, 1 - _EDGE / 10]))
    even = np.linspace(probability(low), probability(high), _CURVE)
    value = np.union1d(even, probability(found.quantile(np.linspace(_EDGE / 10, 1 - _EDGE / 10, _CURVE))))
    value = value[(value > 0) & (value < 1)]
    at = np.log(value / (1 - value))
    return Curve(value, _density(found, at))


def _places(found: Marginal) -> Floats:
    low, high = found.quantile(np.array([_EDGE, 1 - _EDGE]))
    return np.linspace(low, high, _POINTS)


def _density(found: Marginal, at: Floats) -> Floats:
    """Per unit of probability."""
    value = probability(at)
    return np.asarray(np.interp(at, found.at, found.density) / np.maximum(value * (1 - value), 1e-300))


def _peaks(density: Floats, found: Marginal, at: Floats) -> tuple[list[int], list[int]]:
    """Places of the peaks that count and of the dips between them, by filling the shallowest dips first."""
    value = probability(at)
    rise = np.diff(density) > 0
    turns = np.flatnonzero(rise[:-1] & ~rise[1:]) + 1
    peaks = ([] if rise[0] else [0]) + turns.tolist() + ([density.size - 1] if rise[-1] else [])
    water = [_water(density[a : b + 1], value[a : b + 1]) for a, b in pairwise(peaks)]
    while True:
        if water and min(water) < _LEAST_WATER:
            k = int(np.argmin(water))
            lower = k if density[peaks[k]] < density[peaks[k + 1]] else k + 1
        else:
            dips = [a + int(density[a : b + 1].argmin()) for a, b in pairwise(peaks)]
            cuts = np.interp(at[dips], found.at, found.cdf) if dips else np.empty(0)
            masses = np.diff(np.concatenate([[0.0], cuts, [1.0]]))
            lower = int(masses.argmin())
            if not water or masses[lower] >= _LEAST_MASS:
                return peaks, dips
        peaks.pop(lower)
        around = range(max(lower - 1, 0), min(lower, len(peaks) - 1))
        fresh = [_water(density[peaks[k] : peaks[k + 1] + 1], value[peaks[k] : peaks[k + 1] + 1]) for k in around]
        water[max(lower - 1, 0) : lower + 1] = fresh


def _water(density: Floats, value: Floats) -> float:
    """The mass it takes to fill the dip between two peaks, the first and the last point, to the lower one's height."""
    level = min(density[0], density[-1])
    below = np.maximum(level - density, 0.0)
    return float(((below[1:] + below[:-1]) * np.diff(value)).sum() / 2)
