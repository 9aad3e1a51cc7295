"""What the data show that a user should know: all checks of a reading in one place."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from tapdesk.errors import Ways
from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.assembly import Assembly
from tapdesk.ratings.checks.columns import column_findings
from tapdesk.ratings.checks.names import table_findings
from tapdesk.ratings.checks.panel import panel_findings
from tapdesk.ratings.checks.sets import set_findings
from tapdesk.ratings.checks.values import (
    Values,
    numbers_among_words,
    refuse_what_is_no_rating,
    value_findings,
    values_of,
)
from tapdesk.ratings.findings import Finding, ask, label_text, name_list, note, quoted_list, short_text
from tapdesk.ratings.grid import Marks, column_letter
from tapdesk.ratings.layouts.roles import Roles
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import RatingTable


def _remark_findings(table: RatingTable, roles: Roles) -> Iterator[Finding]:
    """What is told of cells with ratings or counts whose meaning is not in their text alone."""
    struck = _cells(table, roles, Marks.STRUCK)
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
    rest = _cells(table, roles, Marks.REST)
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
    unseen = _cells(table, roles, Marks.UNSEEN)
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
    yield from _rounded(table, roles)
    yield from _comments(table, roles)


def _comments(table: RatingTable, roles: Roles) -> Iterator[Finding]:
    comments = _cells(table, roles, Marks.COMMENT)
    if comments:
        sentences = [
            _("{cell}: “{text}”").format(cell=_name(at), text=short_text(text)) for at, text in comments.items()
        ]
        yield note(
            "cell_comments",
            _place(comments),
            ngettext(
                "{n:,} rating has a comment: {told}.", "{n:,} ratings have a comment: {told}.", len(comments)
            ).format(n=len(comments), told=name_list(sentences, 3)),
            _("If a comment corrects a rating, correct the cell."),
            _("Comments are not read."),
        )


def _rounded(table: RatingTable, roles: Roles) -> Iterator[Finding]:
    rounded = _cells(table, roles, Marks.ROUNDED)
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
            ).format(n=len(rounded), told=name_list(pairs, 3)),
            _("If what is shown is the rating, write the rounded numbers into the file."),
            _("They are read as the cells hold them."),
        )


def _cells(table: RatingTable, roles: Roles, mark: str) -> Mapping[tuple[int, int], str]:
    """The cells of the rating area with a mark, in the order of the file."""
    marks = table.grid.remarks.get(mark, {})
    if not marks:
        return {}
    names = (*roles.columns, *(n for n in (roles.rating, roles.count) if n is not None))
    columns = {table.position(n) for n in names}
    rows = set((table.row_numbers - 1).tolist())
    return {at: marks[at] for at in sorted(marks) if at[0] in rows and at[1] in columns and _text(table, at).strip()}


def _text(table: RatingTable, at: tuple[int, int]) -> str:
    return table.grid.columns[at[1]].text(at[0])


def _name(at: tuple[int, int]) -> str:
    return f"{column_letter(at[1])}{at[0] + 1}"


def _told(table: RatingTable, cells: Mapping[tuple[int, int], str]) -> str:
    return name_list([_("{cell} ('{text}')").format(cell=_name(at), text=short_text(_text(table, at))) for at in cells])


def _place(cells: Mapping[tuple[int, int], str]) -> str:
    return ngettext("cell {cells}", "cells {cells}", len(cells)).format(cells=name_list([_name(at) for at in cells]))


_CUT = re.compile(r"\d[.,]\d{2,}E\+\d{2,}", re.IGNORECASE)
# UTF-8 read as Windows or as a Mac reads: an accented letter or a dash becomes two or three signs.
_GARBLED = re.compile("[ÂÃ][\u0080-\u00bf]|â€[\u0090-\u00bf“”™˜œž¢¦]|√[©®±∂§†¨]")
_MOST = 100_000


def _damaged_findings(table: RatingTable, roles: Roles, made: Assembly) -> Iterator[Finding]:
    """Names that are no longer what was typed."""
    rated = {roles.rating, *roles.columns}
    for name, column in zip(table.names, table.columns, strict=True):
        if name in rated or len(column.values) > _MOST:
            continue
        cut = [v for v in column.values if _CUT.fullmatch(v.strip())]
        if cut:
            yield ask(
                "numbers_cut_short",
                table.place(name),
                _(
                    "A spreadsheet has cut long numbers short, such as {texts}: different cases may have one name."
                ).format(texts=quoted_list(cut, 2)),
                _("Export the column as text from where the file comes from; what was cut cannot be brought back."),
                _("They are read as they stand in the file."),
                ((name,),),
            )
    ratings = made.ratings
    known = (*table.names, *ratings.classes, *ratings.raters[:_MOST], *ratings.subjects[:_MOST])
    garbled = tuple(dict.fromkeys(t for t in known if not t.isascii() and _GARBLED.search(t)))
    if garbled:
        yield note(
            "garbled_letters",
            "",
            _("The letters of {texts} seem to have been read wrongly before the file was saved.").format(
                texts=quoted_list(garbled, 4)
            ),
            _("Export the file again as 'CSV UTF-8', or rename what a report is to print."),
            _("They are read as they stand in the file."),
        )


_STEPS = 20


def _without_consequences(
    findings: Sequence[Finding], values: Values, made: Assembly, options: ReadingOptions
) -> tuple[Finding, ...]:
    """Findings without those that another explains: the numbers of a row of totals, a column asked about twice.

    What blocks because of a row or column as a whole comes before what blocks because of single ratings.
    """
    sums = {name for f in findings if f.code == "summary_row" for name in f.about[0]}
    kept = []
    for finding in findings:
        if sums and finding.code == "numbers_among_words":
            left = _outside(sums, finding.about[0], made)
            if left and len(left) < len(finding.about[0]):
                kept.append(numbers_among_words(values, left, made, options))
            elif left:
                kept.append(finding)
        else:
            kept.append(finding)
    # What a column is more surely is asked once.
    surely = {name for f in findings if f.code in {"summary_column", "known_answers"} for name in f.about[0]}
    kept = [f for f in kept if f.code != "perhaps_no_rater" or not set(f.about[0]) <= surely]
    return tuple(sorted(kept, key=lambda f: f.code == "numbers_among_words"))


def _outside(cases: Collection[str], texts: Sequence[str], made: Assembly) -> tuple[str, ...]:
    """Those of some ratings that stand with other cases as well."""
    ratings = made.ratings
    others = ~np.isin(ratings.subject, [i for i, name in enumerate(ratings.subjects) if name in cases])
    used = {ratings.classes[i] for i in np.unique(ratings.category[others])}
    return tuple(t for t in texts if t in used)


def _other_columns(table: RatingTable, roles: Roles) -> Ways:
    """Columns of a long table that could hold the ratings instead: those with a few texts."""
    if roles.layout is not Layout.LONG:
        return ()
    taken = {roles.subject, roles.rater, roles.rating}
    few = [n for n in table.names if n not in taken and 1 < len(table.texts(n)) <= _STEPS]
    return [
        (_("“{n}” holds the ratings").format(n=label_text(n)), {"layout": Layout.LONG, "rating": n}) for n in few[:6]
    ]


def all_findings(
    table: RatingTable, roles: Roles, made: Assembly, decimal: str, options: ReadingOptions
) -> Run[tuple[Finding, ...]]:
    """Everything noticed in some ratings.

    Raises
    ------
    TapdeskError
        When what stands in the place of ratings is something else: identifiers, dates, comments.
    """
    values = values_of(made, decimal)
    if made.cells.classes is None:
        refuse_what_is_no_rating(values, table.file, options, _other_columns(table, roles))
    findings: list[Finding] = []
    for kind in (
        value_findings(values, made, options),
        panel_findings(made, roles, options),
        column_findings(table, roles, made, options),
        table_findings(table, roles, made, options),
        _damaged_findings(table, roles, made),
        _remark_findings(table, roles),
        set_findings(made, options),
    ):
        # Findings come one by one, so that a window hears of each check as it ends.
        while (finding := next(kind, None)) is not None:
            findings.append(finding)
            yield Step(table.rows, table.rows, "read")
    return _without_consequences(findings, values, made, options)


def label_findings(labels: Mapping[str, str], made: Assembly) -> Iterator[Finding]:
    """Classes that are the label of a value which is a class as well.

    Parameters
    ----------
    labels
        By label the value behind it, as the file says.
    made
        The ratings.
    """
    classes = frozenset(made.ratings.classes)
    pairs = tuple((label, value) for label, value in labels.items() if label in classes and value in classes)
    if not pairs:
        return
    sentence = name_list(
        [_("{value} = '{label}'").format(value=Label(value), label=short_text(label)) for label, value in pairs]
    )
    yield ask(
        "label_and_value",
        "",
        _("Some columns give a value its label and others do not: {told}.").format(told=sentence),
        _("If a value and its label are one answer, merge them."),
        _("They are kept as different classes."),
        pairs,
    )
