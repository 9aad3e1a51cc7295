"""The header of a table: which row it is, and one name for each column."""

import re
from collections import Counter
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, ask, block, name_list, note, quoted_list, row_list, short_text
from tapdesk.ratings.grid import CellGrid, column_letter
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import IntArray
from tapdesk.ratings.texts import is_date, is_number, number
from tapdesk.ratings.vocabulary import LEGEND, RATER_ANYWHERE, SUBJECT, in_language, words

_SECOND = 3  # so many further tables may stand below the first
_LEAST = 4  # rows below a header of two rows that is told by its second one


def _is_header(grid: CellGrid, filled: NDArray[np.bool_], top: int) -> bool:
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
    if _names_cases(texts, grid, top):
        return True
    if len(numeric) * 2 > len(here):
        # Only numbers: seat numbers 1, 2, 3 under a blank corner are names, anything else is data.
        blank_corner = not texts[0] and seats == [str(k + 1) for k in range(len(seats))]
        return blank_corner and len(seats) == len(here)
    again = (same_row(grid, top) | _begins_anew(grid, top))[top + 1 :]
    other = ~again if again.any() else None
    return sum(_is_repeated_below(grid, i, top, other) for i in here) * 3 <= len(here)


def _names_cases(texts: list[str], grid: CellGrid, top: int) -> bool:
    """Whether the first cell of a row heads the cases (``Wine``) or raters (``Judge``): numbers beside it are names."""
    first = texts[0]
    heads = in_language([first], SUBJECT) | RATER_ANYWHERE
    known = bool(heads.intersection(words(first))) and not any(map(str.isdigit, first))
    others = [i for i, t in enumerate(texts) if t]
    different = len({texts[i] for i in others}) == len(others) > 2
    return known and different and not any(_is_repeated_below(grid, i, top) for i in others)


def _is_repeated_below(grid: CellGrid, place: int, top: int, rows: NDArray[np.bool_] | None = None) -> bool:
    """Whether the text of a cell stands again below it, in some of the rows."""
    column, text = grid.columns[place], grid.columns[place].text(top).strip()
    codes = column.codes[top + 1 :] if rows is None else column.codes[top + 1 :][rows]
    below = np.bincount(codes, minlength=len(column.values))
    return any(below[i] for i in [i for i, v in enumerate(column.values) if text in v and v.strip() == text])


def same_row(grid: CellGrid, row: int) -> NDArray[np.bool_]:
    """Shape (rows,): which rows hold the same texts in all cells as one of them, as a header that is repeated does."""
    same = np.ones(grid.rows, dtype=bool)
    for column in grid.columns:
        same &= column.codes == column.codes[row]
    return same


def _begins_anew(grid: CellGrid, top: int) -> NDArray[np.bool_]:
    """Shape (rows,): the rows that begin as one of them does and go on with words of their own, as a second header."""
    first = grid.columns[0]
    anew: NDArray[np.bool_] = np.zeros(grid.rows, dtype=bool)
    if not first.text(top).strip() or is_number(first.text(top)):
        return anew
    rows = np.flatnonzero(first.codes[top + 1 :] == first.codes[top]) + top + 1
    if not 0 < rows.size <= _SECOND:
        return anew
    anew[rows] = True
    rest = np.flatnonzero(~anew[top + 1 :]) + top + 1
    for column in grid.columns[1:]:
        texts = {column.text(int(row)).strip() for row in rows} - {""}
        if any(map(is_number, texts)) or texts & {v.strip() for v in column.take(rest).used().values}:
            return np.zeros(grid.rows, dtype=bool)
    return anew


def _groups_above(grid: CellGrid, filled: NDArray[np.bool_], top: int) -> bool:
    """Whether the row above a full row of names holds names of groups of columns: merged over them, or with gaps."""
    if top == 0 or not _two_levels(grid, filled, top - 1):
        return False
    groups = [i for i, t in enumerate(grid.row(top - 1)) if t.strip() and i]
    # A title in one cell above the names, or merged over the whole table, is no group of columns.
    merged = any(r0 == top - 1 and c1 > c0 > 0 for r0, c0, _rest, c1 in grid.merged)
    return merged or len(groups) > 1


def _two_levels(grid: CellGrid, filled: NDArray[np.bool_], top: int) -> bool:
    """Whether a row of group names with gaps stands above a full row of names."""
    if top + 2 >= grid.rows:
        return False
    texts, below = [t.strip() for t in grid.row(top)], [t.strip() for t in grid.row(top + 1)]
    if _continues(grid, filled, top):
        return True
    gaps = sum(1 for t, b in zip(texts, below, strict=True) if b and not t)
    merged = any(r0 == top and c1 > c0 for r0, c0, _rest, c1 in grid.merged)
    named = [b for b in below if b]
    if not gaps or any(is_number(b) for b in named) or len(named) < 2:
        return False
    repeated = max(Counter(named).values()) > 1
    return (merged or repeated) and _is_header(grid, filled, top + 1)


