"""Sheets of one shape below one another, as when each rater filled in one."""

from collections.abc import Sequence
from itertools import chain
from types import MappingProxyType

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.ratings.findings import Finding, ask, listed, quoted
from tapdesk.ratings.formats.loaded import Piece
from tapdesk.ratings.formats.sheet_cells import RawSheet
from tapdesk.ratings.grid import Column, Grid, Marks, column_of
from tapdesk.ratings.layouts.header_words import RATER_ANYWHERE
from tapdesk.ratings.layouts.roles import is_called, is_rater_column

STACKED = "Rater (sheet)"
_SEEN = 500  # rows that tell whether two columns hold the same answers
_TOP = 25  # a header further down is none


def sizes_of(sheets: Sequence[RawSheet]) -> str:
    """Sheets with their sizes, in one line."""
    rows = (ngettext("{n:,} row", "{n:,} rows", s.rows).format(n=s.rows) for s in sheets)
    columns = (ngettext("{n:,} column", "{n:,} columns", s.width).format(n=s.width) for s in sheets)
    sizes = (f"{down}, {across}" for down, across in zip(rows, columns, strict=True))
    return listed([f"'{s.name}' ({size})" for s, size in zip(sheets, sizes, strict=True)], 8)


def top_of(sheet: RawSheet) -> int:
    """The row with the header, counted from 0: the first of the top that is about as full as rows are."""
    filled = np.zeros(sheet.rows, dtype=np.int64)
    for column in columns_of(sheet):
        filled += ~column.blank
    full = filled[filled > 0]
    enough = max(0.6 * float(np.median(full)), 2 if sheet.width > 1 else 1) if full.size else 1
    rows = np.flatnonzero(filled[:_TOP] >= enough)
    return int(rows[0]) if rows.size else 0


def head_of(sheet: RawSheet) -> tuple[str, ...]:
    """The texts of the header."""
    top = top_of(sheet)
    return tuple(texts[int(np.frombuffer(codes, dtype=np.int32)[top])] for codes, texts in sheet.columns)


def names_of(sheet: RawSheet) -> tuple[str, ...]:
    """The names in the header as they are compared between sheets."""
    return tuple(h.strip().casefold() for h in head_of(sheet))


def is_alike(sheet: RawSheet, first: RawSheet) -> bool:
    """Whether two sheets have the same columns: in one order, or each name once and nothing in columns without one."""
    if names_of(sheet) == names_of(first):
        return True
    if sorted(filter(None, names_of(sheet))) != sorted(filter(None, names_of(first))):
        return False
    return all(_each_named(one) for one in (sheet, first))


def _each_named(sheet: RawSheet) -> bool:
    """Whether every column with something in it has a name of its own."""
    names, top = names_of(sheet), top_of(sheet)
    named = [n for n in names if n]
    columns = zip(names, columns_of(sheet), strict=True)
    return len(set(named)) == len(named) and all(n or c.blank[top:].all() for n, c in columns)


def places_of(sheet: RawSheet, first: RawSheet) -> list[int | None]:
    """For each column of the first sheet where it stands on another that is alike, by its name."""
    names = names_of(sheet)
    if names == names_of(first):
        return list(range(first.width))
    return [names.index(n) if n else None for n in names_of(first)]


def is_unlike_rater(sheet: RawSheet, first: RawSheet) -> bool:
    """Whether a sheet that is not alike may be one more rater's all the same: some of its columns have other names."""
    shared = set(filter(None, names_of(sheet))) & set(filter(None, names_of(first)))
    return bool(shared) and sheet.rows > 2 and one_per_rater(sheet) == one_per_rater(first)


def piece_of(sheet: RawSheet) -> Piece:
    """A sheet as it was opened, for the account of what is read of it."""
    top = top_of(sheet) + 1
    columns = tuple(Column(c.codes[top:], c.values) for c in columns_of(sheet))
    return Piece(sheet.name, head_of(sheet), columns)


