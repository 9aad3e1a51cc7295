"""The results pane: one sentence, the numbers, and the pictures behind them, always in the same order."""

from dataclasses import replace

from PySide6.QtCore import Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tapdesk.fitting.fit import Fit
from tapdesk.gui import agreeing, dialogs, raters_apart, telling
from tapdesk.gui.desk import Desk
from tapdesk.gui.keeping.saving import permitted, save_picture
from tapdesk.gui.look.icons import Glyph, State
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.panes.analyses import Switch
from tapdesk.gui.panes.beside import Beside
from tapdesk.gui.panes.example import Example
from tapdesk.gui.panes.groups import Groups
from tapdesk.gui.panes.models import Models
from tapdesk.gui.panes.more import More
from tapdesk.gui.panes.of_fit import OfFit
from tapdesk.gui.panes.pane import Pane
from tapdesk.gui.panes.parts import Parts
from tapdesk.gui.panes.printed import Printed
from tapdesk.gui.panes.sized import OfSize
from tapdesk.gui.running.abreast import Abreast
from tapdesk.gui.running.found import Found, Part
from tapdesk.gui.widgets.areas import bring_into_view, tab_through
from tapdesk.gui.widgets.basic import Frame, button, plain, scrolled, text
from tapdesk.gui.widgets.block import Block
from tapdesk.gui.widgets.block_grid import BlockGrid
from tapdesk.gui.widgets.chip import Chip
from tapdesk.gui.widgets.details import Details
from tapdesk.gui.widgets.filling import Filling
from tapdesk.gui.widgets.flow import Flow
from tapdesk.gui.widgets.fold import Fold
from tapdesk.gui.widgets.messages import Headline
from tapdesk.gui.widgets.numbers import NARROW, WIDEST, NumberStrip
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy
from tapdesk.project.project import Analysis
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.coded import coded_extras
from tapdesk.report.figure import Figure
from tapdesk.report.figures import agreement as figures_agreement
from tapdesk.report.figures.catalog import figures
from tapdesk.report.words import fit as words
from tapdesk.report.words import lines

TWO_COLUMNS, SIX_CELLS, THREE_CELLS = 1000, 1120, 560


