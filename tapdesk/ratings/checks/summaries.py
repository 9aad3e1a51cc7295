"""Checks for what is no rating of its own: totals, means, a consensus, and answers known beforehand."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from tapdesk.language import Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.checks.likeness import spoken
from tapdesk.ratings.findings import Finding, block, note, quoted, rows_named
from tapdesk.ratings.layouts.header_words import RATING, words
from tapdesk.ratings.layouts.roles import Roles, as_counts, whole_numbers
from tapdesk.ratings.numbers import number
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import IntArray
from tapdesk.ratings.table import Table

_SUMMARY_WORDS = _(
    "total totals sum mean average avg median mode consensus majority overall final agreed "
    "moderated count sd stdev std min max maximum minimum subtotal gesamt summe mittelwert "
    "durchschnitt moyenne somme promedio media standard reference truth adjudicated adjudication "
    "mittel schnitt mw ø gesamtsumme summen médiane total suma mediana totale somma mediano soma média "
    "gemiddelde totaal som konsens konsensus consenso mehrheit"
)
SUMMARY = frozenset(_SUMMARY_WORDS.split())
# Names of a summary only where they stand in the last row.
_LAST = frozenset({"n", "all", "%", "result", "ergebnis", "résultat", "resultado", "risultato", "resultaat"})
# What a column of answers known beforehand is called, and what else may stand in such a name.
_KNOWN_WORDS = _(
    "gold goldstandard gt key truth true groundtruth target expert reference label correct actual referenz "
    "referenzstandard goldstandardwert wahrheit lösung musterlösung vérité référence verdad referencia verità "
    "riferimento waarheid referentie"
)
_KNOWN = frozenset(_KNOWN_WORDS.split())
_BESIDE_KNOWN_WORDS = "ground standard class answer answers y value final the column of s"
_BESIDE_KNOWN = frozenset(_BESIDE_KNOWN_WORDS.split()) | RATING
_MANY = 50_000


def is_summary(name: str) -> bool:
    """Whether a name is a word for a summary and little else: ``Mean score`` is, ``Mr Average's wine list`` not."""
    found = words(name)
    return bool(SUMMARY.intersection(found)) and len(found) <= 2


def is_known_answer(name: str, others: Sequence[str]) -> bool:
    """Whether a column is called like known answers: ``gold``, ``y_true``; ``Expert 1`` beside ``Expert 2`` is not."""
    own = words(name)
    if not _KNOWN.intersection(own) or not set(own) <= _KNOWN | _BESIDE_KNOWN or re.search(r"\d", name):
        return False
    # A stem that several columns share is what raters are called.
    return not any(set(own) <= set(words(other)) for other in others if other != name)


def summary_findings(table: Table, found: Roles, made: Assembled, options: ReadingOptions) -> Iterator[Finding]:
    """Columns, rows and raters that look like a summary of ratings or like answers known beforehand.

    Parameters
    ----------
    table, found, made
        What was read.
    options
        Where the user named the columns, or said that all are ratings, it is told and not asked.
    """
    columns = _summary_columns(table, found)
    said = options.keep_summaries or options.columns is not None
    yield from (_kept(f) if said else f for f in columns)
    further = (*_summary_rows(table, found, made), *_summary_raters(table, found, made))
    yield from (_kept(f) if options.keep_summaries else f for f in further)


def _kept(finding: Finding) -> Finding:
    """What was asked, as something to know: the user has said that these are ratings."""
    default = _("It was kept as ratings, as you said.")
    return note(finding.code, finding.where, finding.message, default=default, about=finding.about)


def _summary_columns(table: Table, found: Roles) -> Iterator[Finding]:
    tallied = found.layout in {Layout.COUNTS, Layout.CONFUSION}
    if found.layout is Layout.SUBJECTS:
        return
    sums = _sums(table, found) if tallied else ()
    for name in found.columns:
        rest = ",".join(n for n in found.columns if n != name)
        if is_summary(name) or name in sums:
            message = (
                _(
                    "The column '{name}' looks like a sum of the others, not like a class: each rating would count "
                    "twice."
                )
                if tallied
                else _(
                    "The column '{name}' looks like a summary of others, not like a rater. A consensus among "
                    "the raters makes agreement look better than it is."
                )
            )
            code = "summary_column"
        elif found.layout is Layout.RATERS and is_known_answer(name, found.columns):
            code, message = (
                "known_answers",
                _(
                    "The column '{name}' is called like answers that are known, not like a rater. Counted as a "
                    "rater, it makes agreement look better than it is."
                ),
            )
        else:
            continue
        yield block(
            code,
            table.place(name),
            message.format(name=name),
            _(
                'If so, leave it out: --columns "{rest}". If it is one like the others, say so by naming all columns '
                "(--columns) or with --keep-summaries."
            ).format(rest=rest),
            _("It is read like all others."),
            ((name,),),
        )


