"""Bodies of blocks: sentences each under what it is about, and a picture between words."""

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from tapdesk.gui.svg_view import SvgView
from tapdesk.gui.theme import Theme
from tapdesk.gui.widgets.basic import Frame, clear, plain, text
from tapdesk.gui.widgets.numbers import LETTERS
from tapdesk.gui.widgets.tables import Table
from tapdesk.report.figure import Figure


class Told(QWidget):
    """Sentences, each under what it is about."""

    def __init__(self, name: str) -> None:
        super().__init__()
        frame = plain(gap=8, margins=(14, 2, 14, 8))
        self._box = frame.box
        outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(frame)
        self.setAccessibleName(name)

    def say(self, sentences: Sequence[tuple[str, str]]) -> None:
        """Show sentences."""
        clear(self._box)
        for about, sentence in sentences:
            line = plain(gap=1)
            letter = about in LETTERS
            head = text(f"<i>{about}</i>" if letter else about, "strong" if letter else "smallstrong", rich=letter)
            line.add(head, text(sentence, "small", "2", wrap=True))
            self._box.addWidget(line)
        self._box.addStretch(1)
        self.setAccessibleDescription(" ".join(f"{a}: {s}" for a, s in sentences))


def _inset(label: QLabel) -> Frame:
    """A label as far from the edge as the title of the block."""
    return plain(margins=(14, 0, 14, 0)).add(label)


class Pictured(QWidget):
    """A picture with a sentence above it and one below."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.above, self.below = text("", "small", "2", wrap=True), text("", "caption", "3", wrap=True)
        self.picture = SvgView(theme, name)
        self._theme, self._rows = theme, 0
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(2)
        box.addWidget(_inset(self.above))
        box.addWidget(self.picture, 1)
        box.addWidget(_inset(self.below))
        theme.changed.connect(self._dress)

    def show_figure(self, figure: Figure, above: str = "", below: str = "", rows: int = 0) -> None:
        """Show a figure with its words; one of named rows gets room for each of them."""
        self._rows = rows
        self._dress()
        for label, words in ((self.above, above), (self.below, below)):
            label.setText(words)
            label.setVisible(bool(words))
        self.picture.show_figures((figure,))

    def _dress(self) -> None:
        self.picture.setMinimumHeight(self._theme.px(50 + 25 * self._rows if self._rows else 190))


class Listed(QWidget):
    """A table with a sentence above it and one below."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.above, self.below = text("", "small", "2", wrap=True), text("", "caption", "3", wrap=True)
        self.table = Table(theme, name, grid=False)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        box.addWidget(_inset(self.above))
        box.addWidget(self.table, 1)
        box.addWidget(_inset(self.below))

    def show_rows(
        self, header: Sequence[str], rows: Sequence[Sequence[str]], above: str, below: str, right: Sequence[int] = ()
    ) -> None:
        """Show a table with its words."""
        for label, words in ((self.above, above), (self.below, below)):
            label.setText(words)
            label.setVisible(bool(words))
        self.table.rows.show_rows(header, rows, right=right)
        self.table.fill()
