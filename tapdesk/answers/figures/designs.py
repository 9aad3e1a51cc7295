"""Pictures of studies that could be: larger or smaller ones, and those in which the numbers of a fit are true."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.charts import SQUARE, Series, curves, forest
from tapdesk.answers.figure import Axis, Figure, Role
from tapdesk.answers.figures.estimates import symbol
from tapdesk.answers.figures.shares import unsure as unsure_numbers
from tapdesk.answers.fit_words import size, too_wide, warns
from tapdesk.answers.numbers import SCREEN, counted
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import Number, joined
from tapdesk.language import gettext as _
from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.design_study import plan as design
from tapdesk.studies.design_study import plan_point, supposed
from tapdesk.studies.recovery import LEVEL, REPLICATES, RecoveryRange, no_recovery, recover_fit
from tapdesk.studies.table import StudyTable

# The width most committees can work with; the title names the fewest ratings that reach it.
_AIM = 0.2
_REPLICATES = 200
# An interval of the accuracy that reaches below this leaves open whether anybody knows anything (models.md §3).
_LEAST = 0.2
_LEVEL = 0.95
_BESIDE_ONE = _(
    "The accuracy is found at {value}, the edge of what is possible, where nothing would be left to plan for: the plan "
    "takes {taken}, the low end of its {level} interval, and guesses that come out like the truth."
)
_BESIDE_NONE = _(
    "The accuracy is found at {value}, where there would be nothing to find: the plan takes {taken}, the "
    "high end of its {level} interval, and truth and guesses that come out like the {ratings}. Take it as "
    "an example, not as advice."
)


SUBJECTS = (30, 50, 100, 200, 400, 800)
RATERS = (2, 3, 4, 5, 8)
recovery_needs = no_recovery
# A middle this far from the number, in widths of the range, is more than a matter of taste.
_ASIDE = 0.125
_OFTEN = 0.05
_STANDS_STILL = 1e-6


def plan_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why nothing can be planned from a fit, or None."""
    try:
        plan_point(fit, ratings)
    except CannotAnswerError as error:
        return error.what
    a = fit.estimate("a")
    if too_wide(fit):
        return _(
            "These {ratings} would fit any accuracy from {low} to {high}: too wide to conclude, and too wide to plan "
            "from. Rate more {subjects} first."
        ).format(low=numbers.decimal(a.low), high=numbers.decimal(a.high))
    return None


