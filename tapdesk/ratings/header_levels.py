"""Rows of names: whether a row is a header, and headers of two rows."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import gettext as _
from tapdesk.ratings.dates import is_date
from tapdesk.ratings.findings import Finding, ask, quoted
from tapdesk.ratings.grid import Grid
from tapdesk.ratings.layouts.header_words import RATER_ANYWHERE, SUBJECT, in_language, words
from tapdesk.ratings.numbers import is_number
from tapdesk.ratings.options import ReadingOptions

_LEAST = 4  # rows below a header of two rows that is told by its second one


def is_header(grid: Grid, filled: NDArray[np.bool_], top: int) -> bool:
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
    again = same_row(grid, top)[top + 1 :]
    other = ~again if again.any() else None
    return sum(comes_again(grid, i, top, other) for i in here) * 3 <= len(here)


def _names_cases(texts: list[str], grid: Grid, top: int) -> bool:
    """Whether the first cell of a row heads the cases (``Wine``) or raters (``Judge``): numbers beside it are names."""
    first = texts[0]
    heads = in_language([first], SUBJECT) | RATER_ANYWHERE
    known = bool(heads.intersection(words(first))) and not any(map(str.isdigit, first))
    others = [i for i, t in enumerate(texts) if t]
    different = len({texts[i] for i in others}) == len(others) > 2
    return known and different and not any(comes_again(grid, i, top) for i in others)


def comes_again(grid: Grid, place: int, top: int, rows: NDArray[np.bool_] | None = None) -> bool:
    """Whether the text of a cell stands again below it, in some of the rows."""
    column, text = grid.columns[place], grid.columns[place].text(top).strip()
    codes = column.codes[top + 1 :] if rows is None else column.codes[top + 1 :][rows]
    below = np.bincount(codes, minlength=len(column.values))
    return any(below[i] for i, v in enumerate(column.values) if text in v and v.strip() == text)


def same_row(grid: Grid, row: int) -> NDArray[np.bool_]:
    """Shape (rows,): which rows hold the same texts in all cells as one of them, as a header that is repeated does."""
    same = np.ones(grid.rows, dtype=bool)
    for column in grid.columns:
        same &= column.codes == column.codes[row]
    return same


def groups_above(grid: Grid, filled: NDArray[np.bool_], top: int) -> bool:
    """Whether the row above a full row of names holds names of groups of columns: merged over them, or with gaps."""
    if top == 0 or not two_levels(grid, filled, top - 1):
        return False
    groups = [i for i, t in enumerate(grid.row(top - 1)) if t.strip() and i]
    # A title in one cell above the names, or merged over the whole table, is no group of columns.
    merged = any(r0 == top - 1 and c1 > c0 > 0 for r0, c0, _rest, c1 in grid.merged)
    return merged or len(groups) > 1


def two_levels(grid: Grid, filled: NDArray[np.bool_], top: int) -> bool:
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
    return (merged or repeated) and is_header(grid, filled, top + 1)


def _continues(grid: Grid, filled: NDArray[np.bool_], top: int) -> bool:
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
    said = {v.strip().casefold() for c in grid.columns for v in c.take(below).used().values}
    return not said & {t.casefold() for t in texts}


def as_r_writes(grid: Grid, filled: NDArray[np.bool_], top: int, row: list[str], findings: list[Finding]) -> list[str]:
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
            _("The first column has no name; {names} name the columns after it.").format(names=quoted(row[:short], 3)),
            ((str(top + 1),),),
        )
    )
    return moved


def _joined(grid: Grid, top: int) -> list[str]:
    """Two header rows as one: ``Judge 1 / Colour``, a group name reaching over the gap to its right."""
    uppers, lowers = ([t.strip() for t in grid.row(row)] for row in (top, top + 1))
    ends = {c0: c1 for r0, c0, _rest, c1 in grid.merged if r0 == top and c1 > c0}
    reaching, group, end = [], "", 0
    for i, (upper, lower) in enumerate(zip(uppers, lowers, strict=True)):
        if upper:
            # Where cells are merged, they say how far a name reaches.
            group, end = upper, ends.get(i, i) if ends else len(uppers)
        reaching.append(group if lower and i <= end else upper)
    return [" / ".join(part for part in both if part) for both in zip(reaching, lowers, strict=True)]


def both(grid: Grid, top: int, options: ReadingOptions, findings: list[Finding]) -> list[str]:
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
