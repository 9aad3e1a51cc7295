"""What each column is for: the user's word first, then names, then the values themselves."""

from collections.abc import Callable
from dataclasses import replace

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.ratings.findings import Finding, ask, note, quoted, shown
from tapdesk.ratings.layouts import header_words as w
from tapdesk.ratings.layouts import roles as r
from tapdesk.ratings.layouts.alike import STEPS, rating_columns
from tapdesk.ratings.layouts.guess import guessed_layout
from tapdesk.ratings.layouts.no_raters import counts_cases, counts_up, holds_answers, no_raters, numbers_rows
from tapdesk.ratings.layouts.roles import Roles
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import Table

_OFFERED = 12  # more questions than this are no choice at a glance


def roles(table: Table, name: str, options: ReadingOptions) -> Roles:
    """What each column is for.

    Parameters
    ----------
    table
        The table.
    name
        What to call the file in a sentence.
    options
        What the user said.

    Raises
    ------
    UsageError
        When an option names a column that is not there.
    TapdeskError
        When no meaning can be found.
    """
    layout = r.said(options)
    guessed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    if layout is Layout.AUTO:
        layout, findings = guessed_layout(table, options)
        guessed = ("layout",)
    found = _FILL[layout](table, name, options)
    count = r.named(table, options.count, "--count") if options.count else found.count
    return replace(
        found, count=count, guessed=guessed + found.guessed, findings=findings + found.findings, layout=layout
    )


def _long(table: Table, name: str, options: ReadingOptions) -> Roles:
    """Case, rater and rating of a long table."""
    guessed: list[str] = []

    def column(option: str, said: str | None, kind: frozenset[str], taken: tuple[str | None, ...]) -> str | None:
        if said is not None:
            return r.named(table, said, f"--{option}")
        guessed.append(option)
        return r.called(table, kind, apart_from=taken)

    taken: tuple[str | None, ...] = (options.subject, options.rater, options.rating, options.count)
    rater = column("rater", options.rater, w.RATER, taken)
    rating = column("rating", options.rating, w.RATING, (*taken, rater))
    subject = column("subject", options.subject, w.SUBJECT, (*taken, rater, rating))
    rest = [n for n in r.names_without_dates(table) if n not in {*taken, rater, rating, subject}]
    # What names do not tell, values do: ratings have the fewest distinct texts, cases the most.
    rest.sort(key=lambda n: len(r.distinct(table, n)))
    if rating is None and rest:
        rating = rest.pop(0)
    if subject is None and rest:
        subject = rest.pop()
    if rater is None and len(rest) == 1 and options.rater is None and len(r.names_without_dates(table)) == 3:
        # Visits and rounds are no raters.
        rater = None if r.is_called(rest[0], w.ROUND) else rest.pop()
    if rating is None or subject is None:
        raise TapdeskError(
            _("No column for the cases and no column for the ratings could be told apart."),
            name,
            _("Name them with --subject and --rating; the columns are {names}.").format(names=quoted(table.names, 20)),
        )
    question = next((n for n in rest if r.is_called(n, w.in_language(table.names, w.QUESTION))), None)
    chosen = question is not None and question in {c for c, _rest in options.where}
    if question is not None and not chosen and options.question is None and len(r.distinct(table, question)) > 1:
        values = sorted(r.distinct(table, question))
        raise TapdeskError(
            _("The column '{question}' names {values} questions, and one analysis answers one of them.").format(
                question=question, values=len(values)
            ),
            f"{name}, {table.place(question)}",
            _("Choose one with --question '{question}' --only '{first}'; the questions are {values}.").format(
                question=question, first=values[0], values=quoted(values, 8)
            ),
            ways=[(shown(v), {"layout": Layout.QUESTIONS, "question": question, "only": v}) for v in values[:_OFFERED]],
        )
    findings = () if not rest else (_not_read(table, rest),)
    said = options.subject or options.rater or options.rating
    if not said and not any(r.called(table, kind) for kind in (w.SUBJECT, w.RATER, w.RATING)):
        findings = (_by_values(table, subject, rater, rating), *findings)
    return Roles(Layout.LONG, subject, rater, rating, None, None, (), tuple(guessed), findings)


