"""The work behind the report: what is printed beside the answer, the pages, letters and files, each a run."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from tapdesk.answers.faults import listed
from tapdesk.answers.figure import Size
from tapdesk.answers.naming import CasesAs, RatersAs
from tapdesk.answers.side_results import SideResults
from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.gui.runs.job import Job
from tapdesk.gui.shell.session import Session
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.progress import Step
from tapdesk.project.files.outputs import CAREFUL, OutputKind, Outputs, expected_mark
from tapdesk.project.project import Project
from tapdesk.project.shown import in_report_order, main_analysis
from tapdesk.ratings.file_parts import file_parts
from tapdesk.ratings.samples import source_place
from tapdesk.report.forms.write import SEVERAL, pictures, written
from tapdesk.report.issue.texts import names_left
from tapdesk.report.parts import Made, part_reports
from tapdesk.report.report import Form, Report, spared
from tapdesk.report.setup import arranged, prepare, prepare_further, setup

THUMB = 160  # pixels across, sharp on a screen of two device pixels
EDGE = QColor(0x76, 0x85, 0x8D)


@dataclass(frozen=True, eq=False)
class PrintedPages:
    """A report and its pages as they are looked at.

    Attributes
    ----------
    report
        What is shown.
    pages
        The pages as PNG.
    images, thumbs
        The same as pictures, large and small.
    starts
        The page each section begins on, by its key.
    names
        Where a report with codes still holds names: it can be looked at, but neither saved nor printed.
    """

    report: Report
    pages: tuple[bytes, ...]
    images: tuple[QImage, ...]
    thumbs: tuple[QImage, ...]
    starts: Mapping[str, int]
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class SavedFiles:
    """Files that were written.

    Attributes
    ----------
    files
        In order.
    first
        What stands in the first of them.
    moment
        When, in ISO form.
    missing
        What a bug of ours left out.
    """

    files: tuple[Path, ...]
    first: bytes
    moment: str
    missing: str = ""


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What is asked each time a report leaves the program.

    Attributes
    ----------
    raters_as, cases_as
        Names or codes.
    file_named
        Whether the data file is called by its name.
    issued
        The moment of issue; None for a draft.
    """

    raters_as: RatersAs = RatersAs.NAMES
    cases_as: CasesAs = CasesAs.NAMES
    file_named: bool = True
    issued: datetime | None = None

    def arranged(self, project: Project, extras: SideResults, form: Form | None = None) -> Report:
        """The report of a project, arranged so; by default in the form its user chose."""
        return arranged(
            project,
            extras,
            raters_as=self.raters_as,
            cases_as=self.cases_as,
            file_named=self.file_named,
            issued=self.issued,
            form=setup(project).form if form is None else form,
        )


def look_key(project: Project) -> tuple[object, ...]:
    """What the pages follow from; equal keys mean equal pages."""
    answers = tuple((a.name, a.fit, a.stale, a.run_at) for a in in_report_order(project))
    words = tuple(sorted(project.notes.items()))
    return project.reading, project.in_force, answers, project.title, words


def print_report(
    project: Project, extras: SideResults, raters_as: RatersAs, ppi: float, before: PrintedPages | None
) -> Generator[Step, None, PrintedPages]:
    """Make the pages; those that are as before are not drawn anew."""
    # typst is loaded when the first report is made, not when the program starts.
    from tapdesk.report.forms.pdf import forget, preview

    yield Step(0, 3, "report")
    made = arranged(project, extras, raters_as=raters_as, form=setup(project).form)
    yield Step(1, 3, "report")
    made, (pages, starts) = spared(made, partial(preview, ppi=ppi))
    forget(all_of_it=False)
    yield Step(2, 3, "report")
    known = (
        {} if before is None else dict(zip(before.pages, zip(before.images, before.thumbs, strict=True), strict=True))
    )
    images, thumbs = [], []
    for page in pages:
        image, thumb = known.get(page) or _drawn(page)
        images.append(image)
        thumbs.append(thumb)
        yield Step(2, 3, "report")
    return PrintedPages(made, pages, tuple(images), tuple(thumbs), starts, names_left(made))


def read_page(page: bytes) -> QImage:
    """A page as a picture; for any thread.

    By its form: looking for it, Qt would ask its reader of SVG, which connects a signal while this thread holds the
    interpreter. The window may just hold the lock on connections and wait for the interpreter, and both wait for ever.
    """
    # The stubs ask for bytes where the binding takes only a text.
    return QImage.fromData(page, cast("bytes", "PNG"))


