"""Posterior means of the sampler against sums over hundreds of thousands of points of the prior, nothing shared.

Two raters, eight subjects, two classes; one rating is missing and one rater saw a subject twice. The likelihood is
written out from its definition (models.md §2), the points are a Sobol sequence pushed through the priors.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit, logit, ndtri
from scipy.stats import qmc

from tapdesk.fitting.fit import Fit
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tests.fitting.sampling_examples import QUICK

# Of each subject: (rater, class) of its ratings.
SUBJECTS = (
    ((0, 1), (1, 1)),
    ((0, 1), (1, 1)),
    ((0, 1), (1, 0)),
    ((0, 0), (1, 0)),
    ((0, 0), (1, 0), (1, 0)),
    ((0, 0), (1, 1)),
    ((0, 0), (1, 0)),
    ((1, 1),),
)
X = np.array([-1.0, 1.0])
Values = Mapping[str, np.ndarray]


def ratings() -> Ratings:
    rows = np.array([(i, j, c) for i, told in enumerate(SUBJECTS) for j, c in told])
    found = Ratings.of(*rows.T, [f"S{i}" for i in range(len(SUBJECTS))], ["J0", "J1"], ["c0", "c1"])
    return replace(found, covariates={"x": Covariate("x", CovariateOf.RATER, X)})


def points(dimensions: int, power: int) -> np.ndarray:
    """Shape (dimensions, 2^power): evenly spread over the cube."""
    return np.ascontiguousarray(qmc.Sobol(dimensions, seed=1).random_base2(power).T)


def likelihood(truth: np.ndarray, one: np.ndarray, zero: np.ndarray) -> np.ndarray:
    """Shape (M,); ``one`` and ``zero``: the chance that each rater says class 1 of a subject of each class, (2, M)."""
    total = np.ones(truth.shape)
    for told in SUBJECTS:
        of_one, of_zero = truth.copy(), 1 - truth
        for rater, category in told:
            of_one *= one[rater] if category else 1 - one[rater]
            of_zero *= zero[rater] if category else 1 - zero[rater]
        total *= of_one + of_zero
    return total


def rates(accuracy1: np.ndarray, accuracy0: np.ndarray, guess: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    both = np.ones((2, 1))
    return both * (accuracy1 + (1 - accuracy1) * guess), both * ((1 - accuracy0) * guess)


def by_rater_accuracy() -> tuple[Values, np.ndarray]:
    t, a0, a1, p = points(4, 17)
    a = np.stack([a0, a1])
    return {"t": t, "a[J0]": a0, "a[J1]": a1, "p": p}, likelihood(t, *rates(a, a, p))


def by_rater_guessing() -> tuple[Values, np.ndarray]:
    t, a, p0, p1 = points(4, 17)
    return {"t": t, "a": a, "p[J0]": p0, "p[J1]": p1}, likelihood(t, *rates(a, a, np.stack([p0, p1])))


def by_class_accuracy() -> tuple[Values, np.ndarray]:
    t, a0, a1, p = points(4, 17)
    return {"t": t, "a0": a0, "a1": a1, "p": p}, likelihood(t, *rates(a1, a0, p))


def by_covariate() -> tuple[Values, np.ndarray]:
    """The accuracy at the covariate's mean is uniform, the slope per standard deviation normal (0, 2.5)."""
    t, p, middle, u = points(4, 17)
    x = np.array([X[j] for told in SUBJECTS for j, _ in told])
    slope, intercept = 2.5 * ndtri(u) / x.std(), logit(middle)
    a = expit(intercept + slope * (X[:, None] - x.mean()))
    return {"t": t, "p": p, "b[(intercept)]": intercept - slope * x.mean(), "b[x]": slope}, likelihood(
        t, *rates(a, a, p)
    )


def saturated() -> tuple[Values, np.ndarray]:
    """Every point in the labelling in which raters are right more often."""
    t, *rest = points(5, 18)
    one, zero = np.array(rest[:2]), np.array(rest[2:])
    right = t * one.mean(axis=0) + (1 - t) * (1 - zero).mean(axis=0)
    turned = t * (1 - one).mean(axis=0) + (1 - t) * zero.mean(axis=0)
    switch = turned > right
    mass = likelihood(t, one, zero)
    t, one, zero = np.where(switch, 1 - t, t), np.where(switch, zero, one), np.where(switch, one, zero)
    told = {f"pi[c1, J{j}, c1]": one[j] for j in range(2)} | {f"pi[c0, J{j}, c1]": zero[j] for j in range(2)}
    return {"t": t, **told}, mass


