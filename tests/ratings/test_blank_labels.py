"""Sets of labels as questions of a form, and blank cells that mean that no label applies."""

import json

import numpy as np
import pytest

from tapdesk.cli.main import main
from tapdesk.progress import finish
from tapdesk.project.fixes.catalog import fixes
from tapdesk.ratings.form import form
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read_now

LABELS, RATERS, CASES = ("trust", "fear", "cost"), ("Ana", "Ben", "Cem"), 60


@pytest.fixture(scope="module")
def given():
    """Shape (cases, raters, labels): which labels were given."""
    rng = np.random.default_rng(7)
    true = rng.random((CASES, 1, len(LABELS))) < 0.35
    return np.where(rng.random((CASES, len(RATERS), len(LABELS))) < 0.85, true, rng.random((CASES, 3, 3)) < 0.4)


@pytest.fixture(scope="module")
def place(tmp_path_factory, given):
    lines = ["text," + ",".join(RATERS)]
    for i, row in enumerate(given):
        lines.append(f"t{i}," + ",".join("; ".join(np.array(LABELS)[one]) for one in row))
    place = tmp_path_factory.mktemp("sets") / "sets.csv"
    place.write_text("\n".join(lines) + "\n")
    return place


def counts(whole):
    return {one.name: one.reading.ratings.category.sum() for one in whole.questions}


def test_each_label_is_a_question_and_a_blank_cell_no_rating_or_no_label(place, given):
    some = given.any(axis=2)
    assert 0 < some.sum() < some.size
    for options, rated in ((ReadingOptions(), some), (ReadingOptions(blank="none"), np.ones_like(some))):
        whole = finish(form(place, options))
        assert sorted(one.name for one in whole.questions) == sorted(LABELS)
        for one in whole.questions:
            ratings = one.reading.ratings
            assert ratings.rating_count == rated.sum()
            assert ratings.classes == ("no", "yes")
            label = LABELS.index(one.name)
            said = {
                (ratings.subjects[s], ratings.raters[r]): bool(c)
                for s, r, c in zip(ratings.subject, ratings.rater, ratings.category, strict=True)
            }
            assert said == {
                (f"t{i}", RATERS[j]): bool(given[i, j, label]) for i in range(CASES) for j in range(3) if rated[i, j]
            }


def test_that_blank_means_no_label_is_offered_and_every_cell_is_accounted_for(place, given):
    plain = read_now(place)
    finding = next(f for f in plain.findings if f.code == "sets_of_labels")
    fix = next(f for f in fixes(finding, plain, plain.as_read) if f.words == "A blank cell: no label applies")
    reading = read_now(place, ReadingOptions(**fix.options))
    assert reading.ratings.rating_count == given[:, :, 0].size
    assert reading.missing == 0
    none = reading.ratings.classes.index("none")
    assert (reading.ratings.category == none).sum() == (~given.any(axis=2)).sum()
    assert reading.account.total.ratings == given[:, :, 0].size
    assert reading.account.total.missing == 0


def test_the_command_line_tells_one_line_for_each_label(place, capsys, monkeypatch):
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 60)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 10)
    assert main(["questions", str(place), "--blank", "none"]) == 0
    out = capsys.readouterr().out
    assert "Agreement and accuracy on 3 questions" in out
    assert "each of the 3 labels is a question" in out
    assert "blank" not in out.split("Options used")[0]
    assert main(["questions", str(place)]) == 0
    assert "say --blank none" in " ".join(capsys.readouterr().out.split())


def test_the_set_measure_stands_beside_the_labels(place, capsys, monkeypatch):
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 60)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 10)
    assert main(["questions", str(place), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert main(["agree", str(place), "--json"]) == 0
    parts = json.loads(capsys.readouterr().out)["parts"]
    (sets,) = [p for p in parts if p["key"] == "sets"]
    values = [row[1] for row in sets["tables"][0]["rows"]]
    assert [answer["sets"][name]["value"] for name in ("masi", "jaccard", "nominal")] == pytest.approx(values)
    assert sorted(answer["sets"]["labels"]) == sorted(LABELS)
    assert [f["code"] for f in answer["findings"]].count("blank_among_labels") == 1


def test_some_labels_are_asked_about_and_others_refused(place, capsys, monkeypatch):
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 60)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 10)
    for said, names in (("cost,fear", {"cost", "fear"}), ("*", set(LABELS))):
        assert main(["questions", str(place), "--label", said, "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert {row["question"] for row in answer["rows"]} == names
    assert main(["questions", str(place), "--label", "fear"]) == 4
    assert "one question" in capsys.readouterr().err
    assert main(["questions", str(place), "--label", "hope"]) == 2
    assert "no label 'hope'" in capsys.readouterr().err


def test_a_label_is_asked_of_every_question_of_a_form(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 60)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 10)
    marks = ("trust; fear", "fear", "trust", "fear; cost", "cost", "trust; cost")
    lines = ["text,coder,Before,After,Length"]
    for i in range(24):
        lines += [
            f"t{i},{who},{marks[(i + (i == j)) % 6]},{marks[(i * 5 + j * (i % 7 == 0)) % 6]},{(i + j) % 2}"
            for j, who in enumerate(RATERS)
        ]
    place = tmp_path / "form.csv"
    place.write_text("\n".join(lines) + "\n")
    whole = finish(form(place, ReadingOptions(label="fear")))
    *sets, length = whole.questions
    assert length.reading.ratings.classes == ("0", "1")
    for one in sets:
        assert one.reading.ratings.classes == ("no", "yes")
        with_fear = sum("fear" in c.split("; ") for c in one.reading.as_read.classes)
        assert len(one.reading.ratings.members[1]) == with_fear == 3
    assert main(["questions", str(place), "--label", "hope"]) == 2
    assert "No question has answers with the label 'hope'" in capsys.readouterr().err


def test_the_report_of_a_form_of_labels_has_the_set_measure(place, tmp_path, monkeypatch):
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 60)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 10)
    page = tmp_path / "labels.html"
    assert main(["report", str(place), "--question", "*", "-o", str(page)]) == 0
    written = page.read_text("utf-8")
    assert "Whole sets of labels" in written
    assert "Krippendorff’s alpha is 0.79 (MASI)" in " ".join(written.split())


@pytest.mark.parametrize("blanks", [("",), ("", " ")])
def test_blank_cells_stand_with_those_that_hold_what_they_mean(tmp_path, capsys, blanks):
    """One class and not two that look alike, whether the file has the word already or not."""
    rows = [("yes", "no", blanks[i % len(blanks)] if i % 3 else "yes") for i in range(30)]
    path = tmp_path / "met.csv"
    path.write_text("\n".join(["case,Ana,Ben,Cy", *(f"c{i},{','.join(row)}" for i, row in enumerate(rows))]) + "\n")
    reading = read_now(path, ReadingOptions(blank="no"))
    assert reading.ratings.classes == ("no", "yes")
    assert np.bincount(reading.ratings.category).tolist() == [50, 40]
    assert "look_alikes" not in {f.code for f in reading.findings}
    assert main(["check", str(path), "--blank", "no"]) == 0
    said = capsys.readouterr().out
    assert "Cells for ratings, blank ones as “no”  90" in said
    assert "with something in them" not in said
    assert "still open" not in said
