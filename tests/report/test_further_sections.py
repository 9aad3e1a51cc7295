"""Sections that are printed where they are asked for, and the checks of the model: against the studies themselves."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom, chi2

from tapdesk.models.catalog import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.build import build
from tapdesk.report.coded import coded_fit, coded_ratings
from tapdesk.report.extras import Wanted
from tapdesk.report.figures.contour import reach_of
from tapdesk.report.names import RatersAs, naming
from tapdesk.report.prepare import prepare, prepare_further
from tapdesk.report.report import Paragraph, Picture, Table
from tapdesk.report.setup import Setup, setup, with_setup
from tapdesk.report.tables.checks import surprising
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.calibration import rater_calibration
from tapdesk.studies.raters import leave_one_out, surprises

from .examples import A, P, T, counted, four_fit, four_ratings, open_fit, project_of, wine_fit

BESIDE = Wanted(replicates=20, agreement=False, tests=False, raters=False, sensitivity=False)


@pytest.fixture(scope="module", autouse=True)
def few_sizes():
    """Plans of few sizes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tapdesk.report.figures.plan.SUBJECTS", (30, 400))
        patch.setattr("tapdesk.report.figures.plan.RATERS", (2, 3, 8))
        yield


@pytest.fixture(scope="module")
def asked(fitted, wine):
    """The wine panel with both sections, few simulations."""
    project = project_of(fitted, wine)
    return project, finish(prepare(project, replace(BESIDE, contour=True, plan=True)))


def blocks(report, key, kind):
    (section,) = [s for s in report.sections if s.key == key]
    return [b for b in section.blocks if isinstance(b, kind)]


def said(report, key):
    return " ".join(b.text for b in blocks(report, key, Paragraph))


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
    for found in extras.contour.surfaces:
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
    assert "The ratings at hand (183 cases, 732 ratings) put the accuracy" in said(made, "plan")
    records = extras.plan.table.records()
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
    spread = extras.plan.table.only(raters=8).numbers("spread")
    assert spread[-1] < spread[0] / 2


def test_a_plan_that_stands_on_next_to_nothing_says_so(asked):
    project, extras = asked
    weak = replace(
        extras.plan.fit,
        estimates=tuple(
            replace(e, estimate=replace(e.estimate, low=0.01)) if e.name.name == "a" else e
            for e in extras.plan.fit.estimates
        ),
    )
    made = build(project, extras=replace(extras, plan=replace(extras.plan, fit=weak)))
    assert "take it as an example, not as advice" in said(made, "plan")


def test_what_cannot_be_answered_says_why_in_its_place():
    two = counted((30, 20, 40))
    fit = finish(analyse(two, Request(model("t-a-p"))))
    project = project_of(fit, two)
    extras = finish(prepare(project, replace(BESIDE, plan=True)))
    assert extras.plan is None
    assert "do not determine the numbers" in said(build(project, extras=extras), "plan")


def test_raters_with_numbers_of_their_own_are_planned_with_one_for_all(wine):
    people = replace(wine, raters_known=True)
    fit = finish(analyse(people, Request(model("t-aj-p"), interval="none")))
    project = project_of(fit, people)
    extras = finish(prepare(project, replace(BESIDE, plan=True)))
    assert extras.plan.fit.model.name == "t-a-p"
    assert "the numbers are those of the t-a-p model" in said(build(project, extras=extras), "plan")


def test_what_is_asked_for_later_is_worked_out_alone_and_goes_when_it_is_not(asked):
    project, extras = asked
    only = with_setup(project, Setup(plan=True))
    assert (setup(only).plan, setup(only).contour) == (True, False)
    after = finish(prepare_further(only, extras))
    assert after.plan is extras.plan
    assert after.contour is None
    assert (after.wanted.plan, after.wanted.contour) == (True, False)


# The checks of the model -------------------------------------------------------------------------------------------


def test_votes_are_told_with_the_binomial_behind_them():
    """Out of three ratings a vote is right where two or three name the class: (t, a, p) of the wine panel."""
    made = build(project_of(wine_fit(), counted((18, 35, 46, 48, 36))))
    table = next(t for t in blocks(made, "checks", Table) if t.title.startswith("How often a vote"))
    right, wrong = A + (1 - A) * P, (1 - A) * P
    three = T * binom.sf(1, 3, right) + (1 - T) * binom.cdf(1, 3, wrong)
    (row,) = [row for row in table.rows if row[0] == "3"]
    assert row[1].values == (pytest.approx(three, abs=1e-12),)
    assert row[2].values[0] >= row[1].values[0] - 1e-12


