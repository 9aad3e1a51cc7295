"""How every judge of a panel scores: severity, spread, how far scores follow the entries, agreement with oneself."""

import math
from dataclasses import dataclass, replace

import numpy as np

from tapdesk.estimate import Estimate, undefined
from tapdesk.language import RaterName
from tapdesk.language import gettext as _
from tapdesk.models.parameters import FloatArray
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.panel_sampler import IndexArray, PanelDraws, PanelScores
from tapdesk.studies.repeat_times import moments_of
from tapdesk.studies.self_agreement import SelfAgreement, self_agreement

_THIN = 200
# Of a correlation: scores that tell no interval, the nearest to 1 that is counted with, and the least reliability.
_FEWEST, _MOST_ALIKE, _LEAST_KNOWN = 3, 0.999, 0.2


@dataclass(frozen=True, slots=True)
class JudgeNumbers:
    """How a judge scores, each with its interval.

    Attributes
    ----------
    judge, scores, entries
        The name, how many scores, and of how many entries: one judged again counts once.
    severity
        Points, or classes, below the panel.
    spread
        Standard deviation of the scores of one entry, in points or classes.
    follows
        Correlation of the scores with what the entries are worth by the other judges: 1 at best, 0 of guesses, below 0
        turned round. Without a value where all scores are alike or too few.
    self_agreement
        Where the judge scored entries again.
    """

    judge: str
    scores: int
    entries: int
    severity: Estimate
    spread: Estimate
    follows: Estimate
    self_agreement: SelfAgreement | None = None


def judge_numbers(
    ratings: Ratings, scores: PanelScores, draws: PanelDraws, level: float, occasion: str = ""
) -> tuple[JudgeNumbers, ...]:
    """How every judge scores."""
    moments = moments_of(ratings, occasion)
    again = {row.judge: row for row in self_agreement(scores, draws, moments, level)}
    severity, spread, follows = scoring_numbers(scores, draws, level)
    count = np.bincount(scores.judge, minlength=scores.judges)
    entries = entries_of_each(scores)
    return tuple(
        JudgeNumbers(
            RaterName(name),
            int(count[j]),
            int(entries[j]),
            severity[j],
            spread[j],
            follows[j],
            again.get(j),
        )
        for j, name in enumerate(ratings.raters)
    )


