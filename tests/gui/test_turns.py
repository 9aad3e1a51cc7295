"""What a run and its end change is drawn in turns of the event loop, and only where something changes."""

from PySide6.QtCore import QObject, QTimer, Slot

from tapdesk.gui.running.courtesy import FIRST


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
        FIRST.later(turns, lambda name=name: drawn.append((name, turns.count)))
    qtbot.waitUntil(lambda: len(drawn) == 3)
    assert sorted(name for name, _turn in drawn) == ["a", "b", "c"]
    assert len({turn for _name, turn in drawn}) == 3


def test_what_is_gone_by_then_is_not_drawn(qtbot):
    gone, stays, drawn = QObject(), QObject(), []
    FIRST.later(gone, lambda: drawn.append("gone"))
    FIRST.later(stays, lambda: drawn.append("stays"))
    gone.deleteLater()
    qtbot.waitUntil(lambda: bool(drawn))
    qtbot.wait(60)
    assert drawn == ["stays"]


def test_words_of_the_user_leave_the_checks_of_the_dataset_as_they_are(jury):
    box = jury.dataset.checks.rows.box
    before = [box.itemAt(i).widget() for i in range(box.count())]
    assert before
    jury.desk.document.note("summary", "As the committee asked.", "Summary")
    assert [box.itemAt(i).widget() for i in range(box.count())] == before
