"""The dataset pane: what was read, how, what to know about it, and the categories."""

from collections.abc import Callable
from html import escape

import numpy as np
from PySide6.QtCore import QPoint, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QMenu, QStackedWidget, QVBoxLayout, QWidget

from tapdesk.answers import numbers
from tapdesk.answers.figures.data import coverage
from tapdesk.errors import TapdeskError
from tapdesk.gui.dataset.categories import CategoriesCard
from tapdesk.gui.dataset.chips import ReadingChips
from tapdesk.gui.dataset.find_bar import FindBar
from tapdesk.gui.dataset.findings import FindingsList, SourceWatch
from tapdesk.gui.dataset.ratings_editing import RatingsDecisions, RatingsMenu, TableEditor
from tapdesk.gui.dataset.ratings_table import RatingsTable
from tapdesk.gui.dataset.recipes import Recipes
from tapdesk.gui.dataset.two_readings import TwoReadings
from tapdesk.gui.pictures.figure_view import SvgView
from tapdesk.gui.runs.gui_priority import GUI_PRIORITY
from tapdesk.gui.shell.dialogs import line_of_text, popup
from tapdesk.gui.shell.document import DataVersion
from tapdesk.gui.shell.pane import Pane
from tapdesk.gui.shell.session import Session
from tapdesk.gui.shell.status_texts import clock
from tapdesk.gui.theme.icons import State
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Bar, Frame, button, plain, role, rule, text
from tapdesk.gui.widgets.layouts import Columns, Flow, WindowSize
from tapdesk.gui.widgets.tables import TableView
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext, say
from tapdesk.progress import Step
from tapdesk.project.decisions.names import NameKeyAuthors
from tapdesk.project.key_choices import KeyChoice, one_rating
from tapdesk.project.project import Project
from tapdesk.project.review_state import blocking_findings, words_now
from tapdesk.ratings.checks.panel import UNRATED, comparability_text
from tapdesk.ratings.findings import label_text
from tapdesk.ratings.grid import column_letter
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading

_MOST = 1_000  # rows of the table
MANY = 50_000  # ratings
WIDEST = 140  # A letterhead in the first cell would push the ratings out of sight.


class CoverageWindow(QDialog):
    """A window beside the main one; it follows the ratings while it is open."""

    def __init__(self, theme: Theme, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._session = theme, session
        self._shown: Ratings | None = None
        self.setWindowTitle(_("Who rated what"))
        WindowSize(self, theme, 760, 520)
        self.title = text("", "card", wrap=True)
        self.connection = text("", "body", "2", wrap=True)
        self.note = text("", "caption", "3", wrap=True)
        self.picture = SvgView(theme, _("Coverage map"))
        self.table = TableView(theme, _("Coverage as a table"), grid=False)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.picture)
        self.stack.addWidget(self.table)
        self.turn = button(_("As a table"), self._turn, small=True)
        foot = plain(across=True).add(self.turn)
        foot.box.addStretch(1)
        foot.add(button(_("Close"), self.hide, small=True, name=_("Close the coverage map")))
        box = QVBoxLayout(self)
        box.setSpacing(8)
        for part in (self.title, self.connection):
            box.addWidget(part)
        box.addWidget(self.stack, 1)
        box.addWidget(self.note)
        box.addWidget(foot)
        session.document.changed.connect(self._on_changed)

    def open_map(self) -> None:
        """Show the map of the ratings as they are."""
        self.show()
        self.raise_()
        self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        if not self.isVisible() or self._session.document.empty:
            return
        ratings = self._session.document.project.all_classes
        if ratings is self._shown:
            return
        self._shown = ratings
        self._show(ratings)

    def _show(self, ratings: Ratings) -> None:
        figure = coverage(ratings)
        self.title.setText(figure.title)
        self.connection.setText(comparability_text(ratings))
        self.note.setText(figure.note)
        self.picture.show_figures((figure,))
        self.table.rows.show_rows(*rated_by(ratings), right=(1, 2))
        self.table.fill()

    def _turn(self) -> None:
        as_table = self.stack.currentWidget() is self.picture
        self.stack.setCurrentWidget(self.table if as_table else self.picture)
        self.turn.setText(_("As a picture") if as_table else _("As a table"))
        self.turn.setAccessibleName(self.turn.text())


