"""What the rows of a table are, told by what comes again in them: one case each, or one case and one rater each."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

import numpy as np

from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings import vocabulary as w
from tapdesk.ratings.findings import Finding, ask, block, label_text, quoted_list, row_list
from tapdesk.ratings.label_sets import label_sets
from tapdesk.ratings.layouts import roles as r
from tapdesk.ratings.layouts.crosstab import bare_square
from tapdesk.ratings.layouts.two_readings import two_readings
from tapdesk.ratings.layouts.understanding import (
    Part,
    Understanding,
    is_fact_by_name,
    is_said_of,
    name_points,
    rival,
    understandings,
)
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import is_number

_LEAST = 4  # rows: fewer come again by chance
_UNIQUE = 0.95  # share of the rows that a key tells apart; a few are entered twice in any file
_CROSSED = 0.5  # share of all combinations, from which on numbers without a name are no measurement
_SURE = 10  # cases or raters: what is the same in all rows of each of so many is no chance
_FACTS = w.OTHER_COLUMN | w.ROUND | w.BY_THE_WAY
_MANY = 50  # different texts: more are remarks
_WIDE = 60  # columns that are tried as the second part of a key


class RowsBy(Enum):
    """What tells the rows of one case apart."""

    RATER = "rater"
    OCCASION = "occasion"
    QUESTION = "question"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Key:
    """Two columns that together name each row, while each alone comes again.

    Attributes
    ----------
    subject, partner
        The column of the cases, and the one that tells the rows of a case apart.
    answers
        The columns that belong to both: neither facts about the case nor about the partner.
    by
        What the partner is by its name.
    crossed
        Whether every case has a row for every text of the partner.
    """

    subject: str
    partner: str
    answers: tuple[str, ...]
    by: RowsBy
    crossed: bool


def _is_fact_about(table: RatingTable, name: str, of: str) -> bool:
    """Whether a column says the same in all rows of each text of another, as an age of a rater does, and is no copy."""
    if name == of or len(table.texts(of)) * 3 > table.rows * 2:
        return False
    if table.texts(name) & table.texts(of):
        return False
    return table.combinations(name, of) == _count(table, of)


def is_said_about(table: RatingTable, name: str, rater: str) -> bool:
    """Whether a column that is not plainly called a case or a rating says something fixed about the raters."""
    spoken = set(w.words(name))
    plain = any(spoken <= kind | w.NAMING for kind in (w.SUBJECT, w.RATING))
    return not plain and _is_fact_about(table, name, rater)


def without_facts(table: RatingTable, names: Sequence[str], *about: str | None) -> tuple[str, ...]:
    """The columns among some that say nothing fixed about a case or a rater; all of them where none would be left.

    A question on which all raters agree says the same in all rows of a case as well: a column counts as a fact only
    where its name says so, or where many cases show it and it shares no answer with another column.
    """

    def is_fact(name: str, of: str) -> bool:
        if not _is_fact_about(table, name, of):
            return False
        if _FACTS.intersection(w.words(name)) or is_said_of(name, of):
            return True
        own = table.texts(name)
        return _count(table, of) >= _SURE and not any(own & table.texts(n) for n in names if n != name)

    kept = tuple(n for n in names if not any(of is not None and is_fact(n, of) for of in about))
    return kept or tuple(names)


def names_each_row(table: RatingTable, *names: str) -> bool:
    """Whether some columns together tell nearly all rows apart."""
    return table.combinations(*names) >= _UNIQUE * table.rows


def key(
    table: RatingTable, subject: str | None = None, rater: str | None = None, apart: Sequence[str] = ()
) -> Key | None:
    """The two columns that together name each row, where each alone comes again; None where there are none.

    Parameters
    ----------
    table
        The table.
    subject, rater
        The column of the cases and the one of the raters, where they are known.
    apart
        Columns that are no part of it, such as those of a filter.
    """
    if table.rows < _LEAST or len(table.names) < 3:
        return None
    names = [n for n in r.names_without_dates(table) if n not in apart]
    half = subject or r.column_called(table, w.SUBJECT, apart_from=(rater, *apart))
    if half is None and rater is not None:
        half = _other_half(table, names, rater)
    # Without a telling name, those that come again less often are the cases.
    tried = [half] if half is not None else [] if rater is not None else _unnamed_cases(table, names)
    tells = ((case, _rows_by(table, names, case, rater)) for case in tried if _comes_again(table, case))
    half, rows = next(((case, rows) for case, rows in tells if rows is not None), (None, None))
    if half is None or rows is None:
        return None
    answers = _answers(table, names, half, rows)
    crossed = _count(table, half) * _count(table, rows) == table.rows
    return Key(half, rows, answers, RowsBy.RATER if rater else _by(rows), crossed) if answers else None


@dataclass(frozen=True)
class RowsOfCase:
    """A column that tells the rows of a case apart, and whether each surely answers another question."""

    column: str
    asks: bool


def rows_of_a_case(table: RatingTable, roles: r.Roles, options: ReadingOptions) -> RowsOfCase | None:
    """What tells the rows of one case apart, where they may answer different questions; None where they do not.

    Parameters
    ----------
    table, roles
        The table and what its columns are for.
    options
        Filters say which rows are read.
    """
    if roles.subject is None or roles.question is not None or roles.layout not in {Layout.RATERS, Layout.LONG}:
        return None
    if roles.layout is Layout.LONG and roles.rater is None:
        return None
    table = r.filtered(table, options)
    taken = {roles.subject, roles.rater, roles.rating, *roles.columns}
    ways = [
        u
        for u in understandings(table, roles.subject)
        if u.layout is roles.layout
        and u.rater == roles.rater
        and (u.question or u.occasion)
        and not set(u.answers) - taken
    ]
    best = next((u for u in ways if (u.question or u.occasion) not in taken), None)
    if best is None:
        return None
    column = best.question or best.occasion or ""
    if name_points(table, column, Part.QUESTION) >= 2 or best.evidence.get("texts of the question", 0) >= 1:
        return RowsOfCase(column, asks=True)
    if best.question is None and (name_points(table, column, Part.ROUND) >= 2 or is_fact_by_name(column)):
        return None
    parts = [n for n in (roles.subject, roles.rater, column) if n is not None]
    crossed = int(np.prod([_count(table, n) for n in parts])) == table.rows
    return RowsOfCase(column, asks=False) if crossed or best.question is not None else None


def _names_cases(name: str) -> bool:
    """Whether a first column may name cases: it is not called like something else."""
    spoken = set(w.words(name))
    return not (spoken & (w.OTHER_COLUMN | w.ROUND | w.QUESTION | w.RATING) or r.is_rater_column(name))


def _other_half(table: RatingTable, names: Sequence[str], rater: str) -> str | None:
    """The column of cases beside that of the raters: the first that names each row together with it."""
    fits = [n for n in names if n != rater and _names_cases(n) and _comes_again(table, n)]
    fits = [n for n in fits if names_each_row(table, n, rater)]
    return max(fits, key=lambda n: _count(table, n), default=None)


def _unnamed_cases(table: RatingTable, names: Sequence[str]) -> list[str]:
    """Columns that may name the cases where none is called so: they share no text with another, most texts first."""
    apart = [
        n
        for n in names[:_WIDE]
        if _names_cases(n)
        and _by(n) is not RowsBy.RATER
        and not any(table.texts(n) & table.texts(other) for other in names if other != n)
    ]
    return sorted(apart, key=lambda n: -_count(table, n))


def _rows_by(table: RatingTable, names: Sequence[str], subject: str, rater: str | None) -> str | None:
    """What tells the rows of a case apart: the raters, where their column is known, else what the rows show."""
    more = [n for n in names if n not in {subject, rater} and _by(n) in {RowsBy.OCCASION, RowsBy.QUESTION}]
    if rater is None:
        return _partner(table, names, subject, more)
    return rater if _comes_again(table, rater) and names_each_row(table, subject, rater, *more) else None


def _partner(table: RatingTable, names: Sequence[str], subject: str, more: Sequence[str]) -> str | None:
    """What tells the rows of a case apart: a column called like a rater, else one called like a round, else any."""
    rated = r.column_called(table, w.RATING, apart_from=(subject,))
    wide = [n for n in names if n not in {subject, rated} and _comes_again(table, n)][:_WIDE]
    by_name = [n for n in wide if _by(n) is RowsBy.RATER]
    fits = [n for n in by_name if names_each_row(table, subject, n, *more)]
    # An identifier comes before what is said about the one it names.
    fits = [n for n in fits if not any(_is_fact_about(table, n, o) for o in fits)] or fits
    if fits:
        return fits[0]
    single = [n for n in wide if names_each_row(table, subject, n)]
    # A person's age does not tell rows apart where there is a column of persons.
    single = [
        n
        for n in single
        if not any((_FACTS & set(w.words(n)) or is_said_of(n, o)) and _is_fact_about(table, n, o) for o in wide)
    ] or single
    known = [n for n in single if _by(n) is not RowsBy.UNKNOWN]
    if known:
        return known[0]
    apart = [n for n in single if _stands_apart(table, names, subject, n)]
    return min(apart, key=lambda n: _count(table, n), default=None)


def _stands_apart(table: RatingTable, names: Sequence[str], subject: str, name: str) -> bool:
    """Whether a column without a telling name holds names rather than answers: no other column shares its texts."""
    own = table.texts(name)
    if r.is_rater_column(name) or any(own & table.texts(n) for n in names if n not in {name, subject}):
        return False
    crossed = table.rows / (_count(table, subject) * len(own))
    return crossed >= _CROSSED or not all(map(is_number, own))


def _by(name: str) -> RowsBy:
    """What tells rows apart, by the name of the column."""
    if r.is_rater_column(name) or not w.words(name):
        return RowsBy.UNKNOWN
    spoken = set(w.words(name))
    if spoken & (w.RATER_ANYWHERE | w.RATER_PERHAPS) and not spoken & (w.OTHER_COLUMN | w.RATING):
        return RowsBy.RATER
    if spoken & w.QUESTION:
        return RowsBy.QUESTION
    return RowsBy.OCCASION if spoken & (w.ROUND | w.REPEAT | w.OTHER_COLUMN | w.BY_THE_WAY) else RowsBy.UNKNOWN


def _answers(table: RatingTable, names: Sequence[str], subject: str, rows: str) -> tuple[str, ...]:
    """The columns that hold answers: the one called so, else all that are no facts, dates, remarks or rounds."""
    rest = [n for n in names if n not in {subject, rows} and not table.all_different(n)]
    rest = [n for n in rest if table.texts(n) and not _is_remark(table, n)]
    rated = r.column_called(table, w.RATING, apart_from=(subject, rows))
    exact = rated is not None and set(w.words(rated)) <= w.RATING | w.NAMING
    if rated is not None and exact and rated in without_facts(table, rest, rows):
        return (rated,)
    by_name = [n for n in rest if _by(n) is RowsBy.UNKNOWN or r.is_rater_column(n)] or rest
    return without_facts(table, without_facts(table, by_name, rows), subject)


def _is_remark(table: RatingTable, name: str) -> bool:
    texts = table.texts(name)
    return len(texts) > _MANY and not all(map(is_number, texts)) and label_sets(list(texts)) is None


def _comes_again(table: RatingTable, name: str) -> bool:
    """Whether most rows of a column hold a text that other rows hold too, and few are blank."""
    column = table.column(name)
    if len(column.values) < 2 or column.blank.mean() > 1 - _UNIQUE:
        return False
    counts = column.counts()
    return bool(counts[counts > 1].sum() * 2 > table.rows)


def _count(table: RatingTable, name: str) -> int:
    return len(table.column(name).used().values)


_LEAST_ROWS = 8  # rows of a table from which on cases come again on purpose
_LEAST_COLUMNS = 8  # fewer columns than this are no wide table
_AGAIN = re.compile(r" \(\d+\)$")


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
    answers
        The columns that hold answers, where the rows told them.
    best, other
        The reading that the rows told, and the runner-up where it is plausible too.
    """

    layout: Layout
    findings: tuple[Finding, ...] = ()
    columns: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    answers: tuple[str, ...] = ()
    best: Understanding | None = None
    other: Understanding | None = None


