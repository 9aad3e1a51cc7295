"""The chips above a file that was read: every guess can be changed, and the file is then read again."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

from tapdesk.answers import numbers
from tapdesk.gui.dataset.ratings_editing import offer_without
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.pane import PendingProject
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.chip import Chip
from tapdesk.gui.widgets.controls import clear
from tapdesk.gui.widgets.layouts import Flow
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import DecisionStatus
from tapdesk.project.decisions.ratings import LeaveOutRaters
from tapdesk.project.project import Project
from tapdesk.project.review_state import codes_decided, finding_states
from tapdesk.ratings.findings import Finding, Severity, label_text, row_list
from tapdesk.ratings.layouts.known import LAYOUTS as LAYOUTS_WITH_KEY
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
            *("looks_like_counts", "called_like_answers", "rows_add_up", "raters_in_rows", "maybe_raters_in_rows"),
            *("perhaps_questions", "roles_by_values", "two_readings", "bare_square", "cases_come_again"),
        ),
        "decimal": ("decimal_mark_uncertain",),
        "missing": ("missing_codes", "maybe_missing_word", "maybe_missing_number", "numbers_among_words"),
        "last": ("notes_below", "second_table", "summary_row"),
        "hidden": ("hidden_rows", "hidden_columns"),
        "subject": ("no_case_column", "persons_as_cases"),
        "columns": ("columns_not_rated", "summary_column", "several_questions", "table_beside", "perhaps_no_rater"),
        "known": ("known_answers", "known_answers_beside", "perhaps_known", "known_no_class", "key_sheet"),
        "raters_are": ("seats_or_people",),
        "count": ("maybe_count_column",),
    }
)
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


@dataclass(frozen=True)
class ChipValue:
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
    choices: tuple[ChipValue, ...]
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
    choices = [ChipValue(label_text(name, 40), {"sheet": name}, name == source.sheet) for name in source.sheets]
    choices.append(ChipValue(_("All of one shape, one sheet per rater"), {"sheet": "*"}, stacked, line=True))
    count = len(source.sheets)
    if stacked:
        # Each of them is a rater; a sheet of another shape is not among them.
        value = _("{sheets} stacked").format(sheets=len(set(reading.as_read.raters) & set(source.sheets)) or count)
    else:
        sheet = source.sheet or ""
        at = source.sheets.index(sheet) + 1
        value = _("{sheet} ({at} of {sheets})").format(sheet=label_text(sheet), at=at, sheets=count)
    yield ChipRow("sheet", _("Sheet"), value, tuple(choices))


def _header(reading: Reading) -> Iterator[ChipRow]:
    heads, top = reading.source.header_rows, reading.preview.rows[:_TOP]
    if reading.source.format in {"sav", "dta"}:
        return
    choices = []
    for i, cells in enumerate(top):
        sentence = ", ".join(label_text(c, 14) for c in cells if c.strip())
        if sentence:
            words = _("Row {i}:  {told}").format(i=i + 1, told=numbers.short(sentence, 48))
            choices.append(ChipValue(words, {"header": i + 1, "header_rows": None}, heads[:1] == (i + 1,)))
    choices.append(
        ChipValue(_("No row: the first one is data"), {"header": 0, "header_rows": None}, not heads, line=True)
    )
    if heads:
        at = heads[0]
        one, two = {"header": at, "header_rows": 1}, {"header": at, "header_rows": 2}
        choices.append(ChipValue(_("One row of names"), one, len(heads) == 1, line=True))
        choices.append(ChipValue(_("Two rows, joined"), two, len(heads) == 2))
    yield ChipRow("header", _("Header"), row_list(heads) if heads else _("none"), tuple(choices))


def _last(reading: Reading) -> Iterator[ChipRow]:
    """Where the table ends, where lines stand below it or the user said so."""
    below = [int(row) for f in reading.findings if f.code in FOOTNOTES for row in (f.about[0] if f.about else ())]
    last = reading.options.last or 0
    sums = [row for f in reading.findings for row in f.rows]
    if sums and not below:
        ends = ChipValue(_("Row {row} is the last one").format(row=sums[0] - 1), {"last": sums[0] - 1})
        whole = ChipValue(_("All rows are read"), {"keep_summaries": True}, line=True)
        yield ChipRow("last", _("Last row"), _("{row}?").format(row=sums[-1]), (ends, whole))
    if not below and (sums or reading.asked.last is None):
        return
    rows = [last, *below[:-1]] if below else []
    choices = [ChipValue(_("Row {row} is the last one").format(row=row), {"last": row}, row == last) for row in rows]
    choices.append(ChipValue(_("All rows are read"), {"last": 0}, not below, line=bool(rows)))
    if reading.asked.last is not None:
        choices.append(ChipValue(_("Guess it"), {"last": None}))
    value = _("at row {row}").format(row=last) if below else _("with the file")
    yield ChipRow("last", _("Table ends"), value, tuple(choices))


def _text(reading: Reading) -> Iterator[ChipRow]:
    """What only text files have."""
    source = reading.source
    if source.delimiter:
        value = DELIMITERS.get(source.delimiter, source.delimiter)
        choices = tuple(ChipValue(w, {"delimiter": d}, d == source.delimiter) for d, w in DELIMITERS.items())
        yield ChipRow("delimiter", _("Columns split by"), value, choices)
    if source.encoding:
        names = dict.fromkeys((*ENCODINGS, source.encoding))
        choices = tuple(ChipValue(e, {"encoding": e}, e == source.encoding) for e in names)
        yield ChipRow("encoding", _("Encoding"), source.encoding, choices)
    if reading.options.uneven is Uneven.FIT:
        choices = (
            ChipValue(_("filled up and cut"), {"uneven": Uneven.FIT}, on=True),
            ChipValue(_("refused"), {"uneven": Uneven.REFUSE}),
        )
        yield ChipRow("uneven", _("Rows of uneven length"), _("filled up"), choices)


def _decimal(reading: Reading) -> Iterator[ChipRow]:
    mark = reading.source.decimal
    if mark:
        choices = tuple(ChipValue(w, {"decimal": d}, d == mark) for d, w in DECIMALS.items())
        yield ChipRow("decimal", _("Decimal mark"), DECIMALS.get(mark, mark), choices)


def _layout(reading: Reading) -> Iterator[ChipRow]:
    now = reading.source.layout
    # Columns chosen for one layout mean something else in another.
    free = dict.fromkeys(("subject", "rater", "rating", "question", "only", "columns", "count"))
    choices = tuple(ChipValue(words, {**free, "layout": layout}, layout is now) for layout, words in LAYOUTS.items())
    yield ChipRow("layout", _("Layout"), LAYOUTS.get(now, now.value), choices)
    if now in {Layout.RATERS, Layout.SUBJECTS}:
        people = reading.options.raters_are is RatersAre.PEOPLE
        choices = (
            ChipValue(_("the same people throughout"), {"raters_are": RatersAre.PEOPLE}, people),
            ChipValue(_("seats, taken by different people"), {"raters_are": RatersAre.SEATS}, not people),
        )
        yield ChipRow("raters_are", _("Raters"), _("people") if people else _("seats"), choices)


def _roles(reading: Reading) -> Iterator[ChipRow]:
    source, names = reading.source, reading.preview.header[:_COLUMNS]
    for role, key in _ROLES.get(source.layout, ()):
        at = source.roles.get(role)
        keep = {"layout": source.layout, "columns": None} if role == "subject" else {"layout": source.layout}
        choices = [
            ChipValue(label_text(n, 40), {**keep, role: n}, n == at) for n in names if n not in source.rating_columns
        ]
        choices += [ChipValue(label_text(n, 40), {**keep, role: n}) for n in names if n in source.rating_columns]
        if role == "subject" and source.layout is Layout.RATERS:
            choices.append(
                ChipValue(_("none, use 1–{rows}").format(rows=source.rows), {**keep, role: ""}, at is None, line=True)
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
        ChipValue(label_text(n, 40), {"layout": Layout.QUESTIONS, "only": n, "rating": None}, n == at)
        for n in reading.preview.header[:_COLUMNS]
        if n not in taken and not is_called(n, cases)
    )
    return ChipRow("only", _("Question"), label_text(at or _("none")), choices)


FORM = "form"
_NEXT = _("{name} ({at} of {all})")


def form_row(project: Project) -> ChipRow:
    """The question of a form that is shown, with all that can be: what is chosen is a name, and nothing is read."""
    names = [one.name for one in project.form]
    read = [one for one in project.form if one.reading is not None]
    choices = tuple(ChipValue(label_text(one.name, 60), {FORM: one.name}, one.name == project.question) for one in read)
    at = names.index(project.question) + 1
    value = _NEXT.format(name=label_text(project.question), at=at, all=len(names))
    return ChipRow(FORM, _("Question"), value, choices)


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
            choices.append(ChipValue(label_text(name, 40), changes, on, text=name))
    return ChipRow("columns", _("Rating columns"), str(len(used)), tuple(choices), several=True)


def _known(reading: Reading) -> Iterator[ChipRow]:
    """The column of known answers, where there is one, one looks so, or columns stand beside the ratings."""
    source, at = reading.source, reading.ratings.known
    items = {name for f in reading.findings if f.code in _ASKED_BY["known"] for name in (f.about[0] if f.about else ())}
    if source.layout not in LAYOUTS_WITH_KEY or not (at or items or reading.ratings.covariates):
        return
    taken = {source.roles.get(role) for role in ("subject", "rater", "rating", "question", "count")}
    apart = {"known_sheet": None, "rater_sheet": None}
    choices = [ChipValue(_("none"), {"known": None, **apart}, not at)]
    asked = reading.asked.known_sheet or reading.asked.rater_sheet
    sheets = tuple(dict.fromkeys((*([asked] if asked else []), *(f.about[0][0] for f in _sheets_asked_about(reading)))))
    for i, name in enumerate(sheets):
        on, words = name == reading.asked.known_sheet, _("sheet “{name}”").format(name=label_text(name, 40))
        choices.append(ChipValue(words, {"known": None, **apart, "known_sheet": name}, on, line=not i))
    for i, name in enumerate(n for n in reading.preview.header[:_COLUMNS] if n not in taken):
        used = reading.asked.columns
        columns = None if used is None else tuple(n for n in used if n != name)
        changes = {"known": name, "columns": columns, "layout": source.layout, **apart}
        on = name == at and reading.asked.known_sheet is None
        choices.append(ChipValue(label_text(name, 40), changes, on, line=not i))
    waits = next((name for name in (*reading.preview.header, *sheets) if name in items and name != at), None)
    value = label_text(at) if at else _("{name}?").format(name=label_text(waits)) if waits else _("none")
    yield ChipRow("known", _("Known answer"), value, tuple(choices))


def _sheets_asked_about(reading: Reading) -> tuple[Finding, ...]:
    """The questions about sheets with an answer for each case."""
    return tuple(f for f in reading.findings if f.code == "key_sheet")


def _missing(reading: Reading) -> Iterator[ChipRow]:
    # Of a form the codes of all its questions: what is chosen holds for all.
    asked = reading.asked.missing
    of_all = (c for f in reading.findings if f.code == "missing_codes" and len(f.about) > 2 for c in f.about[2])
    codes = tuple(dict.fromkeys((*(reading.options.missing or ()), *(asked if asked is not None else of_all))))
    met = [t for t in reading.missing_by if t and not t.startswith(REASON)]
    choices = [ChipValue(_("Blank cells only"), {"missing": ()}, not codes)]
    for i, text in enumerate(dict.fromkeys((*codes, *met, *reading.as_read.classes[:_TOP]))):
        after = tuple(c for c in codes if c != text) if text in codes else (*codes, text)
        choices.append(ChipValue(f"“{label_text(text)}”", {"missing": after}, text in codes, line=not i))
    words, more = ", ".join(f"“{label_text(code, 12)}”" for code in codes[:4]), len(codes) - 4
    value = _("blank, {codes}") if codes else _("blank")
    value = _("blank, {codes} and {more} more") if more > 0 else value
    value = value.format(codes=words, more=more)
    if reading.asked.blank is not None:
        # A blank cell is an answer then.
        value = words or _("none")
    yield ChipRow("missing", _("Missing codes"), value, tuple(choices), several=True, typed=True)


def _hidden(reading: Reading) -> Iterator[ChipRow]:
    codes = {f.code for f in reading.findings}
    if codes & {"hidden_rows", "hidden_columns", "hidden_left_out", "hidden_columns_left_out"}:
        on = reading.options.hidden
        choices = (
            ChipValue(_("are read"), {"hidden": True}, on),
            ChipValue(_("are left out"), {"hidden": False}, not on),
        )
        yield ChipRow("hidden", _("Hidden rows and columns"), _("read") if on else _("left out"), choices)


_MAKERS: tuple[Callable[[Reading], Iterator[ChipRow]], ...] = (
    _sheet, _header, _last, _text, _decimal, _layout, _roles, _known, _missing, _hidden,
)  # fmt: skip


def present_value(project: Project, row: ChipRow) -> str:
    """What a chip says: what was decided since the file was read counts, of rating columns and of missing codes."""
    if row.name == "missing" and (codes := codes_decided(project)):
        told = ", ".join(f"“{label_text(code, 12)}”" for code in codes[:4])
        more = _("{value}, {codes} and {n} more") if len(codes) > 4 else _("{value}, {codes}")
        return more.format(value=row.value, codes=told, n=len(codes) - 4)
    if row.name != "columns" or project.reading is None or project.reading.source.layout is not Layout.RATERS:
        return row.value
    used = len(project.reading.source.rating_columns)
    left = sum(
        len(entry.decision.names)
        for entry, told in zip(project.in_force, project.log, strict=True)
        if told.standing is DecisionStatus.IN_FORCE and isinstance(entry.decision, LeaveOutRaters)
    )
    return _("{used} of {all}").format(used=used - left, all=used) if left else row.value


class TickMenu(QMenu):
    """Rows that are ticked one by one, and a row that uses what is ticked.

    Parameters
    ----------
    use
        What the last row says.
    told
        Called with the ticked texts, where they are others than before; not when the menu is left with Escape.
    """

    def __init__(self, use: str, told: Callable[[tuple[str, ...]], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._use, self._notify = use, told
        self._rows: list[QAction] = []
        self._before: tuple[str, ...] = ()

    def add(self, words: str, text: str, *, on: bool) -> None:
        """A row to tick; ``text`` is what is told of it."""
        act = self.addAction(words.replace("&", "&&"))
        act.setCheckable(True)
        act.setChecked(on)
        act.setData(text)
        self._rows.append(act)
        self._before = self.ticked

    def end(self) -> None:
        """The row that uses what is ticked."""
        self.addSeparator()
        self.addAction(self._use)
        self.aboutToHide.connect(self._close)

    @property
    def ticked(self) -> tuple[str, ...]:
        """The texts that are ticked, from top to bottom."""
        return tuple(act.data() for act in self._rows if act.isChecked())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tick a row, and stay."""
        act = self.actionAt(event.position().toPoint())
        if act in self._rows:
            act.trigger()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tick a row with Return or the space bar, and stay; Escape leaves all as it was."""
        act, key = self.activeAction(), event.key()
        if act in self._rows and key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            act.trigger()
            return
        if key == Qt.Key.Key_Escape:
            for row in self._rows:
                row.setChecked(row.data() in self._before)
        super().keyPressEvent(event)

    def _close(self) -> None:
        after = self.ticked
        if after != self._before:
            before, self._before = self._before, after
            if after:
                self._notify(after)
            else:
                # Nothing at all is no choice.
                self._before = before
                for row in self._rows:
                    row.setChecked(row.data() in before)


class ReadingChips(QWidget):
    """How the file was read, one chip for each decision."""

    def __init__(self, theme: Theme, session: Session) -> None:
        super().__init__()
        self._theme, self._session = theme, session
        self._reading: Reading | None = None
        self._flow = Flow(self, gap=8)
        self._rows: dict[str, ChipRow] = {}
        self._chips: dict[str, Chip] = {}
        self.later = PendingProject(self.show_project)
        self._before: QWidget | None = None
        self.setAccessibleName(_("How the file was read"))

    @property
    def chips(self) -> dict[str, Chip]:
        """By the name of their decision."""
        self.later.catch_up()
        return self._chips

    def show_project(self, project: Project) -> None:
        """Show the decisions of its reading; those that a question is still open about are marked."""
        self.later.drop()
        reading = project.reading
        if reading is None:
            return
        if reading is not self._reading:
            self._reading = reading
            self._rebuild(reading, form_row(project) if project.form else None)
        items = {(row.finding.code, row.finding.severity) for row in finding_states(project) if row.open}
        for name, chip in self._chips.items():
            row = self._rows[name]
            grave = {severity for code, severity in items if code in row.asked_by}
            asks, blocks = bool(grave - {Severity.NOTE}), Severity.BLOCK in grave
            chip.show_value(present_value(project, row), guess=asks, blocks=blocks)

    def _rebuild(self, reading: Reading, form: ChipRow | None) -> None:
        """Chips of another reading; the keyboard stays on the decision it was on."""
        at = self.window().focusWidget()
        before = next((name for name, chip in self._chips.items() if chip is at), None)
        clear(self._flow)
        self._rows = {row.name: row for row in chip_rows(reading)}
        if form is not None:
            # The chip of the form takes the place of the one that reads another column.
            self._rows = {FORM: form, **{name: row for name, row in self._rows.items() if name != "only"}}
        self._chips = {}
        # What is added to a layout that is seen is shown one by one, and the whole pane laid out again for each.
        self.hide()
        for name, row in self._rows.items():
            chip = Chip(self._theme, row.key, row.value)
            chip.set_menu(self._menu(chip, row))
            self._flow.addWidget(chip)
            self._chips[name] = chip
        self.show()
        self._follow()
        if before in self._chips:
            # The layout would show it later, and what is not shown takes no focus.
            self._chips[before].show()
            self._chips[before].setFocus(Qt.FocusReason.OtherFocusReason)

    def after(self, control: QWidget) -> None:
        """Say behind which control Tab comes to the chips; they are made anew with each reading."""
        self._before = control

    def _follow(self) -> None:
        last = self._before
        for chip in self._chips.values():
            if last is not None:
                QWidget.setTabOrder(last, chip)
            last = chip

    def open(self, name: str) -> None:
        """Open the menu of a decision."""
        chip = self.chips.get(name)
        if chip is not None:
            chip.setFocus(Qt.FocusReason.OtherFocusReason)
            chip.click()

    def _menu(self, chip: Chip, row: ChipRow) -> QMenu:
        if row.several and not row.typed:
            return self._ticks(chip, row)
        menu = QMenu(chip)
        group = QActionGroup(menu)
        group.setExclusive(not row.several)
        for choice in row.choices:
            if choice.line:
                menu.addSeparator()
            act = group.addAction(menu.addAction(choice.words.replace("&", "&&")))
            act.setCheckable(True)
            act.setChecked(choice.on)
            act.triggered.connect(self._chooser(f"{row.key}: {choice.words}", choice.changes))
        if row.typed:
            menu.addSeparator()
            menu.addAction(_("Type them…")).triggered.connect(self._ask_missing)
        if row.name == "rater":
            offer_without(menu, self._session)
        return menu

    def _ticks(self, chip: Chip, row: ChipRow) -> QMenu:
        """A menu in which several choices are ticked before the file is read again."""

        def read_ticked(names: tuple[str, ...]) -> None:
            changes = row.choices[0].changes
            ticked = (*names, *changes.get(row.name, ()))
            self._again(f"{row.key}: {numbers.count(len(ticked))}", **{**changes, row.name: ticked})

        menu = TickMenu(_("Read what is ticked"), read_ticked, chip)
        for choice in row.choices:
            menu.add(choice.words, choice.text, on=choice.on)
        if row.name == "columns":
            offer_without(menu, self._session)
        menu.end()
        return menu

    def _ask_missing(self) -> None:
        if self._reading is None:
            return
        words = _("Texts that mean “no rating”, split by commas. Blank cells always count.")
        sentence = dialogs.for_text(self, _("Missing codes"), words, ", ".join(self._reading.options.missing or ()))
        if sentence is not None:
            self._again(missing=tuple(code.strip() for code in sentence.split(",") if code.strip()))

    def _chooser(self, words: str, changes: Mapping[str, Any]) -> Callable[[], None]:
        return lambda: self._again(numbers.short(words, 50), **changes)

    def _again(self, words: str = _("How the file is read"), **changes: Any) -> None:
        # A chip of the file before, in the moment in which those of the next are made, decides nothing.
        if FORM in changes:
            self._session.choose_question(changes[FORM])
        elif self._reading is not None and not self.later.waits:
            options = replace(self._reading.asked, **changes)
            if "missing" in changes:
                # What is no rating from now on was a class until now.
                options = options.without_classes(options.missing or ())
            self._session.read_again(options, words)
