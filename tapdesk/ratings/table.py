"""Where in the grid the table stands: its header, its rows, and what lies around it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import Label, Symbol, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, ask, name_list, note, quoted_list, row_list, short_text
from tapdesk.ratings.grid import CellGrid, TextColumn, column_letter, trim
from tapdesk.ratings.header import header, header_row, same_row, unique_names
from tapdesk.ratings.options import ReadingOptions, Uneven
from tapdesk.ratings.ratings import IntArray
from tapdesk.ratings.texts import is_number

_RULE = re.compile(r"[:|+]?[-=_]{3,}[:|+]?")


def _without_repeated_headers(
    grid: CellGrid, header: int, body: IntArray, options: ReadingOptions, findings: list[Finding]
) -> IntArray:
    """The rows without those that repeat the header; a header with other names is asked about and stays."""
    body = _without_headers(grid, header, _without_rule(grid, header, body, findings), findings)
    other = _other_header(grid, header, body)
    if other is not None and options.last is None:
        names = [t.strip() for t in grid.row(other) if t.strip()]
        findings.append(
            ask(
                "second_table",
                row_list([other + 1]),
                _("In row {row} another table seems to begin, with a header of its own: {names}.").format(
                    row=other + 1, names=quoted_list(names)
                ),
                _("If so, read the first table only, or put each table into a file or sheet of its own."),
                _("All rows are read as one table, this one too."),
                ((str(other + 1),),),
            )
        )
    return body


def _without_rule(grid: CellGrid, header: int, body: IntArray, findings: list[Finding]) -> IntArray:
    """The rows without a line of dashes below the header, as tables drawn in text have."""
    if not body.size or body[0] != header + 1:
        return body
    if not is_rule(grid, header + 1):
        return body
    sentence = _("Below the header a line of dashes is drawn.")
    findings.append(note("rule_line", row_list([header + 2]), sentence, default=_("It is no case and is left out.")))
    return body[1:]


def is_rule(grid: CellGrid, row: int) -> bool:
    """Whether a row is a line drawn with dashes."""
    texts = [t.strip() for t in grid.row(row)]
    return any(texts) and all(_RULE.fullmatch(t) for t in texts if t)


def _other_header(grid: CellGrid, header: int, body: IntArray) -> int | None:
    """The first row that begins as the header does and goes on with words that stand nowhere else below it."""
    first = grid.columns[0]
    head = first.text(header).strip()
    if not head or is_number(head) or len(grid.columns) < 2:
        return None
    # A case may be called so; names of columns are words that no other row has in their place.
    for row in body[
        np.isin(first.codes[body], [i for i, v in enumerate(first.values) if head in v and v.strip() == head])
    ][:1]:
        here = [c for c in grid.columns[1:] if c.text(int(row)).strip()]
        alone = [c for c in here if int((c.codes[body] == c.codes[row]).sum()) == 1 and not is_number(c.text(int(row)))]
        if len(here) > 1 and len(alone) == len(here) and body[-1] > row:
            return int(row)
    return None


def _without_headers(grid: CellGrid, header: int, body: IntArray, findings: list[Finding]) -> IntArray:
    """The rows without those that repeat the header, as tables that were put below each other have."""
    again = same_row(grid, header)[body]
    if not again.any():
        return body
    rows = [int(r) + 1 for r in body[again]]
    message = ngettext(
        "Further down a row holds the header once more.", "Further down some rows hold the header once more.", len(rows)
    )
    default = ngettext("It is no case and is left out.", "They are no cases and are left out.", len(rows))
    findings.append(note("header_again", row_list(rows), message, default=default))
    rest: IntArray = body[~again]
    return rest


FOOTNOTES = frozenset({"notes_below", "rows_below"})
_FEW = 25  # more lines than this are no notes, more letters no name
_FIRST = ("*", "†", "note", "key", "legend", "source", "n.b", "nb ", "footnote")
# What a note begins with, in a column of ratings too: a word alone, or stars alone, can be a rating.
_CLEAR = re.compile(
    r"[*†‡§¹²³]+\s*[^\W\d_]|n\s*=\s*\d|(?:notes?|key|legends?|sources?|n\.?b|footnotes?|remarks?|quelle|anmerkung(?:en)?"
    r"|hinweise?|fuente|notas?|fonte|remarques?)\b\s*[:.(\-–]\s*\S",
    re.IGNORECASE,
)


def _without_footnotes(
    grid: CellGrid, filled: NDArray[np.bool_], body: IntArray, options: ReadingOptions, findings: list[Finding]
) -> IntArray:
    """The rows of a table without the lines of text below it."""
    if options.last is not None:
        return _until(body, options.last, findings)
    if len(grid.columns) < 2:
        return body
    end = body.size
    for place in range(body.size - 1, max(body.size - 1 - _FEW, 0), -1):
        row = int(body[place])
        if not _may_be_note(grid, filled, body[:place], row):
            break
        # What follows a line that is clearly a note is a note too.
        if _is_clear(grid, filled, body, place):
            end = place
    left = body[end:]
    if left.size:
        rows = [int(r) + 1 for r in left]
        texts = name_list([_("“{text}”").format(text=_words(grid, filled, int(r))) for r in left], 3)
        findings.append(
            ask(
                "notes_below",
                row_list(rows),
                _("Below the table there are lines of text that look like notes: {texts}.").format(texts=texts),
                _("If one of them is a case, say which row is the last one of the table (--last-row {rows}).").format(
                    rows=rows[-1]
                ),
                _("These lines are left out."),
                (tuple(map(str, rows)),),
            )
        )
    return body[:end]


def _until(body: IntArray, last: int, findings: list[Finding]) -> IntArray:
    """The rows up to the last one, as the user said; 0 for all of them."""
    if not last:
        return body
    if body.size and last > int(body[-1]) + 1:
        raise UsageError(
            _("There is no row {last}: the last one with anything in it is row {end}.").format(
                last=last, end=int(body[-1]) + 1
            ),
            "--last-row",
            _("Choose an earlier row, or 0 for the last one there is."),
        )
    inside: IntArray = body[body < last]
    if not inside.size:
        first = "" if not body.size else _(" The first row of data is row {body}.").format(body=int(body[0]) + 1)
        raise UsageError(
            _("No row of the table is left above row {last}.{first}").format(last=last + 1, first=first),
            fix=_("Choose a later last row."),
        )
    rows = [int(r) + 1 for r in body[body >= last]]
    if rows:
        sentence = _("The table ends at row {last}, as you said.").format(last=last)
        default = _("What stands below is left out.")
        findings.append(note("rows_below", row_list(rows), sentence, default=default, about=(tuple(map(str, rows)),)))
    return inside


def _may_be_note(grid: CellGrid, filled: NDArray[np.bool_], above: IntArray, row: int) -> bool:
    """Whether a row holds nothing but texts that stand nowhere above in their columns, and no case with ratings."""
    here = np.flatnonzero(filled[:, row]).tolist()
    texts = [grid.columns[i].text(row).strip() for i in here]
    if any(is_number(t) for t in texts):
        return False
    if here[0] == 0 and len(here) > 1 and not all(map(_CLEAR.match, texts)):
        return False
    return not any(_occurs(grid, i, above, text) for i, text in zip(here, texts, strict=True))


def _is_clear(grid: CellGrid, filled: NDArray[np.bool_], body: IntArray, place: int) -> bool:
    """Whether a row that may be a note is one beyond doubt: by how it begins, its length, or a gap above it."""
    row = int(body[place])
    here = np.flatnonzero(filled[:, row]).tolist()
    texts = [grid.columns[i].text(row).strip() for i in here]
    if any(map(_CLEAR.match, texts)) or (here == [0] and texts[0].lower().startswith(_FIRST)):
        return True
    if len(here) > 1:
        return False
    gap = int(body[place - 1]) < row - 1
    # A sentence in a column of ratings, in a table whose cases all have a name.
    named = here != [0] and bool(filled[0, body[:place]].all()) and " " in texts[0]
    return gap or named or len(texts[0]) > _FEW


def _occurs(grid: CellGrid, column: int, above: IntArray, text: str) -> bool:
    """Whether a text stands in a column of some rows."""
    cells = grid.columns[column]
    same = [i for i, value in enumerate(cells.values) if value.strip() == text]
    return bool(np.isin(cells.codes[above], same).any())


def _words(grid: CellGrid, filled: NDArray[np.bool_], row: int) -> str:
    """What stands in a row, shortened."""
    return short_text(" · ".join(grid.columns[i].text(row).strip() for i in np.flatnonzero(filled[:, row])))


@dataclass(frozen=True, eq=False)
class RatingTable:
    """A header and rows of cells.

    Attributes
    ----------
    names
        One name per column, all different.
    columns
        The cells below the header.
    row_numbers
        Shape (rows,): the row of the file each row stands in, counted from 1.
    positions
        For each column its place in the file, counted from 0.
    header_rows
        The rows of the file that hold the header; empty when there is none.
    grid
        The grid all this was cut from.
    file
        What to call the file in a sentence.
    aliases
        What columns are called in the file, where the table calls them by a shorter name: by the one the other.
    """

    names: tuple[str, ...]
    columns: tuple[TextColumn, ...]
    row_numbers: IntArray
    positions: tuple[int, ...]
    header_rows: tuple[int, ...]
    grid: CellGrid
    file: str
    aliases: Mapping[str, str] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Number of rows below the header."""
        return self.row_numbers.size

    def column(self, name: str) -> TextColumn:
        """A column by its name."""
        return self.columns[self.names.index(name)]

    def position(self, name: str) -> int:
        """Where a column stands in the file, counted from 0."""
        return self.positions[self.names.index(name)]

    def texts(self, name: str) -> frozenset[str]:
        """The distinct texts of a column, blanks aside."""
        known = self._texts
        if name not in known:
            known[name] = frozenset(map(str.strip, self.column(name).used().values)) - {""}
        return known[name]

    @cached_property
    def _texts(self) -> dict[str, frozenset[str]]:
        """The texts of the columns that were asked for: many checks ask for the same."""
        return {}

    def combinations(self, *names: str) -> int:
        """How many combinations of the texts of some columns occur."""
        known = self._combinations
        if names not in known:
            known[names] = _combinations([self.column(name) for name in names], self.rows)
        return known[names]

    @cached_property
    def _combinations(self) -> dict[tuple[str, ...], int]:
        """How many there are of those that were asked for."""
        return {}

    def renamed(self, names: Mapping[str, str]) -> "RatingTable":
        """The same table with other names for some of its columns; it still knows what the file calls them."""
        if not names:
            return self
        return replace(self, names=tuple(names.get(n, n) for n in self.names), aliases=names)

    def part(self, rows: NDArray[Any]) -> "RatingTable":
        """Only some of the rows, by index or mask."""
        columns = tuple(c.take(rows).used() for c in self.columns)
        return replace(self, columns=columns, row_numbers=self.row_numbers[rows])

    def all_different(self, name: str) -> bool:
        """Whether no text of a column comes twice and none is blank."""
        return len(self.texts(name)) == self.rows and not self.column(name).blank.any()

    def place(self, name: str) -> str:
        """A column as a spreadsheet shows it: ``column C (J2)``."""
        letter = column_letter(self.position(name))
        return _("column {letter} ({name})").format(letter=Symbol(letter), name=Label(name))


