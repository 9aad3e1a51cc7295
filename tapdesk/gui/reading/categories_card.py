"""The card of the categories: order, merging, renaming, and categories that nobody used."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from tapdesk.gui import asking
from tapdesk.gui.dialogs import popup
from tapdesk.gui.look.icons import swatch
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.reading.fixing import Fixing
from tapdesk.gui.widgets.basic import Frame, button, plain, scrolled, text
from tapdesk.gui.widgets.categories import CategoryList
from tapdesk.gui.widgets.radio import Radio
from tapdesk.language import gettext as _
from tapdesk.project.decisions.classes import DeclareClass, ReorderClasses
from tapdesk.project.decisions.labels import ColourClass, MergeClasses, RenameClass, TreatAsMissing
from tapdesk.ratings.colours import COLOURS, in_words
from tapdesk.ratings.findings import shown
from tapdesk.ratings.ratings import Ratings

HIGHEST = 158  # pixels at 100 %: a longer list scrolls


class CategoriesCard(Frame):
    """Categories, lowest first; every change is a decision."""

    def __init__(self, theme: Theme, fixing: Fixing) -> None:
        super().__init__("card", margins=(14, 11, 14, 10), gap=4)
        self._theme, self._fixing = theme, fixing
        self._ratings: Ratings | None = None
        self.list = CategoryList(theme)
        self.menu: QMenu | None = None
        head = plain(across=True).add(text(_("Order of the categories"), "card"))
        head.box.addStretch(1)
        head.add(text(_("ratings"), "caption", "3"))
        inside = plain(gap=0).add(self.list)
        inside.box.addStretch(1)
        self._area = scrolled(inside)
        self.ordered, self.unordered = Radio(theme, _("Ordered")), Radio(theme, _("No order"))
        self.more = button(_("Add a category…"), self._add, kind="link")
        foot = plain(across=True, gap=10, margins=(0, 2, 0, 0)).add(self.ordered, self.unordered)
        foot.box.addStretch(1)
        foot.add(self.more)
        lead = text(_("Lowest first. Drag, or Alt + arrow keys."), "caption", "3", wrap=True)
        self.add(head, lead, self._area, foot)
        self.list.moved.connect(self._reorder)
        self.list.asked.connect(self._show_menu)
        self.ordered.clicked.connect(lambda _on=False: self._set_ordered(ordered=True))
        self.unordered.clicked.connect(lambda _on=False: self._set_ordered(ordered=False))
        theme.changed.connect(self._fit)

    def show_ratings(self, ratings: Ratings) -> None:
        """Show the categories of some ratings."""
        self._ratings = ratings
        counts = np.rint(ratings.class_rates() * ratings.rating_count).astype(int)
        self.list.show_categories(ratings.classes, counts.tolist(), ratings.colours)
        (self.ordered if ratings.ordered else self.unordered).setChecked(True)
        self._fit()

    def _fit(self) -> None:
        rows = self.list.rows
        high = sum(row.sizeHint().height() + 4 for row in rows)
        self._area.setFixedHeight(min(max(high, 10), self._theme.px(HIGHEST)))

    def _reorder(self, order: tuple[str, ...]) -> None:
        self._fixing.decide(_("Order of the categories"), ReorderClasses(order))

    def _set_ordered(self, *, ordered: bool) -> None:
        ratings = self._ratings
        if ratings is not None and ratings.ordered != ordered:
            words = _("The categories are ordered") if ordered else _("The categories have no order")
            self._fixing.decide(words, ReorderClasses(ratings.classes, ordered=ordered))

    def _show_menu(self, name: str, at: QPoint) -> None:
        """Open the menu of a category."""
        if self._ratings is None:
            return
        # A menu that is executed would hold up whoever opened it; this one closes by itself.
        self.menu = self.menu_of(name, self._ratings)
        popup(self.menu, at)

    def menu_of(self, name: str, ratings: Ratings) -> QMenu:
        """What can be done with a category."""
        menu = QMenu(self)
        menu.setAccessibleName(_("Category {shown}").format(shown=shown(name)))
        others = [c for c in ratings.classes if c != name]
        merge = QMenu(_("&Merge into"), menu)
        for other in others:
            self._row(merge, f"“{shown(other)}”", lambda other=other: self._merge(name, other))
        self._row(menu, _("&Rename…"), lambda: self._rename(name))
        menu.addMenu(merge)
        menu.addMenu(self._colours(name, ratings, menu))
        merge.setEnabled(bool(others))
        self._row(menu, _("Count as &no rating"), lambda: self._missing(name)).setEnabled(bool(others))
        menu.addSeparator()
        self._row(menu, _("Move to the &top"), lambda: self._reorder((name, *others)))
        self._row(menu, _("Move to the &bottom"), lambda: self._reorder((*others, name)))
        return menu

    def _colours(self, name: str, ratings: Ratings, menu: QMenu) -> QMenu:
        """The colours a category can have; those that others have say so."""
        inside = QMenu(_("&Colour"), menu)
        own = ratings.colours[ratings.classes.index(name)]
        for colour in ("", *COLOURS):
            others = [c for c, has in zip(ratings.classes, ratings.colours, strict=True) if has == colour and c != name]
            words = in_words(colour).capitalize() if colour else _("No colour of its own")
            if colour and others:
                words = _("{words} (now of “{shown}”)").format(words=words, shown=shown(others[0]))
            row = self._row(inside, words, lambda colour=colour: self._colour(name, colour))
            row.setCheckable(True)
            row.setChecked(colour == own)
            if colour:
                row.setIcon(swatch(self._theme, colour))
        return inside

    @staticmethod
    def _row(menu: QMenu, words: str, act: Callable[[], object]) -> QAction:
        made = menu.addAction(words)
        made.triggered.connect(lambda _on=False: act())
        return made

    def _rename(self, name: str) -> None:
        new = asking.for_text(
            self, _("Rename the category"), _("Another name for “{shown}”:").format(shown=shown(name)), name
        )
        if new is not None and new != name:
            self._fixing.decide(_("Rename {shown}").format(shown=shown(name)), RenameClass(name, new))

    def _merge(self, name: str, into: str) -> None:
        self._fixing.decide(
            _("Merge {name} into {into}").format(name=shown(name), into=shown(into)),
            MergeClasses(((into, (into, name)),)),
        )

    def _colour(self, name: str, colour: str) -> None:
        words = (
            _("{name} in {colour}").format(name=shown(name), colour=in_words(colour))
            if colour
            else _("No colour for {shown}").format(shown=shown(name))
        )
        self._fixing.decide(words, ColourClass(name, colour))

    def _missing(self, name: str) -> None:
        self._fixing.decide(_("{shown} is no rating").format(shown=shown(name)), TreatAsMissing((name,)))

    def _add(self) -> None:
        new = asking.for_text(
            self, _("Add a category"), _("A category that could have been used, though nobody did:"), ""
        )
        if new:
            self._fixing.decide(_("Add the category {shown}").format(shown=shown(new)), DeclareClass(new))
