"""Does accuracy change with what is known of raters? Asked over raters, not over their ratings.

A covariate of raters has as many values as there are raters: raters differ for other reasons as well, and a hundred
ratings of one of them tell no more of an age than one. So the logit of each rater's own accuracy is set against the
covariates by least squares, whose residuals hold how raters differ besides, with Student's t of raters less slopes.
"""

from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import expit, logit, stdtr, stdtrit

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.em import ExactEM
from tapdesk.language import gettext as _
from tapdesk.models.model import RaterModel, model
from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.rater_differences import few_leanings

# An accuracy on the edge has no logit: it is taken for one so far inside.
_INSIDE = 0.02
_LEVEL = 0.05
# Of the curve from the smallest value to the largest.
_PLACES = 41


@dataclass(frozen=True, slots=True)
class RaterSlope:
    """Whether accuracy changes with one covariate of raters.

    Attributes
    ----------
    covariate
        Its name.
    p
        Two-sided, by Student's t over raters.
    first, last
        The smallest and the largest value among the raters.
    at_first, at_last
        The accuracy there with its interval, other covariates at their mean.
    raters
        How many raters it rests on.
    unknown
        How many are left out, for a covariate is not known of them.
    line
        Shape (n, 4): values from the first to the last, the accuracy there, and the ends of its interval.
    alone
        Shape (raters, 2): the value of each rater, and the accuracy of this rater alone.
    """

    covariate: str
    p: float
    first: float
    last: float
    at_first: Estimate
    at_last: Estimate
    raters: int
    unknown: int = 0
    line: FloatArray = field(default_factory=lambda: np.empty((0, 4)), compare=False, repr=False)
    alone: FloatArray = field(default_factory=lambda: np.empty((0, 2)), compare=False, repr=False)

    @property
    def changes(self) -> bool:
        """Whether fewer than 5 in 100 panels without a slope show one as clear."""
        return self.p < _LEVEL


def rater_slopes(
    ratings: Ratings, regression: RaterModel, seed: int, level: float = 0.95
) -> Run[tuple[RaterSlope, ...]]:
    """The covariates of raters in a regression, each tested over raters.

    Parameters
    ----------
    ratings
        The data, of known raters.
    regression
        The model whose covariates are looked at; those of cases and of ratings are left aside.
    seed
        Of the fit of an accuracy for each rater.
    level
        Of the intervals.

    Yields
    ------
    Step
        The phases of that fit.

    Raises
    ------
    CannotAnswerError
        When no covariate is one of raters, or raters are too few or cannot be told apart.
    """
    known = {name: ratings.rater_values(name) for name in regression.covariates}
    names = [name for name, values in known.items() if values is not None]
    if not names or not ratings.raters_known:
        raise CannotAnswerError(_("None of these covariates is one of {raters}."))
    own = model("t-aj-pj") if few_leanings(ratings) else model("t-aj-p")
    method = ExactEM()
    x = np.array([np.asarray(known[name], dtype=np.float64) for name in names]).T
    # Whose value is not known still helps to find the truth the others are held against.
    stated = np.isfinite(x).all(axis=1)
    x = x[stated]
    free = x.shape[0] - len(names) - 1
    if free < 1 or np.linalg.matrix_rank(np.column_stack([np.ones(x.shape[0]), x])) <= len(names):
        raise CannotAnswerError(_("There are too few {raters} to tell what their accuracy changes with."))
    if method.refuses(own, ratings):
        raise CannotAnswerError(_("The accuracies of these {raters} cannot be told apart."))
    fit = yield from method.run(own, ratings, seed)
    if not fit.identification.by_design or not fit.converged:
        raise CannotAnswerError(_("The accuracies of these {raters} cannot be told apart."))
    y = logit(np.clip(fit.parameters.accuracy[stated, 0], _INSIDE, 1 - _INSIDE))
    return tuple(replace(one, unknown=int((~stated).sum())) for one in _slopes(names, x, y, level))


def _slopes(names: list[str], x: FloatArray, y: FloatArray, level: float) -> tuple[RaterSlope, ...]:
    """Least squares of y (J,) on x (J, C)."""
    centre = x.mean(axis=0)
    table = np.column_stack([np.ones(y.size), x - centre])
    inverse = np.linalg.inv(table.T @ table)
    b = inverse @ table.T @ y
    free = y.size - b.size
    variance = float(((y - table @ b) ** 2).sum()) / free
    reach = float(stdtrit(free, 0.5 + level / 2))
    sentences = []
    for i, name in enumerate(names):
        error = np.sqrt(variance * inverse[i + 1, i + 1])
        p = float(2 * stdtr(free, -abs(b[i + 1]) / error)) if error > 0 else float(b[i + 1] == 0)
        along = np.linspace(x[:, i].min(), x[:, i].max(), _PLACES)
        rows = np.zeros((_PLACES, b.size))
        rows[:, 0], rows[:, i + 1] = 1.0, along - centre[i]
        at = rows @ b
        half = reach * np.sqrt(variance * np.einsum("nq,qr,nr->n", rows, inverse, rows))
        line = np.column_stack([along, expit(at), expit(at - half), expit(at + half)])
        ends = [Estimate(float(r[1]), low=float(r[2]), high=float(r[3]), level=level) for r in (line[0], line[-1])]
        alone = np.column_stack([x[:, i], expit(y)])
        places = float(along[0]), float(along[-1])
        sentences.append(RaterSlope(name, p, *places, ends[0], ends[1], y.size, line=line, alone=alone))
    return tuple(sentences)
