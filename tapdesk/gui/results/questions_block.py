"""The block of a form: all its questions at a glance, row by row as they are done, each of which can be read next."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QWidget

from tapdesk.answers import criteria as words
from tapdesk.answers.content import Block, Paragraph, Table, Tone
from tapdesk.answers.faults import listed
from tapdesk.answers.naming import Naming
from tapdesk.answers.part import Content, Missing
from tapdesk.answers.parts import SHELVES
from tapdesk.answers.question_columns import HEADS, ordered, table_coefficient
from tapdesk.answers.sets import whole_sets
from tapdesk.gui.results.all_questions import AllQuestions, QuestionKey, all_questions, report_of
from tapdesk.gui.results.on_demand_blocks import Ask, OnDemandBlock
from tapdesk.gui.results.questions_view import (
    SHOWN,
    Beside,
    CoefficientChip,
    OrderChip,
    QuestionPanel,
    VerdictChips,
    dress_cells,
    has_results,
    leads_to,
)
from tapdesk.gui.runs.job import Job
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.dialogs import permitted
from tapdesk.gui.shell.opening import of_a_form
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import button, text
from tapdesk.gui.widgets.messages import ErrorCard
from tapdesk.gui.widgets.tables import TableView
from tapdesk.language import gettext as _
from tapdesk.language import in_voice, joined
from tapdesk.progress import Step
from tapdesk.project.project import Project
from tapdesk.ratings.options import ReadingOptions
from tapdesk.report.report import Report
from tapdesk.studies.criteria import CriterionNumbers, CriterionRow

FORM_REPORTS = _("Report (*.pdf);;Web page (*.html);;Workbook (*.xlsx)")


def save_form_report(parent: QWidget, report: Report, session: Session, error: ErrorCard) -> str:
    """Ask where, and save the one report of a form; what is said of it then, empty where nothing was saved."""
    # Late: what writes reports is not needed before one is saved.
    from tapdesk.gui.report.export import missing_words, plain_name
    from tapdesk.report.forms.write import written

    project = session.document.project
    name = session.sibling(_("{plain} all questions.pdf").format(plain=plain_name(project.title)))
    # Nobody's name leaves unawares; the menu View has the codes.
    title = _("Save one report of all questions, {raters} by name")
    if session.naming.codes:
        title = _("Save one report of all questions, {raters} by code")
    path = dialogs.ask_where(parent, title.format(), name, FORM_REPORTS)
    if path is None:
        return ""
    left = ""

    def made() -> Sequence[tuple[Path, bytes]]:
        nonlocal left
        whole, files = written(report, path)
        left = listed(whole.faults)
        return files

    if not dialogs.save_files(parent, path, made, error, permitted(project)):
        return ""
    return joined(_("Saved {name}.").format(name=path.name), missing_words(left) if left else "")


class QuestionsBlock(OnDemandBlock):
    """A block that sets all questions of a form side by side when it is asked to.

    Attributes
    ----------
    wanted
        Emitted with the reading options of the question the user wants to read.
    chosen
        Emitted with the name of the question of the project's form the user wants to see.
    unanswered
        Emitted with the name of such a question where there can be no results to see, but ratings.
    printed
        Emitted with the report of the whole form, to be saved where the user wants.
    paged
        Emitted with the name of a question of the project's form, and whether it has a page of its own in the report.
    headed
        Emitted with the headline of the table and what follows from it; blank where there is no table.
    weighed
        Emitted with the name of the coefficient that was chosen for the table, and is to be kept.
    alone
        Whether the headline stands above the block, which then begins with its table.
    """

    wanted = Signal(object, str)
    chosen = Signal(str)
    unanswered = Signal(str)
    discussed = Signal(str, str)
    printed = Signal(object)
    paged = Signal(str, bool)
    headed = Signal(str, str)
    weighed = Signal(str)

    def __init__(self, theme: Theme, job: Job) -> None:
        shelf = next(row for row in SHELVES if row.key == "questions")
        super().__init__(
            theme,
            shelf,
            job,
            _("The file holds several questions. All can stand side by side; other results are about one of them."),
        )
        self._project: Project | None = None
        self._names, self._level, self._seed = Naming(), 0.95, 1
        self._now: AllQuestions | None = None
        self.begin = button(_("Set all questions side by side"), self.compare, small=True)
        self.filter = VerdictChips(theme)
        self.save = button(_("Save one report of all questions…"), self.save_report, small=True)
        self.saved_words = text("", "small", "2")
        self.sorting, self.coefficient = OrderChip(theme), CoefficientChip(theme)
        self.coefficient.picked.connect(self._on_picked)
        self.offer(self.begin, self.filter, self.sorting, self.coefficient, self.save, self.saved_words)
        self.filter.chosen.connect(self._on_filtered)
        self.sorting.ordered.connect(self._on_filtered)
        self.read = button(_("Open its results"), self.read_chosen, small=True)
        self.panel = QuestionPanel(theme)
        self.discuss = button(_("{Subjects} to discuss").format(), self.discuss_chosen, small=True)
        self.advice = button("", self.follow_advice, kind="link", name=_("What to do about the question"))
        for each in (self.read, self.discuss, self.advice):
            self.panel.button_lines.addWidget(each)
        self.panel.own_page.clicked.connect(self._on_paged)
        self.stack.removeWidget(self.body)
        self.body = self.beside = Beside(theme, self.page, self.panel)
        self.stack.insertWidget(0, self.body)
        self.table_view: TableView | None = None
        self.alone = self._to_save = False
        # Of a run: how many questions there are; which question the user looks at, and whether that is their choice.
        self._all, self._looked_at, self._placing = 0, "", False
        self._about: object = None
        # Of a file that is no form of the project; a form keeps its own.
        self._own_pages: frozenset[str] = frozenset()
        self._worked: dict[QuestionKey, CriterionNumbers] = {}
        for digit in range(1, 10):
            keys = QShortcut(QKeySequence(str(digit)), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            keys.activated.connect(partial(self._choose_chip, digit - 1))

    def _choose_chip(self, at: int) -> None:
        """Choose the questions of the chip at a place, told by its digit."""
        offered = list(self.filter.chips)
        if not self.filter.isHidden() and at < len(offered):
            self.filter.choose(offered[at])

    def of_file(self, project: Project, names: Naming, level: float, seed: int) -> None:
        """The file of another answer; the block is there where it holds several questions.

        What was worked out stays while the form and what was decided about it are the same: another question of it
        may be looked at meanwhile.
        """
        there = bool(project.form) or of_a_form(project.reading)
        self.setVisible(there)
        before, self._project = self._project, project
        self._show_paged()
        readings = tuple(one.reading for one in project.form) or (project.reading,)
        about = (readings, tuple((d.id, d.decision, d.question) for d in project.in_force), names, level, seed)
        if there and project.form and about == self._about:
            if before is None or before.question != project.question:
                self._point_at(project.question)
            return
        self._about, self._to_save = about, False
        self.discuss.setText(_("{Subjects} to discuss").format())
        self._job.cancel()
        self._results, self._stopped, self._own_pages = {}, {}, frozenset()
        self.show_nothing()
        self._names, self._level, self._seed = names, level, seed
        self._now = None
        self.headed.emit("", "")
        self.begin.setVisible(there)
        self._looked_at = ""
        self.sorting.offer(self.coefficient.coefficient)
        for control in (self.filter, self.sorting, self.coefficient, self.save, self.saved_words, self.panel):
            control.hide()

    def _on_picked(self, name: str) -> None:
        self.show_coefficient(name)
        self.weighed.emit(name)

    def show_coefficient(self, name: str) -> None:
        """Show another coefficient beside raw agreement, unless it stands there."""
        if not self.coefficient.show_coefficient(table_coefficient(name)):
            return
        self.sorting.offer(self.coefficient.coefficient)
        if not self.coefficient.isHidden():
            self._on_filtered()

    def _point_at(self, name: str) -> None:
        """Choose the row of a question in the table, where it is shown."""
        if self.table_view is not None and self._now is not None and self.result is not None:
            names = [row.name for row in self._in_sight()]
            if name in names:
                self.table_view.selectRow(names.index(name))

    def stand(self, *, alone: bool) -> None:
        """Stand below a headline of its own, or among the blocks about one question."""
        if alone is not self.alone:
            self.alone = alone
            self.save.setVisible(not alone and self.result is not None)
            if isinstance(self.result, AllQuestions) and self.at is not None and self.begin.isHidden():
                self._show(self.at)

    def head_again(self) -> None:
        """Tell the headline once more to who shows it."""
        if isinstance(self.result, AllQuestions) and self.begin.isHidden():
            self.headed.emit(*words.headline(self.result.rows))

    def take_focus(self) -> None:
        """Give the keys to the table, or to what makes it."""
        place = self.begin if self.table_view is None or not self.begin.isHidden() else self.table_view
        place.show()  # a table that was just made takes no keys before
        place.setFocus()

    @Slot()
    def compare(self) -> None:
        """Set all questions side by side."""
        if self._project is None:
            return
        by_keys = self.begin.hasFocus()
        self.begin.hide()
        self._now = None
        run = partial(all_questions, self._project, self._names, self._level, self._seed, self._worked)
        self.look_at(Ask("questions", self.page.accessibleName(), run, self._told))
        if by_keys:
            # The button is gone, and the keys would fall to the block below.
            (self.take_focus if self.stop.isHidden() else self.stop.setFocus)()

    def _told(self, questions: AllQuestions) -> Content | Missing:
        """What is said of the questions that are shown."""
        first, follows = words.headline(questions.rows)
        blocks: list[Block] = [] if self.alone else [Paragraph(first, Tone.LEAD), Paragraph(follows)]
        rows = self._sorted(self._shown(questions.rows), questions)
        blocks.append(words.table(rows, order=self.sorting.order, chosen=self.coefficient.coefficient))
        if told := words.raters_to_tell(questions.raters):
            blocks.append(words.raters_table(told))
        if questions.form.sets is not None and (sets := whole_sets(questions.form.sets)) is not None:
            blocks += [Paragraph(sets[0]), sets[1]]
        if self._project is not None and self._project.decisions and not self._project.form:
            sentence = _(
                "All questions are shown as they were read: what you decided about one of them is done to none here, "
                "but for the counted class."
            )
            blocks.append(Paragraph(sentence))
        return Content((*blocks, Paragraph(words.not_said())))

    def _shown(self, rows: Sequence[CriterionRow]) -> tuple[CriterionRow, ...]:
        """The questions of the verdict that is chosen."""
        kept = tuple(row for row in rows if self.filter.verdict in {None, row.verdict})
        return kept or tuple(rows)

    def _sorted(self, rows: Sequence[CriterionRow], of: AllQuestions) -> tuple[CriterionRow, ...]:
        """Questions in the order that is chosen."""
        names = [one.name for one in of.form.questions]
        return ordered(rows, self.sorting.order, names, self.coefficient.coefficient)

    def _in_sight(self) -> tuple[CriterionRow, ...]:
        """The questions of the table as it stands; while others are worked on, and when that was stopped, all."""
        if self._now is None:
            return ()
        return self._sorted(self._now.rows if self.result is None else self._shown(self._now.rows), self._now)

    def _table(self) -> Table:
        """The table of the questions that are in sight."""
        return words.table(self._in_sight(), order=self.sorting.order, chosen=self.coefficient.coefficient)

    @Slot(object)
    def _on_stepped(self, steps: Sequence[Step]) -> None:
        result = next((s.values["found"] for s in reversed(steps) if "found" in s.values), None)
        if isinstance(result, AllQuestions):
            # What is done stays done, whatever is decided about another question before all are.
            self._worked |= result.worked
            self._now, self._all = result, steps[-1].total
            self._fill_page()
        elif self._now is None:
            super()._on_stepped(steps)

    @Slot()
    def stop_work(self) -> None:
        """Stop, on the user's wish; the questions that are done stay in sight."""
        super().stop_work()
        if self._now is not None and self.result is None:
            self._fill_page()

    @Slot()
    def go_on(self) -> None:
        """Go on with the questions that are not done."""
        super().go_on()
        if self._now is not None and self.result is None:
            self._fill_page()

    @Slot(object)
    def _on_done(self, result: Any) -> None:
        if isinstance(result, AllQuestions):
            # A decision about one question leaves the numbers of all others as they are.
            self._worked = dict(result.worked)
            self.filter.offer(result.rows)
            for chip in (self.filter, self.sorting, self.coefficient):
                chip.show()
            self.save.setVisible(not self.alone)
        at_stop = self.stop.hasFocus()
        super()._on_done(result)
        if at_stop:
            self.take_focus()
        if self._to_save:
            self._to_save = False
            self.save_report()

    def _show(self, ask: Ask) -> None:
        in_table = self._in_table
        super()._show(ask)
        if isinstance(self.result, AllQuestions):
            self._now = self.result
            self._follow_table(in_table=in_table)
            self.headed.emit(*words.headline(self.result.rows))

    def _fill_page(self) -> None:
        """Show the rows there are while others are worked on, or when that was stopped."""
        if self._now is None:
            return
        n = len(self._now.rows)
        done = _("{n} of {all} questions done").format(n=n, all=self._all)
        if not self._job.running:
            done = _("Stopped after {n} of {all} questions. What is done stays, and Go on does the others.").format(
                n=n, all=self._all
            )
        in_table = self._in_table
        self.sorting.show()
        self.coefficient.show()
        self.page.show_content(in_voice(Content((Paragraph(done, Tone.LEAD), self._table()))))
        self.stack.setCurrentWidget(self.body)
        self._follow_table(in_table=in_table)

    @property
    def _in_table(self) -> bool:
        """Whether the keys are in the table, which is made anew when its rows change."""
        return self.table_view is not None and self.table_view.hasFocus()

    def _follow_table(self, *, in_table: bool) -> None:
        """Have the rows of the table that is shown open their questions."""
        # What stood here before is still a child until it is deleted; the table of raters stands below.
        rows = self._in_sight()
        title = self._table().title if rows else ""
        views = [view for view in self.page.findChildren(TableView) if view.accessibleName() == title]
        self.table_view = views[-1] if views else None
        if self.table_view is not None:
            dress_cells(self._theme, self.table_view, rows)
            self.beside.fit(self.table_view)
            high = self._theme.px(26) * (min(len(rows), SHOWN) + 1) + self._theme.px(6)
            self.table_view.setFixedHeight(high)
            self.table_view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
            self.table_view.activated.connect(self._on_activated)
            self.table_view.clicked.connect(self._on_clicked)
            keys = QShortcut(QKeySequence(Qt.Key.Key_Space), self.table_view, context=Qt.ShortcutContext.WidgetShortcut)
            keys.activated.connect(self.panel.own_page.click)
            self.table_view.selectionModel().currentRowChanged.connect(self._on_row)
            self.table_view.horizontalHeader().setSectionsClickable(True)
            self.table_view.horizontalHeader().sectionClicked.connect(self._on_head)
            self._choose_row([row.name for row in rows])
            # It is new each time, and would come last of the window for the keys.
            QWidget.setTabOrder(self.save, self.table_view)
            if in_table:
                self.table_view.show()
                self.table_view.setFocus()

    def _choose_row(self, names: Sequence[str]) -> None:
        """Choose the row of the question that the user looks at, wherever it stands by now; else the first."""
        if self.table_view is not None:
            self._placing = True
            self.table_view.selectRow(names.index(self._looked_at) if self._looked_at in names else 0)
            self._placing = False

    @Slot(int)
    def _on_head(self, column: int) -> None:
        """Sort by the column whose head was clicked."""
        if column in HEADS:
            self.sorting.choose(HEADS[column])

    @Slot(QModelIndex)
    def _on_row(self, index: QModelIndex) -> None:
        rows = self._in_sight()
        if 0 <= index.row() < len(rows):
            if not self._placing:
                self._looked_at = rows[index.row()].name
            self.panel.show_row(rows[index.row()], self.coefficient.coefficient)
            self._show_paged()
            # What is no form of the project is read anew, and has no results to go to yet.
            of_project = self._project is not None and bool(self._project.form)
            self.read.setText(_("Open its results") if has_results(rows[index.row()]) else _("Show its ratings"))
            self.read.setAccessibleName(self.read.text())
            self.discuss.setVisible(of_project and has_results(rows[index.row()]))
            self.advice.setVisible(of_project and leads_to(rows[index.row()]) not in {"", "cases"})
            self.advice.setText(words.advice(rows[index.row()]))
            self.advice.setAccessibleName(self.advice.text())

    def own_pages(self) -> frozenset[str]:
        """The names of the questions that have a page of their own in the report."""
        if self._project is not None and self._project.form:
            return frozenset(one.name for one in self._project.form if one.own_page)
        return self._own_pages

    def _show_paged(self) -> None:
        """Tick the box where the chosen question has a page of its own."""
        self.panel.own_page.setChecked(self.panel.name.text() in self.own_pages())

    @Slot(bool)
    def _on_paged(self, own: bool) -> None:
        name = self.panel.name.text()
        if self._project is not None and self._project.form:
            self.paged.emit(name, own)
        else:
            self._own_pages = self._own_pages | {name} if own else self._own_pages - {name}

    @Slot()
    def save_report(self) -> None:
        """Make the one report of all questions, raters called as on screen."""
        if isinstance(self.result, AllQuestions):
            self.printed.emit(report_of(self.result, self.own_pages(), self.coefficient.coefficient))

    def save_when_there(self) -> None:
        """Make that report now, or as soon as the questions stand side by side."""
        self._to_save = self.begin.isHidden() and not isinstance(self.result, AllQuestions)
        if not self._to_save:
            self.save_report()
        elif not self._job.running:
            # It was stopped, and goes on where it stood.
            self.compare()

    def show_saved(self, words: str) -> None:
        """Say what was saved."""
        self.saved_words.setText(words)
        self.saved_words.show()

    @Slot()
    def _on_filtered(self) -> None:
        if self.at is not None and self.result is not None:
            self._show(self.at)
        elif not self.sorting.isHidden():
            self._fill_page()

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        self._read(index.row())

    @Slot()
    def read_chosen(self) -> None:
        """Read the question whose row is chosen."""
        if self.table_view is not None:
            self._read(self.table_view.currentIndex().row())

    @Slot()
    def discuss_chosen(self) -> None:
        """Show which cases of the question whose row is chosen are worth discussing."""
        self.discussed.emit(self.panel.name.text(), "cases")

    @Slot()
    def follow_advice(self) -> None:
        """Show what the advice about the question whose row is chosen leads to."""
        row = next((row for row in self._in_sight() if row.name == self.panel.name.text()), None)
        if row is not None and self._project is not None and self._project.form and leads_to(row):
            self.discussed.emit(row.name, leads_to(row))

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        if self.result is not None and index.column() == index.model().columnCount() - 1:
            self.follow_advice()

    def _read(self, at: int) -> None:
        if self._now is None:
            return
        rows = self._in_sight()
        if not 0 <= at < len(rows):
            return
        one = next(q for q in self._now.form.questions if q.name == rows[at].name)
        if self._project is not None and self._project.form:
            (self.chosen if has_results(rows[at]) else self.unanswered).emit(one.name)
            return
        options = (
            ReadingOptions() if self._project is None or self._project.reading is None else self._project.reading.asked
        )
        self.wanted.emit(replace(one.options, class1=options.class1, class0=options.class0), one.name)
