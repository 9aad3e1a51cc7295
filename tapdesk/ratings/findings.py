"""What reading noticed and what became of the cells: findings, and the account of what is left out for which reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import TypeAlias

from tapdesk.errors import TapdeskError
from tapdesk.language import Label, Number, Own, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import IntArray

Groups: TypeAlias = tuple[tuple[str, ...], ...]
"""Names in groups."""
NOTHING_TO_COMPARE = frozenset({"one_rating_per_subject", "one_rater", "one_class"})
"""Findings that say why agreement is undefined in some ratings; what needs no second rating can still be answered."""
SUMMARIES = frozenset(
    {
        *("summary_row", "summary_column", "summary_rater", "known_answers", "numbers_among_words", "mixed_units"),
        "computed_question",
    }
)
"""Findings about what looks like no rating of its own; where the user keeps it, a report says so on its first page."""


class Severity(Enum):
    """How much a finding stands in the way; one that was decided no longer does, and is never kept so."""

    BLOCK = "block"
    ASK = "ask"
    DECIDED = "decided"
    NOTE = "note"


@dataclass(frozen=True)
class Finding:
    """One thing a user should know about the data.

    Attributes
    ----------
    code
        A short fixed name, the same in every language.
    severity
        Whether it blocks an answer, asks a question or only informs.
    where
        Rows and columns as the user's file counts them; empty where it concerns the whole file.
    message
        What was seen and what it does to the results, in plain sentences.
    fix
        What the user can do about it.
    default
        What was done meanwhile; empty when nothing had to be chosen.
    about
        Names of classes, raters, cases, columns, sheets or rows it is about, in groups where it concerns several; what
        a window needs to offer the fix. No part of what is printed.
    rows
        Rows of the user's file above which the table perhaps ends; empty of any other finding.
    """

    code: str
    severity: Severity
    where: str
    message: str
    fix: str
    default: str = ""
    about: Groups = ()
    rows: tuple[int, ...] = ()


def ask(code: str, where: str, message: str, fix: str, default: str, about: Groups = ()) -> Finding:
    """A question to the user, and the default that was taken."""
    return Finding(code, Severity.ASK, where, message, fix, default, about)


def note(
    code: str,
    where: str,
    message: str,
    fix: str = _("Nothing needs to be done."),
    default: str = "",
    about: Groups = (),
) -> Finding:
    """Something to know."""
    return Finding(code, Severity.NOTE, where, message, fix, default, about)


def block(code: str, where: str, message: str, fix: str, default: str = "", about: Groups = ()) -> Finding:
    """A question that has to be answered before anything is computed."""
    return Finding(code, Severity.BLOCK, where, message, fix, default, about)


def name_list(names: Sequence[object] | IntArray, limit: int = 5, number: int | None = None) -> str:
    """Names in one line, the first few and how many more: ``3, 9, 12 and 40 more``; all are ``number``, if more."""
    number = len(names) if number is None else number
    shown = [name if isinstance(name, str) else str(name) for name in names[:limit]]
    if number > limit:
        return _("{shown} and {n:,} more").format(shown=joined(*shown, sep=", "), n=number - limit)
    if len(shown) < 2:
        return joined(*shown)
    return _("{shown} and {last}").format(shown=joined(*shown[:-1], sep=", "), last=shown[-1])


def row_list(rows: Sequence[int] | IntArray) -> str:
    """Rows of the user's file in one line: ``row 3``, ``rows 3, 9 and 12``."""
    return ngettext("row {rows}", "rows {rows}", len(rows)).format(rows=name_list(rows))


def quoted_list(names: Sequence[str], limit: int = 5, number: int | None = None) -> str:
    """Names in quotation marks in one line, as `name_list` has them."""
    return name_list(
        [_("'{name}'").format(name=short_text(name)) for name in names[: limit + 1]],
        limit,
        len(names) if number is None else number,
    )


