"""Two numbers at once, and studies of other sizes: sentences and tables."""

from collections.abc import Mapping

import numpy as np

from tapdesk.answers import cells, numbers
from tapdesk.answers.content import Align, Column, Number, Table
from tapdesk.answers.figures.estimates import symbol
from tapdesk.answers.figures.likelihood import estimate_of, reach_of
from tapdesk.answers.fit_words import size
from tapdesk.answers.fit_words import size as counted
from tapdesk.answers.numbers import REPORT, SCREEN, Style
from tapdesk.answers.optional_studies import Planned, Together
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.studies.table import Cell


def together() -> str:
    """What lines over two numbers say that two intervals do not."""
    return _(
        "Two numbers can lean on each other: where one is a little higher, the other may be lower, and the {ratings} "
        "fit as well. An interval of each by itself does not show that; the lines below do. A round shape means that "
        "they are told apart, a long thin one that they are not."
    )


def other_model(fit: Fit) -> str:
    """That these numbers are those of another model than the answer's."""
    return _("Raters are not told apart here: the numbers are those of the {model} model.").format(model=fit.model.name)


def width_now(fit: Fit, style: Style = REPORT) -> str:
    """How closely the ratings at hand pin down the accuracy."""
    a = fit.estimate("a")
    if a.value is None or a.low is None or a.high is None:
        return _("The ratings at hand ({size}) do not say how sure the accuracy is.").format(size=counted(fit))
    return _(
        "The ratings at hand ({size}) put the accuracy between {low} and {high}, which is {width} wide ({level} "
        "interval)."
    ).format(
        size=counted(fit),
        low=numbers.decimal(a.low, style),
        high=numbers.decimal(a.high, style),
        width=numbers.decimal(a.high - a.low, style),
        level=numbers.level(a.level or fit.interval[1]),
    )


def example() -> str:
    """That a plan stands on numbers that are unsure themselves."""
    return _(
        "The numbers the plan stands on are unsure themselves, so the plan is an example, not advice: see what is said "
        "of them under Truth, accuracy and chance."
    )


def supposing() -> str:
    """What a plan rests on."""
    return _(
        "The plan asks what studies of other sizes would tell if the numbers were as estimated and the {raters} judged "
        "as they did here. It says nothing about other {raters} or about {subjects} of another kind."
    )


RIGHT = Align.RIGHT
_LEVELS = (0.5, 0.95)


def contour_table(found: Together, style: Style = SCREEN) -> Table:
    """Of every two numbers how far each runs among what fits almost as well as the best."""
    rows = []
    for made in found.surfaces:
        names = symbol(made.x_name), symbol(made.y_name)
        reaches = [reach_of(made, level) for level in _LEVELS]
        for at, name in enumerate(names):
            value = estimate_of(found.fit, (made.x_name, made.y_name)[at])
            ends = [_ends(*reach[at], style) for reach in reaches]
            rows.append(
                (
                    _("{one} and {other}").format(one=names[0], other=names[1]),
                    name,
                    cells.value(value, style),
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
        ).format(size=size(found.fit), model=found.fit.model.name),
    )


def _ends(low: float, high: float, style: Style) -> Number:
    """The two ends of a range."""
    return cells.interval(Estimate((low + high) / 2, low=low, high=high), style)


def widths(found: Planned, style: Style = SCREEN) -> Table:
    """How wide the middle 95 % of the estimates of the accuracy would be, by cases and ratings of each."""
    table = found.table
    raters = [int(r) for r in np.unique(table.numbers("raters"))]
    rows = []
    for n in np.unique(table.numbers("subjects")):
        of_size = {int(float(str(r["raters"]))): r for r in table.records() if float(str(r["subjects"])) == n}
        rows.append((cells.count(float(n)), *(cells.decimal(_width(of_size.get(r, {})), style) for r in raters)))
    untold = joined(*dict.fromkeys(why for why in table.values("why_not") if isinstance(why, str)))
    return Table(
        _("How wide the accuracy would be known, by the size of the study"),
        (
            Column(_("{Subjects}"), wide=True),
            *(Column(_("{r} {ratings} each").format(r=r), RIGHT) for r in raters),
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


def sure(found: Planned) -> Table:
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
        _("How sure single {subjects} would be, by ratings of each"),
        (
            Column(_("{Ratings} of a {subject}"), wide=True),
            Column(_("At least 95 % sure"), RIGHT),
            Column(_("Likeliest class right"), RIGHT),
        ),
        tuple(rows),
        _(
            "If the numbers were as estimated and known; the number of {subjects} makes no difference here. More "
            "{ratings} can make a smaller share sure, for these shares move in jumps."
        ),
    )


def _width(record: Mapping[str, Cell]) -> float | None:
    """The width by simulation, or by the large-sample interval where none was simulated."""
    told = record.get("spread") if record.get("spread") is not None else record.get("width")
    return None if told is None else float(str(told))
