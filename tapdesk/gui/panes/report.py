"""The report pane: the true pages of the PDF, what is inside, and saving it."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QPixmap, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from tapdesk.errors import TapdeskError
from tapdesk.gui.desk import Desk
from tapdesk.gui.icons import State
from tapdesk.gui.job import Job
from tapdesk.gui.panes.pane import Pane
from tapdesk.gui.saving import ask_where
from tapdesk.gui.theme import Theme
from tapdesk.gui.widgets.basic import Choice, Frame, Tick, button, clear, plain, rule, text
from tapdesk.gui.widgets.columns import Columns
from tapdesk.gui.widgets.segmented import Segmented
from tapdesk.progress import Run, Step
from tapdesk.project.project import Project
from tapdesk.report.build import SECTIONS, build
from tapdesk.report.numbers import APA, REPORT, Style
from tapdesk.report.saving import save

PREVIEW_PPI = 144
PAUSE = 250  # milliseconds after a change before the pages are made anew
PAGE_WIDTH = 400
PAPERS = (("A4", "a4"), ("US Letter", "us-letter"))


@dataclass(frozen=True, eq=False)
class Printed:
    """A report as it is saved, and its pages as pictures."""

    pdf: bytes
    pages: tuple[bytes, ...]


def printed(project: Project, leave_out: frozenset[str], style: Style, paper: str) -> Run[Printed]:
    """Make the report and its pages."""
    # typst is loaded when the first report is made, not when the program starts.
    from tapdesk.report.pdf import pages, pdf

    yield Step(0, 3, "report")
    made = build(project, leave_out=leave_out, style=style, paper=paper)
    yield Step(1, 3, "report")
    document = pdf(made)
    yield Step(2, 3, "report")
    pictures = tuple(pages(made, ppi=PREVIEW_PPI))
    yield Step(3, 3, "report")
    return Printed(document, pictures)


class ReportPane(Pane):
    """Pages at the left, outline and style at the right."""

    paged = Signal()

    def __init__(self, theme: Theme, desk: Desk) -> None:
        super().__init__(theme, desk, "Report")
        self.job = Job(self)
        self.made: Printed | None = None
        self._wanted = False
        self._key: object = None
        self._saved: Path | None = None
        self.save = button("Save report (PDF)", self.save_report, kind="primary")
        self.head.addStretch(1)
        self.head.addWidget(self.save)
        self.pages = Pages(theme)
        self.ticks = {row.key: Tick(theme, row.title) for row in SECTIONS}
        self.style_choice = Segmented(theme, "Numbers as", (("0.44", REPORT), (".44 (APA)", APA)))
        self.paper = Choice(theme, "Paper", PAPERS, 110)
        parts = ((self._preview(), 1, 360), (self._side(), 0, 300))
        self.box.addWidget(Columns(theme, parts, narrow=700, low=(480, 0)), 1)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._make)
        for tick in self.ticks.values():
            tick.setChecked(True)
            tick.toggled.connect(self.refresh)
        self.style_choice.chosen.connect(self.refresh)
        self.paper.activated.connect(self.refresh)
        desk.document.changed.connect(self.refresh)
        self.job.done.connect(self._on_made)
        self.job.failed.connect(self._on_failed)
        self.refresh()

    def _preview(self) -> Frame:
        card = Frame("card", margins=(1, 0, 1, 1), gap=0)
        self.page_words = text("", "small", "2")
        bar = plain(across=True, gap=10, margins=(14, 6, 14, 6)).add(self.page_words)
        bar.box.addStretch(1)
        desk_ = Frame("desk", margins=(0, 0, 0, 0), gap=0)
        desk_.add(self.pages)
        card.add(bar.add(self.paper), rule())
        card.box.addWidget(desk_, 1)
        return card

    def _side(self) -> QWidget:
        inside = Frame("card", margins=(14, 10, 14, 12), gap=8)
        inside.add(text("What is inside", "card"), *self.ticks.values())
        written = Frame("card", margins=(14, 11, 14, 12), gap=8)
        written.add(text("How it is written", "card"), text("Numbers as"), self.style_choice)
        side = QWidget()
        box = QVBoxLayout(side)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(10)
        box.addWidget(inside)
        box.addWidget(written)
        box.addStretch(1)
        return side

    def showEvent(self, event: object) -> None:
        """Make the pages when they are first looked at."""
        super().showEvent(event)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Make the pages anew where they are looked at and no longer match."""
        document = self.desk.document
        has = document.analysis is not None and document.analysis.fit is not None
        self.save.setEnabled(not document.empty and self.made is not None)
        if document.empty:
            self.made, self._key = None, None
            self.sub.setText("")
            self.pages.say("Open ratings and run an analysis: the report is then put together here.")
            return
        reason = self.desk.out_of_date
        self.sub.setText(
            "Data quality only: run an analysis to add its answer"
            if not has
            else "Made from results that are out of date"
            if reason
            else "Made from results that are up to date"
        )
        key = (document.project, self._left_out(), self.style_choice.value, self.paper.currentData())
        if self.isVisible() and key != self._key:
            self._key = key
            self._timer.start()

    def _left_out(self) -> frozenset[str]:
        return frozenset(key for key, tick in self.ticks.items() if not tick.isChecked())

    @Slot()
    def _make(self) -> None:
        if self.made is None:
            self.pages.wait()
        self.page_words.setText("Putting the pages together")
        style: Style = self.style_choice.value
        self.job.start(printed(self.desk.document.project, self._left_out(), style, self.paper.currentData()))

    @Slot(object)
    def _on_made(self, made: Printed) -> None:
        self.made = made
        self.error.hide()
        count = len(made.pages)
        self.page_words.setText(f"{count} pages" if count > 1 else "1 page")
        self.pages.show_pages(made.pages)
        self.save.setEnabled(True)
        self.paged.emit()

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        self._key = None
        self.page_words.setText("")
        if isinstance(error, TapdeskError):
            self.error.show_error(error)
        else:
            self.desk.bug.emit(error)

    def save_report(self) -> None:
        """Ask for a place and save the PDF that is shown."""
        if self.made is None:
            return
        title = self.desk.document.project.title or "report"
        path = ask_where(self, "Save report (PDF)", f"{title} report.pdf", "Report (*.pdf)")
        if path is not None:
            self.save_to(path)

    def save_to(self, path: Path) -> None:
        """Save the PDF that is shown."""
        if self.made is None:
            return
        try:
            save(path, self.made.pdf)
        except TapdeskError as problem:
            self.error.show_error(problem, str(path))
            return
        self.error.hide()
        self._saved = path
        count = len(self.made.pages)
        pages = f"{count} pages" if count > 1 else "1 page"
        self.banner.say(f"Saved {pages} to {path}", State.DONE, ("Open", self._open_saved))

    def _open_saved(self) -> None:
        if self._saved is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._saved)))


