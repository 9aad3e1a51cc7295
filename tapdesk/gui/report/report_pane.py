"""The report pane: the true pages, what is inside, how it is written, and what leaves the program."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tapdesk.answers.content import Paragraph, Tone
from tapdesk.answers.faults import listed
from tapdesk.answers.naming import CasesAs, RatersAs
from tapdesk.errors import TapdeskError
from tapdesk.gui.report import export_dialog
from tapdesk.gui.report.cards import Checklist, Outline, StyleCard
from tapdesk.gui.report.export import Action, ReportExport, export_menu
from tapdesk.gui.report.export_dialog import MISSING
from tapdesk.gui.report.own_words import OwnWordsWindow
from tapdesk.gui.report.pages import ZOOMS, PageScroll, Thumbnails
from tapdesk.gui.report.preview import ExportOptions, PrintedPages, ReportPreview
from tapdesk.gui.runs.job import Job
from tapdesk.gui.shell.pane import Pane
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.icons import State
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Choice, Frame, MenuButton, button, plain, rule, scroll_area, text
from tapdesk.gui.widgets.layouts import Columns, Flow
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.report.forms.logo import logo
from tapdesk.report.report import Form
from tapdesk.report.setup import Setup, setup, with_setup

PREVIEW_PPI = 110.0  # enough for 100 % on a plain screen; drawn in less than half a second
ROOM_BETWEEN = 90  # pixels: the margins of the pane and what is between its words and buttons
PAPERS = (("A4", "a4"), (_("US Letter"), "us-letter"))
FORMS = (
    (_("Committee brief, 2 pages"), Form.BRIEF),
    (_("Full report"), Form.FULL),
    (_("Both, one after the other"), Form.BOTH),
    (_("Appendix, what the full report leaves out"), Form.APPENDIX),
)


def remark(made: PrintedPages, session: Session) -> tuple[str, State, Action | None] | None:
    """Words for the banner above the pages, their state, and what the banner offers; None where all is well."""
    names = "; ".join(made.names[:5])
    named = (
        _("Codes are on, but names still stand here, so the report cannot be saved: {names}.").format(names=names)
        if names
        else ""
    )
    if not made.report.faults:
        return (named, State.KNOW, None) if named else None
    # The dialog about a bug comes on request only: everything else of the report is there.
    bug = made.report.faults[0].error
    words = joined(MISSING.format(parts=listed(made.report.faults)), named)
    return words, State.BLOCKED, (_("What failed…"), lambda: session.bug.emit(bug))


def about(session: Session) -> str:
    """Whether the pages are made from an answer, and from one that still holds."""
    analysis = session.document.analysis
    if analysis is None or analysis.fit is None:
        if session.document.project.form:
            return _("One question; the report of all is saved in Results")
        return _("Data quality only: run an analysis to add its answer")
    return (
        _("Made from results that are out of date")
        if session.out_of_date
        else _("Made from results that are up to date")
    )


class ReportPane(Pane):
    """Pages at the left, outline, style and checklist at the right.

    Attributes
    ----------
    paged
        The pages are there.
    """

    paged = Signal()

    def __init__(self, theme: Theme, session: Session) -> None:
        super().__init__(theme, session, _("Report"))
        self.preview = ReportPreview(session, self)
        self.job = self.preview.job
        self._ppi = PREVIEW_PPI * self.devicePixelRatioF()
        self.export = ReportExport(theme, session, self, self.preview)
        self.also = MenuButton(theme, _("Also: web page, tables, letters…"))
        self.save = button(_("Save report (PDF)"), self.save_report, kind="primary")
        self.head.addStretch(1)
        self.head.addWidget(self.also)
        self.head.addWidget(self.save)
        self.pages, self.thumbs = PageScroll(theme), Thumbnails(theme)
        self.outline, self.style_card, self.checklist = Outline(theme), StyleCard(theme), Checklist(theme)
        self.ticks = self.outline.ticks
        self.form = Choice(theme, _("What is printed and saved"), FORMS, 190)
        self.paper = Choice(theme, _("Paper"), PAPERS, 100)
        self.zoom = Choice(theme, _("Size of the pages"), ZOOMS, 90)
        self.words = OwnWordsWindow(theme, session, self)
        parts = ((self._preview(), 1, 360), (self._side(), 0, 350))
        self.box.addWidget(Columns(theme, parts, narrow=740, low=(480, 0)), 1)
        self.also.setMenu(export_menu(self.export, self))
        self._wire()
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The buttons come before the words about the pages where there is not room for both."""
        super().resizeEvent(event)
        # In the language of the screen, whose words may be longer.
        needed = sum(one.sizeHint().width() for one in (self.title, self.sub, self.also, self.save))
        self.sub.setVisible(self.width() >= needed + self.theme.px(ROOM_BETWEEN))

    @property
    def made(self) -> PrintedPages | None:
        """The pages that are shown."""
        return self.preview.made

    @property
    def jobs(self) -> tuple[Job, ...]:
        """All that can go on in threads."""
        return self.preview.job, self.preview.preparing, self.export.job

    def _preview(self) -> Frame:
        card = Frame("card", margins=(1, 0, 1, 1), gap=0)
        self.page_words = text("", "small", "2", wrap=True)
        self.page_words.setMinimumWidth(self.theme.px(150))
        self.skip = button(_("Show without them"), self._skip, small=True)
        self.skip.hide()
        # Where there is no room for all in one line the controls go on in a second.
        controls = QWidget()
        flow = Flow(controls, gap=10, below=6)
        for one in (self.skip, self.form, self.paper, self.zoom):
            flow.addWidget(one)
        bar = plain(across=True, gap=10, margins=(14, 6, 14, 6)).add(self.page_words, controls)
        bar.box.setStretch(0, 1)
        desk_ = Frame("desk", across=True, margins=(0, 0, 0, 0), gap=0)
        desk_.add(self.thumbs, self.pages)
        desk_.box.setStretch(1, 1)
        card.add(bar, rule())
        card.box.addWidget(desk_, 1)
        return card

    def _side(self) -> QWidget:
        side = QWidget()
        box = QVBoxLayout(side)
        box.setContentsMargins(0, 0, 10, 0)
        box.setSpacing(10)
        for card in (self.outline, self.style_card, self.checklist):
            box.addWidget(card)
        box.addStretch(1)
        area = scroll_area(side)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return area

    def _wire(self) -> None:
        self.outline.switched.connect(self._switch)
        self.outline.wanted.connect(self.pages.go)
        self.thumbs.wanted.connect(self.pages.go)
        self.pages.turned.connect(self.thumbs.mark)
        self.pages.turned.connect(self._tell_page)
        self.pages.zoomed.connect(self._step_zoom)
        self.zoom.activated.connect(self._on_zoom)
        self.paper.activated.connect(self._on_paper)
        self.form.activated.connect(self._on_form)
        self.style_card.called.connect(self._later)
        self.session.naming.changed.connect(self._on_naming)
        self.style_card.cases_called.connect(self._on_cases)
        self.style_card.counted.connect(self._on_counted)
        self.style_card.archived.connect(self._on_archived)
        self.style_card.scaled.connect(self._on_scaled)
        self.style_card.logo_wanted.connect(self._on_logo)
        self.style_card.words_wanted.connect(self._on_words)
        self.checklist.asked.connect(self.words.show_at)
        self.words.draft = self._draft
        self.export.message.connect(self._show_message)
        self.export.problem.connect(self.error.show_error)
        self.session.document.changed.connect(self.refresh)
        self.preview.came.connect(self._on_made)
        self.preview.waits.connect(self.pages.wait)
        self.preview.stage.connect(self.page_words.setText)
        self.preview.slow.connect(self.skip.setVisible)
        self.preview.problem.connect(self.error.show_error)

    # What the project remembers ---------------------------------------------------------------------------------

    def _do(self, words: str, **changes: Any) -> None:
        project = self.session.document.project
        if not self.session.document.empty:
            self.session.document.do(words, with_setup(project, replace(setup(project), **changes)))

    @Slot(str, bool)
    def _switch(self, key: str, on: bool) -> None:
        after = setup(self.session.document.project).switched(key, on=on)
        title = self.ticks[key].text()
        words = _("Print: {title}") if on else _("Leave out: {title}")
        self._do(words.format(title=title), leave_out=after.leave_out, selection=after.selection)

    @Slot()
    def _on_paper(self) -> None:
        self._do(_("Paper: {paper}").format(paper=self.paper.currentText()), paper=self.paper.currentData())

    @Slot()
    def _on_form(self) -> None:
        self._do(_("Print: {title}").format(title=self.form.currentText()), form=self.form.currentData())

    @Slot(object)
    def _on_cases(self, cases_as: CasesAs) -> None:
        self._do(_("{Subjects} by code") if cases_as is CasesAs.CODES else _("{Subjects} by name"), cases_as=cases_as)

    @Slot(bool)
    def _on_counted(self, apa: bool) -> None:
        self._do(_("Numbers as .44") if apa else _("Numbers as 0.44"), apa=apa)

    @Slot(bool)
    def _on_archived(self, archive: bool) -> None:
        self._do(_("PDF for archives") if archive else _("PDF not for archives"), archive=archive)

    @Slot(str)
    def _on_scaled(self, scale: str) -> None:
        self._do(_("Words of: {scale}").format(scale=self.style_card.scale.currentText()), scale=scale)

    @Slot(bool)
    def _on_logo(self, choose: bool) -> None:
        if not choose:
            self._do(_("No logo"), logo=None)
            return
        path = export_dialog.picture(self)
        if not path:
            return
        try:
            self._do(_("Logo of the committee"), logo=logo(path))
        except TapdeskError as problem:
            self.error.show_error(problem, path)

    @Slot()
    def _on_words(self) -> None:
        self.words.show_at("summary")

    def _draft(self) -> str:
        """The drafted sentences of the summary, to be changed by the user."""
        sections = () if self.made is None else self.made.report.sections
        blocks = next((s.blocks for s in sections if s.key in {"summary", "brief-answer"}), ())
        sentences = [b.text for b in blocks if isinstance(b, Paragraph) and b.tone in {Tone.LEAD, Tone.BODY}]
        return "\n".join(sentences)

    # Pages ------------------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Make the pages when they are first looked at."""
        super().showEvent(event)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what the project remembers; make the pages anew where they are looked at and no longer match."""
        document = self.session.document
        part: QWidget
        for part in (self.also, self.outline, self.style_card, self.checklist, self.form, self.paper):
            part.setEnabled(not document.empty)
        self.save.setEnabled(not document.empty and self.preview.ready)
        if self.session.blocked:
            self.outline.show_chosen(setup(document.project))
            self._clear(self.session.blocked)
            for part in (self.also, self.save):
                part.setEnabled(False)
            return
        if document.empty:
            self._clear(_("Open {ratings} and run an analysis: the report is then put together here."))
            return
        chosen: Setup = setup(document.project)
        self.outline.show_chosen(chosen)
        self.paper.choose(chosen.paper)
        self.form.choose(chosen.form)
        # The two pages have no sections to choose from.
        self.outline.setVisible(chosen.form is not Form.BRIEF)
        reading = document.project.reading
        self.style_card.show_setup(chosen, raters_known=reading is not None and reading.as_read.raters_known)
        self.checklist.show_project(document.project)
        self.sub.setText(about(self.session))
        self._later()

    def _clear(self, why: str) -> None:
        self.preview.clear()
        self.sub.setText("")
        self.page_words.setText("")
        self.thumbs.show_pages(())
        self.outline.show_starts({})
        self.pages.say(why)

    @Slot()
    def _later(self) -> None:
        """See to it that the pages match, where they are looked at."""
        if self.isVisible() and not self.session.document.empty and not self.session.blocked:
            self.preview.look(self.style_card.raters.value, self._ppi)
            self.save.setEnabled(self.preview.ready)

    @Slot()
    def _on_naming(self) -> None:
        """Show no name on a page where the other panes show codes."""
        self.style_card.raters.choose(RatersAs.CODES if self.session.naming.codes else RatersAs.NAMES)
        self._later()

    def _skip(self) -> None:
        """Show the report without coefficients and studies, and say so."""
        self.preview.skip()
        words = _("The report holds no coefficients, tests or single {raters}: they were not worked out.")
        self.banner.say(words, State.KNOW, (_("Work them out"), self._again))

    def _again(self) -> None:
        self.banner.hide()
        self.preview.again()

    @Slot(object)
    def _on_made(self, made: PrintedPages) -> None:
        self.error.hide()
        self.pages.show_pages(made.images)
        self.thumbs.show_pages(made.thumbs)
        self.outline.show_starts(made.starts)
        self.save.setEnabled(self.preview.ready)
        self._tell_page(1 if self.thumbs.currentRow() < 0 else self.thumbs.currentRow() + 1)
        sentences = remark(made, self.session)
        if sentences is not None:
            self.banner.say(*sentences)
        self.paged.emit()

    @Slot(int)
    def _tell_page(self, number: int) -> None:
        if self.made is not None and not self.job.running:
            self.page_words.setText(_("Page {number} of {pages}").format(number=number, pages=len(self.made.pages)))

    @Slot(int)
    def _step_zoom(self, by: int) -> None:
        self.zoom.setCurrentIndex(min(max(self.zoom.currentIndex() + by, 0), self.zoom.count() - 1))
        self._on_zoom()

    @Slot()
    def _on_zoom(self) -> None:
        percent = self.zoom.currentData()
        self.pages.set_zoom(percent)
        self._ppi = PREVIEW_PPI * max(percent / 100, 1.0) * self.devicePixelRatioF()
        self._later()

    # Leaving ----------------------------------------------------------------------------------------------------

    def save_report(self) -> None:
        """Ask how and where, and save the PDF."""
        if self.made is not None:
            self.export.save(".pdf")

    def save_to(self, path: Path, how: ExportOptions | None = None) -> None:
        """Save the report to a place as it is shown, or in another way; nothing while a question waits."""
        if self.session.blocked:
            self.error.show_error(TapdeskError(self.session.blocked), str(path))
            return
        self.export.save_to(path, how or ExportOptions(self.style_card.raters.value))

    def verify(self, path: Path) -> None:
        """Say whether an issued PDF still matches the open project."""
        self.export.verify(path)

    @Slot(str, object, object)
    def _show_message(self, words: str, state: State, action: object) -> None:
        if not words:
            self.banner.hide()
            return
        self.error.hide()
        self.banner.say(words, state, action if isinstance(action, tuple) else None)
