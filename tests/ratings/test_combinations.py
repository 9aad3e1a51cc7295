"""How many combinations of the texts of some columns there are: counted by the sets of Python."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.ratings import table as tables
from tapdesk.ratings.grid import CellGrid, column_of
from tapdesk.ratings.table import RatingTable

ROWS = st.lists(st.tuples(*[st.integers(0, 12)] * 3), max_size=40)


def table_of(rows):
    """A table with these rows."""
    columns = tuple(column_of([str(row[i]) for row in rows]) for i in range(3))
    numbers = np.arange(len(rows)) + 1
    return RatingTable(("a", "b", "c"), columns, numbers, (0, 1, 2), (), CellGrid(columns, len(rows)), "t.csv")


@given(
    ROWS,
    st.sampled_from([("a",), ("a", "b"), ("c", "a", "b")]),
    st.sampled_from([0, 16]),
    st.sampled_from([1, 40, 2**62]),
)
def test_ticked_off_sorted_or_numbered_anew_the_combinations_are_those_of_a_set(rows, names, flags, largest):
    before = tables._FLAGS, tables._LARGEST
    tables._FLAGS, tables._LARGEST = flags, largest
    try:
        found = table_of(rows).combinations(*names)
    finally:
        tables._FLAGS, tables._LARGEST = before
    places = ["abc".index(name) for name in names]
    assert found == len({tuple(row[i] for i in places) for row in rows})
