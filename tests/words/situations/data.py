"""Ratings that are typed in, small enough to be seen through."""

from types import MappingProxyType

import numpy as np

from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings

GAP = "-"


def rated(rows, classes=("0", "1"), **more):
    """Ratings of rows such as ``"010 111 1-0"``: a word for each case, a sign for each rater, the place of a class."""
    words = rows.split() if isinstance(rows, str) else rows
    cells = [(i, j, int(sign)) for i, word in enumerate(words) for j, sign in enumerate(word) if sign != GAP]
    subject, rater, category = np.array(cells, dtype=np.int64).reshape(-1, 3).T
    columns = max(map(len, words), default=0)
    return Ratings.of(
        subject,
        rater,
        category,
        [f"c{i}" for i in range(len(words))],
        [f"R{j}" for j in range(columns)],
        classes,
        **more,
    )


def covered(rows, of, classes=("0", "1"), **columns):
    """The same with further columns, of raters, cases or ratings."""
    kind = {"rater": CovariateOf.RATER, "case": CovariateOf.SUBJECT, "rating": CovariateOf.RATING}[of]
    known = {name: Covariate(name, kind, np.array(values)) for name, values in columns.items()}
    return rated(rows, classes, covariates=MappingProxyType(known))


MIXED = "000 000 001 010 011 111 111 110 101 000 111 001"
THREE = "001 010 112 122 222 000 111 210 211 022 222 011"
