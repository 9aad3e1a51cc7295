"""The header of a table: which row it is, whether it has two levels, and one name for each column."""

from collections import Counter
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, ask, listed, note, quoted, rows_named
from tapdesk.ratings.grid import Grid, column_letter
from tapdesk.ratings.numbers import is_number, number
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import IntArray

_FEW = 25  # a letterhead longer than this is no letterhead


def header_row(grid: Grid, per_row: IntArray, options: ReadingOptions) -> int:
    """The row where the table starts, counted from 0: the first that is about as full as rows are."""
    if options.header is not None:
        if not 0 <= options.header <= grid.rows:
            raise UsageError(
                _("There is no row {header}.").format(header=options.header),
                fix=_("The file has {rows} rows.").format(rows=grid.rows),
            )
        return max(options.header - 1, 0)
    full = per_row[per_row > 0]
    typical = float(np.median(full))
    candidates = np.flatnonzero(per_row >= max(0.6 * typical, 2 if typical >= 2 else 1))
    start = int(candidates[0]) if candidates.size else int(np.flatnonzero(per_row)[0])
    return start if start <= _FEW else int(np.flatnonzero(per_row)[0])


def header(
    grid: Grid, filled: NDArray[np.bool_], top: int, options: ReadingOptions, findings: list[Finding]
) -> tuple[int, list[str]]:
    """The first row of data, counted from 0, and one name per column of the grid (blank where there is none)."""
    above = [r + 1 for r in range(top) if filled[:, r].any()]
    row = [t.strip() for t in grid.row(top)]
    if options.header == 0 or (options.header is None and not _names_columns(grid, filled, top, options)):
        findings.append(
            ask(
                "no_header",
                f"row {top + 1}",
                _("No header row was found, so columns have no names of their own."),
                _("If the first row is the header, say so; otherwise give the columns names in the file."),
                _("The first row is read as data; columns are called Column 1, Column 2 and so on."),
                ((str(top + 1),),),
            )
        )
        return top, [""] * len(row)
    if options.header is None and _counts_by_number(row, options):
        findings.append(
            ask(
                "numeric_header",
                f"row {top + 1}",
                _("The first row holds only numbers: {row}.").format(row=quoted([t for t in row if t])),
                _("If it is a row of counts, write the names of the classes above it."),
                _("The first row is read as the names of the classes."),
            )
        )
    if options.header is None and above:
        where = rows_named(above)
        findings.append(
            ask(
                "letterhead",
                where,
                _("The header seems to be row {top}; what stands above it is not part of the table.").format(
                    top=top + 1
                ),
                _("If another row holds the column names, choose it as the header row."),
                _("Row {top} is the header; the lines above are left out.").format(top=top + 1),
                (tuple(map(str, above)), (str(top + 1),)),
            )
        )
    two = _two_levels(grid, filled, top) if options.header_rows is None else options.header_rows == 2
    if two and top + 1 < grid.rows:
        return top + 2, _both(grid, top, options, findings)
    return top + 1, row


def _both(grid: Grid, top: int, options: ReadingOptions, findings: list[Finding]) -> list[str]:
    """Two header rows as one, asked about unless the user said that there are two."""
    joined = _joined(grid, top)
    if options.header_rows is None:
        findings.append(
            ask(
                "two_row_header",
                _("rows {first} and {second}").format(first=top + 1, second=top + 2),
                _("The header has two rows; together they read {joined}.").format(
                    joined=quoted([j for j in joined if j])
                ),
                _("If only one row is the header, choose it."),
                _("The two rows are joined into one name for each column."),
                ((str(top + 1), str(top + 2)),),
            )
        )
    return joined


def _names_columns(grid: Grid, filled: NDArray[np.bool_], top: int, options: ReadingOptions) -> bool:
    """Whether a row is the header; the classes of a table of counts may be numbers too."""
    texts = [t.strip() for t in grid.row(top)]
    if options.layout in {Layout.COUNTS, Layout.CONFUSION} and len(set(texts)) == len(texts) and top + 1 < grid.rows:
        return not _counts_by_number(texts, options) or _numbers_are_classes(grid, filled, top, options)
    return _is_header(grid, filled, top)


def _counts_by_number(texts: list[str], options: ReadingOptions) -> bool:
    """Whether a first row of a table said to hold counts is all numbers, as both classes and counts may be."""
    said = options.layout in {Layout.COUNTS, Layout.CONFUSION}
    return said and any(texts) and all(is_number(t) for t in texts if t)


def _numbers_are_classes(grid: Grid, filled: NDArray[np.bool_], top: int, options: ReadingOptions) -> bool:
    """Whether a first row of numbers names the classes of a table of counts rather than being a row of it."""
    here = [i for i, t in enumerate(grid.row(top)) if t.strip()]
    if options.layout is Layout.CONFUSION:
        # A confusion matrix has as many rows as columns, so one row more is its header.
        return int(filled[:, top + 1 :].any(axis=0).sum()) == len(here)

    def numbers(row: int) -> list[float]:
        texts = grid.row(row)
        read = (number(texts[i]) for i in here)
        return [-1.0 if x is None else x for x in read]

    first = numbers(top)
    if any(x < 0 or x != int(x) for x in first):
        return True
    steps = [b - a for a, b in pairwise(first)]
    if len({1.0, *steps}) == 1 or len({-1.0, *steps}) == 1:
        return True
    in_order = all(x > 0 for x in steps) or all(x < 0 for x in steps)
    # Where every case has equally many ratings, a first row with that sum is a case.
    sums = {sum(numbers(row)) for row in range(top + 1, grid.rows)}
    return in_order and sums != {sum(first)}


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
    merged = any(r0 == top and c1 > c0 for r0, c0, _rest, c1 in grid.merged)
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


def unique_names(header: list[str], positions: tuple[int, ...], findings: list[Finding]) -> tuple[str, ...]:
    """Column names made different, every change told."""
    said = {h for h in header if h}
    names: list[str] = []
    renamed: list[str] = []
    one_name: dict[str, list[str]] = {}
    for text, position in zip(header, positions, strict=True):
        base = text or f"Column {position + 1}"
        name, number = base, 2
        while name in names or (name != text and name in said):
            name, number = f"{base} ({number})", number + 1
        if text and name != text:
            renamed.append(
                _("column {column_letter} is now called '{name}'").format(
                    column_letter=column_letter(position), name=name
                )
            )
            one_name.setdefault(base, [base]).append(name)
        names.append(name)
    # The corner above the names of the cases is often blank.
    rows = list(zip(header, positions, names, strict=True))[1:]
    nameless = [(column_letter(p), n) for text, p, n in rows if not text]
    if nameless and len(nameless) < len(rows):
        told = [_("column {letter} is called '{name}'").format(letter=letter, name=name) for letter, name in nameless]
        findings.append(
            note(
                "column_without_name",
                f"columns {listed([letter for letter, _name in nameless])}",
                _("The header leaves some columns without a name: {told}.").format(told=listed(told)),
            )
        )
    if renamed:
        findings.append(
            ask(
                "duplicate_column_names",
                "",
                _("Several columns have the same name: {renamed}.").format(renamed="; ".join(renamed)),
                _("If they belong to one rater, say so by using the long layout; otherwise give each its own name."),
                _("Each column is kept under a name of its own."),
                tuple(tuple(group) for group in one_name.values()),
            )
        )
    return tuple(names)
