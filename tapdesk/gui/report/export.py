"""What leaves the program: files, letters, paper; and what comes back to be verified."""

import hashlib
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMarginsF, QObject, QRectF, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QPageLayout, QPageSize, QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QDialog, QFormLayout, QLineEdit, QMenu, QVBoxLayout, QWidget

from tapdesk.answers.faults import listed
from tapdesk.answers.figure import USUAL, Size
from tapdesk.answers.numbers import APA, REPORT
from tapdesk.answers.side_results import SideResults
from tapdesk.errors import TapdeskError, UsageError
from tapdesk.gui.report import export_dialog
from tapdesk.gui.report.preview import (
    ExportOptions,
    ReportPreview,
    SavedFiles,
    group_columns,
    read_page,
    save_drawings,
    save_group_reports,
    save_report,
)
from tapdesk.gui.runs.job import Job
from tapdesk.gui.shell.dialogs import about_replacing, ask_where, execute, permitted
from tapdesk.gui.shell.pane import Pane
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.icons import State
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Choice, button, plain, text
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext
from tapdesk.progress import Run, Step
from tapdesk.project.files.outputs import InTheWayError, Outputs
from tapdesk.project.project import Project
from tapdesk.report.issue.issued import with_issued
from tapdesk.report.issue.verify import Outcome, Verdict, verify
from tapdesk.report.letters import write_letters
from tapdesk.report.report import spared
from tapdesk.report.setup import setup, with_setup

PPI = 300.0
SIZES = {"a4": QPageSize.PageSizeId.A4, "us-letter": QPageSize.PageSizeId.Letter}
PICTURE_KINDS = (
    (_("Drawing (SVG): sharp at every size"), ".svg"),
    (_("Picture (PNG): for texts and slides"), ".png"),
    (_("Page (PDF): sharp at every size"), ".pdf"),
)
# What printers of journals ask of pictures made of dots.
_PRINT = 300
KINDS = {
    ".pdf": (_("Save report (PDF)"), _("Report (*.pdf)")),
    ".html": (_("Save as a web page"), _("Web page (*.html)")),
    ".docx": (_("Save the report as a document of Word"), _("Word document (*.docx)")),
    ".xlsx": (_("Save all tables as a workbook"), _("Workbook (*.xlsx)")),
    ".csv": (_("Save every table as a file"), _("Tables (*.csv)")),
    ".png": (_("Save the pages as pictures"), _("Pictures (*.png)")),
}
MARKS = {
    Outcome.MATCHES: State.DONE,
    Outcome.SIGNED: State.DONE,
    Outcome.UNCHECKED: State.INFO,
    Outcome.UNSURE: State.KNOW,
}
Action = tuple[str, Callable[[], object]]


def missing_words(missing: str) -> str:
    """What a bug of ours left out of what was saved."""
    return _("A fault of the program left this out: {missing}.").format(missing=missing)


def free_name(path: Path) -> Path:
    """The first of ``name (2)``, ``name (3)`` … that is not there yet."""
    number = 2
    while (other := path.with_stem(f"{path.stem} ({number})")).exists():
        number += 1
    return other


def plain_name(name: str) -> str:
    """A name a file can have everywhere."""
    return "".join("_" if c in '<>:"/\\|?*' or ord(c) < 32 else c for c in name)[:80].strip(" .") or "report"


