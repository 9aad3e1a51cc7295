"""The split bar: of all pairs of ratings how many match by knowledge, by half of it, by luck, and how many differ.

Stands alone because the brief draws it where nothing else of the shares is loaded, and the catalog lists it.
"""

from dataclasses import dataclass

import numpy as np

from tapdesk.answers import numbers, range_words
from tapdesk.answers.charts import told_by
from tapdesk.answers.figure import Axis, Band, DataColumn, DataTable, Figure, Fill, Role, Unit, Value, Words
from tapdesk.answers.figures.shares import expected_needs, implied, intervals_from
from tapdesk.answers.fit_words import size
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.ratings.ratings import Ratings

HEIGHT = 74.0
# A narrower piece has no room for its number inside.
_NARROWEST = 0.045
_HALF = 0.42


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of the bar: what it is, its share of all pairs, and how it is drawn."""

    name: str
    share: Estimate
    role: Role
    inner: bool = False
    fill: Fill | None = None


def split_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why the matches cannot be split, or None."""
    return expected_needs(fit, ratings)


def pieces(fit: Fit, ratings: Ratings) -> tuple[Piece, ...]:
    """The four pieces, which add to all pairs of ratings of a case.

    Raises
    ------
    ValueError
        When the fit implies nothing of the kind (`split_needs`).
    """
    by_luck = implied(fit, ratings)
    (_match, observed), (_both, both), (_one, one), (_none, neither) = by_luck.rows
    rest = 1 - (observed.value or 0.0)
    low, high = observed.low, observed.high
    differ = Estimate(rest)
    if low is not None and high is not None:
        differ = differ.between(1 - high, 1 - low, by_luck.level, observed.how)
    return (
        Piece(_("Both follow the {subject}"), both, Role.MODEL, fill=Fill.SOLID),
        Piece(_("One follows it, the other guesses the same"), one, Role.MODEL, inner=True),
        Piece(_("Both guess, and happen to say the same"), neither, Role.OBSERVED, fill=Fill.STRIPED),
        Piece(_("They differ"), differ, Role.REFERENCE, fill=Fill.OPEN),
    )


def split(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """The bar, its pieces from left to right: knowledge, half, luck, and where the two differ."""
    row = pieces(fit, ratings)
    edge, marks, rows = 0.0, list[Band | Words](), list[tuple[Value, ...]]()
    for piece in row:
        share = piece.share.value or 0.0
        ends = np.array([edge, edge + share])
        low, high = np.full(2, -_HALF), np.full(2, _HALF)
        marks.append(Band("", ends, low, high, piece.role, inner=piece.inner, fill=piece.fill))
        if share >= _NARROWEST:
            at = np.array([edge + share / 2])
            marks.append(Words(numbers.hundredths(share), at, np.zeros(1), Role.OBSERVED))
        rows.append((piece.name, share, piece.share.low, piece.share.high))
        edge += share
    columns = (
        DataColumn("name", _("Two {ratings} of {a_subject}").format(), Unit.NAME),
        DataColumn("value", _("Share"), Unit.SHARE),
        DataColumn("low", _("Lower end"), Unit.SHARE),
        DataColumn("high", _("Upper end"), Unit.SHARE),
    )
    table = DataTable(columns, tuple(rows))
    both, _one, luck, _differ = (piece.share.value or 0.0 for piece in row)
    title = _("Two {raters} both follow the {subject} {both}, and match by luck alone {luck}").format(
        both=numbers.often(both), luck=numbers.often(luck)
    )
    title = range_words.conditional(title, fit)
    ticks = tuple((x, f"{100 * x:.0f}") for x in (0.0, 0.25, 0.5, 0.75, 1.0))
    figure = Figure(
        kind="split",
        title=title,
        alt=told_by(title, table),
        x=Axis("", 0.0, 1.0, ticks),
        y=Axis("", -0.5, 0.5, ((0.0, ""),)),
        marks=tuple(marks),
        note=_("From the left: {pieces}. N = {size}; {how}").format(
            pieces=joined(
                *(
                    _("{name}: {n}").format(name=piece.name, n=numbers.hundredths(piece.share.value or 0.0))
                    for piece in row
                ),
                sep="; ",
            ),
            size=size(fit),
            how=intervals_from(implied(fit, ratings)),
        ),
        table=table,
        height=HEIGHT,
    )
    return (figure,)
