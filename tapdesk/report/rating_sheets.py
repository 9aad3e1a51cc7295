"""Blank rating sheets as workbooks: one with the key for whoever runs the panel, and a copy for each rater."""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tapdesk.errors import UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.project.files.outputs import OutputKind
from tapdesk.ratings.grid import column_letter
from tapdesk.ratings.own.filled_sheets import (
    ABOUT_MARK,
    ABOUT_SHEET,
    CASE,
    CLASSES_SHEET,
    COPY,
    ITEM,
    KEY_FILE,
    KEY_HEAD,
    KEY_SHEET,
    ORDERED,
    RATING,
    REMARK,
    SEED,
)
from tapdesk.ratings.own.plan import SheetPlan
from tapdesk.report.cleaned import (
    WITHOUT_DATE,
    cell_of,
    refuse_what_no_workbook_holds,
    write_sheet,
)
from tapdesk.report.forms.xlsx import settled

SUFFIX = ".xlsx"
_UNNAMED = re.compile(r"[\[\]:*?/\\<>|\"'\x00-\x1f\x7f]")
_LONGEST = 24
_TAKEN = (ABOUT_SHEET, KEY_SHEET, CLASSES_SHEET)


def sheet_files(plan: SheetPlan, path: Path) -> tuple[tuple[Path, bytes], ...]:
    """The workbooks of a plan: the one with the key first, then a copy for each rater.

    Parameters
    ----------
    plan
        Who rates what.
    path
        The workbook with the key; the copies stand beside it, under its name and that of the rater.

    Raises
    ------
    UsageError
        When the name does not end in .xlsx, or a further column is called like one of the sheets' own.
    CannotAnswerError
        When a text cannot be held by a workbook.
    """
    if path.suffix.lower() != SUFFIX:
        raise UsageError(
            _("“{name}” is no name for rating sheets.").format(name=Label(path.name)), fix=_("Let it end in .xlsx.")
        )
    own = {ITEM, CASE, RATING, REMARK}
    taken = next((name for name in plan.cases.shown if name.strip().casefold() in own), None)
    if taken is not None:
        raise UsageError(
            _("A rating sheet has a column '{name}' of its own.").format(name=Label(taken)),
            fix=_("Give the column of the {subjects} another name, or do not show it."),
        )
    names = _file_names(plan.raters)
    copies = [path.with_name(f"{path.stem}-{name}{SUFFIX}") for name in names]
    mark = _plan_name(plan)
    files = [(path, _book(plan, mark, path, [c.name for c in copies], names))]
    return (*files, *((c, _book(plan, mark, path, (), names, i)) for i, c in enumerate(copies)))


def _plan_name(plan: SheetPlan) -> str:
    """Sixteen digits that follow from the whole plan, the same for its key and its copies."""
    return hashlib.sha256(repr(plan).encode("utf-8", "surrogatepass")).hexdigest()[:16].upper()


def _file_names(raters: Sequence[str]) -> tuple[str, ...]:
    """What the sheets and files of the raters are called: their names as far as these may be."""
    made: list[str] = []
    taken = {name.casefold() for name in _TAKEN}
    for i, rater in enumerate(raters):
        plain = " ".join(_UNNAMED.sub(" ", rater).split())[:_LONGEST].strip(". ") or str(i + 1)
        name, n = plain, 2
        while name.casefold() in taken:
            name, n = f"{plain} {n}", n + 1
        taken.add(name.casefold())
        made.append(name)
    return tuple(made)


def _book(
    plan: SheetPlan, mark: str, key: Path, copies: Sequence[str], names: Sequence[str], rater: int | None = None
) -> bytes:
    """The workbook with the key and all sheets, or the copy of one rater."""
    from openpyxl import Workbook  # late: opened when the first workbook is made, not when the program starts

    book = Workbook(write_only=True)
    if rater is None:
        _about(book, plan, [(ABOUT_MARK, mark), *_told_of_key(plan), *((COPY, name) for name in copies)], key)
        write_sheet(book.create_sheet(KEY_SHEET), KEY_HEAD, _key(plan), numeric=False)
    for i in range(len(plan.raters)) if rater is None else (rater,):
        _sheet(book, names[i], plan, i)
    classes = [(label,) for label in plan.classes]
    write_sheet(book.create_sheet(CLASSES_SHEET), (_("{Ratings} that can be given"),), classes)
    if rater is not None:
        _about(book, plan, [(ABOUT_MARK, mark), *_told_of_copy(plan, rater)], key)
    return settled(book, WITHOUT_DATE, OutputKind.SHEETS)


