"""The dataset pane while nothing is open: three ways in, shapes that will do, examples."""

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tapdesk.answers import numbers
from tapdesk.gui.shell.recents import RecentProject, ago
from tapdesk.gui.shell.status_texts import clock
from tapdesk.gui.theme.icons import Glyph, paint
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Frame, button, clear, plain, rule, scroll_area, text
from tapdesk.gui.widgets.messages import ErrorCard
from tapdesk.language import gettext as _
from tapdesk.language import say
from tapdesk.project.files.autosave import UnsavedWork
from tapdesk.ratings.samples import SAMPLES, Sample

SHOWN = 4
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
            ("W03", _("No"), "", _("Bronze")),
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
    (
        _("Two raters crossed"),
        _("a table of counts, as papers print it"),
        (
            ("A \\ B", _("normal"), _("benign"), _("cancer")),
            (_("normal"), "41", "6", "1"),
            (_("benign"), "5", "28", "3"),
            (_("cancer"), "0", "2", "14"),
        ),
    ),
)


class ProjectList(Frame):
    """A card with a row for each; hidden while there is none.

    Attributes
    ----------
    opened
        A project file is wanted, by its path.
    taken_up, discarded
        Unsaved work is wanted, or not.
    """

    opened = Signal(str)
    taken_up = Signal(UnsavedWork)
    discarded = Signal(UnsavedWork)

    def __init__(self, theme: Theme, other: Callable[[], object]) -> None:
        super().__init__("card", margins=(0, 0, 0, 0), gap=0)
        self._theme = theme
        self._shown: tuple[Sequence[UnsavedWork], Sequence[RecentProject]] = ((), ())
        title = text(_("Continue"), "card")
        title.setContentsMargins(14, 9, 14, 9)
        self.rows = plain(gap=0)
        more = button(_("Other project…"), other, kind="link")
        foot = plain(across=True, margins=(14, 9, 14, 9)).add(more)
        foot.box.addStretch(1)
        self.add(title, self.rows, rule(), foot)
        self.hide()

    def show_rows(self, left_over: Sequence[UnsavedWork], recents: Sequence[RecentProject]) -> None:
        """Show unsaved work first, then the last projects."""
        if self._shown == (left_over, recents):
            return
        self._shown = (left_over, recents)
        clear(self.rows.box)
        for recovery in left_over:
            self.rows.add(rule(), self._recovery(recovery))
        for recent in recents[:SHOWN]:
            self.rows.add(rule(), self._recent(recent))
        self.setVisible(bool(left_over or recents))

    def _recovery(self, recovery: UnsavedWork) -> QWidget:
        name = recovery.document.stem if recovery.document is not None else recovery.title or _("Untitled")
        when = _("from {clock}, not saved").format(clock=clock(recovery.when)) if recovery.when else _("not saved")
        links = plain(across=True, gap=14).add(
            button(
                _("Open"),
                lambda: self.taken_up.emit(recovery),
                kind="link",
                name=_("Open {name}, {when}").format(name=name, when=when),
            ),
            button(
                _("Discard"),
                lambda: self.discarded.emit(recovery),
                kind="link",
                name=_("Discard {name}, {when}").format(name=name, when=when),
            ),
        )
        return self._row("mark-know", "know", (name, f"{when[:1].upper()}{when[1:]}"), links)

    def _recent(self, recent: RecentProject) -> QWidget:
        when = ago(recent.when, datetime.now().astimezone())
        path = recent.path
        link = button(
            _("Open"),
            lambda: self.opened.emit(path),
            kind="link",
            name=_("Open {name}, {when}").format(name=recent.name, when=when),
        )
        link.setToolTip(path)
        side = plain(across=True, gap=14).add(text(when, "caption", "3"), link)
        return self._row("table", "text2", (recent.name, say(recent.about)), side)

    def _row(self, picture: str, tint: str, words: tuple[str, str], side: QWidget) -> Frame:
        sentence = plain(gap=0).add(
            text(numbers.short(words[0], 60), "strong", wrap=True), text(words[1], "caption", "3", wrap=True)
        )
        row = plain(across=True, gap=14, margins=(14, 5, 14, 5)).add(
            Glyph(self._theme, picture, tint, 16), sentence, side
        )
        row.box.setStretch(1, 1)
        return row


