"""Pictures that grow while a computation runs, and stay when it has ended."""

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFont, QHelpEvent
from PySide6.QtWidgets import QToolTip

from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Band, Bars, Figure, Line, Mark, Points, Role
from tapdesk.answers.parameter_names import PictureName, in_full
from tapdesk.fitting.fit import MOST_RHAT
from tapdesk.fitting.sampling.hmc import split_rhat
from tapdesk.gui.theme.theme import Theme
from tapdesk.language import gettext as _
from tapdesk.language import say

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
        widest = max((len(words) for _at, words in ticks["left"]), default=1)
        margin = self._theme.px(12 + 7 * widest)
        self.getAxis("left").setWidth(margin)
        self._title.setText(y.title, color=self._theme.names["text2"], size=f"{12 * 0.75 * self._theme.scale / 100}pt")
        self._title.setPos(margin - 4, 0)
        self.setXRange(x.low, x.high, padding=0)
        self.setYRange(y.low, y.high, padding=0)
        self._grid([at for at, _words in ticks["left"]], y)

    def _grid(self, heights: list[float], y: Axis) -> None:
        wanted = [height for height in heights if height > y.low]
        for line in self._rules[len(wanted) :]:
            self.removeItem(line)
        pen = pg.mkPen(self._theme.colour("grid"), width=1)
        new = [pg.InfiniteLine(0, angle=0) for _height in wanted[len(self._rules) :]]
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


LOW = 150  # pixels at 100 % text: lower, a picture has no room for what is written in it
MANY = 12
MOST_TRACE_POINTS = 20_000

FloatArray: TypeAlias = NDArray[np.float64]
MOST_CHAIN_POINTS = 4_000
ROOM = 0.06  # of the range, above and below the lines


class LiveTrace(Canvas):
    """The log-likelihood of every start against its step; lines of all starts must meet at the top."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("Log-likelihood of each start against its step"))
        self._lines: dict[str, list[FloatArray]] = {}
        self._newest = ""
        self._running = False
        self._high = 0
        # All other starts are one item: many items would take too long to draw while a run goes on.
        self._others, self._shown = pg.PlotCurveItem(antialias=True), pg.PlotCurveItem(antialias=True)
        self._best = pg.TextItem(anchor=(1, 1))
        for item in (self._others, self._shown, self._best):
            self.addItem(item, ignoreBounds=True)
        self.plotItem.vb.sigResized.connect(self._on_resized)
        self.setMinimumHeight(theme.px(LOW))
        self.reset()

    def reset(self) -> None:
        """Empty the plot for another run; it shows no axes while there is nothing to measure."""
        self._lines, self._newest = {}, ""
        self._seen(seen=False)

    def grow(self, start: str, points: FloatArray) -> None:
        """Add points at the end of the line of a start; ``redraw`` shows them."""
        self._lines.setdefault(start, []).append(np.asarray(points, dtype=np.float64))
        self._newest = start

    def redraw(self, *, running: bool = True) -> None:
        """Draw all lines; the running one, or the best one at the end, in the accent colour."""
        self._running = running
        whole = self._whole()
        if not whole:
            return
        best = max(whole, key=lambda name: float(whole[name][-1]))
        top = float(whole[best][-1])
        shown = self._newest if running and self._newest in whole else best
        steps: float = max(2, max(v.size for v in whole.values()) - 1)
        low = min([*(float(v[min(2, v.size - 1)]) for v in whole.values()), top - 1.0])
        # Room for the words above the highest line, whatever the height of the plot.
        share = self._theme.px(24) / max(self.height() - self._theme.px(70), 60)
        high = top + (top - low) * min(share, 0.4)
        if running:
            steps, low, high = _next_round(steps), *_round_ends(low, high)
        self._seen(seen=True)
        self.axes(Axis(_("Step"), 0, steps), Axis(_("Log-likelihood"), low, high))
        self._draw([v for name, v in whole.items() if name != shown], whole[shown])
        words = (
            _("best so far {top}").format(top=numbers.large(top))
            if running
            else _("best {top}").format(top=numbers.large(top))
        )
        self._best.setText(words, color=self._theme.colour("text"))
        self._best.setFont(self._theme.font(12, QFont.Weight.DemiBold))
        self._best.setPos(steps, top)
        self.setAccessibleDescription(
            (
                _("Starts: {starts}; the best log-likelihood so far is {top}, at step {steps}.")
                if running
                else _("Starts: {starts}; the best log-likelihood is {top}, at step {steps}.")
            ).format(starts=len(whole), top=numbers.large(top), steps=numbers.count(whole[best].size))
        )

    def words_at(self, x: float, y: float) -> str:
        """The start whose line is nearest, the step, and the log-likelihood there."""
        whole = self._whole()
        if not whole:
            return ""
        step = round(self.value_at(x, y)[0])
        # A line that has ended is read at its last step only.
        there = {name: values for name, values in whole.items() if 0 <= step < values.size}
        far = {name: math.dist((x, y), self.pixel_of(step, float(v[step]))) for name, v in there.items()}
        nearest = min(far, key=far.__getitem__, default="")
        if not nearest or far[nearest] > NEAR:
            return ""
        return _("{start}: step {step}, log-likelihood {value}").format(
            start=say(nearest), step=numbers.count(step), value=numbers.large(float(whole[nearest][step]))
        )

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Header and rows of what is drawn."""
        rows: list[tuple[str, ...]] = [
            (say(name), numbers.count(v.size), numbers.large(float(v[0]), 4), numbers.large(float(v[-1]), 4))
            for name, v in self._whole().items()
        ]
        return (_("Start"), _("Steps"), _("First log-likelihood"), _("Last log-likelihood")), rows

    def _whole(self) -> dict[str, FloatArray]:
        """Every line that has a point, in one piece."""
        for name, parts in self._lines.items():
            if len(parts) > 1:
                self._lines[name] = [np.concatenate(parts)]
        return {name: parts[0] for name, parts in self._lines.items() if parts[0].size}

    def _draw(self, others: list[FloatArray], shown: FloatArray) -> None:
        pen = self.pen(Role.OTHER_START)
        pen.setWidthF(0.8 if len(others) > MANY else pen.widthF())
        # A million points would be drawn for seconds: every so many-th tells the same, and the last one always stays.
        stride = 1 + sum(v.size for v in others) // MOST_TRACE_POINTS
        parts = [(_thinned(np.arange(v.size), stride), _thinned(v, stride)) for v in others]
        x = [np.append(steps, np.nan) for steps, _values in parts] or [np.empty(0)]
        y = [np.append(values, np.nan) for _steps, values in parts] or [np.empty(0)]
        self._others.setData(np.concatenate(x), np.concatenate(y), connect="finite", pen=pen)
        stride = 1 + shown.size // MOST_TRACE_POINTS
        self._shown.setData(_thinned(np.arange(shown.size), stride), _thinned(shown, stride), pen=self.pen(Role.MODEL))

    def _seen(self, *, seen: bool) -> None:
        for side in ("left", "bottom"):
            self.getAxis(side).setVisible(seen)
        for item in (self._title, self._others, self._shown, self._best, *self._rules):
            item.setVisible(seen)

    @Slot()
    def _on_resized(self) -> None:
        """Keep room for the words at the new height."""
        if self._high != self.height():
            self._high = self.height()
            self.redraw(running=self._running)

    def _dress(self) -> None:
        self.setMinimumHeight(self._theme.px(LOW))
        self.dress_axes()
        self.redraw(running=self._running)


