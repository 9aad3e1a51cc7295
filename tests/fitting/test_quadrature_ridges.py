"""``t-a0a1-p`` on two ratings each, where the posterior is a line: against an integral along that line.

With m the rate of class 1 and c the covariance of two ratings, t fixes both rates: with d = sqrt(c / (t (1 - t))) they
are mu1 = m + (1 - t) d and mu0 = m - t d, and the volume is in proportion to dm dc dt / sqrt(c t (1 - t)). So many
subjects pin m and c that these two are integrated by Gauss-Hermite nodes round their estimates, t by the
double-exponential rule, and the accuracies by hand: logit p is uniform between the two logits (models.md §5.5).
"""

import numpy as np
import pytest
from scipy.special import expit, logit, xlogy

from tapdesk.fitting.quadrature.method import posterior_by_quadrature
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.progress import finish
from tests.tables import counted

SHARES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}
TABLES = {
    "10,000": (5_000, 2_000, 3_000),
    "10 million that hardly agree": (3_000_000, 4_900_000, 2_100_000),
}


def line(table, nodes=5, points=1500):
    """Weights, mu1, 1 - mu1 and mu0 along the line, under flat priors."""
    n = np.array(table, float)
    rate, twice = (n[1] / 2 + n[2]) / n.sum(), n[2] / n.sum()
    share = n / n.sum()
    slopes = np.array([[0, 0.5, 1], [0, -rate, 1 - 2 * rate]])
    spread = np.linalg.cholesky(slopes @ (np.diag(share) - np.outer(share, share)) @ slopes.T / n.sum())

    def log_likelihood(m, c):
        return xlogy(n, [(1 - m) ** 2 + c, m * (1 - m) - c, m * m + c]).sum()

    top = log_likelihood(rate, twice - rate**2)
    u = np.linspace(-3.6, 3.6, points)
    s, rest = expit(np.pi * np.sinh(u)), expit(-np.pi * np.sinh(u))
    rows = []
    at, weight = np.polynomial.hermite_e.hermegauss(nodes)
    for x, w in zip(at, weight, strict=True):
        for y, v in zip(at, weight, strict=True):
            m, c = np.array([rate, twice - rate**2]) + spread @ [x, y]
            heavy = w * v * np.exp(log_likelihood(m, c) - top + (x * x + y * y) / 2)
            low, high = c / (c + (1 - m) ** 2), m * m / (m * m + c)
            t, not_t = low + (high - low) * s, (1 - high) + (high - low) * rest
            not_mu1 = (high - low) * s * (c + (1 - m) ** 2) / t / ((1 - m) + np.sqrt(c * not_t / t))
            mu0 = (high - low) * rest * (c + m * m) / not_t / (m + np.sqrt(c * t / not_t))
            dense = heavy * (high - low) * s * rest * np.cosh(u) / np.sqrt(c * t * not_t)
            rows.append((dense, 1 - not_mu1, not_mu1, mu0))
    weight, mu1, not_mu1, mu0 = (np.concatenate(part) for part in zip(*rows, strict=True))
    gap = np.log(mu1 / not_mu1) - logit(mu0)
    weight *= gap
    kept = weight > 1e-13 * weight.max()
    return (weight / weight.sum())[kept], mu1[kept], not_mu1[kept], mu0[kept], gap[kept]


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())
def test_two_ratings_of_many_subjects_are_right_and_the_error_told_is_not_too_small(table):
    found = finish(posterior_by_quadrature("t-a0a1-p", design(model("t-a-p"), counted(table)).patterns))
    weight, mu1, not_mu1, mu0, gap = line(table)

    def below(mu, not_mu, x):
        # Pr(a <= x) given the rate: V(x) over the gap, V = -log(1 - x / mu).
        left = np.maximum((1 - x) - not_mu, 1e-300) / mu
        return weight @ np.minimum(-np.log(left) / gap, 1.0)

    off = 0.0
    for name, mu, not_mu in (("a1", mu1, not_mu1), ("a0", 1 - mu0, mu0)):
        told = found.summary(name)
        for what, share in SHARES.items():
            x = getattr(told, what)
            density = (below(mu, not_mu, x + 1e-4) - below(mu, not_mu, x - 1e-4)) / 2e-4
            off = max(off, abs(below(mu, not_mu, x) - share) / density)
    assert off < 5e-5
    assert off < found.error < 5e-4
