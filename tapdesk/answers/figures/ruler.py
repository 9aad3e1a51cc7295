"""The ruler: cases and raters on one scale, the share of ratings that follow the case, with the zone where luck leads.

Of every rating the fit tells how probably it follows its case (`follow_chances`). Averaged over the ratings of a rater
that is, where the likelihood is highest inside its range, the accuracy of this rater itself (the M-step of EM);
averaged over the ratings of a case it is the place of the case. So both stand on one scale without any rescaling.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import numbers
from tapdesk.answers.charts import FIFTHS, MOST_ROWS, reach, told_by
from tapdesk.answers.figure import Axis, Band, DataColumn, DataTable, Figure, Mark, Points, Role, Unit, Value, Words
from tapdesk.answers.figures.checks import readable
from tapdesk.answers.figures.raters import accuracies
from tapdesk.answers.fit_words import size
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.fit_summary import subject_posterior
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.model import Accuracy, Cases, Ordered, model
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.rating_expectations import expected_rates

Floats = NDArray[np.float64]
HALF = 0.5
"""Below it more ratings are guesses than follow the case: the zone of luck."""
_BINS = 10
_NAME = 26
# In rows of raters: how high the tallest column of cases is, what is left above and below the columns.
_COLUMNS, _OVER, _GAP = 4.0, 2.6, 1.0
_ROW, _LEAST_ROW, _EDGE = 20.0, 15.5, 70.0
# How far beside the line of the panel its words stand.
_ASIDE = 0.1
_ALIKE = 1e-9


def ruler_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why cases and raters cannot stand on one scale, or None."""
    if (reason := readable(fit, ratings)) is not None:
        return reason
    kind = fit.model
    sharing = kind.accuracy in {Accuracy.ONE, Accuracy.PER_RATER} and not kind.near and not kind.by_group
    if not sharing or kind.cases is not Cases.ALIKE or kind.memory or kind.ordered is not Ordered.NONE:
        return _("The ruler needs a model with one accuracy for all, or one for each {rater}, such as t-aj-p.")
    settled = fit.rates_known and fit.converged
    if not settled or any(e.estimate.value is None for e in fit.estimates if e.name.name == "a"):
        return _("These {ratings} leave open how often the {ratings} follow the {subject}.")
    return None


def least_height(figure: Figure) -> float:
    """How high a ruler is at least, so that the names of its rows stand apart."""
    return min(figure.height, _EDGE + _LEAST_ROW * (figure.y.high - figure.y.low))


