"""Text, frames and plain controls."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tapdesk.gui.look.icons import icon, paint
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.push_button import PushButton
from tapdesk.gui.widgets.rich import Rich

BOX = 15


def text(words: str = "", kind: str = "body", tone: str = "", *, wrap: bool = False, rich: bool = False) -> QLabel:
    """A label of a type role and a tone (qss.py); plain text unless ``rich``, so no file can smuggle markup in."""
    label = Rich(words) if rich else QLabel(words)
    label.setTextFormat(Qt.TextFormat.RichText if rich else Qt.TextFormat.PlainText)
    label.setProperty("type", kind)
    if tone:
        label.setProperty("tone", tone)
    if wrap:
        label.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        label.setSizePolicy(policy)
    return label


def tone(label: QLabel, name: str) -> None:
    """Change the tone of a label."""
    if label.property("tone") != name:
        label.setProperty("tone", name)
        label.style().unpolish(label)
        label.style().polish(label)


def role(frame: QFrame, name: str) -> None:
    """Change the role of a frame, and so its ground and edge."""
    if frame.property("role") != name:
        frame.setProperty("role", name)
        frame.style().unpolish(frame)
        frame.style().polish(frame)


class Frame(QFrame):
    """A frame with a role (``card``, ``stop``, ``rail`` ...) and a layout of its own."""

    def __init__(
        self,
        name: str = "card",
        *,
        across: bool = False,
        margins: tuple[int, int, int, int] = (14, 11, 14, 10),
        gap: int = 8,
    ) -> None:
        super().__init__()
        self.setProperty("role", name)
        self.box: QBoxLayout = QHBoxLayout(self) if across else QVBoxLayout(self)
        self.box.setContentsMargins(*margins)
        self.box.setSpacing(gap)

    def add(self, *widgets: QWidget) -> "Frame":
        """Add widgets at the end."""
        for widget in widgets:
            self.box.addWidget(widget)
        return self


def plain(*, across: bool = False, gap: int = 8, margins: tuple[int, int, int, int] = (0, 0, 0, 0)) -> Frame:
    """A frame without ground or edge, to hold others."""
    return Frame("none", across=across, margins=margins, gap=gap)


def rule(*, upright: bool = False) -> QFrame:
    """A line of one pixel."""
    line = QFrame()
    line.setProperty("role", "rule")
    if upright:
        line.setFixedWidth(1)
    else:
        line.setFixedHeight(1)
    return line


def button(
    words: str, act: Callable[[], object] | None = None, *, kind: str = "", small: bool = False, name: str = ""
) -> QPushButton:
    """A push button; ``kind`` is empty, ``primary`` or ``link``; ``act`` a bound method of a widget."""
    made = PushButton(words)
    if kind:
        made.setProperty("kind", kind)
    if small:
        made.setProperty("size", "small")
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    made.setAccessibleName(name or words.replace("&", ""))
    made.setAutoDefault(False)
    made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    if act is not None:
        made.clicked.connect(lambda _on=False: act())
    return made


class ToolIcon(QToolButton):
    """A small button that is only an icon; its words are its tool tip and accessible name."""

    def __init__(self, theme: Theme, picture: str, words: str, act: Callable[[], object]) -> None:
        super().__init__()
        self._theme, self._picture = theme, picture
        self.setToolTip(words)
        self.setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(lambda _on=False: act())
        theme.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        side = self._theme.px(16)
        self.setIcon(icon(self._picture, self._theme, "text2", side))
        self.setIconSize(QSize(side, side))


def tick_box(painter: QPainter, theme: Theme, at: QRectF, *, on: bool, enabled: bool) -> None:
    """Draw the box of a tick."""
    edge = "accent" if on and enabled else "control" if enabled else "line"
    painter.setPen(QPen(theme.colour(edge), 1.5))
    painter.setBrush(theme.colour("accent" if on and enabled else "surface"))
    painter.drawRoundedRect(at.adjusted(0.75, 0.75, -0.75, -0.75), 3, 3)
    if on:
        paint(painter, at, "tick", theme, "onaccent" if enabled else "off")


class Tick(QCheckBox):
    """A check box with our own box."""

    def __init__(self, theme: Theme, words: str, kind: str = "body") -> None:
        super().__init__(words)
        self._theme = theme
        self.setProperty("type", kind)
        self.setAccessibleName(words)

    def sizeHint(self) -> QSize:
        """The box, the gap and the words."""
        metrics = self.fontMetrics()
        side = self._theme.px(BOX)
        return QSize(side + 8 + metrics.horizontalAdvance(self.text()), max(side, metrics.height()) + 4)

    def hitButton(self, position: object) -> bool:
        """The words belong to the box."""
        del position
        return True

    def paintEvent(self, event: object) -> None:
        """Draw box and words."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = self._theme.px(BOX)
        top = (self.height() - side) / 2
        tick_box(painter, self._theme, QRectF(0, top, side, side), on=self.isChecked(), enabled=self.isEnabled())
        painter.setPen(self._theme.colour("text" if self.isEnabled() else "off"))
        painter.drawText(
            QRectF(side + 6, 0, self.width() - side - 6, self.height()), Qt.AlignmentFlag.AlignVCenter, self.text()
        )
        painter.end()


