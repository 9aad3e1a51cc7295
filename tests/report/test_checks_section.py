"""The checks of the model: against what they are made of."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from tapdesk.answers.content import Table
from tapdesk.answers.side_results import Wanted
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.build import build
from tapdesk.report.setup import prepare
from tapdesk.studies.analysis import Request, analyse
from tests.studies.examples import panel

from .examples import A, P, T, counted, open_fit, project_of, wine_fit
from .looked_up import blocks, said

BESIDE = Wanted(replicates=20, agreement=False, tests=False, raters=False, sensitivity=False)


@pytest.fixture(scope="module")
def known(fitted, wine):
    """The wine panel with what its report needs, few simulations."""
    project = project_of(fitted, wine)
    return project, finish(prepare(project, BESIDE))


def test_votes_are_told_with_the_binomial_behind_them():
    """Out of three ratings a vote is right where two or three name the class: (t, a, p) of the wine panel."""
    made = build(project_of(wine_fit(), counted((18, 35, 46, 48, 36))))
    table = next(t for t in blocks(made, "checks", Table) if t.title.startswith("How often a vote"))
    right, wrong = A + (1 - A) * P, (1 - A) * P
    three = T * binom.sf(1, 3, right) + (1 - T) * binom.cdf(1, 3, wrong)
    (row,) = [row for row in table.rows if row[0] == "3"]
    assert row[1].values == (pytest.approx(three, abs=1e-12),)
    assert row[2].values[0] >= row[1].values[0] - 1e-12


def test_votes_and_informations_of_what_is_not_determined_are_not_told():
    made = build(project_of(open_fit(), counted((18, 35, 46, 48, 36))))
    titles = [t.title for t in blocks(made, "checks", Table)]
    assert titles
    assert not [t for t in titles if "vote" in t or "of each rater tells" in t]
    wide = wine_fit()
    wide = replace(
        wide,
        estimates=tuple(
            replace(e, estimate=replace(e.estimate, low=0.0, high=0.9)) if e.name.name == "a" else e
            for e in wide.estimates
        ),
    )
    made = build(project_of(wide, counted((18, 35, 46, 48, 36))))
    assert "How often a vote is right is not reported" in said(made, "checks")
    assert not [t for t in blocks(made, "checks", Table) if "vote" in t.title]


def test_groups_of_ratings_are_printed_with_what_was_seen_of_them():
    ratings = counted((18, 35, 46, 48, 36))
    made = build(project_of(wine_fit(), ratings))
    table = blocks(made, "checks", Table)[0]
    count = np.array([row[1].values[0] for row in table.rows])
    seen = np.array([row[3].values[0] for row in table.rows])
    modelled = np.array([row[2].values[0] for row in table.rows])
    assert count.sum() == ratings.rating_count
    assert count @ seen / count.sum() == pytest.approx(ratings.class_rates()[1])
    assert np.abs(seen - modelled) @ count / count.sum() == pytest.approx(
        float(said(made, "checks").split("seen are ")[1].split(" ")[0]), abs=5e-4
    )


def test_more_rows_than_a_page_holds_are_left_out_with_a_sentence():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 40)
    codes = np.where(rng.random((40, 30)) < 0.7, truth[:, None], rng.integers(0, 2, (40, 30)))
    names = [f"Rater {j}" for j in range(30)]
    ratings = Ratings.of(
        np.repeat(np.arange(40), 30), np.tile(np.arange(30), 40), codes.ravel(), [f"C{i}" for i in range(40)], names,
        ("no", "yes"),
    )  # fmt: skip
    fit = finish(analyse(ratings, Request(model("t-aj-p"), interval="none")))
    made = build(project_of(fit, ratings))
    tables = {t.title: t for t in blocks(made, "checks", Table)}
    informations = next(t for title, t in tables.items() if "of each rater tells" in title)
    assert len(informations.rows) == 30
    assert "The first 12 of 30 rows are printed" in informations.printed().note
    values = [row[1].values[0] for row in informations.rows]
    assert values == sorted(values, reverse=True)


def told_apart(extras, **changes):
    """The studies with pairs of raters whose simulated mean lies outside the middle of the simulations."""
    from tapdesk.studies.rater_pairs import Independence

    one = np.ones(1)
    found = Independence(
        raters=("Ann", "Ben"), first=np.array([0]), second=np.array([1]), shared=np.array([8]), observed=0.2 * one,
        expected=0.1 * one, low=-0.05 * one, high=0.05 * one, deviation=one, p=one, p_adjusted=one,
        flagged=np.array([False]), measure="covariance", replicates=20,
    )  # fmt: skip
    return replace(extras, independence=replace(found, **changes))


def test_a_mean_beside_the_middle_of_few_simulated_panels_is_printed_as_it_is(known):
    project, extras = known
    made = build(project, extras=told_apart(extras))
    assert not made.faults
    (row,) = next(t for t in blocks(made, "checks", Table) if t.title.startswith("Every pair")).rows
    assert (row[3].values, row[4].values) == ((0.1,), (-0.05, 0.05))


def test_raters_who_agree_on_everything_are_not_called_independent(known):
    project, extras = known
    same = told_apart(extras, observed=np.ones(1), expected=np.ones(1), low=np.ones(1), high=np.ones(1))
    assert "it cannot be seen whether they judged by themselves" in said(build(project, extras=same), "checks")


def test_classes_that_all_or_none_got_have_no_standard_error_and_one_group_is_told_in_the_singular():
    ratings = counted((20, 0, 0, 0, 20))
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="none")))
    made = build(project_of(fit, ratings))
    table = blocks(made, "checks", Table)[0]
    assert {row[4] for row in table.rows} == {"–"}
    assert "none is further off" in said(made, "checks")
    from tapdesk.answers.model_checks import beyond, calibrated
    from tapdesk.studies.rater_diagnostics import rating_calibration

    found = rating_calibration(ratings, fit, 1)
    # Twenty cases with four ratings each, all in the class: a model that says 9 in 10 would hardly ever make that.
    off = replace(found, modelled=np.where(found.observed > 0.5, 0.9, 0.0))
    assert beyond(off).tolist() == [False, True]
    one = replace(
        found,
        names=("1",),
        **{name: getattr(found, name)[:1] for name in ("count", "modelled", "observed", "low", "high")},
    )
    assert "That is no further than two standard errors." in calibrated([one], raters=False)


def test_when_simulating_pairs_of_raters_ended_is_told_in_the_table_and_in_the_methods():
    ratings = panel(["t=.4,.6", "a=.6", "p=.5,.5"], 90, 4, seed=2)
    request = Request(model("t-a-p"), interval="none")
    project = project_of(finish(analyse(ratings, request)), ratings)
    wanted = Wanted(replicates=300, agreement=False, tests=False, sensitivity=False)
    extras = finish(prepare(project, wanted))
    assert extras.independence is not None
    made = build(project, extras=extras)
    methods = said(made, "model")
    assert "Whether pairs of raters agree too often was judged by 100 simulated data sets" in methods
    assert "which is wrong at most once in 1,000 reports" in methods
    table = next(t for t in blocks(made, "checks", Table) if t.title == "Every pair of raters")
    assert "100 panels made by it" in table.note
    assert "No more panels are made once it is settled that no pair stands out" in table.note
