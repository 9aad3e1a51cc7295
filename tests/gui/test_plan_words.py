"""One of anything is told as one."""

import numpy as np
import pytest

from tapdesk.gui.plan_words import cases, size, what
from tapdesk.gui.running.plan import QUESTIONS
from tapdesk.gui.sayings import raters
from tapdesk.ratings.ratings import Ratings


def ratings_of(rows, classes=("No", "Yes"), *, known=True):
    """Ratings from a row of codes for each case; -1 for none."""
    codes = np.array(rows)
    subject, rater = np.nonzero(codes >= 0)
    return Ratings.of(
        subject,
        rater,
        codes[subject, rater],
        [f"c{i}" for i in range(codes.shape[0])],
        [f"r{j}" for j in range(codes.shape[1])],
        classes,
        raters_known=known,
    )


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([[0]], "1 case with 1 rating each"),
        ([[0], [1]], "2 cases with 1 rating each"),
        ([[0, 1]], "1 case with 2 ratings each"),
        ([[0, 1], [1, -1]], "2 cases with 1 to 2 ratings each"),
    ],
)
def test_the_size_of_the_data_is_counted_in_words(rows, told):
    assert size(ratings_of(rows)) == told


def test_a_case_a_rater_a_seat_and_a_category_are_not_several():
    assert (cases(1), cases(2)) == ("1 case", "2 cases")
    assert raters(ratings_of([[0]])) == "1 rater"
    assert raters(ratings_of([[0]], known=False)) == "1 seat"
    assert raters(ratings_of([[0, 1]], known=False)) == "2 seats"
    assert what(ratings_of([[0]], classes=("Yes",))) == "<b>1 category</b>"
    assert what(ratings_of([[0, 1, 2]], classes=("a", "b", "c"))) == "<b>3 categories</b>"


def test_with_one_category_no_line_is_promised():
    lines = next(q for q in QUESTIONS if q.key == "lines")
    one = ratings_of([[0, 0], [0, 0]], classes=("Yes",))
    assert lines.refuses(one, one).startswith("Every rating is “Yes”")
    two = ratings_of([[0, 1], [1, 0]])
    assert "only two categories" in lines.refuses(two, two)
