"""The accuracy of each rater over several questions: one for all of them, truth and guesses of each question its own.

The model is ``tq-aj-pq``: of a rating of rater j on question q, ``Pr(c | k) = a_j I(c = k) + (1 - a_j) p_q(c)``, the
class k of a case with probability ``t_q(k)``. Answers to different questions about one case are treated as independent,
which leaves the estimates consistent (a composite likelihood; Varin, Reid and Firth 2011, Statistica Sinica 21, 5) but
not the usual standard errors: these are taken over cases with all their questions (the sandwich of White 1982,
Econometrica 50, 1, with sums of scores by case), so that a question asked twice says no more than once.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, ndtri

from tapdesk.estimate import Estimate, undefined
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.criteria import Criterion, CriterionRow, RaterAcross, Verdict, across

Array = NDArray[np.float64]
Index = NDArray[np.int64]

LEAST_RATERS, LEAST_CASES = 3, 20
_MOST_STEPS, _CLOSE, _EDGE = 5_000, 1e-9, 1e-4
_FEW_RATERS = _("Two {ratings} of {a_subject} leave the accuracy of single {raters} open.")
_AT_EDGE = _("The accuracy lies at the end of its range, where no such interval exists.")


@dataclass(frozen=True, slots=True)
class PooledRater:
    """One rater over the questions.

    Attributes
    ----------
    rater
        The name.
    questions
        On how many of the questions there are ratings.
    accuracy
        Between 0 and 1, with its interval.
    """

    rater: str
    questions: int
    accuracy: Estimate


@dataclass(frozen=True, eq=False)
class _Design:
    """Ratings of several questions as flat arrays.

    Attributes
    ----------
    unit, rater, category, question
        Shape (m,): of each rating the pair of question and case, the rater, the class, the question.
    unit_question, unit_case
        Shape (u,): of each pair its question and its case.
    known
        Shape (q, k): which classes a question has.
    raters, cases
        How many there are.
    """

    unit: Index
    rater: Index
    category: Index
    question: Index
    unit_question: Index
    unit_case: Index
    known: NDArray[np.bool_]
    raters: int
    cases: int

    @property
    def classes(self) -> int:
        """The most classes of a question."""
        return int(self.known.shape[1])


def raters_across(
    questions: Sequence[Criterion], rows: Collection[CriterionRow], level: float = 0.95
) -> Run[tuple[RaterAcross, ...]]:
    """Every known rater over all questions, with one accuracy over those that tell one.

    These are the questions that are more than chance, on which nobody contradicts the others; on the others there is no
    accuracy to be pooled.

    Parameters
    ----------
    questions, rows
        As of `tapdesk.studies.criteria.across`.
    level
        Of the intervals.

    Yields
    ------
    Step
        Phase ``raters``.
    """
    telling = {r.name for r in rows if r.verdict in {Verdict.CLEAR, Verdict.MIXED} and not r.numbers.contradicted}
    fit = [q.ratings for q in questions if q.name in telling and q.ratings.raters_known and q.ratings.weight is None]
    pooled = {one.rater: one for one in (yield from pooled_raters(fit, level))}
    return tuple(
        one
        if one.rater not in pooled
        else replace(one, accuracy=pooled[one.rater].accuracy, pooled=pooled[one.rater].questions)
        for one in across(questions, rows)
    )


def pooled_raters(questions: Sequence[Ratings], level: float = 0.95) -> Run[tuple[PooledRater, ...]]:
    """The accuracy of each rater, taken to be the same on all these questions.

    Parameters
    ----------
    questions
        Each of raters that are known; cases and raters of one name are the same on all of them.
    level
        Of the intervals.

    Yields
    ------
    Step
        Phase ``raters``.

    Returns
    -------
    tuple of PooledRater
        In the order in which raters appear; empty without questions.
    """
    if not questions:
        return ()
    design, names = _design(questions)
    truth = np.zeros(design.known.shape)
    np.add.at(truth, (design.question, design.category), 1.0)
    truth = (truth + 0.5 * design.known) / (truth + 0.5 * design.known).sum(axis=1, keepdims=True)
    accuracy, guessing = np.full(design.raters, 0.7), truth.copy()
    given = np.bincount(design.rater, minlength=design.raters)
    for step in range(_MOST_STEPS):
        if step % 20 == 0:
            yield Step(step, _MOST_STEPS, "raters")
        weight, follows = _expected(design, truth, accuracy, guessing)
        before = accuracy
        accuracy = np.bincount(design.rater, follows, design.raters) / given
        truth = _shares(design.unit_question, weight, design)
        chance = np.zeros(design.known.shape)
        np.add.at(chance, (design.question, design.category), 1 - follows)
        total = chance.sum(axis=1, keepdims=True)
        guessing = np.where(total > 0, chance / np.where(total > 0, total, 1.0), guessing)
        if np.abs(accuracy - before).max() < _CLOSE:
            break
    errors = _standard_errors(design, truth, accuracy, guessing)
    often = [len({int(q) for q in design.question[design.rater == j]}) for j in range(design.raters)]
    few = _few_raters(design)
    made = []
    for j, name in enumerate(names):
        estimate = undefined(_FEW_RATERS) if few else _estimate(float(accuracy[j]), float(errors[j]), level)
        made.append(PooledRater(name, often[j], estimate))
    return tuple(made)


def _few_raters(design: _Design) -> bool:
    """Whether too few cases have three ratings of a question for the accuracies of single raters."""
    return int((np.bincount(design.unit) >= LEAST_RATERS).sum()) < LEAST_CASES


def _estimate(value: float, error: float, level: float) -> Estimate:
    """An accuracy with its interval on the scale of log odds."""
    if not _EDGE < value < 1 - _EDGE or not np.isfinite(error):
        return Estimate(value, no_interval=_AT_EDGE)
    half = float(ndtri(0.5 + level / 2)) * error
    low, high = (float(expit(logit(value) + sign * half)) for sign in (-1, 1))
    return Estimate(value, se=error * value * (1 - value), low=low, high=high, level=level, how="sandwich")


def _design(questions: Sequence[Ratings]) -> tuple[_Design, tuple[str, ...]]:
    """The ratings of all questions, and the names of the raters."""
    raters: dict[str, int] = {}
    cases: dict[str, int] = {}
    parts, first = [], 0
    for q, ratings in enumerate(questions):
        used = np.unique(ratings.rater)
        of_rater = np.zeros(len(ratings.raters), dtype=np.int64)
        of_rater[used] = [raters.setdefault(ratings.raters[int(j)], len(raters)) for j in used]
        of_case = np.array([cases.setdefault(name, len(cases)) for name in ratings.subjects], dtype=np.int64)
        at, unit = np.unique(ratings.subject, return_inverse=True)
        size = ratings.subject.size
        own = (np.full(size, q), np.full(at.size, q), of_case[at])
        parts.append((unit + first, of_rater[ratings.rater], ratings.category, *own))
        first += at.size
    columns = (np.concatenate(column).astype(np.int64) for column in zip(*parts, strict=True))
    unit, rater, category, question, unit_question, unit_case = columns
    known = np.zeros((len(questions), max(len(r.classes) for r in questions)), dtype=bool)
    for q, ratings in enumerate(questions):
        known[q, : len(ratings.classes)] = True
    made = _Design(unit, rater, category, question, unit_question, unit_case, known, len(raters), len(cases))
    return made, tuple(raters)


def _expected(design: _Design, truth: Array, accuracy: Array, guessing: Array) -> tuple[Array, Array]:
    """Of each pair the probabilities of its classes, shape (u, k), and of each rating that it follows, shape (m,)."""
    own, chance = accuracy[design.rater], guessing[design.question, design.category]
    luck = np.maximum((1 - own) * chance, 1e-300)
    bonus = np.bincount(
        design.unit * design.classes + design.category, np.log1p(own / luck), design.unit_question.size * design.classes
    ).reshape(-1, design.classes)
    with np.errstate(divide="ignore"):
        score = bonus + np.log(truth)[design.unit_question]
    weight = np.exp(score - score.max(axis=1, keepdims=True))
    weight /= weight.sum(axis=1, keepdims=True)
    return weight, weight[design.unit, design.category] * own / (own + luck)


def _shares(of: Index, weight: Array, design: _Design) -> Array:
    """The mean weights of the pairs of each question, shape (q, k)."""
    total = np.zeros(design.known.shape)
    np.add.at(total, of, weight)
    return np.asarray(total / total.sum(axis=1, keepdims=True))


def _standard_errors(design: _Design, truth: Array, accuracy: Array, guessing: Array) -> Array:
    """Of the log odds of the accuracies, shape (raters,), over cases with all their questions; NaN where none is."""
    space = _Space(
        design, truth, accuracy, guessing, (accuracy > _EDGE) & (accuracy < 1 - _EDGE),
        _free(design, truth), _free(design, guessing),
    )  # fmt: skip
    errors, width, step = np.full(design.raters, np.nan), space.width, 1e-4
    here = space.scores(np.zeros(width))
    slope = np.empty((width, width))
    for i in range(width):
        move = np.zeros(width)
        move[i] = step
        slope[:, i] = (space.scores(move).sum(axis=0) - space.scores(-move).sum(axis=0)) / (2 * step)
    try:
        bread = np.linalg.inv((slope + slope.T) / 2)
    except np.linalg.LinAlgError:
        return errors
    count = max(design.cases, 2)
    spread = np.diag(bread @ (here.T @ here * count / (count - 1)) @ bread)[: int(space.inside.sum())]
    errors[space.inside] = np.sqrt(np.where(spread > 0, spread, np.nan))
    return errors


def _free(design: _Design, shares: Array) -> NDArray[np.bool_]:
    """Which shares move, shape (q, k): none at an edge, and not the last of a question, which the others leave."""
    free = design.known & (shares > _EDGE) & (shares < 1 - _EDGE)
    free[np.arange(len(free)), free.shape[1] - 1 - np.argmax(free[:, ::-1], axis=1)] = False
    return free


@dataclass(frozen=True, eq=False)
class _Space:
    """Estimates as a point from which log odds and logarithms of shares move."""

    design: _Design
    truth: Array
    accuracy: Array
    guessing: Array
    inside: NDArray[np.bool_]
    free_truth: NDArray[np.bool_]
    free_chance: NDArray[np.bool_]

    @property
    def width(self) -> int:
        """How many numbers move."""
        return int(self.inside.sum() + self.free_truth.sum() + self.free_chance.sum())

    def at(self, move: Array) -> tuple[Array, Array, Array]:
        """Truth, accuracy and guessing after a move of shape (width,)."""
        own, of_truth = int(self.inside.sum()), int(self.free_truth.sum())
        accuracy = self.accuracy.copy()
        accuracy[self.inside] = expit(logit(accuracy[self.inside]) + move[:own])
        truth = _moved(self.truth, self.free_truth, move[own : own + of_truth])
        return truth, accuracy, _moved(self.guessing, self.free_chance, move[own + of_truth :])

    def scores(self, move: Array) -> Array:
        """The slope of the log-likelihood of each case with all its questions, shape (cases, width)."""
        design, (truth, accuracy, guessing) = self.design, self.at(move)
        weight, follows = _expected(design, truth, accuracy, guessing)
        case, luck = design.unit_case[design.unit], 1 - follows
        by_rater = np.zeros((design.cases, design.raters))
        np.add.at(by_rater, (case, design.rater), follows - accuracy[design.rater])
        by_truth = np.zeros((design.cases, *design.known.shape))
        np.add.at(by_truth, (design.unit_case, design.unit_question), weight - truth[design.unit_question])
        by_chance = np.zeros((design.cases, *design.known.shape))
        np.add.at(by_chance, (case, design.question, design.category), luck)
        np.add.at(by_chance, (case, design.question), -luck[:, None] * guessing[design.question])
        return np.concatenate(
            [by_rater[:, self.inside], by_truth[:, self.free_truth], by_chance[:, self.free_chance]], axis=1
        )


def _moved(shares: Array, free: NDArray[np.bool_], move: Array) -> Array:
    """Shares of questions after their logarithms moved."""
    after = shares.copy()
    after[free] *= np.exp(move)
    return np.asarray(after / after.sum(axis=1, keepdims=True))
