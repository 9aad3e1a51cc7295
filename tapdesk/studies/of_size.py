"""Studies by simulation of the size of the ratings at hand: any numbers found again, and kappa against a squared."""

import os
from dataclasses import dataclass

import numpy as np

from tapdesk.errors import CannotAnswerError
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.kappa import kappa_study
from tapdesk.studies.recovery import recover, tap_grid
from tapdesk.studies.table import Table
from tapdesk.studies.unfinished import Kept
from tapdesk.studies.worlds import complete_worlds

_MOST_PROCESSES = 4


@dataclass(frozen=True, slots=True)
class Size:
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
class Sized:
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

    size: Size
    table: Table
    replicates: int


def size_of(ratings: Ratings) -> Size:
    """The size of the ratings at hand; zeros where there are none."""
    each, weight = ratings.ratings_per_subject(), ratings.subject_weights()
    rated = (each > 0) & (weight > 0)
    each, weight = each[rated], weight[rated]
    if not each.size:
        return Size(0, 0, 0, 0)
    mean = float(weight @ each / weight.sum())
    return Size(round(float(weight.sum())), int(np.floor(mean + 0.5)), int(each.min()), int(each.max()))


def no_grid(size: Size) -> str | None:
    """Why numbers cannot be found again at this size, or None."""
    if size.subjects < 1:
        return _("There are no ratings, so there is no size of a study to look at.")
    if size.raters < 3:
        return _(
            "Two classes and fewer than three ratings of a case do not determine t, a and p together, so that none of "
            "them would be found again."
        )
    return _too_many(size)


def no_squares(size: Size) -> str | None:
    """Why kappa cannot be compared at this size, or None."""
    if size.subjects < 1:
        return _("There are no ratings, so there is no size of a study to look at.")
    if size.raters < 2:
        return _("Kappa compares ratings of the same case, and here a case has one on average.")
    return _too_many(size)


def _too_many(size: Size) -> str | None:
    if complete_worlds(size.subjects, size.raters, 2) is None:
        return _("{raters} ratings of each case are too many for this study.").format(raters=size.raters)
    return None


def processes() -> int:
    """How many processes a study of the window or of a report is shared by: those of the machine, up to a few."""
    return max(1, min(os.cpu_count() or 1, _MOST_PROCESSES))


def grid(ratings: Ratings, sets: int = 1, seed: int = 1, workers: int = 1, kept: Kept | None = None) -> Run[Sized]:
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
    return Sized(size, table, sets)


def squares(ratings: Ratings, sets: int = 1, seed: int = 1, workers: int = 1, kept: Kept | None = None) -> Run[Sized]:
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
    return Sized(size, table, sets)


def _refused(reason: str | None) -> None:
    if reason is not None:
        raise CannotAnswerError(reason)
