"""What the chips above a file offer: each decision of the reading, its value, and the other values it could have."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from tapdesk.answers import numbers
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import label_text, row_list
from tapdesk.ratings.layouts.roles import is_called
from tapdesk.ratings.options import Layout, RatersAre, Uneven
from tapdesk.ratings.reading import Reading
from tapdesk.ratings.table import FOOTNOTES
from tapdesk.ratings.texts import REASON
from tapdesk.ratings.vocabulary import SUBJECT, in_language

LAYOUTS = {
    Layout.RATERS: _("one column per rater"),
    Layout.LONG: _("one row per rating"),
    Layout.SUBJECTS: _("one column per case"),
    Layout.QUESTIONS: _("one column per question"),
    Layout.COUNTS: _("counts"),
    Layout.CONFUSION: _("two raters crossed"),
}
DECIMALS = {".": _("point"), ",": _("comma")}
DELIMITERS = {",": _("comma"), ";": _("semicolon"), "\t": _("tab"), "|": _("bar"), " ": _("space")}
ENCODINGS = ("utf-8", "cp1252", "cp1250", "utf-16", "latin-1", "mac-roman")
_TOP = 12  # so many rows of the file can be the header
_COLUMNS = 40

# Which findings ask about a decision.
_ASKED_BY: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "sheet": ("several_sheets", "hidden_sheets", "sheets_stacked"),
        "header": ("letterhead", "no_header", "numeric_header", "two_row_header", "header_one_short"),
        "layout": (
            *("looks_like_counts", "called_like_answers", "raters_in_rows", "maybe_raters_in_rows"),
            *("perhaps_questions", "roles_by_values", "two_readings", "cases_come_again"),
        ),
        "decimal": ("decimal_mark_uncertain",),
        "missing": ("missing_codes", "maybe_missing_word", "maybe_missing_number", "numbers_among_words"),
        "last": ("notes_below", "second_table"),
        "hidden": ("hidden_rows", "hidden_columns"),
        "subject": ("no_case_column", "persons_as_cases"),
        "columns": (
            "columns_not_rated",
            "summary_column",
            "several_questions",
            "table_beside",
            "perhaps_no_rater",
            "known_answers",
        ),
        "raters_are": ("seats_or_people",),
        "count": ("maybe_count_column",),
    }
)


@dataclass(frozen=True)
class Choice:
    """One value a decision could have.

    Attributes
    ----------
    words
        What the menu says.
    changes
        The reading options that change.
    on
        Whether it is the value now.
    line
        Whether a line stands above it.
    text
        What is ticked, where several choices are.
    """

    words: str
    changes: Mapping[str, Any]
    on: bool = False
    line: bool = False
    text: str = ""


@dataclass(frozen=True)
class ChipRow:
    """One decision.

    Attributes
    ----------
    name
        A fixed name.
    key, value
        What the chip says.
    choices
        What it can be changed to.
    several
        Whether the choices are ticked one by one rather than instead of one another.
    typed
        Whether another value can be typed.
    """

    name: str
    key: str
    value: str
    choices: tuple[Choice, ...]
    several: bool = False
    typed: bool = False
    asked_by: tuple[str, ...] = field(default=())


def chip_rows(reading: Reading) -> tuple[ChipRow, ...]:
    """The chips of a reading, from left to right."""
    rows = [row for make in _MAKERS for row in make(reading)]
    return tuple(
        ChipRow(r.name, r.key, r.value, r.choices, r.several, r.typed, _ASKED_BY.get(r.name, ())) for r in rows
    )


def _sheet(reading: Reading) -> Iterator[ChipRow]:
    source = reading.source
    if len(source.sheets) < 2:
        return
    stacked = source.sheet not in source.sheets
    choices = [Choice(label_text(name, 40), {"sheet": name}, name == source.sheet) for name in source.sheets]
    choices.append(Choice(_("All of one shape, one sheet per rater"), {"sheet": "*"}, stacked, line=True))
    count = len(source.sheets)
    if stacked:
        # Each of them is a rater; a sheet of another shape is not among them.
        value = _("{sheets} stacked").format(sheets=len(set(reading.as_read.raters) & set(source.sheets)) or count)
    else:
        at = source.sheets.index(source.sheet) + 1
        value = _("{sheet} ({at} of {sheets})").format(sheet=label_text(source.sheet), at=at, sheets=count)
    yield ChipRow("sheet", _("Sheet"), value, tuple(choices))


def _header(reading: Reading) -> Iterator[ChipRow]:
    heads, top = reading.source.header_rows, reading.preview.rows[:_TOP]
    if reading.source.format in {"sav", "dta"}:
        return
    choices = []
    for i, cells in enumerate(top):
        told = ", ".join(label_text(c, 14) for c in cells if c.strip())
        if told:
            words = _("Row {i}:  {told}").format(i=i + 1, told=numbers.short(told, 48))
            choices.append(Choice(words, {"header": i + 1, "header_rows": None}, heads[:1] == (i + 1,)))
    choices.append(Choice(_("No row: the first one is data"), {"header": 0, "header_rows": None}, not heads, line=True))
    if heads:
        at = heads[0]
        one, two = {"header": at, "header_rows": 1}, {"header": at, "header_rows": 2}
        choices.append(Choice(_("One row of names"), one, len(heads) == 1, line=True))
        choices.append(Choice(_("Two rows, joined"), two, len(heads) == 2))
    yield ChipRow("header", _("Header"), row_list(heads) if heads else _("none"), tuple(choices))


def _last(reading: Reading) -> Iterator[ChipRow]:
    """Where the table ends, where lines stand below it or the user said so."""
    below = [int(row) for f in reading.findings if f.code in FOOTNOTES for row in (f.about[0] if f.about else ())]
    last = reading.options.last or 0
    if not below and reading.asked.last is None:
        return
    rows = [last, *below[:-1]] if below else []
    choices = [Choice(_("Row {row} is the last one").format(row=row), {"last": row}, row == last) for row in rows]
    choices.append(Choice(_("All rows are read"), {"last": 0}, not below, line=bool(rows)))
    if reading.asked.last is not None:
        choices.append(Choice(_("Guess it"), {"last": None}))
    value = _("at row {row}").format(row=last) if below else _("with the file")
    yield ChipRow("last", _("Table ends"), value, tuple(choices))


def _text(reading: Reading) -> Iterator[ChipRow]:
    """What only text files have."""
    source = reading.source
    if source.delimiter:
        value = DELIMITERS.get(source.delimiter, source.delimiter)
        choices = tuple(Choice(w, {"delimiter": d}, d == source.delimiter) for d, w in DELIMITERS.items())
        yield ChipRow("delimiter", _("Columns split by"), value, choices)
    if source.encoding:
        names = dict.fromkeys((*ENCODINGS, source.encoding))
        choices = tuple(Choice(e, {"encoding": e}, e == source.encoding) for e in names)
        yield ChipRow("encoding", _("Encoding"), source.encoding, choices)
    if reading.options.uneven is Uneven.FIT:
        choices = (
            Choice(_("filled up and cut"), {"uneven": Uneven.FIT}, on=True),
            Choice(_("refused"), {"uneven": Uneven.REFUSE}),
        )
        yield ChipRow("uneven", _("Rows of uneven length"), _("filled up"), choices)


def _decimal(reading: Reading) -> Iterator[ChipRow]:
    mark = reading.source.decimal
    if mark:
        choices = tuple(Choice(w, {"decimal": d}, d == mark) for d, w in DECIMALS.items())
        yield ChipRow("decimal", _("Decimal mark"), DECIMALS.get(mark, mark), choices)


def _layout(reading: Reading) -> Iterator[ChipRow]:
    now = reading.source.layout
    # Columns chosen for one layout mean something else in another.
    free = dict.fromkeys(("subject", "rater", "rating", "question", "only", "columns", "count"))
    choices = tuple(Choice(words, {**free, "layout": layout}, layout is now) for layout, words in LAYOUTS.items())
    yield ChipRow("layout", _("Layout"), LAYOUTS.get(now, now.value), choices)
    if now in {Layout.RATERS, Layout.SUBJECTS}:
        people = reading.options.raters_are is RatersAre.PEOPLE
        choices = (
            Choice(_("the same people throughout"), {"raters_are": RatersAre.PEOPLE}, people),
            Choice(_("seats, taken by different people"), {"raters_are": RatersAre.SEATS}, not people),
        )
        yield ChipRow("raters_are", _("Raters"), _("people") if people else _("seats"), choices)


# The columns each layout has a use for, and what they are called.
_ROLES: Mapping[Layout, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        Layout.LONG: (("subject", _("Case column")), ("rater", _("Rater column")), ("rating", _("Rating column"))),
        Layout.RATERS: (("subject", _("Case column")),),
        Layout.SUBJECTS: (("rater", _("Rater column")),),
        Layout.QUESTIONS: (("subject", _("Case column")), ("rater", _("Rater column"))),
        Layout.COUNTS: (("subject", _("Case column")), ("count", _("Cases per row"))),
        Layout.CONFUSION: (),
    }
)


def _roles(reading: Reading) -> Iterator[ChipRow]:
    source, names = reading.source, reading.preview.header[:_COLUMNS]
    for role, key in _ROLES.get(source.layout, ()):
        at = source.roles.get(role)
        keep = {"layout": source.layout, "columns": None} if role == "subject" else {"layout": source.layout}
        choices = [
            Choice(label_text(n, 40), {**keep, role: n}, n == at) for n in names if n not in source.rating_columns
        ]
        choices += [Choice(label_text(n, 40), {**keep, role: n}) for n in names if n in source.rating_columns]
        if role == "subject" and source.layout is Layout.RATERS:
            choices.append(
                Choice(_("none, use 1–{rows}").format(rows=source.rows), {**keep, role: ""}, at is None, line=True)
            )
        value = (
            label_text(at)
            if at is not None
            else _("none, use 1–{rows}").format(rows=source.rows)
            if role == "subject"
            else _("none")
        )
        yield ChipRow(role, key, value, tuple(choices))
    if source.layout is Layout.QUESTIONS:
        yield _question(reading)
    if source.layout in {Layout.RATERS, Layout.COUNTS}:
        yield _columns(reading)


def _question(reading: Reading) -> ChipRow:
    """The question that is read, where each has a column."""
    source = reading.source
    taken = {source.roles.get("subject"), source.roles.get("rater")}
    at = source.roles.get("rating")
    cases = in_language(reading.preview.header, SUBJECT)
    choices = tuple(
        Choice(label_text(n, 40), {"layout": Layout.QUESTIONS, "only": n, "rating": None}, n == at)
        for n in reading.preview.header[:_COLUMNS]
        if n not in taken and not is_called(n, cases)
    )
    return ChipRow("only", _("Question"), label_text(at or _("none")), choices)


def _columns(reading: Reading) -> ChipRow:
    """The rating columns, ticked one by one."""
    source = reading.source
    used, apart = source.rating_columns, set(source.roles.values())
    choices = []
    # Those that are not listed stay what they are.
    rest = tuple(name for name in reading.preview.header[_COLUMNS:] if name in used)
    for name in reading.preview.header[:_COLUMNS]:
        if name not in apart:
            on = name in used
            subject = source.roles.get("subject")
            changes = {"layout": source.layout, "subject": "" if subject is None else subject, "columns": rest}
            choices.append(Choice(label_text(name, 40), changes, on, text=name))
    return ChipRow("columns", _("Rating columns"), str(len(used)), tuple(choices), several=True)


def _missing(reading: Reading) -> Iterator[ChipRow]:
    codes = tuple(reading.options.missing or ())
    met = [t for t in reading.missing_by if t and not t.startswith(REASON)]
    choices = [Choice(_("Blank cells only"), {"missing": ()}, not codes)]
    for i, text in enumerate(dict.fromkeys((*codes, *met, *reading.as_read.classes[:_TOP]))):
        after = tuple(c for c in codes if c != text) if text in codes else (*codes, text)
        choices.append(Choice(f"“{label_text(text)}”", {"missing": after}, text in codes, line=not i))
    told, more = ", ".join(f"“{label_text(code, 12)}”" for code in codes[:4]), len(codes) - 4
    value = _("blank, {codes}") if codes else _("blank")
    value = _("blank, {codes} and {more} more") if more > 0 else value
    value = value.format(codes=told, more=more)
    yield ChipRow("missing", _("Missing codes"), value, tuple(choices), several=True, typed=True)


def _hidden(reading: Reading) -> Iterator[ChipRow]:
    codes = {f.code for f in reading.findings}
    if codes & {"hidden_rows", "hidden_columns", "hidden_left_out", "hidden_columns_left_out"}:
        on = reading.options.hidden
        choices = (Choice(_("are read"), {"hidden": True}, on), Choice(_("are left out"), {"hidden": False}, not on))
        yield ChipRow("hidden", _("Hidden rows and columns"), _("read") if on else _("left out"), choices)


_MAKERS: tuple[Callable[[Reading], Iterator[ChipRow]], ...] = (
    _sheet, _header, _last, _text, _decimal, _layout, _roles, _missing, _hidden,
)  # fmt: skip
