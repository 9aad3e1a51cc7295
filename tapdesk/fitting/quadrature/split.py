"""``t-a0a1-p0p1``: from the distribution of a class's rate to those of its accuracy and guessing rate."""

import numpy as np

from tapdesk.fitting.quadrature.inner import OneClass, Walk
from tapdesk.fitting.quadrature.likelihood import Floats, log_softplus, probability, softplus
from tapdesk.fitting.quadrature.marginal import Cloud, Marginal
from tapdesk.fitting.quadrature.summary import Told

# How far below the rate (logit scale) its accuracy is followed: e^-16 of the mass is beyond.
_BELOW, _POINTS = 16.0, 4000
# Cells the distribution of a rate is cut into where priors are not flat.
_CELLS = 800


def told_apart(rate: Marginal, of_class: OneClass) -> tuple[Told, Told]:
    """Accuracy and guessing rate from the distribution of the logit of the rate."""
    if of_class.flat:
        alike = Told.of_marginal(_flat(rate))
        return alike, alike
    accuracy, guessing = _walked(rate, of_class)
    return Told.of_cloud(accuracy), Told.of_cloud(guessing)


def _flat(rate: Marginal) -> Marginal:
    """Flat priors: -log(1 - a) is uniform up to the rate's own, so logit a = x has density expit(x) G(x).

    G(x) is the integral above x of the density of the rate over its -log(1 - mu); likewise for p (models.md §5.5).
    """
    at = np.concatenate([np.linspace(rate.at[0] - _BELOW, rate.at[0], _POINTS, endpoint=False), rate.at])
    size, middle = softplus(at), softplus((rate.at[1:] + rate.at[:-1]) / 2)

    def told(of_rate: Floats) -> tuple[Floats, Floats]:
        share = np.diff(of_rate) / middle
        above = np.concatenate([np.full(_POINTS, share.sum()), np.cumsum(share[::-1])[::-1], [0.0]])
        cdf = np.concatenate([np.zeros(_POINTS), of_rate]) + size * above
        return above, np.clip(np.maximum.accumulate(cdf), 0.0, 1.0)

    above, cdf = told(rate.cdf)
    return Marginal(at, cdf, lambda: probability(at) * above, lambda: told(rate.blurred)[1])


def _walked(rate: Marginal, of_class: OneClass) -> tuple[Cloud, Cloud]:
    """Other priors: nodes of logit accuracy and logit guessing rate."""
    low, high = np.interp([1e-9, 1 - 1e-9], rate.cdf, rate.at)
    edges = np.union1d(np.linspace(low, high, _CELLS), rate.quantile(np.linspace(1e-9, 1 - 1e-9, _CELLS)))
    mass = np.diff(np.interp(edges, rate.at, rate.cdf))
    kept = mass > 1e-10
    middle, cell, mass = ((edges[1:] + edges[:-1]) / 2)[kept], np.diff(edges)[kept], mass[kept]
    walk = Walk.even((of_class.accuracy, of_class.guessing), 0.2)
    accuracy, guessing, log_mass = of_class.split(log_softplus(middle), walk)
    share = np.exp(log_mass - log_mass.max(axis=1, keepdims=True))
    share *= (mass / share.sum(axis=1))[:, None]

    def cloud(x: Floats) -> Cloud:
        across = np.abs(np.gradient(x, middle, axis=0)) * cell[:, None]
        return Cloud.heavy(x, np.maximum(np.abs(np.gradient(x, axis=1)), across), share)

    return cloud(accuracy), cloud(guessing)


def spread_over(of_class: OneClass, logit_rate: Floats, cells: int) -> Floats:
    """Shape (L, cells): how the accuracy given each rate lies over even cells between 0 and 1."""
    walk = Walk.of((of_class.accuracy, of_class.guessing), 0.03)
    accuracy, _, log_mass = of_class.split(log_softplus(logit_rate), walk)
    mass = np.exp(log_mass - log_mass.max(axis=1, keepdims=True))
    mass /= mass.sum(axis=1, keepdims=True)
    cell = np.minimum((probability(accuracy) * cells).astype(np.int64), cells - 1)
    row = np.arange(logit_rate.size)[:, None]
    table = np.bincount((row * cells + cell).ravel(), mass.ravel(), logit_rate.size * cells)
    return np.asarray(table, dtype=np.float64).reshape(-1, cells)
