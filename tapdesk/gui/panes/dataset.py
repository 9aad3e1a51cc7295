"""The dataset pane: what was read, how, what to know about it, and the categories."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape

import numpy as np
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tapdesk.errors import TapdeskError
from tapdesk.gui import sayings
from tapdesk.gui.chips import ReadingChips
from tapdesk.gui.desk import Desk
from tapdesk.gui.icons import State
from tapdesk.gui.panes.pane import Pane
from tapdesk.gui.rows import first_cases
from tapdesk.gui.source_watch import SourceWatch
from tapdesk.gui.theme import Theme
from tapdesk.gui.widgets.basic import Bar, Frame, button, clear, plain, rule, scrolled, text
from tapdesk.gui.widgets.categories import CategoryList
from tapdesk.gui.widgets.columns import Columns
from tapdesk.gui.widgets.messages import Action, CheckRow
from tapdesk.gui.widgets.tables import Table
from tapdesk.progress import Step
from tapdesk.ratings.findings import Finding, Severity
from tapdesk.ratings.options import RatersAre
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.report import numbers

STATES = {Severity.BLOCK: State.BLOCKED, Severity.ASK: State.KNOW, Severity.NOTE: State.INFO}


def letters(column: int) -> str:
    """The name a spreadsheet gives a column, counted from 0: A, B ... Z, AA."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


class Dataset(Pane):
    """What was read, side by side with the file, the checks and the categories."""

    def __init__(self, theme: Theme, desk: Desk) -> None:
        super().__init__(theme, desk, "Dataset")
        self._shown: Reading | None = None
        self.watch = SourceWatch(desk, self)
        self._ordered: tuple[Reading, tuple[str, ...] | None] | None = None
        self.next = button("Choose the question", kind="primary")
        self.head.addStretch(1)
        self.head.addWidget(self.next)
        self.sentence = text("", "lead", wrap=True, rich=True)
        self.chips = ReadingChips(theme, desk)
        self.loading = _Loading(theme, desk)
        self.file = Table(theme, "Your file", numbered=True)
        self.read = Table(theme, "How we read it", grid=False)
        self.categories = CategoryList(theme)
        self.checks = plain(gap=0)
        self.check_words = text("", "body", "2")
        for part in (self.loading, self.sentence, self.chips):
            self.box.addWidget(part)
        self.box.addWidget(self._columns(), 1)
        self.categories.moved.connect(desk.choose_order)
        desk.document.changed.connect(self.refresh)
        desk.reading.started.connect(self.refresh)
        desk.reading.cancelled.connect(self.refresh)
        desk.reading.done.connect(self.refresh)
        desk.reading.failed.connect(self.refresh)
        desk.problem.connect(self._on_problem)
        self.watch.told.connect(self._on_told)

    def _columns(self) -> Columns:
        self.file_more = text("", "caption", "3")
        self.file_more.setContentsMargins(14, 9, 14, 9)
        self.read_caption = text("", "caption", "3")
        self.preview = text("", "consequence", wrap=True, rich=True)
        said = Frame("sentence", margins=(14, 9, 14, 9)).add(self.preview)
        left = self._card("Your file", text("left untouched", "caption", "3"), self.file, self.file_more)
        middle = self._card("How we read it", self.read_caption, said, self.read)
        right = QVBoxLayout()
        right.setSpacing(12)
        right.addWidget(self._category_card())
        right.addWidget(self._checks_card(), 1)
        side = QWidget()
        side.setLayout(right)
        right.setContentsMargins(0, 0, 0, 0)
        parts = ((left, 318, 220), (middle, 503, 300), (side, 336, 280))
        return Columns(self.theme, parts, narrow=860, low=(320, 320, 420))

    @staticmethod
    def _card(title: str, caption: QWidget, *parts: QWidget) -> Frame:
        card = Frame("card", margins=(1, 0, 1, 1), gap=0)
        head = plain(across=True, margins=(14, 9, 14, 9)).add(text(title, "card"))
        head.box.addStretch(1)
        card.add(head.add(caption), rule(), *parts)
        return card

    def _category_card(self) -> Frame:
        card = Frame("card", margins=(14, 11, 14, 10), gap=4)
        head = plain(across=True).add(text("Order of the categories", "card"))
        head.box.addStretch(1)
        card.add(head.add(text("ratings", "caption", "3")))
        card.add(text("Lowest first. Alt + arrow keys move one.", "caption", "3", wrap=True), self.categories)
        return card

    def _checks_card(self) -> Frame:
        card = Frame("card", margins=(1, 0, 1, 1), gap=0)
        card.add(plain(gap=2, margins=(14, 11, 14, 10)).add(text("Checks", "card"), self.check_words))
        inside = plain(gap=0).add(self.checks)
        inside.box.addStretch(1)
        card.add(scrolled(inside))
        return card

    @Slot()
    def refresh(self) -> None:
        """Show the document as it stands."""
        self.loading.setVisible(self.desk.reading.running)
        project = self.desk.document.project
        reading = project.reading
        if reading is None:
            self._shown = None
            return
        if reading is not self._shown:
            self._shown = reading
            self.error.hide()
            self.sub.setText(reading.source.name)
            self._show_file(reading)
            self.chips.show_reading(reading)
            self.sentence.setText(_words_of(reading))
            self._show_checks(reading)
            self._show_read(reading)
        if (reading, project.order) != self._ordered:
            self._ordered = (reading, project.order)
            self._show_categories(project.all_classes)

    def _show_file(self, reading: Reading) -> None:
        preview, source = reading.preview, reading.source
        widest = max((len(row) for row in preview.rows), default=0)
        heads = [row - 1 for row in source.header_rows]
        self.file.rows.show_rows([letters(j) for j in range(widest)], preview.rows, tinted=heads)
        self.file.fill()
        more = source.rows + preview.first - 1 - len(preview.rows)
        self.file_more.setText(f"{numbers.count(more)} more rows" if more > 0 else "")
        self.file_more.setVisible(more > 0)

    def _show_read(self, reading: Reading) -> None:
        header, rows = first_cases(reading.as_read)
        self.read.rows.show_rows(header, rows)
        self.read.fill()
        missing = "none missing" if not reading.missing else f"{numbers.count(reading.missing)} missing"
        self.read_caption.setText(f"{numbers.count(reading.as_read.rating_count)} ratings, {missing}")
        said = reading.source.sentence
        self.preview.setText(f"“{escape(said)}” &nbsp;Does that sound right?" if said else "")
        self.preview.parentWidget().setVisible(bool(said))

    def _show_categories(self, ratings: Ratings) -> None:
        counts = np.rint(ratings.class_rates() * ratings.rating_count).astype(int)
        self.categories.show_categories(ratings.classes, counts.tolist())

    def _show_checks(self, reading: Reading) -> None:
        clear(self.checks.box)
        self.check_words.setText(sayings.checks(reading))
        changed = self.watch.about(reading)
        if changed is not None:
            act = (("Take over the changed file", self.watch.take_over),) if changed.reading is not None else ()
            effect = "The project goes on with the ratings as they were read."
            self.checks.add(rule(), CheckRow(self.theme, State.KNOW, changed.words, effect, act))
        order = list(Severity)
        for finding in sorted(reading.findings, key=lambda f: order.index(f.severity)):
            place = f"{finding.where[:1].upper()}{finding.where[1:]}." if finding.where else ""
            effect = " ".join(part for part in (place, finding.fix, finding.default) if part)
            state, fixes = STATES[finding.severity], self._fixes(finding)
            self.checks.add(rule(), CheckRow(self.theme, state, finding.message, effect, fixes))
        for fact, effect in _fine(reading):
            self.checks.add(rule(), CheckRow(self.theme, State.DONE, fact, effect))

    @Slot()
    def _on_told(self) -> None:
        if self._shown is not None:
            self._show_checks(self._shown)

    def _fixes(self, finding: Finding) -> Sequence[Action]:
        """What can be done about a finding with one click."""
        if finding.code not in {"seats_or_people", "raters_are"}:
            return ()
        return (
            ("Seats", lambda: self._read_with(raters_are=RatersAre.SEATS)),
            ("The same people", lambda: self._read_with(raters_are=RatersAre.PEOPLE)),
        )

    def _read_with(self, **changes: object) -> None:
        reading = self.desk.document.project.reading
        if reading is not None:
            self.desk.read_again(replace(reading.options, **changes))

    @Slot(object, str)
    def _on_problem(self, error: TapdeskError, file: str) -> None:
        if not self.desk.document.empty:
            self.error.show_error(error, file)


