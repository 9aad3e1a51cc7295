"""Accuracy along what is known of raters, such as their age: the curve with its band, and each rater alone.

It stands apart from `slope_words`, which every answer may need, because drawing does not belong to a headline.
"""

from dataclasses import replace

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.charts import FIFTHS, told_by
from tapdesk.answers.content import Block, Paragraph, Picture
from tapdesk.answers.figure import Axis, Band, DataColumn, DataTable, Figure, Line, Points, Role, Unit, Value
from tapdesk.answers.figure_style import restyled
from tapdesk.answers.part import Answer, Content, Missing, Part, reason_for
from tapdesk.answers.slope_words import about_slopes, along
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext
from tapdesk.models.model import Accuracy, model
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.rater_slopes import RaterSlope, rater_slopes

_ROOM = 0.03  # of the axis, at either end
_FEWEST, _MOST = 3, 4


def slope_figure(one: RaterSlope) -> Figure:
    """The curve of accuracy over a column, its band, and a dot for each rater alone."""
    name = numbers.short(one.covariate, 32)
    x, a, low, high = one.line.T
    level = one.at_first.level or 0.95
    room = _ROOM * float(x[-1] - x[0])
    rows: list[tuple[Value, ...]] = [
        (_("curve"), float(at), float(value), float(least), float(most))
        for at, value, least, most in one.line[:: max((x.size - 1) // 4, 1)]
    ]
    rows += [(_("{a_rater} alone").format(), float(at), float(value), None, None) for at, value in one.alone]
    columns = (DataColumn("what", _("What"), Unit.NAME), DataColumn("x", name), DataColumn("a", _("Accuracy")))
    table = DataTable((*columns, DataColumn("low", _("From")), DataColumn("high", _("To"))), tuple(rows), curves=True)
    title = along(one).rstrip(".")
    return Figure(
        "curve",
        title,
        told_by(title, table),
        Axis(name, float(x[0]) - room, float(x[-1]) + room),
        Axis(_("accuracy"), 0.0, 1.0, FIFTHS),
        (
            Band("", x, low, high, Role.MODEL),
            Line("", x, a, Role.MODEL),
            Points("", one.alone[:, 0], np.clip(one.alone[:, 1], 0.0, 1.0), Role.OBSERVED),
        ),
        note=joined(
            _(
                "Line: accuracy along “{name}”, found by comparing {n} {raters}. Band: where the line may lie, "
                "{level}. Dots: each {rater} alone, by an accuracy of their own."
            ).format(name=name, n=numbers.count(one.raters), level=numbers.level(level)),
            unknown_words(one),
        ),
        table=table,
    )


def unknown_words(one: RaterSlope) -> str:
    """How many raters are left out; empty for none."""
    if not one.unknown:
        return ""
    return ngettext(
        "{n} {rater} is left out: “{name}” is not known of them.",
        "{n} {raters} are left out: “{name}” is not known of them.",
        one.unknown,
    ).format(n=one.unknown, name=numbers.short(one.covariate, 32))


def number_columns(ratings: Ratings) -> tuple[str, ...]:
    """The columns of numbers about the raters with three different values or more."""
    names = []
    for name in ratings.covariates:
        values = ratings.rater_values(name) if ratings.raters_known else None
        if values is None:
            continue
        try:
            known = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError):
            continue
        if np.unique(known[np.isfinite(known)]).size >= _FEWEST:
            names.append(name)
    return tuple(names)


def curve_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why accuracy cannot be drawn along a column, or None."""
    del fit
    if not number_columns(ratings):
        return _("This picture needs a column of numbers about the {raters}, such as their age.")
    return None


def along_columns(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The curve of each column of the model, or of every column of numbers about the raters where it has none.

    Raises
    ------
    CannotAnswerError
        When raters are too few or cannot be told apart.
    """
    every = number_columns(ratings)
    names = tuple(name for name in fit.model.covariates if name in every) or every[:_MOST]
    panels = []
    for name in names:
        alone = replace(model("t-a(x)-p"), covariates=(name,))
        (one,) = yield from rater_slopes(ratings, alone, fit.seed, fit.interval[1])
        panels.append(slope_figure(one))
    return tuple(panels)


def curve_content(answer: Answer) -> Content | Missing | None:
    """Whether accuracy changes with what is known of the raters, and the curve of each column."""
    if answer.result is None or answer.fit.model.accuracy is not Accuracy.REGRESSION:
        return None
    words = about_slopes(answer)
    blocks: list[Block] = [] if words is None else [Paragraph(sentence) for sentence in words if sentence]
    for one in answer.side.slopes:
        if one.line.size:
            figure = restyled(slope_figure(one), answer.style)
            blocks.append(Picture(figure.title, (figure,), figure.note, height=190.0))
    if not blocks:
        return Missing(reason_for(answer, "slopes") or _("None of these columns is about the {raters}.").format())
    return Content(tuple(blocks), caption=_("accuracy along a column"))


CURVE = Part(
    "curve",
    "raters",
    _("What does accuracy change with?"),
    _(
        "How often {ratings} follow the {subject} along what is known of the {raters}, such as their age. "
        "A line whose band has room for a level one says nothing against an accuracy that is the same for "
        "all; {raters} differ for other reasons too, so few {raters} tell little, however many {ratings} "
        "each gave."
    ),
    curve_content,
    uses=("slopes",),
    commands=("fit",),
)
