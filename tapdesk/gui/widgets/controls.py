"""Text, frames and plain controls."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStylePainter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tapdesk.gui.theme.icons import icon, paint
from tapdesk.gui.theme.theme import Theme
from tapdesk.language import say

# The letters of the model are semi-bold italic (look.md §2); nothing else is written so.
FACES = {"b": "font-weight:600", "i": "font-weight:600;font-style:italic"}
BOX = 15
ARROW, FROM_THE_EDGE = 14, 8


class PushButton(QPushButton):
    """A button that Enter presses wherever the keyboard is on it, also in a dialog without a default button."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is as good as the space bar."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)


class Rich(QLabel):
    """A label that shows bold words in semi-bold."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self._remark = ""
        self.setText(words)

    def text(self) -> str:
        """The words as they were given."""
        return self._remark

    def setText(self, words: str) -> None:
        """Show words."""
        self._remark = words
        for mark, face in FACES.items():
            begin = " ".join(("<span", f'style="{face}">'))
            words = words.replace(f"<{mark}>", begin).replace(f"</{mark}>", "</span>")
        super().setText(words)


def text(words: str = "", kind: str = "body", tone: str = "", *, wrap: bool = False, rich: bool = False) -> QLabel:
    """A label of a type role and a tone ; plain text unless ``rich``: no file can smuggle markup in."""
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
        # Long words go on in a second line rather than out of sight.
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        """The box, the gap and the words in one line."""
        metrics = self.fontMetrics()
        side = self._theme.px(BOX)
        return QSize(side + 8 + metrics.horizontalAdvance(self.text()), max(side, metrics.height()) + 4)

    def minimumSizeHint(self) -> QSize:
        """The box and a few letters: the words need not stand in one line."""
        hint = self.sizeHint()
        return QSize(min(hint.width(), 8 * hint.height()), hint.height())

    def heightForWidth(self, width: int) -> int:
        """Height of the words, in as many lines as they need."""
        side = self._theme.px(BOX)
        room = QRect(0, 0, max(width - side - 6, 1), 10_000)
        words = self.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, self.text())
        return max(side, words.height()) + 4

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
            QRectF(side + 6, 0, self.width() - side - 6, self.height()),
            int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextWordWrap),
            self.text(),
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
        self._told = rows
        for words, value in rows:
            self.addItem(say(words), value)
        self._wide = width
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        self.setMinimumWidth(self._theme.px(self._wide))

    def tell_again(self) -> None:
        """Tell the rows in the words of the file that is open by now; nothing is emitted."""
        self.blockSignals(True)
        for i, (words, _value) in enumerate(self._told):
            self.setItemText(i, say(words))
        self.blockSignals(False)

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


def scroll_area(inside: QWidget) -> QScrollArea:
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


def clear(layout: QLayout) -> None:
    """Take everything out of a layout and let it go."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


class MenuButton(PushButton):
    """A push button with a menu; the style's own arrow does not grow with the text and is cut when that is large."""

    def __init__(self, theme: Theme, words: str) -> None:
        super().__init__(words)
        self._theme = theme
        self.setProperty("kind", "menu")
        self.setAccessibleName(words)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button, and the arrow in the room the style sheet leaves for it."""
        del event
        painter, option = QStylePainter(self), QStyleOptionButton()
        self.initStyleOption(option)
        # With a menu of its own the style forgets the room beside the words.
        option.features &= ~QStyleOptionButton.ButtonFeature.HasMenu
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        side = self._theme.px(ARROW)
        place = QRectF(self.width() - side - FROM_THE_EDGE, (self.height() - side) / 2, side, side)
        paint(painter, place, "down", self._theme, "text3")
        painter.end()


class Radio(QRadioButton):
    """One of several choices below the same parent."""

    def __init__(self, theme: Theme, words: str) -> None:
        super().__init__(words)
        self._theme = theme
        self.setProperty("type", "small")
        self.setAccessibleName(words)

    def sizeHint(self) -> QSize:
        """The ring, the gap and the words."""
        metrics, side = self.fontMetrics(), self._theme.px(BOX)
        return QSize(side + 8 + metrics.horizontalAdvance(self.text()), max(side, metrics.height()) + 4)

    def hitButton(self, position: object) -> bool:
        """The words belong to the ring."""
        del position
        return True

    def paintEvent(self, event: object) -> None:
        """Draw ring and words."""
        del event
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = theme.px(BOX)
        ring = QRectF(0, (self.height() - side) / 2, side, side).adjusted(1, 1, -1, -1)
        on = self.isChecked()
        painter.setPen(QPen(theme.colour("accent" if on else "control"), 1.5))
        painter.setBrush(theme.colour("surface"))
        painter.drawEllipse(ring)
        if on:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accent"))
            painter.drawEllipse(ring.center(), side * 0.24, side * 0.24)
        painter.setPen(theme.colour("text"))
        place = QRectF(side + 6, 0, self.width() - side - 6, self.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.end()


class _Segment(QAbstractButton):
    """One choice; the chosen one is bold on a soft ground."""

    def __init__(self, theme: Theme, words: str, place: int, count: int) -> None:
        super().__init__()
        self._theme, self._place, self._count = theme, place, count
        self.setText(words)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Room for its words."""
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 28, self._theme.px(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the segment."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        first, last = self._place == 0, self._place == self._count - 1
        frame = whole.adjusted(0 if first else -10, 0, 0 if last else 10, 0)
        path = QPainterPath()
        path.addRoundedRect(frame, 5, 5)
        painter.setPen(QPen(self._theme.colour("control"), 1))
        painter.setBrush(self._theme.colour("soft" if self.isChecked() else "surface"))
        painter.drawPath(path)
        if not first:
            painter.drawLine(0, 1, 0, self.height() - 2)
        weight = QFont.Weight.DemiBold if self.isChecked() else QFont.Weight.Normal
        painter.setFont(self._theme.font(13, weight))
        painter.setPen(self._theme.colour("text"))
        painter.drawText(whole, Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()


class Segmented(QWidget):
    """A few choices in one frame; ``chosen`` carries the value of the one that is on."""

    chosen = Signal(object)

    def __init__(self, theme: Theme, name: str, rows: Sequence[tuple[str, object]]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._values = [value for _, value in rows]
        self._group = QButtonGroup(self)
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        for i, (words, _) in enumerate(rows):
            segment = _Segment(theme, words, i, len(rows))
            segment.setAccessibleName(f"{name}: {words}")
            segment.setChecked(i == 0)
            self._group.addButton(segment, i)
            box.addWidget(segment)
        self._group.idClicked.connect(self._on_clicked)

    @property
    def value(self) -> Any:
        """The value of the choice that is on."""
        return self._values[self._group.checkedId()]

    def choose(self, value: object) -> None:
        """Show the choice with a value; nothing is emitted."""
        for place, known in enumerate(self._values):
            if known == value:
                self._group.button(place).setChecked(True)

    def _on_clicked(self, number: int) -> None:
        self.chosen.emit(self._values[number])
