"""The analyses of a project: choosing one, one more, another name, side by side."""

from dataclasses import replace

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from tapdesk.gui import dialogs
from tapdesk.gui.desk import Desk
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.running import several, switching
from tapdesk.gui.widgets.basic import Choice, Frame, button, plain, text
from tapdesk.gui.widgets.clipboard import put_table
from tapdesk.gui.widgets.flow import Flow
from tapdesk.gui.widgets.tables import Table
from tapdesk.gui.widgets.window_size import WindowSize
from tapdesk.language import gettext as _


class Switch(Choice):
    """The analyses of the project as a list; choosing one shows its choices and its results."""

    def __init__(self, theme: Theme, desk: Desk, width: int = 230) -> None:
        super().__init__(theme, _("Analysis"), (), width)
        self._desk = desk
        self._rows: list[tuple[str, str]] = []
        self.activated.connect(self._on_chosen)
        desk.document.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the analyses as they are."""
        document = self._desk.document
        rows = [(f"{several.short(a)} ({several.state(a)})", a.name) for a in document.project.analyses]
        if rows != self._rows:
            self._rows = rows
            self.blockSignals(True)
            self.clear()
            for words, name in rows:
                self.addItem(words, name)
            self.blockSignals(False)
        self.setVisible(len(rows) > 1)
        if document.analysis is not None:
            self.choose(document.analysis.name)
        self.setToolTip(self.currentText())

    @Slot()
    def _on_chosen(self) -> None:
        switching.look_at(self._desk, self.currentData())


class Analyses(Frame):
    """The card of the Model pane about several analyses; hidden before the first run."""

    def __init__(self, theme: Theme, desk: Desk) -> None:
        super().__init__("card", margins=(14, 10, 14, 10), gap=6)
        self._theme, self._desk = theme, desk
        self.setAccessibleName(_("Several analyses"))
        self.switch = Switch(theme, desk, 226)
        self.switch.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.one = text("", "small", "2", wrap=True)
        self.duplicate = button(_("Duplicate"), self._duplicate, kind="link")
        self.rename = button(_("Rename…"), self._rename, kind="link")
        self.remove = button(_("Remove…"), self._remove, kind="link")
        self.compare = button(_("Compare"), self._compare, kind="link")
        acts = QWidget()
        flow = Flow(acts, gap=12)
        for act in (self.duplicate, self.rename, self.remove, self.compare):
            flow.addWidget(act)
        self.add(text(_("Several analyses"), "card"), self.one, self.switch, acts)
        self.page: Comparison | None = None
        desk.document.changed.connect(self.refresh)
        desk.planned.connect(self.refresh)
        desk.calling.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what can be done."""
        document = self._desk.document
        analyses = document.project.analyses
        self.setVisible(bool(analyses))
        if document.analysis is None:
            return
        self.one.setText(several.short(document.analysis))
        self.one.setVisible(len(analyses) == 1)
        self.duplicate.setEnabled(self._desk.ready and not self._desk.refused)
        # What is running belongs to its name until it has ended.
        free = document.analysis.name != self._desk.running_name
        self.rename.setEnabled(free)
        self.remove.setEnabled(free)
        self.compare.setEnabled(sum(a.fit is not None for a in analyses) > 1)
        if self.page is not None and self.page.isVisible():
            self.page.compare(self._desk)

    def _duplicate(self) -> None:
        switching.duplicate(self._desk)

    def _rename(self) -> None:
        analysis = self._desk.document.analysis
        if analysis is None:
            return
        asked = _("What tells this analysis from the others? It is printed behind the question.")
        label = dialogs.line_of_text(self, _("Rename"), asked, analysis.label)
        reason = "" if label is None else switching.rename(self._desk, label)
        if reason:
            dialogs.inform(self, _("Rename"), reason)

    def _remove(self) -> None:
        analysis = self._desk.document.analysis
        if analysis is None:
            return
        words = _("Remove “{name}” with its answer? This cannot be undone.").format(name=several.short(analysis))
        if analysis.fit is None or dialogs.agree(self, _("Remove an analysis"), words):
            switching.remove(self._desk)

    def _compare(self) -> None:
        if self.page is None:
            self.page = Comparison(self._theme, self)
        # Shown first: before that the letters, and so the widths of the columns, are others.
        self.page.show()
        self.page.compare(self._desk)


class Comparison(QDialog):
    """Every analysis with an answer as a column of one table."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Analyses side by side"))
        WindowSize(self, theme, 860, 560)
        self.table = Table(theme, _("Analyses side by side"), grid=False)
        self.note = text("", "small", "2", wrap=True)
        foot = plain(across=True, gap=8).add(self.note)
        foot.box.setStretch(0, 1)
        foot.add(
            button(_("Copy"), self.copy, name=_("Copy the comparison")),
            button(_("Close"), self.hide, name=_("Close the comparison")),
        )
        box = QVBoxLayout(self)
        box.addWidget(text(_("Analyses side by side"), "card"))
        box.addWidget(self.table, 1)
        box.addWidget(foot)

    def compare(self, desk: Desk) -> None:
        """Show the analyses of a project."""
        called = [
            a if a.fit is None else replace(a, fit=desk.calling.fit(a.fit)) for a in desk.document.project.analyses
        ]
        header, rows, note = several.side_by_side(called)
        self.table.rows.show_rows(header, rows)
        self.table.fill()
        self.note.setText(note)

    def copy(self) -> None:
        """Put the table on the clipboard as a spreadsheet takes it."""
        put_table(self.table.rows.header, self.table.rows.rows)