def sharpened() -> tuple[Values, np.ndarray]:
    """Pr(C = 1) = a_j sig_30(t_i - 1/2) + (1 - a_j) P, t_i even between 0 and 1 (models.md §7)."""
    a = points(2, 11)
    rate = np.mean([c for told in SUBJECTS for _, c in told])
    # Midpoints: the curve is smooth on the scale of 1/30.
    sharp = expit(30 * ((np.arange(1500) + 0.5) / 1500 - 0.5))
    one = a[:, :, None] * sharp + (1 - a[:, :, None]) * rate
    total = np.ones(a.shape[1])
    for told in SUBJECTS:
        each = np.ones(one.shape[1:])
        for rater, category in told:
            each *= one[rater] if category else 1 - one[rater]
        total *= each.mean(axis=1)
    return {"a[J0]": a[0], "a[J1]": a[1]}, total


SUMS = {
    "t-aj-p": by_rater_accuracy,
    "t-a-pj": by_rater_guessing,
    "t-ak-p": by_class_accuracy,
    "t-a(x)-p": by_covariate,
    "dawid-skene": saturated,
    "ti-aj-P": sharpened,
}


def sampled(name: str) -> Fit:
    wanted = model(name)
    return finish(QUICK.run(replace(wanted, covariates=("x",)) if name == "t-a(x)-p" else wanted, ratings(), 1))


@pytest.mark.parametrize("name", SUMS)
def test_means_and_spreads_of_the_draws_are_those_of_the_sum_over_the_prior(name):
    values, mass = SUMS[name]()
    fit = sampled(name)
    rows = {str(row.name): row for row in fit.posterior.summaries}
    assert set(values) <= set(rows)
    for parameter, at in values.items():
        mean = mass @ at / mass.sum()
        sd = np.sqrt(mass @ (at - mean) ** 2 / mass.sum())
        assert abs(rows[parameter].mean - mean) < 4.5 * sd / np.sqrt(fit.posterior.ess_bulk), parameter
        assert rows[parameter].sd == pytest.approx(sd, rel=0.08), parameter


def of_sharpened(values: Values) -> np.ndarray:
    """Shape (subjects, M): expected sharpened truth of each subject at each point."""
    a = np.stack([values["a[J0]"], values["a[J1]"]])
    rate = np.mean([c for told in SUBJECTS for _, c in told])
    sharp = expit(30 * ((np.arange(1500) + 0.5) / 1500 - 0.5))
    one = a[:, :, None] * sharp + (1 - a[:, :, None]) * rate
    told = [np.prod([one[j] if c else 1 - one[j] for j, c in told], axis=0) for told in SUBJECTS]
    return np.array([(each * sharp).mean(axis=1) / each.mean(axis=1) for each in told])


def of_rater_accuracy(values: Values) -> np.ndarray:
    """Shape (subjects, M): probability of class 1 of each subject at each point."""
    t, p = values["t"], values["p"]
    a = np.stack([values["a[J0]"], values["a[J1]"]])
    one, zero = a + (1 - a) * p, (1 - a) * p
    of_one = np.array([t * np.prod([one[j] if c else 1 - one[j] for j, c in s], axis=0) for s in SUBJECTS])
    of_zero = np.array([(1 - t) * np.prod([zero[j] if c else 1 - zero[j] for j, c in s], axis=0) for s in SUBJECTS])
    return of_one / (of_one + of_zero)


@pytest.mark.costly(1)
@pytest.mark.parametrize(("name", "of"), [("ti-aj-P", of_sharpened), ("t-aj-p", of_rater_accuracy)])
def test_probabilities_of_cases_are_means_over_all_draws_and_not_over_a_few(name, of):
    values, mass = SUMS[name]()
    each = of(values)
    mean = each @ mass / mass.sum()
    sd = np.sqrt(((each - mean[:, None]) ** 2) @ mass / mass.sum())
    fit = finish(replace(QUICK, draws=2000, subjects=True).run(model(name), ratings(), 1))
    off = np.abs(fit.subject_posterior[:, 1] - mean) / sd
    assert off.max() < 4.5 / np.sqrt(0.5 * fit.posterior.ess_bulk)
