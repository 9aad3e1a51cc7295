"""The few questions the window asks before work could be lost."""

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TypeVar

from PySide6.QtWidgets import QMessageBox, QWidget

from tapdesk.errors import TapdeskError
from tapdesk.gui import dialogs
from tapdesk.gui.keeping.saving import at_home
from tapdesk.language import gettext as _
from tapdesk.project.files.file import SUFFIX

A = TypeVar("A", bound=Enum)

PROJECTS = _("tapdesk project (*{SUFFIX})").format(SUFFIX=SUFFIX)

# What the dialog for opening offers.
RATINGS = "*.csv *.tsv *.txt *.xlsx *.xlsm *.xls *.xlsb *.ods *.sav *.dta"
KINDS = _(
    "Ratings and projects ({RATINGS} *.tapdesk);;Ratings ({RATINGS});;tapdesk projects (*.tapdesk);;All files (*)"
).format(RATINGS=RATINGS)


class Answer(Enum):
    """What to do with changes that are not saved."""

    SAVE = _("Save")
    DROP = _("Don't save")
    STAY = _("Cancel")


def _answered(box: QMessageBox, answers: type[A]) -> A:
    """Ask with a button for each of three answers: to go on, to lose something, and to leave all as it is."""
    roles = (
        QMessageBox.ButtonRole.AcceptRole,
        QMessageBox.ButtonRole.DestructiveRole,
        QMessageBox.ButtonRole.RejectRole,
    )
    buttons = {box.addButton(answer.value, part): answer for answer, part in zip(answers, roles, strict=True)}
    first, *_others, stay = buttons
    box.setDefaultButton(first)
    box.setEscapeButton(stay)
    dialogs.execute(box)
    return next((answer for one, answer in buttons.items() if one is box.clickedButton()), buttons[stay])


def about_changes(parent: QWidget, name: str) -> Answer:
    """Ask what to do with changes before a project is left; closing the question means to stay."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(_("Changes not saved"))
    box.setText(_("The changes in “{name}” are not saved. Save them first?").format(name=name))
    return _answered(box, Answer)


class Instead(Enum):
    """What to do where the file of a project holds other work by now."""

    OTHER_NAME = _("Save under another name…")
    REPLACE = _("Replace it")
    STAY = _("Cancel")


def about_other_work(parent: QWidget, error: TapdeskError) -> Instead:
    """Ask what to do with a project whose file was changed by somebody else; closing the question changes nothing."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(_("The file was changed"))
    box.setText(error.what)
    box.setInformativeText(error.fix)
    return _answered(box, Instead)


def to_stop(parent: QWidget) -> bool:
    """Ask whether a run may be stopped for closing."""
    return dialogs.agree(parent, _("Close tapdesk"), _("A run is going on. Stop it and close?"))


def where_to_save(parent: QWidget, suggestion: str) -> Path | None:
    """Ask for the place of a project file; a file that stands there is asked about by the dialog."""
    chosen, _kind = dialogs.file_to_save(parent, _("Save the project"), at_home(suggestion), PROJECTS, SUFFIX)
    return Path(chosen) if chosen else None


def for_text(parent: QWidget, title: str, words: str, text: str) -> str | None:
    """Ask for a text; None when the question was closed, or nothing but blanks was typed."""
    answer = dialogs.line_of_text(parent, title, words, text)
    return None if answer is None else answer.strip() or None


def for_one(parent: QWidget, title: str, words: str, rows: Sequence[str]) -> int | None:
    """Ask for one of some rows; its place, or None when the question was closed."""
    answer = dialogs.one_of(parent, title, words, rows)
    return None if answer is None or answer not in rows else list(rows).index(answer)


def about_new_category(parent: QWidget, label: str) -> bool:
    """Ask whether a text that was typed into a cell is meant as a category that is not there yet."""
    words = _("“{label}” is not one of the categories. Add it as a new one?").format(label=label)
    return dialogs.agree(parent, _("A new category"), words)
