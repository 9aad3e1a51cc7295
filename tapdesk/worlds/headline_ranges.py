"""How often what the headline tells of the accuracy holds the true one, and how wide it is.

Panels of worlds in which cases differ, and of worlds in which they are alike, are reported as a user's file is. Where
the test of fit speaks, the headline tells ranges; where it does not but could not have seen harder cases either,
one number and a range behind it; else one accuracy with its interval (`tapdesk.answers.misfit`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from tapdesk.answers.misfit import tells_range, unproved
from tapdesk.errors import TapdeskError
from tapdesk.progress import Run, relay
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.table import Cell, StudyTable
from tapdesk.worlds.catalog import world
from tapdesk.worlds.claims import tells_one_accuracy
from tapdesk.worlds.statement import Statement, state
from tapdesk.worlds.world import World

COLUMNS = ("world", "headline", "sets", "panels", "true", "held", "width")
SPEAKS, SILENT, ONE = "ranges", "one accuracy and a range", "one accuracy"
HEADLINES = (SPEAKS, SILENT, ONE)
"""What is told: where the test of fit speaks, where it is silent and could not have spoken, and where it could have."""
DIFFERENT = (
    "spread-200x5-1", "spread-200x5-15", "spread-200x5-2", "hard-200x5", "varied-200x5", "spread-100x5-15",
    "hard-100x5",
)  # fmt: skip
ALIKE = ("model-30x5", "model-100x5", "model-200x5", "model-200x5-leaning", "model-100x4-high", "model-80x8",
         "model-60x12")  # fmt: skip
WORLDS = (*DIFFERENT, *ALIKE)
SETS = 20
_PIECE = 5
_ROUNDING = 1e-9
Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class RangePart:
    """Some panels of one world; each is the same as in `tapdesk.worlds.study`."""

    world: str
    first: int
    last: int
    seed: int


def range_parts(names: Sequence[str] = WORLDS, sets: int = SETS, seed: int = 1) -> tuple[RangePart, ...]:
    """What `headline_ranges` works on, in pieces of five panels."""
    starts = range(0, sets, _PIECE)
    return tuple(RangePart(name, at, min(at + _PIECE, sets), seed) for name in names for at in starts)


def headline_ranges(
    parts: Sequence[RangePart], workers: int = 1, kept: FinishedPieces | None = None
) -> Run[StudyTable]:
    """A table with a row for each world and kind of headline.

    Parameters
    ----------
    parts
        Of `range_parts`.
    workers, kept
        As of `tapdesk.studies.coverage.coverage`.

    Yields
    ------
    Step
        Phase ``study``.

    Returns
    -------
    StudyTable
        In ``panels`` of the ``sets`` the headline was of this kind; in ``held`` of them what it tells holds the
        accuracy that is ``true``, and ``width`` is how wide that is on average, from the lowest to the highest end.
        Other headlines, as that raters differ, are in no row.
    """
    results = yield from in_parallel(_sums, parts, workers, kept=kept)
    rows: list[tuple[Cell, ...]] = []
    for name in dict.fromkeys(part.world for part in parts):
        own = [(part, np.array(sums)) for part, sums in zip(parts, results, strict=True) if part.world == name]
        sets, sums = sum(part.last - part.first for part, _sums in own), np.sum([s for _part, s in own], axis=0)
        for headline, (panels, held, width) in zip(HEADLINES, sums.tolist(), strict=True):
            mean = width / panels if panels else None
            rows.append((name, headline, sets, int(panels), world(name).mean_accuracy, int(held), mean))
    return StudyTable("headline ranges", COLUMNS, tuple(rows))


def _sums(part: RangePart) -> Run[tuple[tuple[float, float, float], ...]]:
    """For each kind of headline: in how many panels, in how many it holds the truth, and the sum of widths."""
    here, sums = world(part.world), np.zeros((len(HEADLINES), 3))
    for draw in range(part.first, part.last):
        panel = here.draw(np.random.default_rng([part.seed, crc32(part.world.encode()), draw]))
        count = part.last - part.first
        try:
            statement = yield from relay(state(panel, part.seed + draw), draw - part.first, count, "study")
        except TapdeskError:
            continue
        sums += _of_panel(here, statement)
    return tuple((float(a), float(b), float(c)) for a, b, c in sums)


def _of_panel(here: World, statement: Statement) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The same of one panel."""
    sums, (headline, ranges) = np.zeros((len(HEADLINES), 3)), ranges_of(statement)
    if ranges and here.mean_accuracy is not None:
        true = here.mean_accuracy
        holds = any(low - _ROUNDING <= true <= high + _ROUNDING for low, high in ranges)
        width = max(high for _low, high in ranges) - min(low for low, _high in ranges)
        sums[HEADLINES.index(headline)] = 1, holds, width
    return sums


def ranges_of(statement: Statement) -> tuple[str, tuple[Ends, ...]]:
    """The kind of the headline, and the ranges of the accuracy that it tells; none for any other headline."""
    fit, side = statement.fit, statement.side
    seen, one = side.dependence, fit.estimate("a")
    own = (one.low, one.high) if one.low is not None and one.high is not None else None
    if seen is not None and tells_range(fit, side):
        return SPEAKS, tuple(ends for ends in (seen.harder, seen.misleading) if ends is not None)
    if seen is not None and seen.varied is not None and own is not None and unproved(fit, side):
        return SILENT, ((min(own[0], seen.varied[0]), max(own[1], seen.varied[1])),)
    return ONE, (own,) if own is not None and tells_one_accuracy(statement) else ()
