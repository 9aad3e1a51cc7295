"""Whether entries are worth what they are said to be worth: of medals said to be deserved with 80 %, how many are.

Juries are simulated with known truth (`simulated_jury`) and judged as the program judges them. All sayings about all
entries of all juries are put together by how sure they are.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run, Step, relay
from tapdesk.studies.award_answer import AwardRequest
from tapdesk.studies.award_changes import Committee, usual_rule
from tapdesk.studies.awards import AwardValues, draw_until_settled
from tapdesk.studies.parallel import FinishedPieces, in_parallel, portions, rows_by_kind
from tapdesk.studies.simulated_jury import KINDS, jury
from tapdesk.studies.table import Cell, StudyTable, join_tables

COLUMNS = ("scores", "sets", "saying", "from", "to", "n", "said", "true", "error")
SAYINGS = ("class", "deserved", "among the first 5")
BANDS = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.97, 1.0)
AWARD_SETS = 100
_PIECES = 20
_FIRST = 5


@dataclass(frozen=True, slots=True)
class AwardSets:
    """Some of the juries of one kind of scores; jury r is the same whatever else is asked for."""

    kind: str
    first: int
    last: int
    seed: int


def award_parts(sets: int | None = None, seed: int = 1) -> tuple[AwardSets, ...]:
    """What `award_calibration` works on, every kind in several pieces."""
    count = AWARD_SETS if sets is None else sets
    return tuple(AwardSets(kind, *ends, seed) for kind in KINDS for ends in portions(count, _PIECES))


def award_calibration(
    sets: int | None = None, seed: int = 1, workers: int = 1, kept: FinishedPieces | None = None
) -> Run[StudyTable]:
    """A table with a row for every kind of scores, saying and band: how sure it is said, and how often it is true.

    Yields
    ------
    Step
        Phase ``study``.

    Returns
    -------
    StudyTable
        ``said`` and ``true`` are means over the ``n`` sayings of a band; ``error`` is the standard error of their
        difference, juries being what is drawn.

    Raises
    ------
    UsageError
        When no juries are asked for.
    """
    parts = award_parts(sets, seed)
    results = yield from in_parallel(award_tallies, parts, workers, kept=kept)
    rows = [_rows(kind, own) for kind, own in rows_by_kind(KINDS, parts, results, lambda part: part.kind)]
    return join_tables("awards", COLUMNS, rows)


def award_tallies(part: AwardSets) -> Run[list[list[float]]]:
    """For every jury by saying and band the number of sayings, their sum, and how many are true."""
    items = []
    for r in range(part.first, part.last):
        done = r - part.first, part.last - part.first, "study"
        yield Step(*done)
        rng = np.random.default_rng(np.random.SeedSequence([part.seed, KINDS.index(part.kind), r]))
        made = jury(part.kind, rng)
        scores, truth, true_lines = made.scores, made.truth, made.lines
        draws = yield from relay(draw_until_settled(scores, rng), *done)
        lines = () if scores.classes else true_lines
        value = AwardValues.of(draws, scores, AwardRequest(lines=lines))
        right = np.searchsorted(true_lines, truth, side="right")
        given = Committee(scores, usual_rule(scores.classes), lines, 4).result.given
        probability, at = value.probability(), np.arange(truth.size)
        rank = (-value.fair).argsort(axis=1).argsort(axis=1)
        best = (-truth).argsort().argsort() < _FIRST
        sayings = (
            (probability.ravel(), (right[:, None] == np.arange(4)).ravel()),
            (probability[at, given], right == given),
            ((rank < _FIRST).mean(axis=0), best),
        )
        items.append([cell for said, true in sayings for cell in _by_band(said, np.asarray(true, dtype=float))])
    return items


def _by_band(said: FloatArray, true: FloatArray) -> list[float]:
    row: list[float] = []
    for low, high in pairwise(BANDS):
        here = (said >= low) & ((said < high) | (high == 1.0))
        row += [float(here.sum()), float(said[here].sum()), float(true[here].sum())]
    return row


def _rows(kind: str, array: FloatArray) -> list[tuple[Cell, ...]]:
    """The rows of one kind of scores."""
    rows: list[tuple[Cell, ...]] = []
    bands = list(pairwise(BANDS))
    for w, saying in enumerate(SAYINGS):
        for b, (low, high) in enumerate(bands):
            at = 3 * (w * len(bands) + b)
            count, words, true = array[:, at : at + 3].T
            n = float(count.sum())
            off = (true - words) - count * float((true - words).sum()) / max(n, 1.0)
            error = float(np.sqrt((off**2).sum()) / n) if n else None
            means = (float(words.sum() / n), float(true.sum() / n)) if n else (None, None)
            rows.append((kind, len(array), saying, low, high, int(n), *means, error))
    return rows
