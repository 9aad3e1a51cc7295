"""Where the user wants a file, and writing it there."""

from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QWidget

from tapdesk.errors import TapdeskError
from tapdesk.gui import dialogs
from tapdesk.gui.widgets.messages import ErrorCard
from tapdesk.language import gettext as _
from tapdesk.report.figure import Figure
from tapdesk.report.figures.catalog import height
from tapdesk.report.forms.saving import save

PICTURES = _("Picture for the screen (*.png);;Drawing (*.svg);;Page (*.pdf)")


def at_home(name: str) -> str:
    """A name among the user's documents: a program may be started in a folder that is not theirs."""
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return str(folder / name) if folder.is_dir() else str(Path.home() / name)


def ask_where(parent: QWidget, title: str, name: str, kinds: str) -> Path | None:
    """The place the user chose, or None."""
    chosen, kind = dialogs.file_to_save(parent, title, at_home(name), kinds)
    if not chosen:
        return None
    path = Path(chosen)
    suffix = kind.rsplit("*", 1)[-1].rstrip(")")
    return path if path.suffix else path.with_suffix(suffix)


def save_picture(parent: QWidget, panels: tuple[Figure, ...], name: str, error: ErrorCard) -> None:
    """Ask for a place and save the panels of a figure there, several ones numbered."""
    # typst is loaded when the first picture is saved, not when the program starts.
    from tapdesk.report.forms.pdf import figure_file

    path = ask_where(parent, _("Save the picture"), f"{name}.png", PICTURES)
    if path is None:
        return
    try:
        for i, panel in enumerate(panels):
            place = path if len(panels) == 1 else path.with_stem(f"{path.stem}-{i + 1}")
            save(place, figure_file(panel, path.suffix, height=height(panel)))
    except TapdeskError as problem:
        error.show_error(problem, str(path))
