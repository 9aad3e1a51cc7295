"""Tables as text that no spreadsheet takes for formulas: what could be one is written behind an apostrophe.

Only texts are changed, never numbers, and what is written so is read back as it was. All tables of text that leave the
program are written here.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tapdesk.language import gettext as _
from tapdesk.ratings.grid import Column, column_of

SAID = _("Texts that a spreadsheet could take for a formula begin with an apostrophe, which is not part of them.")
"""What is said once, where texts were changed so."""
_SIGNS = "=+\\-@＝＋－＠"
# Behind blanks a formula is one too; apostrophes are counted, so that those of the text come back.
_RISKY = re.compile(rf"[\s']*[{_SIGNS}]|'*[\t\r\n]")
_PREFIXED = re.compile(rf"'(?:[\s']*[{_SIGNS}]|'*[\t\r\n])")
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
    """A text as a spreadsheet takes it for a text: behind an apostrophe where it could be a formula; numbers stay."""
    return f"'{text}" if _RISKY.match(text) and not _NUMBER.fullmatch(text) else text


def unguarded(text: str) -> str:
    """The text behind an apostrophe that `guarded` sets; any other as it is."""
    return text[1:] if _PREFIXED.match(text) else text


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
        places = [i for i, value in enumerate(column.values) if _PREFIXED.match(value)]
        if not places:
            made.append(column)
            continue
        changed += int(column.counts()[places].sum())
        merged = column_of(unguarded(value) for value in column.values)
        made.append(Column(merged.codes[column.codes], merged.values))
    return tuple(made), changed
