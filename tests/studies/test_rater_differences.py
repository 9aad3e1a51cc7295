"""Whether raters are alike, whatever the cases are like, and who stands apart: simulated panels."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from tapdesk.answers.fit_studies import fit_studies
from tapdesk.answers.misfit import before_the_headline, level, why_set_back
from tapdesk.answers.part import Answer
from tapdesk.answers.question import headline, headline_warns
from tapdesk.errors import CannotAnswerError
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.rater_differences import equal_raters, rater_differences, reach_of
from tests.studies.test_opposition import panel, rated

UNEQUAL = (0.95, 0.9, 0.2, 0.1, 0.0)


def hard(rng, cases, raters, sd=1.5):
    """The probit of being right varies from case to case; right 80 times in 100 on average."""
    true, difficulty = rng.random((cases, 1)) < 0.5, rng.normal(size=(cases, 1))
    right = norm.cdf(norm.ppf(0.8) * np.sqrt(1 + sd**2) + sd * difficulty)
    follows = rng.random((cases, raters)) < right
    return np.where(follows, true, ~true).astype(np.int64)


def test_the_range_of_accuracies_that_is_told_is_not_stretched_by_luck():
    """Truths of sd .1, errors of sd .1: the ends of the estimates lie too far out, those told do not."""
    too_far, off = [], []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        true = rng.normal(0.6, 0.1, 12)
        estimates = true + rng.normal(0, 0.1, 12)
        low, high = reach_of(estimates, np.full(12, 0.1))
        too_far.append(np.ptp(estimates) - np.ptp(true))
        off.append(high - low - np.ptp(true))
    assert np.mean(too_far) > 0.08
    assert abs(np.mean(off)) < 0.04
    assert reach_of(estimates, None) == (estimates.min(), estimates.max())
    assert reach_of(estimates, np.full(12, 1.0)) == pytest.approx((estimates.mean(), estimates.mean()))


@pytest.mark.parametrize(
    "draw", [lambda rng: panel(rng, 100, 5), lambda rng: hard(rng, 100, 5), lambda rng: panel(rng, 40, 12)]
)
def test_alike_raters_are_called_unequal_no_oftener_than_asked_whatever_the_cases(draw):
    rejected = [finish(equal_raters(rated(draw(np.random.default_rng(s))), 99, 1)).rejects for s in range(100)]
    # 5 in 100 are asked; 12 of 100 would be passed by luck twice in 1,000 times.
    assert sum(rejected) <= 12


def test_twelve_alike_raters_have_one_who_stands_apart_in_at_most_1_of_20_panels():
    named = [finish(rater_differences(rated(panel(np.random.default_rng(s), 60, 12)), 99, 1)).apart for s in range(100)]
    assert sum(map(bool, named)) <= 5


@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 10))])
def test_unequal_raters_are_seen_and_their_accuracies_told(seed):
    found = finish(rater_differences(rated(panel(np.random.default_rng(seed), 200, 5, 0.5, UNEQUAL, 0.5)), 99, 1))
    assert found.test.rejects
    assert found.accuracies == pytest.approx(UNEQUAL, abs=0.25)
    # Half of a panel does not stand apart from it.
    assert found.apart == ()


def test_the_one_who_knows_less_is_named_with_the_numbers():
    found = finish(
        rater_differences(rated(panel(np.random.default_rng(3), 200, 12, accuracy=(*[0.73] * 11, 0.24))), 99, 1)
    )
    assert found.apart == ("R12",)
    assert found.accuracy("R12") < 0.45
    assert 0.6 < found.middle < 0.85


def test_who_gave_a_rating_must_be_known():
    with pytest.raises(CannotAnswerError, match="not known"):
        finish(rater_differences(rated(panel(np.random.default_rng(0), 20, 3), raters_known=False), 9, 1))


def answered(classes, raters_known=True):
    ratings, request = rated(classes, raters_known), Request(model("t-a-p"))
    fit = finish(analyse(ratings, request))
    return Answer(fit, ratings, ratings, finish(fit_studies(fit, ratings, request)))


def test_hard_cases_are_said_before_the_accuracy_with_the_way_they_move_it():
    answer = answered(hard(np.random.default_rng(1), 300, 5))
    said, follows = headline(answer)
    assert said.startswith("Cases seem to differ in difficulty: about 79 of 100 ratings follow the case if all are")
    ends = re.search(r"equally hard, (\d+) to (\d+) if some are harder", str(said))
    assert ends is not None
    # Half of what is not known is right by luck: a case is followed 60 times in 100.
    assert int(ends[1]) < 60 < int(ends[2]) <= 80
    assert "These ratings speak against the first." in follows
    assert "Which of them are harder, or whether they mislead everybody, these ratings cannot say." in follows
    # What holds of cases that are alike is not told as the result.
    assert "ratings follow the case (" not in follows
    assert headline_warns(answer)
    assert why_set_back(answer) == "Only if all cases are equally hard."
    untold = replace(answer, side=replace(answer.side, dependence=None))
    said, follows = headline(untold)
    assert said.startswith("Cases seem to differ in difficulty: an accuracy of 0.79 is probably too high.")
    assert "ratings follow the case (" in follows


def test_raters_are_asked_for_before_a_rating_is_spoken_of():
    few = headline(answered(panel(np.random.default_rng(1), 200, 5, 0.5, UNEQUAL, 0.5)))
    assert few[0].startswith("The raters differ: their accuracies go from about 0.0")
    one = headline(answered(panel(np.random.default_rng(3), 200, 12, accuracy=(*[0.73] * 11, 0.24))))
    assert one[0].startswith("R12 stands apart: 0.")
    lean = headline(answered(panel(np.random.default_rng(1), 200, 5, 0.4, 0.6, (0.1, 0.9, 0.5, 0.3, 0.7))))
    assert lean[0].startswith("About ")
    assert "The raters differ in how often they give each answer" in lean[1]


def test_a_panel_as_the_model_has_it_is_told_its_accuracy_first():
    unknown = answered(panel(np.random.default_rng(2), 200, 5), raters_known=False)
    known = answered(panel(np.random.default_rng(2), 200, 5))
    assert level(unknown.side) == 0.05
    # Two independent tests at this level reject 5 in 100 together.
    assert 1 - (1 - level(known.side)) ** 2 == pytest.approx(0.05)
    for answer in (known, unknown):
        assert before_the_headline(answer.fit, answer.side) is None
        assert headline(answer)[0].startswith("About ")
