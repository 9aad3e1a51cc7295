"""Where in the grid the table stands: its header, its rows, and what lies around it."""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.ratings.findings import Finding, ask, note, quoted, rows_named
from tapdesk.ratings.grid import Column, Grid, column_letter, trimmed
from tapdesk.ratings.numbers import is_number
from tapdesk.ratings.options import ReadingOptions, Uneven
from tapdesk.ratings.ratings import IntArray

_FEW = 25  # a letterhead longer than this is no letterhead
_NOTE_MARKS = ("*", "†", "note", "key", "legend", "source", "n.b", "nb ", "footnote")


@dataclass(frozen=True, eq=False)
class Table:
    """A header and rows of cells.

    Attributes
    ----------
    names
        One name per column, all different.
    columns
        The cells below the header.
    row_numbers
        Shape (rows,): the row of the file each row stands in, counted from 1.
    positions
        For each column its place in the file, counted from 0.
    header_rows
        The rows of the file that hold the header; empty when there is none.
    grid
        The grid all this was cut from.
    """

    names: tuple[str, ...]
    columns: tuple[Column, ...]
    row_numbers: IntArray
    positions: tuple[int, ...]
    header_rows: tuple[int, ...]
    grid: Grid

    @property
    def rows(self) -> int:
        """Number of rows below the header."""
        return self.row_numbers.size

    def column(self, name: str) -> Column:
        """A column by its name."""
        return self.columns[self.names.index(name)]

    def place(self, name: str) -> str:
        """A column as a spreadsheet shows it: ``column C (J2)``."""
        return f"column {column_letter(self.positions[self.names.index(name)])} ({name})"


def framed(grid: Grid, name: str, options: ReadingOptions) -> tuple[Table, list[Finding]]:
    """The table in a grid, and what was noticed about its frame.

    Raises
    ------
    TapdeskError
        When nothing but blank cells is there, or rows are uneven.
    """
    findings: list[Finding] = []
    filled = np.zeros((len(grid.columns), grid.rows), dtype=bool)
    for index, column in enumerate(grid.columns):
        filled[index] = ~column.blank
    per_row = filled.sum(axis=0)
    if not per_row.any():
        raise TapdeskError("The table is empty: there is no cell with anything in it.", name, "Choose another file.")
    top = _header_row(grid, per_row, options)
    first, header = _header(grid, filled, top, options, findings)
    body = np.flatnonzero(per_row > 0)
    body = body[body >= first]
    body = _without_notes(grid, filled, body, findings)
    keep = filled[:, body].any(axis=1) | np.array([bool(h.strip()) for h in header], dtype=bool)
    body = _even(grid, name, body, options, findings, int(np.flatnonzero(keep).max()) + 1 if keep.any() else 1)
    _blank_findings(grid, per_row, first, body, keep, findings)
    positions = tuple(int(i) for i in np.flatnonzero(keep))
    names = _unique([header[i] for i in positions], positions, findings)
    table = Table(
        names,
        tuple(grid.columns[i] if body.size == grid.rows else grid.columns[i].take(body).used() for i in positions),
        body + 1,
        positions,
        tuple(range(top + 1, first + 1)) if first > top >= 0 else (),
        grid,
    )
    return _trimmed(table), findings


def _header_row(grid: Grid, per_row: IntArray, options: ReadingOptions) -> int:
    """The row where the table starts, counted from 0: the first that is about as full as rows are."""
    if options.header is not None:
        if not 0 <= options.header <= grid.rows:
            raise UsageError(f"There is no row {options.header}.", fix=f"The file has {grid.rows} rows.")
        return max(options.header - 1, 0)
    full = per_row[per_row > 0]
    typical = float(np.median(full))
    candidates = np.flatnonzero(per_row >= max(0.6 * typical, 2 if typical >= 2 else 1))
    start = int(candidates[0]) if candidates.size else int(np.flatnonzero(per_row)[0])
    return start if start <= _FEW else int(np.flatnonzero(per_row)[0])