_LARGEST = 2**62  # a number of combinations that a code can still hold
_FLAGS = 16  # so many combinations for each row are quicker to tick off than to sort


def _combinations(columns: Sequence[TextColumn], rows: int) -> int:
    """How many combinations of the texts of some columns occur."""
    code: IntArray = np.zeros(rows, dtype=np.int64)
    most = 1
    for column in columns:
        size = max(len(column.values), 1)
        if most > _LARGEST // size:
            code = np.unique(code, return_inverse=True)[1]
            most = int(code.max(initial=0)) + 1
        code, most = code * size + column.codes, most * size
    if most <= _FLAGS * rows or not rows:
        seen = np.zeros(most, dtype=bool)
        seen[code] = True
        return int(seen.sum())
    # In place of numpy's unique, which keeps a table of what it saw and takes ten times as long.
    code.sort()
    return int((code[1:] != code[:-1]).sum()) + 1


def frame_table(grid: CellGrid, name: str, options: ReadingOptions) -> tuple[RatingTable, list[Finding]]:
    """The table in a grid, and what was noticed about its frame.

    Raises
    ------
    TapdeskError
        When nothing but blank cells is there, or rows are uneven.
    """
    findings: list[Finding] = []
    filled = np.zeros((len(grid.columns), grid.rows), dtype=bool)
    for index, column in enumerate(grid.columns):
        filled[index] = ~column.blank
    per_row = filled.sum(axis=0)
    if not per_row.any():
        raise TapdeskError(
            _("The table is empty: there is no cell with anything in it."), name, _("Choose another file.")
        )
    top = header_row(grid, filled, per_row, options)
    first, names_given = header(grid, filled, top, options, findings)
    body: IntArray = np.flatnonzero(per_row > 0)
    body = body[body >= first]
    if not options.hidden and grid.hidden_rows:
        body = body[~np.isin(body, grid.hidden_rows)]
    if first > top:
        body = _without_repeated_headers(grid, first - 1, body, options, findings)
    body = _without_footnotes(grid, filled, body, options, findings)
    keep = filled[:, body].any(axis=1) | np.array([bool(h.strip()) for h in names_given], dtype=bool)
    if not options.hidden:
        keep[[c for c in grid.hidden_columns if c < keep.size]] = False
        if not body.size or not keep.any():
            raise TapdeskError(
                _("Everything in the table is hidden."),
                name,
                _("Read hidden rows and columns too."),
                ways=[("Read what is hidden", {"hidden": True})],
            )
    _refuse_header_alone(name, options, top, first, rows=body.size, columns=int(keep.sum()))
    body = _even(grid, name, body, options, findings, int(np.flatnonzero(keep).max()) + 1 if keep.any() else 1)
    _blank_findings(per_row, first, body, keep, findings)
    positions = tuple(int(i) for i in np.flatnonzero(keep))
    names = unique_names([names_given[i] for i in positions], positions, findings)
    table = RatingTable(
        names,
        _cells(grid, positions, body),
        body + 1,
        positions,
        tuple(range(top + 1, first + 1)) if first > top >= 0 else (),
        grid,
        name,
    )
    return _trimmed(table), findings