class ActionCard(QAbstractButton):
    """A large card that is a button: picture, what it does, what it takes, and its key."""

    def __init__(self, theme: Theme, picture: str, words: tuple[str, str, str], *, first: bool = False) -> None:
        super().__init__()
        self._theme, self._picture, self._first = theme, picture, first
        self._low = False
        title, about, key = words
        self.setAccessibleName(title)
        self.setAccessibleDescription(f"{about}. {key}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._box = QVBoxLayout(self)
        self._box.setSpacing(2)
        labels = (text(title, "action"), text(about, "body", "2", wrap=True), text(key, "caption", "3", wrap=True))
        for label in labels:
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._box.addWidget(label)
            if label is labels[1]:
                self._box.addStretch(1)
        theme.changed.connect(self._dress)
        self._dress()

    def lie(self, *, low: bool) -> None:
        """Have the words beside the picture, where cards stand below each other, or under it."""
        if low is not self._low:
            self._low = low
            self._dress()

    def _dress(self) -> None:
        side = self._theme.px(40)
        if self._low:
            self._box.setContentsMargins(20 + side + 16, 16, 20, 14)
        else:
            self._box.setContentsMargins(20, 20 + side + 14, 20, 16)
        self.setMinimumHeight(self._high())
        self.updateGeometry()
        self.update()

    def _high(self) -> int:
        return self._theme.px(84 if self._low else 172)

    def sizeHint(self) -> QSize:
        """As the picture of the pane has it."""
        return QSize(self._theme.px(240), self._high())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw card and picture."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        strong = self._first or self.underMouse()
        painter.setPen(QPen(self._theme.colour("accent" if strong else "line"), 1.5 if self._first else 1))
        painter.setBrush(self._theme.colour("surface"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75), 6, 6)
        side = self._theme.px(40)
        tile = QRectF(20, 16 if self._low else 20, side, side)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("soft" if self._first else "sunken"))
        painter.drawRoundedRect(tile, 6, 6)
        inset = side * 0.2
        tint = "accent" if self._first else "text2"
        paint(painter, tile.adjusted(inset, inset, -inset, -inset), self._picture, self._theme, tint)
        painter.end()


class TableSketch(QWidget):
    """A small drawn sheet that shows a shape of data."""

    def __init__(self, theme: Theme, title: str, rows: tuple[tuple[str, ...], ...]) -> None:
        super().__init__()
        self._theme, self._rows = theme, rows
        self.setAccessibleName(_("Example of a sheet: {title}").format(title=title))
        self.setAccessibleDescription("; ".join(", ".join(row) for row in rows))
        theme.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        self.setFixedHeight(self._theme.px(22) * len(self._rows) + 2)
        self.setMinimumWidth(self._theme.px(200))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the sheet."""
        del event
        theme, painter = self._theme, QPainter(self)
        columns, high = len(self._rows[0]), theme.px(22)
        wide = (self.width() - 1) / columns
        painter.fillRect(QRectF(0, 0, self.width(), high), theme.colour("sunken"))
        painter.setPen(QPen(theme.colour("line"), 1))
        for i in range(len(self._rows) + 1):
            painter.drawLine(0, i * high, self.width() - 1, i * high)
        for j in range(columns + 1):
            painter.drawLine(round(j * wide), 0, round(j * wide), high * len(self._rows))
        painter.setFont(theme.font(11.5))
        for i, row in enumerate(self._rows):
            painter.setPen(theme.colour("text2" if i == 0 else "text"))
            for j, cell in enumerate(row):
                place = QRectF(j * wide + 7, i * high, wide - 10, high)
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, cell)
        painter.end()


class StartPane(QWidget):
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
        self.going_on = ProjectList(theme, open_file)
        self._examples_grid = QGridLayout()
        self._rows = [self._example(row, open_sample) for row in SAMPLES if row.offered]
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
        outer.addWidget(scroll_area(inside))
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

    def show_going_on(self, left_over: Sequence[UnsavedWork], recents: Sequence[RecentProject]) -> None:
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
                (
                    _("Open a spreadsheet"),
                    _("Excel, LibreOffice, CSV, SPSS or Stata, or a project"),
                    _("Ctrl+O, or drop a file anywhere here"),
                ),
            ),
            ("paste", (_("Paste ratings"), _("Copy cells from any sheet and paste them here"), "Ctrl+V")),
            (
                "example",
                (_("Try an example"), _("A simulated jury: see what you will get, in half a minute"), "Ctrl+E"),
            ),
        )
        row = plain(across=True, gap=14)
        for (picture, sentence), act in zip(words, acts, strict=True):
            card = ActionCard(theme, picture, sentence, first=picture == "open")
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
            made.append(column.add(TableSketch(theme, title, rows)))
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
        words = plain(gap=0).add(text(row.title, "strong", wrap=True), text(say(row.about), "caption", "3", wrap=True))
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
