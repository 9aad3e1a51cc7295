"""Pictures of the classes: ordered ones told as two at every cut, pairs of them, how raters use and confuse them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import class_pairs as words_pairs
from tapdesk.answers import numbers
from tapdesk.answers.charts import FIFTHS, SQUARE, Series, Shown, curves, forest
from tapdesk.answers.figure import Axis, Figure, Role
from tapdesk.answers.grids import share_boxes
from tapdesk.answers.numbers import SCREEN, Style, counted
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.model import model
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request
from tapdesk.studies.scan import Direction, Pairs, Scan, pairs, scan

_MOST = 12
# Of the test that one accuracy serves every line.
_PANELS = 300
_NAME = 16
_APART = 0.12
# A p-value below this rejects.
_REJECTED = 0.05
MOST_RATERS = 40
MOST_CLASSES = 12


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
        return _("There are no {ratings} to draw.")
    if len(ratings.classes) < 3:
        return _("This picture is for three classes or more; with a counted class there is only one line.")
    if len(ratings.classes) > _MOST:
        return _("With more than {most} classes the picture would take very long.").format(most=_MOST)
    return None


def cuts(fit: Fit, ratings: Ratings, direction: Direction = Direction.ABOVE) -> Run[tuple[Figure, ...]]:
    """The study and its pictures."""
    request = Request(replace(model("t-a-p"), key=fit.model.key), seed=fit.seed)
    result = yield from scan(ratings, request, test=True, replicates=_PANELS, direction=direction)
    return scanned(result)


def scanned(result: Scan) -> tuple[Figure, ...]:
    """Accuracy beside the root of kappa, and t beside p, at every cut with intervals."""
    roots = [None if cut.root_kappa.value is None else cut.root_kappa for cut in result.cuts]
    accuracies = [cut.estimate("a") for cut in result.cuts]
    t, p = ([cut.estimate(name) for cut in result.cuts] for name in ("t", "p"))
    values = [e.value for e in accuracies if e is not None and e.value is not None]
    title = _("a: no cut determines it")
    ends = [numbers.decimal(v) for v in (min(values), max(values))] if values else []
    if values and ends[0] == ends[1]:
        title = _("a: {value} at every cut that determines it").format(value=ends[0])
    elif values:
        title = _("a: from {low} to {high} over the cuts").format(low=ends[0], high=ends[1])
    first = (_series("a", accuracies, Role.MODEL), _series("√κ", roots, Role.CLASSICAL, _APART))
    last = (_series("t", t, Role.MODEL), _series("p", p, Role.CLASSICAL, _APART))
    lines = _lines([e for e in accuracies if e is not None])
    words = joined(lines, _("No dot: not determined there."), result.words)
    return (
        _cut_panel(result, title, "a, √κ", first, words),
        _cut_panel(result, _apart(result), "t, p", last, joined(_tests(result), words)),
    )


def _apart(result: Scan) -> str:
    """Whether t and p differ, as the title of their panel."""
    tested = [p for p in result.apart if p is not None]
    if not tested:
        return _("t and p at every cut")
    n = sum(p < _REJECTED for p in tested)
    if n == 0:
        return _("t and p: no clear difference at any cut that is tested")
    return _("t and p differ beyond luck at {n} of {all} cuts").format(n=n, all=len(tested))


def _tests(result: Scan) -> str:
    """How often luck makes t and p as far apart, at every cut where that is tested."""
    rows = [
        _("{cut} in {p}").format(cut=numbers.short(cut.name, 24), p=numbers.percent(p))
        for cut, p in zip(result.cuts, result.apart, strict=True)
        if p is not None
    ]
    return _("Luck alone makes t and p as far apart at {rows}.").format(rows=", ".join(rows)) if rows else ""


def _cut_panel(result: Scan, title: str, up: str, series: Sequence[Series], words: str) -> Figure:
    why_not = (_("{cut}: {why}").format(cut=cut.name, why=cut.refused) for cut in result.cuts if cut.refused)
    names = tuple((float(i), numbers.short(cut.name, 24)) for i, cut in enumerate(result.cuts))
    size = result.cuts[0]
    place = _("line between two classes; what is counted lies above it")
    if result.direction is Direction.BELOW:
        place = _("line between two classes; what is counted lies below it")
    return curves(
        "scan",
        title,
        Axis(place, -0.5, len(result.cuts) - 0.5, names),
        Axis(up, 0.0, 1.0, FIFTHS),
        series,
        note=joined(
            _("N = {size}.").format(size=counted(size.subjects, size.ratings)), words, joined(*why_not, sep="; ")
        ),
        places=[cut.name for cut in result.cuts],
        height=SQUARE,
    )


def _lines(estimates: Sequence[Estimate]) -> str:
    """At which level the intervals are that are drawn as lines."""
    level = next((e.level for e in estimates if e.low is not None and e.level is not None), None)
    return "" if level is None else _("Lines: {level} intervals.").format(level=numbers.level(level))


def _series(name: str, estimates: Sequence[Estimate | None], role: Role, aside: float = 0.0) -> Series:
    """The numbers that there are, each at its cut."""
    known = [(float(i), e) for i, e in enumerate(estimates) if e is not None]
    x = np.array([x for x, _e in known], dtype=np.float64)
    every = np.array([(e.value, e.low, e.high) for _x, e in known], dtype=np.float64).reshape(-1, 3)
    return Series(name, x, every[:, 0], role, Shown.DOTS, every[:, 1], every[:, 2], aside)


def each_pair(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its picture."""
    result = yield from pairs(ratings, Request(replace(model("t-a-t"), key=fit.model.key), seed=fit.seed))
    return (paired(result, ratings),)


