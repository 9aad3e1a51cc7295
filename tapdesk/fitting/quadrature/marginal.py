"""The distribution of one number over a cloud of quadrature nodes, and the numbers and curves read off it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincc

from tapdesk.fitting.fit import Curve, Mode, Summary
from tapdesk.fitting.quadrature.likelihood import Floats, probability
from tapdesk.models.parameters import ParameterName

# The kernel's transform at frequency k is exp(-q) (1 + q + ... + q^7 / 7!), q = (k width)^2 / 2: flat to order 16 at
# k = 0, and 6e-4 at the grid's own frequency 2 pi / spacing, where a smooth density holds next to nothing. A wider one
# blurs more than it gains; what it would change tells how much is lost by the one used.
_ORDER = 8
_WIDTH = 1.0
_WIDER = 1.2
_MOST, _LEAST = 2**17, 2**12
_LIGHT = 1e-6
_LEVELS_PER_DOUBLING = 4
# The density's kernel has order 6 and this part of the width.
_SMOOTHER = 0.96
# Beyond this frequency (in widths) nothing passes.
_CUT = 10.0
# The narrowest kernel, in steps of the fine grid: with fewer, the places of nodes between grid points are felt.
_STEPS = 10.0
# Nodes are laid on in pieces that stay in the processor's cache.
PIECE = 16_384

# Kernels of one level: for the distribution function; the same wider, to tell its error by; and one that hardly rings
# at sharp edges and is for that a little less true, for the density.
_SHARP, _BLURRED, _SMOOTH = range(3)
_RESPONSE_AT = np.linspace(0.0, _CUT * _WIDER, 9601)
_RESPONSE = gammaincc(_ORDER, _RESPONSE_AT**2 / 2)
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
class Cloud:
    """Nodes of one number.

    Attributes
    ----------
    at
        Shape (M,): where, on the scale the spacing is measured on (logit of a probability).
    spacing
        Shape (M,): the largest distance to a neighbouring node, over the axes of the grid.
    mass
        Shape (M,): at least 0.
    """

    at: Floats
    spacing: Floats
    mass: Floats

    @staticmethod
    def of(at: Floats, mass: Floats) -> "Cloud":
        """The nodes of a grid of any dimension, with masses of the same shape that may be 0."""
        return Cloud.heavy(at, spacing(at), mass)

    @staticmethod
    def heavy(at: Floats, spacing: Floats, mass: Floats) -> "Cloud":
        """The nodes that carry mass, from arrays of one shape."""
        kept = heavy(mass)
        return Cloud(at[kept], spacing[kept], mass[kept])

    @staticmethod
    def together(clouds: Sequence["Cloud"]) -> "Cloud":
        """All nodes of several clouds of the same number."""
        return Cloud(*(np.concatenate([getattr(c, part) for c in clouds]) for part in ("at", "spacing", "mass")))


def spacing(at: Floats) -> Floats:
    """The largest distance to a neighbouring node, over the axes of a grid of any dimension."""
    result = np.zeros(at.shape)
    for axis, n in enumerate(at.shape):
        if n > 1:
            np.maximum(result, np.abs(np.gradient(at, axis=axis)), out=result)
    return result


def heavy(mass: Floats) -> NDArray[np.bool_]:
    """Which nodes carry mass: the lightest are left out as long as all of them together hold less than 1e-6."""
    size = np.abs(mass)
    total = size.sum()
    exponent = np.frexp(size / total)[1]
    held = np.bincount(np.clip(exponent + 60, 0, 61).ravel(), size.ravel(), 62)
    least = int(np.searchsorted(np.cumsum(held), _LIGHT * total))
    return np.asarray((size > 0) & (exponent + 60 >= least))


@dataclass(frozen=True, eq=False)
class Marginal:
    """A distribution on a fine grid.

    Attributes
    ----------
    at
        Shape (n,): where.
    cdf
        Shape (n,): from 0 to 1, never falling; exact to the error of the quadrature.
    drawn, wider
        What works out ``density`` and ``blurred``: a distribution that others are only held against needs neither.
    """

    at: Floats
    cdf: Floats
    drawn: Callable[[], Floats]
    wider: Callable[[], Floats]

    @cached_property
    def density(self) -> Floats:
        """Shape (n,): per unit of ``at``; integrates to one. For drawing and for its peaks."""
        return self.drawn()

    @cached_property
    def blurred(self) -> Floats:
        """Shape (n,): the distribution function by a kernel a fifth wider, to tell its error by."""
        return self.wider()

    def quantile(self, share: Floats) -> Floats:
        """Where the distribution function reaches each share, both of any shape."""
        return np.asarray(np.interp(share, self.cdf, self.at))

    def moved(self, share: Floats) -> Floats:
        """Where the blurred one reaches it."""
        return np.asarray(np.interp(share, self.blurred, self.at))

    def mirrored(self) -> "Marginal":
        """The distribution of minus the number."""
        return Marginal(-self.at[::-1], 1 - self.cdf[::-1], lambda: self.density[::-1], lambda: 1 - self.blurred[::-1])


def marginal(cloud: Cloud) -> Marginal:
    """The distribution of a cloud of any positive total mass."""
    mass = cloud.mass / cloud.mass.sum()
    extent = float(np.ptp(cloud.at))
    width = np.minimum(_WIDTH * cloud.spacing, extent / 8 + 1e-9)
    room = 8 * float(width.max())
    low, high = float(cloud.at.min()) - room, float(cloud.at.max()) + room
    n = _size(width, mass, high - low)
    step = (high - low) / n
    finest = _STEPS * step
    level = _LEVELS_PER_DOUBLING * np.log2(np.maximum(width, finest) / finest) + 1
    laid = _laid((cloud.at - low) / step, mass, level, n)

    def smoothed(kernel: int) -> Floats:
        return np.asarray(np.fft.irfft(_passed(laid, kernel, n), n) / step, dtype=np.float64)

    return Marginal(
        low + step * np.arange(float(n)),
        _run(smoothed(_SHARP), step),
        lambda: np.maximum(smoothed(_SMOOTH), 0.0),
        lambda: _run(smoothed(_BLURRED), step),
    )


def _run(density: Floats, step: float) -> Floats:
    """The distribution function by the trapezoid rule; ripples from sharp edges must not make it fall."""
    cdf = np.maximum.accumulate((np.cumsum(density) - 0.5 * density) * step)
    return np.asarray(np.clip(cdf, 0.0, 1.0), dtype=np.float64)


def _laid(place: Floats, mass: Floats, level: Floats, n: int) -> list[tuple[int, NDArray[np.complex128]]]:
    """Transforms of the masses whose kernel is of one level (from 1), level by level; places in steps of the fine grid.

    Wide kernels need only a coarse grid: each doubling of the width halves the number of points.
    """
    nearest = np.rint(level).astype(np.int64)
    octave = np.arange(int(nearest.max()) + 2) // _LEVELS_PER_DOUBLING
    points = n >> octave
    start = np.concatenate([[0], np.cumsum(points)])
    laid = np.zeros(int(start[-1]))
    scale = 0.5**octave
    for begin in range(0, mass.size, PIECE):
        piece = slice(begin, begin + PIECE)
        # Shared among three levels so that the kernel changes smoothly from node to node, or the sum would ripple.
        off = level[piece] - nearest[piece]
        for neighbours, share in ((-1, (0.5 - off) ** 2 / 2), (0, 0.75 - off**2), (1, (0.5 + off) ** 2 / 2)):
            row = nearest[piece] + neighbours
            _deposit(laid, place[piece] * scale[row], mass[piece] * share, start[row], points[row])
    items: list[tuple[int, NDArray[np.complex128]]] = []
    for one, size in enumerate(points.tolist()):
        masses = laid[start[one] : start[one] + size]
        if masses.any():
            items.append((one, np.fft.rfft(masses)[: _kernels(n, one)[0].size]))
    return items


def _passed(laid: list[tuple[int, NDArray[np.complex128]]], kernel: int, n: int) -> NDArray[np.complex128]:
    """The transform of all masses, each smoothed by the kernel of its level."""
    total = np.zeros(n // 2 + 1, dtype=np.complex128)
    for level, result in laid:
        total[: result.size] += result * _kernels(n, level)[kernel]
    return total


# A few megabytes at most: the fine grid has one of six sizes.
@cache
def _kernels(n: int, level: int) -> tuple[Floats, Floats, Floats]:
    """What each kernel of a level lets pass on its octave's part of a grid of n points, from frequency 0 up.

    In steps of that octave's grid the kernels are 10 to 20 wide: what they let pass is far below the grid's limit.
    """
    octave = level // _LEVELS_PER_DOUBLING
    size = n >> octave
    frequency = 2 * np.pi * np.arange(size // 2 + 1) / size
    width = _STEPS * 2.0 ** (level / _LEVELS_PER_DOUBLING - octave)
    passed = frequency[frequency * width < _CUT]
    # The spline that laid the masses on the grid is taken out again.
    spline = np.sinc(passed / (2 * np.pi)) ** 3
    sharp, blurred = (np.interp(passed * width * by, _RESPONSE_AT, _RESPONSE) / spline for by in (1.0, _WIDER))
    q = (passed * width * _SMOOTHER) ** 2 / 2
    return sharp, blurred, (1 + q + q * q / 2) * np.exp(-q) / spline


def _size(width: Floats, mass: Floats, extent: float) -> int:
    """Points of the fine grid: so many that all but half a per cent of the mass has its kernel resolved."""
    order = np.log2(np.maximum(width, extent / _MOST))
    base = np.floor(order.min())
    run = np.cumsum(np.bincount((order - base).astype(np.int64), mass))
    fine = 2.0 ** (base + np.searchsorted(run, 0.005)) / _STEPS
    return int(np.clip(2 ** np.ceil(np.log2(extent / fine)), _LEAST, _MOST))


def _deposit(laid: Floats, place: Floats, mass: Floats, start: np.ndarray, points: np.ndarray) -> None:
    """Lay masses by a quadratic spline on grids that stand one after the other; places in steps of each one's grid."""
    cell = np.rint(np.clip(place, 1.0, points - 2.0)).astype(np.int64)
    f = place - cell
    cell += start
    for neighbours, share in ((-1, (0.5 - f) ** 2 / 2), (0, 0.75 - f**2), (1, (0.5 + f) ** 2 / 2)):
        np.add.at(laid, cell + neighbours, mass * share)


