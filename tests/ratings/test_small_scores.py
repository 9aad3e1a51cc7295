"""Scores of few entries: no two need be equal, so judges are known by the range of their columns, or asked about."""

import random

import pytest

from tapdesk.project.fixes.catalog import fixes
from tapdesk.project.project import Project
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.layouts.two_readings import TwoReadingsError
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read_now

JUDGES = ("Anna", "Bea", "Carl", "Dora", "Emil")


def sheet(seed: int) -> tuple[str, tuple[str, ...]]:
    """Scores of three to eight wines by two to five judges, and the judges."""
    draw = random.Random(seed)
    wines, judges = draw.randint(3, 8), JUDGES[: draw.randint(2, 5)]
    step, spread, noise, middle = (draw.choice(x) for x in ((0.1, 0.5, 1), (2, 4, 8), (1, 2, 4), (15, 50, 83)))
    rows = ["Wine," + ",".join(judges)]
    for i in range(wines):
        worth = draw.gauss(middle, spread)
        scores = (round((worth + draw.gauss(0, noise)) / step) * step for _judge in judges)
        rows.append(f"W{i}," + ",".join(f"{score:g}" for score in scores))
    return "\n".join(rows) + "\n", judges


def test_no_judge_of_few_scores_is_left_out_without_a_question(tmp_path):
    place, wrong, whole = tmp_path / "scores.csv", [], 0
    for seed in range(120):
        text, judges = sheet(seed)
        place.write_text(text, encoding="utf-8")
        reading = read_now(place)
        right = reading.ratings.raters == judges
        whole += right
        if not right and not any(f.severity is Severity.BLOCK for f in reading.findings):
            wrong.append((seed, reading.ratings.raters))
    assert wrong == []
    # To ask every time would be no reading.
    assert whole > 90


def test_a_judge_far_below_the_others_is_asked_about_and_is_a_rater_with_one_answer(tmp_path):
    place = tmp_path / "scores.csv"
    rows = [f"W{i},{80 + i},{81.5 + i},{60.5 + i}" for i in range(14)]
    place.write_text("Wine,Anna,Bea,Strict\n" + "\n".join(rows) + "\n", encoding="utf-8")
    project = Project().with_reading(read_now(place), when="")
    (asked,) = (f for f in project.reading.findings if f.code == "columns_not_rated")
    assert asked.severity is Severity.BLOCK
    assert "Strict" in asked.message
    chosen = read_now(place, ReadingOptions(columns=("Anna", "Bea", "Strict")))
    assert chosen.ratings.raters == ("Anna", "Bea", "Strict")
    assert not [f for f in chosen.findings if f.code == "columns_not_rated"]
    assert "“Strict” is a rater" in [str(one.words) for one in fixes(asked, project.reading, project.ratings)]


@pytest.mark.parametrize("fact", ["Price,9.5,12,7.5,30,22,11", "Age,61,64,70,72,66,81"])
def test_a_fact_about_the_entries_far_from_the_scores_is_no_question(tmp_path, fact):
    name, *values = fact.split(",")
    place = tmp_path / "scores.csv"
    rows = [f"W{i},{880 + i},{881 + i},{value}" for i, value in enumerate(values)]
    place.write_text(f"Wine,Anna,Bea,{name}\n" + "\n".join(rows) + "\n", encoding="utf-8")
    reading = read_now(place)
    assert reading.ratings.raters == ("Anna", "Bea")
    assert not any(f.severity is Severity.BLOCK for f in reading.findings)


@pytest.mark.parametrize("column", ["Flight", "Round", "Day", "Extra"])
@pytest.mark.parametrize("seed", range(6))
def test_half_points_given_twice_to_some_wines_are_scores_and_name_no_questions(tmp_path, column, seed):
    draw, place = random.Random(seed), tmp_path / "points.csv"
    judges = ("Almeida", "Brandt", "Costa", "Duval", "Egger", "Ferri")
    rows = [f"Wine,Judge,Points,{column}"]
    for i in range(30):
        worth = draw.gauss(15, 1.5)
        rows += [
            f"W{i:02d},{who},{round(2 * draw.gauss(worth, 0.8)) / 2:.1f},{turn}"
            for who in judges
            for turn in ((1, 2) if i < 6 else (1,))
            if draw.random() > 0.15
        ]
    place.write_text("\n".join(rows) + "\n", encoding="utf-8")
    reading = read_now(place)
    assert reading.source.roles["rating"] == "Points"
    assert set(reading.ratings.raters) == set(judges)


def test_whole_points_beside_a_day_never_name_questions_in_silence(tmp_path):
    draw, place = random.Random(1), tmp_path / "points.csv"
    rows = ["Wine,Judge,Points,Day"]
    for i in range(30):
        worth = draw.gauss(15, 1.5)
        rows += [
            f"W{i:02d},{who},{round(draw.gauss(worth, 0.8))},{turn}"
            for who in ("Almeida", "Brandt", "Costa", "Duval")
            for turn in ((1, 2) if i < 6 else (1,))
        ]
    place.write_text("\n".join(rows) + "\n", encoding="utf-8")
    try:
        reading = read_now(place)
    except TwoReadingsError:
        return
    asked = any(f.severity is Severity.BLOCK for f in reading.findings)
    assert asked or reading.source.roles["rating"] == "Points"
