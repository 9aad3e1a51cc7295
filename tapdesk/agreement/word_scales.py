"""Scales of words for kappas, such as Landis and Koch's, and the word a coefficient has earned.

They stand apart from what coefficients say as an accuracy: the command line names the scales among its options, and a
fit that prints no coefficient needs nothing else of them.
"""

from dataclasses import dataclass

from scipy.special import ndtr

from tapdesk.errors import UsageError
from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _


@dataclass(frozen=True, slots=True)
class WordScale:
    """A scale of words.

    Attributes
    ----------
    name
        By whom; always printed beside the word.
    bands
        Lower end and word of each band, the lowest first; the first one reaches down to -1.
    """

    name: str
    bands: tuple[tuple[float, str], ...]

    def __post_init__(self) -> None:
        ends = [low for low, _rest in self.bands]
        if not ends or ends != sorted(set(ends)) or ends[0] != -1 or ends[-1] >= 1:
            raise UsageError(
                _("The bands of a scale must begin at -1 and rise, the last one beginning below 1."),
                f"scale '{self.name}'",
                _("Give each band its lower end and a word, the lowest first."),
            )


LANDIS_KOCH = WordScale(
    "Landis and Koch (1977)",
    (
        (-1, _("Poor")),
        (0, _("Slight")),
        (0.2, _("Fair")),
        (0.4, _("Moderate")),
        (0.6, _("Substantial")),
        (0.8, _("Almost perfect")),
    ),
)
FLEISS = WordScale("Fleiss (1981)", ((-1, _("Poor")), (0.4, _("Intermediate to good")), (0.75, _("Excellent"))))
ALTMAN = WordScale(
    "Altman (1991)", ((-1, _("Poor")), (0.2, _("Fair")), (0.4, _("Moderate")), (0.6, _("Good")), (0.8, _("Very good")))
)
SCALES: tuple[WordScale, ...] = (LANDIS_KOCH, FLEISS, ALTMAN)
SCALE_KEYS = ("landis-koch", "fleiss", "altman")
"""How the scales are typed, in their order."""


@dataclass(frozen=True, slots=True)
class ScaleBand:
    """One band of a scale: its ends, its word, the probability of lying in it, and of lying in it or higher."""

    low: float
    high: float
    word: str
    probability: float
    or_higher: float


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The word a coefficient has earned.

    Attributes
    ----------
    scale
        Name of the scale.
    word
        Of the highest band reached with at least ``certainty``.
    probability
        Of lying in that band or higher.
    certainty
        The probability asked for.
    by_value
        The word of the band that holds the point value, often a higher one.
    bands
        All bands, the highest first.
    """

    scale: str
    word: str
    probability: float
    certainty: float
    by_value: str
    bands: tuple[ScaleBand, ...]


def benchmark(estimate: Estimate, scale: WordScale, certainty: float = 0.95) -> Benchmark | None:
    """The word of a scale for a coefficient; None without a value or a standard error.

    Parameters
    ----------
    estimate
        A kappa-type coefficient, at most 1.
    scale
        The bands.
    certainty
        How probable the band or a higher one must be, between 0 and 1.
    """
    if estimate.value is None or not estimate.se:
        return None
    value, se = estimate.value, estimate.se
    whole = _normal(-1, 1, value, se)
    if not whole > 0:
        return None
    ends = [*(low for low, _rest in scale.bands), 1.0]
    bands: list[ScaleBand] = []
    for i in reversed(range(len(scale.bands))):
        inside = _normal(ends[i], ends[i + 1], value, se) / whole
        higher = _normal(ends[i], 1, value, se) / whole
        bands.append(ScaleBand(ends[i], ends[i + 1], scale.bands[i][1], inside, higher))
    earned = next((b for b in bands if b.or_higher >= certainty), bands[-1])
    by_value = next((b.word for b in bands if value > b.low), bands[-1].word)
    return Benchmark(scale.name, earned.word, earned.or_higher, certainty, by_value, tuple(bands))


def _normal(low: float, high: float, mean: float, sd: float) -> float:
    """Normal probability between two ends."""
    return float(ndtr((high - mean) / sd) - ndtr((low - mean) / sd))
