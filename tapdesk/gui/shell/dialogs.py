"""Dialogs that are answered: files, questions before work could be lost, and where something is saved."""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QPoint, QStandardPaths
from PySide6.QtWidgets import QDialog, QFileDialog, QInputDialog, QMenu, QMessageBox, QWidget
from shiboken6 import isValid

from tapdesk.answers.figure import Figure
from tapdesk.errors import TapdeskError
from tapdesk.gui.widgets.messages import ErrorCard
from tapdesk.language import PLAIN, speaking
from tapdesk.language import gettext as _
from tapdesk.project.files.locks import OpenElsewhereError
from tapdesk.project.files.outputs import InTheWayError, Outputs
from tapdesk.project.files.recognition import SUFFIX
from tapdesk.project.project import Project
from tapdesk.ratings.formats.files import paths_of
from tapdesk.ratings.formats.kinds import FileKind

PICTURES = _("Picture for the screen (*.png);;Drawing (*.svg);;Page (*.pdf)")
A = TypeVar("A", bound=Enum)
PROJECTS = _("tapdesk project (*{SUFFIX})").format(SUFFIX=SUFFIX)
# What the dialog for opening offers.
RATINGS = " ".join(f"*{suffix}" for kind in FileKind for suffix in kind.suffixes)
KINDS = _(
    "Ratings and projects ({RATINGS} *.tapdesk);;Ratings ({RATINGS});;tapdesk projects (*.tapdesk);;All files (*)"
).format(RATINGS=RATINGS)


def execute(dialog: QDialog) -> bool:
    """Show a dialog until it is closed, and have it destroyed at the next turn of the event loop.

    Returns
    -------
    bool
        Whether it was accepted; False as well where its window was destroyed under it.
    """
    accepted = dialog.exec()
    if not isValid(dialog):
        return False
    dialog.deleteLater()
    return bool(accepted)


