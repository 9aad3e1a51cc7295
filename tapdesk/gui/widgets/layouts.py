"""How widgets stand beside and below each other: in lines, in columns, folded away, in a window of the right size."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QLayout,
    QLayoutItem,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from tapdesk.gui.theme.icons import icon
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import text
from tapdesk.gui.widgets.focus import bring_into_view
from tapdesk.language import gettext as _

LEAST = 120
TITLE_BAR, EDGE = 40, 16  # pixels of the screen that the window's own frame takes


class Flow(QLayout):
    """Widgets in lines, each as wide as it wants to be, the low ones halfway up; ``below`` is the gap between lines."""

    def __init__(self, parent: QWidget, gap: int = 8, below: int | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self._below = gap if below is None else below
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Add an item at the end."""
        self._items.append(item)
        self._changed()

    def count(self) -> int:
        """Number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """One item, or None."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Take one item out, or None."""
        if not 0 <= index < len(self._items):
            return None
        self._changed()
        return self._items.pop(index)

    def _changed(self) -> None:
        """The height follows from the items: whoever remembers it must ask again."""
        self.invalidate()
        owner = self.parentWidget()
        if owner is not None:
            owner.updateGeometry()

    def expandingDirections(self) -> Qt.Orientation:
        """It takes no more room than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """The height follows from the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all lines at a width."""
        return self._place(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Place all items."""
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        """All items in one line."""
        hints = [item.sizeHint() for item in self._shown()]
        wide = sum(h.width() for h in hints) + self._gap * max(len(hints) - 1, 0)
        return QSize(wide, max((h.height() for h in hints), default=0))

    def minimumSize(self) -> QSize:
        """Every item can be squeezed into a line of its own."""
        high = max((item.minimumSize().height() for item in self._items), default=0)
        wide = max((min(item.minimumSize().width(), LEAST) for item in self._items), default=0)
        return QSize(wide, high)

    def _shown(self) -> list[QLayoutItem]:
        """The items that take room: a hidden one leaves no gap behind."""
        return [item for item in self._items if not item.isEmpty()]

    def _place(self, rect: QRect, *, move: bool) -> int:
        y = rect.y()
        for line in self._lines(max(rect.width(), 1)):
            x, high = rect.x(), max(hint.height() for _item, hint in line)
            for item, hint in line:
                if move:
                    item.setGeometry(QRect(QPoint(x, y + (high - hint.height()) // 2), hint))
                x += hint.width() + self._gap
            y += high + self._below
        return max(y - self._below - rect.y(), 0)

    def _lines(self, wide: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        """The items of each line with their sizes."""
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        used = wide
        for item in self._shown():
            hint = item.sizeHint()
            if hint.width() > wide:
                hint = QSize(wide, item.heightForWidth(wide) if item.hasHeightForWidth() else hint.height())
            if not lines or used + self._gap + hint.width() > wide:
                lines.append([])
                used = -self._gap
            lines[-1].append((item, hint))
            used += self._gap + hint.width()
        return lines


class Columns(QScrollArea):
    """Widgets in columns.

    Parameters
    ----------
    parts
        Each widget with its share of the width and its smallest width in pixels at 100 % text.
    narrow
        Below this width (at 100 % text) they stand below each other.
    low
        The height each of them gets at least when they do.
    head
        Widgets above all columns, which scroll with them: large words would leave no room below.
    """

    def __init__(
        self,
        theme: Theme,
        parts: Sequence[tuple[QWidget, int, int]],
        *,
        narrow: int,
        low: Sequence[int] = (),
        head: Sequence[QWidget] = (),
    ) -> None:
        super().__init__()
        self._theme, self._parts, self._narrow = theme, parts, narrow
        self._low = low or [0] * len(parts)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        inside = QWidget()
        inside.setProperty("role", "scrolled")
        whole = QBoxLayout(QBoxLayout.Direction.TopToBottom, inside)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(12)
        for widget in head:
            whole.addWidget(widget)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._box.setSpacing(14)
        whole.addLayout(self._box, 1)
        for widget, share, _least in parts:
            self._box.addWidget(widget, share)
        self.setWidget(inside)
        theme.changed.connect(self._arrange)
        self._arrange()

    @property
    def side_by_side(self) -> bool:
        """Whether the columns stand beside each other."""
        return self._box.direction() is QBoxLayout.Direction.LeftToRight

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange for the new width."""
        self._arrange()
        super().resizeEvent(event)

    def _arrange(self) -> None:
        holds = self.width() >= self._theme.px(self._narrow)
        way = QBoxLayout.Direction.LeftToRight if holds else QBoxLayout.Direction.TopToBottom
        self._box.setDirection(way)
        for i, ((widget, share, least), low) in enumerate(zip(self._parts, self._low, strict=True)):
            fixed = holds and share == 0
            widget.setMinimumWidth(self._theme.px(least) if holds else 0)
            widget.setMaximumWidth(self._theme.px(least) if fixed else 16_777_215)
            widget.setMinimumHeight(0 if holds else self._theme.px(low))
            # Height nobody asks for goes to the last one: between the others it would be a gap.
            self._box.setStretch(i, share if holds else int(i == len(self._parts) - 1))


class Pages(QStackedWidget):
    """Pages of which one is seen; it is as high as that one wants to be, whatever the others hold."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """What the page that is seen wants at this width."""
        page = self.currentWidget()
        return super().sizeHint() if page is None else self._high(page, page.sizeHint())

    def minimumSizeHint(self) -> QSize:
        """What the page that is seen needs at this width."""
        page = self.currentWidget()
        return super().minimumSizeHint() if page is None else self._high(page, page.minimumSizeHint())

    def hasHeightForWidth(self) -> bool:
        """No: a layout would not ask this widget then, but all its pages; a new width is told by asking anew."""
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Words are higher where they are narrower."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _high(self, page: QWidget, size: QSize) -> QSize:
        if page.hasHeightForWidth() and self.width():
            size = QSize(size.width(), page.heightForWidth(self.width()))
        return size.expandedTo(page.minimumSize())


class Fold(QWidget):
    """A line with an arrow; a press shows or hides what is below it.

    Attributes
    ----------
    opened
        Emitted with whether it is open now.
    """

    opened = Signal(bool)

    def __init__(self, theme: Theme, title: str, inside: QWidget) -> None:
        super().__init__()
        self._theme, self.inside = theme, inside
        self.head = QPushButton(title)
        self.head.setProperty("kind", "link")
        self.head.setCheckable(True)
        self.head.setAutoDefault(False)
        self.head.setAccessibleName(title)
        self.head.setCursor(Qt.CursorShape.PointingHandCursor)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.head, 0, Qt.AlignmentFlag.AlignLeft)
        box.addWidget(inside)
        inside.hide()
        self.head.toggled.connect(self._on_toggled)
        theme.changed.connect(self._dress)
        self._dress()

    @property
    def is_open(self) -> bool:
        """Whether what is inside is shown."""
        return self.head.isChecked()

    def open(self, *, on: bool = True) -> None:
        """Show or hide what is inside."""
        self.head.setChecked(on)

    @Slot(bool)
    def _on_toggled(self, on: bool) -> None:
        self.inside.setVisible(on)
        self.head.setAccessibleDescription(_("Open") if on else _("Closed"))
        self._dress()
        if on:
            bring_into_view(self)
        self.opened.emit(on)

    @Slot()
    def _dress(self) -> None:
        side = self._theme.px(14)
        self.head.setIcon(icon("down" if self.is_open else "right", self._theme, "accent", side))
        self.head.setIconSize(QSize(side, side))
        self.head.setMinimumHeight(self._theme.px(24))


class WindowSize(QObject):
    """Gives a window a size (in pixels at 100 % text), now and whenever the text size changes."""

    def __init__(self, window: QWidget, theme: Theme, wide: int, high: int) -> None:
        super().__init__(window)
        self._window, self._theme, self._wanted = window, theme, (wide, high)
        self._scale = 0
        theme.changed.connect(self._fit)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        # Another look changes no size, nor one the user has chosen.
        if self._scale != self._theme.scale:
            self._scale = self._theme.scale
            room = self._window.screen().availableGeometry().size() - QSize(EDGE, TITLE_BAR)
            self._window.resize(QSize(*map(self._theme.px, self._wanted)).boundedTo(room))


class TitleLine(QWidget):
    """A title and a few words about what is below."""

    def __init__(self) -> None:
        super().__init__()
        flow = Flow(self, gap=10)
        self._title, self._about = text("", "card", wrap=True), text("", "caption", "3", wrap=True)
        flow.addWidget(self._title)
        flow.addWidget(self._about)

    def say(self, title: str, about: str) -> None:
        """Show title and words."""
        self._title.setText(title)
        self._about.setText(about)
