"""The analyses of a project: choosing one, one more, another name, side by side."""

from dataclasses import replace

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from tapdesk.gui.runs import analysis_comparison
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.opening import plan_of
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Choice, Frame, button, plain, text
from tapdesk.gui.widgets.layouts import Flow, WindowSize
from tapdesk.gui.widgets.tables import TableView, put_table
from tapdesk.language import gettext as _
from tapdesk.project.project import Analysis


def look_at(session: Session, name: str) -> None:
    """Look at another analysis: its choices and its results."""
    wanted = next((a for a in session.document.project.analyses if a.name == name), None)
    if wanted is not None:
        session.plan = plan_of(wanted)
        session.document.look_at(name)


def duplicate(session: Session) -> None:
    """Add an analysis with the choices as they stand, to be changed and run beside the first."""
    if session.plan.named.unreadable:
        return
    analyses = session.document.project.analyses
    label = analysis_comparison.another(session.plan, analyses)
    new = Analysis(label, session.effective.request(), question=session.plan.question.key)
    session.plan = replace(session.plan, label=label)
    session.document.set_analyses((*analyses, new), new.name)


def rename(session: Session, label: str) -> str:
    """Give the analysis that is looked at another label; the reason where that cannot be, else nothing."""
    analysis, analyses = session.document.analysis, session.document.project.analyses
    if analysis is None:
        return ""
    new, reason = analysis_comparison.relabel(analysis, label, analyses)
    if not reason and new.name != analysis.name:
        if session.plan.name == analysis.name:
            session.plan = replace(session.plan, label=new.label)
        session.document.set_analyses(tuple(new if a is analysis else a for a in analyses), new.name)
    return reason


def remove(session: Session) -> None:
    """Remove the analysis that is looked at, with its answer."""
    analysis = session.document.analysis
    left = tuple(a for a in session.document.project.analyses if a is not analysis)
    if left:
        session.plan = plan_of(left[-1])
    session.document.set_analyses(left, left[-1].name if left else "")


class AnalysisSwitch(Choice):
    """The analyses of the project as a list; choosing one shows its choices and its results."""

    def __init__(self, theme: Theme, session: Session, width: int = 230) -> None:
        super().__init__(theme, _("Analysis"), (), width)
        self._session = session
        self._rows: list[tuple[str, str]] = []
        self.activated.connect(self._on_chosen)
        session.document.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the analyses as they are."""
        document = self._session.document
        naming, state = analysis_comparison.short, analysis_comparison.state
        rows = [(f"{naming(a)} ({state(a)})", a.name) for a in document.project.analyses]
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
        look_at(self._session, self.currentData())


class AnalysesCard(Frame):
    """The card of the Model pane about several analyses; hidden before the first run."""

    def __init__(self, theme: Theme, session: Session) -> None:
        super().__init__("card", margins=(14, 10, 14, 10), gap=6)
        self._theme, self._session = theme, session
        self.setAccessibleName(_("Several analyses"))
        self.switch = AnalysisSwitch(theme, session, 226)
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
        self.page: ComparisonWindow | None = None
        session.document.changed.connect(self.refresh)
        session.planned.connect(self.refresh)
        session.naming.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what can be done."""
        document = self._session.document
        analyses = document.project.analyses
        self.setVisible(bool(analyses))
        if document.analysis is None:
            return
        self.one.setText(analysis_comparison.short(document.analysis))
        self.one.setVisible(len(analyses) == 1)
        self.duplicate.setEnabled(self._session.ready and not self._session.refused)
        # What is running belongs to its name until it has ended.
        free = document.analysis.name != self._session.running_name
        self.rename.setEnabled(free)
        self.remove.setEnabled(free)
        self.compare.setEnabled(sum(a.fit is not None for a in analyses) > 1)
        if self.page is not None and self.page.isVisible():
            self.page.compare(self._session)

    def _duplicate(self) -> None:
        duplicate(self._session)

    def _rename(self) -> None:
        analysis = self._session.document.analysis
        if analysis is None:
            return
        asked = _("What tells this analysis from the others? It is printed behind the question.")
        label = dialogs.line_of_text(self, _("Rename"), asked, analysis.label)
        reason = "" if label is None else rename(self._session, label)
        if reason:
            dialogs.inform(self, _("Rename"), reason)

    def _remove(self) -> None:
        analysis = self._session.document.analysis
        if analysis is None:
            return
        words = _("Remove “{name}” with its answer? This cannot be undone.").format(
            name=analysis_comparison.short(analysis)
        )
        if analysis.fit is None or dialogs.agree(self, _("Remove an analysis"), words):
            remove(self._session)

    def _compare(self) -> None:
        if self.page is None:
            self.page = ComparisonWindow(self._theme, self)
        # Shown first: before that the letters, and so the widths of the columns, are others.
        self.page.show()
        self.page.compare(self._session)


class ComparisonWindow(QDialog):
    """Every analysis with an answer as a column of one table."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Analyses side by side"))
        WindowSize(self, theme, 860, 560)
        self.table = TableView(theme, _("Analyses side by side"), grid=False)
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

    def compare(self, session: Session) -> None:
        """Show the analyses of a project."""
        called = [
            a if a.fit is None else replace(a, fit=session.naming.fit(a.fit)) for a in session.document.project.analyses
        ]
        header, rows, note = analysis_comparison.side_by_side(called)
        self.table.rows.show_rows(header, rows)
        self.table.fill()
        self.note.setText(note)

    def copy(self) -> None:
        """Put the table on the clipboard as a spreadsheet takes it."""
        put_table(self.table.rows.header, self.table.rows.rows)
