"""From ratings to a model's patterns: who is a unit, and what the regression knows of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy, RaterModel
from tapdesk.models.parameters import ParameterName
from tapdesk.models.slots import Slot, slots
from tapdesk.models.space import Space
from tapdesk.ratings.patterns import Patterns, tabulate
from tapdesk.ratings.ratings import CovariateOf, IntArray, Ratings


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
    told = tuple(slots(space, ratings.classes, names, covariates))
    return Design(space, patterns, names, ratings.classes, told)


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
