"""Any analysis by a variable of subjects, raters or ratings; the stored data never change."""

from dataclasses import dataclass

import numpy as np

from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import CovariateOf, Ratings


@dataclass(frozen=True, eq=False)
class Group:
    """The ratings that share a value of a variable."""

    value: str
    ratings: Ratings


def groups(ratings: Ratings, variable: str, most: int = 100) -> tuple[Group, ...]:
    """Ratings split by the values of a further column, in the order of the values (numbers before text).

    Parameters
    ----------
    ratings
        The data.
    variable
        Name of the column.
    most
        More values than this are refused: the column is then a measurement, not a grouping.

    Raises
    ------
    UsageError
        When there is no such column.
    CannotAnswerError
        When it has too many values.
    """
    if variable not in ratings.covariates:
        known = ", ".join(ratings.covariates) or "none"
        raise UsageError(
            _("There is no column '{variable}'.").format(variable=Label(variable)),
            fix=_("The further columns are: {known}.").format(known=known),
        )
    column = ratings.covariates[variable]
    row = {CovariateOf.SUBJECT: ratings.subject, CovariateOf.RATER: ratings.rater}
    values = column.values[row[column.of]] if column.of in row else column.values
    told = np.array([_told(value) for value in values], dtype=object)
    distinct = sorted(set(told.tolist()), key=_order)
    if len(distinct) > most:
        raise CannotAnswerError(
            _("The column '{variable}' has {distinct} different values, too many for groups.").format(
                variable=Label(variable), distinct=len(distinct)
            ),
            fix=_("Choose a column with few values, or put its values into ranges."),
        )
    return tuple(Group(value, ratings.keep(told == value)) for value in distinct)


def _told(value: object) -> str:
    """A value as its group is named; whole numbers without decimals, gaps by a dash."""
    if isinstance(value, float | np.floating):
        if np.isnan(value):
            return "–"
        return str(int(value)) if float(value).is_integer() else f"{float(value):g}"
    return "–" if value is None or value == "" else str(value)


def _order(name: str) -> tuple[int, float, str]:
    try:
        return (0, float(name), name)
    except ValueError:
        return (1, 0.0, name)
