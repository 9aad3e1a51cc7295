"""What each column is for: the user's word first, then names, then the values themselves."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import Label, joined
from tapdesk.language import gettext as _
from tapdesk.ratings import vocabulary as w
from tapdesk.ratings.findings import Finding, ask, block, name_list, quoted_list
from tapdesk.ratings.layouts import roles as r
from tapdesk.ratings.layouts.crossed import raters_of, turned, wide_questions, with_all_questions
from tapdesk.ratings.layouts.further_columns import not_read
from tapdesk.ratings.layouts.roles import Roles, rating_columns
from tapdesk.ratings.layouts.structure import (
    RowsBy,
    asks_first,
    guess_layout,
    is_said_about,
    key,
    names_each_row,
    without_facts,
)
from tapdesk.ratings.layouts.two_readings import TwoReadingsError, choice
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import RatingTable


def roles(table: RatingTable, options: ReadingOptions) -> Roles:
    """What each column is for.

    Parameters
    ----------
    table
        The table.
    options
        What the user said.

    Raises
    ------
    UsageError
        When an option names a column that is not there.
    TapdeskError
        When no meaning can be found.
    """
    layout = r.stated_layout(options)
    guessed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    if layout is Layout.AUTO:
        guess = guess_layout(table, options)
        layout, findings = guess.layout, guess.findings
        filled = tuple(role for role in guess.columns if getattr(options, role) is None)
        if guess.best is not None and guess.other is not None and asks_first(guess.best):
            raise TwoReadingsError(findings[0], choice(table, guess.best))
        if layout is Layout.LONG and guess.best is not None and guess.best.question is not None:
            from tapdesk.ratings.layouts.several_questions import of_rows  # late: few files ask

            raise of_rows(table, guess.best)
        options = replace(
            options,
            subject=guess.columns.get("subject") if options.subject is None else options.subject,
            rater=options.rater or guess.columns.get("rater"),
            rating=options.rating or guess.columns.get("rating"),
        )
        guessed = ("layout", *filled)
        if layout is Layout.QUESTIONS and guess.best is not None:
            alike = _with_alike(table, guess.answers, guess.best.subject, guess.best.rater)
            from tapdesk.ratings.layouts.several_questions import of_columns  # late: few files ask

            raise of_columns(table, guess.best.subject, guess.best.rater, alike)
    result = _FILL[layout](table, options)
    count = r.user_column(table, options.count, "--count") if options.count else result.count
    return replace(
        result, count=count, guessed=guessed + result.guessed, findings=findings + result.findings, layout=layout
    )


def of_one_question(table: RatingTable, options: ReadingOptions) -> tuple[RatingTable, ReadingOptions]:
    """What is to be read where one question of a column is named: its rows alone, and in which way.

    Long tables keep the column and are filtered as they are read; of all others the rows of the question are a table of
    its own, without the column that names it.

    Raises
    ------
    UsageError
        When there is no such column.
    TapdeskError
        When no row answers the question, or none is chosen of several.
    """
    if options.question is None:
        return _of_columns(table, options)
    if options.only is None and (groups := _side_of(table, options, options.question)):
        from tapdesk.ratings.layouts.several_questions import of_crossed_columns  # late: few files ask

        raise of_crossed_columns(table, groups)
    column = r.user_column(table, options.question, "--question")
    values = sorted(table.texts(column))
    if len(values) > 1:
        _refuse_answers(table, options, column)
    if options.only is None and len(values) > 1:
        from tapdesk.ratings.layouts.several_questions import of_column  # late: few files ask

        raise of_column(table, column, values, options)
    if options.only is not None:
        options = _as_all_rows_tell(table, options, column)
        if options.layout is Layout.LONG:
            return table, options
    rows = np.arange(table.rows) if options.only is None else r.question_rows(table, column, options.only)
    kept = [i for i, n in enumerate(table.names) if n != column]
    alone = replace(
        table,
        names=tuple(table.names[i] for i in kept),
        columns=tuple(table.columns[i].take(rows).used() for i in kept),
        positions=tuple(table.positions[i] for i in kept),
        row_numbers=table.row_numbers[rows],
    )
    plain = replace(options, question=None, only=None)
    if _is_long(alone, plain):
        return table, options
    return alone, plain


def _refuse_answers(table: RatingTable, options: ReadingOptions, question: str) -> None:
    """Refuse a column as one that names the questions where it is a question itself, and holds the answers to it.

    With ``only`` as well: its answers would choose rows, and another question would be read of these unnamed.
    """
    guess = guess_layout(table, replace(options, layout=Layout.AUTO, question=None))
    if guess.other is not None or r.stated_layout(options) not in {Layout.AUTO, Layout.QUESTIONS}:
        return
    if guess.layout is Layout.QUESTIONS and question in guess.answers:
        raise UsageError(
            _("'{column}' is a question itself: its cells hold answers, not the names of questions.").format(
                column=Label(question)
            ),
            "--question",
            _(
                "To read this question alone, say --only '{column}' without --question; to choose rows by its answers, "
                "say --where."
            ).format(column=Label(question)),
        )
    if guess.layout is Layout.RATERS and _is_rater(table, options, question):
        raise UsageError(
            _("'{column}' is a rater as the others: its cells hold ratings, not the names of questions.").format(
                column=Label(question)
            ),
            "--question",
            _("To choose rows by its ratings, say --where. If it names the questions, say --layout raters as well."),
        )


def _is_rater(table: RatingTable, options: ReadingOptions, name: str) -> bool:
    """Whether a column would be read as a rater's, and others gave all the ratings that it holds."""
    columns = _wide(table, replace(options, question=None, only=None)).columns
    return name in columns and table.texts(name) <= {t for n in columns if n != name for t in table.texts(n)}


