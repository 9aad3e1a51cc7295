"""Whether values from a project file fit together, where their classes do not see to it themselves."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from tapdesk.fitting.fit import Curve, Draws, Fit, JointDensity, Trace
from tapdesk.fitting.profile import Profile
from tapdesk.models.parameters import Parameters
from tapdesk.project.files.arrays import DamagedError
from tapdesk.ratings.colours import COLOURS
from tapdesk.ratings.ratings import CovariateOf, Ratings


def check(value: Any) -> None:
    """Refuse a value whose parts do not fit together.

    Raises
    ------
    DamagedError
        Saying which part does not fit.
    """
    sound = _SOUND.get(type(value))
    if sound is not None and not sound(value):
        raise DamagedError(f"the parts of {type(value).__name__} do not fit together")


def _ratings(r: Ratings) -> bool:
    lengths = {CovariateOf.SUBJECT: len(r.subjects), CovariateOf.RATER: len(r.raters), CovariateOf.RATING: r.rater.size}
    columns = all(c.values.shape == (lengths[c.of],) for c in r.covariates.values())
    coloured = len(r.colours) == len(r.classes) and all(not c or c in COLOURS for c in r.colours)
    return columns and coloured and len(r.members) == len(r.classes) == len(set(r.classes))


def _parameters(p: Parameters) -> bool:
    k = p.truth.size
    if (p.truth.ndim, p.accuracy.ndim, p.guessing.ndim, p.slopes.ndim) != (1, 2, 3, 1):
        return False
    by_class = p.accuracy.shape[1] in {1, k} and p.guessing.shape[1] in {1, k} and p.guessing.shape[2] == k
    return by_class and p.accuracy.shape[0] > 0 and p.guessing.shape[0] > 0


def _fit(f: Fit) -> bool:
    k = len(f.classes)
    if f.parameters.truth.size != k or any(o.parameters.truth.size != k for o in f.optima):
        return False
    if f.subject_posterior is not None and (f.subject_posterior.ndim != 2 or f.subject_posterior.shape[1] != k):
        return False
    for slot in f.slots:
        if slot.part not in {"truth", "accuracy", "guessing", "slopes"}:
            return False
        shape = getattr(f.parameters, slot.part).shape
        if len(shape) != len(slot.index) or not all(0 <= i < n for i, n in zip(slot.index, shape, strict=True)):
            return False
    return True


def _draws(d: Draws) -> bool:
    return all(v.ndim == 1 for v in d.values.values()) and len({v.size for v in d.values.values()}) <= 1


def _surface(s: JointDensity) -> bool:
    return s.density.shape == (s.x_edges.size - 1, s.y_edges.size - 1) and s.x_edges.ndim == s.y_edges.ndim == 1


def _profile(p: Profile) -> bool:
    return p.at.ndim == 1 and p.at.shape == p.log_likelihood.shape


def _curve(c: Curve) -> bool:
    return c.x.ndim == 1 and c.x.shape == c.density.shape


def _trace(t: Trace) -> bool:
    return t.log_likelihood.ndim == 1


_SOUND: Mapping[type, Callable[[Any], bool]] = MappingProxyType(
    {
        Ratings: _ratings,
        Parameters: _parameters,
        Fit: _fit,
        Draws: _draws,
        JointDensity: _surface,
        Profile: _profile,
        Curve: _curve,
        Trace: _trace,
    }
)
