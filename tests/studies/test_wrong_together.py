"""Panels that are wrong together, by cases whose class is known: numbers worked out apart, size and power."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from tapdesk.errors import CannotAnswerError
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.wrong_together import wrong_together


def panel(seed, consensus, *, cases=150, known=45, raters=3, accuracy=0.8):
    """Ratings that follow a consensus, which follows the truth with a probability."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(cases) < 0.4).astype(int)
    common = np.where(rng.random(cases) < consensus, truth, rng.integers(0, 2, cases))
    subject, rater = np.repeat(np.arange(cases), raters), np.tile(np.arange(raters), cases)
    right = rng.random(subject.size) < accuracy
    category = np.where(right, common[subject], rng.integers(0, 2, subject.size))
    names, labels = [str(i) for i in range(cases)], ["no", "yes"]
    ratings = Ratings.of(subject, rater, category, names, [f"R{j}" for j in range(raters)], labels)
    texts = np.array([labels[t] if i < known else "" for i, t in enumerate(truth)], dtype=object)
    column = Covariate("key", CovariateOf.SUBJECT, texts)
    return replace(ratings, covariates=MappingProxyType({"key": column}), known="key")


def held(ratings, name="t-aj-pj", replicates=60):
    return finish(wrong_together(ratings, model(name), replicates, 1))


def test_a_panel_that_is_wrong_together_is_noticed():
    found = held(panel(1, 0.6, cases=200, known=80))
    assert found.test.p_bootstrap < 0.05
    assert found.cases == 80
    assert found.mismatches > 80 * 0.1
    assert found.consensus.high < 1
    assert found.against_key.value < found.against_panel.value
    assert found.consensus.value == pytest.approx(found.against_key.value / found.against_panel.value)
    assert found.difference.value == pytest.approx(found.against_key.value - found.against_panel.value)
    assert found.difference.low < found.difference.value < found.difference.high < 0
    # Drawn so: the ratio is the probability that the consensus is the truth.
    assert found.consensus.low < 0.6 < found.consensus.high


def test_each_rater_is_held_against_the_panel_and_against_the_key():
    found = held(panel(1, 0.6, cases=200, known=80))
    assert len(found.raters) == 3
    # Drawn so: .8 against the consensus, and .8 of .6 against the truth; five of six intervals hold it, or all.
    holds = [e.low < drawn < e.high for row in found.raters for e, drawn in zip(row, (0.8, 0.48), strict=True)]
    assert sum(holds) >= 5
    assert all(against_key.value < against_panel.value for against_panel, against_key in found.raters)
    # All rated as much, so the panel's numbers are the means of theirs.
    for of_panel, column in ((found.against_panel, 0), (found.against_key, 1)):
        assert np.mean([row[column].value for row in found.raters]) == pytest.approx(of_panel.value)
    assert held(panel(1, 0.6, cases=200, known=80), "t-a-p", replicates=5).raters == ()


def test_a_rater_of_few_known_cases_has_no_interval_against_the_key():
    ratings = panel(4, 0.9, cases=200, known=80)
    first, few, _third = held(ratings.keep((ratings.rater != 1) | (ratings.subject >= 72)), replicates=10).raters
    assert first[1].low is not None
    assert few[1].value is not None
    assert few[1].low is None
    assert few[1].no_interval == "Only 8 cases have a known answer: too few for intervals."
    assert few[0].low is not None


def test_a_panel_whose_consensus_is_the_truth_is_hardly_ever_accused():
    accused = [held(panel(seed, 1.0), replicates=40).test.p_bootstrap <= 0.05 for seed in range(10, 18)]
    assert sum(accused) <= 2


def test_the_score_and_the_counts_are_those_of_the_beliefs_without_the_key():
    ratings = panel(3, 0.9)
    found = held(ratings, "t-a-p", replicates=10)
    known = ratings.known_classes()
    from tapdesk.studies.analysis import Request, analyse

    fit = finish(analyse(replace(ratings, known=""), Request(model("t-a-p"), interval="none")))
    a, t, p = (fit.parameters.accuracy[0, 0], fit.parameters.truth, fit.parameters.guessing[0, 0])
    score, wrong, expected = 0.0, 0, 0.0
    for i in np.flatnonzero(known >= 0):
        given = ratings.category[ratings.subject == i]
        joint = np.array([t[k] * np.prod(np.where(given == k, a + (1 - a) * p[k], (1 - a) * p[given])) for k in (0, 1)])
        belief = joint / joint.sum()
        score -= np.log(max(belief[known[i]], 1e-3))
        wrong += belief.argmax() != known[i]
        expected += 1 - belief[known[i]]
    assert found.test.statistic == pytest.approx(score, abs=1e-5)
    assert (found.mismatches, found.expected_mismatches) == (wrong, pytest.approx(expected, abs=1e-5))


def test_without_known_cases_there_is_nothing_to_hold_it_against():
    ratings = panel(1, 1.0, known=0)
    with pytest.raises(CannotAnswerError, match="No true class"):
        held(ratings)
