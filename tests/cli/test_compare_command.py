"""`tapdesk compare`: what is printed and what stands in the JSON, of other files and of one with a thing otherwise."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tapdesk.answers.what_if_kept import kept_in
from tapdesk.cli.main import main
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.decisions.classes import RenameClass
from tapdesk.project.files.file import load, save
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse

JUDGES = ("Adams", "Brown", "Chen", "Davies")
QUICK = ("--replicates", "200")
VERDICTS = {"yes", "yes, small", "no", "cannot tell"}


def sheet(place, accuracy, seed, *, cases=120, judges=JUDGES, prefix="r", yes="Yes", ward=False):
    """Wide ratings of known accuracy; the last judge knows nothing where it is a list."""
    rng = np.random.default_rng(seed)
    each = accuracy if isinstance(accuracy, tuple) else (accuracy,) * len(judges)
    lines = [",".join(("Record", *judges, *(("ward",) if ward else ())))]
    for i in range(cases):
        true = rng.random() < 0.5
        said = [(yes, "No")[int(not (true if rng.random() < a else rng.random() < 0.5))] for a in each]
        lines.append(",".join((f"{prefix}{i}", *said, *((("North", "South")[i % 2],) if ward else ()))))
    place.write_text("\n".join(lines) + "\n")
    return str(place)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rounds")
    return {
        "one": sheet(folder / "one.csv", 0.55, 1, prefix="a", ward=True),
        "two": sheet(folder / "two.csv", 0.9, 2, prefix="b", ward=True),
        "three": sheet(folder / "three.csv", 0.9, 3, prefix="c", judges=(*JUDGES[:3], "Evans")),
        "others": sheet(folder / "others.csv", 0.8, 4, prefix="d", judges=("Xu", "Yates", "Zorn")),
        "classes": sheet(folder / "classes.csv", 0.8, 5, prefix="e", yes="Ja"),
        "few": sheet(folder / "few.csv", 0.7, 7, prefix="g", cases=14),
        "poor": sheet(folder / "poor.csv", (0.9, 0.9, 0.9, 0.0), 6, prefix="f", cases=300),
    }


def contrast(answer, name, rater=None):
    return next(c for c in answer["contrasts"] if (c["name"], c["rater"]) == (name, rater))


def test_the_json_has_the_head_of_every_command_and_the_contrasts_of_the_contract(answered, files):
    answer = answered("compare", files["one"], files["two"])
    assert list(answer)[:6] == ["tapdesk", "schema", "command", "data", "findings", "options_used"]
    assert answer["command"] == "compare"
    assert "more than chance" in answer["headline"]["sentence"]
    for row in answer["contrasts"]:
        assert {"name", "a", "b", "value", "low", "high", "verdict"} <= set(row)
        assert {"value", "low", "high"} <= set(row["a"])
        assert {"value", "low", "high"} <= set(row["b"])
        assert row["verdict"] in VERDICTS
        if row["value"] is not None:
            assert row["value"] == pytest.approx(row["b"]["value"] - row["a"]["value"])
    accuracy = contrast(answer, "a")
    assert (accuracy["verdict"], accuracy["low"] > 0.1) == ("yes", True)
    names = {row["name"] for row in answer["contrasts"]}
    assert {"a", "t", "knowledge", "percent_agreement", "fleiss_kappa", "gwet_ac"} <= names
    assert {row["rater"] for row in answer["contrasts"] if row["rater"]} == set(JUDGES)


def test_small_and_no_are_said_only_where_it_was_said_what_matters(answered, files):
    pairs = ((files["two"], files["three"]), (files["one"], files["two"]))
    plain = [answered("compare", *pair) for pair in pairs]
    assert {c["verdict"] for answer in plain for c in answer["contrasts"]} == {"yes", "cannot tell"}
    wide = [answered("compare", *pair, "--smallest-change", "0.9") for pair in pairs]
    assert {c["verdict"] for answer in wide for c in answer["contrasts"]} == {"yes, small", "no"}
    for before, after in zip(plain, wide, strict=True):
        told = {(c["name"], c["class"], c["rater"]): c["verdict"] for c in after["contrasts"]}
        for c in before["contrasts"]:
            also = told[c["name"], c["class"], c["rater"]]
            assert also == {"yes": "yes, small", "cannot tell": "no"}[c["verdict"]]


def test_what_explains_the_difference_comes_first(answered, files):
    rows = answered("compare", files["one"], files["two"])["contrasts"]
    rank = [("yes", "cannot tell").index(row["verdict"]) for row in rows]
    assert rank == sorted(rank)


def test_without_a_rater_who_knows_nothing_the_others_follow_the_case_more_often(answered, told, files):
    answer = answered("compare", files["poor"], "--without", "Davies", *QUICK)
    accuracy = contrast(answer, "a")
    assert accuracy["verdict"] == "yes"
    assert accuracy["b"]["value"] == pytest.approx(0.9, abs=0.06)
    assert "Davies" not in {row["rater"] for row in answer["contrasts"]}
    assert answer["shared_subjects"] == 300
    status, out, _err = told("compare", files["poor"], "--without", "Davies", *QUICK)
    assert status == 0
    assert "“without Davies”" in out


@pytest.mark.parametrize(
    "otherwise", [("--without-group", "ward=North"), ("--other-model", "t-aj-pj"), ("--without", "Adams")]
)
def test_one_thing_may_be_otherwise(answered, files, otherwise):
    answer = answered("compare", files["one"], *otherwise, *QUICK)
    assert answer["contrasts"]
    assert not answer["same"]


def test_classes_may_be_one(answered):
    answer = answered("compare", "sample:jury", "--merge", "gold,silver", *QUICK)
    assert {row["class"] for row in answer["contrasts"] if row["name"] == "t"} == {"no medal", "bronze"}


def test_the_same_file_twice_differs_by_exactly_nothing_and_that_is_said(answered, told, files):
    answer = answered("compare", files["one"], files["one"])
    assert answer["same"]
    assert {(row["value"], row["low"], row["high"], row["verdict"]) for row in answer["contrasts"]} == {(0, 0, 0, None)}
    assert "every difference is exactly 0" in told("compare", files["one"], files["one"])[1]
    valued = answered("compare", files["one"], files["one"], "--smallest-change", "0.05")
    assert {row["verdict"] for row in valued["contrasts"]} == {"no"}


def test_raters_that_are_not_the_same_people_are_said_and_none_of_them_is_compared(answered, files):
    answer = answered("compare", files["one"], files["others"])
    assert all(row["rater"] is None for row in answer["contrasts"])
    assert any("none of the raters in common" in text for text in answer["differences_of_reading"])


def test_other_classes_are_refused_in_a_sentence(told, files):
    status, _out, err = told("compare", files["one"], files["classes"])
    assert status == 4
    assert "different classes" in err
    assert "'Ja'" in err


def test_two_raters_left_tell_agreement_alone(answered, files):
    answer = answered("compare", files["one"], "--without", "Adams,Brown", *QUICK)
    accuracy = contrast(answer, "a")
    assert (accuracy["value"], accuracy["verdict"]) == (None, "cannot tell")
    assert accuracy["undefined"]
    assert contrast(answer, "percent_agreement")["value"] is not None
    assert "does not tell it" in answer["headline"]["sentence"]


def test_what_is_said_of_three_rounds_and_in_a_report_of_them(told, files, tmp_path):
    rounds = files["one"], files["two"], files["three"]
    _status, out, _err = told("compare", *rounds, "--smallest-change", "0.05", *QUICK)
    words = " ".join(out.split())
    assert " of 100 in “one.csv”, “two.csv”, “three.csv”: from the first to the last " in words
    assert "Last less first: " in words
    assert ("it changed by more than chance: " in words) or ("From no round to the next can a change be told" in words)
    place = tmp_path / "rounds.html"
    typed = [part for file in rounds[1:] for part in ("--compare", file)]
    status, _out, err = told("report", rounds[0], *typed, "-o", str(place), "--interval", "none")
    assert status == 0, err
    page = place.read_text("utf-8")
    assert "Round by round" in page
    assert "The last of 3 rounds against the first" in page


def test_what_becomes_of_single_cases_is_said_of_the_same_cases_alone(answered, told, files):
    moves = answered("compare", files["poor"], "--without", "Davies", *QUICK)["cases"]
    assert moves["shared"] == 300
    assert moves["changed"] >= len(moves["listed"])
    assert all(row["a"] != row["b"] and row["probability"] > 0.5 for row in moves["listed"])
    out = " ".join(told("compare", files["poor"], "--without", "Davies", *QUICK)[1].split())
    assert "Not that Davies is wrong: nobody checked what is true." in out
    assert "another likeliest class." in out
    assert "Less than 90 % sure: " in out


@pytest.mark.parametrize("name", ["t-ah-p", "sdt-1", "t-a-pi"])
def test_a_model_of_the_grid_may_be_the_other_one(answered, files, name):
    answer = answered("compare", files["one"], "--other-model", name, *QUICK)
    assert [side["model"] for side in answer["sides"]] == ["t-a-p", name]
    assert "Not which model is true" in answer["does_not_say"]


def test_a_model_of_groups_asks_for_their_column(answered, told, files):
    _status, _out, err = told("compare", files["one"], "--other-model", "tg-a-p")
    assert "--by COL" in err
    answer = answered("compare", files["one"], "--other-model", "tg-a-p", "--by", "ward", *QUICK)
    assert answer["sides"][1]["name"] == "by tg-a-p, groups of ward"


def test_an_empty_file_and_a_missing_one_say_so_themselves(told, files, tmp_path):
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    for place, words in ((str(empty), "The file is empty"), (str(tmp_path / "gone.csv"), "There is no such file")):
        _status, _out, err = told("compare", files["one"], place)
        assert words in err
        assert Path(place).name in err
        assert "as the first one was" not in err


def test_another_layout_is_read_and_said(answered, files, tmp_path):
    long = ["Record,Judge,Answer"]
    rows = [line.split(",") for line in Path(files["two"]).read_text("utf-8").splitlines()]
    long += [f"{row[0]},{judge},{row[j + 1]}" for row, (j, judge) in product(rows[1:], enumerate(JUDGES))]
    place = tmp_path / "long.csv"
    place.write_text("\n".join(long) + "\n")
    answer = answered("compare", files["one"], str(place))
    assert "laid out otherwise" in answer["differences_of_reading"][0]
    assert contrast(answer, "a")["verdict"] == "yes"


def test_a_trend_of_three_rounds_has_every_round_and_every_step(answered, told, files):
    answer = answered("compare", files["one"], files["two"], files["three"])
    series = next(row for row in answer["trend"] if row["name"] == "a")
    assert [one["round"] for one in series["rounds"]] == ["one.csv", "two.csv", "three.csv"]
    assert [(step["a"], step["b"]) for step in answer["steps"]] == [("one.csv", "two.csv"), ("two.csv", "three.csv")]
    whole = contrast(answer, "a")
    assert whole["a"]["value"] == series["rounds"][0]["value"]
    assert whole["b"]["value"] == series["rounds"][2]["value"]
    assert any("'Evans'" in text for text in answer["differences_of_reading"])
    out = told("compare", files["one"], files["two"], files["three"])[1]
    assert out.index("Evans") < out.index("Round by round")


def test_the_decisions_of_a_project_are_made_about_the_other_file_and_nothing_is_overwritten(answered, files, tmp_path):
    kept = tmp_path / "first.tapdesk"
    project = Project().with_reading(read_now(files["one"])).decide(RenameClass("Yes", "done"))
    asked = Request(model("t-a-p"))
    save(project.with_analysis(Analysis("mine", asked, finish(analyse(project.ratings, asked)))), kept)
    before = kept.read_bytes()
    answer = answered("compare", str(kept), files["two"])
    assert {row["class"] for row in answer["contrasts"] if row["name"] == "t"} == {"done"}
    undone = answered("compare", str(kept), "--undo", "1", *QUICK)
    assert undone["sides"][1]["name"] == "without decision 1"
    assert kept.read_bytes() == before


def test_a_belief_is_compared_by_what_fits_best_and_that_is_said(answered, files, tmp_path):
    kept = tmp_path / "belief.tapdesk"
    project = Project().with_reading(read_now(files["one"]))
    asked = Request(model("t-a-p"), estimator="posterior")
    save(project.with_analysis(Analysis("mine", asked, finish(analyse(project.ratings, asked)))), kept)
    answer = answered("compare", str(kept), files["two"])
    assert any("answered by belief" in text for text in answer["remarks"])


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ((), "nothing to compare with"),
        (("--without", "Nobody"), "Nobody"),
        (("--without", ",".join(JUDGES)), "would be left"),
        (("--without-group", "ward=East"), "no group 'East'"),
        (("--without-group", "street=1"), "no column 'street'"),
        (("--merge", "Yes"), "One class alone"),
        (("--undo", "1"), "no decision 1"),
        (("--without", "Adams", "--undo", "1"), "together with"),
        (("missing.csv",), "missing.csv"),
        (("--smallest-change", "0"), "between 0 and 1"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_sentence(told, files, typed, words):
    status, out, err = told("compare", files["one"], *typed)
    assert status in {2, 3, 4}
    assert out == ""
    assert words in err
    assert len(err.splitlines()) == 1


def test_another_file_and_something_otherwise_do_not_go_together(told, files):
    status, _out, err = told("compare", files["one"], files["two"], "--without", "Adams")
    assert status == 2
    assert "--without" in err


def test_an_answer_is_not_written_over_a_file_that_is_compared(files):
    assert main(["compare", files["one"], files["two"], f"--json={files['two']}", "--force"]) == 2


@pytest.mark.parametrize(
    ("second", "typed", "words"),
    [
        ("two", (), "is no cause: who rated, what was rated and how it was read may have changed as well"),
        ("two", (), "name the smallest change that does"),
        ("two", (), "so each has uncertainty of its own"),
        ("two", (), "Most clearly changed besides: "),
        ("two", ("--smallest-change", "0.05"), "0.05 makes no difference to us."),
        ("three", ("--smallest-change", "0.9"), "more than chance, but a small change"),
        ("few", (), ": no interval for the difference."),
        ("few", (), " for an interval of the difference."),
        ("few", (), "The difference is "),
        ("classes", (), "Match them first: rename or merge classes"),
    ],
)
def test_what_is_said_of_two_files(told, files, second, typed, words):
    _status, out, err = told("compare", files["one"], files[second], *typed)
    assert words in " ".join((out + err).split())


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (
            ("--without", "Adams"),
            " resamples of them serve both. Those of several raters or classes hold for all of them together.",
        ),
        (("--without", "Adams,Brown"), "at most: agreement can be compared, knowledge rarely"),
        (("--without", "Adams", "--smallest-change", "0.9"), ": no change that matters."),
    ],
)
def test_what_is_said_of_one_file_with_something_otherwise(told, files, typed, words):
    _status, out, err = told("compare", files["one"], *typed, *QUICK)
    assert words in " ".join((out + err).split())


@pytest.mark.parametrize("form", [".html", ".xlsx"])
def test_a_report_may_have_another_file_beside_it(told, files, tmp_path, form):
    place = tmp_path / f"report{form}"
    kept = tmp_path / "kept.tapdesk"
    status, _out, err = told(
        "report", files["one"], "--compare", files["two"], "--smallest-change", "0.05", "-o", str(place),
        "--interval", "none", "--save-project", str(kept),
    )  # fmt: skip
    assert status == 0, err
    assert [(str(one.a), str(one.b)) for one in kept_in(load(kept))] == [("one.csv", "two.csv")]
    if form == ".html":
        page = place.read_text("utf-8")
        assert "What if" in page
        assert "of 100 in “two.csv”" in page


def test_a_report_with_codes_names_no_rater_of_the_other_file(told, files, tmp_path):
    place = tmp_path / "coded.html"
    status, _out, err = told(
        "report", files["one"], "--compare", files["three"], "--rater-names", "codes", "-o", str(place),
        "--interval", "none",
    )  # fmt: skip
    assert status == 0, err
    page = place.read_text("utf-8")
    assert "What if" in page
    assert "are not all the same." in page
    assert not [name for name in (*JUDGES, "Evans") if name in page]


def test_a_smallest_change_has_an_effect_only_beside_another_file(told, files, tmp_path):
    status, _out, err = told("report", files["one"], "--smallest-change", "0.05", "-o", str(tmp_path / "x.html"))
    assert status == 2
    assert "--compare" in err
