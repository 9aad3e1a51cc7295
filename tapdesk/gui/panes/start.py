"""The dataset pane while nothing is open: three ways in, shapes that will do, examples."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from tapdesk.gui.keeping.recent import Recent
from tapdesk.gui.look.icons import paint
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.panes.going_on import GoingOn
from tapdesk.gui.widgets.basic import Frame, button, plain, rule, scrolled, text
from tapdesk.gui.widgets.messages import ErrorCard
from tapdesk.language import gettext as _
from tapdesk.project.files.autosave import Recovery
from tapdesk.ratings.samples import SAMPLES, Sample

WIDEST = 1128

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


class ActionCard(QAbstractButton):
    """A large card that is a button: picture, what it does, what it takes, and its key."""

    def __init__(self, theme: Theme, picture: str, words: tuple[str, str, str], *, first: bool = False) -> None:
        super().__init__()
        self._theme, self._picture, self._first = theme, picture, first
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

    def _dress(self) -> None:
        side = self._theme.px(40)
        self._box.setContentsMargins(20, 20 + side + 14, 20, 16)
        self.setMinimumHeight(self._theme.px(172))
        self.update()

    def sizeHint(self) -> QSize:
        """As the picture of the pane has it."""
        return QSize(self._theme.px(240), self._theme.px(172))

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
        tile = QRectF(20, 20, side, side)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("soft" if self._first else "sunken"))
        painter.drawRoundedRect(tile, 6, 6)
        inset = side * 0.2
        tint = "accent" if self._first else "text2"
        paint(painter, tile.adjusted(inset, inset, -inset, -inset), self._picture, self._theme, tint)
        painter.end()


class Shape(QWidget):
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
        box.addWidget(
            plain(gap=2, margins=(0, 0, 0, 4)).add(
                text(_("How well do your raters agree?"), "start", wrap=True),
                text(
                    _(
                        "Bring a sheet of ratings. tapdesk reads it, checks it with you, and ends with a report "
                        "your committee can sign."
                    ),
                    "lead",
                    "2",
                    wrap=True,
                ),
            )
        )
        box.addWidget(self._ways_in(theme, (open_file, paste, lambda: open_sample("jury"))))
        box.addWidget(self._shapes(theme))
        lists = plain(across=True, gap=14).add(self.going_on, self._examples())
        lists.box.setAlignment(self.going_on, Qt.AlignmentFlag.AlignTop)
        lists.box.setStretch(0, 575)
        lists.box.setStretch(1, 500)
        box.addWidget(lists)
        box.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scrolled(inside))

    def show_going_on(self, left_over: Sequence[Recovery], recents: Sequence[Recent]) -> None:
        """Offer what can be gone on with; the examples stand beside it, or have the whole width."""
        before = self.going_on.isHidden()
        self.going_on.show_rows(left_over, recents)
        if self.going_on.isHidden() is not before:
            self._lay_examples()

    @staticmethod
    def _ways_in(theme: Theme, acts: tuple[Callable[[], object], ...]) -> QWidget:
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

    def _shapes(self, theme: Theme) -> Frame:
        card = Frame("card", margins=(18, 14, 18, 18), gap=10)
        card.add(text(_("Any of these shapes will do"), "card"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(34)
        for i, (title, about, rows) in enumerate(SHAPES):
            column = plain(gap=0).add(text(title, "strong"), text(about, "caption", "3"))
            column.box.addSpacing(8)
            column.add(Shape(theme, title, rows))
            grid.addWidget(column, 0, i)
        card.box.addLayout(grid)
        return card

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
        columns = 2 if self.going_on.isHidden() else 1
        grid = self._examples_grid
        for i, row in enumerate(self._rows):
            grid.removeWidget(row)
            grid.addWidget(row, i // columns, i % columns)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, columns - 1)

    @staticmethod
    def _example(row: Sample, open_sample: Callable[[str], object]) -> Frame:
        line = plain(gap=0)
        words = plain(gap=0).add(text(row.title, "strong", wrap=True), text(row.about, "caption", "3", wrap=True))
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
