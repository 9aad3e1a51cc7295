"""Pictures that grow while a computation runs, and stay when it has ended."""

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from tapdesk.gui.canvas import Canvas
from tapdesk.gui.theme import Theme
from tapdesk.report.figure import Axis, Role

BINS = 60
MANY = 12
MOST_POINTS = 20_000

FloatArray: TypeAlias = NDArray[np.float64]


class LiveTrace(Canvas):
    """The log-likelihood of every start against its step; lines of all starts must meet at the top."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Log-likelihood of each start against its step")
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
        self.setMinimumHeight(150)
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
        steps = max(2, max(v.size for v in whole.values()) - 1)
        low = min([*(float(v[min(2, v.size - 1)]) for v in whole.values()), top - 1.0])
        # Room for the words above the highest line, whatever the height of the plot.
        share = self._theme.px(24) / max(self.height() - self._theme.px(70), 60)
        high = top + (top - low) * min(share, 0.4)
        if running:
            steps, low, high = _next_round(steps), *_round_ends(low, high)
        self._seen(seen=True)
        self.axes(Axis("Step", 0, steps), Axis("Log-likelihood", low, high))
        self._draw([v for name, v in whole.items() if name != shown], whole[shown])
        words = f"best so far {top:,.3f}" if running else f"best {top:,.3f}"
        self._best.setText(words.replace("-", "−"), color=self._theme.colour("text"))
        self._best.setFont(self._theme.font(12, QFont.Weight.DemiBold))
        self._best.setPos(steps, top)
        self.setAccessibleDescription(
            f"{len(whole)} starts; the best log-likelihood {'so far ' if running else ''}is {top:,.3f} "
            f"after {whole[best].size} steps."
        )

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Header and rows of what is drawn."""
        rows = [(name, f"{v.size:,}", f"{v[0]:.4f}", f"{v[-1]:.4f}") for name, v in self._whole().items()]
        return ("Start", "Steps", "First log-likelihood", "Last log-likelihood"), rows

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
        stride = 1 + sum(v.size for v in others) // MOST_POINTS
        parts = [(_thinned(np.arange(v.size), stride), _thinned(v, stride)) for v in others]
        x = [np.append(steps, np.nan) for steps, _ in parts] or [np.empty(0)]
        y = [np.append(values, np.nan) for _, values in parts] or [np.empty(0)]
        self._others.setData(np.concatenate(x), np.concatenate(y), connect="finite", pen=pen)
        stride = 1 + shown.size // MOST_POINTS
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


