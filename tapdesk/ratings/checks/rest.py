"""What a filter or the choice of one question leaves unread: its words, with how many ratings stand there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import CaseName, Label, Own, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, name_list, note, short_text
from tapdesk.ratings.layouts.roles import Roles
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import RatingTable

REST, REST_OF_FORM = "rest_of_file", "rest_of_form"
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
        yield _left(table.place(roles.rating), head, [(Label(n), size) for n, size in sizes], "")
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
        yield from _of_column(table, roles, column, values, rated, _chosen_by(column))


def _chosen_by(column: str) -> str:
    return _("Rows were chosen by the column “{column}”.").format(column=short_text(column))


def rest_of_form(of_questions: Sequence[tuple[Mapping[str, str], Finding]]) -> Iterator[Finding]:
    """What filters leave out of all questions of a form together, one note for each column.

    Parameters
    ----------
    of_questions
        The notes beside its questions (`rest_of_file`), each with the roles of the columns of that question.
    """
    sizes: dict[tuple[str, str], dict[str, tuple[Own, int]]] = {}
    for roles, finding in of_questions:
        names, counts, (column,) = finding.about
        kind = _kind_of(column, roles.get("rater"), roles.get("subject"))
        known = sizes.setdefault((str(finding.where), column), {})
        for name, count in zip(names, counts, strict=True):
            known[name] = (kind(name), int(count) + (known[name][1] if name in known else 0))
    for (where, column), known in sizes.items():
        yield _left(where, _chosen_by(column), list(known.values()), column, code=REST_OF_FORM)


def _kind_of(column: str, rater: str | None, subject: str | None) -> type[Own]:
    return RaterName if column == rater else CaseName if column == subject else Label


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
    kind = _kind_of(column, roles.rater, roles.subject)
    if sizes:
        yield _left(table.place(column), head, [(kind(text), n) for text, n in sizes.items()], column)


def _left(where: str, head: str, rest: Sequence[tuple[Own, int]], column: str, *, code: str = REST) -> Finding:
    """What is said of some texts of a column that are not read; of questions side by side there is no such column."""
    sentences = [_("{name} ({n:,})").format(name=name.shortened(40), n=n) for name, n in rest[:_SHOWN]]
    left = sum(n for _name, n in rest)
    words = ngettext(
        "Left out, with the ratings there: {told}; {n:,} rating in all.",
        "Left out, with the ratings there: {told}; {n:,} ratings in all.",
        left,
    ).format(told=name_list(sentences, _SHOWN, len(rest)), n=left)
    about = (tuple(str(name) for name, _n in rest), tuple(str(n) for _name, n in rest), (column,))
    return note(code, where, joined(head, words), about=about)
