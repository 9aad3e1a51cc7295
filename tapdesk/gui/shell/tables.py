"""Tables that leave the program from the File menu: asked about, then made and written in a thread."""

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from tapdesk.answers.naming import naming
from tapdesk.errors import TapdeskError
from tapdesk.gui.runs.job import Job
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.icons import State
from tapdesk.gui.theme.theme import Theme
from tapdesk.language import PLAIN, joined, ngettext, speaking
from tapdesk.language import gettext as _
from tapdesk.progress import Step
from tapdesk.project.files.outputs import InTheWayError, Outputs
from tapdesk.project.project import Project
from tapdesk.ratings.findings import quoted_list

if TYPE_CHECKING:
    # Loaded when a table is first asked for, not with the window.
    from tapdesk.gui.shell.table_dialogs import CleanedChoice
    from tapdesk.ratings.own.plan import SheetPlan

KINDS = _("Workbook (*.xlsx);;Text, with a second file that says how it was made (*.csv)")
BOOK = _("Workbook (*.xlsx)")
Written = Generator[Step, None, tuple[Path, str]]


def _cleaned(project: Project, choice: "CleanedChoice", path: Path, outputs: Outputs) -> Written:
    """Write cleaned data; where, and what is said of it."""
    # Workbooks are made by what is loaded when the first of them is wanted.
    from tapdesk.report.cleaned import cleaned_data, cleaned_files
    from tapdesk.report.cleaned_form import whole_form

    yield Step(0, 0, "save")
    with speaking(PLAIN):
        if choice.whole:
            made = whole_form(project, choice.shape, choice.raters_as)
        else:
            made = cleaned_data(project, choice.shape, naming(project, choice.raters_as, choice.cases_as))
        files = cleaned_files(made, path)
    yield Step(0, 0, "save")
    outputs.save_all(files)
    words = _("Saved {file}.").format(file=path)
    refused = [one.name for one in project.form if one.reading is None] if choice.whole else []
    if refused:
        words = joined(words, _("Not read, so not in it: {names}.").format(names=quoted_list(refused, 20)))
    if made.table.left_out:
        left = quoted_list(made.table.left_out)
        words = joined(words, _("A row for each {subject} has no place for {columns}.").format(columns=left))
    return path, words


def _sheets(plan: "SheetPlan", path: Path, outputs: Outputs) -> Written:
    """Write rating sheets; where, and what is said of them."""
    from tapdesk.report.rating_sheets import sheet_files  # late: see above

    yield Step(0, 0, "save")
    with speaking(PLAIN):
        files = sheet_files(plan, path)
    outputs.save_all(files)
    count = len(files) - 1
    words = ngettext(
        "Saved {file} with the key, and a copy for {n} {rater} beside it.",
        "Saved {file} with the key, and copies for {n} {raters} beside it.",
        count,
    )
    after = _("Put the filled copies back beside the key, and open the key.")
    return path, joined(words.format(file=path, n=count), after)


class TableFiles(QObject):
    """Saves cleaned data and blank rating sheets.

    Attributes
    ----------
    message
        Words for the banner, their state, and what the banner offers to do (or None).
    problem
        An error the user can mend.
    """

    message = Signal(str, object, object)
    problem = Signal(TapdeskError)

    def __init__(self, theme: Theme, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._theme, self._session, self._window = theme, session, window
        self.job = Job(self)
        self._anew: Callable[[tuple[Path, ...]], None] = lambda _agreed: None
        self.job.done.connect(self._on_done)
        self.job.failed.connect(self._on_failed)

    def save_cleaned(self) -> None:
        """Ask how and where, and save the ratings as they stand after all decisions."""
        project = self._session.document.project
        if self._session.document.empty or self.job.running:
            return
        from tapdesk.gui.shell.table_dialogs import CleanedDialog

        dialog = CleanedDialog(self._theme, self._window, project)
        choice = dialog.choice if dialogs.execute(dialog) else None
        if choice is None:
            return
        name = self._session.sibling(_("cleaned {name}.xlsx").format(name=Path(self._session.file).stem or "ratings"))
        path = dialogs.ask_where(self._window, _("Save cleaned data"), name, KINDS)
        if path is not None:
            self._start(partial(_cleaned, project, choice, path))

    def new_sheets(self) -> None:
        """Ask what blank rating sheets are to hold and where they go, and write them."""
        if self.job.running:
            return
        from tapdesk.gui.shell.table_dialogs import SheetsDialog

        dialog = SheetsDialog(self._theme, self._window, self._session.document.project, self._session.folder)
        if not dialogs.execute(dialog):
            return
        plan = dialog.plan
        name = self._session.sibling(_("rating sheets.xlsx"))
        path = dialogs.ask_where(self._window, _("Save blank rating sheets"), name, BOOK)
        if path is not None:
            self._start(partial(_sheets, plan, path))

    def _start(self, make: Callable[[Outputs], Written], agreed: tuple[Path, ...] = ()) -> None:
        self._anew = partial(self._start, make)
        self.job.start(make(dialogs.permitted(self._session.document.project).replacing(*agreed)))

    @Slot(object)
    def _on_done(self, result: object) -> None:
        path, words = result if isinstance(result, tuple) else (Path(), "")
        folder = QUrl.fromLocalFile(str(path.parent))
        action = (_("Show in folder"), lambda: QDesktopServices.openUrl(folder))
        self.message.emit(words, State.DONE, action)

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        if isinstance(error, InTheWayError):
            if dialogs.about_replacing(self._window, error):
                self._anew(error.paths)
        elif isinstance(error, TapdeskError):
            self.problem.emit(error)
        else:
            self._session.bug.emit(error)