def one_per_rater(sheet: RawSheet) -> bool:
    """Whether a sheet has room for one rater only: a case, a rating, perhaps a remark, and no column of raters."""
    head = [h for h in head_of(sheet) if h.strip()]
    if not 2 <= len(head) <= 3 or any(is_called(h, RATER_ANYWHERE) or is_rater_column(h) for h in head):
        return False
    # Two columns with the same answers are two raters, on sheets of months or wards.
    top = top_of(sheet)
    answers = [{column.text(r).strip() for r in range(top + 1, min(sheet.rows, _SEEN))} for column in columns_of(sheet)]
    told = [a - {""} for a, h in zip(answers, head_of(sheet), strict=True) if h.strip()]
    return len(told) < 3 or len(told[1] & told[2]) < 2


def stacking(alike: Sequence[RawSheet], visible: Sequence[RawSheet]) -> Finding:
    """That sheets of one shape are read as one, and which others are not read."""
    others = [s for s in visible if s not in alike]
    if others:
        said = _(
            "{n} sheets have the same columns, as when each rater filled in one. The other sheets have other columns "
            "and are not read: {sizes}."
        ).format(n=len(alike), sizes=sizes_of(others))
    else:
        said = _("The {n} sheets have the same columns, as when each rater filled in one.").format(n=len(alike))
    return ask(
        "sheets_stacked",
        f"sheets {quoted([s.name for s in alike])}",
        said,
        _("If they are something else, choose one sheet."),
        _("They are stacked, and the name of the sheet is the rater; rows are counted through all sheets."),
        (tuple(s.name for s in visible),),
    )


def columns_of(sheet: RawSheet) -> tuple[Column, ...]:
    """The columns of a sheet."""
    return tuple(Column(np.frombuffer(codes, dtype=np.int32).astype(np.int64), texts) for codes, texts in sheet.columns)


def remarks_of(sheet: RawSheet) -> dict[str, dict[tuple[int, int], str]]:
    """What a sheet shows or says of its cells besides their texts."""
    facts = sheet.facts
    if facts is None:
        return {}
    return {
        Marks.STRUCK: dict.fromkeys(facts.struck, ""),
        Marks.UNSEEN: dict.fromkeys(facts.unseen, ""),
        Marks.ROUNDED: facts.rounded,
        Marks.COMMENT: facts.comments,
        Marks.REST: facts.rest,
    }


def stacked(sheets: Sequence[RawSheet]) -> Grid:
    """Sheets of one shape below one another, the first with its header, with a further column for the sheet."""
    width = sheets[0].width
    pieces: list[list[str]] = [[] for _rest in range(width + 1)]
    hidden: list[int] = []
    remarks: dict[str, dict[tuple[int, int], str]] = {}
    for number, sheet in enumerate(sheets):
        top = top_of(sheet)
        # Each sheet may have a title of its own above its header; that of the first stays what it is.
        start = top + 1 if number else 0
        if sheet.facts is not None:
            above = len(pieces[width]) - start
            hidden += [above + r for r in sheet.facts.hidden_rows if start <= r < sheet.rows]
        columns = columns_of(sheet)
        at = {place: index for index, place in enumerate(places_of(sheet, sheets[0])) if place is not None}
        for mark, cells in remarks_of(sheet).items():
            above = len(pieces[width]) - start
            here = {(above + r, at[c]): text for (r, c), text in cells.items() if r >= start and c in at}
            remarks.setdefault(mark, {}).update(here)
        for index, place in enumerate(places_of(sheet, sheets[0])):
            if place is None or place >= len(columns):
                pieces[index] += [""] * (sheet.rows - start)
            else:
                pieces[index] += [columns[place].values[c] for c in columns[place].codes[start:]]
        above_first = [""] * top + [STACKED] if not number else []
        pieces[width] += above_first + [sheet.name] * (sheet.rows - top - 1)
    return Grid(
        tuple(column_of(p) for p in pieces),
        len(pieces[0]),
        hidden_rows=tuple(hidden),
        hidden_columns=tuple(chain.from_iterable(s.facts.hidden_columns for s in sheets if s.facts)),
        remarks=MappingProxyType(remarks),
    )