def _as_all_rows_tell(table: RatingTable, options: ReadingOptions, question: str) -> ReadingOptions:
    """The layout and the columns beside a question of a column, told by all rows together, where they tell them.

    Those of one question alone may look like something else.

    Raises
    ------
    TwoReadingsError
        When they tell two.
    """
    layout = r.stated_layout(options)
    guess = guess_layout(table, replace(options, layout=Layout.AUTO, question=None, only=None))
    ways = [u for u in (guess.best, guess.other) if u is not None and u.question == question]
    ways = [u for u in ways if layout in {Layout.QUESTIONS, u.layout}]
    names = ("layout", "subject", "rater", "rating")
    own = [{n: v for n, v in choice(table, way, options.only).items() if n in names} for way in ways]
    fits = [way for way in own if all(getattr(options, n) in {None, v} for n, v in way.items() if n != "layout")]
    if len(fits) > 1:
        raise TwoReadingsError(guess.findings[0], choice(table, ways[0], options.only))
    return replace(options, **fits[0]) if fits else options


def _of_columns(table: RatingTable, options: ReadingOptions) -> tuple[RatingTable, ReadingOptions]:
    """The columns of one of several questions whose names hold the rater as well, called by the raters alone."""
    groups = {} if options.only is None else _side_of(table, options, options.only)
    if options.only is None or not groups:
        return table, options
    named = _columns_named(table, options)
    wide = _wide(table, replace(options, only=None, columns=named))
    names = dict(zip(groups[options.only], raters_of(options.only, groups[options.only]), strict=True))
    kept = [i for i, n in enumerate(table.names) if n in names or n not in wide.columns]
    alone = replace(
        table,
        names=tuple(names.get(table.names[i], table.names[i]) for i in kept),
        columns=tuple(table.columns[i] for i in kept),
        positions=tuple(table.positions[i] for i in kept),
    )
    columns = options.columns if options.columns and named is None else tuple(names.values())
    return alone, replace(options, layout=Layout.RATERS, columns=columns, only=None)


def _columns_named(table: RatingTable, options: ReadingOptions) -> tuple[str, ...] | None:
    """The columns the user named by the names of the table; None where there are none, or they are raters."""
    return options.columns if options.columns and set(options.columns) <= set(table.names) else None


