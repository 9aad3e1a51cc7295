"""Ratings that are ranks: each rater put the cases in order, and what that means for reading them."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, ask
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.texts import number

_LEAST_CASES, _LEAST_RATERS = 4, 2


def place_of_class(ratings: Ratings) -> NDArray[np.float64]:
    """The number each class is called by, shape (K,); not-a-number for all where one of them is called by none."""
    for mark in (".", ","):
        values = [number(label, mark) for label in ratings.classes]
        if all(v is not None for v in values):
            return np.array(values, dtype=np.float64)
    return np.full(len(ratings.classes), np.nan)


def are_ranks(ratings: Ratings) -> bool:
    """Whether every rater's ratings are the places of the cases this rater rated, from 1 to their number.

    Equal places may share the lowest of them (1, 2, 2, 4) or their middle (1, 2.5, 2.5, 4), but there are at least half
    as many places as cases: scores that happen to begin at 1 are none.
    """
    raters = len(ratings.raters)
    if not ratings.raters_known or raters < _LEAST_RATERS or len(ratings.classes) < _LEAST_CASES:
        return False
    if ratings.weight is not None or ratings.subject.size < raters * _LEAST_CASES:
        return False
    values = place_of_class(ratings)
    # Most ratings are no places: the lowest class of all is 1 where they are.
    if values.min() != 1:
        return False
    places = values[ratings.category]
    order = np.lexsort((places, ratings.rater))
    size = np.bincount(ratings.rater, minlength=raters)
    if size[size > 0].min() < _LEAST_CASES - 1 or (size > 0).sum() < _LEAST_RATERS:
        return False
    if np.unique(ratings.subject * raters + ratings.rater).size < ratings.subject.size:
        return False
    return all(_places(own) for own in np.split(places[order], np.cumsum(size)[:-1]) if own.size)


def _places(values: NDArray[np.float64]) -> bool:
    """Whether numbers in order are places, at least half as many as there are numbers."""
    _own, first, count = np.unique(values, return_index=True, return_counts=True)
    lowest, middle = first + 1.0, first + (count + 1) / 2
    as_places = (values[first] == lowest).all() or (values[first] == middle).all()
    return bool(as_places) and 2 * first.size >= values.size


def rank_findings(ratings: Ratings) -> Iterator[Finding]:
    """A question where ratings are ranks."""
    if not are_ranks(ratings):
        return
    top = ratings.classes[int(place_of_class(ratings).argmax())]
    yield ask(
        "ranks",
        "",
        _("The {ratings} are ranks: each {rater} put the {subjects} in order, from 1 to {last}.").format(
            last=Label(top)
        ),
        _(
            "If only who is among the first matters, cut the ranks into bands (--cuts 4); if they are classes, keep "
            "them."
        ),
        _("Each rank is read as a class of its own; how alike the orders are is told by Kendall's W."),
    )
