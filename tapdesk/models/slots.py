"""Which reported number is which element of the parameter arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tapdesk.models.model import Accuracy, Guessing, Truth
from tapdesk.models.parameters import ParameterName
from tapdesk.models.space import Space


class Freedom(Enum):
    """Whether a reported parameter was estimated, follows another one or was held."""

    FREE = "free"
    TIED = "tied"
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Slot:
    """One reported number: its name, its freedom, and where it stands.

    Attributes
    ----------
    name
        As reported.
    freedom
        Free, tied or fixed.
    part
        Field of `Parameters`.
    index
        Index into that field, without a leading batch axis.
    """

    name: ParameterName
    freedom: Freedom
    part: str
    index: tuple[int, ...]


def slots(space: Space, classes: Sequence[str], units: Sequence[str], covariates: Sequence[str] = ()) -> list[Slot]:
    """Everything a fit of this model reports, in the order of reports: t, a (or slopes), p (or pi).

    Parameters
    ----------
    space
        The model on its design.
    classes
        Class labels; two classes are told as class 1 only (cli.md, "Names").
    units
        Rater names, for per-rater parts.
    covariates
        Names of the columns of the design after the intercept.
    """
    return _truth(space, classes) + _accuracy(space, classes, units, covariates) + _guessing(space, classes, units)


def _told(classes: Sequence[str]) -> list[tuple[int, str | None]]:
    """Index and label of the classes told apart: class 1 alone, without a label, for two."""
    return [(1, None)] if len(classes) == 2 else list(enumerate(classes))


def _truth(space: Space, classes: Sequence[str]) -> list[Slot]:
    freedom = Freedom.FREE if space.model.truth is Truth.FREE else Freedom.FIXED
    return [Slot(ParameterName("t", label), freedom, "truth", (c,)) for c, label in _told(classes)]


def _accuracy(space: Space, classes: Sequence[str], units: Sequence[str], covariates: Sequence[str]) -> list[Slot]:
    kind = space.model.accuracy
    free = Freedom.FREE
    if kind is Accuracy.ONE:
        return [Slot(ParameterName("a"), free, "accuracy", (0, 0))]
    if kind is Accuracy.PER_CLASS:
        names = [("a0", None), ("a1", None)] if len(classes) == 2 else [("a", label) for label in classes]
        return [Slot(ParameterName(n, label), free, "accuracy", (0, c)) for c, (n, label) in enumerate(names)]
    if kind is Accuracy.PER_RATER:
        return [Slot(ParameterName("a", rater=unit), free, "accuracy", (u, 0)) for u, unit in enumerate(units)]
    if kind is Accuracy.REGRESSION:
        columns = ["(intercept)", *covariates]
        return [Slot(ParameterName("b", covariate=x), free, "slopes", (i,)) for i, x in enumerate(columns)]
    return []


def _guessing(space: Space, classes: Sequence[str], units: Sequence[str]) -> list[Slot]:
    kind = space.model.guessing
    told = _told(classes)
    if kind is Guessing.PER_RATER_AND_CLASS:
        return [
            Slot(ParameterName("pi", true, unit, rated), Freedom.FREE, "guessing", (u, k, c))
            for u, unit in enumerate(units)
            for k, true in enumerate(classes)
            for c, rated in enumerate(classes)
        ]
    if kind is Guessing.PER_CLASS:
        if len(classes) == 2:
            return [Slot(ParameterName(f"p{k}"), Freedom.FREE, "guessing", (0, k, 1)) for k in (0, 1)]
        return [
            Slot(ParameterName("p", true, rated=rated), Freedom.FREE, "guessing", (0, k, c))
            for k, true in enumerate(classes)
            for c, rated in enumerate(classes)
        ]
    if kind is Guessing.PER_RATER:
        return [
            Slot(ParameterName("p", label, unit), Freedom.FREE, "guessing", (u, 0, c))
            for u, unit in enumerate(units)
            for c, label in told
        ]
    freedom = {Guessing.ONE: Freedom.FREE, Guessing.AS_TRUTH: Freedom.TIED}.get(kind, Freedom.FIXED)
    return [Slot(ParameterName("p", label), freedom, "guessing", (0, 0, c)) for c, label in told]
