"""What is asked before a table leaves the program: the shape of cleaned data, and what blank rating sheets hold."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QDialog, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from tapdesk.answers.naming import CasesAs, RatersAs
from tapdesk.errors import TapdeskError, UsageError
from tapdesk.gui.runs.job import Job
from tapdesk.gui.shell import dialogs
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Choice, Radio, Tick, button, clear, plain, scroll_area, text
from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.project.project import Project
from tapdesk.ratings.findings import label_text
from tapdesk.ratings.own.case_list import case_column, case_table, cases_in, numbered_cases
from tapdesk.ratings.own.clean_table import Shape, usual_shape
from tapdesk.ratings.own.plan import CaseList, SheetPlan, plan_sheets
from tapdesk.ratings.table import RatingTable

_MOST_CASES, _MOST_SEED = 100_000, 2**31 - 1
_LONG = 30_000  # milliseconds in which a table that is being read is let go of


@dataclass(frozen=True)
class CleanedChoice:
    """How cleaned data are saved; of a form all its questions in one table, or the one that is shown."""

    shape: Shape
    raters_as: RatersAs
    cases_as: CasesAs
    whole: bool = False


class CleanedDialog(QDialog):
    """Shape, and names or codes; nobody's name is to leave by habit, so that has no answer beforehand."""

    def __init__(self, theme: Theme, parent: QWidget, project: Project) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Save cleaned data"))
        ratings, self._project = project.all_classes, project
        self.questions = Choice(theme, _("Which questions"), _which(project), 280)
        self.shape = Choice(theme, _("Shape of the table"), (), 280)
        self._further = [c.name for c in ratings.covariates.values() if c.of.value != "subject"]
        self.remark = text("", "small", "2", wrap=True)
        self.names = Radio(theme, _("{Raters} by name").format())
        self.codes = Radio(theme, _("{Raters} by code: A, B, C …").format())
        self.cases = Tick(theme, _("{Subjects} by code: C1, C2 …").format())
        self.ready = button(_("Choose a place…"), self.accept, kind="primary")
        box = QVBoxLayout(self)
        box.setSpacing(8)
        box.addWidget(text(_("The {ratings} after all decisions, and the decisions beside them.").format(), wrap=True))
        form = QFormLayout()
        if project.form:
            form.addRow(_("Questions"), self.questions)
        form.addRow(_("Shape"), self.shape)
        box.addLayout(form)
        box.addWidget(self.remark)
        self._people = ratings.raters_known
        for row in (self.names, self.codes) if self._people else ():
            box.addWidget(row)
            row.toggled.connect(self._on_changed)
        box.addWidget(self.cases)
        foot = plain(across=True)
        foot.box.addStretch(1)
        foot.add(button(_("Cancel"), self.reject), self.ready)
        box.addWidget(foot)
        self._offer_shapes()
        self.questions.currentIndexChanged.connect(self._offer_shapes)
        self.shape.currentIndexChanged.connect(self._on_changed)
        self._on_changed()

    @property
    def choice(self) -> CleanedChoice:
        """What was chosen."""
        return CleanedChoice(
            self.shape.currentData(),
            RatersAs.CODES if self.codes.isChecked() else RatersAs.NAMES,
            CasesAs.CODES if self.cases.isChecked() and not self._whole else CasesAs.NAMES,
            self._whole,
        )

    @property
    def _whole(self) -> bool:
        """Whether all questions of the form go into the table."""
        return bool(self.questions.currentData())

    @Slot()
    def _offer_shapes(self) -> None:
        """Offer the shapes that the questions can have, and choose the one that leaves nothing out."""
        project = self._project
        wide = _("A row for each {subject} and {rater}") if self._whole else _("A row for each {subject}")
        self.shape.blockSignals(True)
        self.shape.clear()
        self.shape.addItem(_("A row for each {rating}").format(), Shape.LONG)
        self.shape.addItem(wide.format(), Shape.WIDE)
        self.shape.blockSignals(False)
        if self._whole:
            # Late: what makes tables is loaded when one is wanted.
            from tapdesk.report.cleaned_form import questions_of, usual_form_shape

            self.shape.choose(usual_form_shape(questions_of(project)))
        elif project.reading is not None:
            self.shape.choose(usual_shape(project.all_classes, project.reading.source.layout))
        # The cases of two questions may be others, so a code would not say which is meant.
        self.cases.setVisible(not self._whole)
        self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        """Say what the shape leaves out, and wait for names or codes."""
        lost = self._further if self.shape.currentData() is Shape.WIDE and not self._whole else []
        words = (
            _("A row for each {subject} has no place for: {columns}.").format(columns=", ".join(lost)) if lost else ""
        )
        self.remark.setText(words)
        self.remark.setVisible(bool(words))
        self.ready.setEnabled(not self._people or self.names.isChecked() or self.codes.isChecked())


