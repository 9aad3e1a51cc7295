"""The bar below the panes: what is open at the left, how the run or the results stand at the right."""

from tapdesk.gui import sayings
from tapdesk.gui.desk import Desk
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import Frame, text


class StatusBar(Frame):
    """Two texts; what is counted is never cut off for the other one."""

    def __init__(self, theme: Theme, desk: Desk) -> None:
        super().__init__("status", across=True, margins=(14, 0, 14, 0), gap=18)
        self._theme, self._desk = theme, desk
        self.left, self.right = text("", "small", "2"), text("", "small", "2")
        self.setMinimumHeight(28)
        self.add(self.left).box.addStretch(1)
        self.add(self.right)

    def refresh(self) -> None:
        """Show what is open, and how it stands."""
        self.left.setText(sayings.summary(self._desk.document.project))
        self.go_on()

    def go_on(self) -> None:
        """Show how it stands now; while something runs that changes all the time."""
        words, wide = sayings.status(self._desk), self.right.fontMetrics().horizontalAdvance
        room = self.window().width() - self.left.sizeHint().width() - self._theme.px(60)
        # Without fingerprint and seed where there is no room for them.
        short = words.partition(" · ")[0]
        self.right.setText(next((one for one in (words, short) if wide(one) <= room), ""))