def planned(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study from the estimates of a fit, and its pictures."""
    table = yield from design(
        plan_point(fit, ratings), SUBJECTS, RATERS, level=fit.interval[1], replicates=_REPLICATES, seed=fit.seed
    )
    note = _(
        "N = {size} gave the numbers; other numbers would give other widths. "
        "Each point: {k} simulated studies. {unsure}"
    ).format(
        size=counted(ratings.subject_count, ratings.rating_count),
        k=_REPLICATES,
        unsure=unsure(fit),
    )
    return tuple(replace(figure, note=joined(note, figure.note)) for figure in plan(table))


def unsure(fit: Fit) -> str:
    """That a plan stands on an accuracy that may be next to none, or is found on an edge; empty where it does not."""
    a, taken = fit.estimate("a"), supposed(fit)
    if taken is not None:
        words = _BESIDE_ONE if taken[0] > taken[1] else _BESIDE_NONE
        return words.format(
            value=numbers.decimal(taken[0]), taken=numbers.decimal(taken[1]), level=numbers.level(a.level or _LEVEL)
        )
    if a.value is None or (a.low is not None and a.low >= _LEAST):
        return ""
    if a.low is None:
        return _("The accuracy behind the plan, {value}, has no interval: it may be far off.").format(
            value=numbers.decimal(a.value)
        )
    return _(
        "The plan stands on an accuracy of {value}, but these {ratings} would fit any from {low} to {high}: take it "
        "as an example, not as advice."
    ).format(value=numbers.decimal(a.value), low=numbers.decimal(a.low), high=numbers.decimal(a.high))


def plan(table: StudyTable) -> tuple[Figure, ...]:
    """Width of the interval of the accuracy, and share of sure cases, by the size of the study.

    Parameters
    ----------
    table
        As `studies.planning.plan` makes it.
    """
    listed = table.only(why_not=None)
    width, sure = _widths(listed), _sure(listed)
    untold = dict.fromkeys(str(why) for why in table.values("why_not") if why)
    return replace(width, note=joined(width.note, *untold)), sure


def sheet(table: StudyTable) -> Sheet:
    """Both pictures on one sheet."""
    width, sure = plan(table)
    note = _("If the numbers were as estimated: where 95 of 100 such studies would put the accuracy.")
    return Sheet(width.title, (width, sure), columns=2, width=420.0, height=280.0, note=note)


def _widths(table: StudyTable) -> Figure:
    """One line for each number of raters."""
    series = []
    narrow: list[tuple[float, int, int]] = []
    for r in dict.fromkeys(table.values("raters")):
        rows = table.only(raters=r)
        x, y = rows.numbers("subjects"), _interval_width(rows)
        narrow += [(float(w), int(n), int(str(r))) for n, w in zip(x, y, strict=True) if np.isfinite(w)]
        if np.isfinite(y).any():
            # An interval as wide as the scale says nothing.
            series.append(Series(_("{n} {ratings}").format(n=r), x, np.minimum(y, 1.0)))
    untold = [
        str(r)
        for r in dict.fromkeys(table.values("raters"))
        if not np.isfinite(_interval_width(table.only(raters=r))).any()
    ]
    title = _("No size of this plan determines the accuracy")
    if narrow:
        # Of a rare class a few cases often hold none, and estimates that cannot move look sure: a size is enough only
        # where no larger one is less sure.
        missed = {(n, r) for width, n, r in narrow if width > _AIM}
        enough = [
            (n * r, width, n, r)
            for width, n, r in narrow
            if width <= _AIM and not any(n <= more and r <= also for more, also in missed)
        ]
        sentence = _("{n} {subjects} with {r} {ratings} each would pin the accuracy to an interval {width} wide")
        if enough:
            best, n, r = min(enough)[1:]
        else:
            best, n, r = max(narrow, key=lambda row: row[1:])
            sentence = _(
                "Even {n} {subjects} with {r} {ratings} each would leave the accuracy in an interval {width} wide"
            )
        title = sentence.format(n=numbers.count(n), r=r, width=numbers.decimal(best))
    note = (
        _("With {untold} {ratings} each the accuracy is not determined.").format(untold=", ".join(untold))
        if untold
        else ""
    )
    return curves(
        "plan",
        title,
        _cases(table),
        Axis(_("width of the middle 95 % of a"), 0.0, 1.0),
        series,
        note=note,
        height=SQUARE,
    )


def _sure(table: StudyTable) -> Figure:
    """Share of cases whose class would be known with 95 % probability, by ratings each, however many cases."""
    raters = table.numbers("raters")
    places = np.unique(raters)
    first = [int(np.argmax(raters == r)) for r in places]
    share, right = table.numbers("classified")[first], table.numbers("right")[first]
    title = _("With {r} {ratings} each, {share} of the {subjects} would be 95 % sure").format(
        r=Number(f"{places[-1]:g}"), share=numbers.percent(float(share[-1]))
    )
    ticks = tuple((float(r), Number(f"{r:g}")) for r in places)
    return curves(
        "plan",
        title,
        Axis(_("{ratings} of each {subject}"), float(places[0]) - 0.3, float(places[-1]) + 0.3, ticks),
        Axis(_("share of {subjects}"), 0.0, 1.0, percent=True),
        [Series(_("95 % sure"), places, share), Series(_("class right"), places, right, Role.REFERENCE)],
        height=SQUARE,
    )


def _cases(table: StudyTable) -> Axis:
    sizes = np.unique(table.numbers("subjects"))
    low, high = float(sizes[0]), float(sizes[-1])
    return Axis(_("{subjects}"), 0.0 if high > low else low - 1, high if high > low else low + 1)


def _interval_width(table: StudyTable) -> FloatArray:
    """Width of the middle 95 % of simulated estimates, the honest figure; where none were made, of the interval."""
    spread, width = table.numbers("spread"), table.numbers("width")
    return np.where(np.isfinite(spread), spread, width)


def recovered(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study from the numbers of a fit, and its picture."""
    ranges = yield from recover_fit(fit, ratings, REPLICATES, fit.seed)
    figure = recovery(fit, ranges, REPLICATES)
    return (replace(figure, note=f"{figure.note} {unsure_numbers()}") if warns(fit, ratings) else figure,)


def recovery(fit: Fit, ranges: Sequence[RecoveryRange], sets: int) -> Figure:
    """Each number with the range in which it would be found, and the value it was drawn with."""
    shown = [one for one in ranges if one.median is not None]
    rows = [
        (
            symbol(fit.estimates[one.at].name),
            Estimate(one.median, low=one.low, high=one.high, level=LEVEL, how="simulation"),
            Role.REFERENCE,
        )
        for one in shown
    ]
    note = _(
        "N = {size}; {model} model. Line and square: the middle {level} of what is found in {sets} data sets of this "
        "design, and the middle one. Dot: the number they were drawn with."
    ).format(size=size(fit), model=fit.model.name, level=numbers.level(LEVEL), sets=numbers.count(sets))
    return forest(
        rows,
        SCREEN,
        kind="recovery",
        title=recovery_title(fit, ranges),
        note=joined(note, *cautions(fit, ranges)),
        what=_("found"),
        # Words at the end of a row are those of the range.
        others=[(_("true"), [np.nan if one.true is None else one.true for one in shown], Role.MODEL)] if shown else (),
    )


def recovery_title(fit: Fit, ranges: Sequence[RecoveryRange]) -> str:
    """Where the accuracy would be found, or the number that is found least well; without a full stop."""
    shown = [one for one in ranges if one.low is not None and one.high is not None]
    if not shown:
        return _("None of these numbers would be found again")
    single = [one for one in shown if str(fit.estimates[one.at].name) == "a"]
    one = single[0] if single else max(shown, key=_width)
    places = numbers.places_of(None, one.low, one.high)
    if _width(one) < _STANDS_STILL:
        return _("If {name} = {true} were true, such data sets would put it there again").format(
            name=symbol(fit.estimates[one.at].name), true=numbers.decimal(one.true, SCREEN)
        )
    words = (
        _(
            "If the numbers were true, 95 of 100 such data sets would put the accuracy {name} = {true} between {low} "
            "and {high}"
        )
        if single
        else _(
            "If the numbers were true, 95 of 100 such data sets would put even the vaguest, {name} = {true}, between "
            "{low} and {high}"
        )
    )
    true, low, high = (numbers.decimal(x, SCREEN, places) for x in (one.true, one.low, one.high))
    return words.format(name=symbol(fit.estimates[one.at].name), true=true, low=low, high=high)


def cautions(fit: Fit, ranges: Sequence[RecoveryRange]) -> tuple[str, ...]:
    """What must be known besides, one sentence each."""
    sentences = []
    aside = [one for one in ranges if one.median is not None and _aside(one)]
    if aside:
        sentences.append(_("More often than not found too high or too low: {names}.").format(names=_names(fit, aside)))
    edge = [one for one in ranges if one.on_edge is not None and one.on_edge >= _OFTEN]
    if edge:
        most = max(edge, key=lambda one: one.on_edge or 0.0)
        sentences.append(
            _("{name} is found at 0 or 1 in {share} of the data sets.").format(
                name=symbol(fit.estimates[most.at].name), share=numbers.percent(most.on_edge or 0.0)
            )
        )
    lost = [one for one in ranges if one.why_not]
    if lost:
        sentences.append(_("Not drawn: {names}. {why}").format(names=_names(fit, lost), why=lost[0].why_not))
    elif any(one.without for one in ranges):
        sentences.append(_("Data sets in which a number has no value are left out of its range."))
    if fit.active_bounds:
        sentences.append(
            _("A number on the edge of what is possible is found there again, however little is known of it.")
        )
    return tuple(sentences)


def _aside(one: RecoveryRange) -> bool:
    return abs((one.median or 0.0) - (one.true or 0.0)) > _ASIDE * max(_width(one), 1e-9)


def _width(one: RecoveryRange) -> float:
    return (one.high or 0.0) - (one.low or 0.0)


def _names(fit: Fit, which: Sequence[RecoveryRange], most: int = 3) -> str:
    names = [symbol(fit.estimates[one.at].name) for one in which]
    if len(names) <= most:
        return ", ".join(names)
    return _("{names} and {count} more").format(names=", ".join(names[:most]), count=numbers.count(len(names) - most))
