"""What is inside the report: every section with a tick and the page it begins on."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel

from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import Frame, Tick, button, plain, text
from tapdesk.language import gettext as _
from tapdesk.report.build import SECTIONS
from tapdesk.report.setup import ASKED_FOR, Setup


class Outline(Frame):
    """The sections in order.

    Attributes
    ----------
    switched
        The key of a section and whether it is wanted.
    wanted
        The page to go to.
    """

    switched = Signal(str, bool)
    wanted = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__("card", margins=(14, 10, 14, 12), gap=6)
        head = plain(across=True).add(text(_("What is inside"), "card"))
        head.box.addStretch(1)
        head.add(text(_("page"), "small", "2"))
        self.ticks = {row.key: Tick(theme, row.title) for row in SECTIONS}
        self.places = {row.key: button("", kind="link", name=row.title) for row in SECTIONS}
        self.absent: dict[str, QLabel] = {row.key: text("", "small", "2") for row in SECTIONS}
        self._starts: Mapping[str, int] = {}
        inside = plain()
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(0, 1)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for at, (key, tick) in enumerate(self.ticks.items()):
            if key in ASKED_FOR:
                tick.setToolTip(_("This takes a while to work out, so it is printed only where it is wanted."))
            tick.toggled.connect(lambda on, key=key: self.switched.emit(key, on))
            self.places[key].clicked.connect(lambda _on=False, key=key: self.wanted.emit(self._starts.get(key, 0)))
            grid.addWidget(tick, at, 0)
            grid.addWidget(self.places[key], at, 1, right)
            grid.addWidget(self.absent[key], at, 1, right)
        inside.box.addLayout(grid)
        self.add(head, inside)
        self.show_starts({})

    def show_chosen(self, chosen: Setup) -> None:
        """Show which sections are switched on; nothing is emitted."""
        for key, tick in self.ticks.items():
            tick.blockSignals(True)
            tick.setChecked(key not in chosen.leave_out and chosen.asked_for(key))
            tick.blockSignals(False)
            tick.update()
        self.show_starts(self._starts)

    def show_starts(self, starts: Mapping[str, int]) -> None:
        """Show the page each section begins on; one that has nothing to say gets a dash."""
        self._starts = starts
        for row in SECTIONS:
            page = starts.get(row.key) if self.ticks[row.key].isChecked() else None
            place, absent = self.places[row.key], self.absent[row.key]
            place.setVisible(page is not None)
            absent.setVisible(page is None)
            absent.setText("–" if self.ticks[row.key].isChecked() else "off")
            absent.setToolTip(_("Nothing to say yet") if self.ticks[row.key].isChecked() else _("Switched off"))
            if page is not None:
                place.setText(str(page))
                place.setAccessibleName(_("Go to {title}, page {page}").format(title=row.title, page=page))
