"""What panes share: a head with title and buttons, a banner, an error card; and what is shown when there is time."""

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import text
from tapdesk.gui.widgets.messages import Banner, ErrorCard
from tapdesk.project.project import Project


class Pane(QWidget):
    """A pane of the window: head, banner, error card, and below them what the pane is about."""

    def __init__(self, theme: Theme, session: Session, title: str) -> None:
        super().__init__()
        self.theme, self.session = theme, session
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


class PendingProject:
    """Holds a project back from being shown.

    Parameters
    ----------
    show
        Shows a project.
    """

    def __init__(self, show: Callable[[Project], None]) -> None:
        self._show = show
        self._held: Project | None = None

    @property
    def waits(self) -> bool:
        """Whether what is on screen is of the project before."""
        return self._held is not None

    def hold(self, project: Project) -> None:
        """Leave it for later."""
        self._held = project

    def drop(self) -> None:
        """Something newer is shown."""
        self._held = None

    def catch_up(self) -> None:
        """Show what was left for later."""
        if self._held is not None:
            self._show(self._held)
