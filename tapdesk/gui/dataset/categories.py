"""The card of the categories: order, merging, renaming, and categories that nobody used."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QContextMenuEvent, QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenu, QSizePolicy, QWidget

from tapdesk.answers import numbers
from tapdesk.gui.dataset.ratings_editing import RatingsDecisions
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.dialogs import popup
from tapdesk.gui.theme.icons import paint, square, swatch
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Frame, Radio, ToolIcon, button, clear, plain, scroll_area, text
from tapdesk.gui.widgets.layouts import Flow
from tapdesk.language import gettext as _
from tapdesk.project.bands import entries, scores_of
from tapdesk.project.decisions.classes import (
    ColourClass,
    DeclareClass,
    MergeClasses,
    RenameClass,
    ReorderClasses,
    TreatAsMissing,
)
from tapdesk.project.what_if import MergedClasses
from tapdesk.ratings.findings import label_text
from tapdesk.ratings.ratings import COLOURS, Ratings, colour_name

UNUSED = _("unused but allowed")
_counted = numbers.count
_LEAST_SCORES = 4  # fewer are bands already
HIGHEST = 158  # pixels at 100 %: a longer list scrolls


class CategoryRow(QWidget):
    """One category: its place, its name, a bar and its count.

    Attributes
    ----------
    moved
        Up or down by one place.
    asked
        Its menu is wanted; the point on the screen.
    dragged, dropped
        It is held over, or let go at, a height within the list.
    """

    moved = Signal(int)
    asked = Signal(QPoint)
    dragged = Signal(int)
    dropped = Signal(int)

    def __init__(self, theme: Theme, place: int, name: str, count: int, share: float, colour: str = "") -> None:
        super().__init__()
        self._theme, self._place, self._name, self._count, self._share = (
            theme,
            place,
            label_text(name, 60),
            count,
            share,
        )
        self._colour = colour
        self._pressed: QPointF | None = None
        self._drags = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        used = _("1 rating") if count == 1 else _("{count} ratings").format(count=_counted(count))
        used = used if count else UNUSED
        sentence = (
            _("Class {place}: {name}, {used}, drawn in {colour}") if colour else _("Class {place}: {name}, {used}")
        )
        fields = {"place": place + 1, "name": self._name, "used": used}
        self.setAccessibleName(sentence.format(**fields, colour=colour_name(colour) if colour else ""))
        self.setAccessibleDescription(_("Alt and an arrow key move it; Return opens what can be done with it."))
        self.setToolTip(self._name)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 6, 0)
        box.setSpacing(0)
        box.addStretch(1)
        self.more = ToolIcon(theme, "down", _("Rename or merge “{name}”").format(name=self._name), self.ask)
        box.addWidget(self.more)

    def ask(self) -> None:
        """Ask for the menu below the arrow."""
        self.asked.emit(self.more.mapToGlobal(QPoint(0, self.more.height() + 2)))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The same menu by the right button or the menu key."""
        del event
        self.ask()

    def sizeHint(self) -> QSize:
        """One row of the list."""
        return QSize(self._theme.px(220), self._theme.px(34))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move on Alt and an arrow key, show the menu on Return."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and event.key() in steps:
            self.moved.emit(steps[Qt.Key(event.key())])
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.ask()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Perhaps the start of a drag."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell where it is held."""
        if self._pressed is None:
            return
        far = (event.position() - self._pressed).manhattanLength()
        if self._drags or far >= QApplication.startDragDistance():
            self._drags = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.dragged.emit(round(self.y() + event.position().y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell where it was let go."""
        if self._drags:
            self.dropped.emit(round(self.y() + event.position().y()))
        self._pressed, self._drags = None, False
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the row."""
        del event
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colour("accent" if self._drags else "line"), 1))
        painter.setBrush(theme.colour("soft" if self._drags else "surface"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        high, side = self.height(), theme.px(16)
        paint(painter, QRectF(6, (high - side) / 2, side, side), "grip", theme)
        tools, count, bar = theme.px(30), theme.px(54), theme.px(56)
        right = round(self.width() - tools)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme.font(13))
        painter.setPen(theme.colour("text3"))
        painter.drawText(QRectF(side + 14, 0, 22, high), middle, str(self._place + 1))
        painter.setFont(theme.font(12 if self._count else 11.5))
        sentence = _counted(self._count) if self._count else UNUSED
        wide = count if self._count else painter.fontMetrics().horizontalAdvance(sentence) + 8
        painter.setPen(theme.colour("text" if self._count else "text3"))
        painter.drawText(QRectF(right - wide, 0, wide - 4, high), middle | Qt.AlignmentFlag.AlignRight, sentence)
        painter.setPen(theme.colour("text"))
        start = side + 36 + (square(painter, side + 36, high / 2, self._colour, theme) if self._colour else 0)
        room = right - wide - start - 4
        painter.setFont(theme.font(13, QFont.Weight.DemiBold))
        if self._count and painter.fontMetrics().horizontalAdvance(self._name) + bar + 8 <= room:
            room -= bar + 8
            track = QRectF(right - count - bar - 4, (high - 8) / 2, bar, 8)
            painter.fillRect(track, theme.colour("sunken"))
            painter.fillRect(
                QRectF(track.x(), track.y(), bar * self._share, 8),
                QColor(COLOURS[self._colour]) if self._colour else theme.colour("b50"),
            )
        words = painter.fontMetrics().elidedText(self._name, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QRectF(start, 0, room, high), middle, words)
        painter.end()


class _Line(QWidget):
    """Where a dragged category would stand."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line."""
        del event
        QPainter(self).fillRect(self.rect(), self._theme.colour("accent"))


class CategoryList(QWidget):
    """Categories from the lowest to the highest.

    Attributes
    ----------
    moved
        The names in their new order.
    asked
        The menu of a category is wanted: its name, and the point on the screen.
    """

    moved = Signal(tuple)
    asked = Signal(str, QPoint)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._names: tuple[str, ...] = ()
        self.setAccessibleName(_("Order of the classes"))
        self._frame = plain(gap=4)
        self._box = self._frame.box
        self._line = _Line(theme, self._frame)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._frame)

    @property
    def rows(self) -> list[CategoryRow]:
        """The rows from top to bottom."""
        items = (self._box.itemAt(i) for i in range(self._box.count()))
        return [w for item in items if item is not None and isinstance(w := item.widget(), CategoryRow)]

    def show_categories(self, names: Sequence[str], counts: Sequence[int], colours: Sequence[str] = ()) -> None:
        """Show the categories in their order; the keyboard stays on the one it was on, or on its place."""
        kept, place = self._focused()
        clear(self._box)
        self._line.hide()
        self._names = tuple(names)
        most = max(counts, default=0) or 1
        for i, (name, count) in enumerate(zip(names, counts, strict=True)):
            row = CategoryRow(self._theme, i, name, count, count / most, colours[i] if colours else "")
            row.moved.connect(lambda by, i=i: self._move(i, i + by))
            row.asked.connect(lambda at, name=name: self.asked.emit(name, at))
            row.dragged.connect(self._show_gap)
            row.dropped.connect(lambda y, i=i: self._drop(i, y))
            self._box.addWidget(row)
        if kept is not None and self._names:
            at = self._names.index(kept) if kept in self._names else min(place, len(self._names) - 1)
            self.rows[at].setFocus(Qt.FocusReason.OtherFocusReason)

    def _focused(self) -> tuple[str | None, int]:
        """The category the keyboard is on, and its place."""
        at = self.window().focusWidget()
        for i, (name, row) in enumerate(zip(self._names, self.rows, strict=False)):
            if at is not None and (row is at or row.isAncestorOf(at)):
                return name, i
        return None, 0

    def _gap(self, y: int) -> int:
        """Between which rows a height lies, from 0 before the first."""
        return sum(y > row.y() + row.height() / 2 for row in self.rows)

    def _show_gap(self, y: int) -> None:
        rows = self.rows
        gap = self._gap(y)
        top = rows[gap].y() - 3 if gap < len(rows) else rows[-1].y() + rows[-1].height() + 1
        self._line.setGeometry(0, max(top, 0), self._frame.width(), 2)
        self._line.raise_()
        self._line.show()

    def _drop(self, place: int, y: int) -> None:
        self._line.hide()
        gap = self._gap(y)
        self._move(place, gap - 1 if gap > place else gap)

    def _move(self, place: int, to: int) -> None:
        if 0 <= to < len(self._names) and to != place:
            names = list(self._names)
            names.insert(to, names.pop(place))
            self.moved.emit(tuple(names))