def share_below(cut: float, at: Floats, spacing: Floats) -> Floats:
    """The share of each node's cell that lies below a cut, by the same kind of kernel; all of one shape."""
    u, below = _kernel_cdf()
    return np.asarray(np.interp((cut - at) / (_WIDTH * np.maximum(spacing, 1e-12)), u, below))


@cache
def _kernel_cdf() -> tuple[Floats, Floats]:
    """The kernel's distribution function: 1/2 + (1/pi) times the integral of sin(k u) K(k) / k."""
    k = np.linspace(0, 12, 1201)[1:]
    u = np.linspace(-20, 20, 1601)
    step = k[1] - k[0]
    response = gammaincc(_ORDER, k**2 / 2) / k
    # The trapezoid rule; at k = 0 the integrand is u.
    integral = (np.sin(np.outer(u, k)) @ response + 0.5 * u) * step
    return u, 0.5 + integral / np.pi


@dataclass(frozen=True, eq=False)
class RateMarginal:
    """One probability: its distribution on the logit scale, and its mean and standard deviation."""

    found: Marginal
    mean: float
    sd: float

    @staticmethod
    def of_cloud(cloud: Cloud) -> "RateMarginal":
        """From nodes on the logit scale."""
        return RateMarginal(marginal(cloud), *_moments(cloud.at, cloud.mass))

    @staticmethod
    def of_marginal(result: Marginal) -> "RateMarginal":
        """From a distribution on a fine grid."""
        return RateMarginal(result, *_moments((result.at[1:] + result.at[:-1]) / 2, np.diff(result.cdf)))

    def mirrored(self) -> "RateMarginal":
        """The same of one minus the probability."""
        return RateMarginal(self.found.mirrored(), 1 - self.mean, self.sd)

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


