"""Data with many maxima: the best one is found. The levels are those of a search that shares nothing with the program.

They were made by bounded quasi-Newton climbs on the logarithms of the rates from dozens of random points, the
likelihood written out subject by subject.
"""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.fitting.exact_em import ExactEM
from tapdesk.models.catalog import model
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tests.tables import finish

COMMON = [
    (
        "t-a(x)-p",
        [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4],
        [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4],
        [3, 2, 2, 1, 3, 3, 3, 2, 2, 3, 3, 2, 2, 2, 3, 3, 2, 2, 2, 0, 3, 2, 2, 2, 2],
        4,
        [
            1.0,
            1.0,
            1.0,
            1.0,
            1.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            1.0,
            1.0,
            1.0,
            1.0,
            1.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
        ],
        -21.784862,
    ),
    (
        "t-ak-p",
        [
            0,
            0,
            0,
            1,
            1,
            2,
            2,
            3,
            3,
            3,
            3,
            4,
            4,
            5,
            5,
            5,
            5,
            6,
            6,
            6,
            7,
            8,
            8,
            8,
            9,
            9,
            9,
            9,
            10,
            10,
            10,
            11,
            11,
            11,
            11,
        ],
        [0, 2, 3, 3, 4, 0, 3, 0, 1, 2, 4, 1, 2, 0, 1, 2, 4, 1, 2, 4, 4, 0, 1, 4, 0, 2, 3, 4, 0, 1, 3, 0, 2, 3, 4],
        [0, 0, 2, 2, 2, 1, 2, 2, 1, 1, 0, 1, 2, 2, 1, 0, 1, 2, 1, 1, 1, 2, 0, 2, 0, 0, 1, 1, 0, 1, 0, 2, 2, 2, 2],
        3,
        None,
        -36.399,
    ),
]


@pytest.mark.parametrize(("name", "subject", "rater", "category", "classes", "x", "level"), COMMON)
def test_the_best_of_many_maxima_is_found(name, subject, rater, category, classes, x, level):
    names = [f"S{i}" for i in range(max(subject) + 1)], [f"J{j}" for j in range(max(rater) + 1)]
    ratings = Ratings.of(*map(np.array, (subject, rater, category)), *names, [f"c{k}" for k in range(classes)])
    wanted = model(name)
    if x is not None:
        ratings = replace(ratings, covariates={"x": Covariate("x", CovariateOf.RATING, np.array(x))})
        wanted = replace(wanted, covariates=("x",))
    fit = finish(ExactEM().run(wanted, ratings, 1))
    assert fit.log_likelihood.ratings >= level - 1e-5
