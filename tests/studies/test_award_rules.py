"""The rules of committees against cases worked out by hand, and laws that hold for any scores."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.cli.options import OPTIONS
from tapdesk.studies.award_changes import Committee, changes
from tapdesk.studies.award_rules import COMMITTEE_RULES, Rule, apply_rule, places, voices
from tapdesk.studies.panel_sampler import PanelScores

LINES = (13.0, 15.0, 17.0)


def panel(table, classes=0):
    """Scores by row and column; None for none."""
    cells = [(i, j, v) for i, row in enumerate(table) for j, v in enumerate(row) if v is not None]
    entry, judge, value = (np.array(column) for column in zip(*cells, strict=True))
    return PanelScores.of(entry, judge, value, (len(table), max(map(len, table))), classes=classes)


FIVE = panel([[12, 14, 14, 19, 16], [17, 17, 13, 17, 17], [13, 13, None, 16, 18]])


@pytest.mark.parametrize(
    ("rule", "value", "given_"),
    [
        (Rule.MEAN, [15.0, 16.2, 15.0], [2, 2, 2]),
        (Rule.MEDIAN, [14.0, 17.0, 14.5], [1, 3, 1]),
        # Of four scores and more the highest and the lowest are taken out.
        (Rule.TRIMMED, [44 / 3, 17.0, 14.5], [1, 3, 1]),
    ],
)
def test_rules_worked_out_by_hand(rule, value, given_):
    result = apply_rule(rule, voices(FIVE), LINES)
    assert result.value == pytest.approx(value)
    assert result.given.tolist() == given_


def test_a_mean_on_the_line_gets_the_medal_whatever_rounding_does_to_it():
    table = [[14.9, 15.1, 15.0], [0.1 + 14.6, 0.2 + 15.1, 15.0]]
    assert apply_rule(Rule.MEAN, voices(panel(table)), LINES).given.tolist() == [2, 2]


def test_majority_judgment_takes_the_lower_median_and_breaks_ties_by_what_is_left():
    # The grades of Balinski & Laraki's kind: same median, the third has more above it.
    votes = voices(panel([[0, 2, 2, 3], [1, 2, 2, 2], [2, 2, 3, 3]], classes=4))
    result = apply_rule(Rule.MAJORITY, votes, ())
    assert result.given.tolist() == [2, 2, 2]
    assert result.place.tolist() == [2, 3, 1] or result.place.tolist() == [3, 2, 1]
    assert result.value[2] > max(result.value[:2])


def test_points_by_place_are_the_share_of_others_below_and_ties_count_half():
    result = apply_rule(Rule.BORDA, voices(panel([[10, 3], [20, 3], [30, 1]])), (), np.array([1, 1, 1]))
    assert result.value == pytest.approx([(0 + 0.75) / 2, (0.5 + 0.75) / 2, (1 + 0) / 2])
    assert result.given.tolist() == [0, 2, 1]


def test_a_judge_who_scores_twice_has_one_voice():
    twice = PanelScores.of(np.array([0, 0, 0]), np.array([0, 0, 1]), np.array([10.0, 20.0, 18.0]), (1, 2))
    assert apply_rule(Rule.MEAN, voices(twice), ()).value == pytest.approx([16.5])


def test_equal_values_share_the_best_place_and_those_without_a_score_come_last():
    assert places(np.array([3.0, 5.0, 3.0, np.nan, 1.0])).tolist() == [2, 1, 2, 5, 4]


tables = st.lists(
    st.lists(st.integers(0, 20), min_size=3, max_size=3), min_size=3, max_size=7
)  # entries by three judges


@settings(max_examples=60, deadline=None)
@given(tables, st.sampled_from(COMMITTEE_RULES), st.randoms())
def test_no_rule_depends_on_who_sits_where(table, rule, random):
    votes = voices(panel([[float(v) for v in row] for row in table]))
    before = apply_rule(rule, votes, LINES, np.array([1, 1, 1]))
    seats = [0, 1, 2]
    random.shuffle(seats)
    mixed = voices(panel([[float(row[s]) for s in seats] for row in table]))
    after = apply_rule(rule, mixed, LINES, np.array([1, 1, 1]))
    assert after.value == pytest.approx(before.value)
    assert after.place.tolist() == before.place.tolist()
    assert after.given.tolist() == before.given.tolist()


@settings(max_examples=60, deadline=None)
@given(tables, st.sampled_from(COMMITTEE_RULES), st.integers(0, 2))
def test_a_higher_score_never_costs_a_place(table, rule, judge):
    low = apply_rule(rule, voices(panel([[float(v) for v in row] for row in table])), ())
    table[0][judge] += 3
    high = apply_rule(rule, voices(panel([[float(v) for v in row] for row in table])), ())
    assert high.place[0] <= low.place[0]


def test_nothing_changes_where_a_judge_scored_nothing_that_counts():
    alike = Committee(panel([[10, 10, 10], [16, 16, 16], [18, 18, 18]]), Rule.MEAN, LINES, 4)
    assert [alike.without(j).changes for j in range(3)] == [(), (), ()]
    assert alike.harshest([0.0, 0.0, 0.0]) is None


def test_who_leaves_the_panel_changes_what_rested_on_them():
    committee = Committee(panel([[17, 17, 11], [12, 12, 12], [16, 16, 16]]), Rule.MEAN, LINES, 4)
    (change,) = committee.without(2).changes
    assert (change.entry, change.before, change.after, change.place_after) == (0, 2, 3, 1)
    (corrected,) = committee.corrected(2, 6.0).changes[:1]
    assert (corrected.entry, corrected.after) == (0, 3)


def test_without_lines_entering_or_leaving_the_first_is_what_changes():
    before, after = (apply_rule(Rule.MEAN, voices(panel(t)), ()) for t in ([[1], [2], [3]], [[3], [2], [1]]))
    assert [c.entry for c in changes(before, after, 1, classes=False)] == [0, 2]


def test_the_rules_of_the_command_line_are_those_of_the_committee():
    (row,) = (row for row in OPTIONS if row.name == "--rule")
    assert row.choices == tuple(rule.value for rule in COMMITTEE_RULES)
