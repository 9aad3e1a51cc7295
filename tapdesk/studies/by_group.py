"""An analysis of every group of the ratings: one that cannot answer says why, and the others go on (models.md §8)."""

from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import analyse
from tapdesk.studies.groups import Group, groups
from tapdesk.studies.parallel import in_parallel
from tapdesk.studies.request import Request
from tapdesk.studies.table import Table
from tapdesk.studies.unfinished import Kept

# Cases a group needs to have two ratings of: fewer may fit any model by luck.
LEAST = 5
# Value, cases, ratings, why there are no numbers, and each number with the ends of its interval.
_Number: TypeAlias = tuple[str, float | None, float | None, float | None]
_Told: TypeAlias = tuple[str, int, int, str | None, tuple[_Number, ...]]


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
    ratings: Ratings, variable: str, request: Request, workers: int = 1, kept: Kept | None = None
) -> Run[Table]:
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
    return Table("groups", (own, *rest), tuple(rows))


def _row(request: Request, group: Group) -> Run[_Told]:
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
