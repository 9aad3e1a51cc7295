"""All questions of a form in one table: what is printed, what stands in the JSON, and what is refused."""

import json
import random
import re

import numpy as np
import pytest

from tapdesk.cli.main import main
from tapdesk.project.files.file import save
from tapdesk.project.project import Project
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.reading import read_now
from tapdesk.report.issue.facts import facts_in

RATERS = ("Ana", "Ben", "Cem", "Dora")
KINDS = {"Told": 0.0, "Weight noted": 0.95, "Allergy": None}


def said(rng, accuracy):
    if accuracy is None:
        return ["Yes"] * len(RATERS)
    true = rng.random() < 0.5
    return ["Yes" if (true if rng.random() < accuracy else rng.random() < 0.5) else "No" for _rater in RATERS]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Sixty patients, four nurses: a question that is guessed at, a clear one, and one always answered Yes."""
    rng = np.random.default_rng(8)
    lines = ["Patient,Nurse," + ",".join(KINDS)]
    for i in range(60):
        answers = [said(rng, accuracy) for accuracy in KINDS.values()]
        lines += [f"p{i},{rater}," + ",".join(a[j] for a in answers) for j, rater in enumerate(RATERS)]
    place = tmp_path_factory.mktemp("form") / "form.csv"
    place.write_text("\n".join(lines))
    return place


@pytest.fixture
def told(place, capsys):
    assert main(["questions", str(place), "--class1", "Yes", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_json_has_a_row_for_each_question_worst_first(told):
    assert list(told)[:6] == ["tapdesk", "schema", "command", "data", "findings", "options_used"]
    assert [(row["question"], row["verdict"], row["advice"]) for row in told["rows"]] == [
        ("Told", "guessing", "Give examples"),
        ("Allergy", "all the same", "Look for a “No”"),
        ("Weight noted", "clear", "Keep"),
    ]
    contract = {"question", "subjects", "raters", "ratings", "share", "percent_agreement", "gwet_ac", "a"}
    assert all(contract | {"verdict", "p_holm", "advice"} <= set(row) for row in told["rows"])
    guessed, same, clear = told["rows"]
    assert guessed["a"]["value"] is None
    assert same["share"] == 1.0
    assert (same["a"]["value"], same["p_holm"]) == (None, None)
    assert clear["a"]["low"] > 0.5
    assert told["data"]["questions"] == 3
    assert told["data"]["ratings"] == 3 * 60 * 4
    assert told["headline"]["sentence"] == (
        "On 1 of 3 questions the ratings clearly follow the patient. 1 cannot be told from guessing."
    )
    assert "1 was always answered alike" in told["headline"]["follows"]


def test_several_processes_find_the_same(place, told, capsys):
    assert main(["questions", str(place), "--class1", "Yes", "--workers", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == told["rows"]


def test_a_row_says_what_the_single_commands_say_of_its_question(place, told, capsys):
    row = told["rows"][-1]
    read = ("--class1", "Yes", "--layout", "questions", "--only", "Weight noted", "--json")
    assert main(["fit", str(place), *read]) == 0
    fit = json.loads(capsys.readouterr().out)["fits"][0]
    a = next(e for e in fit["estimates"] if e["name"] == "a")
    assert row["a"]["value"] == a["value"]
    assert (row["a"]["low"], row["a"]["high"]) == pytest.approx((a["low"], a["high"]), rel=1e-9)
    assert main(["agree", str(place), *read]) == 0
    found = {c["name"]: c["value"] for c in json.loads(capsys.readouterr().out)["coefficients"]}
    assert (row["percent_agreement"], row["gwet_ac"]) == (found["percent_agreement"], found["gwet_ac"])


def test_the_table_is_printed_with_what_its_words_mean(place, capsys):
    assert main(["questions", str(place)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    for words in (
        "Agreement and accuracy on 3 questions, worst first",
        "Guessing: not more than chance, so no accuracy is told, at most its interval.",
        "Where there is no interval: ",
        "All ratings are the same, so there is nothing to tell apart.",
        "The marks allow for 2 questions (Holm)",
        "it only means that the nurses see the same",
    ):
        assert words in out
    assert out.index("Told") < out.index("Allergy") < out.index("Weight noted 60")


def test_level_and_seed_reach_every_question(place, told, capsys):
    assert main(["questions", str(place), "--class1", "Yes", "--level", "0.5", "--json"]) == 0
    narrow = json.loads(capsys.readouterr().out)["rows"][-1]
    wide = told["rows"][-1]
    assert wide["a"]["low"] < narrow["a"]["low"] < narrow["a"]["high"] < wide["a"]["high"]
    assert main(["questions", str(place), "--class1", "Yes", "--seed", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["p"] != told["rows"][0]["p"]


def test_what_holds_one_question_or_is_a_project_is_refused(place, tmp_path, capsys):
    assert main(["questions", "sample:audit"]) == 4
    assert "has one question" in capsys.readouterr().err
    kept = tmp_path / "x.tapdesk"
    save(Project().with_reading(read_now(place, ReadingOptions(layout=Layout.QUESTIONS, only="Told"))), kept)
    assert main(["questions", str(kept)]) == 2
    assert "Give the spreadsheet" in capsys.readouterr().err
    assert main(["questions", str(place), "--class1", "Perhaps"]) == 2
    assert "There is no class 'Perhaps'" in capsys.readouterr().err
    assert main(["questions", str(place), "--only", "Told"]) == 2
    assert "does not take --only" in capsys.readouterr().err


def test_what_blocks_blocks_the_whole_table(place, tmp_path, capsys):
    bad = tmp_path / "bad.csv"
    bad.write_text(place.read_text() + "\nTotal,Ana,3,4,5")
    status = main(["questions", str(bad)])
    err = capsys.readouterr().err
    assert (status, "Total" in err or "numbers" in err) == (3, True)


def test_an_issued_report_of_a_form_is_verified_by_its_data_file(place, tmp_path, capsys):
    made = tmp_path / "form.pdf"
    assert main(["report", str(place), "--class1", "Yes", "-o", str(made), "--issued", "2026-11-20"]) == 0
    capsys.readouterr()
    assert main(["verify", str(made)]) == 0
    assert "All pages are those that were issued." in capsys.readouterr().out
    assert main(["verify", str(made), str(place)]) == 0
    assert "the same to the last byte" in capsys.readouterr().out
    # One answer changed in the data, or one byte in the file.
    other = tmp_path / "other.csv"
    lines = place.read_text().splitlines()
    lines[1] = lines[1].replace("Yes", "?").replace("No", "Yes").replace("?", "No")
    other.write_text("\n".join(lines))
    assert main(["verify", str(made), str(other)]) == 1
    assert "The data have changed" in capsys.readouterr().out
    # An issued report is not replaced unasked.
    assert main(["report", str(place), "-o", str(made)]) != 0


def test_codes_in_a_report_of_a_form_are_not_given_away_by_how_it_was_made(place, tmp_path, capsys):
    made = tmp_path / "form.pdf"
    asked = ("--rater-names", "codes", "--title", "What Dora said")
    assert main(["report", str(place), *asked, "-o", str(made)]) == 0
    # The title is the user's own; where names stand in it, how the report was made is not kept.
    assert "form" not in facts_in(made)
    assert main(["verify", str(made), str(place)]) != 0
    plain = tmp_path / "plain.pdf"
    assert main(["report", str(place), "--rater-names", "codes", "-o", str(plain)]) == 0
    capsys.readouterr()
    assert main(["verify", str(plain), str(place)]) == 0
    assert "the same to the last byte" in capsys.readouterr().out


def test_a_list_that_one_person_ticked_says_that_a_second_one_is_needed(tmp_path, capsys):
    rng = random.Random(3)
    lines = ["Case,Gloves,Gown,Mask"]
    lines += [f"{i}," + ",".join(rng.choice(("yes", "no", "no")) for _ in range(3)) for i in range(40)]
    place = tmp_path / "ticks.csv"
    place.write_text("\n".join(lines))
    assert main(["questions", str(place)]) == 3
    assert "If they are questions, say --layout questions." in capsys.readouterr().err
    assert main(["questions", str(place), "--layout", "questions"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert told.count("Have a second person rate") == 3
    assert "One person answered for each case, so nothing shows whether answers agree." in told
    page = tmp_path / "ticks.html"
    assert main(["report", str(place), "--layout", "questions", "-o", str(page)]) == 0
    assert "Have a second person answer for the same cases, and write down who answered." in page.read_text()


def test_what_is_left_out_of_a_form_stands_on_the_first_page_and_in_the_table(place, capsys, tmp_path):
    left = ["--without", "Told", "--where", "Nurse!=Cem"]
    assert main(["questions", str(place), "--class1", "Yes", *left, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["question"] for row in told["rows"]] == ["Allergy", "Weight noted"]
    assert {f["code"] for f in told["findings"]} >= {"questions_left_out", "rest_of_form"}
    page = tmp_path / "form.html"
    assert main(["report", str(place), "--class1", "Yes", *left, "-o", str(page)]) == 0
    capsys.readouterr()
    text = page.read_text()
    first = text[: text.index("Table 1")] if "Table 1" in text else text
    assert "“Told” (180)" in first
    assert "Cem (120)" in first
    assert main(["report", str(place), "--only", "Told", *left, "-o", str(page), "--force"]) == 2
    assert "--without has no effect together with --only" in capsys.readouterr().err


def test_either_side_of_crossed_columns_is_the_questions_where_one_of_them_is_named(tmp_path, capsys):
    rng = np.random.default_rng(5)
    lines = ["case,Q1_Ana,Q1_Ben,Q2_Ana,Q2_Ben"]
    for i in range(40):
        true = rng.integers(0, 2, 2)
        given = [t if rng.random() < 0.85 else 1 - t for t in true for _who in range(2)]
        lines.append(f"c{i}," + ",".join("ny"[g] for g in given))
    crossed = tmp_path / "crossed.csv"
    crossed.write_text("\n".join(lines) + "\n")
    assert main(["questions", str(crossed), "--json"]) == 0
    assert {row["question"] for row in json.loads(capsys.readouterr().out)["rows"]} == {"Q1", "Q2"}
    assert main(["questions", str(crossed), "--question", "Ana", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {row["question"] for row in answer["rows"]} == {"Ana", "Ben"}
    assert {one["rater"] for one in answer["raters"]} == {"Q1", "Q2"}


def test_every_sentence_has_the_nouns_of_the_file_in_text_and_json(place, tmp_path, capsys):
    lines = place.read_text().splitlines()
    gaps = tmp_path / "gaps.csv"
    # One question was never put to the last patients.
    cut = [line if i < 180 else line.rpartition(",")[0] + "," for i, line in enumerate(lines)]
    gaps.write_text("\n".join(cut))
    for command in ("questions", "check", "report"):
        written = ("-o", str(tmp_path / "r.pdf"), "--force") if command == "report" else ()
        for asked in ((), ("--json",)):
            assert main([command, str(gaps), *written, *asked]) == 0
            said = capsys.readouterr().out
            # Keys of the JSON are the same for every file.
            assert not re.search(r'\b(cases?|rater)\b(?!":)', said), (command, asked)
    main(["check", str(gaps)])
    assert "The nurse " in capsys.readouterr().out
    main(["questions", str(gaps), "--json"])
    messages = [f["message"] for f in json.loads(capsys.readouterr().out)["findings"]]
    assert any("patients have no rating at all" in message for message in messages), messages