def open_file(path: Path) -> None:
    """Show a file or folder in the program the system has for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def printer_for(project: Project) -> QPrinter:
    """A printer set to the paper of the report, its edges included: the pages bring their own margins."""
    made = QPrinter(QPrinter.PrinterMode.HighResolution)
    made.setDocName(project.title or "report")
    paper = QPageSize(SIZES[setup(project).paper])
    made.setPageLayout(QPageLayout(paper, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    made.setFullPage(True)
    return made


def ask_printer(parent: QWidget, project: Project, pages: int) -> QPrinter | None:
    """The printer the user chose in the dialog of the system; None when the user turned back."""
    printer = printer_for(project)
    dialog = QPrintDialog(printer, parent)
    dialog.setMinMax(1, max(pages, 1))
    return printer if execute(dialog) else None


def print_pages(
    project: Project, extras: SideResults, how: ExportOptions, printer: QPrinter
) -> Generator[Step, None, int]:
    """Send the report to a printer; how many pages were sent. A run that is stopped stops the printer."""
    # typst is loaded when the first report is made, not when the program starts.
    from tapdesk.report.forms.pdf import pages

    yield Step(0, 0, "print")
    made = how.arranged(project, extras)
    yield Step(0, 0, "print")
    _made, every = spared(made, partial(pages, ppi=PPI))
    first, last = printer.fromPage() or 1, printer.toPage() or len(every)
    chosen = every[first - 1 : last]
    painter = QPainter()
    if not chosen or not painter.begin(printer):
        raise TapdeskError(
            _("The printer did not take the report."),
            printer.printerName(),
            _("See whether it is on, or save the PDF."),
        )
    whole = False
    try:
        for at, page in enumerate(chosen):
            yield Step(at, len(chosen), "print")
            if at:
                printer.newPage()
            sheet = QRectF(printer.paperRect(QPrinter.Unit.DevicePixel))
            painter.drawImage(QRectF(0, 0, sheet.width(), sheet.height()), read_page(page))
        whole = True
    finally:
        if not whole:
            printer.abort()
        painter.end()
    return len(chosen)


@dataclass(frozen=True, slots=True)
class PictureForm:
    """Kind of file and size of a picture."""

    suffix: str
    size: Size


class SizeDialog(QDialog):
    """Kind, width and resolution; the last only for pictures made of dots."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Save the figures"))
        self.kind = Choice(theme, _("Kind of picture"), PICTURE_KINDS, 280)
        self.across = QLineEdit(f"{USUAL.millimetres:.0f}")
        self.ppi = QLineEdit(str(_PRINT))
        self.remark = text("", "small", "2", wrap=True)
        self.ready = button(_("Go on"), self.accept, kind="primary")
        form = QFormLayout()
        rows = ((_("Kind"), self.kind), (_("Width in mm"), self.across), (_("Dots an inch"), self.ppi))
        for words, field in rows:
            field.setAccessibleName(words)
            form.addRow(words, field)
        foot = plain(across=True)
        foot.box.addStretch(1)
        foot.add(button(_("Cancel"), self.reject), self.ready)
        box = QVBoxLayout(self)
        box.setSpacing(10)
        box.addLayout(form)
        box.addWidget(self.remark)
        box.addWidget(foot)
        for changed in (self.kind.currentIndexChanged, self.across.textChanged, self.ppi.textChanged):
            changed.connect(self._on_changed)
        self._on_changed()

    @property
    def form(self) -> PictureForm:
        """What was chosen.

        Raises
        ------
        UsageError
            When no picture can have that size.
        """
        suffix = self.kind.currentData()
        dots = self.ppi.text() if suffix == ".png" else str(_PRINT)
        try:
            return PictureForm(suffix, Size(float(self.across.text()), float(dots)))
        except ValueError as error:
            raise UsageError(_("Width and resolution are numbers."), fix=_("Write them with digits.")) from error

    @Slot()
    def _on_changed(self) -> None:
        """Say what will come out, or why nothing can."""
        dots = self.kind.currentData() == ".png"
        self.ppi.setEnabled(dots)
        try:
            size = self.form.size
        except UsageError as problem:
            self.ready.setEnabled(False)
            self.remark.setText(str(problem))
            return
        self.ready.setEnabled(True)
        words = _("Each picture is about {n} dots wide.").format(n=f"{size.pixels / 96 * size.ppi:,.0f}")
        self.remark.setText(words if dots else _("Its words stay 10 points high, however wide it is."))


def ask_picture_form(theme: Theme, parent: QWidget) -> PictureForm | None:
    """Ask; None when the user turns back."""
    dialog = SizeDialog(theme, parent)
    return dialog.form if execute(dialog) else None


