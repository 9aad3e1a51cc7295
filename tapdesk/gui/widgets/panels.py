"""Several small pictures beside and below each other, as many in a row as there is room for."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from tapdesk.answers.figure import Figure
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import clear
from tapdesk.gui.widgets.told import Pictured

# Pixels of a panel at 100 % text.
_NARROWEST, _HIGH = 270, 190.0


class Panels(QWidget):
    """Pictures with their titles in a grid.

    Parameters
    ----------
    most
        Pictures in a row where there is room for more.
    """

    def __init__(self, theme: Theme, most: int) -> None:
        super().__init__()
        self._theme, self._most, self._columns = theme, most, 0
        self.shown: list[Pictured] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(8)
        theme.changed.connect(self._arrange)

    def show_figures(self, figures: tuple[Figure, ...]) -> None:
        """Show other pictures."""
        clear(self._grid)
        self.shown, self._columns = [], 0
        for figure in figures:
            made = Pictured(self._theme, figure.title)
            made.show_figure(figure, figure.title, "", high=_HIGH)
            self.shown.append(made)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many in a row as there is room for."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        columns = max(1, min(self._most, self.width() // self._theme.px(_NARROWEST)))
        if columns == self._columns or not self.shown:
            return
        for at in range(self._columns):
            self._grid.setColumnStretch(at, 0)
        self._columns = columns
        for made in self.shown:
            self._grid.removeWidget(made)
        for i, made in enumerate(self.shown):
            self._grid.addWidget(made, i // columns, i % columns)
        for at in range(columns):
            self._grid.setColumnStretch(at, 1)