class Ridge(QWidget):
    """Distributions of numbers between 0 and 1, one row each on one scale, with bands, value and interval."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._draws: dict[str, NDArray[np.float64]] = {}
        self._marks: dict[str, tuple[float | None, str, str]] = {}
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(150)
        theme.changed.connect(self.update)

    def reset(self, names: Sequence[str] = ()) -> None:
        """Empty the picture; ``names`` are the rows."""
        self._draws = {name: np.empty(0) for name in names}
        self._marks = {}
        self.update()

    def grow(self, name: str, draws: NDArray[np.float64]) -> None:
        """Add draws to a row."""
        old = self._draws.get(name, np.empty(0))
        self._draws[name] = np.concatenate([old, draws[np.isfinite(draws)]])
        self.update()

    def mark(self, name: str, value: float | None, words: str, below: str) -> None:
        """Mark the estimate of a row and write its value and interval at the end."""
        self._draws.setdefault(name, np.empty(0))
        self._marks[name] = (value, words, below)
        self.update()

    @property
    def count(self) -> int:
        """The number of draws of the longest row."""
        return max((d.size for d in self._draws.values()), default=0)

    def describe(self) -> str:
        """What the picture shows, in words."""
        parts = []
        for name, draws in self._draws.items():
            if draws.size:
                low, middle, high = np.quantile(draws, (0.025, 0.5, 0.975))
                parts.append(f"{name}: middle {middle:.2f}, 95 of 100 between {low:.2f} and {high:.2f}")
        return "; ".join(parts)

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Header and rows of what is drawn."""
        rows = []
        for name, draws in self._draws.items():
            if draws.size:
                q = [f"{v:.3f}" for v in np.quantile(draws, (0.025, 0.25, 0.5, 0.75, 0.975))]
                rows.append((name, f"{draws.size:,}", *q))
        return ("Number", "Re-draws", "2.5 %", "25 %", "Middle", "75 %", "97.5 %"), rows

    def sizeHint(self) -> QSize:
        """Room for every row."""
        return QSize(300, self._theme.px(46 + 34 * max(3, len(self._draws))))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw all rows."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._theme
        left = max((self._metrics(name).horizontalAdvance(self._short(name)) for name in self._draws), default=0)
        left = max(left + theme.px(18), theme.px(34))
        plot = QRectF(left, 6, self.width() - left - theme.px(112), self.height() - theme.px(46))
        self._scale(painter, plot)
        rows = list(self._draws)
        for i, name in enumerate(rows):
            high = plot.height() / max(len(rows), 1)
            self._row(painter, name, QRectF(plot.x(), plot.y() + i * high, plot.width(), high))
        painter.end()

    def _font(self, name: str) -> QFont:
        letter = name in {"t", "a", "p"}
        return self._theme.font(14 if letter else 12, QFont.Weight.DemiBold, italic=letter)

    def _metrics(self, name: str) -> QFontMetricsF:
        return QFontMetricsF(self._font(name))

    def _short(self, name: str) -> str:
        """A name that leaves room for the picture."""
        return name if len(name) <= 16 else f"{name[:9]}…{name[-6:]}"

    def _scale(self, painter: QPainter, plot: QRectF) -> None:
        theme = self._theme
        painter.setFont(theme.font(12))
        for i in range(6):
            x = plot.x() + plot.width() * i / 5
            painter.setPen(QPen(theme.colour("grid"), 1))
            painter.drawLine(int(x), int(plot.top()), int(x), int(plot.bottom()))
            painter.setPen(theme.colour("text2"))
            words = f"{i / 5:g}"
            place = QRectF(x - 30, plot.bottom() + 4, 60, theme.px(16))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)
        below = QRectF(plot.x(), plot.bottom() + theme.px(22), plot.width(), theme.px(18))
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, "Value (0 to 1)")

    def _row(self, painter: QPainter, name: str, place: QRectF) -> None:
        theme = self._theme
        draws = self._draws[name]
        base = place.bottom()
        if draws.size > 1:
            self._histogram(painter, draws, place)
        painter.setPen(QPen(theme.colour("axis"), 1.2))
        painter.drawLine(int(place.left()), int(base), int(place.right()), int(base))
        painter.setPen(theme.colour("text"))
        painter.setFont(self._font(name))
        high = min(theme.px(18), place.height())
        label = QRectF(0, base - min(theme.px(30), place.height()), place.x() - theme.px(10), high)
        painter.drawText(label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._short(name))
        self._words(painter, name, place)

    def _words(self, painter: QPainter, name: str, place: QRectF) -> None:
        theme = self._theme
        value, words, below = self._marks.get(name, (None, "", ""))
        if value is not None:
            x = place.x() + place.width() * value
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawLine(int(x), int(place.top() + 8), int(x), int(place.bottom()))
        left, step = place.right() + theme.px(10), theme.px(16)
        painter.setFont(theme.font(12, QFont.Weight.DemiBold))
        painter.setPen(theme.colour("text"))
        if place.height() >= 2 * step:
            top = place.bottom() - 2 * step - min(theme.px(4), place.height() - 2 * step)
            painter.drawText(QRectF(left, top, 200, step), Qt.AlignmentFlag.AlignLeft, words)
            painter.setFont(theme.font(12))
            painter.setPen(theme.colour("text2"))
            painter.drawText(QRectF(left, top + step, 200, step), Qt.AlignmentFlag.AlignLeft, below)
        else:
            painter.drawText(QRectF(left, place.bottom() - step, 200, step), Qt.AlignmentFlag.AlignLeft, words)

    def _histogram(self, painter: QPainter, draws: FloatArray, place: QRectF) -> None:
        counts, edges = np.histogram(draws, BINS, (0.0, 1.0))
        q = np.quantile(draws, (0.025, 0.25, 0.75, 0.975))
        base, x = place.bottom(), place.x() + place.width() * edges
        y = base - (place.height() - 8) * counts / counts.max()
        middles = (edges[1:] + edges[:-1]) / 2
        half, most = (middles >= q[1]) & (middles <= q[2]), (middles >= q[0]) & (middles <= q[3])
        painter.setPen(Qt.PenStyle.NoPen)
        for tint, which in (("sunken", counts > 0), ("b95", most & (counts > 0)), ("b50", half & (counts > 0))):
            painter.setBrush(self._theme.colour(tint))
            bars = np.flatnonzero(which).tolist()
            painter.drawRects([QRectF(x[i], y[i], x[i + 1] - x[i] + 0.5, base - y[i]) for i in bars])
        painter.setPen(QPen(self._theme.colour("accent"), 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        # Only where something is: a line along the axis would look like a belief in impossible values.
        filled = np.flatnonzero(counts)
        bars = range(int(filled[0]), int(filled[-1]) + 1)
        outline = [point for i in bars for point in (QPointF(x[i], y[i]), QPointF(x[i + 1], y[i]))]
        ends = QPointF(x[bars[0]], base), QPointF(x[bars[-1] + 1], base)
        painter.drawPolyline(QPolygonF([ends[0], *outline, ends[1]]))
