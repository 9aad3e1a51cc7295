"""Whether entries are worth what they are said to be worth: of medals said to be deserved with 80 %, how many are.

Juries are simulated with known truth and judged as the program judges them: twelve judges of whom five see each of
sixty entries, one harsh, one who guesses, one with the scale turned round, six entries seen twice by one judge. All
sayings about all entries of all juries are put together by how sure they are.

Of half points and of four grades all juries have one truth: how far entries differ, and where the lines of the grades
lie. What is believed is right on average over what may be so. Held against a single truth, the surest juries are those
that by luck take their lines to lie further apart than they do. So there is a third kind, whose juries are unlike each
other in both.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run, Step, relay
from tapdesk.studies.award_answer import AwardRequest
from tapdesk.studies.award_changes import Committee, usual_rule
from tapdesk.studies.awards import AwardValues, draw_until_settled, rounding
from tapdesk.studies.panel_sampler import PanelScores
from tapdesk.studies.parallel import FinishedPieces, in_parallel, portions, rows_by_kind
from tapdesk.studies.table import Cell, StudyTable, join_tables

COLUMNS = ("scores", "sets", "saying", "from", "to", "n", "said", "true", "error")
KINDS = ("half points", "four grades", "grades of unlike juries")
SAYINGS = ("class", "deserved", "among the first 5")
BANDS = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.97, 1.0)
AWARD_SETS = 100
_PIECES = 20
_ENTRIES, _JUDGES, _EACH, _AGAIN, _FIRST = 60, 12, 5, 6, 5
_LINES = {KINDS[0]: (13.5, 15.0, 16.5), KINDS[1]: (13.8, 15.0, 16.2), KINDS[2]: (13.8, 15.0, 16.2)}
# How far entries differ, and of unlike juries how far that and the distance of the lines differ, as logarithms.
_WORTH, _UNLIKE = 1.2, 0.3


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
        scores, truth, true_lines = jury(part.kind, rng)
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


def jury(kind: str, rng: np.random.Generator) -> tuple[PanelScores, FloatArray, tuple[float, ...]]:
    """The scores of one jury, what each entry is worth to a fair panel of its judges, and the lines between medals."""
    lines: tuple[float, ...] = _LINES[kind]
    differ = _WORTH
    if kind == KINDS[2]:
        differ, apart = (_WORTH, 1.0) * np.exp(rng.normal(0, _UNLIKE, 2))
        lines = tuple(float(line) for line in 15 + apart * (np.array(lines) - 15))
    worth = rng.normal(0, differ, _ENTRIES)
    level, slope = 15 + rng.normal(0, 0.5, _JUDGES), np.ones(_JUDGES)
    spread = np.exp(rng.normal(0, 0.25, _JUDGES))
    level[0] -= 1.5
    slope[1], spread[1], slope[2] = 0.0, 1.6, -1.0
    cells = [(i, int(j)) for i in range(_ENTRIES) for j in rng.choice(_JUDGES, _EACH, replace=False)]
    cells += [cells[_EACH * int(i)] for i in rng.choice(_ENTRIES, _AGAIN, replace=False)]
    entry, judge = np.array(cells).T
    value = level[judge] + slope[judge] * worth[entry] + spread[judge] * rng.normal(size=entry.size)
    size, truth = (_ENTRIES, _JUDGES), worth + level.mean()
    if kind == KINDS[0]:
        halves = np.round(2 * value) / 2
        return PanelScores.of(entry, judge, halves, size, step=rounding(halves)), truth, lines
    grade = np.searchsorted(lines, value)
    return PanelScores.of(entry, judge, grade.astype(float), size, classes=len(lines) + 1), truth, lines


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
