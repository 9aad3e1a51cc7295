"""The layout that names and values suggest, where the user has not said it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from tapdesk.language import Label, joined
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, ask, block, quoted, rows_named, shown
from tapdesk.ratings.layouts import header_words as w
from tapdesk.ratings.layouts import roles as r
from tapdesk.ratings.layouts.structure import Key, RowsBy, is_fact_about, is_like_question, is_said_about, key
from tapdesk.ratings.numbers import is_number
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.scales import recognised
from tapdesk.ratings.table import Table

_MANY = 50
_LEAST, _OFTEN = 8, 1.5  # rows of a table, and rows of a case, from which on cases come again on purpose
_WIDE = 8  # fewer columns than this are no wide table
_AGAIN = re.compile(r" \(\d+\)$")
_CROSSED = "two raters crossed"
_TALLIED = "one row per case"


@dataclass(frozen=True)
class Guess:
    """A layout, what was noticed, and the columns that the structure of the rows tells, by the option that names them.

    Attributes
    ----------
    layout
        Never AUTO.
    findings
        What should be asked.
    columns
        Names of columns by name of option, such as ``rater``.
    """

    layout: Layout
    findings: tuple[Finding, ...] = ()
    columns: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def guessed_layout(table: Table, options: ReadingOptions) -> Guess:
    """The layout that names, values and what comes again in the rows suggest."""
    lower = [n.strip().lower() for n in table.names]
    if {"n_ratings", "n_class1"} <= set(lower):
        return Guess(Layout.COUNTS)
    by_name = _named_long(table, options)
    if by_name is not None:
        return by_name
    structural: tuple[tuple[Callable[[Table], bool], Layout, tuple[Finding, ...]], ...] = (
        (_labels_name_columns, Layout.CONFUSION, (_crosstab(_CROSSED, _("Each cell is read as a number of cases.")),)),
        (_rows_are_raters, Layout.SUBJECTS, (_transposed(table),)),
        (_looks_counted, Layout.COUNTS, (_crosstab(_TALLIED, _("Each cell is read as a number of ratings.")),)),
        (_is_bare_long, Layout.LONG, ()),
    )
    for is_so, layout, findings in structural:
        if is_so(table):
            return Guess(layout, findings)
    subject = r.named(table, options.subject, "--subject") if options.subject else None
    found = key(table, subject, apart=[c for c, _rest in (*options.where, *options.where_not)])
    return _by_key(table, found) or Guess(Layout.RATERS, _perhaps_transposed(table) or _come_again(table, options))


def _come_again(table: Table, options: ReadingOptions) -> tuple[Finding, ...]:
    """A question where most cases stand in several rows, and nothing known tells these apart."""
    case = options.subject or r.called(table, w.SUBJECT)
    known = w.RATING | w.ROUND | w.AGAIN | w.QUESTION | w.BESIDE | w.BY_THE_WAY
    if case not in table.names or any(known & set(w.words(n)) for n in table.names if n != case) or options.where:
        return ()
    column = table.column(case)
    counts = column.used().counts()
    raters = [n for n in table.names if r.is_rater_column(n) and not is_like_question(n)]
    if table.rows < _LEAST or counts.mean() < _OFTEN or 2 * len(raters) >= len(table.names) - 1:
        return ()
    rows = [int(i) for i in table.row_numbers[column.codes == int(np.argmax(column.counts()))]]
    return (
        block(
            "cases_come_again",
            table.place(case),
            _(
                "Most cases stand in several rows, such as {case} in {rows}. As raters side by side each rater would "
                "have rated them again and again; as one rating in each row, another column would name the rater."
            ).format(case=shown(column.text(rows[0] - int(table.row_numbers[0]))), rows=rows_named(rows)),
            _("Say which it is: --layout raters, or --layout long with --rater and --rating."),
            default=_("Shown here are raters side by side; nothing is computed before you have chosen."),
            about=((case,),),
        ),
    )


def _by_key(table: Table, found: Key | None) -> Guess | None:
    """What two columns that together name each row say about the layout; None where each row is a case."""
    if found is None or found.by in {RowsBy.QUESTION, RowsBy.OCCASION}:
        return None
    raters = sum(r.is_rater_column(n) and not is_like_question(n) for n in found.answers)
    roles = {"subject": found.subject, "rater": found.partner}
    if len(found.answers) == 1 and not raters:
        return Guess(Layout.LONG, (), MappingProxyType({**roles, "rating": found.answers[0]}))
    if 2 * raters > len(found.answers):
        # Rows that repeat a case before raters beside each other are told by another check.
        return Guess(Layout.RATERS, (_two_readings(table, found),)) if found.by is RowsBy.RATER else None
    if found.by is RowsBy.RATER:
        return Guess(Layout.QUESTIONS, (), MappingProxyType(roles))
    return Guess(Layout.RATERS, (_two_readings(table, found),))


def _two_readings(table: Table, found: Key) -> Finding:
    """The question whether the rows of a case are those of its raters, or repeats before raters beside each other."""
    row = table.rows // 2
    case, who = (table.column(n).text(row).strip() for n in (found.subject, found.partner))
    first = found.answers[0]
    given = table.column(first).text(row).strip()
    return block(
        "two_readings",
        joined(*(table.place(n) for n in (found.partner, *found.answers[:2])), sep=", "),
        _(
            "The table can be read in two ways. As answers to questions: {partner} {who} answered '{first}' of {case} "
            "with '{given}'. As raters side by side: the rater {first} gave {case} the rating '{given}'."
        ).format(
            partner=Label(found.partner), who=shown(who), first=shown(first, 40), case=shown(case), given=shown(given)
        ),
        _(
            "Say which it is: --layout questions --subject '{subject}' --rater '{partner}' --only '{first}', or "
            "--layout raters."
        ).format(subject=Label(found.subject), partner=Label(found.partner), first=Label(first)),
        default=_("Shown here is the second way; nothing is computed before you have chosen."),
        about=((found.subject, found.partner), found.answers),
    )


def _named_long(table: Table, options: ReadingOptions) -> Guess | None:
    """What one column that is called rater, judge … says about the layout; None without such a column."""
    rater = options.rater or r.called(table, w.RATER)
    # A header that says "Reader" over several columns names several raters.
    several = [n for n in table.names if r.is_called(_AGAIN.sub("", n), w.RATER_ANYWHERE)]
    if rater:
        # RaterAge beside RaterID is no second rater, but something about the first.
        several = [n for n in several if not is_fact_about(table, n, rater)]
    if rater and len(several) == 1 and not _answers_like_others(table, rater):
        rating = r.called(table, w.RATING, apart_from=(rater,))
        subject = r.called(table, w.SUBJECT, apart_from=(rater, rating))
        if rater == table.names[0] and not rating and not subject and r.all_different(table, rater):
            return Guess(Layout.SUBJECTS, (_transposed(table),))
        if rating is not None and is_said_about(table, rating, rater):
            rating = None
        found = key(table, options.subject or None, rater)
        if found is not None and len(found.answers) == 1:
            columns = {"subject": found.subject, "rater": rater, "rating": rating or found.answers[0]}
            return Guess(Layout.LONG, (), MappingProxyType(columns))
        if rating or len(table.names) == 3:
            return Guess(Layout.LONG)
        if found is not None:
            return Guess(Layout.QUESTIONS, (), MappingProxyType({"subject": found.subject, "rater": rater}))
        if subject and len(table.names) > 3:
            return Guess(Layout.QUESTIONS)
    return None


def _answers_like_others(table: Table, rater: str) -> bool:
    """Whether a column that is called like a rater holds the answers of one, as the columns beside it do.

    Raters may be numbered as scores are, so only words tell.
    """
    own = r.distinct(table, rater)
    rating = r.called(table, w.RATING, apart_from=(rater,))
    if rating is not None or 2 * len(own) > table.rows or any(map(is_number, own)):
        return False
    subject = r.called(table, w.SUBJECT, apart_from=(rater,))
    return any(len(own & r.distinct(table, n)) >= 2 for n in table.names if n not in {rater, subject})


def _transposed(table: Table) -> Finding:
    return ask(
        "raters_in_rows",
        table.place(table.names[0]),
        _("Each row seems to be a rater and each column a case, such as {names}.").format(
            names=quoted(table.names[1:3])
        ),
        _("If each row is a case instead, choose the layout 'raters'."),
        _("Rows are read as raters and columns as cases."),
    )


def _perhaps_transposed(table: Table) -> tuple[Finding, ...]:
    """A question where a table is so much wider than long that its rows may be the raters."""
    rest = [n for n in table.names[1:] if not w.RATER_ANYWHERE.intersection(w.words(n))]
    wide = len(rest) == len(table.names) - 1 >= max(_WIDE, 2 * table.rows) and table.rows > 1
    if not wide or not r.all_different(table, table.names[0]) or r.whole_numbers(table, table.names[0]):
        return ()
    return (
        block(
            "maybe_raters_in_rows",
            table.place(table.names[0]),
            _(
                "There are {columns} columns and only {rows} rows: perhaps each row is a rater and each column a case."
            ).format(columns=len(rest), rows=table.rows),
            _("If each row is a rater, choose the layout 'subjects' (--layout subjects). Else say --layout raters."),
            _("Rows are read as cases and columns as raters; nothing is computed before you have chosen."),
        ),
    )


def _crosstab(what: str, default: str) -> Finding:
    return ask(
        "looks_like_counts",
        "",
        _("These look like counts ({what}) rather than single ratings.").format(what=what),
        _("If the numbers are ratings themselves, choose the layout 'raters'."),
        default,
    )


def _labels_name_columns(table: Table) -> bool:
    """Whether the first column repeats the names of the others: a table of two raters crossed."""
    rest = table.names[1:]
    return (
        len(rest) >= 2
        and r.distinct(table, table.names[0]) == frozenset(rest)
        and table.rows == len(rest)
        and all(r.whole_numbers(table, n) for n in rest)
    )


def _rows_are_raters(table: Table) -> bool:
    """Whether the first column lists raters (Judge 1, Judge 2 …), or all others are cases (Wine 1, Wine 2 …)."""
    first, rest = table.names[0], table.names[1:]
    labels = r.distinct(table, first)
    cases = w.in_language([re.sub(r"\d", "", n) for n in rest], w.SUBJECT)
    numbered = all(re.search(r"\d", n) and cases.intersection(w.words(n)) for n in rest)
    if len(rest) >= 3 and numbered and r.all_different(table, first) and not r.is_called(first, cases):
        return True
    return (
        len(rest) >= 2
        and r.all_different(table, first)
        and all(bool(w.RATER_ANYWHERE.intersection(w.words(v))) for v in labels)
        and not any(w.RATER_ANYWHERE.intersection(w.words(n)) for n in rest)
    )


def _looks_counted(table: Table) -> bool:
    """Whether rows of whole numbers all have the same sum, or stand below the steps of a known scale."""
    columns = r.class_columns(table, None)
    if len(columns) < 2 or table.rows < 5 or any(r.is_rater_column(n) for n in columns):
        return False
    if not all(r.whole_numbers(table, n) for n in columns):
        return False
    numbers = np.stack([r.as_counts(table, n) for n in columns], axis=1)
    total = numbers.sum(axis=1)
    if recognised(columns) is not None:
        return int(total.max()) >= 2
    return bool((total == total[0]).all()) and int(total[0]) >= 2 and int(numbers.min()) == 0


def _is_bare_long(table: Table) -> bool:
    """Whether two or three columns are names and ratings: names repeat and share no text with the ratings."""
    columns = r.names_without_dates(table)
    if not 2 <= len(columns) <= 3 or any(r.is_rater_column(n) for n in columns):
        return False
    rating = r.called(table, w.RATING)
    if rating is None and (len(columns) == 3 or r.is_called(columns[0], w.in_language(table.names, w.SUBJECT))):
        rating = columns[-1]
    subject = r.called(table, w.SUBJECT, apart_from=(rating,)) or columns[0]
    if rating is None or rating == subject:
        return False
    names, values = r.distinct(table, subject), r.distinct(table, rating)
    others = [n for n in columns if n not in {subject, rating}]
    # Visits are numbered as scores are.
    shared = any(r.distinct(table, n) & (values | names) for n in others if not r.is_called(n, w.ROUND))
    return len(names) < table.rows and not shared and len(values) <= max(_MANY, len(names) - 1)
