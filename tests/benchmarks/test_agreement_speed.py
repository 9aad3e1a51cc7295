"""How fast the coefficients are, in processor time (other programs on the machine do not count)."""

import time

import numpy as np
import pytest

from tapdesk.agreement.coefficients import agree
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings


def panel(subjects: int, raters: int, classes: int = 5) -> Ratings:
    """Ratings by everyone of everything, three in five of them right."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, classes, subjects)
    guess = rng.integers(0, classes, (subjects, raters))
    category = np.where(rng.random((subjects, raters)) < 0.6, truth[:, None], guess)
    return Ratings.of(
        np.repeat(np.arange(subjects), raters),
        np.tile(np.arange(raters), subjects),
        category.ravel(),
        [str(i) for i in range(subjects)],
        [f"R{j}" for j in range(raters)],
        [str(c + 1) for c in range(classes)],
    )


@pytest.mark.benchmark
def test_two_thousand_re_draws_of_all_coefficients_of_a_thousand_by_ten_take_under_two_seconds():
    ratings = panel(1000, 10)
    start = time.process_time()
    found = finish(agree(ratings, interval="bootstrap", replicates=2000))
    assert time.process_time() - start < 2
    assert all(c.estimate.low is not None for c in found if c.estimate.value is not None)


@pytest.mark.benchmark
def test_half_a_million_ratings_with_all_coefficients_take_under_ten_seconds():
    ratings = panel(50_000, 10)
    start = time.process_time()
    finish(agree(ratings))
    assert time.process_time() - start < 10
