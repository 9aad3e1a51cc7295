"""The columns beside the ratings: what each says, and whether it says it of the case, of the rater or of one rating."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, ask, block, note, quoted_list
from tapdesk.ratings.grid import TextColumn
from tapdesk.ratings.layouts.roles import STEPS, Roles
from tapdesk.ratings.ratings import Covariate, CovariateOf, IntArray
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import number
from tapdesk.ratings.vocabulary import RATER_ANYWHERE, words

_AGAIN = 1.5  # rows of each name from which on it tells something that all of them say the same


@dataclass(frozen=True, eq=False)
class Names:
    """Who or what each row of a table is about.

    Attributes
    ----------
    code
        Shape (rows,): the case, or the rater, of each row.
    size
        How many of them there are.
    """

    code: IntArray
    size: int

    def first(self) -> IntArray:
        """Shape (size,): a row of each."""
        rows = np.zeros(self.size, dtype=np.int64)
        rows[self.code[::-1]] = np.arange(self.code.size)[::-1]
        return rows

    def holds(self, values: IntArray) -> bool:
        """Whether a column says the same in all rows of each."""
        return bool((values == values[self.first()][self.code]).all())

    @property
    def again(self) -> bool:
        """Whether they come again often enough for that to be no matter of course."""
        return self.code.size >= _AGAIN * self.size


def further_columns(
    table: RatingTable,
    roles: Roles,
    rows: IntArray,
    cases: Names,
    raters: Names | None,
    findings: list[Finding],
    width: int = 1,
) -> tuple[Covariate, ...]:
    """The columns that are neither names nor ratings, numbers where all are numbers, else text.

    Parameters
    ----------
    table, roles
        The table and what its columns are for.
    rows
        The rows that are read.
    cases, raters
        The case of each of these rows; the rater, where one row is one rating of a known rater.
    findings
        What was noticed is added to them.
    width
        How many ratings a row holds.
    """
    taken = {roles.subject, roles.rater, roles.rating, roles.question, roles.count, *roles.columns}
    made = []
    for name in table.names:
        if name in taken:
            continue
        codes, values = _told(table, name, findings)
        codes = codes[rows]
        of = _belongs(name, codes, cases, raters)
        if of is CovariateOf.SUBJECT:
            codes = codes[cases.first()]
        elif of is CovariateOf.RATER and raters is not None:
            codes = codes[raters.first()]
        else:
            codes = np.repeat(codes, width)
        made.append(Covariate(name, of, values[codes]))
    return tuple(made)


def _belongs(name: str, values: IntArray, cases: Names, raters: Names | None) -> CovariateOf:
    """Of what a column is a property: that in all of whose rows it says the same; the single rating if of neither.

    What is so of cases and raters alike, as where each rater has cases of his own, is told by its name.
    """
    case = cases.holds(values)
    rater = raters is not None and raters.again and raters.holds(values)
    if rater and (not case or not cases.again or bool(RATER_ANYWHERE.intersection(words(name)))):
        return CovariateOf.RATER
    return CovariateOf.SUBJECT if case else CovariateOf.RATING


def _told(table: RatingTable, name: str, findings: list[Finding]) -> tuple[IntArray, NDArray[Any]]:
    """What a column says in each row, coded, and the values; merged cells count in all their rows.

    Two gaps say the same, and so do ``1`` and ``1.0`` where all are numbers.
    """
    column = table.column(name)
    if (fill := column.blank & below_a_merged(table, name)).any():
        column = fill_down(table, name, fill)
        findings.append(
            note(
                "merged_further",
                table.place(name),
                _("Cells of the column '{name}' are merged over several rows.").format(name=Label(name)),
                default=_("What such a cell says holds for each of its rows."),
            )
        )
    used = column.used()
    numbers = [number(v) if v.strip() else float("nan") for v in used.values]
    if all(n is not None for n in numbers):
        values, code = np.unique(np.array(numbers, dtype=np.float64), return_inverse=True)
        return code[used.codes], values
    return used.codes, np.array(used.values, dtype=object)


def below_a_merged(table: RatingTable, name: str) -> NDArray[np.bool_]:
    """Which rows of a table stand, in one of its columns, below the first row of a merged cell that says something."""
    position, blank = table.position(name), table.column(name).blank
    below = np.zeros(table.rows, dtype=bool)
    for first, left, last, _right in table.grid.merged:
        # What a merged cell says stands in its first column; rows of the table are told by their numbers in the file.
        begin, end = np.searchsorted(table.row_numbers, (first + 1, last + 2))
        if left == position and begin < end and table.row_numbers[begin] == first + 1 and not blank[begin]:
            below[begin + 1 : end] = True
    return below


def fill_down(table: RatingTable, name: str, which: NDArray[np.bool_]) -> TextColumn:
    """A column of a table whose blanks in some rows say what the last row above them says."""
    column = table.column(name)
    source = np.maximum.accumulate(np.where(~column.blank, np.arange(table.rows), 0))
    return TextColumn(np.where(which & column.blank, column.codes[source], column.codes), column.values)


def not_read(
    table: RatingTable,
    rest: list[str],
    doubtful: tuple[str, ...] = (),
    near: tuple[str, ...] = (),
    *,
    said: bool = False,
) -> Finding:
    """Which columns are not read as ratings; a question where one of them has few texts that come again and again.

    Those that look like a legend, or like facts about the cases, are asked about as well. Nothing is answered while one
    with numbers near the ratings may be another rater.

    Parameters
    ----------
    table, rest
        The table, and its columns that are not read as ratings.
    doubtful, near
        Those of them that may be ratings of another kind, and those with numbers near the ratings.
    said
        Whether the user named the columns that are.
    """
    where = joined(*(table.place(n) for n in rest[:5]), sep=", ")
    message = ngettext(
        "{columns} is read as further information, not as ratings.",
        "{columns} are read as further information, not as ratings.",
        len(rest),
    ).format(columns=quoted_list(rest))
    fix = _("If one of them holds ratings, name the rating columns (--columns).")
    # One text all the way down may be a rater who never changes, so it is a question too.
    if near and not said:
        named = ngettext(
            "{columns} holds numbers near the ratings. Is it another rater?",
            "{columns} hold numbers near the ratings. Are they further raters?",
            len(near),
        ).format(columns=quoted_list(near))
        return block("columns_not_rated", where, joined(message, named), fix, "", (tuple(near),))
    few = any(1 <= len(table.texts(n)) <= STEPS and 2 * len(table.texts(n)) <= table.rows for n in rest)
    if (few or doubtful) and not said:
        return ask(
            "columns_not_rated", where, message, fix, _("These columns are kept beside the ratings."), (tuple(rest),)
        )
    return note("columns_not_rated", where, message, fix)
