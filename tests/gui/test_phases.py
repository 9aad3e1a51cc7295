"""How far a run has come: its share never falls, and only what came to its end is done."""

import pytest

from tapdesk.gui.model.run_view import RunCourse
from tapdesk.gui.theme.icons import State
from tapdesk.models.model import model
from tapdesk.progress import Step, finish
from tapdesk.studies.analysis import Request, analyse
from tests.studies.examples import panel

PANEL = panel(["t=.4", "a=.7", "p=.4"], 40, 3)


def states(course, *, running=True):
    return [phase.state for phase in course.phases(running=running)]


@pytest.mark.parametrize(
    ("estimator", "request_"),
    [
        ("exact-em", Request(model("t-a-p"), redraws=True, replicates=60)),
        ("exact-em-once", Request(model("t-a-p"), interval="profile")),
        ("moment-em", Request(model("t-a-p"), estimator="moment-em", interval="none")),
    ],
)
def test_the_share_of_a_real_run_never_falls_and_no_phase_after_the_one_that_runs_is_done(estimator, request_):
    course, shares = RunCourse(), []
    course.goes_by(estimator)

    def watch(step):
        if not course.is_behind(step):
            course.take(step)
        shares.append(course.share)
        standing = states(course)
        assert standing == sorted(standing, key=[State.DONE, State.RUNNING, State.EMPTY].index)

    finish(analyse(PANEL, request_), watch)
    assert shares == sorted(shares)
    assert 0 < shares[-1] <= 1
    course.end()
    assert course.share == 1
    assert set(states(course, running=False)) == {State.DONE}


def test_what_was_cut_short_is_not_done():
    course = RunCourse()
    for step in (Step(8, 8, "fit"), Step(1, 1, "check"), Step(1, 3, "intervals")):
        course.take(step)
    assert states(course) == [State.DONE, State.DONE, State.RUNNING, State.EMPTY]
    assert states(course, running=False) == [State.DONE, State.DONE, State.EMPTY, State.EMPTY]
    assert course.phases(running=False)[2].note == "1 of 3"
    course.begin()
    assert (course.begun, course.share) == (False, 0)


def test_a_second_model_that_is_sampled_begins_its_chains_anew_and_takes_nothing_back():
    course = RunCourse()
    course.goes_by("posterior")
    course.take(Step(900, 1000, "sampling"))
    share = course.share
    assert course.anew(Step(10, 1000, "sampling"))
    assert not course.anew(Step(910, 1000, "sampling"))
    course.take(Step(10, 1000, "sampling"))
    assert course.share == share > 0.8
