"""Studies of the design at hand by simulation: whether any numbers are recovered, and kappa against a squared."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np

from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.fitting.fit_summary import kappa
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.checkpoint import FinishedPieces
from tapdesk.studies.fleiss_kappa import fleiss_kappas
from tapdesk.studies.parallel import in_parallel
from tapdesk.studies.recovery import recover, shared_point, tap_grid
from tapdesk.studies.simulated_data import complete_count_vectors
from tapdesk.studies.table import Cell, StudyTable, join_tables

RATES = (0.1, 0.3, 0.5, 0.7, 0.9)
ACCURACIES = tuple(round(0.02 * i, 2) for i in range(1, 50))
COLUMNS = ("t", "p", "a", "a_squared", "kappa_expected", "kappa_mean", "kappa_sd", "data_sets", "undefined")

_MOST_PROCESSES = 4


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
        raise UsageError(_("This study needs at least one case, two raters and one data set."))
    if any(not 0 <= x <= 1 for x in (*rates, *accuracies)):
        raise UsageError(_("Rates and accuracies lie between 0 and 1."))
    if complete_count_vectors(subjects, raters, 2) is None:
        raise UsageError(_("{raters} raters are too many for this study.").format(raters=raters))
    work = partial(_panel, (subjects, raters), tuple(accuracies), (replicates, seed))
    panels = [(i, t, p) for i, (t, p) in enumerate(product(rates, rates))]
    found = join_tables("kappa", COLUMNS, (yield from in_parallel(work, panels, workers, kept=kept)))
    size = _("{subjects:,} subjects × {raters} raters.").format(subjects=subjects, raters=raters)
    return replace(found, size=size)


def _panel(
    size: tuple[int, int], accuracies: tuple[float, ...], scale: tuple[int, int], panel: tuple[int, float, float]
) -> Run[tuple[tuple[Cell, ...], ...]]:
    """The rows of one pair of rates."""
    here = complete_count_vectors(*size, 2)
    if here is None:
        raise UsageError(_("{size} raters are too many for this study.").format(size=size[1]))
    which, t, p = panel
    replicates, seed = scale
    rows: list[tuple[Cell, ...]] = []
    for i, a in enumerate(accuracies):
        yield Step(i, len(accuracies), "study")
        point = shared_point([1 - t, t], a, [1 - p, p])
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(which, i)))
        found = fleiss_kappas(here.patterns, here.draw(point, replicates, rng))
        known = found[np.isfinite(found)]
        mean = float(known.mean()) if known.size else None
        sd = float(known.std(ddof=1)) if known.size > 1 else None
        rows.append((t, p, a, a * a, kappa(point), mean, sd, replicates, replicates - known.size))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class StudySize:
    """How large a study is.

    Attributes
    ----------
    subjects
        Cases that have ratings.
    raters
        Ratings of each: the mean, to a whole number.
    least, most
        The fewest and the most ratings that a case has.
    """

    subjects: int
    raters: int
    least: int
    most: int

    @property
    def even(self) -> bool:
        """Whether every case has as many ratings as any other."""
        return self.least == self.most


@dataclass(frozen=True, eq=False)
class DesignStudy:
    """A study of some size.

    Attributes
    ----------
    size
        Of every data set.
    table
        As `recover` or `kappa_study` makes it.
    replicates
        Data sets of each cell.
    """

    size: StudySize
    table: StudyTable
    replicates: int


def size_of(ratings: Ratings) -> StudySize:
    """The size of the ratings at hand; zeros where there are none."""
    each, weight = ratings.ratings_per_subject(), ratings.subject_weights()
    rated = (each > 0) & (weight > 0)
    each, weight = each[rated], weight[rated]
    if not each.size:
        return StudySize(0, 0, 0, 0)
    mean = float(weight @ each / weight.sum())
    return StudySize(round(float(weight.sum())), int(np.floor(mean + 0.5)), int(each.min()), int(each.max()))


def no_grid(size: StudySize) -> str | None:
    """Why numbers cannot be found again at this size, or None."""
    if size.subjects < 1:
        return _("There are no ratings, so there is no size of a study to look at.")
    if size.raters < 3:
        return _(
            "Two classes and fewer than three ratings of a case do not determine t, a and p together, so that none of "
            "them would be found again."
        )
    return _too_many(size)


def no_squares(size: StudySize) -> str | None:
    """Why kappa cannot be compared at this size, or None."""
    if size.subjects < 1:
        return _("There are no ratings, so there is no size of a study to look at.")
    if size.raters < 2:
        return _("Kappa compares ratings of the same case, and here a case has one on average.")
    return _too_many(size)


def _too_many(size: StudySize) -> str | None:
    if complete_count_vectors(size.subjects, size.raters, 2) is None:
        return _("{raters} ratings of each case are too many for this study.").format(raters=size.raters)
    return None


def processes() -> int:
    """How many processes a study of the window or of a report is shared by: those of the machine, up to a few."""
    return max(1, min(os.cpu_count() or 1, _MOST_PROCESSES))


def recovery_grid(
    ratings: Ratings, sets: int = 1, seed: int = 1, workers: int = 1, kept: FinishedPieces | None = None
) -> Run[DesignStudy]:
    """Whether t, a and p of .1 to .9 would be found again by a study as large as the ratings at hand.

    Yields
    ------
    Step
        Phase ``study``.

    Raises
    ------
    CannotAnswerError
        When no study of this size could tell.
    """
    size = size_of(ratings)
    _refused(no_grid(size))
    plan = tap_grid(sets, seed, subjects=size.subjects, raters=size.raters)
    table = yield from recover(plan, workers, kept=kept)
    return DesignStudy(size, table, sets)


def kappa_squares(
    ratings: Ratings, sets: int = 1, seed: int = 1, workers: int = 1, kept: FinishedPieces | None = None
) -> Run[DesignStudy]:
    """Whether kappa is the square of the accuracy in studies as large as the ratings at hand.

    Yields
    ------
    Step
        Phase ``study``, panels done.

    Raises
    ------
    CannotAnswerError
        When no study of this size could tell.
    """
    size = size_of(ratings)
    _refused(no_squares(size))
    table = yield from kappa_study(size.subjects, size.raters, replicates=sets, seed=seed, workers=workers, kept=kept)
    return DesignStudy(size, table, sets)


def _refused(reason: str | None) -> None:
    if reason is not None:
        raise CannotAnswerError(reason)
