"""What can be done about how a file is read."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from tapdesk.language import gettext as _
from tapdesk.project.fixes.fix import MOST, RIGHT, Case, Fix, Offer, name_list, read_again
from tapdesk.ratings.findings import Severity, label_text
from tapdesk.ratings.layouts.two_readings import options_of
from tapdesk.ratings.options import Layout, RatersAre
from tapdesk.ratings.vocabulary import words as words_of


def _sheets(case: Case) -> Iterator[Fix]:
    """The other sheets of a workbook."""
    source = case.reading.source
    yield case.leave(_("Stacking is right") if source.sheet not in source.sheets else _("This sheet is right"))
    for name in case.names[: MOST - 1]:
        yield read_again(_("Read the sheet “{name}”").format(name=label_text(name)), sheet=name)


def _row_as_header(case: Case) -> Iterator[Fix]:
    for (row,) in case.finding.about:
        yield read_again(_("Row {row} is the header").format(row=row), header=int(row))


def _one_header_row(case: Case) -> Iterator[Fix]:
    for row in case.names:
        yield read_again(_("Only row {row}").format(row=row), header=int(row), header_rows=1)


def _header_as_it_stands(case: Case) -> Iterator[Fix]:
    for row in case.names:
        yield read_again(_("The names stand above their columns"), header=int(row))


def _further_raters(case: Case) -> Iterator[Fix]:
    """Columns that are not read as ratings, all of them or each as a rater."""
    if case.layout is Layout.RATERS:
        if len(case.names) > 1 and case.finding.severity is Severity.BLOCK:
            every = (*case.reading.source.rating_columns, *case.names)
            yield read_again(_("They are raters"), layout=Layout.RATERS, columns=every)
        for name in case.names[: MOST - 1]:
            columns = (*case.reading.source.rating_columns, name)
            words = _("“{name}” is a rater").format(name=label_text(name))
            yield read_again(words, layout=Layout.RATERS, columns=columns)


def _rows_as_raters(case: Case) -> Iterator[Fix]:
    """A table that is much wider than long, or whose columns are named like cases."""
    columns, header = case.reading.source.rating_columns, case.reading.preview.header
    # Who filled in a row is named by a column for names, else by the one that names the rows.
    naming = (n for n in header if n not in columns and "name" in words_of(n))
    rater = next(naming, case.reading.source.roles.get("subject"))
    more: dict[str, Any] = {}
    # What stands beside the ratings, such as the time of an answer, is no case.
    if rater is not None and set(header) - {*columns, rater}:
        more = {"columns": columns, "rater": rater, "subject": None}
    yield read_again(_("Each row is a rater"), layout=Layout.SUBJECTS, **more)


def _one_question(case: Case) -> Iterator[Fix]:
    """Several questions beside each other, each to the same raters."""
    for question, *_columns in case.finding.about[: MOST - 1]:
        yield read_again(_("Only “{name}”").format(name=label_text(question)), layout=Layout.RATERS, only=question)


def _count_columns(case: Case) -> Iterator[Fix]:
    """Columns among counts that may be no class."""
    doubtful, rest = case.finding.about
    yield read_again(_("Leave out {names}").format(names=name_list(doubtful)), layout=Layout.COUNTS, columns=rest)
    yield read_again(_("All are classes"), layout=Layout.COUNTS, columns=case.reading.source.rating_columns)


def _named_raters(case: Case) -> Iterator[Fix]:
    yield read_again(_("Each column is a rater"), layout=Layout.RATERS, columns=case.names)


def _above_second_table(case: Case) -> Iterator[Fix]:
    for row in case.names[:1]:
        yield read_again(_("Read only what stands above row {row}").format(row=row), last=int(row) - 1)


def _first_table(case: Case) -> Iterator[Fix]:
    items = {name for group in case.finding.about for name in group}
    columns = tuple(c for c in case.reading.source.rating_columns if c not in items)
    if columns:
        yield read_again(_("Read only the first table"), columns=columns)


def _count(case: Case) -> Iterator[Fix]:
    for name in case.names:
        yield read_again(_("It counts cases"), count=name)


def _two_readings(case: Case) -> Iterator[Fix]:
    """Two readings of a table, each with the options that choose it, question by question."""
    for words, *texts in case.finding.about:
        yield Fix(words, options=MappingProxyType(options_of(texts)))


def _cases_named(case: Case) -> Iterator[Fix]:
    """Rows that have a number beside a name that comes again: which of the two is the case."""
    if len(case.finding.about) > 1:
        (numbered,), (named,) = case.finding.about
        yield read_again(_("Each row is a case: “{name}”").format(name=label_text(numbered)), subject=numbered)
        again = _("“{name}” is the case, judged again").format(name=label_text(named))
        yield read_again(again, layout=Layout.RATERS, subject=named)


def _columns_as_raters(case: Case) -> Iterator[Fix]:
    """Raters side by side, where no number of the rows says it as well."""
    if len(case.finding.about) < 2:
        yield _COLUMNS_ARE_RATERS


def _one_place(case: Case) -> Iterator[Fix]:
    """Cases whose numbers begin anew in each place."""
    (column,), places = case.finding.about
    for place in places[: MOST - 1]:
        where = (*case.reading.asked.where, (column, place))
        yield read_again(_("Only “{value}”").format(value=label_text(place)), where=where)


def _without_trials(case: Case) -> Iterator[Fix]:
    """Responses of a survey that were given to try it."""
    (column,), (status,) = case.finding.about
    where_not = (*case.reading.asked.where_not, (column, status))
    yield read_again(_("Leave out “{value}”").format(value=label_text(status)), where_not=where_not)
    yield case.leave(_("They are answers"))


def _events(case: Case) -> Iterator[Fix]:
    """Events of a study that are raters, or times of which one is read."""
    (column,), events = case.finding.about
    yield read_again(_("The events are raters"), rater=column)
    for event in events[: MOST - 1]:
        where = (*case.reading.asked.where, (column, event))
        yield read_again(_("Only “{value}”").format(value=label_text(event)), where=where)


def _responses(case: Case) -> Iterator[Fix]:
    """Responses that are raters, or each about one case that a column names."""
    columns, *rest = case.finding.about
    if not rest:
        yield case.leave(RIGHT)
        yield read_again(_("Each column is a rater"), layout=Layout.RATERS)
        return
    ((subject,),) = rest
    words = _("Each row is about one “{case}”, and each column a question").format(case=label_text(subject))
    yield read_again(words, layout=Layout.QUESTIONS, subject=subject, only=columns[0])
    yield read_again(_("Each row is a rater, each column a case"), layout=Layout.SUBJECTS, columns=tuple(columns))


def _repeats_by_persons(case: Case) -> Iterator[Fix]:
    """Repeats of a form in the order of the persons who filled it in."""
    yield read_again(_("The same persons in the same order"), rater=case.names[0])


def _without_question(case: Case) -> Iterator[Fix]:
    """Questions that may be facts about the case."""
    gone = case.reading.asked.without
    for name in case.names[: MOST - 1]:
        yield read_again(_("Leave out “{name}”").format(name=label_text(name)), without=(*gone, name))
    yield case.leave(_("They are questions") if len(case.names) > 1 else _("It is a question"))


def _with_question(case: Case) -> Iterator[Fix]:
    """Questions that were left out."""
    for name in case.names[: MOST - 1]:
        rest = tuple(n for n in case.reading.asked.without if n != name)
        yield read_again(_("“{name}” is a question").format(name=label_text(name)), without=rest)


_COLUMNS_ARE_RATERS = read_again(_("Each column is a rater"), layout=Layout.RATERS)
_CHOOSE_COLUMN = Fix(_("Choose a column"), place="subject")
_CHOOSE_HEADER = Fix(_("Choose the header row"), place="header")
_LEAVE_OUT_HIDDEN = read_again(_("Leave out what is hidden"), hidden=False)
_MARKS = (
    read_again(_("Comma is the decimal mark"), decimal=","),
    read_again(_("Dot is the decimal mark"), decimal="."),
)
_HEADER = (RIGHT, _CHOOSE_HEADER)
_TALLIES = (read_again(_("They are counts"), layout=Layout.COUNTS), _("They are ratings"))
_HIDDEN = (_LEAVE_OUT_HIDDEN, _("Count it"))

READING: Mapping[str, tuple[Offer, ...]] = MappingProxyType(
    {
        "seats_or_people": (
            read_again(_("Seats"), raters_are=RatersAre.SEATS),
            read_again(_("The same people"), raters_are=RatersAre.PEOPLE),
        ),
        **dict.fromkeys(("several_sheets", "hidden_sheets", "sheets_stacked"), (_sheets,)),
        "no_header": (_row_as_header, _("There is no header")),
        "two_row_header": (_("Both rows are the header"), _one_header_row),
        "header_too_short": (_header_as_it_stands,),
        **dict.fromkeys(("numeric_header", "letterhead", "header_one_short"), _HEADER),
        "notes_below": (_("They are notes"), read_again(_("They are cases"), last=0)),
        **dict.fromkeys(("hidden_rows", "hidden_columns"), _HIDDEN),
        "columns_not_rated": (_("No ratings there"), _further_raters),
        "raters_in_rows": (_("Each row is a rater"), read_again(_("Each row is a case"), layout=Layout.RATERS)),
        "looks_like_counts": (_("They are counts"), read_again(_("They are ratings"), layout=Layout.RATERS)),
        "maybe_raters_in_rows": (_rows_as_raters, _("Each row is a case")),
        "several_questions": (_one_question, _("Each column is a rater")),
        **dict.fromkeys(("called_like_answers", "rows_add_up"), _TALLIES),
        "counts_column_doubtful": (_count_columns,),
        "looks_like_shares": (_named_raters,),
        "second_table": (_above_second_table, _("It is one table")),
        "table_beside": (_first_table, _("It is one table")),
        **dict.fromkeys(("decimal_mark_uncertain", "zero_decimals"), _MARKS),
        "maybe_count_column": (_count, _("Each row counts once")),
        "no_case_column": (_CHOOSE_COLUMN, _("Keep numbers")),
        "roles_by_values": (RIGHT, _COLUMNS_ARE_RATERS, _CHOOSE_COLUMN),
        "perhaps_questions": (
            _("They are raters"),
            read_again(_("They are questions"), layout=Layout.QUESTIONS, rater=None),
        ),
        **dict.fromkeys(("agreed_on", "computed_question"), (_without_question,)),
        "questions_left_out": (_with_question,),
        "two_readings": (_two_readings,),
        "survey_previews": (_without_trials,),
        "responses_are_raters": (_responses,),
        "events_as_raters": (_events,),
        "repeats_as_ratings": (RIGHT, _repeats_by_persons),
        "square_without_counts": (read_again(_("Each row is a case, each column a rater"), layout=Layout.RATERS),),
        "bare_square": (
            read_again(_("Two raters crossed"), layout=Layout.CONFUSION),
            _COLUMNS_ARE_RATERS,
            read_again(_("Each row counts the ratings of a case"), layout=Layout.COUNTS),
        ),
        "cases_come_again": (
            _cases_named,
            read_again(_("Each row is one rating"), layout=Layout.LONG),
            _columns_as_raters,
            _CHOOSE_COLUMN,
        ),
        "cases_numbered_anew": (_one_place, _("They are the same cases")),
    }
)
"""By code of a finding about how the file was read what is offered."""
