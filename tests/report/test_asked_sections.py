"""Sections that are printed where they are asked for: against the studies themselves."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

from tapdesk.answers.content import Picture, Table
from tapdesk.answers.demands import Selection
from tapdesk.answers.figures.likelihood import reach_of
from tapdesk.answers.side_results import Wanted
from tapdesk.answers.side_studies import work_out
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.project import Project
from tapdesk.ratings.reading import read
from tapdesk.report.build import build
from tapdesk.report.setup import Setup, prepare, prepare_further, setup, with_setup
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.scan import Direction

from .examples import counted, project_of
from .looked_up import blocks, said

BESIDE = Wanted(replicates=20, agreement=False, tests=False, raters=False, sensitivity=False)


@pytest.fixture(scope="module", autouse=True)
def few_sizes():
    """Plans of few sizes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tapdesk.answers.figures.designs.SUBJECTS", (30, 400))
        patch.setattr("tapdesk.answers.figures.designs.RATERS", (2, 3, 8))
        yield


@pytest.fixture(scope="module")
def asked(fitted, wine):
    """The wine panel with both sections, few simulations."""
    project = project_of(fitted, wine)
    return project, finish(prepare(project, replace(BESIDE, selection=Selection(contour=True, plan=True))))


def test_both_stand_in_the_report_only_where_they_are_asked_for(asked):
    project, extras = asked
    assert {"contour", "plan"} <= {s.key for s in build(project, extras=extras).sections}
    plain = build(project, extras=finish(prepare(project, BESIDE)))
    assert not {"contour", "plan"} & {s.key for s in plain.sections}
    assert not {"contour", "plan"} & {
        s.key for s in build(project, extras=extras, leave_out=("contour", "plan")).sections
    }


def test_the_range_of_two_numbers_holds_the_interval_of_each_and_the_estimate(asked, fitted):
    project, extras = asked
    made = build(project, extras=extras)
    (table,) = blocks(made, "contour", Table)
    assert [row[1] for row in table.rows] == ["t", "a", "p", "a", "t", "p"]
    for _two, name, value, half, most in table.rows:
        alone = fitted.estimate(name)
        assert value.values == (pytest.approx(alone.value),)
        (low, high), (least, greatest) = half.values, most.values
        assert least <= low <= alone.value <= high <= greatest
        # Both at once leave more room than one by itself, to the step of the grid.
        step = 1 / 32
        assert least <= alone.low + step
        assert greatest >= alone.high - step
    (picture,) = blocks(made, "contour", Picture)
    assert len(picture.panels) == 3
    assert said(made, "contour").count("Among what fits almost as well as the best") == 3


def test_the_range_is_where_the_likelihood_falls_no_further_than_the_limit(asked):
    _project, extras = asked
    for found in extras.on_demand["contour"].surfaces:
        limit = -chi2.ppf(0.95, 2) / 2
        at = np.flatnonzero((found.fall >= limit).any(axis=1))
        # Between the last value of the grid that is inside and the first that is not.
        low, high = reach_of(found, 0.95)[0]
        assert found.x[max(at[0] - 1, 0)] <= low <= found.x[at[0]]
        assert found.x[at[-1]] <= high <= found.x[min(at[-1] + 1, found.x.size - 1)]


def test_a_plan_is_a_table_of_the_study_with_the_width_at_hand_said_first(asked, fitted):
    project, extras = asked
    made = build(project, extras=extras)
    widths, sure = blocks(made, "plan", Table)
    a = fitted.estimate("a")
    assert f"between {a.low:.2f} and {a.high:.2f}, which is {a.high - a.low:.2f} wide" in said(made, "plan")
    assert "The ratings at hand (183 wines, 732 ratings) put the accuracy" in said(made, "plan")
    records = extras.on_demand["plan"].table.records()
    heads = [column.title for column in widths.columns]
    for row in widths.rows:
        for record in records:
            if record["subjects"] == row[0].values[0]:
                cell = row[heads.index(f"{record['raters']} ratings each")]
                assert cell.values == (record["spread"],)
    # Two ratings of two classes never determine t, a and p together.
    assert {row[1] for row in widths.rows} == {"–"}
    assert [row[1].values[0] for row in sure.rows] == sorted(row[1].values[0] for row in sure.rows)


