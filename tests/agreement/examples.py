"""Ratings to try the coefficients on, and shorthand to ask for one of them."""

import csv
import json
from pathlib import Path

import numpy as np

from tapdesk.agreement.coefficients import Coefficient, agree
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings

DATA = Path(__file__).resolve().parents[1] / "data"
PEERS = DATA.parents[1] / "resources" / "reference" / "peers"
CASES = {case["name"]: case for case in json.loads((PEERS / "cases.json").read_text())}


def wide(rows, classes=None, raters=None, **more) -> Ratings:
    """Ratings from one row for each subject and one column for each rater, None where missing."""
    used = sorted({x for row in rows for x in row if x is not None})
    classes = list(classes if classes is not None else used)
    at = [(i, j, classes.index(x)) for i, row in enumerate(rows) for j, x in enumerate(row) if x is not None]
    subject, rater, category = np.array(at, dtype=np.int64).reshape(-1, 3).T
    width = max((len(row) for row in rows), default=0)
    names = raters or [f"R{j + 1}" for j in range(width)]
    labels = [str(c) for c in classes]
    return Ratings.of(subject, rater, category, [f"S{i}" for i in range(len(rows))], names, labels, **more)


def long(triples, classes, **more) -> Ratings:
    """Ratings from (subject, rater, class) names."""
    subjects = list(dict.fromkeys(s for s, _, _ in triples))
    raters = list(dict.fromkeys(r for _, r, _ in triples))
    codes = np.array([(subjects.index(s), raters.index(r), classes.index(c)) for s, r, c in triples])
    return Ratings.of(*codes.T, subjects, raters, classes, **more)


def confusion(table, classes=None, raters=("A", "B")) -> Ratings:
    """Ratings of two raters from their table of counts, the first rater in rows."""
    counts = np.asarray(table)
    k = counts.shape[0]
    first, second = (x.ravel() for x in np.indices((k, k)))
    return Ratings.of(
        np.repeat(np.arange(k * k), 2),
        np.tile([0, 1], k * k),
        np.column_stack([first, second]).ravel(),
        [f"{a}{b}" for a, b in zip(first, second, strict=True)],
        list(raters),
        classes or [chr(97 + c) for c in range(k)],
        weight=counts.ravel(),
    )


def counted(table, classes) -> Ratings:
    """Ratings by nobody known from counts of subject by class."""
    table = np.asarray(table)
    subject, category = np.nonzero(table)
    times = table[subject, category]
    subject, category = np.repeat(subject, times), np.repeat(category, times)
    seat = np.concatenate([np.arange(n) for n in np.bincount(subject)])
    seats = [f"seat {i + 1}" for i in range(seat.max() + 1)]
    names = [f"S{i}" for i in range(len(table))]
    return Ratings.of(subject, seat, category, names, seats, list(classes), raters_known=False)


def fleiss_1971() -> Ratings:
    """30 patients, 6 psychiatrists, 5 diagnoses (Fleiss 1971, Psychological Bulletin 76, table 1)."""
    with (DATA / "fleiss_1971.csv").open(newline="") as file:
        header, *rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return counted(np.array(rows, dtype=int), header)


def drawn(seed, subjects=30, raters=4, classes=3, accuracy=0.5, missing=0.2) -> Ratings:
    """Ratings at random; every subject keeps at least one."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, subjects)
    guess = rng.integers(0, classes, (subjects, raters))
    table = np.where(rng.random((subjects, raters)) < accuracy, truth[:, None], guess)
    kept = rng.random((subjects, raters)) >= missing
    kept[np.arange(subjects), rng.integers(0, raters, subjects)] = True
    rows = [
        [int(x) if there else None for x, there in zip(*pair, strict=True)] for pair in zip(table, kept, strict=True)
    ]
    return wide(rows, classes=range(classes))


def case(name: str) -> Ratings:
    """One of the peers' cases."""
    found = CASES[name]
    return wide(found["ratings"], classes=found["classes"])


def all_of(ratings: Ratings, **options) -> tuple[Coefficient, ...]:
    """All coefficients."""
    return finish(agree(ratings, **options))


def pick(found, name, *, weights="any", metric=None, category=None, raters=None) -> Coefficient:
    """The one coefficient of that name and kind."""
    chosen = [
        c
        for c in found
        if c.name == name
        and weights in {"any", c.weights}
        and metric in {None, c.metric}
        and category in {None, c.category}
        and raters in {None, c.raters}
    ]
    assert len(chosen) == 1, [(c.name, c.weights, c.metric, c.category, c.raters) for c in chosen]
    return chosen[0]


def value(ratings: Ratings, name: str, **which) -> float:
    """The value of one coefficient."""
    found = pick(all_of(ratings), name, **which).estimate.value
    assert found is not None
    return found
