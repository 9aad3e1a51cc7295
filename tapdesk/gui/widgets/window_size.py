"""How large a window beside the main one opens: it grows with the text, and never beyond the screen."""

from PySide6.QtCore import QObject, QSize, Slot
from PySide6.QtWidgets import QWidget

from tapdesk.gui.look.theme import Theme

TITLE_BAR, EDGE = 40, 16  # pixels of the screen that the window's own frame takes


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