def test_votes_and_entropies_of_what_is_not_determined_are_not_told():
    made = build(project_of(open_fit(), counted((18, 35, 46, 48, 36))))
    titles = [t.title for t in blocks(made, "checks", Table)]
    assert titles
    assert not [t for t in titles if "vote" in t or "leaves open" in t]
    wide = wine_fit()
    wide = replace(
        wide,
        estimates=tuple(
            replace(e, estimate=replace(e.estimate, low=0.0, high=0.9)) if e.name.name == "a" else e
            for e in wide.estimates
        ),
    )
    made = build(project_of(wide, counted((18, 35, 46, 48, 36))))
    assert "How often a vote is right is not told" in said(made, "checks")
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
    entropies = next(t for title, t in tables.items() if "leaves open" in title)
    assert len(entropies.rows) == 30
    assert "The first 12 of 30 rows are printed" in entropies.printed().note
    values = [row[1].values[0] for row in entropies.rows]
    assert values == sorted(values)


def told_apart(extras, **changes):
    """The studies with pairs of raters whose simulated mean lies outside the middle of the simulations."""
    from tapdesk.studies.independence import Independence

    one = np.ones(1)
    found = Independence(
        raters=("Ann", "Ben"), first=np.array([0]), second=np.array([1]), shared=np.array([8]), observed=0.2 * one,
        expected=0.1 * one, low=-0.05 * one, high=0.05 * one, deviation=one, p=one, p_adjusted=one,
        flagged=np.array([False]), measure="covariance", replicates=20,
    )  # fmt: skip
    return replace(extras, independence=replace(found, **changes))


def test_a_mean_beside_the_middle_of_few_simulated_panels_is_printed_as_it_is(asked):
    project, extras = asked
    made = build(project, extras=told_apart(extras))
    assert not made.faults
    (row,) = next(t for t in blocks(made, "checks", Table) if t.title.startswith("Every pair")).rows
    assert (row[3].values, row[4].values) == ((0.1,), (-0.05, 0.05))


def test_raters_who_agree_on_everything_are_not_called_independent(asked):
    project, extras = asked
    same = told_apart(extras, observed=np.ones(1), expected=np.ones(1), low=np.ones(1), high=np.ones(1))
    assert "it cannot be seen whether they judged by themselves" in said(build(project, extras=same), "checks")


def test_classes_that_all_or_none_got_have_no_standard_error_and_one_group_is_told_in_the_singular():
    ratings = counted((20, 0, 0, 0, 20))
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="none")))
    made = build(project_of(fit, ratings))
    table = blocks(made, "checks", Table)[0]
    assert {row[4] for row in table.rows} == {"–"}
    assert "none is further off" in said(made, "checks")
    from tapdesk.report.words.checks import beyond, calibrated
    from tapdesk.studies.calibration import rating_calibration

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


def test_a_plan_from_few_cases_is_an_example(asked):
    project, extras = asked
    small = replace(extras.plan, fit=replace(extras.plan.fit, subjects=8))
    assert "an example, not advice" in said(build(project, extras=replace(extras, plan=small)), "plan")


# The tables below the pictures of the results ------------------------------------------------------------------------


def test_shares_of_cases_are_the_counts_of_the_panel_and_the_binomials_of_the_model():
    made = build(project_of(wine_fit(), counted((18, 35, 46, 48, 36))))
    table = next(t for t in blocks(made, "results", Table) if t.title.startswith("Share of cases"))
    assert [row[1].values[0] * 183 for row in table.rows] == pytest.approx([18, 35, 46, 48, 36])
    k, right, wrong = np.arange(5), A + (1 - A) * P, (1 - A) * P
    foretold = T * binom.pmf(k, 4, right) + (1 - T) * binom.pmf(k, 4, wrong)
    assert [row[3].values[0] for row in table.rows] == pytest.approx(foretold)
    for row in table.rows:
        assert row[2].values[0] <= row[1].values[0] <= row[2].values[1]


def test_what_the_words_on_chance_rest_on_is_a_table(fitted, wine, extras):
    made = build(project_of(fitted, wine), extras=extras)
    table = next(t for t in blocks(made, "results", Table) if t.title.startswith("These ratings, and simulated"))
    ratio, root = table.rows
    assert ratio[1].values == (extras.chance.test.statistic,)
    assert ratio[2].values == (extras.chance.test.quantiles["0.95"],)
    assert root[1].values == (extras.horizon.root_kappa,)
    assert root[2].values == (extras.horizon.quantiles["0.95"],)


