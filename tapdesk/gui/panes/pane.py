"""What all panes share: a head with title and buttons, a banner, an error card."""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tapdesk.gui.desk import Desk
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import text
from tapdesk.gui.widgets.messages import Banner, ErrorCard


class Pane(QWidget):
    """A pane of the window: head, banner, error card, and below them what the pane is about."""

    def __init__(self, theme: Theme, desk: Desk, title: str) -> None:
        super().__init__()
        self.theme, self.desk = theme, desk
        self.setAccessibleName(title)
        self.title = text(title, "title")
        self.sub = text("", "body", "2")
        self.head = QHBoxLayout()
        self.head.setSpacing(12)
        self.head.setContentsMargins(0, 0, 0, 0)
        self.title.setMinimumHeight(34)
        self.head.addWidget(self.title)
        self.head.addWidget(self.sub)
        self.banner = Banner(theme)
        self.error = ErrorCard(theme)
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(20, 16, 20, 14)
        self.box.setSpacing(12)
        self.box.addLayout(self.head)
        self.box.addWidget(self.error)
        self.box.addWidget(self.banner)
