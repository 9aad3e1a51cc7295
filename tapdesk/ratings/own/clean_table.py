"""Ratings as a table, one row a rating or one row a case, with the reading options that give the same ratings back."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any

import numpy as np

from tapdesk.ratings.assembly import seat_numbers
from tapdesk.ratings.options import Layout, RatersAre
from tapdesk.ratings.ratings import Covariate, CovariateOf, IntArray, Ratings

_WHOLE_FLOAT = 1e15


class Shape(Enum):
    """What a row of a table is."""

    LONG = "long"
    WIDE = "wide"


@dataclass(frozen=True, eq=False)
class CleanTable:
    """Ratings as a table.

    Attributes
    ----------
    names
        Of the columns.
    rows
        Their cells, all of them text; a blank one is no rating, or nothing that is known.
    options
        Reading options by the names of their fields, with which the table gives the same ratings.
    left_out
        Further columns that have no place in this shape.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    options: Mapping[str, Any]
    left_out: tuple[str, ...] = ()


def usual_shape(ratings: Ratings, layout: Layout) -> Shape:
    """The shape in which nothing is left out, and among those the one that is nearest to the file.

    Parameters
    ----------
    ratings
        The ratings.
    layout
        Of the file they were read from.
    """
    wide = layout in {Layout.RATERS, Layout.SUBJECTS, Layout.CONFUSION} and not _without_place(ratings)
    return Shape.WIDE if wide and not _again(ratings).any() else Shape.LONG


def clean_table(ratings: Ratings, shape: Shape) -> CleanTable:
    """The table of some ratings; names of columns that would stand twice are made different."""
    return _wide(ratings) if shape is Shape.WIDE else _long(ratings)


def _again(ratings: Ratings) -> IntArray:
    """Shape (m,): how often the rater had rated the case before."""
    pair = ratings.subject.astype(np.int64) * max(len(ratings.raters), 1) + ratings.rater
    return seat_numbers(pair, int(pair.max(initial=-1)) + 1) if pair.size < _WHOLE_FLOAT else pair


def _without_place(ratings: Ratings) -> tuple[str, ...]:
    """The further columns that a row for each case has no place for."""
    return tuple(name for name, c in ratings.covariates.items() if c.of is not CovariateOf.SUBJECT)


def _fresh(wanted: str, taken: Sequence[str]) -> str:
    """A name for a column that none has yet, whatever the case of its letters."""
    known = {name.strip().casefold() for name in taken}
    name, n = wanted, 2
    while name.casefold() in known:
        name, n = f"{wanted} {n}", n + 1
    return name


def _texts(column: Covariate, ratings: Ratings) -> tuple[str, ...]:
    """The values of a further column as text; a known answer in the words of the class that it is."""
    texts = [value_text(value) for value in column.values]
    if column.name == ratings.known and (classes := ratings.known_classes()) is not None:
        texts = [text if c < 0 else ratings.classes[c] for text, c in zip(texts, classes.tolist(), strict=True)]
    return tuple(texts)


def value_text(value: object) -> str:
    """A value of a further column as text from which it comes back: whole numbers without decimals."""
    if isinstance(value, float | np.floating):
        number = float(value)
        if np.isnan(number):
            return ""
        return str(int(number)) if number.is_integer() and abs(number) < _WHOLE_FLOAT else repr(number)
    return str(value)


def _options(ratings: Ratings, layout: Layout, **columns: Any) -> Mapping[str, Any]:
    """What is said of every such table: its columns, its classes, and that a blank alone is no rating."""
    options: dict[str, Any] = {
        "layout": layout,
        **columns,
        "order": ratings.classes,
        "unordered": not ratings.ordered,
        "missing": (),
        "raters_are": RatersAre.PEOPLE if ratings.raters_known else RatersAre.SEATS,
        "keep_summaries": True,
        "decimal": ".",
        "header": 1,
        "header_rows": 1,
        "last": 0,
    }
    if ratings.known:
        options |= {"known": ratings.known, "known_by": ratings.known_by or None}
    return MappingProxyType({name: value for name, value in options.items() if value is not None})