def no_rating_words(codes: Sequence[str], blank: str | None) -> list[str]:
    """What means no rating, in at most two sentences; nothing where only blank cells do.

    Parameters
    ----------
    codes
        The texts that are no ratings.
    blank
        The class a blank cell means; None where it means no rating.
    """
    if not codes:
        return [] if blank is None else [blank_words(blank)]
    if blank is not None:
        means = ngettext("{codes} means no {rating}.", "{codes} mean no {rating}.", len(codes))
        return [blank_words(blank), means.format(codes=quoted_list(codes))]
    besides = ngettext(
        "Besides blank cells, {codes} means no {rating}.", "Besides blank cells, {codes} mean no {rating}.", len(codes)
    )
    return [besides.format(codes=quoted_list(codes))]


def blank_words(blank: str) -> str:
    """What a blank cell was taken for."""
    return _("A blank cell is read as “{label}”.").format(label=Label(label_text(blank, 40)))


def label_text(text: str, limit: int = 24) -> str:
    """A name for a button or a list: short, and blanks at its ends made visible."""
    inner = text.strip()
    if not inner:
        return "␣" * max(len(text), 1)
    start = len(text) - len(text.lstrip())
    end = len(text) - len(text.rstrip())
    return f"{'␣' * start}{short_text(inner, limit)}{'␣' * end}"


def short_text(text: str, limit: int = 40) -> str:
    """A name short enough for a sentence, line breaks made visible; it stays the name of whom it is of."""
    return (text if isinstance(text, Own) else Label(text)).shortened(limit)


def _nothing() -> Mapping[str, int]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class AccountRow:
    """What became of the cells of one rater, of one sheet, or of all.

    Attributes
    ----------
    name
        Of the rater or the sheet; empty for all.
    cells
        Cells of the rating area with something in them; ratings, where cells count them.
    ratings
        How many of them are ratings of the analysis.
    missing
        How many hold a code for "no rating".
    left_out
        How many are left out, by reason.
    """

    name: str
    cells: int
    ratings: int
    missing: int
    left_out: Mapping[str, int] = field(default_factory=_nothing)


@dataclass(frozen=True, slots=True)
class Account:
    """The account of a reading.

    Attributes
    ----------
    total
        All cells of the rating area.
    raters
        By rater; empty where raters are not known or too many.
    sheets
        By sheet or file, where several were read as one.
    """

    total: AccountRow
    raters: tuple[AccountRow, ...] = ()
    sheets: tuple[AccountRow, ...] = ()


def refuse_what_asks(findings: Sequence[Finding], name: str) -> None:
    """Every question at once, as one refusal.

    Raises
    ------
    TapdeskError
        When a finding asks.
    """
    asks = [f for f in findings if f.severity is Severity.ASK]
    if asks:
        raise TapdeskError(
            joined(
                *(
                    _("{message} ({where})").format(message=f.message, where=f.where) if f.where else f.message
                    for f in asks
                )
            ),
            name,
            _("Decide these questions with the reading options, or leave out --strict."),
        )


_SOME = {
    "": _("{some} of {every}"),
    "subjects": _("{some} of {every} {subjects}"),
    "raters": _("{some} of {every} {raters}"),
}
_EVERY = {"": _("all {n}"), "subjects": _("all {n} {subjects}"), "raters": _("all {n} {raters}")}
_EVERY_FIRST = {"": _("All {n}"), "subjects": _("All {n} {subjects}"), "raters": _("All {n} {raters}")}


def of_all(some: float, every: float, of: str = "", *, first: bool = False) -> str:
    """So many of so many, and where they are all of several: ``58 of 60 cases``, ``all 60 cases``.

    Parameters
    ----------
    some, every
        How many, and of how many.
    of
        What they are: ``subjects``, ``raters``, or nothing where the sentence goes on with that.
    first
        Whether a sentence begins with it.
    """
    shown, whole = (Number(f"{n:,.0f}") for n in (some, every))
    if some == every > 1:
        return (_EVERY_FIRST if first else _EVERY)[of].format(n=whole)
    return _SOME[of].format(some=shown, every=whole)