def _next_round(extent: float) -> float:
    """The next of 1, 2, 5, 10, … : an axis that grows in jumps is laid out seldom."""
    unit = 10.0 ** math.floor(math.log10(extent))
    return next(unit * m for m in (1, 2, 5, 10) if unit * m >= extent)


def _round_ends(low: float, high: float) -> tuple[float, float]:
    """The ends of an axis moved outwards to round numbers, for the same reason."""
    unit = _next_round(high - low) / 10
    return math.floor(low / unit) * unit, math.ceil(high / unit) * unit


def _thinned(values: NDArray[Any], stride: int) -> FloatArray:
    """Every so many-th value, and the last one."""
    kept = values[::stride].astype(np.float64)
    return kept if (values.size - 1) % stride == 0 else np.append(kept, values[-1])


class LiveChains(Canvas):
    """The draws of one number, a line for each chain, and R-hat over all numbers so far.

    Attributes
    ----------
    warming
        Whether what is drawn was passed before the first draw.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("Draws of each chain"))
        self._parts: dict[str, list[FloatArray]] = {}
        self._rhat: float | None = None
        self._shown = ""
        self.warming = False
        self._called: Mapping[str, PictureName] = {}
        # All chains but the first are one item, which is drawn much faster than many.
        self._others, self._first = pg.PlotCurveItem(antialias=True), pg.PlotCurveItem(antialias=True)
        self._words = pg.TextItem(anchor=(1, 0))
        for item in (self._others, self._first, self._words):
            self.addItem(item, ignoreBounds=True)
        self.setMinimumHeight(theme.px(LOW))
        self.reset()

    def reset(self, words: Mapping[str, PictureName] | None = None) -> None:
        """Empty the picture for another run; ``words`` are what each number is a share of."""
        self._called = words or {}
        self._parts, self._rhat, self._shown, self.warming = {}, None, "", False
        self._seen(seen=False)

    def grow(self, draws: Mapping[str, FloatArray], chains: int, rhat: float | None = None) -> None:
        """Add draws of every chain, those of one chain after those of the other; ``redraw`` shows them."""
        for name, values in draws.items():
            self._parts.setdefault(name, []).append(np.asarray(values, dtype=np.float64).reshape(chains, -1))
        self._rhat = rhat

    @property
    def whole(self) -> dict[str, FloatArray]:
        """Every number with its draws, shape (chains, draws)."""
        for name, parts in self._parts.items():
            if len(parts) > 1:
                self._parts[name] = [np.concatenate(parts, axis=1)]
        return {name: parts[0] for name, parts in self._parts.items()}

    def redraw(self) -> None:
        """Draw the chains of the accuracy, or of the number with the largest R-hat where there are several."""
        whole = self.whole
        if not whole:
            return
        wanted = [name for name in whole if name.split("[")[0] == "a"] or list(whole)
        self._shown = max(wanted, key=lambda name: float(split_rhat(whole[name][..., None])[0]))
        values = whole[self._shown]
        low, high = float(values.min()), float(values.max())
        room = max(high - low, 1e-3) * ROOM
        self._seen(seen=True)
        self.axes(
            Axis(_("Draw of the chain"), 0, max(values.shape[1] - 1, 1)),
            Axis(_("Value of {shown}").format(shown=self._named(self._shown)), low - room, high + 5 * room),
        )
        self._draw(values)
        self._words.setText(self.words_of_rhat(), color=self._theme.colour("text"))
        self._words.setFont(self._theme.font(12, QFont.Weight.DemiBold))
        self._words.setPos(max(values.shape[1] - 1, 1), high + 5 * room)
        chains, draws = values.shape
        self.setAccessibleDescription(
            _("{chains} chains with {draws} draws each of {shown}, from {low} to {high}. {words_of_rhat}.").format(
                chains=chains,
                draws=numbers.count(draws),
                shown=self._named(self._shown),
                low=numbers.decimal(low, places=3),
                high=numbers.decimal(high, places=3),
                words_of_rhat=self.words_of_rhat(),
            )
        )

    def _named(self, name: str) -> str:
        """A number by its letter and what it is a share of."""
        return in_full(name, self._called)

    def words_of_rhat(self) -> str:
        """R-hat, and whether the chains agree by it."""
        if self.warming:
            return _("warming up: the chains look for their place")
        if self._rhat is None:
            return ""
        sentence = _("the chains agree") if self._rhat <= MOST_RHAT else _("the chains still differ")
        return (
            _("R-hat {rhat}: {told}").format(rhat=numbers.decimal(self._rhat, places=3), told=sentence)
            if np.isfinite(self._rhat)
            else _("R-hat: the chains do not move")
        )

    def words_at(self, x: float, y: float) -> str:
        """The chain whose line is nearest, its draw, and the value there."""
        values = self.whole.get(self._shown)
        draw = round(self.value_at(x, y)[0])
        if values is None or not 0 <= draw < values.shape[1]:
            return ""
        far = [math.dist((x, y), self.pixel_of(draw, float(v))) for v in values[:, draw]]
        nearest = int(np.argmin(far))
        if far[nearest] > NEAR:
            return ""
        return _("Chain {chain}, draw {draw}: {value}").format(
            chain=nearest + 1,
            draw=numbers.count(draw + 1),
            value=numbers.decimal(float(values[nearest, draw]), places=3),
        )

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Header and rows: of every number, how far its chains agree."""
        rows: list[tuple[str, ...]] = []
        for name, values in self.whole.items():
            rhat = float(split_rhat(values[..., None])[0])
            means = values.mean(axis=1)
            span = (numbers.decimal(float(v), places=4) for v in (means.min(), means.max()))
            counts = (numbers.count(size) for size in values.shape)
            rows.append((self._named(name), *counts, numbers.decimal(rhat, places=3), *span))
        return (_("Number"), _("Chains"), _("Draws each"), "R-hat", _("Lowest mean of a chain"), _("Highest")), rows

    def _draw(self, values: FloatArray) -> None:
        stride = 1 + values.size // MOST_CHAIN_POINTS
        x = np.arange(0, values.shape[1], stride, dtype=np.float64)
        thin = values[:, ::stride]
        pen = self.pen(Role.OTHER_START)
        pen.setWidthF(0.7)
        gaps = np.full((thin.shape[0] - 1, 1), np.nan)
        others = np.concatenate([thin[1:], gaps], axis=1).ravel()
        places = np.tile(np.append(x, np.nan), thin.shape[0] - 1)
        self._others.setData(places, others, connect="finite", pen=pen)
        first = self.pen(Role.MODEL)
        first.setWidthF(1.0)
        self._first.setData(x, thin[0], pen=first)

    def _seen(self, *, seen: bool) -> None:
        for side in ("left", "bottom"):
            self.getAxis(side).setVisible(seen)
        for item in (self._title, self._others, self._first, self._words, *self._rules):
            item.setVisible(seen)

    @Slot()
    def _dress(self) -> None:
        self.setMinimumHeight(self._theme.px(LOW))
        self.dress_axes()
        self.redraw()
