"""How often the interval of a difference holds the true one: the study whose table the tests look at.

``python -m tests.studies.change_coverage PIECES`` makes the table, and goes on where it was stopped: finished panels
are kept in PIECES. It stands alone because it is run by itself, and is no test.
"""

import csv
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request
from tapdesk.studies.comparison import compare
from tapdesk.studies.parallel import Checkpoint, in_parallel
from tapdesk.studies.what_if import side_of

PANELS, CASES, RATERS, RESAMPLES = 300, 150, 4, 400
T, P = 0.4, 0.4
# Accuracy of both: of other cases, of the same cases rated twice, and of the same ratings without one rater.
WAYS = {"other cases": (0.6, 0.75), "same cases": (0.6, 0.75), "without a rater": (0.6, 0.6)}
NUMBERS = ("a", "t", "knowledge", "percent_agreement", "fleiss_kappa")
TABLE = Path(__file__).with_name("change_coverage.csv")
COLUMNS = ("way", "panel", *NUMBERS)


def true_numbers(a):
    """Every number of a population."""
    agree = a**2 + 2 * a * (1 - a) * (T * P + (1 - T) * (1 - P)) + (1 - a) ** 2 * (P**2 + (1 - P) ** 2)
    said = a * T + (1 - a) * P
    chance = said**2 + (1 - said) ** 2
    return {
        "a": a, "t": T, "knowledge": a**2 / agree, "percent_agreement": agree,
        "fleiss_kappa": (agree - chance) / (1 - chance),
    }  # fmt: skip


def panel(truth, a, rng, prefix):
    """Ratings of some cases."""
    shape = (truth.size, RATERS)
    said = np.where(rng.random(shape) < a, truth[:, None], rng.random(shape) < P)
    case, rater = np.divmod(np.arange(said.size), RATERS)
    names = tuple(f"{prefix}{i}" for i in range(truth.size)), tuple(f"r{j}" for j in range(RATERS))
    return Ratings(case, rater, said.ravel().astype(np.int64), *names, ("No", "Yes"))


def two_of(way, turn):
    """Two sets of ratings."""
    rng = np.random.default_rng([turn, list(WAYS).index(way), 22])
    truth = rng.random(CASES) < T
    first, second = WAYS[way]
    one = panel(truth, first, rng, "c")
    if way == "without a rater":
        return one, one.keep(one.rater != RATERS - 1).panel()
    if way == "same cases":
        return one, panel(truth, second, rng, "c")
    return one, panel(rng.random(CASES) < T, second, rng, "d")


def row(asked):
    """Whether each number's interval holds the true difference: 1, 0, or blank where there is none."""
    way, turn = asked
    sides = []
    for ratings in two_of(way, turn):
        sides += [(yield from side_of(ratings, Request(model("t-a-p")), raters=False))]
    found = yield from compare(*sides, replicates=RESAMPLES)
    before, after = (true_numbers(a) for a in WAYS[way])
    held = []
    for name in NUMBERS:
        contrast = next((c for c in found.contrasts if c.name == replace(c.name, name=name, rater=None)), None)
        change = None if contrast is None else contrast.difference
        known = change is not None and change.low is not None
        held.append(int(change.low <= after[name] - before[name] <= change.high) if known else "")
    return (way, turn, *held)


def study(place):
    """Every row; finished ones are kept in ``place``, so that what was stopped goes on."""
    asked = [(way, turn) for turn in range(PANELS) for way in WAYS]
    about = {"study": "change coverage", "cases": CASES, "raters": RATERS, "resamples": RESAMPLES}
    with Checkpoint(place, about) as kept:
        return finish(in_parallel(partial(row), asked, 1, "panels", kept))


def table():
    """The rows that are kept."""
    with TABLE.open(newline="") as lines:
        return list(csv.DictReader(lines))


if __name__ == "__main__":
    rows = study(Path(sys.argv[1]))
    with TABLE.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])
