"""Ratings from a pandas frame: every value keeps its name, in whatever order the rows stand."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.errors import UsageError
from tapdesk.ratings.formats.statistics_files import from_frame
from tapdesk.ratings.ratings import Ratings


def told(ratings: Ratings) -> list[tuple[str, str, str]]:
    """The ratings by name, sorted."""
    rows = zip(ratings.subject, ratings.rater, ratings.category, strict=True)
    return sorted((ratings.subjects[s], ratings.raters[r], ratings.classes[c]) for s, r, c in rows)


rows_of = st.lists(
    st.tuples(st.integers(-3, 10**12), st.sampled_from(["x", "y", "z"]), st.integers(0, 3)), min_size=1, max_size=30
)


@settings(max_examples=60, deadline=None)
@given(rows=rows_of, ordered=st.booleans(), kind=st.sampled_from(["int64", "Int64", "object", "str"]))
def test_every_rating_keeps_its_names_sorted_or_not_and_whatever_the_columns_hold(rows, ordered, kind):
    rows = sorted(rows) if ordered else rows
    frame = pd.DataFrame(rows, columns=["task", "worker", "label"])
    frame["task"] = frame["task"].astype(kind)
    ratings = from_frame(frame, "task", "worker", "label")
    assert told(ratings) == sorted((str(t), w, str(c)) for t, w, c in rows)
    first_seen = list(dict.fromkeys(str(t) for t, _, _ in rows))
    assert list(ratings.subjects) == first_seen
    assert list(ratings.classes) == sorted(ratings.classes, key=int)


def test_rows_without_a_rating_are_absent_and_a_column_that_is_not_there_is_named():
    frame = pd.DataFrame({"task": [1, 1, 2], "worker": ["a", "b", "a"], "label": [1.0, np.nan, 0.0]})
    assert from_frame(frame, "task", "worker", "label").rating_count == 2
    with pytest.raises(UsageError, match="judge"):
        from_frame(frame, "task", "judge", "label")
