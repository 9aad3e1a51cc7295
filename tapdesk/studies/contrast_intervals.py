"""How far one number lies above another, with an interval: from two likelihoods, from two intervals, or from resamples.

Numbers of other cases share nothing. Their joint model has a part for each, so its profile along the difference is
what both profiles add up to where each goes as far as costs least (models_more.md §2, ``tg-ag-pg``). Where there is no
profile the squares of both reaches are added (G. Y. Zou & A. Donner, 2008, Stat. Med. 27, 1693). Numbers of the same
cases move together, which only cases drawn again for both can show; on the edge of what is possible these hardly move,
and the interval is that of numbers that share nothing.
"""

import numpy as np
from scipy.special import chdtri, ndtri

from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting.profile import Profile
from tapdesk.language import gettext as _
from tapdesk.models.parameters import FloatArray

ALIKE, JOINT, ADDED, RESAMPLED = "alike", "joint", "square-and-add", "resamples"
NO_INTERVALS = _("One of the two has no interval, so nothing shows how sure the difference is.")
ADRIFT = _("In too many of the resamples one of the two has no value, so their spread is not shown.")
_FINE = 801
_NOTHING = 1e-12
# A number so near to 0 or 1 in so many of the draws hardly moves, however little is known of it.
_EDGE, _OFTEN = 0.005, 0.05
_KNOWN = 0.95


def joint_difference(one: Profile, other: Profile, values: tuple[float, float], level: float) -> Estimate:
    """The second number less the first, of cases that are not shared, from their joint likelihood.

    Parameters
    ----------
    one, other
        The profile likelihood of each, on the scale from 0 to 1.
    values
        The estimates.
    level
        Of the interval.
    """
    grid = np.linspace(0.0, 1.0, _FINE)
    costs = [_root_drop(p, value, grid) ** 2 for p, value in zip((one, other), values, strict=True)]
    value = values[1] - values[0]
    away = grid[None, :] - grid[:, None]
    near = costs[0][:, None] + costs[1][None, :] <= float(chdtri(1, 1 - level)) / 2
    # Both ends lie within a step of the grid; the estimate itself always belongs to them.
    reached = np.append(away[near], value)
    return Estimate(value).between(float(reached.min()), float(reached.max()), level, JOINT)


def _root_drop(profile: Profile, value: float, grid: FloatArray) -> FloatArray:
    """Root of how far the profile lies below its maximum: nearly straight to both sides, so few points tell it."""
    at, drop = profile.at, np.sqrt(np.clip(profile.log_likelihood.max() - profile.log_likelihood, 0.0, None))
    signed = np.where(at < value, -drop, drop)
    keep = np.isfinite(signed)
    at, places = np.unique(at[keep], return_index=True)
    return np.asarray(np.abs(np.interp(grid, at, signed[keep][places], left=-np.inf, right=np.inf)))


def added_difference(one: Estimate, other: Estimate, level: float) -> Estimate:
    """The second number less the first, from their intervals; too wide where both rise and fall together.

    Parameters
    ----------
    one, other
        Both with a value.
    level
        Of the interval; those of the numbers are stretched to it.
    """
    if one.value is None or other.value is None:
        return undefined(one.undefined or other.undefined or NO_INTERVALS)
    value = other.value - one.value
    ends = (one.low, one.high, other.low, other.high)
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Estimate(value).without_interval(one.no_interval or other.no_interval or NO_INTERVALS)
    if not np.isfinite([end for end in ends if end is not None]).all():
        return Estimate(value).without_interval(NO_INTERVALS)
    stretch = _times(level) / _times(one.level or level)
    nearer = float(np.hypot(one.high - one.value, other.value - other.low)) * stretch
    farther = float(np.hypot(one.value - one.low, other.high - other.value)) * stretch
    return Estimate(value).between(value - nearer, value + farther, level, ADDED)


def drawn_difference(one: Estimate, other: Estimate, draws: tuple[FloatArray, FloatArray], level: float) -> Estimate:
    """The second number less the first, of cases that are shared: the spread of the difference in cases drawn again.

    Parameters
    ----------
    one, other
        Both with a value.
    draws
        Shape (B,) each: the numbers in the same draws.
    level
        Of the interval.
    """
    if one.value is None or other.value is None:
        return undefined(one.undefined or other.undefined or NO_INTERVALS)
    value = other.value - one.value
    known = np.isfinite(draws[0]) & np.isfinite(draws[1])
    if known.mean() < _KNOWN:
        return Estimate(value).without_interval(ADRIFT)
    away = draws[1][known] - draws[0][known]
    if abs(value) < _NOTHING and float(np.abs(away).max(initial=0.0)) < _NOTHING:
        return Estimate(0.0).between(0.0, 0.0, level, ALIKE)
    if _on_the_edge(one.value, draws[0][known]) or _on_the_edge(other.value, draws[1][known]):
        return added_difference(one, other, level)
    reach = _times(level) * float(away.std(ddof=1))
    return Estimate(value).between(value - reach, value + reach, level, RESAMPLED)


def _on_the_edge(value: float, draws: FloatArray) -> bool:
    """Whether a number lies on the edge of what is possible, in the data or in many of the draws."""
    there = (draws < _EDGE) | (draws > 1 - _EDGE)
    return value < _EDGE or value > 1 - _EDGE or bool(there.mean() > _OFTEN)


def _times(level: float) -> float:
    return float(ndtri((1 + level) / 2))
