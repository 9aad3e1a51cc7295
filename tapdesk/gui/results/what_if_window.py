"""What if: the analysis that is looked at beside the same one with something otherwise, or beside another file.

Nothing of the project is changed by looking; what is put into the report can be taken back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QDialog, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tapdesk.answers import what_if as words
from tapdesk.answers.what_if_runs import THIS, WorkedOut, set_beside, vary
from tapdesk.errors import TapdeskError
from tapdesk.gui.results.change_cells import dress_changes
from tapdesk.gui.results.part_blocks import show_table
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Bar, Choice, Frame, button, plain, scroll_area, text
from tapdesk.gui.widgets.layouts import WindowSize
from tapdesk.gui.widgets.messages import ErrorCard, Headline
from tapdesk.gui.widgets.tables import TableView
from tapdesk.language import gettext as _
from tapdesk.language import in_voice, say, speaking, voice
from tapdesk.models.model import Accuracy
from tapdesk.progress import Run, Step
from tapdesk.project.project import Analysis, Project
from tapdesk.project.what_if import (
    MergedClasses,
    Variation,
    WithModel,
    WithoutDecision,
    WithoutGroup,
    WithoutRaters,
)
from tapdesk.studies.subsets import GAP, groups
from tapdesk.studies.what_if import Side

SMALLEST = (0.01, 0.02, 0.05, 0.1, 0.2)
_ACROSS, _LIST, _NARROWEST = 1_000, 210, 330
# With or without the picture, and the columns that are hidden, until all fit: where the list stands above, the picture
# goes first.
_BESIDE = ((True, ()), (True, (2, 4)), (False, (2, 4)), (False, (2, 4, 6)))
_BELOW = ((True, ()), (False, ()), (False, (2, 4)), (False, (2, 4, 6)))
_MOST_RATERS, _MOST_GROUPS, _MOST_CLASSES = 60, 8, 6


@dataclass(frozen=True, slots=True)
class AnotherFile:
    """Another file, read and decided as this one."""

    path: str

    @property
    def words(self) -> str:
        """What it is called."""
        return Path(self.path).name


Asked = Variation | AnotherFile


def variations(project: Project, analysis: Analysis | None) -> tuple[Variation, ...]:
    """What may be asked of a project: without each rater, each group, with classes merged, another model, a decision.

    Parameters
    ----------
    project
        The work.
    analysis
        The one that is looked at.
    """
    ratings = project.ratings
    rows: list[Variation] = []
    if ratings.raters_known and 2 < len(ratings.raters) <= _MOST_RATERS:
        rows += [WithoutRaters((name,)) for name in ratings.raters]
    for column in ratings.covariates.values():
        if column.name == ratings.known:
            continue
        try:
            found = groups(ratings, column.name, _MOST_GROUPS)
        except TapdeskError:
            continue
        if len(found) > 1:
            rows += [WithoutGroup(column.name, group.value) for group in found if group.value != GAP]
    classes = project.all_classes.classes
    if project.class1 is None and 2 < len(classes) <= _MOST_CLASSES:
        rows += [MergedClasses(pair) for pair in pairwise(classes)]
    if analysis is not None and ratings.raters_known and len(ratings.raters) > 2:
        each = analysis.request.model.accuracy is Accuracy.PER_RATER
        rows.append(WithModel("t-a-p" if each else "t-aj-pj"))
    rows += [WithoutDecision(row.id) for row in project.log if row.standing.name == "IN_FORCE"]
    return tuple(rows)


class WhatIfWindow(QDialog):
    """A list of what may be otherwise, and beside it both answers with their differences.

    Attributes
    ----------
    to_model
        Emitted where there is no answer yet, and the user wants one.
    """

    to_model = Signal()

    def __init__(self, theme: Theme, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._session, self._job = theme, session, session.what_if_job
        self.setWindowTitle(_("What if"))
        WindowSize(self, theme, 1440, 840)
        self._known: dict[Asked, WorkedOut] = {}
        self._rows: list[Asked] = []
        self._asked: Asked | None = None
        self._first: Side | None = None
        self._about: object = None
        self.pair = text("", "strong", wrap=True)
        self.put = button(_("Put it in the report"), self.put_in_report, kind="primary")
        self.back = button(_("Back to the results"), self.close, name=_("Close what if"))
        self.headline = Headline(self._not_said)
        self.error = ErrorCard(theme)
        self.list = TableView(theme, _("What may be otherwise"), grid=False)
        self.list.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table = TableView(theme, _("Side by side"), grid=False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.other = button(_("Compare with another file…"), self.choose_file, small=True)
        options = ((_("not said"), None), *((f"{value:g}", value) for value in SMALLEST))
        self.smallest = Choice(theme, _("The smallest change that matters"), options, 90)
        self.remarks = text("", "small", "2", wrap=True)
        self.otherwise = text("", "small", "", wrap=True)
        self.waiting = self._waiting()
        self._assemble()
        self.list.clicked.connect(self._on_row)
        self.list.activated.connect(self._on_row)
        self.smallest.activated.connect(self._show)
        self._follow()

    def _waiting(self) -> Frame:
        """How far the computation is, and the way to stop it."""
        self.progress, self.bar = text("", "body", "2"), Bar(self._theme, _("How far the resamples are"))
        self.stop = button(_("Cancel"), self._job.cancel, small=True, name=_("Stop what if"))
        made = plain(across=True, gap=10).add(self.progress, self.bar, self.stop)
        made.box.setStretch(1, 1)
        made.hide()
        return made

    def _assemble(self) -> None:
        head = plain(across=True, gap=10).add(text(_("What if"), "title"), self.pair, self.back, self.put)
        head.box.setStretch(1, 1)
        left = Frame("card", margins=(0, 8, 0, 8)).add(self.list)
        foot = plain(margins=(10, 0, 10, 0)).add(self.other)
        left.add(foot)
        matters = plain(across=True, gap=8, margins=(12, 0, 12, 0)).add(
            text(_("Less than"), "small", "2"), self.smallest, text(_("makes no difference to us."), "small", "2")
        )
        matters.box.addStretch(1)
        right = Frame("card", margins=(0, 8, 0, 10)).add(self.table, matters)
        right.box.setStretch(0, 1)
        self.left, self.right = left, right
        self.body = QHBoxLayout()
        self.body.setSpacing(12)
        self.body.addWidget(left, 2)
        self.body.addWidget(right, 7)
        self.notes = plain(gap=6).add(self.otherwise, self.remarks)
        inside = plain(gap=12).add(self.error, self.headline, self.waiting)
        inside.box.addLayout(self.body, 1)
        inside.add(self.notes)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 14)
        box.setSpacing(12)
        box.addWidget(head)
        box.addWidget(scroll_area(inside), 1)
        for lasting in (head, self.waiting):
            lasting.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._theme.changed.connect(self._dress)
        self._dress()
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self, self.put_in_report)
        for one, other in ((self.list, self.other), (self.other, self.table), (self.table, self.smallest)):
            QWidget.setTabOrder(one, other)
        QWidget.setTabOrder(self.smallest, self.back)
        QWidget.setTabOrder(self.back, self.put)

    def _follow(self) -> None:
        job = self._job
        job.started.connect(self._on_started)
        job.stepped.connect(self._on_stepped)
        job.done.connect(self._on_done)
        job.cancelled.connect(self._on_ended)
        job.failed.connect(self._on_failed)
        self._session.document.changed.connect(self._on_changed)
        self._session.naming.changed.connect(self._show)

    # What is asked ------------------------------------------------------------------------------------------------

    def open_list(self) -> None:
        """Show what may be asked; what was asked before stays."""
        self._list()
        self.show()
        self.raise_()
        self.activateWindow()
        self.list.setFocus()
        self._show()

    @Slot(object)
    def ask(self, asked: Asked) -> None:
        """Show what would be if this were otherwise; it is worked out unless it is known."""
        self.open_list()
        if asked not in self._rows:
            self._rows.append(asked)
            self._fill()
        self._asked = asked
        self.list.selectRow(self._rows.index(asked))
        self.error.hide()
        self._job.cancel()
        if asked not in self._known:
            self._job.start(self._run(asked))
        self._show()

    def compare(self, path: str) -> None:
        """Set another file beside this one."""
        self.ask(AnotherFile(path))

    def choose_file(self) -> None:
        """Ask for the other file."""
        if path := dialogs.file_to_open(self, _("Compare with another file or project"), dialogs.KINDS):
            self.compare(path)

    def _run(self, asked: Asked) -> Run[WorkedOut]:
        document = self._session.document
        if isinstance(asked, AnotherFile):
            return set_beside(document.project, document.analysis, asked.path, self._first)
        return vary(document.project, document.analysis, asked, self._first)

    def _list(self) -> None:
        """What may be asked of the project as it stands; what was worked out about another is forgotten."""
        document = self._session.document
        analysis = document.analysis
        fit = None if analysis is None else analysis.fit
        about = (None if document.empty else document.project.data_fingerprint, fit)
        if about != self._about:
            self._job.cancel()
            self._about, self._first, self._asked = about, None, None
            self._known = {}
            kept = [one for one in self._rows if isinstance(one, AnotherFile)]
            self._rows = [*(() if document.empty else variations(document.project, analysis)), *kept]
        self._fill()

    def _fill(self) -> None:
        """The list, each row with its change of the accuracy where that is known."""
        heads = (_("What if"), _("accuracy"), _("more than chance?"))
        with speaking(replace(voice(), naming=self._session.naming.names)):
            rows = [(say(one.words), *self._change(one)) for one in self._rows]
        self.list.rows.show_rows(heads, rows)
        self.list.fill()

    def _change(self, one: Asked) -> tuple[str, str]:
        done = self._known.get(one)
        found = None if done is None else done.told.contrast("a")
        if found is None:
            return ("", _("Work it out")) if done is None else ("", "")
        return words.signed(found.difference), words.verdict_words(found, self.smallest.currentData())

    # What is shown ------------------------------------------------------------------------------------------------

    @property
    def told(self) -> words.WhatIf | None:
        """The two that are shown; None while there is nothing."""
        done = None if self._asked is None else self._known.get(self._asked)
        return None if done is None else replace(done.told, smallest=self.smallest.currentData())

    @Slot()
    def _show(self) -> None:
        """Show what is asked, or how far it is."""
        told = self.told
        running = self._job.running
        self.waiting.setVisible(running)
        for widget in (self.headline, self.right, self.notes):
            widget.setVisible(told is not None)
        self.put.setEnabled(told is not None)
        self._fill_keeping_place()
        with speaking(replace(voice(), naming=self._session.naming.names)):
            other = "" if self._asked is None else say(self._asked.words)
            self.pair.setText(_("A “{a}” against B “{b}”").format(a=say(THIS), b=other) if other else "")
            if told is None:
                return
            shown = in_voice(words.table(told))
            told = in_voice(told)
            self.headline.say(*words.headline(told), warn=False)
            self.otherwise.setText("\n".join(told.otherwise))
            self.remarks.setText("\n".join(map(say, (*words.remarks(told), words.NOT_SAID))))
        self.otherwise.setVisible(bool(told.otherwise))
        self.table.setAccessibleName(shown.title)
        show_table(self.table, shown, shown.rows)
        self._spare()
        kept = words.is_kept(self._session.document.project, self._printed(told))
        self.put.setText(_("Take it out of the report") if kept else _("Put it in the report"))

    def _fill_keeping_place(self) -> None:
        self._fill()
        if self._asked in self._rows:
            self.list.selectRow(self._rows.index(self._asked))

    def _printed(self, told: words.WhatIf) -> words.WhatIf:
        """What a report prints of it."""
        done = None if self._asked is None else self._known.get(self._asked)
        return told if done is None else replace(done.printed, smallest=told.smallest)

    def put_in_report(self) -> None:
        """Put what is shown into the report, or take it out; that can be taken back."""
        told = self.told
        if told is None:
            return
        document, printed = self._session.document, self._printed(told)
        kept = words.is_kept(document.project, printed)
        title = _("Leave out of the report: what if") if kept else _("Put in the report: what if")
        document.do(title, words.with_kept(document.project, printed, kept=not kept))
        self._show()

    @Slot()
    def _dress(self) -> None:
        """As many rows as must be seen at once; beyond these the page scrolls."""
        self.list.setMinimumHeight(self._theme.px(26 * 5))
        self.table.setMinimumHeight(self._theme.px(26 * 9))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The list goes above where there is no room beside."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        across = self.width() >= self._theme.px(_ACROSS)
        way = QHBoxLayout.Direction.LeftToRight if across else QHBoxLayout.Direction.TopToBottom
        self.body.setDirection(way)
        self.left.setMaximumHeight(16_777_215 if across else self._theme.px(_LIST))
        self.left.setMinimumWidth(self._theme.px(_NARROWEST) if across else 0)
        self._spare()

    def _spare(self) -> None:
        """Leave out what there is no room for; the difference and the verdict stay."""
        told = self.told
        if told is None or not self.table.rows.columnCount():
            return
        # The room of the card, not of the table: that of a table which has just been filled is another one.
        room = self.right.width() - self._theme.px(20)
        rows = words.ordered(told.contrasts, told.smallest)
        across = self.body.direction() is QHBoxLayout.Direction.LeftToRight
        for pictured, hidden in _BESIDE if across else _BELOW:
            for column in range(self.table.rows.columnCount()):
                self.table.setColumnHidden(column, column in hidden)
            dress_changes(self._theme, self.table, rows if pictured else (), told.smallest)
            if self.table.needed <= room:
                break

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return in the list asks; it closes nothing."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.list.hasFocus():
            self._on_row()
            return
        super().keyPressEvent(event)

    def _not_said(self) -> None:
        dialogs.inform(self, _("What this does not say"), say(words.NOT_SAID))

    # What happens meanwhile ---------------------------------------------------------------------------------------

    @Slot()
    def _on_row(self) -> None:
        at = self.list.currentIndex().row()
        if 0 <= at < len(self._rows):
            self.ask(self._rows[at])

    @Slot()
    def _on_changed(self) -> None:
        if self.isVisible():
            self._list()
            self._show()

    @Slot()
    def _on_started(self) -> None:
        self.bar.setRange(0, 0)
        self.progress.setText(_("Working out the second analysis"))

    @Slot(tuple)
    def _on_stepped(self, steps: Sequence[Step]) -> None:
        last = steps[-1]
        if last.phase == "re-draws" and last.total > 1:
            self.bar.setRange(0, last.total)
            self.bar.setValue(last.done)
            sentence = _("{done:,} of {total:,} resamples").format(done=last.done, total=last.total)
            self.progress.setText(sentence)

    @Slot(object)
    def _on_done(self, done: WorkedOut) -> None:
        if self._asked is not None:
            self._first = done.first
            self._known[self._asked] = done
        self._show()

    @Slot()
    def _on_ended(self) -> None:
        self._show()

    @Slot(BaseException)
    def _on_failed(self, error: BaseException) -> None:
        self._show()
        if isinstance(error, TapdeskError):
            self.error.show_error(error)
        else:
            self._session.bug.emit(error)

    def closeEvent(self, event: object) -> None:
        """Stop what is worked out for nobody."""
        del event
        self._job.cancel()
