"""Checks of names: summaries posing as cases or raters, names that look the same, persons' data, rounds."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.checks.likeness import drawn, groups, loose, spoken
from tapdesk.ratings.findings import Finding, ask, listed, note, quoted, rows_named
from tapdesk.ratings.layouts.roles import COUNT, Roles, distinct, is_called, whole_numbers, words
from tapdesk.ratings.options import Layout
from tapdesk.ratings.table import Table

_SUMMARY_WORDS = (
    "total totals sum mean average avg median mode consensus majority overall final agreed moderated count sd "
    "stdev std min max maximum minimum subtotal gesamt summe mittelwert durchschnitt moyenne somme promedio media "
    "standard reference truth adjudicated adjudication"
)
SUMMARY = frozenset(_SUMMARY_WORDS.split())
# Names of a summary only where they stand in the last row.
_LAST = frozenset({"n", "all", "%"})
_PERSONAL_WORDS = (
    "name surname firstname lastname nhs mrn ssn dob birth birthday birthdate email mail phone telephone address "
    "postcode insurance passport"
)
_PERSONAL = frozenset(_PERSONAL_WORDS.split())
_ROUND = frozenset({"round", "phase", "wave", "session", "visit", "occasion", "timepoint"})
_MANY = 50_000


def table_findings(table: Table, found: Roles, made: Assembled) -> Iterator[Finding]:
    """What names and places in the table show."""
    yield from _summary_columns(table, found)
    yield from _summary_rows(table, found, made)
    yield from _similar("rater", made.ratings.raters)
    yield from _similar("case", made.ratings.subjects)
    yield from _personal(table)
    yield from _rounds(table, found)
    yield from _count_column(table, found)


def _is_summary(name: str) -> bool:
    """Whether a name is a word for a summary and little else: ``Mean score`` is, ``Mr Average's wine list`` not."""
    found = words(name)
    return bool(SUMMARY.intersection(found)) and len(found) <= 2


def _summary_columns(table: Table, found: Roles) -> Iterator[Finding]:
    names = [n for n in found.columns if _is_summary(n)]
    tallied = found.layout in {Layout.COUNTS, Layout.CONFUSION}
    for name in names:
        yield ask(
            "summary_column", table.place(name),
            f"The column '{name}' looks like a sum of the others, not like a class: each rating would count twice."
            if tallied
            else f"The column '{name}' looks like a summary of others, not like a rater. A consensus among the raters "
            "makes agreement look better than it is.",
            "If it is a sum, leave it out by naming the columns of the classes (--columns)."
            if tallied
            else "If it is a summary, leave it out by naming the rating columns (--columns).",
            "It is read like all others.",
            ((name,),),
        )  # fmt: skip


def _summary_rows(table: Table, found: Roles, made: Assembled) -> Iterator[Finding]:
    column = found.subject or found.rater
    names = made.ratings.raters if found.layout is Layout.SUBJECTS else made.ratings.subjects
    if found.layout is Layout.CONFUSION:
        return
    if column is not None and len(names) <= _MANY:
        cells = table.column(column)
        last = cells.text(table.rows - 1).strip().casefold()
        summary = np.array(
            [_is_summary(v) or (v.strip().casefold() == last and last in _LAST) for v in cells.values], dtype=bool
        )
        if summary.any():
            rows = [int(r) for r in table.row_numbers[summary[cells.codes]]]
            which = [v for v, s in zip(cells.values, summary, strict=True) if s]
            yield ask(
                "summary_row", rows_named(rows), f"A row is called {quoted(which)} and looks like a summary.",
                "If it is one, leave it out, or delete the row in the file.", "It is read like all others.",
                (tuple(which),),
            )  # fmt: skip
    if found.layout is Layout.LONG and found.rater is not None:
        raters = [r for r in made.ratings.raters if _is_summary(r)] if len(made.ratings.raters) <= _MANY else []
        if raters:
            yield ask(
                "summary_rater", table.place(found.rater), f"The rater {quoted(raters)} looks like a summary.",
                "If it is a consensus, leave it out.", "It is read like all others.", (tuple(raters),),
            )  # fmt: skip


def _similar(what: str, names: Sequence[str]) -> Iterator[Finding]:
    """Names that look or nearly are the same."""
    quick = len(set(map(str.casefold, names))) == len(names)
    if len(names) > _MANY and quick:
        return
    code = {"rater": "similar_rater_names", "case": "similar_case_names"}[what]
    found: dict[tuple[str, ...], None] = {}
    for key in (drawn, spoken, loose):
        for group in groups(names, key):
            if not any(set(group) <= set(known) for known in found):
                found[group] = None
    if found:
        told = listed([" / ".join(f"'{n}'" for n in group[:4]) for group in found])
        yield ask(
            code, "", f"Some {what}s have nearly the same name: {told}.",
            f"If they are one {what}, write the name in one way.", f"Each name is a {what} of its own.",
            tuple(found),
        )  # fmt: skip


def _personal(table: Table) -> Iterator[Finding]:
    """Columns that look like data about persons."""
    named = [n for n in table.names if _PERSONAL.intersection(words(n))]
    numbered = [
        n
        for n, c in zip(table.names, table.columns, strict=True)
        if n not in named and c.values and all(_is_health_number(v) or "@" in v for v in c.values[:50])
    ]
    if named or numbered:
        yield note(
            "personal_data", ", ".join(table.place(n) for n in (*named, *numbered)),
            f"{quoted([*named, *numbered])} may hold data about persons.",
            "Replace them by codes before you share a project or a report.", "They stay in the data.",
            ((*named, *numbered),),
        )  # fmt: skip


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
        if name not in taken and _ROUND.intersection(words(name)) and len(distinct(table, name)) > 1:
            values = sorted(distinct(table, name))
            yield ask(
                "rounds", table.place(name), f"The column '{name}' tells {len(values)} rounds apart.",
                f"To read one round, filter it (--where '{name}={values[0]}').", "All rounds are read together.",
                ((name,), tuple(values)),
            )  # fmt: skip


def _count_column(table: Table, found: Roles) -> Iterator[Finding]:
    """A column that perhaps says how many cases a row stands for."""
    taken = {found.subject, found.rater, found.rating, found.count, *found.columns}
    for name in table.names:
        if name not in taken and is_called(name, COUNT) and whole_numbers(table, name):
            yield ask(
                "maybe_count_column", table.place(name),
                f"The column '{name}' may say how many cases each row stands for.",
                f"If so, name it (--count '{name}').", "Each row counts once.", ((name,),),
            )  # fmt: skip
