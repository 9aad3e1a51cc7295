"""How far judges agree with themselves: scores of one entry by one judge, seen twice.

Observed are pairs of own scores of an entry: the share that is the same, kappa of the judge with themselves, and the
usual gap; beside them what the judge's spread alone makes of it, by the posterior of the panel (models_more.md §6).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tapdesk.models.parameters import FloatArray
from tapdesk.studies.panel_sampler import IndexArray, PanelDraws, PanelScores

_DRAWS = 200


@dataclass(frozen=True, slots=True)
class SelfAgreement:
    """A judge who scored entries again.

    Attributes
    ----------
    judge
        Which.
    pairs, same
        Pairs of own scores of an entry, and how many of them are the same.
    low, high
        Of the share of same pairs.
    kappa, kappa_low, kappa_high
        Of the judge with themselves, and its interval: that of the share with chance taken out, chance taken as known;
        None where all of these scores are one.
    gap
        The mean distance of the two, in points or classes.
    expected_same, expected_gap
        What the spread of the judge alone makes of both; None where no posterior is known.
    apart
        The median time between the two in the unit of the column, and its unit (``days``, or empty); None where no
        column tells.
    """

    judge: int
    pairs: int
    same: int
    low: float
    high: float
    kappa: float | None
    gap: float
    expected_same: float | None
    expected_gap: float | None
    apart: tuple[float, str] | None = None
    kappa_low: float | None = None
    kappa_high: float | None = None

    @property
    def surprising(self) -> int:
        """-1 where fewer pairs are the same than the spread alone makes of it, 1 where more are, 0 as expected."""
        if self.expected_same is None or self.low <= self.expected_same <= self.high:
            return 0
        return 1 if self.low > self.expected_same else -1


def own_pairs(scores: PanelScores) -> tuple[IndexArray, IndexArray]:
    """Shape (n, 2): places of two scores of one entry by one judge, each pair once; with the judges, shape (n,)."""
    cell = scores.entry * scores.judges + scores.judge
    order = np.argsort(cell, kind="stable")
    _cells, first, count = np.unique(cell[order], return_index=True, return_counts=True)
    pairs = [
        (order[at + a], order[at + b])
        for at, n in zip(first[count > 1], count[count > 1], strict=True)
        for a in range(n)
        for b in range(a + 1, n)
    ]
    places = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return places, scores.judge[places[:, 0]]


def self_agreement(
    scores: PanelScores,
    draws: PanelDraws | None,
    moments: Sequence[tuple[FloatArray, str]] = (),
    level: float = 0.95,
) -> tuple[SelfAgreement, ...]:
    """Every judge who scored an entry again.

    Parameters
    ----------
    scores, draws
        The panel, and its posterior.
    moments
        At most one column: when each score was given, shape (m,), and the unit.
    level
        Of intervals.
    """
    places, judges = own_pairs(scores)
    rows = []
    for j in np.unique(judges):
        mine = places[judges == j]
        one, two = scores.value[mine[:, 0]], scores.value[mine[:, 1]]
        same, n = int((one == two).sum()), len(mine)
        low, high = exact_interval(same, n, level)
        expected: tuple[float | None, float | None] = (
            (None, None) if draws is None else _expected(scores, draws, int(j), scores.entry[mine[:, 0]])
        )
        apart = None
        for moment, unit in moments:
            between = np.abs(moment[mine[:, 1]] - moment[mine[:, 0]])
            apart = (float(np.median(between)), unit) if np.isfinite(between).all() else None
        gap = float(np.abs(one - two).mean())
        alike, far = expected
        chance = _chance(one, two)
        shares = (same / n, low, high)
        kappa, *ends = (None if chance is None else (share - chance) / (1 - chance) for share in shares)
        rows.append(SelfAgreement(int(j), n, same, low, high, kappa, gap, alike, far, apart, *ends))
    return tuple(rows)


def exact_interval(count: int, n: int, level: float) -> tuple[float, float]:
    """The interval of a share that holds it at least as often as said, of single pairs too (Clopper & Pearson 1934)."""
    from scipy.special import betaincinv  # late: slow to load

    tail = (1 - level) / 2
    low = 0.0 if count == 0 else float(betaincinv(count, n - count + 1, tail))
    high = 1.0 if count == n else float(betaincinv(count + 1, n - count, 1 - tail))
    return low, high


def _chance(one: FloatArray, two: FloatArray) -> float | None:
    """The share that chance makes the same, both scores having one distribution (Scott 1955), for one person gave both.

    None where all are one.
    """
    share = np.unique(np.concatenate([one, two]), return_counts=True)[1] / (2 * one.size)
    chance = float((share**2).sum())
    return None if chance > 1 - 1e-12 else chance


def _expected(scores: PanelScores, draws: PanelDraws, judge: int, entry: IndexArray) -> tuple[float, float]:
    """The share of same pairs and the mean gap of these entries, by the posterior."""
    from scipy.special import ndtr  # late: slow to load

    at = np.linspace(0, draws.fair.shape[0] - 1, min(_DRAWS, draws.fair.shape[0])).astype(int)
    fair = draws.fair[at]
    centre = fair.mean(axis=1, keepdims=True)
    middle = centre + draws.level[at, judge, None] + draws.slope[at, judge, None] * (fair[:, entry] - centre)
    sd = draws.spread[at, judge, None]
    if scores.classes:
        cuts = draws.cuts[at][:, None, :]
        below = ndtr((cuts - middle[..., None]) / sd[..., None])
        share = np.diff(below, axis=2, prepend=0.0, append=1.0)
        place = np.arange(scores.classes)
        gap = np.einsum("dec,def,cf->de", share, share, np.abs(place[:, None] - place))
        return float((share**2).sum(axis=2).mean()), float(gap.mean())
    # Two scores differ with a standard deviation of sqrt(2) spreads; they are the same within half a step.
    step = scores.step or _step(scores.value)
    same = 2 * ndtr(step / 2 / (np.sqrt(2) * sd)) - 1
    return float(same.mean()), float((2 * sd / np.sqrt(np.pi)).mean())


def _step(value: FloatArray) -> float:
    """The smallest distance of two scores."""
    return float(np.diff(np.unique(value)).min(initial=np.inf)) if np.unique(value).size > 1 else 1.0
