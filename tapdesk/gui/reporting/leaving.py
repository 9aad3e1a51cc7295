"""What leaves the program: files, letters, paper; and what comes back to be verified."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from tapdesk.answers.faults import listed
from tapdesk.answers.numbers import APA, REPORT
from tapdesk.errors import TapdeskError
from tapdesk.gui.desk import Desk
from tapdesk.gui.keeping.saving import about_replacing, ask_where, permitted
from tapdesk.gui.look.icons import State
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.reporting import asking, printing, sizes
from tapdesk.gui.reporting.making import Making
from tapdesk.gui.reporting.places import free_name, opened, plain_name, without
from tapdesk.gui.reporting.work import How, Saved, drawings, group_columns, grouped, saved
from tapdesk.gui.running.job import Job
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.project.files.outputs import InTheWayError, Outputs
from tapdesk.report.issue.issued import with_issued
from tapdesk.report.issue.verify import Outcome, Verdict, verify
from tapdesk.report.letters import write_letters
from tapdesk.report.setup import setup, with_setup

KINDS = {
    ".pdf": (_("Save report (PDF)"), _("Report (*.pdf)")),
    ".html": (_("Save as a web page"), _("Web page (*.html)")),
    ".xlsx": (_("Save all tables as a workbook"), _("Workbook (*.xlsx)")),
    ".png": (_("Save the pages as pictures"), _("Pictures (*.png)")),
}
MARKS = {
    Outcome.MATCHES: State.DONE,
    Outcome.SIGNED: State.DONE,
    Outcome.UNCHECKED: State.INFO,
    Outcome.UNSURE: State.KNOW,
}
Action = tuple[str, Callable[[], object]]


class Leaving(QObject):
    """Asks, then saves, prints or verifies in a thread of its own.

    Attributes
    ----------
    said
        Words for the banner, their state, and what the banner offers to do (or None).
    problem
        An error the user can mend, and the place it is about.
    """

    said = Signal(str, object, object)
    problem = Signal(object, str)

    def __init__(self, theme: Theme, desk: Desk, pane: QWidget, making: Making) -> None:
        super().__init__(pane)
        self._theme = theme
        self._desk, self._pane, self._making = desk, pane, making
        self.job = Job(self)
        self._then: Callable[[object], None] = lambda _result: None
        self._anew: Callable[[tuple[Path, ...]], None] = lambda _agreed: None
        self._path = Path()
        self._how = How()
        self.job.done.connect(self._on_done)
        self.job.failed.connect(self._on_failed)
        self.job.cancelled.connect(self._on_cancelled)

    # Saving -----------------------------------------------------------------------------------------------------

    def save(self, suffix: str = ".pdf") -> None:
        """Ask how and where, and save the report."""
        title, kinds = KINDS[suffix]
        how = self._asked(title, issue=suffix == ".pdf")
        if how is None:
            return
        name = self._desk.document.project.title or "report"
        path = ask_where(
            self._pane, title, _("{plain} report{suffix}").format(plain=plain_name(name), suffix=suffix), kinds
        )
        if path is not None:
            self.save_to(path, how)

    def save_to(self, path: Path, how: How) -> None:
        """Save the report to a place, the kind by its suffix."""
        self._path, self._how = path, how
        project, extras = self._desk.document.project, self._making.extras
        self._start(
            lambda outputs: saved(project, extras, path, how, outputs),
            self._on_saved,
            _("Saving {name}…").format(name=path.name),
        )

    def save_drawings(self) -> None:
        """Ask for a folder and save every figure there."""
        how = self._asked(_("Save the figures"), issue=False)
        form = sizes.asked(self._theme, self._pane) if how is not None else None
        chosen = asking.folder(self._pane, _("A folder for the figures")) if form is not None else ""
        if how is not None and form is not None and chosen:
            self._path = folder = Path(chosen)
            project, extras, suffix, size = self._desk.document.project, self._making.extras, form.suffix, form.size
            self._start(
                lambda outputs: drawings(project, extras, folder, suffix, how, size, outputs),
                self._on_folder,
                _("Saving the figures…"),
            )

    def letters(self) -> None:
        """Ask for a folder and save a private page for each rater there."""
        chosen = asking.folder(self._pane, _("A folder for the private letters"))
        if chosen:
            self.letters_to(Path(chosen))

    def letters_to(self, folder: Path) -> None:
        """Save a private page for each rater."""
        self._path = folder
        project = self._desk.document.project
        chosen = setup(project)
        style = APA if chosen.apa else REPORT
        extras = self._making.extras
        self._start(
            lambda outputs: write_letters(project, extras, folder, style=style, paper=chosen.paper, outputs=outputs),
            self._on_letters,
            _("Writing a page for each rater…"),
        )

    def each(self) -> None:
        """Ask for the column of groups, how and where, and save a report for each."""
        columns = group_columns(self._desk.document.project)
        if not columns:
            what = _("The file has no column that could name groups.")
            self.problem.emit(TapdeskError(what, fix=_("Add one beside the ratings, such as a ward or a year.")), "")
            return
        column = asking.column(self._pane, columns)
        how = self._asked(_("One report for each group")) if column else None
        path = (
            ask_where(self._pane, _("Save the reports"), "report.pdf", _("Reports (*.pdf)"))
            if how is not None
            else None
        )
        if how is not None and path is not None:
            self._path = path
            project = self._desk.document.project
            self._start(
                lambda outputs: grouped(project, column, path, how, outputs),
                self._on_each,
                _("Making a report for each {column}…").format(column=column),
            )

    def _on_each(self, result: object) -> None:
        made = result if isinstance(result, tuple) else ()
        files = [one.path for one in made if one.path is not None]
        words = _("Saved {files} reports beside {path}.").format(files=len(files), path=self._path)
        refused = [f"{one.value}: {one.refused}" for one in made if one.path is None]
        if refused:
            words = _("{words} Not for {refused}").format(words=words, refused="; ".join(refused[:3]))
        left = [f"{one.value}: {one.missing}" for one in made if one.missing]
        words = f"{words} {without('; '.join(left[:3]))}" if left else words
        folder = self._path.parent
        self._say(words, State.KNOW if refused or left else State.DONE, (_("Show in folder"), lambda: opened(folder)))

    def _asked(self, title: str, *, issue: bool = True) -> How | None:
        made = self._making.made
        missing = "" if made is None else listed(made.report.faults)
        project = self._desk.document.project
        answer = asking.how(
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
            self._desk.document.record(with_setup(project, replace(setup(project), cases_as=answer.cases_as)))
        return answer

    def _pages(self) -> int:
        return 0 if self._making.made is None else len(self._making.made.pages)

    @property
    def _raters_known(self) -> bool:
        reading = self._desk.document.project.reading
        return reading is not None and reading.as_read.raters_known

    def _on_saved(self, result: object) -> None:
        if not isinstance(result, Saved):
            return
        place = result.files[0]
        count = len(result.files)
        left = f" {without(result.missing)}" if result.missing else ""
        state = State.KNOW if left else State.DONE
        if place.suffix.lower() != ".pdf":
            words = (
                _("Saved {place}.").format(place=place)
                if count == 1
                else _("Saved {count} pages as pictures beside {place}.").format(count=count, place=place)
            )
            self._say(f"{words}{left}", state, (_("Open"), lambda: opened(place)))
            return
        document = self._desk.document
        document.record(with_issued(document.project, place.name, result.first, result.moment))
        digest = hashlib.sha256(result.first).hexdigest()
        pages = self._pages()
        saved_words = _("Saved {pages} pages to {place}.") if pages != 1 else _("Saved {pages} page to {place}.")
        words = _(
            "{saved} Checksum (SHA-256) {digest}…; the project remembers it: save the project to keep that."
        ).format(saved=saved_words.format(pages=pages, place=place), digest=digest[:16])
        self._say(f"{words}{left}", state, (_("Open"), lambda: opened(place)))

    def _on_letters(self, result: object) -> None:
        count = len(result) if isinstance(result, tuple) else 0
        words = _("Saved {count} private letters in {path}. Each is for one rater only.").format(
            count=count, path=self._path
        )
        self._say(words, State.DONE, (_("Show in folder"), lambda: opened(self._path)))

    def _on_folder(self, result: object) -> None:
        if not isinstance(result, Saved):
            return
        left = f" {without(result.missing)}" if result.missing else ""
        words = _("Saved {files} figures in {path}.{left}").format(files=len(result.files), path=self._path, left=left)
        state = State.KNOW if left else State.DONE
        self._say(words, state, (_("Show in folder"), lambda: opened(self._path)))

    # Printing and verifying -------------------------------------------------------------------------------------

    def print_report(self) -> None:
        """Ask how, then which printer, and print."""
        how = self._asked(_("Print the report"))
        printer = printing.ask(self._pane, self._desk.document.project, self._pages()) if how is not None else None
        if how is not None and printer is not None:
            project, extras = self._desk.document.project, self._making.extras
            self._start(lambda _outputs: printing.sent(project, extras, how, printer), self._on_printed, _("Printing…"))

    def _on_printed(self, result: object) -> None:
        self._say(_("Sent {result} pages to the printer.").format(result=result), State.DONE, None)

    def ask_and_verify(self) -> None:
        """Ask for an issued PDF and compare it."""
        chosen = asking.report_to_verify(self._pane)
        if chosen:
            self.verify(Path(chosen))

    def verify(self, path: Path) -> None:
        """Compare an issued PDF with the open project."""
        self._path = path
        project = None if self._desk.document.empty else self._desk.document.project
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
        self.job.start(make(permitted(self._desk.document.project).replacing(*agreed)))

    def _say(self, words: str, state: State, action: Action | None) -> None:
        self.said.emit(words, state, action)

    @Slot(object)
    def _on_done(self, result: object) -> None:
        self._then(result)

    @Slot()
    def _on_cancelled(self) -> None:
        self._say(_("Stopped; nothing was written."), State.INFO, None)

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        self.said.emit("", State.INFO, None)
        if not isinstance(error, TapdeskError):
            self._desk.bug.emit(error)
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


def also(leaving: Leaving, parent: QWidget) -> QMenu:
    """What else the report can become, as a menu."""
    menu = QMenu(parent)
    rows: tuple[tuple[str, Callable[[], object]], ...] = (
        (_("Web page (HTML)…"), lambda: leaving.save(".html")),
        (_("All tables as a workbook (XLSX)…"), lambda: leaving.save(".xlsx")),
        (_("Pages as pictures (PNG)…"), lambda: leaving.save(".png")),
        (_("Figures as pictures or drawings…"), leaving.save_drawings),
        (_("A private letter to each rater…"), leaving.letters),
        (_("One report for each group…"), leaving.each),
        (_("Print…"), leaving.print_report),
    )
    for words, act in rows:
        menu.addAction(words).triggered.connect(lambda _on=False, act=act: act())
    return menu
