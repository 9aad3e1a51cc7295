"""A finding that blocks waits in a project until it is answered; the answer is a decision and survives saving."""

import json

import pytest

from tapdesk.cli.main import main
from tapdesk.errors import TapdeskError
from tapdesk.project.files.file import load, save
from tapdesk.project.project import Project
from tapdesk.project.review_state import blocking_findings, refuse_blocking, summaries_as_ratings
from tapdesk.ratings.reading import read_now
from tests.project.fixing import TWELVE, chosen, words_of

TOTAL = TWELVE + "Total,8,12,6\n"
GOLD = TWELVE.replace("Cy\n", "gold\n", 1)
THREE = "case,Question,R1,R2,R3\n" + "".join(
    f"c{i},Q{q},{1 + (i + q) % 2},{1 + i % 2},{1 + (i + q) % 2}\n" for i in range(12) for q in (1, 2, 3)
)
NURSES = "Patient,Lab,Ana,Ben\n" + "".join(
    f"S{i},{n},{'yes' if (i + j) % 3 else 'no'},{'no' if i % 2 else 'yes'}\n"
    for i in range(8)
    for j, n in enumerate(("North", "South"))
)
# What is in the file, the finding, and the links that answer it, with whether the user says "these are ratings".
ANSWERS = [
    (TOTAL, "summary_row", "Leave out Total", False), (TOTAL, "summary_row", "It is no summary", True),
    (GOLD, "known_answers", "Leave out gold", False), (GOLD, "known_answers", "It rated like the others", True),
    (THREE, "rows_of_questions", "Only “Q2”", False), (THREE, "rows_of_questions", "They repeat one question", False),
]  # fmt: skip


def project_of(tmp_path, content):
    path = tmp_path / "a.csv"
    path.write_text(content, encoding="utf-8")
    return Project(title="A").with_reading(read_now(path))


@pytest.mark.parametrize(("content", "code", "words", "keeps"), ANSWERS)
def test_a_question_waits_until_one_click_answers_it(tmp_path, content, code, words, keeps):
    project = project_of(tmp_path, content)
    assert [f.code for f in blocking_findings(project)] == [code]
    with pytest.raises(TapdeskError, match="--"):
        refuse_blocking(project)
    answered = chosen(project, code, words)
    assert blocking_findings(answered) == ()
    refuse_blocking(answered)
    assert [f.code for f in summaries_as_ratings(answered)] == ([code] if keeps else [])
    # What is taken back waits again.
    assert [f.code for f in blocking_findings(answered.undo())] == [code]


@pytest.mark.parametrize(("content", "code", "words", "keeps"), ANSWERS)
def test_an_answer_survives_saving_and_counts_on_the_command_line(tmp_path, capsys, content, code, words, keeps):
    project = project_of(tmp_path, content)
    place = tmp_path / "a.tapdesk"
    save(project, place)
    assert [f.code for f in blocking_findings(load(place))] == [code]
    assert main(["agree", str(place)]) == 3
    assert main(["check", str(place)]) == 3
    save(chosen(project, code, words), place)
    assert blocking_findings(load(place)) == ()
    assert len(summaries_as_ratings(load(place))) == keeps
    capsys.readouterr()
    assert main(["check", str(place), "--json"]) == 0
    assert [f for f in json.loads(capsys.readouterr().out)["findings"] if f["severity"] == "block"] == []
    assert main(["agree", str(place)]) == 0


def test_rows_with_two_readings_are_read_as_the_link_says(tmp_path):
    project = project_of(tmp_path, NURSES)
    assert words_of(project, "two_readings") == [
        "“Lab” rated; read the question “Ana”", "“Lab” rated; read the question “Ben”",
        "Each column is a rater",
    ]  # fmt: skip
    asked = chosen(project, "two_readings", "“Lab” rated; read the question “Ben”")
    assert (asked.ratings.raters, asked.ratings.rating_count, blocking_findings(asked)) == (("North", "South"), 16, ())
    wide = chosen(project, "two_readings", "Each column is a rater")
    assert (wide.ratings.raters, wide.ratings.rating_count, blocking_findings(wide)) == (("Ana", "Ben"), 32, ())


@pytest.mark.parametrize(("content", "options", "line"), [
    (THREE, ["--where", "Question=Q1"], "Only rows where Question = Q1: 72 ratings left out."),
    (THREE, ["--where", "Question!=Q1", "--layout", "raters"], None),
    (TOTAL, ["--keep-summaries", "--class1", "yes,8,12,6"], "It was kept as ratings."),
])  # fmt: skip
def test_the_report_says_on_its_first_page_which_rows_and_what_was_kept(tmp_path, capsys, content, options, line):
    path, place = tmp_path / "a.csv", tmp_path / "r.html"
    path.write_text(content)
    asked = ["report", str(path), "-o", str(place), "--interval", "none", *options]
    if line is None:
        # Two questions are left, and still pooled.
        assert main(asked) == 3
        return
    assert main(asked) == 0, capsys.readouterr().err
    text = place.read_text(encoding="utf-8")
    first = text[text.index("Summary for the committee") :]
    assert line in first[: first.index("What this report does not say")]
    if "Question" in line:
        assert text.count(line) >= 3  # the first page, the way from the file to the analysis, the decisions


def test_a_filter_made_as_a_decision_is_told_with_its_count(tmp_path):
    project = chosen(project_of(tmp_path, THREE), "rows_of_questions", "Only “Q2”")
    save(project, tmp_path / "a.tapdesk")
    place = tmp_path / "r.html"
    assert main(["report", str(tmp_path / "a.tapdesk"), "-o", str(place), "--interval", "none"]) == 0
    text = place.read_text(encoding="utf-8")
    first = text[text.index("Summary for the committee") : text.index("What this report does not say")]
    assert "Only ratings where the column" in first
    assert "72 left out (decision 1)" in first


def test_a_column_that_varies_within_a_case_belongs_to_the_rating(tmp_path):
    ratings = read_now_of(tmp_path, "case,phase,ward,A,B,C\n" + "".join(
        f"c{i},{p},{'NS'[i % 2]},{1 + i % 2},1,2\n" for i in range(12) for p in ("before", "after")
    ))  # fmt: skip
    assert ratings.covariates["ward"].of.value == "subject"
    phase = ratings.covariates["phase"]
    assert phase.of.value == "rating"
    assert [(phase.values == p).sum() for p in ("before", "after")] == [36, 36]


def read_now_of(tmp_path, content):
    return project_of(tmp_path, content).ratings
