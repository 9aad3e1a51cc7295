"""Where the keyboard goes between rail, panes and their parts, and how what is opened comes into view."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QAbstractScrollArea, QScrollArea, QWidget

ROOM = 12  # pixels left free above and below what is brought into view


def next_control(by: int, at: QWidget | None, rail: QWidget, step: QWidget, pane: QWidget) -> QWidget | None:
    """The control to go to, ``by`` areas on from where the focus is: the step of the rail, or the first of the pane."""
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
    after = widget.nextInFocusChain()
    after.setParent(after.parentWidget())
    return after


def tab_through(parts: Sequence[QWidget]) -> None:
    """Have Tab go through the controls of several parts of a window, one part after the other.

    They begin where the first control of any of them is reached now; within a part nothing changes. A part may hold
    an earlier one: what is left of it comes then.
    """
    found: dict[int, list[QWidget]] = {i: [] for i in range(len(parts))}
    at = begin = parts[0].window()
    before: QWidget | None = None
    while True:
        home = next((i for i, part in enumerate(parts) if part is at or part.isAncestorOf(at)), None)
        # What holds no focus itself would take others with it.
        if at.focusPolicy() & Qt.FocusPolicy.TabFocus:
            if home is not None:
                found[home].append(at)
            elif not any(found.values()):
                before = at
        at = next_in_chain(at)
        if at is begin:
            break
    for control in (one for row in found.values() for one in row):
        if before is not None:
            QWidget.setTabOrder(before, control)
        before = control


def areas_around(widget: QWidget) -> list[QAbstractScrollArea]:
    """The scroll areas a widget scrolls in, the inner one first.

    They end with its window: a dialog belongs to the part of the program that opened it, but does not scroll with it.
    """
    found = []
    at = widget
    while not at.isWindow() and (parent := at.parentWidget()) is not None:
        if isinstance(parent, QAbstractScrollArea):
            found.append(parent)
        at = parent
    return found


def rolls(widget: QWidget, *, down: bool) -> bool:
    """Whether a page around a widget has more to show in this direction."""
    bars = [area.verticalScrollBar() for area in areas_around(widget)]
    return any(bar.value() < bar.maximum() if down else bar.value() > bar.minimum() for bar in bars)


def bring_into_view(widget: QWidget) -> None:
    """Scroll so far that a widget is seen, its top first, as soon as it has its place."""
    QTimer.singleShot(0, widget, lambda: _scroll_to(widget))


def _scroll_to(widget: QWidget) -> None:
    for area in areas_around(widget):
        inside = area.widget() if isinstance(area, QScrollArea) else None
        if inside is None or not widget.isVisible():
            continue
        bar, high = area.verticalScrollBar(), area.viewport().height()
        top = widget.mapTo(inside, QPoint(0, 0)).y()
        at = max(bar.value(), top + widget.height() + ROOM - high)
        bar.setValue(min(at, top - ROOM))
