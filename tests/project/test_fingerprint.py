"""The fingerprint that projects and reports hold: the same for the same ratings in every version of the program."""

import hashlib

import numpy as np
import pytest

from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings, fingerprint
from tapdesk.ratings.reading import read_now

NAMES = ["plain", "it's", 'a "b"', "two\nlines", "\u017elut\u00e1", "\ud800", "back\\slash"]


def ratings(subjects, raters=2, covariate=None):
    """A rating of every subject by every rater."""
    names = [f"{NAMES[i % len(NAMES)]} {i}" for i in range(subjects)]
    subject, rater = np.repeat(np.arange(subjects), raters), np.tile(np.arange(raters), subjects)
    more = {} if covariate is None else {"x": Covariate("x", CovariateOf.SUBJECT, covariate)}
    return Ratings.of(subject, rater, (subject + rater) % 2, names, NAMES[:raters], ["no", "yes"], covariates=more)


def by_definition(made):
    """The digits of SHA-256 of the arrays and of what Python writes of everything else."""
    told = b"".join(array.astype("<i8").tobytes() for array in (made.subject, made.rater, made.category))
    names = (made.subjects, made.raters, made.classes, made.members)
    written = repr((names, made.ordered, made.raters_known))
    for name, column in sorted(made.covariates.items()):
        written += repr((name, column.of.value, column.values.tolist()))
    return hashlib.sha256(told + written.encode("utf-8", "surrogatepass")).hexdigest()[:16].upper()


@pytest.mark.parametrize("raters", [1, 2, 5])
@pytest.mark.parametrize("subjects", [1, 2, 1999, 2000, 2001, 4001])
def test_it_follows_from_what_the_ratings_are_however_many_there_are(subjects, raters):
    made = ratings(subjects, raters)
    assert fingerprint(made).replace("-", "") == by_definition(made)


@pytest.mark.parametrize("values", [np.array([0.5, np.nan, -1e300]), np.array(["a", None, 'b"'], dtype=object)])
def test_it_follows_from_further_columns_as_well(values):
    made = ratings(3, covariate=values)
    assert fingerprint(made).replace("-", "") == by_definition(made)
    assert fingerprint(made) != fingerprint(ratings(3))


def test_the_jury_has_the_fingerprint_it_always_had():
    assert fingerprint(read_now("sample:jury").as_read) == "A353-5A50-DCC3-0FE4"