def _header(
    grid: Grid, filled: NDArray[np.bool_], top: int, options: ReadingOptions, findings: list[Finding]
) -> tuple[int, list[str]]:
    """The first row of data, counted from 0, and one name per column of the grid (blank where there is none)."""
    above = [r + 1 for r in range(top) if filled[:, r].any()]
    row = [t.strip() for t in grid.row(top)]
    if options.header == 0 or (options.header is None and not _is_header(grid, filled, top)):
        findings.append(
            ask(
                "no_header",
                f"row {top + 1}",
                "No header row was found, so columns have no names of their own.",
                "If the first row is the header, say so; otherwise give the columns names in the file.",
                "The first row is read as data; columns are called Column 1, Column 2 and so on.",
            )
        )
        return top, [""] * len(row)
    if options.header is None and above:
        where = rows_named(above)
        findings.append(
            ask(
                "letterhead",
                where,
                f"The header seems to be row {top + 1}; what stands above it is not part of the table.",
                "If another row holds the column names, choose it as the header row.",
                f"Row {top + 1} is the header; the lines above are left out.",
            )
        )
    if _two_levels(grid, filled, top):
        joined = _joined(grid, top)
        findings.append(
            ask(
                "two_row_header",
                f"rows {top + 1} and {top + 2}",
                f"The header has two rows; together they read {quoted([j for j in joined if j])}.",
                "If only one row is the header, choose it.",
                "The two rows are joined into one name for each column.",
            )
        )
        return top + 2, joined
    return top + 1, row


def _is_header(grid: Grid, filled: NDArray[np.bool_], top: int) -> bool:
    """Whether a row names columns rather than holding data: its texts do not come again below."""
    texts = [t.strip() for t in grid.row(top)]
    here = [i for i, t in enumerate(texts) if t]
    if top + 1 >= grid.rows or not filled[:, top + 1 :].any():
        return True
    numeric = [i for i in here if is_number(texts[i])]
    labels = [texts[i] for i in here if i not in numeric]
    seats = [texts[i] for i in here if i in numeric]
    if seats and labels and len(labels) == 1 and seats == [str(k + 1) for k in range(len(seats))] and len(seats) > 1:
        return True
    if len(numeric) * 2 > len(here):
        # Only numbers: seat numbers 1, 2, 3 under a blank corner are names, anything else is data.
        blank_corner = not texts[0] and seats == [str(k + 1) for k in range(len(seats))]
        return blank_corner and len(seats) == len(here)
    again = 0
    for i in here:
        column = grid.columns[i]
        below = np.bincount(column.codes[top + 1 :], minlength=len(column.values))
        again += int(any(n and v.strip() == texts[i] for v, n in zip(column.values, below, strict=True)))
    return again * 3 <= len(here)


def _two_levels(grid: Grid, filled: NDArray[np.bool_], top: int) -> bool:
    """Whether a row of group names with gaps stands above a full row of names."""
    if top + 2 >= grid.rows:
        return False
    texts, below = [t.strip() for t in grid.row(top)], [t.strip() for t in grid.row(top + 1)]
    gaps = sum(1 for t, b in zip(texts, below, strict=True) if b and not t)
    merged = any(r0 == top and c1 > c0 for r0, c0, _, c1 in grid.merged)
    named = [b for b in below if b]
    if not gaps or any(is_number(b) for b in named) or len(named) < 2:
        return False
    repeated = max(Counter(named).values()) > 1
    return (merged or repeated) and _is_header(grid, filled, top + 1)


def _joined(grid: Grid, top: int) -> list[str]:
    """Two header rows as one: ``Judge 1 / Colour``, a group name reaching over the gap to its right."""
    below = [t.strip() for t in grid.row(top + 1)]
    names, group = [], ""
    for upper, lower in zip((t.strip() for t in grid.row(top)), below, strict=True):
        group = upper or group
        reach = group if lower else upper
        names.append(" / ".join(part for part in (reach, lower) if part))
    return names