class Pages(QScrollArea):
    """The pages, two side by side where there is room."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._pictures: list[QPixmap] = []
        self._placed = (0, 0)
        self.setAccessibleName("Pages of the report")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        inside = QWidget()
        inside.setProperty("role", "scrolled")
        self.setWidget(inside)
        self._box = QVBoxLayout(inside)
        self._box.setContentsMargins(16, 16, 16, 16)
        self._box.setSpacing(16)
        self.say("")

    def say(self, words: str) -> None:
        """Show words in the place of pages."""
        self._pictures = []
        clear(self._box)
        card = Frame("card", margins=(20, 16, 20, 16)).add(text(words, "lead", "2", wrap=True))
        self._box.addWidget(card)
        self._box.addStretch(1)
        self.setAccessibleDescription(words)

    def wait(self) -> None:
        """Show empty page frames while the pages are made."""
        blank = QPixmap(10, 14)
        blank.fill(self._theme.colour("surface"))
        self._pictures = [blank, blank]
        self._lay_out()

    def show_pages(self, pages: tuple[bytes, ...]) -> None:
        """Show pages given as PNG."""
        self._pictures = []
        for page in pages:
            picture = QPixmap()
            picture.loadFromData(page)
            self._pictures.append(picture)
        self._lay_out()
        self.setAccessibleDescription(f"{len(pages)} pages")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pages to the new width."""
        super().resizeEvent(event)
        if self._pictures and self._fitting() != self._placed:
            self._lay_out()

    def _fitting(self) -> tuple[int, int]:
        """Columns and width of a page that fit, with room for the scroll bar."""
        room = self.width() - 44
        columns = 2 if room >= PAGE_WIDTH * 1.4 else 1
        most = self._theme.px(PAGE_WIDTH) * (3 - columns)
        return columns, max(min(most, (room - 16 * (columns - 1)) // columns), 120)

    def _lay_out(self) -> None:
        clear(self._box)
        self._placed = columns, wide = self._fitting()
        for at in range(0, len(self._pictures), columns):
            line = plain(across=True, gap=16)
            line.box.addStretch(1)
            for i, picture in enumerate(self._pictures[at : at + columns]):
                line.add(_page(picture, wide, at + i + 1))
            if columns == 2 and at + 1 == len(self._pictures):
                line.box.addSpacing(wide + 16)
            line.box.addStretch(1)
            self._box.addWidget(line)
        self._box.addStretch(1)


def _page(picture: QPixmap, wide: int, number: int) -> QLabel:
    """One page, scaled smoothly for the device it is shown on."""
    label = QLabel()
    label.setProperty("role", "sheet")
    ratio = label.devicePixelRatioF()
    high = round(wide * picture.height() / max(picture.width(), 1))
    size = QSize(round((wide - 2) * ratio), round(high * ratio))
    smooth = Qt.TransformationMode.SmoothTransformation
    scaled = picture.scaled(size, Qt.AspectRatioMode.KeepAspectRatio, smooth)
    scaled.setDevicePixelRatio(ratio)
    label.setPixmap(scaled)
    label.setFixedSize(wide, round(scaled.height() / ratio) + 2)
    label.setAccessibleName(f"Page {number}")
    return label
