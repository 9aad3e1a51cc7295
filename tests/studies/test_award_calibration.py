"""Sayings about awards are as often true as they say, in simulated juries; the whole table stands beside the help."""

import csv
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tapdesk.progress import finish
from tapdesk.studies.award_answer import AwardRequest
from tapdesk.studies.award_calibration import (
    AWARD_SETS,
    BANDS,
    COLUMNS,
    SAYINGS,
    AwardSets,
    award_calibration,
    award_parts,
    award_tallies,
)
from tapdesk.studies.awards import AwardValues, draw_until_settled, kind_of, panel_of
from tapdesk.studies.simulated_jury import KINDS, jury
from tests.tables import scored

TABLE = Path(__file__).parents[2] / "resources" / "help" / "coverage" / "awards.csv"
DESERVED_80 = ("deserved", "0.8")


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


def test_what_is_said_is_true_as_often_up_to_three_in_100():
    rows = [row for row in table() if int(row["n"]) >= 100]
    assert len(rows) >= len(KINDS) * len(SAYINGS) * (len(BANDS) - 1) - 2
    for row in rows:
        assert abs(float(row["said"]) - float(row["true"])) <= 0.03, row


def test_bands_of_few_sayings_lie_no_further_off_than_luck():
    for row in table():
        assert abs(float(row["said"]) - float(row["true"])) <= 0.03 + 2 * float(row["error"]), row


def test_the_help_tells_how_many_in_100_were_right_where_80_to_90_is_said():
    words = " ".join((TABLE.parents[1] / "2-numbers.md").read_text("utf-8").split())
    shares = {row["scores"]: float(row["true"]) for row in table() if (row["saying"], row["from"]) == DESERVED_80}
    for kind, name in zip(KINDS, ("points", "four grades", "grades of unlike juries"), strict=True):
        assert f"of {name} {100 * shares[kind]:.0f} %" in words


def test_unlike_juries_have_lines_of_their_own():
    lines = {kind: {jury(kind, np.random.default_rng(seed)).lines for seed in range(4)} for kind in KINDS}
    assert [len(lines[kind]) for kind in KINDS] == [1, 1, 4]


@pytest.mark.parametrize("kind", KINDS)
def test_scores_of_a_jury_are_those_the_program_makes_of_such_ratings(kind):
    made = jury(kind, np.random.default_rng(3))
    scores, lines = made.scores, made.lines
    ratings = scored(list(zip(scores.entry, scores.judge, scores.value, strict=True)))
    request = AwardRequest(lines=() if scores.classes else lines)
    panel, _used = panel_of(ratings, request, kind_of(ratings, request))
    assert np.array_equal([panel.entry, panel.judge, panel.value], [scores.entry, scores.judge, scores.value])
    assert (panel.step, panel.classes) == (scores.step, scores.classes)


def test_a_jury_whose_chains_do_not_agree_is_drawn_again_as_the_program_does():
    part = AwardSets(KINDS[1], 0, 1, 11)
    (tally,) = finish(award_tallies(part))
    rng = np.random.default_rng(np.random.SeedSequence([11, 1, 0]))
    scores = jury(part.kind, rng).scores
    draws = finish(draw_until_settled(scores, rng))
    # What is kept of a first run is less.
    assert draws.fair.shape[0] == 4 * 1400
    said = AwardValues.of(draws, scores, AwardRequest()).probability().ravel()
    bands = list(pairwise(BANDS))
    assert tally[: 3 * len(bands) : 3] == [((said >= low) & ((said < high) | (high == 1))).sum() for low, high in bands]
    assert sum(tally[1 : 3 * len(bands) : 3]) == pytest.approx(60)


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
