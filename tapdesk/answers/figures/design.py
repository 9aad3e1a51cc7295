"""Pictures of who rated what and how: coverage, the way from file to analysis, use of the classes, confusion."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import fonts, numbers
from tapdesk.answers.figure import Axis, Band, Figure, Points, Role, Words
from tapdesk.answers.nouns import PLAIN, Nouns, capital, counted
from tapdesk.answers.numbers import Style
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading

MOST_RATERS = 40
MOST_CLASSES = 12
_FLOW_ROW = 0.28
_MOST_PLACES = 600
_BINS = 100
_NAME = 22
# About how many pixels lie between the axes of a picture of classes.
_ACROSS = 430.0


def coverage(ratings: Ratings, nouns: Nouns = PLAIN) -> Figure:
    """Which rater rated which subject: one row for each rater (or seat), subjects from left to right as in the file."""
    raters = min(len(ratings.raters), MOST_RATERS)
    subjects = len(ratings.subjects)
    seen = np.zeros((raters, subjects), dtype=bool)
    inside = ratings.rater < raters
    seen[ratings.rater[inside], ratings.subject[inside]] = True
    x, low, high = _stretches(seen) if subjects <= _MOST_PLACES else _shares(seen)
    given = seen.sum(axis=1)
    names = tuple((float(raters - 1 - j), _rater(ratings, j)) for j in range(raters))
    whole = int((given == subjects).sum())
    note = _("N = {size}. Filled: rated; empty: not rated.").format(
        size=counted(ratings.subject_count, ratings.rating_count, nouns),
    )
    if subjects > _MOST_PLACES:
        note = _("{note} Each place stands for about {each} {subjects}; its height is the share rated.").format(
            note=note, each=round(subjects / _BINS), subjects=nouns.subjects
        )
    if len(ratings.raters) > raters:
        note = _("{note} The first {n} of {all} are drawn.").format(
            note=note, n=raters, all=numbers.count(len(ratings.raters))
        )
    return Figure(
        kind="coverage",
        title=_coverage_title(whole, raters, ratings, nouns),
        alt=_("Map of which {subjects} were rated: {told}.").format(
            subjects=nouns.subjects,
            told="; ".join(
                _("{rater} {n} of {all}").format(rater=_rater(ratings, j), n=int(given[j]), all=subjects)
                for j in range(raters)
            ),
        ),
        x=Axis(
            _("{subjects}, in the order of the file").format(subjects=capital(nouns.subjects)), 0.0, max(subjects, 1)
        ),
        y=Axis("", -0.7, raters - 0.3, names),
        marks=(Band("", x, low, high, Role.OBSERVED, inner=True),),
        note=note,
    )


def _coverage_title(whole: int, raters: int, ratings: Ratings, nouns: Nouns) -> str:
    who = nouns.raters if ratings.raters_known else _("seats")
    if whole == raters:
        return _("Each of the {n} {raters} rated every {subject}").format(n=raters, raters=who, subject=nouns.subject)
    return _("{n} of {all} {raters} rated every {subject}").format(
        n=whole, all=raters, raters=who, subject=nouns.subject
    )


def _stretches(seen: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Corners of one box for each unbroken stretch of a row; NaN between boxes. Row 0 is on top."""
    rows, raters = [], seen.shape[0]
    for j, row in enumerate(seen):
        edges = np.diff(np.concatenate([[0], row.astype(np.int8), [0]]))
        for start, end in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
            y = raters - 1 - j
            rows += [(start, y - 0.36, y + 0.36), (end, y - 0.36, y + 0.36), (np.nan,) * 3]
    table = np.array(rows or [(np.nan,) * 3], dtype=np.float64)
    return table[:, 0], table[:, 1], table[:, 2]


