"""One pair of raters with answers in common: found where one copies, told of nobody where cases are hard."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.special import expit

from tapdesk.answers.fit_studies import fit_studies
from tapdesk.answers.misfit import about_pairs
from tapdesk.answers.part import Answer
from tapdesk.answers.question import headline
from tapdesk.errors import CannotAnswerError
from tapdesk.models.difficulty import nodes
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.pair_dependence import _Likelihood, dependent_pair
from tapdesk.studies.rater_pairs import independence
from tapdesk.worlds.catalog import world
from tests.studies.test_opposition import rated

EVERY = np.array(list(product((-1, 0, 1), repeat=4)))


def by_hand(point, patterns, weight, pair=None):
    """The log-likelihood by a sum over true classes and nodes for every case, one rating after the other."""
    j = patterns.shape[1]
    t, alpha, sigma, p = expit(point[0]), point[1 : j + 1], np.exp(point[j + 1]), expit(point[j + 2 : 2 * j + 2])
    m = expit(point[-1]) if pair else 0.0
    total = 0.0
    for row, w in zip(patterns, weight, strict=True):
        chance = 0.0
        for k, z_and_share in product((0, 1), zip(*nodes(15), strict=True)):
            z, share = z_and_share
            one = share * (t if k else 1 - t)
            for r in range(j):
                if row[r] < 0:
                    continue
                a, guess = expit(alpha[r] - sigma * z), p[r] if row[r] else 1 - p[r]
                rate = a * (row[r] == k) + (1 - a) * guess
                if pair and r == pair[1] and row[pair[0]] >= 0:
                    rate = m * (row[pair[0]] == row[r]) + (1 - m) * rate
                one *= rate
            chance += one
        total += w * np.log(chance)
    return total


@pytest.mark.parametrize("pair", [None, (2, 0)])
def test_the_likelihood_is_the_sum_over_all_that_is_not_seen_and_its_slopes_are_its_slopes(pair):
    random = np.random.default_rng(4)
    weight = random.integers(1, 9, len(EVERY))
    likelihood = _Likelihood(EVERY, weight)
    point = np.append(likelihood.start(random), [-0.7] if pair else [])
    level, slopes = likelihood.level(point, pair)
    assert -level == pytest.approx(by_hand(point, EVERY, weight, pair), rel=1e-12)
    numeric = approx_fprime(point, lambda x: likelihood.level(x, pair)[0], 1e-6)
    assert slopes == pytest.approx(numeric, abs=1e-2, rel=1e-4)


def test_with_all_pairs_at_their_own_the_chances_of_all_patterns_sum_to_one():
    whole = np.array(list(product((0, 1), repeat=4)))
    likelihood = _Likelihood(whole, np.ones(len(whole)))
    point = np.append(likelihood.start(np.random.default_rng(1)), 0.3)
    each = [np.exp(-_Likelihood(row[None], np.ones(1)).level(point, (0, 3))[0]) for row in whole]
    assert sum(each) == pytest.approx(1)


def found(key, seed):
    return finish(dependent_pair(rated(world(key).draw(np.random.default_rng(seed)).ratings)))


def test_who_copies_in_half_of_the_cases_is_found_with_how_often():
    pairs = [found("copy-200x5", seed) for seed in range(6)]
    told = [one for one in pairs if one.stands_out]
    assert len(told) >= 2
    assert {(one.first, one.second) for one in told} == {(0, 1)}
    assert np.mean([one.share for one in told]) == pytest.approx(0.5, abs=0.2)


def test_a_pair_that_stands_out_is_named_and_why_is_not_guessed():
    ratings = rated(world("copy-200x5").draw(np.random.default_rng(5)).ratings)
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="none")))
    pairs = finish(independence(ratings, fit, 199))
    one, other = pairs.named
    assert pairs.finding.format() == (
        f"{one} and {other} agree more often than their accuracies and hard cases explain, and no other two raters do."
    )
    assert not pairs.widespread
    text, follows = about_pairs(fit, pairs)
    assert "agree more often than one accuracy explains" in text
    assert follows.endswith("Why cannot be told from these ratings.")
    assert str(follows).startswith(f"{one} and {other} agree more often")
    # Where another pair may be it as well, the panel is spoken of.
    near = replace(pairs, pair=replace(pairs.pair, runner_up=pairs.pair.statistic - 1))
    assert near.named is None
    assert one not in str(near.finding)


def test_where_such_a_pair_makes_raters_differ_the_headline_says_so():
    ratings = rated(world("copy-200x5").draw(np.random.default_rng(5)).ratings)
    request = Request(model("t-a-p"))
    fit = finish(analyse(ratings, request))
    words, follows = headline(Answer(fit, ratings, ratings, finish(fit_studies(fit, ratings, request))))
    assert words.startswith("The raters differ: their accuracies go from")
    assert "agree more often than their accuracies and hard cases explain" in follows
    assert "Who agrees so looks able, and the rest worse than they are." in follows


@pytest.mark.parametrize("key", ["hard-200x5", "spread-200x5-2", "leanings-200x5", "model-200x5"])
def test_nobody_is_told_of_where_cases_are_hard_or_raters_lean(key):
    assert not any(found(key, seed).stands_out for seed in range(2))


@pytest.mark.parametrize(
    ("panel", "known"),
    [(np.zeros((9, 3), int), True), (np.zeros((9, 16), int), True), (np.arange(36).reshape(9, 4) % 2, False)],
)
def test_what_cannot_be_asked_says_why(panel, known):
    with pytest.raises(CannotAnswerError, match="has errors in common can be asked of two classes and 4 to 15 known"):
        finish(dependent_pair(rated(panel, known)))


def test_who_rated_a_case_again_may_remember_and_is_not_paired():
    once = rated(np.arange(40).reshape(10, 4) % 2)
    twice = {name: np.insert(getattr(once, name), 0, 0) for name in ("subject", "rater", "category")}
    again = replace(once, **twice)
    with pytest.raises(CannotAnswerError, match="whether pairs of them have errors in common is not tried then"):
        finish(dependent_pair(again))
