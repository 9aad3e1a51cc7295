"""The account of a reading: every cell of the rating area is a rating, a missing code or left out for a reason.

It is made from the cells as the file holds them and from what its columns are for, apart from the way ratings are
assembled, and held against the ratings. Where the two differ, the fault is the program's and no number may come of it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.ratings.assembly import NOBODY
from tapdesk.ratings.findings import Account, AccountRow, Finding, short_text
from tapdesk.ratings.grid import Piece, TextColumn, column_letter
from tapdesk.ratings.header import same_row
from tapdesk.ratings.layouts.known import known_rater
from tapdesk.ratings.layouts.roles import Roles, question_rows, rows_that_pass, total_and_part
from tapdesk.ratings.number_marks import readings
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import IntArray, Ratings
from tapdesk.ratings.table import RatingTable, is_rule
from tapdesk.ratings.texts import missing_codes

_MOST_NAMED = 1_000  # raters whose accounts are kept one by one
_MOST_PAIRS = 20_000_000  # of a rater and a text that are compared one by one
_READ = 0
_REASONS = (
    "",
    _("above the table"),
    _("below the table"),
    _("repeated headers"),
    _("hidden"),
    _("filtered out"),
    _("other questions"),
    _("of rows that stand for no {subject}"),
    _("in classes on neither side"),
    _("known answers"),
)
_ABOVE, _BELOW, _HEADER, _HIDDEN, _FILTER, _QUESTION, _NOBODY, _SIDES, _KEY = range(1, 10)


@dataclass(frozen=True, eq=False)
class _Area:
    """The rows below the header, why some are left out, how many cases each stands for, what a blank rating means."""

    table: RatingTable
    roles: Roles
    rows: IntArray
    reason: NDArray[np.int8]
    weight: NDArray[np.float64] | None
    blank: str | None = None

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Shape (rows,): which rows are read."""
        return np.asarray(self.reason == _READ)

    @property
    def rating_positions(self) -> list[int]:
        """Where the ratings stand in the file, one column for each."""
        result = self.roles
        return [self.table.position(n) for n in ((result.rating,) if result.rating is not None else result.columns)]

    def column(self, position: int) -> TextColumn:
        """The cells of a column of the file, row by row."""
        return self.table.grid.columns[position].take(slice(self.rows[0], self.rows[-1] + 1))

    def rated(self, position: int) -> TextColumn:
        """The cells of a column of ratings; those that are blank as what they mean."""
        return self.column(position).filled(self.blank)

    def called(self, name: str) -> TextColumn:
        """The cells of a column by its name."""
        return self.column(self.table.position(name))

    def weights(self, which: NDArray[np.bool_]) -> NDArray[np.float64] | None:
        """How many cases some rows stand for, None for one each."""
        return None if self.weight is None else self.weight[which]


def account_of(
    whole: RatingTable,
    table: RatingTable,
    roles: Roles,
    pieces: Sequence[Piece],
    as_read: Ratings,
    ratings: Ratings,
    findings: Iterable[Finding],
    options: ReadingOptions,
    counted: str | None,
) -> Account:
    """The account of a reading, held against the ratings it made.

    Parameters
    ----------
    whole
        Where the table stands in its grid.
    table, roles
        The rows of it that answer the question asked, and what its columns are for.
    pieces
        The sheets or files the grid was stacked from, as they were opened.
    as_read, ratings
        The ratings, before and after class 1 and class 0 were chosen.
    findings
        What was noticed; lines that are no cases must stand there.
    options
        What the user decided, with the decimal mark of the ratings.
    counted
        The decimal mark of the counts.

    Raises
    ------
    TapdeskError
        When a cell was lost, doubled or given to another rater: a fault of the program.
    """
    area = _area(whole, table, roles, {f.code: f for f in findings}, options, counted)
    _check_pieces(area, pieces)
    if roles.layout in {Layout.COUNTS, Layout.CONFUSION}:
        return Account(_counted(area, as_read, ratings, replace(options, decimal=counted)))
    total, raters = _rated(area, as_read, ratings, options)
    return Account(total, raters, _by_piece(area, pieces, as_read, options))


