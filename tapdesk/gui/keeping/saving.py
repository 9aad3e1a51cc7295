"""Where the user wants a file, and writing it there."""

from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QWidget

from tapdesk.errors import TapdeskError
from tapdesk.gui import dialogs
from tapdesk.gui.widgets.messages import ErrorCard
from tapdesk.language import PLAIN, speaking
from tapdesk.language import gettext as _
from tapdesk.project.files.outputs import InTheWayError, Outputs
from tapdesk.project.project import Project
from tapdesk.ratings.formats.several import paths_of
from tapdesk.report.figure import Figure
from tapdesk.report.figures.catalog import height

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
    return dialogs.agree(parent, _("Replace this file?"), error.what, details, careful=True)


def save_picture(parent: QWidget, panels: tuple[Figure, ...], name: str, error: ErrorCard, outputs: Outputs) -> None:
    """Ask for a place and save the panels of a figure there, several ones numbered."""
    # typst is loaded when the first picture is saved, not when the program starts.
    from tapdesk.report.forms.pdf import figure_file

    path = ask_where(parent, _("Save the picture"), f"{name}.png", PICTURES)
    if path is None:
        return
    places = [path] if len(panels) == 1 else [path.with_stem(f"{path.stem}-{i + 1}") for i in range(len(panels))]
    try:
        # A picture in a file reads the same everywhere, whatever the screen speaks.
        with speaking(PLAIN):
            files = [
                (place, figure_file(panel, path.suffix, height=height(panel)))
                for place, panel in zip(places, panels, strict=True)
            ]
        try:
            outputs.save_all(files)
        except InTheWayError as problem:
            if about_replacing(parent, problem):
                outputs.replacing(*problem.paths).save_all(files)
    except TapdeskError as problem:
        error.show_error(problem, str(path))
