"""From ratings to a model's patterns: who is a unit, what is reported of it, and where it stands in the arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy, Guessing, RaterModel
from tapdesk.models.parameters import FloatArray, ParameterName, Parameters, Stack
from tapdesk.models.space import Space
from tapdesk.ratings.patterns import Patterns, tabulate
from tapdesk.ratings.ratings import CovariateOf, IntArray, Ratings


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

    def value(self, point: Parameters) -> float:
        """The number at a point."""
        return float(getattr(point, self.part)[self.index])

    def column(self, stack: Stack) -> FloatArray:
        """Shape (B,): the number at many points."""
        return np.asarray(getattr(stack, self.part)[:, *self.index])


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


def _class_labels(classes: Sequence[str]) -> list[tuple[int, str | None]]:
    """Index and label of the classes told apart: class 1 alone, without a label, for two."""
    return [(1, None)] if len(classes) == 2 else list(enumerate(classes))


def _truth(space: Space, classes: Sequence[str]) -> list[Slot]:
    freedom = Freedom.FREE if space.model.truth.free else Freedom.FIXED
    return [Slot(ParameterName("t", label), freedom, "truth", (c,)) for c, label in _class_labels(classes)]


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
    labels = _class_labels(classes)
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
            for c, label in labels
        ]
    freedom = Freedom.FREE if kind.free else Freedom.TIED if kind is Guessing.AS_TRUTH else Freedom.FIXED
    return [Slot(ParameterName("p", label), freedom, "guessing", (0, 0, c)) for c, label in labels]


@dataclass(frozen=True, eq=False)
class Design:
    """One model on one set of ratings, tabulated.

    Attributes
    ----------
    space
        What is free.
    patterns
        Distinct evidence.
    units
        Names of the units (raters), empty where raters are pooled.
    classes
        Class labels.
    slots
        What is reported.
    """

    space: Space
    patterns: Patterns
    units: tuple[str, ...]
    classes: tuple[str, ...]
    slots: tuple[Slot, ...]


def design(model: RaterModel, ratings: Ratings) -> Design:
    """Tabulate ratings for a model.

    Raises
    ------
    UsageError
        When a covariate does not exist or is not numeric.
    """
    units, names, matrix = unit_of_ratings(model, ratings)
    covariates = model.covariates if model.accuracy is Accuracy.REGRESSION else ()
    count = max(len(names), 1)
    patterns = tabulate(ratings, units, count)
    space = Space(model, count, len(ratings.classes), ratings.class_rates(), matrix)
    sentences = tuple(slots(space, ratings.classes, names, covariates))
    return Design(space, patterns, names, ratings.classes, sentences)


def reported(model: RaterModel, ratings: Ratings) -> tuple[ParameterName, ...]:
    """The names of everything a fit of a model reports, in the order of reports, before anything is tabulated."""
    units = ratings.raters if model.by_rater else ()
    count = max(len(units), 1)
    space = Space(model, count, len(ratings.classes), ratings.class_rates(), np.zeros((count, 0)))
    return tuple(slot.name for slot in slots(space, ratings.classes, units, model.covariates))


def unit_of_ratings(
    model: RaterModel, ratings: Ratings
) -> tuple[IntArray | None, tuple[str, ...], NDArray[np.float64]]:
    """The unit of each rating (None where raters are pooled), names of the units, and their covariates (U, S).

    Raises
    ------
    UsageError
        When a covariate does not exist or is not numeric.
    """
    if model.by_rater:
        return ratings.rater, ratings.raters, np.zeros((len(ratings.raters), 0))
    if model.accuracy is Accuracy.REGRESSION:
        units, matrix = _covariate_units(ratings, model.covariates)
        return units, tuple(str(u) for u in range(matrix.shape[0])), matrix
    return None, (), np.zeros((1, 0))


def _covariate_units(ratings: Ratings, names: Sequence[str]) -> tuple[IntArray, NDArray[np.float64]]:
    """Unit of each rating (ratings with equal covariates share one), and the design matrix of the units."""
    if not names:
        raise UsageError(_("This model needs covariates."), fix=_("Name them with --covariates COL,COL."))
    columns = [np.ones(ratings.subject.size)]
    for name in names:
        if name not in ratings.covariates:
            known = ", ".join(ratings.covariates) or _("none")
            raise UsageError(
                _("There is no covariate '{name}'.").format(name=Label(name)),
                fix=_("The further columns are: {known}.").format(known=known),
            )
        c = ratings.covariates[name]
        row = {CovariateOf.SUBJECT: ratings.subject, CovariateOf.RATER: ratings.rater}
        values = c.values[row[c.of]] if c.of in row else c.values
        try:
            columns.append(np.asarray(values, dtype=np.float64))
        except ValueError:
            raise UsageError(
                _("The column '{name}' holds text, not numbers.").format(name=Label(name)),
                fix=_("Choose a column of numbers as covariate."),
            ) from None
    matrix = np.stack(columns, axis=1)
    if not np.isfinite(matrix).all():
        bad = names[int(np.argmax(~np.isfinite(matrix).all(axis=0))) - 1]
        raise UsageError(
            _("The column '{bad}' has gaps.").format(bad=Label(bad)),
            fix=_("Fill it for every rating, or leave it out."),
        )
    rows, unit = np.unique(matrix, axis=0, return_inverse=True)
    return unit.ravel(), rows