def _area(
    whole: RatingTable,
    table: RatingTable,
    roles: Roles,
    by_key: Mapping[str, Finding],
    options: ReadingOptions,
    counted: str | None,
) -> _Area:
    """Every row below the header, with the reason why it is not read."""
    grid = table.grid
    first = table.header_rows[-1] if table.header_rows else 0
    rows: IntArray = np.arange(first, grid.rows)
    reason = np.zeros(rows.size, dtype=np.int8)
    inside = np.zeros(grid.rows, dtype=bool)
    inside[whole.row_numbers - 1] = True
    outside = np.flatnonzero(~inside[first:])
    if outside.size:
        notes = by_key.get("notes_below") or by_key.get("rows_below")
        below = {int(r) - 1 for group in (notes.about if notes else ()) for r in group}
        header = same_row(grid, first - 1) if first else np.zeros(grid.rows, dtype=bool)
        start = int(whole.row_numbers[0]) - 1
        hidden = frozenset() if options.hidden else frozenset(grid.hidden_rows)
        for i in outside.tolist():
            row = first + i
            if row in hidden:
                reason[i] = _HIDDEN
            elif header[row] or (row == first and is_rule(grid, row)):
                reason[i] = _HEADER
            elif row < start and not first and ("letterhead" in by_key or options.header == 0):
                reason[i] = _ABOVE
            elif row in below or (options.last and row >= options.last):
                reason[i] = _BELOW
    reason[_read_but(reason, ~_answering(whole, table, roles, rows, options))] = _QUESTION
    reason[_read_but(reason, ~rows_that_pass(table, rows, options))] = _FILTER
    area = _Area(table, roles, rows, reason, None, options.blank)
    who = known_rater(whole, options)
    if who is not None and roles.rater is not None:
        # The whole of a rater's ratings are the known answers.
        cells = area.called(roles.rater)
        own = np.array([text.strip().casefold() == who.strip().casefold() for text in cells.values], dtype=bool)
        reason[_read_but(reason, own[cells.codes])] = _KEY
    if roles.count is None or roles.layout in {Layout.CONFUSION, Layout.SUBJECTS}:
        return area
    weight = _numbers(area, roles.count, counted)
    reason[_read_but(reason, weight == 0)] = _NOBODY
    return replace(area, weight=weight)


