"""Fleiss' kappa against the square of the accuracy, by simulation ("Modeling Raters and Ratings", kappa study)."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.fitting.derived import kappa
from tapdesk.progress import Run, Step
from tapdesk.studies.kappas import fleiss_kappas
from tapdesk.studies.recovery import shared_point
from tapdesk.studies.table import Cell, Table
from tapdesk.studies.worlds import complete_worlds

RATES = (0.1, 0.3, 0.5, 0.7, 0.9)
ACCURACIES = tuple(round(0.02 * i, 2) for i in range(1, 50))
COLUMNS = ("t", "p", "a", "a_squared", "kappa_expected", "kappa_mean", "kappa_sd", "data_sets", "undefined")


def kappa_study(
    subjects: int = 500,
    raters: int = 5,
    *,
    rates: Sequence[float] = RATES,
    accuracies: Sequence[float] = ACCURACIES,
    replicates: int = 1,
    seed: int = 1,
) -> Run[Table]:
    """Kappas of simulated binary data for every t and p of some rates and every accuracy.

    Where t = p kappa estimates a squared; elsewhere a^2 t (1 - t) / (c (1 - c)) with c = a t + (1 - a) p.

    Parameters
    ----------
    subjects, raters
        Of each data set.
    rates
        Values of t and of p: every pair of them is a panel.
    accuracies
        Values of a.
    replicates, seed
        Data sets of each cell; each cell has random numbers of its own.

    Yields
    ------
    Step
        Phase ``study``, panels done.

    Raises
    ------
    UsageError
        When sizes or values are impossible.
    """
    if subjects < 1 or raters < 2 or replicates < 1:
        raise UsageError("This study needs at least one subject, two raters and one data set.")
    if any(not 0 <= x <= 1 for x in (*rates, *accuracies)):
        raise UsageError("Rates and accuracies lie between 0 and 1.")
    here = complete_worlds(subjects, raters, 2)
    if here is None:
        raise UsageError(f"{raters} raters are too many for this study.")
    rows: list[tuple[Cell, ...]] = []
    panels = list(product(rates, rates))
    for done, (t, p) in enumerate(panels):
        for i, a in enumerate(accuracies):
            point = shared_point([1 - t, t], a, [1 - p, p])
            rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(done, i)))
            found = fleiss_kappas(here.patterns, here.draw(point, replicates, rng))
            known = found[np.isfinite(found)]
            mean = float(known.mean()) if known.size else None
            sd = float(known.std(ddof=1)) if known.size > 1 else None
            rows.append((t, p, a, a * a, kappa(point), mean, sd, replicates, replicates - known.size))
        yield Step(done + 1, len(panels), "study")
    return Table("kappa", COLUMNS, tuple(rows))
