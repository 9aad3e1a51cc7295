"""Tabulation: what is the same evidence is told once, and nothing else is."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.ratings.patterns import Patterns, tabulate
from tapdesk.ratings.ratings import Ratings
from tests.tables import WINE_CUTS, counted, drawn


@st.composite
def ratings(draw) -> Ratings:
    """A few subjects, raters and classes, repeats and subjects without rating included."""
    n, j, k = draw(st.integers(1, 6)), draw(st.integers(1, 4)), draw(st.integers(2, 4))
    triple = st.tuples(st.integers(0, n - 1), st.integers(0, j - 1), st.integers(0, k - 1))
    rows = np.array(draw(st.lists(triple, max_size=25)), dtype=np.int64).reshape(-1, 3)
    weight = draw(st.one_of(st.none(), st.lists(st.integers(0, 9), min_size=n, max_size=n).map(np.array)))
    return Ratings.of(
        *rows.T, [f"S{i}" for i in range(n)], [f"J{i}" for i in range(j)], [f"c{i}" for i in range(k)], weight=weight
    )


def evidence(r: Ratings, by_rater: bool) -> list[tuple]:
    """The multiset of pairs of each subject, the plain way."""
    told = [Counter() for _ in r.subjects]
    for i, j, c in zip(r.subject, r.rater, r.category, strict=True):
        told[i][int(j) if by_rater else 0, int(c)] += 1
    return [tuple(sorted(t.items())) for t in told]


def unfolded(p: Patterns) -> list[tuple]:
    """The multiset of pairs of each pattern."""
    told = [{} for _ in range(p.patterns)]
    for i, u, c, n in zip(p.pattern, p.unit, p.category, p.count, strict=True):
        told[i][int(u), int(c)] = int(n)
    return [tuple(sorted(t.items())) for t in told]


@given(r=ratings(), by_rater=st.booleans())
def test_patterns_are_the_distinct_evidence_with_its_weight(r: Ratings, by_rater: bool):
    p = tabulate(r, r.rater, len(r.raters)) if by_rater else tabulate(r)
    plain, told = evidence(r, by_rater), unfolded(p)
    assert len(set(told)) == len(told)
    assert [told[i] for i in p.of_subject] == plain
    weights = Counter()
    for t, w in zip(plain, r.subject_weights(), strict=True):
        weights[t] += w
    assert dict(zip(told, p.weight, strict=True)) == dict(weights)
    assert p.rating_count == r.rating_count
    assert p.subject_count == r.subject_count


@given(r=ratings(), seed=st.integers(0, 99))
def test_the_order_of_the_ratings_does_not_matter(r: Ratings, seed: int):
    order = np.random.default_rng(seed).permutation(r.subject.size)
    other = Ratings.of(
        r.subject[order], r.rater[order], r.category[order], r.subjects, r.raters, r.classes, weight=r.weight
    )
    one, two = tabulate(r, r.rater, len(r.raters)), tabulate(other, other.rater, len(r.raters))
    np.testing.assert_array_equal(one.of_subject, two.of_subject)
    np.testing.assert_array_equal(one.totals, two.totals)


def test_ten_million_tallied_subjects_cost_five_patterns():
    r = counted([n * 100_000 for n in WINE_CUTS["2|3"]])
    assert r.subject_count == 18_300_000
    assert tabulate(r).patterns == 5


def test_log_multinomial_is_the_sum_of_log_binomial_coefficients():
    from math import comb, log

    table = WINE_CUTS["1|2"]
    assert tabulate(counted(table)).log_multinomial == pytest.approx(
        sum(n * log(comb(4, k)) for k, n in enumerate(table)), abs=1e-9
    )


def test_class_one_may_be_any_set_and_keeps_its_members():
    r = drawn(np.random.default_rng(0), (0.3, 0.3, 0.4), 0.5, (0.3, 0.3, 0.4), 20, 3)
    b = r.dichotomised(["c2", "c0"])
    assert b.class1 == ("c0", "c2")
    np.testing.assert_array_equal(b.category, (r.category != 1).astype(int))
    sides = r.dichotomised(["c2"], ["c0"])
    assert sides.rating_count == int((r.category != 1).sum())


@pytest.mark.parametrize(("one", "nought"), [(["nine"], None), (["c0"], ["c0"]), (["c0", "c1", "c2"], None)])
def test_impossible_sides_are_refused(one, nought):
    r = drawn(np.random.default_rng(0), (0.3, 0.3, 0.4), 0.5, (0.3, 0.3, 0.4), 20, 3)
    with pytest.raises(UsageError):
        r.dichotomised(one, nought)


def test_an_order_must_name_every_class_that_occurs():
    r = drawn(np.random.default_rng(0), (0.3, 0.3, 0.4), 0.5, (0.3, 0.3, 0.4), 20, 3)
    with pytest.raises(TapdeskError, match="c1"):
        r.with_order(("c0", "c2"))
    again = r.with_order(("c2", "new", "c1", "c0"))
    assert again.classes == ("c2", "new", "c1", "c0")
    assert Counter(again.classes[c] for c in again.category) == Counter(r.classes[c] for c in r.category)


def test_arrays_that_do_not_fit_are_refused_with_the_value():
    r = drawn(np.random.default_rng(0), (0.5, 0.5), 0.5, (0.5, 0.5), 5, 2)
    with pytest.raises(ValueError, match="index 0 to 7 for 2 names"):
        replace(r, category=np.append(r.category[:-1], 7))
    with pytest.raises(ValueError, match="one length"):
        replace(r, rater=r.rater[:-1])
    with pytest.raises(ValueError, match="sorted"):
        replace(r, subject=r.subject[::-1])
    with pytest.raises(ValueError, match="weights"):
        replace(r, weight=np.array([1, 2]))
