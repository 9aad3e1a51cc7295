"""Any study of every group of the ratings: a group that cannot answer says why, and the others go on (models.md §8)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeAlias, TypeVar

from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import analyse
from tapdesk.studies.groups import Group, groups
from tapdesk.studies.parallel import in_parallel
from tapdesk.studies.request import Request
from tapdesk.studies.steps import within
from tapdesk.studies.table import Table
from tapdesk.studies.unfinished import Kept

T = TypeVar("T")
# Cases a group needs to have two ratings of: fewer may fit any model by luck.
LEAST = 5
# Value, cases, ratings, why there are no numbers, and each number with the ends of its interval.
_Number: TypeAlias = tuple[str, float | None, float | None, float | None]
_Told: TypeAlias = tuple[str, int, int, str | None, tuple[_Number, ...]]


@dataclass(frozen=True, eq=False)
class Piece(Generic[T]):
    """What one group says.

    Attributes
    ----------
    value
        The value its ratings share.
    subjects, ratings
        How many it has.
    found
        The answer; None where there is none.
    refused
        Why there is none, one sentence that names the group; else None.
    """

    value: str
    subjects: int
    ratings: int
    found: T | None
    refused: str | None = None


def by_group(ratings: Ratings, variable: str, study: Callable[[Ratings], Run[T]]) -> Run[tuple[Piece[T], ...]]:
    """Run a study on the ratings of each value of a column.

    Parameters
    ----------
    ratings
        The data; they are not changed.
    variable
        Name of a further column.
    study
        From ratings to a run.

    Yields
    ------
    Step
        Phase ``groups``.

    Raises
    ------
    UsageError
        When there is no such column.
    CannotAnswerError
        When the column has too many values, or no group can answer.
    """
    parts = groups(ratings, variable)
    pieces: list[Piece[T]] = []
    for done, group in enumerate(parts):
        yield Step(done, len(parts), "groups")
        pieces.append((yield from within(_of(group, study), done, len(parts), "groups")))
    yield Step(len(parts), len(parts), "groups")
    if all(piece.found is None for piece in pieces):
        raise _none([piece.refused for piece in pieces], variable)
    return tuple(pieces)


def _of(group: Group, study: Callable[[Ratings], Run[T]]) -> Run[Piece[T]]:
    """What one group says, or why it says nothing."""
    own = group.ratings
    found, refused = None, _nothing_apart(own, group.value)
    if refused is None:
        try:
            found = yield from study(own)
        except TapdeskError as error:
            refused = f"Group '{group.value}': {error.what}"
    return Piece(group.value, own.subject_count, own.rating_count, found, refused)


def _none(reasons: Sequence[str | None], variable: str) -> CannotAnswerError:
    """What is said where no group can answer."""
    first = reasons[0] if reasons else _("The column '{variable}' has no values.").format(variable=variable)
    return CannotAnswerError(
        _("No group can answer. {first}").format(first=first),
        fix=_("Put several groups together, or ask of all ratings."),
    )


def _nothing_apart(own: Ratings, value: str) -> str | None:
    """Why nothing can be learned of a group, whatever the study."""
    if own.subject.size == 0 or own.rating_count == 0:
        return _("Group '{value}' has no ratings, so it says nothing.").format(value=value)
    used = own.class_rates() > 0
    if used.sum() < 2:
        only = own.classes[int(used.argmax())]
        return _("All {n:,} ratings of group '{value}' are '{only}', so there is nothing to tell apart.").format(
            n=own.rating_count, value=value, only=only
        )
    compared = int(own.subject_weights()[own.ratings_per_subject() > 1].sum())
    if 0 < compared < LEAST:
        return ngettext(
            "Only {n} case has two ratings in group '{value}', too few to fit: {least} are needed.",
            "Only {n} cases have two ratings in group '{value}', too few to fit: {least} are needed.",
            compared,
        ).format(n=compared, value=value, least=LEAST)
    if not compared:
        return _("No case of group '{value}' has two ratings, so there is no agreement to learn from.").format(
            value=value
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
    UsageError, CannotAnswerError
        As `by_group`.
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
    piece = yield from _of(group, partial(analyse, request=request))
    if piece.found is None:
        return piece.value, piece.subjects, piece.ratings, piece.refused, ()
    fit = piece.found
    why = None if fit.identification.identified else fit.identification.words
    told = tuple((str(e.name), e.estimate.value, e.estimate.low, e.estimate.high) for e in fit.estimates)
    return piece.value, piece.subjects, piece.ratings, why, told
