"""Raters who contradict each other or judge something else, looked for before anything is said of a panel.

A model with accuracies from 0 upwards calls both luck: a rater with the scale turned round gets accuracy 0, and so do
those who answer another question. Correlations of the raters tell them apart (statistics of two classes or of the ranks
of ordered ones): under one common truth the covariance of two raters is the product of what each of them carries of it,
so it is negative only where one of them is turned round (the sign of sensitivity + specificity − 1), and two groups
that agree within themselves agree with each other as well.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.fit import Fit
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.upside_down import ENOUGH, table_of_raters, upside_down
from tapdesk.studies.analysis import Request, analyse, refusal

# Standard errors by which two raters agree, or groups fail to, before it is said: many pairs are looked at.
_AGREES, _APART = 3.5, 3.5
_CONTRADICT, _LEAST = -3.0, -0.3
_PARTS = 40


@dataclass(frozen=True, eq=False)
class Opposition:
    """Who contradicts whom.

    Attributes
    ----------
    turned
        Names of the raters whose scale seems turned round, never more than half.
    even
        Whether these are half of all, so that nothing shows which half it is.
    groups
        Names of raters who agree within each group and not between groups; empty, or two groups or more.
    preview
        The fit of one accuracy with the ratings of ``turned`` turned back; None where none are, or it cannot be made.
    """

    turned: tuple[str, ...]
    even: bool
    groups: tuple[tuple[str, ...], ...]
    preview: Fit | None

    @property
    def exists(self) -> bool:
        """Whether there is anything to say before all else."""
        return bool(self.turned or self.groups)


def opposition(ratings: Ratings, request: Request) -> Run[Opposition]:
    """Look for raters with the scale turned round, and for groups who judge different things.

    Parameters
    ----------
    ratings
        The data; of raters who are not known, and of classes without an order, nothing is found.
    request
        Level and seed of the preview.

    Yields
    ------
    Step
        Phase ``check``, and the phases of the fit of the preview.
    """
    yield Step(0, 1, "check")
    turned = contradicting(ratings)
    back = turned_back(ratings, turned)
    groups = groups_apart(back)
    preview = None
    if turned and not groups:
        question = Request(replace(model("t-a-p"), key=request.model.key), level=request.level, seed=request.seed)
        if refusal(back, question) is None:
            preview = yield from analyse(back, question)
    return Opposition(turned, 2 * len(turned) >= len(ratings.raters), groups, preview)


def contradicting(ratings: Ratings) -> tuple[str, ...]:
    """Names of the raters whose scale seems turned round; of two who contradict each other the second."""
    down = upside_down(ratings) or _two_who_contradict(ratings)
    return tuple(ratings.raters[j] for j in down)


def groups_apart(ratings: Ratings) -> tuple[tuple[str, ...], ...]:
    """Names of raters who agree within groups and not between them; the largest group first."""
    if not _has_scale(ratings):
        return ()
    return tuple(tuple(ratings.raters[j] for j in group) for group in _groups(ranks_of(ratings)))


def turned_back(ratings: Ratings, turned: tuple[str, ...]) -> Ratings:
    """The ratings with the scale of some raters turned round."""
    own = np.isin(ratings.rater, [j for j, name in enumerate(ratings.raters) if name in turned])
    return replace(ratings, category=np.where(own, len(ratings.classes) - 1 - ratings.category, ratings.category))


def _has_scale(ratings: Ratings) -> bool:
    return ratings.raters_known and (ratings.ordered or len(ratings.classes) == 2)


def ranks_of(ratings: Ratings) -> FloatArray:
    """Shape (N, J): the place of each rating on the scale, less the mean of its rater; NaN where there is none."""
    dense = table_of_raters(ratings)
    ranks = np.where(dense < 0, np.nan, dense).astype(np.float64)
    rated = np.maximum((dense >= 0).sum(axis=0), 1)
    return np.asarray(ranks - np.where(dense < 0, 0, dense).sum(axis=0) / rated)


def _covariances(ranks: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Covariance of every two raters over the cases both rated, and how many standard errors it lies above 0."""
    there = np.isfinite(ranks)
    x = np.where(there, ranks, 0.0)
    both = there.T.astype(np.float64) @ there
    summed, spread = x.T @ x, (x**2).T @ (x**2)
    covariance = summed / np.maximum(both, 1.0)
    z = summed / np.sqrt(np.maximum(spread, 1e-12))
    z[(both < ENOUGH) | (spread <= 0)] = 0.0
    np.fill_diagonal(z, 0.0)
    return covariance, z


def _two_who_contradict(ratings: Ratings) -> tuple[int, ...]:
    """The second of two raters who contradict each other; nobody else."""
    if not _has_scale(ratings) or len(ratings.raters) != 2:
        return ()
    ranks = ranks_of(ratings)
    both = np.isfinite(ranks).all(axis=1)
    x: FloatArray = np.asarray(ranks[both])
    if both.sum() < ENOUGH or np.any(x.std(axis=0) == 0):
        return ()
    r = float(np.clip(np.corrcoef(x[:, 0], x[:, 1])[0, 1], -0.999999, 0.999999))
    return (1,) if r < _LEAST and np.arctanh(r) * np.sqrt(both.sum() - 3) < _CONTRADICT else ()


def _groups(ranks: FloatArray) -> tuple[tuple[int, ...], ...]:
    """Groups of raters who agree clearly within and, against what one truth would make of that, not with others."""
    _covariance, z = _covariances(ranks)
    label = _connected(z > _AGREES)
    sizes = np.bincount(label, minlength=label.size)
    groups = [tuple(int(j) for j in np.flatnonzero(label == g)) for g in np.flatnonzero(sizes > 1)]
    if len(groups) < 2:
        return ()
    groups.sort(key=lambda group: (-len(group), group))
    apart = all(_gap(ranks, groups[0], other) > _APART for other in groups[1:])
    return tuple(groups) if apart else ()


def _connected(linked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Shape (J,): a label for each rater, the same for those linked directly or through others."""
    label = np.arange(linked.shape[0])
    for _turn in label:
        lowest = np.where(linked, label[None], label.size).min(axis=1, initial=label.size)
        label = np.minimum(label, lowest)
    return label


def _gap(ranks: FloatArray, one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """How many standard errors two groups agree less than one common truth makes them; the errors by jackknife.

    Under one truth the mean covariance between is the product of the mean loads, and that of each group within is at
    most its mean load squared: the root of the product of the two cannot exceed the mean between.
    """

    def gap(rows: FloatArray) -> float:
        covariance, _z = _covariances(rows)
        within = [covariance[np.ix_(g, g)][np.triu_indices(len(g), 1)].mean() for g in (one, other)]
        return float(np.sqrt(max(within[0], 0.0) * max(within[1], 0.0)) - covariance[np.ix_(one, other)].mean())

    part = np.arange(ranks.shape[0]) % _PARTS
    left = np.array([gap(ranks[part != p]) for p in range(_PARTS)])
    error = float(np.sqrt((_PARTS - 1) / _PARTS * ((left - left.mean()) ** 2).sum()))
    return gap(ranks) / error if error > 0 else 0.0
