"""A button that opens a menu, with the arrow of our lists."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton, QStylePainter

from tapdesk.gui.look.icons import paint
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.push_button import PushButton

ARROW, FROM_THE_EDGE = 14, 8


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
