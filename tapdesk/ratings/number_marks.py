"""The marks of numbers, decided once for a whole file: decimal and thousands, in ratings and in counts."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError, UsageError, Ways
from tapdesk.language import Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, ask, block, note, quoted_list, row_list
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import IntArray
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import DecimalEvidence, evidence

_LARGE = 5_000


def decimal_mark(
    table: RatingTable, rated: tuple[str, ...], count: str | None, options: ReadingOptions
) -> tuple[str | None, tuple[Finding, ...]]:
    """The decimal mark, None when no number has one, and what had to be asked.

    Parameters
    ----------
    table
        The table.
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
        result = evidence(table.column(column).values)
        if result.comma and result.dot:
            raise _mixed(table, column, result)
    # A column of ten thousand names has nothing to say about numbers.
    sentences = [(n, c) for n, c in zip(table.names, table.columns, strict=True) if n != count]
    columns = [c for n, c in sentences if n in rated or len(c.values) <= _LARGE]
    result = evidence(chain.from_iterable(c.values for c in columns))
    if result.comma and result.dot:
        # Columns differ: the rating columns decide; elsewhere numbers are not read as numbers.
        result = evidence(chain.from_iterable(table.column(c).values for c in rated))
    if result.mark == ",":
        return ",", (note("decimal_comma", "", _("The numbers of the file have a decimal comma.")),)
    if result.mark is not None:
        return result.mark, ()
    if not result.ambiguous:
        return None, ()
    comma = any("," in text for text in result.ambiguous)
    mark = "," if comma else "."
    word = "comma" if comma else "dot"
    question = ask(
        "decimal_mark_uncertain",
        "",
        _("Numbers such as {ambiguous} can be read with the {word} as decimal or thousands mark.").format(
            ambiguous=quoted_list(result.ambiguous, 3), word=word
        ),
        _("Choose the decimal mark (--decimal)."),
        _("The {word} is read as the decimal mark.").format(word=word),
    )
    return mark, (question,)


def _mixed(table: RatingTable, column: str, decimal_evidence: DecimalEvidence) -> TapdeskError:
    """The refusal of a column that writes numbers in two ways, with the cells of the rarer way."""
    cells = table.column(column)
    counts = dict(zip(cells.values, cells.counts(), strict=True))
    groups = {
        m: sum(int(counts.get(t, 0)) for t in texts)
        for m, texts in ((",", decimal_evidence.comma), (".", decimal_evidence.dot))
    }
    rarer = decimal_evidence.comma if groups[","] <= groups["."] else decimal_evidence.dot
    rows = [int(table.row_numbers[i]) for i in range(table.rows) if cells.text(i).strip() in rarer]
    shown = row_list(rows)
    return TapdeskError(
        _("The column '{column}' mixes decimal commas and decimal dots: {rarer} in {shown}.").format(
            column=Label(column), rarer=quoted_list(rarer, 3), shown=shown
        ),
        f"{table.file}, {table.place(column)}, row {rows[0]}",
        _("Write all numbers of the file with one mark, or choose it with --decimal."),
        ways=_either_mark(),
    )


def _either_mark() -> Ways:
    return [(_("Comma is the decimal mark"), {"decimal": ","}), (_("Dot is the decimal mark"), {"decimal": "."})]


MOST_RATINGS = 200_000_000

