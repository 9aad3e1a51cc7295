"""Studies by simulation: how sure a larger or smaller one or a vote would be, and what one of this size finds again.

The first takes parameters as the true ones and asks for the precision (models.md §8); the second tries many numbers on
the design at hand, and sets kappa against the square of the accuracy.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.special import gammaln, ndtri, xlogy

from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.estimate import Estimate
from tapdesk.fitting.climb import information
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.models.space import FreeLine, line
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.batch_fit import fit_count_vectors, pooled_space
from tapdesk.studies.kappa_study import kappa_study
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.recovery import recover, tap_grid
from tapdesk.studies.simulated_data import CountVectors, complete_count_vectors
from tapdesk.studies.table import Cell, StudyTable

# An accuracy this close to 0 or 1 is on the edge: no study is large enough to tell it from there.
EDGE = 0.001
# Tens of classes are no plan: nearly no pattern of ratings comes twice.
_MOST_CLASSES = 12
_FIRST, _TRIES, _MOST_NEEDED = 100, 5, 10_000_000
# Data sets of one number of raters that are climbed side by side: a call of its own for each size took twice as long.
_TOGETHER = 1_200
_UNDETERMINED = _("These {ratings} do not determine the numbers, so there is nothing to plan from.")
_NUMBERS = ("se", "width", "low", "high", "spread", "classified", "right", "right_estimated")
COLUMNS = ("subjects", "raters", *_NUMBERS, "identified", "why_not")


@dataclass(frozen=True, eq=False)
class Votes:
    """Chances of being right, by the number of ratings of a subject.

    Attributes
    ----------
    ratings
        Shape (n,): numbers of ratings R.
    plurality
        Shape (n,): probability that the class with most votes is the true one, ties broken by lot. This is not the
        probability that most raters are accurate, which is another number.
    model
        Shape (n,): the same for the class that is most probable under the parameters, the best any rule can do.
    certain
        Shape (n,): share of subjects whose most probable class has a probability of at least ``sure``.
    sure
        What counts as certain.
    """

    ratings: FloatArray
    plurality: FloatArray
    model: FloatArray
    certain: FloatArray
    sure: float


def votes(point: Parameters, ratings: Sequence[int], sure: float = 0.95) -> Votes:
    """Chances of votes under parameters that all raters share.

    For two classes the first is t Pr(Bin(R, mu1) > R/2) + (1 - t) Pr(Bin(R, mu0) < R/2), ties split.

    Parameters
    ----------
    point
        The parameters.
    ratings
        Numbers of ratings.
    sure
        The probability from which a subject counts as classified.

    Raises
    ------
    CannotAnswerError
        When raters differ, or there are too many ways to vote to list.
    """
    rates = point.rating_rates()
    if rates.shape[0] != 1:
        raise CannotAnswerError(_("This needs a model in which all {raters} share their parameters, such as t-a-p."))
    rows = [_one(point.truth, rates[0], int(r), sure) for r in ratings]
    # Sums over all ways to vote may miss 1 by a rounding.
    table = np.clip(np.array(rows, dtype=np.float64).reshape(-1, 3), 0.0, 1.0)
    return Votes(np.asarray(ratings, dtype=np.float64), table[:, 0], table[:, 1], table[:, 2], sure)


def _one(truth: FloatArray, rates: FloatArray, size: int, sure: float) -> tuple[float, float, float]:
    """Plurality, most probable class, and share of certain subjects."""
    k = truth.size
    here = complete_count_vectors(1, size, k)
    if here is None:
        raise CannotAnswerError(
            _("With {size} {ratings} and {k} classes there are too many ways to vote to list them.").format(
                size=size, k=k
            )
        )
    table = here.table
    ways = gammaln(size + 1) - gammaln(table + 1).sum(axis=1)
    joint = truth * np.exp(ways[:, None] + xlogy(table[:, None, :], rates[None]).sum(axis=2))
    top = table == table.max(axis=1, keepdims=True)
    plurality = float((joint * top / top.sum(axis=1, keepdims=True)).sum())
    total, best = joint.sum(axis=1), joint.max(axis=1)
    return plurality, float(best.sum()), float(total[best >= sure * total].sum())


def plan_point(fit: Fit, ratings: Ratings) -> Parameters:
    """The parameters that a plan takes as the true ones.

    Parameters
    ----------
    fit
        Its estimates, where they lie inside. Where the accuracy is found on an edge it is taken from the other end of
        its interval, for on the edge there would be nothing to plan: beside 1 guesses are taken to fall as the truth
        does, beside 0 truth and guesses as the ratings do.
    ratings
        What was fitted.

    Raises
    ------
    CannotAnswerError
        When there is nothing to plan from; says why.
    """
    point = fit.parameters
    one = (point.truth.ndim, point.accuracy.shape, point.guessing.shape[:2]) == (1, (1, 1), (1, 1))
    if not one or point.slopes.size or point.spread.size:
        raise CannotAnswerError(_("This needs a model in which all {raters} share their numbers, such as t-a-p."))
    if len(fit.classes) > _MOST_CLASSES:
        raise CannotAnswerError(
            _("With more than {most} classes the plan would take very long.").format(most=_MOST_CLASSES)
        )
    edge = on_edge(fit)
    if edge is None:
        if not fit.identification.identified or any(e.estimate.value is None for e in fit.estimates):
            raise CannotAnswerError(_UNDETERMINED)
        return point
    if fit.estimate("a").value is None:
        raise CannotAnswerError(_UNDETERMINED)
    other = _other_end(fit.estimate("a"), edge)
    if other is None:
        raise CannotAnswerError(
            _(
                "The accuracy is found on the edge, at {edge}, without an interval that reaches away from there: there "
                "is nothing to plan for."
            ).format(edge=edge)
        )
    rates = point.truth if edge == 1 else ratings.class_rates()
    if np.count_nonzero(rates > EDGE) < 2:
        raise CannotAnswerError(
            _("All {subjects} are found in one class, so nothing shows how often {a_rating} follows its {subject}.")
        )
    return _with(point, rates, other)


def on_edge(fit: Fit) -> int | None:
    """The edge, 0 or 1, on which the one accuracy is found; None where it is not."""
    a = float(fit.parameters.accuracy[0, 0])
    if a < EDGE:
        return 0
    return 1 if a > 1 - EDGE else None


def supposed(fit: Fit) -> tuple[float, float] | None:
    """The accuracy that is found on an edge, and the one a plan takes in its place; None where it takes what is found.

    Of a fit that `plan_point` answers.
    """
    edge = on_edge(fit)
    if edge is None:
        return None
    a = fit.estimate("a")
    other = _other_end(a, edge)
    return None if a.value is None or other is None else (a.value, other)


def _other_end(a: Estimate, edge: int) -> float | None:
    end = a.low if edge == 1 else a.high
    return None if end is None or not EDGE < end < 1 - EDGE else end


def _with(point: Parameters, rates: FloatArray, accuracy: float) -> Parameters:
    """The numbers with truth and guesses that fall alike."""
    return replace(point, truth=rates, accuracy=np.array([[accuracy]]), guessing=rates[None, None, :])


def plan(
    point: Parameters,
    subjects: Sequence[int],
    raters: Sequence[int],
    *,
    width: float | None = None,
    level: float = 0.95,
    replicates: int = 200,
    seed: int = 1,
    workers: int = 1,
    kept: FinishedPieces | None = None,
) -> Run[StudyTable]:
    """What t-a-p could tell of the accuracy in complete designs of several sizes.

    Parameters
    ----------
    point
        Parameters that all raters share, such as the user's own estimates.
    subjects, raters
        The sizes: every number of subjects with every number of raters.
    width
        Where it is given, the numbers of subjects are found: for each number of raters about the fewest after which
        the middle ``level`` of the estimates (of no data sets: the large sample interval) is no wider.
    level
        Of the intervals.
    replicates
        Simulated and fitted data sets of each size; 0 for none.
    seed
        Every size has random numbers of its own.
    workers
        Number of processes; the table is the same whatever it is.
    kept
        What an earlier run of the same plan had finished when it was ended; what is finished now goes there.

    Yields
    ------
    Step
        Phase ``study``, sizes done.

    Returns
    -------
    Table
        ``se`` and ``width``: standard error of the accuracy from the expected information, and the width of its
        large sample interval (None where the design does not identify the model, or a number lies on its edge);
        ``low``, ``high``, ``spread``: the middle ``level`` of the estimates in simulated data and its width,
        the honest figure for small studies; ``classified``: share of subjects whose class is at least 95 %
        probable, and ``right``: share whose most probable class is the true one, both at the true parameters, the best
        there is; ``right_estimated``: the same of the class that is most probable by the estimates of such a study;
        ``identified``; ``why_not``, the reason where a size has no numbers.

    Raises
    ------
    UsageError
        When a size is impossible.
    CannotAnswerError
        When raters differ in the parameters, no accuracy is there to estimate, or no size can be listed.
    """
    if min(raters, default=0) < 2 or min(subjects, default=0 if width is None else 1) < 1:
        raise UsageError(_("A plan needs at least one {subject} and two {raters}."))
    if point.accuracy.shape != (1, 1) or point.guessing.shape[:2] != (1, 1) or point.slopes.size:
        raise CannotAnswerError(_("This needs a model in which all {raters} share their parameters, such as t-a-p."))
    if not 0 < float(point.accuracy[0, 0]) < 1:
        raise CannotAnswerError(_("With an accuracy of exactly 0 or 1 there is nothing to plan for."))
    if float(point.truth.max()) >= 1:
        raise CannotAnswerError(
            _("Where all {subjects} are truly of one class nothing shows how often {a_rating} follows its {subject}.")
        )
    scale = (replicates, seed)
    if width is not None:
        rows = yield from in_parallel(partial(_wanted, point, width, level, scale), raters, workers, kept=kept)
    else:
        together = max(1, _TOGETHER // max(replicates, 1))
        pieces = [(r, tuple(subjects[at : at + together])) for r in raters for at in range(0, len(subjects), together)]
        done = yield from in_parallel(partial(_sizes, point, level, scale), pieces, workers, kept=kept)
        rows = tuple(row for some in done for row in some)
    if all(row[-1] for row in rows):
        # As it is, not as text alone: what it says is told in the voice of whoever reads it.
        why = rows[0][-1]
        raise CannotAnswerError(why if isinstance(why, str) else str(why))
    return StudyTable("plan", COLUMNS, rows)


def _wanted(
    point: Parameters, width: float, level: float, scale: tuple[int, int], raters: int
) -> Run[tuple[Cell, ...]]:
    """The row of about the fewest subjects after which the accuracy is known within a width.

    By the information first, whose error falls with the root of the subjects; small studies are less sure than it says.
    """
    here = complete_count_vectors(_FIRST, raters, point.classes)
    se = None if here is None or not identified(here, point) else accuracy_error(here, point)
    if here is None or se is None:
        return (yield from _size(point, level, (0, scale[1]), (_FIRST, raters)))
    needed = int(np.ceil(_FIRST * (2 * float(ndtri(0.5 + level / 2)) * se / width) ** 2))
    row: tuple[Cell, ...] = ()
    for _try in range(_TRIES):
        if needed > _MOST_NEEDED:
            why = _("With {r} {raters} over {most:,} {subjects} would be needed.").format(r=raters, most=_MOST_NEEDED)
            return (needed, raters, *(None,) * len(_NUMBERS), None, why)
        row = yield from _size(point, level, scale, (needed, raters))
        cells = dict(zip(COLUMNS, row, strict=True))
        reached = cells["width"] if cells["spread"] is None else cells["spread"]
        if not isinstance(reached, float) or reached <= width:
            break
        needed = int(np.ceil(needed * max((reached / width) ** 2, 1.02)))
    return row


def _size(point: Parameters, level: float, scale: tuple[int, int], size: tuple[int, int]) -> Run[tuple[Cell, ...]]:
    """The row of one size."""
    return (yield from _sizes(point, level, scale, (size[1], (size[0],))))[0]


def _sizes(
    point: Parameters, level: float, scale: tuple[int, int], sizes: tuple[int, tuple[int, ...]]
) -> Run[tuple[tuple[Cell, ...], ...]]:
    """The rows of one number of raters with some numbers of subjects: they have their vectors of counts in common."""
    r, subjects = sizes
    replicates, seed = scale
    listed = [(n, complete_count_vectors(n, r, point.classes)) for n in subjects]
    designs = [(n, here) for n, here in listed if here is not None]
    if not designs:
        why = _("With {r} {raters} there are too many patterns of {ratings} to list them.").format(r=r)
        return tuple((n, r, *(None,) * len(_NUMBERS), None, why) for n in subjects)
    voting = votes(point, [r])
    known = [identified(here, point) for _n, here in designs]
    # Where many values fit equally well, estimates would only show where the search began.
    asked = [
        (here, np.random.SeedSequence(seed, spawn_key=(n, r)))
        for (n, here), told_apart in zip(designs, known, strict=True)
        if told_apart
    ]
    middles = iter((yield from _middles(asked, point, level, replicates)))
    rows = []
    for (n, here), told_apart in zip(designs, known, strict=True):
        se = accuracy_error(here, point) if told_apart and _inside(point) else None
        width = None if se is None else min(2 * float(ndtri(0.5 + level / 2)) * se, 1.0)
        low, high, right = next(middles) if told_apart else (None, None, None)
        spread = None if low is None or high is None else high - low
        chances = (float(voting.certain[0]), float(voting.model[0]), right)
        rows.append((n, r, se, width, low, high, spread, *chances, told_apart, None))
    return tuple(rows)


def identified(here: CountVectors, point: Parameters) -> bool:
    """Whether the design identifies t-a-p: judged beside the point where it lies on an edge.

    On the edge a number stands still, and fewer would have to be told apart than the ratings leave open.
    """
    if _inside(point):
        return accuracy_error(here, point) is not None
    k = point.classes
    inside = Parameters(
        0.99 * point.truth + 0.01 / k,
        np.clip(point.accuracy, 0.01, 0.99),
        0.99 * point.guessing + 0.01 / k,
        point.slopes,
    )
    return accuracy_error(here, inside) is not None


def _inside(point: Parameters) -> bool:
    """Whether no share is 0 or 1: on an edge there is no error by the information."""
    return bool(min(point.truth.min(), point.guessing.min()) > 0)


def accuracy_error(here: CountVectors, point: Parameters) -> float | None:
    """Standard error of the accuracy of t-a-p by the information of the expected data; None where not identified."""
    space = pooled_space(model("t-a-p"), here.classes)
    exact = replace(here.patterns, weight=here.expected(point))
    way = line(space, point)
    at = way.coordinates(point)
    curvature = information(space, space.evidence(exact), way, at)
    scale = np.sqrt(np.maximum(np.diag(curvature), 1e-300))
    values = np.linalg.eigvalsh(curvature / np.outer(scale, scale))
    if values[0] < 1e-6 * values[-1]:
        return None
    slope = _slope(way, at)
    return float(np.sqrt(slope @ np.linalg.solve(curvature, slope)))


def _slope(way: FreeLine, at: FloatArray) -> FloatArray:
    """Derivative of the accuracy along the coordinates."""
    step = 1e-5 * np.eye(at.size)
    ahead, behind = way.points(at + step), way.points(at - step)
    return np.asarray((ahead.accuracy[:, 0, 0] - behind.accuracy[:, 0, 0]) / 2e-5)


_Middle = tuple[float | None, float | None, float | None]


def _middles(
    designs: Sequence[tuple[CountVectors, np.random.SeedSequence]], point: Parameters, level: float, replicates: int
) -> Run[list[_Middle]]:
    """The middle share of the estimates in simulated data, and how many subjects they would class rightly.

    The designs have the same list of vectors of counts, so all their data sets are climbed side by side.
    """
    if replicates < 1 or not designs:
        return [(None, None, None)] * len(designs)
    here = designs[0][0]
    weights = np.concatenate([d.draw(point, replicates, np.random.default_rng(seed)) for d, seed in designs])
    climb = yield from fit_count_vectors(model("t-a-p"), here, weights, [point])
    posterior = pooled_space(model("t-a-p"), here.classes).evidence(here.patterns).posterior(climb.stack)
    # Of each vector of counts how often it comes with each true class.
    rates, ways = point.rating_rates()[0], here.log_ways
    joint = point.truth * np.exp(ways[:, None] + xlogy(here.table[:, None, :], rates[None]).sum(axis=2))
    right = np.take_along_axis(joint, posterior.argmax(axis=1).T, axis=1).sum(axis=0).reshape(-1, replicates)
    tail = (1 - level) / 2
    middles: list[_Middle] = []
    for some, share in zip(climb.stack.accuracy[:, 0, 0].reshape(-1, replicates), right, strict=True):
        low, high = np.quantile(some, [tail, 1 - tail])
        middles.append((float(low), float(high), float(np.clip(share.mean(), 0.0, 1.0))))
    return middles


_MOST_PROCESSES = 4


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
        return _("There are no {ratings}, so there is no size of a study to look at.")
    if size.raters < 3:
        return _(
            "Two classes and fewer than three {ratings} of {a_subject} do not determine t, a and p "
            "together, so that none of them would be found again."
        )
    return _too_many(size)


def no_squares(size: StudySize) -> str | None:
    """Why kappa cannot be compared at this size, or None."""
    if size.subjects < 1:
        return _("There are no {ratings}, so there is no size of a study to look at.")
    if size.raters < 2:
        return _("Kappa compares {ratings} of the same {subject}, and here {a_subject} has one on average.")
    return _too_many(size)


def _too_many(size: StudySize) -> str | None:
    if complete_count_vectors(size.subjects, size.raters, 2) is None:
        return _("{raters} {ratings} of each {subject} are too many for this study.").format(raters=size.raters)
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
