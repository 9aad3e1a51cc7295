"""Shows a Figure as the very picture the report prints."""

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QByteArray, QEvent, QRectF
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from tapdesk.answers.figure import Bars, Cells, Figure, Line, Mark, Points
from tapdesk.answers.figure_table import row_in_words
from tapdesk.answers.svg.draw import plane_of, svg
from tapdesk.answers.svg.plane import Plane
from tapdesk.gui.theme.theme import Theme

NEAR = 16.0  # pixels
LINE = 5.0

# How far away something is, in pixels, and the row of the figure's table that tells it.
Hit = tuple[float, int]
INSET = 8  # pixels at either side: no label of an axis touches the edge of its card


def words_at(figure: Figure, width: float, height: float, x: float, y: float) -> str:
    """The value nearest to a pixel of a figure drawn at a size; empty where nothing is near."""
    plane = plane_of(figure, width=width, height=height)
    hits: list[Hit] = []
    for mark in figure.marks:
        if isinstance(mark, Points | Line):
            hits += _near(mark, plane, x, y)
        elif isinstance(mark, Bars):
            hits += _bar(mark, plane, x)
        elif isinstance(mark, Cells):
            hits += _cell(mark, plane, x, y)
        elif isinstance(mark, Mark) and mark.vertical and mark.rows and abs(plane.px(mark.at) - x) < LINE:
            hits.append((LINE, mark.rows[0]))
    hits = [(far, row) for far, row in hits if row >= 0]
    return row_in_words(figure.table, min(hits, key=lambda one: one[0])[1]) if hits else ""


def _near(mark: Points | Line, plane: Plane, x: float, y: float) -> Iterator[Hit]:
    """The nearest point of a series; of a row of a dot plot, wherever in the row the mouse is."""
    at = np.flatnonzero(np.isfinite(mark.x) & np.isfinite(mark.y))
    if not at.size or not mark.rows:
        return
    across = np.array([plane.px(v) - x for v in mark.x[at]])
    down = np.array([plane.py(v) - y for v in mark.y[at]])
    far = np.abs(down) if isinstance(mark, Points) and mark.horizontal else np.hypot(across, down)
    nearest = int(far.argmin())
    if far[nearest] <= NEAR:
        yield float(far[nearest]), mark.rows[int(at[nearest])]


def _bar(mark: Bars, plane: Plane, x: float) -> Iterator[Hit]:
    edges = np.array([plane.px(v) for v in mark.edges])
    i = int(np.searchsorted(edges, x)) - 1
    if mark.rows and 0 <= i < mark.heights.size and plane.left <= x <= plane.right:
        yield NEAR, mark.rows[i]


def _cell(mark: Cells, plane: Plane, x: float, y: float) -> Iterator[Hit]:
    rows, columns = mark.values.shape
    for i, j in np.ndindex(rows if mark.rows else 0, columns):
        across = plane.px(j - 0.5) <= x < plane.px(j + 0.5)
        if across and plane.py(rows - 0.5 - i) <= y < plane.py(rows - 1.5 - i):
            yield 0.0, mark.rows[i * columns + j]


class SvgView(QWidget):
    """One or more panels of a figure, one above the other, drawn anew for every size, theme and text size."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._figures: tuple[Figure, ...] = ()
        self._drawn: list[QSvgRenderer] = []
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(260, 180)
        theme.changed.connect(self._draw)

    def show_figures(self, figures: tuple[Figure, ...]) -> None:
        """Show other panels."""
        self._figures = figures
        self.setAccessibleDescription(" ".join(f.alt for f in figures))
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw for the new size."""
        super().resizeEvent(event)
        self._draw()

    @property
    def _wide(self) -> int:
        return self.width() - 2 * INSET

    def _draw(self) -> None:
        self._drawn = []
        if self._figures and self._wide > 10:
            grown = self._theme.scale / 100
            wide, high = self._wide / grown, self.height() / grown / len(self._figures)
            for figure in self._figures:
                text = svg(figure, width=wide, height=high, theme=self._theme.look.value)
                # QtSvg takes a list of families for the name of one.
                text = text.replace('"Inter, sans-serif"', '"Inter"')
                self._drawn.append(QSvgRenderer(QByteArray(text.encode())))
        self.update()

    def words_at(self, x: float, y: float) -> str:
        """The value under a pixel of the widget, in words; empty where there is none."""
        if not self._figures:
            return ""
        grown = self._theme.scale / 100
        wide, high = self._wide / grown, self.height() / grown / len(self._figures)
        at = min(int(y / grown / high), len(self._figures) - 1)
        return words_at(self._figures[at], wide, high, (x - INSET) / grown, y / grown - at * high)

    def event(self, event: QEvent) -> bool:
        """Read a value where the mouse rests."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            words = self.words_at(event.pos().x(), event.pos().y())
            if words:
                QToolTip.showText(event.globalPos(), words, self)
                return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the panels."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._drawn:
            high = self.height() / len(self._drawn)
            for i, renderer in enumerate(self._drawn):
                renderer.render(painter, QRectF(INSET, i * high, self._wide, high))
        painter.end()
