"""What the command line says of a form as it lies on a desk: a letterhead, a row of totals, codes of one's own."""

import json

import numpy as np
import openpyxl
import pytest

from tapdesk.cli.main import main

CODERS = ("Adams", "Chen", "Davies")
QUESTIONS = ("Pain reassessed", "Family told", "Skin described", "Interpreter offered")


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Thirty records, three coders: 9 where no sheet was found, n/a, and answers written in haste."""
    rng = np.random.default_rng(5)
    book = openpyxl.Workbook()
    notes = book.active
    notes.title = "Read me"
    notes.append(["Yes or No; 9 = could not find the sheet"])
    sheet = book.create_sheet("Coding")
    for line in (["St Elsewhere, documentation audit"], [], ["Record no.", "Coder", *QUESTIONS]):
        sheet.append(line)
    total = [0] * len(QUESTIONS)
    for i in range(30):
        true = rng.random(len(QUESTIONS)) < 0.5
        for coder in CODERS:
            answers = []
            for q, truth in enumerate(true):
                word = "Yes" if (truth if rng.random() < 0.8 else rng.random() < 0.5) else "No"
                total[q] += word == "Yes"
                luck = rng.random()
                hasty = word.lower() if q % 2 else f"{word} "
                answers.append("n/a" if q == 3 and i % 3 else 9 if luck < 0.05 else hasty if luck < 0.1 else word)
            sheet.append([f"R{i + 1:03d}", coder, *answers])
    sheet.append(["Total Yes", None, *total])
    place = tmp_path_factory.mktemp("desk") / "audit.xlsx"
    book.save(place)
    return str(place)


def test_check_tells_what_was_understood_of_all_questions_before_it_refuses(book, capsys):
    assert main(["check", book]) == 3
    told = capsys.readouterr()
    out = " ".join(told.out.split())
    assert "4 questions were found" in out
    assert "one of them is read" not in out
    assert all(name in out for name in QUESTIONS)
    assert "All questions in one table: tapdesk questions. One by itself: tapdesk check --only QUESTION." in out
    assert out.count("A row is called 'Total Yes'") == 1
    assert "The like is noticed of" in out
    assert told.err.startswith("tapdesk: audit.xlsx, row 94: Nothing can be computed before this is decided. A row is")


def test_the_row_comes_before_what_it_causes_and_a_code_is_asked_once(book, capsys):
    assert main(["questions", book]) == 3
    told = capsys.readouterr().err
    assert told.startswith("tapdesk: audit.xlsx, row 94: A row is called 'Total Yes' and looks like a summary.")
    assert told.count("--last-row 93") == 1
    assert told.count("“9” stands in 4 questions") == 1
    # The code that counts as no rating already goes on doing so, and no sum is named as a code.
    assert '(--missing "n/a,9")' in told


def test_what_is_advised_is_accepted_also_beside_a_sheet_of_notes(book, capsys):
    said = ["--last-row", "93", "--missing", "n/a,9"]
    assert main(["questions", book, *said, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {row["subjects"] for row in told["rows"]} <= {30, 10}
    assert not {"9", "Total Yes"} & set(told["data"]["classes"])
    assert main(["check", book, *said]) == 0
    out = " ".join(capsys.readouterr().out.split())
    # Nothing is to be chosen from where the other sheet holds a note.
    assert "to know: sheet 'Coding'" in out
    assert out.count("differ only in capitals or blanks, in") == 2


def test_quotation_marks_keep_a_blank_of_a_class(book, capsys):
    said = ["--last-row", "93", "--missing", "n/a,9", "--only", "Pain reassessed"]
    assert main(["fit", book, *said, "--class1", 'No,"No "', "--model", "t-a-p", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["data"]["class1"] == ["No", "No "]


def test_json_of_check_holds_each_finding_once(book, capsys):
    assert main(["check", book, "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert told["data"]["questions"] == 4
    assert [f["code"] for f in told["findings"] if f["severity"] == "block"] == ["summary_row", "numbers_among_words"]
