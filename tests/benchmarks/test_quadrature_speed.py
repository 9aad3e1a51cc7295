"""How long the exact posterior takes, and that the number of subjects does not matter."""

import time

import numpy as np
import pytest

from tapdesk.fitting.quadrature.method import posterior_by_quadrature
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.patterns import Patterns, count_patterns
from tapdesk.studies.analysis import Request, analyse
from tests.tables import WINE_CUTS, counted

pytestmark = pytest.mark.benchmark


def tally(zeros: list[int], ones: list[int], weight: list[float]) -> Patterns:
    return count_patterns(np.array([zeros, ones], dtype=np.int64).T, np.array(weight, float))


def ragged() -> Patterns:
    rng = np.random.default_rng(0)
    size = rng.integers(2, 25, 2000)
    ones = rng.binomial(size, np.where(rng.random(2000) < 0.3, 0.7, 0.2))
    table, weight = np.unique(np.stack([size - ones, ones], axis=1), axis=0, return_counts=True)
    return tally(table[:, 0].tolist(), table[:, 1].tolist(), weight.astype(float).tolist())


DATA = {
    "paradox, 1,000 x 2": tally([2, 1], [0, 1], [998, 2]),
    "183 x 4": tally([4, 3, 2, 1, 0], [0, 1, 2, 3, 4], [62, 58, 31, 17, 15]),
    "10 million x 4": tally([4, 3, 2, 1, 0], [0, 1, 2, 3, 4], [3.4e6, 3.2e6, 1.7e6, 0.9e6, 0.8e6]),
    "2,000 ragged": ragged(),
}


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("name", ["t-a-p", "t-a0a1-p", "t-a0a1-p0p1"])
def test_the_exact_posterior_takes_under_half_a_second(name, data):
    # Processor time, so that other work on the machine does not count; the best of three.
    seconds = []
    for _ in range(3):
        began = time.process_time()
        found = finish(posterior_by_quadrature(name, DATA[data]))
        seconds.append(time.process_time() - began)
    print(f"{name:12} {data:20} {min(seconds):.2f} s, summaries right to {found.error:.0e}")
    assert min(seconds) < 0.5
    assert found.error < 1e-4


@pytest.mark.parametrize("times", [1, 60_000], ids=["183 subjects", "11 million subjects"])
def test_the_full_answer_of_t_a_p_takes_under_a_second_after_tabulation(times):
    """Maximum, profile intervals, 2,000 bootstraps, exact posterior; processor time, the best of three."""
    ratings = counted([n * times for n in WINE_CUTS["1|2"]])
    seconds = []
    for _ in range(3):
        began = time.process_time()
        fit = finish(analyse(ratings, Request(model("t-a-p"), redraws=True, replicates=2000)))
        exact = finish(analyse(ratings, Request(model("t-a-p"), estimator="posterior")))
        seconds.append(time.process_time() - began)
    assert all(e.estimate.low is not None for e in fit.estimates)
    assert next(iter(fit.draws.values.values())).size == 2000
    assert exact.posterior.error < 1e-4
    print(f"full answer of t-a-p, {ratings.subject_count:,} subjects: {min(seconds):.2f} s")
    assert min(seconds) < 1
