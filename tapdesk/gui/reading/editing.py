"""Ratings and numbers changed by hand in the table: each a decision, some after a question."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from tapdesk.answers import numbers
from tapdesk.gui import asking
from tapdesk.gui.reading.case_cells import ListCells, PairCells
from tapdesk.gui.reading.fixing import Fixing
from tapdesk.gui.widgets.ratings_table import NO_RATING, RatingsTable
from tapdesk.language import gettext as _
from tapdesk.project.decisions.ratings import AddCounts, AddPair, EditCount, EditRating, EditWeight
from tapdesk.ratings.findings import label_text
from tapdesk.ratings.ratings import Ratings


class Editing(QObject):
    """Listens to a table of ratings and decides what is asked for in it."""

    def __init__(self, table: RatingsTable, fixing: Fixing, pane: QWidget) -> None:
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
        if now is None or now in ratings.classes or asking.about_new_category(self._pane, now):
            told = _("no rating") if now is None else label_text(now)
            words = _("{rater} on {case}: {now}").format(rater=rater, case=case, now=told)
            self._fixing.decide(words, EditRating(case, rater, was, now, nth))

    @Slot(str, str, int, int)
    def count(self, case: str, label: str, was: int, now: int) -> None:
        """Change the number of ratings in a class, or of cases a row stands for where no class is named."""
        ratings, cells, told = self._ratings, self._table.ratings.cells, numbers.count(now)
        if ratings is None:
            return
        new = not was and case not in ratings.subjects
        if label:
            words = _("{case}, {label}: {now}").format(case=case, label=label_text(label), now=told)
            self._fixing.decide(words, AddCounts(case, label, now) if new else EditCount(case, label, was, now))
        else:
            words = _("{case} stands for {now}").format(case=case, now=told)
            pair = new and isinstance(cells, PairCells)
            self._fixing.decide(words, AddPair(case, cells.labels(case), now) if pair else EditWeight(case, was, now))

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
        return asking.for_one(self._pane, _("Change a rating"), words, rows)
