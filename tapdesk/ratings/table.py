"""Where in the grid the table stands: its header, its rows, and what lies around it."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError
from tapdesk.language import Label, Symbol, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.below import without_notes
from tapdesk.ratings.findings import Finding, note, rows_named
from tapdesk.ratings.grid import Column, Grid, column_letter, trimmed
from tapdesk.ratings.header import header, header_row, unique_names
from tapdesk.ratings.one_table import one_table
from tapdesk.ratings.options import ReadingOptions, Uneven
from tapdesk.ratings.ratings import IntArray


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
        letter = column_letter(self.positions[self.names.index(name)])
        return _("column {letter} ({name})").format(letter=Symbol(letter), name=Label(name))


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
        raise TapdeskError(
            _("The table is empty: there is no cell with anything in it."), name, _("Choose another file.")
        )
    top = header_row(grid, filled, per_row, options)
    first, names_given = header(grid, filled, top, options, findings)
    body: IntArray = np.flatnonzero(per_row > 0)
    body = body[body >= first]
    if not options.hidden and grid.hidden_rows:
        body = body[~np.isin(body, grid.hidden_rows)]
    if first > top:
        body = one_table(grid, first - 1, body, options, findings)
    body = without_notes(grid, filled, body, options, findings)
    keep = filled[:, body].any(axis=1) | np.array([bool(h.strip()) for h in names_given], dtype=bool)
    if not options.hidden:
        keep[[c for c in grid.hidden_columns if c < keep.size]] = False
        if not body.size or not keep.any():
            raise TapdeskError(
                _("Everything in the table is hidden."),
                name,
                _("Read hidden rows and columns too."),
                ways=[("Read what is hidden", {"hidden": True})],
            )
    if not keep.any():
        raise TapdeskError(
            _("Nothing stands below row {row}.").format(row=top + 1),
            name,
            _("Choose another header row."),
            ways=[(_("Find the header"), {"header": None, "header_rows": None})],
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
        parts.append(_("{short} with fewer than {usual} cells").format(short=rows_named(short), usual=usual))
    if long:
        parts.append(_("{long} with more than {usual}").format(long=rows_named(long), usual=usual))
    message = _("Rows are not of one length: {parts}.").format(parts=joined(*parts, sep=", "))
    if options.uneven is Uneven.REFUSE:
        raise TapdeskError(
            message,
            f"{name}, row {min(short + long)}",
            _(
                "Check these rows for a missing or extra delimiter, or have short rows filled up and long "
                "ones cut (--uneven fit)."
            ),
            ways=[(_("Fill up short rows and cut long ones"), {"uneven": Uneven.FIT})],
        )
    findings.append(
        note(
            "uneven_rows",
            rows_named(sorted(short + long)),
            message,
            default=joined(
                *(
                    told
                    for told, rows in (
                        (_("Short rows end in blank cells."), short),
                        (_("Long rows are cut: what stands beyond the last column is not read."), long),
                    )
                    if rows
                )
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
        blank_rows = ngettext("{n:,} blank row", "{n:,} blank rows", rows).format(n=rows)
        blank_columns = ngettext("{n:,} blank column", "{n:,} blank columns", columns).format(n=columns)
        both = _("{rows} and {columns}").format(rows=blank_rows, columns=blank_columns)
        message = ngettext(
            "Inside the table is {lines}; it is passed over.",
            "Inside the table are {lines}; they are passed over.",
            rows + columns,
        ).format(lines=both if rows and columns else blank_rows if rows else blank_columns)
        findings.append(note("blank_lines", "", message))


def _trimmed(table: Table) -> Table:
    """The same cells without outer blanks, where that makes no two distinct texts one.

    ``Yes`` and ``Yes `` in one column stay two texts: merging them is the user's decision.
    """
    return replace(table, columns=tuple(trimmed(c) for c in table.columns))
