"""What the sections say where raters are known by name."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers.content import Table
from tapdesk.answers.side_results import Wanted
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.reading import read_now
from tapdesk.report.build import build
from tapdesk.report.outline import SECTIONS
from tapdesk.report.setup import prepare
from tapdesk.studies.likelihood_ratio import bootstrap_test


def section(report, key):
    return next(s for s in report.sections if s.key == key)


def blocks(report, key, kind):
    return [b for b in section(report, key).blocks if isinstance(b, kind)]


@pytest.fixture(scope="module")
def panel():
    return Project(reading=read_now("sample:jury"), title="Jury")


@pytest.fixture(scope="module")
def panel_extras(panel, jury_fit):
    return finish(prepare(with_answer(panel, jury_fit), Wanted(replicates=20)))


@pytest.fixture(scope="module")
def jury_fit(panel):
    from tapdesk.studies.analysis import Request, analyse

    return finish(analyse(panel.ratings, Request(model("t-a-p"), interval="wald")))


def with_answer(project, fit):
    from tapdesk.studies.analysis import Request

    return project.with_analysis(Analysis("1", Request(fit.model), fit, run_at="2026-05-14T10:44:00"))


def test_a_panel_known_by_name_fills_every_section(panel, panel_extras, jury_fit):
    report = build(with_answer(panel, jury_fit), extras=panel_extras)
    # On demand, and what the committee has yet to write.
    asked_for = {
        "actions",
        "models",
        "contour",
        "groups",
        "recovery",
        "plan",
        "grid",
        "square",
        "awards",
        "what_if",
        "pictures",
    }
    assert [s.key for s in report.sections] == [row.key for row in SECTIONS if row.key not in asked_for]
    (table,) = blocks(report, "raters", Table)
    assert sorted(row[0] for row in table.rows) == ["Ana", "Ben", "Carla", "Dimitri"]
    accuracy = [row[2].values[0] for row in table.rows]
    assert accuracy == sorted(accuracy, reverse=True)


def test_the_least_certain_cases_come_first(panel, panel_extras, jury_fit):
    report = build(with_answer(panel, jury_fit), extras=panel_extras)
    table = blocks(report, "cases", Table)[0]
    at = [column.title for column in table.columns].index("Belief")
    belief = [row[at].values[0] for row in table.rows]
    assert belief == sorted(belief)
    assert belief[0] == pytest.approx(panel_extras.beliefs.probability.max(axis=1).min())


def test_no_belief_is_printed_of_a_model_that_the_test_of_fit_rejects(panel, panel_extras, jury_fit):
    test = bootstrap_test("G2", 99.0, None, np.zeros(99), "")
    rejected, held = (replace(panel_extras, goodness=one) for one in (test, replace(test, p_bootstrap=0.5)))
    heads = []
    for extras in (rejected, held):
        table = blocks(build(with_answer(panel, jury_fit), extras=extras), "cases", Table)[0]
        heads.append([column.title for column in table.columns])
    assert {"Belief", "Gain"} <= set(heads[1])
    assert [head for head in heads[1] if head not in {"Belief", "Gain"}] == heads[0]
    assert "%" not in table.rows[0][-1]


def test_a_class_1_chosen_keeps_the_coefficients_of_all_classes(panel):
    project = panel.with_class1(("silver", "gold"))
    extras = finish(prepare(project, Wanted(tests=False, raters=False, sensitivity=False)))
    titles = [t.title for t in blocks(build(project, extras=extras), "agreement", Table)]
    assert any("all 4 classes" in title for title in titles)
