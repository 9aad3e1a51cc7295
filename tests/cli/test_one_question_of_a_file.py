"""One question of a file, or some of its rows: in every layout the answer of the rows cut by hand, or a refusal.

What was left out is named, with its words and counts, wherever an answer stands.
"""

import re
from itertools import product
from pathlib import Path

import openpyxl
import pytest

from tapdesk.cli.main import main
from tapdesk.progress import Step
from tapdesk.report.build import NOTHING
from tests.cli.test_every_option import CONTENT, TWO, answer, asked, rated, wide
from tests.cli.test_questions_and_receipts import _only_b

QUESTION, FILTER = ("--question", "item", "--only", "B"), ("--where", "item=B")
FILTERS = (FILTER, ("--where", "item!=A"))


def stated(layout: str) -> str:
    """The value of --layout."""
    return "questions" if layout == "questions-column" else layout.partition("-")[0]


def numbers(out):
    """The numbers of an answer by what they are of, in whatever order the classes stand."""
    rows = out.get("coefficients") or out["fits"][0]["estimates"]
    data = {key: out["data"][key] for key in ("subjects", "raters", "ratings", "patterns")}
    keyed = {(row["name"], row["class"], str(row.get("raters", row.get("rater")))): row["value"] for row in rows}
    assert len(keyed) + sum(row["name"] == "krippendorff_alpha" for row in rows) >= len(rows)
    return data, keyed


def is_answer_of(out, cut):
    """Whether an answer has the numbers of another."""
    (data, found), (expected_data, expected) = numbers(out), numbers(cut)
    assert data == expected_data
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        # The maximum is climbed from another side where the classes come in another order.
        assert found[key] == (None if value is None else pytest.approx(value, abs=2e-4)), key


@pytest.mark.parametrize("command", [("agree",), ("fit", "--interval", "none")], ids=["agree", "fit"])
@pytest.mark.parametrize(
    ("layout", "more", "said"),
    [
        pytest.param(name, more, said, id=f"{name} {' '.join(more)} {'stated' if said else 'guessed'}")
        for name, more, said in product(sorted(TWO), (QUESTION, *FILTERS), (True, False))
    ],
)
def test_it_has_the_numbers_of_its_rows_cut_by_hand_or_is_refused(capsys, tmp_path: Path, layout, more, said, command):
    place, cut = tmp_path / "two.csv", _only_b(tmp_path, TWO[layout])
    place.write_text(TWO[layout])
    ways = ("--layout", stated(layout)) if said else ()
    name, *options = command
    status, out, err = answer(capsys, name, str(place), *ways, *more, *options)
    if status:
        assert (status in {2, 3}, out) == (True, None)
        assert err.startswith("tapdesk: ")
        # A question that is named in a layout that is named is always read.
        assert more is not QUESTION or not said
        return
    plain = "long" if layout in {"long", "questions-column"} else stated(layout)
    status, alone, err = answer(capsys, name, str(cut), "--layout", plain, *options)
    assert status == 0, err
    is_answer_of(out, alone)


@pytest.mark.parametrize("layout", sorted(TWO))
def test_the_column_of_the_questions_is_no_rating_where_rows_are_chosen_by_it(capsys, tmp_path: Path, layout):
    place = tmp_path / "two.csv"
    place.write_text(TWO[layout])
    status, out, _err = answer(capsys, "check", str(place), "--layout", stated(layout), *FILTER)
    if status == 0:
        assert not {"A", "B"} & set(out["data"]["classes"])


def test_one_column_of_several_questions_has_its_numbers(capsys, tmp_path: Path):
    place, cut = tmp_path / "form.csv", tmp_path / "cut.csv"
    place.write_text(CONTENT["questions"])
    rows = [line.split(",") for line in CONTENT["questions"].splitlines()]
    cut.write_text("".join(f"{case},{judge},{second}\n" for case, judge, _first, second in rows))
    for more in (
        ("--layout", "questions", "--only", "Q2"),
        ("--only", "Q2"),
        ("--layout", "questions", "--rating", "Q2"),
    ):
        status, out, err = answer(capsys, "agree", str(place), *more)
        assert status == 0, err
        _status, alone, _err = answer(capsys, "agree", str(cut), "--rating", "Q2", "--rater", "judge")
        is_answer_of(out, alone)


def test_a_question_of_crossed_columns_and_of_sheets_has_its_numbers(capsys, tmp_path: Path):
    crossed, cut = tmp_path / "crossed.csv", tmp_path / "cut.csv"
    head = ",".join(f"{q}_{who}" for q in ("Q1", "Q2") for who in ("Ana", "Ben", "Cy"))
    rows = [[rated(i + (q == "Q2"), j) for q in ("Q1", "Q2") for j in range(3)] for i in range(24)]
    crossed.write_text("\n".join([f"case,{head}", *(f"s{i},{','.join(row)}" for i, row in enumerate(rows))]))
    cut.write_text("\n".join(["case,Ana,Ben,Cy", *(f"s{i},{','.join(row[3:])}" for i, row in enumerate(rows))]))
    book = openpyxl.Workbook()
    for at, q in enumerate(("Q1", "Q2")):
        sheet = book.active if not at else book.create_sheet()
        sheet.title = q
        sheet.append(["case", "Ana", "Ben", "Cy"])
        for i, row in enumerate(rows):
            sheet.append([f"s{i}", *row[3 * at : 3 * at + 3]])
    book.save(tmp_path / "sheets.xlsx")
    _status, alone, _err = answer(capsys, "agree", str(cut), "--layout", "raters")
    for place, more in (
        (crossed, ("--only", "Q2")),
        (crossed, ("--layout", "raters", "--only", "Q2")),
        (tmp_path / "sheets.xlsx", ("--sheet", "Q2")),
    ):
        status, out, err = answer(capsys, "agree", str(place), *more)
        assert status == 0, err
        is_answer_of(out, alone)