def summarise(name: str, rate_marginal: RateMarginal, level: float) -> Summary:
    """All numbers of one parameter."""
    result, mean, sd = rate_marginal.found, rate_marginal.mean, rate_marginal.sd
    q05, q25, median, q75, q95 = probability(result.quantile(SHARES)).tolist()
    low, high = shortest(result, level)
    return Summary(ParameterName(name), mean, sd, median, q05, q25, q75, q95, low, high, modes(result))


def shortest(result: Marginal, level: float) -> tuple[float, float]:
    """The shortest interval, on the probability scale, that holds so much mass."""
    start = np.linspace(0.0, 1 - level, 2001)
    for _ in range(3):
        width = probability(result.quantile(start + level)) - probability(result.quantile(start))
        best = int(width.argmin())
        low, high = start[max(best - 2, 0)], start[min(best + 2, start.size - 1)]
        chosen = start[best]
        start = np.linspace(low, high, 201)
    ends = probability(result.quantile(np.array([chosen, min(chosen + level, 1.0)])))
    return float(ends[0]), float(ends[1])


def modes(result: Marginal) -> tuple[Mode, ...]:
    """The peaks of the density on the probability scale, the one with the most mass first."""
    at = _places(result)
    density = _density(result, at)
    value = probability(at)
    peaks, dips = _peaks(density, result, at)
    cuts = np.interp(at[dips], result.at, result.cdf) if dips else np.empty(0)
    masses = np.diff(np.concatenate([[0.0], cuts, [1.0]]))
    ends = {0: _end(result, upper=False), at.size - 1: _end(result, upper=True)}
    rows = [Mode(ends.get(k, float(value[k])), float(mass)) for k, mass in zip(peaks, masses, strict=True)]
    return tuple(sorted(rows, key=lambda mode: -mode.mass))