class Results(Pane):
    """Headline, strip of numbers, the blocks of the fit and those beside it, and the details below."""

    def __init__(self, theme: Theme, desk: Desk) -> None:
        super().__init__(theme, desk, _("Results"))
        self._shown: Fit | None = None
        self._found: Found | None = None
        self._lines: tuple[Found | None, Abreast | None] = (None, None)
        self.question, self.class1 = Chip(theme, _("Question"), "").as_label(), Chip(theme, _("Class 1"), "").as_label()
        self.mark, self.state = Glyph.of(theme, State.DONE, 15), text("", "small", "2")
        self.to_report = button(_("Go to the report"), kind="primary")
        told = QWidget()
        flow = Flow(told, gap=10)
        standing = plain(across=True, gap=6).add(self.mark, self.state)
        self.switch = Switch(theme, desk)
        for part in (self.question, self.switch, self.class1, standing):
            flow.addWidget(part)
        self.head.addWidget(told, 1)
        self.head.addWidget(self.to_report)
        self.head.removeWidget(self.sub)
        self.sub.hide()
        self.empty = Example()
        self.headline = Headline(self._not_said)
        self.strip, self.filling = NumberStrip(), Filling()
        self.filling.bug.connect(desk.bug)
        self.of_fit = OfFit(theme, self._made, self.filling)
        self.beside = Beside(theme, self.filling)
        self.grid = BlockGrid((*self.of_fit.all, *self.beside.all))
        self.details, self.more = Details(theme, _("Details of the run")), More(theme, desk.picturing)
        # The words of specialists stand behind one click.
        self.fold = Fold(theme, _("Details for specialists"), self.details)
        self.groups, self.models = Groups(theme, desk.grouping), Models(theme, desk.comparing)
        self.of_size = OfSize(theme, desk.sizing)
        self.printed = Printed(desk.document, self.groups, self.models, self.of_size, self.more)
        asked = {"more": self.more, "groups": self.groups, "models": self.models, "of_size": self.of_size}
        self.parts = Parts(desk.document, {**self.of_fit.named, **self.beside.named, **asked})
        for worked in asked.values():
            worked.bug.connect(desk.bug)
        for block in (*self.of_fit.all, *self.beside.all, *asked.values()):
            block.saved.connect(self._save_made)
        self.inside = self._filled()
        self.grid.stand_in(self.inside)
        self.grid.show_blocks(self.of_fit.all)
        self.area = scrolled(self.inside)
        self.box.addWidget(self.empty, 1)
        self.box.addWidget(self.area, 1)
        signals = (desk.document.changed, desk.planned, desk.fitting.started, desk.fitting.cancelled)
        for signal in (*signals, desk.fitting.done, desk.fitting.failed, desk.further.changed, desk.lines.changed):
            signal.connect(self.refresh)
        desk.calling.changed.connect(self.call_anew)
        self.refresh()

    def _filled(self) -> QWidget:
        inside = QWidget()
        box = QVBoxLayout(inside)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        box.addWidget(self.headline)
        box.addWidget(self.strip)
        box.addLayout(self.grid)
        for asked in (self.groups, self.models, self.of_size, self.more):
            box.addWidget(asked)
        box.addWidget(Frame("card").add(self.fold))
        box.addStretch(1)
        return inside

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Two columns of blocks where there is room, one where there is not."""
        super().resizeEvent(event)
        room = self.width() / self.theme.px(100) * 100
        most = WIDEST if room >= SIX_CELLS else NARROW if room >= THREE_CELLS else 2
        self.strip.hold(most)
        self.empty.hold(most)
        self.grid.stand_in_columns(2 if self.width() >= self.theme.px(TWO_COLUMNS) else 1)

    @property
    def blocks(self) -> list[Block]:
        """Those that belong to this answer, in their order."""
        return self.grid.blocks

    def _order(self) -> None:
        """The keyboard goes as one reads, not as the blocks were made."""
        before, after = ((self.more,), ()) if self.more.first else ((), (self.more,))
        tab_through((*before, *self.blocks, self.groups, self.models, self.of_size, *after, self.fold))

    def _choose_blocks(self, analysis: Analysis, fit: Fit, ratings: Ratings) -> None:
        key = analysis.question
        one = fit.model.accuracy is not Accuracy.PER_RATER
        # Single raters have no common curve to draw, and their intervals tell how far their numbers would move.
        about = [self.of_fit.model, self.of_fit.movement] if one else []
        first, others = self.beside.first(key, fit), self.beside.others(key, fit, ratings)
        if self.grid.show_blocks([*first, *about, *others, self.of_fit.words, self.of_fit.search]):
            self._order()

    @Slot()
    def refresh(self) -> None:
        """Show the newest analysis and how it stands."""
        analysis = self.desk.document.analysis
        fit = analysis.fit if analysis is not None else None
        has = analysis is not None and fit is not None
        for part in (self.area, self.question, self.class1, self.mark, self.state, self.to_report):
            part.setVisible(has)
        self.empty.setVisible(not has)
        # With several analyses the list of them says which question this is.
        self.question.setVisible(has and self.switch.count() < 2)
        if analysis is None or fit is None:
            self._shown = self._found = None
            self.banner.hide()
            running = self.desk.fitting.running
            self.empty.say(_("The numbers appear here when the run has ended.") if running else "")
            return
        # Filled when it is looked at: the end of a run must not hold up the window.
        if fit is not self._shown and self.isVisible():
            self._shown = fit
            self._show(analysis, fit)
        found = self.desk.further.found
        if found is not None and found is not self._found and found.analysis.fit is self._shown is not None:
            self._found = found
            self._show_further(found, self._shown)
        abreast = (self._found, self.desk.lines.now)
        if abreast != self._lines:
            self._lines = abreast
            self._show_lines(*abreast)
        self._show_state(analysis)
        self.more.coloured(self.desk.document.ratings)
        self.parts.refresh()

    def show_block(self, block: Block, *, note: bool = False) -> None:
        """Bring a block into view, with its note open where that is wanted."""
        if note and block.note.isHidden():
            block.note.show()
        bring_into_view(block.note if note else block)

    @Slot()
    def call_anew(self) -> None:
        """Show everything once more with raters called otherwise."""
        self._shown = self._found = None
        self.refresh()

    def _show_further(self, found: Found, fit: Fit) -> None:
        """Show what has been worked out beside the fit by now."""
        calling = self.desk.calling
        fit, ratings = calling.fit(fit), calling.ratings(self.desk.fitted_ratings)
        coded = coded_extras(found.extras, calling.names, self.desk.fitted_ratings)
        found = replace(found, extras=coded, analysis=replace(found.analysis, fit=fit))
        waiting = "working" if Part.COEFFICIENTS in found.waiting else ""
        why = "" if waiting else found.extras.reasons.get("coefficients", "")
        shares = tuple(ratings.class_rates())
        self.strip.show_cells([*telling.cells(fit), *agreeing.cells(found.extras.coefficients, waiting, why, shares)])
        self.beside.show(found, fit, ratings)
        self.of_fit.show_misfit(found)
        if (panel := raters_apart.panel(found.panel)) is not None and fit.converged and fit.identification.identified:
            untold = all(e.estimate.low is None for e in figures_agreement.accuracies(fit))
            warn = untold or words.small(fit, ratings)
            self.headline.say(*raters_apart.who_differs(fit, panel), warn=warn)

    def _show_lines(self, found: Found | None, now: Abreast | None) -> None:
        if found is None:
            return
        self.beside.show_lines(found, now)
        stale = self.desk.document.analysis is not None and self.desk.document.analysis.stale
        right = found.extras.scan if now is None or stale else now.scan if now.intervals else None
        told = lines.headline(right) if right is not None else None
        # A warning about the data stands before any order of the lines.
        if told is not None and self._shown is not None and not words.warns(self._shown, self.desk.fitted_ratings):
            self.headline.say(*told, warn=False)

    def showEvent(self, event: QShowEvent) -> None:
        """Fill the pane when it is looked at."""
        super().showEvent(event)
        self.refresh()

    def _show_state(self, analysis: Analysis) -> None:
        reason, running = self.desk.out_of_date, self.desk.fitting.running
        when = telling.clock(analysis.run_at)
        if running:
            self.banner.say(_("Updating: the numbers below are from {when}.").format(when=when), State.STALE)
        elif reason:
            self.banner.say(
                _("{reason}. The numbers below are from {when}.").format(reason=reason, when=when),
                State.STALE,
                (_("Run again"), self.desk.run),
            )
        else:
            self.banner.hide()
        self.mark.show_state(State.STALE if running or reason else State.DONE)
        self.state.setText(_("Updating") if running else reason or _("Up to date"))
        self.headline.quiet(dim=running)
        self.strip.quiet(dim=running)

    def _show(self, analysis: Analysis, fit: Fit) -> None:
        calling = self.desk.calling
        fit, ratings = calling.fit(fit), calling.ratings(self.desk.fitted_ratings)
        self.question.show_value(numbers.short(analysis.name, 60))
        self.class1.show_value(
            numbers.short(ratings.classes[1], 30) if len(ratings.classes) == 2 else _("all categories")
        )
        self.headline.say(*telling.answer(analysis.question, fit, ratings), warn=words.warns(fit, ratings))
        self.strip.show_cells(telling.cells(fit))
        self._lines = (None, None)
        every = self.desk.document.project.all_classes
        self.beside.whole = whole = ratings if analysis.stale else calling.ratings(every)
        self._choose_blocks(analysis, fit, ratings)
        self.of_fit.show(fit, ratings)
        self.more.of(fit, ratings, whole)
        if self.more.answer(analysis, self.inside.layout()):
            self._order()
        self.groups.of(analysis.request, ratings)
        self.models.of(ratings, analysis.request.seed)
        self.of_size.of(ratings, analysis.request.seed)
        self.details.rows.show_rows(*telling.details(fit, analysis))
        self.details.fill()
        self.area.verticalScrollBar().setValue(0)

    def _not_said(self) -> None:
        dialogs.inform(self, _("What this does not say"), words.not_said())

    def _save_made(self, made: tuple[Figure, ...], kind: str) -> None:
        save_picture(self, made, kind, self.error, permitted(self.desk.document.project))

    def _made(self, kind: str) -> tuple[Figure, ...]:
        if self._shown is None:
            return ()
        return figures(kind, self.desk.calling.fit(self._shown), self.desk.calling.ratings(self.desk.fitted_ratings))
