"""Parameters put in and got back ("Modeling Raters and Ratings"): the grid, five raters, their subjects."""

from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit_summary import subject_posterior
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.simulate import parse_parameters, simulate
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import IntArray, Ratings
from tapdesk.studies.batch_fit import refit
from tapdesk.studies.design_study import kappa_study
from tapdesk.studies.papers.asked import Asked
from tapdesk.studies.parallel import in_parallel
from tapdesk.studies.recovery import recover, tap_grid
from tapdesk.studies.table import Cell, Table, joined

RATERS = ("J1", "J2", "J3", "J4", "J5")
ACCURACIES = (0.1, 0.3, 0.5, 0.7, 0.9)
# Subjects, and how many of the five raters each subject gets.
DESIGNS = ((1000, 5), (100, 3))
_TEXTS = ("t=.4", "a=.1,.3,.5,.7,.9", "p=.4")
_BINS = 20


def grid(asked: Asked) -> Run[Table]:
    """The 729 cells, one data set each unless more are asked for."""
    return recover(tap_grid(asked.sets(1), asked.seed), asked.workers, kept=asked.kept)


def kappas(asked: Asked) -> Run[Table]:
    """Kappa of 25 panels at 49 accuracies."""
    return kappa_study(500, 5, replicates=asked.sets(1), seed=asked.seed, workers=asked.workers, kept=asked.kept)


@dataclass(frozen=True, slots=True)
class _Set:
    """One data set of five raters: its place among the sets of its design."""

    subjects: int
    each: int
    replicate: int


def five_raters(asked: Asked) -> Run[Table]:
    """The five accuracies estimated from 1000 subjects x 5 ratings and from 100 subjects x 3 ratings.

    Returns
    -------
    Table
        One row for each data set and rater: ``subjects``, ``ratings_each``, ``replicate``, ``settled``, ``rater``,
        ``true a``, ``a``, and the ``t`` and ``p`` of the data set.
    """
    sets = [_Set(n, r, i) for n, r in DESIGNS for i in range(asked.sets(20))]
    parts = yield from in_parallel(partial(_recovered, asked.seed), sets, asked.workers, kept=asked.kept)
    columns = ("subjects", "ratings_each", "replicate", "settled", "rater", "true a", "a", "t", "p")
    return joined("rater accuracies", columns, parts)


def five(subjects: int, each: int, seed: int | np.random.SeedSequence) -> tuple[Ratings, IntArray]:
    """Ratings by the five raters and the true classes; with fewer ratings than raters the groups take turns."""
    m = model("t-aj-p")
    point = parse_parameters(m, _TEXTS, ("0", "1"), RATERS)
    ratings, truth = simulate(m, point, ("0", "1"), RATERS, subjects, seed)
    groups = np.zeros((0, len(RATERS)), dtype=bool)
    for who in combinations(range(len(RATERS)), each):
        groups = np.vstack([groups, np.isin(np.arange(len(RATERS)), who)])
    return ratings.keep(groups[ratings.subject % len(groups), ratings.rater]), truth


def _recovered(seed: int, which: _Set) -> Run[list[tuple[Cell, ...]]]:
    own = np.random.SeedSequence(seed, spawn_key=(which.subjects, which.each, which.replicate))
    ratings, _truth = five(which.subjects, which.each, own)
    point, _level, settled = yield from refit(model("t-aj-p"), ratings, seed)
    head = (which.subjects, which.each, which.replicate + 1, settled)
    t, p = float(point.truth[1]), float(point.guessing[0, 0, 1])
    return [
        (*head, name, true, float(found), t, p)
        for name, true, found in zip(RATERS, ACCURACIES, point.accuracy[:, 0], strict=True)
    ]


def subjects(asked: Asked) -> Run[Table]:
    """How probable class 1 is for subjects of either true class, in one data set of each design.

    Returns
    -------
    Table
        For each design and each twentieth of the scale: how many subjects of true class 0 and 1 have a probability of
        class 1 there.
    """
    rows: list[tuple[Cell, ...]] = []
    m = model("t-aj-p")
    edges = np.linspace(0, 1, _BINS + 1)
    for done, (n, r) in enumerate(DESIGNS):
        yield Step(done, len(DESIGNS), "study")
        ratings, truth = five(n, r, asked.seed)
        fit = yield from ExactEM().run(m, ratings, asked.seed)
        plan = design(m, ratings)
        found = subject_posterior(fit, plan, plan.space.evidence(plan.patterns))[:, 1]
        counts = [np.histogram(found[truth == k], edges)[0] for k in (0, 1)]
        rows += [
            (n, r, float(low), float(high), int(zero), int(one))
            for low, high, zero, one in zip(edges[:-1], edges[1:], *counts, strict=True)
        ]
    columns = ("subjects", "ratings_each", "low", "high", "truly_0", "truly_1")
    return Table("subject probabilities", columns, tuple(rows))
