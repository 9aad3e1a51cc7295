"""Fleiss' kappa against the square of the accuracy in simulated data of two classes, for many rates and accuracies."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.fitting.fit_summary import kappa
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.studies.fleiss_kappa import fleiss_kappas
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.recovery import shared_point
from tapdesk.studies.simulated_data import complete_count_vectors
from tapdesk.studies.table import Cell, StudyTable, join_tables

RATES = (0.1, 0.3, 0.5, 0.7, 0.9)
ACCURACIES = tuple(round(0.02 * i, 2) for i in range(1, 50))
KAPPA_COLUMNS = ("t", "p", "a", "a_squared", "kappa_expected", "kappa_mean", "kappa_sd", "data_sets", "undefined")


def kappa_study(
    subjects: int = 500,
    raters: int = 5,
    *,
    rates: Sequence[float] = RATES,
    accuracies: Sequence[float] = ACCURACIES,
    replicates: int = 1,
    seed: int = 1,
    workers: int = 1,
    kept: FinishedPieces | None = None,
) -> Run[StudyTable]:
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
    workers
        Number of processes; the table is the same whatever it is.
    kept
        What an earlier run of the same study had finished when it was ended; what is finished now goes there.

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
        raise UsageError(_("This study needs at least one {subject}, two {raters} and one data set."))
    if any(not 0 <= x <= 1 for x in (*rates, *accuracies)):
        raise UsageError(_("Rates and accuracies lie between 0 and 1."))
    if complete_count_vectors(subjects, raters, 2) is None:
        raise UsageError(_("{n} {raters} are too many for this study.").format(n=raters))
    work = partial(_panel, (subjects, raters), tuple(accuracies), (replicates, seed))
    panels = [(i, t, p) for i, (t, p) in enumerate(product(rates, rates))]
    table = join_tables("kappa", KAPPA_COLUMNS, (yield from in_parallel(work, panels, workers, kept=kept)))
    size = _("{n:,} {subjects} × {r} {raters}.").format(n=subjects, r=raters)
    return replace(table, size=size)


def _panel(
    size: tuple[int, int], accuracies: tuple[float, ...], scale: tuple[int, int], panel: tuple[int, float, float]
) -> Run[tuple[tuple[Cell, ...], ...]]:
    """The rows of one pair of rates."""
    here = complete_count_vectors(*size, 2)
    if here is None:
        raise ValueError(f"{size[1]} raters are refused before any panel is drawn")
    which, t, p = panel
    replicates, seed = scale
    rows: list[tuple[Cell, ...]] = []
    for i, a in enumerate(accuracies):
        yield Step(i, len(accuracies), "study")
        point = shared_point([1 - t, t], a, [1 - p, p])
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(which, i)))
        kappas = fleiss_kappas(here.patterns, here.draw(point, replicates, rng))
        known = kappas[np.isfinite(kappas)]
        mean = float(known.mean()) if known.size else None
        sd = float(known.std(ddof=1)) if known.size > 1 else None
        rows.append((t, p, a, a * a, kappa(point), mean, sd, replicates, replicates - known.size))
    return tuple(rows)
