"""Distributions of numbers between 0 and 1, one below the other, that fill in while they are drawn."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from pyqtgraph.functions import arrayToQPolygonF
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QFont, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from tapdesk.answers import numbers
from tapdesk.answers.parameter_names import PictureName, in_full, read_as
from tapdesk.estimate import Estimate
from tapdesk.gui.pictures.live_plots import FloatArray
from tapdesk.gui.theme.theme import Theme
from tapdesk.language import gettext as _

BINS = 60
TALL_ROWS = 12
LONGEST_NAME = 16
WORDS_SHARE = 0.36  # of the width: the most that words beside the rows may take
NO_WORDS: Mapping[str, PictureName] = MappingProxyType({})


def in_words(draws: FloatArray) -> str:
    """The middle of a row and where most of it lies."""
    low, middle, high = (numbers.decimal(float(v)) for v in np.quantile(draws, (0.025, 0.5, 0.975)))
    return _("middle {middle}, 95 of 100 between {low} and {high}").format(middle=middle, low=low, high=high)


def binned(draws: FloatArray) -> NDArray[np.int64]:
    """Shape (BINS + 2,): how many draws each bar holds, with those below 0 before and those above 1 behind them."""
    # A draw of exactly 1 belongs to the last bar.
    bar = np.where(draws == 1, BINS - 1, np.floor(draws * BINS))
    return np.bincount(np.clip(bar + 1, 0, BINS + 1).astype(np.int64), minlength=BINS + 2)


def stairs(edges: FloatArray, tops: FloatArray, base: float) -> QPolygonF:
    """The outline of bars from the base up and down to it again; every edge stands twice in a row.

    As one array: points made one by one would take most of the time of a picture.
    """
    heights = np.concatenate([[base], np.repeat(tops, 2), [base]])
    outline: QPolygonF = arrayToQPolygonF(edges, heights)
    return outline


def _ends(name: str) -> str:
    """Of a long name both ends."""
    return name if len(name) <= LONGEST_NAME else f"{name[:9]}…{name[-6:]}"


class RidgePlot(QWidget):
    """Distributions of numbers between 0 and 1, one row each on one scale, with bands, value and interval."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._draws: dict[str, NDArray[np.float64]] = {}
        # How many draws each bin holds, counted as they come: all of them anew for every picture would take its time.
        self._counts: dict[str, NDArray[np.int64]] = {}
        self._marks: dict[str, tuple[Estimate, str, str]] = {}
        # As the rows are written, and how wide the widest of them is: measured once, not for every picture.
        self._labels: dict[str, tuple[str, QFont]] = {}
        self._widest = self._wordy = 0.0
        # What each number is a share of, in two words.
        self._called = NO_WORDS
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(150)
        theme.changed.connect(self._make_room)

    def reset(self, names: Sequence[str] = (), words: Mapping[str, PictureName] = NO_WORDS) -> None:
        """Empty the picture; ``names`` are the rows, ``words`` what each of them is a share of."""
        self._called = words
        self._draws = {name: np.empty(0) for name in names}
        self._counts, self._marks = {}, {}
        self._make_room()
        self.update()

    @Slot()
    def _make_room(self) -> None:
        """Height for value and interval beside every row, as long as there are not too many."""
        self._labels = {}
        self.setMinimumHeight(max(150, self._wanted()))
        self.updateGeometry()
        self.update()

    def _wanted(self) -> int:
        """The height of all rows with the scale below them."""
        rows = len(self._draws)
        return self._theme.px(46 + (34 if rows <= TALL_ROWS else 20) * max(rows, 3))

    def _begin(self, name: str) -> None:
        """A row for a name that has none yet."""
        if name not in self._draws:
            self._draws[name] = np.empty(0)
            self._make_room()

    def grow(self, name: str, draws: NDArray[np.float64]) -> None:
        """Add draws to a row; they are seen with the next picture."""
        fresh = draws[np.isfinite(draws)]
        self._begin(name)
        self._draws[name] = np.concatenate([self._draws[name], fresh])
        self._counts[name] = self._counts.get(name, 0) + binned(fresh)

    def mark(self, name: str, estimate: Estimate, words: str, below: str) -> None:
        """Mark the estimate of a row and write its value and interval at the end."""
        self._begin(name)
        self._marks[name] = (estimate, words, below)
        if estimate.value is None and estimate.low is None:
            # What re-draws give for a number the ratings leave open would look like an answer.
            self._draws[name] = np.empty(0)
            self._counts.pop(name, None)
        self.update()

    @property
    def count(self) -> int:
        """The number of draws of the longest row."""
        return max((d.size for d in self._draws.values()), default=0)

    def describe(self) -> str:
        """What the picture shows, in words."""
        return " ".join(words for words in map(self._curve_words, self._draws) if words)

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Header and rows of what is drawn; of the estimates where there are no draws."""
        if not self.count:
            items: list[tuple[str, ...]] = [
                (in_full(name, self._called), *self._marks[name][1:]) for name in self._draws if name in self._marks
            ]
            return (_("Number"), _("Value"), _("Interval")), items
        rows: list[tuple[str, ...]] = []
        for name, draws in self._draws.items():
            if draws.size:
                q = [numbers.decimal(float(v), places=3) for v in np.quantile(draws, (0.025, 0.25, 0.5, 0.75, 0.975))]
                rows.append((in_full(name, self._called), numbers.count(draws.size), *q))
        low, high = (f"{numbers.decimal(v, places=1)} %" for v in (2.5, 97.5))
        return (_("Number"), _("Resamples"), low, "25 %", _("Middle"), "75 %", high), rows

    def words_at(self, y: float) -> str:
        """The row at a height, in words; empty where nothing was drawn yet."""
        rows = list(self._draws)
        high = self._plot().height() / max(len(rows), 1)
        at = int((y - self._plot().top()) // high) if rows else -1
        return self._curve_words(rows[at]) if 0 <= at < len(rows) else ""

    def _curve_words(self, name: str) -> str:
        """A row in words: its draws, its estimate; empty while there is neither."""
        draws, (result, words, below) = self._draws[name], self._marks.get(name, (None, "", ""))
        sentences = []
        if result is not None and result.value is None:
            sentences.append(_("these ratings leave it open"))
        if draws.size:
            sentences.append(in_words(draws))
        elif result is not None and result.value is not None:
            sentences.append(_("estimate {words} ({below})").format(words=words, below=below))
        if not sentences:
            return ""
        if name in self._called:
            sentences.insert(0, self._called[name].share_of)
        sentence = _("{name}: {said}.").format(name=self._read(name), said=", ".join(sentences))
        if not draws.size or result is None or result.value is None:
            return sentence
        return _("{row} Estimate {words} ({below}).").format(row=sentence, words=words, below=below)

    def event(self, event: QEvent) -> bool:
        """Read a row where the mouse rests."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.words_at(event.pos().y()), self)
            return True
        return super().event(event)

    def _plot(self) -> QRectF:
        """Where the rows are drawn."""
        if not self._labels:
            self._labels = {name: (self._short(name), self._font(name)) for name in self._draws}
            wide = [QFontMetricsF(font).horizontalAdvance(words) for words, font in self._labels.values()]
            self._widest = max(wide, default=0.0)
            metrics = QFontMetricsF(self._theme.font(12))
            self._wordy = max(
                (metrics.horizontalAdvance(words) for _letter, _brief, words in self._called.values()), default=0.0
            )
        left = max(self._wordy if self._with_words() else self._widest, self._theme.px(16)) + self._theme.px(18)
        return QRectF(left, 6, self.width() - left - self._theme.px(112), self.height() - self._theme.px(46))

    def _with_words(self) -> bool:
        """Whether there is room to write what each number is a share of."""
        return 0 < self._wordy <= WORDS_SHARE * self.width() and len(self._draws) <= TALL_ROWS

    def sizeHint(self) -> QSize:
        """Room for every row."""
        return QSize(300, self._wanted())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw all rows."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plot = self._plot()
        self._scale(painter, plot)
        rows = list(self._draws)
        for i, name in enumerate(rows):
            high = plot.height() / max(len(rows), 1)
            self._row(painter, name, QRectF(plot.x(), plot.y() + i * high, plot.width(), high))
        painter.end()

    def _font(self, name: str) -> QFont:
        letter = name in {"t", "a", "p"}
        return self._theme.font(14 if letter else 12, QFont.Weight.DemiBold, italic=letter)

    def _short(self, name: str) -> str:
        """A name that leaves room for the picture; two that would read alike get their places among the classes."""
        if sum(_ends(self._read(other)) == _ends(self._read(name)) for other in self._draws) < 2:
            return _ends(self._read(name))
        symbol = name.partition("[")[0]
        place = [other for other in self._draws if other.partition("[")[0] == symbol].index(name) + 1
        return f"{_ends(self._read(name))} ({place})"

    def _read(self, name: str) -> str:
        return self._called[name].brief if name in self._called else read_as(name)

    def _scale(self, painter: QPainter, plot: QRectF) -> None:
        theme = self._theme
        painter.setFont(theme.font(12))
        # Fewer ticks where their words would run together.
        ticks = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0) if plot.width() >= theme.px(150) else (0.0, 0.5, 1.0)
        for tick in ticks:
            x = plot.x() + plot.width() * tick
            painter.setPen(QPen(theme.colour("grid"), 1))
            painter.drawLine(int(x), int(plot.top()), int(x), int(plot.bottom()))
            painter.setPen(theme.colour("text2"))
            words = numbers.figures(tick)
            place = QRectF(x - 30, plot.bottom() + 4, 60, theme.px(16))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)
        # The words may be wider than a narrow picture; beside it there is room.
        middle = plot.center().x()
        half = min(middle, self.width() - middle)
        below = QRectF(middle - half, plot.bottom() + theme.px(22), 2 * half, theme.px(18))
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, _("Value (0 to 1)"))

    def _row(self, painter: QPainter, name: str, place: QRectF) -> None:
        theme = self._theme
        draws = self._draws[name]
        base = place.bottom()
        if draws.size > 1 and self._counts[name][1:-1].any():
            self._histogram(painter, self._counts[name], place)
        painter.setPen(QPen(theme.colour("axis"), 1.2))
        painter.drawLine(int(place.left()), int(base), int(place.right()), int(base))
        painter.setPen(theme.colour("text"))
        self._label(painter, name, place)
        self._words(painter, name, place)

    def _label(self, painter: QPainter, name: str, place: QRectF) -> None:
        """The letter of a row, with its two words below it where there is room for those of every row."""
        theme, right = self._theme, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        words, font = self._labels[name]
        line, wide = min(theme.px(18), place.height()), place.x() - theme.px(10)
        called = self._called.get(name) if self._with_words() else None
        if called is None:
            painter.setFont(font)
            painter.drawText(QRectF(0, place.bottom() - min(theme.px(30), place.height()), wide, line), right, words)
            return
        top = place.bottom() - 2 * line - theme.px(2)
        painter.setFont(theme.font(14, QFont.Weight.DemiBold, italic=True))
        painter.drawText(QRectF(0, top, wide, line), right, called.letter)
        painter.setFont(theme.font(12))
        painter.setPen(theme.colour("text2"))
        painter.drawText(QRectF(0, top + line, wide, line), right, called.share_of)

    def _words(self, painter: QPainter, name: str, place: QRectF) -> None:
        theme = self._theme
        result, words, below = self._marks.get(name, (None, "", ""))
        if result is not None and result.value is not None and 0 <= result.value <= 1:
            x = place.x() + place.width() * result.value
            if result.low is not None and result.high is not None and not self._draws[name].size:
                self._interval(painter, result.low, result.high, place)
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

    def _interval(self, painter: QPainter, low: float, high: float, place: QRectF) -> None:
        """The interval of an estimate that has no re-draws: a line with caps."""
        middle = int(place.center().y()) + 4
        ends = [int(place.x() + place.width() * end) for end in (max(low, 0.0), min(high, 1.0))]
        painter.setPen(QPen(self._theme.colour("accent"), 2))
        painter.drawLine(ends[0], middle, ends[1], middle)
        for end in ends:
            painter.drawLine(end, middle - 4, end, middle + 4)

    def _histogram(self, painter: QPainter, binned: NDArray[np.int64], place: QRectF) -> None:
        # The share of all draws that lie below the middle of each bar.
        below = ((np.cumsum(binned) - binned / 2) / binned.sum())[1:-1]
        half, most = abs(below - 0.5) <= 0.25, abs(below - 0.5) <= 0.475
        counts = binned[1:-1]
        base, edges = place.bottom(), np.repeat(place.x() + place.width() * np.linspace(0, 1, BINS + 1), 2)
        tall = (place.height() - 8) * counts / counts.max()
        painter.setPen(Qt.PenStyle.NoPen)
        for tint, which in (("sunken", np.full(BINS, fill_value=True)), ("b95", most), ("b50", half)):
            painter.setBrush(self._theme.colour(tint))
            painter.drawPolygon(stairs(edges, base - np.where(which, tall, 0.0), base))
        painter.setPen(QPen(self._theme.colour("accent"), 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        # Only where something is: a line along the axis would look like a belief in impossible values.
        filled = np.flatnonzero(counts)
        first, last = int(filled[0]), int(filled[-1]) + 1
        painter.drawPolyline(stairs(edges[2 * first : 2 * last + 2], base - tall[first:last], base))
