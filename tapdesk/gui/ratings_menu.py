"""What can be done with a case, a rater or some of the rows, from the table of ratings."""

from collections.abc import Callable

import numpy as np
from PySide6.QtWidgets import QMenu, QWidget

from tapdesk.gui import asking
from tapdesk.gui.reading.fixing import Fixing
from tapdesk.language import gettext as _
from tapdesk.project.decisions.names import FlipRater, NameRaters, letter_codes
from tapdesk.project.decisions.ratings import KeepWhere, LeaveOutRaters, LeaveOutSubjects
from tapdesk.ratings.findings import label_text
from tapdesk.ratings.ratings import Covariate, Ratings

_MOST_VALUES = 20


class RatingsMenu:
    """Makes the menus; every entry is a decision."""

    def __init__(self, fixing: Fixing, parent: QWidget) -> None:
        self._fixing, self._parent = fixing, parent

    def of_cell(self, ratings: Ratings, case: str, rater: str) -> QMenu:
        """For a cell: its case, its rater; a blank rater is the column of the cases."""
        menu = QMenu(self._parent)
        menu.setAccessibleName(f"{case}, {rater}".strip(", "))
        told = _("Leave out the case {shown}").format(shown=label_text(case))
        _row(menu, told, lambda: self._fixing.decide(told, LeaveOutSubjects((case,))))
        if rater and len(ratings.raters) > 1:
            menu.addSeparator()
            self._rater(menu, ratings, rater)
        return menu

    def _rater(self, menu: QMenu, ratings: Ratings, rater: str) -> None:
        out, name = (
            _("Leave out the rater {shown}").format(shown=label_text(rater)),
            _("Rename {shown}…").format(shown=label_text(rater)),
        )
        turn = _("Turn the scale round for {shown}").format(shown=label_text(rater))
        _row(menu, out, lambda: self._fixing.decide(out, LeaveOutRaters((rater,))))
        _row(menu, name, lambda: self._rename(rater))
        if ratings.ordered or len(ratings.classes) == 2:
            _row(menu, turn, lambda: self._fixing.decide(turn, FlipRater(rater)))
        codes = _("Call the raters A, B, C")
        _row(menu, codes, lambda: self._fixing.decide(codes, letter_codes(ratings.raters)))

    def _rename(self, rater: str) -> None:
        new = asking.for_text(
            self._parent, _("Rename the rater"), _("Another name for “{shown}”:").format(shown=label_text(rater)), rater
        )
        if new is not None and new != rater:
            self._fixing.decide(_("Rename {shown}").format(shown=label_text(rater)), NameRaters(((rater, new),)))

    def of_rows(self, ratings: Ratings) -> QMenu:
        """Which rows count: a value of a further column."""
        menu = QMenu(self._parent)
        menu.setAccessibleName(_("Only some rows"))
        for name, column in ratings.covariates.items():
            values = texts_of(column)
            if 1 < len(values) <= _MOST_VALUES:
                part = QMenu(label_text(name, 40).replace("&", "&&"), menu)
                menu.addMenu(part)
                for value in values:
                    told = _("Only rows where {column} is {value}").format(
                        column=label_text(name), value=label_text(value)
                    )
                    _row(part, label_text(value, 40), self._keeper(told, KeepWhere(name, (value,))))
        if menu.isEmpty():
            menu.addAction(_("No further column has values to choose from")).setEnabled(False)
        return menu

    def _keeper(self, told: str, decision: KeepWhere) -> Callable[[], object]:
        return lambda: self._fixing.decide(told, decision)


def texts_of(column: Covariate) -> tuple[str, ...]:
    """The distinct values of a further column as a file writes them, whole numbers without decimals."""
    values = column.values
    if values.dtype.kind == "f":
        found = np.unique(values[~np.isnan(values)])
        return tuple(f"{v:g}" if v == int(v) else str(v) for v in found[: _MOST_VALUES + 1].tolist())
    return tuple(sorted({str(v) for v in values.tolist() if str(v).strip()})[: _MOST_VALUES + 1])


def _row(menu: QMenu, words: str, act: Callable[[], object]) -> None:
    menu.addAction(words.replace("&", "&&")).triggered.connect(lambda _on=False: act())
