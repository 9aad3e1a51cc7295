"""The account of a reading: every cell of the rating area is a rating, a missing code or left out for a reason.

It is made from the cells as the file holds them and from what its columns are for, apart from the way ratings are
assembled, and held against the ratings. Where the two differ, the fault is the program's and no number may come of it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.ratings.findings import Account, AccountRow, Finding, short_text
from tapdesk.ratings.grid import CellGrid, Piece, TextColumn, column_letter
from tapdesk.ratings.header import same_row
from tapdesk.ratings.layouts.roles import Roles, question_rows, rows_that_pass
from tapdesk.ratings.number_marks import readings
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import IntArray, Ratings
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import missing_codes

_MOST_NAMED = 1_000  # raters whose accounts are kept one by one
_MOST_PAIRS = 20_000_000  # of a rater and a text that are compared one by one
_RULE = re.compile(r"[:|+]?[-=_]{3,}[:|+]?")
_READ = 0
_REASONS = (
    "",
    _("above the table"),
    _("below the table"),
    _("repeated headers"),
    _("hidden"),
    _("filtered out"),
    _("other questions"),
    _("of rows that stand for no case"),
    _("in classes on neither side"),
)
_ABOVE, _BELOW, _HEADER, _HIDDEN, _FILTER, _QUESTION, _NOBODY, _SIDES = range(1, 9)


@dataclass(frozen=True, eq=False)
class _Area:
    """The rows below the header, why some are left out, and how many cases each stands for."""

    grid: CellGrid
    rows: IntArray
    reason: NDArray[np.int8]
    weight: NDArray[np.float64] | None

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Shape (rows,): which rows are read."""
        return np.asarray(self.reason == _READ)

    def codes(self, position: int) -> IntArray:
        """Shape (rows,): the coded cells of a column."""
        return self.grid.columns[position].codes[self.rows[0] : self.rows[-1] + 1]

    def weights(self, which: NDArray[np.bool_]) -> NDArray[np.float64] | None:
        """How many cases some rows stand for, None for one each."""
        return None if self.weight is None else self.weight[which]


