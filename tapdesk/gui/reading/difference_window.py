"""What differs between the ratings as they were read and the file as it is now, rating by rating."""

from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from tapdesk.gui.look.theme import Theme
from tapdesk.gui.on_screen import told as as_here
from tapdesk.gui.reading.source_watch import SourceWatch
from tapdesk.gui.widgets.basic import button, plain, text
from tapdesk.gui.widgets.tables import Table
from tapdesk.gui.widgets.window_size import WindowSize
from tapdesk.language import gettext as _
from tapdesk.project.source_change import SourceDifference
from tapdesk.ratings.findings import shown
from tapdesk.report import numbers

HEADER = (_("Case"), _("Rater"), _("As it was read"), _("In the file now"))


class Difference(QDialog):
    """A window beside the main one; looking changes nothing."""

    def __init__(self, theme: Theme, watch: SourceWatch, parent: QWidget) -> None:
        super().__init__(parent)
        self._watch = watch
        self.setWindowTitle(_("What differs"))
        WindowSize(self, theme, 640, 460)
        self.words = text("", "card", wrap=True)
        self.table = Table(theme, _("Ratings that differ"), grid=False)
        self.more = text("", "caption", "3", wrap=True)
        foot = plain(across=True).add(button(_("Take over the changed file"), self._take_over, small=True))
        foot.box.addStretch(1)
        foot.add(button(_("Close"), self.hide, small=True, name=_("Close the differences")))
        box = QVBoxLayout(self)
        box.setSpacing(8)
        box.addWidget(self.words)
        box.addWidget(self.table, 1)
        box.addWidget(self.more)
        box.addWidget(foot)

    def show_difference(self, found: SourceDifference) -> None:
        """Show the ratings that differ."""
        self.words.setText(as_here(found.words))
        self.table.rows.show_rows(HEADER, rows_of(found))
        total = found.changed + found.added + found.removed
        self.more.setText(
            _("The project goes on with the ratings as they were read, until you take over the file.")
            if total <= len(found.cells)
            else _(
                "The first {cells} of {total} are listed. The project goes on with the ratings as they "
                "were read, until you take over the file."
            ).format(cells=numbers.count(len(found.cells)), total=numbers.count(total))
        )
        self.show()
        self.raise_()
        self.table.fill()

    def _take_over(self) -> None:
        self.hide()
        self._watch.take_over()


def rows_of(found: SourceDifference) -> list[tuple[str, str, str, str]]:
    """A row for each rating that differs; a dash where there is none."""
    return [
        (
            cell.subject,
            cell.rater,
            "–" if cell.was is None else shown(cell.was),
            "–" if cell.now is None else shown(cell.now),
        )
        for cell in found.cells
    ]
