"""The cases of a table, for blank rating sheets: their names, what is shown of them, and what is known to be true.

It stands alone because it reads files, and the plan does not.
"""

from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.formats.files import load, name_of
from tapdesk.ratings.layouts.roles import column_called, user_column
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.own.plan import CaseList
from tapdesk.ratings.samples import locate
from tapdesk.ratings.table import RatingTable, frame_table
from tapdesk.ratings.vocabulary import SUBJECT


def numbered_cases(count: int) -> CaseList:
    """Cases called 1, 2, 3 and so on."""
    return CaseList(tuple(str(i + 1) for i in range(count)))


def read_cases(
    path: str | Path,
    *,
    subject: str | None = None,
    shown: Sequence[str] = (),
    known: str | None = None,
    sheet: str | None = None,
) -> Run[CaseList]:
    """The cases of a table, each once, in the order in which they stand there.

    Parameters
    ----------
    path
        A file with a header; where a case stands in several rows, these must say the same of what is asked for.
    subject
        The column that names the cases; by default one that is called so, else the first that tells all rows apart.
    shown, known
        Columns that raters see, and the column of answers known to be true.
    sheet
        Of a workbook.

    Raises
    ------
    UsageError
        When there is no such column or sheet.
    TapdeskError
        When the file cannot be read, no column names the cases, or the rows of a case differ.
    """
    table = yield from case_table(path, sheet)
    return cases_in(table, subject=subject, shown=shown, known=known)


def case_table(path: str | Path, sheet: str | None = None) -> Run[RatingTable]:
    """The table in a file, as it stands there.

    Raises
    ------
    TapdeskError
        When the file cannot be read.
    """
    place, options = locate(path, ReadingOptions(sheet=sheet))
    table, _findings = frame_table((yield from load(place, options)).grid, name_of(place), options)
    return table


def cases_in(
    table: RatingTable, *, subject: str | None = None, shown: Sequence[str] = (), known: str | None = None
) -> CaseList:
    """The cases of a table that was read; see `read_cases`.

    Raises
    ------
    UsageError
        When there is no such column.
    TapdeskError
        When no column names the cases, or the rows of a case differ.
    """
    case = case_column(table) if subject is None else user_column(table, subject, "--subject")
    names = table.column(case)
    first: dict[str, int] = {}
    for row in range(table.rows):
        if not names.text(row).strip():
            raise TapdeskError(
                _("A row has no case."),
                f"{table.file}, {table.place(case)}, row {int(table.row_numbers[row])}",
                _("Fill in the name of the case, or delete the row."),
            )
        first.setdefault(names.text(row).strip(), row)

    def texts(column: str) -> tuple[str, ...]:
        cells = table.column(column)
        for row in range(table.rows):
            name = names.text(row).strip()
            if cells.text(row) != cells.text(first[name]):
                raise TapdeskError(
                    _("The rows of the case '{case}' say different things in the column '{column}'.").format(
                        case=Label(name), column=Label(column)
                    ),
                    f"{table.file}, row {int(table.row_numbers[row])}",
                    _("Give each case one row, or choose another column."),
                )
        return tuple(cells.text(row).strip() for row in first.values())

    columns = {user_column(table, name, "--show"): None for name in shown}
    answers = () if known is None else texts(user_column(table, known, "--known"))
    return CaseList(tuple(first), MappingProxyType({name: texts(name) for name in columns}), answers)


def case_column(table: RatingTable) -> str:
    """The column that names the cases: one that is called so, else the first that tells all rows apart.

    Raises
    ------
    UsageError
        When there is none.
    """
    named = column_called(table, SUBJECT)
    column = named or next((name for name in table.names if table.all_different(name)), None)
    if column is None:
        raise UsageError(
            _("No column of “{file}” tells all cases apart.").format(file=Label(table.file)),
            fix=_("Name the column of the cases with --subject."),
        )
    return column
