"""Dialogs that are answered: each is made here, held as long as it is open, and let go when it is closed.

A function such as ``QFileDialog.getOpenFileName`` makes its dialog inside Qt. Python then only meets it where something
of ours is put into it or follows its focus, and what Python knows of it are wrappers that hold nothing but each other.
The garbage collector takes them for rubbish and empties them while the dialog is on the screen: the next event that
reaches such an object finds it without its attributes. So every dialog is an object of ours with a parent, a name
holds it as long as it is executed, and it is destroyed in the thread of the window.
"""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDialog, QFileDialog, QInputDialog, QMenu, QMessageBox, QWidget
from shiboken6 import isValid


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


def files_to_open(parent: QWidget, title: str, kinds: str) -> list[str]:
    """Paths of one or several files that are there; none when the dialog was closed."""
    dialog = QFileDialog(parent, title, "", kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    return dialog.selectedFiles() if execute(dialog) else []


def file_to_open(parent: QWidget, title: str, kinds: str) -> str:
    """The path of a file that is there; empty when the dialog was closed."""
    dialog = QFileDialog(parent, title, "", kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    return dialog.selectedFiles()[0] if execute(dialog) else ""


def folder(parent: QWidget, title: str) -> str:
    """The path of a folder; empty when the dialog was closed."""
    dialog = QFileDialog(parent, title)
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


def line_of_text(parent: QWidget, title: str, words: str, text: str) -> str | None:
    """A line of text; None when the dialog was closed."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setLabelText(words)
    dialog.setTextValue(text)
    return dialog.textValue() if execute(dialog) else None


def one_of(parent: QWidget, title: str, words: str, rows: Sequence[str]) -> str | None:
    """One of some rows; None when the dialog was closed."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setLabelText(words)
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
