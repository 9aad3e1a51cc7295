"""Which column is what: the user's word first, then names, then the values themselves."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings.count_numbers import is_count, likely
from tapdesk.ratings.dates import is_date
from tapdesk.ratings.findings import Finding, quoted
from tapdesk.ratings.layouts.header_words import COUNT, NAMING, RATER_ANYWHERE, RATING, SUBJECT, in_language, words
from tapdesk.ratings.numbers import is_number
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import IntArray
from tapdesk.ratings.table import Table

_LARGEST = 1_000_000_000  # a longer number is an identifier
_SEAT = re.compile(r"([^\W\d_]+)?[ _.-]*\d+")
_SEATS = RATER_ANYWHERE | {"rating", "score", "seat", "position"} | set("abcdefghijklmnopqrstuvwxyz")


@dataclass(frozen=True)
class Roles:
    """What each column is for.

    Attributes
    ----------
    layout
        Never AUTO.
    subject, rater, rating, question, count
        Names of columns, or None.
    columns
        The rating columns of a wide layout, or the class columns of a table of counts.
    guessed
        Names of the options that were guessed.
    findings
        What was noticed while guessing.
    """

    layout: Layout
    subject: str | None = None
    rater: str | None = None
    rating: str | None = None
    question: str | None = None
    count: str | None = None
    columns: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def is_called(name: str, kind: frozenset[str]) -> bool:
    """Whether a column name says what it is: one of the words, and no number (``Rater 2`` is one of several).

    The identifier of a rating (``annotation_id``) is neither a rating nor a case.
    """
    spoken = words(name)
    of_rating = "id" in spoken and bool(RATING.intersection(spoken))
    return bool(kind.intersection(spoken)) and not of_rating and not re.search(r"\d", name)


def is_numbered_seat(name: str) -> bool:
    """Whether a column name is a seat number rather than a person: ``3``, ``J3``, ``Rating 3``, ``Juez 2``."""
    named = _SEAT.fullmatch(name.strip())
    return named is not None and (named[1] is None or named[1].lower() in _SEATS)


def is_rater_column(name: str) -> bool:
    """Whether a column name is one rater of several: ``J3``, ``Rater B``."""
    return is_numbered_seat(name) or (bool(RATER_ANYWHERE.intersection(words(name))) and len(name.split()) > 1)


def named(table: Table, name: str, option: str) -> str:
    """The column the user means.

    Raises
    ------
    UsageError
        When there is no such column.
    """
    if name in table.names:
        return name
    loose = [n for n in table.names if n.strip().casefold() == name.strip().casefold()]
    if len(loose) == 1:
        return loose[0]
    raise UsageError(
        _("There is no column '{name}'.").format(name=Label(name)),
        option,
        _("The columns are {names}.").format(names=quoted(table.names, 20)),
    )


def question_rows(table: Table, question: str, only: str, name: str) -> IntArray:
    """Shape (n,): the rows that answer the question asked.

    Raises
    ------
    TapdeskError
        When no row does; the questions there are, are listed.
    """
    column = table.column(question)
    wanted = np.array([v.strip() == only.strip() for v in column.values], dtype=bool)
    rows = np.flatnonzero(wanted[column.codes])
    if not rows.size:
        raise TapdeskError(
            _("No row has '{only}' as its question.").format(only=Label(only)),
            f"{name}, {table.place(question)}",
            _("The questions are {values}.").format(values=quoted(sorted(distinct(table, question)), 8)),
        )
    return rows


def called(table: Table, kind: frozenset[str], *, apart_from: tuple[str | None, ...] = ()) -> str | None:
    """The column whose name says what it is: an exact name (``Rater``) before one of several words (``RaterAge``)."""
    known = in_language(table.names, kind)
    fit = [n for n in table.names if n not in apart_from and is_called(n, known)]
    # ``Fall`` is a case in German, and what a patient had in English: what it holds tells.
    return clearest([n for n in fit if kind is not SUBJECT or not holds_words_of_others(table, n)], known)


def holds_words_of_others(table: Table, name: str) -> bool:
    """Whether a column holds a few words again and again that other columns hold too, as answers are and no names."""
    own = distinct(table, name)
    if not own or 4 * len(own) > table.rows or any(map(is_number, own)):
        return False
    return any(len(own & distinct(table, n)) >= min(2, len(own)) for n in table.names if n != name)


def clearest(names: Iterable[str], known: frozenset[str]) -> str | None:
    """The name that says most plainly what it is; of equally plain ones the first."""

    def plainness(name: str) -> int:
        more = set(words(name)) - known
        return 0 if not more else 1 if more <= NAMING else 2

    return min(names, key=plainness, default=None)


def distinct(table: Table, name: str) -> frozenset[str]:
    """The distinct texts of a column, blanks aside."""
    column = table.column(name).used()
    return frozenset(v.strip() for v in column.values if v.strip())


def all_different(table: Table, name: str) -> bool:
    """Whether no text of a column comes twice and none is blank."""
    column = table.column(name)
    return len(distinct(table, name)) == table.rows and not column.blank.any()


def whole_numbers(table: Table, name: str) -> bool:
    """Whether a column holds nothing but whole numbers of at least 0."""
    values = distinct(table, name)
    return bool(values) and all(is_count(v) and likely(v) < _LARGEST for v in values)


def as_counts(table: Table, name: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Shape (rows,): the whole numbers of a column, blanks as 0."""
    column = table.column(name)
    numbers = np.array([likely(v) for v in column.values], dtype=np.int64)
    return np.asarray(numbers[column.codes])


def names_without_dates(table: Table) -> tuple[str, ...]:
    """The columns that hold something else than dates and times."""
    kept = []
    for name in table.names:
        values = table.column(name).values
        # A column of a hundred thousand names is told by its first ones.
        if not values or not all(is_date(v) for v in values[:50] if v.strip()):
            kept.append(name)
    return tuple(kept)


def said(options: ReadingOptions) -> Layout:
    """The layout the options name or imply."""
    if options.layout is not Layout.AUTO:
        return options.layout
    if options.only is not None or options.question is not None:
        return Layout.QUESTIONS
    if options.columns is not None:
        return Layout.RATERS
    if options.rater is not None or options.rating is not None:
        return Layout.LONG
    return Layout.AUTO


def _shares(table: Table, name: str) -> bool:
    """Whether a column holds nothing but percentages, which stand beside counts and are none."""
    values = distinct(table, name)
    return bool(values) and all(v.endswith("%") for v in values)


def class_columns(table: Table, options: ReadingOptions | None) -> tuple[str, ...]:
    """The columns of a table of counts that are classes."""
    if options is not None and options.columns is not None:
        return tuple(named(table, n, "--columns") for n in options.columns)
    apart = {options.subject, options.count} if options is not None else set()
    counts, cases = (in_language(table.names, kind) for kind in (COUNT, SUBJECT))
    rest = [n for n in table.names if n not in apart and not is_called(n, counts) and not _shares(table, n)]
    if rest and (is_called(rest[0], cases) or not whole_numbers(table, rest[0])):
        rest = rest[1:]
    return tuple(rest)
