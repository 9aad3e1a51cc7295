"""Raters drawn from one population where edges rule: the table in the help, and how it is made."""

from tapdesk.progress import finish
from tapdesk.studies.pooling_coverage import LADDER, PANELS, pooling_coverage, pooling_parts
from tests.studies.long_tables import rows_of


def test_the_table_in_the_help_shows_that_drawing_together_errs_less_and_holds_as_well():
    table = rows_of("pooling")
    assert {row["panels"] for row in table} <= set(PANELS)
    for alone, pooled in zip(table[::2], table[1::2], strict=True):
        assert (alone["how"], pooled["how"]) == ("alone", "pooled")
        assert float(pooled["rmse"]) < float(alone["rmse"])
        assert float(pooled["width"]) < float(alone["width"])
        assert float(pooled["covered"]) > 0.95 - 3 * float(pooled["error"])


def test_a_study_goes_on_where_it_was_and_tells_the_same():
    pieces = {}
    parts = pooling_parts([LADDER], 4)
    whole = finish(pooling_coverage(parts, kept=pieces))
    assert whole.values("how") == ("alone", "pooled")
    assert len(pieces) == len(parts) == 1
    assert finish(pooling_coverage(parts, kept=pieces)).rows == whole.rows
