"""Tables of two numbers at once, and of studies of other sizes."""

from collections.abc import Mapping

import numpy as np

from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.figures.estimates import symbol
from tapdesk.report.figures.likelihood import estimate_of, reach_of
from tapdesk.report.further import Planned, Together
from tapdesk.report.numbers import SCREEN, Style
from tapdesk.report.report import Align, Column, Number, Table
from tapdesk.report.tables import cells
from tapdesk.report.words.fit import size
from tapdesk.report.words.nouns import PLAIN, Nouns
from tapdesk.studies.table import Cell

RIGHT = Align.RIGHT
_LEVELS = (0.5, 0.95)


def together(found: Together, style: Style = SCREEN, nouns: Nouns = PLAIN) -> Table:
    """Of every two numbers how far each runs among what fits almost as well as the best."""
    places = numbers.places(e.estimate for e in found.fit.estimates)
    rows = []
    for made in found.surfaces:
        names = symbol(made.x_name), symbol(made.y_name)
        reaches = [reach_of(made, level) for level in _LEVELS]
        for at, name in enumerate(names):
            value = estimate_of(found.fit, (made.x_name, made.y_name)[at]).value
            ends = [_ends(*reach[at], style) for reach in reaches]
            rows.append(
                (
                    _("{one} and {other}").format(one=names[0], other=names[1]),
                    name,
                    cells.decimal(value, style, places),
                    *ends,
                )
            )
    return Table(
        _("How far two numbers run together"),
        (
            Column(_("The two"), wide=True),
            Column(_("Number"), symbol=True),
            Column(_("Est."), RIGHT),
            Column(_("Within 50 %"), RIGHT),
            Column(_("Within 95 %"), RIGHT),
        ),
        tuple(rows),
        _(
            "N = {size}; {model} model. The range of a number over the lines of the picture, to the step of its grid. "
            "It is wider than the interval of the number alone, for both hold at once. A dash: not determined."
        ).format(size=size(found.fit, nouns), model=found.fit.model.name),
    )


def _ends(low: float, high: float, style: Style) -> Number:
    """The two ends of a range."""
    return cells.interval(Estimate((low + high) / 2, low=low, high=high), style)


def widths(found: Planned, style: Style = SCREEN, nouns: Nouns = PLAIN) -> Table:
    """How wide the middle 95 % of the estimates of the accuracy would be, by cases and ratings of each."""
    table = found.table
    raters = [int(r) for r in np.unique(table.numbers("raters"))]
    rows = []
    for n in np.unique(table.numbers("subjects")):
        of_size = {int(float(str(r["raters"]))): r for r in table.records() if float(str(r["subjects"])) == n}
        rows.append((cells.count(float(n)), *(cells.decimal(_width(of_size.get(r, {})), style) for r in raters)))
    untold = " ".join(dict.fromkeys(str(why) for why in table.values("why_not") if why))
    return Table(
        _("How wide the accuracy would be known, by the size of the study"),
        (
            Column(_upper(nouns.subjects), wide=True),
            *(Column(_("{r} {ratings} each").format(r=r, ratings=nouns.ratings), RIGHT) for r in raters),
        ),
        tuple(rows),
        _(
            "Width of the range that holds the middle 95 % of the accuracies found in {sets} simulated studies of each "
            "size, by the t-a-p model. A dash: such a study does not determine the accuracy, unless it is taken for "
            "granted how guesses come out. {untold}"
        )
        .format(sets=cells.count(found.replicates), untold=untold)
        .strip(),
    )


def sure(found: Planned, nouns: Nouns = PLAIN) -> Table:
    """How many cases would be classed for sure, and how many rightly, by ratings of each."""
    rows, seen = [], set[str]()
    for record in found.table.records():
        raters = str(record["raters"])
        if raters in seen or record["classified"] is None or record["right"] is None:
            continue
        seen.add(raters)
        told = (float(str(record[name])) for name in ("classified", "right"))
        rows.append((cells.count(float(raters)), *(cells.percent(share) for share in told)))
    return Table(
        _("How sure single {subjects} would be, by ratings of each").format(subjects=nouns.subjects),
        (
            Column(
                _("{ratings} of a {subject}").format(ratings=_upper(nouns.ratings), subject=nouns.subject), wide=True
            ),
            Column(_("At least 95 % sure"), RIGHT),
            Column(_("Likeliest class right"), RIGHT),
        ),
        tuple(rows),
        _(
            "If the numbers were as estimated and known; the number of {subjects} makes no difference here. More "
            "{ratings} can make a smaller share sure, for these shares move in jumps."
        ).format(subjects=nouns.subjects, ratings=nouns.ratings),
    )


def _width(record: Mapping[str, Cell]) -> float | None:
    """The width by simulation, or by the large-sample interval where none was simulated."""
    told = record.get("spread") if record.get("spread") is not None else record.get("width")
    return None if told is None else float(str(told))


def _upper(word: str) -> str:
    return word[:1].upper() + word[1:]