def _refuse_header_alone(name: str, options: ReadingOptions, top: int, first: int, *, rows: int, columns: int) -> None:
    """Refuse a table of which nothing is left below its header."""
    if not columns:
        raise TapdeskError(
            _("Nothing stands below row {row}.").format(row=top + 1),
            name,
            _("Choose another header row."),
            ways=[(_("Find the header"), {"header": None, "header_rows": None})],
        )
    # A header or a last row that somebody named may be what leaves no row: the file itself has rows then.
    if not rows and first > top >= 0 and options.header is None and options.last is None:
        raise TapdeskError(
            _("The table has a header and no rows: nothing stands below row {row}.").format(row=first),
            name,
            _("Export it again with its rows, or choose another sheet or file."),
        )


def _cells(grid: CellGrid, positions: tuple[int, ...], body: IntArray) -> tuple[TextColumn, ...]:
    """Some columns in some rows; what stands above these is not met before them."""
    columns = tuple(grid.columns[i] for i in positions)
    return columns if body.size == grid.rows else tuple(c.take(body).used().as_met() for c in columns)


def _even(
    grid: CellGrid, name: str, body: IntArray, options: ReadingOptions, findings: list[Finding], width: int
) -> IntArray:
    """Refuse rows with too few or too many cells, or say that they were fitted."""
    if grid.fields is None or not body.size:
        return body
    fields = grid.fields[body]
    usual = int(np.bincount(fields).argmax())
    short = [int(r) + 1 for r in body[fields < min(usual, width)]]
    beyond = np.zeros(body.size, dtype=bool)
    for column in grid.columns[usual:]:
        beyond |= ~column.blank[body]
    long = [int(r) + 1 for r in body[beyond & (fields > usual)]]
    if not short and not long:
        return body
    parts = []
    if short:
        parts.append(_("{short} with fewer than {usual} cells").format(short=row_list(short), usual=usual))
    if long:
        parts.append(_("{long} with more than {usual}").format(long=row_list(long), usual=usual))
    message = _("Rows are not of one length: {parts}.").format(parts=joined(*parts, sep=", "))
    if options.uneven is Uneven.REFUSE:
        raise TapdeskError(
            message,
            f"{name}, row {min(short + long)}",
            _(
                "Check these rows for a missing or extra delimiter, or have short rows filled up and long "
                "ones cut (--uneven fit)."
            ),
            ways=[(_("Fill up short rows and cut long ones"), {"uneven": Uneven.FIT})],
        )
    findings.append(
        note(
            "uneven_rows",
            row_list(sorted(short + long)),
            message,
            default=joined(
                *(
                    sentence
                    for sentence, rows in (
                        (_("Short rows end in blank cells."), short),
                        (_("Long rows are cut: what stands beyond the last column is not read."), long),
                    )
                    if rows
                )
            ),
        )
    )
    return body