def guess_layout(table: RatingTable, options: ReadingOptions) -> Guess:
    """The layout that names, values and what comes again in the rows suggest."""
    if r.total_and_part(table) is not None:
        return Guess(Layout.COUNTS)
    crossed = _crosstab("two raters crossed", _("Each cell is read as a number of cases."))
    tallied = _crosstab("one row per case", _("Each cell is read as a number of ratings."))
    if _labels_name_columns(table):
        return Guess(Layout.CONFUSION, (crossed,))
    square = bare_square(table)
    if square is not None:
        return Guess(Layout.RATERS, (square,))
    guess = _by_rows(table, options) or _named_long(table, options)
    if guess is not None:
        return guess
    structural: tuple[tuple[Callable[[RatingTable], bool], Layout, tuple[Finding, ...]], ...] = (
        (_rows_are_raters, Layout.SUBJECTS, (_transposed(table),)),
        (_looks_counted, Layout.COUNTS, (tallied,)),
        (_is_bare_long, Layout.LONG, ()),
    )
    for is_so, layout, findings in structural:
        if is_so(table):
            return Guess(layout, findings)
    return Guess(Layout.RATERS, _perhaps_transposed(table) or _come_again(table, options))


# Points that a reading by the keys of rows needs, and needs where a single column names each row.
_FLOOR, _FLOOR_LONG, _FLOOR_BESIDE = 4.0, 3.0, 9.0
_ROWS_LONG = 24  # from which on what comes again is so little of a chance that fewer points are enough