def _side_of(table: RatingTable, options: ReadingOptions, name: str) -> dict[str, list[str]]:
    """By question its columns, where columns stand for a question and a rater each and one question is called so.

    Which part of the names is the question may be doubtful: the name of one of them tells it.
    """
    if name in table.names or options.layout not in {Layout.AUTO, Layout.RATERS, Layout.QUESTIONS}:
        return {}
    plain = replace(options, only=None, question=None, columns=_columns_named(table, options))
    try:
        wide = _wide(table, plain)
    except TapdeskError:
        return {}
    crossed = wide_questions(wide.columns, table, wide.subject)
    ways = (crossed.groups, crossed.other, turned(crossed.groups))
    sides = ({question: own for question, *own in groups} for groups in ways)
    return next((groups for groups in sides if name in groups), {})


def _is_long(alone: RatingTable, options: ReadingOptions) -> bool:
    """Whether the rows of one question are one rating each."""
    layout = r.stated_layout(options)
    if layout is Layout.AUTO and len(alone.names) > 1:
        layout = guess_layout(alone, options).layout
        if layout is Layout.RATERS:
            # Several ratings of a case in rows of their own are no columns of raters.
            case = _case_column(alone, (), options)
            rest = tuple(n for n in alone.names if n != case)
            return case is None or not alone.all_different(case) or len(rating_columns(alone, rest)) < 2
    return layout in {Layout.LONG, Layout.QUESTIONS, Layout.AUTO}


def _long(table: RatingTable, options: ReadingOptions) -> Roles:
    """Case, rater and rating of a long table."""
    guessed: list[str] = []

    def column(option: str, sentence: str | None, kind: frozenset[str], taken: tuple[str | None, ...]) -> str | None:
        if sentence is not None:
            return r.user_column(table, sentence, f"--{option}")
        guessed.append(option)
        return r.column_called(table, kind, apart_from=taken)

    text = None if options.question is None else r.user_column(table, options.question, "--question")
    taken: tuple[str | None, ...] = (options.subject, options.rater, options.rating, options.count, text)
    rater = column("rater", options.rater, w.RATER, taken)
    # What says the same in all rows of a rater, such as the grade of an auditor, is no rating of the cases.
    facts = tuple(n for n in table.names if rater is not None and is_said_about(table, n, rater))
    rating = column("rating", options.rating, w.RATING, (*taken, rater, *facts))
    subject = column("subject", options.subject, w.SUBJECT, (*taken, rater, rating, *facts))
    if options.subject is None:
        subject = _plainer_case(table, subject, rater, (*taken, rating))
    # What rows are chosen by is the same in all of them.
    chosen = {c for c, _rest in options.where}
    plain = [n for n in r.names_without_dates(table) if n not in chosen]
    rest = [n for n in plain if n not in {*taken, rater, rating, subject}]
    rest = list(without_facts(table, rest, rater, subject))
    # What names do not tell, values do: ratings have the fewest distinct texts, cases the most.
    rest.sort(key=lambda n: len(table.texts(n)))
    if rating is None and rest:
        rating = rest.pop(0)
    if subject is None and rest:
        subject = rest.pop()
    if rater is None and len(rest) == 1 and options.rater is None and len(plain) == 3:
        # Visits and rounds are no raters.
        rater = None if r.is_called(rest[0], w.ROUND) else rest.pop()
    if rating is None or subject is None:
        raise TapdeskError(
            _("No column for the cases and no column for the ratings could be told apart."),
            table.file,
            _("Name them with --subject and --rating; the columns are {names}.").format(
                names=quoted_list(table.names, 20)
            ),
        )
    named = replace(options, layout=Layout.LONG, subject=subject, rater=rater, rating=rating)
    question = _one_question(table, rest, named)
    used = {subject, rater, rating, question, text, options.count}
    rest = [n for n in plain if n not in used]
    findings = () if not rest else (not_read(table, rest, said=_are_facts(table, rest, named)),)
    words = options.subject or options.rater or options.rating
    if not words and not any(r.column_called(table, kind) for kind in (w.SUBJECT, w.RATER, w.RATING)):
        findings = (_by_values(table, subject, rater, rating), *findings)
    return Roles(Layout.LONG, subject, rater, rating, text, None, (), tuple(guessed), findings)


