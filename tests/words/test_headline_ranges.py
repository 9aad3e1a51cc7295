"""What the headline tells of the accuracy holds it: the table in the help, and how it is made."""

import pytest

from tapdesk.progress import finish
from tapdesk.worlds.catalog import world
from tapdesk.worlds.headline_ranges import (
    ALIKE,
    DIFFERENT,
    HEADLINES,
    ONE,
    SPEAKS,
    WORLDS,
    headline_ranges,
    range_parts,
)
from tests.studies.long_tables import rows_of


def total(rows, column):
    return sum(int(row[column]) for row in rows)


def test_the_truth_lies_inside_what_the_headline_tells_in_nine_sets_of_ten():
    table = rows_of("headlines")
    assert [(row["world"], row["headline"]) for row in table] == [(key, one) for key in WORLDS for one in HEADLINES]
    differ = [row for row in table if row["world"] in DIFFERENT]
    for rows in (differ, [row for row in differ if row["headline"] != SPEAKS]):
        assert total(rows, "held") >= 0.9 * total(rows, "panels")
    for key in DIFFERENT:
        rows = [row for row in differ if row["world"] == key]
        assert total(rows, "held") >= 0.9 * total(rows, "panels")
    assert total([row for row in table if row["world"] in ALIKE], "held") >= 0.9 * total(
        [row for row in table if row["world"] in ALIKE], "panels"
    )


def test_of_many_raters_who_are_alike_one_accuracy_is_told():
    rows = {row["world"]: row for row in rows_of("headlines") if row["headline"] == ONE}
    for key in ("model-80x8", "model-60x12"):
        assert int(rows[key]["panels"]) >= 17
        assert float(rows[key]["width"]) < 0.15


@pytest.mark.usefixtures("remembered_fits")
def test_a_study_goes_on_where_it_was_and_tells_the_same():
    pieces = {}
    parts = range_parts(["hard-100x5"], 1)
    whole = finish(headline_ranges(parts, kept=pieces))
    assert whole.values("headline") == HEADLINES
    assert set(whole.values("true")) == {world("hard-100x5").mean_accuracy}
    assert sum(whole.values("panels")) == sum(whole.values("held")) == 1
    assert len(pieces) == 1
    assert finish(headline_ranges(parts, kept=pieces)).rows == whole.rows
