"""Published tables and small simulated data that many tests use."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tapdesk.ratings.ratings import Ratings

# Wine cut tables: number of the 183 wines that k of 4 judges put below the cut (k = 0 ... 4), from the wine data of
# Hodgson as counted in models.md and issue texts.
WINE_CUTS = {"1|2": (90, 43, 25, 15, 10), "2|3": (18, 35, 46, 48, 36), "3|4": (0, 5, 16, 42, 120)}


def counted(table: Sequence[int], raters: int | None = None) -> Ratings:
    """Binary ratings of subjects of whom ``table[k]`` were put into class 1 by k of R raters."""
    r = raters or len(table) - 1
    subject, category, weight = [], [], []
    for k, n in enumerate(table):
        if n:
            subject += [len(weight)] * r
            category += [1] * k + [0] * (r - k)
            weight.append(n)
    return Ratings.of(
        np.array(subject),
        np.zeros(len(subject), dtype=np.int64),
        np.array(category),
        [f"k{i}" for i in range(len(weight))],
        ["any"],
        ["0", "1"],
        raters_known=False,
        weight=np.array(weight),
    )


def scored(rows: Sequence[tuple[int, int, float]], **more: Any) -> Ratings:
    """Ratings of rows of entry, judge and score; the scores are the classes, in the order of their size."""
    entry, judge, score = (np.array(column) for column in zip(*rows, strict=True))
    scale, category = np.unique(score, return_inverse=True)
    names = ([f"W{i + 1:02d}" for i in range(entry.max() + 1)], [f"J{j + 1:02d}" for j in range(judge.max() + 1)])
    return Ratings.of(
        entry, judge, category, *names, more.pop("classes", [f"{s:g}" for s in scale]), **{"ordered": True, **more}
    )


def drawn(
    rng: np.random.Generator,
    truth: Sequence[float],
    accuracy: Sequence[float] | float,
    guessing: Sequence[float],
    subjects: int,
    raters: int,
    *,
    share: float = 1.0,
) -> Ratings:
    """Ratings drawn from t-aj-p; ``share`` is the chance that a rater rates a subject."""
    k = len(truth)
    true = rng.choice(k, subjects, p=truth)
    a = np.broadcast_to(accuracy, (raters,))
    seen = rng.random((subjects, raters)) < share
    seen[~seen.any(axis=1), 0] = True
    subject, rater = np.nonzero(seen)
    knows = rng.random(subject.size) < a[rater]
    category = np.where(knows, true[subject], rng.choice(k, subject.size, p=guessing))
    return Ratings.of(
        subject,
        rater,
        category,
        [f"S{i}" for i in range(subjects)],
        [f"J{j}" for j in range(raters)],
        [f"c{c}" for c in range(k)],
    )
