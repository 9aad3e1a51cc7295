"""What can be done about a finding with one click: one row for each kind of finding."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from tapdesk.language import gettext as _
from tapdesk.project import rating_fixes as fixes_ratings
from tapdesk.project import rating_fixes as fixes_scores
from tapdesk.project.decisions.ratings import LeaveOutSubjects
from tapdesk.project.rating_fixes import MOST, Fix, known_names, leave_as_read, read_with
from tapdesk.ratings.findings import Finding, label_text
from tapdesk.ratings.options import Layout, RatersAre
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.ratings.vocabulary import words as words_of


def seats(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Numbered columns."""
    del finding, reading, now
    yield read_with(_("Seats"), raters_are=RatersAre.SEATS)
    yield read_with(_("The same people"), raters_are=RatersAre.PEOPLE)


def sheets(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Sheets of a workbook."""
    del now
    for name in (finding.about[0] if finding.about else ())[: MOST - 1]:
        yield read_with(_("Read the sheet “{name}”").format(name=label_text(name)), sheet=name)
    right = _("Stacking is right") if reading.source.sheet not in reading.source.sheets else _("This sheet is right")
    yield leave_as_read(finding, right)


def header(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """The header."""
    del reading, now
    if finding.code == "no_header":
        for row in (g[0] for g in finding.about):
            yield read_with(_("Row {row} is the header").format(row=row), header=int(row))
        yield leave_as_read(finding, _("There is no header"))
    elif finding.code == "two_row_header":
        yield leave_as_read(finding, _("Both rows are the header"))
        for row in finding.about[0] if finding.about else ():
            yield read_with(_("Only row {row}").format(row=row), header=int(row), header_rows=1)
    elif finding.code == "header_too_short":
        for row in finding.about[0]:
            yield read_with(_("The names stand above their columns"), header=int(row))
    else:
        yield leave_as_read(finding, _("That is right"))
        yield Fix(_("Choose the header row"), place="header")


def footnotes(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Lines of text below the table."""
    del reading, now
    yield leave_as_read(finding, _("They are notes"))
    yield read_with(_("They are cases"), last=0)


def hidden(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Hidden rows and columns."""
    del reading, now
    yield read_with(_("Leave out what is hidden"), hidden=False)
    yield leave_as_read(finding, _("Count it"))


def columns(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Columns that are not read as ratings."""
    del now
    rest = finding.about[0] if finding.about else ()
    yield leave_as_read(finding, _("No ratings there"))
    if reading.source.layout is Layout.RATERS:
        for name in rest[: MOST - 1]:
            columns = (*reading.source.rating_columns, name)
            yield read_with(
                _("“{name}” is a rater").format(name=label_text(name)), layout=Layout.RATERS, columns=columns
            )


def perhaps_transposed(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """A table that is much wider than long, or whose columns are named like cases."""
    del now
    words = _("Each row is a rater")
    columns, rater = reading.source.rating_columns, _naming(reading)
    beside = set(reading.preview.header) - {*columns, rater}
    # What stands beside the ratings, such as the time of an answer, is no case.
    if rater is not None and beside:
        yield read_with(words, layout=Layout.SUBJECTS, columns=columns, rater=rater, subject=None)
    else:
        yield read_with(words, layout=Layout.SUBJECTS)
    yield leave_as_read(finding, _("Each row is a case"))


def _naming(reading: Reading) -> str | None:
    """The column that names who filled in a row: one for names, else the one that names the rows."""
    names = [n for n in reading.preview.header if n not in reading.source.rating_columns]
    return next((n for n in names if "name" in words_of(n)), reading.source.roles.get("subject"))


def questions(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Several questions beside each other, each to the same raters."""
    del reading, now
    for question, *columns in finding.about[: MOST - 1]:
        yield read_with(_("Only “{name}”").format(name=label_text(question)), columns=tuple(columns))
    yield leave_as_read(finding, _("Each column is a rater"))


def names_like_answers(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Columns that are named like answers and hold numbers."""
    del reading, now
    yield read_with(_("They are counts"), layout=Layout.COUNTS)
    yield leave_as_read(finding, _("They are ratings"))


def count_columns(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Columns among counts that may be no class."""
    del now
    doubtful, rest = finding.about
    words = _("Leave out {names}").format(names=", ".join(label_text(n) for n in doubtful[:3]))
    yield read_with(words, layout=Layout.COUNTS, columns=rest)
    yield read_with(_("All are classes"), layout=Layout.COUNTS, columns=reading.source.rating_columns)


def shares(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Columns that make one together in every row."""
    del reading, now
    yield read_with(_("Each column is a rater"), layout=Layout.RATERS, columns=finding.about[0])


def second_table(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """A second table below or beside the first."""
    del now
    if finding.code == "second_table":
        for row in finding.about[0][:1] if finding.about else ():
            yield read_with(_("Read only what stands above row {row}").format(row=row), last=int(row) - 1)
    else:
        beside = {name for group in finding.about for name in group}
        columns = tuple(c for c in reading.source.rating_columns if c not in beside)
        if columns:
            yield read_with(_("Read only the first table"), columns=columns)
    yield leave_as_read(finding, _("It is one table"))


def layout(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """The layout."""
    del reading, now
    counts = finding.code == "looks_like_counts"
    yield leave_as_read(finding, _("They are counts") if counts else _("Each row is a rater"))
    words = _("They are ratings") if counts else _("Each row is a case")
    yield read_with(words, layout=Layout.RATERS)


def decimal(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """The decimal mark."""
    del finding, reading, now
    yield read_with(_("Comma is the decimal mark"), decimal=",")
    yield read_with(_("Dot is the decimal mark"), decimal=".")


def codes(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Codes for missing ratings."""
    del reading, now
    yield leave_as_read(finding, _("They mean no rating"))
    yield read_with(_("They are answers"), missing=())


def count(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """A column that may count cases."""
    del reading, now
    for name in finding.about[0] if finding.about else ():
        yield read_with(_("It counts cases"), count=name)
    yield leave_as_read(finding, _("Each row counts once"))


def case_column(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """No column of cases."""
    del reading, now
    yield Fix(_("Choose a column"), place="subject")
    yield leave_as_read(finding, _("Keep numbers"))


def roles(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Columns that were told apart by what they hold."""
    del reading, now
    yield leave_as_read(finding, _("That is right"))
    yield read_with(_("Each column is a rater"), layout=Layout.RATERS)
    yield Fix(_("Choose a column"), place="subject")


def perhaps_questions(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Columns that are named like questions."""
    del reading, now
    yield leave_as_read(finding, _("They are raters"))
    yield read_with(_("They are questions"), layout=Layout.QUESTIONS, rater=None)


def two_readings(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Rows that are those of raters, or repeats of a case before raters beside each other."""
    del reading, now
    (subject, partner), answers = finding.about
    for name in answers[: MOST - 1]:
        words = _("“{partner}” rated; read the question “{name}”").format(
            partner=label_text(partner), name=label_text(name)
        )
        yield read_with(words, layout=Layout.QUESTIONS, subject=subject, rater=partner, only=name)
    yield read_with(_("Each column is a rater"), layout=Layout.RATERS, subject=subject, columns=answers)


def repeated_cases(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Cases that stand in several rows."""
    del finding, reading, now
    yield read_with(_("Each row is one rating"), layout=Layout.LONG)
    yield read_with(_("Each column is a rater"), layout=Layout.RATERS)
    yield Fix(_("Choose a column"), place="subject")


def restarted_numbers(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Cases whose numbers begin anew in each place."""
    del now
    (column,), places = finding.about
    for place in places[: MOST - 1]:
        where = (*reading.asked.where, (column, place))
        yield read_with(_("Only “{value}”").format(value=label_text(place)), where=where)
    yield leave_as_read(finding, _("They are the same cases"))


def nameless_rows(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Rows with ratings and no case, as sums below a table are."""
    del reading
    rows = known_names(finding.about[0] if finding.about else (), now.subjects)
    if rows and len(rows) < now.subject_count:
        told = ", ".join(label_text(n) for n in rows[:3])
        yield Fix(_("Leave out {names}").format(names=told), LeaveOutSubjects(rows, with_classes=True))
    yield leave_as_read(finding, _("They are cases"))


def accept(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Something that only wants to be looked at."""
    del reading, now
    yield leave_as_read(finding, _("That is right"))


def fixes(finding: Finding, reading: Reading, now: Ratings) -> tuple[Fix, ...]:
    """What can be done about a finding.

    Parameters
    ----------
    finding
        What was noticed.
    reading
        The reading that noticed it.
    now
        The ratings with the decisions made so far, before class 1 is chosen.
    """
    make = _FIXES.get(finding.code)
    return () if make is None else tuple(make(finding, reading, now))


_Maker = Callable[[Finding, Reading, Ratings], Iterable[Fix]]


def _rows(maker: _Maker, codes: Sequence[str]) -> dict[str, _Maker]:
    return dict.fromkeys(codes, maker)


MERGES = ("look_alikes", "case_space_variants", "same_number", "same_meaning")
TEXTS = (
    "dates_among_ratings", "percentages", "unusual_marks", "half_points", "far_value", "maybe_missing_number",
     "maybe_missing_word", "numbers_among_words", "missing_code_like", "serial_dates",
)  # fmt: skip

_FIXES: Mapping[str, _Maker] = MappingProxyType(
    _rows(fixes_ratings.merge, MERGES)
    | _rows(fixes_ratings.merge_labels, ["label_and_value"])
    | _rows(fixes_ratings.decimal_mark, ["other_decimal_mark"])
    | _rows(fixes_ratings.no_rating, TEXTS)
    | _rows(fixes_scores.steps, ["continuous_scores"])
    | _rows(fixes_ratings.order, ["order_unknown"])
    | _rows(fixes_ratings.summary, ["summary_column", "summary_row", "summary_rater", "known_answers"])
    | _rows(fixes_ratings.similar, ["similar_rater_names", "similar_case_names"])
    | _rows(fixes_ratings.same_column_name, ["duplicate_column_names"])
    | _rows(fixes_ratings.repeats, ["repeats_same", "repeats_different"])
    | _rows(fixes_ratings.identical, ["identical_raters"])
    | _rows(fixes_ratings.consensus, ["looks_like_consensus"])
    | _rows(fixes_ratings.perhaps_no_rater, ["perhaps_no_rater"])
    | _rows(fixes_ratings.upside_down, ["reversed_rater"])
    | _rows(fixes_ratings.rounds, ["rounds", "rows_of_questions"])
    | _rows(fixes_ratings.personal, ["personal_data"])
    | _rows(fixes_ratings.persons_as_cases, ["persons_as_cases"])
    | _rows(seats, ["seats_or_people"])
    | _rows(sheets, ["several_sheets", "hidden_sheets", "sheets_stacked"])
    | _rows(header, ["no_header", "numeric_header", "letterhead", "two_row_header", "header_one_short"])
    | _rows(header, ["header_too_short"])
    | _rows(footnotes, ["notes_below"])
    | _rows(hidden, ["hidden_rows", "hidden_columns"])
    | _rows(columns, ["columns_not_rated"])
    | _rows(layout, ["raters_in_rows", "looks_like_counts"])
    | _rows(perhaps_transposed, ["maybe_raters_in_rows"])
    | _rows(nameless_rows, ["case_without_name"])
    | _rows(questions, ["several_questions"])
    | _rows(names_like_answers, ["called_like_answers"])
    | _rows(second_table, ["second_table", "table_beside"])
    | _rows(decimal, ["decimal_mark_uncertain", "zero_decimals"])
    | _rows(codes, ["missing_codes"])
    | _rows(count_columns, ["counts_column_doubtful"])
    | _rows(shares, ["looks_like_shares"])
    | _rows(count, ["maybe_count_column"])
    | _rows(case_column, ["no_case_column"])
    | _rows(roles, ["roles_by_values"])
    | _rows(perhaps_questions, ["perhaps_questions"])
    | _rows(two_readings, ["two_readings"])
    | _rows(repeated_cases, ["cases_come_again"])
    | _rows(restarted_numbers, ["cases_numbered_anew"])
    | _rows(
        accept,
        [
            "filled_down", "rater_without_name", "blank_counts", "user_missing",
             "files_stacked", "merged_ratings", "numbers_cut_short", "one_rating_per_subject", "one_rater", "one_class",
             "struck_out", "partly_struck_out", "unseen_ratings", "rounded_ratings",
        ],
    )
)  # fmt: skip
