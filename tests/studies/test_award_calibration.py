"""Sayings about awards are as often true as they say, in simulated juries; the whole table stands beside the help."""

import csv
from pathlib import Path

import pytest

from tapdesk.progress import finish
from tapdesk.studies.award_calibration import AWARD_SETS, BANDS, COLUMNS, KINDS, SAYINGS, award_calibration, award_parts

TABLE = Path(__file__).parents[2] / "resources" / "help" / "coverage" / "awards.csv"


def table():
    with TABLE.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_the_table_of_the_help_is_whole():
    rows = table()
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == len(KINDS) * len(SAYINGS) * (len(BANDS) - 1)
    # A class of each of sixty entries, four of them: nothing is left out.
    for kind in KINDS:
        own = [row for row in rows if row["scores"] == kind]
        assert sum(int(row["n"]) for row in own if row["saying"] == "class") == 240 * int(own[0]["sets"])


def test_what_is_said_of_classes_and_awards_is_true_as_often_up_to_three_in_100():
    looked = [row for row in table() if row["saying"] != "among the first 5" and int(row["n"]) >= 100]
    assert len(looked) > 20
    for row in looked:
        assert abs(float(row["said"]) - float(row["true"])) <= 0.03, row


def test_every_jury_belongs_to_one_piece():
    for kind in KINDS:
        sets = [r for part in award_parts(30) if part.kind == kind for r in range(part.first, part.last)]
        assert sets == list(range(30))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ten_other_juries_of_each_kind_agree_with_the_table():
    made = finish(award_calibration(AWARD_SETS // 10, seed=2)).records()
    for old, new in zip(table(), made, strict=True):
        if new["n"] and int(new["n"]) >= 30:
            error = (float(new["error"]) ** 2 + float(old["error"]) ** 2) ** 0.5
            gaps = float(new["true"]) - float(new["said"]), float(old["true"]) - float(old["said"])
            assert abs(gaps[0] - gaps[1]) <= 4 * error + 0.02, (old, new)