def _continues(grid: CellGrid, filled: NDArray[np.bool_], top: int) -> bool:
    """Whether the row below a header goes on with it, as surveys write ``Response`` below each question.

    It names no case though all others do, and none of its words is an answer further down.
    """
    below = np.flatnonzero(filled[:, top + 2 :].any(axis=0)) + top + 2
    here = np.flatnonzero(filled[:, top + 1])
    if below.size < _LEAST or here.size < 2 or filled[0, top + 1] or not filled[0, [top, *below]].all():
        return False
    texts = [grid.columns[i].text(top + 1).strip() for i in here]
    if not filled[here, top].any() or any(is_number(t) or is_date(t) for t in texts):
        return False
    sentences = {v.strip().casefold() for c in grid.columns for v in c.take(below).used().values}
    return not sentences & {t.casefold() for t in texts}


def _as_r_writes(
    grid: CellGrid, filled: NDArray[np.bool_], top: int, row: list[str], findings: list[Finding]
) -> list[str]:
    """The names one column further right where the header is one short and the first column names the rows.

    So R writes a table: without a name for the names of the rows.
    """
    if grid.fields is None or top + 1 >= grid.rows:
        return row
    below = np.flatnonzero(filled[:, top + 1 :].any(axis=0)) + top + 1
    short = int(grid.fields[top])
    one_more = below.size > 1 and bool((grid.fields[below] == short + 1).all())
    if not one_more or len(row) != short + 1 or not all(row[:short]) or not filled[short, below].all():
        return row
    # Remarks behind the last rater have no name either, but they are no answers.
    last, before = (set(grid.columns[i].take(below).used().values) for i in (short, short - 1))
    names = grid.columns[0].codes[below]
    if np.unique(names).size < below.size or not last & before:
        return row
    moved = ["", *row[:short]]
    findings.append(
        ask(
            "header_one_short",
            _("row {row}").format(row=top + 1),
            _("The header has one name fewer than the rows have cells, as R writes tables."),
            _("If the names stand above other columns, give the first column a name in the file."),
            _("The first column has no name; {names} name the columns after it.").format(
                names=quoted_list(row[:short], 3)
            ),
            ((str(top + 1),),),
        )
    )
    return moved


def _joined(grid: CellGrid, top: int) -> tuple[list[str], str]:
    """Two header rows as one: ``Judge 1 / Colour``, a group name reaching over the gap to its right.

    A group name that all names below share tells them from nothing: it is dropped from them, and told beside them.
    """
    uppers, lowers = ([t.strip() for t in grid.row(row)] for row in (top, top + 1))
    ends = {c0: c1 for r0, c0, _rest, c1 in grid.merged if r0 == top and c1 > c0}
    reaching, group, end = [], "", 0
    for i, (upper, lower) in enumerate(zip(uppers, lowers, strict=True)):
        if upper:
            # Where cells are merged, they say how far a name reaches.
            group, end = upper, ends.get(i, i) if ends else len(uppers)
        reaching.append(group if lower and i <= end else upper)
    under = [group for group, lower in zip(reaching, lowers, strict=True) if group and lower]
    short = [lower or upper for upper, lower in zip(reaching, lowers, strict=True)]
    named = [name for name in short if name]
    if len(under) > 1 and len(set(under)) == 1 and len(set(named)) == len(named):
        return short, under[0]
    return [" / ".join(part for part in both if part) for both in zip(reaching, lowers, strict=True)], ""


def _join_header_rows(grid: CellGrid, top: int, options: ReadingOptions, findings: list[Finding]) -> list[str]:
    """Two header rows as one, asked about unless the user said that there are two."""
    joined, shared = _joined(grid, top)
    if options.header_rows is None:
        findings.append(
            ask(
                "two_row_header",
                _("rows {first} and {second}").format(first=top + 1, second=top + 2),
                _("The header has two rows; together they read {joined}.").format(
                    joined=quoted_list([j for j in joined if j])
                ),
                _("If only one row is the header, choose it."),
                _("“{shared}” stands above all of them and is dropped from their names.").format(
                    shared=short_text(shared)
                )
                if shared
                else _("The two rows are joined into one name for each column."),
                ((str(top + 1), str(top + 2)),),
            )
        )
    return joined


_FEW = 25  # a letterhead longer than this is no letterhead
_MOST = 0.5  # of the rows
# A sentence as programs write it above a table: more than one word, or ``# case`` were a name.
_REMARK = re.compile(r"\s*#+\s*[^\W\d_]\S*\s+\S")