def _drawn(page: bytes) -> tuple[QImage, QImage]:
    image = read_page(page)
    thumb = image.scaledToWidth(THUMB, Qt.TransformationMode.SmoothTransformation)
    # The edge of the paper, which is white on white.
    painter = QPainter(thumb)
    painter.setPen(QPen(EDGE, 2))
    painter.drawRect(thumb.rect().adjusted(0, 0, -1, -1))
    painter.end()
    return image, thumb


def _written(files: tuple[tuple[Path, bytes], ...], outputs: Outputs) -> SavedFiles:
    """Write what is ready. Nothing is written before all of it is: a run that is stopped leaves no half of it."""
    from tapdesk.report.forms.pdf import forget

    forget()
    outputs.save_all(files)
    moment = datetime.now().astimezone().isoformat(timespec="seconds")
    return SavedFiles(tuple(place for place, _inside in files), files[0][1], moment)


def save_report(
    project: Project,
    extras: SideResults,
    path: Path,
    how: ExportOptions,
    outputs: Outputs = CAREFUL,
    page: int | None = None,
) -> Generator[Step, None, SavedFiles]:
    """The report as a file, the kind by its suffix; ``.png`` gives one picture a page, or that of one page alone."""
    yield Step(0, 2, "save")
    if path.suffix.lower() not in SEVERAL:
        # Before the pages are made; names of pictures and of tables are known only then.
        outputs.refuse(path, expected_mark(OutputKind.REPORT, path))
    chosen = setup(project)
    # Files of tables hold every one, also those that no page has.
    made = how.arranged(project, extras, Form.EVERYTHING if path.suffix.lower() in {".xlsx", ".csv"} else None)
    yield Step(1, 2, "save")
    made, files = written(made, path, archive=chosen.archive, page=page)
    yield Step(2, 2, "save")
    return replace(_written(files, outputs), missing=listed(made.faults))


def save_drawings(
    project: Project,
    extras: SideResults,
    folder: Path,
    suffix: str,
    how: ExportOptions,
    size: Size,
    outputs: Outputs = CAREFUL,
) -> Generator[Step, None, SavedFiles]:
    """Every figure of the report as a file in a folder."""
    yield Step(0, 2, "save")
    # Every picture there is, whatever form of the report is printed.
    made = how.arranged(project, extras, Form.EVERYTHING)
    yield Step(1, 2, "save")
    made, drawn = spared(made, partial(pictures, suffix=suffix, size=size))
    files = tuple((folder / name, inside) for name, inside in drawn)
    if not files:
        raise CannotAnswerError(_("The report holds no figure."), fix=_("Switch on a section that has one."))
    yield Step(2, 2, "save")
    return replace(_written(files, outputs), missing=listed(made.faults))


def group_columns(project: Project) -> tuple[str, ...]:
    """The columns of the file that could name groups: those that are neither case nor rater nor rating."""
    if project.reading is None:
        return ()
    taken = {*project.reading.source.roles.values(), *project.reading.as_read.raters}
    return tuple(name for name in project.reading.preview.header if name.strip() and name not in taken)


def save_group_reports(
    project: Project, column: str, path: Path, how: ExportOptions, outputs: Outputs = CAREFUL
) -> Generator[Step, None, tuple[Made, ...]]:
    """A report for each group, with the answer of the project asked of each."""
    main = main_analysis(project)
    if project.reading is None or main is None:
        raise CannotAnswerError(_("There is no answer yet."), fix=_("Run an analysis first."))
    items = [main.request]
    if main.request.model.name == "t-a-p":
        items.append(replace(main.request, model=model("t-a-t")))
    place = source_place(project.reading.source)
    parts = yield from file_parts(place, project.reading.options, column)
    form = setup(project).form
    arrange = partial(arranged, cases_as=how.cases_as, file_named=how.file_named, issued=how.issued, form=form)
    ask = tuple(items)
    run = part_reports(project, place, parts, column, lambda _ratings: ask, path, how.raters_as, arrange, outputs, form)
    return (yield from run)


PAUSE = 250  # milliseconds after a change before the pages are made anew
NOTHING = SideResults()
# Data and answer, and what is printed of them besides.
Needed = tuple[tuple[object, object], object]
BESIDE = _("Working out what the report prints beside the answer")


