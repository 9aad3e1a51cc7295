"""Regressions whose maximum lies at coefficients without end: found, against a grid that shares nothing with the climb.

Designs of a few subjects and raters whose covariate separates accurate from guessed ratings, quite or nearly.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from tapdesk.fitting.em import ExactEM
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings

SLOPES = np.concatenate([-np.geomspace(1000, 0.3, 16), np.geomspace(0.3, 1000, 16)])
RATES = np.array([-12.0, -3.0, -1.5, -0.5, 0.5, 1.5, 3.0, 12.0])


def drawn(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Covariate and class of each rating, shape (subjects, raters)."""
    rng = np.random.default_rng(seed)
    n, r = int(rng.integers(4, 9)), int(rng.integers(3, 5))
    truth = rng.random(n) < 0.5
    kind, x = rng.integers(3), np.zeros((n, r))
    x = x + (rng.normal(size=r) if kind == 0 else rng.normal(size=(n, 1)) if kind == 1 else rng.normal(size=(n, r)))
    mode = rng.integers(3)
    knows = x > np.median(x) if mode < 2 else rng.random(x.shape) < expit(4 * x)
    if mode == 1:
        knows ^= rng.random(x.shape) < 0.08
    return x, np.where(knows, truth[:, None], rng.random(x.shape) < 0.5).astype(np.int64)


def level(at: np.ndarray, x: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Log-likelihood of logit t, logit p, intercept and slope, each of shape (M,): the definition, term by term."""
    t, p, intercept, slope = (np.asarray(c)[..., None, None] for c in at)
    logit = intercept + slope * x
    guess = log_expit(-logit) + np.where(seen == 1, log_expit(p), log_expit(-p))
    right = np.logaddexp(log_expit(logit), guess)
    one = np.where(seen == 1, right, guess).sum(axis=-1) + log_expit(t[..., 0])
    zero = np.where(seen == 1, guess, right).sum(axis=-1) + log_expit(-t[..., 0])
    return np.logaddexp(one, zero).sum(axis=-1)


def highest(x: np.ndarray, seen: np.ndarray) -> float:
    """The best of a grid of slopes, of places where the accuracy is one half, and of rates; and of climbs from it."""
    units = np.unique(x)
    places = np.concatenate([[units[0] - 1], units, (units[1:] + units[:-1]) / 2, [units[-1] + 1]])
    slope, place, t, p = (c.ravel() for c in np.meshgrid(SLOPES, places, RATES, RATES, indexing="ij"))
    points = np.stack([t, p, -slope * place, slope])
    found = np.concatenate([level(part, x, seen) for part in np.array_split(points, 40, axis=1)])
    best = float(found.max())
    for k in np.argsort(-found)[:200:20]:
        end = minimize(
            lambda at: -float(level(at, x, seen)), points[:, k], method="L-BFGS-B", bounds=[(-3000, 3000)] * 4
        )
        best = max(best, -float(end.fun))
    return best


@pytest.mark.parametrize(("seed", "scale"), [(3, 1.0), (7, 1e-4), (32, 1.0), (32, 1e-4), (67, 1.0)])
def test_no_slope_place_or_rate_is_better_than_the_fit_whatever_the_unit_of_the_covariate(seed, scale):
    x, seen = drawn(seed)
    subject, rater = np.indices(x.shape).reshape(2, -1)
    ratings = Ratings.of(
        subject, rater, seen.ravel(), [f"S{i}" for i in range(len(x))], [f"J{j}" for j in range(x.shape[1])], ["0", "1"]
    )
    ratings = replace(ratings, covariates={"x": Covariate("x", CovariateOf.RATING, scale * x.ravel())})
    fit = finish(ExactEM().run(replace(model("t-a(x)-p"), covariates=("x",)), ratings, 1))
    assert fit.log_likelihood.ratings >= highest(x, seen) - 1e-5
