"""Two raters crossed as programs print it: totals beside and below are checked against the cells and left out."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tapdesk.language import Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, ask, block, note
from tapdesk.ratings.layouts.roles import as_counts, is_called, is_rater_column, whole_numbers
from tapdesk.ratings.number_marks import is_count
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import number
from tapdesk.ratings.vocabulary import SUBJECT, in_language, words

PROVED = frozenset({"letterhead"})
"""Codes of findings that totals which agree with the cells answer: where the table begins is certain then."""
_TOTAL_WORDS = (
    "total totals sum marginal gesamt gesamtsumme insgesamt summe zusammen somme ensemble suma soma totale somma "
    "totaal som marginals all"
)
_TOTAL = frozenset(_TOTAL_WORDS.split())
_MOST_CLASSES = 60


@dataclass(frozen=True, eq=False)
class Crosstab:
    """A table without totals.

    Attributes
    ----------
    table, options
        The table, and how it is read: as two raters crossed where totals agree with its cells.
    findings
        What is said of the totals.
    proved
        Whether they agree.
    """

    table: RatingTable
    options: ReadingOptions
    findings: tuple[Finding, ...] = ()
    proved: bool = False


def without_totals(table: RatingTable, options: ReadingOptions) -> Crosstab:
    """A table of two raters crossed without its totals, where these are right; any other as it is.

    Where a total is wrong, nothing is left out, and it is asked which of the cells is wrong.
    """
    as_it_is = Crosstab(table, options)
    said = options.columns is not None or options.keep_summaries or options.last
    if said or options.layout not in {Layout.AUTO, Layout.CONFUSION} or not 2 < len(table.names) <= _MOST_CLASSES:
        return as_it_is
    # Nearly as many rows as columns; of a long table not a row is looked at.
    if table.rows > 2 * len(table.names):
        return as_it_is
    head, *others = table.names
    labels = [table.column(head).text(i).strip() for i in range(table.rows)]
    across = [n for n in others if _is_total(n)]
    below = [i for i, label in enumerate(labels) if _is_total(label)]
    classes = [n for n in others if n not in across]
    rows = [i for i in range(table.rows) if i not in below]
    named = sorted(labels[i] for i in rows) == sorted(n.strip() for n in classes) and len(classes) > 1
    if named and not all(whole_numbers(table, n) for n in others):
        return replace(as_it_is, findings=tuple(_no_counts(table, others, options)))
    if not (across or below) or len(across) > 1 or len(below) > 1 or not named:
        return as_it_is
    wrong = _wrong_totals(table, classes, across, (rows, below, labels))
    if wrong:
        return replace(as_it_is, findings=(_wrong_finding(table, wrong),))
    kept = [i for i, n in enumerate(table.names) if n not in across]
    inside = np.array([i in set(rows) for i in range(table.rows)], dtype=bool)
    alone = replace(
        table,
        names=tuple(table.names[i] for i in kept),
        columns=tuple(table.columns[i].take(inside).used() for i in kept),
        positions=tuple(table.positions[i] for i in kept),
        row_numbers=table.row_numbers[inside],
    )
    places = [*(table.place(n) for n in across), *(f"row {int(table.row_numbers[i])}" for i in below)]
    message = _("The totals agree with the cells and are left out.")
    finding = note("totals_checked", joined(*places, sep=_(" and ")), message)
    return Crosstab(alone, replace(options, layout=Layout.CONFUSION), (finding,), proved=True)


def _no_counts(table: RatingTable, names: list[str], options: ReadingOptions) -> Iterator[Finding]:
    """A question where rows and columns have the same names, and the cells are numbers but no counts of cases."""
    texts = [text for name in names for text in table.texts(name)]
    if options.layout is not Layout.AUTO or any(number(text) is None for text in texts):
        return
    wrong = next((text for text in texts if not is_count(text)), texts[0] if texts else "")
    yield block(
        "square_without_counts",
        table.place(names[0]),
        _(
            "Rows and columns have the same names, as where two raters are crossed, but the cells are no counts of "
            "cases: '{wrong}'."
        ).format(wrong=Label(wrong)),
        _("Write in each cell how many cases it counts. If a row is a case and a column a rater, say --layout raters."),
        _("Each row is read as a case, each column as a rater."),
    )


def _is_total(name: str) -> bool:
    """Whether a name is a word for a total and nothing else but what it is of."""
    own = words(name)
    return (bool(_TOTAL.intersection(own)) and len(own) <= 2) or name.strip() in {"Σ", "∑"}


def _wrong_totals(
    table: RatingTable, classes: list[str], across: list[str], lines: tuple[list[int], list[int], list[str]]
) -> list[tuple[str, int, int]]:
    """Totals that are not the sum of their cells: whose they are, what they say, and the sum."""
    rows, below, labels = lines
    cells = np.stack([as_counts(table, n) for n in classes], axis=1)
    inside = cells[rows]
    wrong = []
    for name in across:
        own = as_counts(table, name)
        wrong += [(labels[i], int(own[i]), int(cells[i].sum())) for i in rows if own[i] != cells[i].sum()]
        wrong += [(labels[i], int(own[i]), int(inside.sum())) for i in below if own[i] != inside.sum()]
    for i in below:
        sums = inside.sum(axis=0)
        wrong += [(n, int(c), int(s)) for n, c, s in zip(classes, cells[i], sums, strict=True) if c != s]
    return wrong


def _wrong_finding(table: RatingTable, wrong: list[tuple[str, int, int]]) -> Finding:
    name, shown, true = wrong[0]
    message = ngettext(
        "A total is not the sum of its cells: that of '{name}' is {shown:,}, and its cells add up to {true:,}.",
        "{n:,} totals are not the sums of their cells: that of '{name}' is {shown:,}, its cells add up to {true:,}.",
        len(wrong),
    ).format(n=len(wrong), name=Label(name), shown=shown, true=true)
    return ask(
        "totals_differ",
        table.place(table.names[0]),
        message,
        _("One of these numbers is wrong: correct it in the file, or leave the totals out."),
        _("Nothing is left out."),
    )


_LARGEST_SQUARE = 12  # more classes than this are crossed nowhere


def bare_square(table: RatingTable) -> Finding | None:
    """A question where there is nothing but a square of whole numbers, the largest of them from corner to corner.

    Two raters crossed, whose classes nobody wrote down, look so; so do scores of a few cases by as many raters.
    """
    k = len(table.names)
    if not 2 <= k <= _LARGEST_SQUARE or table.rows != k or not all(whole_numbers(table, n) for n in table.names):
        return None
    if any(is_called(n, in_language(table.names, SUBJECT)) or is_rater_column(n) for n in table.names):
        return None
    numbers = np.stack([as_counts(table, n) for n in table.names], axis=1)
    agreed = int(np.trace(numbers))
    # On a scale of a few steps the same numbers come again; sums of cases rarely do.
    if len(np.unique(numbers)) <= k or 2 * agreed < numbers.sum():
        return None
    return block(
        "bare_square",
        "",
        _(
            "There is nothing but a square of {k} by {k} numbers. As two raters crossed, {agreed:,} of {all:,} cases "
            "got the same class of both. As raters side by side, {k} raters gave {k} cases numbers such as {first}."
        ).format(k=k, agreed=agreed, all=int(numbers.sum()), first=int(numbers[0, 0])),
        _(
            "Say which it is: --layout confusion, or --layout raters; --layout counts where each row is a case and "
            "each number counts its ratings."
        ),
        default=_("Shown here are raters side by side; nothing is computed before you have chosen."),
    )
