"""Decisions about the open ratings, made in the table by hand or from its menu; each is one step of undo."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from tapdesk.answers import numbers
from tapdesk.errors import TapdeskError
from tapdesk.gui.dataset.case_cells import ListCells, PairCells
from tapdesk.gui.dataset.ratings_table import NO_RATING, RatingsTable
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.session import Session
from tapdesk.language import gettext as _
from tapdesk.project.bands import own_bands
from tapdesk.project.decisions.base import Decision
from tapdesk.project.decisions.names import FlipRater, NameRaters, letter_codes
from tapdesk.project.decisions.ratings import (
    AddCounts,
    AddPair,
    EditCount,
    EditRating,
    EditWeight,
    KeepWhere,
    LeaveOutRaters,
    LeaveOutSubjects,
)
from tapdesk.project.fixes.fix import Fix
from tapdesk.project.what_if import Variation, WithoutRaters
from tapdesk.ratings.findings import label_text
from tapdesk.ratings.ratings import Covariate, Ratings

_MOST_VALUES = 20


class RatingsDecisions(QObject):
    """Makes decisions.

    Attributes
    ----------
    refused
        A decision does not fit the ratings as they are; nothing was changed.
    shown
        The user does it in a part of the pane: its name.
    """

    refused = Signal(TapdeskError)
    shown = Signal(str)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session

    def decide(self, words: str, decision: Decision, *, everywhere: bool = False) -> bool:
        """Decide something; ``words`` name it in the Edit menu. Whether it could be done."""
        document = self._session.document
        return self._do(lambda: document.do(words, document.project.decide(decision, everywhere=everywhere)))

    def wonder(self, variation: Variation) -> None:
        """Ask what would be if something were otherwise; nothing is decided."""
        self._session.wondered.emit(variation)

    def take_back(self, number: int, words: str, *, everywhere: bool = True) -> bool:
        """Take a decision back, of a form everywhere or for the question that is shown; that can be undone."""
        document = self._session.document
        sentence = _("Take back: {words}").format(words=numbers.short(words, 40))
        return self._do(lambda: document.do(sentence, document.project.take_back(number, everywhere=everywhere)))

    @property
    def mark(self) -> str:
        """The decimal mark of the file."""
        reading = self._session.document.project.reading
        return "." if reading is None else reading.source.decimal or "."

    def cut(self, cuts: tuple[str, ...], names: tuple[str, ...]) -> None:
        """Cut scores into bands where the user says so."""
        document = self._session.document

        def decide() -> None:
            made = own_bands(document.project.all_classes, self.mark, cuts, names)
            document.do(_("Cut into bands"), document.project.decide(made))

        self._do(decide)

    def fix(self, fix: Fix) -> None:
        """Do what a fix offers."""
        reading = self._session.document.project.reading
        if fix.decision is not None:
            self.decide(fix.words, fix.decision, everywhere=fix.everywhere)
        elif fix.place:
            self.shown.emit(fix.place)
        elif reading is not None:
            self._session.read_again(replace(reading.asked, **fix.options), fix.words)

    def _do(self, act: Callable[[], object]) -> bool:
        try:
            act()
        except TapdeskError as problem:
            self.refused.emit(problem)
            return False
        return True


class TableEditor(QObject):
    """Listens to a table of ratings and decides what is asked for in it."""

    def __init__(self, table: RatingsTable, fixing: RatingsDecisions, pane: QWidget) -> None:
        super().__init__(pane)
        self._table, self._fixing, self._pane = table, fixing, pane
        table.edited.connect(self.change)
        table.counted.connect(self.count)
        table.several.connect(self._one_of)

    @property
    def _ratings(self) -> Ratings | None:
        cells = self._table.ratings.cells
        return None if cells is None else cells.ratings

    @Slot(str, str, object, object)
    def change(self, case: str, rater: str, was: str | None, now: str | None, nth: int = 0) -> None:
        """Change one rating by hand."""
        ratings = self._ratings
        if ratings is None:
            return
        if now is None or now in ratings.classes or dialogs.about_new_category(self._pane, now):
            sentence = _("no rating") if now is None else label_text(now)
            words = _("{rater} on {case}: {now}").format(rater=rater, case=case, now=sentence)
            self._fixing.decide(words, EditRating(case, rater, was, now, nth))

    @Slot(str, str, int, int)
    def count(self, case: str, label: str, was: int, now: int) -> None:
        """Change the number of ratings in a class, or of cases a row stands for where no class is named."""
        ratings, cells, text = self._ratings, self._table.ratings.cells, numbers.count(now)
        if ratings is None:
            return
        new = not was and case not in ratings.subjects
        if label:
            words = _("{case}, {label}: {now}").format(case=case, label=label_text(label), now=text)
            self._fixing.decide(words, AddCounts(case, label, now) if new else EditCount(case, label, was, now))
        else:
            words = _("{case} stands for {now}").format(case=case, now=text)
            pair = AddPair(case, cells.labels(case), now) if new and isinstance(cells, PairCells) else None
            self._fixing.decide(words, pair or EditWeight(case, was, now))

    @Slot(str, str, tuple)
    def _one_of(self, case: str, rater: str, labels: tuple[str, ...]) -> None:
        """Change one of several ratings of a case: ask which, and what is meant."""
        if self._ratings is None:
            return
        if not rater:
            self._of_many(case)
            return
        words = _("{rater} rated {case} {n} times. Which rating is to change?").format(
            rater=rater, case=case, n=len(labels)
        )
        which = self._ask(words, [f"{i + 1}: {label_text(label)}" for i, label in enumerate(labels)])
        if which is not None:
            self._instead(case, rater, labels[which], which)

    def _of_many(self, case: str) -> None:
        """Change, or add, one of the ratings of a case that stand in one cell."""
        cells = self._table.ratings.cells
        row = self._table.currentIndex().row()
        if not isinstance(cells, ListCells) or row < 0 or cells.case(row) != case:
            return
        given = cells.given(row)
        rows = [f"{i + 1}. {label_text(rater)}: {label_text(label)}" for i, (rater, label) in enumerate(given)]
        which = self._ask(
            _("Which rating of {case} is to change?").format(case=case), [*rows, _("A rating by another rater…")]
        )
        if which is not None and which < len(given):
            rater, label = given[which]
            self._instead(case, rater, label, [r for r, _label in given[:which]].count(rater))
        elif which is not None:
            self._add(case, {rater for rater, _label in given})

    def _add(self, case: str, rated: set[str]) -> None:
        """A rating by a rater who has not rated a case yet."""
        ratings = self._ratings
        others = [name for name in ratings.raters if name not in rated] if ratings is not None else []
        if ratings is None or not others:
            return
        who = self._ask(_("Who rated {case}?").format(case=case), others)
        if who is None:
            return
        label = self._ask(
            _("What did {rater} say?").format(rater=others[who]), [label_text(label) for label in ratings.classes]
        )
        if label is not None:
            self.change(case, others[who], None, ratings.classes[label])

    def _instead(self, case: str, rater: str, label: str, nth: int) -> None:
        """Ask what is meant instead of a rating."""
        classes = self._ratings.classes if self._ratings is not None else ()
        to = self._ask(
            _("Instead of “{label}”:").format(label=label_text(label)), [*map(label_text, classes), NO_RATING]
        )
        if to is not None and (to == len(classes) or classes[to] != label):
            self.change(case, rater, label, classes[to] if to < len(classes) else None, nth)

    def _ask(self, words: str, rows: list[str]) -> int | None:
        return dialogs.for_one(self._pane, _("Change a rating"), words, rows)


class RatingsMenu:
    """Makes the menus; every entry is a decision."""

    def __init__(self, fixing: RatingsDecisions, parent: QWidget) -> None:
        self._fixing, self._parent = fixing, parent

    def of_cell(self, ratings: Ratings, case: str, rater: str) -> QMenu:
        """For a cell: its case and its rater; a blank rater is the column of the cases, a blank case a head."""
        menu = QMenu(self._parent)
        menu.setAccessibleName(f"{case}, {rater}".strip(", "))
        if case:
            sentence = _("Leave out the {subject} {shown}").format(shown=label_text(case))
            _row(menu, sentence, lambda: self._fixing.decide(sentence, LeaveOutSubjects((case,))))
        if rater and len(ratings.raters) > 1:
            if ratings.raters_known:
                without = _("What if without {shown}?").format(shown=label_text(rater))
                _row(menu, without, lambda: self._fixing.wonder(WithoutRaters((rater,))))
            menu.addSeparator()
            self._rater(menu, ratings, rater)
        return menu

    def _rater(self, menu: QMenu, ratings: Ratings, rater: str) -> None:
        out, name = (
            _("Leave out the {rater} {shown}").format(shown=label_text(rater)),
            _("Rename {shown}…").format(shown=label_text(rater)),
        )
        turn = _("Turn the scale round for {shown}").format(shown=label_text(rater))
        _row(menu, out, lambda: self._fixing.decide(out, LeaveOutRaters((rater,))))
        _row(menu, name, lambda: self._rename(rater))
        if ratings.ordered or len(ratings.classes) == 2:
            _row(menu, turn, lambda: self._fixing.decide(turn, FlipRater(rater)))
        codes = _("Call the {raters} A, B, C").format()
        _row(menu, codes, lambda: self._fixing.decide(codes, letter_codes(ratings.raters)))

    def _rename(self, rater: str) -> None:
        new = dialogs.for_text(
            self._parent,
            _("Rename the {rater}").format(),
            _("Another name for “{shown}”:").format(shown=label_text(rater)),
            rater,
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
                    sentence = _("Only rows where {column} is {value}").format(
                        column=label_text(name), value=label_text(value)
                    )
                    _row(part, label_text(value, 40), self._keeper(sentence, KeepWhere(name, (value,))))
        if menu.isEmpty():
            menu.addAction(_("No further column has values to choose from")).setEnabled(False)
        return menu

    def _keeper(self, sentence: str, decision: KeepWhere) -> Callable[[], object]:
        return lambda: self._fixing.decide(sentence, decision)


def texts_of(column: Covariate) -> tuple[str, ...]:
    """The distinct values of a further column as a file writes them, whole numbers without decimals."""
    values = column.values
    if values.dtype.kind == "f":
        result = np.unique(values[~np.isnan(values)])
        return tuple(f"{v:g}" if v == int(v) else str(v) for v in result[: _MOST_VALUES + 1].tolist())
    return tuple(sorted({str(v) for v in values.tolist() if str(v).strip()})[: _MOST_VALUES + 1])


def _row(menu: QMenu, words: str, act: Callable[[], object]) -> None:
    menu.addAction(words.replace("&", "&&")).triggered.connect(lambda _on=False: act())


def offer_without(menu: QMenu, session: Session) -> None:
    """Add the raters to a menu, as they are when it opens, each asking what would be without them."""
    menu.addSeparator()
    inside = menu.addMenu(_("What if without…"))
    inside.setAccessibleName(_("What if without…"))

    def fill() -> None:
        inside.clear()
        ratings = None if session.document.empty else session.document.project.ratings
        names = ratings.raters if ratings is not None and ratings.raters_known and len(ratings.raters) > 1 else ()
        for name in names:
            _row(inside, label_text(session.naming.names.rater(name), 40), partial(session.wonder_without, name))
        inside.menuAction().setEnabled(bool(names))

    menu.aboutToShow.connect(fill)