def files_to_open(parent: QWidget, title: str, kinds: str, place: str = "") -> list[str]:
    """Paths of one or several files, the dialog beginning in the folder ``place``; none when it was closed."""
    dialog = QFileDialog(parent, title, place, kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    return dialog.selectedFiles() if execute(dialog) else []


def file_to_open(parent: QWidget, title: str, kinds: str, place: str = "") -> str:
    """The path of a file that is there, the dialog beginning in the folder ``place``; empty when it was closed."""
    dialog = QFileDialog(parent, title, place, kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    return dialog.selectedFiles()[0] if execute(dialog) else ""


def folder(parent: QWidget, title: str, place: str = "") -> str:
    """The path of a folder, ``place`` being where the dialog begins; empty when it was closed."""
    dialog = QFileDialog(parent, title, place)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    return dialog.selectedFiles()[0] if execute(dialog) else ""


def file_to_save(parent: QWidget, title: str, place: str, kinds: str, suffix: str = "") -> tuple[str, str]:
    """Where a file is to be written.

    Parameters
    ----------
    place
        The path that is suggested.
    kinds
        The kinds of files, as Qt writes them.
    suffix
        What is added to a name without one, before the dialog asks about a file that stands there.

    Returns
    -------
    tuple
        The path and the kind that was chosen; both empty when the dialog was closed.
    """
    dialog = QFileDialog(parent, title, str(Path(place).parent), kinds)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setDefaultSuffix(suffix.removeprefix("."))
    dialog.selectFile(place)
    return (dialog.selectedFiles()[0], dialog.selectedNameFilter()) if execute(dialog) else ("", "")


def _input_dialog(parent: QWidget, title: str, words: str) -> QInputDialog:
    """A dialog for one value; its buttons are called in the language of the screen, which Qt's own are not."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setLabelText(words)
    dialog.setOkButtonText(_("OK"))
    dialog.setCancelButtonText(_("Cancel"))
    return dialog


def line_of_text(parent: QWidget, title: str, words: str, text: str) -> str | None:
    """A line of text; None when the dialog was closed."""
    dialog = _input_dialog(parent, title, words)
    dialog.setTextValue(text)
    return dialog.textValue() if execute(dialog) else None


def one_of(parent: QWidget, title: str, words: str, rows: Sequence[str]) -> str | None:
    """One of some rows; None when the dialog was closed."""
    dialog = _input_dialog(parent, title, words)
    dialog.setComboBoxItems(list(rows))
    dialog.setComboBoxEditable(False)
    return dialog.textValue() if execute(dialog) else None


def agree(parent: QWidget, title: str, words: str, details: str = "", *, careful: bool = False) -> bool:
    """Whether a question was answered with Yes; where that cannot be undone, Enter and Escape say No."""
    icon = QMessageBox.Icon.Warning if careful else QMessageBox.Icon.Question
    box = QMessageBox(icon, title, words, parent=parent)
    box.setInformativeText(details)
    box.setStandardButtons(QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No)
    if careful:
        box.setDefaultButton(QMessageBox.StandardButton.No)
        box.setEscapeButton(QMessageBox.StandardButton.No)
    execute(box)
    return isValid(box) and box.result() == QMessageBox.StandardButton.Yes


def inform(parent: QWidget, title: str, words: str) -> None:
    """Say something that is read and closed."""
    execute(QMessageBox(QMessageBox.Icon.Information, title, words, QMessageBox.StandardButton.Ok, parent))


def popup(menu: QMenu, at: QPoint) -> None:
    """Open a menu that was made for this once, and have it destroyed when it has closed.

    It would stay in its parent with all that its rows hold, one more each time. What was chosen in it is told before:
    the menu goes at the next turn of the event loop.
    """
    menu.aboutToHide.connect(menu.deleteLater)
    menu.popup(at)


def at_home(name: str) -> str:
    """A name among the user's documents, for a program may be started elsewhere; a path as it is."""
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return str(folder / name) if folder.is_dir() else str(Path.home() / name)


def ask_where(parent: QWidget, title: str, name: str, kinds: str) -> Path | None:
    """The place the user chose, or None; what is suggested is a path, or a name among the user's documents."""
    chosen, kind = file_to_save(parent, title, at_home(name), kinds)
    if not chosen:
        return None
    path = Path(chosen)
    suffix = kind.rsplit("*", 1)[-1].rstrip(")")
    return path if path.suffix else path.with_suffix(suffix)


def permitted(project: Project) -> Outputs:
    """What the window may write: over no file the open project was read from, and over no other that is not ours."""
    source = None if project.reading is None else project.reading.source.path
    return Outputs(sources=() if source is None else paths_of(source))


def about_replacing(parent: QWidget, error: InTheWayError) -> bool:
    """Ask whether a file may be replaced that this program would not replace unasked; no is what Enter says."""
    details = (
        _("Replace it? What it holds now cannot be brought back.")
        if len(error.paths) == 1
        else _("Replace them? What they hold now cannot be brought back.")
    )
    return agree(parent, _("Replace this file?"), error.what, details, careful=True)


def save_picture(parent: QWidget, panels: tuple[Figure, ...], name: str, error: ErrorCard, outputs: Outputs) -> None:
    """Ask for a place and save the panels of a figure there, several ones numbered."""
    # typst is loaded when the first picture is saved, not when the program starts.
    from tapdesk.report.forms.pdf import figure_file

    path = ask_where(parent, _("Save the picture"), f"{name}.png", PICTURES)
    if path is None:
        return
    places = [path] if len(panels) == 1 else [path.with_stem(f"{path.stem}-{i + 1}") for i in range(len(panels))]

    def drawn() -> list[tuple[Path, bytes]]:
        # A picture in a file reads the same everywhere, whatever the screen speaks.
        with speaking(PLAIN):
            return [
                (place, figure_file(panel, path.suffix, height=panel.height))
                for place, panel in zip(places, panels, strict=True)
            ]

    save_files(parent, path, drawn, error, outputs)


def save_table(
    parent: QWidget,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    name: str,
    error: ErrorCard,
    outputs: Outputs,
) -> None:
    """Ask for a place and save a table there as CSV: numbers in full, with a point, whatever the screen speaks."""
    # A report's forms are loaded when the first table is saved, not when the program starts.
    from tapdesk.report.forms.xlsx import csv_bytes

    path = ask_where(parent, _("Save the table"), name, _("Table (*.csv)"))
    if path is not None:
        save_files(parent, path, lambda: [(path, csv_bytes(heads, rows))], error, outputs)


def save_files(
    parent: QWidget,
    path: Path,
    make: Callable[[], Sequence[tuple[Path, bytes]]],
    error: ErrorCard,
    outputs: Outputs,
) -> bool:
    """Make files and save them all, asking before one is replaced that may not be replaced unasked.

    Parameters
    ----------
    parent, error
        Where the question stands, and what the user can mend.
    path
        The place that was chosen.
    make
        Makes the files with their places.
    outputs
        What may be replaced.

    Returns
    -------
    bool
        Whether they were saved.
    """
    try:
        files = list(make())
        try:
            outputs.save_all(files)
        except InTheWayError as problem:
            if not about_replacing(parent, problem):
                return False
            outputs.replacing(*problem.paths).save_all(files)
    except TapdeskError as problem:
        error.show_error(problem, str(path))
        return False
    return True


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
    execute(box)
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
    return agree(parent, _("Close"), _("A run is going on. Stop it and close?"))


def where_to_save(parent: QWidget, suggestion: str) -> Path | None:
    """Ask for the place of a project file; a file that stands there is asked about by the dialog."""
    chosen, _kind = file_to_save(parent, _("Save the project"), at_home(suggestion), PROJECTS, SUFFIX)
    return Path(chosen) if chosen else None


def for_text(parent: QWidget, title: str, words: str, text: str) -> str | None:
    """Ask for a text; None when the question was closed, or nothing but blanks was typed."""
    answer = line_of_text(parent, title, words, text)
    return None if answer is None else answer.strip() or None


def for_one(parent: QWidget, title: str, words: str, rows: Sequence[str]) -> int | None:
    """Ask for one of some rows; its place, or None when the question was closed."""
    answer = one_of(parent, title, words, rows)
    return None if answer is None or answer not in rows else list(rows).index(answer)


def about_new_category(parent: QWidget, label: str) -> bool:
    """Ask whether a text that was typed into a cell is meant as a category that is not there yet."""
    words = _("“{label}” is not one of the classes. Add it as a new one?").format(label=label)
    return agree(parent, _("A new class"), words)
