"""How often a form of guessers holds a question that is told from guessing: the study whose table the tests look at.

``python -m tests.studies.guessers`` makes the table, and goes on where it was stopped.
It stands alone because it is run by itself, and is no test.
"""

import csv
import sys
from functools import partial
from pathlib import Path

import numpy as np

from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.criteria import Criterion, Verdict, criteria, judge
from tapdesk.studies.parallel import Checkpoint, in_parallel

FORMS, QUESTIONS, CASES, RATERS = 60, 30, 40, 4
TABLE = Path(__file__).with_name("guessers.csv")
COLUMNS = ("form", "told_from_guessing", "clear", "smallest_p_holm")


def guessers(turn):
    """A form nobody knows anything about, each rater leaning to an answer of their own on each question."""
    rng = np.random.default_rng([turn, 8])
    case, rater = np.divmod(np.arange(CASES * RATERS), RATERS)
    names = tuple(f"c{i}" for i in range(CASES)), tuple(f"r{j}" for j in range(RATERS)), ("No", "Yes")
    items = []
    for i in range(QUESTIONS):
        said = rng.random((CASES, RATERS)) < rng.uniform(0.3, 0.7, RATERS)
        items.append(Criterion(f"Q{i}", Ratings(case, rater, said.ravel().astype(np.int64), *names)))
    return items


def row(turn):
    """What is said of one form, as a row of the table."""
    rows = judge((yield from criteria(guessers(turn))))
    told = sum(one.verdict in {Verdict.CLEAR, Verdict.MIXED} for one in rows)
    clear = sum(one.verdict is Verdict.CLEAR for one in rows)
    return (turn, told, clear, min(one.p_holm for one in rows if one.p_holm is not None))


def study(place):
    """Every row; finished ones are kept in ``place``, so that what was stopped goes on."""
    asked = {"study": "guessers", "questions": QUESTIONS, "cases": CASES, "raters": RATERS}
    with Checkpoint(place, asked) as kept:
        return finish(in_parallel(partial(row), range(FORMS), 1, "forms", kept))


def table():
    """The rows that are kept, as numbers."""
    with TABLE.open(newline="") as lines:
        return [{name: float(value) for name, value in one.items()} for one in csv.DictReader(lines)]


if __name__ == "__main__":
    rows = study(Path(sys.argv[1]))
    with TABLE.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])