def _about(book: Any, plan: SheetPlan, lines: Sequence[tuple[str, str]], key: Path) -> None:
    """What the workbook is, for whoever opens it and for the program."""
    rows = [*lines, (KEY_FILE, key.name), (ORDERED, "yes" if plan.ordered else "no")]
    refuse_what_no_workbook_holds(rows)
    sheet = book.create_sheet(ABOUT_SHEET)
    sheet.column_dimensions["A"].width = 26
    sheet.column_dimensions["B"].width = 90
    for what, text in rows:
        sheet.append([cell_of(sheet, what), cell_of(sheet, text)])


def _told_of_key(plan: SheetPlan) -> list[tuple[str, str]]:
    """What is said to whoever runs the panel."""
    hidden = sum(line.time > 1 for line in plan.lines)
    lines = [
        ("for", _("Whoever runs the panel. Keep this workbook: the key stands in it. Do not give it to {raters}.")),
        ("how", _("Give each {rater} the copy that bears the name. Each has the {subjects} in an order of its own.")),
        ("then", _("Put the filled copies beside this workbook and open it in tapdesk, or type in its sheets.")),
        ("cases", str(len(plan.cases.names))),
        ("raters", str(len(plan.raters))),
        ("hidden repeats", str(hidden)),
        ("known answers", str(sum(bool(text) for text in plan.cases.known))),
        (SEED, str(plan.seed)),
    ]
    if plan.coded:
        shown = _("{Raters} see items in place of {subjects}: mark what they are to look at with the items of the key.")
        lines.insert(2, ("items", shown))
    return lines


def _told_of_copy(plan: SheetPlan, rater: int) -> list[tuple[str, str]]:
    """What is said to a rater."""
    return [
        ("for", plan.raters[rater]),
        (
            "how",
            _("Go through the lines in their order and choose one {rating} for each. Leave blank what you cannot."),
        ),
        ("please", _("Do not change the column of items: by it your {ratings} are known again.")),
    ]


def _key(plan: SheetPlan) -> list[tuple[str, ...]]:
    """What each item stands for, in the order of the cases: nobody's order shows."""
    known = plan.cases.known or ("",) * len(plan.cases.names)
    lines = sorted(plan.lines, key=lambda line: (line.case, line.rater, line.time))
    rows: list[tuple[str, ...]] = [
        (x.item, plan.raters[x.rater], str(x.place), plan.cases.names[x.case], str(x.time), known[x.case])
        for x in lines
    ]
    refuse_what_no_workbook_holds([KEY_HEAD, *rows])
    return rows


def _sheet(book: Any, name: str, plan: SheetPlan, rater: int) -> None:
    """The lines of one rater, the ratings chosen from a list."""
    from openpyxl.worksheet.datavalidation import DataValidation

    head = [ITEM, *([] if plan.coded else [CASE]), *plan.cases.shown, RATING, REMARK]
    rows = []
    for line in plan.lines_of(rater):
        shown = (texts[line.case] for texts in plan.cases.shown.values())
        case = () if plan.coded else (plan.cases.names[line.case],)
        rows.append((line.item, *case, *shown, "", ""))
    refuse_what_no_workbook_holds([head, *rows])
    sheet = book.create_sheet(name)
    column = column_letter(head.index(RATING))
    allowed = DataValidation(
        type="list",
        formula1=f"'{CLASSES_SHEET}'!$A$2:$A${len(plan.classes) + 1}",
        allow_blank=True,
        showErrorMessage=True,
        errorTitle=_("Not {a_rating}"),
        error=_("Choose one of the list, or leave the cell blank."),
    )
    allowed.add(f"{column}2:{column}{len(rows) + 1}")
    sheet.data_validations.append(allowed)
    write_sheet(sheet, head, rows, numeric=False)
