"""Identification of models with many raters, by a core that is checked and links that carry it on.

Where truth and one rater are known and that rater is not guessing always, the pairs of classes of this rater and
another one determine the other's rates: their joint distribution is a product with an invertible matrix. So when some
raters of a panel are identified, everyone who is linked to them through subjects rated in common is as well.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.fit import Identification
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, design
from tapdesk.models.parameters import ParameterName
from tapdesk.ratings.patterns import Patterns
from tapdesk.ratings.ratings import Ratings

_CORE_FREE = 150
_CORE_SUBJECTS = 3000


def by_core(plan: Design, check: Callable[[Design], Identification]) -> Identification:
    """The verdict on a design with many raters.

    Parameters
    ----------
    plan
        The tabulated data of a model by rater.
    check
        The verdict on a small design.
    """
    panel = _panels(plan.patterns)
    lost: list[int] = []
    for number in range(int(panel.max(initial=-1)) + 1):
        raters = np.flatnonzero(panel == number)
        core = _core(plan, raters)
        if core is None or not check(core).by_design:
            lost.extend(raters.tolist())
    unlinked = np.flatnonzero(panel < 0).tolist()
    if not lost and not unlinked:
        return Identification(
            by_design=True, here=True, words=_("This design can tell all the numbers of the model apart.")
        )
    gone = {plan.units[u] for u in (*lost, *unlinked)}
    names: tuple[ParameterName, ...] = tuple(s.name for s in plan.slots if s.name.rater in gone)
    if len(gone) == len(plan.units):
        names = tuple(s.name for s in plan.slots if s.freedom.value != "fixed")
        words = _("This design could not be shown to tell the parameters apart: too few cases were rated in common.")
    else:
        words = _(
            "The parameters of {gone:,} of {units:,} raters stay open: they share too few cases with the others."
        ).format(gone=len(gone), units=len(plan.units))
    return Identification(by_design=False, here=False, words=words, open_parameters=names)


def _panels(patterns: Patterns) -> NDArray[np.int64]:
    """Shape (U,): the panel of each rater, linked through subjects rated in common; -1 for raters linked to nobody."""
    from scipy import sparse  # start-up cost: loads scipy.linalg as well
    from scipy.sparse.csgraph import connected_components

    pair = np.unique(np.stack([patterns.pattern, patterns.unit]), axis=1)
    shape = (patterns.patterns, patterns.units)
    rated = sparse.csr_array((np.ones(pair.shape[1]), (pair[0], pair[1])), shape=shape)
    both: Any = sparse.block_array([[None, rated], [rated.T, None]], format="csr")
    _count, label = connected_components(both, directed=False)
    own = label[patterns.patterns :]
    size = np.bincount(own, minlength=int(label.max(initial=0)) + 1)[own]
    _first, number = np.unique(own, return_inverse=True)
    told = np.where(size > 1, number, -1)
    kept = np.unique(told[told >= 0])
    rank = np.full(int(told.max(initial=0)) + 1, -1)
    rank[kept] = np.arange(kept.size)
    return np.where(told >= 0, rank[np.maximum(told, 0)], -1)


def _core(plan: Design, raters: NDArray[np.int64]) -> Design | None:
    """The design of the busiest raters of a panel and the subjects two of them rated; None where there is none."""
    patterns, space = plan.patterns, plan.space
    per_rater = max((space.free - (space.classes - 1)) / max(space.units, 1), 1.0)
    count = max(int(_CORE_FREE // per_rater), 3)
    busy = raters[np.argsort(-patterns.totals.sum(axis=1)[raters], kind="stable")][:count]
    inside = np.isin(patterns.unit, busy)
    pattern, unit = patterns.pattern[inside], patterns.unit[inside]
    times = patterns.count[inside].astype(np.int64)
    several = np.bincount(pattern, times, patterns.patterns)[pattern] > 1
    pattern, unit, times = pattern[several], unit[several], times[several]
    if not pattern.size:
        return None
    chosen = np.unique(pattern)[:_CORE_SUBJECTS]
    kept = np.isin(pattern, chosen)
    pattern, unit, times = pattern[kept], unit[kept], times[kept]
    present, rater = np.unique(unit, return_inverse=True)
    _first, subject = np.unique(pattern, return_inverse=True)
    subject, rater = np.repeat(subject, times), np.repeat(rater, times)
    names = [str(i) for i in range(int(subject.max()) + 1)]
    # Which classes were given plays no part in what a design can tell; a few of each keep the observed rates inside.
    category = np.arange(subject.size) % space.classes
    small = Ratings.of(subject, rater, category, names, [plan.units[u] for u in present], plan.classes)
    return design(space.model, small)
