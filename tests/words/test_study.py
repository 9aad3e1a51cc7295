"""How often our words are wrong: the study repeats, goes on where it was ended, and refuses what makes no study."""

import pytest

from tapdesk.errors import UsageError
from tapdesk.progress import finish
from tapdesk.worlds.catalog import world
from tapdesk.worlds.claims import CLAIMS
from tapdesk.worlds.study import COLUMNS, false_words, pieces_of

QUICK = "model-100x3-sure"


@pytest.fixture(scope="module")
def finished():
    """The study and its finished pieces."""
    kept = {}
    return finish(false_words(6, worlds=[QUICK], kept=kept)), kept


@pytest.fixture
def table(finished):
    return finished[0]


def test_a_world_has_a_row_for_each_claim_that_can_be_judged_in_it(table):
    assert table.columns == COLUMNS
    assert table.values("claim") == tuple(row.key for row in CLAIMS if row.belongs(world(QUICK)))
    for row in table.records():
        assert row["said"] <= row["judged"]
        assert row["judged"] == 6 or row["claim"] == "sure"
        assert 0 <= row["false"] <= 1


def test_what_was_finished_is_taken_over_and_the_rest_is_the_same(finished):
    pieces = pieces_of([QUICK], 6)
    assert [(piece.first, piece.count) for piece in pieces] == [(0, 5), (5, 1)]
    table, kept = finished
    assert set(kept) == {0, 1}
    again = {0: kept[0]}
    assert finish(false_words(6, worlds=[QUICK], kept=again)).rows == table.rows
    # It was taken over, not worked out again: another answer in its place is believed.
    assert (
        finish(false_words(6, worlds=[QUICK], kept={**again, 0: tuple((0, 0, 0) for _ in CLAIMS)})).rows != table.rows
    )


@pytest.mark.parametrize(("asked", "said"), [({"worlds": ["mars"]}, "mars"), ({"sets": 0}, "0 data sets")])
def test_what_is_no_study_is_refused(asked, said):
    with pytest.raises(UsageError, match=said):
        finish(false_words(**asked))
