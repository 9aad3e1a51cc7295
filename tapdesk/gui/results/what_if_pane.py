"""What if: the analysis that is looked at beside the same one with something otherwise, or beside other files.

Nothing of the project is changed by looking; what is put into the report can be taken back.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QBoxLayout, QLabel, QMenu, QWidget

from tapdesk.answers import what_if as words
from tapdesk.answers import what_if_kept as kept
from tapdesk.answers.award_moves import changed_share
from tapdesk.answers.numbers import SCREEN
from tapdesk.answers.what_if_cases import case_sentences
from tapdesk.answers.what_if_runs import THIS, Outcome, file_label, follow, vary
from tapdesk.errors import TapdeskError
from tapdesk.gui.results.change_cells import (
    ChangeCells,
    ChoiceCells,
    Choices,
    NumberCells,
    StretchTable,
    StrongCells,
    VerdictCells,
)
from tapdesk.gui.results.part_blocks import Panels, show_table
from tapdesk.gui.results.side_by_side import SideBySide
from tapdesk.gui.results.what_if_choices import (
    OtherFiles,
    Question,
    choices,
    other_models,
    rounds_of,
    row_words,
)
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.pane import Pane
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.icons import Glyph, State
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.chip import Chip
from tapdesk.gui.widgets.controls import Bar, Frame, MenuButton, button, plain, text
from tapdesk.gui.widgets.focus import tab_through
from tapdesk.gui.widgets.layouts import Columns, Flow
from tapdesk.gui.widgets.messages import Headline
from tapdesk.gui.widgets.tables import TextTable
from tapdesk.language import gettext as _
from tapdesk.language import in_voice, say, speaking, voice
from tapdesk.progress import Run, Step
from tapdesk.studies.what_if import Side

_SIDE, _LIST, _NARROW = 310, 250, 940
_ROWS = 6  # of the list, where it stands above
Row = Question | str


class WhatIfPane(Pane):
    """A list of what may be otherwise, and beside it both answers with their differences.

    Attributes
    ----------
    closed
        Emitted when the results are wanted again.
    """

    closed = Signal()

    def __init__(self, theme: Theme, session: Session) -> None:
        super().__init__(theme, session, _("What if"))
        self._job = session.what_if_job
        self._known: dict[Question, Outcome] = {}
        self._rows: list[Row] = []
        self._more: list[Question] = []
        self._question: Question | None = None
        self._running: Question | None = None
        self._queue: list[Question] = []
        self._this: Side | None = None
        self._filling = False
        self._about: object = None
        self.a, self.b = Chip(theme, "A", say(THIS)).as_label(), Chip(theme, "B", "")
        self.menu = QMenu(self.b)
        self.b.set_menu(self.menu)
        self.against, self.mark = text(_("against"), "body", "2"), Glyph.of(theme, State.DONE, 15)
        self.state = text("", "small", "2")
        self.back = button(_("Back to the results"), self.closed.emit)
        self.put = button(_("Put it in the report"), self.put_in_report, kind="primary")
        self.headline = Headline(theme, self._say_caveat)
        self.otherwise = text("", "small", "", wrap=True)
        self.differences = Frame("know", margins=(14, 8, 14, 8)).add(self.otherwise)
        self.changing = text("", "small", "2", wrap=True)
        self.list = StretchTable(theme, _("What may be otherwise"), Choices(theme), (0,))
        self.all = button(_("Work all of them out"), self.work_all, kind="link")
        self.other = button(_("Other files…"), self.choose_files, small=True, name=_("Compare with other files"))
        self.models = MenuButton(theme, _("Another model…"))
        self.model_menu = QMenu(self.models)
        self.models.setMenu(self.model_menu)
        self.side_by_side = SideBySide(theme)
        self.table, self.smallest = self.side_by_side.table, self.side_by_side.smallest
        self.trend = StretchTable(theme, _("Round by round"), TextTable(theme), (0,))
        self.picture = Panels(theme, _("Round by round"))
        self.changes, self.caveat, self.remarks = (text("", "body", "2", wrap=True) for _card in range(3))
        self.progress, self.bar = text("", "body", "2"), Bar(theme, _("How far the resamples are"))
        self.stop = button(_("Cancel"), self.cancel, small=True, name=_("Stop what if"))
        self._assemble()
        self._follow()

    def _assemble(self) -> None:
        flow = Flow(sentence := QWidget(), gap=10)
        for widget in (self.a, self.against, self.b, self.mark, self.state):
            flow.addWidget(widget)
        self.ways = plain(across=True, gap=10).add(self.back, self.put)
        self.head.addWidget(sentence, 1, Qt.AlignmentFlag.AlignVCenter)
        self.head.addWidget(self.ways)
        self.waiting = Frame("card", across=True, margins=(14, 8, 14, 8), gap=10)
        self.waiting.add(self.progress, self.bar, self.stop).box.setStretch(1, 1)
        self.left = self._list_card()
        self.rounds = Frame("card", margins=(0, 8, 0, 8), gap=4)
        self.rounds.add(_inset(text(_("Round by round"), "card")), self.picture, self.trend)
        self.changes_card = _card(_("What it would change"), self.changes)
        self.cards = plain(across=True, gap=12).add(self.changes_card, _card(_("What it does not say"), self.caveat))
        self.hint = Frame("card", margins=(14, 12, 14, 12)).add(text(_HINT, "body", "2", wrap=True))
        self.how = _card(_("How they were compared"), self.remarks)
        self.right = plain(gap=12).add(self.rounds, self.hint, self.side_by_side, self.cards, self.how)
        self.right.box.addStretch(1)
        parts = ((self.left, 0, _SIDE), (self.right, 1, 500))
        head = (self.differences, self.headline, self.waiting)
        self.body = Columns(self.theme, parts, narrow=_NARROW, low=(_LIST, 0), head=head)
        self.box.addWidget(self.body, 1)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self, self.put_in_report)
        QShortcut(QKeySequence("Alt+Left"), self, self.closed.emit)
        tab_through((self.b, self.back, self.put, self.list, self.all, self.other, self.models, self.trend, self.table))
        tab_through((self.table, self.side_by_side.more, self.smallest))
        self.theme.changed.connect(self._dress)
        self._dress()

    def _list_card(self) -> Frame:
        """What may be otherwise, and how much the accuracy would change."""
        for view in (self.list, self.trend):
            view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
            view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.horizontalHeader().hide()
        self.list.setItemDelegateForColumn(0, ChoiceCells(self.theme, self.list))
        self.list.setItemDelegateForColumn(1, ChangeCells(self.theme, self.list, self._is_known))
        self.list.setItemDelegateForColumn(2, VerdictCells(self.theme, self.list, self._verdict_of, worded=False))
        self._strong = StrongCells(self.theme, self.trend)
        self._quiet = NumberCells(self.theme, self.trend, lambda _row: "text")
        head = plain(across=True, gap=8, margins=(14, 4, 12, 0)).add(text(_("What if…"), "card"), self.changing)
        head.box.setStretch(1, 1)
        buttons = QWidget()
        flow = Flow(buttons, gap=8)
        for one in (self.other, self.models):
            flow.addWidget(one)
        words_ = text(_("Nothing is left out of your data here."), "small", "2", wrap=True)
        foot = plain(gap=6, margins=(12, 4, 12, 4)).add(self.all, buttons, words_)
        card = Frame("card", margins=(0, 6, 0, 4), gap=6).add(head, self.list, foot)
        card.box.addStretch(1)
        return card

    def _follow(self) -> None:
        job = self._job
        job.started.connect(self._on_started)
        job.stepped.connect(self._on_stepped)
        job.done.connect(self._on_done)
        job.cancelled.connect(self._on_cancelled)
        job.failed.connect(self._on_failed)
        self.session.document.changed.connect(self._on_changed)
        self.session.naming.changed.connect(self._show)
        self.list.clicked.connect(self._on_row)
        self.list.activated.connect(self._on_row)
        self.list.selectionModel().currentRowChanged.connect(self._on_current)
        self.side_by_side.said.connect(self._on_smallest)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.model_menu.aboutToShow.connect(self._fill_models)

    # What is asked ------------------------------------------------------------------------------------------------

    def open_list(self) -> None:
        """Show what may be asked; what was asked before stays."""
        self.error.hide()
        self._list()
        self._show()
        self.list.setFocus()

    @Slot(object)
    def ask(self, question: Question) -> None:
        """Show what would be if this were otherwise; it is worked out unless it is known."""
        self.error.hide()
        self._list()
        if question not in self._rows:
            self._more.append(question)
            self._list()
        self._question = question
        self._queue = []
        if question not in self._known:
            self._begin(question)
        self._show()
        self.list.setFocus()

    def compare(self, paths: Sequence[str]) -> None:
        """Set other files beside this one: one against it, several as rounds in the order of their names."""
        self.ask(rounds_of(self.session.document.project, paths))

    def choose_files(self) -> None:
        """Ask for other files."""
        title = _("Compare with another file or project")
        if paths := dialogs.files_to_open(self, title, dialogs.KINDS):
            self.compare(paths)

    def work_all(self) -> None:
        """Work out every row of the list that needs no other file, one after the other."""
        self._queue = [
            one for one in self._rows if not isinstance(one, str) and one not in self._known and one != self._running
        ]
        if not self._job.running:
            self._go_on()
        self._show()

    def cancel(self) -> None:
        """Stop what is worked out, and what would come after it."""
        self._queue = []
        self.list.setFocus()  # the button goes, and the keyboard would fall to the next one
        self._job.cancel()

    def _go_on(self) -> None:
        """Work out the next of several."""
        if self._queue:
            self._begin(self._queue.pop(0))

    def _begin(self, question: Question) -> None:
        self._job.cancel()
        self._running = question
        self._job.start(self._run(question))

    def _run(self, question: Question) -> Run[Outcome]:
        document = self.session.document
        if isinstance(question, OtherFiles):
            project, analysis = document.project, document.analysis
            source = project.reading.source.name if project.reading is not None else ""
            name = file_label(source) if source and len(question.paths) > 1 else THIS
            return follow(project, analysis, question.paths, self._this, name=name, place=question.place)
        return vary(document.project, document.analysis, question, self._this)

    # What is listed -----------------------------------------------------------------------------------------------

    def _list(self) -> None:
        """What may be asked of the project as it stands; what was worked out about another is forgotten."""
        document = self.session.document
        analysis = document.analysis
        fit = None if analysis is None else analysis.fit
        about = (None if document.empty else document.project.data_fingerprint, fit)
        if about != self._about:
            self._queue = []
            self._job.cancel()
            self._about, self._this, self._question, self._known = about, None, None, {}
            self._more = [one for one in self._more if isinstance(one, OtherFiles)]
        self._rows = []
        if document.empty:
            return
        for group in choices(document.project, analysis, self._more):
            self._rows += [group.title, *group.questions]

    def _fill(self) -> None:
        """The list, each row with its change of the accuracy where that is known."""
        project = self.session.document.project
        with self._speaking():
            rows = [
                (one, "", "") if isinstance(one, str) else (say(row_words(one, project)), *self._change(one))
                for one in self._rows
            ]
        analysis = self.session.document.analysis
        awarded = analysis is not None and analysis.question == "awards"
        self.changing.setText(_("awards that change") if awarded else _("change of the accuracy"))
        heads = (_("What if"), _("change"), "")
        tinted = [i for i, one in enumerate(self._rows) if isinstance(one, str)]
        at = self._question if self._question in self._rows else self._current()
        self._filling = True
        self.list.clearSpans()
        self.list.rows.show_rows(heads, rows, tinted=tinted)
        for row in tinted:
            self.list.setSpan(row, 0, 1, len(heads))
        self.list.fill()
        if at in self._rows:
            self.list.selectRow(self._rows.index(at))
        elif len(self._rows) > 1:
            # The keyboard stands on the first that can be chosen; nothing is asked by that.
            self.list.setCurrentIndex(self.list.rows.index(1, 0))
        self._filling = False
        self.list.fit(0 if self.body.side_by_side else _ROWS)
        self.all.setVisible(any(not isinstance(one, str) and one not in self._known for one in self._rows))

    def _current(self) -> Row:
        """What the keyboard stands on in the list; empty where there is nothing."""
        at = self.list.currentIndex().row()
        return self._rows[at] if 0 <= at < len(self._rows) else ""

    def _change(self, one: Question) -> tuple[str, str]:
        done = self._known.get(one)
        if done is None:
            waits = _("Working…") if one == self._running and self._job.running else _("Work it out")
            return (_("Waits") if one in self._queue else waits), ""
        if done.on_screen.award_moves is not None:
            return changed_share(done.on_screen.award_moves), ""
        found = done.on_screen.contrast("a")
        if found is None:
            return _("Done"), ""
        shown = words.with_interval(words.signed(found.difference), words.signed_interval(found.difference))
        return shown, words.verdict_words(found, self._smallest)

    def _is_known(self, row: int) -> bool:
        one = self._rows[row] if row < len(self._rows) else ""
        return not isinstance(one, str) and one in self._known

    def _verdict_of(self, row: int) -> words.Verdict | None:
        """The verdict about the accuracy in a row of the list."""
        one = self._rows[row] if row < len(self._rows) else ""
        done = None if isinstance(one, str) else self._known.get(one)
        awarded = done is not None and done.on_screen.award_moves is not None
        found = None if done is None or awarded else done.on_screen.contrast("a")
        return None if found is None else words.verdict(found, self._smallest)

    @Slot()
    def _fill_menu(self) -> None:
        """What may stand as B: every row of the list."""
        self.menu.clear()
        project = self.session.document.project
        with self._speaking():
            for one in self._rows:
                if isinstance(one, str):
                    self.menu.addSection(one)
                    continue
                row = self.menu.addAction(say(row_words(one, project)).replace("&", "&&"))
                row.triggered.connect(lambda _on=False, one=one: self.ask(one))

    @Slot()
    def _fill_models(self) -> None:
        """Every other model; one that cannot be asked of these ratings is there and says why."""
        self.model_menu.clear()
        self.model_menu.setToolTipsVisible(True)
        document = self.session.document
        if document.empty or document.analysis is None:
            return
        for question, model, refusal in other_models(document.project, document.analysis):
            row = self.model_menu.addAction(say(question.words))
            row.setEnabled(not refusal)
            row.setToolTip(say(refusal) or say(model.about))
            row.triggered.connect(lambda _on=False, one=question: self.ask(one))

    # What is shown ------------------------------------------------------------------------------------------------

    def _speaking(self) -> AbstractContextManager[None]:
        """People are called as the window calls them."""
        return speaking(replace(voice(), naming=self.session.naming.names))

    @property
    def _smallest(self) -> float | None:
        """The smallest change that matters."""
        document = self.session.document
        return None if document.empty else kept.smallest_change(document.project)

    @property
    def pair(self) -> words.WhatIf | None:
        """The analyses that are shown; None while there is nothing."""
        done = None if self._question is None else self._known.get(self._question)
        return None if done is None else replace(done.on_screen, smallest=self._smallest)

    @Slot()
    def _show(self) -> None:
        """Show what is asked, or how far it is."""
        self.side_by_side.show_smallest(self._smallest)
        self._fill()
        pair, running = self.pair, self._job.running
        self.waiting.setVisible(running)
        self.hint.setVisible(pair is None and not running)
        for widget in (self.headline, self.side_by_side, self.cards, self.how, self.mark, self.state):
            widget.setVisible(pair is not None)
        for chip in (self.a, self.against, self.b):
            chip.setVisible(self._question is not None)
        self.rounds.setVisible(pair is not None and bool(pair.rounds))
        self.differences.setVisible(pair is not None and bool(pair.otherwise))
        self.put.setEnabled(pair is not None)
        with self._speaking():
            if self._question is not None:
                self.a.show_value(say(THIS if pair is None else pair.a))
                self.b.show_value(say(self._question.words if pair is None else pair.b))
            if pair is not None:
                self._show_pair(in_voice(pair))
        printed = pair is not None and kept.is_kept(self.session.document.project, self._printed(pair))
        self.put.setText(_("Take it out of the report") if printed else _("Put it in the report"))
        fresh = _("All up to date") if pair is not None and pair.rounds else _("Both up to date")
        self.state.setText(_("Stands in the full report") if printed else fresh)

    def _show_pair(self, pair: words.WhatIf) -> None:
        """The sentence, the tables and what must be known beside them."""
        self.headline.say(*words.headline(pair), warn=False)
        self.otherwise.setText("\n".join(pair.otherwise))
        self.changes.setText(" ".join(map(say, changes := case_sentences(pair))))
        self.changes_card.setVisible(bool(changes))
        # Where who wins was asked the awards that change are the answer, the numbers of the model explain it.
        first = self.cards if pair.award_moves is not None else self.side_by_side
        self.right.box.insertWidget(self.right.box.indexOf(self.hint) + 1, first)
        self.caveat.setText(say(words.caveat(pair)))
        remarks = list(map(say, words.remarks(pair)))
        self.remarks.setText("\n".join(remarks))
        self.how.setVisible(bool(remarks))
        if pair.rounds:
            panels = [panel for picture in kept.trend_pictures(pair, SCREEN) for panel in picture.panels]
            self.picture.setVisible(bool(panels))
            if panels:
                self.picture.show_picture(panels, panels[0].height, 1)
            shown = words.trend_table(pair)
            self.trend.setItemDelegateForColumn(0, self._strong)
            for column in range(1, len(shown.columns)):
                last = column == len(shown.columns) - 1
                self.trend.setItemDelegateForColumn(column, self.trend.itemDelegate() if last else self._quiet)
            show_table(self.trend, shown, shown.rows)
            self.trend.fit()
        self._show_table(pair)

    def _show_table(self, pair: words.WhatIf) -> None:
        """Both answers and their differences, with what there is room for."""
        beside = self.theme.px(_SIDE) + 14 if self.body.side_by_side else 0
        self.side_by_side.show_pair(pair, self.body.viewport().width() - beside - 4)

    @Slot(object)
    def _on_smallest(self, value: float | None) -> None:
        """Remember with the project how much matters; that can be taken back."""
        document = self.session.document
        if document.empty or value == kept.smallest_change(document.project):
            return
        shown = _("not said") if value is None else f"{value:g}"
        title = _("Smallest change that matters: {value}").format(value=shown)
        document.do(title, kept.with_smallest_change(document.project, value))
        self._show()

    def _printed(self, pair: words.WhatIf) -> words.WhatIf:
        """What a report prints of it."""
        done = None if self._question is None else self._known.get(self._question)
        return pair if done is None else replace(done.on_paper, smallest=pair.smallest)

    def put_in_report(self) -> None:
        """Put what is shown into the report, or take it out; that can be taken back."""
        pair = self.pair
        if pair is None:
            return
        document, printed = self.session.document, self._printed(pair)
        there = kept.is_kept(document.project, printed)
        title = _("Leave out of the report: what if") if there else _("Put in the report: what if")
        document.do(title, kept.with_kept(document.project, printed, kept=not there))
        self._show()

    def _say_caveat(self) -> None:
        pair = self.pair
        if pair is not None:
            with self._speaking():
                dialogs.inform(self, _("What this does not say"), say(words.caveat(in_voice(pair))))

    @Slot()
    def _dress(self) -> None:
        """Rows and heads grow with the text."""
        self.side_by_side.dress()
        for view, row, head in ((self.list, 36, 0), (self.trend, 30, 30)):
            view.verticalHeader().setDefaultSectionSize(self.theme.px(row))
            if head:
                view.horizontalHeader().setFixedHeight(self.theme.px(head))
        self._arrange()
        if self.pair is not None:
            self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The cards go below each other, and what there is no room for in the table goes."""
        super().resizeEvent(event)
        self._arrange()
        pair = self.pair
        if pair is not None:
            with self._speaking():
                self._show_table(in_voice(pair))

    def _arrange(self) -> None:
        """Cards and buttons beside each other where there is room."""
        wide = self.body.side_by_side or self.width() >= self.theme.px(760)
        way = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        self.cards.box.setDirection(way)
        self.list.fit(0 if self.body.side_by_side else _ROWS)
        room = self.width() >= self.theme.px(_NARROW)
        self.ways.box.setDirection(QBoxLayout.Direction.LeftToRight if room else QBoxLayout.Direction.TopToBottom)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return in the list asks."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.list.hasFocus():
            self._on_row()
            return
        super().keyPressEvent(event)

    # What happens meanwhile ---------------------------------------------------------------------------------------

    @Slot()
    def _on_row(self) -> None:
        one = self._current()
        if not isinstance(one, str) and (one != self._question or (one not in self._known and one != self._running)):
            self.ask(one)

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, index: QModelIndex, _before: QModelIndex) -> None:
        """A row that is known is shown as soon as the keyboard is on it."""
        one = self._rows[index.row()] if 0 <= index.row() < len(self._rows) and not self._filling else ""
        if not isinstance(one, str) and one in self._known and one != self._question:
            self._question = one
            self._show()

    @Slot()
    def _on_changed(self) -> None:
        if self.isVisible() or self._job.running:
            self._list()
            self._show()

    @Slot()
    def _on_started(self) -> None:
        self.bar.setRange(0, 0)
        self.progress.setText(_("Working out the second analysis"))
        self._show()

    @Slot(tuple)
    def _on_stepped(self, steps: Sequence[Step]) -> None:
        last = steps[-1]
        if last.phase == "re-draws" and last.total > 1:
            self.bar.setRange(0, last.total)
            self.bar.setValue(last.done)
            self.progress.setText(_("{done:,} of {total:,} resamples").format(done=last.done, total=last.total))

    @Slot(object)
    def _on_done(self, done: Outcome) -> None:
        answered = self._running is not None and self._running == self._question
        if self._running is not None:
            self._this = done.this
            self._known[self._running] = done
        self._running = None
        if answered:
            # The answer stands above the list, which may be longer than the screen.
            self.body.verticalScrollBar().setValue(0)
        self._go_on()
        self._show()

    @Slot()
    def _on_cancelled(self) -> None:
        if not self._job.running:
            self._running = None
        self._show()

    @Slot(BaseException)
    def _on_failed(self, error: BaseException) -> None:
        failed, self._running = self._running, None
        if not isinstance(error, TapdeskError):
            self.session.bug.emit(error)
        elif failed == self._question or failed is None:
            self._question = None
            self.error.show_error(error)
        self._more = [one for one in self._more if one != failed]
        self._list()
        self._go_on()
        self._show()


_HINT = _(
    "Choose what is to be otherwise: a second analysis is worked out and stands here beside yours, with the difference "
    "of every number and whether it is more than chance."
)


def _inset(label: QLabel) -> Frame:
    """A label as far from the edge as the title of a card."""
    return plain(margins=(14, 0, 14, 0)).add(label)


def _card(title: str, words_: QLabel) -> Frame:
    """A card of words."""
    card = Frame("card", margins=(14, 10, 14, 10), gap=4).add(text(title, "card"), words_)
    card.box.addStretch(1)
    return card
