"""Where in the grid the table stands: its header, its rows, and what lies around it."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError
from tapdesk.ratings.findings import Finding, ask, many, note, rows_named
from tapdesk.ratings.grid import Column, Grid, column_letter, trimmed
from tapdesk.ratings.header import header, header_row, unique_names
from tapdesk.ratings.numbers import is_number
from tapdesk.ratings.options import ReadingOptions, Uneven
from tapdesk.ratings.ratings import IntArray

_FEW = 25  # more lines than this are no notes, more letters no name
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
    top = header_row(grid, per_row, options)
    first, names_given = header(grid, filled, top, options, findings)
    body: IntArray = np.flatnonzero(per_row > 0)
    body = body[body >= first]
    if not options.hidden and grid.hidden_rows:
        body = body[~np.isin(body, grid.hidden_rows)]
    body = _without_notes(grid, filled, body, findings)
    keep = filled[:, body].any(axis=1) | np.array([bool(h.strip()) for h in names_given], dtype=bool)
    if not options.hidden:
        keep[[c for c in grid.hidden_columns if c < keep.size]] = False
        if not body.size or not keep.any():
            raise TapdeskError(
                "Everything in the table is hidden.",
                name,
                "Read hidden rows and columns too.",
                ways=[("Read what is hidden", {"hidden": True})],
            )
    body = _even(grid, name, body, options, findings, int(np.flatnonzero(keep).max()) + 1 if keep.any() else 1)
    _blank_findings(per_row, first, body, keep, findings)
    positions = tuple(int(i) for i in np.flatnonzero(keep))
    names = unique_names([names_given[i] for i in positions], positions, findings)
    table = Table(
        names,
        tuple(grid.columns[i] if body.size == grid.rows else grid.columns[i].take(body).used() for i in positions),
        body + 1,
        positions,
        tuple(range(top + 1, first + 1)) if first > top >= 0 else (),
        grid,
    )
    return _trimmed(table), findings


def _without_notes(grid: Grid, filled: NDArray[np.bool_], body: IntArray, findings: list[Finding]) -> IntArray:
    """The body without lines of text below it that hold no rating."""
    if len(grid.columns) < 2:
        return body
    end = body.size
    for place in range(body.size - 1, max(body.size - 1 - _FEW, 0), -1):
        row = int(body[place])
        filled_here = np.flatnonzero(filled[:, row])
        text = grid.columns[0].text(row).strip()
        if filled_here.tolist() != [0] or is_number(text):
            break
        # What follows a first line that is clearly a note is a note too.
        if text.lower().startswith(_NOTE_MARKS) or len(text) > _FEW or int(body[place - 1]) < row - 1:
            end = place
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
            "Check these rows for a missing or extra delimiter, or have short rows filled up and long ones cut "
            "(--uneven fit).",
            ways=[("Fill up short rows and cut long ones", {"uneven": Uneven.FIT})],
        )
    findings.append(
        note(
            "uneven_rows",
            rows_named(sorted(short + long)),
            message,
            default=" ".join(
                told
                for told, rows in (
                    ("Short rows end in blank cells.", short),
                    ("Long rows are cut: what stands beyond the last column is not read.", long),
                )
                if rows
            ),
        )
    )
    return body


def _blank_findings(
    per_row: IntArray, first: int, body: IntArray, keep: NDArray[np.bool_], findings: list[Finding]
) -> None:
    """Count blank rows and columns inside the table; they are passed over."""
    last = int(body[-1]) if body.size else first
    rows = int((per_row[first:last] == 0).sum())
    columns = int((~keep[: int(np.flatnonzero(keep).max()) + 1]).sum()) if keep.any() else 0
    if rows or columns:
        parts = [many(n, f"blank {one}", f"blank {one}s") for n, one in ((rows, "row"), (columns, "column")) if n]
        told = "it is passed over" if rows + columns == 1 else "they are passed over"
        verb = "is" if rows + columns == 1 else "are"
        findings.append(note("blank_lines", "", f"Inside the table {verb} {' and '.join(parts)}; {told}."))


def _trimmed(table: Table) -> Table:
    """The same cells without outer blanks, where that makes no two distinct texts one.

    ``Yes`` and ``Yes `` in one column stay two texts: merging them is the user's decision.
    """
    return replace(table, columns=tuple(trimmed(c) for c in table.columns))
