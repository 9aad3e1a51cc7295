"""What a fitted model expects of single ratings: of a case of a group, of a known case, of cases that differ.

Given its true class the ratings of a case are independent in most models; then truth and rates say it all. Where cases
differ in more than their truth, or a rater may remember, they are not, and the likelihood itself is asked.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.fit import Fit
from tapdesk.models.design import design, rows_of_ratings
from tapdesk.models.model import Cases, RaterModel
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.ratings.patterns import Kinds, tabulate
from tapdesk.ratings.ratings import IntArray, Ratings

# Ratings of made up cases in one go, and how many cases are simulated for a distribution.
_CHUNK = 400_000
_SIMULATED = 60_000


def independent(model: RaterModel) -> bool:
    """Whether the ratings of a case are independent given its true class."""
    return model.cases is Cases.ALIKE and not model.memory


def expected_rates(fit: Fit) -> FloatArray:
    """Shape (U or 1, K, K): how often a true class is given each class, over all cases."""
    point, row = fit.parameters, fit.model
    if row.near:
        from tapdesk.models.near_misses import near_rates  # late: few models have near misses

        return near_rates(point)
    if row.cases is Cases.HARD:
        point = replace(point, accuracy=point.accuracy * (1 - float(point.spread[0])))
    return point.rating_rates()


@dataclass(frozen=True, eq=False)
class TruthPriors:
    """What is thought of the class of each subject before its ratings are seen.

    Attributes
    ----------
    rates
        Shape (S, K): of every sort of subjects.
    sort
        Shape (N,): the sort of each subject.
    """

    rates: FloatArray
    sort: IntArray

    @property
    def each(self) -> FloatArray:
        """Shape (N, K): of each subject."""
        return np.asarray(self.rates[self.sort])


def truth_priors(fit: Fit, ratings: Ratings) -> TruthPriors:
    """By the true class rates, those of its group where groups have their own; of a known subject its class."""
    _unit, kinds = rows_of_ratings(fit.model, ratings)
    rates = np.atleast_2d(fit.parameters.truth)
    groups, k = rates.shape
    sort = np.zeros(len(ratings.subjects), dtype=np.int64) if kinds.group is None else kinds.group.astype(np.int64)
    if kinds.known is None:
        return TruthPriors(rates, sort)
    return TruthPriors(np.concatenate([rates, np.eye(k)]), np.where(kinds.known >= 0, groups + kinds.known, sort))


def class_shares(fit: Fit, ratings: Ratings) -> tuple[FloatArray, FloatArray]:
    """Shape (K,) each: the share of ratings of every class, and of subjects that truly are of it, by the model."""
    unit, _kinds = rows_of_ratings(fit.model, ratings)
    rates, priors = expected_rates(fit), truth_priors(fit, ratings)
    row = np.zeros(ratings.subject.size, dtype=np.int64) if unit is None or rates.shape[0] == 1 else unit
    weight = ratings.subject_weights().astype(np.float64)
    sorts, units = priors.rates.shape[0], rates.shape[0]
    place = priors.sort[ratings.subject] * units + row
    of_ratings = np.bincount(place, weight[ratings.subject], sorts * units).reshape(sorts, units)
    given = np.einsum("su,sk,ukc->c", of_ratings / max(of_ratings.sum(), 1.0), priors.rates, rates)
    of_subjects = np.bincount(priors.sort, weight, sorts)
    return np.asarray(given), np.asarray(of_subjects @ priors.rates / max(of_subjects.sum(), 1.0))


def replaced_rates(ratings: Ratings, fit: Fit) -> FloatArray:
    """Shape (m, K): probability of each class for each rating given the others of its subject, by the likelihood.

    Each rating is replaced by each class in turn; what the subject's ratings are worth then is set beside each other.
    """
    each = ratings.ratings_per_subject()
    start = np.cumsum(each) - each
    k = len(ratings.classes)
    # Ratings are sorted by subject.
    made = each[ratings.subject].astype(np.int64) * k
    blocks = np.split(np.arange(ratings.subject.size), np.flatnonzero(np.diff(np.cumsum(made) // _CHUNK)) + 1)
    return np.concatenate([_replaced(ratings, fit, rows, each, start) for rows in blocks if rows.size])


def _replaced(
    ratings: Ratings, fit: Fit, rows: NDArray[np.int64], each: NDArray[np.int64], start: NDArray[np.int64]
) -> FloatArray:
    """The same of some ratings."""
    plan, k = design(fit.model, ratings), len(ratings.classes)
    of = np.repeat(ratings.subject[rows].astype(np.int64), k)
    size = each[of]
    copy = np.repeat(np.arange(of.size), size)
    inside = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
    row = np.repeat(start[of], size) + inside
    turned = np.repeat(rows, k)[copy] == row
    category = np.where(turned, np.tile(np.arange(k), rows.size)[copy], ratings.category[row])
    unit, kinds = rows_of_ratings(fit.model, ratings)
    own = Kinds(*(None if part is None else part[of] for part in (kinds.group, kinds.known)))
    drawn = replace(
        Ratings(copy, ratings.rater[row], category, tuple(map(str, range(of.size))), ratings.raters, ratings.classes),
        members=ratings.members,
        abstentions=ratings.abstentions,
    )
    units = None if unit is None else unit[row]
    if fit.model.memory and units is not None:
        from tapdesk.models.repeats import occasions, tabulate_repeats  # late: few data have repeats

        patterns = tabulate_repeats(drawn, units, plan.space.units, occasions(fit.model, ratings)[row], own)
    else:
        patterns = tabulate(drawn, units, plan.space.units, own)
    levels = plan.space.evidence(patterns).pattern_log_likelihood(Stack.of([fit.parameters]))[0]
    level = np.asarray(levels)[patterns.of_subject].reshape(-1, k)
    share = np.exp(level - level.max(axis=1, keepdims=True))
    return np.asarray(share / share.sum(axis=1, keepdims=True))


def simulated_hits(ratings: Ratings, fit: Fit, category: int, most: int) -> FloatArray:
    """Shape (most + 1,): share of subjects with k ratings in a class among very many that the model makes."""
    from tapdesk.models.simulate import simulate_like  # late: what simulates is loaded when it is asked for

    weight = ratings.subject_weights().astype(np.int64)
    times = max(_SIMULATED // max(int(weight.sum()), 1), 1)
    made, _truth = simulate_like(replace(ratings, weight=weight * times), fit.model, fit.parameters, fit.seed)
    hits = np.bincount(made.subject[made.category == category], minlength=len(made.subjects))
    rated = made.ratings_per_subject() > 0
    counted = np.bincount(np.minimum(hits[rated], most), minlength=most + 1)
    return np.asarray(counted / max(counted.sum(), 1))
