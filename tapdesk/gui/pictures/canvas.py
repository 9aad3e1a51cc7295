"""Draws a Figure, and curves that are still growing, with pyqtgraph."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QHelpEvent
from PySide6.QtWidgets import QToolTip

from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Band, Bars, Figure, Line, Mark, Points, Role
from tapdesk.gui.theme.theme import Theme

NEAR = 16.0  # pixels between the mouse and what it reads
ROOM_ABOVE = 26  # pyqtgraph clips the uppermost tick otherwise

# look.md §5: role -> colour, width, dashes.
STROKES: dict[Role, tuple[str, float, tuple[float, ...]]] = {
    Role.MODEL: ("accent", 2.4, ()),
    Role.OBSERVED: ("obs", 2.0, ()),
    Role.REFERENCE: ("rand", 1.8, (5, 4)),
    Role.CLASSICAL: ("rand", 2.0, ()),
    Role.OTHER_START: ("rand", 1.3, ()),
    Role.SECOND: ("second", 2.0, ()),
    Role.SINGLED_OUT: ("know", 2.4, ()),
}
SYMBOLS = {Role.MODEL: "o", Role.OBSERVED: "o", Role.SINGLED_OUT: "d"}
_TICKS = 5  # about so many on an axis


def nice_ticks(low: float, high: float) -> tuple[tuple[float, str], ...]:
    """Round ticks inside a range, with their words."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return ()
    raw = (high - low) / _TICKS
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(unit * m for m in (1, 2, 5, 10) if unit * m >= raw * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    places = max(0, -math.floor(math.log10(step) + 1e-9))
    return tuple((i * step, numbers.large(i * step, places)) for i in range(first, last + 1))


class Canvas(pg.PlotWidget):
    """One plot in our look: horizontal grid only, one axis line, the title of the vertical axis lying above it."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(enableMenu=False)
        self._theme = theme
        self._figure: Figure | None = None
        self._rules: list[pg.InfiniteLine] = []
        self._spoken: tuple[Axis, Axis] | None = None
        self.setAccessibleName(name)
        for part in (self, self.viewport()):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAntialiasing(True)
        self.setMenuEnabled(False)
        self.setMouseEnabled(x=False, y=False)
        self.hideButtons()
        self.plotItem.setContentsMargins(0, ROOM_ABOVE, 14, 0)
        self.plotItem.vb.setDefaultPadding(0)
        self._title = pg.LabelItem("")
        self._title.setParentItem(self.plotItem)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.changed.connect(self._dress)
        self.dress_axes()

    def sizeHint(self) -> QSize:
        """A plot takes what room there is, and asks for little."""
        return QSize(300, 150)

    def words_at(self, x: float, y: float) -> str:
        """What is drawn at a pixel of the widget, in words; empty where there is nothing."""
        del x, y
        return ""

    def value_at(self, x: float, y: float) -> tuple[float, float]:
        """The values at a pixel of the widget."""
        place = self.plotItem.vb.mapSceneToView(self.mapToScene(QPoint(round(x), round(y))))
        return place.x(), place.y()

    def pixel_of(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of the widget where a point is drawn."""
        place = self.mapFromScene(self.plotItem.vb.mapViewToScene(QPointF(x, y)))
        return place.x(), place.y()

    def event(self, event: QEvent) -> bool:
        """Read a value where the mouse rests."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            words = self.words_at(event.pos().x(), event.pos().y())
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return bool(super().event(event))

    def wheelEvent(self, event: Any) -> None:
        """Leave the wheel to the pane."""
        event.ignore()

    def pen(self, role: Role) -> Any:
        """The pen of a role."""
        name, width, dashes = STROKES[role]
        pen = pg.mkPen(self._theme.colour(name), width=width)
        if dashes:
            pen.setDashPattern([d / width for d in dashes])
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        return pen

    def dress_axes(self) -> None:
        """Give ground, axes and words the colours and the size in use."""
        self._spoken = None
        theme = self._theme
        self.setBackground(theme.colour("surface"))
        quiet = theme.colour("text2")
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setTextPen(quiet)
            axis.setPen(pg.mkPen(theme.colour("axis"), width=1.2))
            axis.setStyle(
                hideOverlappingLabels=False, tickFont=theme.font(12), tickLength=-4 if side == "bottom" else 0
            )
            axis.label.setFont(theme.font(12))
        self.getAxis("left").setPen(None)
        self.getAxis("left").setStyle(tickLength=0, tickTextOffset=8)
        self.getAxis("bottom").setStyle(tickLength=4, tickTextOffset=4)

    def axes(self, x: Axis, y: Axis) -> None:
        """Set ranges, ticks and titles."""
        # Words are laid out again only where they change: pictures that grow are drawn ten times a second.
        if (x, y) == self._spoken:
            return
        self._spoken = x, y
        ticks = {side: axis.ticks or nice_ticks(axis.low, axis.high) for side, axis in (("bottom", x), ("left", y))}
        for side, rows in ticks.items():
            self.getAxis(side).setTicks([list(rows), []])
        self.getAxis("bottom").setLabel(x.title or None, color=self._theme.names["text2"])
        widest = max((len(words) for _, words in ticks["left"]), default=1)
        margin = self._theme.px(12 + 7 * widest)
        self.getAxis("left").setWidth(margin)
        self._title.setText(y.title, color=self._theme.names["text2"], size=f"{12 * 0.75 * self._theme.scale / 100}pt")
        self._title.setPos(margin - 4, 0)
        self.setXRange(x.low, x.high, padding=0)
        self.setYRange(y.low, y.high, padding=0)
        self._grid([at for at, _ in ticks["left"]], y)

    def _grid(self, heights: list[float], y: Axis) -> None:
        wanted = [height for height in heights if height > y.low]
        for line in self._rules[len(wanted) :]:
            self.removeItem(line)
        pen = pg.mkPen(self._theme.colour("grid"), width=1)
        new = [pg.InfiniteLine(0, angle=0) for _ in wanted[len(self._rules) :]]
        self._rules = [*self._rules[: len(wanted)], *new]
        for line in new:
            line.setZValue(-20)
            self.addItem(line, ignoreBounds=True)
        for line, height in zip(self._rules, wanted, strict=True):
            line.setPen(pen)
            line.setPos(height)

    def show_figure(self, figure: Figure) -> None:
        """Draw a figure from scratch."""
        self._figure = figure
        self.clear()
        self._rules, self._spoken = [], None
        self.axes(figure.x, figure.y)
        for mark in figure.marks:
            DRAW[type(mark)](self, mark)
        self.setAccessibleDescription(figure.alt)

    def _dress(self) -> None:
        self.dress_axes()
        if self._figure is not None:
            self.show_figure(self._figure)

    def words(
        self, text: str, x: float, y: float, colour: str, *, bold: bool = False, anchor: tuple[float, float]
    ) -> None:
        """Put words at a point."""
        item = pg.TextItem(text, color=self._theme.colour(colour), anchor=anchor)
        item.setFont(self._theme.font(12, QFont.Weight.DemiBold if bold else QFont.Weight.Medium))
        item.setPos(x, y)
        self.addItem(item, ignoreBounds=True)

    # One drawer for each kind of mark ---------------------------------------------------------------------------

    def draw_line(self, line: Line) -> None:
        """A curve."""
        self.addItem(pg.PlotDataItem(line.x, line.y, pen=self.pen(line.role), connect="finite"))

    def draw_band(self, band: Band) -> None:
        """A filled strip."""
        name = ("b50" if band.inner else "b95") if band.role is Role.MODEL else "obsband"
        edges = [pg.PlotCurveItem(band.x, edge, pen=None) for edge in (band.low, band.high)]
        fill = pg.FillBetweenItem(*edges, brush=self._theme.colour(name))
        fill.setZValue(-10)
        self.addItem(fill)

    def draw_points(self, points: Points) -> None:
        """Marks with intervals."""
        ours = points.role in SYMBOLS
        ink = self._theme.colour(STROKES[points.role][0])
        if points.low is not None and points.high is not None:
            self._intervals(points, points.low, points.high)
        ground = self._theme.colour("surface")
        self.addItem(
            pg.ScatterPlotItem(
                points.x,
                points.y,
                size=11 if ours else 9,
                symbol=SYMBOLS.get(points.role, "s"),
                brush=ink if ours else ground,
                pen=pg.mkPen(ground if ours else ink, width=1.4),
            )
        )

    def _intervals(self, points: Points, low: NDArray[np.float64], high: NDArray[np.float64]) -> None:
        centre = points.x if points.horizontal else points.y
        sides = (
            {"left": centre - low, "right": high - centre}
            if points.horizontal
            else {
                "bottom": centre - low,
                "top": high - centre,
            }
        )
        self.addItem(pg.ErrorBarItem(x=points.x, y=points.y, pen=self.pen(points.role), **sides))

    def draw_bars(self, bars: Bars) -> None:
        """A histogram."""
        colour = QColor(self._theme.colour("b50" if bars.role is Role.MODEL else "obsband"))
        edge = self._theme.colour("accent" if bars.role is Role.MODEL else "rand")
        self.addItem(
            pg.BarGraphItem(
                x0=bars.edges[:-1], x1=bars.edges[1:], height=bars.heights, brush=colour, pen=pg.mkPen(edge, width=1)
            )
        )

    def draw_mark(self, mark: Mark) -> None:
        """A straight line with its words."""
        pen = self.pen(mark.role)
        pen.setDashPattern([3, 3])
        self.addItem(pg.InfiniteLine(mark.at, angle=90 if mark.vertical else 0, pen=pen))
        if mark.label:
            box: QRectF = self.viewRect()
            at = (mark.at, box.bottom()) if mark.vertical else (box.left(), mark.at)
            self.words(mark.label, *at, "text", bold=True, anchor=(0, 0) if mark.vertical else (0, 1))


DRAW: dict[type, Callable[[Canvas, Any], None]] = {
    Line: Canvas.draw_line,
    Band: Canvas.draw_band,
    Points: Canvas.draw_points,
    Bars: Canvas.draw_bars,
    Mark: Canvas.draw_mark,
}