def header_row(grid: CellGrid, filled: NDArray[np.bool_], per_row: IntArray, options: ReadingOptions) -> int:
    """The row where the table starts, counted from 0: the first that is about as full as rows are.

    A row of group names right above it, such as judges over what each of them judged, belongs to the table.
    """
    if options.header:
        if not 0 <= options.header <= grid.rows:
            raise UsageError(
                _("There is no row {header}.").format(header=options.header),
                fix=ngettext("The file has {rows} row.", "The file has {rows} rows.", grid.rows).format(rows=grid.rows),
            )
        return options.header - 1
    if grid.header_rows:
        return 0
    full = per_row[per_row > 0]
    typical = float(np.median(full))
    full_rows: IntArray = np.flatnonzero(per_row >= max(0.6 * typical, 2 if typical >= 2 else 1))
    candidates = _below_remarks(grid, filled, _below_legend(grid, per_row, full_rows))
    start = int(candidates[0]) if candidates.size else int(np.flatnonzero(per_row)[0])
    if start > _FEW:
        return int(np.flatnonzero(per_row)[0])
    groups = options.header is None and options.header_rows != 1 and _groups_above(grid, filled, start)
    return start - 1 if groups else start


def _below_remarks(grid: CellGrid, filled: NDArray[np.bool_], candidates: IntArray) -> IntArray:
    """The rows where a table may start, without sentences behind a ``#`` that have as many commas as the table.

    A header behind a ``#`` stays: what stands below that holds data.
    """
    while candidates.size > 1 and _REMARK.match(grid.columns[0].text(int(candidates[0]))):
        if not _is_header(grid, filled, int(candidates[1])):
            break
        candidates = candidates[1:]
    return candidates


def _below_legend(grid: CellGrid, per_row: IntArray, candidates: IntArray) -> IntArray:
    """The rows where a table may start, without a key to the answers that stands above it and a blank row."""
    if not candidates.size or not LEGEND.intersection(words(grid.columns[0].text(int(candidates[0])))):
        return candidates
    gaps = np.flatnonzero(per_row[int(candidates[0]) :] == 0)
    if not gaps.size:
        return candidates
    below: IntArray = candidates[candidates > int(candidates[0]) + int(gaps[0])]
    return below if below.size else candidates


def header(
    grid: CellGrid, filled: NDArray[np.bool_], top: int, options: ReadingOptions, findings: list[Finding]
) -> tuple[int, list[str]]:
    """The first row of data, counted from 0, and one name per column of the grid (blank where there is none)."""
    above = [r + 1 for r in range(top) if filled[:, r].any()]
    row = [t.strip() for t in grid.row(top)]
    if grid.header_rows and top == 0 and options.header != 0:
        return grid.header_rows, row
    if options.header == 0 or (options.header is None and not _names_columns(grid, filled, top, options)):
        _tell_above(above, top, options, findings, header=False)
        if options.header is None:
            findings.append(_no_header(top))
        return top, [""] * len(row)
    if options.header is None and _counts_by_number(row, options):
        findings.append(
            ask(
                "numeric_header",
                _("row {row}").format(row=top + 1),
                _("The first row holds only numbers: {row}.").format(row=quoted_list([t for t in row if t])),
                _("If it is a row of counts, write the names of the classes above it."),
                _("The first row is read as the names of the classes."),
            )
        )
    _tell_above(above, top, options, findings)
    two = _two_levels(grid, filled, top) if options.header_rows is None else options.header_rows == 2
    if two and top + 1 < grid.rows:
        return top + 2, _join_header_rows(grid, top, options, findings)
    names = _as_r_writes(grid, filled, top, row, findings)
    if options.header is None:
        findings += _too_short(grid, filled, top, names)
    return top + 1, names


def _too_short(grid: CellGrid, filled: NDArray[np.bool_], top: int, names: list[str]) -> list[Finding]:
    """A header that ends before its rows do: its names may stand above the wrong columns.

    So it is where a comma in a name or a number was taken for the end of a cell. What looks like answers there stands
    in the way of one; remarks behind the table are asked about.
    """
    named = [i for i, n in enumerate(names) if n]
    below: IntArray = np.flatnonzero(filled[:, top + 1 :].any(axis=0)) + top + 1
    beyond = range(named[-1] + 1 if named else len(names), len(names))
    shares = [float(filled[i, below].mean()) for i in beyond] if below.size else []
    if not named or not any(shares):
        return []
    first = int(below[0])
    pairs = [
        _("{name} = {cell}").format(
            name=_("'{name}'").format(name=Label(n)) if n else _("(no name)"),
            cell=_("'{name}'").format(name=short_text(grid.columns[i].text(first).strip())),
        )
        for i, n in enumerate(names)
        if n or i in beyond
    ]
    message = _(
        "The header in row {top} ends before its rows do, so the names may stand above the wrong columns. "
        "Row {first} would be read as {pairs}."
    ).format(top=top + 1, first=first + 1, pairs=name_list(pairs, 8))
    fix = _(
        "If each name stands above its column so, say that row {top} is the header (--header {top}). Else put "
        "cells with a comma in quotation marks, or write the name that is missing, in the file."
    ).format(top=top + 1)
    where, about = _("row {row}").format(row=top + 1), ((str(top + 1),),)
    before = frozenset(grid.columns[named[-1]].take(below).used().values)
    after = [frozenset(grid.columns[i].take(below).used().values) for i in beyond]
    answers = any(texts & before - {""} or all(is_number(t) for t in texts if t.strip()) for texts in after if texts)
    if grid.fields is not None and max(shares) > _MOST and answers:
        return [block("header_too_short", where, message, fix, about=about)]
    default = _("The names are read from the left, as they stand in the file.")
    return [ask("header_too_short", where, message, fix, default, about)]


