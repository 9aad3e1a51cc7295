"""Checks of names: those that look the same, persons' data, rounds."""

import re
from collections.abc import Iterator, Sequence

from tapdesk.language import CaseName, Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.checks.likeness import drawn, groups, loose, spoken
from tapdesk.ratings.checks.summaries import summary_findings
from tapdesk.ratings.findings import Finding, ask, listed, note, quoted
from tapdesk.ratings.layouts.header_words import ROUND, words
from tapdesk.ratings.layouts.no_raters import counts_cases
from tapdesk.ratings.layouts.roles import Roles, distinct
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import Table

_PERSONAL_WORDS = _(
    "name surname firstname lastname nhs mrn ssn dob birth birthday birthdate email mail phone "
    "telephone address postcode insurance passport"
)
_PERSONAL = frozenset(_PERSONAL_WORDS.split())
_PERSONS = frozenset(
    {"first", "last", "full", "family", "given", "your", "patient", "student", "person", "candidate", "applicant", "s"}
)
_MANY = 50_000
_PIECE = 5_000


def table_findings(table: Table, found: Roles, made: Assembled, options: ReadingOptions) -> Iterator[Finding]:
    """What names and places in the table show."""
    yield from summary_findings(table, found, made, options)
    yield from _similar("rater", made.ratings.raters)
    yield from _similar("case", made.ratings.subjects)
    yield from _personal(table, found)
    yield from _rounds(table, found)
    yield from _count_column(table, found)
    yield from _outer_blanks(table, found)


def _similar(what: str, names: Sequence[str]) -> Iterator[Finding]:
    """Names that look or nearly are the same."""
    if len(names) > _MANY and _all_differ(names):
        return
    code = {"rater": "similar_rater_names", "case": "similar_case_names"}[what]
    found: dict[tuple[str, ...], None] = {}
    for key in (drawn, spoken, loose):
        for group in groups(names, key):
            if not any(set(group) <= set(known) for known in found):
                found[group] = None
    if found:
        kind = RaterName if what == "rater" else CaseName
        told = listed([joined(*(_("'{name}'").format(name=kind(n)) for n in group[:4]), sep=" / ") for group in found])
        yield ask(
            code,
            "",
            _("Some {what}s have nearly the same name: {told}.").format(what=what, told=told),
            _("If they are one {what}, write the name in one way.").format(what=what),
            _("Each name is a {what} of its own.").format(what=what),
            tuple(found),
        )


def _all_differ(names: Sequence[str]) -> bool:
    """Whether many names differ even without regard to case."""
    seen: set[str] = set()
    # In pieces: nothing interrupts one call over all of them.
    for at in range(0, len(names), _PIECE):
        seen.update(map(str.casefold, names[at : at + _PIECE]))
    return len(seen) == len(names)


def _personal(table: Table, found: Roles) -> Iterator[Finding]:
    """Columns that look like data about persons; where they name the cases, it is asked how these are printed."""
    named = [n for n in table.names if _PERSONAL.intersection(words(n))]
    numbered = [
        n
        for n, c in zip(table.names, table.columns, strict=True)
        if n not in named and c.values and all(_is_health_number(v) or "@" in v for v in c.values[:50])
    ]
    if found.subject in {*numbered, *(n for n in named if _of_person(n))}:
        yield ask(
            "persons_as_cases",
            table.place(found.subject or ""),
            _("The cases are called by '{column}', which may hold data about persons.").format(
                column=Label(found.subject)
            ),
            _("If nobody is to read them in a report, call the cases Case 1, Case 2 and so on."),
            _("The report prints the names of some cases as the file has them."),
            ((found.subject or "",),),
        )
    if named or numbered:
        yield note(
            "personal_data",
            joined(*(table.place(n) for n in (*named, *numbered)), sep=", "),
            _("{value} may hold data about persons.").format(value=quoted([*named, *numbered])),
            _("Replace them by codes before you share a project or a report."),
            _("They stay in the data."),
            ((*named, *numbered),),
        )


def _of_person(name: str) -> bool:
    """Whether a column of names holds those of persons: ``Patient name`` does, ``Wine name`` not."""
    spoken = set(words(name))
    return bool(spoken & (_PERSONAL - {"name"})) or spoken <= {"name", *_PERSONS}


def _is_health_number(text: str) -> bool:
    """Whether a text is a number of the English health service: ten digits with a check digit modulo 11."""
    digits = re.sub(r"[ -]", "", text)
    if not re.fullmatch(r"\d{10}", digits):
        return False
    check = 11 - sum(int(d) * (10 - i) for i, d in enumerate(digits[:9])) % 11
    return check % 11 == int(digits[9]) and check != 10


def _rounds(table: Table, found: Roles) -> Iterator[Finding]:
    """A column that tells rounds apart."""
    taken = {found.subject, found.rater, found.rating, *found.columns}
    for name in table.names:
        if name not in taken and ROUND.intersection(words(name)) and len(distinct(table, name)) > 1:
            values = sorted(distinct(table, name))
            yield ask(
                "rounds",
                table.place(name),
                _("The column '{name}' tells {values} rounds apart.").format(name=Label(name), values=len(values)),
                _("To read one round, filter it (--where '{name}={values}').").format(
                    name=Label(name), values=Label(values[0])
                ),
                _("All rounds are read together."),
                ((name,), tuple(values)),
            )


def _count_column(table: Table, found: Roles) -> Iterator[Finding]:
    """A column that perhaps says how many cases a row stands for."""
    taken = {found.subject, found.rater, found.rating, found.count, *found.columns}
    for name in table.names:
        if name not in taken and counts_cases(table, name):
            yield ask(
                "maybe_count_column",
                table.place(name),
                _("The column '{name}' may say how many cases each row stands for.").format(name=Label(name)),
                _("If so, name it (--count '{name}').").format(name=Label(name)),
                _("Each row counts once."),
                ((name,),),
            )


def _outer_blanks(table: Table, found: Roles) -> Iterator[Finding]:
    """Ratings that are one with those of other raters only because blanks around them are not read."""
    if found.layout is not Layout.RATERS:
        return
    raw = [table.grid.columns[table.positions[table.names.index(n)]] for n in found.columns]
    padded = [i for i, column in enumerate(raw) if any(v != v.strip() and v.strip() for v in column.values)]
    if not padded:
        return
    inside = table.row_numbers - 1
    raw = [column.take(inside).used() for column in raw]
    plain = frozenset(v for column in raw for v in column.values if v == v.strip())
    number_of = 0
    told: dict[str, None] = {}
    for i in padded:
        # Where a column keeps both, they are told apart and asked about.
        kept = frozenset(table.column(found.columns[i]).values)
        for text, n in zip(raw[i].values, raw[i].counts(), strict=True):
            if text != text.strip() and text not in kept and text.strip() in plain and text.strip():
                number_of += int(n)
                told[text] = None
    if number_of:
        yield note(
            "outer_blanks",
            "",
            ngettext(
                "In {n:,} cell a blank stands before or behind the rating: {told}.",
                "In {n:,} cells a blank stands before or behind the rating: {told}.",
                number_of,
            ).format(n=number_of, told=quoted(tuple(told))),
            default=_("They are read as the ratings without it."),
        )
