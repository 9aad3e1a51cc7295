"""Pictures of who rated what, and of the way from the file to the analysis."""

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, DataColumn, DataTable, Figure, Points, Role, Unit
from tapdesk.answers.grids import boxes
from tapdesk.answers.numbers import counted
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading

MOST_RATERS = 40
_FLOW_ROW, _COVER_ROW = 0.28, 0.36
_MOST_PLACES = 600
_BINS = 100
_NAME = 22
Box = tuple[float, float, float, float]


def coverage(ratings: Ratings) -> Figure:
    """Which rater rated which subject: one row for each rater (or seat), subjects from left to right as in the file."""
    raters = min(len(ratings.raters), MOST_RATERS)
    subjects = len(ratings.subjects)
    seen = np.zeros((raters, subjects), dtype=bool)
    inside = ratings.rater < raters
    seen[ratings.rater[inside], ratings.subject[inside]] = True
    corners = _stretches(seen) if subjects <= _MOST_PLACES else _shares(seen)
    given = seen.sum(axis=1)
    names = tuple((float(raters - 1 - j), _rater(ratings, j)) for j in range(raters))
    whole = int((given == subjects).sum())
    note = _("N = {size}. Filled: rated; empty: not rated.").format(
        size=counted(ratings.subject_count, ratings.rating_count),
    )
    if subjects > _MOST_PLACES:
        note = _("{note} Each place stands for about {each} {subjects}; its height is the share rated.").format(
            note=note, each=round(subjects / _BINS)
        )
    if len(ratings.raters) > raters:
        note = _("{note} The first {n} of {all} are drawn.").format(
            note=note, n=raters, all=numbers.count(len(ratings.raters))
        )
    columns = (
        DataColumn("name", _("What"), Unit.NAME),
        DataColumn("value", _("{Subjects} rated"), places=0),
    )
    return Figure(
        kind="coverage",
        title=_coverage_title(whole, raters, ratings),
        alt=_("Map of which {subjects} were rated: {told}.").format(
            told=joined(
                *(
                    _("{rater} {n} of {all}").format(rater=_rater(ratings, j), n=int(given[j]), all=subjects)
                    for j in range(raters)
                ),
                sep="; ",
            )
        ),
        x=Axis(_("{Subjects}, in the order of the file"), 0.0, max(subjects, 1)),
        y=Axis("", -0.7, raters - 0.3, names),
        marks=(boxes(corners, Role.OBSERVED, inner=True),),
        note=note,
        table=DataTable(columns, tuple((_rater(ratings, j), float(given[j])) for j in range(raters))),
    )


def _coverage_title(whole: int, raters: int, ratings: Ratings) -> str:
    who = _("{raters}") if ratings.raters_known else _("seats")
    if raters == 1:
        # A case that nobody rated is none of the ratings.
        return _("The one {rater} rated every {subject}").format(
            rater=_("{rater}") if ratings.raters_known else _("seat")
        )
    if whole == raters:
        return _("Each of the {n} {raters} rated every {subject}").format(n=raters, raters=who)
    return _("{n} of {all} {raters} rated every {subject}").format(n=whole, all=raters, raters=who)


def _stretches(seen: NDArray[np.bool_]) -> list[Box]:
    """A box for each unbroken stretch of a row; row 0 is on top."""
    items = []
    for j, row in enumerate(seen):
        edges = np.diff(np.concatenate([[0], row.astype(np.int8), [0]]))
        y = seen.shape[0] - 1 - j
        ends = zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True)
        items += [(float(start), float(end), y - _COVER_ROW, y + _COVER_ROW) for start, end in ends]
    return items


def _shares(seen: NDArray[np.bool_]) -> list[Box]:
    """As `_stretches` for very many subjects: places of equal width, as high as the share rated in each."""
    edges = np.linspace(0, seen.shape[1], _BINS + 1).round().astype(int)
    share = np.add.reduceat(seen, edges[:-1], axis=1) / np.diff(edges)
    items = []
    for (j, i), value in np.ndenumerate(share):
        y, half = seen.shape[0] - 1 - j, _COVER_ROW * float(value)
        items.append((float(edges[i]), float(edges[i + 1]), y - half, y + half))
    return items


def flow(reading: Reading, ratings: Ratings) -> Figure:
    """From the cells of the file to the ratings used: each bar is what is left after a step."""
    used, read = ratings.rating_count, reading.as_read.rating_count
    after_reading = read + reading.left_out_ratings
    steps = [(_("Cells for {ratings}"), after_reading + reading.missing, 0)]
    steps.append((_("With {a_rating}"), after_reading, reading.missing))
    if reading.left_out_ratings:
        steps.append((_("Kept while reading"), read, reading.left_out_ratings))
    if used != read:
        steps.append((_("Kept after decisions") if used < read else _("With those added by hand"), used, read - used))
    steps.append((_("Used"), used, 0))
    top = max(1, *(n for _name, n, _lost in steps))
    rows = [(float(len(steps) - 1 - i), *step) for i, step in enumerate(steps)]
    kept: list[Box] = [(0.0, float(n), y - _FLOW_ROW, y + _FLOW_ROW) for y, _name, n, _gone in rows]
    lost = [(float(n), float(n + gone), y - _FLOW_ROW, y + _FLOW_ROW) for y, _name, n, gone in rows if gone > 0]
    title = _("{used} of {all} cells of the file became {ratings} in the analysis")
    if used > read:
        title = _("{used} {ratings} in the analysis, {more} of them added to the {all} cells of the file")
    title = title.format(
        **{k: numbers.count(n) for k, n in (("used", used), ("all", steps[0][1]), ("more", used - read))}
    )
    columns = (
        DataColumn("name", _("Step"), Unit.NAME),
        DataColumn("value", _("Left"), places=0),
        DataColumn("gone", _("Left out"), places=0),
    )
    sentence = "; ".join(f"{name}: {numbers.count(n)}" for name, n, _gone in steps)
    return Figure(
        kind="flow",
        title=title,
        alt=_("What is left after each step. {told}.").format(told=sentence),
        x=Axis("", 0.0, float(top)),
        y=Axis("", -0.6, len(steps) - 0.4, tuple((y, name) for y, name, _n, _gone in rows)),
        marks=(
            boxes(kept, Role.MODEL, inner=True),
            *([boxes(lost, Role.SECOND)] if lost else []),
            # Numbers stand at the ends of the rows, beside the plot.
            *(
                Points(_left(n, gone), np.array([np.nan]), np.array([y]), Role.OBSERVED, horizontal=True)
                for y, _name, n, gone in rows
            ),
        ),
        note=_("Hatched: what was left out at the step; the table says why.") if lost else "",
        table=DataTable(columns, tuple((name, float(n), float(gone)) for name, n, gone in steps)),
    )


def _left(n: int, gone: int) -> str:
    """How many are left after a step, and how many fewer or more they became."""
    if not gone:
        return numbers.count(n)
    words = _("{n} ({gone} left out)") if gone > 0 else _("{n} ({gone} more)")
    return words.format(n=numbers.count(n), gone=numbers.count(abs(gone)))


def _rater(ratings: Ratings, index: int) -> str:
    name = ratings.raters[index]
    return numbers.shorts(ratings.raters, _NAME)[index] if ratings.raters_known else _("seat {name}").format(name=name)
