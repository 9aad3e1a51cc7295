"""What becomes of the answer if cases differ: the worked example of the wines, what cannot be seen, the test's size."""

import numpy as np
import pytest

from tapdesk.errors import CannotAnswerError
from tapdesk.models.design import design
from tapdesk.models.model import CASE_MODELS, model
from tapdesk.models.parameters import Stack
from tapdesk.models.simulate import simulate_like
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.ratings.samples import sample
from tapdesk.studies.dependence import dependence
from tapdesk.studies.grid_hypotheses import no_difficulty
from tapdesk.studies.likelihood_ratio import likelihood_ratio


def empty(cases, raters):
    subject, rater = np.repeat(np.arange(cases), raters), np.tile(np.arange(raters), cases)
    names = [str(i) for i in range(cases)]
    return Ratings.of(
        subject, rater, np.arange(subject.size) % 2, names, [f"R{j}" for j in range(raters)], ["no", "yes"]
    )


def drawn(name, spread, seed, *, cases=300, raters=6):
    blank = empty(cases, raters)
    row = model(name, CASE_MODELS)
    point = design(row, blank).space.point(np.array([[0.6, 0.4]]), np.array([0.7]), np.array([[0.5, 0.5]])).one(0)
    if point.spread.size:
        point = Stack.of([point]).one(0)
        point = type(point)(point.truth, point.accuracy, point.guessing, point.slopes, np.array([spread]))
    return simulate_like(blank, row, point, seed)[0]


class TestWine:
    """Hodgson 2008, the line between 2 and 3: three explanations reach the same likelihood (models_more.md §3)."""

    @pytest.fixture
    def found(self):
        return finish(dependence(read_now("sample:wine-cut2", sample("wine-cut2").options).ratings))

    def test_three_explanations_fit_alike_and_tell_different_accuracies(self, found):
        level = {row.model: row.log_likelihood for row in found.rows}
        assert level["t-a-p"] == pytest.approx(-483.598958, abs=1e-6)
        for name in ("t-ai-p", "t-a-pi", "t-ah-p"):
            assert level[name] == pytest.approx(-483.413625, abs=1e-6)
        accuracy = {row.model: row.accuracy for row in found.rows}
        assert accuracy["t-ai-p"] == pytest.approx(0.370, abs=5e-4)
        assert accuracy["t-a-pi"] == pytest.approx(0.351, abs=5e-4)
        assert accuracy["t-ah-p"] == pytest.approx(0.320, abs=5e-4)

    def test_the_range_is_over_all_that_fit(self, found):
        assert found.seen
        assert all(row.fits for row in found.rows)
        low, high = found.accuracies
        assert low == pytest.approx(0.320, abs=5e-4)
        assert high == max(row.accuracy for row in found.rows)
        shares = sorted(min(row.truth) if row.model == "t-ai-p" else row.truth[0] for row in found.rows)
        assert found.truths(0)[0] <= shares[0] + 1e-9


def test_three_ratings_of_a_case_show_nothing():
    found = finish(dependence(drawn("t-ah-p", 0.3, 1, raters=3)))
    assert not found.seen
    assert [row.model for row in found.rows if row.fits] == ["t-a-p"]
    assert found.test is None


def test_hard_cases_are_noticed_and_the_truth_lies_in_the_range():
    ratings = drawn("t-ah-p", 0.3, 2)
    found = finish(dependence(ratings, replicates=40))
    assert found.test.p_bootstrap < 0.05
    plain, *_others = found.rows
    assert not plain.fits
    assert plain.accuracy > found.accuracies[1]
    low, high = found.accuracies
    # A rating follows its case in 70 of 100 easy cases, and in no hard one.
    assert low - 0.05 < 0.7 * 0.7 < high + 0.05


def test_of_cases_that_are_alike_nothing_is_noticed():
    tests = [finish(likelihood_ratio(drawn("t-a-p", 0, seed), no_difficulty(), 40, seed)) for seed in range(3, 9)]
    assert sum(t.p_bootstrap <= 0.05 for t in tests) <= 2
    assert all(t.df is None for t in tests)


def test_what_two_ratings_leave_open_has_no_range():
    with pytest.raises(CannotAnswerError, match="leave the accuracy open"):
        finish(dependence(drawn("t-a-p", 0, 1, raters=2)))