def _are_facts(table: RatingTable, names: Sequence[str], options: ReadingOptions) -> bool:
    """Whether columns are called like facts and say, in every row, the same of their case or of their rater.

    As ``RaterAge`` and ``Year`` beside ``SubjectID``, ``RaterID`` and ``Rating``: these are no ratings, and no answers
    known to be true. Where a word does not tell the case, the rater and the rating, it stays a question.
    """
    case, rater, rating = options.subject, options.rater, options.rating
    kinds = ((case, w.SUBJECT), (rater, w.RATER), (rating, w.RATING))
    if any(n is None or not r.is_called(n, w.in_language(table.names, kind)) for n, kind in kinds):
        return False
    about = [n for n in (case, rater) if n is not None]
    return all(w.is_fact(n) and any(is_said_about(table, n, of) for of in about) for n in names)


def _one_question(table: RatingTable, rest: list[str], options: ReadingOptions) -> str | None:
    """The column among some that names questions; refused where it names several and none was chosen."""
    question = next((n for n in rest if r.is_called(n, w.in_language(table.names, w.QUESTION))), None)
    chosen = question is not None and question in {c for c, _rest in options.where}
    if question is not None and not chosen and options.question is None and len(table.texts(question)) > 1:
        values = sorted(table.texts(question))
        from tapdesk.ratings.layouts.several_questions import of_column  # late: few files ask

        raise of_column(table, question, values, options)
    return question


def _plainer_case(
    table: RatingTable, subject: str | None, rater: str | None, taken: tuple[str | None, ...]
) -> str | None:
    """The column of cases: where ``Case type`` does not tell the rows of a rater apart, the one that does."""
    if subject is None or rater is None or set(w.words(subject)) <= w.SUBJECT | w.NAMING:
        return subject
    if names_each_row(table, subject, rater):
        return subject
    result = key(table, None, rater, [n for n in (*taken, subject) if n is not None])
    return subject if result is None else result.subject


def _by_values(table: RatingTable, subject: str, rater: str | None, rating: str) -> Finding:
    """A question where no name of a column says what it is."""
    if rater is None:
        sentence = _("each row one rating: '{subject}' names the case and '{rating}' holds the rating")
    else:
        sentence = _(
            "each row one rating: '{subject}' names the case, '{rater}' the rater and '{rating}' holds the rating"
        )
    return ask(
        "roles_by_values",
        joined(*(table.place(n) for n in (subject, rater, rating) if n is not None), sep=", "),
        _("No column is named like a case, a rater or a rating; what each is for was guessed from what it holds."),
        _("If one of them is something else, choose another column, or another layout."),
        _("The table is read like this: {told}.").format(
            told=sentence.format(subject=Label(subject or ""), rater=Label(rater or ""), rating=Label(rating or ""))
        ),
    )


