"""The few questions the window asks before work could be lost."""

from collections.abc import Iterable, Sequence
from enum import Enum
from pathlib import Path
from typing import TypeVar

from PySide6.QtWidgets import QMessageBox, QWidget

from tapdesk.errors import TapdeskError
from tapdesk.gui import dialogs
from tapdesk.gui.keeping.saving import at_home
from tapdesk.language import gettext as _
from tapdesk.project.files.file import SUFFIX
from tapdesk.project.files.locks import OpenElsewhereError

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


def _answered(box: QMessageBox, answers: Iterable[A]) -> A:
    """Ask with a button for each answer: first to go on, last to leave all as it is, between them to lose something."""
    first_one, *between, last = answers
    roles = QMessageBox.ButtonRole
    parts = {first_one: roles.AcceptRole} | dict.fromkeys(between, roles.DestructiveRole) | {last: roles.RejectRole}
    buttons = {box.addButton(answer.value, part): answer for answer, part in parts.items()}
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


def _warning(parent: QWidget, title: str, error: TapdeskError) -> QMessageBox:
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(title)
    box.setText(error.what)
    box.setInformativeText(error.fix)
    return box


def about_other_work(parent: QWidget, error: TapdeskError) -> Instead:
    """Ask what to do with a project whose file was changed by somebody else; closing the question changes nothing."""
    return _answered(_warning(parent, _("The file was changed"), error), Instead)


def about_saving_there(parent: QWidget, error: OpenElsewhereError) -> Instead:
    """Ask what to do with a project whose file is open in another window; what is surely open is not replaced."""
    answers = [answer for answer in Instead if not error.certain or answer is not Instead.REPLACE]
    return _answered(_warning(parent, _("The project is open elsewhere"), error), answers)


class Entrance(Enum):
    """What to do with a project that is open in another window."""

    COPY = _("Open a copy")
    ANYWAY = _("Open it anyway")
    STAY = _("Cancel")


def about_opening(parent: QWidget, error: OpenElsewhereError) -> Entrance:
    """Ask how to open a project that is open elsewhere; anyway only where it may be closed there by now."""
    answers = [answer for answer in Entrance if not error.certain or answer is not Entrance.ANYWAY]
    return _answered(_warning(parent, _("The project is open elsewhere"), error), answers)


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
