"""Data with many maxima: the best one is found. The levels are those of a search that shares nothing with the program.

They were made by bounded quasi-Newton climbs on the logarithms of the rates from dozens of random points, the
likelihood written out subject by subject.
"""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.fitting.em import ExactEM
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings

# A word for each subject, a letter for each rater: the class, or a dot where there is no rating. Then the number of
# classes, the covariate of each subject, and the level of the best maximum.
TABLES = {
    "t-a(x)-p": ("32213 33223 32223 32220 32222", 4, (1, 0, 0, 1, 0), -21.784862),
    "t-ak-p": ("0.02. ...22 1..2. 211.0 .12.. 210.1 .21.1 ....1 20..2 0.011 01.0. 2.222", 3, None, -36.399),
}


def written(table: str, classes: int) -> Ratings:
    rows = table.split()
    told = [(i, j, int(c)) for i, row in enumerate(rows) for j, c in enumerate(row) if c != "."]
    subjects, raters = [f"S{i}" for i in range(len(rows))], [f"J{j}" for j in range(len(rows[0]))]
    return Ratings.of(*np.array(told).T, subjects, raters, [f"c{k}" for k in range(classes)])


@pytest.mark.parametrize("name", TABLES)
def test_the_best_of_many_maxima_is_found(name):
    table, classes, x, level = TABLES[name]
    ratings, wanted = written(table, classes), model(name)
    if x is not None:
        of_rating = np.array(x, dtype=float)[ratings.subject]
        ratings = replace(ratings, covariates={"x": Covariate("x", CovariateOf.RATING, of_rating)})
        wanted = replace(wanted, covariates=("x",))
    fit = finish(ExactEM().run(wanted, ratings, 1))
    assert fit.log_likelihood.ratings >= level - 1e-5


@pytest.mark.parametrize("seed", [1, 2])
def test_a_maximum_without_one_of_three_classes_is_found(seed):
    # Twenty subjects with four ratings each; the hill .157 lower, where all classes occur, is the wider one.
    counts = {"1112": 5, "0001": 5, "0112": 3, "0111": 2, "0022": 1, "1111": 1, "0222": 1, "1222": 1, "0011": 1}
    table = " ".join(" ".join([word] * n) for word, n in counts.items())
    fit = finish(ExactEM().run(model("t-a-p"), written(table, 3), seed))
    assert fit.log_likelihood.ratings == pytest.approx(-80.1578983, abs=1e-6)
