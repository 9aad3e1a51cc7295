"""What a coefficient says: as an accuracy (models.md, section 6), and in the words of a scale if data support them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType

from scipy.special import ndtr

from tapdesk.agreement.coefficients import COEFFICIENTS, NO_CASE_WEIGHTED, STEPPED, Coefficient, SpecialCase
from tapdesk.errors import UsageError
from tapdesk.estimate import Estimate
from tapdesk.language import Label, RaterName, joined
from tapdesk.language import gettext as _

_TITLES = {kind.name: kind.title for kind in COEFFICIENTS}
_METRICS = {
    "nominal": _("nominal"),
    "ordinal": _("ordinal"),
    "interval": _("interval"),
    "ratio": _("ratio"),
}


SPECIAL_CASES: Mapping[str, SpecialCase] = MappingProxyType({kind.name: kind.special_case for kind in COEFFICIENTS})
"""By coefficient name; ``special_case`` also looks at the weights."""


def special_case(coefficient: Coefficient) -> SpecialCase:
    """The special case of the model in which the coefficient measures accuracy.

    Kappas of the ``p = t`` kind keep their meaning under any weights, Brennan-Prediger only without.
    """
    if coefficient.name == "brennan_prediger" and coefficient.weights != "identity":
        return NO_CASE_WEIGHTED
    return SPECIAL_CASES[coefficient.name]


def accuracy(coefficient: Coefficient) -> float | str:
    """The square root of the coefficient, read as an accuracy; or the sentence why it cannot be."""
    case = special_case(coefficient)
    value = coefficient.estimate.value
    if value is None:
        return coefficient.estimate.undefined or ""
    if not case.formula or case is STEPPED:
        return case.words
    if value < 0:
        return _("The coefficient is below 0, less agreement than chance would give, so it has no square root.")
    return sqrt(value)


def _number(value: float) -> str:
    """Two decimals; what rounds to 0 has no sign."""
    return f"{round(value, 2) + 0.0:.2f}"


def explain(
    coefficient: Coefficient,
    fitted: Estimate | None = None,
    write: Callable[[float], str] = _number,
    *,
    luck: bool = False,
) -> str:
    """One short paragraph: what the coefficient is, as an accuracy, and how far that is from a fitted one.

    Parameters
    ----------
    coefficient
        The coefficient.
    fitted
        The accuracy of a fitted model, to be set beside it.
    write
        Writes a number with two decimals; on screen with the signs of the user's computer.
    luck
        Whether the ratings were found to be within chance. Then, as where the interval of the coefficient reaches 0, no
        accuracy is read out of it: its root would be a number that the data do not support.
    """
    name = title(coefficient)
    root = accuracy(coefficient)
    if coefficient.estimate.value is None:
        return _("{name} is undefined. {why}").format(name=name, why=root)
    words = special_case(coefficient).words
    if isinstance(root, str):
        return _("{name} is {value}. {why}").format(name=name, value=write(coefficient.estimate.value), why=root)
    low = coefficient.estimate.low
    if luck or (low is not None and low <= 0):
        return _("{name} is {value}. {words} Luck alone may give as much, so no accuracy is read out of it.").format(
            name=name, value=write(coefficient.estimate.value), words=words
        )
    text = _("{name} is {value}. {words} Read so, the accuracy is {accuracy}.").format(
        name=name, value=write(coefficient.estimate.value), words=words, accuracy=write(root)
    )
    if fitted is None or fitted.value is None:
        return text
    # Of the numbers as they are written: a reader who subtracts them finds the same.
    gap = round(root, 2) - round(fitted.value, 2)
    if abs(gap) < 0.005:
        sentence = _("The fitted model says the same.")
    elif gap > 0:
        sentence = _("The fitted model says {value}, so this reading finds {gap} more.")
    else:
        sentence = _("The fitted model says {value}, so this reading finds {gap} less.")
    return joined(text, sentence.format(value=write(fitted.value), gap=write(abs(gap))))


def title(coefficient: Coefficient) -> str:
    """The name of a coefficient as it stands in tables: with raters, class, metric and weights."""
    parts = [_TITLES[coefficient.name]]
    if coefficient.name == "gwet_ac":
        parts = [_("Gwet's AC1") if coefficient.weights == "identity" else _("Gwet's AC2")]
    if coefficient.raters is not None:
        first, second = coefficient.raters
        parts.append(_("{first} and {second}").format(first=RaterName(first), second=RaterName(second)))
    if coefficient.category is not None:
        parts = [_("Agreement on {category}").format(category=Label(coefficient.category))]
    if coefficient.metric is not None:
        parts.append(_METRICS.get(coefficient.metric, coefficient.metric))
    elif coefficient.weights not in {None, "identity"}:
        parts.append(_("{weights} weights").format(weights=coefficient.weights))
    return joined(*parts, sep=", ")


def shows_paradox(coefficients: tuple[Coefficient, ...], largest_share: float) -> bool:
    """Whether raw agreement and kappa tell different stories because one class is common.

    Parameters
    ----------
    coefficients
        Of one data set.
    largest_share
        Share of the ratings in the commonest class.
    """
    values = {c.name: c.estimate.value for c in coefficients if c.weights == "identity" and c.raters is None}
    raw, kappa = values.get("percent_agreement"), values.get("fleiss_kappa")
    return bool(raw is not None and kappa is not None and raw - kappa > 0.3 and largest_share > 0.75)


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
