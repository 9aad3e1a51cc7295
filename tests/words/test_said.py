"""Every sentence is said where it must be, and in none of the other situations, where it would be false."""

import pytest

from tests.words.said import KINDS, SITUATIONS, rows, unread
from tests.words.sentences import sentences

FAST = [one for one in SITUATIONS if not one.slow]
SLOW = [one for one in SITUATIONS if one.slow]
# Of the long ones two that are soon done; the slow suite tries all.
TENTH = ("report-few", "report-two")


def hold(one):
    """What is said in a situation is what the table says."""
    heard = one.heard()
    must = {row.sentence for row in rows() if one.key in row.said}
    may = {row.sentence for row in rows()}
    assert must <= heard, (one.key, "is not said", sorted(must - heard))
    assert not (heard & may) - must, (one.key, "is said", sorted((heard & may) - must))


@pytest.mark.parametrize("one", FAST, ids=lambda one: one.key)
def test_what_is_said_in_a_situation_is_what_must_be_said(one):
    hold(one)


@pytest.mark.parametrize("key", TENTH)
def test_what_a_report_says_is_what_must_be_said(key):
    hold(next(one for one in SLOW if one.key == key))


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("one", [one for one in SLOW if one.key not in TENTH], ids=lambda one: one.key)
def test_what_every_report_says_is_what_must_be_said(one):
    hold(one)


def test_every_sentence_that_no_test_reads_has_a_row_and_is_said_somewhere():
    assert len({one.key for one in SITUATIONS}) == len(SITUATIONS)
    known = {row.sentence for row in rows()}
    assert set(unread()) <= known, "add a row: python -m tests.words.said"
    assert known <= {one.text for one in sentences()}, "no longer in the sources: python -m tests.words.said"
    for row in rows():
        assert row.said, ("can it be said at all?", row.sentence)
        assert row.said <= {one.key for one in SITUATIONS}, row.sentence
        assert row.kind in KINDS, row.sentence


def test_of_every_claim_with_a_condition_it_is_known_where_it_would_be_false():
    """A situation that comes near, in which the tests above look for it in vain; or the reason why there is none."""
    there = {one.key for one in SITUATIONS}
    conditions = {one.text: one.condition for one in sentences()}
    for row in rows():
        assert row.left in {"", *there} - row.said, row.sentence
        if row.kind == "claim" and conditions[row.sentence]:
            assert row.left or row.why, ("where would it be false?", row.sentence)
