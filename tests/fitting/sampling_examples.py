"""Data and small tools the tests of sampling share."""

import csv

import numpy as np

from tapdesk import resources
from tapdesk.ratings.ratings import Ratings


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