def _wide(table: RatingTable, options: ReadingOptions) -> Roles:
    """The case column and the rating columns of a wide table."""
    if options.only is not None and options.question is None:
        raise UsageError(
            _("The columns hold no question '{only}'.").format(only=Label(options.only)),
            "--only",
            _("Leave it out, or say what the columns are (--layout)."),
        )
    guessed = [o for o in ("subject", "columns") if getattr(options, o) is None]
    doubtful: tuple[str, ...] = ()
    if options.columns is not None:
        columns = tuple(r.user_column(table, n, "--columns") for n in options.columns)
        subject = _case_column(table, columns, options)
    else:
        subject = _case_column(table, (), options)
        apart = {subject, options.count, *(c for c, _rest in options.where)}
        rest = tuple(n for n in table.names if n not in apart)
        doubtful = r.no_raters(table, rest)
        columns = rating_columns(table, tuple(n for n in rest if n not in doubtful))
        columns = with_all_questions(table, columns, rest)
        doubtful = tuple(n for n in doubtful if n not in columns)
    if not columns:
        raise TapdeskError(
            _("No column with ratings could be found."),
            table.file,
            _("Name the rating columns with --columns; the columns are {names}.").format(
                names=quoted_list(table.names, 20)
            ),
        )
    taken = {subject, options.count, *columns}
    others = [n for n in table.names if n not in taken]
    plain = (r.counts_cases, r.numbers_rows, r.is_index)
    items = tuple(n for n in doubtful if not any(is_so(table, n) for is_so in plain))
    near = tuple(n for n in others if n not in doubtful and r.lies_near(table, n, columns))
    # Where the user named the columns, the others are no question.
    findings = () if not others else (not_read(table, others, items, near, said=options.columns is not None),)
    return Roles(Layout.RATERS, subject, None, None, None, None, columns, tuple(guessed), findings)


def _case_column(table: RatingTable, columns: tuple[str, ...], options: ReadingOptions) -> str | None:
    """The column the user named, none where the user said so by a blank name, else the one that looks like it."""
    if options.subject is not None:
        return r.user_column(table, options.subject, "--subject") if options.subject else None
    return _id_column(table, columns)


def _id_column(table: RatingTable, columns: tuple[str, ...]) -> str | None:
    """The column that names the cases of a wide table, or None."""
    rest = [n for n in table.names if n not in columns]
    cases = w.in_language(table.names, w.SUBJECT)
    rest = [n for n in rest if not (r.counts_cases(table, n) or r.holds_answers(table, n)) or r.counts_up(table, n)]
    named = [n for n in rest if r.is_called(n, cases) and not r.is_numbered_seat(n)]
    by_name = r.plainest_name(
        [n for n in named if not (r.holds_words_of_others(table, n) or r.is_place(table, n))], cases
    )
    numbered = next((n for n in rest if r.numbers_rows(table, n) or r.is_index(table, n)), None)
    # What comes again and again, as kinds of wine do, is no name of a case where each row has a number.
    if by_name is not None and (numbered is None or not r.comes_again_often(table, by_name)):
        return by_name
    if numbered is not None:
        return numbered
    if len(rest) < 2 - len(columns) or not rest or r.is_rater_column(rest[0]):
        return None
    first = rest[0]
    if first == table.names[0] and len(table.names) > 2 and r.counts_up(table, first):
        return first
    others = [table.texts(n) for n in table.names if n != first]
    shared = any(table.texts(first) & o for o in others)
    different = table.all_different(first)
    if different and (not shared or table.rows >= 10) and len(table.names) > 1 and table.rows > 1:
        return first
    return None


def _subjects(table: RatingTable, options: ReadingOptions) -> Roles:
    """Raters in rows: the column that names them and the columns that are cases."""
    rater = r.user_column(table, options.rater, "--rater") if options.rater else None
    if rater is None and not (options.columns and table.names[0] in options.columns):
        first = table.names[0]
        shared = any(table.texts(first) & table.texts(n) for n in table.names[1:])
        named = r.is_called(first, w.RATER_ANYWHERE | w.RATER_PERHAPS)
        # Persons may be numbered as scores are.
        numbered = r.one_family(table.names[1:]) and table.all_different(first)
        rater = first if not shared or named or numbered else None
    # What rows are chosen by is no case: one value is the same in all of them, others are no ratings.
    apart = {rater, *(c for c, _rest in options.where)}
    apart |= {c for c, _rest in options.where_not if c in table.names and not _is_shared(table, c)}
    words = options.columns or tuple(n for n in table.names if n not in apart)
    columns = tuple(r.user_column(table, n, "--columns") for n in words)
    if not columns:
        raise TapdeskError(_("There is no column with ratings."), table.file, _("Name the columns with --columns."))
    return Roles(Layout.SUBJECTS, None, rater, columns=columns, guessed=() if options.rater else ("rater",))