def test_the_least_foretold_ratings_are_listed_with_their_case_and_class(fitted, wine):
    odd = surprises(wine, fitted, 5)
    told = [(int(at), float(p)) for at, p in zip(odd.rating, odd.probability, strict=True)]
    table = surprising(told, wine)
    # Seats are nobody.
    assert [c.title for c in table.columns] == ["Case", "Rating", "Foretold"]
    for (case, label, foretold), (at, probability) in zip(table.rows, told, strict=True):
        assert (case, label) == (wine.subjects[wine.subject[at]], wine.classes[wine.category[at]])
        assert foretold.values == (probability,)
    people = surprising(told, replace(wine, raters_known=True))
    assert [row[1] for row in people.rows] == [wine.raters[wine.rater[at]] for at, _p in told]


def test_votes_of_many_classes_go_as_far_as_they_can_be_listed():
    """Twelve classes: the ways for seven ratings to fall are too many, and the report is written all the same."""
    rng = np.random.default_rng(2)
    months = [f"month {i}" for i in range(12)]
    truth = rng.integers(0, 12, 60)
    codes = np.where(rng.random((60, 3)) < 0.7, truth[:, None], rng.integers(0, 12, (60, 3)))
    ratings = Ratings.of(
        np.repeat(np.arange(60), 3), np.tile(np.arange(3), 60), codes.ravel(), [f"C{i}" for i in range(60)],
        ["1", "2", "3"], months, raters_known=False,
    )  # fmt: skip
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="none")))
    made = build(project_of(fit, ratings))
    votes = next(t for t in blocks(made, "checks", Table) if "vote" in t.title)
    assert [row[0] for row in votes.rows] == [str(r) for r in range(1, len(votes.rows) + 1)]
    assert 3 <= len(votes.rows) < 7
    assert "Only the first 4 of 12 classes are looked at." in said(made, "checks")


def test_of_several_classes_the_groups_furthest_from_the_model_come_first():
    ratings, fit = four_ratings(), four_fit()
    made = build(project_of(fit, ratings))
    table = blocks(made, "checks", Table)[0]
    apart = [abs(row[3].values[0] - row[4].values[0]) for row in table.rows]
    assert apart == sorted(apart, reverse=True)
    assert len(table.rows) > 12
    assert "The first 12 of" in table.printed().note
    picture = blocks(made, "checks", Picture)[0]
    # How many are far off is said once for all classes, not once more for the last of them.
    assert "luck" not in picture.note


@pytest.mark.parametrize("name", ["t-aj-p", "t-a-pj", "t-aj-pj"])
def test_codes_for_raters_change_no_number(name):
    """Codes stand in an order of their own; the numbers of each rater go with the rater, not with the place."""
    rng = np.random.default_rng(11)
    truth = rng.integers(0, 2, 60)
    able = np.linspace(0.2, 0.95, 8)
    codes = np.where(rng.random((60, 8)) < able, truth[:, None], rng.random((60, 8)) < 0.3).astype(int)
    people = [f"Rater {i}" for i in range(8)]
    ratings = Ratings.of(
        np.repeat(np.arange(60), 8), np.tile(np.arange(8), 60), codes.ravel(), [f"C{i}" for i in range(60)], people,
        ("no", "yes"),
    )  # fmt: skip
    fit = finish(analyse(ratings, Request(model(name), interval="wald")))
    project = project_of(fit, ratings)
    called = naming(project, RatersAs.CODES)
    shown, told = coded_ratings(ratings, called), coded_fit(fit, called)
    assert told.raters == shown.raters != tuple(called.rater(p) for p in people)
    assert leave_one_out(shown, told) == pytest.approx(leave_one_out(ratings, fit), abs=1e-12)
    plain, coded = rater_calibration(ratings, fit), rater_calibration(shown, told)
    expected = {called.rater(who): value for who, value in zip(plain.names, plain.modelled, strict=True)}
    assert dict(zip(coded.names, coded.modelled, strict=True)) == pytest.approx(expected, abs=1e-12)
    # Every reported number still stands where its slot says.
    known = 0
    for slot in told.slots:
        at, value = slot.name, getattr(told.parameters, slot.part)[slot.index]
        found = told.estimate(at.name, at.category, at.rater).value
        known += found is not None
        assert found is None or value == pytest.approx(found, abs=1e-12)
    assert known >= 8
    before, after = (build(project, raters_as=how) for how in (RatersAs.NAMES, RatersAs.CODES))
    for one, other in zip(blocks(before, "checks", Table), blocks(after, "checks", Table), strict=True):
        told_one, told_other = (sorted(c for row in t.rows for c in row if hasattr(c, "values")) for t in (one, other))
        assert told_one == told_other
