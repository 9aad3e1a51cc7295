"""What the table of all questions shows and how it is sorted: the coefficient of choice, and the orders."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.studies.criteria import CriterionRow


@dataclass(frozen=True, slots=True)
class TableCoefficient:
    """A coefficient that can stand beside raw agreement in the table of all questions.

    Attributes
    ----------
    name
        Of the coefficient (`tapdesk.agreement.coefficients`).
    head, title
        Of its column, and as it is named elsewhere.
    """

    name: str
    head: str
    title: str


COEFFICIENTS: tuple[TableCoefficient, ...] = (
    TableCoefficient("gwet_ac", "AC1", _("AC1, Gwet")),
    TableCoefficient("fleiss_kappa", _("Kappa"), _("Kappa, Fleiss")),
    TableCoefficient("krippendorff_alpha", _("Alpha"), _("Alpha, Krippendorff")),
    TableCoefficient("brennan_prediger", "S", _("S, Brennan and Prediger")),
)
"""All of the whole panel and of single classes without order. The first stands where nobody chose."""
USUAL = COEFFICIENTS[0]


def table_coefficient(name: str) -> TableCoefficient:
    """The one of this name; the usual where there is none."""
    return next((one for one in COEFFICIENTS if one.name == name), USUAL)


class Order(Enum):
    """By what the questions of a table are sorted."""

    NEED = "need"
    FILE = "file"
    NAME = "name"
    CASES = "cases"
    RAW = "raw"
    COEFFICIENT = "coefficient"
    ACCURACY = "accuracy"


HEADS = MappingProxyType(
    {
        0: Order.NAME,
        1: Order.CASES,
        3: Order.RAW,
        4: Order.COEFFICIENT,
        5: Order.ACCURACY,
        6: Order.ACCURACY,
        7: Order.NEED,
    }
)
"""By the place of a column of the table the order that it stands for; the others stand for none."""


def order_words(order: Order, chosen: TableCoefficient = USUAL) -> str:
    """An order in a few words."""
    return {
        Order.NEED: _("worst first"),
        Order.FILE: _("as in the file"),
        Order.NAME: _("by name"),
        Order.CASES: _("fewest {subjects} first").format(),
        Order.RAW: _("lowest raw agreement first"),
        Order.COEFFICIENT: _("lowest {coefficient} first").format(coefficient=chosen.head),
        Order.ACCURACY: _("lowest accuracy first"),
    }[order]


def ordered(
    rows: Sequence[CriterionRow], order: Order, names: Sequence[str], chosen: TableCoefficient = USUAL
) -> tuple[CriterionRow, ...]:
    """Questions in another order.

    Parameters
    ----------
    rows
        The questions, those that need talk first: where two are alike in another order, so they stay.
    order
        By what they are sorted.
    names
        Of all questions, in the order of the file.
    chosen
        The coefficient of the table.
    """
    if order is Order.NEED:
        return tuple(rows)
    place: Mapping[str, int] = {name: i for i, name in enumerate(names)}
    key = {
        Order.FILE: lambda row: place.get(row.name, len(place)),
        Order.NAME: lambda row: row.name.casefold(),
        Order.CASES: lambda row: row.numbers.subjects,
        Order.RAW: lambda row: _last(row.numbers.coefficient("percent_agreement")),
        Order.COEFFICIENT: lambda row: _last(row.numbers.coefficient(chosen.name)),
        Order.ACCURACY: lambda row: _last(row.accuracy),
    }[order]
    return tuple(sorted(rows, key=key))


def _last(estimate: Estimate) -> float:
    """What an estimate is sorted by: what has no value stands last."""
    return math.inf if estimate.value is None else estimate.value
