"""One report for a whole form: what it says, in every form of a report, with names and with codes."""

import io
import json

import numpy as np
import openpyxl
import pytest

from tapdesk.cli.main import main

RATERS = ("Adams", "Brown", "Clark", "Davis")
KINDS = {"Plan told": 0.0, "Pulse taken": 0.95, "Allergy": None}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Fifty records, four nurses: one question guessed at with unlike leanings, a clear one, one alike."""
    rng = np.random.default_rng(21)
    lines = ["Record,Nurse," + ",".join(KINDS)]
    for i in range(50):
        true = rng.random(len(KINDS)) < 0.5
        for j, rater in enumerate(RATERS):
            answers = []
            for q, accuracy in enumerate(KINDS.values()):
                follows = accuracy is not None and rng.random() < accuracy
                guess = rng.random() < 0.2 + 0.2 * j
                answers.append("Yes" if accuracy is None or (true[q] if follows else guess) else "No")
            lines.append(f"r{i},{rater},{','.join(answers)}")
    place = tmp_path_factory.mktemp("form") / "form.csv"
    place.write_text("\n".join(lines))
    return place


def report(place, out, *more):
    assert main(["report", str(place), "-o", str(out), "--class1", "Yes", *more]) == 0
    return out.read_bytes()


def test_a_form_has_one_report_with_what_is_to_be_talked_about(place, tmp_path, capsys):
    page = " ".join(report(place, tmp_path / "form.html").decode().split())
    for words in (
        "On 1 of 3 questions the ratings clearly follow the record. 1 cannot be told from guessing.",
        "Agreement and accuracy on 3 questions, worst first",
        "Guessing: Define the term.",
        "Davis says “Yes” of",
        "All the same: Look for a “No”.",
        "How often each nurse says “Yes”",
        "Nurses over all questions",
        "Each question was analysed as if it stood alone",
    ):
        assert words in page, words
    # A clear question with nothing to do needs no half page.
    assert "“Pulse taken” in numbers" not in page
    assert "“Plan told” in numbers" in page
    assert "Saved" in capsys.readouterr().out


def test_the_workbook_holds_the_table_with_numbers_as_numbers(place, tmp_path):
    book = openpyxl.load_workbook(io.BytesIO(report(place, tmp_path / "form.xlsx")))
    sheet = next(s for s in book.worksheets if "worst first" in str(s["A1"].value))
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=3, max_row=5)]
    assert [row[0] for row in rows] == ["Plan told", "Allergy", "Pulse taken"]
    assert all(isinstance(row[1], int | float) for row in rows)
    assert rows[1][2] == 1.0


def test_with_codes_no_name_of_a_rater_is_printed(place, tmp_path):
    page = report(place, tmp_path / "form.html", "--rater-names", "codes").decode()
    assert not any(name in page for name in RATERS)
    assert "How often each nurse says" in page


def test_the_same_form_gives_the_same_bytes_and_a_pdf_is_made(place, tmp_path):
    first = report(place, tmp_path / "a.pdf", "--title", "Ward audit")
    assert first.startswith(b"%PDF")
    assert first == report(place, tmp_path / "b.pdf", "--title", "Ward audit")


def test_what_is_about_one_question_is_refused_and_one_question_is_reported_alone(place, tmp_path, capsys):
    for typed in (("--model", "t-a-t"), ("--save-project", "x.tapdesk"), ("--plan",)):
        assert main(["report", str(place), "-o", str(tmp_path / "x.pdf"), *typed]) == 2
        assert f"{typed[0]} has no effect on the one report of all questions" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_columns_of_question_and_rater_are_reported_whole_where_that_is_said(tmp_path, capsys):
    rng = np.random.default_rng(3)
    columns = [f"{q}_{r}" for q in ("Q1", "Q2") for r in ("Ana", "Ben", "Cy")]
    lines = ["case," + ",".join(columns), *(f"c{i}," + ",".join(rng.choice(["Yes", "No"], 6)) for i in range(25))]
    place, out = tmp_path / "wide.csv", tmp_path / "wide.html"
    place.write_text("\n".join(lines))
    assert main(["report", str(place), "-o", str(out)]) == 3
    capsys.readouterr()
    assert main(["report", str(place), "-o", str(out), "--question", "*", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["data"]["questions"] == 2
    assert "Agreement and accuracy on 2 questions" in out.read_text()
    assert main(["questions", str(place), "--question", "*"]) == 2
    assert "without saying so" in capsys.readouterr().err