def ruling(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The ruler of a fit; where that has one accuracy for all, raters are told by t-aj-p if these ratings can tell."""
    if fit.model.accuracy is Accuracy.ONE and ratings.raters_known and len(ratings.raters) > 1:
        request = Request(replace(model("t-aj-p"), key=fit.model.key), level=fit.interval[1], seed=fit.seed)
        if not refusal(ratings, request):
            own = yield from analyse(ratings, request)
            if own.identification.identified and ruler_needs(own, ratings) is None:
                return (ruler(own, ratings, panel=fit.estimate("a")),)
    return (ruler(fit, ratings),)


def follow_chances(fit: Fit, ratings: Ratings) -> Floats:
    """Shape (m,): how probably each rating follows its case, given all ratings of the case, at the estimate.

    A rating of class c follows a case that is truly of c with a of the a + (1 - a) p(c) there are for saying so.
    """
    plan = design(fit.model, ratings)
    truly = subject_posterior(fit, plan, plan.space.evidence(plan.patterns))
    rates = expected_rates(fit)
    rater = ratings.rater if rates.shape[0] > 1 else np.zeros(ratings.subject.size, dtype=np.int64)
    accuracy = np.broadcast_to(fit.parameters.accuracy.reshape(-1, 1), (rates.shape[0], 1))[rater, 0]
    right = rates[rater, ratings.category, ratings.category]
    share = np.divide(accuracy, right, out=np.zeros(right.shape), where=right > 0)
    return np.asarray(truly[ratings.subject, ratings.category] * share)


def case_shares(fit: Fit, ratings: Ratings) -> Floats:
    """Shape (N,): the share of the ratings of each case that follow it."""
    n = len(ratings.subjects)
    given = np.bincount(ratings.subject, minlength=n)
    return np.bincount(ratings.subject, follow_chances(fit, ratings), n) / np.maximum(given, 1)


def ruler(fit: Fit, ratings: Ratings, style: Style = SCREEN, panel: Estimate | None = None) -> Figure:
    """The cases as columns above, each rater with interval below, the panel as a line.

    Parameters
    ----------
    fit, ratings
        A fit for which `ruler_needs` has no objection, and its data.
    style
        How numbers are written.
    panel
        The accuracy of all raters together, where the fit gives each an own.
    """
    rated = np.bincount(ratings.subject, minlength=len(ratings.subjects)) > 0
    shares, weight = case_shares(fit, ratings)[rated], ratings.subject_weights()[rated]
    if fit.model.accuracy is Accuracy.ONE:
        rows = [(_("all {raters}").format(), fit.estimate("a"))]
        panel = None
    else:
        rows = [(e.name.rater or "", e.estimate) for e in accuracies(fit)]
    lowest = sum((e.value or 0.0) < HALF for _n, e in rows)
    low = float(weight[shares < HALF - _ALIKE].sum())
    title = _("More guesses than knowledge, by best estimates: {part}").format(
        part=numbers.of_all(low, float(weight.sum()), "subjects")
    )
    if fit.model.accuracy is not Accuracy.ONE:
        title = _("More guesses than knowledge, by best estimates: {whom}, {part}").format(
            whom=numbers.of_all(lowest, len(rows), "raters"),
            part=numbers.of_all(low, float(weight.sum()), "subjects"),
        )
    counts, edges = np.histogram(shares, np.linspace(0.0, 1.0, _BINS + 1), weights=weight)
    return _drawn(title, rows, (counts, edges), panel, (fit, style))


def _drawn(
    title: str,
    rows: list[tuple[str, Estimate]],
    columns: tuple[Floats, Floats],
    panel: Estimate | None,
    of: tuple[Fit, Style],
) -> Figure:
    """The picture: zone, columns with their counts, rows of raters, the line of the panel."""
    (fit, style), shown = of, rows[:MOST_ROWS]
    last, base = len(shown) - 1, len(shown) - 1 + _GAP
    top = base + _COLUMNS + _OVER
    table = _table(rows, columns, panel)
    zone = Band("", np.array([0.0, HALF]), np.full(2, -0.7), np.full(2, top), Role.REFERENCE)
    lines, words = _lines(panel, top - 0.6, len(rows), style)
    names = numbers.shorts([name for name, _e in shown], _NAME)
    ticks = [(float(last - i), name) for i, name in enumerate(names)]
    note = _(
        "N = {size}; {model} model, {level} intervals. Columns: how many {subjects} have such a share. Of {a_subject} "
        "it is the share of its {ratings} that follow it, of {a_rater} the accuracy. Grey: more than half are guesses."
    ).format(size=size(fit), model=fit.model.name, level=numbers.level(fit.interval[1]))
    if len(rows) > len(shown):
        note = _("{note} The first {n} of {all} rows are drawn.").format(
            note=note, n=numbers.count(len(shown)), all=numbers.count(len(rows))
        )
    return Figure(
        kind="ruler",
        title=title,
        alt=told_by(title, table),
        x=Axis(_("share of the {ratings} that follow the {subject}").format(), 0.0, 1.0, FIFTHS),
        y=Axis("", -0.7, top, (*ticks, (base, _("{subjects}").format()))),
        marks=(zone, *lines, *_columns(columns, base), *words, *_points(shown, last, style)),
        note=note,
        table=table,
        height=max(230.0, _EDGE + _ROW * (top + 0.7)),
    )


def _lines(panel: Estimate | None, over: float, row: int, style: Style) -> tuple[list[Mark], list[Words]]:
    """The edge of the zone and the line of the panel, and what is written over them."""
    y = np.array([over])
    zone = Words(_("luck leads"), np.array([HALF / 2]), y, Role.CLASSICAL, plain=True)
    edge = Mark("", HALF)
    if panel is None or panel.value is None:
        return [edge], [zone]
    at = panel.value + (_ASIDE if panel.value < 1 - 2 * _ASIDE else -_ASIDE)
    named = _("panel {value}").format(value=numbers.value(panel, style))
    words = Words(named, np.array([at]), y, Role.MODEL, plain=at < HALF - _ASIDE)
    # Deep in the zone the words of the panel stand in the place of those of the zone.
    shown = [zone, words] if abs(at - HALF / 2) > 2 * _ASIDE else [words]
    return [edge, Mark("", panel.value, role=Role.MODEL, rows=(row,))], shown


def _columns(columns: tuple[Floats, Floats], base: float) -> list[Band | Words]:
    """A column for each tenth in which there are cases, its count above it."""
    counts, edges = columns
    scale = _COLUMNS / max(float(counts.max(initial=0.0)), 1.0)
    marks: list[Band | Words] = []
    for count, left, right in zip(counts, edges[:-1], edges[1:], strict=True):
        if count:
            ends = np.array([left + 0.006, right - 0.006])
            high = base + scale * float(count)
            marks.append(Band("", ends, np.full(2, base), np.full(2, high), Role.MODEL, inner=True))
            at = np.array([(left + right) / 2]), np.array([high + 0.5])
            marks.append(Words(numbers.count(float(count)), *at, Role.OBSERVED, plain=right <= HALF + _ALIKE))
    return marks


def _points(shown: list[tuple[str, Estimate]], last: int, style: Style) -> list[Points]:
    """Each rater with interval, the number at the end of the row."""
    marks = []
    for i, (_name, e) in enumerate(shown):
        if e.value is None:
            continue
        low, high = (e.value if end is None else end for end in (e.low, e.high))
        words = numbers.value(e, style)
        if e.low is not None:
            joint = _("{value} {reach}") if style.brackets else _("{value}, {reach}")
            words = joint.format(value=words, reach=numbers.interval(e, style))
        value, ends = np.array([e.value]), (np.array([low]), np.array([high]))
        y = np.array([float(last - i)])
        marks.append(Points(words, value, y, Role.MODEL, *ends, horizontal=True, rows=(i,)))
    return marks


def _table(rows: list[tuple[str, Estimate]], columns: tuple[Floats, Floats], panel: Estimate | None) -> DataTable:
    """Raters, the panel, and how many cases lie in each tenth."""
    cells: list[tuple[Value, ...]] = []
    for name, e in rows:
        ends = (None, None) if e.low is None or e.high is None else reach(e.low, e.high)
        cells.append((name, e.value, *ends, None))
    if panel is not None and panel.value is not None:
        cells.append((_("panel"), panel.value, panel.low, panel.high, None))
    counts, edges = columns
    for count, left, right in zip(counts, edges[:-1], edges[1:], strict=True):
        if count:
            cells.append((_("{subjects}").format(), (float(left), float(right)), None, None, float(count)))
    heads = (
        DataColumn("name", _("What"), Unit.NAME),
        DataColumn("value", _("Share that follows")),
        DataColumn("low", _("From")),
        DataColumn("high", _("To")),
        DataColumn("count", _("How many"), places=0),
    )
    return DataTable(heads, tuple(cells))
