"""Raters with a number on the edge are told as drawn from one population, and that is said everywhere."""

import json

import numpy as np
import pytest

from tapdesk.answers.question import headline
from tapdesk.cli.main import main
from tapdesk.errors import CannotAnswerError
from tapdesk.models.model import GRID_MODELS, model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.chance import with_tests
from tapdesk.studies.edge_pooling import edge_pooling, edge_raters, wants_pooling


def panel(seed, accuracies, cases=30, guess=0.4, truth=0.4, hard=0.0) -> Ratings:
    """Two classes; of ``hard`` cases everybody guesses."""
    rng = np.random.default_rng(seed)
    true = rng.random(cases) < truth
    beyond = rng.random(cases) < hard
    columns = [
        np.where((rng.random(cases) < a) & ~beyond, true, rng.random(cases) < guess).astype(int) for a in accuracies
    ]
    raters = len(accuracies)
    return Ratings.of(
        np.repeat(np.arange(cases), raters), np.tile(np.arange(raters), cases), np.stack(columns, axis=1).ravel(),
        [f"c{i}" for i in range(cases)], [f"R{j + 1}" for j in range(raters)], ("no", "yes"),
    )  # fmt: skip


FIVE = (1.0, 0.8, 0.7, 0.6, 0.5)


def fitted(ratings, name="t-aj-p"):
    return finish(analyse(ratings, Request(model(name, GRID_MODELS), interval="none")))


@pytest.fixture(scope="module")
def edge():
    ratings = panel(4, FIVE)
    return ratings, fitted(ratings)


def test_an_accuracy_of_one_asks_for_a_population(edge):
    ratings, fit = edge
    assert edge_raters(fit, ratings) == ("R1",)
    assert wants_pooling(fit, ratings)


def test_nobody_is_drawn_together_of_few_raters_or_many_ratings_each():
    few = panel(4, FIVE[:4])
    assert not wants_pooling(fitted(few), few)
    many = panel(2, (0.9, *FIVE[1:]), cases=200)
    fit = fitted(many)
    assert edge_raters(fit, many) == ()
    assert not wants_pooling(fit, many)


def test_of_a_population_nobody_stands_on_the_edge_and_all_lie_nearer_together(edge):
    ratings, fit = edge
    found = finish(edge_pooling(ratings, fit, 1))
    own = [e.estimate.value for e in fit.estimates if e.name.name == "a"]
    told = [e.estimate for e in found.fit.estimates if e.name.name == "a"]
    assert all(0.02 < e.value < 0.98 and e.low < e.value < e.high for e in told)
    assert np.std([e.value for e in told]) < np.std(own)
    assert found.panel.low < found.panel.value < found.panel.high
    assert found.fit.identification.identified


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    ratings = panel(4, FIVE)
    table = ratings.category.reshape(30, 5)
    rows = ["case," + ",".join(ratings.raters)]
    rows += [f"c{i}," + ",".join(ratings.classes[k] for k in row) for i, row in enumerate(table)]
    place = tmp_path_factory.mktemp("edge") / "edge.csv"
    place.write_text("\n".join(rows) + "\n")
    return place


def test_the_headline_the_table_and_the_json_say_so(written, tmp_path, capsys):
    assert main(["fit", str(written), "--model", "t-aj-p"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "By their own ratings alone R1 would have a number on the edge of what is possible" in text
    assert "drawn from one population (t-aj-p, pooled)" in text
    assert "What if raters come from one population?" in text
    place = tmp_path / "fit.json"
    assert main(["fit", str(written), "--model", "t-aj-p", f"--json={place}"]) == 0
    pooled = json.loads(place.read_text())["fits"][0]["pooled"]
    assert pooled["edge"] == ["R1"]
    assert [one["rater"] for one in pooled["raters"]] == ["R1", "R2", "R3", "R4", "R5"]
    assert pooled["raters"][0]["value"] < pooled["raters"][0]["alone"] == pytest.approx(1.0)


def test_where_the_approximation_does_not_settle_it_is_said_what_does(edge, monkeypatch):
    monkeypatch.setattr("tapdesk.fitting.sampling.pooled_quick.LEAST_DRAWS", 1e9)
    monkeypatch.setattr("tapdesk.fitting.sampling.pooled_quick._MOST_PORTIONS", 1)
    said = "drawn from one population could not be told in a moment here; chains can tell them"
    with pytest.raises(CannotAnswerError, match=said):
        finish(edge_pooling(*edge, 1))


def test_guesses_of_cases_beyond_everybody_have_a_value_however_well_others_are_rated():
    ratings = panel(1, (1.0,) * 5, cases=200, guess=0.5, truth=0.5, hard=0.4)
    fit = finish(analyse(ratings, Request(model("t-ah-p", GRID_MODELS))))
    assert fit.estimate("a").value == pytest.approx(1.0, abs=1e-4)
    assert fit.estimate("p").value == pytest.approx(0.5, abs=0.15)
    from tapdesk.answers.part import Answer

    sentence = headline(Answer(fit, ratings, ratings))[0]
    assert "All ratings of each case agree" not in sentence


def test_whether_anybody_knows_anything_is_tested_where_cases_are_harder_for_some():
    ratings = panel(1, (0.9, 0.8, 0.7), cases=40)
    fit = finish(analyse(ratings, Request(model("t-aij-p", GRID_MODELS), interval="none")))
    tests = finish(with_tests(fit, ratings, 3)).tests
    assert "a=0" in [test.name for test in tests]