def _by_rows(table: RatingTable, options: ReadingOptions) -> Guess | None:
    """What the columns that together name each row say about the layout; None where a single column names it."""
    subject = r.user_column(table, options.subject, "--subject") if options.subject else None
    if options.subject == "":
        return None
    table = r.filtered(table, options)
    result = understandings(table, subject)
    alone = any(len(c.values) == table.rows for c in table.columns) and any(
        table.all_different(n) and not r.counts_up(table, n) for n in table.names
    )
    floor = _FLOOR if table.rows < _ROWS_LONG else _FLOOR_LONG
    if not result or result[0].score <= (_FLOOR_BESIDE if alone else floor):
        return None
    best = result[0]
    other = rival(table, result)
    if other is None:
        return Guess(best.layout, (), MappingProxyType(_columns_of(best)), best.answers, best)
    # Shown meanwhile is the way in which nothing has to be chosen first.
    turned = asks_first(best) and not asks_first(other)
    shown = other if turned else best
    findings = (two_readings(table, best, other, second=turned),)
    return Guess(shown.layout, findings, MappingProxyType(_columns_of(shown)), shown.answers, shown, other)


def asks_first(way: Understanding) -> bool:
    """Whether one of several questions has to be chosen before anything is read."""
    return way.layout is Layout.QUESTIONS or (way.question is not None and way.layout is Layout.LONG)


