"""Cases are what they are said to be: by which model they are told, and the published table of how often."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tapdesk.fitting.fit_summary import subject_posterior
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.belief_calibration import COLUMNS, PANELS, WAYS, belief_calibration, belief_parts, tallies
from tapdesk.studies.case_beliefs import case_beliefs
from tapdesk.studies.rater_differences import equal_raters
from tests.fitting.test_averaged import panel

TABLE = Path(__file__).parents[2] / "resources" / "help" / "coverage" / "beliefs.csv"
TEXT = {"panel", "how", "a"}


def told(ratings):
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="none")))
    return fit, finish(case_beliefs(ratings, fit))


def test_alike_raters_are_pooled_and_unlike_ones_are_not():
    assert told(panel(100, (0.6,) * 5, 1))[1].model == "t-a-p"
    fit, found = told(panel(100, (0.95, 0.9, 0.2, 0.1, 0.05), 1))
    assert found.model == "t-aj-p"
    # Two experts against three guessers: the pooled model goes with the three.
    assert fit.model.name == "t-a-p"


def test_it_is_the_test_of_equal_raters_that_says_whether_they_are_pooled():
    """As everything else that is said of raters: what is known of it is used, and nobody else decides it anew."""
    ratings = panel(100, (0.6,) * 5, 1)
    fit, _found = told(ratings)
    alike = finish(equal_raters(ratings, 200, 1))
    assert not alike.rejects
    assert finish(case_beliefs(ratings, fit, 1, alike)).model == "t-a-p"
    assert finish(case_beliefs(ratings, fit, 1, replace(alike, p_bootstrap=0.01))).model != "t-a-p"


def test_small_panels_are_less_sure_than_their_estimates():
    ratings = panel(10, (0.6,) * 5, 3)
    fit, found = told(ratings)
    plan = design(fit.model, ratings)
    known = subject_posterior(fit, plan, plan.space.evidence(plan.patterns))
    assert found.probability.max(axis=1).mean() < known.max(axis=1).mean() - 0.02


def kept():
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [
            {k: v if k in TEXT else float(v) if v else None for k, v in row.items()} for row in csv.DictReader(file)
        ]


def test_the_table_in_the_help_keeps_the_promise():
    table = kept()
    assert tuple(table[0]) == COLUMNS
    assert {row["panel"] for row in table} == {p.name for p in PANELS}
    assert {row["sets"] for row in table} == {400}
    sure = [row for row in table if row["how"] == WAYS[0] and row["from"] >= 0.9]
    assert len(sure) == 2 * len(PANELS)
    for row in sure:
        assert row["cases"] > 400, row
        assert row["said"] - row["right"] <= 0.03, row
        assert row["error"] < 0.012, row
    # What the estimates alone would have said is the reason for all this.
    known = [row for row in table if row["how"] == WAYS[1] and row["from"] >= 0.97]
    assert max(row["said"] - row["right"] for row in known) > 0.08


def test_a_piece_of_the_study_repeats_whatever_else_is_asked_for():
    part = belief_parts(16, 5)[0]
    assert finish(tallies(part)) == finish(tallies(part))
    table = finish(belief_calibration(1)).records()
    assert [(r["panel"], r["how"]) for r in table[:4]] == [("10 x 5", WAYS[0])] * 3 + [("10 x 5", WAYS[1])]


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_random_tenth_of_the_study_gives_what_stands_in_the_help():
    chosen = PANELS[int(np.random.default_rng().integers(len(PANELS)))]
    parts = [p for p in belief_parts() if p.panel == chosen][:4]
    found = np.array([row for part in parts for row in finish(tallies(part))])
    for b, row in enumerate(r for r in kept() if r["panel"] == chosen.name and r["how"] == WAYS[0]):
        cases, said, right = found[:, 1 + 3 * b : 4 + 3 * b].sum(axis=0)
        # Half of the data sets of the table: their shares lie within the error of the other half.
        assert said / cases == pytest.approx(row["said"], abs=0.02)
        assert right / cases == pytest.approx(row["right"], abs=4 * row["error"] + 1e-9)
