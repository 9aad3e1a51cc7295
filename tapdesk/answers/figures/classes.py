"""Pictures of ordered classes told as two at every cut, and of every pair of classes alone (models.md §8)."""

from collections.abc import Sequence

import numpy as np

from tapdesk.answers import class_pairs as words_pairs
from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Figure, Points, Role
from tapdesk.answers.figures.agreement import dots
from tapdesk.answers.nouns import counted
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request
from tapdesk.studies.class_pairs import Pairs, pairs
from tapdesk.studies.scan import Cut, Scan, scan

_TICKS = tuple((i / 5, Number(f"{i / 5:g}")) for i in range(6))
_MOST = 12
# Of the test that one accuracy serves every line.
_PANELS = 300
_NAME = 16


def scan_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why there are no cuts, or None."""
    reason = pairs_needs(fit, ratings)
    if reason is None and not ratings.ordered:
        return _("The classes have no order, so there are no cuts: put them in order first.")
    return reason


def pairs_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why there are no pairs of classes, or None."""
    del fit
    if not ratings.subject.size:
        return _("There are no ratings to draw.")
    if len(ratings.classes) < 3:
        return _("This picture is for three classes or more; with a class 1 chosen there is only one line.")
    if len(ratings.classes) > _MOST:
        return _("With more than {most} classes the picture would take very long.").format(most=_MOST)
    return None


def cuts(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its pictures."""
    found = yield from scan(ratings, Request(model("t-a-p"), seed=fit.seed), test=True, replicates=_PANELS)
    return scanned(found)


def scanned(found: Scan) -> tuple[Figure, ...]:
    """t, a and p at every cut with intervals; root kappa beside the accuracy."""
    return tuple(_cut_panel(found, name, last=name == "p") for name in ("a", "t", "p"))


def _cut_panel(found: Scan, name: str, *, last: bool) -> Figure:
    places = np.arange(len(found.cuts), dtype=np.float64)
    told = [_determined(cut, name) for cut in found.cuts]
    known = [i for i, e in enumerate(told) if e is not None]
    marks = [_points(_("t-a-p"), places[known], [e for e in told if e is not None], Role.MODEL)]
    if name == "a":
        roots = [(x, cut.root_kappa) for x, cut in zip(places, found.cuts, strict=True)]
        kept = [(x, e) for x, e in roots if e.value is not None]
        marks.append(_points("√κ", np.array([x for x, _e in kept]) + 0.12, [e for _x, e in kept], Role.CLASSICAL))
    listed = "; ".join(
        _("{cut}: {value}").format(cut=cut.name, value=_told(e)) for cut, e in zip(found.cuts, told, strict=True)
    )
    values = [e.value for e in told if e is not None and e.value is not None]
    title = _("{name}: no cut determines it").format(name=name)
    ends = [numbers.decimal(v) for v in (min(values), max(values))] if values else []
    if values and ends[0] == ends[1]:
        title = _("{name}: {value} at every cut that determines it").format(name=name, value=ends[0])
    elif values:
        title = _("{name}: from {low} to {high} over the cuts").format(name=name, low=ends[0], high=ends[1])
    refused = "; ".join(_("{cut}: {why}").format(cut=cut.name, why=cut.refused) for cut in found.cuts if cut.refused)
    names = tuple((float(x), numbers.short(cut.name, 24)) for x, cut in zip(places, found.cuts, strict=True))
    size = found.cuts[0]
    return Figure(
        kind="scan",
        title=title,
        alt=_("{title}. {listed}.").format(title=title, listed=listed),
        x=Axis(_("line between two classes; class 1 lies above it") if last else "", -0.5, places.size - 0.5, names),
        y=Axis(name, 0.0, 1.0, _TICKS),
        marks=tuple(marks),
        note=_("N = {size}. {lines} No dot: not determined there. {words} {refused}")
        .format(
            size=counted(size.subjects, size.ratings),
            lines=_lines([e for e in told if e is not None]),
            words=found.words,
            refused=refused,
        )
        .strip(),
    )


def _lines(told: Sequence[Estimate]) -> str:
    """At which level the intervals are that are drawn as lines."""
    level = next((e.level for e in told if e.low is not None and e.level is not None), None)
    return "" if level is None else _("Lines: {level} intervals.").format(level=numbers.level(level))


def _determined(cut: Cut, name: str) -> Estimate | None:
    """The number of t-a-p at a cut; None where the data do not determine it."""
    if cut.free is None or not cut.free.converged:
        return None
    found = cut.free.estimate(name)
    return None if found.value is None else found


def _points(label: str, x: np.ndarray[tuple[int], np.dtype[np.float64]], told: list[Estimate], role: Role) -> Points:
    value = np.array([e.value for e in told], dtype=np.float64)
    low = np.array([e.value if e.low is None else e.low for e in told], dtype=np.float64)
    high = np.array([e.value if e.high is None else e.high for e in told], dtype=np.float64)
    return Points(label, np.asarray(x, dtype=np.float64), value, role, low, high)


def _told(e: Estimate | None) -> str:
    if e is None:
        return _("not determined")
    if e.low is None or e.high is None:
        return numbers.decimal(e.value)
    return _("{value}, {reach}").format(value=numbers.decimal(e.value), reach=numbers.interval(e))


def each_pair(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its picture."""
    found = yield from pairs(ratings, Request(model("t-a-t"), seed=fit.seed))
    return (paired(found, ratings),)


def paired(found: Pairs, ratings: Ratings, style: Style = SCREEN) -> Figure:
    """The accuracy of t-a-t for every pair of classes, the hardest pair first."""
    rows = sorted(found.pairs, key=lambda p: 2.0 if p.accuracy.value is None else p.accuracy.value)
    named = [
        (_("{a} or {b}").format(a=numbers.short(p.first, _NAME), b=numbers.short(p.second, _NAME)), p.accuracy)
        for p in rows
    ]
    known = [(name, e, Role.MODEL) for name, e in named if e.value is not None]
    untold = " ".join(f"{name}: {e.undefined}" for name, e in named if e.value is None)
    title = words_pairs.hardest(found, style, _NAME)
    note = _("N = {size}. Accuracy by t-a-t. {lines} {about} {untold}").format(
        size=counted(ratings.subject_count, ratings.rating_count),
        lines=_lines([e for _name, e in named]),
        about=found.about,
        untold=untold,
    )
    return dots(known, style, kind="class_pairs", title=title, note=note.strip())
