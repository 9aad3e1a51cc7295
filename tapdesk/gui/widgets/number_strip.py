"""The strip of numbers: symbol, value, interval and N side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel

from tapdesk.gui.widgets.controls import Frame, clear, plain, rule, text
from tapdesk.language import gettext as _

LETTERS = ("t", "a", "p")
WIDEST = 6
NARROW = 3
LONG = 18


@dataclass(frozen=True, slots=True)
class NumberCell:
    """One number of the strip.

    Attributes
    ----------
    symbol, words
        What it is, short and in words.
    value, interval
        As they are shown; an interval that does not exist is the words ``no interval``.
    count
        How many cases, ratings or pairs it rests on.
    ours
        Whether it belongs to the fitted model.
    why
        The reason why there is no value or no interval, one sentence.
    """

    symbol: str
    words: str
    value: str
    interval: str
    count: str
    ours: bool = True
    why: str = ""


def rows_of(cells: Sequence[NumberCell], most: int = WIDEST) -> list[list[NumberCell]]:
    """The cells in rows of at most six; the cells of one symbol are not torn apart needlessly.

    Numbers of many places need more room, so fewer of them stand beside each other.
    """
    rows: list[list[NumberCell]] = [[]]
    if any(len(cell.value) + len(cell.interval) > LONG for cell in cells):
        most = min(most, 4)
    # The coefficients stand together, as the cells of one symbol do.
    for group in dict.fromkeys(_group(cell) for cell in cells):
        of_one = [cell for cell in cells if _group(cell) == group]
        if rows[-1] and len(rows[-1]) + len(of_one) > most:
            rows.append([])
        for cell in of_one:
            if len(rows[-1]) == most:
                rows.append([])
            rows[-1].append(cell)
    return rows


def _group(cell: NumberCell) -> str:
    return cell.symbol if cell.ours else ""


class NumberStrip(Frame):
    """Cells split by thin lines, in one frame; no cell is ever hidden."""

    def __init__(self) -> None:
        super().__init__("card", margins=(0, 0, 0, 0), gap=0)
        self._labels: list[tuple[QLabel, str]] = []
        self._cells: tuple[NumberCell, ...] = ()
        self._most = WIDEST

    @property
    def cells(self) -> tuple[NumberCell, ...]:
        """What is shown."""
        return self._cells

    def show_cells(self, cells: Sequence[NumberCell]) -> None:
        """Show other numbers."""
        clear(self.box)
        self._labels = []
        self._cells = tuple(cells)
        for i, row in enumerate(rows_of(cells, self._most)):
            if i:
                self.box.addWidget(rule())
            line = plain(across=True, gap=0)
            for j, cell in enumerate(row):
                if j:
                    line.box.addWidget(rule(upright=True))
                line.box.addWidget(self._cell(cell), 1)
            self.box.addWidget(line)

    def hold(self, most: int) -> None:
        """Put at most so many cells beside each other."""
        if most != self._most:
            self._most = most
            self.show_cells(self._cells)

    def quiet(self, *, dim: bool) -> None:
        """Dim the numbers while newer ones are on their way."""
        for label, usual in self._labels:
            label.setProperty("tone", "3" if dim else usual)
            label.style().polish(label)

    def _cell(self, cell: NumberCell) -> Frame:
        frame = plain(gap=1, margins=(14, 9, 8, 9))
        letter = cell.symbol if cell.symbol not in LETTERS else f"<i>{cell.symbol}</i>"
        symbol = text(letter, "card" if cell.symbol in LETTERS else "strong", rich=cell.symbol in LETTERS)
        value = text(cell.value, "number", "accent" if cell.ours else "")
        interval = text(cell.interval, "body", "2", wrap=cell.interval.startswith(_("no ")))
        count = text(cell.count, "caption", "3")
        self._labels += [(symbol, ""), (value, "accent" if cell.ours else ""), (interval, "2")]
        top, middle = QHBoxLayout(), QHBoxLayout()
        top.setSpacing(6)
        top.addWidget(symbol, 0, Qt.AlignmentFlag.AlignBaseline)
        top.addWidget(text(cell.words, "caption", "3"), 0, Qt.AlignmentFlag.AlignBaseline)
        top.addStretch(1)
        middle.setSpacing(9)
        middle.addWidget(value, 0, Qt.AlignmentFlag.AlignBaseline)
        middle.addWidget(interval, 1, Qt.AlignmentFlag.AlignBaseline)
        frame.box.addLayout(top)
        frame.box.addLayout(middle)
        frame.box.addWidget(count)
        if cell.why:
            frame.box.addWidget(text(cell.why, "caption", "2", wrap=True))
        frame.box.addStretch(1)
        frame.setAccessibleName(
            f"{cell.symbol}, {cell.words}: {cell.value}, {cell.interval}. {cell.count}. {cell.why}".strip()
        )
        frame.setToolTip(cell.why)
        return frame