def account_of(
    whole: RatingTable,
    table: RatingTable,
    found: Roles,
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
    table, found
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
    area = _area(whole, table, found, {f.code: f for f in findings}, options, counted)
    _check_pieces(table, found, pieces, area)
    if found.layout in {Layout.COUNTS, Layout.CONFUSION}:
        tallied = _counted(table, found, area, as_read, ratings, replace(options, decimal=counted))
        return Account(tallied)
    total, raters = _rated(table, found, area, as_read, ratings, options)
    return Account(total, raters, _by_piece(table, found, pieces, area, as_read, options))


def _area(
    whole: RatingTable,
    table: RatingTable,
    found: Roles,
    told: Mapping[str, Finding],
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
        notes = told.get("notes_below") or told.get("rows_below")
        below = {int(r) - 1 for group in (notes.about if notes else ()) for r in group}
        header = same_row(grid, first - 1) if first else np.zeros(grid.rows, dtype=bool)
        start = int(whole.row_numbers[0]) - 1
        hidden = frozenset() if options.hidden else frozenset(grid.hidden_rows)
        for i in outside.tolist():
            row = first + i
            if row in hidden:
                reason[i] = _HIDDEN
            elif header[row] or (row == first and _is_rule(grid, row)):
                reason[i] = _HEADER
            elif row < start and not first and ("letterhead" in told or options.header == 0):
                reason[i] = _ABOVE
            elif row in below or (options.last and row >= options.last):
                reason[i] = _BELOW
    reason[_read_but(reason, ~_answering(whole, table, found, rows, options))] = _QUESTION
    reason[_read_but(reason, ~rows_that_pass(table, rows, options))] = _FILTER
    weight = None
    if found.count is not None and found.layout not in {Layout.CONFUSION, Layout.SUBJECTS}:
        weight = _numbers(table, rows, found.count, counted)
        reason[_read_but(reason, weight == 0)] = _NOBODY
    return _Area(grid, rows, reason, weight)


def _is_rule(grid: CellGrid, row: int) -> bool:
    texts = [t.strip() for t in grid.row(row)]
    return any(texts) and all(_RULE.fullmatch(t) for t in texts if t)


def _read_but(reason: NDArray[np.int8], which: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The rows of some that no earlier reason leaves out."""
    return np.asarray((reason == _READ) & which)


def _position(table: RatingTable, column: str) -> int:
    """Where a column stands in the file, by its name however it is capitalised."""
    names = [n.strip().casefold() for n in table.names]
    exact = table.names.index(column) if column in table.names else names.index(column.strip().casefold())
    return table.positions[exact]


def _answering(
    whole: RatingTable, table: RatingTable, found: Roles, rows: IntArray, options: ReadingOptions
) -> NDArray[np.bool_]:
    """Shape (rows,): all rows but those of the table that answer another question."""
    # Rows taken apart for a question are a table of their own, without the column that names it.
    answers = table.row_numbers
    if found.question is not None and options.only is not None:
        answers = answers[question_rows(table, found.question, options.only)]
    return ~np.isin(rows + 1, np.setdiff1d(whole.row_numbers, answers))


def _numbers(table: RatingTable, rows: IntArray, column: str, decimal: str | None) -> NDArray[np.float64]:
    """Shape (rows,): the whole numbers of a column of counts, blanks as 0."""
    cells = table.grid.columns[_position(table, column)]
    mark = decimal or "."
    read = [readings(v).get(mark) for v in cells.values]
    numbers = np.array([0 if count is None else count.value for count in read], dtype=np.float64)
    return np.asarray(numbers[cells.codes[rows]])


def _plain(text: str) -> str:
    """A text as it is compared: without blanks around it and the apostrophe of a number typed as text."""
    return text.strip().removeprefix("'").strip()


def _rating_positions(table: RatingTable, found: Roles) -> list[int]:
    """Where the ratings stand in the file, one column for each."""
    names = [found.rating] if found.rating is not None else list(found.columns)
    return [_position(table, n) for n in names if n is not None]


def _index(names: Iterable[str], known: dict[str, int]) -> IntArray:
    """The number of each name, new ones added to those known."""
    return np.array([known.setdefault(_plain(n), len(known)) for n in names], dtype=np.int64)


def _raters(table: RatingTable, found: Roles, area: _Area, known: dict[str, int]) -> list[IntArray | int]:
    """For each column of ratings whose its cells are, row by row or altogether; 0 where nobody is known."""
    columns = _rating_positions(table, found)
    if found.layout is Layout.RATERS:
        nameless = [f"Column {p + 1}" for p in columns] == list(found.columns) and not table.header_rows
        numbered = [_("Rater {n}").format(n=i + 1) for i in range(len(columns))]
        return [int(i) for i in _index(numbered if nameless else found.columns, known)]
    if found.layout is Layout.SUBJECTS and found.rater is None:
        place = np.cumsum(np.isin(area.rows + 1, table.row_numbers)) - 1
        return [_index(map(str, range(1, int(place.max(initial=0)) + 2)), known)[np.maximum(place, 0)]] * len(columns)
    if found.rater is None:
        known[""] = 0
        return [0] * len(columns)
    cells = area.grid.columns[_position(table, found.rater)]
    nobody = "(no name)" if found.layout is not Layout.SUBJECTS else ""
    numbers = _index((v if v.strip() else nobody for v in cells.values), known)
    who = numbers[cells.codes[area.rows]]
    if found.layout is Layout.SUBJECTS and (blank := cells.blank[area.rows]).any():
        who[blank] = _index((f"row {r + 1}" for r in area.rows[blank]), known)
    return [who] * len(columns)


def _texts(area: _Area, positions: Sequence[int]) -> list[str]:
    """The distinct texts of the cells that are read."""
    found: dict[str, None] = {}
    kept = area.kept
    for position in positions:
        column = area.grid.columns[position]
        used = np.bincount(area.codes(position)[kept], minlength=len(column.values)) > 0
        found |= dict.fromkeys(v for v, u in zip(column.values, used, strict=True) if u)
    return list(found)


def _meanings(area: _Area, positions: Sequence[int], options: ReadingOptions) -> tuple[dict[str, int], dict[str, int]]:
    """Each text that is a rating with its number, and each that is a missing code."""
    texts = _texts(area, positions)
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
    table: RatingTable,
    found: Roles,
    area: _Area,
    as_read: Ratings,
    ratings: Ratings,
    options: ReadingOptions,
) -> tuple[AccountRow, tuple[AccountRow, ...]]:
    """The account of cells that each hold a rating, in all and by rater."""
    positions = _rating_positions(table, found)
    known: dict[str, int] = {}
    whose = _raters(table, found, area, known)
    classes, codes = _meanings(area, positions, options)
    of_rating: IntArray = np.zeros(len(as_read.raters), dtype=np.int64)
    if found.rater is not None or found.layout in {Layout.RATERS, Layout.SUBJECTS}:
        of_rating = _index(as_read.raters, known)
    of_class = _index(as_read.classes, classes)
    n, k = max(len(known), 1), max(len(classes), 1)
    paired = n * k <= _MOST_PAIRS
    there = _Tally(np.zeros(n * k if paired else n), np.zeros(n), np.zeros((n, len(_REASONS))), np.zeros(k))
    for position, who in zip(positions, whose, strict=True):
        there.add(area, position, who, classes, codes, paired=paired)
    weight = None if as_read.weight is None else as_read.weight[as_read.subject].astype(np.float64)
    rater, category = of_rating[as_read.rater], of_class[as_read.category]
    here = _total(rater * k + category if paired else rater, weight, n * k if paired else n)
    by_class = _total(category, weight, k)
    _compare(there.ratings, here, by_class, there.classes, (list(known), list(classes), paired), table, found)
    sides = _sides(as_read, ratings, by_class, of_class, table.file, options)
    mine = here.reshape(n, k).sum(axis=1) if paired else here
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


@dataclass(eq=False)
class _Tally:
    """Cells counted from the file: ratings by rater (and text), missing codes and what is left out by rater."""

    ratings: NDArray[np.float64]
    missing: NDArray[np.float64]
    left: NDArray[np.float64]
    classes: NDArray[np.float64]

    def add(
        self,
        area: _Area,
        position: int,
        who: IntArray | int,
        classes: Mapping[str, int],
        codes: Mapping[str, int],
        *,
        paired: bool,
    ) -> None:
        """Count the cells of one column."""
        cells, column = area.codes(position), area.grid.columns[position]
        plain = [_plain(v) for v in column.values]
        number = np.array([classes.get(p, -1) if v.strip() else -1 for p, v in zip(plain, column.values, strict=True)])
        absent = np.array([p in codes and bool(v.strip()) for p, v in zip(plain, column.values, strict=True)])
        n, k = self.missing.size, self.classes.size
        kept = area.kept
        rated = number[cells] >= 0
        rated &= kept
        said = number[cells[rated]]
        weight = area.weights(rated)
        self.classes += np.bincount(said, weight, k)
        by = who if isinstance(who, int) else who[rated]
        if isinstance(by, int):
            own = np.bincount(said, weight, k)
            if paired:
                self.ratings[by * k : (by + 1) * k] += own
            else:
                self.ratings[by] += own.sum()
        else:
            self.ratings += np.bincount(by * k + said if paired else by, weight, self.ratings.size)
        if absent.any():
            none = absent[cells] & kept
            self.missing += np.bincount(_whose(who, none), area.weights(none), n)
        if not kept.all():
            out = ~kept & ~column.blank[area.rows[0] : area.rows[-1] + 1]
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
    there: NDArray[np.float64],
    here: NDArray[np.float64],
    by_class: NDArray[np.float64],
    classes_there: NDArray[np.float64],
    names: tuple[list[str], list[str], bool],
    table: RatingTable,
    found: Roles,
) -> None:
    """Refuse ratings that are not those of the cells, naming the first rater or class that differs.

    Raises
    ------
    TapdeskError
        When they differ.
    """
    raters, classes, paired = names
    if np.array_equal(there, here) and np.array_equal(by_class, classes_there):
        return
    wrong = np.flatnonzero(there != here)
    k = max(len(classes), 1)
    if wrong.size:
        at = int(wrong[0])
        rater = raters[at // k if paired else at] if raters else ""
        own = slice(at // k * k, at // k * k + k) if paired else slice(at, at + 1)
        cells, read = int(there[own].sum()), int(here[own].sum())
        told = f"'{short_text(rater or classes[at % k])}'"
        place = (
            f"{table.file}, {table.place(rater)}"
            if found.layout is Layout.RATERS and rater in table.names
            else table.file
        )
        if cells == read:
            told = _("'{text}' of '{rater}'").format(text=short_text(classes[at % k]), rater=short_text(rater))
            cells, read = int(there[at]), int(here[at])
        raise _accounting_fault(told, cells, read, place)
    at = int(np.flatnonzero(by_class != classes_there)[0])
    raise _accounting_fault(f"'{short_text(classes[at])}'", int(classes_there[at]), int(by_class[at]), table.file)


def _accounting_fault(what: str, cells: int, read: int, where: str) -> TapdeskError:
    """The refusal of a reading that does not add up: never the user's doing."""
    return TapdeskError(
        ngettext(
            "This is a fault of the program, not of your file: of {what} the file holds {cells:,} rating and {read:,} "
            "were read, a difference of {n:,}.",
            "This is a fault of the program, not of your file: of {what} the file holds {cells:,} ratings and {read:,} "
            "were read, a difference of {n:,}.",
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
    """How many ratings are in classes on neither side.

    Raises
    ------
    TapdeskError
        When it are not those that were left out.
    """
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


def _counted(
    table: RatingTable,
    found: Roles,
    area: _Area,
    as_read: Ratings,
    ratings: Ratings,
    options: ReadingOptions,
) -> AccountRow:
    """The account of cells that count ratings."""
    kept, weight = area.kept, area.weight
    numbers = np.stack([_numbers(table, area.rows, n, options.decimal) for n in found.columns], axis=1)
    totals = 1 if found.layout is Layout.COUNTS else 2
    if sorted(n.strip().lower() for n in found.columns) == ["n_class1", "n_ratings"]:
        lower = [n.strip().lower() for n in found.columns]
        total, inside = numbers[:, lower.index("n_ratings")], numbers[:, lower.index("n_class1")]
        numbers = np.stack([total - inside, inside], axis=1)
    each = numbers if weight is None else numbers * np.maximum(weight, 0)[:, None]
    if found.layout is Layout.CONFUSION:
        kept = kept & _is_class(table, found, area)
        there = np.concatenate([_row_sums(table, found, area, numbers, kept), numbers[kept].sum(axis=0)])
        by = as_read.rater
    else:
        there, by = each[kept].sum(axis=0), np.zeros(as_read.subject.size, dtype=np.int64)
    k = len(as_read.classes)
    own = None if as_read.weight is None else as_read.weight[as_read.subject].astype(np.float64)
    here = _total(by * k + as_read.category, own, totals * k)
    order = [as_read.classes.index(c) for c in _class_names(found)]
    here = here.reshape(totals, k)[:, order].ravel()
    wrong = np.flatnonzero(there != here)
    if wrong.size:
        at = int(wrong[0])
        column = found.columns[at % len(found.columns)]
        raise _accounting_fault(
            f"'{short_text(column)}'", int(there[at]), int(here[at]), f"{table.file}, {table.place(column)}"
        )
    by_class = _total(as_read.category, own, k)
    sides = _sides(as_read, ratings, by_class, np.arange(k), table.file, options)
    left = np.zeros(len(_REASONS))
    if found.layout is Layout.COUNTS:
        np.add.at(left, area.reason, numbers.sum(axis=1) * (1 if weight is None else np.maximum(weight, 1)))
    left[_SIDES] = sides
    return _row("", round(float(here.sum())) - sides, 0.0, left)


def _class_names(found: Roles) -> tuple[str, ...]:
    """The classes of a table of counts, column by column."""
    if sorted(n.strip().lower() for n in found.columns) == ["n_class1", "n_ratings"]:
        return ("class 0", "class 1")
    return found.columns


def _is_class(table: RatingTable, found: Roles, area: _Area) -> NDArray[np.bool_]:
    """Shape (rows,): which rows of a confusion matrix are classes and not sums of them."""
    if found.subject is None:
        return np.isin(area.rows + 1, table.row_numbers)
    wanted = {c.strip() for c in found.columns}
    cells = area.grid.columns[_position(table, found.subject)]
    return np.array([v.strip() in wanted for v in cells.values], dtype=bool)[cells.codes[area.rows]]


def _row_sums(
    table: RatingTable, found: Roles, area: _Area, numbers: NDArray[np.float64], kept: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Shape (classes,): the cases that the first of two crossed raters put into each class."""
    sums = numbers.sum(axis=1)
    if found.subject is None:
        return np.asarray(sums[kept])
    cells = area.grid.columns[_position(table, found.subject)]
    place = {c.strip(): j for j, c in enumerate(found.columns)}
    own = np.array([place.get(v.strip(), -1) for v in cells.values])[cells.codes[area.rows]]
    return _total(own[kept], sums[kept], len(found.columns))


def _check_pieces(table: RatingTable, found: Roles, pieces: Sequence[Piece], area: _Area) -> None:
    """Refuse stacked sheets or files whose cells are not those below one another.

    Raises
    ------
    TapdeskError
        Naming the sheet and the column that differ.
    """
    if not pieces:
        return
    last = area.grid.columns[-1]
    sheet = last.codes[area.rows]
    for position in _rating_positions(table, found):
        column = area.grid.columns[position]
        head = column.text(table.header_rows[-1] - 1).strip() if table.header_rows else ""
        for piece in pieces:
            own = piece.column(head)
            if own is None:
                continue
            number = last.values.index(piece.name) if piece.name in last.values else -1
            there = _texts_of(own.codes, own)
            here = _texts_of(area.codes(position)[sheet == number], column)
            if there != here:
                lost = sum(there.values()) - sum(here.values())
                what = _("'{column}' on '{sheet}'").format(column=short_text(head), sheet=short_text(piece.name))
                same = lost == 0
                text = next(t for t in {**there, **here} if there.get(t) != here.get(t))
                what = f"{what}, '{short_text(text)}'" if same else what
                cells, read = (
                    (there.get(text, 0), here.get(text, 0)) if same else (sum(there.values()), sum(here.values()))
                )
                raise _accounting_fault(what, cells, read, f"{table.file}, column {column_letter(position)}")


def _texts_of(codes: IntArray, column: TextColumn) -> dict[str, int]:
    """How often each text of some cells occurs, blanks aside."""
    counts = np.bincount(codes, minlength=len(column.values))
    told: dict[str, int] = {}
    for text, n in zip(column.values, counts, strict=True):
        if n and text.strip():
            told[text.strip()] = told.get(text.strip(), 0) + int(n)
    return told


def _by_piece(
    table: RatingTable, found: Roles, pieces: Sequence[Piece], area: _Area, as_read: Ratings, options: ReadingOptions
) -> tuple[AccountRow, ...]:
    """The account by sheet or file, where several were read as one."""
    if not pieces or as_read.weight is not None:
        return ()
    positions = _rating_positions(table, found)
    classes, codes = _meanings(area, positions, options)
    last = area.grid.columns[-1]
    n, k = len(last.values), max(len(classes), 1)
    tally = _Tally(np.zeros(n), np.zeros(n), np.zeros((n, len(_REASONS))), np.zeros(k))
    for position in positions:
        tally.add(area, position, last.codes[area.rows], classes, codes, paired=False)
    place = {v: i for i, v in enumerate(last.values)}
    return tuple(
        _row(p.name, int(tally.ratings[i]), tally.missing[i], tally.left[i])
        for p in pieces
        if (i := place.get(p.name)) is not None
    )