def _by_values(table: Table, subject: str, rater: str | None, rating: str) -> Finding:
    """A question where no name of a column says what it is."""
    if rater is None:
        told = _("each row one rating: '{subject}' names the case and '{rating}' holds the rating")
    else:
        told = _("each row one rating: '{subject}' names the case, '{rater}' the rater and '{rating}' holds the rating")
    return ask(
        "roles_by_values",
        ", ".join(table.place(n) for n in (subject, rater, rating) if n is not None),
        _("No column is named like a case, a rater or a rating; what each is for was guessed from what it holds."),
        _("If one of them is something else, choose another column, or another layout."),
        _("The table is read like this: {told}.").format(told=told.format(subject=subject, rater=rater, rating=rating)),
    )


def _not_read(table: Table, rest: list[str], doubtful: tuple[str, ...] = (), *, said: bool = False) -> Finding:
    """Which columns are not read as ratings; a question where one of them has few texts that come again and again.

    Those that look like a legend, or like facts about the cases, are asked about as well.
    """
    where = ", ".join(table.place(n) for n in rest[:5])
    message = ngettext(
        "{columns} is read as further information, not as ratings.",
        "{columns} are read as further information, not as ratings.",
        len(rest),
    ).format(columns=quoted(rest))
    fix = _("If one of them holds ratings, name the rating columns (--columns).")
    # One text all the way down may be a rater who never changes, so it is a question too.
    few = any(1 <= len(r.distinct(table, n)) <= STEPS and 2 * len(r.distinct(table, n)) <= table.rows for n in rest)
    if (few or doubtful) and not said:
        return ask(
            "columns_not_rated", where, message, fix, _("These columns are kept beside the ratings."), (tuple(rest),)
        )
    return note("columns_not_rated", where, message, fix)


def _wide(table: Table, name: str, options: ReadingOptions) -> Roles:
    """The case column and the rating columns of a wide table."""
    guessed = [o for o in ("subject", "columns") if getattr(options, o) is None]
    doubtful: tuple[str, ...] = ()
    if options.columns is not None:
        columns = tuple(r.named(table, n, "--columns") for n in options.columns)
        subject = _case_column(table, columns, options)
    else:
        subject = _case_column(table, (), options)
        apart = {subject, options.count, *(c for c, _rest in options.where)}
        rest = tuple(n for n in table.names if n not in apart)
        doubtful = no_raters(table, rest)
        columns = rating_columns(table, tuple(n for n in rest if n not in doubtful))
    if not columns:
        raise TapdeskError(
            _("No column with ratings could be found."),
            name,
            _("Name the rating columns with --columns; the columns are {names}.").format(names=quoted(table.names, 20)),
        )
    others = [n for n in table.names if n not in {subject, options.count, *columns}]
    asked = tuple(n for n in doubtful if not (counts_cases(table, n) or numbers_rows(table, n)))
    # Where the user named the columns, the others are no question.
    findings = () if not others else (_not_read(table, others, asked, said=options.columns is not None),)
    return Roles(Layout.RATERS, subject, None, None, None, None, columns, tuple(guessed), findings)


def _case_column(table: Table, columns: tuple[str, ...], options: ReadingOptions) -> str | None:
    """The column the user named, none where the user said so by a blank name, else the one that looks like it."""
    if options.subject is not None:
        return r.named(table, options.subject, "--subject") if options.subject else None
    return id_column(table, columns)


def id_column(table: Table, columns: tuple[str, ...]) -> str | None:
    """The column that names the cases of a wide table, or None."""
    rest = [n for n in table.names if n not in columns]
    cases = w.in_language(table.names, w.SUBJECT)
    rest = [n for n in rest if not (counts_cases(table, n) or holds_answers(table, n)) or counts_up(table, n)]
    by_name = next((n for n in rest if r.is_called(n, cases) and not r.is_numbered_seat(n)), None)
    if by_name is not None:
        return by_name
    numbered = next((n for n in rest if numbers_rows(table, n)), None)
    if numbered is not None:
        return numbered
    if len(rest) < 2 - len(columns) or not rest or r.is_rater_column(rest[0]):
        return None
    first = rest[0]
    if first == table.names[0] and len(table.names) > 2 and counts_up(table, first):
        return first
    others = [r.distinct(table, n) for n in table.names if n != first]
    shared = any(r.distinct(table, first) & o for o in others)
    different = r.all_different(table, first)
    if different and (not shared or table.rows >= 10) and len(table.names) > 1 and table.rows > 1:
        return first
    return None