def _end(result: Marginal, *, upper: bool) -> float:
    """Where a density that still rises in the last per mille is highest: an edge, if it rises to there."""
    shares = np.array([_FAR_EDGE, _EDGE])
    low, high = result.quantile(1 - shares[::-1] if upper else shares)
    at = np.linspace(low, high, 101)
    top = int(_density(result, at).argmax())
    outermost, value = (100, 1.0) if upper else (0, 0.0)
    return value if top == outermost else float(probability(at)[top])


def valley(result: Marginal) -> float | None:
    """Where (logit scale) the density is lowest between two peaks, if it falls below half the lower one; else None."""
    at = _places(result)
    density = _density(result, at)
    peaks, dips = _peaks(density, result, at)
    depth = {dip: density[dip] / min(density[a], density[b]) for dip, (a, b) in zip(dips, pairwise(peaks), strict=True)}
    if not depth:
        return None
    deepest = min(depth, key=lambda dip: depth[dip])
    return float(at[deepest]) if depth[deepest] < _APART else None


def curve(result: Marginal) -> Curve:
    """The density on the probability scale, for drawing: points crowd where the mass is."""
    low, high = result.quantile(np.array([_EDGE / 10, 1 - _EDGE / 10]))
    even = np.linspace(probability(low), probability(high), _CURVE)
    value = np.union1d(even, probability(result.quantile(np.linspace(_EDGE / 10, 1 - _EDGE / 10, _CURVE))))
    value = value[(value > 0) & (value < 1)]
    at = np.log(value / (1 - value))
    return Curve(value, _density(result, at))


def _places(result: Marginal) -> Floats:
    low, high = result.quantile(np.array([_EDGE, 1 - _EDGE]))
    return np.linspace(low, high, _POINTS)


def _density(result: Marginal, at: Floats) -> Floats:
    """Per unit of probability."""
    value = probability(at)
    return np.asarray(np.interp(at, result.at, result.density) / np.maximum(value * (1 - value), 1e-300))


def _peaks(density: Floats, result: Marginal, at: Floats) -> tuple[list[int], list[int]]:
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
            cuts = np.interp(at[dips], result.at, result.cdf) if dips else np.empty(0)
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