def _is_shared(table: RatingTable, name: str) -> bool:
    """Whether a column holds a text that other columns hold too."""
    return any(table.texts(name) & table.texts(n) for n in table.names if n != name)


def _questions(table: RatingTable, options: ReadingOptions) -> Roles:
    """One question of several, which stand in a column of their own or side by side."""
    if options.question is not None:
        return _long(table, options)
    stated, options = options, _with_columns_of_form(table, options)
    rater = options.rater or r.column_called(table, w.RATER, apart_from=(options.subject,))
    # What rows are chosen by is no question.
    apart = [c for c, _rest in (*options.where, *options.where_not) if c in table.names]
    rows = key(table, options.subject or None, rater, apart)
    if rater is None and rows is not None and rows.by in {RowsBy.RATER, RowsBy.UNKNOWN}:
        rater = rows.partner
    known = None if rows is None else rows.subject
    subject = options.subject or r.column_called(table, w.SUBJECT, apart_from=(rater,)) or known or table.names[0]
    subject = r.user_column(table, subject, "--subject")
    rater = r.user_column(table, rater, "--rater") if rater else None
    named = options.only or options.rating
    kept = {*r.names_without_dates(table), named}
    items = [n for n in table.names if n not in {subject, rater, options.count, *apart} and n in kept]
    if options.columns:
        items = [r.user_column(table, n, "--columns") for n in options.columns]
    elif rows is not None and {rows.subject, rows.partner} == {subject, rater}:
        items = _with_alike(table, [n for n in items if n in rows.answers], subject, rater)
    chosen = options.only or options.rating
    if chosen is None and len(items) == 1:
        chosen = items[0]
    if chosen is None:
        from tapdesk.ratings.layouts.several_questions import of_columns  # late: few files ask

        raise of_columns(table, subject, rater, items)
    guessed = tuple(o for o, sentence in (("subject", stated.subject), ("rater", stated.rater)) if sentence is None)
    read = r.user_column(table, chosen, "--only")
    others = tuple(n for n in items if n != read)
    return Roles(Layout.QUESTIONS, subject, rater, read, guessed=guessed, others=others)


def _with_columns_of_form(table: RatingTable, options: ReadingOptions) -> ReadingOptions:
    """The columns of case and rater as they are told where no question is named, so that one is read as in the form."""
    if options.subject is not None and options.rater is not None:
        return options
    guess = guess_layout(table, replace(options, layout=Layout.AUTO, only=None))
    ways = (guess.best, guess.other)
    if options.only is not None and guess.other is None and guess.best is not None:
        _refuse_names_of_questions(options.only, guess.best.question)
    way = next((u for u in ways if u is not None and u.layout is Layout.QUESTIONS and u.rater is not None), None)
    if way is None or options.only == way.rater or (options.rater not in {None, way.rater}):
        return options
    return replace(options, subject=options.subject or way.subject, rater=way.rater)


def _refuse_names_of_questions(only: str, question: str | None) -> None:
    """Refuse the column that names the questions where one of them is to be named."""
    if only == question:
        raise UsageError(
            _("'{column}' names the questions, and is none itself.").format(column=Label(only)),
            "--only",
            _("Say --question '{column}', and which of them with --only.").format(column=Label(only)),
        )


def _with_alike(table: RatingTable, names: Sequence[str], subject: str, rater: str | None) -> list[str]:
    """The questions with those whose name speaks of something else, as ``Weight noted``, in the order of the table.

    What is answered on the scale of another question, and neither by the case nor by the rater alone, is a question; so
    is one that is answered alike throughout. A row of sums below has a text of its own in each column.
    """
    known = {n: table.texts(n) for n in names}

    def alike(name: str) -> bool:
        own = table.texts(name)
        varies = all(table.combinations(name, n) > len(table.texts(n)) for n in (subject, rater) if n is not None)
        steady = any(r.nearly_within(table, name, frozenset({text})) for text in own)
        return len(own) > 1 and (varies or steady) and any(r.nearly_within(table, name, one) for one in known.values())

    return [n for n in table.names if n in known or (n not in {subject, rater} and alike(n))]


