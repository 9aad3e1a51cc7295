"""Any analysis by a variable of subjects, raters or ratings: a group that cannot answer says why (models.md §8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from tapdesk.errors import CannotAnswerError, TapdeskError, UsageError
from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.ratings import CovariateOf, Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.checkpoint import FinishedPieces
from tapdesk.studies.parallel import in_parallel
from tapdesk.studies.table import StudyTable

# Cases a group needs to have two ratings of: fewer may fit any model by luck.
LEAST = 5
# Value, cases, ratings, why there are no numbers, and each number with the ends of its interval.
_Number: TypeAlias = tuple[str, float | None, float | None, float | None]
_Told: TypeAlias = tuple[str, int, int, str | None, tuple[_Number, ...]]


@dataclass(frozen=True, eq=False)
class RatingGroup:
    """The ratings that share a value of a variable."""

    value: str
    ratings: Ratings


def groups(ratings: Ratings, variable: str, most: int = 100) -> tuple[RatingGroup, ...]:
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
    told = np.array([_label(value) for value in values], dtype=object)
    distinct = sorted(set(told.tolist()), key=_order)
    if len(distinct) > most:
        raise CannotAnswerError(
            _("The column '{variable}' has {distinct} different values, too many for groups.").format(
                variable=Label(variable), distinct=len(distinct)
            ),
            fix=_("Choose a column with few values, or put its values into ranges."),
        )
    return tuple(RatingGroup(value, ratings.keep(told == value)) for value in distinct)


def _label(value: object) -> str:
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


def _none(reasons: Sequence[str | None], variable: str) -> CannotAnswerError:
    """What is said where no group can answer."""
    first = reasons[0] if reasons else _("The column '{variable}' has no values.").format(variable=Label(variable))
    return CannotAnswerError(
        _("No group can answer. {first}").format(first=first),
        fix=_("Put several groups together, or ask of all ratings."),
    )


def _nothing_apart(own: Ratings, value: str) -> str | None:
    """Why nothing can be learned of a group, whatever the study."""
    if own.subject.size == 0 or own.rating_count == 0:
        return _("Group '{value}' has no ratings, so it says nothing.").format(value=Label(value))
    used = own.class_rates() > 0
    if used.sum() < 2:
        only = own.classes[int(used.argmax())]
        return _("All {n:,} ratings of group '{value}' are '{only}', so there is nothing to tell apart.").format(
            n=own.rating_count, value=Label(value), only=Label(only)
        )
    compared = int(own.subject_weights()[own.ratings_per_subject() > 1].sum())
    if 0 < compared < LEAST:
        return ngettext(
            "Only {n} case has two ratings in group '{value}', too few to fit: {least} are needed.",
            "Only {n} cases have two ratings in group '{value}', too few to fit: {least} are needed.",
            compared,
        ).format(n=compared, value=Label(value), least=LEAST)
    if not compared:
        return _("No case of group '{value}' has two ratings, so there is no agreement to learn from.").format(
            value=Label(value)
        )
    return None


def group_table(
    ratings: Ratings, variable: str, request: Request, workers: int = 1, kept: FinishedPieces | None = None
) -> Run[StudyTable]:
    """An analysis of every group.

    Parameters
    ----------
    ratings, variable
        The data, and the column whose values make the groups.
    request
        What is asked of each group.
    workers
        Number of processes; the table is the same whatever it is.
    kept
        What an earlier run of the same study had finished when it was ended; what is finished now goes there.

    Yields
    ------
    Step
        Phase ``groups``.

    Returns
    -------
    Table
        One row for each value of the column: ``cases``, ``ratings``, every number with its interval (``a``, ``a low``,
        ``a high``), and ``why_not``, the reason where there are none.

    Raises
    ------
    UsageError
        When there is no such column.
    CannotAnswerError
        When the column has too many values, or no group can answer.
    """
    parts = groups(ratings, variable)
    found = yield from in_parallel(partial(_row, request), parts, workers, "groups", kept)
    if all(not numbers for *_told, numbers in found):
        raise _none([why for *_told, why, _numbers in found], variable)
    names = list(dict.fromkeys(name for *_told, numbers in found for name, *_values in numbers))
    rows = []
    for value, subjects, count, why, numbers in found:
        told = {name: values for name, *values in numbers}
        cells = [cell for name in names for cell in told.get(name, (None, None, None))]
        rows.append((value, subjects, count, *cells, why))
    rest = ("cases", "ratings", *(f"{n}{end}" for n in names for end in ("", " low", " high")), "why_not")
    # A column of the file may have the name of one of ours.
    own = f"{variable} (group)" if variable in rest else variable
    return StudyTable("groups", (own, *rest), tuple(rows))


def _row(request: Request, group: RatingGroup) -> Run[_Told]:
    """One group as plain values."""
    own = group.ratings
    head = group.value, own.subject_count, own.rating_count
    why = _nothing_apart(own, group.value)
    if why is not None:
        return *head, why, ()
    try:
        fit = yield from analyse(own, request)
    except TapdeskError as error:
        return *head, _("Group '{value}': {reason}").format(value=Label(group.value), reason=error.what), ()
    why = None if fit.identification.identified else fit.identification.words
    return *head, why, tuple((str(e.name), e.estimate.value, e.estimate.low, e.estimate.high) for e in fit.estimates)
