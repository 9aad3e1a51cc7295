"""Whatever the program can open, found by walking what is there, and held open while garbage is collected."""

import gc
import inspect
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QContextMenuEvent, QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QDialog,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

from tapdesk.errors import TapdeskError
from tapdesk.gui.shell import dialogs
from tapdesk.project.external_change import ExternalChangeError
from tapdesk.project.files.locks import OpenElsewhereError
from tapdesk.project.files.outputs import InTheWayError

# As they are before a test answers them by itself.
QUESTIONS = {
    f"{module.__name__}.{name}": call
    for module in (dialogs, dialogs)
    for name, call in vars(module).items()
    if inspect.isfunction(call)
    and call.__module__ == module.__name__
    and not name.startswith("_")
    and next(iter(inspect.signature(call).parameters)) == "parent"
    # What saves something asks by questions that stand here themselves.
    and "outputs" not in inspect.signature(call).parameters
}
ANSWERS = {
    "name": "ward",
    "suggestion": "ward.tapdesk",
    "title": "A question",
    "words": "What is it?",
    "text": "a text",
    "rows": ("one", "two"),
    "label": "a label",
    "kinds": "All files (*)",
    "place": str(Path.home() / "ward.csv"),
}
WARD = Path("ward.tapdesk")
ERRORS = {
    TapdeskError: (ExternalChangeError(WARD),),
    InTheWayError: tuple(InTheWayError((WARD,) * n, "It was issued.") for n in (1, 2)),
    OpenElsewhereError: tuple(OpenElsewhereError(WARD, None, certain=certain) for certain in (True, False)),
}


class Holding(QObject):
    """Opens something and leaves it open through so many collections, with a turn of the event loop between them.

    What is opened may be executed: then all of this happens inside its own event loop. What was there before was
    collected without loss a moment ago, and is looked through again by the last so many collections only.
    """

    def __init__(self, window, times, whole):
        super().__init__(window)
        self._window, self._times, self._whole = window, times, whole
        self._turns = 0
        self.seen, self.asking = [], []
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._turn)

    def hold(self, name, act):
        """Do what opens something; returns the classes of what was opened.

        The rows of an opened menu that open something more are in ``asking`` then.
        """
        self._turns, self.seen, self.asking = 0, [], []
        gc.freeze()
        self._timer.start(0)
        act()
        while self._turns < self._times and self.opened():
            QApplication.processEvents()
        self._timer.stop()
        gc.unfreeze()
        self.close()
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        return tuple(f"{name}: {kind}" for kind in dict.fromkeys(self.seen))

    def opened(self):
        """What is open beside the window."""
        return [
            top
            for top in QApplication.topLevelWidgets()
            if top is not self._window and top.isVisible() and isinstance(top, QDialog | QMenu | QWidget)
        ]

    @Slot()
    def _turn(self):
        tops = self.opened()
        if not tops:
            return
        self._turns += 1
        if self._turns == 1:
            self.asking = [row.text() for top in tops if isinstance(top, QMenu) for row in asking_rows(top)]
        if self._turns > self._times - self._whole:
            gc.unfreeze()
        self.seen += [top.metaObject().className() for top in tops]
        gc.collect()
        at = QApplication.focusWidget()
        # Tab only: what is opened must not be left by it.
        if at is not None and self._turns % 7 == 0 and QApplication.activePopupWidget() is None:
            QTest.keyClick(at, Qt.Key.Key_Tab)
        if self._turns >= self._times:
            self.close()

    def close(self):
        """Close all that is open, as Escape does."""
        while (popup := QApplication.activePopupWidget()) is not None:
            QTest.keyClick(popup, Qt.Key.Key_Escape)
            if isValid(popup) and popup.isVisible():
                popup.close()
        for top in self.opened():
            if isValid(top):
                top.reject() if isinstance(top, QDialog) else top.hide()


def rows_of(menu):
    """Every row of a menu and of the menus in it."""
    for row in menu.actions():
        if row.menu() is not None:
            yield from rows_of(row.menu())
        elif not row.isSeparator():
            yield row


def asking_rows(menu):
    """The rows of a menu that can be chosen now and open a dialog."""
    return [row for row in rows_of(menu) if row.text().endswith("…") and row.isEnabled()]


def chosen(act, words):
    """Open a menu and choose a row of it: the menu closes first, as under the mouse."""
    act()
    menu = QApplication.activePopupWidget()
    (row,) = [row for row in asking_rows(menu) if row.text() == words]
    menu.close()
    row.trigger()


def menu_openings(window):
    """Menus of the bar, and every action in them, but what ends the window or the run under which they are opened."""
    ends = [window.actions_[name] for name in ("quit", "cancel")]
    for top in window.menuBar().actions():
        menu = top.menu()
        yield f"menu {menu.title()}", lambda menu=menu: menu.popup(QPoint(50, 50))
        for row in rows_of(menu):
            if row not in ends:
                yield f"{menu.title()} > {row.text()}", row.trigger


def pane_openings(window):
    """In the pane that is seen: chips, buttons that open something, lists, context menus."""
    for one in window.findChildren(QWidget):
        if not isValid(one) or not one.isVisible() or not one.isEnabled() or one.window() is not window:
            continue
        words = one.accessibleName() or one.metaObject().className()
        opens = getattr(one, "_menu", None) is not None or (
            isinstance(one, QPushButton | QToolButton) and one.menu() is not None
        )
        if isinstance(one, QAbstractButton) and (opens or one.text().endswith("…")):
            yield f"button {words}", lambda one=one: pressed(one)
        if isinstance(one, QComboBox):
            yield f"list {words}", one.showPopup
        own = "contextMenuEvent" in {name for part in type(one).__mro__ for name in vars(part) if ours(part)}
        if own or one.contextMenuPolicy() is Qt.ContextMenuPolicy.CustomContextMenu:
            yield f"context {words}", lambda one=one: asked(one)


def ours(kind):
    return kind.__module__.startswith("tapdesk.")


def pressed(one):
    # A button with a menu shows it inside of the click.
    if isinstance(one, QPushButton) and one.menu() is not None:
        one.menu().popup(one.mapToGlobal(QPoint(0, 0)))
    else:
        one.click()


def asked(one):
    """The other button of the mouse near the upper left of a widget, where its first cell is."""
    area = one.viewport() if isinstance(one, QAbstractScrollArea) else one
    at = QPoint(area.width() // 2, min(area.height() // 2, 60))
    QCursor.setPos(area.mapToGlobal(at))
    QApplication.sendEvent(area, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, area.mapToGlobal(at)))


def question_openings(window):
    """Every question the program has, asked as it is asked, about every error it may be asked about."""
    for name, call in QUESTIONS.items():
        wanted = [p for p in inspect.signature(call).parameters.values() if p.default is inspect.Parameter.empty]
        errors = next((ERRORS[p.annotation] for p in wanted if p.name == "error"), (None,))
        for error in errors:
            known = {**ANSWERS, "parent": window, "error": error}
            arguments = [known[p.name] for p in wanted]
            yield name, lambda call=call, arguments=arguments: call(*arguments)
