"""The chips above a file that was read: every guess can be changed, and the file is then read again."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from tapdesk.answers import numbers
from tapdesk.gui import asking
from tapdesk.gui.desk import Desk
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.reading.chip_rows import ChipRow, chip_rows
from tapdesk.gui.reading.later import Later
from tapdesk.gui.reading.ticks import Ticks
from tapdesk.gui.widgets.basic import clear
from tapdesk.gui.widgets.chip import Chip
from tapdesk.gui.widgets.flow import Flow
from tapdesk.language import gettext as _
from tapdesk.project.project import Project
from tapdesk.project.review_state import finding_states
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.reading import Reading


class ReadingChips(QWidget):
    """How the file was read, one chip for each decision."""

    def __init__(self, theme: Theme, desk: Desk) -> None:
        super().__init__()
        self._theme, self._desk = theme, desk
        self._reading: Reading | None = None
        self._flow = Flow(self, gap=8)
        self._rows: dict[str, ChipRow] = {}
        self._chips: dict[str, Chip] = {}
        self.later = Later(self.show_project)
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
            self._rebuild(reading)
        asked = {
            row.finding.code
            for row in finding_states(project)
            if row.open and row.finding.severity is not Severity.NOTE
        }
        for name, chip in self._chips.items():
            row = self._rows[name]
            chip.show_value(row.value, guess=bool(asked & set(row.asked_by)))

    def _rebuild(self, reading: Reading) -> None:
        """Chips of another reading; the keyboard stays on the decision it was on."""
        at = self.window().focusWidget()
        before = next((name for name, chip in self._chips.items() if chip is at), None)
        clear(self._flow)
        self._rows = {row.name: row for row in chip_rows(reading)}
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
            act = QAction(choice.words.replace("&", "&&"), menu)
            act.setCheckable(True)
            act.setChecked(choice.on)
            act.triggered.connect(self._chooser(f"{row.key}: {choice.words}", choice.changes))
            group.addAction(act)
            menu.addAction(act)
        if row.typed:
            menu.addSeparator()
            menu.addAction(QAction(_("Type them…"), menu, triggered=self._ask_missing))
        return menu

    def _ticks(self, chip: Chip, row: ChipRow) -> QMenu:
        """A menu in which several choices are ticked before the file is read again."""

        def told(names: tuple[str, ...]) -> None:
            changes = row.choices[0].changes
            ticked = (*names, *changes.get(row.name, ()))
            self._again(f"{row.key}: {numbers.count(len(ticked))}", **{**changes, row.name: ticked})

        menu = Ticks(_("Read what is ticked"), told, chip)
        for choice in row.choices:
            menu.add(choice.words, choice.text, on=choice.on)
        menu.end()
        return menu

    def _ask_missing(self) -> None:
        if self._reading is None:
            return
        words = _("Texts that mean “no rating”, split by commas. Blank cells always count.")
        told = asking.for_text(self, _("Missing codes"), words, ", ".join(self._reading.options.missing or ()))
        if told is not None:
            self._again(missing=tuple(code.strip() for code in told.split(",") if code.strip()))

    def _chooser(self, words: str, changes: Mapping[str, Any]) -> Callable[[], None]:
        return lambda: self._again(numbers.short(words, 50), **changes)

    def _again(self, words: str = _("How the file is read"), **changes: object) -> None:
        # A chip of the file before, in the moment in which those of the next are made, decides nothing.
        if self._reading is not None and not self.later.waits:
            options = replace(self._reading.asked, **changes)
            if "missing" in changes:
                # What is no rating from now on was a class until now.
                options = options.without_classes(options.missing or ())
            self._desk.read_again(options, words)
