"""Classes that are put together are called by what they reach from and to, where they are ranges of scores."""

import numpy as np
import pytest

from tapdesk.ratings.ratings import Ratings

RANGES = ("below 10", "10 to below 15", "15 to below 20", "20 or more")


def scores(classes):
    """A rating in each class."""
    n = len(classes)
    return Ratings(np.arange(n), np.zeros(n, int), np.arange(n), tuple(f"c{i}" for i in range(n)), ("R1",), classes)


@pytest.mark.parametrize(
    ("classes", "upper", "called"),
    [
        (RANGES, 2, ("below 15", "15 or more")),
        (RANGES, 1, ("below 10", "10 or more")),
        (RANGES, 3, ("below 20", "20 or more")),
        (("below 1,5", "1,5 to below 2", "2 or more"), 2, ("below 2", "2 or more")),
        # Where a range is missing between them, they are not one.
        (("below 10", "15 to below 20", "20 or more"), 2, ("below 10, 15 to below 20", "20 or more")),
        (("no", "a little", "much"), 1, ("no", "a little, much")),
    ],
)
def test_neighbouring_ranges_become_one(classes, upper, called):
    assert scores(classes).merged((classes[:upper], classes[upper:])).classes == called


def test_all_ranges_together_keep_their_names():
    assert scores(RANGES).merged((RANGES,)).classes == ("below 20, 20 or more",)