def _counts(table: RatingTable, options: ReadingOptions) -> Roles:
    """Columns of counts: ``n_ratings`` and ``n_class1``, or one per class."""
    count = r.user_column(table, options.count, "--count") if options.count else r.column_called(table, w.COUNT)
    pair = r.total_and_part(table)
    if pair is not None:
        columns: tuple[str, ...] = pair
        if options.columns is not None and set(options.columns) != set(columns):
            columns = r.class_columns(table, options)
    else:
        columns = r.class_columns(table, replace(options, count=count))
    subject = r.user_column(table, options.subject, "--subject") if options.subject else None
    if options.subject is None:
        rest = [n for n in table.names if n not in {*columns, count}]
        subject = rest[0] if rest and table.all_different(rest[0]) else None
    if len(columns) < 2:
        raise TapdeskError(
            _("A table of counts needs one column for each class, or the columns n_ratings and n_class1."),
            table.file,
            _("Name the class columns with --columns; the columns are {names}.").format(
                names=quoted_list(table.names, 20)
            ),
        )
    others = [n for n in table.names if n not in {subject, count, *columns}]
    findings = () if not others else (not_read(table, others),)
    if options.columns is None and columns != pair:
        findings = (*_doubtful_counts(table, columns), *findings)
    return Roles(Layout.COUNTS, subject, count=count, columns=columns, guessed=("columns",), findings=findings)


def _doubtful_counts(table: RatingTable, columns: tuple[str, ...]) -> tuple[Finding, ...]:
    """Columns of whole numbers that are perhaps no class: they are called like facts, or disturb sums that are one."""
    called = [n for n in columns if w.is_fact(n)]
    why = _("by their names they may be facts about the case, such as its age or a weight")
    doubtful = called
    if not called and len(columns) > 2 and table.rows > 2 and all(r.whole_numbers(table, n) for n in columns):
        counts = {n: r.as_counts(table, n) for n in columns}
        total = sum(counts.values())
        constant = [n for n in columns if np.unique(total - counts[n]).size == 1 and int((total - counts[n])[0]) > 1]
        doubtful = constant if np.unique(total).size > 1 and len(constant) == 1 else []
        why = _("without them every row has the same sum")
    rest = tuple(n for n in columns if n not in doubtful)
    if not doubtful or len(rest) < 2:
        return ()
    return (
        block(
            "counts_column_doubtful",
            name_list([table.place(n) for n in doubtful]),
            _("Among the counts, {columns} may be no class: {why}.").format(columns=quoted_list(doubtful), why=why),
            _(
                'Name the columns of the classes: --layout counts --columns "{rest}", or all of them, '
                '--layout counts --columns "{all}".'
            ).format(rest=Label(",".join(rest)), all=Label(",".join(columns))),
            about=(tuple(doubtful), rest),
        ),
    )


def _confusion(table: RatingTable, options: ReadingOptions) -> Roles:
    """A square of counts, with or without a column of row names."""
    labels = None if r.whole_numbers(table, table.names[0]) else table.names[0]
    if options.subject is not None:
        labels = r.user_column(table, options.subject, "--subject") if options.subject else None
    columns = options.columns or tuple(n for n in table.names if n != labels)
    if len(columns) < 2:
        raise TapdeskError(
            _("A confusion matrix needs at least two class columns."), table.file, _("Choose another layout.")
        )
    return Roles(Layout.CONFUSION, labels, columns=tuple(r.user_column(table, n, "--columns") for n in columns))


_FILL: dict[Layout, Callable[[RatingTable, ReadingOptions], Roles]] = {
    Layout.LONG: _long,
    Layout.RATERS: _wide,
    Layout.SUBJECTS: _subjects,
    Layout.QUESTIONS: _questions,
    Layout.COUNTS: _counts,
    Layout.CONFUSION: _confusion,
}
