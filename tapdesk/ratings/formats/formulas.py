"""Tables as text that no spreadsheet takes for formulas: what could be one is written behind an apostrophe.

Only texts are changed, never numbers, and what is written so is read back as it was. All tables of text that leave the
program are written here.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tapdesk.language import gettext as _
from tapdesk.ratings.grid import Column, column_of

SAID = _("An apostrophe stands before what a spreadsheet could take for a formula; it is not part of the text.")
"""What is said once, where texts were changed so."""
_SIGNS = "=+\\-@＝＋－＠"
# Behind blanks a formula is one too; apostrophes are counted, so that those of the text come back.
_RISKY = re.compile(rf"[\s']*[{_SIGNS}]|'*[\t\r\n]")
_PREFIXED = re.compile(rf"'(?:[\s']*[{_SIGNS}]|'*[\t\r\n])")
# Many spreadsheets part cells at semicolons or tabulators whatever the file says, and do not know our quotes then.
_INSIDE = re.compile(rf"([;\t\r\n])(?=[\s'\"]*[{_SIGNS}])")
_INSIDE_GUARDED = re.compile(rf"([;\t\r\n])'(?=[\s'\"]*[{_SIGNS}])")
_PART = re.compile(r"[^;\t\r\n]*")
_QUOTE = '"'
__QUOTED = re.compile(r'[,"\r\n]')
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:[eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class CsvText:
    """A table as text.

    Attributes
    ----------
    text
        The table, lines ending in a line feed.
    prefixed
        Whether some text stands behind an apostrophe.
    """

    text: str
    prefixed: bool


def guarded(text: str) -> str:
    """A text as a spreadsheet takes it for a text: behind an apostrophe where it could be a formula; numbers stay.

    So is each part of it that stands behind a semicolon, a tabulator or a line's end.
    """
    text = _INSIDE.sub(_guarded_part, text)
    return f"'{text}" if _RISKY.match(text) and not _NUMBER.fullmatch(text) else text


def _guarded_part(sign: re.Match[str]) -> str:
    """What parts cells, with an apostrophe behind it unless a number follows."""
    part = _PART.match(sign.string, sign.end())
    return sign[0] if part is not None and _NUMBER.fullmatch(part[0].strip()) else f"{sign[0]}'"


def unguarded(text: str) -> str:
    """The text without the apostrophes that `guarded` sets; any other as it is."""
    if "'" not in text:
        return text
    return _INSIDE_GUARDED.sub(r"\1", text[1:] if _PREFIXED.match(text) else text)


def csv_text(names: Sequence[str], rows: Iterable[Sequence[object]]) -> CsvText:
    """A table as CSV.

    Parameters
    ----------
    names
        Of the columns.
    rows
        Cells; None is an empty one, texts are guarded, all others stand as they are.
    """
    prefixed = False

    def cell(value: object) -> str:
        nonlocal prefixed
        if not isinstance(value, str):
            return "" if value is None else str(value)
        safe = guarded(value)
        prefixed |= safe != value
        # A carriage return as well ends a row where it is not quoted.
        return f'"{safe.replace(_QUOTE, _QUOTE * 2)}"' if __QUOTED.search(safe) else safe

    # A row of one empty cell is no blank line.
    lines = [",".join(map(cell, row)) or '""' * len(row) for row in (names, *rows)]
    return CsvText("".join(f"{line}\n" for line in lines), prefixed)


def without_guards(columns: Sequence[Column]) -> tuple[tuple[Column, ...], int]:
    """Columns of a file as they were before they were guarded, and how many cells that changes."""
    made, changed = [], 0
    for column in columns:
        places = [i for i, value in enumerate(column.values) if unguarded(value) != value]
        if not places:
            made.append(column)
            continue
        changed += int(column.counts()[places].sum())
        merged = column_of(unguarded(value) for value in column.values)
        made.append(Column(merged.codes[column.codes], merged.values))
    return tuple(made), changed
