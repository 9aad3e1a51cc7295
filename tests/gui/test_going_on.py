"""A run that was cancelled and is asked for again goes on from where it was, and ends as if it had never stopped."""

from threading import Event

import numpy as np

from tapdesk.gui.shell import session as session_module
from tapdesk.progress import Step, finish
from tapdesk.studies.analysis import analyse
from tests.gui.conftest import FEW, LONG
from tests.gui.listening import Listener


def counting(log, total=5, hold=None, at=3):
    """Steps, written down as they are made; held before one of them."""
    for i in range(total):
        if hold is not None and i == at:
            hold.wait(10)
        log.append(i)
        yield Step(i + 1, total, "count")
    return sum(log)


def stopped(job, qtbot, run):
    """The run, cancelled after its third step while it works on its fourth."""
    heard = Listener(job)
    job.start(run)
    qtbot.waitUntil(lambda: len(heard.steps) > 0)
    job.cancel()
    assert heard.endings == [("cancelled", None)]
    return job.stopped, heard


def test_a_run_gone_on_with_makes_no_step_twice_and_none_is_left_out(job, qtbot):
    log, gate = [], Event()
    drive, heard = stopped(job, qtbot, counting(log, hold=gate))
    # Asked for again while the thread before still works on a step: it is waited for.
    job.go_on(drive)
    gate.set()
    qtbot.waitUntil(lambda: len(heard.endings) == 2, timeout=LONG)
    assert heard.endings[-1] == ("done", 10)
    assert log == list(range(5))
    assert heard.steps[-1].done == 5
    assert job.resumed


def test_a_run_that_came_to_its_end_as_it_was_cancelled_gives_its_result_when_gone_on_with(job, qtbot):
    log, gate = [], Event()
    drive, heard = stopped(job, qtbot, counting(log, 4, gate))
    gate.set()
    job.wait(LONG)
    while drive.step() is not None:
        pass
    job.go_on(drive)
    qtbot.waitUntil(lambda: len(heard.endings) == 2, timeout=LONG)
    assert heard.endings[-1] == ("done", 6)


def test_a_mistake_made_as_it_was_cancelled_is_told_when_gone_on_with(job, qtbot):
    gate = Event()

    def wrong():
        yield Step(0, 1, "count")
        gate.wait(10)
        raise ZeroDivisionError("a mistake")

    drive, heard = stopped(job, qtbot, wrong())
    gate.set()
    job.go_on(drive)
    qtbot.waitUntil(lambda: len(heard.endings) == 2, timeout=LONG)
    assert heard.endings[-1][0] == "failed"


def test_cancel_keeps_what_is_finished_and_run_goes_on_to_the_answer_of_a_run_never_cancelled(jury, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", FEW)
    session, gate, reached, begun = jury.session, Event(), Event(), []

    def held(ratings, request):
        begun.append(request)
        run = analyse(ratings, request)
        while True:
            try:
                step = next(run)
            except StopIteration as end:
                return end.value
            if step.phase == "re-draws":
                reached.set()
                # Steps go on meanwhile: a worker tells of them now and then, and what is held would never be seen.
                while not gate.wait(0.01):
                    yield step
            yield step

    monkeypatch.setattr(session_module, "analyse", held)
    jury.run()
    running = jury.model.running
    qtbot.waitUntil(lambda: reached.is_set() and running.bar.value() > 0, timeout=LONG)
    session.cancel()
    assert running.title.text() == "Cancelled"
    assert "Run goes on from where this stopped" in running.foot.text()
    bar = running.bar.value()
    assert bar > 0
    # Other choices begin anew; the first ones go on.
    session.choose(seed=2)
    qtbot.waitUntil(lambda: session.ready, timeout=LONG)
    assert not session.goes_on
    session.choose(seed=1)
    qtbot.waitUntil(lambda: session.ready, timeout=LONG)
    with qtbot.waitSignal(session.fitting.done, timeout=LONG):
        jury.run()
        assert running.bar.value() >= bar
        gate.set()
    assert len(begun) == 1
    fit = session.document.analysis.fit
    whole = finish(analyse(session.document.ratings, begun[0]))
    assert [e.estimate for e in fit.estimates] == [e.estimate for e in whole.estimates]
    for name, values in whole.draws.values.items():
        assert np.array_equal(fit.draws.values[name], values)
    assert not session.goes_on
