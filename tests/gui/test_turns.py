"""What a run and its end change is drawn in turns of the event loop, and only where something changes."""

import time

from PySide6.QtCore import QObject, QTimer, Slot

from tapdesk.gui.runs.gui_priority import GUI_PRIORITY
from tapdesk.gui.runs.job import Job
from tapdesk.progress import Step


class Turns(QObject):
    """Counts the turns of the event loop: a timer of no time is called once in each."""

    def __init__(self):
        super().__init__()
        self.count = 0
        self.timer = QTimer(self)
        self.timer.timeout.connect(self.beat)
        self.timer.start(0)

    @Slot()
    def beat(self):
        self.count += 1


def test_what_is_drawn_later_is_drawn_in_a_turn_of_its_own_however_much_is_asked_for_at_once(qtbot):
    turns, drawn = Turns(), []
    for name in "abc":
        GUI_PRIORITY.later(turns, lambda name=name: drawn.append((name, turns.count)))
    qtbot.waitUntil(lambda: len(drawn) == 3)
    assert sorted(name for name, _turn in drawn) == ["a", "b", "c"]
    assert len({turn for _name, turn in drawn}) == 3


def test_what_is_gone_by_then_is_not_drawn(qtbot):
    gone, stays, drawn = QObject(), QObject(), []
    GUI_PRIORITY.later(gone, lambda: drawn.append("gone"))
    GUI_PRIORITY.later(stays, lambda: drawn.append("stays"))
    gone.deleteLater()
    qtbot.waitUntil(lambda: bool(drawn))
    qtbot.wait(60)
    assert drawn == ["stays"]


def test_words_of_the_user_leave_the_checks_of_the_dataset_as_they_are(jury):
    box = jury.dataset.checks.rows.box
    before = [box.itemAt(i).widget() for i in range(box.count())]
    assert before
    jury.session.document.note("summary", "As the committee asked.", "Summary")
    assert [box.itemAt(i).widget() for i in range(box.count())] == before


def test_chips_and_checks_of_a_large_file_come_in_later_turns_or_when_they_are_asked_for(window, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.dataset.dataset_pane.MANY", 1)
    pane = window.dataset
    with qtbot.waitSignal(window.session.reading.done, timeout=240_000):
        window.open_sample("jury")
    assert not pane.updatesEnabled()
    assert "layout" in pane.chips.chips
    assert pane.checks.words.text()
    qtbot.waitUntil(pane.updatesEnabled)
    # Of the next file nobody asks: they are there when the pane is drawn.
    with qtbot.waitSignal(window.session.reading.done, timeout=240_000):
        window.open_sample("wine-cut1")
    reading = window.session.document.project.reading
    assert pane.chips._reading is not reading
    qtbot.waitUntil(pane.updatesEnabled)
    assert pane.chips._reading is reading


def test_a_chip_of_the_file_before_decides_nothing_about_the_next(jury, qtbot):
    chips, project = jury.dataset.chips, jury.session.document.project
    acts = [act for act in chips.chips["layout"]._menu.actions() if act.isCheckable() and not act.isChecked()]
    chips.later.hold(project)
    acts[0].trigger()
    assert not jury.session.reading.running
    chips.later.catch_up()
    with qtbot.waitSignal(jury.session.reading.started, timeout=240_000):
        acts[0].trigger()
    jury.session.reading.cancel()


def stepping(made):
    while True:
        time.sleep(0.001)
        made.append(time.monotonic())
        yield Step(len(made), 0, "step")


def steps_while_the_window_is_busy(qtbot, seconds):
    """The times of the steps a computation made after the window had been busy for 50 ms, from then on."""
    made, job = [], Job()
    job.start(stepping(made))
    qtbot.waitUntil(lambda: len(made) > 20)
    began = time.monotonic()
    time.sleep(seconds)  # as long as Qt paints or deletes what the window did not announce
    ended = time.monotonic()
    job.cancel()
    assert job.wait(10_000)
    return [at - began for at in made if began + 0.05 < at < ended]


def test_a_computation_waits_for_a_window_that_does_not_come_round(qtbot):
    assert len(steps_while_the_window_is_busy(qtbot, 0.15)) <= 1


def test_a_window_that_stands_still_is_not_waited_for_again_and_again(qtbot):
    steps = steps_while_the_window_is_busy(qtbot, 1.0)
    assert len([at for at in steps if at > 0.4]) > 50
