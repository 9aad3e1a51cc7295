"""Checks of what a workbook shows or says of a rating besides its text: struck out, unseen, rounded, commented."""

from collections.abc import Iterator, Mapping

from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, ask, listed, note, shortened
from tapdesk.ratings.grid import Marks, column_letter
from tapdesk.ratings.layouts.roles import Roles
from tapdesk.ratings.table import Table


def remark_findings(table: Table, found: Roles) -> Iterator[Finding]:
    """What is told of cells with ratings or counts whose meaning is not in their text alone."""
    struck = _cells(table, found, Marks.STRUCK)
    if struck:
        yield ask(
            "struck_out",
            _place(struck),
            ngettext(
                "{n:,} rating is struck out: {told}.", "{n:,} ratings are struck out: {told}.", len(struck)
            ).format(n=len(struck), told=_told(table, struck)),
            _("If what is struck out should not count, delete it in the file, or blank these cells."),
            _("It is read like all other ratings."),
        )
    rest = _cells(table, found, Marks.REST)
    if rest:
        yield ask(
            "partly_struck_out",
            _place(rest),
            ngettext(
                "In {n:,} cell a part of the text is struck out; what is left reads {told}.",
                "In {n:,} cells a part of the text is struck out; what is left reads {told}.",
                len(rest),
            ).format(n=len(rest), told=_told(table, rest)),
            _("If what is struck out counts as well, write it without the line."),
            _("What is struck out is not read."),
        )
    unseen = _cells(table, found, Marks.UNSEEN)
    if unseen:
        yield ask(
            "unseen_ratings",
            _place(unseen),
            ngettext(
                "The format of {n:,} cell shows nothing, though it holds a rating: {told}.",
                "The format of {n:,} cells shows nothing, though they hold ratings: {told}.",
                len(unseen),
            ).format(n=len(unseen), told=_told(table, unseen)),
            _("If they should not count, delete them in the file, or blank these cells."),
            _("They are read like all other ratings."),
        )
    yield from _rounded(table, found)
    yield from _comments(table, found)


def _comments(table: Table, found: Roles) -> Iterator[Finding]:
    comments = _cells(table, found, Marks.COMMENT)
    if comments:
        said = [_("{cell}: “{text}”").format(cell=_name(at), text=shortened(text)) for at, text in comments.items()]
        yield note(
            "cell_comments",
            _place(comments),
            ngettext(
                "{n:,} rating has a comment: {told}.", "{n:,} ratings have a comment: {told}.", len(comments)
            ).format(n=len(comments), told=listed(said, 3)),
            _("If a comment corrects a rating, correct the cell."),
            _("Comments are not read."),
        )


def _rounded(table: Table, found: Roles) -> Iterator[Finding]:
    rounded = _cells(table, found, Marks.ROUNDED)
    if rounded:
        pairs = [
            _("{cell} shows {shown} and holds {held}").format(
                cell=_name(at), shown=Label(shown), held=Label(_text(table, at))
            )
            for at, shown in rounded.items()
        ]
        yield ask(
            "rounded_ratings",
            _place(rounded),
            ngettext(
                "{n:,} rating is shown with fewer decimals than it has: {told}.",
                "{n:,} ratings are shown with fewer decimals than they have: {told}.",
                len(rounded),
            ).format(n=len(rounded), told=listed(pairs, 3)),
            _("If what is shown is the rating, write the rounded numbers into the file."),
            _("They are read as the cells hold them."),
        )


def _cells(table: Table, found: Roles, mark: str) -> Mapping[tuple[int, int], str]:
    """The cells of the rating area with a mark, in the order of the file."""
    marks = table.grid.remarks.get(mark, {})
    if not marks:
        return {}
    names = (*found.columns, *(n for n in (found.rating, found.count) if n is not None))
    columns = {table.positions[table.names.index(n)] for n in names}
    rows = set((table.row_numbers - 1).tolist())
    return {at: marks[at] for at in sorted(marks) if at[0] in rows and at[1] in columns and _text(table, at).strip()}


def _text(table: Table, at: tuple[int, int]) -> str:
    return table.grid.columns[at[1]].text(at[0])


def _name(at: tuple[int, int]) -> str:
    return f"{column_letter(at[1])}{at[0] + 1}"


def _told(table: Table, cells: Mapping[tuple[int, int], str]) -> str:
    return listed([_("{cell} ('{text}')").format(cell=_name(at), text=shortened(_text(table, at))) for at in cells])


def _place(cells: Mapping[tuple[int, int], str]) -> str:
    return ngettext("cell {cells}", "cells {cells}", len(cells)).format(cells=listed([_name(at) for at in cells]))