def _shares(seen: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """As `_stretches` for very many subjects: places of equal width, as high as the share rated in each."""
    edges = np.linspace(0, seen.shape[1], _BINS + 1).round().astype(int)
    share = np.add.reduceat(seen, edges[:-1], axis=1) / np.diff(edges)
    corners: list[tuple[float, float, float]] = []
    for (j, i), value in np.ndenumerate(share):
        y, half = seen.shape[0] - 1 - j, 0.36 * float(value)
        left, right = float(edges[i]), float(edges[i + 1])
        corners += [(left, y - half, y + half), (right, y - half, y + half), (np.nan,) * 3]
    table = np.array(corners, dtype=np.float64)
    return table[:, 0], table[:, 1], table[:, 2]


def flow(reading: Reading, ratings: Ratings, nouns: Nouns = PLAIN) -> Figure:
    """From the cells of the file to the ratings used: each bar is what is left after a step."""
    used, read = ratings.rating_count, reading.as_read.rating_count
    after_reading = read + reading.left_out_ratings
    steps = [(_("Cells for {ratings}").format(ratings=nouns.ratings), after_reading + reading.missing, 0)]
    steps.append((_("With a {rating}").format(rating=nouns.rating), after_reading, reading.missing))
    if reading.left_out_ratings:
        steps.append((_("Kept while reading"), read, reading.left_out_ratings))
    if used != read:
        steps.append((_("Kept after decisions") if used < read else _("With those added by hand"), used, read - used))
    steps.append((_("Used"), used, 0))
    top = max(1, *(n for _name, n, _lost in steps))
    kept, lost = [], []
    for at, (_name, n, gone) in zip(range(len(steps) - 1, -1, -1), steps, strict=True):
        kept += _box(0, n, at, _FLOW_ROW)
        lost += _box(n, n + max(gone, 0), at, _FLOW_ROW) if gone > 0 else []
    marks: list[Band | Points] = [_boxes(kept, Role.MODEL, inner=True)]
    if lost:
        marks.append(_boxes(lost, Role.SECOND))
    # Numbers stand at the ends of the rows, beside the plot.
    for at, (_name, n, gone) in zip(range(len(steps) - 1, -1, -1), steps, strict=True):
        words = _("{n} ({gone} left out)") if gone > 0 else _("{n} ({gone} more)")
        label = words.format(n=numbers.count(n), gone=numbers.count(abs(gone))) if gone else numbers.count(n)
        marks.append(Points(label, np.array([np.nan]), np.array([float(at)]), Role.OBSERVED, horizontal=True))
    told = "; ".join(f"{name}: {numbers.count(n)}" for name, n, _gone in steps)
    title = _("{used} of {all} cells of the file became {ratings} in the analysis")
    if used > read:
        title = _("{used} {ratings} in the analysis, {more} of them added to the {all} cells of the file")
    many = {"used": used, "all": steps[0][1], "more": used - read}
    return Figure(
        kind="flow",
        title=title.format(ratings=nouns.ratings, **{k: numbers.count(n) for k, n in many.items()}),
        alt=_("What is left after each step. {told}.").format(told=told),
        x=Axis("", 0.0, float(top)),
        y=Axis("", -0.6, len(steps) - 0.4, tuple((float(len(steps) - 1 - i), s[0]) for i, s in enumerate(steps))),
        marks=tuple(marks),
        note=_("Hatched: what was left out at the step; the table says why.") if lost else "",
    )


def _box(x0: float, x1: float, y: float, half: float) -> list[tuple[float, float, float]]:
    return [(x0, y - half, y + half), (x1, y - half, y + half), (np.nan,) * 3]


def _boxes(corners: list[tuple[float, float, float]], role: Role, *, inner: bool = False) -> Band:
    table = np.array(corners or [(np.nan,) * 3], dtype=np.float64)
    return Band("", table[:, 0], table[:, 1], table[:, 2], role, inner=inner)


def class_use(ratings: Ratings, style: Style, nouns: Nouns = PLAIN) -> Figure | None:
    """Share of each class among the ratings of each rater, as boxes; None where raters are not known or many."""
    del style
    raters, k = len(ratings.raters), len(ratings.classes)
    if not ratings.raters_known or not 1 < raters <= MOST_RATERS or k > MOST_CLASSES or not ratings.subject.size:
        return None
    counts = np.zeros((raters, k))
    np.add.at(counts, (ratings.rater, ratings.category), ratings.subject_weights()[ratings.subject])
    given = counts.sum(axis=1, keepdims=True)
    share = counts / np.maximum(given, 1)
    told = "; ".join(
        f"{_rater(ratings, j)}: "
        + ", ".join(
            f"{c} {numbers.percent(float(share[j, i]))}" for i, c in enumerate(numbers.shorts(ratings.classes, _NAME))
        )
        for j in range(raters)
    )
    return Figure(
        kind="class_use",
        title=_("How each {rater} used the classes").format(rater=nouns.rater),
        alt=_("Share of each class among the {ratings} of each {rater}. {told}.").format(
            ratings=nouns.ratings, rater=nouns.rater, told=told
        ),
        x=Axis("", -0.5, k - 0.5, _class_ticks(ratings), colours=ratings.colours),
        y=Axis("", -0.6, raters - 0.4, tuple((float(raters - 1 - j), _rater(ratings, j)) for j in range(raters))),
        marks=_cells(share, ratings.colours),
        note=_("A box filling its place would be 100 %. N = {m} {ratings}.").format(
            m=numbers.count(ratings.rating_count), ratings=nouns.ratings
        )
        + _key(ratings),
    )


def confusion(ratings: Ratings, nouns: Nouns = PLAIN) -> Figure | None:
    """If one rater gives a class, how often does another give each class: rows sum to 100 %."""
    k = len(ratings.classes)
    pairs = class_pairs(ratings)
    if not 2 < k <= MOST_CLASSES or not pairs.sum():
        return None
    share = pairs / np.maximum(pairs.sum(axis=1, keepdims=True), 1e-300)
    labels = numbers.shorts(ratings.classes, _NAME)
    told = "; ".join(
        f"{c}: " + ", ".join(f"{d} {numbers.percent(float(share[i, j]))}" for j, d in enumerate(labels))
        for i, c in enumerate(labels)
    )
    return Figure(
        kind="confusion",
        title=_("When one {rater} says the class at the left, what another says").format(rater=nouns.rater),
        alt=_("Share of each class given by a second {rater}, by the class given by a first. {told}.").format(
            rater=nouns.rater, told=told
        ),
        x=Axis("", -0.5, k - 0.5, _class_ticks(ratings), colours=ratings.colours),
        y=Axis(
            "",
            -0.6,
            k - 0.4,
            tuple((float(k - 1 - i), label) for i, label in enumerate(labels)),
            colours=ratings.colours,
        ),
        marks=(*_cells(share, ratings.colours), *_numbers(share)),
        note=_(
            "N = {size}. In 100, each row by itself; a box filling its place would be 100. Every pair of {ratings} of "
            "a {subject} counts, {subjects} equally."
        ).format(size=_paired(ratings, nouns), ratings=nouns.ratings, subject=nouns.subject, subjects=nouns.subjects)
        + _key(ratings),
    )


def class_pairs(ratings: Ratings) -> NDArray[np.float64]:
    """Shape (K, K): pairs of ratings of a subject by their two classes, divided by the subject's ratings minus one."""
    counts = ratings.counts().astype(np.float64)
    each = counts.sum(axis=1)
    factor = np.where(each > 1, ratings.subject_weights() / np.maximum(each - 1, 1), 0.0)
    table = (counts * factor[:, None]).T @ counts
    return np.asarray(table - np.diag(factor @ counts))


def _paired(ratings: Ratings, nouns: Nouns) -> str:
    """How many subjects have two ratings or more, and how many ratings those are."""
    each, weight = ratings.counts().sum(axis=1), ratings.subject_weights()
    some = each > 1
    return counted(int(weight[some].sum()), int((weight * each)[some].sum()), nouns)


def _cells(share: NDArray[np.float64], colours: tuple[str, ...]) -> tuple[Band, ...]:
    """A box in each cell that fills its share of the cell; row 0 on top, a colour for each column."""
    rows = share.shape[0]
    corners: dict[str, list[tuple[float, float, float]]] = {colour: [] for colour in colours}
    for (i, j), value in np.ndenumerate(share):
        half = 0.46 * float(np.sqrt(value))
        if half > 0:
            y = rows - 1 - i
            box = [(j - half, y - half, y + half), (j + half, y - half, y + half), (np.nan,) * 3]
            corners[colours[j]] += box
    return tuple(replace(_boxes(told, Role.MODEL, inner=True), colour=colour) for colour, told in corners.items())


def _numbers(share: NDArray[np.float64]) -> tuple[Words, ...]:
    """The hundredths in every cell: a small box alone is hard to read, and a pale one hard to see."""
    rows = share.shape[0]
    found: dict[str, list[tuple[float, float]]] = {}
    for (i, j), value in np.ndenumerate(share):
        if value > 0:
            found.setdefault(numbers.hundredths(float(value)), []).append((float(j), float(rows - 1 - i)))
    places = {told: np.array(at) for told, at in found.items()}
    return tuple(Words(told, at[:, 0], at[:, 1], Role.OBSERVED) for told, at in places.items())


def _numbered(ratings: Ratings) -> bool:
    """Whether the classes stand by number below a picture, for their names would not fit beside each other."""
    room = _ACROSS / max(len(ratings.classes), 1) - 8
    return any(fonts.width(numbers.short(c, _NAME), 13) > room for c in ratings.classes)


def _class_ticks(ratings: Ratings) -> tuple[tuple[float, str], ...]:
    by_number = _numbered(ratings)
    return tuple(
        (float(i), str(i + 1) if by_number else c) for i, c in enumerate(numbers.shorts(ratings.classes, _NAME))
    )


def _key(ratings: Ratings) -> str:
    """The numbers of the classes, where they stand for names."""
    if not _numbered(ratings):
        return ""
    return " " + "; ".join(f"{i + 1} = {c}" for i, c in enumerate(numbers.shorts(ratings.classes, 30))) + "."


def _rater(ratings: Ratings, index: int) -> str:
    name = ratings.raters[index]
    return numbers.shorts(ratings.raters, _NAME)[index] if ratings.raters_known else _("seat {name}").format(name=name)