_BLANKS = " '’\u00a0\u2007\u2009\u202f"
_PLAIN = re.compile(r"\d+")
_GROUPED = re.compile(
    rf"([1-9]\d{{0,2}}(?:(?P<by>[.,{_BLANKS}])\d{{3}})(?:(?P=by)\d{{3}})*)(?:(?P<mark>[.,])(?P<zeros>0+))?"
)
# 1,00,000 as it is written in India: groups of two above the last three digits.
_INDIAN = re.compile(r"([1-9]\d?(?:,\d{2})+,\d{3})(?:(?P<mark>\.)(?P<zeros>0+))?")
_ZEROS = re.compile(r"(\d+)(?P<mark>[.,])(?P<zeros>0+)")
_POWER = re.compile(r"(\d+)(?:(?P<mark>[.,])(?P<decimals>\d+))?[eE]\+?(?P<power>\d{1,2})")
_MARKS = (".", ",")


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number under one decimal mark.

    Attributes
    ----------
    value
        The number.
    grouped
        Whether a mark or a blank sets its thousands apart.
    zeros
        How many zeros stand behind its decimal mark.
    """

    value: int
    grouped: bool = False
    zeros: int = 0


def readings(text: str) -> Mapping[str, Count]:
    """The whole number a text shows under each decimal mark; under a mark that makes it none there is no entry."""
    plain = text.strip().lstrip("'").removeprefix("+").strip()
    if _PLAIN.fullmatch(plain):
        return dict.fromkeys(_MARKS, Count(int(plain)))
    by_key: dict[str, Count] = {}
    if match := _ZEROS.fullmatch(plain):
        by_key[match["mark"]] = Count(int(match[1]), zeros=len(match["zeros"]))
    if match := _GROUPED.fullmatch(plain):
        count = Count(int(re.sub(r"\D", "", match[1])), grouped=True, zeros=len(match["zeros"] or ""))
        by, mark = match["by"], match["mark"]
        by_key |= {m: count for m in _MARKS if m != by and mark in {None, m}}
    if match := _INDIAN.fullmatch(plain):
        by_key["."] = Count(int(match[1].replace(",", "")), grouped=True, zeros=len(match["zeros"] or ""))
    if match := _POWER.fullmatch(plain):
        decimals, power = match["decimals"] or "", int(match["power"])
        if not decimals.rstrip("0")[power:]:
            count = Count(int((match[1] + decimals.ljust(power, "0"))[: len(match[1]) + power]))
            by_key |= {m: count for m in _MARKS if match["mark"] in {None, m}}
    return by_key


def is_count(text: str) -> bool:
    """Whether a text is a whole number of at least 0 under some decimal mark."""
    return bool(readings(text))


def likely(text: str) -> int:
    """The whole number a text shows where nothing else is known: marks before three digits set thousands apart."""
    sentence = readings(text).values()
    return next((c.value for c in sorted(sentence, key=lambda c: not c.grouped)), 0)


def decimal_of_counts(
    table: RatingTable, columns: Sequence[str], sentence: str | None, elsewhere: str | None
) -> tuple[str, tuple[Finding, ...]]:
    """The decimal mark of the counts of a table, and what is to be said about it.

    Parameters
    ----------
    table, columns
        The table, and its columns of counts.
    sentence
        The mark the user named, or None.
    elsewhere
        The mark of the ratings beside the counts, where they have one.

    Raises
    ------
    TapdeskError
        When no mark reads all counts, though each could be read alone.
    """
    texts = dict.fromkeys(v for column in columns for v in table.column(column).used().values)
    counts = _Counts(table, columns, {text: words for text in texts if text.strip() and (words := readings(text))})
    if sentence is not None:
        return sentence, tuple(counts.spelling(sentence, sure=True))
    possible = [m for m in _MARKS if all(m in text for text in counts.readings.values())]
    if not possible:
        raise counts.two_rules()
    mark = possible[0]
    doubtful = tuple(t for t, text in counts.readings.items() if len({x.value for x in text.values()}) > 1)
    if len(possible) > 1 and doubtful:
        if elsewhere is None:
            return counts.doubt(doubtful)
        mark = elsewhere
    return mark, tuple(counts.spelling(mark, sure=False))


@dataclass(frozen=True, eq=False)
class _Counts:
    """The counts in some columns of a table: by distinct text what it shows under each mark."""

    table: RatingTable
    columns: Sequence[str]
    readings: Mapping[str, Mapping[str, Count]]

    def doubt(self, doubtful: tuple[str, ...]) -> tuple[str, tuple[Finding, ...]]:
        """A mark for counts that are all like ``1.000``, and the question which it is."""
        thousands = next((m for m in _MARKS if all(self.readings[t][m].grouped for t in doubtful)), None)
        if thousands is None:
            raise self.two_rules()
        decimal = "." if thousands == "," else ","
        first = self.readings[doubtful[0]]
        values = {"large": first[thousands].value, "small": first[decimal].value}
        question = block(
            "decimal_mark_uncertain",
            row_list(self._rows(doubtful)),
            _(
                "Counts such as {texts} can be read with the {word} as decimal or as thousands mark: {large:,} or "
                "{small:,}."
            ).format(texts=quoted_list(doubtful, 3), word={".": _("dot"), ",": _("comma")}[decimal], **values),
            _(
                "If '{text}' is {large:,}, read the file with --decimal \"{thousands}\"; if it is {small:,}, "
                'with --decimal "{decimal}".'
            ).format(text=Label(doubtful[0]), thousands=thousands, decimal=decimal, **values),
        )
        return thousands, (question,)

    def spelling(self, mark: str, *, sure: bool) -> Iterable[Finding]:
        """That thousands are set apart, and that zeros behind a decimal mark are no part of a count.

        Where the user is not ``sure`` of the mark, three zeros are asked about.
        """
        apart = tuple(t for t, c in self.readings.items() if mark in c and c[mark].grouped)
        if apart:
            n = self._cells(apart)
            yield note(
                "thousands_marks",
                "",
                ngettext(
                    "In {n:,} count a mark or a blank sets the thousands apart: {told}.",
                    "In {n:,} counts a mark or a blank sets the thousands apart, such as {told}.",
                    n,
                ).format(n=n, told=self._values(apart, mark)),
                default=_("They are read as the numbers they show."),
            )
        cut = tuple(t for t in self.readings if (match := _POWER.fullmatch(t.strip())) and match["decimals"])
        if cut:
            yield ask(
                "numbers_cut_short",
                row_list(self._rows(cut)),
                _("A spreadsheet has cut long counts short, such as {texts}.").format(texts=quoted_list(cut, 2)),
                _("Export the column as numbers from where the file comes from; what was cut cannot be brought back."),
                _("They are read as they stand in the file."),
            )
        zeros = tuple(t for t, c in self.readings.items() if mark in c and c[mark].zeros)
        if not zeros:
            return
        n = self._cells(zeros)
        message = ngettext(
            "{n:,} count is written with zeros behind the decimal mark: {told}.",
            "{n:,} counts are written with zeros behind the decimal mark, such as {told}.",
            n,
        ).format(n=n, told=self._values(zeros, mark))
        # Three zeros may have been meant as thousands by whoever typed them.
        if not sure and any(self.readings[t][mark].zeros == 3 for t in zeros):
            yield ask(
                "zero_decimals",
                row_list(self._rows(zeros)),
                message,
                _("If one of them counts thousands, write it without a mark in the file, or choose the decimal mark."),
                _("The zeros are no part of the number, as the other counts of the table show."),
            )
        else:
            yield note("zero_decimals", "", message, default=_("They are read as whole numbers."))

    def two_rules(self) -> TapdeskError:
        """The refusal of counts that no single decimal mark can read."""
        one = tuple(t for t, c in self.readings.items() if "," not in c or (len(c) > 1 and c["."].grouped))
        other = tuple(t for t, c in self.readings.items() if "." not in c or (len(c) > 1 and c[","].grouped))
        rows = self._rows(other if len(other) <= len(one) else one)
        return TapdeskError(
            _("The counts are written in two ways that no decimal mark reads together: {one}, and {other}.").format(
                one=quoted_list(one, 3), other=quoted_list(other, 3)
            ),
            f"{self.table.file}, row {rows[0]}",
            _("Write all counts in one way, or choose the decimal mark (--decimal)."),
            ways=_either_mark(),
        )

    def _values(self, texts: Sequence[str], mark: str) -> str:
        """The first of some texts, each with the number it shows."""
        sentences = ((Label(t), self.readings[t][mark].value) for t in texts[:3])
        return joined(*(_("'{text}' = {n:,}").format(text=text, n=n) for text, n in sentences), sep=", ")

    def _held(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Shape (rows, columns): which cells hold one of some texts."""
        wanted = frozenset(texts)
        cells = map(self.table.column, self.columns)
        return np.stack([np.array([v in wanted for v in c.values], dtype=bool)[c.codes] for c in cells], axis=1)

    def _cells(self, texts: Sequence[str]) -> int:
        return int(self._held(texts).sum())

    def _rows(self, texts: Sequence[str]) -> IntArray:
        """The rows of the file with a cell that holds one of some texts."""
        return self.table.row_numbers[self._held(texts).any(axis=1)]


