"""The focus of the keyboard: its ring, where it goes in a window, and how what is opened comes into view."""

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, QTimer, Slot
from PySide6.QtGui import QPainter, QPen, QRegion
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QDialog, QScrollArea, QWidget
from shiboken6 import isValid

from tapdesk.gui.theme.theme import Theme, application

ROOM = 12  # pixels left free above and below what is brought into view
OUTSIDE = 4
_QUIET = 3_000  # milliseconds after which nothing grows any more


def next_control(by: int, at: QWidget | None, rail: QWidget, step: QWidget, pane: QWidget | None) -> QWidget | None:
    """The control to go to, ``by`` areas on from where the focus is: the step of the rail, or the first of the pane."""
    if pane is None:
        return step
    areas = [rail, pane]
    here = next((i for i, area in enumerate(areas) if at is not None and area.isAncestorOf(at)), -1)
    if areas[(here + by) % len(areas)] is rail:
        return step
    for child in pane.findChildren(QWidget):
        if child.isVisible() and child.isEnabled() and child.focusPolicy() & Qt.FocusPolicy.TabFocus:
            return child
    return None


def next_in_chain(widget: QWidget) -> QWidget:
    """What Tab comes to after a widget, whether it takes the focus or not.

    PySide takes what ``nextInFocusChain`` returns for a child of the widget that was asked: not in Qt, but in its own
    tree of wrappers. The chain is a ring, so the window itself became the child of the last control. When that control
    was destroyed, its "children" were declared destroyed with it: all that Qt had made in the window (the rows of the
    menus, scroll bars) was called "already deleted" from then on, alive as it was. To set the parent that a widget has
    changes nothing in Qt and puts the tree of wrappers right.
    """
    after = cast("QWidget", widget.nextInFocusChain())
    after.setParent(after.parentWidget())
    return after


def tab_through(parts: Sequence[QWidget]) -> None:
    """Have Tab go through the controls of several parts of a window, one part after the other.

    They begin where the first control of any of them is reached now; within a part nothing changes. A part may hold
    an earlier one: what is left of it comes then.
    """
    by_key: dict[int, list[QWidget]] = {i: [] for i in range(len(parts))}
    at = begin = parts[0].window()
    before: QWidget | None = None
    while True:
        home = next((i for i, part in enumerate(parts) if part is at or part.isAncestorOf(at)), None)
        # What holds no focus itself would take others with it.
        if at.focusPolicy() & Qt.FocusPolicy.TabFocus:
            if home is not None:
                by_key[home].append(at)
            elif not any(by_key.values()):
                before = at
        at = next_in_chain(at)
        if at is begin:
            break
    for control in (one for row in by_key.values() for one in row):
        if before is not None:
            QWidget.setTabOrder(before, control)
        before = control


def areas_around(widget: QWidget) -> list[QAbstractScrollArea]:
    """The scroll areas a widget scrolls in, the inner one first.

    They end with its window: a dialog belongs to the part of the program that opened it, but does not scroll with it.
    """
    items = []
    at = widget
    while not at.isWindow() and (parent := at.parentWidget()) is not None:
        if isinstance(parent, QAbstractScrollArea):
            items.append(parent)
        at = parent
    return items


def rolls(widget: QWidget, *, down: bool) -> bool:
    """Whether a page around a widget has more to show in this direction."""
    bars = [area.verticalScrollBar() for area in areas_around(widget)]
    return any(bar.value() < bar.maximum() if down else bar.value() > bar.minimum() for bar in bars)


def bring_into_view(widget: QWidget) -> None:
    """Scroll so far that a widget is seen, its top first, as soon as it has its place."""
    QTimer.singleShot(0, widget, lambda: _scroll_to(widget))


def bring_to_top(widget: QWidget) -> None:
    """Scroll so far that a widget stands at the top, and hold it there while what stands above it still grows."""
    QTimer.singleShot(0, widget, lambda: [_AtTop(widget, area) for area in areas_around(widget)])