def _no_header(top: int) -> Finding:
    return ask(
        "no_header",
        _("row {row}").format(row=top + 1),
        _("No header row was found, so columns have no names of their own."),
        _("If the first row is the header, say so; otherwise give the columns names in the file."),
        _("The first row is read as data; columns are called Column 1, Column 2 and so on."),
        ((str(top + 1),),),
    )


def _tell_above(
    above: list[int], top: int, options: ReadingOptions, findings: list[Finding], *, header: bool = True
) -> None:
    """Say what is left out above the table, unless the user chose where it starts."""
    if options.header or not above:
        return
    message = _("The header seems to be row {top}; what stands above it is not part of the table.")
    default = _("Row {top} is the header; the lines above are left out.")
    if not header:
        message = _("The table seems to begin in row {top}; what stands above it is not part of the table.")
        default = _("Row {top} is the first row of the table; the lines above are left out.")
    findings.append(
        ask(
            "letterhead",
            row_list(above),
            message.format(top=top + 1),
            _("If another row holds the column names, choose it as the header row."),
            default.format(top=top + 1),
            (tuple(map(str, above)), (str(top + 1),)),
        )
    )


def _names_columns(grid: CellGrid, filled: NDArray[np.bool_], top: int, options: ReadingOptions) -> bool:
    """Whether a row is the header; the classes of a table of counts may be numbers too."""
    texts = [t.strip() for t in grid.row(top)]
    if options.layout in {Layout.COUNTS, Layout.CONFUSION} and len(set(texts)) == len(texts) and top + 1 < grid.rows:
        return not _counts_by_number(texts, options) or _numbers_are_classes(grid, filled, top, options)
    return _is_header(grid, filled, top)


def _counts_by_number(texts: list[str], options: ReadingOptions) -> bool:
    """Whether a first row of a table said to hold counts is all numbers, as both classes and counts may be."""
    holds = options.layout in {Layout.COUNTS, Layout.CONFUSION}
    return holds and any(texts) and all(is_number(t) for t in texts if t)


def _numbers_are_classes(grid: CellGrid, filled: NDArray[np.bool_], top: int, options: ReadingOptions) -> bool:
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


def unique_names(header: list[str], positions: tuple[int, ...], findings: list[Finding]) -> tuple[str, ...]:
    """Column names made different, every change told."""
    sentences = {h for h in header if h}
    names: list[str] = []
    renamed: list[str] = []
    one_name: dict[str, list[str]] = {}
    for text, position in zip(header, positions, strict=True):
        base = text or f"Column {position + 1}"
        name, number = base, 2
        while name in names or (name != text and name in sentences):
            name, number = f"{base} ({number})", number + 1
        if text and name != text:
            renamed.append(
                _("column {column_letter} is now called '{name}'").format(
                    column_letter=column_letter(position), name=Label(name)
                )
            )
            one_name.setdefault(base, [base]).append(name)
        names.append(name)
    # The corner above the names of the cases is often blank.
    rows = list(zip(header, positions, names, strict=True))[1:]
    nameless = [(column_letter(p), n) for text, p, n in rows if not text]
    if nameless and len(nameless) < len(rows) and all(f.code != "header_too_short" for f in findings):
        lines = [
            _("column {letter} is called '{name}'").format(letter=letter, name=Label(name)) for letter, name in nameless
        ]
        findings.append(
            note(
                "column_without_name",
                _("columns {letters}").format(letters=name_list([letter for letter, _name in nameless])),
                _("The header leaves some columns without a name: {told}.").format(told=name_list(lines)),
            )
        )
    if renamed:
        findings.append(
            ask(
                "duplicate_column_names",
                "",
                _("Several columns have the same name: {renamed}.").format(renamed=joined(*renamed, sep="; ")),
                _("If they belong to one rater, say so by using the long layout; otherwise give each its own name."),
                _("Each column is kept under a name of its own."),
                tuple(tuple(group) for group in one_name.values()),
            )
        )
    return tuple(names)
