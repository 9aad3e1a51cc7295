"""A file that can be read in two ways: both previews side by side, and what chooses each."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Frame, button, clear, plain, text
from tapdesk.gui.widgets.tables import TableView
from tapdesk.language import gettext as _
from tapdesk.project.fixes.fix import Fix
from tapdesk.project.previews import WayPreview, way_previews
from tapdesk.project.project import Project
from tapdesk.project.review_state import finding_states

_CODE, _HEIGHT, _WIDEST = "two_readings", 150, 120


class TwoReadings(Frame):
    """Shown while the question is open; stands alone, for pane and list of checks have a file each already.

    Attributes
    ----------
    chosen
        Emitted with the fix that reads the file in the way that was pressed.
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__("sentence", margins=(14, 9, 14, 9), gap=8)
        self._theme = theme
        self._ways = plain(across=True, gap=14)
        self.tables: list[TableView] = []
        self.links: list[QWidget] = []
        self.add(text(_("This file can be read in two ways. Which is right?"), "strong", wrap=True), self._ways)
        self.setAccessibleName(_("Two ways to read this file"))
        self.hide()

    def show_project(self, project: Project) -> bool:
        """Show the two ways where the question is open; whether it is."""
        clear(self._ways.box)
        self.tables, self.links = [], []
        row = next((r for r in finding_states(project) if r.finding.code == _CODE and r.open), None)
        holds = row is not None and project.reading is not None
        if row is not None and project.reading is not None:
            for way in way_previews(project.reading, row.fixes):
                self._ways.add(self._way(way))
        self.setVisible(holds)
        return holds

    def _way(self, way: WayPreview) -> QWidget:
        half = QWidget()
        box = QVBoxLayout(half)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        table = TableView(self._theme, way.words, grid=False, widest=_WIDEST)
        table.rows.show_rows(way.header, way.rows)
        table.setFixedHeight(self._theme.px(_HEIGHT))
        table.fill()
        self.tables.append(table)
        box.addWidget(text(way.words, "small", "2", wrap=True))
        box.addWidget(table)
        for fix in way.fixes:
            box.addWidget(self._link(fix))
        box.addStretch(1)
        return half

    def _link(self, fix: Fix) -> QWidget:
        made = button(fix.words, kind="link")
        made.clicked.connect(lambda _on=False: self.chosen.emit(fix))
        self.links.append(made)
        return made
