"""The section on what a fit implies and whether it would be found again: where it stands, and what it refuses."""

from dataclasses import replace

import pytest

from tapdesk.answers.content import Picture, Table
from tapdesk.answers.demands import Selection
from tapdesk.answers.figures.catalog import figures
from tapdesk.answers.figures.shares import BOTH, NEITHER, ONE
from tapdesk.answers.naming import RatersAs
from tapdesk.errors import CannotAnswerError
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.build import build
from tapdesk.report.setup import Setup, prepare, prepare_further, setup, with_setup
from tapdesk.studies.fleiss_kappa import agreement_estimate

from .examples import WINE, counted, four_ratings, open_fit, project_of, wine_fit
from .implying import BESIDE, blocks, fit_to, said


@pytest.fixture(scope="module")
def asked(fitted, wine):
    """The wine panel with the section, few simulations."""
    project = project_of(fitted, wine)
    return project, finish(prepare(project, replace(BESIDE, selection=Selection(recovery=True))))


def test_unsure_numbers_are_said_to_imply_no_more_than_an_example():
    few = counted((6, 3, 2, 5))
    fit = fit_to(few, interval="wald")
    assert "is an example" in figures("expected", fit, few)[0].note
    assert "is an example" in figures("recovery", fit, few)[0].note
    project = project_of(fit, few)
    made = build(
        project, extras=finish(prepare(project, replace(BESIDE, replicates=5, selection=Selection(recovery=True))))
    )
    assert "is an example" in said(made)


@pytest.mark.parametrize(
    ("kind", "fit", "ratings", "why"),
    [
        ("expected", open_fit(), counted(WINE), "how much of the agreement is luck"),
        ("recovery", open_fit(), counted(WINE), "nothing to draw from"),
        ("expected", wine_fit(converged=False), counted(WINE), "had not settled"),
        ("recovery", wine_fit(converged=False), counted(WINE), "had not settled"),
        ("expected", wine_fit(), counted(WINE, ("no", "yes")), "classes have changed"),
        ("recovery", wine_fit(), counted(WINE, ("no", "yes")), "classes have changed"),
        ("expected", wine_fit(match_rates=None), counted(WINE), "do not determine all numbers"),
        ("recovery", wine_fit(model=model("t-a(x)-p")), counted(WINE), "goes with another column"),
    ],
)
def test_what_cannot_be_told_says_why(kind, fit, ratings, why):
    with pytest.raises(CannotAnswerError, match=why):
        figures(kind, fit, ratings)


def test_the_section_stands_where_it_is_asked_for_with_both_parts(asked, fitted, wine):
    project, extras = asked
    made = build(project, extras=extras)
    assert not made.faults
    assert len(blocks(made, Picture)) == 3
    causes, _shares, again = blocks(made, Table)
    column = {row[0]: row[1].values[0] for row in causes.rows}
    matching, kappa = causes.rows[0], causes.rows[-1]
    assert column[BOTH] + column[ONE] + column[NEITHER] == pytest.approx(matching[1].values[0])
    assert matching[3].values == (pytest.approx(agreement_estimate(wine).value),)
    assert kappa[1].values == (pytest.approx(fitted.kappa),)
    assert [row[0] for row in again.rows] == ["t", "a", "p"]
    assert [row[2].values[0] for row in again.rows] == [fitted.estimate(name).value for name in "tap"]
    assert "40 data sets" in again.note
    assert "match by luck alone." in said(made)
    assert "95 of 100 such data sets would put the accuracy a = 0.44 between" in said(made)


def test_the_section_is_off_unless_asked_for_and_can_be_left_out(asked):
    project, extras = asked
    for plain in (build(project), build(project, extras=extras, leave_out=("recovery",))):
        assert "recovery" not in {s.key for s in plain.sections}
    only = with_setup(project, Setup(selection=Selection(recovery=True)))
    assert setup(only).selection == {"recovery": True}
    kept = finish(prepare_further(only, extras))
    assert kept.on_demand.get("recovery") is extras.on_demand.get("recovery")
    assert finish(prepare_further(with_setup(project, Setup()), extras)).on_demand.get("recovery") is None


def test_undetermined_numbers_are_a_sentence_in_place_of_the_section():
    two = counted((30, 20, 40))
    project = project_of(fit_to(two), two)
    extras = finish(prepare(project, replace(BESIDE, selection=Selection(recovery=True))))
    assert extras.on_demand.get("recovery") is None
    assert "do not determine all numbers, so there is nothing to draw from." in said(build(project, extras=extras))


def test_raters_who_differ_are_found_again_by_their_codes_and_luck_says_why_it_is_not_told():
    people: Ratings = replace(four_ratings(), raters=("Ann", "Ben", "Cy", "Di"), raters_known=True)
    project = project_of(fit_to(people, "t-aj-p"), people)
    extras = finish(prepare(project, replace(BESIDE, replicates=5, selection=Selection(recovery=True))))
    made = build(project, extras=extras, raters_as=RatersAs.CODES)
    (again,) = blocks(made, Table)
    words = " ".join(str(cell) for row in again.rows for cell in row) + " ".join(
        p.alt for b in blocks(made, Picture) for p in b.panels
    )
    assert not [name for name in people.raters if f" {name} " in words or f"({name})" in words]
    assert len(again.rows) == 4 + 4 + 4
    assert "this needs one with one accuracy for all" in said(made)
