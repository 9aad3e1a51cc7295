"""Work in several processes: the order, the errors and the end."""

import math
import multiprocessing
import time

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.progress import finish
from tapdesk.studies.parallel import in_parallel
from tests.studies.works import Stillborn, death, killed, root, sleep


def test_answers_come_in_the_order_of_the_units_whoever_made_them():
    units = list(range(20))
    steps = []
    assert finish(in_parallel(root, units, 2), steps.append) == tuple(math.sqrt(u) for u in units)
    assert steps[-1].done == steps[-1].total == 20
    assert multiprocessing.active_children() == []


def test_what_goes_wrong_in_a_process_is_raised_here():
    with pytest.raises(ValueError, match=r"math domain|nonnegative"):
        finish(in_parallel(root, [4.0, -1.0, 9.0], 2))
    assert multiprocessing.active_children() == []


def test_a_process_that_dies_is_an_error_and_not_an_endless_wait():
    with pytest.raises(TapdeskError, match="exit code 3"):
        finish(in_parallel(death, [3, 3], 2))


def test_a_process_that_is_killed_in_the_middle_is_told_in_a_sentence_and_the_others_end():
    with pytest.raises(TapdeskError, match=r"ended before it had answered.*Start the study again"):
        finish(in_parallel(killed, [9, 9, 9], 2))
    assert multiprocessing.active_children() == []


def test_a_process_that_dies_before_it_has_begun_is_told_in_the_same_sentence():
    for pieces in (2, 400):
        with pytest.raises(TapdeskError, match="exit code 5"):
            finish(in_parallel(Stillborn(), list(range(pieces)), 2))
    assert multiprocessing.active_children() == []


@pytest.mark.timeout(25)  # its pieces would go on for a minute
@pytest.mark.parametrize("patience", [0.0, 0.7])
def test_a_run_that_is_ended_ends_its_processes_at_once(patience):
    run = in_parallel(sleep, [30.0] * 4, 2)
    next(run)
    time.sleep(patience)  # before and after the processes have begun to work
    run.close()
    assert multiprocessing.active_children() == []


def test_a_single_process_passes_on_every_sign_of_life():
    steps = []
    assert finish(in_parallel(root, [1.0, 4.0], 1), steps.append) == (1.0, 2.0)
    assert [step.done for step in steps] == [0, 1, 1, 2]
