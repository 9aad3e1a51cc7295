"""Intervals of a judge's numbers hold the truth as often as they say; the whole table stands beside the help."""

import csv
from pathlib import Path

import numpy as np
import pytest

from tapdesk.progress import finish
from tapdesk.studies.awards import draw_until_settled
from tapdesk.studies.judge_coverage import (
    COLUMNS,
    JUDGE_SETS,
    JUDGES,
    NUMBERS,
    JudgeSets,
    judge_coverage,
    judge_tallies,
    true_numbers,
)
from tapdesk.studies.judge_numbers import scoring_numbers
from tapdesk.studies.panel_sampler import PanelScores
from tapdesk.studies.simulated_jury import GUESSING, HARSH, KINDS, TURNED, jury

TABLE = Path(__file__).parents[2] / "resources" / "help" / "coverage" / "judges.csv"


def table():
    with TABLE.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_the_table_of_the_help_is_whole():
    rows = table()
    assert tuple(rows[0]) == COLUMNS
    assert [(r["scores"], r["judge"], r["number"]) for r in rows] == [
        (kind, judge, number) for kind in KINDS for judge in JUDGES for number in NUMBERS
    ]
    for row in rows:
        assert int(row["n"]) == int(row["sets"]) * (9 if row["judge"] == "others" else 1)


def test_the_help_tells_how_often_intervals_of_judges_hold_the_truth():
    words = " ".join((TABLE.parents[1] / "2-numbers.md").read_text("utf-8").split())

    def ends(**of):
        held = [float(r["held"]) for r in table() if all(r[name] in value for name, value in of.items())]
        return "{:.0f} to {:.0f} times".format(*(100 * end for end in (min(held), max(held))))

    assert f"lay in its 95 % interval {ends(judge=['harsh'], number=['severity'])} in 100" in words
    assert f"one who guesses {ends(judge=['guesses'], number=['spread'])}; " in words
    assert f"turned round follow, {ends(judge=JUDGES[:3], number=['follows'])}; " in words
    assert f"of judges like most, every number {ends(judge=['others'], number=NUMBERS)}." in words


def test_severity_in_classes_is_what_the_shares_of_classes_say():
    # Counted instead of integrated: many scores of each judge for each entry, against those of one without leaning.
    made = jury(KINDS[1], np.random.default_rng(4))
    severity, spread, _follows = true_numbers(made)
    rng = np.random.default_rng(1)
    worth = made.truth - made.level.mean()
    noise = rng.normal(size=(2000, 1, worth.size))
    given = made.level[:, None] + made.slope[:, None] * worth + made.spread[:, None] * noise
    grade = np.searchsorted(made.lines, given)
    mean = grade.mean(axis=(0, 2))
    assert severity == pytest.approx(mean.mean() - mean, abs=0.02)
    assert spread == pytest.approx(np.sqrt(grade.var(axis=0).mean(axis=1)), abs=0.02)
    assert severity.argmax() == HARSH


def test_follows_is_the_correlation_of_what_a_judge_gives_with_what_entries_are_worth():
    made = jury(KINDS[0], np.random.default_rng(4))
    rng = np.random.default_rng(2)
    worth = rng.normal(0, made.differ, 40_000)
    for j, true in enumerate(true_numbers(made)[2]):
        given = made.level[j] + made.slope[j] * worth + made.spread[j] * rng.normal(size=worth.size)
        assert true == pytest.approx(np.corrcoef(worth, given)[0, 1], abs=0.02)
    assert true_numbers(made)[2][GUESSING] == 0
    assert true_numbers(made)[2][TURNED] < 0


def test_numbers_of_many_scores_come_to_the_truth():
    made = jury(KINDS[0], np.random.default_rng(6))
    rng = np.random.default_rng(3)
    worth = made.truth - made.level.mean()
    entry, judge = (np.tile(a.ravel(), 20) for a in np.indices((worth.size, made.level.size)))
    value = made.level[judge] + made.slope[judge] * worth[entry] + made.spread[judge] * rng.normal(size=entry.size)
    scores = PanelScores.of(entry, judge, value, (worth.size, made.level.size))
    draws = finish(draw_until_settled(scores, np.random.default_rng(1)))
    estimates = scoring_numbers(scores, draws, 0.95)
    for column, true in zip(estimates[:2], true_numbers(made)[:2], strict=True):
        assert [one.value for one in column] == pytest.approx(true, abs=0.15)


def test_a_piece_counts_the_intervals_of_its_juries():
    (tally,) = finish(judge_tallies(JudgeSets(KINDS[0], 0, 1, 11)))
    counts = np.array(tally).reshape(len(JUDGES), len(NUMBERS), 5)
    assert (counts[:3, :, 0] == 1).all()
    assert (counts[3, :, 0] == 9).all()
    assert (counts[..., 1] <= counts[..., 0]).all()
    assert counts[1, 2, 2] == 0


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_tenth_of_other_juries_agrees_with_the_table():
    made = finish(judge_coverage(JUDGE_SETS // 10, seed=2)).records()
    for old, new in zip(table(), made, strict=True):
        error = (float(new["error"]) ** 2 + float(old["error"]) ** 2) ** 0.5
        assert abs(float(new["held"]) - float(old["held"])) <= 4 * error + 0.15, (old, new)