def test_more_cases_and_more_ratings_never_tell_much_less(asked):
    _project, extras = asked
    spread = extras.on_demand["plan"].table.only(raters=8).numbers("spread")
    assert spread[-1] < spread[0] / 2


def test_a_plan_that_stands_on_next_to_nothing_says_so(asked):
    project, extras = asked
    weak = replace(
        extras.on_demand["plan"].fit,
        estimates=tuple(
            replace(e, estimate=replace(e.estimate, low=0.01)) if e.name.name == "a" else e
            for e in extras.on_demand["plan"].fit.estimates
        ),
    )
    made = build(project, extras=replace(extras, on_demand={"plan": replace(extras.on_demand["plan"], fit=weak)}))
    assert "take it as an example, not as advice" in said(made, "plan")


def test_what_cannot_be_answered_says_why_in_its_place():
    two = counted((30, 20, 40))
    fit = finish(analyse(two, Request(model("t-a-p"))))
    project = project_of(fit, two)
    extras = finish(prepare(project, replace(BESIDE, selection=Selection(plan=True))))
    assert extras.on_demand.get("plan") is None
    assert "do not determine the numbers" in said(build(project, extras=extras), "plan")


def test_raters_with_numbers_of_their_own_are_planned_with_one_for_all(wine):
    people = replace(wine, raters_known=True)
    fit = finish(analyse(people, Request(model("t-aj-p"), interval="none")))
    project = project_of(fit, people)
    extras = finish(prepare(project, replace(BESIDE, selection=Selection(plan=True))))
    assert extras.on_demand["plan"].fit.model.name == "t-a-p"
    assert "the numbers are those of the t-a-p model" in said(build(project, extras=extras), "plan")


def test_what_is_asked_for_later_is_worked_out_alone_and_goes_when_it_is_not(asked):
    project, extras = asked
    only = with_setup(project, Setup(selection=Selection(plan=True)))
    assert setup(only).selection == {"plan": True}
    after = finish(prepare_further(only, extras))
    assert after.on_demand.get("plan") is extras.on_demand.get("plan")
    assert after.on_demand.get("contour") is None
    assert after.wanted.selection == {"plan": True}


def test_a_plan_from_few_cases_is_an_example(asked):
    project, extras = asked
    small = replace(extras.on_demand.get("plan"), fit=replace(extras.on_demand["plan"].fit, subjects=8))
    assert "an example, not advice" in said(build(project, extras=replace(extras, on_demand={"plan": small})), "plan")


def test_lines_are_counted_from_the_side_the_project_remembers_without_another_scan():
    jury = finish(read("sample:jury"))
    project = Project(title="Jury").with_reading(jury, when="")
    extras = finish(work_out(project, replace(BESIDE, sensitivity=True), only=("scan",)))
    below = with_setup(project, Setup(direction=Direction.BELOW))
    turned = finish(prepare_further(below, extras))
    assert [cut.free for cut in turned.scan.cuts] == [cut.free for cut in extras.scan.cuts]
    text = said(build(below, extras=turned), "sensitivity")
    assert "'no medal' is counted, 'bronze', 'silver' or 'gold' is not." in text
    # What an issued report keeps of what was computed makes the same lines again.
    assert turned.wanted.direction == "below"
    again = finish(work_out(below, turned.wanted, only=("scan",)))
    for one, other in zip(again.scan.cuts, turned.scan.cuts, strict=True):
        assert one.estimate("t").value == pytest.approx(other.estimate("t").value, abs=1e-6)
