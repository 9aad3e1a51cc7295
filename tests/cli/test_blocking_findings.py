"""What blocks: every command that answers is refused with the options to choose from, and each of them answers it."""

import json

import pytest

from tapdesk.cli.main import main

WORDS = ("yes", "no", "yes", "yes", "no")
JUDGES = ("Ana", "Benno", "Consensus")


def sheet(head, last=()):
    """A wide table of twenty cases and three raters, who agree more often than not."""
    lines = [head]
    for i in range(20):
        truth = WORDS[i % 5]
        other = "no" if truth == "yes" else "yes"
        said = [other if (i + j) % 6 == 0 else truth for j in range(head.count(","))]
        lines.append(",".join((f"P{i:02d}", *said)))
    return "\n".join((*lines, *last)) + "\n"


def rounds(column, values):
    """A table with one row for each case and each text of a column, and three raters side by side."""
    lines = [f"case,{column},Rater_1,Rater_2,Rater_3"]
    for i in range(20):
        for k, value in enumerate(values):
            said = [str(1 + (i + k + (j == i % 3)) % 2) for j in range(3)]
            lines.append(",".join((f"P{i:02d}", value, *said)))
    return "\n".join(lines) + "\n"


def numbered(head):
    """Twenty cases with whole numbers from 0 to 3."""
    width = head.count(",")
    return "\n".join([head, *(f"P{i:02d}," + ",".join(str((i + j) % 3 + 1) for j in range(width)) for i in range(20))])


# What is in the file, the code of the finding, and the options each of which answers it.
BLOCKED = {
    "total": (
        sheet("record,Adams,Chen,Hughes", ["Total,12,13,11"]),
        "summary_row",
        [["--last-row", "21"], ["--where", "record!=Total"], ["--keep-summaries"]],
    ),
    "total that counts": (
        sheet("record,Adams,Chen,Hughes", ["Total,yes,yes,no"]),
        "summary_row",
        [["--last-row", "21"], ["--where", "record!=Total"], ["--keep-summaries"]],
    ),
    "mean": (
        sheet("record,Adams,Chen,Hughes,Majority"),
        "summary_column",
        [["--columns", "Adams,Chen,Hughes"], ["--columns", "Adams,Chen,Hughes,Majority"], ["--keep-summaries"]],
    ),
    "numbers": (
        sheet("record,Adams,Chen,Hughes", ["P90,yes,7,no"]),
        "numbers_among_words",
        [["--missing", "7"], ["--order", "no,yes,7"], ["--keep-summaries"], ["--last-row", "21"]],
    ),
    "consensus in rows": (
        "case,judge,rating\n"
        + "".join(f"P{i:02d},{j},{WORDS[(i + len(j)) % 5]}\n" for i in range(20) for j in JUDGES),
        "summary_rater",
        [["--where", "judge!=Consensus"], ["--keep-summaries"]],
    ),
    "questions in rows": (rounds("Question", ("Q1", "Q2", "Q3")), "rows_of_questions", [["--where", "Question=Q1"]]),
    "something in rows": (
        rounds("limb", ("left", "right")),
        "rows_of_questions",
        [["--where", "limb=left"], ["--layout", "raters"]],
    ),
    "cases across": (
        numbered("case,Wine 1,Wine 2,Wine 3"),
        "maybe_raters_in_rows",
        [["--layout", "raters"], ["--layout", "subjects"]],
    ),
    "questions across": (numbered("record,Q1,Q2,Q3"), "perhaps_questions", [["--layout", "raters"]]),
    **{
        f"known {name}": (
            sheet(f"record,Adams,Chen,{name}"),
            "summary_column" if name == "consensus" else "known_answers",
            [
                ["--columns", "Adams,Chen"], ["--columns", f"Adams,Chen,{name}"], ["--keep-summaries"],
                ["--known", name],
            ],
        )
        for name in (
            *("gold", "Goldstandard", "Gold standard", "GT", "key", "answer key", "true class", "y_true", "target"),
            *("expert", "Referenz", "vérité", "label", "reference", "ground truth", "consensus"),
        )
    },
}  # fmt: skip
COMMANDS = {
    "fit": ["--interval", "none"],
    "agree": [],
    "scan": ["--interval", "none"],
    "pairs": ["--interval", "none"],
    "report": ["-o", "r.html"],
    "figure": ["--kind", "class_rates", "-o", "f.svg"],
}


