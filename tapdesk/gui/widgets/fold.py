"""Something that is folded away until it is asked for."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from tapdesk.gui.look.icons import icon
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.areas import bring_into_view
from tapdesk.language import gettext as _


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