def _sums(table: Table, found: Roles) -> tuple[str, ...]:
    """Columns of counts that are the sum of all others in every row, whatever they are called."""
    if len(found.columns) < 3 or table.rows < 2 or not all(whole_numbers(table, n) for n in found.columns):
        return ()
    counts = {name: as_counts(table, name) for name in found.columns}
    twice = sum(counts.values())
    return tuple(name for name, own in counts.items() if own.any() and np.array_equal(2 * own, twice))


def _summary_rows(table: Table, found: Roles, made: Assembled) -> Iterator[Finding]:
    column = found.subject or found.rater
    names = made.ratings.raters if found.layout is Layout.SUBJECTS else made.ratings.subjects
    if found.layout is Layout.CONFUSION or column is None or len(names) > _MANY:
        return
    cells = table.column(column)
    last = cells.text(table.rows - 1).strip().casefold()
    tallies = _tallies(made)
    summary = [
        is_summary(v) or (v.strip().casefold() == last and last in _LAST) or v.strip() in tallies for v in cells.values
    ]
    # A row of sums without a rating is left out as it is, and told with other cases without one.
    summary = [s and v.strip() not in made.unrated for s, v in zip(summary, cells.values, strict=True)]
    inside = np.isin(table.row_numbers, made.cells.row)
    chosen = np.array(summary, dtype=bool)[cells.codes] & inside if any(summary) else np.zeros(table.rows, dtype=bool)
    if not chosen.any():
        return
    rows = [int(r) for r in table.row_numbers[chosen]]
    which = list(dict.fromkeys(cells.text(int(i)) for i in np.flatnonzero(chosen)))
    yield block(
        "summary_row",
        rows_named(rows),
        ngettext(
            "A row is called {which} and looks like a summary.",
            "Some rows are called {which} and look like summaries.",
            len(rows),
        ).format(which=quoted(which)),
        _left_out(table, column, which, rows),
        ngettext("It is read like all others.", "They are read like all others.", len(rows)),
        (tuple(which),),
    )


def _left_out(table: Table, column: str, which: Sequence[str], rows: Sequence[int]) -> str:
    """How rows are left out: by the last row of the table where they stand at its end, else by their names."""
    above: IntArray = table.row_numbers[~np.isin(table.row_numbers, rows)]
    if above.size and int(above.max()) < min(rows):
        return _("If it is one, say where the table ends: --last-row {row}. If not, say --keep-summaries.").format(
            row=int(above.max())
        )
    named = _where(column, which)
    return _("If it is one, leave it out: {named}. If not, say --keep-summaries.").format(named=named)


def _where(column: str, names: Sequence[str]) -> str:
    """How rows are left out on a command line."""
    left = (_('--where "{column}!={name}"').format(column=Label(column), name=Label(name)) for name in names[:3])
    return joined(*left)


def _summary_raters(table: Table, found: Roles, made: Assembled) -> Iterator[Finding]:
    """Raters of a table with one rating in each row that are called like a summary or like known answers."""
    everyone = made.ratings.raters
    if found.layout not in {Layout.LONG, Layout.QUESTIONS} or found.rater is None or len(everyone) > _MANY:
        return
    if not made.ratings.raters_known:
        return
    raters = [r for r in everyone if is_summary(r) or is_known_answer(r, everyone)]
    if raters and len(raters) < len(everyone):
        named = _where(found.rater, raters)
        yield block(
            "summary_rater",
            table.place(found.rater),
            ngettext(
                "The rater {raters} looks like a summary or like known answers.",
                "The raters {raters} look like summaries or like known answers.",
                len(raters),
            ).format(raters=quoted([*map(RaterName, raters)])),
            _("If so, leave it out: {named}. If it rated like the others, say --keep-summaries.").format(named=named),
            ngettext("It is read like all others.", "They are read like all others.", len(raters)),
            (tuple(raters),),
        )


def _tallies(made: Assembled) -> frozenset[str]:
    """Cases that are called like a class and hold numbers only, as rows below a table do that count its words."""
    ratings = made.ratings
    texts = {spoken(c) for c in ratings.classes if number(c) is None}
    if not texts or len(texts) == len(ratings.classes):
        return frozenset()
    called = [i for i, name in enumerate(ratings.subjects) if spoken(name) in texts]
    numeric = np.array([number(c) is not None for c in ratings.classes], dtype=bool)[ratings.category]
    return frozenset(ratings.subjects[i] for i in called if numeric[ratings.subject == i].all())
