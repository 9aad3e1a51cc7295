"""The tables below the pictures of the results: against the studies themselves."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from tapdesk.answers.content import Picture, Table
from tapdesk.answers.model_checks import surprising
from tapdesk.answers.naming import RatersAs, naming
from tapdesk.answers.pseudonyms import coded_fit, coded_ratings
from tapdesk.answers.side_results import Wanted
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.build import build
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.rater_diagnostics import leave_one_out, rater_calibration, unexpected_ratings

from .examples import A, P, T, counted, four_fit, four_ratings, project_of, wine_fit
from .looked_up import blocks, said

BESIDE = Wanted(replicates=20, agreement=False, tests=False, raters=False, sensitivity=False)


def test_shares_of_cases_are_the_counts_of_the_panel_and_the_binomials_of_the_model():
    made = build(project_of(wine_fit(), counted((18, 35, 46, 48, 36))))
    table = next(t for t in blocks(made, "results", Table) if t.title.startswith("Share of wines"))
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
    odd = unexpected_ratings(wine, fitted, 5)
    told = [(int(at), float(p)) for at, p in zip(odd.rating, odd.probability, strict=True)]
    table = surprising(told, wine)
    # Seats are nobody.
    assert [c.title for c in table.columns] == ["Case", "Rating", "Expected"]
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
    # The ratings stand in the order of the codes, so each is looked for by its case and its rater.
    rows = enumerate(zip(shown.subject, shown.rater, strict=True))
    place = {(shown.subjects[s], shown.raters[r]): i for i, (s, r) in rows}
    rows = zip(ratings.subject, ratings.rater, strict=True)
    whose = [(ratings.subjects[s], called.rater(people[r])) for s, r in rows]
    assert leave_one_out(shown, told)[[place[one] for one in whose]] == pytest.approx(
        leave_one_out(ratings, fit), abs=1e-12
    )
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
