"""Random use of the window: clicks, keys, drops, sizes, menus, drawn from a seed and counted."""

import gc
import random

from PySide6.QtCore import QMimeData, QObject, QPoint, QPointF, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QContextMenuEvent, QDropEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QFileDialog, QMenu, QWidget
from shiboken6 import isValid

CTRL, SHIFT, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier(0)
PLAIN = "Tab Return Space Escape F1 Up Down Left Right Delete A 7 Menu F2 F3 F6 F8"
WITH_CTRL = "1 2 3 4 Z Y O S R F C V D E P Plus Minus 0 Period"
KEYS = tuple(
    (getattr(Qt.Key, f"Key_{name}"), held)
    for names, held in ((PLAIN, NONE), (WITH_CTRL, CTRL), ("A S W Z", CTRL | SHIFT), ("Tab", SHIFT))
    for name in names.split()
)


class Monkey(QObject):
    """Does so many acts, one for each turn of whatever event loop runs; what it did is in ``acts``.

    Parameters
    ----------
    files
        What it drops on the window.
    """

    def __init__(self, window, seed, files):
        super().__init__(window)
        self._window, self._random, self._files = window, random.Random(seed), files
        self._left = -1
        self.acts = []
        # What an act has begun in a thread may open a dialog after the last act, where nobody is to close it.
        self._closing = QTimer(self, interval=20)
        self._closing.timeout.connect(self._close)
        self._closing.start()

    def play(self, acts):
        """Do so many acts, and close what they left open."""
        self._left = acts
        QTimer.singleShot(0, self, self._act)
        while self._left >= 0:
            QApplication.processEvents()
        for _ in range(20):
            if self._top() is self._window:
                break
            self._leave(self._top())
            QApplication.processEvents()

    def _top(self):
        """What takes mouse and keyboard now."""
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or self._other() or self._window

    def _other(self):
        """A window beside ours, now and then."""
        rows = [
            top
            for top in QApplication.topLevelWidgets()
            if isinstance(top, QDialog) and top.isVisible() and top is not self._window
        ]
        return self._random.choice(rows) if rows and self._random.random() < 0.7 else None

    def _leave(self, top):
        if isinstance(top, QDialog):
            top.reject()
        else:
            top.close()

    @Slot()
    def _close(self):
        top = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if self._left < 0 and top is not None:
            self._leave(top)

    @Slot()
    def _act(self):
        top = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if self._left > 0 or top is not None:
            # Before the act, which may open a dialog and come back when it is closed; a timer would wait for it.
            QTimer.singleShot(0, self, self._act)
        if self._left <= 0:
            self._left = 0 if top is not None else -1
            if top is not None:
                self._leave(top)
            return
        self._left -= 1
        if self._left % 20 == 0:
            gc.collect()
        top = self._top()
        # A file dialog can rename and delete files of this machine; a printer prints.
        if isinstance(top, QFileDialog) or top.metaObject().className() == "QPrintDialog":
            do = self._random.choices((self._leave, self._tab), (1, 4))[0]
        else:
            acts = (
                self._click,
                self._button,
                self._key,
                self._menu,
                self._size,
                self._drop,
                self._wheel,
                self._context,
            )
            do = self._random.choices(acts, (6, 10, 12, 3, 1, 1, 3, 2))[0]
        self.acts.append(f"{do.__name__} in {top.metaObject().className()}")
        do(top)

    def _tab(self, top):
        QTest.keyClick(QApplication.focusWidget() or top, Qt.Key.Key_Tab)

    def _spot(self, widget):
        return QPoint(self._random.randrange(max(widget.width(), 1)), self._random.randrange(max(widget.height(), 1)))

    def _click(self, top):
        at = self._spot(top)
        under = top.childAt(at) or top
        QTest.mouseClick(under, Qt.MouseButton.LeftButton, pos=under.mapFrom(top, at))

    def _button(self, top):
        rows = [b for b in top.findChildren(QAbstractButton) if b.isVisible() and b.isEnabled() and b.window() is top]
        if rows:
            one = self._random.choice(rows)
            self.acts[-1] += f": {one.accessibleName() or one.text()}"
            QTest.mouseClick(one, Qt.MouseButton.LeftButton)

    def _key(self, top):
        key, held = self._random.choice(KEYS)
        at = QApplication.focusWidget()
        self.acts[-1] += f": {held} {key}"
        QTest.keyClick(at if at is not None and at.window() is top else top, key, held)

    def _menu(self, top):
        if isinstance(top, QMenu):
            rows = [row for row in top.actions() if row.isEnabled() and not row.isSeparator()]
            if rows:
                row = self._random.choice(rows)
                if row is not self._window.actions_["quit"]:
                    QTest.mouseClick(top, Qt.MouseButton.LeftButton, pos=top.actionGeometry(row).center())
        else:
            bar = self._window.menuBar()
            row = self._random.choice(bar.actions())
            if bar.isEnabled() and top is self._window:
                row.menu().popup(self._window.mapToGlobal(QPoint(20, 20)))

    def _size(self, _top):
        self._window.resize(self._random.randrange(720, 1700), self._random.randrange(480, 1100))

    def _drop(self, top):
        if top is not self._window:
            return
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(self._random.choice(self._files)))])
        at = QPointF(self._spot(self._window))
        event = QDropEvent(at, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, NONE)
        QApplication.sendEvent(self._window, event)

    def _wheel(self, top):
        at = self._spot(top)
        under = top.childAt(at) or top
        here, turn = QPointF(under.mapFrom(top, at)), QPoint(0, self._random.choice((-360, -120, 120, 360)))
        buttons, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
        event = QWheelEvent(here, QPointF(top.mapToGlobal(at)), QPoint(), turn, buttons, NONE, phase, False)
        QApplication.sendEvent(under, event)

    def _context(self, top):
        at = self._spot(top)
        under: QWidget = top.childAt(at) or top
        if isValid(under):
            event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, under.mapFrom(top, at), top.mapToGlobal(at))
            QApplication.sendEvent(under, event)
