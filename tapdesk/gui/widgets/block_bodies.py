"""Bodies of blocks: sentences each under what it is about, and a picture between words."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from tapdesk.answers.figure import Figure
from tapdesk.gui.pictures.figure_view import SvgView
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Choice, Frame, clear, plain, text
from tapdesk.gui.widgets.number_strip import LETTERS
from tapdesk.gui.widgets.tables import TableView
from tapdesk.language import gettext as _

SHORT = 12  # rows


class SentenceList(QWidget):
    """Sentences, each under what it is about."""

    def __init__(self, name: str) -> None:
        super().__init__()
        frame = plain(gap=8, margins=(14, 2, 14, 8))
        self._box = frame.box
        self._outer = outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(frame)
        self.setAccessibleName(name)

    def say(self, sentences: Sequence[tuple[str, str]]) -> None:
        """Show sentences."""
        clear(self._box)
        for about, sentence in sentences:
            line = plain(gap=1)
            letter = all(one in LETTERS for one in about.split(", "))
            head = text(f"<i>{about}</i>" if letter else about, "strong" if letter else "smallstrong", rich=letter)
            line.add(head, text(sentence, "small", "2", wrap=True))
            self._box.addWidget(line)
        self._box.addStretch(1)
        self.setAccessibleDescription(" ".join(f"{a}: {s}" for a, s in sentences))

    def event(self, event: QEvent) -> bool:
        """Hold the height the sentences need at this width and in these letters: the stack of a block does not ask."""
        done = super().event(event)
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self.setMinimumHeight(max(self._outer.heightForWidth(self.width()), 0))
        return done


def _inset(label: QLabel) -> Frame:
    """A label as far from the edge as the title of the block."""
    return plain(margins=(14, 0, 14, 0)).add(label)


class FigureBody(QWidget):
    """A picture with a sentence above it and one below."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.above, self.below = text("", "small", "2", wrap=True), text("", "caption", "3", wrap=True)
        self.picture = SvgView(theme, name)
        self._theme, self._rows, self._high = theme, 0, 0.0
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(2)
        box.addWidget(_inset(self.above))
        box.addWidget(self.picture, 1)
        box.addWidget(_inset(self.below))
        box.addStretch(0)
        theme.changed.connect(self._dress)

    def show_figure(self, figure: Figure, above: str = "", below: str = "", rows: int = 0, high: float = 0.0) -> None:
        """Show a figure with its words; one of named rows gets room for each of them, or a height of its own."""
        self._rows, self._high = rows, high
        self._dress()
        for label, words in ((self.above, above), (self.below, below)):
            label.setText(words)
            label.setVisible(bool(words))
        self.picture.show_figures((figure,))

    def _dress(self) -> None:
        least = max(self._high, 50 + 25 * self._rows if self._rows else 190)
        self.picture.setMinimumHeight(self._theme.px(least))
        # Beside a tall block the picture would be drawn out of all proportion.
        self.picture.setMaximumHeight(self._theme.px(max(1.4 * least, 300)))


class ScaledFigureBody(QWidget):
    """A picture, and below it, where one is chosen, the words of a scale in a table.

    Attributes
    ----------
    chosen
        Emitted with the number of the scale, 0 for none.
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme, name: str, scales: Sequence[str]) -> None:
        super().__init__()
        self.figure_body, self.table_body = FigureBody(theme, name), TableBody(theme, _("Words of a scale"))
        rows = ((_("No words"), 0), *((scale, i) for i, scale in enumerate(scales, start=1)))
        self.scale = Choice(theme, _("Words for the coefficients"), rows, 190)
        self.scale.activated.connect(self._on_chosen)
        line = plain(across=True, gap=8, margins=(14, 0, 14, 0))
        line.add(text(_("Words for these numbers"), "small", "2"), self.scale).box.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addWidget(line)
        box.addWidget(self.figure_body, 1)
        box.addWidget(self.table_body)
        self.table_body.hide()

    @Slot()
    def _on_chosen(self) -> None:
        self.chosen.emit(self.scale.currentData())

    def show_words(self, header: Sequence[str], rows: Sequence[Sequence[str]], note: str) -> None:
        """Show the words of a scale; no rows where none is chosen."""
        self.table_body.setVisible(bool(rows))
        if rows:
            self.table_body.show_rows(header, rows, "", note, right=(1, 3))


class TableBody(QWidget):
    """A table with a sentence above it and one below; a short one is seen whole, without a scroll bar of its own."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.above, self.below = text("", "small", "2", wrap=True), text("", "caption", "3", wrap=True)
        self.table = TableView(theme, name, grid=False)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        box.addWidget(_inset(self.above))
        box.addWidget(self.table, 1)
        box.addWidget(_inset(self.below))
        theme.changed.connect(self._dress)

    @Slot()
    def _dress(self) -> None:
        rows = min(self.table.rows.rowCount(), SHORT)
        self.table.setMinimumHeight(self._theme.px(26) * (rows + 1) + self._theme.px(6))

    def show_rows(
        self, header: Sequence[str], rows: Sequence[Sequence[str]], above: str, below: str, right: Sequence[int] = ()
    ) -> None:
        """Show a table with its words."""
        for label, words in ((self.above, above), (self.below, below)):
            label.setText(words)
            label.setVisible(bool(words))
        self.table.rows.show_rows(header, rows, right=right)
        self._dress()
        self.table.fill()
