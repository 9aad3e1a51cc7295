"""Any study of every group of the ratings: a group that cannot answer says why, and the others go on (models.md §8)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import analyse
from tapdesk.studies.groups import groups
from tapdesk.studies.request import Request
from tapdesk.studies.steps import within
from tapdesk.studies.table import Table

T = TypeVar("T")


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
        own = group.ratings
        found, refused = None, _nothing_apart(own, group.value)
        if refused is None:
            try:
                found = yield from within(study(own), done, len(parts), "groups")
            except TapdeskError as error:
                refused = f"Group '{group.value}': {error.what}"
        pieces.append(Piece(group.value, own.subject_count, own.rating_count, found, refused))
    yield Step(len(parts), len(parts), "groups")
    if all(piece.found is None for piece in pieces):
        first = pieces[0].refused if pieces else f"The column '{variable}' has no values."
        raise CannotAnswerError(
            f"No group can answer. {first}", fix="Put several groups together, or ask of all ratings."
        )
    return tuple(pieces)


def _nothing_apart(own: Ratings, value: str) -> str | None:
    """Why nothing can be learned of a group, whatever the study."""
    if own.subject.size == 0 or own.rating_count == 0:
        return f"Group '{value}' has no ratings, so it says nothing."
    used = own.class_rates() > 0
    if used.sum() < 2:
        only = own.classes[int(used.argmax())]
        return f"All {own.rating_count:,} ratings of group '{value}' are '{only}', so there is nothing to tell apart."
    if not (own.subject_weights()[own.ratings_per_subject() > 1] > 0).any():
        return f"No case of group '{value}' has two ratings, so there is no agreement to learn from."
    return None


def group_table(ratings: Ratings, variable: str, request: Request) -> Run[Table]:
    """An analysis of every group.

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
    pieces = yield from by_group(ratings, variable, lambda own: analyse(own, request))
    names = list(dict.fromkeys(str(e.name) for p in pieces if p.found is not None for e in p.found.estimates))
    rows = []
    for piece in pieces:
        told = {} if piece.found is None else {str(e.name): e.estimate for e in piece.found.estimates}
        cells = [getattr(told.get(n), field, None) for n in names for field in ("value", "low", "high")]
        open_ = piece.found.identification.words if piece.found and not piece.found.identification.identified else None
        rows.append((piece.value, piece.subjects, piece.ratings, *cells, piece.refused or open_))
    rest = ("cases", "ratings", *(f"{n}{end}" for n in names for end in ("", " low", " high")), "why_not")
    # A column of the file may have the name of one of ours.
    own = f"{variable} (group)" if variable in rest else variable
    return Table("groups", (own, *rest), tuple(rows))
