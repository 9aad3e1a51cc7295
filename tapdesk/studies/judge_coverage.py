"""How often the intervals of a judge's numbers hold the truth, in simulated juries (`simulated_jury`)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tapdesk.estimate import Estimate
from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run, Step, relay
from tapdesk.studies.awards import draw_until_settled
from tapdesk.studies.judge_numbers import scoring_numbers, severities, spreads
from tapdesk.studies.parallel import FinishedPieces, in_parallel, portions, rows_by_kind
from tapdesk.studies.simulated_jury import GUESSING, HARSH, KINDS, TURNED, SimulatedJury, jury
from tapdesk.studies.table import Cell, StudyTable, join_tables

COLUMNS = ("scores", "sets", "judge", "number", "n", "held", "error", "truth", "estimate", "width")
JUDGES = ("harsh", "guesses", "turned round", "others")
NUMBERS = ("severity", "spread", "follows")
JUDGE_SETS = 100
LEVEL = 0.95
_PIECES = 20
_EACH = 5


@dataclass(frozen=True, slots=True)
class JudgeSets:
    """Some of the juries of one kind of scores; jury r is that of the study of awards with the same seed."""

    kind: str
    first: int
    last: int
    seed: int


def judge_coverage(
    sets: int | None = None, seed: int = 1, workers: int = 1, kept: FinishedPieces | None = None
) -> Run[StudyTable]:
    """A table with a row for every kind of scores, judge and number.

    Yields
    ------
    Step
        Phase ``study``.

    Returns
    -------
    StudyTable
        ``held`` is the share of the ``n`` intervals (of 95 %) that hold the truth, ``error`` its standard error, juries
        being what is drawn; ``truth``, ``estimate`` and ``width`` (of the interval) are means.

    Raises
    ------
    UsageError
        When no juries are asked for.
    """
    count = JUDGE_SETS if sets is None else sets
    parts = tuple(JudgeSets(kind, *ends, seed) for kind in KINDS for ends in portions(count, _PIECES))
    results = yield from in_parallel(judge_tallies, parts, workers, kept=kept)
    rows = [_rows(kind, own) for kind, own in rows_by_kind(KINDS, parts, results, lambda part: part.kind)]
    return join_tables("judges", COLUMNS, rows)


def judge_tallies(part: JudgeSets) -> Run[list[list[float]]]:
    """For every jury by judge and number how many intervals, and the sums of what is counted of them."""
    items = []
    for r in range(part.first, part.last):
        done = r - part.first, part.last - part.first, "study"
        yield Step(*done)
        rng = np.random.default_rng(np.random.SeedSequence([part.seed, KINDS.index(part.kind), r]))
        made = jury(part.kind, rng)
        draws = yield from relay(draw_until_settled(made.scores, rng), *done)
        rows = zip(scoring_numbers(made.scores, draws, LEVEL), true_numbers(made), strict=True)
        counts = np.array([_counts(estimates, truth) for estimates, truth in rows])
        items.append([float(x) for mask in _masks(len(made.level)) for x in counts[:, mask].sum(axis=1).ravel()])
    return items


def true_numbers(made: SimulatedJury) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Shape (J,) each: severity, spread, and the correlation of what a judge gives with what entries are worth."""
    draws, classes = made.as_draws(), made.scores.classes
    signal = made.slope * made.differ
    return severities(draws, classes)[0], spreads(draws, classes)[0], signal / np.hypot(signal, made.spread)


def _masks(judges: int) -> Sequence[np.ndarray]:
    """Which judges are harsh, guess, turn the scale round, and are none of these."""
    at = np.arange(judges)
    single = [at == j for j in (HARSH, GUESSING, TURNED)]
    return [*single, ~np.logical_or.reduce(single)]


def _counts(estimates: Sequence[Estimate], truth: FloatArray) -> list[list[float]]:
    """Of each judge whether there is an interval, whether it holds the truth, the truth, the estimate, the width."""
    rows = []
    for one, true in zip(estimates, truth, strict=True):
        low, high, value = one.low, one.high, one.value
        if low is None or high is None or value is None:
            rows.append([0.0] * _EACH)
        else:
            rows.append([1.0, float(low <= true <= high), float(true), value, high - low])
    return rows


def _rows(kind: str, array: FloatArray) -> list[tuple[Cell, ...]]:
    """The rows of one kind of scores."""
    rows: list[tuple[Cell, ...]] = []
    for g, judge in enumerate(JUDGES):
        for w, number in enumerate(NUMBERS):
            at = _EACH * (g * len(NUMBERS) + w)
            own = array[:, at : at + _EACH]
            n = float(own[:, 0].sum())
            means = [float(x) for x in own[:, 1:].sum(axis=0) / max(n, 1.0)]
            error = float(np.sqrt(((own[:, 1] - own[:, 0] * means[0]) ** 2).sum()) / max(n, 1.0))
            tail = (means[0], error, *means[1:]) if n else (None,) * (1 + len(means))
            rows.append((kind, len(array), judge, number, int(n), *tail))
    return rows
