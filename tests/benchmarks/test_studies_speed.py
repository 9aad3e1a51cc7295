"""Speed of the studies (issue: horizon of 2,000 data sets under 2 s, the 729 cells under a minute)."""

import resource
import time

import numpy as np
import pytest

from tapdesk.gui.runs.side_studies import CurrentCutPoints, find_cut_points
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request
from tapdesk.studies.award_answer import AwardRequest
from tapdesk.studies.awards import AwardValues, awards, kind_of, leave_out, panel_of
from tapdesk.studies.chance import horizon
from tapdesk.studies.panel_sampler import PanelSampler, drive
from tapdesk.studies.recovery import recover, tap_grid
from tests.studies.examples import WINE, panel, tallied
from tests.tables import scored

pytestmark = pytest.mark.benchmark


def seconds(run) -> float:
    began = time.perf_counter()
    finish(run)
    return time.perf_counter() - began


def processor_seconds(run):
    """What a run returns, and the processor time of this process and of those it started."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    began = sum(r.ru_utime + r.ru_stime for r in (own, children))
    table = finish(run)
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return table, sum(r.ru_utime + r.ru_stime for r in (own, children)) - began


@pytest.mark.parametrize("design", ["tallied", "ragged", "five classes", "large"])
def test_the_noise_horizon_of_two_thousand_data_sets_takes_less_than_two_seconds(design):
    ratings = tallied(WINE["2|3"])
    if design == "ragged":
        ratings = panel(["t=.4", "a=.5", "p=.4"], 300, 8)
        ratings = ratings.keep((ratings.subject + ratings.rater) % 3 != 0)
    elif design == "five classes":
        texts = ["t=.2,.2,.2,.2,.2", "a=.5", "p=.2,.2,.2,.2,.2"]
        ratings = panel(texts, 200, 6, classes=tuple("12345"))
    elif design == "large":
        ratings = panel(["t=.4", "a=.5", "p=.4"], 100_000, 5)
    assert seconds(horizon(ratings, 2000)) < 2


def test_the_729_cells_with_maximum_and_exact_posterior_take_less_than_a_minute_on_two_cores():
    # Processor seconds of all processes, shared by two cores: what else the machine does is no matter.
    table, used = processor_seconds(recover(tap_grid(posterior=True), workers=2))
    assert len(table.rows) == 729
    assert used / 2 < 60


@pytest.mark.parametrize(("subjects", "classes"), [(183, 4), (1000, 5), (300, 7)])
def test_lines_between_grades_in_another_order_are_estimated_within_three_tenths_of_a_second(subjects, classes):
    labels = tuple(f"grade {i}" for i in range(classes))
    rates = ",".join([str(round(1 / classes, 4))] * (classes - 1))
    rest = round(1 - (classes - 1) * round(1 / classes, 4), 4)
    before = panel([f"t={rates},{rest}", "a=.6", f"p={rates},{rest}"], subjects, 4, classes=labels)
    ratings = before.with_order((*labels[2:], *labels[:2]))
    request = Request(model("t-a-p"), interval="wald")
    run = find_cut_points(CurrentCutPoints(None, ratings), request, None, before)
    began = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    for step in run:
        if "abreast" in step.values:
            break
    # Processor seconds: what else the machine does is no matter. No line is taken over from before.
    assert sum(resource.getrusage(resource.RUSAGE_SELF)[:2]) - began < 0.3
    run.close()


def graded(entries: int, judges: int):
    """Four grades of every entry by every judge."""
    rng = np.random.default_rng(1)
    seen = rng.normal(0, 1.2, entries)[:, None] + rng.normal(0, 0.5, judges) + rng.normal(size=(entries, judges))
    grade = np.digitize(seen, [-1, 0.5, 1.7])
    return scored([(i, j, float(grade[i, j])) for i in range(entries) for j in range(judges)])


def test_who_wins_among_a_thousand_entries_graded_by_twelve_judges_takes_less_than_eight_seconds():
    """Asked are ten; processor seconds of one process."""
    found, used = processor_seconds(awards(graded(1000, 12), AwardRequest()))
    print(f"{used:.1f} s")
    assert used < 8
    assert found.rank_low.size == 1000


def test_each_of_thirty_judges_left_out_of_a_hundred_grades_takes_less_than_five_seconds():
    ratings, asked = graded(100, 30), AwardRequest()
    scores, _used = panel_of(ratings, asked, kind_of(ratings, asked))
    rng = np.random.default_rng(1)
    sampler = PanelSampler(scores, np.ones((2, scores.judges), dtype=bool), rng)
    draws = finish(drive(sampler, 100, 200, "draws"))
    found, used = processor_seconds(leave_out(scores, draws, asked, AwardValues.of(draws, scores, asked), rng))
    print(f"{used:.1f} s")
    assert used < 5
    assert len(found) == 30