class Choice(QComboBox):
    """A combo box with our own arrow; the wheel changes nothing by accident."""

    def __init__(self, theme: Theme, name: str, rows: tuple[tuple[str, object], ...], width: int = 0) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName(name)
        self.view().setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for words, value in rows:
            self.addItem(words, value)
        self._wide = width
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        self.setMinimumWidth(self._theme.px(self._wide))

    def choose(self, value: object) -> None:
        """Show the row with a value; nothing is emitted."""
        rows = [i for i in range(self.count()) if self.itemData(i) == value]
        if rows and rows[0] != self.currentIndex():
            self.blockSignals(True)
            self.setCurrentIndex(rows[0])
            self.blockSignals(False)

    def shown_in(self, room: int) -> str:
        """The chosen words as they stand in so many pixels: what is left out is told by an ellipsis."""
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the pane."""
        event.ignore()

    def paintEvent(self, event: object) -> None:
        """Draw the box, as many of its words as there is room for, and the arrow."""
        del event
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        box, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(box, option, field, self).width()
        option.currentText = self.shown_in(room)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        side = self._theme.px(14)
        place = QRectF(self.width() - side - 8, (self.height() - side) / 2, side, side)
        paint(painter, place, "down", self._theme, "text3")
        painter.end()


class Bar(QProgressBar):
    """A progress bar that is quick to draw: a style sheet would slow it down."""

    def __init__(self, theme: Theme, name: str, height: int = 10) -> None:
        super().__init__()
        self._theme, self._high = theme, height
        self.setTextVisible(False)
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        self.setFixedHeight(self._theme.px(self._high))

    def setValue(self, value: int) -> None:
        """Show a value at the next turn of the event loop, not at once with all that waits to be drawn as well."""
        self.setUpdatesEnabled(False)
        super().setValue(value)
        self.setUpdatesEnabled(True)

    def paintEvent(self, event: object) -> None:
        """Draw trough and bar; without a known end the bar is empty."""
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colour("sunken"))
        span = self.maximum() - self.minimum()
        share = (self.value() - self.minimum()) / span if span > 0 else 0.0
        painter.fillRect(QRectF(0, 0, self.width() * share, self.height()), self._theme.colour("accent"))
        painter.setPen(QPen(self._theme.colour("control"), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()


def scrolled(inside: QWidget) -> QScrollArea:
    """A scroll area without frame or ground around a widget."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    inside.setProperty("role", "scrolled")
    area.setWidget(inside)
    area.viewport().setAutoFillBackground(False)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


def clear(layout: QBoxLayout) -> None:
    """Take everything out of a layout and let it go."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
