"""Shows a Figure as the very picture the report prints."""

from PySide6.QtCore import QByteArray, QEvent, QRectF
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from tapdesk.gui.hover import told_at
from tapdesk.gui.look.theme import Theme
from tapdesk.report.figure import Figure
from tapdesk.report.svg.draw import svg

INSET = 8  # pixels at either side: no label of an axis touches the edge of its card


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

    def told_at(self, x: float, y: float) -> str:
        """The value under a pixel of the widget, in words; empty where there is none."""
        if not self._figures:
            return ""
        grown = self._theme.scale / 100
        wide, high = self._wide / grown, self.height() / grown / len(self._figures)
        at = min(int(y / grown / high), len(self._figures) - 1)
        return told_at(self._figures[at], wide, high, (x - INSET) / grown, y / grown - at * high)

    def event(self, event: QEvent) -> bool:
        """Read a value where the mouse rests."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            words = self.told_at(event.pos().x(), event.pos().y())
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