def _columns_of(way: Understanding) -> dict[str, str]:
    """The columns of a reading, by the name of the option that names them."""
    rating = way.answers[0] if way.layout is Layout.LONG else None
    sentences = (("subject", way.subject), ("rater", way.rater), ("rating", rating), ("question", way.question))
    return {role: name for role, name in sentences if name is not None}


def _come_again(table: RatingTable, options: ReadingOptions) -> tuple[Finding, ...]:
    """A question where most cases stand in several rows, and nothing known tells these apart."""
    case = options.subject or r.column_called(table, w.SUBJECT)
    numbered = next((n for n in table.names if n != case and (r.numbers_rows(table, n) or r.is_index(table, n))), None)
    known = w.RATING | w.ROUND | w.REPEAT | w.QUESTION
    known |= w.OTHER_COLUMN | w.BY_THE_WAY if numbered is None else frozenset()
    if case not in table.names or any(known & set(w.words(n)) for n in table.names if n != case) or options.where:
        return ()
    column = table.column(case)
    raters = [n for n in table.names if r.is_rater_column(n) and not r.is_like_question(n)]
    if table.rows < _LEAST_ROWS or not r.comes_again_often(table, case) or 2 * len(raters) >= len(table.names) - 1:
        return ()
    rows = [int(i) for i in table.row_numbers[column.codes == int(np.argmax(column.counts()))]]
    if numbered is not None:
        return (_numbered_or_named(table, case, numbered, rows),)
    return (
        block(
            "cases_come_again",
            table.place(case),
            _(
                "Most cases stand in several rows, such as {case} in {rows}. As raters side by side each rater would "
                "have rated them again and again; as one rating in each row, another column would name the rater."
            ).format(case=label_text(column.text(rows[0] - int(table.row_numbers[0]))), rows=row_list(rows)),
            _("Say which it is: --layout raters, or --layout long with --rater and --rating."),
            default=_("Shown here are raters side by side; nothing is computed before you have chosen."),
            about=((case,),),
        ),
    )


