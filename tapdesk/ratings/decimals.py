"""The decimal mark of a file, decided once from all its numbers."""

from itertools import chain

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, ask, note, quoted, rows_named
from tapdesk.ratings.numbers import DecimalEvidence, evidence
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.table import Table

_LARGE = 5_000


def decimal_mark(
    table: Table, name: str, rated: tuple[str, ...], count: str | None, options: ReadingOptions
) -> tuple[str | None, tuple[Finding, ...]]:
    """The decimal mark, None when no number has one, and what had to be asked.

    Parameters
    ----------
    table
        The table.
    name
        What to call the file in a sentence.
    rated
        The columns that hold ratings.
    count
        A column of whole numbers, which says nothing about decimals.
    options
        What the user said.

    Raises
    ------
    TapdeskError
        When a rating column mixes both marks.
    UsageError
        When the user asks for another mark than dot or comma.
    """
    if options.decimal is not None:
        if options.decimal not in {".", ","}:
            raise UsageError(
                _("'{decimal}' is not a decimal mark.").format(decimal=options.decimal),
                "--decimal",
                _("Use . or a comma."),
            )
        return options.decimal, ()
    for column in rated:
        found = evidence(table.column(column).values)
        if found.comma and found.dot:
            raise _mixed(table, name, column, found)
    # A column of ten thousand names has nothing to say about numbers.
    told = [(n, c) for n, c in zip(table.names, table.columns, strict=True) if n != count]
    columns = [c for n, c in told if n in rated or len(c.values) <= _LARGE]
    found = evidence(chain.from_iterable(c.values for c in columns))
    if found.comma and found.dot:
        # Columns differ: the rating columns decide; elsewhere numbers are not read as numbers.
        found = evidence(chain.from_iterable(table.column(c).values for c in rated))
    if found.mark == ",":
        return ",", (note("decimal_comma", "", _("The numbers of the file have a decimal comma.")),)
    if found.mark is not None:
        return found.mark, ()
    if not found.ambiguous:
        return None, ()
    comma = any("," in text for text in found.ambiguous)
    mark = "," if comma else "."
    word = "comma" if comma else "dot"
    question = ask(
        "decimal_mark_uncertain",
        "",
        _("Numbers such as {ambiguous} can be read with the {word} as decimal or thousands mark.").format(
            ambiguous=quoted(found.ambiguous, 3), word=word
        ),
        _("Choose the decimal mark (--decimal)."),
        _("The {word} is read as the decimal mark.").format(word=word),
    )
    return mark, (question,)


def _mixed(table: Table, name: str, column: str, found: DecimalEvidence) -> TapdeskError:
    """The refusal of a column that writes numbers in two ways, with the cells of the rarer way."""
    cells = table.column(column)
    counts = dict(zip(cells.values, cells.counts(), strict=True))
    groups = {m: sum(int(counts.get(t, 0)) for t in texts) for m, texts in ((",", found.comma), (".", found.dot))}
    rarer = found.comma if groups[","] <= groups["."] else found.dot
    rows = [int(table.row_numbers[i]) for i in range(table.rows) if cells.text(i).strip() in rarer]
    shown = rows_named(rows)
    return TapdeskError(
        _("The column '{column}' mixes decimal commas and decimal dots: {rarer} in {shown}.").format(
            column=Label(column), rarer=quoted(rarer, 3), shown=shown
        ),
        f"{name}, {table.place(column)}, row {rows[0]}",
        _("Write all numbers of the file with one mark, or choose it with --decimal."),
        ways=[(_("Comma is the decimal mark"), {"decimal": ","}), (_("Dot is the decimal mark"), {"decimal": "."})],
    )
