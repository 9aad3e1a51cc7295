import threading
import time

import pytest
from PySide6.QtCore import QThread, Slot

from tapdesk.gui.runs.gui_priority import GUI_PRIORITY
from tapdesk.gui.runs.job import Job, Worker
from tapdesk.progress import Step
from tests.gui.listening import OfOneRun


def counting(total, pause=0.0):
    for i in range(total):
        if pause:
            time.sleep(pause)
        yield Step(i + 1, total, "count")
    return total


def failing():
    yield Step(1, 2, "count")
    raise ZeroDivisionError("a mistake")


def finished(worker, qtbot):
    # The event loop turns meanwhile: a window of an earlier test may still be drawing, and computations give way to it.
    qtbot.waitUntil(worker.isFinished, timeout=240_000)
    qtbot.wait(20)


def test_a_finished_run_gives_every_step_and_then_its_result(qtbot):
    worker = Worker(counting(5000))
    heard = OfOneRun(worker)
    worker.start()
    finished(worker, qtbot)
    assert [s.done for s in heard.steps] == list(range(1, 5001))
    assert heard.endings == [("done", 5000)]


def test_what_a_run_raises_is_passed_on_after_its_last_steps(qtbot):
    worker = Worker(failing())
    heard = OfOneRun(worker)
    worker.start()
    finished(worker, qtbot)
    assert [s.done for s in heard.steps] == [1]
    assert len(heard.endings) == 1
    kind, error = heard.endings[0]
    assert kind == "failed"
    assert isinstance(error, ZeroDivisionError)


def test_an_interrupted_run_is_closed_in_its_own_thread_and_ends_once(qtbot):
    closed = []

    def endless():
        try:
            while True:
                time.sleep(0.001)
                yield Step(0, 0, "wait")
        finally:
            closed.append(threading.get_ident())

    worker = Worker(endless())
    heard = OfOneRun(worker)
    worker.start()
    qtbot.waitUntil(lambda: bool(heard.steps))
    worker.requestInterruption()
    finished(worker, qtbot)
    assert [kind for kind, _ in heard.endings] == ["cancelled"]
    assert closed
    assert closed[0] != threading.get_ident()


def test_a_mistake_while_closing_an_interrupted_run_is_a_failure_and_no_silence(qtbot):
    def stubborn():
        try:
            while True:
                time.sleep(0.001)
                yield Step(0, 0, "wait")
        finally:
            raise ValueError("cannot close")

    worker = Worker(stubborn())
    heard = OfOneRun(worker)
    worker.start()
    qtbot.waitUntil(lambda: bool(heard.steps))
    worker.requestInterruption()
    finished(worker, qtbot)
    assert [kind for kind, _ in heard.endings] == ["failed"]


def test_steps_arrive_in_the_thread_of_the_window_at_most_twenty_times_a_second(qtbot):
    worker = Worker(counting(600, pause=0.001))
    heard = OfOneRun(worker)
    began = time.monotonic()
    worker.start()
    finished(worker, qtbot)
    spent = time.monotonic() - began
    assert heard.threads == {QThread.currentThread()}
    assert len(heard.steps) == 600
    # The first batch goes out at once and the last one is flushed.
    assert len(heard.batches) <= spent * 20 + 2


def test_a_run_goes_on_although_the_window_draws_each_of_its_batches_for_long(qtbot):
    class Slow(OfOneRun):
        @Slot(object)
        def on_stepped(self, steps):
            super().on_stepped(steps)
            with GUI_PRIORITY.going():
                time.sleep(0.1)

    worker = Worker(counting(300, pause=0.001))
    heard = Slow(worker)
    worker.start()
    qtbot.waitUntil(lambda: bool(heard.endings), timeout=240_000)
    assert len(heard.steps) == 300
    # Not one step for each picture: the first may be alone, the others are those of fifty milliseconds.
    assert len(heard.batches) < 60


def test_a_cancelled_job_answers_at_once_although_its_thread_is_in_a_long_step(qtbot):
    job = Job()
    heard = OfOneRun(job)

    def slow():
        yield Step(0, 1, "slow")
        time.sleep(0.5)
        yield Step(1, 1, "slow")
        return "late"

    job.start(slow())
    qtbot.waitUntil(lambda: bool(heard.steps))
    job.cancel()
    assert heard.endings == [("cancelled", None)]
    assert not job.running
    # The thread is still in its step: nobody waited for it.
    assert not job.wait(0)
    assert job.wait(5000)
    qtbot.wait(50)
    assert heard.endings == [("cancelled", None)]


def test_the_late_result_of_a_replaced_run_is_dropped(qtbot):
    job = Job()
    heard = OfOneRun(job)
    job.start(counting(200, pause=0.002))
    qtbot.waitUntil(lambda: bool(heard.steps))
    job.start(iter_of("new"))
    qtbot.waitUntil(lambda: bool(heard.endings))
    assert job.wait(5000)
    qtbot.wait(50)
    assert heard.endings == [("done", "new")]


def iter_of(result):
    yield Step(1, 1, "quick")
    return result


@pytest.mark.parametrize("ending", ["done", "failed"])
def test_a_job_is_free_again_after_its_run_has_ended(qtbot, ending):
    job = Job()
    heard = OfOneRun(job)
    job.start(iter_of(1) if ending == "done" else failing())
    qtbot.waitUntil(lambda: bool(heard.endings))
    assert heard.endings[0][0] == ending
    assert not job.running
    job.cancel()
    assert len(heard.endings) == 1
    assert job.wait(5000)
