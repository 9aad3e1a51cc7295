"""The readings that ratings leave open, as a table."""

from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.numbers import REPORT, Style
from tapdesk.report.report import Align, Column, Number, Table
from tapdesk.report.tables import cells
from tapdesk.report.words.nouns import PLAIN, Nouns, counted
from tapdesk.studies.paradox import Paradox

_SHOWN = ("t", "a", "p")
# One more than elsewhere: where kappa is a paradox, the rates of the rarer class are near 0.
_PLACES = 3


def readings(found: Paradox, style: Style = REPORT, nouns: Nouns = PLAIN) -> Table:
    """Each way to understand the ratings: how far it may be believed, and the numbers of t-a-p under it.

    Where there is only one way, the numbers over all that may be believed.

    Parameters
    ----------
    found
        The exact posterior, and its readings.
    style, nouns
        How numbers are written, and what cases and ratings are called.
    """
    told = found.one.readings
    ways = [(_("Reading {n}").format(n=n), one.mass, one.summaries) for n, one in enumerate(told, start=1)]
    ways = ways or [(_("The only reading"), 1.0, found.one.summaries)]
    rows = []
    for name, mass, summaries in ways:
        row: list[Number | str] = [name, cells.percent(mass)]
        for symbol in _SHOWN:
            one = next(s for s in summaries if s.name.name == symbol)
            ends = _("{low} to {high}").format(
                low=numbers.decimal(one.hdi_low, style, _PLACES), high=numbers.decimal(one.hdi_high, style, _PLACES)
            )
            row += [cells.decimal(one.median, style, _PLACES), ends]
        rows.append(tuple(row))
    level, right = numbers.level(found.one.level), Align.RIGHT
    of_numbers = [
        column
        for symbol in _SHOWN
        for column in (Column(symbol, right), Column(_("{level} interval").format(level=level), right))
    ]
    return Table(
        _("What may be believed of t, a and p, reading by reading"),
        (Column(_("Reading"), wide=True), Column(_("Belief"), right), *of_numbers),
        tuple(rows),
        _("N = {size}. The exact posterior of t-a-p with flat priors: medians, and the shortest intervals.").format(
            size=counted(found.subjects, found.ratings, nouns)
        ),
    )
