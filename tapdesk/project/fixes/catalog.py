"""What can be done about a finding with one click: one row for each kind of finding."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from tapdesk.project.fixes import ratings as fixes_ratings
from tapdesk.project.fixes import reading as fixes_reading
from tapdesk.project.fixes import scores as fixes_scores
from tapdesk.project.fixes.fix import Fix
from tapdesk.ratings.findings import Finding
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading


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
    | _rows(fixes_ratings.labelled, ["label_and_value"])
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
    | _rows(fixes_reading.seats, ["seats_or_people"])
    | _rows(fixes_reading.sheets, ["several_sheets", "hidden_sheets", "sheets_stacked"])
    | _rows(fixes_reading.header, ["no_header", "numeric_header", "letterhead", "two_row_header", "header_one_short"])
    | _rows(fixes_reading.header, ["header_too_short"])
    | _rows(fixes_reading.below, ["notes_below"])
    | _rows(fixes_reading.hidden, ["hidden_rows", "hidden_columns"])
    | _rows(fixes_reading.columns, ["columns_not_rated"])
    | _rows(fixes_reading.layout, ["raters_in_rows", "looks_like_counts"])
    | _rows(fixes_reading.perhaps_transposed, ["maybe_raters_in_rows"])
    | _rows(fixes_reading.nameless, ["case_without_name"])
    | _rows(fixes_reading.questions, ["several_questions"])
    | _rows(fixes_reading.called_like_answers, ["called_like_answers"])
    | _rows(fixes_reading.second_table, ["second_table", "table_beside"])
    | _rows(fixes_reading.decimal, ["decimal_mark_uncertain", "zero_decimals"])
    | _rows(fixes_reading.codes, ["missing_codes"])
    | _rows(fixes_reading.counted_columns, ["counts_column_doubtful"])
    | _rows(fixes_reading.shares, ["looks_like_shares"])
    | _rows(fixes_reading.count, ["maybe_count_column"])
    | _rows(fixes_reading.case_column, ["no_case_column"])
    | _rows(fixes_reading.roles, ["roles_by_values"])
    | _rows(fixes_reading.perhaps_questions, ["perhaps_questions"])
    | _rows(fixes_reading.two_readings, ["two_readings"])
    | _rows(fixes_reading.come_again, ["cases_come_again"])
    | _rows(fixes_reading.numbered_anew, ["cases_numbered_anew"])
    | _rows(
        fixes_reading.fine,
        [
            "filled_down", "rater_without_name", "blank_counts", "user_missing",
             "files_stacked", "merged_ratings", "numbers_cut_short", "one_rating_per_subject", "one_rater", "one_class",
             "struck_out", "partly_struck_out", "unseen_ratings", "rounded_ratings",
        ],
    )
)  # fmt: skip
