"""Studies of the papers, run again: each gives the numbers behind one of their figures."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.fitting.exact_em import ExactEM
from tapdesk.fitting.telling import subject_posterior
from tapdesk.models.catalog import model
from tapdesk.models.design import design
from tapdesk.models.simulate import parse_parameters, simulate
from tapdesk.progress import Run, Step
from tapdesk.studies.kappa import kappa_study
from tapdesk.studies.kappas import fleiss_kappas
from tapdesk.studies.raters import rater_entropy
from tapdesk.studies.recovery import Recovery, Setting, four_classes, recover, shared_point, tap_grid
from tapdesk.studies.table import Cell, Table
from tapdesk.studies.worlds import complete_worlds

_MRR = "Modeling Raters and Ratings"
_KZ9 = "Kappa Zoo, ch. 9: Multinomial Rater Models"
_FIVE = ("J1", "J2", "J3", "J4", "J5")
_FIVE_TEXTS = ("t=.4", "a=.1,.3,.5,.7,.9", "p=.4")
_BINS = 20


@dataclass(frozen=True, slots=True)
class Reproduction:
    """One figure of a paper.

    Attributes
    ----------
    name
        As on the command line.
    title
        What is shown.
    source
        The paper.
    run
        From a seed and a number of processes to the numbers.
    """

    name: str
    title: str
    source: str
    run: Callable[[int, int], Run[Table]]


def reproduction(name: str) -> Reproduction:
    """The named one.

    Raises
    ------
    UsageError
        When there is no such figure; the names are listed.
    """
    for row in REPRODUCTIONS:
        if row.name == name:
            return row
    raise UsageError(
        f"There is no figure '{name}'.", fix=f"The figures are: {', '.join(r.name for r in REPRODUCTIONS)}."
    )


def _grid(seed: int, workers: int) -> Run[Table]:
    return recover(tap_grid(1, seed), workers)


def _four(seed: int, workers: int) -> Run[Table]:
    return recover(four_classes(20, seed), workers)


def _kappa(seed: int, _workers: int) -> Run[Table]:
    return kappa_study(500, 5, seed=seed)


def _five(seed: int, workers: int, *, replicates: int = 20) -> Run[Table]:
    """Five raters of accuracies .1 to .9 at t = p = .4, 1000 subjects."""
    point = parse_parameters(model("t-aj-p"), _FIVE_TEXTS, ("0", "1"), _FIVE)
    return recover(Recovery(model("t-aj-p"), (Setting(point, 1000, 5),), replicates, seed), workers)


def _subjects(seed: int, _workers: int) -> Run[Table]:
    """How probable class 1 is for subjects of either true class, rated by those five raters."""
    m = model("t-aj-p")
    point = parse_parameters(m, _FIVE_TEXTS, ("0", "1"), _FIVE)
    ratings, truth = simulate(m, point, ("0", "1"), _FIVE, 1000, seed)
    fit = yield from ExactEM().run(m, ratings, seed)
    plan = design(m, ratings)
    found = subject_posterior(fit, plan, plan.space.evidence(plan.patterns))[:, 1]
    edges = np.linspace(0, 1, _BINS + 1)
    counts = [np.histogram(found[truth == k], edges)[0] for k in (0, 1)]
    rows = [
        (float(low), float(high), int(zero), int(one))
        for low, high, zero, one in zip(edges[:-1], edges[1:], *counts, strict=True)
    ]
    return Table("subject probabilities", ("low", "high", "truly_0", "truly_1"), tuple(rows))


def _classes(seed: int, _workers: int) -> Run[Table]:
    """Kappa against the square of the accuracy at t = p, all classes equally common, K = 2 to 6, 500 x 5."""
    rows: list[tuple[Cell, ...]] = []
    accuracies = [round(0.05 * i, 2) for i in range(1, 20)]
    for k in range(2, 7):
        here = complete_worlds(500, 5, k)
        if here is None:
            raise ValueError(f"no worlds of {k} classes")
        for i, a in enumerate(accuracies):
            point = shared_point([1 / k] * k, a, [1 / k] * k)
            rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(k, i)))
            found = fleiss_kappas(here.patterns, here.draw(point, 20, rng))
            rows.append((k, a, a * a, float(found.mean()), float(found.std(ddof=1))))
        yield Step(k - 1, 5, "study")
    return Table("kappa by classes", ("classes", "a", "a_squared", "kappa_mean", "kappa_sd"), tuple(rows))


def _krits(_seed: int, _workers: int) -> Run[Table]:
    """Expected krits against accuracy, two to six classes with even guesses."""
    rows: list[tuple[Cell, ...]] = []
    for k in range(2, 7):
        for a in np.linspace(0, 1, 51):
            value = rater_entropy(shared_point([1 / k] * k, float(a), [1 / k] * k))[0]
            rows.append((k, float(a), float(value)))
        yield Step(k - 1, 5, "study")
    return Table("krits", ("classes", "a", "krits_expected"), tuple(rows))


REPRODUCTIONS: tuple[Reproduction, ...] = (
    Reproduction("recovery", "Parameters recovered on a grid of 729 cells, 300 subjects, 5 raters", _MRR, _grid),
    Reproduction("kappa", "Kappa against the square of the accuracy, 25 panels, 500 subjects, 5 raters", _MRR, _kappa),
    Reproduction("rater-accuracies", "Five accuracies recovered at t = p = .4, 1000 subjects", _MRR, _five),
    Reproduction("subject-probabilities", "Probability of class 1 for subjects of either class", _MRR, _subjects),
    Reproduction("four-classes", "Four classes recovered in 20 data sets, 100 subjects, 5 raters", _KZ9, _four),
    Reproduction("kappa-by-classes", "Kappa is the square of the accuracy at t = p for 2 to 6 classes", _KZ9, _classes),
    Reproduction("krits", "Expected krits against accuracy for 2 to 6 classes", _KZ9, _krits),
)
