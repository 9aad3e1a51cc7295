"""Coefficients as cells of the strip of numbers."""

from collections.abc import Sequence

from tapdesk.agreement.coefficients import Coefficient
from tapdesk.agreement.interpretation import shows_paradox
from tapdesk.answers import numbers
from tapdesk.answers.coefficients import plain
from tapdesk.answers.numbers import DASH
from tapdesk.gui.widgets.number_strip import NumberCell
from tapdesk.language import gettext as _
from tapdesk.language import ngettext

Rows = tuple[tuple[str, ...], list[tuple[str, ...]]]

# The cells of the strip: coefficient, symbol, whose it is or what of.
CELLS = (
    ("percent_agreement", _("Raw"), _("agreement")),
    ("fleiss_kappa", _("Kappa"), _("Fleiss")),
    ("gwet_ac", "AC1", _("Gwet")),
)
SHORT = 18  # letters of a class in a cell of the strip


def cells(
    found: Sequence[Coefficient], waiting: str = "", why: str = "", shares: Sequence[float] = ()
) -> list[NumberCell]:
    """Raw agreement, kappa and AC1 as cells of the strip; where those tell different stories, each class as well.

    Parameters
    ----------
    found
        The coefficients; empty while they are worked out, or when they could not be.
    waiting
        What is said meanwhile.
    why
        The reason why there are none.
    shares
        Of the ratings in each class.
    """
    told = []
    for name, symbol, words in CELLS:
        c = next((c for c in plain(found) if c.name == name), None)
        missing = NumberCell(symbol, words, "…" if waiting else DASH, waiting, "", ours=False, why=why)
        told.append(missing if c is None else _cell(c, symbol, words))
    # Of two classes, one common: kappa is low, and what raters agree on is seen only class by class.
    if len(shares) == 2 and shows_paradox(tuple(found), max(shares)):
        own = [c for c in found if c.name == "specific_agreement" and c.category is not None]
        named = zip(own, numbers.shorts([c.category or "" for c in own], SHORT), strict=True)
        told += [_cell(c, _("On “{one}”").format(one=one), _("agreement")) for c, one in named]
    return told


def _cell(c: Coefficient, symbol: str, words: str) -> NumberCell:
    e = c.estimate
    value = numbers.value(e)
    interval = numbers.interval(e) if e.low is not None else _("no interval")
    reasons = [e.undefined, e.no_interval if e.value is not None and e.low is None else "", c.note]
    return NumberCell(symbol, words, value, interval, _size(c), ours=False, why=" ".join(r for r in reasons if r))


def _size(c: Coefficient) -> str:
    return ngettext("{subjects} case, {ratings} ratings", "{subjects} cases, {ratings} ratings", c.subjects).format(
        subjects=numbers.count(c.subjects), ratings=numbers.count(c.ratings)
    )
