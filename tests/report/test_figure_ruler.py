"""The ruler: raters stand at their fitted accuracies, cases at the share of their ratings that follow them."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers.figure import Band, Mark, Points, Role, Words
from tapdesk.answers.figures.catalog import figures
from tapdesk.answers.figures.ruler import HALF, case_shares, follow_chances, ruler, ruler_needs
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse


@pytest.fixture(scope="module", params=["jury-panel", "dawid-skene-1979"])
def judged(request):
    """A sample with raters of an own accuracy, told by t-aj-p."""
    ratings = read_now(f"sample:{request.param}").ratings
    return finish(analyse(ratings, Request(model("t-aj-p"), interval="none"))), ratings


def inner(fit):
    """The fitted accuracies that lie inside their range, by rater."""
    every = {e.name.rater: e.estimate.value for e in fit.estimates if e.name.name == "a"}
    return {name: value for name, value in every.items() if 0.001 < value < 0.999}


def test_the_ratings_of_a_rater_follow_as_often_as_the_fitted_accuracy_says(judged):
    fit, ratings = judged
    chances = follow_chances(fit, ratings)
    assert inner(fit)
    for name, value in inner(fit).items():
        own = chances[ratings.rater == ratings.raters.index(name)]
        assert own.mean() == pytest.approx(value, abs=2e-4)


def test_by_one_accuracy_all_ratings_together_follow_as_often_as_it_says(judged):
    _fit, ratings = judged
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="none")))
    assert follow_chances(fit, ratings).mean() == pytest.approx(fit.estimate("a").value, abs=2e-4)


def test_the_place_of_a_case_is_worked_out_by_bayes(judged):
    fit, ratings = judged
    t, a = fit.parameters.truth, fit.parameters.accuracy.ravel()
    p = np.broadcast_to(
        fit.parameters.guessing.reshape(-1, len(ratings.classes)), (len(ratings.raters), len(ratings.classes))
    )
    shares = case_shares(fit, ratings)
    for case in (0, len(ratings.subjects) // 2):
        at = np.flatnonzero(ratings.subject == case)
        given = [(ratings.rater[i], ratings.category[i]) for i in at]
        joint = np.array(
            [
                np.ravel(t)[k] * np.prod([a[j] * (c == k) + (1 - a[j]) * p[j, c] for j, c in given])
                for k in range(t.size)
            ]
        )
        truly = joint / joint.sum()
        follow = [truly[c] * a[j] / (a[j] + (1 - a[j]) * p[j, c]) for j, c in given]
        assert shares[case] == pytest.approx(np.mean(follow), abs=1e-9)


def test_points_line_and_columns_stand_where_the_numbers_are(judged):
    fit, ratings = judged
    panel = finish(analyse(ratings, Request(model("t-a-p"), interval="none"))).estimate("a")
    figure = ruler(fit, ratings, panel=panel)
    by_row = {name: y for y, name in figure.y.ticks}
    values = {e.name.rater: e.estimate.value for e in fit.estimates if e.name.name == "a"}
    drawn = {float(m.y[0]): float(m.x[0]) for m in figure.marks if isinstance(m, Points)}
    assert {by_row[name]: value for name, value in values.items()} == pytest.approx(drawn)
    assert [m.at for m in figure.marks if isinstance(m, Mark)] == [HALF, panel.value]
    columns = [m for m in figure.marks if isinstance(m, Band) and m.role is Role.MODEL]
    counts = [int(m.label) for m in figure.marks if isinstance(m, Words) and m.label.isdigit()]
    wanted, edges = np.histogram(case_shares(fit, ratings), np.linspace(0, 1, 11))
    assert counts == [n for n in wanted if n]
    assert [round(float(m.x.mean()), 9) for m in columns] == [
        round((edges[i] + edges[i + 1]) / 2, 9) for i in np.flatnonzero(wanted)
    ]
    heights = np.array([m.high[0] - m.low[0] for m in columns])
    assert heights / heights.max() == pytest.approx(np.array(counts) / max(counts))


def test_the_zone_of_luck_ends_at_one_half_and_the_title_counts_who_lies_in_it(judged):
    fit, ratings = judged
    figure = ruler(fit, ratings)
    (zone,) = (m for m in figure.marks if isinstance(m, Band) and m.role is Role.REFERENCE)
    assert zone.x.tolist() == [0.0, HALF]
    low = sum(e.estimate.value < HALF for e in fit.estimates if e.name.name == "a")
    cases = int((case_shares(fit, ratings) < HALF).sum())
    assert f": {low} of {len(ratings.raters)} " in figure.title
    assert f", {cases} of {len(ratings.subjects)} " in figure.title


def test_raters_who_are_not_known_stand_together():
    ratings = read_now("sample:fleiss-1971").ratings
    fit = finish(analyse(ratings, Request(model("t-a-p"))))
    (figure,) = figures("ruler", fit, ratings)
    assert [m.x[0] for m in figure.marks if isinstance(m, Points)] == [fit.estimate("a").value]
    assert "all raters" in {name.replace("psychiatrists", "raters") for _y, name in figure.y.ticks}


def test_a_model_of_other_accuracies_says_what_the_ruler_needs():
    ratings = read_now("sample:jury").ratings
    fit = finish(analyse(replace(ratings, ordered=False), Request(model("t-ak-p"), interval="none")))
    needs = "The ruler needs a model with one accuracy for all, or one for each rater, such as t-aj-p."
    assert ruler_needs(fit, ratings) == needs