class ReportPreview(QObject):
    """Two jobs in a row; the first is done again only when data or answer have changed.

    Attributes
    ----------
    came
        The pages are there: a `PrintedPages`.
    waits
        Pages are on their way and no earlier ones can be shown.
    stage
        What is being done, in words.
    slow
        Whether what is printed beside the answer can be skipped.
    problem
        An error the user can mend.
    """

    came = Signal(object)
    waits = Signal()
    stage = Signal(str)
    slow = Signal(bool)
    problem = Signal(object)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.job, self.preparing = Job(self), Job(self)
        self.made: PrintedPages | None = None
        self.extras = NOTHING
        self._raters_as, self._ppi = RatersAs.NAMES, 144.0
        self._known: Needed | None = None
        self._coming: Needed | None = None
        self._waiting = False
        self._key: object = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._make)
        session.side_studies.changed.connect(self._on_studies)
        self.preparing.done.connect(self._on_prepared)
        self.preparing.stepped.connect(self._on_preparing)
        self.preparing.failed.connect(self._on_failed)
        self.job.done.connect(self._on_made)
        self.job.failed.connect(self._on_failed)

    @property
    def ready(self) -> bool:
        """Whether there are pages, and all that is to be printed on them is known."""
        return self.made is not None and self._known is not None and self._coming is None

    def clear(self) -> None:
        """Nothing is open any more."""
        for job in (self.job, self.preparing):
            job.cancel()
        self._timer.stop()
        self.made, self.extras, self._waiting = None, NOTHING, False
        self._key = self._known = self._coming = None
        self.slow.emit(False)

    def look(self, raters_as: RatersAs, ppi: float) -> None:
        """See to it that the pages match the project, raters called in one way, at a resolution."""
        self._raters_as, self._ppi = raters_as, ppi
        document = self._session.document
        main, chosen = main_analysis(document.project), setup(document.project)
        answer = (document.data, main.fit if main is not None else None)
        needed = (answer, chosen.selection)
        if needed != self._known:
            if needed != self._coming:
                self._prepare(needed)
            return
        key = (look_key(document.project), raters_as, ppi, self.extras)
        if key != self._key:
            self._key = key
            self._timer.start()

    def skip(self) -> None:
        """Go on without what is printed beside the answer."""
        self.preparing.cancel()
        self._waiting = False
        self._on_prepared(NOTHING)

    def again(self) -> None:
        """Work out after all what was skipped."""
        self._known = None
        self.look(self._raters_as, self._ppi)

    def _prepare(self, needed: Needed) -> None:
        # Where only more is to be printed of the same answer, the rest is not worked out again.
        same = self._known is not None and self._known[0] == needed[0] and self.extras.wanted is not None
        self.job.cancel()
        self._timer.stop()
        self._key, self._coming = None, needed
        if self.made is None:
            self.waits.emit()
        self.stage.emit(_("{what}…").format(what=BESIDE))
        self._waiting = not same
        if same:
            self.preparing.start(prepare_further(self._session.document.project, self.extras))
        else:
            self._begin()

    def _begin(self) -> None:
        """Work out what the window has not, once it has: two runs of the same studies would hold each other up."""
        project, studies = self._session.document.project, self._session.side_studies
        main, current = main_analysis(project), studies.current
        shown = main is not None and current is not None and current.analysis.fit is main.fit
        if shown and current is not None and current.waiting and studies.job.running:
            self.preparing.cancel()
            self.slow.emit(True)
            return
        self._waiting = False
        self.preparing.start(prepare(project, before=current.extras if shown and current is not None else None))

    @Slot()
    def _on_studies(self) -> None:
        if self._waiting:
            self._begin()

    @Slot(object)
    def _on_preparing(self, steps: tuple[Step, ...]) -> None:
        parts = [step for step in steps if step.phase == "report"]
        if parts:
            self.slow.emit(True)
            sentence = _("{what}: {done} of {total}")
            self.stage.emit(sentence.format(what=BESIDE, done=parts[-1].done, total=parts[-1].total))

    @Slot(object)
    def _on_prepared(self, extras: SideResults) -> None:
        self.extras, self._known, self._coming = extras, self._coming, None
        self.slow.emit(False)
        if not self._session.document.empty:
            self.look(self._raters_as, self._ppi)

    @Slot()
    def _make(self) -> None:
        if self.made is None:
            self.waits.emit()
        self.stage.emit(_("Putting the pages together"))
        self.job.start(print_report(self._session.document.project, self.extras, self._raters_as, self._ppi, self.made))

    @Slot(object)
    def _on_made(self, made: PrintedPages) -> None:
        self.made = made
        self.came.emit(made)

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        self._key = self._coming = None
        self.stage.emit("")
        self.slow.emit(False)
        if isinstance(error, TapdeskError):
            self.problem.emit(error)
        else:
            self._session.bug.emit(error)