def _which(project: Project) -> tuple[tuple[str, object], ...]:
    """Of which questions the table can be: all of the form, or the one that is shown."""
    n = sum(one.reading is not None for one in project.form)
    if not project.form:
        return ((_("All"), False),)
    one = _("Only “{question}”").format(question=Label(project.question))
    return (_("All {n} questions").format(n=n), True), (one, False)


class NumberField(QLineEdit):
    """A whole number between two bounds; what else is typed counts as the least."""

    def __init__(self, value: int, least: int, most: int) -> None:
        super().__init__(str(value))
        self._least = least
        self.setValidator(QIntValidator(least, most, self))

    @property
    def value(self) -> int:
        """The number."""
        return int(self.text()) if self.hasAcceptableInput() else self._least


class ColumnTicks(QWidget):
    """The columns of a table, a tick each, in as many lines as they need.

    Attributes
    ----------
    changed
        Emitted when a column is ticked, or no longer.
    """

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._ticks: dict[str, Tick] = {}
        self._inside = plain(gap=2)
        area = scroll_area(self._inside)
        area.setMaximumHeight(theme.px(110))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(area)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The columns that are ticked."""
        return tuple(name for name, tick in self._ticks.items() if tick.isChecked())

    def offer(self, columns: tuple[str, ...]) -> None:
        """Show other columns, none of them ticked."""
        clear(self._inside.box)
        self._ticks = {name: Tick(self._theme, label_text(name)) for name in columns}
        for tick in self._ticks.values():
            tick.toggled.connect(self.changed)
            self._inside.add(tick)

    def tick(self, name: str) -> None:
        """Tick a column."""
        self._ticks[name].setChecked(True)


class SheetsDialog(QDialog):
    """What blank rating sheets hold: cases, raters, classes, repeats; it says at once what will come out."""

    def __init__(self, theme: Theme, parent: QWidget, project: Project, folder: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Blank rating sheets"))
        self._folder, self._project = folder, project
        # The table of the cases, or why it could not be read; read in a thread, however large it is.
        self._table: RatingTable | TapdeskError | None = None
        self.reading = Job(self)
        self.reading.done.connect(self._on_table)
        self.reading.failed.connect(self._on_no_table)
        open_ratings = None if project.reading is None else project.all_classes
        rows: list[tuple[str, object]] = [(_("{Subjects} called 1, 2, 3 …").format(), "numbered")]
        if open_ratings is not None:
            rows.append((_("The {subjects} of the open {ratings}").format(), "open"))
        rows.append((_("The {subjects} of a table…").format(), "table"))
        self.source = Choice(theme, _("Which {subjects}").format(), tuple(rows), 240)
        self.count = NumberField(20, 1, _MOST_CASES)
        self.known = Choice(theme, _("Column of known answers"), ((_("None"), None),), 240)
        self.show_columns = ColumnTicks(theme)
        self.raters = QLineEdit(", ".join(open_ratings.raters) if open_ratings and open_ratings.raters_known else "")
        self.classes = QLineEdit(", ".join(open_ratings.classes) if open_ratings else "")
        self.ordered = Tick(theme, _("The classes are in order, lowest first"))
        self.ordered.setChecked(open_ratings is None or open_ratings.ordered)
        self.repeats, self.seed = NumberField(0, 0, _MOST_CASES), NumberField(1, 0, _MOST_SEED)
        self.coded = Tick(theme, _("{Raters} see items in place of the names").format())
        self.remark = text("", "small", "2", wrap=True)
        self.ready = button(_("Choose a place…"), self.accept, kind="primary")
        box = QVBoxLayout(self)
        box.setSpacing(8)
        box.addLayout(self._form())
        box.addWidget(self.remark)
        foot = plain(across=True)
        foot.box.addStretch(1)
        foot.add(button(_("Cancel"), self.reject), self.ready)
        box.addWidget(foot)
        self.setMinimumWidth(theme.px(610))
        if open_ratings is not None:
            self.source.choose("open")
        self._connect()
        self._on_changed()

    def _form(self) -> QFormLayout:
        form = QFormLayout()
        # Longer words of another language put a field below its name rather than out of sight.
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._rows: dict[QWidget, str] = {
            self.source: _("{Subjects}").format(),
            self.count: _("How many"),
            self.show_columns: _("Columns that {raters} see").format(),
            self.known: _("Column of known answers"),
            self.raters: _("{Raters}").format(),
            self.classes: _("Classes"),
            self.repeats: _("Hidden repeats for each {rater}").format(),
            self.seed: _("Number behind the orders"),
        }
        for field, words in self._rows.items():
            field.setAccessibleName(words)
            form.addRow(words, field)
        form.addRow(self.ordered)
        form.addRow(self.coded)
        self._layout = form
        return form

    def _connect(self) -> None:
        self.source.activated.connect(self._on_source)
        for line in (self.raters, self.classes):
            line.textChanged.connect(self._on_changed)
        self.known.currentIndexChanged.connect(self._on_changed)
        self.show_columns.changed.connect(self._on_changed)
        for number in (self.count, self.repeats, self.seed):
            number.textChanged.connect(self._on_changed)
        for tick in (self.ordered, self.coded):
            tick.toggled.connect(self._on_changed)

    @Slot()
    def _on_source(self) -> None:
        """Ask for the table, where the cases stand in one."""
        if self.source.currentData() == "table":
            chosen = dialogs.file_to_open(self, _("A table of the {subjects}").format(), dialogs.KINDS, self._folder)
            self._table = None
            self._offer(())
            if chosen:
                self.reading.start(case_table(Path(chosen)))
        self._on_changed()

    @Slot(object)
    def _on_table(self, table: RatingTable) -> None:
        """Offer the columns of the table that was read."""
        self._table = table
        try:
            case = case_column(table)
        except TapdeskError:
            case = ""
        self._offer(tuple(name for name in table.names if name and name != case))
        self._on_changed()

    @Slot(BaseException)
    def _on_no_table(self, error: BaseException) -> None:
        self._table = error if isinstance(error, TapdeskError) else UsageError(str(error))
        self._on_changed()

    def _offer(self, columns: tuple[str, ...]) -> None:
        """Columns that can be picked."""
        self.known.blockSignals(True)
        self.known.clear()
        self.known.addItem(_("None"), None)
        for name in columns:
            self.known.addItem(label_text(name), name)
        self.known.blockSignals(False)
        self.show_columns.offer(columns)

    def done(self, result: int) -> None:
        """Close; nothing is read for a dialog that is gone."""
        self.reading.cancel()
        self.reading.wait(_LONG)
        super().done(result)

    def _cases(self) -> CaseList:
        source = self.source.currentData()
        if source == "open" and self._project.reading is not None:
            return self._open_cases()
        if source == "table":
            if isinstance(self._table, TapdeskError):
                raise self._table
            if self._table is None and self.reading.running:
                raise UsageError(_("The table is being read."), fix=_("It takes a moment."))
            if self._table is None:
                raise UsageError(_("No table was chosen."), fix=_("Choose one, or number the cases."))
            return cases_in(self._table, shown=self.show_columns.chosen, known=self.known.currentData())
        return numbered_cases(self.count.value)

    def _open_cases(self) -> CaseList:
        """The cases of the open ratings, with what is known to be true of them."""
        ratings = self._project.all_classes
        classes = ratings.known_classes()
        labels = (*ratings.classes, "")
        return CaseList(ratings.subjects, known=() if classes is None else tuple(labels[c] for c in classes.tolist()))

    @property
    def plan(self) -> SheetPlan:
        """What was chosen.

        Raises
        ------
        TapdeskError
            When no such sheets can be made.
        """
        return plan_sheets(
            self._cases(),
            _entries(self.raters.text()),
            _entries(self.classes.text()),
            ordered=self.ordered.isChecked(),
            repeats=self.repeats.value,
            coded=self.coded.isChecked(),
            seed=self.seed.value,
        )

    @Slot()
    def _on_changed(self) -> None:
        """Say what will come out, or why nothing can."""
        source = self.source.currentData()
        self._layout.setRowVisible(self.count, source == "numbered")
        for field in (self.show_columns, self.known):
            self._layout.setRowVisible(field, source == "table")
        try:
            plan = self.plan
        except TapdeskError as problem:
            self.ready.setEnabled(False)
            self.remark.setText(str(problem))
            return
        self.ready.setEnabled(True)
        each = len(plan.lines) // len(plan.raters)
        words = ngettext(
            "A workbook with the key, and a copy for {n} {rater} with {each:,} lines.",
            "A workbook with the key, and copies for {n} {raters} with {each:,} lines each.",
            len(plan.raters),
        )
        self.remark.setText(words.format(n=len(plan.raters), each=each))


def _entries(line: str) -> tuple[str, ...]:
    """What stands between commas or semicolons."""
    return tuple(part for one in line.replace(";", ",").split(",") if (part := one.strip()))