class ReportExport(QObject):
    """Asks, then saves, prints or verifies in a thread of its own.

    Attributes
    ----------
    message
        Words for the banner, their state, and what the banner offers to do (or None).
    problem
        An error the user can mend, and the place it is about.
    """

    message = Signal(str, object, object)
    problem = Signal(TapdeskError, str)

    def __init__(self, theme: Theme, session: Session, pane: Pane, making: ReportPreview) -> None:
        super().__init__(pane)
        self._theme = theme
        self._session, self._pane, self._making = session, pane, making
        self.job = Job(self)
        self._then: Callable[[object], None] = lambda _result: None
        self._anew: Callable[[tuple[Path, ...]], None] = lambda _agreed: None
        self._path = Path()
        self._how = ExportOptions()
        self.job.done.connect(self._on_done)
        self.job.failed.connect(self._on_failed)
        self.job.cancelled.connect(self._on_cancelled)

    # Saving -----------------------------------------------------------------------------------------------------

    def save(self, suffix: str = ".pdf", page: int | None = None) -> None:
        """Ask how and where, and save the report; of pictures one page alone where it is named."""
        title, kinds = KINDS[suffix]
        how = self._ask_options(title, issue=suffix == ".pdf")
        if how is None:
            return
        name = self._session.document.project.title or "report"
        file = _("{plain} report{suffix}").format(plain=plain_name(name), suffix=suffix)
        path = ask_where(self._pane, title, self._session.sibling(file), kinds)
        if path is not None:
            self.save_to(path, how, page)

    def save_to(self, path: Path, how: ExportOptions, page: int | None = None) -> None:
        """Save the report to a place, the kind by its suffix."""
        self._path, self._how = path, how
        project, extras = self._session.document.project, self._making.extras
        self._start(
            lambda outputs: save_report(project, extras, path, how, outputs, page),
            self._on_saved,
            _("Saving {name}…").format(name=path.name),
        )

    def save_drawings(self) -> None:
        """Ask for a folder and save every figure there."""
        how = self._ask_options(_("Save the figures"), issue=False)
        form = ask_picture_form(self._theme, self._pane) if how is not None else None
        where = _("A folder for the figures")
        chosen = export_dialog.folder(self._pane, where, self._session.folder) if form is not None else ""
        if how is not None and form is not None and chosen:
            self._path = folder = Path(chosen)
            project, extras, suffix, size = self._session.document.project, self._making.extras, form.suffix, form.size
            self._start(
                lambda outputs: save_drawings(project, extras, folder, suffix, how, size, outputs),
                self._on_folder,
                _("Saving the figures…"),
            )

    def letters(self) -> None:
        """Ask for a folder and save a private page for each rater there."""
        chosen = export_dialog.folder(self._pane, _("A folder for the private letters"), self._session.folder)
        if chosen:
            self.letters_to(Path(chosen))

    def letters_to(self, folder: Path) -> None:
        """Save a private page for each rater."""
        self._path = folder
        project = self._session.document.project
        chosen = setup(project)
        style = APA if chosen.apa else REPORT
        extras = self._making.extras
        self._start(
            lambda outputs: write_letters(project, extras, folder, style=style, paper=chosen.paper, outputs=outputs),
            self._on_letters,
            _("Writing a page for each {rater}…"),
        )

    def each(self) -> None:
        """Ask for the column of groups, how and where, and save a report for each."""
        columns = group_columns(self._session.document.project)
        if not columns:
            what = _("The file has no column that could name groups.")
            self.problem.emit(TapdeskError(what, fix=_("Add one beside the {ratings}, such as a ward or a year.")), "")
            return
        column = export_dialog.column(self._pane, columns)
        how = self._ask_options(_("One report for each group")) if column else None
        path = (
            ask_where(self._pane, _("Save the reports"), self._session.sibling("report.pdf"), _("Reports (*.pdf)"))
            if how is not None
            else None
        )
        if how is not None and path is not None:
            self._path = path
            project = self._session.document.project
            self._start(
                lambda outputs: save_group_reports(project, column, path, how, outputs),
                self._on_each,
                _("Making a report for each {column}…").format(column=column),
            )

    def _on_each(self, result: object) -> None:
        made = result if isinstance(result, tuple) else ()
        files = [one.path for one in made if one.path is not None]
        saved = ngettext("Saved {files} report beside {path}.", "Saved {files} reports beside {path}.", len(files))
        words = saved.format(files=len(files), path=self._path)
        refused = [f"{one.value}: {one.refused}" for one in made if one.path is None]
        if refused:
            words = _("{words} Not for {refused}").format(words=words, refused="; ".join(refused[:3]))
        left = [f"{one.value}: {one.missing}" for one in made if one.missing]
        words = joined(words, missing_words("; ".join(left[:3])) if left else "")
        folder = self._path.parent
        self._say(
            words, State.KNOW if refused or left else State.DONE, (_("Show in folder"), lambda: open_file(folder))
        )

    def _ask_options(self, title: str, *, issue: bool = True) -> ExportOptions | None:
        made = self._making.made
        missing = "" if made is None else listed(made.report.faults)
        project = self._session.document.project
        answer = export_dialog.ask_options(
            self._pane,
            title,
            raters=self._raters_known,
            issue=issue,
            missing=missing,
            cases=project.reading is not None,
            cases_as=setup(project).cases_as,
            file="" if project.reading is None else project.reading.source.name,
        )
        if answer is not None and answer.cases_as is not setup(project).cases_as:
            # Remembered, so that the pages that are looked at are those that are saved.
            self._session.document.record(with_setup(project, replace(setup(project), cases_as=answer.cases_as)))
        return answer

    def _pages(self) -> int:
        return 0 if self._making.made is None else len(self._making.made.pages)

    @property
    def _raters_known(self) -> bool:
        reading = self._session.document.project.reading
        return reading is not None and reading.as_read.raters_known

    def _on_saved(self, result: object) -> None:
        if not isinstance(result, SavedFiles):
            return
        place = result.files[0]
        count = len(result.files)
        left = missing_words(result.missing) if result.missing else ""
        state = State.KNOW if left else State.DONE
        if place.suffix.lower() != ".pdf":
            words = (
                _("Saved {place}.").format(place=place)
                if count == 1
                else _("Saved {count} pages as pictures beside {place}.").format(count=count, place=place)
            )
            self._say(joined(words, left), state, (_("Open"), lambda: open_file(place)))
            return
        document = self._session.document
        document.record(with_issued(document.project, place.name, result.first, result.moment))
        digest = hashlib.sha256(result.first).hexdigest()
        pages = self._pages()
        saved_words = ngettext("Saved {pages} page to {place}.", "Saved {pages} pages to {place}.", pages)
        words = _(
            "{saved} Checksum (SHA-256) {digest}…; the project remembers it: save the project to keep that."
        ).format(saved=saved_words.format(pages=pages, place=place), digest=digest[:16])
        self._say(joined(words, left), state, (_("Open"), lambda: open_file(place)))

    def _on_letters(self, result: object) -> None:
        count = len(result) if isinstance(result, tuple) else 0
        words = _(
            "Saved {count} private letters in {path}. Each is for one {rater} only; the files are called by codes, the "
            "name stands on the page."
        ).format(count=count, path=self._path)
        self._say(words, State.DONE, (_("Show in folder"), lambda: open_file(self._path)))

    def _on_folder(self, result: object) -> None:
        if not isinstance(result, SavedFiles):
            return
        left = missing_words(result.missing) if result.missing else ""
        count = len(result.files)
        saved = ngettext("Saved {files} figure in {path}.{left}", "Saved {files} figures in {path}.{left}", count)
        words = saved.format(files=count, path=self._path, left=left)
        state = State.KNOW if left else State.DONE
        self._say(words, state, (_("Show in folder"), lambda: open_file(self._path)))

    # Printing and verifying -------------------------------------------------------------------------------------

    def print_report(self) -> None:
        """Ask how, then which printer, and print."""
        how = self._ask_options(_("Print the report"))
        printer = ask_printer(self._pane, self._session.document.project, self._pages()) if how is not None else None
        if how is not None and printer is not None:
            project, extras = self._session.document.project, self._making.extras
            self._start(lambda _outputs: print_pages(project, extras, how, printer), self._on_printed, _("Printing…"))

    def _on_printed(self, result: object) -> None:
        count = result if isinstance(result, int) else 0
        words = ngettext("Sent {n} page to the printer.", "Sent {n} pages to the printer.", count).format(n=count)
        self._say(words, State.DONE, None)

    def ask_and_verify(self) -> None:
        """Ask for an issued PDF and compare it."""
        chosen = export_dialog.report_to_verify(self._pane, self._session.folder)
        if chosen:
            self.verify(Path(chosen))

    def verify(self, path: Path) -> None:
        """Compare an issued PDF with the open project."""
        self._path = path
        project = None if self._session.document.empty else self._session.document.project
        self._start(
            lambda _outputs: verify(path, project),
            self._on_verified,
            _("Comparing {name} with the project…").format(name=path.name),
        )

    def _on_verified(self, result: object) -> None:
        if isinstance(result, Verdict):
            words = f"{self._path.name}: {result.words}"
            self._say(words, MARKS.get(result.outcome, State.BLOCKED), None)

    # The thread -------------------------------------------------------------------------------------------------

    def _start(
        self,
        make: Callable[[Outputs], Run[object]],
        then: Callable[[object], None],
        words: str,
        agreed: tuple[Path, ...] = (),
    ) -> None:
        """Start what is made with leave to write; ``agreed`` are files the user said may be replaced."""
        self._then = then
        self._anew = partial(self._start, make, then, words)
        self._say(words, State.RUNNING, (_("Cancel"), self.job.cancel))
        self.job.start(make(permitted(self._session.document.project).replacing(*agreed)))

    def _say(self, words: str, state: State, action: Action | None) -> None:
        self.message.emit(words, state, action)

    @Slot(object)
    def _on_done(self, result: object) -> None:
        self._then(result)

    @Slot()
    def _on_cancelled(self) -> None:
        self._say(_("Stopped; nothing was written."), State.INFO, None)

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        self.message.emit("", State.INFO, None)
        if not isinstance(error, TapdeskError):
            self._session.bug.emit(error)
            return
        if isinstance(error, InTheWayError):
            if about_replacing(self._pane, error):
                self._anew(error.paths)
            else:
                self._say(_("Nothing was written."), State.INFO, None)
            return
        self.problem.emit(error, str(self._path))
        if self._then == self._on_saved and self._path.is_file():
            other = free_name(self._path)
            again = (_("Save as {name}").format(name=other.name), lambda: self.save_to(other, self._how))
            self._say(_("The report can be saved beside it as {name}.").format(name=other.name), State.KNOW, again)


def export_menu(leaving: ReportExport, parent: QWidget) -> QMenu:
    """What else the report can become, as a menu."""
    menu = QMenu(parent)
    rows: tuple[tuple[str, Callable[[], object]], ...] = (
        (_("Web page (HTML)…"), lambda: leaving.save(".html")),
        (_("Word document (DOCX)…"), lambda: leaving.save(".docx")),
        (_("All tables as a workbook (XLSX)…"), lambda: leaving.save(".xlsx")),
        (_("Every table as a file (CSV)…"), lambda: leaving.save(".csv")),
        (_("Pages as pictures (PNG)…"), lambda: leaving.save(".png")),
        (_("Page 1 as a picture, for a slide (PNG)…"), lambda: leaving.save(".png", page=1)),
        (_("Figures as pictures or drawings…"), leaving.save_drawings),
        (_("A private letter to each {rater}…"), leaving.letters),
        (_("One report for each group…"), leaving.each),
        (_("Print…"), leaving.print_report),
    )
    for words, act in rows:
        menu.addAction(words).triggered.connect(lambda _on=False, act=act: act())
    return menu