def findings(capsys):
    return json.loads(capsys.readouterr().out)["findings"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("case", BLOCKED)
def test_check_prints_what_it_understood_and_then_refuses(place, capsys, case):
    content, code, _answers = BLOCKED[case]
    (place / "a.csv").write_text(content, encoding="utf-8")
    assert main(["check", "a.csv", "--json"]) == 3
    out = capsys.readouterr()
    found = [f for f in json.loads(out.out)["findings"] if f["severity"] == "block"]
    assert [f["code"] for f in found] == [code]
    # The options stand in the sentence.
    assert "--" in found[0]["fix"]
    assert found[0]["fix"] in out.err


@pytest.mark.parametrize("case", BLOCKED)
def test_each_option_that_is_offered_answers_it(place, capsys, case):
    content, _code, answers = BLOCKED[case]
    (place / "a.csv").write_text(content, encoding="utf-8")
    for answer in answers:
        assert main(["check", "a.csv", "--json", *answer]) == 0, (answer, capsys.readouterr().err)
        assert [f for f in findings(capsys) if f["severity"] == "block"] == []


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("case", ["total", "mean", "known gold", "questions in rows"])
def test_every_command_that_answers_is_refused(place, capsys, command, case):
    (place / "a.csv").write_text(BLOCKED[case][0], encoding="utf-8")
    before = sorted(p.name for p in place.iterdir())
    assert main([command, "a.csv", *COMMANDS[command]]) == 3
    out = capsys.readouterr()
    assert out.out == ""
    assert "--" in out.err
    # Nothing was written.
    assert sorted(p.name for p in place.iterdir()) == before


@pytest.mark.parametrize("kind", ["models", "influence", "horizon", "plan"])
def test_every_study_of_a_file_is_refused(place, capsys, kind):
    (place / "a.csv").write_text(BLOCKED["total"][0], encoding="utf-8")
    assert main(["study", kind, "a.csv"]) == 3
    assert "--last-row 21" in capsys.readouterr().err


def test_what_is_asked_in_groups_of_the_questions_is_answered_for_each(place, capsys):
    (place / "a.csv").write_text(rounds("Question", ("Q1", "Q2", "Q3")))
    assert main(["study", "groups", "a.csv", "--by", "Question", "--class1", "1", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["Question"], row["cases"], row["ratings"]) for row in rows] == [(f"Q{k}", 20, 60) for k in (1, 2, 3)]
    assert main(["study", "groups", "a.csv", "--by", "case"]) != 0


def test_what_was_kept_is_told_as_kept(place, capsys):
    (place / "a.csv").write_text(BLOCKED["total"][0])
    assert main(["check", "a.csv", "--json", "--keep-summaries"]) == 0
    kept = next(f for f in findings(capsys) if f["code"] == "summary_row")
    assert (kept["severity"], kept["default"]) == ("note", "It was kept as ratings, as you said.")


@pytest.mark.parametrize("head", [
    "record,Expert 1,Expert 2,Expert 3", "record,Dr Gold,Dr Key,Dr Target", "record,Label A,Label B", "record,J1,J2,J3",
    "record,Adams,Chen,Hughes",
])  # fmt: skip
def test_ordinary_names_do_not_block(place, capsys, head):
    (place / "a.csv").write_text(sheet(head))
    assert main(["check", "a.csv"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "words", [("0", "1+", "2+", "3+"), ("1", "2", "2a", "2b"), ("T1", "T2", "T3", "T4"), ("I", "II", "III", "IV")]
)
def test_steps_of_a_scale_are_no_numbers_among_words(place, words):
    lines = ["case,Ana,Ben,Cy", *(f"P{i},{words[i % 4]},{words[(i + i // 5) % 4]},{words[i % 3]}" for i in range(20))]
    (place / "a.csv").write_text("\n".join(lines))
    assert main(["check", "a.csv"]) == 0
