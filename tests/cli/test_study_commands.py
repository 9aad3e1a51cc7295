"""The command study: tables, pictures, both, and what is wrong usage."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tapdesk.studies.recovery import tap_grid


def test_a_figure_of_a_paper_is_numbers_and_picture_in_one_run(told, tmp_path: Path):
    table, picture = tmp_path / "cohen.csv", tmp_path / "cohen.svg"
    status, out, err = told("study", "paper", "--figure", "cohen", "-o", str(table), "--picture", str(picture))
    assert (status, err) == (0, "")
    assert "0.3647" in out
    rows = {row["step"]: row["value"] for row in csv.DictReader(io.StringIO(table.read_text()))}
    assert float(rows["kappa"]) == pytest.approx(0.3647, abs=5e-5)
    assert picture.read_text().startswith("<svg")


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_an_output_named_as_a_picture_is_one(told, tmp_path: Path, suffix):
    place = tmp_path / f"tree.{suffix}"
    assert told("study", "paper", "--figure", "tree", "-o", str(place))[0] == 0
    start = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}[suffix]
    assert place.read_bytes().startswith(start)
    assert [p.name for p in tmp_path.iterdir()] == [place.name]


def test_the_file_may_stand_after_the_options(told):
    before = told("study", "paper", "sample:confusion-3x3", "--figure", "cohen")
    after = told("study", "paper", "--figure", "cohen", "sample:confusion-3x3")
    assert before == after
    assert before[0] == 0


def test_the_list_says_which_figures_take_a_file(told):
    status, out, _ = told("study", "paper", "--json")
    rows = json.loads(out)["rows"]
    assert status == 0
    assert {"figure", "title", "source", "paper_says", "own_file"} == set(rows[0])
    own = {row["figure"] for row in rows if row["own_file"]}
    assert {"tree", "cohen", "pairs"} <= own
    assert "recovery" not in own


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--figure", "recovery", "sample:jury"), "FILE has an effect only with --figure kappa-factor, clinical-rates"),
        (("--figure", "cohen", "--picture", "cohen.bmp"), "cannot be written as '.bmp'"),
        (("--picture", "list.svg"), "no picture"),
        (("--figure", "nope"), "There is no figure 'nope'"),
        (("--figure", "all"), "need a folder"),
        (("--figure", "all", "-o", "folder", "sample:jury"), "the figure here is all"),
        (("--figure", "krits", "--replicates", "0"), "Argument --replicates: '0' is not a whole number from 1"),
        (("--figure", "krits", "--workers", "0"), "Argument --workers: '0' is not a whole number from 1"),
    ],
)
def test_what_cannot_be_done_is_wrong_usage_and_leaves_nothing_behind(told, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    status, out, err = told("study", "paper", *arguments)
    assert (status, out) == (2, "")
    assert said in err
    assert not list(tmp_path.iterdir())


def test_a_study_without_a_picture_says_what_to_type_instead(told):
    status, _, err = told("study", "horizon", "sample:jury", "-o", "x.png")
    assert status == 2
    assert "tapdesk figure FILE --kind horizon" in err


def test_ratings_that_cannot_answer_are_told_with_their_own_exit_status(told):
    status, out, err = told("study", "paper", "--figure", "tree", "sample:paradox")
    assert (status, out) == (4, "")
    assert "do not determine the numbers" in err


def test_groups_answer_one_by_one_and_one_that_cannot_says_why(told, tmp_path: Path):
    place = tmp_path / "two_years.csv"
    rows = [
        (f"c{i}", f"J{j}", "yes" if (i * 7 + j * (i % 3)) % 5 < 2 else "no", "2023")
        for i in range(40)
        for j in range(4)
    ]
    rows += [(f"d{i}", f"J{j}", "no", "2024") for i in range(10) for j in range(4)]
    place.write_text("case,judge,answer,year\n" + "\n".join(",".join(row) for row in rows) + "\n")
    status, out, err = told("study", "groups", str(place), "--by", "year", "--json")
    assert status == 0, err
    first, second = json.loads(out)["rows"]
    assert (first["year"], first["cases"], first["why_not"]) == ("2023", 40, None)
    assert first["a low"] <= first["a"] <= first["a high"]
    assert second["a"] is None
    assert second["why_not"] == "All 40 answers of group '2024' are 'no', so there is nothing to tell apart."
    status, _, err = told("study", "groups", str(place))
    assert (status, "Name one with --by; there are: year" in err) == (2, True)


def test_a_plan_stands_on_numbers_the_ratings_determine_and_says_how_unsure_they_are(told, tmp_path: Path):
    alone, pairs, luck = (tmp_path / name for name in ("alone.csv", "pairs.csv", "luck.csv"))
    alone.write_text("\n".join(["case,ann", *(f"c{i},{i % 2}" for i in range(40))]))
    pairs.write_text("\n".join(["case,ann,ben", *(f"c{i},{i % 2},{int(i % 2 or i % 10 == 0)}" for i in range(60))]))
    luck.write_text("\n".join(["case,ann,ben,eva", *(f"c{i},{i % 2},{i // 2 % 2},{i // 4 % 2}" for i in range(64))]))
    size = ("--subjects", "50", "--raters", "3", "--replicates", "5")
    status, out, err = told("study", "plan", str(alone), *size)
    assert (status, out) == (4, "")
    assert "There is nothing to plan from" in err
    status, out, err = told("study", "plan", str(pairs), *size)
    assert status == 0
    assert "only if p = t" in err
    status, out, err = told("study", "plan", str(luck), *size)
    # An accuracy found at 0 leaves what its interval reaches up to: that is planned for, and said.
    assert status == 0
    assert "The accuracy is found at 0.00" in err
    assert "Take it as an example, not as advice." in err
    wide = tmp_path / "wide.csv"
    wide.write_text("\n".join(["case,ann,ben,eva", *(f"c{i},{i % 2},{i // 2 % 2},{i % 2}" for i in range(12))]))
    status, out, err = told("study", "plan", str(wide), *size)
    assert (status, out) == (4, "")
    assert "too wide to plan from" in err
    for edge in ("0", "1"):
        status, out, err = told("study", "plan", "--param", "t=.5", "--param", f"a={edge}", "--param", "p=.5", *size)
        assert (status, out) == (4, "")
        assert "With an accuracy of exactly 0 or 1 there is nothing to plan for." in err


@pytest.mark.parametrize(
    ("study", "rows", "step"),
    [
        (("recovery", "--grid"), 27, 27),
        pytest.param(("recovery", "--grid"), 729, 1, marks=pytest.mark.slow),
        (("kappa",), 1225, 1),
    ],
)
def test_a_simulation_of_many_numbers_takes_the_size_of_a_file_or_the_one_that_is_named(
    told, tmp_path, monkeypatch, study, rows, step
):
    def fewer(*arguments, **named):
        plan = tap_grid(*arguments, **named)
        assert len(plan.settings) == 729
        return replace(plan, settings=plan.settings[::step])

    monkeypatch.setattr("tapdesk.cli.simulations.tap_grid", fewer)
    sizes = {}
    for name, more in {
        "file": ["sample:wine-cut2"],
        "named": ["--subjects", "183", "--raters", "4"],
        "other": ["--subjects", "60"],
    }.items():
        place = tmp_path / f"{name}.csv"
        assert told("study", *study, *more, "-o", str(place))[0] == 0
        sizes[name] = place.read_text()
        assert len(sizes[name].splitlines()) == rows + 1
    assert sizes["file"] == sizes["named"] != sizes["other"]


def test_two_ratings_of_a_case_are_no_grid_and_the_reason_is_told(told):
    status, out, err = told("study", "recovery", "--grid", "--raters", "2")
    assert (status, out) == (4, "")
    assert "do not determine t, a and p" in err
    status, out, err = told("study", "kappa", "--raters", "1")
    assert status == 4
    assert "one on average" in err


def test_a_simulation_of_the_size_of_an_uneven_file_says_how_it_was_evened_out(told, tmp_path):
    uneven = tmp_path / "uneven.csv"
    rows = [f"c{i},ann,{i % 2}\nc{i},ben,{i % 3 % 2}" + (f"\nc{i},eva,1\nc{i},tom,0" * (i % 2)) for i in range(40)]
    uneven.write_text("\n".join(["case,rater,rating", *rows]))
    _status, _out, err = told("study", "kappa", str(uneven), "-o", str(tmp_path / "k.csv"))
    assert f"In {uneven} a case has 2 to 4 ratings; here all have 3." in err
    assert told("study", "kappa", "sample:wine-cut2", "-o", str(tmp_path / "even.csv"))[2] == ""
