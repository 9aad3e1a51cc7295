"""A choice of class 1 in very large data: made beside the window, tick by tick, and never about other data."""

from threading import Event

import pytest
from PySide6.QtCore import Qt

from tapdesk.errors import TapdeskError
from tapdesk.gui.shell import session as session_module
from tapdesk.progress import Step

LONG = 240_000


@pytest.fixture
def held(monkeypatch):
    """Every choice is made beside the window, and waits at a gate."""
    gate, made = Event(), session_module._decided

    def waiting(before, labels, words):
        while not gate.wait(0.005):
            yield Step(0, 1, "class 1")
        return (yield from made(before, labels, words))

    monkeypatch.setattr(session_module, "SMALL", 0)
    monkeypatch.setattr(session_module, "_decided", waiting)
    yield gate
    gate.set()


def chips(window):
    return {chip.accessibleName(): chip for chip in window.model.choices._chips()}


def chosen(window):
    return {name for name, chip in chips(window).items() if chip.isChecked()}


def test_ticks_show_at_once_and_a_second_tick_adds_to_the_first(jury, qtbot, held):
    jury.go(1)
    assert chosen(jury) == {"no medal", "bronze"}
    qtbot.mouseClick(chips(jury)["bronze"], Qt.MouseButton.LeftButton)
    assert chosen(jury) == {"no medal"}
    assert not jury.model.run.isEnabled()
    qtbot.mouseClick(chips(jury)["gold"], Qt.MouseButton.LeftButton)
    assert chosen(jury) == {"no medal", "gold"}
    assert jury.session.document.project.class1 == ("no medal", "bronze")
    held.set()
    qtbot.waitUntil(lambda: jury.session.ready, timeout=LONG)
    assert jury.session.document.project.class1 == ("no medal", "gold")
    assert jury.model.run.isEnabled()
    jury.session.document.undo_stack.undo()
    assert jury.session.document.project.class1 == ("no medal", "bronze")


def test_words_written_meanwhile_stay(jury, qtbot, held):
    jury.session.choose_class1(("gold",))
    jury.session.document.note("comment.results", "Written while it ran.", "results")
    held.set()
    qtbot.waitUntil(lambda: jury.session.ready, timeout=LONG)
    assert jury.session.document.project.class1 == ("gold",)
    assert jury.session.document.project.notes["comment.results"] == "Written while it ran."


def test_a_choice_about_data_that_are_no_longer_open_is_dropped(jury, qtbot, held):
    jury.session.choose_class1(("gold",))
    with qtbot.waitSignal(jury.session.reading.done, timeout=LONG):
        jury.open_sample("fleiss-1971")
    held.set()
    qtbot.waitUntil(lambda: jury.session.ready, timeout=LONG)
    assert jury.session.document.project.class1 is None


def test_a_choice_that_cannot_be_is_told_and_the_ticks_go_back(jury, qtbot, monkeypatch):
    def refusing(_before, _labels, _words):
        yield Step(0, 1, "class 1")
        raise TapdeskError("That is every category there is.")

    monkeypatch.setattr(session_module, "SMALL", 0)
    monkeypatch.setattr(session_module, "_decided", refusing)
    jury.go(1)
    with qtbot.waitSignal(jury.session.problem, timeout=LONG):
        jury.session.choose_class1(("gold",))
    assert chosen(jury) == {"no medal", "bronze"}
    assert jury.session.class_choice.wanted is None
