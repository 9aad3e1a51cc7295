"""The chips above a file that was read: every guess can be changed, and the file is then read again."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from tapdesk.gui.desk import Desk
from tapdesk.gui.theme import Theme
from tapdesk.gui.widgets.basic import clear
from tapdesk.gui.widgets.chip import Chip
from tapdesk.gui.widgets.flow import Flow
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.reading import Reading

LAYOUTS = {
    Layout.RATERS: "one column per rater",
    Layout.LONG: "one row per rating",
    Layout.COUNTS: "counts",
    Layout.SUBJECTS: "one column per case",
    Layout.QUESTIONS: "one column per question",
    Layout.CONFUSION: "two raters crossed",
}
DECIMALS = {".": "point", ",": "comma"}
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
ENCODINGS = ("utf-8", "cp1252", "utf-16", "latin-1", "mac-roman")

Row = tuple[str, object]


class ReadingChips(QWidget):
    """How the file was read, one chip for each decision."""

    def __init__(self, theme: Theme, desk: Desk) -> None:
        super().__init__()
        self._theme, self._desk = theme, desk
        self._reading: Reading | None = None
        self._flow = Flow(self, gap=8)
        self.setAccessibleName("How the file was read")

    def show_reading(self, reading: Reading) -> None:
        """Show the decisions of a reading."""
        clear(self._flow)
        self._reading = reading
        source = reading.source
        if len(source.sheets) > 1:
            place = source.sheets.index(source.sheet) + 1 if source.sheet in source.sheets else 1
            value = f"{source.sheet} ({place} of {len(source.sheets)})"
            self._add("Sheet", value, "sheet", [(name, name) for name in source.sheets], source.sheet)
        self._add(
            "Layout", LAYOUTS.get(source.layout, source.layout.value), "layout",
            [(words, value) for value, words in LAYOUTS.items()], source.layout,
        )  # fmt: skip
        if source.delimiter:
            name = DELIMITERS.get(source.delimiter, source.delimiter)
            self._add("Columns split by", name, "delimiter", _flip(DELIMITERS), source.delimiter)
        if source.decimal:
            name = DECIMALS.get(source.decimal, source.decimal)
            self._add("Decimal mark", name, "decimal", _flip(DECIMALS), source.decimal)
        if source.encoding:
            self._add("Encoding", source.encoding, "encoding", [(e, e) for e in ENCODINGS], source.encoding)
        self._missing(reading)

    def _missing(self, reading: Reading) -> None:
        codes = reading.options.missing or ()
        value = ", ".join(["blank", *(f"“{code}”" for code in codes)])
        chip = Chip(self._theme, "Missing codes", value, guess=False)
        menu = QMenu(chip)
        menu.addAction(QAction("Blank cells only", menu, triggered=lambda: self._again(missing=())))
        menu.addAction(QAction("Type the codes…", menu, triggered=self._ask_missing))
        chip.set_menu(menu)
        self._flow.addWidget(chip)

    def _ask_missing(self) -> None:
        if self._reading is None:
            return
        told, sure = QInputDialog.getText(
            self,
            "Missing codes",
            "Texts that mean “no rating”, split by commas. Blank cells always count.",
            text=", ".join(self._reading.options.missing or ()),
        )
        if sure:
            self._again(missing=tuple(code.strip() for code in told.split(",") if code.strip()))

    def _add(self, key: str, value: str, field: str, rows: list[Row], current: object) -> None:
        chip = Chip(self._theme, key, value, guess=self._doubtful(field))
        menu = QMenu(chip)
        group = QActionGroup(menu)
        for words, choice in rows:
            act = QAction(words, menu)
            act.setCheckable(True)
            act.setChecked(choice == current)
            act.triggered.connect(self._chooser(field, choice))
            group.addAction(act)
            menu.addAction(act)
        chip.set_menu(menu)
        self._flow.addWidget(chip)

    def _doubtful(self, field: str) -> bool:
        """Whether a finding asks about this decision."""
        return self._reading is not None and any(
            f.severity is Severity.ASK and field in f.code for f in self._reading.findings
        )

    def _chooser(self, field: str, choice: object) -> Callable[[], None]:
        return lambda: self._again(**{field: choice})

    def _again(self, **changes: object) -> None:
        if self._reading is not None:
            asked: ReadingOptions = replace(self._desk.asked_options, **changes)
            self._desk.read_again(asked)


def _flip(names: dict[str, str]) -> list[Row]:
    return [(words, value) for value, words in names.items()]
