"""What a filter or the choice of one question leaves unread: its words, with how many ratings stand there."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import CaseName, Label, Own, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, name_list, note, short_text
from tapdesk.ratings.layouts.roles import Roles
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import RatingTable

REST = "rest_of_file"
_SHOWN = 8  # texts that are named; of more the number


def rest_of_file(
    table: RatingTable, roles: Roles, options: ReadingOptions, *, of_form: bool = False
) -> Iterator[Finding]:
    """One note for each column by which rows were chosen, and for questions side by side of which one was.

    Parameters
    ----------
    table
        The whole table, before anything was chosen.
    roles
        What the columns of the part that is read are for.
    options
        As the user gave them.
    of_form
        Whether the other questions are read as well, each by itself: none of them is left out.
    """
    if of_form:
        roles, options = replace(roles, others=()), replace(options, question=None)
    if roles.layout is Layout.QUESTIONS and roles.question is None and roles.others and roles.rating is not None:
        sizes = [(n, int((~table.column(n).blank).sum())) for n in roles.others]
        head = _("Only the question “{only}” is read.").format(only=short_text(roles.rating))
        yield _left(table.place(roles.rating), head, [(Label(n), size) for n, size in sizes])
    filters = [(table.aliases.get(c, c), v) for c, v in options.where]
    filters_not = [(table.aliases.get(c, c), v) for c, v in options.where_not]
    rated = _ratings_in_rows(table, roles)
    if options.question is not None and options.only is not None and options.question in table.names:
        values = {v for v in table.texts(options.question) if v != options.only.strip()}
        head = _("Of the column “{column}” only “{only}” is read.").format(
            column=short_text(options.question), only=short_text(options.only)
        )
        yield from _of_column(table, roles, options.question, values, rated, head)
    for column in dict.fromkeys(c for c, _v in (*filters, *filters_not)):
        if column not in table.names:
            continue
        wanted = {v.strip() for c, v in filters if c == column}
        unwanted = {v.strip() for c, v in filters_not if c == column}
        values = {v for v in table.texts(column) if v in unwanted or (wanted and v not in wanted)}
        head = _("Rows were chosen by the column “{column}”.").format(column=short_text(column))
        yield from _of_column(table, roles, column, values, rated, head)


def _ratings_in_rows(table: RatingTable, roles: Roles) -> NDArray[np.int64]:
    """Shape (rows,): how many cells of each row hold a rating."""
    names = [n for n in (roles.rating, *roles.columns) if n is not None and n in table.names]
    rated = np.zeros(table.rows, dtype=np.int64)
    for name in names:
        rated += ~table.column(name).blank
    return rated


def _of_column(
    table: RatingTable, roles: Roles, column: str, values: set[str], rated: NDArray[np.int64], head: str
) -> Iterator[Finding]:
    """The note about the texts of a column that are not read."""
    cells = table.column(column)
    plain = np.array([v.strip() in values for v in cells.values], dtype=bool)
    counts = np.bincount(cells.codes, rated, len(cells.values))
    sizes: dict[str, int] = {}
    for i in np.flatnonzero(plain):
        text = cells.values[i].strip()
        sizes[text] = sizes.get(text, 0) + int(counts[i])
    kind: type[Own] = RaterName if column == roles.rater else CaseName if column == roles.subject else Label
    if sizes:
        yield _left(table.place(column), head, [(kind(text), n) for text, n in sizes.items()])


def _left(where: str, head: str, rest: Sequence[tuple[Own, int]]) -> Finding:
    """What is said of some texts that are not read."""
    sentences = [_("{name} ({n:,})").format(name=name.shortened(40), n=n) for name, n in rest[:_SHOWN]]
    left = sum(n for _name, n in rest)
    words = ngettext(
        "Left out, with the ratings there: {told}; {n:,} rating in all.",
        "Left out, with the ratings there: {told}; {n:,} ratings in all.",
        left,
    ).format(told=name_list(sentences, _SHOWN, len(rest)), n=left)
    return note(REST, where, joined(head, words), about=(tuple(str(name) for name, _n in rest),))