def _read_but(reason: NDArray[np.int8], which: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The rows of some that no earlier reason leaves out."""
    return np.asarray((reason == _READ) & which)


def _answering(
    whole: RatingTable, table: RatingTable, roles: Roles, rows: IntArray, options: ReadingOptions
) -> NDArray[np.bool_]:
    """Shape (rows,): all rows but those of the table that answer another question."""
    # Rows taken apart for a question are a table of their own, without the column that names it.
    answers = table.row_numbers
    if roles.question is not None and options.only is not None:
        answers = answers[question_rows(table, roles.question, options.only)]
    others = np.zeros(table.grid.rows, dtype=bool)
    others[whole.row_numbers - 1] = True
    others[answers - 1] = False
    return ~others[rows]


def _numbers(area: _Area, column: str, decimal: str | None) -> NDArray[np.float64]:
    """Shape (rows,): the whole numbers of a column of counts, blanks as 0."""
    cells = area.called(column)
    read = [readings(v).get(decimal or ".") for v in cells.values]
    numbers = np.array([0 if count is None else count.value for count in read], dtype=np.float64)
    return np.asarray(numbers[cells.codes])


def _plain(text: str) -> str:
    """A text as it is compared: without blanks around it and the apostrophe of a number typed as text."""
    return text.strip().removeprefix("'").strip()


def _index(names: Iterable[str], known: dict[str, int]) -> IntArray:
    """The number of each name, new ones added to those known."""
    return np.array([known.setdefault(_plain(n), len(known)) for n in names], dtype=np.int64)


def _raters(area: _Area, known: dict[str, int]) -> list[IntArray | int]:
    """For each column of ratings whose its cells are, row by row or altogether; 0 where nobody is known."""
    columns, result = area.rating_positions, area.roles
    if result.layout is Layout.RATERS:
        nameless = [f"Column {p + 1}" for p in columns] == list(result.columns) and not area.table.header_rows
        numbered = [_("{Rater} {n}").format(n=i + 1) for i in range(len(columns))]
        return [int(i) for i in _index(numbered if nameless else result.columns, known)]
    if result.layout is Layout.SUBJECTS and result.rater is None:
        place = np.cumsum(np.isin(area.rows + 1, area.table.row_numbers)) - 1
        return [_index(map(str, range(1, int(place.max(initial=0)) + 2)), known)[np.maximum(place, 0)]] * len(columns)
    if result.rater is None:
        known[""] = 0
        return [0] * len(columns)
    cells = area.called(result.rater)
    nobody = NOBODY if result.layout is not Layout.SUBJECTS else ""
    who = _index((v if v.strip() else nobody for v in cells.values), known)[cells.codes]
    if result.layout is Layout.SUBJECTS and (blank := cells.blank).any():
        who[blank] = _index((f"row {r + 1}" for r in area.rows[blank]), known)
    return [who] * len(columns)


def _meanings(area: _Area, options: ReadingOptions) -> tuple[dict[str, int], dict[str, int]]:
    """Each text of a cell that is read which is a rating, with its number, and each that is a missing code."""
    columns = (area.rated(position).take(area.kept).used() for position in area.rating_positions)
    texts = list(dict.fromkeys(v for column in columns for v in column.values))
    absent = missing_codes([_plain(t) for t in texts], options.missing, options.classes, options.decimal or ".")
    classes: dict[str, int] = {}
    codes: dict[str, int] = {}
    for text, none in zip(texts, absent, strict=True):
        plain = _plain(text)
        if none and text.strip():
            codes.setdefault(plain, len(codes))
        elif not none:
            classes.setdefault(plain, len(classes))
    return classes, codes


def _rated(
    area: _Area, as_read: Ratings, ratings: Ratings, options: ReadingOptions
) -> tuple[AccountRow, tuple[AccountRow, ...]]:
    """The account of cells that each hold a rating, in all and by rater."""
    known: dict[str, int] = {}
    whose = _raters(area, known)
    classes, codes = _meanings(area, options)
    of_rating: IntArray = np.zeros(len(as_read.raters), dtype=np.int64)
    if area.roles.rater is not None or area.roles.layout in {Layout.RATERS, Layout.SUBJECTS}:
        of_rating = _index(as_read.raters, known)
    of_class = _index(as_read.classes, classes)
    n, k = max(len(known), 1), max(len(classes), 1)
    there = _Tally(area, classes, codes, n, k, paired=n * k <= _MOST_PAIRS)
    for position, who in zip(area.rating_positions, whose, strict=True):
        there.add(position, who)
    rater, category = of_rating[as_read.rater], of_class[as_read.category]
    weight = None if as_read.weight is None else as_read.weight[as_read.subject].astype(np.float64)
    here = _total(rater * k + category if there.paired else rater, weight, there.ratings.size)
    by_class = _total(category, weight, k)
    _compare(there, here, by_class, list(known), list(classes))
    sides = _sides(as_read, ratings, by_class, of_class, area.table.file, options)
    mine = here.reshape(n, -1).sum(axis=1)
    rows = tuple(
        _row(who, round(float(mine[i])), there.missing[i], there.left[i])
        for who, i in known.items()
        if who and len(known) <= _MOST_NAMED and sides == 0
    )
    left = there.left.sum(axis=0)
    left[_SIDES] = sides
    return _row("", round(float(mine.sum())) - sides, there.missing.sum(), left), rows


def _total(codes: IntArray, weight: NDArray[np.float64] | None, size: int) -> NDArray[np.float64]:
    """Shape (size,): how often each code occurs, or what it weighs."""
    return np.bincount(codes, weight, size).astype(np.float64)


class _Tally:
    """Cells counted from the file: ratings by rater (and text), missing codes and what is left out by rater.

    The texts that are ``classes`` and ``codes`` for no rating have numbers; there are ``n`` raters and ``k`` classes.
    """

    def __init__(
        self, area: _Area, classes: Mapping[str, int], codes: Mapping[str, int], n: int, k: int, *, paired: bool
    ) -> None:
        self.paired = paired
        self.ratings = np.zeros(n * k if paired else n)
        self.missing, self.left, self.classes = np.zeros(n), np.zeros((n, len(_REASONS))), np.zeros(k)
        self.table, self.layout = area.table, area.roles.layout
        self._area, self._numbers, self._codes = area, classes, codes

    def add(self, position: int, who: IntArray | int) -> None:
        """Count the cells of one column."""
        area, column = self._area, self._area.rated(position)
        plain = [(_plain(v), bool(v.strip())) for v in column.values]
        number = np.array([self._numbers.get(p, -1) if there else -1 for p, there in plain])
        absent = np.array([p in self._codes and there for p, there in plain])
        n, k = self.missing.size, self.classes.size
        kept = area.kept
        rated = number[column.codes] >= 0
        rated &= kept
        words = number[column.codes[rated]]
        weight = area.weights(rated)
        own = np.bincount(words, weight, k)
        self.classes += own
        if not isinstance(who, int):
            by = who[rated]
            self.ratings += np.bincount(by * k + words if self.paired else by, weight, self.ratings.size)
        elif self.paired:
            self.ratings[who * k : (who + 1) * k] += own
        else:
            self.ratings[who] += own.sum()
        if absent.any():
            none = absent[column.codes] & kept
            self.missing += np.bincount(_whose(who, none), area.weights(none), n)
        if not kept.all():
            out = ~kept & ~column.blank
            pairs = _whose(who, out) * len(_REASONS) + area.reason[out]
            weight = None if area.weight is None else np.maximum(area.weight[out], 1)
            self.left += np.bincount(pairs, weight, n * len(_REASONS)).reshape(n, -1)


def _whose(who: IntArray | int, which: NDArray[np.bool_]) -> IntArray:
    return np.full(int(which.sum()), who) if isinstance(who, int) else who[which]


def _row(name: str, ratings: int, missing: float, left: NDArray[np.float64]) -> AccountRow:
    out = {_REASONS[i]: round(float(x)) for i, x in enumerate(left) if i and x}
    gone = round(float(missing))
    return AccountRow(name, ratings + gone + sum(out.values()), ratings, gone, MappingProxyType(out))


def _compare(
    tally: _Tally, here: NDArray[np.float64], by_class: NDArray[np.float64], raters: list[str], classes: list[str]
) -> None:
    """Refuse ratings that are not those of the cells, naming the first rater or class that differs."""
    there, table, k = tally.ratings, tally.table, max(len(classes), 1)
    wrong = np.flatnonzero(there != here)
    if wrong.size:
        at = int(wrong[0])
        rater = raters[at // k if tally.paired else at] if raters else ""
        own = slice(at // k * k, at // k * k + k) if tally.paired else slice(at, at + 1)
        cells, read = int(there[own].sum()), int(here[own].sum())
        text = f"'{short_text(rater or classes[at % k])}'"
        column = rater in table.names and tally.layout is Layout.RATERS
        place = f"{table.file}, {table.place(rater)}" if column else table.file
        if cells == read:
            text = _("'{text}' of '{rater}'").format(text=short_text(classes[at % k]), rater=short_text(rater))
            cells, read = int(there[at]), int(here[at])
        raise _accounting_fault(text, cells, read, place)
    for label, held, sentence in zip(classes, tally.classes, by_class, strict=False):
        if held != sentence:
            raise _accounting_fault(f"'{short_text(label)}'", int(held), int(sentence), table.file)


def _accounting_fault(what: str, cells: int, read: int, where: str) -> TapdeskError:
    """The refusal of a reading that does not add up: never the user's doing."""
    return TapdeskError(
        ngettext(
            "This is a fault of the program, not of your file: of {what} the file holds {cells:,} {ratings} "
            "and {read:,} were read, a difference of {n:,}.",
            "This is a fault of the program, not of your file: of {what} the file holds {cells:,} "
            "{ratings} and {read:,} were read, a difference of {n:,}.",
            cells,
        ).format(what=what, cells=cells, read=read, n=abs(cells - read)),
        where,
        _("No number is given. Please report it with the file, or save the table in another layout and try again."),
    )


def _sides(
    as_read: Ratings,
    ratings: Ratings,
    by_class: NDArray[np.float64],
    of_class: IntArray,
    name: str,
    options: ReadingOptions,
) -> int:
    """How many ratings are in classes on neither side."""
    if options.class1 is None:
        return 0
    named = {*options.class1, *(options.class0 or ())} if options.class0 is not None else set(as_read.classes)
    outside = sorted({int(i) for label, i in zip(as_read.classes, of_class, strict=True) if label not in named})
    expected = round(float(by_class[outside].sum()))
    if as_read.rating_count - ratings.rating_count != expected:
        raise _accounting_fault(
            _("the classes of both sides"), as_read.rating_count - expected, ratings.rating_count, name
        )
    return expected


def _counted(area: _Area, as_read: Ratings, ratings: Ratings, options: ReadingOptions) -> AccountRow:
    """The account of cells that count ratings."""
    table, result, kept, weight = area.table, area.roles, area.kept, area.weight
    numbers = np.stack([_numbers(area, n, options.decimal) for n in result.columns], axis=1)
    classes, pair = result.columns, total_and_part(table)
    if pair is not None and set(pair) == set(classes):
        total, inside = (numbers[:, classes.index(name)] for name in pair)
        numbers, classes = np.stack([total - inside, inside], axis=1), ("class 0", "class 1")
    k = len(classes)
    if result.layout is Layout.CONFUSION:
        first = _first_class(area)
        kept = kept & (first >= 0)
        there = np.concatenate([_total(first[kept], numbers[kept].sum(axis=1), k), numbers[kept].sum(axis=0)])
        by = as_read.rater
    else:
        each = numbers if weight is None else numbers * np.maximum(weight, 0)[:, None]
        there, by = each[kept].sum(axis=0), np.zeros(as_read.subject.size, dtype=np.int64)
    own = None if as_read.weight is None else as_read.weight[as_read.subject].astype(np.float64)
    order = [as_read.classes.index(c) for c in classes]
    here = _total(by * k + as_read.category, own, there.size).reshape(-1, k)[:, order].ravel()
    wrong = np.flatnonzero(there != here)
    if wrong.size:
        at = int(wrong[0])
        column = result.columns[at % k]
        place = f"{table.file}, {table.place(column)}"
        raise _accounting_fault(f"'{short_text(column)}'", int(there[at]), int(here[at]), place)
    by_class = _total(as_read.category, own, k)
    sides = _sides(as_read, ratings, by_class, np.arange(k), table.file, options)
    left = np.zeros(len(_REASONS))
    if result.layout is Layout.COUNTS:
        np.add.at(left, area.reason, numbers.sum(axis=1) * (1 if weight is None else np.maximum(weight, 1)))
    left[_SIDES] = sides
    return _row("", round(float(here.sum())) - sides, 0.0, left)


def _first_class(area: _Area) -> IntArray:
    """Shape (rows,): the class of the first of two crossed raters in each row; -1 in rows of sums."""
    result = area.roles
    if result.subject is None:
        inside = np.isin(area.rows + 1, area.table.row_numbers)
        return np.asarray(np.where(inside, np.cumsum(inside) - 1, -1))
    place = {c.strip(): j for j, c in enumerate(result.columns)}
    cells = area.called(result.subject)
    return np.array([place.get(v.strip(), -1) for v in cells.values])[cells.codes]


def _check_pieces(area: _Area, pieces: Sequence[Piece]) -> None:
    """Refuse stacked sheets or files whose cells are not those below one another."""
    table = area.table
    last = area.column(len(table.grid.columns) - 1)
    for position in area.rating_positions if pieces else ():
        column = area.column(position)
        head = table.grid.columns[position].text(table.header_rows[-1] - 1).strip() if table.header_rows else ""
        for piece in pieces:
            own = piece.column(head)
            if own is None:
                continue
            number = last.values.index(piece.name) if piece.name in last.values else -1
            there, here = _texts_of(own), _texts_of(column.take(last.codes == number))
            if there == here:
                continue
            what = _("'{column}' on '{sheet}'").format(column=short_text(head), sheet=short_text(piece.name))
            cells, read = sum(there.values()), sum(here.values())
            if cells == read:
                text = next(t for t in {**there, **here} if there.get(t) != here.get(t))
                what = _("{column}, '{text}'").format(column=what, text=short_text(text))
                cells, read = there.get(text, 0), here.get(text, 0)
            raise _accounting_fault(what, cells, read, f"{table.file}, column {column_letter(position)}")


def _texts_of(column: TextColumn) -> Counter[str]:
    """How often each text of some cells occurs, blanks aside."""
    counter: Counter[str] = Counter()
    for text, n in zip(column.values, column.counts(), strict=True):
        if n and text.strip():
            counter[text.strip()] += int(n)
    return counter


def _by_piece(
    area: _Area, pieces: Sequence[Piece], as_read: Ratings, options: ReadingOptions
) -> tuple[AccountRow, ...]:
    """The account by sheet or file, where several were read as one."""
    if not pieces or as_read.weight is not None:
        return ()
    classes, codes = _meanings(area, options)
    last = area.column(len(area.table.grid.columns) - 1)
    tally = _Tally(area, classes, codes, len(last.values), max(len(classes), 1), paired=False)
    for position in area.rating_positions:
        tally.add(position, last.codes)
    place = {v: i for i, v in enumerate(last.values)}
    return tuple(
        _row(p.name, int(tally.ratings[i]), tally.missing[i], tally.left[i])
        for p in pieces
        if (i := place.get(p.name)) is not None
    )
