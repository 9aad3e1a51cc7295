"""All questions of a form as one table: it comes back identical, long and wide, and says what was decided."""

import csv
import random

import pytest

from tapdesk.__main__ import main
from tapdesk.progress import finish
from tapdesk.ratings.form import form

LABELS = {"Colour": ("red", "green"), "Shape": ("round", "square", "flat"), "Grade": ("low", "mid", "high")}


def wide(path, twice=False):
    """A form with a column for each question; one rater perhaps answers for a case again."""
    drawn = random.Random(3)
    rows = [["Unit", "Nurse", *LABELS]]
    for i in range(30):
        true = {name: drawn.choice(labels) for name, labels in LABELS.items()}
        for nurse in ("Ann", "Ben", "Cleo"):
            cells = [t if drawn.random() < 0.8 else drawn.choice(LABELS[name]) for name, t in true.items()]
            rows.append([f"U{i}", nurse, *cells])
    rows += [rows[1]] * twice
    path.write_text("\n".join(",".join(row) for row in rows) + "\n", encoding="utf-8")
    return path


def long(path):
    """The same with a column that names the question."""
    drawn = random.Random(3)
    rows = [["Unit", "Question", "Ann", "Ben", "Cleo"]]
    for name, labels in LABELS.items():
        for i in range(30):
            true = drawn.choice(labels)
            rows.append([f"U{i}", name, *(true if drawn.random() < 0.8 else drawn.choice(labels) for _ in range(3))])
    path.write_text("\n".join(",".join(row) for row in rows) + "\n", encoding="utf-8")
    return path


def answers(path):
    """By question who said what of which case, and the classes with their order."""
    told = {}
    for one in finish(form(path)).questions:
        r = one.reading.as_read
        own = zip(r.subject, r.rater, r.category, strict=True)
        told[one.name] = sorted((r.subjects[s], r.raters[j], r.classes[k]) for s, j, k in own), r.classes, r.ordered
    return told


@pytest.mark.parametrize("shape", ["long", "wide", ""])
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize("make", [wide, long])
def test_a_whole_form_comes_back_identical(capsys, tmp_path, make, ending, shape):
    file, out = make(tmp_path / "form.csv"), tmp_path / f"clean.{ending}"
    assert main(["export", str(file), "-o", str(out), *(("--shape", shape) if shape else ())]) == 0
    assert "It holds 3 questions; --only exports one alone." in " ".join(capsys.readouterr().out.split())
    before = answers(file)
    assert set(before) == set(LABELS)
    assert answers(out) == before


def test_the_classes_of_every_question_stand_beside_the_table(tmp_path):
    out = tmp_path / "clean.csv"
    assert main(["export", str(wide(tmp_path / "form.csv")), "-o", str(out)]) == 0
    with (tmp_path / "clean-how-it-was-made.csv").open(encoding="utf-8") as record:
        rows = [row[:3] for row in csv.reader(record)]
    assert ["classes", "Grade", "low < mid < high"] in rows
    assert ["reading", "layout", "questions"] in rows


def test_one_question_is_still_exported_alone(tmp_path):
    out = tmp_path / "one.csv"
    assert main(["export", str(wide(tmp_path / "form.csv")), "--only", "Shape", "-o", str(out)]) == 0
    with out.open(encoding="utf-8") as table:
        assert {"round", "square", "flat"} <= {row["rating"] for row in csv.DictReader(table)}


def test_what_is_rated_again_has_a_place_in_a_long_table_only(capsys, tmp_path):
    file, out = wide(tmp_path / "form.csv", twice=True), tmp_path / "clean.csv"
    assert main(["export", str(file), "-o", str(out), "--shape", "wide"]) != 0
    told = " ".join(capsys.readouterr().err.split())
    assert "A row for each case and nurse has no place for what Ann rated again: Colour." in told
    assert "Take a row for each rating (--shape long)." in told
    assert main(["export", str(file), "-o", str(out)]) == 0
    assert answers(out) == answers(file)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--cuts", "2"), "Lines through scores are drawn question by question. Name one with --only."),
        (("--case-names", "codes"), "Codes of cases are given question by question. Name a question with --only."),
    ],
)
def test_what_is_decided_question_by_question_is_refused_of_all(capsys, tmp_path, options, words):
    file, out = wide(tmp_path / "form.csv"), tmp_path / "clean.csv"
    assert main(["export", str(file), "-o", str(out), *options]) != 0
    assert words in " ".join(capsys.readouterr().err.split())
    assert not out.exists()


def test_raters_have_the_same_code_on_all_questions(tmp_path):
    file, out = wide(tmp_path / "form.csv"), tmp_path / "clean.csv"
    assert main(["export", str(file), "-o", str(out), "--rater-names", "codes"]) == 0
    text = out.read_text("utf-8")
    assert not any(name in text for name in ("Ann", "Ben", "Cleo"))
    with out.open(encoding="utf-8") as table:
        assert len({row["rater"] for row in csv.DictReader(table)}) == 3
