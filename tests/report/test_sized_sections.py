"""Sections of studies as large as this one: against the studies themselves, printed only where asked for."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers.content import Paragraph, Picture, Table
from tapdesk.answers.demands import Selection
from tapdesk.answers.side_results import Wanted
from tapdesk.answers.svg.draw import svg
from tapdesk.progress import finish
from tapdesk.report.build import build
from tapdesk.report.setup import PLACE, Setup, prepare, prepare_further, setup, with_setup
from tapdesk.studies.design_study import kappa_squares, recovery_grid

from .examples import WINE, counted, project_of

BESIDE = Wanted(replicates=20, agreement=False, tests=False, raters=False, sensitivity=False)
KEYS = {"grid", "square"}


@pytest.fixture(scope="module", autouse=True)
def here():
    """Worked out in the one process of the test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tapdesk.answers.design_study.processes", lambda: 1)
        yield


@pytest.fixture(scope="module")
def asked(fitted, wine):
    project = project_of(fitted, wine)
    return project, finish(prepare(project, replace(BESIDE, selection=Selection(grid=1, square=1))))


def blocks(report, key, kind):
    (section,) = [s for s in report.sections if s.key == key]
    return [b for b in section.blocks if isinstance(b, kind)]


def said(report, key):
    return " ".join(b.text for b in blocks(report, key, Paragraph))


def test_they_stand_in_the_report_only_where_they_are_asked_for(asked):
    project, extras = asked
    assert {s.key for s in build(project, extras=extras).sections} >= KEYS
    plain = build(project, extras=finish(prepare(project, BESIDE)))
    assert not KEYS & {s.key for s in plain.sections}
    assert not KEYS & {s.key for s in build(project, extras=extras, leave_out=tuple(KEYS)).sections}


def test_each_is_a_sentence_a_picture_and_a_table_with_the_size_at_hand(asked):
    report = build(*asked[:1], extras=asked[1])
    for key, panels in (("grid", 6), ("square", 5)):
        (picture,), (table,) = (blocks(report, key, kind) for kind in (Picture, Table))
        assert said(report, key)
        assert len(picture.panels) == panels
        assert "183 wines with 4 ratings each" in picture.note
        assert "183 wines with 4 ratings each" in table.note
        # Titles of panels are not printed: the axes tell them apart.
        assert len({(p.x.title, p.y.title) for p in picture.panels}) == panels
        assert all("<svg" in svg(panel) for panel in picture.panels)


def test_the_tables_are_those_of_the_studies(asked, wine):
    report = build(*asked[:1], extras=asked[1])
    found = finish(recovery_grid(wine)).table
    (table,) = blocks(report, "grid", Table)
    a = found.numbers("true a")
    for row in table.rows:
        here = a == row[0].values[0]
        assert row[1].values == (here.sum(),) == (81,)
        back = found.numbers("a")[here]
        assert row[2].values == pytest.approx(tuple(np.quantile(back, [0.05, 0.95])))
        assert row[3].values[0] == pytest.approx(np.abs(back - a[here]).mean())
        root = found.numbers("root_kappa")[here]
        assert row[6].values[0] == pytest.approx(np.nanmean(np.abs(root - a[here])))
    lost = int(np.isnan(found.numbers("root_kappa")).sum())
    assert lost
    assert f"In {lost} of them kappa is negative or undefined" in blocks(report, "grid", Picture)[0].note
    kappas = finish(kappa_squares(wine)).table
    (table,) = blocks(report, "square", Table)
    assert len(table.rows) == 25
    for row in table.rows:
        t, p = row[0].values[0], row[1].values[0]
        apart = kappas.only(t=t, p=p).numbers("kappa_mean") - kappas.only(t=t, p=p).numbers("a_squared")
        assert row[3].values[0] == pytest.approx(apart.mean())
        assert row[4].values == pytest.approx((apart.min(), apart.max()))
        if t == p:
            assert row[5].values[0] == pytest.approx(0, abs=1e-9)


def test_two_ratings_each_have_the_reason_in_place_of_the_grid_and_kappa_goes_on(fitted):
    two = project_of(fitted, counted((30, 20, 50)))
    assert two.ratings.ratings_per_subject().max() == 2
    extras = finish(prepare(two, replace(BESIDE, selection=Selection(grid=1, square=1))))
    report = build(two, extras=extras)
    assert "do not determine t, a and p" in said(report, "grid")
    assert not blocks(report, "grid", Picture)
    assert blocks(report, "square", Table)


def test_the_project_remembers_how_many_data_sets_and_a_damaged_note_asks_for_none(fitted):
    project = project_of(fitted, counted(WINE))
    kept = with_setup(project, Setup(selection=Selection(grid=5, square=1)))
    assert setup(kept).selection == {"grid": 5, "square": 1}
    assert setup(kept).prints("grid")
    for damaged in ('{"grid": 99999999}', '{"grid": "5"}', '{"grid": -1}', '{"grid": null}'):
        assert setup(project.with_note(PLACE, damaged)).selection.sets("grid") == 0
    assert setup(project.with_note(PLACE, '{"grid": true}')).selection.sets("grid") == 1


def test_more_data_sets_are_worked_out_where_they_are_asked_for_later_and_nothing_else(asked):
    project, known = asked
    five = with_setup(project, Setup(selection=Selection(grid=1, square=5)))
    later = finish(prepare_further(five, known))
    assert later.on_demand.get("grid") is known.on_demand.get("grid")
    assert later.on_demand.get("square").replicates == 5
    none = finish(prepare_further(with_setup(project, Setup()), later))
    assert none.on_demand.get("grid") is None
    assert none.on_demand.get("square") is None


def test_uneven_data_are_said_to_be_so(fitted):
    whole = counted(WINE)
    ragged = whole.keep(~((whole.subject < 40) & (whole.rater == 0)))
    extras = finish(prepare(project_of(fitted, ragged), replace(BESIDE, selection=Selection(square=1))))
    (picture,) = blocks(build(project_of(fitted, ragged), extras=extras), "square", Picture)
    assert "In the data at hand a wine has 3 to 4 ratings; here all have as many." in picture.note
