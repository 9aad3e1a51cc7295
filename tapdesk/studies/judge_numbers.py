"""How every judge of a panel scores: severity, spread, how far scores follow the entries, agreement with oneself."""

from dataclasses import dataclass

import numpy as np

from tapdesk.errors import TapdeskError
from tapdesk.estimate import Estimate
from tapdesk.language import Label, RaterName
from tapdesk.language import gettext as _
from tapdesk.models.parameters import FloatArray
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.texts import number
from tapdesk.studies.panel_sampler import PanelDraws, PanelScores
from tapdesk.studies.self_agreement import SelfAgreement, self_agreement

_THIN = 200


@dataclass(frozen=True, slots=True)
class JudgeNumbers:
    """How a judge scores, each with its interval.

    Attributes
    ----------
    judge, scores
        The name, and how many scores.
    severity
        Points, or classes, below the panel.
    spread
        Standard deviation of the scores of one entry, in points or classes.
    follows
        Correlation of the scores with what the entries are worth: 1 at best, 0 of guesses, below 0 turned round.
    self_agreement
        Where the judge scored entries again.
    """

    judge: str
    scores: int
    severity: Estimate
    spread: Estimate
    follows: Estimate
    self_agreement: SelfAgreement | None = None


def judge_numbers(
    ratings: Ratings, scores: PanelScores, draws: PanelDraws, level: float, occasion: str = ""
) -> tuple[JudgeNumbers, ...]:
    """How every judge scores."""
    moments = moments_of(ratings, occasion)
    again = {row.judge: row for row in self_agreement(scores, draws, moments)}
    thin = draws.thin(-(-draws.fair.shape[0] // (_THIN if scores.classes else 4 * _THIN)))
    worth = thin.fair.std(axis=1, keepdims=True)
    own = thin.slope * worth
    follows = own / np.sqrt(own**2 + thin.spread**2)
    severity = _severity_in_classes(thin) if scores.classes else -thin.level
    spread = _spread_in_classes(thin, scores.classes) if scores.classes else thin.spread
    count = np.bincount(scores.judge, minlength=scores.judges)
    return tuple(
        JudgeNumbers(
            RaterName(name),
            int(count[j]),
            _estimate(severity[:, j], level),
            _estimate(spread[:, j], level),
            _estimate(follows[:, j], level),
            again.get(j),
        )
        for j, name in enumerate(ratings.raters)
    )


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


def moments_of(ratings: Ratings, column: str) -> tuple[tuple[FloatArray, str], ...]:
    """When each score was given, in the order of `PanelScores`, with the unit; nothing where no column tells.

    Raises
    ------
    TapdeskError
        When the column holds neither numbers nor days.
    """
    if not column:
        return ()
    texts = [str(value).strip() for value in ratings.covariates[column].values]
    order = np.lexsort((ratings.rater, ratings.subject))
    if all(number(text) is not None for text in texts):
        return ((np.array([number(text) for text in texts], dtype=float)[order], ""),)
    try:
        days = np.array([np.datetime64(text) for text in texts]).astype("datetime64[s]").astype(float) / 86_400
    except ValueError:
        raise TapdeskError(
            _(
                "The column '{name}' holds neither numbers nor days, so it does not say when a {rating} was given."
            ).format(name=Label(column)),
            fix=_("Name a column such as 2026-05-14, or of numbers that count on."),
        ) from None
    return ((days[order], "days"),)
