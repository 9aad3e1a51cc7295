"""What a coefficient says as an accuracy (models.md, section 6)."""

from collections.abc import Callable, Mapping
from math import sqrt
from types import MappingProxyType

from tapdesk.agreement.coefficients import (
    COEFFICIENTS,
    CONCORDANCE,
    NO_CASE_WEIGHTED,
    STEPPED,
    Coefficient,
    SpecialCase,
)
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
    if not case.formula or case in {STEPPED, CONCORDANCE}:
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