def _numbered_or_named(table: RatingTable, case: str, numbered: str, rows: list[int]) -> Finding:
    """The question whether a row is a case of its own, by its number, or a repeat of one that is called so."""
    return block(
        "cases_come_again",
        table.place(case),
        _(
            "'{case}' says the same in several rows, such as {text} in {rows}; '{numbered}' numbers each row. Each row "
            "is a case of its own, or several rows are one case that was judged again."
        ).format(
            case=Label(case),
            numbered=Label(numbered),
            text=label_text(table.column(case).text(rows[0] - int(table.row_numbers[0]))),
            rows=row_list(rows),
        ),
        _("Say which it is: --subject '{numbered}', or --layout raters --subject '{case}'.").format(
            numbered=Label(numbered), case=Label(case)
        ),
        default=_("Shown here is each row as a case of its own; nothing is computed before you have chosen."),
        about=((numbered,), (case,)),
    )


def _named_long(table: RatingTable, options: ReadingOptions) -> Guess | None:
    """What one column that is called rater, judge … says about the layout; None without such a column."""
    rater = options.rater or r.column_called(table, w.RATER)
    # A header that says "Reader" over several columns names several raters.
    several = [n for n in table.names if r.is_called(_AGAIN.sub("", n), w.RATER_ANYWHERE)]
    if rater:
        # RaterAge beside RaterID is no second rater, but something about the first.
        several = [n for n in several if not _is_fact_about(table, n, rater)]
    if rater and len(several) == 1 and not _answers_like_others(table, rater):
        rating = r.column_called(table, w.RATING, apart_from=(rater,))
        subject = r.column_called(table, w.SUBJECT, apart_from=(rater, rating))
        if rater == table.names[0] and not rating and not subject and table.all_different(rater):
            return Guess(Layout.SUBJECTS, (_transposed(table),))
        if rating is not None and is_said_about(table, rating, rater):
            rating = None
        result = key(table, options.subject or None, rater)
        if result is not None and len(result.answers) == 1:
            columns = {"subject": result.subject, "rater": rater, "rating": rating or result.answers[0]}
            return Guess(Layout.LONG, (), MappingProxyType(columns))
        rest = [n for n in r.names_without_dates(table) if n not in {subject, rater}]
        alone = subject is not None and len(rest) == 1
        if rating or alone or len(table.names) == 3:
            return Guess(Layout.LONG, (), MappingProxyType({"rating": rest[0]} if alone and not rating else {}))
        if result is not None:
            return Guess(Layout.QUESTIONS, (), MappingProxyType({"subject": result.subject, "rater": rater}))
        if subject and len(table.names) > 3:
            return Guess(Layout.QUESTIONS)
    return None


def _answers_like_others(table: RatingTable, rater: str) -> bool:
    """Whether a column that is called like a rater holds the answers of one, as the columns beside it do.

    Raters may be numbered as scores are, so only words tell.
    """
    own = table.texts(rater)
    rating = r.column_called(table, w.RATING, apart_from=(rater,))
    if rating is not None or 2 * len(own) > table.rows or any(map(is_number, own)):
        return False
    subject = r.column_called(table, w.SUBJECT, apart_from=(rater,))
    return any(len(own & table.texts(n)) >= 2 for n in table.names if n not in {rater, subject})


def _transposed(table: RatingTable) -> Finding:
    return ask(
        "raters_in_rows",
        table.place(table.names[0]),
        _("Each row seems to be a rater and each column a case, such as {names}.").format(
            names=quoted_list(table.names[1:3])
        ),
        _("If each row is a case instead, choose the layout 'raters'."),
        _("Rows are read as raters and columns as cases."),
    )


