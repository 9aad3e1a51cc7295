"""The list of awards that can be signed: a workbook with all that stands beside it, or a CSV; and the worklist."""

from pathlib import Path

from tapdesk.answers import awards as words
from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.project.files.outputs import OutputKind
from tapdesk.ratings.grid import guard
from tapdesk.ratings.own.plan import CaseList, plan_sheets
from tapdesk.ratings.ratings import Ratings, plain_text
from tapdesk.report.cleaned import WITHOUT_DATE
from tapdesk.report.forms.xlsx import csv_bytes, settled, write_table
from tapdesk.report.rating_sheets import sheet_files
from tapdesk.studies.award_answer import Awards
from tapdesk.studies.case_gains import worklist

SUFFIXES = (".xlsx", ".csv")
"""What a list of awards may be called."""
MOST_TO_DISCUSS = 12
"""So many cases stand on a worklist."""


def refuse_suffix(path: Path) -> None:
    """Refuse a name that ends in nothing that can be written.

    Raises
    ------
    UsageError
        It names the endings there are.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(
            _("“{name}” is no name for a list of awards.").format(name=Label(path.name)),
            fix=_("Let it end in {suffixes}.").format(suffixes=_(" or ").join(SUFFIXES)),
        )


def award_files(result: Awards, path: Path) -> tuple[tuple[Path, bytes], ...]:
    """The list with every probability, by the ending of the name.

    Raises
    ------
    UsageError
        When the name ends in something else.
    """
    refuse_suffix(path)
    if path.suffix.lower() == ".csv":
        table = words.entries_table(result)
        return ((path, csv_bytes(table.columns, table.rows)),)
    return ((path, _workbook(result)),)


def _workbook(result: Awards) -> bytes:
    """A sheet for each table, the list first, with lines to sign on."""
    from openpyxl import Workbook  # late: opened when the first workbook is made, not when the program starts

    book = Workbook()
    book.remove(book.worksheets[0])
    sheets = (
        (_("Awards"), words.entries_table(result)),
        (_("Judges"), words.judges_table(result)),
        (_("What would change"), words.changes_table(result)),
        (_("Discuss first"), words.discuss_table(result)),
    )
    for name, table in sheets:
        write_table(book.create_sheet(name), table)
    about = book.create_sheet(_("About"))
    sentences = (*words.headline(result), *words.ties(result), *words.caveats(result), words.not_said())
    for sentence in sentences:
        about.append([guard(str(sentence))])
    for line in (_("Decided by the committee on:"), _("Signed:")):
        about.append([])
        about.append([line])
    about.column_dimensions["A"].width = 110
    return settled(book, WITHOUT_DATE, OutputKind.AWARDS)


def worklist_files(
    result: Awards, ratings: Ratings, path: Path, most: int = MOST_TO_DISCUSS
) -> tuple[tuple[Path, bytes], ...]:
    """The cases worth another rating as blank rating sheets, whose filled copies are read without a question.

    Raises
    ------
    CannotAnswerError
        When one more rating gains nothing anywhere.
    """
    which = worklist(result.gain, most)
    if not which.size:
        raise CannotAnswerError(_("One more {rating} would change nothing, so there is no worklist.").format())
    cases = CaseList(tuple(ratings.subjects[int(i)] for i in which))
    # A score is written on the sheet as a number, without the places it has in the file.
    classes = tuple(dict.fromkeys(map(plain_text, ratings.classes)))
    plan = plan_sheets(cases, ratings.raters, classes, ordered=ratings.ordered)
    return sheet_files(plan, path)
