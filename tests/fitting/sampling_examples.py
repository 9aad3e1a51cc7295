"""Data and small tools the tests of sampling share."""

import csv
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from tapdesk import resources
from tapdesk.fitting.priors import prior_counts
from tapdesk.fitting.sampling.method import Sampling
from tapdesk.fitting.sampling.posterior_summary import diagnostics
from tapdesk.fitting.sampling.target import ModelTarget
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.progress import Step, finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tests.tables import drawn


def coded(names):
    """Indices and distinct names in their order."""
    labels = sorted(set(names), key=lambda x: (len(x), x))
    return np.array([labels.index(n) for n in names]), tuple(labels)


def anaesthesia() -> Ratings:
    """Dawid & Skene (1979), Applied Statistics 28(1), Table 1: 45 patients, 5 anaesthetists, the first three times."""
    with resources.path("samples", "dawid_skene_1979.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    subject, subjects = coded([r["patient"] for r in rows])
    rater, raters = coded([r["anaesthetist"] for r in rows])
    category, classes = coded([r["rating"] for r in rows])
    return Ratings.of(subject, rater, category, subjects, raters, classes)


def diagnose(sampled, names):
    """Whether draws may be trusted, in one go."""
    return finish(diagnostics(sampled, names, Step(0, 0, "sampling")))


def simulated(rng, *, subjects, truth, accuracy, guessing) -> Ratings:
    """Every rater rates every subject once; accuracy (J,), guessing (J, K)."""
    truth = np.asarray(truth, dtype=float)
    accuracy = np.asarray(accuracy, dtype=float)
    guessing = np.broadcast_to(guessing, (accuracy.size, truth.size))
    true = rng.choice(truth.size, subjects, p=truth)
    subject, rater = np.repeat(np.arange(subjects), accuracy.size), np.tile(np.arange(accuracy.size), subjects)
    guess = (rng.random(subject.size)[:, None] > guessing.cumsum(axis=1)[rater][:, :-1]).sum(axis=1)
    right = rng.random(subject.size) < accuracy[rater]
    category = np.where(right, true[subject], guess)
    names = [
        tuple(f"{letter}{i}" for i in range(n))
        for letter, n in zip("srk", (subjects, accuracy.size, truth.size), strict=True)
    ]
    return Ratings.of(subject, rater, category, *names)


QUICK = Sampling(chains=16, draws=250, warmup=250)


def panel(k=2, subjects=25, raters=4, seed=5, share=0.8):
    """Ratings of a ragged panel with a covariate of the raters."""
    rng = np.random.default_rng(seed)
    truth = np.arange(1.0, k + 1) / np.arange(1.0, k + 1).sum()
    ratings = drawn(rng, truth, np.linspace(0.3, 0.9, raters), np.full(k, 1 / k), subjects, raters, share=share)
    years = Covariate("years", CovariateOf.RATER, rng.normal(10, 3, raters))
    return replace(ratings, covariates=MappingProxyType({"years": years}))


def named(name):
    found = model(name)
    return replace(found, covariates=("years",)) if name == "t-a(x)-p" else found


def target_of(name, ratings, priors=(), truth=None):
    wanted = named(name) if truth is None else replace(named(name), truth=truth)
    plan = design(wanted, ratings)
    return ModelTarget(plan, plan.space.evidence(plan.patterns), prior_counts(plan, priors))
