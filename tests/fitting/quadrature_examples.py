"""Tallies, and integrals of their likelihood that are exact, for the tests of the quadrature."""

from collections.abc import Mapping

import numpy as np
import pytest
from scipy.special import betaln, roots_legendre

from tapdesk.fitting.fit import Posterior
from tapdesk.fitting.priors import Prior
from tapdesk.fitting.quadrature.method import posterior_by_quadrature
from tapdesk.progress import finish
from tapdesk.ratings.patterns import Patterns, count_patterns

MODELS = {
    "t-a-p": ("t", "a", "p"),
    "t-a0a1-p": ("t", "a0", "a1", "p"),
    "t-a0a1-p0p1": ("t", "a0", "a1", "p0", "p1"),
}
SHARES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}
# Tallies of (ratings in class 0, ratings in class 1) with the number of subjects.
SMALL = {(3, 0): 3, (2, 1): 1, (1, 2): 1, (0, 3): 2}
RAGGED = {(1, 0): 1, (0, 2): 2, (3, 1): 1, (0, 1): 1, (2, 2): 1}
PARADOX = {(2, 0): 998, (1, 1): 2}
WINE_CUT_1 = {(4, 0): 62, (3, 1): 58, (2, 2): 31, (1, 3): 17, (0, 4): 15}


def patterns(tally: Mapping[tuple[int, int], float]) -> Patterns:
    table = np.array(list(tally), dtype=np.int64).reshape(-1, 2)
    return count_patterns(table, np.array(list(tally.values()), dtype=float))


def posterior(name: str, tally: Mapping[tuple[int, int], float], *priors: Prior, seed: int = 1) -> Posterior:
    return finish(posterior_by_quadrature(name, patterns(tally), priors, seed))


class Exact:
    """Integrals of likelihood times prior by Gauss-Legendre: exact, because both are polynomials in the parameters.

    Straight from the definition in the parameters themselves; nothing is shared with the code under test.
    """

    def __init__(self, name: str, tally: Mapping[tuple[int, int], float], priors: Mapping[str, Prior]) -> None:
        self.names, self.tally, self.priors = MODELS[name], tally, priors
        ratings = sum((zeros + ones) * w for (zeros, ones), w in tally.items())
        self.nodes = int(ratings + max([0.0, *(p.alpha + p.beta for p in priors.values())])) // 2 + 3

    def integral(self, power: tuple[str, int] | None = None, below: tuple[str, float] | None = None) -> float:
        """Of one parameter's power, over that part of the cube where a parameter is below a value."""
        axes, weights = [], []
        for name in self.names:
            x, w = roots_legendre(self.nodes)
            top = below[1] if below is not None and below[0] == name else 1.0
            x, w = (x + 1) / 2 * top, w / 2 * top
            prior = self.priors.get(name, Prior(name))
            w = w * x ** (prior.alpha - 1) * (1 - x) ** (prior.beta - 1) / np.exp(betaln(prior.alpha, prior.beta))
            axes.append(x)
            weights.append(w)
        at = dict(zip(self.names, np.meshgrid(*axes, indexing="ij", sparse=True), strict=True))
        value = self._likelihood(at)
        if power is not None:
            value = value * at[power[0]] ** power[1]
        for w in reversed(weights):
            value = value @ w
        return float(value)

    def _likelihood(self, at: Mapping[str, np.ndarray]) -> np.ndarray:
        a1, a0 = at.get("a1", at.get("a")), at.get("a0", at.get("a"))
        p1, p0 = at.get("p1", at.get("p")), at.get("p0", at.get("p"))
        assert all(x is not None for x in (a1, a0, p1, p0))
        mu1, mu0, t = a1 + (1 - a1) * p1, (1 - a0) * p0, at["t"]
        total = np.ones(np.broadcast_shapes(*(x.shape for x in at.values())))
        for (zeros, ones), w in self.tally.items():
            total = total * (t * mu1**ones * (1 - mu1) ** zeros + (1 - t) * mu0**ones * (1 - mu0) ** zeros) ** w
        return total


def hold_against_exact(name: str, tally: Mapping[tuple[int, int], float], *priors: Prior) -> None:
    found = posterior(name, tally, *priors)
    exact = Exact(name, tally, {prior.name: prior for prior in priors})
    evidence = exact.integral()
    assert found.log_evidence is not None
    assert found.log_evidence.ratings == pytest.approx(np.log(evidence), abs=1e-5)
    for parameter in MODELS[name]:
        row = found.summary(parameter)
        mean = exact.integral(power=(parameter, 1)) / evidence
        sd = np.sqrt(exact.integral(power=(parameter, 2)) / evidence - mean**2)
        assert row.mean == pytest.approx(mean, abs=2e-5), parameter
        assert row.sd == pytest.approx(sd, abs=2e-5), parameter
        for field, share in SHARES.items():
            at = getattr(row, field)
            below = exact.integral(below=(parameter, at)) / evidence
            # The density on the probability scale turns a difference in mass into one in the quantile.
            near = exact.integral(below=(parameter, min(at + 1e-4, 1.0))) / evidence
            density = max((near - below) / 1e-4, 0.05)
            assert (below - share) / density == pytest.approx(0.0, abs=1e-4), (parameter, field)
