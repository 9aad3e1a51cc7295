"""Ratings that are measured: ``2 mm`` and ``0.2 cm`` are one length and as texts two classes; scores without steps."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, ask, block, note, quoted_list
from tapdesk.ratings.texts import number

# By what is measured, how much of the first of its units one of each is.
_SIZES: tuple[Mapping[str, float], ...] = (
    {"mm": 1.0, "cm": 10.0, "dm": 100.0, "m": 1000.0, "µm": 1e-3, "um": 1e-3, "km": 1e6, "in": 25.4, "inch": 25.4},
    {"g": 1.0, "mg": 1e-3, "kg": 1000.0, "µg": 1e-6, "ug": 1e-6, "mcg": 1e-6, "oz": 28.349523125, "lb": 453.59237},
    {"ml": 1.0, "cl": 10.0, "dl": 100.0, "l": 1000.0, "µl": 1e-3, "ul": 1e-3},
    {"min": 1.0, "s": 1 / 60, "sec": 1 / 60, "h": 60.0, "hr": 60.0, "hrs": 60.0},
    {"mmhg": 1.0, "kpa": 7.500616827, "hpa": 0.7500616827},
    {"mg/dl": 1.0, "g/l": 100.0, "mg/l": 0.1, "g/dl": 1000.0},
)
_UNITS = MappingProxyType({unit: (kind, size) for kind, units in enumerate(_SIZES) for unit, size in units.items()})
_MEASURED = re.compile(r"\s*([-+]?\d[\d.,]*)\s*([A-Za-zµμ][A-Za-zµμ/]*)\.?\s*")

KEPT = _("They were kept as ratings, as you said.")
"""What became of ratings that look like none, where the user said that they are."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A measured rating.

    Attributes
    ----------
    text
        As it was written.
    unit
        As it was written.
    kind
        What is measured, by number.
    size
        The amount in the first unit of its kind.
    """

    text: str
    unit: str
    kind: int
    size: float


def amount(text: str, decimal: str) -> Amount | None:
    """A number with a unit; None for what is none."""
    match = _MEASURED.fullmatch(text)
    value = None if match is None else number(match[1], decimal)
    known = None if match is None else _UNITS.get(match[2].casefold().replace("μ", "µ"))
    if match is None or value is None or known is None:
        return None
    kind, one = known
    return Amount(text, match[2], kind, value * one)


def mixed_units(texts: Sequence[str], decimal: str) -> tuple[Amount, ...]:
    """Ratings that are one thing measured in several units; empty where they are not.

    Letters behind numbers may be steps of a scale, such as stages ``2a`` and ``2b``: at least one unit has more signs.
    """
    amounts = [a for text in texts if (a := amount(text, decimal)) is not None]
    units = {a.unit.casefold() for a in amounts}
    one_kind = len({a.kind for a in amounts}) == 1
    return tuple(amounts) if one_kind and len(units) > 1 and max(map(len, units)) > 1 else ()


def units_told(
    amounts: Sequence[Amount],
    where: Callable[[Sequence[str]], str],
    total: Callable[[Sequence[str]], int],
    *,
    keep: bool,
) -> Finding:
    """That one thing is measured in several units, each text of which would be a class: a question that blocks.

    Parameters
    ----------
    amounts
        The ratings (`mixed_units`).
    where, total
        The cells that hold some ratings, and how many they are.
    keep
        Whether the user said that they are ratings as they stand.
    """
    units = tuple(dict.fromkeys(a.unit for a in amounts))
    by_unit = {unit: [a.text for a in amounts if a.unit == unit] for unit in units}
    odd = by_unit[min(units, key=lambda unit: total(by_unit[unit]))]
    message = _("The ratings are measured in several units, {units}: {told}.").format(
        units=quoted_list(units), told=quoted_list([texts[0] for texts in by_unit.values()])
    )
    if keep:
        return note("mixed_units", where(odd), message, default=KEPT)
    return block(
        "mixed_units",
        where(odd),
        message,
        _("Write them in one unit in the file. If each is an answer of its own, say --keep-summaries."),
        _("Each is kept as a class of its own."),
        (units,),
    )


def in_unit(amounts: Sequence[Amount], unit: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What the ratings are called in one unit, each with the ratings that are it."""
    _kind, one = _UNITS[unit.casefold().replace("μ", "µ")]
    together: dict[str, list[str]] = {}
    for a in amounts:
        together.setdefault(f"{a.size / one:.10g} {unit}", []).append(a.text)
    return tuple((name, tuple(same)) for name, same in together.items() if same != [name])


def many_scores(scores: tuple[str, ...]) -> Finding:
    """The question what to do with many different scores."""
    return ask(
        "continuous_scores",
        "",
        _("There are {numbers} different scores, as on a scale without steps.").format(numbers=len(scores)),
        _("Group them by cut-points, for example with --class1."),
        _("Each score is a class of its own."),
        (scores,),
    )