class _Loading(QWidget):
    """A thin bar, how far reading has come, and Cancel."""

    def __init__(self, theme: Theme, desk: Desk) -> None:
        super().__init__()
        self.bar = Bar(theme, "Progress of reading", 6)
        self.words = text("Reading", "small", "2")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.bar, 1)
        row.addWidget(self.words)
        row.addWidget(button("Cancel", desk.reading.cancel, small=True, name="Cancel reading"))
        desk.reading.started.connect(self._on_started)
        desk.reading.stepped.connect(self._on_stepped)
        self.hide()

    @Slot()
    def _on_started(self) -> None:
        self.bar.setRange(0, 0)
        self.words.setText("Reading")

    @Slot(object)
    def _on_stepped(self, steps: tuple[Step, ...]) -> None:
        step = steps[-1]
        self.bar.setRange(0, step.total)
        self.bar.setValue(step.done)
        if step.total:
            share = numbers.percent(step.done / step.total)
            self.words.setText(f"Reading: {share}")


def _words_of(reading: Reading) -> str:
    """How the file was read, in sentences, as rich text."""
    return " ".join(escape(words) for words in reading.source.words) + " Click a guess to change it."


def _fine(reading: Reading) -> list[tuple[str, str]]:
    """What is in order; it stays listed because it builds trust."""
    ratings = reading.as_read
    rows = []
    used = int((ratings.class_rates() > 0).sum())
    effect = f"{used} of {len(ratings.classes)} categories are used."
    if not any(f.severity is Severity.BLOCK for f in reading.findings):
        rows.append(("Every rating is a known category", effect))
    if not reading.missing:
        rows.append(("No rating is missing", ""))
    return rows
