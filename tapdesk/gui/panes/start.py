"""The dataset pane while nothing is open: three ways in, shapes that will do, examples."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from tapdesk.gui.keeping.recent import Recent
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.on_screen import told as as_here
from tapdesk.gui.panes.going_on import GoingOn
from tapdesk.gui.widgets.basic import Frame, button, plain, rule, scrolled, text
from tapdesk.gui.widgets.messages import ErrorCard
from tapdesk.gui.widgets.start_cards import ActionCard, Shape
from tapdesk.language import gettext as _
from tapdesk.project.files.autosave import UnsavedWork
from tapdesk.ratings.samples import SAMPLES, Sample

WIDEST = 1128
NARROW = 760

SHAPES: tuple[tuple[str, str, tuple[tuple[str, ...], ...]], ...] = (
    (
        _("One column per rater"),
        _("one row per case"),
        (
            (_("Wine"), _("Ana"), _("Ben"), _("Carla")),
            ("W01", _("Silver"), _("Silver"), _("Bronze")),
            ("W02", _("Gold"), _("Silver"), _("Silver")),
            ("W03", _("No medal"), "", _("Bronze")),
        ),
    ),
    (
        _("One row per rating"),
        _("any number of ratings per case"),
        (
            (_("Wine"), _("Judge"), _("Medal")),
            ("W01", _("Ana"), _("Silver")),
            ("W01", _("Ben"), _("Silver")),
            ("W02", _("Ana"), _("Gold")),
        ),
    ),
    (
        _("Counts"),
        _("raters not named"),
        (
            (_("Wine"), "No", _("Bronze"), _("Silver"), _("Gold")),
            ("W01", "0", "1", "2", "0"),
            ("W02", "0", "0", "2", "1"),
            ("W03", "1", "1", "0", "0"),
        ),
    ),
)


class Start(QWidget):
    """What stands in the dataset pane while nothing is open."""

    def __init__(
        self,
        theme: Theme,
        open_file: Callable[[], object],
        open_sample: Callable[[str], object],
        paste: Callable[[], object],
    ) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName(_("Start"))
        self.error = ErrorCard(theme)
        self.going_on = GoingOn(theme, open_file)
        self._examples_grid, self._rows = QGridLayout(), [self._example(row, open_sample) for row in SAMPLES]
        inside = QWidget()
        middle = QWidget()
        middle.setMaximumWidth(WIDEST)
        across = QHBoxLayout(inside)
        across.setContentsMargins(20, 34, 20, 20)
        across.addStretch(1)
        across.addWidget(middle, 1000)
        across.addStretch(1)
        box = QVBoxLayout(middle)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(14)
        box.addWidget(self.error)
        box.addWidget(self._greeting())
        self.ways = self._ways_in(theme, (open_file, paste, lambda: open_sample("jury")))
        box.addWidget(self.ways)
        self._shapes_grid, self._columns = QGridLayout(), self._shapes_drawn(theme)
        card = Frame("card", margins=(18, 14, 18, 18), gap=10).add(text(_("Any of these shapes will do"), "card"))
        card.box.addLayout(self._shapes_grid)
        box.addWidget(card)
        self._lists = plain(across=True, gap=14).add(self.going_on, self._examples())
        self._lists.box.setAlignment(self.going_on, Qt.AlignmentFlag.AlignTop)
        box.addWidget(self._lists)
        box.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scrolled(inside))
        theme.changed.connect(self._arrange)
        self._arrange()

    @staticmethod
    def _greeting() -> Frame:
        """What the program is for."""
        lead = _(
            "Bring a sheet of ratings. tapdesk reads it, checks it with you, and ends with a report your committee can "
            "sign."
        )
        title = text(_("How well do your raters agree?"), "start", wrap=True)
        return plain(gap=2, margins=(0, 0, 0, 4)).add(title, text(lead, "lead", "2", wrap=True))

    @property
    def narrow(self) -> bool:
        """Whether there is no room for cards and shapes beside each other."""
        return self.width() < self._theme.px(NARROW)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange for the new width."""
        self._arrange()
        super().resizeEvent(event)

    @Slot()
    def _arrange(self) -> None:
        """Cards, shapes and lists beside each other where there is room, below each other where there is not."""
        narrow = self.narrow
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        for row in (self.ways, self._lists):
            row.box.setDirection(way)
        for card in self.ways.findChildren(ActionCard):
            card.lie(low=narrow)
        self._lists.box.setStretch(0, 0 if narrow else 575)
        self._lists.box.setStretch(1, 0 if narrow else 500)
        grid = self._shapes_grid
        grid.setHorizontalSpacing(34)
        grid.setVerticalSpacing(18)
        for i, column in enumerate(self._columns):
            grid.removeWidget(column)
            grid.addWidget(column, i if narrow else 0, 0 if narrow else i)
        self._lay_examples()

    def show_going_on(self, left_over: Sequence[UnsavedWork], recents: Sequence[Recent]) -> None:
        """Offer what can be gone on with; the examples stand beside it, or have the whole width."""
        before = self.going_on.isHidden()
        self.going_on.show_rows(left_over, recents)
        if self.going_on.isHidden() is not before:
            self._lay_examples()

    @staticmethod
    def _ways_in(theme: Theme, acts: tuple[Callable[[], object], ...]) -> Frame:
        words = (
            (
                "open",
                (_("Open a spreadsheet"), _("Excel or CSV, or a project"), _("Ctrl+O, or drop a file anywhere here")),
            ),
            ("paste", (_("Paste ratings"), _("Copy cells from any sheet and paste them here"), "Ctrl+V")),
            (
                "example",
                (_("Try an example"), _("A simulated jury: see what you will get, in half a minute"), "Ctrl+E"),
            ),
        )
        row = plain(across=True, gap=14)
        for (picture, told), act in zip(words, acts, strict=True):
            card = ActionCard(theme, picture, told, first=picture == "open")
            card.clicked.connect(lambda _on=False, act=act: act())
            row.add(card)
        return row

    @staticmethod
    def _shapes_drawn(theme: Theme) -> list[Frame]:
        """Each shape of a sheet under its name."""
        made = []
        for title, about, rows in SHAPES:
            column = plain(gap=0).add(text(title, "strong"), text(about, "caption", "3"))
            column.box.addSpacing(8)
            made.append(column.add(Shape(theme, title, rows)))
        return made

    def _examples(self) -> Frame:
        card = Frame("card", margins=(0, 0, 0, 0), gap=0)
        title: QLabel = text(_("Examples"), "card")
        self.tour = button(_("Take the tour: two minutes"), kind="link")
        head = plain(across=True, margins=(14, 9, 14, 9)).add(title)
        head.box.addStretch(1)
        card.add(head.add(self.tour))
        self._examples_grid.setSpacing(0)
        self._lay_examples()
        card.box.addLayout(self._examples_grid)
        card.box.addStretch(1)
        return card

    def _lay_examples(self) -> None:
        columns = 2 if self.going_on.isHidden() and not self.narrow else 1
        grid = self._examples_grid
        for i, row in enumerate(self._rows):
            grid.removeWidget(row)
            grid.addWidget(row, i // columns, i % columns)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, columns - 1)

    @staticmethod
    def _example(row: Sample, open_sample: Callable[[str], object]) -> Frame:
        line = plain(gap=0)
        words = plain(gap=0).add(
            text(row.title, "strong", wrap=True), text(as_here(row.about), "caption", "3", wrap=True)
        )
        words.box.addStretch(1)
        name = row.name
        link = button(
            _("Open"),
            lambda: open_sample(name),
            kind="link",
            name=_("Open the example {title}").format(title=row.title),
        )
        inner = plain(across=True, gap=12, margins=(14, 5, 14, 5)).add(words, link)
        inner.box.setStretch(0, 1)
        return line.add(rule(), inner)
