"""How often intervals hold accuracies where edges rule: of each rater alone, and drawn from a population.

Small panels are drawn whose accuracies are known; those are looked at in which somebody has a number on the edge, or
few ratings, so that raters are told as drawn from one population (`tapdesk.studies.edge_pooling`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from zlib import crc32

import numpy as np
from scipy.special import expit

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.models.simulate import simulate
from tapdesk.progress import Run, relay
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.edge_pooling import edge_pooling, wants_pooling
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.table import Cell, StudyTable, join_tables

COLUMNS = ("panels", "model", "subjects", "raters", "sets", "pooled", "how", "covered", "error", "width", "rmse")
LADDER, DRAWN, LEANING = "a ladder of accuracies", "accuracies of a population", "a ladder, own guesses"
PANELS = MappingProxyType({LADDER: "t-aj-p", DRAWN: "t-aj-p", LEANING: "t-aj-pj"})
"""Kinds of panels, and the model that is fitted to them."""
SETS = 150
_SUBJECTS, _STEPS = 30, (0.95, 0.85, 0.7, 0.55, 0.4)
_MEAN, _SPREAD, _TRUTH, _GUESS = 1.1, 0.7, 0.4, (0.4, 0.3, 0.5, 0.6, 0.2)
_PIECE, _STREAM = 10, 91
_WAYS = ("alone", "pooled")


@dataclass(frozen=True, slots=True)
class PoolingPart:
    """Some panels of one kind; panel r is the same whatever else is asked for."""

    panels: str
    first: int
    last: int
    seed: int


def pooling_parts(names: Sequence[str] = tuple(PANELS), sets: int = SETS, seed: int = 1) -> tuple[PoolingPart, ...]:
    """What `pooling_coverage` works on, in pieces of ten panels."""
    starts = range(0, sets, _PIECE)
    return tuple(PoolingPart(name, at, min(at + _PIECE, sets), seed) for name in names for at in starts)


def pooling_coverage(
    parts: Sequence[PoolingPart], workers: int = 1, kept: FinishedPieces | None = None
) -> Run[StudyTable]:
    """A table with two rows for each kind of panels: raters alone, and drawn from a population.

    Parameters
    ----------
    parts
        Of `pooling_parts`.
    workers, kept
        As of `tapdesk.studies.coverage.coverage`.

    Yields
    ------
    Step
        Phase ``study``.

    Returns
    -------
    StudyTable
        In ``pooled`` of the ``sets`` raters are drawn from a population, and only these are looked at: ``covered`` is
        the share of intervals of accuracies that hold the true one, ``error`` its standard error (panels being what is
        drawn), ``width`` their mean width, ``rmse`` the error of the estimates.
    """
    results = yield from in_parallel(_sums, parts, workers, kept=kept)
    rows: list[tuple[Cell, ...]] = []
    for name in dict.fromkeys(part.panels for part in parts):
        mine = [(part, found) for part, found in zip(parts, results, strict=True) if part.panels == name]
        sets = sum(part.last - part.first for part, _found in mine)
        table = np.array([row for _part, found in mine for row in found]).reshape(-1, len(_WAYS), 3)
        for w, how in enumerate(_WAYS):
            held, width, square = table[:, w].T
            error = float(held.std(ddof=1) / np.sqrt(held.size)) if held.size > 1 else None
            told = (float(held.mean()), error, float(width.mean()), float(np.sqrt(square.mean())))
            rows.append((name, PANELS[name], _SUBJECTS, len(_STEPS), sets, int(held.size), how, *told))
    return join_tables("pooling", COLUMNS, [rows])


def _sums(part: PoolingPart) -> Run[list[tuple[float, ...]]]:
    """Of every panel that is pooled: share held, width and squared error, alone and then pooled."""
    rows: list[tuple[float, ...]] = []
    total = part.last - part.first
    row = model(PANELS[part.panels])
    for r in range(part.first, part.last):
        source = np.random.SeedSequence([part.seed, _STREAM, crc32(part.panels.encode()), r])
        rng = np.random.default_rng(source)
        true = np.array(_STEPS)
        if part.panels == DRAWN:
            true = expit(_MEAN + _SPREAD * rng.standard_normal(true.size))
        guess = np.array(_GUESS if row.guessing.by_rater else _GUESS[:1])
        rates = np.stack([1 - guess, guess], axis=1)[:, None]
        point = Parameters(np.array([1 - _TRUTH, _TRUTH]), true[:, None], rates, np.zeros(0))
        names = tuple(f"R{j + 1}" for j in range(true.size))
        ratings, _truth = simulate(row, point, ("no", "yes"), names, _SUBJECTS, source.spawn(1)[0])
        run = analyse(ratings, Request(row), shares=False)
        fit = yield from relay(run, r - part.first, total, "study")
        if not wants_pooling(fit, ratings):
            continue
        try:
            pooled = yield from relay(edge_pooling(ratings, fit, r), r - part.first, total, "study")
        except CannotAnswerError:
            continue
        rows.append((*_held(fit, true), *_held(pooled.fit, true)))
    return rows


def _held(fit: Fit, true: FloatArray) -> tuple[float, float, float]:
    """Share of intervals that hold the accuracy, their mean width, and the mean squared error."""
    own = [e.estimate for e in fit.estimates if e.name.name == "a"]
    ends = [(0.0, 1.0) if e.low is None or e.high is None else (e.low, e.high) for e in own]
    held = [low - 1e-9 <= a <= high + 1e-9 for (low, high), a in zip(ends, true, strict=True)]
    squares = [((0.5 if e.value is None else e.value) - a) ** 2 for e, a in zip(own, true, strict=True)]
    return float(np.mean(held)), float(np.mean([high - low for low, high in ends])), float(np.mean(squares))