def _subjects(table: Table, name: str, options: ReadingOptions) -> Roles:
    """Raters in rows: the column that names them and the columns that are cases."""
    rater = r.named(table, options.rater, "--rater") if options.rater else None
    if rater is None and not (options.columns and table.names[0] in options.columns):
        first = table.names[0]
        shared = any(r.distinct(table, first) & r.distinct(table, n) for n in table.names[1:])
        rater = first if not shared or r.is_called(first, w.RATER_ANYWHERE) else None
    said = options.columns or tuple(n for n in table.names if n != rater)
    columns = tuple(r.named(table, n, "--columns") for n in said)
    if not columns:
        raise TapdeskError(_("There is no column with ratings."), name, _("Name the columns with --columns."))
    return Roles(Layout.SUBJECTS, None, rater, columns=columns, guessed=() if options.rater else ("rater",))


def _questions(table: Table, name: str, options: ReadingOptions) -> Roles:
    """One question of several, which stand in a column of their own or side by side."""
    if options.question is not None:
        found = _long(table, name, options)
        return replace(found, question=r.named(table, options.question, "--question"))
    subject = options.subject or r.called(table, w.SUBJECT) or table.names[0]
    rater = options.rater or r.called(table, w.RATER, apart_from=(subject,))
    subject = r.named(table, subject, "--subject")
    rater = r.named(table, rater, "--rater") if rater else None
    asked = [n for n in table.names if n not in {subject, rater, options.count}]
    chosen = options.only or options.rating
    if chosen is None and len(asked) == 1:
        chosen = asked[0]
    if chosen is None:
        raise TapdeskError(
            _("The file holds {asked} questions, and one analysis answers one of them.").format(asked=len(asked)),
            name,
            _("Choose one with --only; the questions are {asked}.").format(asked=quoted(asked, 8)),
            ways=[(shown(n), {"layout": Layout.QUESTIONS, "only": n}) for n in asked[:_OFFERED]],
        )
    guessed = tuple(o for o, said in (("subject", options.subject), ("rater", options.rater)) if said is None)
    return Roles(Layout.QUESTIONS, subject, rater, r.named(table, chosen, "--only"), guessed=guessed)


def _counts(table: Table, name: str, options: ReadingOptions) -> Roles:
    """Columns of counts: ``n_ratings`` and ``n_class1``, or one per class."""
    count = options.count or r.called(table, w.COUNT)
    by_name = {n.strip().lower(): n for n in table.names}
    if {"n_ratings", "n_class1"} <= set(by_name):
        columns: tuple[str, ...] = (by_name["n_ratings"], by_name["n_class1"])
    else:
        columns = r.class_columns(table, replace(options, count=count))
    subject = r.named(table, options.subject, "--subject") if options.subject else options.subject
    if subject is None:
        rest = [n for n in table.names if n not in {*columns, count}]
        subject = rest[0] if rest and r.all_different(table, rest[0]) else None
    if len(columns) < 2:
        raise TapdeskError(
            _("A table of counts needs one column for each class, or the columns n_ratings and n_class1."),
            name,
            _("Name the class columns with --columns; the columns are {names}.").format(names=quoted(table.names, 20)),
        )
    others = [n for n in table.names if n not in {subject, count, *columns}]
    findings = () if not others else (_not_read(table, others),)
    return Roles(Layout.COUNTS, subject, count=count, columns=columns, guessed=("columns",), findings=findings)


def _confusion(table: Table, name: str, options: ReadingOptions) -> Roles:
    """A square of counts, with or without a column of row names."""
    labels = None if r.whole_numbers(table, table.names[0]) and not options.subject else table.names[0]
    columns = options.columns or tuple(n for n in table.names if n != labels)
    if len(columns) < 2:
        raise TapdeskError(_("A confusion matrix needs at least two class columns."), name, _("Choose another layout."))
    return Roles(Layout.CONFUSION, labels, columns=tuple(r.named(table, n, "--columns") for n in columns))


_FILL: dict[Layout, Callable[[Table, str, ReadingOptions], Roles]] = {
    Layout.LONG: _long,
    Layout.RATERS: _wide,
    Layout.SUBJECTS: _subjects,
    Layout.QUESTIONS: _questions,
    Layout.COUNTS: _counts,
    Layout.CONFUSION: _confusion,
}
