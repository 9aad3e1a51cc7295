"""The results pane before the first run."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from tapdesk.gui import telling
from tapdesk.gui.widgets.basic import Frame, text
from tapdesk.gui.widgets.numbers import NARROW, NumberStrip
from tapdesk.language import gettext as _


class Example(QWidget):
    """Before the first run: a greyed sample of what will stand here."""

    def __init__(self) -> None:
        super().__init__()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        banner = Frame("know", across=True, margins=(12, 8, 12, 8))
        self._words = text("", "strong", wrap=True)
        box.addWidget(banner.add(self._words))
        example = Frame("card", margins=(18, 13, 18, 12), gap=3)
        example.add(
            text(
                _("A rating follows the case itself about 60 times in 100 (between 52 and 68)."),
                "headline",
                "3",
                wrap=True,
            ),
            text(
                _(
                    "A case that is truly “yes” is called so about 80 times in 100; any other case is called “yes” "
                    "about 20 times in 100."
                ),
                "consequence",
                "3",
                wrap=True,
            ),
        )
        box.addWidget(example)
        self.strip = NumberStrip()
        self.strip.show_cells(telling.example())
        self.hold(NARROW)
        box.addWidget(self.strip)
        box.addStretch(1)
        self.say("")

    def hold(self, most: int) -> None:
        """Put at most so many numbers beside each other, all of them greyed."""
        self.strip.hold(most)
        self.strip.quiet(dim=True)

    def say(self, more: str) -> None:
        """Show the banner with more words."""
        self._words.setText(
            _("Example, not your data. {more}").format(more=more or _("Open ratings, choose a question and press Run."))
        )
