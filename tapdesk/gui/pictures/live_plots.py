"""Pictures that grow while a computation runs, and stay when it has ended."""

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Slot
from PySide6.QtGui import QFont

from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Role
from tapdesk.answers.signs import rewritten
from tapdesk.fitting.fit import MOST_RHAT
from tapdesk.fitting.sampling.hmc import split_rhat
from tapdesk.gui.pictures.canvas import NEAR, Canvas
from tapdesk.gui.pictures.parameter_names import PictureName, in_full
from tapdesk.gui.theme.theme import Theme
from tapdesk.language import gettext as _

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
                _("{starts} starts; the best log-likelihood so far is {top} after {steps} steps.")
                if running
                else _("{starts} starts; the best log-likelihood is {top} after {steps} steps.")
            ).format(starts=len(whole), top=numbers.large(top), steps=numbers.count(whole[best].size))
        )

    def words_at(self, x: float, y: float) -> str:
        """The start whose line is nearest, the step, and the log-likelihood there."""
        whole = self._whole()
        if not whole:
            return ""
        step = round(self.y.value(x)[0])
        # A line that has ended is read at its last step only.
        there = {name: values for name, values in whole.items() if 0 <= step < values.size}
        far = {name: math.dist((x, y), self.pixel_of(step, float(v[step]))) for name, v in there.items()}
        nearest = min(far, key=far.__getitem__, default="")
        if not nearest or far[nearest] > NEAR:
            return ""
        return _("{start}: step {step}, log-likelihood {value}").format(
            start=rewritten(nearest), step=numbers.count(step), value=numbers.large(float(whole[nearest][step]))
        )

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Header and rows of what is drawn."""
        rows: list[tuple[str, ...]] = [
            (rewritten(name), numbers.count(v.size), numbers.large(float(v[0]), 4), numbers.large(float(v[-1]), 4))
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
    """The draws of one number, a line for each chain, and R-hat over all numbers so far."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("Draws of each chain"))
        self._parts: dict[str, list[FloatArray]] = {}
        self._rhat: float | None = None
        self._shown = ""
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
        self._parts, self._rhat, self._shown = {}, None, ""
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
        if self._rhat is None:
            return ""
        told = _("the chains agree") if self._rhat <= MOST_RHAT else _("the chains still differ")
        return (
            _("R-hat {rhat}: {told}").format(rhat=numbers.decimal(self._rhat, places=3), told=told)
            if np.isfinite(self._rhat)
            else _("R-hat: the chains do not move")
        )

    def words_at(self, x: float, y: float) -> str:
        """The chain whose line is nearest, its draw, and the value there."""
        values = self.whole.get(self._shown)
        draw = round(self.y.value(x)[0])
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
