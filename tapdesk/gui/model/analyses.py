"""The analyses of a project: choosing one, one more, another name, side by side."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from tapdesk.answers import numbers
from tapdesk.answers.numbers import DASH
from tapdesk.answers.parameters import kind_of_interval
from tapdesk.fitting.fit import Fit
from tapdesk.gui.runs.plan import Plan
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.opening import plan_of
from tapdesk.gui.shell.session import Session
from tapdesk.gui.shell.status_texts import clock
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Choice, Frame, button, plain, text
from tapdesk.gui.widgets.layouts import Flow, WindowSize
from tapdesk.gui.widgets.tables import TableView, put_table
from tapdesk.language import gettext as _
from tapdesk.project.project import Analysis, name_of

LONGEST = 60


def another(plan: Plan, analyses: Sequence[Analysis]) -> str:
    """A label for one more analysis of the same question: that of the plan with the next free number behind it."""
    taken = {a.name for a in analyses} | {plan.name}
    number = 2
    while name_of(plan.question.key, label := f"{plan.shown_label} {number}".strip()) in taken:
        number += 1
    return label


def relabel(analysis: Analysis, label: str, analyses: Sequence[Analysis]) -> tuple[Analysis, str]:
    """The analysis with another label, and the reason where it cannot be had."""
    label = " ".join(label.split())
    if len(label) > LONGEST:
        return analysis, _("A label has at most {most} letters.").format(most=LONGEST)
    if not analysis.question and not label:
        return analysis, _("An analysis needs a name.")
    new = replace(analysis, label=label)
    if new.name != analysis.name and any(a.name == new.name for a in analyses):
        return analysis, _("Another analysis has this label: choose a different one.")
    return new, ""


def short(analysis: Analysis) -> str:
    """The name of an analysis for a list: the question cut short, the label whole."""
    if not analysis.question or not analysis.label:
        return numbers.short(analysis.name, LONGEST)
    # The label first: it is what tells the analyses of a list apart.
    return f"{analysis.label}: {numbers.short(name_of(analysis.question, ''), 40)}"


def state(analysis: Analysis) -> str:
    """How an analysis stands, in words."""
    if analysis.fit is None:
        return _("not run yet")
    return _("data changed after this run") if analysis.stale else _("run {when}").format(when=clock(analysis.run_at))


def side_by_side(analyses: Sequence[Analysis]) -> tuple[tuple[str, ...], list[tuple[str, ...]], str]:
    """Analyses with an answer as columns of a table, and what must be known to compare them.

    Returns
    -------
    tuple
        Header, rows, and a note.
    """
    done = [(a, a.fit) for a in analyses if a.fit is not None]
    same_data = len({a.made_on for a, _fit in done}) == 1
    rows: list[tuple[str, ...]] = [
        (_("Model"), *(f.model.name for _a, f in done)),
        (_("Method"), *(f.estimator for _a, f in done)),
        (_("Intervals"), *(kind_of_interval(*f.interval) for _a, f in done)),
        (_("Counted class"), *(_class1(f) for _a, f in done)),
        (_("{Subjects}, {ratings}"), *(f"{numbers.count(f.subjects)}, {numbers.count(f.ratings)}" for _a, f in done)),
    ]
    # What every model has first, the numbers of single raters and classes below.
    names = sorted(dict.fromkeys(str(e.name) for _a, f in done for e in f.estimates), key=lambda name: "[" in name)
    rows += [(name, *(_estimate_words(f, name) for _a, f in done)) for name in names]
    rows += [
        (_("Log-likelihood"), *(numbers.large(f.log_likelihood.ratings) for _a, f in done)),
        (_("Free numbers"), *(str(f.free) for _a, f in done)),
        (_("AIC"), *(_criterion(f, f.aic, same_data=same_data) for _a, f in done)),
        (_("BIC"), *(_criterion(f, f.bic, same_data=same_data) for _a, f in done)),
        (_("Search"), *(f.status.value for _a, f in done)),
        (_("Stands"), *(state(a) for a, _f in done)),
    ]
    note = (
        _("AIC and BIC: the lower, the better the model follows the same {ratings} for the numbers it uses.")
        if same_data
        else _(
            "These analyses were made on different {ratings} or classes, so AIC and BIC say nothing and are left out."
        )
    )
    return (_("What"), *(short(a) for a, _f in done)), rows, note


def _class1(fit: Fit) -> str:
    """What t is the share of."""
    if len(fit.classes) == 2:
        return numbers.short(fit.classes[1], 40)
    return _("each of {count} classes by itself").format(count=len(fit.classes))


def _estimate_words(fit: Fit, name: str) -> str:
    result = next((e.estimate for e in fit.estimates if str(e.name) == name), None)
    if result is None:
        return DASH
    value = numbers.value(result)
    return value if result.low is None else f"{value} ({numbers.interval(result)})"


def _criterion(fit: Fit, value: float, *, same_data: bool) -> str:
    """AIC or BIC where it may be compared: for maxima of the likelihood of the same ratings."""
    return numbers.large(value) if same_data and fit.estimator == "exact-em" and fit.converged else DASH


def look_at(session: Session, name: str) -> None:
    """Look at another analysis: its choices and its results."""
    wanted = next((a for a in session.document.project.analyses if a.name == name), None)
    if wanted is not None:
        session.plan = plan_of(wanted, known=session.plan.known)
        session.document.look_at(name)


def duplicate(session: Session) -> None:
    """Add an analysis with the choices as they stand, to be changed and run beside the first."""
    if session.plan.named.unreadable:
        return
    analyses = session.document.project.analyses
    label = another(session.plan, analyses)
    new = Analysis(label, session.effective.request(), question=session.plan.question.key)
    session.plan = replace(session.plan, label=label)
    session.document.set_analyses((*analyses, new), new.name)


def rename(session: Session, label: str) -> str:
    """Give the analysis that is looked at another label; the reason where that cannot be, else nothing."""
    analysis, analyses = session.document.analysis, session.document.project.analyses
    if analysis is None:
        return ""
    new, reason = relabel(analysis, label, analyses)
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
        session.plan = plan_of(left[-1], known=session.plan.known)
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
        rows = [(f"{short(a)} ({state(a)})", a.name) for a in document.project.analyses]
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
        self.one.setText(short(document.analysis))
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
        sentence = _("What tells this analysis from the others? It is printed behind the question.")
        label = dialogs.line_of_text(self, _("Rename"), sentence, analysis.label)
        reason = "" if label is None else rename(self._session, label)
        if reason:
            dialogs.inform(self, _("Rename"), reason)

    def _remove(self) -> None:
        analysis = self._session.document.analysis
        if analysis is None:
            return
        words = _("Remove “{name}” with its answer? This cannot be undone.").format(name=short(analysis))
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
        header, rows, note = side_by_side(called)
        self.table.rows.show_rows(header, rows)
        self.table.fill()
        self.note.setText(note)

    def copy(self) -> None:
        """Put the table on the clipboard as a spreadsheet takes it."""
        put_table(self.table.rows.header, self.table.rows.rows)