def paired(result: Pairs, ratings: Ratings, style: Style = SCREEN) -> Figure:
    """The accuracy of t-a-t for every pair of classes, the hardest pair first."""
    rows = sorted(result.pairs, key=lambda p: 2.0 if p.accuracy.value is None else p.accuracy.value)
    named = [
        (_("{a} or {b}").format(a=numbers.short(p.first, _NAME), b=numbers.short(p.second, _NAME)), p.accuracy)
        for p in rows
    ]
    known = [(name, e, Role.MODEL) for name, e in named if e.value is not None]
    untold = " ".join(f"{name}: {e.undefined}" for name, e in named if e.value is None)
    title = words_pairs.hardest(result, style, _NAME)
    note = _("N = {size}. Accuracy by t-a-t. {lines} {about} {untold}").format(
        size=counted(ratings.subject_count, ratings.rating_count),
        lines=_lines([e for _name, e in named]),
        about=result.about,
        untold=untold,
    )
    return forest(known, style, kind="class_pairs", title=title, note=note.strip())


def class_use(ratings: Ratings, style: Style) -> Figure | None:
    """Share of each class among the ratings of each rater, as boxes; None where raters are not known or many."""
    del style
    raters, k = len(ratings.raters), len(ratings.classes)
    if not ratings.raters_known or not 1 < raters <= MOST_RATERS or k > MOST_CLASSES or not ratings.subject.size:
        return None
    counts = np.zeros((raters, k))
    np.add.at(counts, (ratings.rater, ratings.category), ratings.subject_weights()[ratings.subject])
    return share_boxes(
        "class_use",
        _("How each {rater} used the classes"),
        ratings.raters,
        ratings.classes,
        counts / np.maximum(counts.sum(axis=1, keepdims=True), 1),
        note=_("A box filling its place would be 100 %. N = {m} {ratings}.").format(
            m=numbers.count(ratings.rating_count)
        ),
        colours=ratings.colours,
    )


def confusion(ratings: Ratings) -> Figure | None:
    """If one rater gives a class, how often does another give each class: rows sum to 100 %."""
    pairs = class_pairs(ratings)
    if not 2 < len(ratings.classes) <= MOST_CLASSES or not pairs.sum():
        return None
    return share_boxes(
        "confusion",
        _("When one {rater} says the class at the left, what another says"),
        ratings.classes,
        ratings.classes,
        pairs / np.maximum(pairs.sum(axis=1, keepdims=True), 1e-300),
        note=_(
            "N = {size}. In 100, each row by itself; a box filling its place would be 100. Every pair of {ratings} of "
            "{a_subject} counts, {subjects} equally."
        ).format(size=_paired(ratings)),
        colours=ratings.colours,
        row_colours=ratings.colours,
        written=True,
    )


def class_pairs(ratings: Ratings) -> NDArray[np.float64]:
    """Shape (K, K): pairs of ratings of a subject by their two classes, divided by the subject's ratings minus one."""
    counts = ratings.counts().astype(np.float64)
    each = counts.sum(axis=1)
    factor = np.where(each > 1, ratings.subject_weights() / np.maximum(each - 1, 1), 0.0)
    table = (counts * factor[:, None]).T @ counts
    return np.asarray(table - np.diag(factor @ counts))


def _paired(ratings: Ratings) -> str:
    """How many subjects have two ratings or more, and how many ratings those are."""
    each, weight = ratings.counts().sum(axis=1), ratings.subject_weights()
    some = each > 1
    return counted(int(weight[some].sum()), int((weight * each)[some].sum()))
