"""One function per layout: a table and its roles to ratings cell by cell."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError
from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import NOBODY, RatingCells, seat_numbers, stack_columns
from tapdesk.ratings.findings import Finding, ask, quoted_list, row_list
from tapdesk.ratings.grid import TextColumn, column_of, trim
from tapdesk.ratings.layouts.further_columns import Names, below_a_merged, fill_down, further_columns
from tapdesk.ratings.layouts.roles import Roles, question_rows, total_and_part, whole_numbers
from tapdesk.ratings.number_marks import MOST_RATINGS, whole
from tapdesk.ratings.options import Layout, RatersAre, ReadingOptions
from tapdesk.ratings.ratings import IntArray
from tapdesk.ratings.table import RatingTable


def _blanks(table: RatingTable, columns: tuple[str, ...]) -> tuple[Finding, ...]:
    """What is said about blank cells among counts, where a blank usually means none."""
    rows = sorted({int(table.row_numbers[i]) for n in columns for i in np.flatnonzero(table.column(n).blank)})
    if not rows:
        return ()
    return (
        ask(
            "blank_counts",
            row_list(rows),
            _("Some cells that should hold a count are blank."),
            _("If a blank means that the count is not known, leave these rows out of the file."),
            _("Blank cells are read as 0."),
        ),
    )


def _counts(table: RatingTable, roles: Roles, options: ReadingOptions) -> RatingCells:
    """One row per case (or per ``weight`` cases), one number of ratings per class."""
    classes = roles.columns
    pair = total_and_part(table)
    totalled = pair is not None and set(pair) == set(roles.columns)
    numbers = np.stack([whole(table, n, options.decimal, blank_is_zero=not totalled) for n in classes], axis=1)
    findings = _blanks(table, classes)
    if pair is not None and totalled:
        total, inside = (numbers[:, classes.index(name)] for name in pair)
        over = np.flatnonzero(inside > total)
        if over.size:
            rows = [int(table.row_numbers[i]) for i in over]
            raise TapdeskError(
                _("More ratings counted than ratings at all in {rows}.").format(rows=row_list(rows)),
                f"{table.file}, row {rows[0]}",
                _("Correct {inside} or {total} in these rows.").format(inside=Label(pair[1]), total=Label(pair[0])),
            )
        numbers, classes = np.stack([total - inside, inside], axis=1), ("class 0", "class 1")
    weight = whole(table, roles.count, options.decimal) if roles.count is not None else None
    if numbers.sum() > MOST_RATINGS:
        raise TapdeskError(
            _("The counts add up to {sum:,} ratings; at most {most:,} can be read.").format(
                sum=int(numbers.sum()), most=MOST_RATINGS
            ),
            table.file,
            _("Check that the columns are counts of ratings."),
        )
    k = len(classes)
    repeat = numbers.ravel()
    entry = np.repeat(np.arange(repeat.size), repeat)
    subject, category = entry // k, entry % k
    starts = np.concatenate([[0], np.cumsum(numbers.sum(axis=1))[:-1]])
    seat = np.arange(entry.size) - starts[subject]
    place = np.array([table.position(n) for n in roles.columns])
    return RatingCells(
        subject,
        seat,
        TextColumn(category, tuple(classes)),
        _names(table, roles),
        tuple(str(i + 1) for i in range(int(seat.max(initial=-1)) + 1)),
        table.row_numbers[subject],
        place[category],
        weight,
        raters_known=False,
        classes=tuple(classes),
        findings=findings,
    )


def _names(table: RatingTable, roles: Roles) -> tuple[str, ...]:
    """Names of the rows, made different where two are the same: each row of counts is a case of its own."""
    names: list[str] = []
    seen: set[str] = set()
    for text, row in zip(_row_names(table, roles), table.row_numbers.tolist(), strict=True):
        names.append(f"{text} (row {row})" if text in seen else text)
        seen.add(names[-1])
    return tuple(names)


def _refuse_part(table: RatingTable, roles: Roles, options: ReadingOptions) -> None:
    """Cases beside or below the classes the user named would be lost, so they stop the reading; sums do not."""
    if roles.subject is None:
        return
    labels = [table.column(roles.subject).text(i).strip() for i in range(table.rows)]
    wanted = [c.strip() for c in roles.columns]
    others = [n for n in table.names if n not in {roles.subject, *roles.columns} and whole_numbers(table, n)]
    names = (*roles.columns, *others)
    cells = np.stack([whole(table, n, options.decimal, blank_is_zero=True) for n in names], axis=1)
    rows = np.array([x in wanted for x in labels], dtype=bool)
    columns = np.array([j < len(wanted) for j in range(len(names))], dtype=bool)
    inside = cells[np.ix_(rows, columns)]
    # What is the sum of all others, or of the classes named, counts no further case.
    neighbours = columns | ~(
        (2 * cells == cells.sum(axis=1)[:, None]).all(axis=0) | _is_sum(cells[rows], inside.sum(axis=1))
    )
    below = rows | ~((2 * cells == cells.sum(axis=0)).all(axis=1) | _is_sum(cells[:, columns].T, inside.sum(axis=0)))
    left = [n for n, own, there in zip(names, columns, neighbours, strict=True) if there and not own]
    left += [x for x, own, there in zip(labels, rows, below, strict=True) if there and not own]
    if left:
        n = int(cells[np.ix_(below, neighbours)].sum() - inside.sum())
        raise TapdeskError(
            ngettext(
                "The confusion matrix has other classes than those named: {left}. Reading it without them leaves out "
                "{n:,} case.",
                "The confusion matrix has other classes than those named: {left}. Reading it without them leaves out "
                "{n:,} cases.",
                n,
            ).format(left=quoted_list(list(dict.fromkeys(left))), n=n),
            f"{table.file}, {table.place(roles.columns[0])}",
            _("Name all classes (--columns); to compare some of them, choose them with --class1 and --class0."),
        )


def _is_sum(lines: IntArray, sums: IntArray) -> NDArray[np.bool_]:
    """Shape (columns,): which columns are the sums of the classes."""
    return np.asarray((lines == sums[:, None]).all(axis=0))


def _confusion(table: RatingTable, roles: Roles, options: ReadingOptions) -> RatingCells:
    """Two raters crossed: rows are the classes of the first, columns those of the second, cells count cases."""
    classes = roles.columns
    if options.columns is not None and roles.subject is not None:
        _refuse_part(table, roles, options)
        # Whoever names the classes leaves out the row of totals with its column.
        wanted = {c.strip() for c in classes}
        kept = np.array([table.column(roles.subject).text(i).strip() in wanted for i in range(table.rows)], dtype=bool)
        columns = tuple(c.take(kept) for c in table.columns)
        table = replace(table, columns=columns, row_numbers=table.row_numbers[kept])
    if table.rows != len(classes):
        raise TapdeskError(
            _(
                "A confusion matrix is square; here the number of rows is {rows}, and that of class columns {classes}."
            ).format(rows=table.rows, classes=len(classes)),
            table.file,
            _("Remove totals and further columns, or choose another layout."),
        )
    numbers = np.stack([whole(table, n, options.decimal, blank_is_zero=True) for n in classes], axis=1)
    order = np.arange(len(classes))
    findings = _blanks(table, classes)
    if roles.subject is not None:
        labels = [table.column(roles.subject).text(i).strip() for i in range(table.rows)]
        plain = [c.strip() for c in classes]
        if sorted(labels) != sorted(plain):
            unlike = sorted(set(labels) ^ set(plain))
            raise TapdeskError(
                _("The rows and the columns of the confusion matrix name different classes: {unlike}.").format(
                    unlike=quoted_list(unlike)
                ),
                f"{table.file}, {table.place(roles.subject)}",
                _("Give rows and columns the same names."),
            )
        order = np.array([plain.index(label) for label in labels])
    first, second = np.nonzero(numbers)
    pairs = tuple(f"{classes[order[i]]} / {classes[j]}" for i, j in zip(first, second, strict=True))
    place = np.array([table.position(n) for n in classes])
    return RatingCells(
        np.repeat(np.arange(len(pairs)), 2),
        np.tile([0, 1], len(pairs)),
        TextColumn(np.stack([order[first], second], axis=1).ravel(), tuple(classes)),
        pairs,
        ("Rater of the rows", "Rater of the columns"),
        np.repeat(table.row_numbers[first], 2),
        np.repeat(place[second], 2),
        numbers[first, second],
        classes=tuple(classes),
        findings=findings,
    )


def cells(table: RatingTable, roles: Roles, options: ReadingOptions) -> RatingCells:
    """Every cell that can hold a rating.

    Raises
    ------
    TapdeskError
        When a rating has no case, or a count is no whole number.
    """
    return CATALOG[roles.layout](table, roles, options)


def _long(table: RatingTable, roles: Roles, options: ReadingOptions) -> RatingCells:
    """One row per rating."""
    if roles.subject is None or roles.rating is None:
        raise TapdeskError(
            _("No column for the cases and the ratings."), table.file, _("Name them with --subject and --rating.")
        )
    findings: list[Finding] = []
    value = table.column(roles.rating)
    subject = _named_cases(table, roles.subject, ~value.blank, options, findings)
    rows: IntArray = np.arange(table.rows)
    if roles.question is not None and options.only is not None:
        rows = question_rows(table, roles.question, options.only)
    codes, subjects = _compact(subject.take(rows))
    if roles.rater is not None:
        rater, raters = _compact(_blank_named(table, roles.rater, findings).take(rows))
    else:
        rater = seat_numbers(codes, len(subjects))
        raters = tuple(str(i + 1) for i in range(int(rater.max(initial=0)) + 1))
    weight = None
    if roles.count is not None:
        weight = _weight_of_subjects(table, roles.count, rows, codes, len(subjects), options.decimal)
    known = roles.rater is not None and options.raters_are is not RatersAre.SEATS
    whose = Names(rater, len(raters)) if known else None
    return RatingCells(
        codes,
        rater,
        value.take(rows).used(),
        subjects,
        raters,
        table.row_numbers[rows],
        np.array([table.position(roles.rating)]),
        weight,
        raters_known=known,
        covariates=further_columns(table, roles, rows, Names(codes, len(subjects)), whose, findings),
        findings=tuple(findings),
    )


def _compact(column: TextColumn) -> tuple[IntArray, tuple[str, ...]]:
    """Codes and names without names that do not occur."""
    used = column.used()
    return used.codes, used.values


def _named_cases(
    table: RatingTable,
    subject: str,
    rated: NDArray[np.bool_],
    options: ReadingOptions,
    findings: list[Finding],
) -> TextColumn:
    """The column of case names with blanks mended where the user or a merged cell says how."""
    column = table.column(subject)
    lacking = column.blank
    if not lacking.any():
        return column
    fillable = lacking & (below_a_merged(table, subject) | options.fill_down)
    if fillable.any():
        column = fill_down(table, subject, fillable)
        findings.append(
            ask(
                "filled_down",
                row_list(table.row_numbers[fillable]),
                _("The case in {place} is given once for several rows.").format(place=table.place(subject)),
                _("If these rows are other cases, name them in the file."),
                _("Each of these rows belongs to the case named above it."),
            )
        )
        lacking = column.blank
    nameless = np.flatnonzero(lacking & rated)
    if nameless.size:
        rows = [int(table.row_numbers[i]) for i in nameless]
        raise TapdeskError(
            _("There are ratings without a case in {rows}.").format(rows=row_list(rows)),
            f"{table.file}, {table.place(subject)}, row {rows[0]}",
            _("Fill in the case, or read such rows with the case of the row above (--fill-down)."),
            ways=[(_("Take the case of the row above"), {"fill_down": True})],
        )
    return column


def _blank_named(table: RatingTable, rater: str, findings: list[Finding]) -> TextColumn:
    """The column of raters; a blank one is a rater without a name, and said to be."""
    column = table.column(rater)
    blank = column.blank
    if blank.any():
        findings.append(
            ask(
                "rater_without_name",
                row_list(table.row_numbers[blank]),
                _("The rater is blank in {place}.").format(place=table.place(rater)),
                _("Fill in who rated, or say that raters are seats."),
                _("These ratings count as given by one rater called '(no name)'."),
            )
        )
        values = tuple(NOBODY if not v.strip() else v for v in column.values)
        return TextColumn(column.codes, values)
    return column


def _weight_of_subjects(
    table: RatingTable, count: str, rows: IntArray, subject: IntArray, subjects: int, decimal: str | None
) -> IntArray:
    """Shape (N,): the number in the count column, which all rows of a case must share."""
    numbers = whole(table, count, decimal)[rows]
    weight = np.zeros(subjects, dtype=np.int64)
    weight[subject] = numbers
    unlike = np.flatnonzero(weight[subject] != numbers)
    if unlike.size:
        row = int(table.row_numbers[rows[unlike[0]]])
        raise TapdeskError(
            _("Row {row} gives a case another count than an earlier row.").format(row=row),
            f"{table.file}, {table.place(count)}, row {row}",
            _("Give each case one count, the same in all its rows."),
        )
    return weight


def _wide(table: RatingTable, roles: Roles, options: ReadingOptions) -> RatingCells:
    """One row per case, one column per rater."""
    findings: list[Finding] = []
    columns = [table.column(n) for n in roles.columns]
    value = trim(stack_columns(columns))
    subjects, codes = _case_names(table, roles, value, options, findings)
    weight = None
    if roles.count is not None:
        # A row that stands for many subjects is nobody's name: each row is a subject of its own.
        codes, subjects = np.arange(table.rows), tuple(_row_names(table, roles))
        weight = whole(table, roles.count, options.decimal)
    width, rows = len(columns), np.arange(table.rows)
    return RatingCells(
        np.repeat(codes, width),
        np.tile(np.arange(width), table.rows),
        value,
        subjects,
        _rater_names(table, roles),
        np.repeat(table.row_numbers, width),
        np.tile(np.array([table.position(n) for n in roles.columns]), table.rows),
        weight,
        raters_known=options.raters_are is not RatersAre.SEATS,
        covariates=further_columns(table, roles, rows, Names(codes, len(subjects)), None, findings, width),
        findings=tuple(findings),
    )


def _rater_names(table: RatingTable, roles: Roles) -> tuple[str, ...]:
    """What the raters are called: as their columns, or by number where the file names no column."""
    nameless = [f"Column {table.position(name) + 1}" for name in roles.columns]
    if table.header_rows or nameless != list(roles.columns):
        return roles.columns
    return tuple(_("Rater {n}").format(n=i + 1) for i in range(len(nameless)))


def _row_names(table: RatingTable, roles: Roles) -> list[str]:
    """A name for each row: its case where it has one, else its number."""
    if roles.subject is None:
        return [str(i + 1) for i in range(table.rows)]
    return _texts_or_rows(table, roles.subject)


def _texts_or_rows(table: RatingTable, name: str) -> list[str]:
    """What a column says in each row; where it is blank, which row that is."""
    texts = map(table.column(name).text, range(table.rows))
    return [text if text.strip() else f"row {row}" for text, row in zip(texts, table.row_numbers.tolist(), strict=True)]


def _case_names(
    table: RatingTable, roles: Roles, value: TextColumn, options: ReadingOptions, findings: list[Finding]
) -> tuple[tuple[str, ...], IntArray]:
    """Names of the cases and the case of each row; rows with the same name are repeats of one case."""
    width = len(roles.columns)
    if roles.subject is None and options.subject == "":
        return tuple(_row_names(table, roles)), np.arange(table.rows)
    if roles.subject is None:
        findings.append(
            ask(
                "no_case_column",
                "",
                _("No column names the cases, so lists of cases show the number of the row of data."),
                _("Name the column that holds the cases, if there is one."),
                _("Cases are called 1 to {rows:,}, and each of {columns} is read as a rater.").format(
                    rows=table.rows, columns=quoted_list(roles.columns)
                ),
            )
        )
        return tuple(_row_names(table, roles)), np.arange(table.rows)
    blank = table.column(roles.subject).blank
    rated = (~value.blank).reshape(table.rows, width).any(axis=1)
    nameless = np.flatnonzero(blank & rated)
    names = _row_names(table, roles)
    if nameless.size:
        findings.append(
            ask(
                "case_without_name",
                row_list([int(table.row_numbers[i]) for i in nameless]),
                _("The case is blank in {place}.").format(place=table.place(roles.subject)),
                _("Fill in the name of the case."),
                _("Each such row is a case of its own, called by its row."),
                (tuple(names[i] for i in nameless[:1_000]),),
            )
        )
    cases = column_of(names)
    return cases.values, cases.codes


def _transposed(table: RatingTable, roles: Roles, options: ReadingOptions) -> RatingCells:
    """One row per rater, one column per case."""
    value = trim(stack_columns([table.column(n) for n in roles.columns]))
    width = len(roles.columns)
    nameless = (str(i + 1) for i in range(table.rows))
    raters = column_of(nameless if roles.rater is None else _texts_or_rows(table, roles.rater))
    return RatingCells(
        np.tile(np.arange(width), table.rows),
        np.repeat(raters.codes, width),
        value,
        roles.columns,
        raters.values,
        np.repeat(table.row_numbers, width),
        np.tile(np.array([table.position(n) for n in roles.columns]), table.rows),
        raters_known=options.raters_are is not RatersAre.SEATS,
    )


CATALOG: Mapping[Layout, Callable[[RatingTable, Roles, ReadingOptions], RatingCells]] = MappingProxyType(
    {
        Layout.LONG: _long,
        Layout.RATERS: _wide,
        Layout.SUBJECTS: _transposed,
        Layout.QUESTIONS: _long,
        Layout.COUNTS: _counts,
        Layout.CONFUSION: _confusion,
    }
)
