"""What the test of fit could have seen: held against panels drawn and tested apart."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import betaln, comb, expit, logit

from tapdesk.errors import CannotAnswerError
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.fit_power import LOWER, fit_power
from tapdesk.studies.likelihood_ratio import goodness_of_fit
from tests.tables import counted

LEVEL = 0.05


def of_cells(cells) -> Ratings:
    cases, raters = cells.shape
    subject, rater = np.repeat(np.arange(cases), raters), np.tile(np.arange(raters), cases)
    names = [f"c{i}" for i in range(cases)]
    return Ratings.of(subject, rater, cells.ravel(), names, [f"R{j}" for j in range(raters)], ["no", "yes"])


def shares(t, a, p, rho, n):
    """How often 0 to n of n ratings say yes, each case with an accuracy from a beta distribution of its own."""
    more = (1 - rho) / rho
    first, second = a * more, (1 - a) * more
    follow = np.array(
        [comb(n, s) * np.exp(betaln(first + s, second + n - s) - betaln(first, second)) for s in range(n + 1)]
    )
    yes, no = np.zeros(n + 1), np.zeros(n + 1)
    for s in range(n + 1):
        guesses = np.array([comb(n - s, g) * p**g * (1 - p) ** (n - s - g) for g in range(n - s + 1)])
        yes[s : n + 1] += follow[s] * guesses
        no[: n - s + 1] += follow[s] * guesses
    return t * yes + (1 - t) * no


def like(counts, a):
    """The point of such an accuracy that explains counts best, looked for without the program."""
    n = len(counts) - 1

    def off(x):
        t, p, rho = expit(x)
        return -float(np.dot(counts, np.log(np.maximum(shares(t, a, p, rho, n), 1e-300))))

    starts = [logit([t, p, rho]) for t in (0.3, 0.6) for p in (0.3, 0.6) for rho in (0.1, 0.5)]
    best = min((minimize(off, x, method="Nelder-Mead", options={"maxiter": 2000}) for x in starts), key=lambda r: r.fun)
    return expit(best.x)


def test_the_share_that_speaks_is_that_of_panels_drawn_and_tested_apart():
    counts = (22, 12, 7, 8, 13, 38)
    ratings = counted(counts)
    test = finish(goodness_of_fit(ratings, model("t-a-p"), 300, 1))
    accuracy = 0.66
    result = finish(fit_power(ratings, accuracy, test, LEVEL))
    assert result.accuracy == pytest.approx(accuracy - LOWER)
    t, p, rho = like(counts, result.accuracy)
    random, n, speaks = np.random.default_rng(3), 5, []
    for _panel in range(150):
        truth = random.random(sum(counts)) < t
        own = random.beta(result.accuracy * (1 - rho) / rho, (1 - result.accuracy) * (1 - rho) / rho, truth.size)
        follows = random.random((truth.size, n)) < own[:, None]
        cells = np.where(follows, truth[:, None], random.random((truth.size, n)) < p).astype(int)
        statistic = finish(goodness_of_fit(of_cells(cells), model("t-a-p"), 1, 1)).statistic
        speaks.append((1 + (test.draws >= statistic).sum()) / (1 + test.draws.size) < LEVEL)
    error = np.sqrt(0.25 / len(speaks) + 0.25 / result.replicates)
    assert abs(np.mean(speaks) - result.rejections) < 3 * error


def test_more_cases_show_more():
    few, many = (
        finish(
            fit_power(
                ratings := counted(tuple(times * n for n in (22, 12, 7, 8, 13, 38))),
                0.66,
                finish(goodness_of_fit(ratings, model("t-a-p"), 200, 1)),
                LEVEL,
            )
        ).rejections
        for times in (1, 20)
    )
    assert few < many - 0.15
    assert many > 0.95


def test_what_cannot_be_lower_is_not_tried():
    ratings = counted((22, 12, 7, 8, 13, 38))
    test = finish(goodness_of_fit(ratings, model("t-a-p"), 20, 1))
    with pytest.raises(CannotAnswerError, match="could have seen"):
        finish(fit_power(ratings, LOWER / 2, test, LEVEL))
