"""Layouts that hold numbers of ratings instead of ratings: tallied counts and crossed raters."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.ratings.count_numbers import MOST_RATINGS, whole
from tapdesk.ratings.findings import Finding, ask, quoted, rows_named
from tapdesk.ratings.grid import Column
from tapdesk.ratings.layouts.cells import Cells
from tapdesk.ratings.layouts.roles import Roles, whole_numbers
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import IntArray
from tapdesk.ratings.table import Table


def _blanks(table: Table, columns: tuple[str, ...]) -> tuple[Finding, ...]:
    """What is said about blank cells among counts, where a blank usually means none."""
    rows = sorted({int(table.row_numbers[i]) for n in columns for i in np.flatnonzero(table.column(n).blank)})
    if not rows:
        return ()
    return (
        ask(
            "blank_counts",
            rows_named(rows),
            _("Some cells that should hold a count are blank."),
            _("If a blank means that the count is not known, leave these rows out of the file."),
            _("Blank cells are read as 0."),
        ),
    )


def counts(table: Table, found: Roles, name: str, options: ReadingOptions) -> Cells:
    """One row per case (or per ``weight`` cases), one number of ratings per class."""
    classes = found.columns
    lower = [n.strip().lower() for n in found.columns]
    totalled = sorted(lower) == ["n_class1", "n_ratings"]
    numbers = np.stack([whole(table, n, name, options.decimal, blank_is_zero=not totalled) for n in classes], axis=1)
    findings = _blanks(table, classes)
    if totalled:
        total, inside = numbers[:, lower.index("n_ratings")], numbers[:, lower.index("n_class1")]
        over = np.flatnonzero(inside > total)
        if over.size:
            rows = [int(table.row_numbers[i]) for i in over]
            raise TapdeskError(
                _("More ratings in class 1 than ratings at all in {rows}.").format(rows=rows_named(rows)),
                f"{name}, row {rows[0]}",
                _("Correct n_class1 or n_ratings in these rows."),
            )
        numbers, classes = np.stack([total - inside, inside], axis=1), ("class 0", "class 1")
    weight = whole(table, found.count, name, options.decimal) if found.count is not None else None
    if numbers.sum() > MOST_RATINGS:
        raise TapdeskError(
            _("The counts add up to {sum:,} ratings; at most {most:,} can be read.").format(
                sum=int(numbers.sum()), most=MOST_RATINGS
            ),
            name,
            _("Check that the columns are counts of ratings."),
        )
    k = len(classes)
    repeat = numbers.ravel()
    entry = np.repeat(np.arange(repeat.size), repeat)
    subject, category = entry // k, entry % k
    starts = np.concatenate([[0], np.cumsum(numbers.sum(axis=1))[:-1]])
    seat = np.arange(entry.size) - starts[subject]
    place = np.array([table.positions[table.names.index(n)] for n in found.columns])
    return Cells(
        subject,
        seat,
        Column(category, tuple(classes)),
        _names(table, found),
        tuple(str(i + 1) for i in range(int(seat.max(initial=-1)) + 1)),
        table.row_numbers[subject],
        place[category],
        weight,
        raters_known=False,
        classes=tuple(classes),
        findings=findings,
    )


def _names(table: Table, found: Roles) -> tuple[str, ...]:
    """Names of the rows, made different where two are the same: each row of counts is a case of its own."""
    if found.subject is None:
        return tuple(str(i + 1) for i in range(table.rows))
    column = table.column(found.subject)
    seen: set[str] = set()
    names = []
    for i in range(table.rows):
        text = column.text(i) or f"row {table.row_numbers[i]}"
        if text in seen:
            text = f"{text} (row {table.row_numbers[i]})"
        seen.add(text)
        names.append(text)
    return tuple(names)


def _refuse_part(table: Table, found: Roles, name: str, options: ReadingOptions) -> None:
    """Cases beside or below the classes the user named would be lost, so they stop the reading; sums do not.

    Raises
    ------
    TapdeskError
        When there are such cases.
    """
    if found.subject is None:
        return
    labels = [table.column(found.subject).text(i).strip() for i in range(table.rows)]
    wanted = [c.strip() for c in found.columns]
    others = [n for n in table.names if n not in {found.subject, *found.columns} and whole_numbers(table, n)]
    names = (*found.columns, *others)
    cells = np.stack([whole(table, n, name, options.decimal, blank_is_zero=True) for n in names], axis=1)
    rows = np.array([x in wanted for x in labels], dtype=bool)
    columns = np.array([j < len(wanted) for j in range(len(names))], dtype=bool)
    inside = cells[np.ix_(rows, columns)]
    # What is the sum of all others, or of the classes named, counts no further case.
    beside = columns | ~(
        (2 * cells == cells.sum(axis=1)[:, None]).all(axis=0) | _is_sum(cells[rows], inside.sum(axis=1))
    )
    below = rows | ~((2 * cells == cells.sum(axis=0)).all(axis=1) | _is_sum(cells[:, columns].T, inside.sum(axis=0)))
    left = [n for n, own, there in zip(names, columns, beside, strict=True) if there and not own]
    left += [x for x, own, there in zip(labels, rows, below, strict=True) if there and not own]
    if left:
        n = int(cells[np.ix_(below, beside)].sum() - inside.sum())
        raise TapdeskError(
            _(
                "The confusion matrix has other classes than those named: {left}. Reading it without them leaves out "
                "{n:,} cases."
            ).format(left=quoted(list(dict.fromkeys(left))), n=n),
            f"{name}, {table.place(found.columns[0])}",
            _("Name all classes (--columns); to compare some of them, choose them with --class1 and --class0."),
        )


def _is_sum(lines: IntArray, sums: IntArray) -> NDArray[np.bool_]:
    """Shape (columns,): which columns are the sums of the classes."""
    return np.asarray((lines == sums[:, None]).all(axis=0))


def confusion(table: Table, found: Roles, name: str, options: ReadingOptions) -> Cells:
    """Two raters crossed: rows are the classes of the first, columns those of the second, cells count cases."""
    classes = found.columns
    if options.columns is not None and found.subject is not None:
        _refuse_part(table, found, name, options)
        # Whoever names the classes leaves out the row of totals with its column.
        wanted = {c.strip() for c in classes}
        kept = np.array([table.column(found.subject).text(i).strip() in wanted for i in range(table.rows)], dtype=bool)
        columns = tuple(c.take(kept) for c in table.columns)
        table = replace(table, columns=columns, row_numbers=table.row_numbers[kept])
    if table.rows != len(classes):
        raise TapdeskError(
            _("A confusion matrix is square, but there are {rows} rows and {classes} class columns here.").format(
                rows=table.rows, classes=len(classes)
            ),
            name,
            _("Remove totals and further columns, or choose another layout."),
        )
    numbers = np.stack([whole(table, n, name, options.decimal, blank_is_zero=True) for n in classes], axis=1)
    order = np.arange(len(classes))
    findings = _blanks(table, classes)
    if found.subject is not None:
        labels = [table.column(found.subject).text(i).strip() for i in range(table.rows)]
        plain = [c.strip() for c in classes]
        if sorted(labels) != sorted(plain):
            unlike = sorted(set(labels) ^ set(plain))
            raise TapdeskError(
                _("The rows and the columns of the confusion matrix name different classes: {unlike}.").format(
                    unlike=quoted(unlike)
                ),
                f"{name}, {table.place(found.subject)}",
                _("Give rows and columns the same names."),
            )
        order = np.array([plain.index(label) for label in labels])
    first, second = np.nonzero(numbers)
    pairs = tuple(f"{classes[order[i]]} / {classes[j]}" for i, j in zip(first, second, strict=True))
    place = np.array([table.positions[table.names.index(n)] for n in classes])
    return Cells(
        np.repeat(np.arange(len(pairs)), 2),
        np.tile([0, 1], len(pairs)),
        Column(np.stack([order[first], second], axis=1).ravel(), tuple(classes)),
        pairs,
        ("Rater 1 (rows)", "Rater 2 (columns)"),
        np.repeat(table.row_numbers[first], 2),
        np.repeat(place[second], 2),
        numbers[first, second],
        classes=tuple(classes),
        findings=findings,
    )