def _without_notes(grid: Grid, filled: NDArray[np.bool_], body: IntArray, findings: list[Finding]) -> IntArray:
    """The body without lines of text below it that hold no rating."""
    if len(grid.columns) < 2:
        return body
    end = body.size
    while end > 1 and body.size - end < _FEW:
        row = int(body[end - 1])
        places = np.flatnonzero(filled[:, row])
        text = grid.columns[int(places[0])].text(row).strip()
        apart = int(body[end - 2]) < row - 1
        wordy = text.lower().startswith(_NOTE_MARKS) or len(text) > 25 or apart
        if places.size > 1 or places[0] > 0 or is_number(text) or not wordy:
            break
        end -= 1
    left = body[end:]
    if not left.size:
        return body
    findings.append(
        ask(
            "notes_below",
            rows_named([int(r) + 1 for r in left]),
            "Below the table there are lines of text without any rating.",
            "If one of them is a case, give it ratings or move it into the table.",
            "These lines are left out; they hold no rating.",
        )
    )
    return body[:end]


def _even(
    grid: Grid, name: str, body: IntArray, options: ReadingOptions, findings: list[Finding], width: int
) -> IntArray:
    """Refuse rows with too few or too many cells, or say that they were fitted."""
    if grid.fields is None or not body.size:
        return body
    fields = grid.fields[body]
    usual = int(np.bincount(fields).argmax())
    short = [int(r) + 1 for r in body[fields < min(usual, width)]]
    beyond = np.zeros(body.size, dtype=bool)
    for column in grid.columns[usual:]:
        beyond |= ~column.blank[body]
    long = [int(r) + 1 for r in body[beyond & (fields > usual)]]
    if not short and not long:
        return body
    parts = []
    if short:
        parts.append(f"{rows_named(short)} with fewer than {usual} cells")
    if long:
        parts.append(f"{rows_named(long)} with more than {usual}")
    message = f"Rows are not of one length: {', '.join(parts)}."
    if options.uneven is Uneven.REFUSE:
        raise TapdeskError(
            message,
            f"{name}, row {min(short + long)}",
            "Check these rows for a missing or extra delimiter; nothing is read until every row has its cells.",
        )
    findings.append(
        note("uneven_rows", rows_named(sorted(short + long)), message, default="Short rows end in blank cells.")
    )
    return body


def _blank_findings(
    grid: Grid, per_row: IntArray, first: int, body: IntArray, keep: NDArray[np.bool_], findings: list[Finding]
) -> None:
    """Count blank rows and columns inside the table; they are passed over."""
    last = int(body[-1]) if body.size else first
    rows = int((per_row[first:last] == 0).sum())
    columns = int((~keep[: int(np.flatnonzero(keep).max()) + 1]).sum()) if keep.any() else 0
    if rows or columns:
        findings.append(
            note(
                "blank_lines",
                "",
                f"The table has {rows:,} blank rows and {columns:,} blank columns inside; they are passed over.",
            )
        )


def _unique(header: list[str], positions: tuple[int, ...], findings: list[Finding]) -> tuple[str, ...]:
    """Column names made different, every change told."""
    said = {h for h in header if h}
    names: list[str] = []
    renamed: list[str] = []
    for text, position in zip(header, positions, strict=True):
        base = text or f"Column {position + 1}"
        name, number = base, 2
        while name in names or (name != text and name in said):
            name, number = f"{base} ({number})", number + 1
        if text and name != text:
            renamed.append(f"column {column_letter(position)} is now called '{name}'")
        names.append(name)
    if renamed:
        findings.append(
            ask(
                "duplicate_column_names",
                "",
                f"Several columns have the same name: {'; '.join(renamed)}.",
                "If they belong to one rater, say so by using the long layout; otherwise give each its own name.",
                "Each column is kept under a name of its own.",
            )
        )
    return tuple(names)


def _trimmed(table: Table) -> Table:
    """The same cells without outer blanks, where that makes no two distinct texts one.

    ``Yes`` and ``Yes `` in one column stay two texts: merging them is the user's decision.
    """
    return replace(table, columns=tuple(trimmed(c) for c in table.columns))