def whole(table: RatingTable, column: str, decimal: str | None, *, blank_is_zero: bool = False) -> IntArray:
    """Shape (rows,): the whole numbers of a column; blanks are refused unless they mean 0.

    Parameters
    ----------
    table, column
        The table, and its column of counts.
    decimal
        The decimal mark of all counts of the table; a dot unless given.
    blank_is_zero
        Whether a blank cell is a 0.

    Raises
    ------
    TapdeskError
        Naming every cell that holds something else.
    """
    mark = decimal or "."
    cells = table.column(column)
    numbers = np.zeros(len(cells.values), dtype=np.int64)
    wrong = np.zeros(len(cells.values), dtype=bool)
    for i, text in enumerate(cells.values):
        if not text.strip().lstrip("'"):
            wrong[i] = not blank_is_zero
            continue
        count = readings(text).get(mark)
        wrong[i] = count is None or count.value > MOST_RATINGS
        numbers[i] = 0 if wrong[i] or count is None else count.value
    if wrong.any() and wrong[cells.codes].any():
        rows = np.flatnonzero(wrong[cells.codes])
        texts = [
            _("'{name}'").format(name=Label(t)) if (t := cells.text(int(r))).strip() else _("blank") for r in rows[:5]
        ]
        shown = [
            _("{row} ({text})").format(row=int(row), text=t)
            for row, t in zip(table.row_numbers[rows], texts, strict=False)
        ]
        more = _(" and {size:,} more").format(size=rows.size - 5) if rows.size > 5 else ""
        raise TapdeskError(
            _(
                "The column '{column}' should hold whole numbers from 0 to {most:,}; this is not so in row "
                "{shown}{more}."
            ).format(column=Label(column), most=MOST_RATINGS, shown=joined(*shown, sep=", "), more=more),
            f"{table.file}, {table.place(column)}, row {int(table.row_numbers[rows[0]])}",
            _("Correct these cells, or choose another layout.")
            if decimal is None
            else _("Correct these cells, or choose another layout, or another decimal mark than '{mark}'.").format(
                mark=mark
            ),
        )
    return np.asarray(numbers[cells.codes])
