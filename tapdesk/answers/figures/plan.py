"""How sure a larger or smaller study would be: width of the interval of the accuracy, and sure cases."""

from dataclasses import replace

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Figure, Line, Role
from tapdesk.answers.fit_words import too_wide
from tapdesk.answers.nouns import counted
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.planning import plan as design
from tapdesk.studies.planning import plan_point, supposed
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
    "The accuracy is found at {value}, where there would be nothing to find: the plan takes {taken}, the high end of "
    "its {level} interval, and truth and guesses that come out like the ratings. Take it as an example, not as advice."
)


SUBJECTS = (30, 50, 100, 200, 400, 800)
RATERS = (2, 3, 4, 5, 8)


def plan_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why nothing can be planned from a fit, or None."""
    try:
        plan_point(fit, ratings)
    except CannotAnswerError as error:
        return error.what
    a = fit.estimate("a")
    if too_wide(fit):
        return _(
            "These ratings would fit any accuracy from {low} to {high}: too wide to conclude, and too wide to plan "
            "from. Rate more cases first."
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
    return tuple(replace(figure, note=f"{note} {figure.note}".strip()) for figure in plan(table))


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
        "The plan stands on an accuracy of {value}, but these ratings would fit any from {low} to {high}: take it "
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
    untold = " ".join(dict.fromkeys(str(why) for why in table.values("why_not") if why))
    return replace(width, note=f"{width.note} {untold}".strip()), sure


def sheet(table: StudyTable) -> Sheet:
    """Both pictures on one sheet."""
    width, sure = plan(table)
    note = _("If the numbers were as estimated: where 95 of 100 such studies would put the accuracy.")
    return Sheet(width.title, (width, sure), columns=2, width=420.0, height=280.0, note=note)


def _widths(table: StudyTable) -> Figure:
    """One line for each number of raters."""
    marks = []
    narrow: list[tuple[float, int, int]] = []
    for r in dict.fromkeys(table.values("raters")):
        rows = table.only(raters=r)
        x, y = rows.numbers("subjects"), _width(rows)
        narrow += [(float(w), int(n), int(str(r))) for n, w in zip(x, y, strict=True) if np.isfinite(w)]
        if np.isfinite(y).any():
            # An interval as wide as the scale says nothing.
            marks.append(Line(_("{n} ratings").format(n=r), x, np.minimum(y, 1.0), Role.MODEL))
    untold = [
        str(r) for r in dict.fromkeys(table.values("raters")) if not np.isfinite(_width(table.only(raters=r))).any()
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
        said = _("{n} cases with {r} ratings each would pin the accuracy to an interval {width} wide")
        if enough:
            best, n, r = min(enough)[1:]
        else:
            best, n, r = max(narrow, key=lambda row: row[1:])
            said = _("Even {n} cases with {r} ratings each would leave the accuracy in an interval {width} wide")
        title = said.format(n=numbers.count(n), r=r, width=numbers.decimal(best))
    note = (
        _("With {untold} ratings each the accuracy is not determined.").format(untold=", ".join(untold))
        if untold
        else ""
    )
    return Figure(
        "plan",
        title,
        _("{title}. {told}.").format(title=title, told=_told(table)),
        _cases(table),
        Axis(_("width of the middle 95 % of a"), 0.0, 1.0),
        tuple(marks),
        note,
    )


def _sure(table: StudyTable) -> Figure:
    """Share of cases whose class would be known with 95 % probability, by ratings each, however many cases."""
    raters = table.numbers("raters")
    places = np.unique(raters)
    first = [int(np.argmax(raters == r)) for r in places]
    share, right = table.numbers("classified")[first], table.numbers("right")[first]
    title = _("With {r} ratings each, {share} of the cases would be 95 % sure").format(
        r=Number(f"{places[-1]:g}"), share=numbers.percent(float(share[-1]))
    )
    return Figure(
        "plan",
        title,
        _("{title}. {told}.").format(
            title=title,
            told="; ".join(
                _("{r} ratings: {share} sure, {right} right").format(
                    r=Number(f"{r:g}"), share=numbers.percent(float(a)), right=numbers.percent(float(b))
                )
                for r, a, b in zip(places, share, right, strict=True)
            ),
        ),
        Axis(
            _("ratings of each case"),
            float(places[0]) - 0.3,
            float(places[-1]) + 0.3,
            tuple((r, Number(f"{r:g}")) for r in places),
        ),
        Axis(_("share of cases"), 0.0, 1.0, percent=True),
        (Line(_("95 % sure"), places, share, Role.MODEL), Line(_("class right"), places, right, Role.REFERENCE)),
    )


def _cases(table: StudyTable) -> Axis:
    sizes = np.unique(table.numbers("subjects"))
    low, high = float(sizes[0]), float(sizes[-1])
    return Axis(_("cases"), 0.0 if high > low else low - 1, high if high > low else low + 1)


def _width(table: StudyTable) -> FloatArray:
    """Width of the middle 95 % of simulated estimates, the honest figure; where none were made, of the interval."""
    spread, width = table.numbers("spread"), table.numbers("width")
    return np.where(np.isfinite(spread), spread, width)


def _told(table: StudyTable) -> str:
    sizes = zip(table.values("subjects"), table.values("raters"), _width(table), strict=True)
    return "; ".join(
        _("{n} cases × {r}: {x}").format(n=n, r=r, x=numbers.decimal(float(x))) for n, r, x in sizes if np.isfinite(x)
    )
