"""The dataset pane: what was read, how, what to know about it, and the categories."""

from collections.abc import Callable
from html import escape

from PySide6.QtCore import QPoint, Slot
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from tapdesk.errors import TapdeskError
from tapdesk.gui.desk import Desk
from tapdesk.gui.dialogs import popup
from tapdesk.gui.document import Data
from tapdesk.gui.look.icons import State
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.on_screen import told
from tapdesk.gui.panes.pane import Pane
from tapdesk.gui.ratings_menu import RatingsMenu
from tapdesk.gui.reading.categories_card import CategoriesCard
from tapdesk.gui.reading.chips import ReadingChips
from tapdesk.gui.reading.coverage_window import Coverage
from tapdesk.gui.reading.editing import Editing
from tapdesk.gui.reading.find_bar import FindBar
from tapdesk.gui.reading.findings_list import FindingsList
from tapdesk.gui.reading.fixing import Fixing
from tapdesk.gui.reading.loading import Loading
from tapdesk.gui.reading.recipes import Recipes
from tapdesk.gui.reading.source_watch import SourceWatch
from tapdesk.gui.running.courtesy import FIRST
from tapdesk.gui.sayings import names_in
from tapdesk.gui.telling import clock
from tapdesk.gui.widgets.basic import Frame, button, plain, rule, text
from tapdesk.gui.widgets.columns import Columns
from tapdesk.gui.widgets.flow import Flow
from tapdesk.gui.widgets.ratings_table import RatingsTable
from tapdesk.gui.widgets.tables import Table
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.progress import Step
from tapdesk.project.project import Project
from tapdesk.ratings.checks.panel import UNRATED
from tapdesk.ratings.findings import shown
from tapdesk.ratings.grid import column_letter
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.report import numbers

MANY = 50_000  # ratings
WIDEST = 140  # A letterhead in the first cell would push the ratings out of sight.


