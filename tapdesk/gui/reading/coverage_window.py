"""Who rated what: the coverage map as a picture and as a table, and whether all raters can be compared."""

import numpy as np
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QStackedWidget, QVBoxLayout, QWidget

from tapdesk.gui.desk import Desk
from tapdesk.gui.look.localised import drawn
from tapdesk.gui.look.svg_view import SvgView
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.on_screen import told as as_here
from tapdesk.gui.widgets.basic import button, plain, text
from tapdesk.gui.widgets.tables import Table
from tapdesk.gui.widgets.window_size import WindowSize
from tapdesk.language import gettext as _
from tapdesk.ratings.checks.connection import told
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.figures.design import coverage

_MOST = 1_000  # rows of the table


class Coverage(QDialog):
    """A window beside the main one; it follows the ratings while it is open."""

    def __init__(self, theme: Theme, desk: Desk, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._desk = theme, desk
        self._shown: Ratings | None = None
        self.setWindowTitle(_("Who rated what"))
        WindowSize(self, theme, 760, 520)
        self.title = text("", "card", wrap=True)
        self.connection = text("", "body", "2", wrap=True)
        self.note = text("", "caption", "3", wrap=True)
        self.picture = SvgView(theme, _("Coverage map"))
        self.table = Table(theme, _("Coverage as a table"), grid=False)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.picture)
        self.stack.addWidget(self.table)
        self.turn = button(_("As a table"), self._turn, small=True)
        foot = plain(across=True).add(self.turn)
        foot.box.addStretch(1)
        foot.add(button(_("Close"), self.hide, small=True, name=_("Close the coverage map")))
        box = QVBoxLayout(self)
        box.setSpacing(8)
        for part in (self.title, self.connection):
            box.addWidget(part)
        box.addWidget(self.stack, 1)
        box.addWidget(self.note)
        box.addWidget(foot)
        desk.document.changed.connect(self._on_changed)

    def open_map(self) -> None:
        """Show the map of the ratings as they are."""
        self.show()
        self.raise_()
        self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        if not self.isVisible() or self._desk.document.empty:
            return
        ratings = self._desk.document.project.all_classes
        if ratings is self._shown:
            return
        self._shown = ratings
        self._show(ratings)

    def _show(self, ratings: Ratings) -> None:
        figure = drawn(lambda: (coverage(ratings),), ratings.raters)[0]
        self.title.setText(figure.title)
        self.connection.setText(as_here(told(ratings), ratings.raters))
        self.note.setText(figure.note)
        self.picture.show_figures((figure,))
        self.table.rows.show_rows(*rated_by(ratings), right=(1, 2))
        self.table.fill()

    def _turn(self) -> None:
        as_table = self.stack.currentWidget() is self.picture
        self.stack.setCurrentWidget(self.table if as_table else self.picture)
        self.turn.setText(_("As a picture") if as_table else _("As a table"))
        self.turn.setAccessibleName(self.turn.text())


def rated_by(ratings: Ratings) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows: how many cases each rater rated and did not rate."""
    seen = np.unique(ratings.rater.astype(np.int64) * len(ratings.subjects) + ratings.subject) // len(ratings.subjects)
    cases = np.bincount(seen, minlength=len(ratings.raters))[:_MOST]
    total = len(ratings.subjects)
    who = _("Rater") if ratings.raters_known else _("Seat")
    rows = [
        (name, numbers.count(int(n)), numbers.count(total - int(n)))
        for name, n in zip(ratings.raters, cases, strict=False)
    ]
    return (who, _("Cases rated"), _("Not rated")), rows
