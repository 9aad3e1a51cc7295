"""Bad input of the newer models: each is a sentence that says what is amiss and what can be done, never a number."""

from pathlib import Path

import numpy as np
import pytest


def written(place: Path, head: str, rows: list[tuple[object, ...]]) -> str:
    place.write_text("\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8")
    return str(place)


def three_classes() -> list[tuple[object, ...]]:
    """60 cases by three raters: case, rater, rating, truth, a group of one case, a group that varies within a case."""
    rng = np.random.default_rng(1)
    rows: list[tuple[object, ...]] = []
    for i in range(60):
        true = int(rng.integers(0, 3))
        for j in range(3):
            given = "abc"[true if rng.random() < 0.6 else int(rng.integers(0, 3))]
            rows.append((f"c{i}", f"R{j}", given, "abc"[true], "some" if i else "solo", "mn"[(i + j) % 2]))
    return rows


@pytest.fixture
def panel(tmp_path: Path) -> str:
    return written(tmp_path / "panel.csv", "case,rater,rating,kind,ward,visit", three_classes())


@pytest.mark.parametrize("name", ["t-an-p", "sdt", "sdt-d", "sdt-tau", "sdt-1"])
def test_an_order_that_is_not_declared_is_asked_for(told, answered, panel, name):
    status, _out, err = told("fit", panel, "--model", name)
    assert status == 4
    assert f"The model {name} is about ordered classes, and nothing says how these are ordered." in err
    assert "Declare their order, lowest first." in err
    fit = answered("fit", panel, "--model", name, "--order", "a,b,c", "--interval", "none")["fits"][0]
    assert fit["refused"] is None


def test_one_group_of_one_case_tells_nothing(told, panel):
    status, _out, err = told("fit", panel, "--model", "tg-a-p", "--by", "ward")
    assert status == 4
    assert "The group “solo” of 'ward' has one case only, which tells nothing of a group." in err


@pytest.mark.parametrize("name", ["tg-a-p", "tg-aj-p", "tg-dawid-skene"])
def test_groups_that_vary_within_a_case_have_no_classes_of_their_own(told, answered, panel, name):
    status, _out, err = told("fit", panel, "--model", name, "--by", "visit")
    assert status == 4
    assert "Ratings of one case, such as c0, are of several groups of 'visit'" in err
    assert "such as t-ag-p" in err
    assert answered("fit", panel, "--model", "t-ag-p", "--by", "visit", "--interval", "none")["fits"][0]["identified"]


def test_known_answers_that_contradict_each_other_are_refused(told, tmp_path: Path):
    rows = [
        (*row[:3], row[3] if (row[0], row[1]) != ("c5", "R0") else "c" if row[3] != "c" else "a")
        for row in three_classes()
    ]
    place = written(tmp_path / "contradicted.csv", "case,rater,rating,truth", rows)
    status, _out, err = told("fit", place, "--known", "truth")
    assert status == 3
    assert "Two rows of the case c5 have different known answers" in err
    assert "Correct one of them" in err


def test_a_key_of_a_class_that_nobody_gave_is_told_and_passed_over(told, answered, tmp_path: Path):
    rows = [(*row[:3], "z" if int(str(row[0])[1:]) % 4 == 0 else row[3]) for row in three_classes()]
    place = written(tmp_path / "strange.csv", "case,rater,rating,truth", rows)
    status, out, _err = told("fit", place, "--known", "truth")
    assert status == 0
    assert "15 known answers are no classes of these ratings and are passed over." in " ".join(out.split())
    answer = answered("fit", place, "--known", "truth", "--interval", "none")
    assert answer["fits"][0]["known"]["subjects"] == 45
    assert any("'z' is no class that a rater gave (15 cases)" in one["message"] for one in answer["findings"])


def test_repeats_without_time_cannot_be_followed(told, answered, tmp_path: Path):
    rows = [(c, who, r, k) for c, who, r, k, *_rest in three_classes() for k in ((1, 2) if who == "R0" else (1,))]
    place = written(tmp_path / "repeats.csv", "case,rater,rating,visit", rows)
    status, _out, err = told("fit", place, "--model", "t-aj-p+m")
    assert status == 4
    assert "Nothing says in which order a rater rated a case again." in err
    assert "--occasion COL" in err
    told_by = ("--model", "t-aj-p+m", "--occasion", "visit", "--interval", "none")
    assert answered("fit", place, *told_by)["fits"][0]["refused"] is None


@pytest.mark.parametrize("command", ["fit", "report"])
def test_dates_that_may_be_read_in_two_orders_are_told_in_the_place_of_a_drift(told, tmp_path: Path, command):
    rows = [(*row[:3], f"{1 + i % 12}/{1 + i // 20}/2026") for i, row in enumerate(three_classes())]
    place, page = written(tmp_path / "days.csv", "case,rater,rating,day", rows), tmp_path / "r.html"
    more = ("-o", str(page)) if command == "report" else ()
    status, out, _err = told(command, place, "--model", "t-aj-p", "--drift", "day", "--interval", "wald", *more)
    assert status == 0
    text = page.read_text(encoding="utf-8") if command == "report" else out
    assert "can be read in two ways that order the ratings differently" in " ".join(text.split())
