"""The rail at the left: the four steps and the promise below them."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent

from tapdesk.gui.look.icons import Glyph
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import Frame, text
from tapdesk.gui.widgets.steps import RailStep
from tapdesk.language import gettext as _

WIDE = 196
END, GAP = 14, 4
# Beyond half as large again the words wrap instead: the panes need the room.
MOST_GROWN = 150


class Rail(Frame):
    """The steps from the data to the report."""

    def __init__(self, theme: Theme, names: Sequence[str]) -> None:
        super().__init__("rail", margins=(10, END, 10, END), gap=GAP)
        self._theme = theme
        self.setAccessibleName(_("Steps"))
        self.steps = [RailStep(theme, name) for name in names]
        self.add(*self.steps).box.addStretch(1)
        self.foot = foot = Frame("foot", across=True, margins=(10, 10, 6, 0), gap=7)
        foot.box.addWidget(Glyph(theme, "lock", "text2", 15), 0, Qt.AlignmentFlag.AlignTop)
        foot.box.addWidget(text(_("Everything stays on this computer."), "small", "2", wrap=True), 1)
        self.add(foot)
        theme.changed.connect(self._dress)
        self._dress()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where large letters leave too little room, the steps have it and the promise goes."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        steps = sum(max(step.minimumHeight(), step.sizeHint().height()) + GAP for step in self.steps)
        self.foot.setVisible(steps + self.foot.sizeHint().height() + 2 * END <= self.height())

    def _dress(self) -> None:
        self.setFixedWidth(round(WIDE * min(max(self._theme.scale, 100), MOST_GROWN) / 100))