def _perhaps_transposed(table: RatingTable) -> tuple[Finding, ...]:
    """A question where a table is so much wider than long that its rows may be the raters."""
    rest = [n for n in table.names[1:] if not w.RATER_ANYWHERE.intersection(w.words(n))]
    wide = len(rest) == len(table.names) - 1 >= max(_LEAST_COLUMNS, 2 * table.rows) and table.rows > 1
    if not wide or not table.all_different(table.names[0]):
        return ()
    # Numbers in front may be ratings as well, unless all other columns are numbered things of one name.
    if r.whole_numbers(table, table.names[0]) and not r.one_family(rest):
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


def _labels_name_columns(table: RatingTable) -> bool:
    """Whether the first column repeats the names of the others: a table of two raters crossed."""
    rest = table.names[1:]
    return (
        len(rest) >= 2
        and table.texts(table.names[0]) == frozenset(rest)
        and table.rows == len(rest)
        and all(r.whole_numbers(table, n) for n in rest)
    )


def _rows_are_raters(table: RatingTable) -> bool:
    """Whether the first column lists raters (Judge 1, Judge 2 …), or all others are cases (Wine 1, Wine 2 …)."""
    first, rest = table.names[0], table.names[1:]
    labels = table.texts(first)
    cases = w.in_language([re.sub(r"\d", "", n) for n in rest], w.SUBJECT)
    # The identifier in "RaterID 1" is that of a rater.
    raters = any(w.RATER_ANYWHERE.intersection(w.words(n)) for n in rest)
    numbered = not raters and all(re.search(r"\d", n) and cases.intersection(w.words(n)) for n in rest)
    person = r.is_called(first, w.RATER_ANYWHERE | w.RATER_PERHAPS) and r.one_family(rest)
    person &= not any(r.is_like_question(n) or r.is_rater_column(n) for n in rest)
    if len(rest) >= 3 and (numbered or person) and table.all_different(first) and not r.is_called(first, cases):
        return True
    return (
        len(rest) >= 2
        and table.all_different(first)
        and all(bool(w.RATER_ANYWHERE.intersection(w.words(v))) for v in labels)
        and not any(w.RATER_ANYWHERE.intersection(w.words(n)) for n in rest)
    )


def _looks_counted(table: RatingTable) -> bool:
    """Whether rows of whole numbers all have the same sum, or stand below the steps of a known scale."""
    columns = r.class_columns(table, None)
    if len(columns) < 2 or table.rows < 5 or any(r.is_rater_column(n) for n in columns):
        return False
    if not all(r.whole_numbers(table, n) for n in columns):
        return False
    numbers = np.stack([r.as_counts(table, n) for n in columns], axis=1)
    total = numbers.sum(axis=1)
    if w.known_scale(columns) is not None:
        return int(total.max()) >= 2
    # The same numbers in every row, in whatever order, are ranks or scores.
    ranks = bool((np.sort(numbers, axis=1) == np.sort(numbers[0])).all())
    return bool((total == total[0]).all()) and int(total[0]) >= 2 and not ranks


def _is_bare_long(table: RatingTable) -> bool:
    """Whether two or three columns are names and ratings: names repeat and share no text with the ratings."""
    columns = r.names_without_dates(table)
    if not 2 <= len(columns) <= 3 or any(r.is_rater_column(n) for n in columns):
        return False
    rating = r.column_called(table, w.RATING)
    if rating is None and (len(columns) == 3 or r.is_called(columns[0], w.in_language(table.names, w.SUBJECT))):
        rating = columns[-1]
    subject = r.column_called(table, w.SUBJECT, apart_from=(rating,)) or columns[0]
    if rating is None or rating == subject:
        return False
    names, values = table.texts(subject), table.texts(rating)
    others = [n for n in columns if n not in {subject, rating}]
    # Visits are numbered as scores are.
    shared = any(table.texts(n) & (values | names) for n in others if not r.is_called(n, w.ROUND))
    return len(names) < table.rows and not shared and len(values) <= max(_MANY, len(names) - 1)