class Dataset(Pane):
    """What was read, side by side with the file, the checks and the categories."""

    def __init__(self, theme: Theme, desk: Desk) -> None:
        super().__init__(theme, desk, _("Dataset"))
        self._shown: Reading | None = None
        self._project: Project | None = None
        self._recipes: Recipes | None = None
        self.menu: QMenu | None = None
        self._ratings: Ratings | None = None
        self._data: Data | None = None
        self.watch, self.fixing = SourceWatch(desk, self), Fixing(desk, self)
        self.next = button(_("Choose the question"), kind="primary")
        self.head.addStretch(1)
        self.head.addWidget(self.next)
        self.sentence = text("", "lead", wrap=True, rich=True)
        self.chips = ReadingChips(theme, desk)
        self.error.after(self.next)
        QWidget.setTabOrder(self.error.last, self.banner.last)
        self.chips.after(self.banner.last)
        self.loading = Loading(theme, desk)
        self.file = Table(theme, _("Your file"), numbered=True, widest=WIDEST)
        self.read = RatingsTable(theme, _("How we read it"))
        self.find = FindBar(theme, self.read)
        self.categories_card = CategoriesCard(theme, self.fixing)
        self.categories = self.categories_card.list
        self.checks = FindingsList(theme, self.fixing, self.watch)
        self.box.addWidget(self.loading)
        self.box.addWidget(self._columns(), 1)
        self.editing = Editing(self.read, self.fixing, self)
        self.read.too_many.connect(self._on_too_many)
        self.read.asked.connect(self._show_menu)
        self.error.again = desk.try_again
        self.fixing.refused.connect(self.error.show_error)
        self.fixing.shown.connect(self._go_to)
        desk.document.changed.connect(self.refresh)
        for signal in (desk.reading.started, desk.reading.cancelled, desk.reading.done, desk.reading.failed):
            signal.connect(self.refresh)
        desk.reading.stepped.connect(self._on_stepped)
        desk.problem.connect(self._on_problem)
        self.watch.told.connect(self._on_told)

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
                shown=shown(one.name, 40), clock=clock(one.when), choices="; ".join(one.words)
            )
            self.banner.say(words, State.INFO, (_("Use the same choices"), recipes.use))
        elif recipes.told:
            self.banner.say(recipes.told)
        else:
            self.banner.hide()

    def _columns(self) -> Columns:
        self.file_more = text("", "caption", "3")
        self.file_more.setContentsMargins(14, 9, 14, 9)
        self.read_caption = text("", "caption", "3")
        self.coverage = Coverage(self.theme, self.desk, self)
        self.show_coverage = button(_("Who rated what"), self.coverage.open_map, kind="link")
        self.filter = button(_("Only some rows"), self._choose_rows, kind="link")
        find = button(_("Find"), self.find.begin, kind="link", name=_("Find in the table"))
        links = QWidget()
        flow, foot = Flow(links, gap=14, below=2), plain(margins=(14, 9, 14, 9)).add(links)
        for part in (find, self.filter, self.show_coverage):
            flow.addWidget(part)
        self.preview = text("", "consequence", wrap=True, rich=True)
        said = Frame("sentence", margins=(14, 9, 14, 9)).add(self.preview)
        left = self._card(_("Your file"), text(_("left untouched"), "caption", "3"), self.file, self.file_more)
        middle = self._card(_("How we read it"), self.read_caption, said, self.find, self.read, foot)
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
    def refresh(self) -> None:
        """Show the document as it stands."""
        self.loading.setVisible(self.desk.reading.running)
        project = self.desk.document.project
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
            self.sentence.setText(_words_of(reading))
        if project.all_classes is not self._ratings:
            self._ratings = project.all_classes
            self._show_read(self._ratings, reading)
            if not later:
                self._show_categories()
            self.filter.setVisible(bool(self._ratings.covariates))
        # An answer or a note changes nothing here.
        if self.desk.document.data != self._data:
            self._data = self.desk.document.data
            for part in (self.chips, self.checks):
                (part.later.hold if later else part.show_project)(project)

    def _later(self, act: Callable[[], object], *others: Callable[[], object]) -> None:
        """Do one after the other, each in a turn of its own."""

        def in_turn() -> None:
            act()
            if others:
                self._later(*others)

        FIRST.later(self, in_turn)

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
        if first is not None and self.desk.document.empty:
            widest = max(map(len, first))
            self.file.rows.show_rows([column_letter(j) for j in range(widest)], first)
            self.file.fill()
            self.sub.setText(self.desk.file)

    def _show_file(self, reading: Reading) -> None:
        preview, source = reading.preview, reading.source
        widest = max((len(row) for row in preview.rows), default=0)
        heads = [row - 1 for row in source.header_rows]
        self.file.rows.show_rows([column_letter(j) for j in range(widest)], preview.rows, tinted=heads)
        self.file.fill()
        more = source.rows + preview.first - 1 - len(preview.rows)
        self.file_more.setText(ngettext("{more} more row", "{more} more rows", more).format(more=numbers.count(more)))
        self.file_more.setVisible(more > 0)

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
            _("{rating_count} ratings, {missing}").format(
                rating_count=numbers.count(ratings.rating_count), missing=missing
            )
        )
        said = reading.source.sentence
        self.preview.setText(_("“{said}” Does that sound right?").format(said=escape(said)) if said else "")
        self.preview.parentWidget().setVisible(bool(said))

    @Slot()
    def _on_told(self) -> None:
        if self._project is not None:
            self.checks.show_project(self._project)

    @Slot(str)
    def _go_to(self, place: str) -> None:
        """Show the part of the pane where the user decides something."""
        if place == "categories":
            rows = self.categories.rows
            if rows:
                rows[0].setFocus()
        else:
            self.chips.open(place)

    @Slot(str, str, QPoint)
    def _show_menu(self, case: str, rater: str, at: QPoint) -> None:
        """What can be done with a case and a rater."""
        if self._ratings is not None:
            self.menu = RatingsMenu(self.fixing, self).of_cell(self._ratings, case, rater)
            popup(self.menu, at)

    def _choose_rows(self) -> None:
        """Choose which rows count."""
        if self._ratings is not None:
            self.menu = RatingsMenu(self.fixing, self).of_rows(self._ratings)
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
        if not self.desk.document.empty:
            self.error.show_error(error, file)


def _words_of(reading: Reading) -> str:
    """How the file was read, in sentences, as rich text."""
    words = " ".join(escape(told(sentence, names_in(reading))) for sentence in reading.source.words)
    return _("{words} Click a guess to change it.").format(words=words)