class _AtTop(QObject):
    """Keeps a widget at the top of an area until somebody scrolls, or nothing has grown for a while."""

    def __init__(self, widget: QWidget, area: QAbstractScrollArea) -> None:
        super().__init__(widget)
        self._widget, self._area, self._at = widget, area, -1
        self._inside = area.widget() if isinstance(area, QScrollArea) else None
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET)
        self._quiet.timeout.connect(self.deleteLater)
        if self._inside is None or not widget.isVisible():
            self.deleteLater()
            return
        self._inside.installEventFilter(self)
        self._scroll()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Scroll again where what is around has another height."""
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            QTimer.singleShot(0, self, self._again)
        return False

    @Slot()
    def _again(self) -> None:
        if self._area.verticalScrollBar().value() == self._at:
            self._scroll()
        else:
            # Somebody has scrolled since.
            self.deleteLater()

    def _scroll(self) -> None:
        if self._inside is not None:
            bar = self._area.verticalScrollBar()
            bar.setValue(self._widget.mapTo(self._inside, QPoint(0, 0)).y() - ROOM)
            self._at = bar.value()
            self._quiet.start()


def _scroll_to(widget: QWidget) -> None:
    for area in areas_around(widget):
        inside = area.widget() if isinstance(area, QScrollArea) else None
        if inside is None or not widget.isVisible():
            continue
        bar, high = area.verticalScrollBar(), area.viewport().height()
        top = widget.mapTo(inside, QPoint(0, 0)).y()
        at = max(bar.value(), top + widget.height() + ROOM - high)
        bar.setValue(min(at, top - ROOM))


class FocusRing(QWidget):
    """Follows the focus as soon as the keyboard moves it; a press of the mouse needs no ring.

    A dialog gets a ring of its own when the focus first comes into it, and shows where it is from the start.

    The ring of the window holds those of the dialogs. A dialog may be made by Qt itself (the file dialog asks whether
    a file is to be replaced), and then its wrapper and that of the ring in it hold nothing but each other: the garbage
    collector would empty a ring that still follows the focus. A child of a widget is held by the wrapper of that
    widget, no longer.

    Attributes
    ----------
    by_keyboard
        Whether the keyboard moved the focus last; the window sets it on Tab and F6.
    """

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme, self._window = theme, window
        self._target: QWidget | None = None
        self.by_keyboard = False
        self._areas: list[QAbstractScrollArea] = []
        self._around: list[QWidget] = []
        self._in_dialogs: list[FocusRing] = []
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        application().focusChanged.connect(self.follow)
        theme.changed.connect(self.update)

    @property
    def target(self) -> QWidget | None:
        """The control inside the ring, or None."""
        return self._target if self.isVisible() else None

    def go_to(self, control: QWidget) -> None:
        """Put the keyboard on a control, as Tab does."""
        self.by_keyboard = True
        control.setFocus(Qt.FocusReason.TabFocusReason)

    @Slot(QWidget, QWidget)
    def follow(self, old: QWidget | None, new: QWidget | None) -> None:
        """Go where the focus goes."""
        del old
        if self._target is not None:
            self._target = None
        # What was made anew with other data, such as the ticks of categories, is gone by now.
        around, self._around = [widget for widget in self._around if isValid(widget)], []
        areas, self._areas = [area for area in self._areas if isValid(area)], []
        for widget in around:
            widget.removeEventFilter(self)
        for area in areas:
            area.verticalScrollBar().valueChanged.disconnect(self._place)
        if QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self.by_keyboard = False
        elif isinstance(self._window, QDialog):
            self.by_keyboard = True
        else:
            self._ring_dialog_of(new)
        if new is None or not self.by_keyboard or new.window() is not self._window or new is self._window:
            self.hide()
            return
        self._target = new
        # What stands around it may move it as well: an error that comes up pushes everything down.
        self._around = [new, *_parents(new, self._window)]
        for widget in self._around:
            widget.installEventFilter(self)
        self._areas = areas_around(new)
        for area in self._areas:
            area.verticalScrollBar().valueChanged.connect(self._place)
        self._place()

    def _ring_dialog_of(self, control: QWidget | None) -> None:
        window = None if control is None else control.window()
        if isinstance(window, QDialog) and window.findChild(FocusRing) is None:
            ring = FocusRing(self._theme, window)
            self._in_dialogs = [*(one for one in self._in_dialogs if isValid(one)), ring]
            ring.follow(None, control)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move along with the control."""
        if watched is self._target:
            if event.type() in {QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.ParentChange}:
                self._place()
            elif event.type() in {QEvent.Type.Hide, QEvent.Type.Destroy, QEvent.Type.MouseButtonPress}:
                self.hide()
        elif event.type() in {QEvent.Type.Move, QEvent.Type.Resize} and watched in self._around:
            self._place()
        return False

    @Slot()
    def _place(self) -> None:
        target = self._target
        # A control can be moved into another window while it has the focus.
        if target is None or not isValid(target) or not target.isVisible() or not self._window.isAncestorOf(target):
            self.hide()
            return
        corner = target.mapTo(self._window, target.rect().topLeft())
        self.setGeometry(
            corner.x() - OUTSIDE, corner.y() - OUTSIDE, target.width() + 2 * OUTSIDE, target.height() + 2 * OUTSIDE
        )
        seen = QRegion(self.rect())
        for area in self._areas:
            view = area.viewport()
            room = view.rect().translated(view.mapTo(self._window, view.rect().topLeft()) - self.pos())
            seen &= QRegion(self._with_edge(room))
        self.setMask(seen)
        self.raise_()
        self.setVisible(not seen.isEmpty())

    def _with_edge(self, room: QRect) -> QRect:
        """What may be drawn around the view of an area: on a side where the control is whole, its ring is as well."""
        held = self.rect().adjusted(OUTSIDE, OUTSIDE, -OUTSIDE, -OUTSIDE)
        left, top = held.left() >= room.left(), held.top() >= room.top()
        right, bottom = held.right() <= room.right(), held.bottom() <= room.bottom()
        return room.adjusted(-OUTSIDE * left, -OUTSIDE * top, OUTSIDE * right, OUTSIDE * bottom)

    def paintEvent(self, event: object) -> None:
        """Draw the ring."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.colour("accent"), 2))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 7, 7)
        painter.end()


def _parents(widget: QWidget, window: QWidget) -> list[QWidget]:
    """What a widget stands in, up to the window."""
    items = []
    parent = widget.parentWidget()
    while parent is not None and parent is not window:
        items.append(parent)
        parent = parent.parentWidget()
    return items
