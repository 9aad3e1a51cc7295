"""More than two classes (Kappa Zoo ch. 9): krits against accuracy, four classes got back, kappa and accuracy."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tapdesk.fitting.fit_summary import krits
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import Parameters, Stack
from tapdesk.models.simulate import simulate
from tapdesk.progress import Run, Step
from tapdesk.studies.fleiss_kappa import fleiss_kappas
from tapdesk.studies.papers.asked import Asked, size_of_sets
from tapdesk.studies.parallel import in_parallel
from tapdesk.studies.recovery import four_classes, recover, shared_point
from tapdesk.studies.simulated_data import complete_count_vectors
from tapdesk.studies.table import Cell, Table

_SUBJECTS, _RATERS = 200, 5
_KAPPA_SUBJECTS = 500
_ACCURACIES = 21


@dataclass(frozen=True, slots=True)
class Mixture:
    """Rates of the true classes and of the guesses."""

    name: str
    truth: tuple[float, ...]
    guessing: tuple[float, ...]


MIXTURES = (
    Mixture("two even classes", (0.5, 0.5), (0.5, 0.5)),
    Mixture("three classes, one rare", (0.6, 0.3, 0.1), (1 / 3, 1 / 3, 1 / 3)),
    Mixture("four classes, guesses against the grain", (0.1, 0.2, 0.3, 0.4), (0.4, 0.3, 0.2, 0.1)),
)


def krits_by_accuracy(asked: Asked) -> Run[Table]:
    """Krits per rating against accuracy for three sets of rates: expected, and in simulated data.

    Returns
    -------
    Table
        ``set``, ``classes``, ``a``; ``expected``; of 200 x 5 simulated ratings, means over the data sets at the true
        parameters: ``empirical`` (the imputed krits that the chapter draws, which weigh each subject's own posterior)
        and ``marginal`` (the log-likelihood, which no number of ratings per subject flatters).
    """
    points = [(done, i) for done in range(len(MIXTURES)) for i in range(_ACCURACIES)]
    work = partial(_mean_krits, asked.seed, asked.sets(20))
    rows = yield from in_parallel(work, points, asked.workers, kept=asked.kept)
    size = size_of_sets(asked.sets(20), _SUBJECTS, _RATERS)
    return Table("krits", ("set", "classes", "a", "expected", "empirical", "marginal"), rows, size)


def _mean_krits(seed: int, sets: int, which: tuple[int, int]) -> Run[tuple[Cell, ...]]:
    """The row of one set of rates at one accuracy."""
    done, i = which
    mixture, a = MIXTURES[done], float(np.linspace(0, 1, _ACCURACIES)[i])
    point = shared_point(mixture.truth, a, mixture.guessing)
    found = []
    for r in range(sets):
        yield Step(r, sets, "study")
        found.append(_krits(point, np.random.SeedSequence(seed, spawn_key=(done, i, r))))
    expected, empirical, marginal = np.mean(found, axis=0)
    return (mixture.name, len(mixture.truth), a, float(expected), float(empirical), float(marginal))


def _krits(point: Parameters, seed: np.random.SeedSequence) -> tuple[float, float, float]:
    """Expected, imputed and marginal krits of one data set at the parameters it was made from."""
    m = model("t-a-p")
    classes = [str(c + 1) for c in range(point.classes)]
    ratings, _truth = simulate(m, point, classes, [f"J{j + 1}" for j in range(_RATERS)], _SUBJECTS, seed)
    plan = design(m, ratings)
    evidence = plan.space.evidence(plan.patterns)
    level = float(evidence.expect(Stack.of([point])).log_likelihood[0])
    told = krits(evidence, point, level)
    if told.expected is None or told.imputed is None or told.marginal is None:
        raise ValueError("krits of simulated ratings are defined")
    return told.expected, told.imputed, told.marginal


def four(asked: Asked) -> Run[Table]:
    """The four-class case, 20 data sets of 100 subjects x 5 raters."""
    return recover(four_classes(asked.sets(20), asked.seed), asked.workers, kept=asked.kept)


def kappa_by_classes(asked: Asked) -> Run[Table]:
    """Kappa against the square of the accuracy at t = p, all classes equally common, K = 2 to 6, 500 x 5."""
    rows: list[tuple[Cell, ...]] = []
    accuracies = [round(0.05 * i, 2) for i in range(1, 20)]
    sets = asked.sets(20)
    for k in range(2, 7):
        here = complete_count_vectors(_KAPPA_SUBJECTS, _RATERS, k)
        if here is None:
            raise ValueError(f"no worlds of {k} classes")
        for i, a in enumerate(accuracies):
            point = shared_point([1 / k] * k, a, [1 / k] * k)
            rng = np.random.default_rng(np.random.SeedSequence(asked.seed, spawn_key=(k, i)))
            found = fleiss_kappas(here.patterns, here.draw(point, sets, rng))
            sd = float(found.std(ddof=1)) if sets > 1 else None
            rows.append((k, a, a * a, float(found.mean()), sd))
        yield Step(k - 1, 5, "study")
    columns = ("classes", "a", "a_squared", "kappa_mean", "kappa_sd")
    return Table("kappa by classes", columns, tuple(rows), size_of_sets(sets, _KAPPA_SUBJECTS, _RATERS))
