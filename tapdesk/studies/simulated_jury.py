"""Juries with known truth, as unlike an ideal one as those of festivals are.

Twelve judges of whom five see each of sixty entries, one harsh, one who guesses, one with the scale turned round, six
entries seen twice by one judge.

Of half points and of four grades all juries have one truth: how far entries differ, and where the lines of the grades
lie. What is believed is right on average over what may be so. Held against a single truth, the surest juries are those
that by luck take their lines to lie further apart than they do. So there is a third kind, whose juries are unlike each
other in both.
"""

from dataclasses import dataclass

import numpy as np

from tapdesk.models.parameters import FloatArray
from tapdesk.studies.awards import rounding
from tapdesk.studies.panel_sampler import PanelDraws, PanelScores

KINDS = ("half points", "four grades", "grades of unlike juries")
HARSH, GUESSING, TURNED = 0, 1, 2
"""Which judges they are."""
_ENTRIES, _JUDGES, _EACH, _AGAIN = 60, 12, 5, 6
_LINES = {KINDS[0]: (13.5, 15.0, 16.5), KINDS[1]: (13.8, 15.0, 16.2), KINDS[2]: (13.8, 15.0, 16.2)}
# How far entries differ, and of unlike juries how far that and the distance of the lines differ, as logarithms.
_WORTH, _UNLIKE = 1.2, 0.3


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedJury:
    """The scores of a jury, and what is true of it.

    Attributes
    ----------
    scores
        As the program makes them of ratings.
    truth
        Shape (60,), points: what each entry is worth to a fair panel of these judges.
    lines
        Points: where the medals begin.
    differ
        Points: the standard deviation of what the entries are drawn from.
    level, slope, spread
        Shape (12,): of each judge the points of a middling entry, how far scores follow the entries (1 as the panel
        does), and the standard deviation of the scores of one entry.
    """

    scores: PanelScores
    truth: FloatArray
    lines: tuple[float, ...]
    differ: float
    level: FloatArray
    slope: FloatArray
    spread: FloatArray

    def as_draws(self) -> PanelDraws:
        """The truth in the shape of a single draw, so that numbers follow from it as they follow from draws.

        What a judge is above the panel is so of a middling one of these entries, as in draws.
        """
        worth = self.truth - self.level.mean()
        given = self.level + self.slope * worth.mean()
        fair = worth - worth.mean() + given.mean()
        level, lines = given - given.mean(), np.array(self.lines)
        return PanelDraws(fair[None], level[None], self.slope[None], self.spread[None], lines[None], chains=1, rhat=1.0)


def jury(kind: str, rng: np.random.Generator) -> SimulatedJury:
    """A jury of one of the kinds."""
    lines: tuple[float, ...] = _LINES[kind]
    differ = _WORTH
    if kind == KINDS[2]:
        differ, apart = (_WORTH, 1.0) * np.exp(rng.normal(0, _UNLIKE, 2))
        lines = tuple(float(line) for line in 15 + apart * (np.array(lines) - 15))
    worth = rng.normal(0, differ, _ENTRIES)
    level, slope = 15 + rng.normal(0, 0.5, _JUDGES), np.ones(_JUDGES)
    spread = np.exp(rng.normal(0, 0.25, _JUDGES))
    level[HARSH] -= 1.5
    slope[GUESSING], spread[GUESSING], slope[TURNED] = 0.0, 1.6, -1.0
    cells = [(i, int(j)) for i in range(_ENTRIES) for j in rng.choice(_JUDGES, _EACH, replace=False)]
    cells += [cells[_EACH * int(i)] for i in rng.choice(_ENTRIES, _AGAIN, replace=False)]
    entry, judge = np.array(cells).T
    value = level[judge] + slope[judge] * worth[entry] + spread[judge] * rng.normal(size=entry.size)
    size = (_ENTRIES, _JUDGES)
    if kind == KINDS[0]:
        halves = np.round(2 * value) / 2
        scores = PanelScores.of(entry, judge, halves, size, step=rounding(halves))
    else:
        grade = np.searchsorted(lines, value).astype(float)
        scores = PanelScores.of(entry, judge, grade, size, classes=len(lines) + 1)
    return SimulatedJury(scores, worth + level.mean(), lines, float(differ), level, slope, spread)
