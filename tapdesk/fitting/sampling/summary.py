"""Summaries and densities of draws."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.posterior import Curve, Mode, Summary
from tapdesk.models.parameters import ParameterName
from tapdesk.models.stack import FloatArray
from tapdesk.progress import Run, Step

_POINTS = 512
# Two peaks are two when the density between them falls below this part of the lower one, and each holds this mass.
_DIP = 0.7
_LEAST_MASS = 0.02


def summarise(name: ParameterName, draws: FloatArray, level: float, worth: float) -> tuple[Summary, Curve]:
    """Summary and density of one number.

    Parameters
    ----------
    name
        The number; all but slopes lie between 0 and 1.
    draws
        Shape (n,).
    level
        Mass of the shortest interval.
    worth
        How many independent draws they are worth; decides how much the density is smoothed.
    """
    # As in `diagnosis`: loads scipy.stats.
    from arviz_stats.base.array import array_stats

    stats: Any = array_stats
    q05, q25, median, q75, q95 = np.quantile(draws, (0.05, 0.25, 0.5, 0.75, 0.95)).tolist()
    low, high = np.asarray(stats.hdi(draws, level)).tolist()
    density = smoothed(draws, worth, bounded=name.name != "b")
    mean, sd = float(draws.mean()), float(draws.std(ddof=1))
    return Summary(name, mean, sd, median, q05, q25, q75, q95, low, high, modes(density)), density


def smoothed(draws: FloatArray, worth: float, *, bounded: bool) -> Curve:
    """Kernel density of draws (n,), Silverman's width for so many independent ones; mirrored at 0 and 1 if bounded."""
    sd = float(draws.std())
    spread = min(sd, float(np.subtract(*np.quantile(draws, (0.75, 0.25)))) / 1.34) or sd
    if spread == 0:
        return Curve(np.array([draws[0]]), np.array([np.inf]))
    width = 1.06 * spread * max(worth, 10.0) ** -0.2
    low, high = float(draws.min()) - 3 * width, float(draws.max()) + 3 * width
    if bounded:
        low, high = max(low, 0.0), min(high, 1.0)
    edges = np.linspace(low, high, _POINTS + 1)
    counts = np.histogram(draws, edges)[0].astype(np.float64)
    step = float(edges[1] - edges[0])
    reach = int(np.ceil(4 * width / step))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) * step / width) ** 2)
    wide = np.convolve(counts, kernel / kernel.sum())
    inner = wide[reach : reach + _POINTS].copy()
    if bounded and low == 0.0:
        _fold(inner, wide[:reach][::-1])
    if bounded and high == 1.0:
        _fold(inner[::-1], wide[reach + _POINTS :])
    return Curve((edges[1:] + edges[:-1]) / 2, inner / (counts.sum() * step))


def _fold(inner: FloatArray, outside: FloatArray) -> None:
    """What the kernel put beyond an edge comes back, nearest first."""
    n = min(inner.size, outside.size)
    inner[:n] += outside[:n]


def modes(density: Curve) -> tuple[Mode, ...]:
    """The peaks of a density, the heaviest first; a peak in the first or last cell of [0, 1] stands at 0 or 1."""
    x, d = density.x, density.density
    if x.size == 1:
        return (Mode(float(x[0]), 1.0),)
    rise = np.diff(d) > 0
    turns: NDArray[np.int64] = np.flatnonzero(rise[:-1] & ~rise[1:]) + 1
    peaks = ([] if rise[0] else [0]) + turns.tolist() + ([d.size - 1] if rise[-1] else [])
    run = np.cumsum(d) / d.sum()
    while len(peaks) > 1:
        dips = [a + int(d[a : b + 1].argmin()) for a, b in pairwise(peaks)]
        depth = [d[c] / min(d[a], d[b]) for c, (a, b) in zip(dips, pairwise(peaks), strict=True)]
        masses = np.diff(np.concatenate([[0.0], run[dips], [1.0]]))
        k, light = int(np.argmax(depth)), int(masses.argmin())
        if depth[k] > _DIP:
            peaks.pop(k if d[peaks[k]] < d[peaks[k + 1]] else k + 1)
        elif masses[light] < _LEAST_MASS:
            peaks.pop(light)
        else:
            break
    cuts = [a + int(d[a : b + 1].argmin()) for a, b in pairwise(peaks)]
    masses = np.diff(np.concatenate([[0.0], run[cuts], [1.0]]))
    half = float(x[1] - x[0]) / 2
    rows = [Mode(_edge(float(x[k]), half), float(m)) for k, m in zip(peaks, masses, strict=True)]
    return tuple(sorted(rows, key=lambda mode: -mode.mass))


def _edge(at: float, half: float) -> float:
    if abs(at - half) < 1e-12:
        return 0.0
    return 1.0 if abs(1 - at - half) < 1e-12 else at


def summaries(
    values: Mapping[ParameterName, FloatArray], level: float, worth: float, sign: Step
) -> Run[tuple[tuple[Summary, ...], dict[ParameterName, Curve]]]:
    """Summaries and densities of all numbers, in their order, with a sign of life after each."""
    rows, curves = [], {}
    for name, draws in values.items():
        row, curves[name] = summarise(name, draws, level, worth)
        rows.append(row)
        yield sign
    return tuple(rows), curves