def _blank_findings(
    per_row: IntArray, first: int, body: IntArray, keep: NDArray[np.bool_], findings: list[Finding]
) -> None:
    """Count blank rows and columns inside the table; they are passed over."""
    last = int(body[-1]) if body.size else first
    rows = int((per_row[first:last] == 0).sum())
    columns = int((~keep[: int(np.flatnonzero(keep).max()) + 1]).sum()) if keep.any() else 0
    if rows or columns:
        blank_rows = ngettext("{n:,} blank row", "{n:,} blank rows", rows).format(n=rows)
        blank_columns = ngettext("{n:,} blank column", "{n:,} blank columns", columns).format(n=columns)
        both = _("{rows} and {columns}").format(rows=blank_rows, columns=blank_columns)
        message = ngettext(
            "Inside the table is {lines}; it is passed over.",
            "Inside the table are {lines}; they are passed over.",
            rows + columns,
        ).format(lines=both if rows and columns else blank_rows if rows else blank_columns)
        findings.append(note("blank_lines", "", message))


def _trimmed(table: RatingTable) -> RatingTable:
    """The same cells without outer blanks, where that makes no two distinct texts one.

    ``Yes`` and ``Yes `` in one column stay two texts: merging them is the user's decision.
    """
    return replace(table, columns=tuple(trim(c) for c in table.columns))