def rated_by(ratings: Ratings) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows: how many cases each rater rated and did not rate, in the nouns of the file."""
    seen = np.unique(ratings.rater.astype(np.int64) * len(ratings.subjects) + ratings.subject) // len(ratings.subjects)
    cases = np.bincount(seen, minlength=len(ratings.raters))[:_MOST]
    total = len(ratings.subjects)
    who = _("{Rater}").format() if ratings.raters_known else _("Seat")
    rows: list[tuple[str, ...]] = [
        (name, numbers.count(int(n)), numbers.count(total - int(n)))
        for name, n in zip(ratings.raters, cases, strict=False)
    ]
    return (who, _("{Subjects} rated").format(), _("Not rated")), rows


class ReadingProgress(QWidget):
    """A thin bar, how far reading has come, and Cancel."""

    def __init__(self, theme: Theme, session: Session) -> None:
        super().__init__()
        self.bar = Bar(theme, _("Progress of reading"), 6)
        self.words = text(_("Reading"), "small", "2")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.bar, 1)
        row.addWidget(self.words)
        row.addWidget(button(_("Cancel"), session.reading.cancel, small=True, name=_("Cancel reading")))
        session.reading.started.connect(self._on_started)
        session.reading.stepped.connect(self._on_stepped)
        self.hide()

    @Slot()
    def _on_started(self) -> None:
        self.bar.setRange(0, 0)
        self.words.setText(_("Reading"))

    @Slot(object)
    def _on_stepped(self, steps: tuple[Step, ...]) -> None:
        step = steps[-1]
        self.bar.setRange(0, step.total)
        self.bar.setValue(step.done)
        if step.total:
            done, total = numbers.count(step.done), numbers.count(step.total)
            self.words.setText(_("Reading row {done} of about {total}").format(done=done, total=total))


class DatasetPane(Pane):
    """What was read, side by side with the file, the checks and the categories."""

    def __init__(self, theme: Theme, session: Session) -> None:
        super().__init__(theme, session, _("Dataset"))
        self._shown: Reading | None = None
        self._project: Project | None = None
        self._recipes: Recipes | None = None
        self.menu: QMenu | None = None
        self._ratings: Ratings | None = None
        # Shown in place of the ratings while a card is chosen that is no answer yet.
        self._preview: KeyChoice | None = None
        # The case that is perhaps a sum and was brought into sight: once, so that nobody who reads on is taken back.
        self._sum, self._sought = "", False
        self._data: DataVersion | None = None
        self.watch, self.ratings_decisions = SourceWatch(session, self), RatingsDecisions(session, self)
        self.next = button(_("Choose the question"), kind="primary")
        self.head.addStretch(1)
        self.head.addWidget(self.next)
        self.sentence = text("", "lead", wrap=True, rich=True)
        self.chips = ReadingChips(theme, session)
        self.error.after(self.next)
        QWidget.setTabOrder(self.error.last, self.banner.last)
        self.chips.after(self.banner.last)
        self.loading = ReadingProgress(theme, session)
        self.file = TableView(theme, _("Your file"), numbered=True, widest=WIDEST)
        self.read = RatingsTable(theme, _("How we read it"))
        self.find_bar = FindBar(theme, self.read)
        self.categories_card = CategoriesCard(theme, self.ratings_decisions)
        self.categories = self.categories_card.list
        self.checks = FindingsList(theme, self.ratings_decisions, self.watch)
        self.box.addWidget(self.loading)
        self.box.addWidget(self._columns(), 1)
        self.table_editor = TableEditor(self.read, self.ratings_decisions, self)
        self.read.too_many.connect(self._on_too_many)
        self.read.asked.connect(self._show_menu)
        self.error.again = session.try_again
        self.checks.effects.failed.connect(session.bug)
        self.checks.previewed.connect(self._on_previewed)
        self.ratings_decisions.refused.connect(self.error.show_error)
        self.ratings_decisions.shown.connect(self._go_to)
        session.document.changed.connect(self.refresh)
        for signal in (
            session.reading.started,
            session.reading.cancelled,
            session.reading.done,
            session.reading.failed,
        ):
            signal.connect(self.refresh)
        session.reading.stepped.connect(self._on_stepped)
        session.problem.connect(self._on_problem)
        self.watch.noticed.connect(self._on_noticed)

    def offer(self, recipes: Recipes) -> None:
        """Offer the choices made for an earlier file of the same shape."""
        self._recipes = recipes
        recipes.changed.connect(self._show_offer)

    @Slot()
    def _show_offer(self) -> None:
        recipes = self._recipes
        if recipes is None:
            return
        one = recipes.offered
        if one is not None:
            words = _("You opened a file with these columns before, “{shown}” ({clock}), and chose: {choices}.").format(
                shown=label_text(one.name, 40), clock=clock(one.when), choices="; ".join(one.words)
            )
            self.banner.say(words, State.INFO, (_("Use the same choices"), recipes.use))
        elif recipes.refusal:
            self.banner.say(recipes.refusal)
        else:
            self.banner.hide()

    def _columns(self) -> Columns:
        for bar in (self.read.verticalScrollBar(), self.file.verticalScrollBar()):
            # What the table has of room changes while the sentences above it are laid out.
            bar.rangeChanged.connect(self._see_sum)
            bar.actionTriggered.connect(self._on_scrolled)
        self.file_more = text("", "caption", "3")
        self.file_more.setContentsMargins(14, 9, 14, 9)
        self.read_caption = text("", "caption", "3")
        self.coverage = CoverageWindow(self.theme, self.session, self)
        self.show_coverage = button(_("Who rated what"), self.coverage.open_map, kind="link")
        self.filter = button(_("Only some rows"), self._choose_rows, kind="link")
        find = button(_("Find"), self.find_bar.begin, kind="link", name=_("Find in the table"))
        links = QWidget()
        flow, foot = Flow(links, gap=14, below=2), plain(margins=(14, 9, 14, 9)).add(links)
        for part in (find, self.filter, self.show_coverage):
            flow.addWidget(part)
        self.preview = text("", "consequence", wrap=True, rich=True)
        sentence = self.sound = Frame("sentence", margins=(14, 9, 14, 9)).add(self.preview)
        self.two = TwoReadings(self.theme)
        self.two.chosen.connect(self.ratings_decisions.fix)
        left = self._card(_("Your file"), text(_("left untouched"), "caption", "3"), self.file, self.file_more)
        middle = self._card(_("How we read it"), self.read_caption, self.two, sentence, self.find_bar, self.read, foot)
        right = QVBoxLayout()
        right.setSpacing(12)
        right.addWidget(self.categories_card)
        right.addWidget(self.checks, 1)
        side = QWidget()
        side.setLayout(right)
        right.setContentsMargins(0, 0, 0, 0)
        parts = ((left, 318, 220), (middle, 503, 300), (side, 336, 280))
        return Columns(self.theme, parts, narrow=860, low=(320, 320, 560), head=(self.sentence, self.chips))

    @staticmethod
    def _card(title: str, caption: QWidget, *parts: QWidget) -> Frame:
        card = Frame("card", margins=(1, 0, 1, 1), gap=0)
        head = plain(across=True, margins=(14, 9, 14, 9)).add(text(title, "card"))
        head.box.addStretch(1)
        card.add(head.add(caption), rule(), *parts)
        return card

    @Slot()
    def show_next(self, *, blocked: bool) -> None:
        """Say where the button leads: to the model, or to the first check that has to be answered before."""
        words = _("Go to the first check (F8)") if blocked else _("Choose the question")
        if words != self.next.text():
            self.next.setText(words)
            self.next.setAccessibleName(words)

    def refresh(self) -> None:
        """Show the document as it stands."""
        self.loading.setVisible(self.session.reading.running)
        project = self.session.document.project
        reading = project.reading
        if reading is None:
            self._shown = self._project = self._ratings = self._data = None
            return
        if project is self._project:
            return
        self._project = project
        self.error.hide()
        new = reading is not self._shown
        # Of many ratings there is enough to count in this turn.
        later = new and reading.as_read.rating_count >= MANY
        if new:
            # The rest and the picture of it all in later turns of the event loop: one would hold it up for too long.
            self.setUpdatesEnabled(False)
            acts = (self.chips.later.catch_up, self.checks.later.catch_up, self._show_rest, self._show_all)
            self._later(*((self._show_categories,) if later else ()), *acts)
            self._shown = reading
            self.sub.setText(reading.source.name)
        self.sentence.setText(_words_of(project))
        if project.all_classes is not self._ratings:
            self._ratings, self._preview = project.all_classes, None
            self._show_read(self._ratings, reading)
            if not later:
                self._show_categories()
            self.filter.setVisible(bool(self._ratings.covariates))
        # An answer or a note changes nothing here.
        if self.session.document.data != self._data:
            self._data = self.session.document.data
            self.two.show_project(project)
            for part in (self.chips, self.checks):
                (part.later.hold if later else part.show_project)(project)

    def _later(self, act: Callable[[], object], *others: Callable[[], object]) -> None:
        """Do one after the other, each in a turn of its own."""

        def in_turn() -> None:
            act()
            if others:
                self._later(*others)

        GUI_PRIORITY.later(self, in_turn)

    def _show_categories(self) -> None:
        if self._ratings is not None:
            self.categories_card.show_ratings(self._ratings)

    def _show_rest(self) -> None:
        if self._shown is not None:
            self._show_file(self._shown)

    def _show_all(self) -> None:
        self.setUpdatesEnabled(True)

    @Slot(object)
    def _on_stepped(self, steps: tuple[Step, ...]) -> None:
        """The first rows of a large file, while nothing else is open."""
        first = next((s.values["first"] for s in steps if s.values.get("first")), None)
        if first is not None and self.session.document.empty:
            widest = max(map(len, first))
            self.file.rows.show_rows([column_letter(j) for j in range(widest)], first)
            self.file.fill()
            self.sub.setText(self.session.file)

    def _show_file(self, reading: Reading) -> None:
        preview, source = reading.preview, reading.source
        widest = max((len(row) for row in preview.rows), default=0)
        heads = [row - 1 for row in source.header_rows]
        self.file.rows.show_rows([column_letter(j) for j in range(widest)], preview.rows, tinted=heads)
        self.file.rows.warn_of([row - 1 for finding in reading.findings for row in finding.rows])
        self.file.fill()
        more = max(source.rows + preview.first - 1 - len(preview.rows), 0)
        self.file_more.setText(ngettext("{more} more row", "{more} more rows", more).format(more=numbers.count(more)))
        self.file_more.setVisible(more > 0)

    @Slot(object)
    def _on_previewed(self, choice: KeyChoice | None) -> None:
        """Show what the ratings would be like with a choice; as they are where it changes nothing."""
        if self._ratings is None or self._shown is None:
            return
        shown = choice if choice is not None and choice.preview is not None else None
        if shown is not None and shown.preview is self._ratings:
            shown = None
        if shown is self._preview:
            return
        self._preview = shown
        if shown is None or shown.preview is None:
            self._show_read(self._ratings, self._shown)
            return
        self._show_read(shown.preview, self._shown)
        self.read_caption.setText(joined(_("As it would be."), self.read_caption.text()))
        self._show_sentence(shown.sentence)

    def _show_read(self, ratings: Ratings, reading: Reading) -> None:
        before = self.read.currentIndex()
        row, column, focused = before.row(), before.column(), self.read.hasFocus()
        at = self.read.verticalScrollBar().value()
        # Cases of 0 in a file of counts stand in the table as well: a 0 can be corrected.
        unrated = tuple(n for f in reading.findings if f.code == UNRATED for group in f.about for n in group)
        self.read.ratings.show_ratings(ratings, reading.as_read, reading.source.layout, unrated)
        self.read.fill()
        if focused and row >= 0:
            self.read.setCurrentIndex(self.read.rows.index(min(row, self.read.rows.rowCount() - 1), column))
        self.read.verticalScrollBar().setValue(at)
        missing = (
            _("none missing")
            if not reading.missing
            else _("{missing} missing").format(missing=numbers.count(reading.missing))
        )
        self.read_caption.setText(
            _("{rating_count} {ratings}, {missing}").format(
                rating_count=numbers.count(ratings.rating_count), missing=missing
            )
        )
        name, wrong = ("", "") if self._project is None else _sentence_of_sum(self._project)
        fresh, self._sum = name != self._sum, name
        self._show_sentence(wrong or _sentence_of(ratings, reading), right=not wrong)
        self.read.ratings.warn_of([ratings.subjects.index(name)] if name else [])
        if not name:
            self.file.rows.warn_of([])
            self.file.viewport().update()
        if fresh:
            self._sought = bool(name)
            self._see_sum()

    @Slot()
    def _see_sum(self) -> None:
        """Bring the row that is perhaps a sum into sight, in both tables, until somebody scrolls."""
        if not self._sought or not self._sum:
            return
        for table, row in ((self.read, self.read.ratings.last_warned), (self.file, self.file.rows.last_warned)):
            index = table.rows.index(row, 0)
            if index.isValid() and (table is self.file or index.data() == self._sum):
                table.scrollTo(index)

    @Slot()
    def _on_scrolled(self) -> None:
        self._sought = False

    def _show_sentence(self, sentence: str, *, right: bool = True) -> None:
        words = _("“{said}” Does that sound right?") if right else _("“{said}” That cannot be right: see the checks.")
        self.preview.setText(words.format(said=escape(say(sentence))) if sentence else "")
        role(self.sound, "sentence" if right else "wrong")
        self.sound.setVisible(bool(sentence))

    @Slot()
    def _on_noticed(self) -> None:
        if self._project is not None:
            self.checks.show_project(self._project)

    @Slot(str)
    def _go_to(self, place: str) -> None:
        """Show the part of the pane where the user decides something."""
        if place == "categories":
            rows = self.categories.rows
            if rows:
                rows[0].setFocus()
        elif place == "bands":
            self.categories_card.ask_bands()
        elif place == "known_by":
            self._ask_known_by()
        else:
            self.chips.open(place)

    def _ask_known_by(self) -> None:
        """Let the user write who wrote the known answers."""
        words = _("One sentence for the report: two experts, a biopsy, a later check.")
        project = self.session.document.project
        before = "" if project.reading is None else project.ratings.known_by
        text = line_of_text(self, _("Who wrote the known answers?"), words, before)
        if text is not None and text.strip():
            self.ratings_decisions.decide(
                _("Who wrote the known answers"), NameKeyAuthors(text.strip()), everywhere=True
            )

    @Slot(str, str, QPoint)
    def _show_menu(self, case: str, rater: str, at: QPoint) -> None:
        """What can be done with a case and a rater."""
        if self._ratings is not None:
            self.menu = RatingsMenu(self.ratings_decisions, self).of_cell(self._ratings, case, rater)
            popup(self.menu, at)

    def _choose_rows(self) -> None:
        """Choose which rows count."""
        if self._ratings is not None:
            self.menu = RatingsMenu(self.ratings_decisions, self).of_rows(self._ratings)
            popup(self.menu, self.filter.mapToGlobal(self.filter.rect().bottomLeft()))

    @Slot(int, int)
    def _on_too_many(self, rows: int, most: int) -> None:
        self.banner.say(
            _("{rows} rows are too many to copy at once; at most {most} can be. Select fewer of them.").format(
                rows=numbers.count(rows), most=numbers.count(most)
            )
        )

    @Slot(object, str)
    def _on_problem(self, error: TapdeskError, file: str) -> None:
        if not self.session.document.empty:
            self.error.show_error(error, file)


def _sentence_of(ratings: Ratings, reading: Reading) -> str:
    """One rating in words: that of the file as long as it is one, else another that is there by now."""
    read = reading.as_read
    if ratings is read or not read.subject.size or read.weight is not None:
        return reading.source.sentence
    entry = read.subject.size // 2
    case, rater = read.subjects[int(read.subject[entry])], read.raters[int(read.rater[entry])]
    label = read.classes[int(read.category[entry])]
    if case in ratings.subjects and rater in ratings.raters and label in ratings.classes:
        here = (ratings.subject == ratings.subjects.index(case)) & (ratings.rater == ratings.raters.index(rater))
        if (ratings.category[here] == ratings.classes.index(label)).any():
            return reading.source.sentence
    return one_rating(ratings) if ratings.raters_known else ""


def _sentence_of_sum(project: Project) -> tuple[str, str]:
    """The name of a row that is perhaps a sum, and one rating of it in words; empty once that was answered."""
    ratings = project.all_classes
    names = {n for f in blocking_findings(project) if f.code == "summary_row" for n in f.about[0]}
    sums = [i for i, name in enumerate(ratings.subjects) if name in names]
    if not sums or not ratings.raters_known or ratings.weight is not None:
        return "", ""
    return ratings.subjects[sums[0]], one_rating(ratings.keep(ratings.subject == sums[0]))


def _words_of(project: Project) -> str:
    """How the file was read, in sentences, as rich text."""
    words = " ".join(escape(say(sentence)) for sentence in words_now(project))
    return _("{words} Click a guess to change it.").format(words=words)
