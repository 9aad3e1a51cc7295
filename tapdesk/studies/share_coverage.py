"""How often the intervals of the two shares of a rating hold the truth (models.md §3).

Of a case that is truly "yes" a rating says so with probability mu_1, of another with mu_0.
Raters share their numbers, so a panel is no more than how many cases have 0, 1, ... R ratings of class 1. Where such
panels can be counted through, every one is read and weighed by its probability: then the answer is exact. Elsewhere
panels are drawn, and none is read twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np
from scipy.special import gammaln, xlogy

from tapdesk.errors import UsageError
from tapdesk.fitting.two_rates import TwoRates, two_rates
from tapdesk.language import gettext as _
from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run, Step
from tapdesk.studies.analysis import SHARE_SETS
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.recovery import Setting, shared_point
from tapdesk.studies.simulated_data import CountVectors, complete_count_vectors, count_vectors
from tapdesk.studies.table import Cell, StudyTable, join_tables

COLUMNS = (
    "subjects", "raters", "t", "a", "p", "truth", "share", "panels", "exact", "without",
    "covered", "error", "missed_below", "missed_above", "width",
)  # fmt: skip
_MOST_PANELS = 6_000
_PORTION = 400
# What the maximum gains over a panel without knowledge below which nothing is told of two rates, nats.
_NOTHING = 1e-6
_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class ShareCells:
    """Settings of one design: so many cases and raters, with every pair of truth and guessing at an accuracy."""

    subjects: int
    raters: int
    truths: tuple[float, ...]
    accuracy: float
    guesses: tuple[float, ...]
    sets: int = SHARE_SETS
    seed: int = 1
    level: float = 0.95


def share_cells(sets: int | None = None, seed: int = 1) -> tuple[ShareCells, ...]:
    """The cells of the published table: small and usual panels, from hardly better than chance to nearly perfect."""
    grid = product((30, 100), (3, 5), (0.5, 0.7, 0.9, 0.98))
    return tuple(ShareCells(n, r, (0.1, 0.3, 0.5), a, (0.3, 0.5), sets or SHARE_SETS, seed) for n, r, a in grid)


def share_coverage(
    cells: Sequence[ShareCells], workers: int = 1, kept: FinishedPieces | None = None
) -> Run[StudyTable]:
    """A table with two rows for every setting: the share of cases that are truly class 1, and of the others.

    Yields
    ------
    Step
        Phase ``study``.

    Returns
    -------
    StudyTable
        ``share`` is the true value, ``truth`` the class of the cases it is of. Of so many ``panels`` (all there can
        be, each with its probability, where ``exact``) a share ``without`` tells nothing of two rates; of the others
        ``covered`` have an interval that holds the true share, with its Monte Carlo standard ``error``.

    Raises
    ------
    UsageError
        When no panels are asked for.
    """
    if any(cell.sets < 1 for cell in cells):
        raise UsageError(_("A study of no panels tells nothing."))
    results = yield from in_parallel(_rows, cells, workers, kept=kept)
    return join_tables("shares", COLUMNS, results)


def _rows(cells: ShareCells) -> Run[list[tuple[Cell, ...]]]:
    here = complete_count_vectors(cells.subjects, cells.raters, 2)
    if here is None:
        raise UsageError(
            _("{raters} {ratings} of {a_subject} have too many patterns to list.").format(raters=cells.raters)
        )
    settings = [
        Setting(shared_point([1 - t, t], cells.accuracy, [1 - p, p]), cells.subjects, cells.raters)
        for t, p in product(cells.truths, cells.guesses)
    ]
    panels, chances = _panels(here, settings, cells)
    intervals = yield from _intervals(here, panels, cells.level)
    holds = intervals.log_likelihood - _without_knowledge(here, panels) > _NOTHING
    rows: list[tuple[Cell, ...]] = []
    for setting, chance in zip(settings, chances, strict=True):
        point = setting.parameters
        t, a, p = float(point.truth[1]), cells.accuracy, float(point.guessing[0, 0, 1])
        for which, rate in ((0, a + (1 - a) * p), (1, (1 - a) * p)):
            some = chance * holds
            whole = float(some.sum())
            low, high = intervals.low[:, which], intervals.high[:, which]
            below = float(some @ (high < rate - _CLOSE)) / whole
            above = float(some @ (low > rate + _CLOSE)) / whole
            covered = 1 - below - above
            exact = len(panels) == _countable(here)
            error = 0.0 if exact else float(np.sqrt(covered * (1 - covered) / (whole * cells.sets)))
            rows.append(
                (
                    cells.subjects, cells.raters, t, a, p, 1 - which, rate,
                    len(panels) if exact else cells.sets, exact, max(1 - whole, 0.0),
                    covered, error, below, above, float(some @ (high - low)) / whole,
                )
            )  # fmt: skip
    return rows


def _countable(here: CountVectors) -> int:
    """How many panels there can be."""
    return comb(here.total + here.size.size - 1, here.total)


def _panels(here: CountVectors, settings: Sequence[Setting], cells: ShareCells) -> tuple[FloatArray, list[FloatArray]]:
    """Panels as weights (B, P), and for each setting the probability of each, or how often it was drawn."""
    if _countable(here) <= _MOST_PANELS:
        every = count_vectors(here.total, here.size.size).astype(np.float64)
        ways = gammaln(here.total + 1) - gammaln(every + 1).sum(axis=1)
        shares = [here.expected(setting.parameters) / here.total for setting in settings]
        return every, [np.exp(ways + xlogy(every, share).sum(axis=1)) for share in shares]
    drawn = []
    for setting in settings:
        t, a, p = (setting.parameters.truth[1], cells.accuracy, setting.parameters.guessing[0, 0, 1])
        random = np.random.default_rng(
            [cells.seed, cells.subjects, cells.raters, *(round(1000 * x) for x in (t, a, p))]
        )
        drawn.append(here.draw(setting.parameters, cells.sets, random))
    panels, place = np.unique(np.concatenate(drawn), axis=0, return_inverse=True)
    each = place.reshape(len(settings), cells.sets)
    return panels, [np.bincount(row, minlength=len(panels)) / cells.sets for row in each]


def _intervals(here: CountVectors, panels: FloatArray, level: float) -> Run[TwoRates]:
    parts = []
    for at in range(0, len(panels), _PORTION):
        yield Step(at, len(panels), "study")
        parts.append(two_rates(here.patterns, panels[at : at + _PORTION], level))
    return TwoRates.join(parts)


def _without_knowledge(here: CountVectors, panels: FloatArray) -> FloatArray:
    """Shape (B,): log-likelihood where every rating is class 1 with the same probability."""
    counts = panels @ here.patterns.table
    return np.asarray(xlogy(counts, counts / counts.sum(axis=1, keepdims=True)).sum(axis=1))
