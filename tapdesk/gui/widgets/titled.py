"""A title with a few words beside it, or below it where there is no room."""

from PySide6.QtWidgets import QWidget

from tapdesk.gui.widgets.basic import text
from tapdesk.gui.widgets.flow import Flow


class Titled(QWidget):
    """A title and a few words about what is below."""

    def __init__(self) -> None:
        super().__init__()
        flow = Flow(self, gap=10)
        self._title, self._about = text("", "card"), text("", "caption", "3")
        flow.addWidget(self._title)
        flow.addWidget(self._about)

    def say(self, title: str, about: str) -> None:
        """Show title and words."""
        self._title.setText(title)
        self._about.setText(about)
