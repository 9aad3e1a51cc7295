"""Draws of a number between 0 and 1, counted into bars, and the outline of the bars."""

import numpy as np
from numpy.typing import NDArray
from pyqtgraph.functions import arrayToQPolygonF
from PySide6.QtGui import QPolygonF

from tapdesk.answers import numbers
from tapdesk.gui.look.live import FloatArray
from tapdesk.language import gettext as _

BINS = 60


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
