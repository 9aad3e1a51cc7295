"""One function per layout: a table and its roles to ratings cell by cell."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.ratings.count_numbers import whole
from tapdesk.ratings.findings import Finding, ask, quoted, rows_named
from tapdesk.ratings.grid import Column, trimmed
from tapdesk.ratings.layouts.cells import Cells, seats, stacked
from tapdesk.ratings.layouts.further import below_a_merged, filled, further, further_of_rows
from tapdesk.ratings.layouts.roles import Roles, question_rows
from tapdesk.ratings.layouts.tallies import confusion, counts
from tapdesk.ratings.options import Layout, RatersAre, ReadingOptions
from tapdesk.ratings.ratings import CovariateOf, IntArray
from tapdesk.ratings.table import Table


def cells(table: Table, found: Roles, name: str, options: ReadingOptions) -> Cells:
    """Every cell that can hold a rating.

    Raises
    ------
    TapdeskError
        When a rating has no case, or a count is no whole number.
    """
    return CATALOG[found.layout](table, found, name, options)


def _long(table: Table, found: Roles, name: str, options: ReadingOptions) -> Cells:
    """One row per rating."""
    if found.subject is None or found.rating is None:
        raise TapdeskError(
            _("No column for the cases and the ratings."), name, _("Name them with --subject and --rating.")
        )
    findings: list[Finding] = []
    value = table.column(found.rating)
    subject = _named_cases(table, found.subject, ~value.blank, name, options, findings)
    rows: IntArray = np.arange(table.rows)
    if found.question is not None and options.only is not None:
        rows = question_rows(table, found.question, options.only, name)
    codes, subjects = _compact(subject.take(rows))
    if found.rater is not None:
        rater, raters = _compact(_blank_named(table, found.rater, findings).take(rows))
    else:
        rater = seats(codes, len(subjects))
        raters = tuple(str(i + 1) for i in range(int(rater.max(initial=0)) + 1))
    weight = None
    if found.count is not None:
        weight = _weight_of_subjects(table, found.count, rows, codes, len(subjects), name, options.decimal)
    return Cells(
        codes,
        rater,
        value.take(rows).used(),
        subjects,
        raters,
        table.row_numbers[rows],
        np.array([table.positions[table.names.index(found.rating)]]),
        weight,
        raters_known=found.rater is not None and options.raters_are is not RatersAre.SEATS,
        covariates=further(table, found, CovariateOf.RATING, rows, findings),
        findings=tuple(findings),
    )


def _compact(column: Column) -> tuple[IntArray, tuple[str, ...]]:
    """Codes and names without names that do not occur."""
    used = column.used()
    return used.codes, used.values


def _named_cases(
    table: Table, subject: str, rated: NDArray[np.bool_], name: str, options: ReadingOptions, findings: list[Finding]
) -> Column:
    """The column of case names with blanks mended where the user or a merged cell says how."""
    column = table.column(subject)
    lacking = column.blank
    if not lacking.any():
        return column
    fillable = lacking & (below_a_merged(table, subject) | options.fill_down)
    if fillable.any():
        column = filled(table, subject, fillable)
        findings.append(
            ask(
                "filled_down",
                rows_named([int(r) for r in table.row_numbers[fillable]]),
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
            _("There are ratings without a case in {rows}.").format(rows=rows_named(rows)),
            f"{name}, {table.place(subject)}, row {rows[0]}",
            _("Fill in the case, or read such rows with the case of the row above (--fill-down)."),
            ways=[(_("Take the case of the row above"), {"fill_down": True})],
        )
    return column


def _blank_named(table: Table, rater: str, findings: list[Finding]) -> Column:
    """The column of raters; a blank one is a rater without a name, and said to be."""
    column = table.column(rater)
    blank = column.blank
    if blank.any():
        findings.append(
            ask(
                "rater_without_name",
                rows_named([int(r) for r in table.row_numbers[blank]]),
                _("The rater is blank in {place}.").format(place=table.place(rater)),
                _("Fill in who rated, or say that raters are seats."),
                _("These ratings count as given by one rater called '(no name)'."),
            )
        )
        values = tuple("(no name)" if not v.strip() else v for v in column.values)
        return Column(column.codes, values)
    return column


def _weight_of_subjects(
    table: Table, count: str, rows: IntArray, subject: IntArray, subjects: int, name: str, decimal: str | None
) -> IntArray:
    """Shape (N,): the number in the count column, which all rows of a case must share."""
    numbers = whole(table, count, name, decimal)[rows]
    weight = np.zeros(subjects, dtype=np.int64)
    weight[subject] = numbers
    unlike = np.flatnonzero(weight[subject] != numbers)
    if unlike.size:
        row = int(table.row_numbers[rows[unlike[0]]])
        raise TapdeskError(
            _("Row {row} gives a case another count than an earlier row.").format(row=row),
            f"{name}, {table.place(count)}, row {row}",
            _("Give each case one count, the same in all its rows."),
        )
    return weight


def _wide(table: Table, found: Roles, name: str, options: ReadingOptions) -> Cells:
    """One row per case, one column per rater."""
    findings: list[Finding] = []
    columns = [table.column(n) for n in found.columns]
    value = trimmed(stacked(columns))
    subjects, codes = _case_names(table, found, value, options, findings)
    weight = None
    if found.count is not None:
        # A row that stands for many subjects is nobody's name: each row is a subject of its own.
        codes, subjects = np.arange(table.rows), tuple(_row_names(table, found))
        weight = whole(table, found.count, name, options.decimal)
    width = len(columns)
    return Cells(
        np.repeat(codes, width),
        np.tile(np.arange(width), table.rows),
        value,
        subjects,
        _rater_names(table, found),
        np.repeat(table.row_numbers, width),
        np.tile(np.array([table.positions[table.names.index(n)] for n in found.columns]), table.rows),
        weight,
        raters_known=options.raters_are is not RatersAre.SEATS,
        covariates=further_of_rows(table, found, codes, len(subjects), width, findings),
        findings=tuple(findings),
    )


def _rater_names(table: Table, found: Roles) -> tuple[str, ...]:
    """What the raters are called: as their columns, or by number where the file names no column."""
    nameless = [f"Column {table.positions[table.names.index(name)] + 1}" for name in found.columns]
    if table.header_rows or nameless != list(found.columns):
        return found.columns
    return tuple(_("Rater {n}").format(n=i + 1) for i in range(len(nameless)))


def _row_names(table: Table, found: Roles) -> list[str]:
    """A name for each row: its case where it has one, else its number."""
    if found.subject is None:
        return [str(i + 1) for i in range(table.rows)]
    column = table.column(found.subject)
    return [text if (text := column.text(i)).strip() else f"row {int(table.row_numbers[i])}" for i in range(table.rows)]


def _case_names(
    table: Table, found: Roles, value: Column, options: ReadingOptions, findings: list[Finding]
) -> tuple[tuple[str, ...], IntArray]:
    """Names of the cases and the case of each row; rows with the same name are repeats of one case."""
    width = len(found.columns)
    if found.subject is None and options.subject == "":
        return tuple(_row_names(table, found)), np.arange(table.rows)
    if found.subject is None:
        findings.append(
            ask(
                "no_case_column",
                "",
                _("No column names the cases, so lists of cases show the number of the row of data."),
                _("Name the column that holds the cases, if there is one."),
                _("Cases are called 1 to {rows:,}, and each of {columns} is read as a rater.").format(
                    rows=table.rows, columns=quoted(found.columns)
                ),
            )
        )
        return tuple(_row_names(table, found)), np.arange(table.rows)
    blank = table.column(found.subject).blank
    rated = (~value.blank).reshape(table.rows, width).any(axis=1)
    nameless = np.flatnonzero(blank & rated)
    names = _row_names(table, found)
    if nameless.size:
        findings.append(
            ask(
                "case_without_name",
                rows_named([int(table.row_numbers[i]) for i in nameless]),
                _("The case is blank in {place}.").format(place=table.place(found.subject)),
                _("Fill in the name of the case."),
                _("Each such row is a case of its own, called by its row."),
                (tuple(names[i] for i in nameless[:1_000]),),
            )
        )
    index: dict[str, int] = {}
    codes = np.array([index.setdefault(n, len(index)) for n in names], dtype=np.int64)
    return tuple(index), codes


def _transposed(table: Table, found: Roles, _name: str, options: ReadingOptions) -> Cells:
    """One row per rater, one column per case."""
    value = trimmed(stacked([table.column(n) for n in found.columns]))
    width = len(found.columns)
    if found.rater is None:
        raters, codes = tuple(str(i + 1) for i in range(table.rows)), np.arange(table.rows)
    else:
        index: dict[str, int] = {}
        column = table.column(found.rater)
        texts = [t if (t := column.text(i)).strip() else f"row {table.row_numbers[i]}" for i in range(table.rows)]
        codes = np.array([index.setdefault(t, len(index)) for t in texts], dtype=np.int64)
        raters = tuple(index)
    return Cells(
        np.tile(np.arange(width), table.rows),
        np.repeat(codes, width),
        value,
        found.columns,
        raters,
        np.repeat(table.row_numbers, width),
        np.tile(np.array([table.positions[table.names.index(n)] for n in found.columns]), table.rows),
        raters_known=options.raters_are is not RatersAre.SEATS,
    )


def _question(table: Table, found: Roles, name: str, options: ReadingOptions) -> Cells:
    """One question of several: a column of its own, or the rows of a long table that answer it."""
    return _long(table, found, name, options)


CATALOG: Mapping[Layout, Callable[[Table, Roles, str, ReadingOptions], Cells]] = MappingProxyType(
    {
        Layout.LONG: _long,
        Layout.RATERS: _wide,
        Layout.SUBJECTS: _transposed,
        Layout.QUESTIONS: _question,
        Layout.COUNTS: counts,
        Layout.CONFUSION: confusion,
    }
)
