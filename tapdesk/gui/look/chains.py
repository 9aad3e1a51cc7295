"""The chains of a sampled posterior as they wander: lines that cover each other have forgotten where they began."""

import math
from collections.abc import Mapping

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Slot
from PySide6.QtGui import QFont

from tapdesk.fitting.sampling.chains import split_rhat
from tapdesk.fitting.sampling.diagnosis import MOST_RHAT
from tapdesk.gui.look.canvas import NEAR, Canvas
from tapdesk.gui.look.live import LOW, FloatArray
from tapdesk.gui.look.symbols import Called, named
from tapdesk.gui.look.theme import Theme
from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.figure import Axis, Role

MOST_POINTS = 4_000
ROOM = 0.06  # of the range, above and below the lines


class LiveChains(Canvas):
    """The draws of one number, a line for each chain, and R-hat over all numbers so far."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("Draws of each chain"))
        self._parts: dict[str, list[FloatArray]] = {}
        self._rhat: float | None = None
        self._shown = ""
        self._called: Mapping[str, Called] = {}
        # All chains but the first are one item, which is drawn much faster than many.
        self._others, self._first = pg.PlotCurveItem(antialias=True), pg.PlotCurveItem(antialias=True)
        self._words = pg.TextItem(anchor=(1, 0))
        for item in (self._others, self._first, self._words):
            self.addItem(item, ignoreBounds=True)
        self.setMinimumHeight(theme.px(LOW))
        self.reset()

    def reset(self, words: Mapping[str, Called] | None = None) -> None:
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
        return named(name, self._called)

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

    def told_at(self, x: float, y: float) -> str:
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
        rows = []
        for name, values in self.whole.items():
            rhat = float(split_rhat(values[..., None])[0])
            means = values.mean(axis=1)
            span = (numbers.decimal(float(v), places=4) for v in (means.min(), means.max()))
            counts = (numbers.count(size) for size in values.shape)
            rows.append((self._named(name), *counts, numbers.decimal(rhat, places=3), *span))
        return (_("Number"), _("Chains"), _("Draws each"), "R-hat", _("Lowest mean of a chain"), _("Highest")), rows

    def _draw(self, values: FloatArray) -> None:
        stride = 1 + values.size // MOST_POINTS
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