def scoring_numbers(scores: PanelScores, draws: PanelDraws, level: float) -> tuple[tuple[Estimate, ...], ...]:
    """Severity, spread, and how far scores follow the entries, of every judge."""
    thin = draws.thin(-(-draws.fair.shape[0] // (_THIN if scores.classes else 4 * _THIN)))
    rows = (severities(thin, scores.classes), spreads(thin, scores.classes))
    posterior = (tuple(_estimate(column, level) for column in row.T) for row in rows)
    return (*posterior, follows_others(scores, thin, level))


def severities(draws: PanelDraws, classes: int) -> FloatArray:
    """Shape (D, J): points, or classes where there are some, that each judge is below the panel."""
    return _severity_in_classes(draws) if classes else -draws.level


def spreads(draws: PanelDraws, classes: int) -> FloatArray:
    """Shape (D, J): standard deviation of the scores of one entry by each judge, in points or classes."""
    return _spread_in_classes(draws, classes) if classes else draws.spread


def entries_of_each(scores: PanelScores) -> IndexArray:
    """Shape (judges,): how many entries each judge scored, once or more often."""
    pairs = np.unique(scores.judge * scores.entries + scores.entry)
    return np.bincount(pairs // scores.entries, minlength=scores.judges)


def follows_others(scores: PanelScores, draws: PanelDraws, level: float) -> tuple[Estimate, ...]:
    """For every judge the correlation of the scores with what the other judges make of the entries.

    A judge's own scores are left out of what an entry is worth, and no kind of judge is supposed: else a judge who
    guesses is drawn to the others, and the interval holds the truth in 85 of 100 juries instead of 95. The correlation
    is that of Pearson, divided by the root of the reliability of what the others tell (Spearman 1904), with Fisher's
    interval.
    """
    from scipy.special import ndtri  # late: slow to load

    count, total = _tables(scores, draws)
    middle, tau2 = draws.fair.mean(axis=1, keepdims=True), draws.fair.var(axis=1)[:, None]
    weight, slope = 1 / draws.spread**2, draws.slope
    alpha = draws.level + middle
    pull = weight * slope
    seen = pull @ total.T - (pull * alpha) @ count.T
    precision = 1 / tau2 + (pull * slope) @ count.T
    reach = float(ndtri((1 + level) / 2))
    found = []
    for j in range(scores.judges):
        at = np.flatnonzero(count[:, j])
        if at.size <= _FEWEST:
            found.append(replace(undefined(str(_("There are too few {ratings}.").format())), level=level))
            continue
        n = count[at, j]
        others = precision[:, at] - (pull * slope)[:, [j]] * n
        worth = (seen[:, at] - pull[:, [j]] * (total[at, j] - n * alpha[:, [j]])) / others
        known = float(np.clip((1 - 1 / others / tau2).mean(), _LEAST_KNOWN, 1.0))
        own = total[at, j] / n
        kept = math.sqrt(known) * (_of_classes(own) if scores.classes else 1.0)
        found.append(_correlation(worth.mean(axis=0), own, kept, reach, level))
    return tuple(found)


def _of_classes(own: FloatArray) -> float:
    """What putting a normal value into these classes leaves of its correlations (Olsson, Drasgow & Dorans 1982)."""
    from scipy.special import ndtri  # late: slow to load

    values, count = np.unique(own, return_counts=True)
    ends = ndtri(count.cumsum()[:-1] / own.size)
    density = np.exp(-(ends**2) / 2) / math.sqrt(2 * math.pi)
    return max(float(density @ np.diff(values) / max(own.std(), 1e-12)), _LEAST_KNOWN) if values.size > 1 else 1.0


def _tables(scores: PanelScores, draws: PanelDraws) -> tuple[FloatArray, FloatArray]:
    """Shape (N, J): how many scores each judge gave each entry, and their sum; a class stands as its middle."""
    value = scores.value
    if scores.classes:
        cuts = draws.cuts.mean(axis=0)
        ends = np.concatenate([[2 * cuts[0] - cuts[-1] - 1], cuts, [2 * cuts[-1] - cuts[0] + 1]])
        if scores.classes > 2:
            step = np.diff(cuts)
            ends[[0, -1]] = cuts[0] - step[0], cuts[-1] + step[-1]
        value = ((ends[1:] + ends[:-1]) / 2)[scores.value.astype(int)]
    shape = (scores.entries, scores.judges)
    cell = scores.entry * scores.judges + scores.judge
    size = shape[0] * shape[1]
    return (
        np.bincount(cell, minlength=size).reshape(shape).astype(float),
        np.bincount(cell, value, size).reshape(shape).astype(float),
    )


def _correlation(worth: FloatArray, own: FloatArray, kept: float, reach: float, level: float) -> Estimate:
    """A correlation with its interval, both divided by what unreliability and coarse classes leave of it."""
    if np.ptp(own) == 0 or np.ptp(worth) == 0:
        return replace(undefined(str(_("All {ratings} are the same.").format())), level=level)
    centre = float(np.arctanh(np.clip(np.corrcoef(worth, own)[0, 1], -_MOST_ALIKE, _MOST_ALIKE)))
    error = 1 / math.sqrt(own.size - _FEWEST)
    value, low, high = (float(np.clip(np.tanh(centre + step * reach * error) / kept, -1, 1)) for step in (0, -1, 1))
    return Estimate(value, None, low, high, level, "correlation")


def _estimate(draws: FloatArray, level: float) -> Estimate:
    tail = (1 - level) / 2
    low, high = (float(q) for q in np.quantile(draws, [tail, 1 - tail]))
    mean = float(draws.mean())
    return Estimate(mean, float(draws.std()), min(low, mean), max(high, mean), level, "posterior")


def _class_shares(draws: PanelDraws, judge: int) -> tuple[FloatArray, FloatArray]:
    """Shape (D, N, K - 1): the share of scores above each line, by a judge and by one without leaning."""
    from scipy.special import ndtr  # late: slow to load

    entries = np.linspace(0, draws.fair.shape[1] - 1, min(draws.fair.shape[1], 60)).astype(int)
    fair = draws.fair[:, entries]
    centre = draws.fair.mean(axis=1, keepdims=True)
    middle = centre + draws.level[:, judge, None] + draws.slope[:, judge, None] * (fair - centre)
    cuts = draws.cuts[:, None, :]
    own = ndtr((middle[..., None] - cuts) / draws.spread[:, judge, None, None])
    return own, ndtr(fair[..., None] - cuts)


def _severity_in_classes(draws: PanelDraws) -> FloatArray:
    """Shape (D, J): classes below the panel, on average over entries."""
    columns = []
    for j in range(draws.level.shape[1]):
        own, fair = _class_shares(draws, j)
        columns.append((fair.sum(axis=2) - own.sum(axis=2)).mean(axis=1))
    middle = np.stack(columns, axis=1)
    return np.asarray(middle - middle.mean(axis=1, keepdims=True))


def _spread_in_classes(draws: PanelDraws, classes: int) -> FloatArray:
    """Shape (D, J): standard deviation in classes of the scores of one entry, on average over entries."""
    columns, place = [], np.arange(classes)
    for j in range(draws.level.shape[1]):
        own, _fair = _class_shares(draws, j)
        share = -np.diff(own, axis=2, prepend=1.0, append=0.0)
        mean = share @ place
        columns.append(np.sqrt(np.maximum(share @ place**2 - mean**2, 0.0).mean(axis=1)))
    return np.stack(columns, axis=1)