def test_the_column_that_names_the_questions_is_not_taken_for_one_of_them(capsys, tmp_path: Path):
    place = tmp_path / "two.csv"
    place.write_text(CONTENT["questions-column"])
    status, out, err = answer(capsys, "agree", str(place), "--only", "item")
    assert (status, out) == (2, None)
    assert "'item' names the questions, and is none itself" in err
    assert "--question 'item'" in err


# What was left out --------------------------------------------------------------------------------------------------

ORDER = ("--order", "a,b,c")
COMMANDS = {
    "check": (), "fit": ("--interval", "none"), "agree": (), "scan": (*ORDER, "--interval", "none"),
    "pairs": ("--interval", "none"), "awards": ORDER,
    "compare": ("--other-model", "t-a-t", "--replicates", "2"), "study groups": ("--by", "ward"),
    "study horizon": ("--class1", "a", "--replicates", "4"), "study influence": ("--class1", "a"),
    "export": ("-o", "{}/x.csv", "--force"), "figure": ("--kind", "votes", "-o", "{}/f.svg", "--force"),
}  # fmt: skip
LEFT = {
    "a question of a column": (TWO["raters"], ("--layout", "raters", *QUESTION), "A (36); 36 ratings in all"),
    "a filter": (TWO["raters"], ("--layout", "raters", *FILTER), "A (36); 36 ratings in all"),
    "a question of columns": (
        asked(",ward", lambda i: (f"w{i % 2}",)),
        ("--layout", "questions", "--only", "Q1"),
        "Q2 (72); 72 ratings in all",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", LEFT)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_left_out_is_named_with_its_counts_on_the_terminal_and_in_json(capsys, tmp_path: Path, command, what):
    content, read, words = LEFT[what]
    place = tmp_path / "left.csv"
    place.write_text(content)
    typed = [*command.split(" "), str(place), *read, *(text.format(tmp_path) for text in COMMANDS[command])]
    assert main(typed) == 0
    said = capsys.readouterr()
    # A table for other programs has its receipt beside it.
    assert words in " ".join((said.err if command.startswith("study") else said.out).split())
    status, out, err = answer(capsys, *typed)
    assert status == 0, err
    assert any(words in finding["message"] for finding in out["findings"])
    assert out["data"]["ratings"] in {36, 72}


def test_where_people_are_called_by_codes_it_is_not_told_who_was_left_out(capsys, tmp_path: Path):
    place = tmp_path / "long.csv"
    place.write_text(CONTENT["long"])
    saved = ("export", str(place), "-o", str(tmp_path / "f.csv"), "--where", "rater!=r1")
    assert main(saved) == 0
    assert "r1 (24)" in " ".join(capsys.readouterr().out.split())
    assert main([*saved, "--rater-names", "codes", "--force"]) == 0
    assert "r1 (24)" not in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("what", LEFT)
def test_page_one_and_the_decisions_of_a_report_name_it(tmp_path: Path, what):
    content, read, words = LEFT[what]
    place, page = tmp_path / "left.csv", tmp_path / "r.html"
    place.write_text(content)
    assert main(["report", str(place), *read, "--interval", "none", "--replicates", "2", "-o", str(page)]) == 0
    text = page.read_text("utf-8")
    sections = [" ".join(re.sub(r"<[^>]*>", " ", part).split()) for part in re.split("<h2", text)]
    for title in ("Summary for the committee", "Decisions log"):
        assert [words in part for part in sections if title in part[:60]] == [True]


# A report for each part ----------------------------------------------------------------------------------------------


def unprepared(_project, **_how):
    """No side studies, which take most of the time of a report."""
    yield Step(0, 1, "prepare")
    return NOTHING


@pytest.mark.parametrize(
    ("content", "by", "read"),
    [
        pytest.param(wide(), "ward", ("--layout", "raters"), id="a group of cases"),
        pytest.param(TWO["raters"], "item", ("--layout", "raters"), id="a question of a column"),
    ],
)
def test_reports_of_parts_have_the_numbers_of_their_rows_with_the_classes_that_were_asked_about(
    capsys, tmp_path: Path, monkeypatch, content, by, read
):
    monkeypatch.setattr("tapdesk.report.parts.prepare", unprepared)
    place, book = tmp_path / "ratings.csv", tmp_path / "r.xlsx"
    place.write_text(content)
    counted = ("--class1", "a", "--interval", "none")
    assert main(["report", str(place), *read, "-o", str(book), "--each", by, *counted]) == 0
    capsys.readouterr()
    lines = [line.split(",") for line in content.splitlines()]
    at = lines[0].index(by)
    values = sorted({line[at] for line in lines[1:]})
    parts = {value: next(p for p in tmp_path.glob("*.xlsx") if value in p.stem) for value in values}
    assert len(set(parts.values())) == len(values) == 2
    for value, part in parts.items():
        cut = tmp_path / "cut.csv"
        kept = [line for i, line in enumerate(lines) if not i or line[at] == value]
        cut.write_text("\n".join(",".join(x for i, x in enumerate(line) if i != at) for line in kept))
        _status, out, _err = answer(capsys, "fit", str(cut), "--layout", "raters", *counted)
        assert out["data"]["class1"] == ["a"]
        expected = {e["name"]: e["value"] for e in out["fits"][0]["estimates"]}
        assert set(expected) == {"t", "a", "p"}
        cells = [c for s in openpyxl.load_workbook(part) for row in s.iter_rows(values_only=True) for c in row]
        found = [cell for cell in cells if isinstance(cell, int | float)]
        for name, number in expected.items():
            assert any(cell == pytest.approx(number, abs=1e-6) for cell in found), (value, name, number)