class CategoriesCard(Frame):
    """Categories, lowest first; every change is a decision."""

    def __init__(self, theme: Theme, fixing: RatingsDecisions) -> None:
        super().__init__("card", margins=(14, 11, 14, 10), gap=4)
        self._theme, self._fixing = theme, fixing
        self._ratings: Ratings | None = None
        self.list = CategoryList(theme)
        self.menu: QMenu | None = None
        head = plain(across=True).add(text(_("Order of the classes"), "card", wrap=True))
        head.box.setStretch(0, 1)
        head.add(text(_("ratings"), "caption", "3"))
        inside = plain(gap=0).add(self.list)
        inside.box.addStretch(1)
        self._area = scroll_area(inside)
        self.ordered, self.unordered = Radio(theme, _("Ordered")), Radio(theme, _("No order"))
        self.more = button(_("Add a class…"), self._add, kind="link")
        self.cut = button(_("Cut into bands…"), self.ask_bands, kind="link")
        # In a longer language they need two lines.
        foot = QWidget()
        line = Flow(foot, gap=10, below=4)
        line.setContentsMargins(0, 2, 0, 0)
        for one in (self.ordered, self.unordered, self.more, self.cut):
            line.addWidget(one)
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
        scores = scores_of(ratings, self._fixing.mark)
        self.cut.setVisible(_LEAST_SCORES <= len(scores) == len(ratings.classes))
        self._fit()

    def _fit(self) -> None:
        rows = self.list.rows
        high = sum(row.sizeHint().height() + 4 for row in rows)
        self._area.setFixedHeight(min(max(high, 10), self._theme.px(HIGHEST)))

    def _reorder(self, order: tuple[str, ...]) -> None:
        self._fixing.decide(_("Order of the classes"), ReorderClasses(order))

    def _set_ordered(self, *, ordered: bool) -> None:
        ratings = self._ratings
        if ratings is not None and ratings.ordered != ordered:
            words = _("The classes are ordered") if ordered else _("The classes have no order")
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
        menu.setAccessibleName(_("Class {shown}").format(shown=label_text(name)))
        others = [c for c in ratings.classes if c != name]
        merge = QMenu(_("&Merge into"), menu)
        for other in others:
            self._row(merge, f"“{label_text(other)}”", partial(self._merge, name, other))
        self._row(menu, _("&Rename…"), lambda: self._rename(name))
        menu.addMenu(merge)
        menu.addMenu(self._colours(name, ratings, menu))
        merge.setEnabled(bool(others))
        self._row(menu, _("Count as &no rating"), lambda: self._missing(name)).setEnabled(bool(others))
        if len(others) > 1:
            menu.addMenu(self._wonder(name, others, menu))
        menu.addSeparator()
        self._row(menu, _("Move to the &top"), lambda: self._reorder((name, *others)))
        self._row(menu, _("Move to the &bottom"), lambda: self._reorder((*others, name)))
        return menu

    def _wonder(self, name: str, others: list[str], menu: QMenu) -> QMenu:
        """What if the category were one with another? Nothing is merged by asking."""
        inside = QMenu(_("&What if it were one with"), menu)
        for other in others:
            asked = MergedClasses((name, other))
            self._row(inside, f"“{label_text(other)}”", partial(self._fixing.wonder, asked))
        return inside

    def _colours(self, name: str, ratings: Ratings, menu: QMenu) -> QMenu:
        """The colours a category can have; those that others have say so."""
        inside = QMenu(_("&Colour"), menu)
        own = ratings.colours[ratings.classes.index(name)]
        for colour in ("", *COLOURS):
            others = [c for c, has in zip(ratings.classes, ratings.colours, strict=True) if has == colour and c != name]
            words = colour_name(colour).capitalize() if colour else _("No colour of its own")
            if colour and others:
                words = _("{words} (now of “{shown}”)").format(words=words, shown=label_text(others[0]))
            row = self._row(inside, words, partial(self._colour, name, colour))
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
        new = dialogs.for_text(
            self, _("Rename the class"), _("Another name for “{shown}”:").format(shown=label_text(name)), name
        )
        if new is not None and new != name:
            self._fixing.decide(_("Rename {shown}").format(shown=label_text(name)), RenameClass(name, new))

    def _merge(self, name: str, into: str) -> None:
        self._fixing.decide(
            _("Merge {name} into {into}").format(name=label_text(name), into=label_text(into)),
            MergeClasses(((into, (into, name)),)),
        )

    def _colour(self, name: str, colour: str) -> None:
        words = (
            _("{name} in {colour}").format(name=label_text(name), colour=colour_name(colour))
            if colour
            else _("No colour for {shown}").format(shown=label_text(name))
        )
        self._fixing.decide(words, ColourClass(name, colour))

    def _missing(self, name: str) -> None:
        self._fixing.decide(_("{shown} is no rating").format(shown=label_text(name)), TreatAsMissing((name,)))

    def _add(self) -> None:
        new = dialogs.for_text(self, _("Add a class"), _("A class that could have been used, though nobody did:"), "")
        if new:
            self._fixing.decide(_("Add the class {shown}").format(shown=label_text(new)), DeclareClass(new))

    def ask_bands(self) -> None:
        """Ask for cut points of one's own on scores, and for names of the bands; either question can be closed."""
        title = _("Cut into bands")
        cuts = dialogs.for_text(self, title, _("The lowest score of each band but the first, such as 13; 15; 17:"), "")
        if not cuts:
            return
        question = _("Names of the bands, lowest first; blank for names that tell the scores:")
        names = dialogs.line_of_text(self, title, question, "")
        if names is not None:
            self._fixing.cut(entries(cuts), entries(names))
