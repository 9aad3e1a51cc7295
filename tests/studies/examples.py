"""Ratings that several tests of studies look at."""

import numpy as np

from tapdesk.models.model import model
from tapdesk.models.simulate import parse_parameters, simulate
from tapdesk.ratings.ratings import Ratings

# 183 wines, four judges: wines with k = 0 ... 4 ratings on the lower side of each cut ("Modeling Raters and Ratings").
WINE = {"1|2": (90, 43, 25, 15, 10), "2|3": (18, 35, 46, 48, 36), "3|4": (0, 5, 16, 42, 120)}


def tallied(counts: tuple[int, ...]) -> Ratings:
    """Counts of subjects with k of R ratings in class 1, raters not known."""
    size = len(counts) - 1
    category = np.array([[1] * k + [0] * (size - k) for k in range(size + 1)]).reshape(-1)
    subject = np.repeat(np.arange(size + 1), size)
    seats = tuple(f"seat {j + 1}" for j in range(size))
    names = tuple(f"k = {k}" for k in range(size + 1))
    rater = np.tile(np.arange(size), size + 1)
    return Ratings(subject, rater, category, names, seats, ("0", "1"), raters_known=False, weight=np.array(counts))


def panel(texts: list[str], subjects: int, raters: int, *, name: str = "t-a-p", classes=("0", "1"), seed: int = 1):
    """Simulated ratings of known raters."""
    m = model(name)
    names = [f"J{j + 1}" for j in range(raters)]
    return simulate(m, parse_parameters(m, texts, classes, names), classes, names, subjects, seed)[0]