def _long(ratings: Ratings) -> CleanTable:
    """One row a rating; a rater who would be met too late is named with the first case, without a rating."""
    taken = list(ratings.covariates)
    case = _fresh("case", taken)
    rater = _fresh("rater", [*taken, case])
    rating = _fresh("rating", [*taken, case, rater])
    count = None if ratings.weight is None else _fresh("cases", [*taken, case, rater, rating])
    columns = [(c.of, _texts(c, ratings)) for c in ratings.covariates.values()]
    rows = []
    for entry in _entries(ratings):
        at = entry.row
        cells = [ratings.subjects[entry.subject], ratings.raters[entry.rater]]
        cells.append("" if at is None else ratings.classes[int(ratings.category[at])])
        if ratings.weight is not None:
            cells.append(str(int(ratings.weight[entry.subject])))
        place = {CovariateOf.SUBJECT: entry.subject, CovariateOf.RATER: entry.rater, CovariateOf.RATING: at}
        cells += [texts[i] if (i := place[of]) is not None else "" for of, texts in columns]
        rows.append(tuple(cells))
    names = (case, rater, rating, *([count] if count else []), *taken)
    options = _options(ratings, Layout.LONG, subject=case, rater=rater, rating=rating, count=count)
    return CleanTable(names, tuple(rows), options)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A row of a long table: whose, of which case, and which rating it is; None for none."""

    subject: int
    rater: int
    row: int | None


def _entries(ratings: Ratings) -> Iterator[_Entry]:
    """The ratings in their order, raters in that of their names."""
    pairs = [(int(s), int(j)) for s, j in zip(ratings.subject, ratings.rater, strict=True)]
    met = list(dict.fromkeys(j for _s, j in pairs))
    first = [i for i, (s, _j) in enumerate(pairs) if s == 0]
    start = 0
    if met != list(range(len(ratings.raters))):
        # Names come back in the order in which they are met.
        start = len(first)
        for j in range(len(ratings.raters)):
            own: list[int | None] = [i for i in first if pairs[i][1] == j]
            yield from (_Entry(0, j, i) for i in own or [None])
    for i in range(start, len(pairs)):
        yield _Entry(*pairs[i], i)


def _wide(ratings: Ratings) -> CleanTable:
    """One row a case, and a further one where a rater rated it again."""
    own = [c for c in ratings.covariates.values() if c.of is CovariateOf.SUBJECT]
    taken = [*ratings.raters, *(c.name for c in own)]
    case = _fresh("case", taken)
    count = None if ratings.weight is None else _fresh("cases", [*taken, case])
    again = _again(ratings)
    height = np.zeros(len(ratings.subjects), dtype=np.int64)
    np.maximum.at(height, ratings.subject, again + 1)
    start = np.concatenate([[0], np.cumsum(height)])
    cells = np.full((int(start[-1]), len(ratings.raters)), -1, dtype=np.int64)
    cells[start[ratings.subject] + again, ratings.rater] = ratings.category
    labels = (*ratings.classes, "")
    columns = [_texts(c, ratings) for c in own]
    rows = []
    for row, subject in enumerate(np.repeat(np.arange(height.size), height).tolist()):
        more = [] if ratings.weight is None else [str(int(ratings.weight[subject]))]
        further = [texts[subject] for texts in columns]
        rows.append((ratings.subjects[subject], *(labels[c] for c in cells[row].tolist()), *more, *further))
    beside_names = _different([c.name for c in own], [case, *ratings.raters, *([count] if count else [])])
    names = (case, *ratings.raters, *([count] if count else []), *beside_names)
    options = dict(_options(ratings, Layout.RATERS, subject=case, columns=ratings.raters, count=count))
    if ratings.known:
        options["known"] = dict(zip((c.name for c in own), beside_names, strict=True))[ratings.known]
    return CleanTable(names, tuple(rows), MappingProxyType(options), _without_place(ratings))


def _different(names: Sequence[str], taken: Sequence[str]) -> tuple[str, ...]:
    """Names of columns, those that stand among others already made different."""
    made: list[str] = []
    for name in names:
        made.append(_fresh(name, [*taken, *made]) if name in {*taken, *made} else name)
    return tuple(made)


_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?")


def numbers_of(texts: Sequence[str]) -> tuple[float | None, ...] | None:
    """The cells of a column as numbers, blanks as None, where each is the text that its number has; else None."""
    numbers: list[float | None] = []
    for text in texts:
        if not text:
            numbers.append(None)
            continue
        if not _NUMBER.fullmatch(text) or value_text(float(text)) != text:
            return None
        numbers.append(float(text))
    return tuple(numbers) if any(n is not None for n in numbers) else None
