"""A mistake of ours: what is not saved is kept first, one box tells of it, and it can be left."""

import sys

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMenu, QPlainTextEdit

from tapdesk.gui.shell.crash import CrashDialog
from tapdesk.project.files.file import load

LONG = 240_000

# The offscreen platform has menus but no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def mistake():
    return ZeroDivisionError("a mistake of ours")


def another():
    return KeyError("another mistake")


@pytest.fixture
def boxes(window, monkeypatch):
    """The boxes that are shown, for real, each with what is to be done in it."""
    shown, todo = [], []

    def executed(dialog):
        shown.append(dialog)
        act = todo.pop(0) if todo else CrashDialog.reject
        QTimer.singleShot(0, dialog, lambda: act(dialog))
        return QDialog.exec(dialog)

    monkeypatch.setattr(CrashDialog, "exec", executed)
    monkeypatch.setattr(sys, "excepthook", window.catcher.hook)
    window.shown_boxes, window.todo = shown, todo
    return window


def turned(times=30):
    for _ in range(times):
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


class Broken(QLabel):
    """Makes the same mistake whenever it is drawn."""

    def __init__(self, parent):
        super().__init__("x", parent)
        self.drawn = 0

    def event(self, event):
        if event.type() is QEvent.Type.Paint:
            self.drawn += 1
            raise ZeroDivisionError("drawn wrongly")
        return super().event(event)


def test_a_mistake_that_is_made_again_and_again_has_one_box_and_then_a_line(boxes, qtbot):
    broken = Broken(boxes)
    broken.resize(50, 50)
    broken.show()
    for _ in range(10):
        before = broken.drawn
        broken.update()
        qtbot.waitUntil(lambda before=before: broken.drawn > before, timeout=LONG)
        turned(3)
    assert len(boxes.shown_boxes) == 1
    # It is told of all the same, where nothing has to be closed.
    assert boxes.start.error.isVisible() or boxes.dataset.error.isVisible()
    broken.hide()


def test_further_mistakes_stand_below_the_first_one_while_its_box_is_open(boxes):
    texts = []

    def more(dialog):
        boxes.catcher.hook(KeyError, another(), None)
        boxes.catcher.hook(KeyError, another(), None)
        turned(5)
        texts.append(dialog.findChild(QPlainTextEdit).toPlainText())
        dialog.reject()

    boxes.todo.append(more)
    boxes.catcher.hook(ZeroDivisionError, mistake(), None)
    turned()
    assert len(boxes.shown_boxes) == 1
    assert texts[0].count("a mistake of ours") == 1
    assert texts[0].count("KeyError: 'another mistake'") == 1


def test_escape_leaves_the_box_even_where_a_menu_was_open(boxes, qtbot):
    def escape(dialog):
        assert QApplication.activePopupWidget() is None
        qtbot.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Escape)

    boxes.todo.append(escape)
    menu = QMenu(boxes)
    menu.addAction("a row")
    menu.popup(boxes.mapToGlobal(boxes.rect().center()))
    boxes.catcher.hook(ZeroDivisionError, mistake(), None)
    turned()
    assert len(boxes.shown_boxes) == 1
    assert not any(isinstance(top, CrashDialog) and top.isVisible() for top in QApplication.topLevelWidgets())
    assert boxes.catcher._box is None


def test_what_is_not_saved_is_kept_before_the_box_is_shown(boxes, qtbot):
    with qtbot.waitSignal(boxes.session.reading.done, timeout=LONG):
        boxes.open_sample("jury")
    boxes.session.choose_class1(("no medal", "bronze"))
    qtbot.waitUntil(lambda: boxes.session.ready, timeout=LONG)
    boxes.session.document.note("summary", "a word that was typed", "Summary")
    assert boxes.project_file.unsaved
    kept = []

    def look(dialog):
        kept.append(load(boxes.project_file._copy.path))
        dialog.reject()

    boxes.todo.append(look)
    boxes.catcher.hook(ZeroDivisionError, mistake(), None)
    turned()
    (project,) = kept
    assert project.notes == boxes.session.document.project.notes
    assert project.notes


def test_a_copy_that_cannot_be_kept_does_not_hide_the_mistake(boxes):
    def full():
        raise OSError(28, "no room")

    boxes.catcher.keep = full
    boxes.catcher.hook(ZeroDivisionError, mistake(), None)
    turned()
    assert len(boxes.shown_boxes) == 1


def test_the_same_mistake_is_shown_again_where_it_is_asked_for(boxes):
    error = mistake()
    for _ in range(2):
        boxes.session.bug.emit(error)
        turned()
    assert len(boxes.shown_boxes) == 2
