"""How often a vote of several raters equals the truth (models.md §8, "Vote")."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, xlogy

from tapdesk.errors import CannotAnswerError
from tapdesk.language import gettext as _
from tapdesk.models.parameters import Parameters
from tapdesk.models.stack import FloatArray
from tapdesk.studies.worlds import complete_worlds


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
        raise CannotAnswerError(_("This needs a model in which all raters share their parameters, such as t-a-p."))
    rows = [_one(point.truth, rates[0], int(r), sure) for r in ratings]
    # Sums over all ways to vote may miss 1 by a rounding.
    table = np.clip(np.array(rows, dtype=np.float64).reshape(-1, 3), 0.0, 1.0)
    return Votes(np.asarray(ratings, dtype=np.float64), table[:, 0], table[:, 1], table[:, 2], sure)


def _one(truth: FloatArray, rates: FloatArray, size: int, sure: float) -> tuple[float, float, float]:
    """Plurality, most probable class, and share of certain subjects."""
    k = truth.size
    here = complete_worlds(1, size, k)
    if here is None:
        raise CannotAnswerError(
            _("With {size} ratings and {k} classes there are too many ways to vote to list them.").format(
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
