"""The cells of one opened sheet as coded columns, on their way from the process that opens workbooks."""

import datetime as dt
import re
from array import array
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from tapdesk.ratings.formats.sheet_scan import SheetFacts

_EXACT = 2**53  # whole numbers up to here are told apart by a workbook's numbers
_LOOKED_UP = frozenset({str, float, int})
_OFTEN = 5_000  # rows
_NUMBER = re.compile(r"\s*-?(?:0|[1-9]\d*)(?:[.,]\d+)?\s*")
# Stands behind a number typed as text until the column is whole; no cell holds it.
_TYPED = "\x00"


@dataclass
class RawSheet:
    """The cells of one sheet on their way between processes.

    Attributes
    ----------
    name
        Of the sheet.
    hidden
        Whether the sheet is hidden.
    rows, width
        Its size, blank rows at the end left out.
    columns
        For each column its codes (as bytes of 32-bit numbers) and its distinct texts.
    dates
        Cells that hold dates or times.
    facts
        What the XML says; None where the format does not tell.
    typed
        The columns in which some numbers are stored as text and others as numbers; a header above them is no number.
    """

    name: str
    hidden: bool
    rows: int
    width: int
    columns: list[tuple[bytes, tuple[str, ...]]]
    dates: list[tuple[int, int]]
    facts: SheetFacts | None
    typed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reached:
    """How many rows of how many have been read."""

    done: int
    total: int


def coded(
    sheet: Any, facts: SheetFacts | None, *, hidden: bool = False, before: int = 0, total: int = 0
) -> Generator[Reached, None, RawSheet]:
    """The cells of a sheet as codes and distinct texts, telling now and then how far it is.

    Parameters
    ----------
    sheet
        As python-calamine opens it.
    facts, hidden
        What else is known about the sheet.
    before, total
        Number of rows in the sheets before it, and in all.
    """
    percents = facts.percents if facts else set()
    errors = {(r, c): text for r, c, text in facts.errors} if facts else {}
    codes: list[array[int]] = []
    seen: list[dict[str, int]] = []
    dates: list[tuple[int, int]] = []
    filled = 0
    rows, body = 0, 1 << 31
    rest = facts.rest if facts else {}
    plain = not percents and not errors and not rest
    known: list[dict[Any, int]] = []
    for rows, cells in enumerate(sheet.iter_rows(), start=1):
        if not rows % _OFTEN:
            yield Reached(before + rows, total)
        while len(codes) < len(cells):
            codes.append(array("i", bytes(4 * (rows - 1))))
            seen.append({"": 0})
            known.append({"": 0})
        any_text = False
        for column, cell in enumerate(cells):
            # Most cells repeat one of their column; True equals 1 as a key, so only some types are looked up.
            code = known[column].get(cell) if plain and type(cell) in _LOOKED_UP else None
            if code is None:
                place = (rows - 1, column)
                text = rest.get(place) or _text(cell, percent=place in percents) or errors.get(place, "")
                if isinstance(cell, (dt.date, dt.time, dt.timedelta)):
                    dates.append(place)
                if type(cell) in {int, float}:
                    # The first row with a number is the first of the body, as far as can be told here.
                    body = min(body, rows - 1)
                code = seen[column].setdefault(text, len(seen[column]))
                if type(cell) in _LOOKED_UP:
                    known[column][cell] = code
            codes[column].append(code)
            any_text = any_text or code > 0
        for short in codes[len(cells) :]:
            short.append(0)
        if any_text:
            filled = rows
    columns: list[tuple[bytes, tuple[str, ...]]] = []
    typed = []
    for c, cells in enumerate(known):
        here, texts, as_text = _told_alike(codes[c][:filled], list(seen[c]), body)
        columns.append((here.tobytes(), texts))
        typed += [c] * (as_text and any(type(cell) is not str for cell in cells))
    return RawSheet(sheet.name, hidden, filled, len(codes), columns, dates, facts, tuple(typed))


def _told_alike(codes: "array[int]", texts: list[str], body: int) -> "tuple[array[int], tuple[str, ...], bool]":
    """Numbers typed as text told like the others: new codes, distinct texts, and whether any stands in the body."""
    marked = [code for code, text in enumerate(texts) if text.endswith(_TYPED)]
    if not marked:
        return codes, tuple(texts), False
    below = codes[body:]
    as_text = any(code in below for code in marked)
    known: dict[str, int] = {}
    new = [known.setdefault(text.removesuffix(_TYPED), len(known)) for text in texts]
    return array("i", map(new.__getitem__, codes)), tuple(known), as_text


def _text(cell: Any, *, percent: bool) -> str:
    """A cell as the sheet shows it, numbers without needless decimals; those typed as text are marked."""
    if isinstance(cell, str):
        return cell + _TYPED if _NUMBER.fullmatch(cell) else cell
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, (int, float)):
        if percent:
            return f"{round(cell * 100, 10):.10g}%"
        return str(int(cell)) if cell == int(cell) and abs(cell) <= _EXACT else repr(cell)
    if isinstance(cell, dt.datetime):
        return cell.date().isoformat() if cell.time() == dt.time() else cell.isoformat(" ")
    return str(cell)
