"""Kendall's W: published values, other programs' formulas, and how often its interval holds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata, spearmanr

from agreement.examples import all_of, pick
from tapdesk.agreement import coefficients
from tapdesk.agreement.concordance import Ranking
from tapdesk.agreement.quantity import derivatives
from tapdesk.agreement.tables import Tables
from tapdesk.ratings.ratings import Ratings

# Siegel & Castellan, Nonparametric Statistics (1988), section 9.4: three people rank six applicants, W = .16.
APPLICANTS = [[1, 6, 3, 2, 5, 4], [1, 5, 6, 4, 2, 3], [6, 3, 2, 5, 4, 1]]


def ranked(columns):
    """Ratings from one row of numbers a rater."""
    columns = np.array(columns)
    raters, cases = columns.shape
    values = np.unique(columns)
    return Ratings.of(
        np.tile(np.arange(cases), raters),
        np.repeat(np.arange(raters), cases),
        np.searchsorted(values, columns.ravel()),
        [f"c{i}" for i in range(cases)],
        [f"R{j}" for j in range(raters)],
        [f"{v:g}" for v in values],
        ordered=True,
    )


def textbook(columns):
    """W by the formula with the correction for ties (Siegel & Castellan 1988, eq. 9.18)."""
    ranks = np.apply_along_axis(rankdata, 1, np.asarray(columns, dtype=float))
    m, n = ranks.shape
    spread = ((ranks.sum(axis=0) - ranks.sum() / n) ** 2).sum()
    ties = sum(((c := np.unique(row, return_counts=True)[1]) ** 3 - c).sum() for row in ranks)
    return 12 * spread / (m * m * (n**3 - n) - m * ties)


def test_w_is_that_of_the_textbook():
    assert pick(all_of(ranked(APPLICANTS)), "kendall_w").estimate.value == pytest.approx(0.16, abs=0.005)


tables = st.integers(2, 6).flatmap(
    lambda m: st.integers(3, 12).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 6), min_size=n, max_size=n), min_size=m, max_size=m)
    )
)


@settings(max_examples=60, deadline=None)
@given(tables)
def test_w_has_the_correction_for_ties(columns):
    coefficient = pick(all_of(ranked(columns)), "kendall_w").estimate
    if all(len(set(row)) == 1 for row in columns):
        assert coefficient.value is None
        assert coefficient.undefined
        return
    assert coefficient.value == pytest.approx(textbook(columns), abs=1e-12)
    if coefficient.low is not None:
        assert 0 <= coefficient.low <= coefficient.value <= coefficient.high <= 1


def test_w_of_ranks_without_ties_is_the_mean_rank_correlation():
    rng = np.random.default_rng(5)
    columns = np.array([rng.permutation(15) + 1 for _ in range(4)])
    value = pick(all_of(ranked(columns)), "kendall_w").estimate.value
    pairs = spearmanr(columns.T).statistic[np.triu_indices(4, 1)]
    assert pairs.mean() == pytest.approx((4 * value - 1) / 3, abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(3, 12))
def test_the_slope_of_w_is_its_derivative_by_each_case(seed, raters, cases):
    rng = np.random.default_rng(seed)
    ranking = Ranking(rng.integers(0, 5, (cases, raters)))
    weight = rng.integers(1, 4, cases).astype(float)
    if not np.isfinite(ranking.concordance(weight)):
        return
    assert ranking.slope(weight) == pytest.approx(derivatives(ranking.concordance, weight, None), abs=1e-12)


def test_the_interval_holds_the_true_value_as_often_as_it_says(monkeypatch):
    """Scores of a common truth and luck, ranked; the truth from two hundred thousand cases."""
    # The other coefficients would take most of the time.
    monkeypatch.setattr(coefficients, "COEFFICIENTS", [c for c in coefficients.COEFFICIENTS if c.name == "kendall_w"])
    rng = np.random.default_rng(2)

    def draw(cases, raters, shared):
        seen = np.sqrt(shared) * rng.standard_normal((cases, 1))
        return seen + np.sqrt(1 - shared) * rng.standard_normal((cases, raters))

    def places(scores):
        return np.argsort(np.argsort(scores, axis=0), axis=0)

    for shared in (0.0, 0.7):
        whole = Ranking(places(draw(200_000, 5, shared)))
        true = float(whole.concordance(np.ones(200_000)))
        held = 0
        for _ in range(300):
            ratings = ranked(places(draw(15, 5, shared)).T)
            estimate = pick(all_of(ratings), "kendall_w").estimate
            held += estimate.low <= true <= estimate.high
        assert 0.91 <= held / 300 <= 0.985


def test_w_says_why_it_is_undefined():
    words = ranked(APPLICANTS)
    none = Ratings.of(
        words.subject, words.rater, words.category, words.subjects, words.raters, [*"abcdef"], ordered=False
    )
    assert "order" in pick(all_of(none), "kendall_w").estimate.undefined
    twice = Ratings.of(
        np.append(words.subject, 0),
        np.append(words.rater, 0),
        np.append(words.category, 3),
        words.subjects,
        words.raters,
        words.classes,
        ordered=True,
    )
    assert Tables(twice).repeats
    assert "different ratings" in pick(all_of(twice), "kendall_w").estimate.undefined
