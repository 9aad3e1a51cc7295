"""Who wins, how sure, on the command line: what is printed, what stands in the JSON, and the files that are written."""

import csv
import io
import json
import re

import numpy as np
import openpyxl
import pytest

from tapdesk.cli.main import main
from tapdesk.ratings.reading import read_now

LINES = ("--cuts", "13.5,15,16.5", "--bands", "none,bronze,silver,gold")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Thirty wines by four of six judges in half points, one judge harsh, one reversed, four wines poured again."""
    rng = np.random.default_rng(6)
    worth = rng.normal(0, 1.4, 30)
    level, slope = np.array([13.2, 15, 15, 15.3, 14.8, 15.2]), np.array([1, 1, 1, 1, 1, -1])
    cells = [(i, int(j)) for i in range(30) for j in rng.choice(6, 4, replace=False)]
    cells += cells[:4]
    lines = ["wine,judge,score,flight"]
    for n, (i, j) in enumerate(cells):
        score = round(2 * (level[j] + slope[j] * worth[i] + 0.6 * rng.normal())) / 2
        lines.append(f"W{i + 1:02d},Judge {'ABCDEF'[j]},{score},{1 + n // 30}")
    place = tmp_path_factory.mktemp("awards") / "jury.csv"
    place.write_text("\n".join(lines))
    return place


def answer(capsys, *words):
    status = main([*map(str, words)])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture(scope="module")
def told(place):
    target = place.with_name("answer.json")
    assert main(["awards", str(place), *LINES, f"--json={target}"]) == 0
    return json.loads(target.read_text())


def test_the_json_is_that_of_the_contract(told):
    assert list(told)[:6] == ["tapdesk", "schema", "command", "data", "findings", "options_used"]
    assert set(told["headline"]) == {"sentence", "follows"}
    first = told["subjects"][0]
    contract = {"subject", "given", "class", "probability", "probabilities", "expected_score", "low", "high", "rank"}
    assert contract | {"deserved", "apart_from_next"} <= set(first)
    assert first["probability"] == max(first["probabilities"].values()) == first["probabilities"][first["class"]]
    assert first["deserved"] == first["probabilities"][first["given"]]
    assert list(first["probabilities"]) == ["none", "bronze", "silver", "gold"]
    assert len(told["subjects"]) == 30
    assert {"rater", "severity", "spread"} <= set(told["raters"][0])
    assert {"rater", "changed"} <= set(told["left_out"][0])
    assert told["subjects"][-1]["apart_from_next"] is None
    scores = [row["expected_score"] for row in told["subjects"]]
    assert scores == sorted(scores, reverse=True)


def test_what_the_committee_gave_is_the_mean_between_its_lines(told, place):
    ratings = read_now(place).ratings
    value = np.array([float(c) for c in ratings.classes])[ratings.category]
    for row in told["subjects"]:
        mine = ratings.subject == ratings.subjects.index(row["subject"])
        judges = np.unique(ratings.rater[mine])
        mean = np.mean([value[mine & (ratings.rater == j)].mean() for j in judges])
        assert row["committee"]["value"] == pytest.approx(mean)
        assert (
            row["given"] == ["none", "bronze", "silver", "gold"][int(np.searchsorted([13.5, 15, 16.5], mean, "right"))]
        )


def test_the_harsh_judge_and_the_reversed_one_are_told_in_words(capsys, place):
    status, out, _err = answer(capsys, "awards", place, *LINES)
    assert status == 0
    scored = out.partition("How the judges agree with themselves")[0]
    lines = {line.split("  ")[0]: line for line in scored.splitlines()}
    assert "stricter than the panel" in lines["Judge A"]
    assert "against the panel: ask which way the scale runs" in lines["Judge F"]
    for words in (
        "wines by fair score",
        "by the rule “mean”, with its place; all else is of the model.",
        "Deserved: probability of what was given, if the model holds.",
        "is the best wine with a belief of",
        "An award is safe if it is deserved with 80 % or more.",
        "Nearest to a line:",
        "Severity: points below the panel. Spread: standard deviation",
        "Same again: of own pairs of scores of one wine. Kappa: of the judge with themselves,",
        "What would change the awards",
        "Held against the committee's own result by “mean”.",
        "Discuss these first",
        "Gain: how much likelier the likeliest class of a wine becomes",
        "more rows are left out here; --json and --output hold all.",
        "A fair score is what these judges would give, not what the wine is worth. The committee decides:",
    ):
        assert words in " ".join(out.split()).replace('"', "“").replace("“mean“", "“mean”"), words


def test_repeats_have_the_time_between_them_where_a_column_tells(capsys, place, told):
    status, out, _err = answer(capsys, "awards", place, *LINES, "--occasion", "flight")
    assert status == 0
    flat = " ".join(out.split())
    assert "How the judges agree with themselves" in flat
    assert "Same again: of own pairs of scores of one wine. Kappa: of the judge with themselves" in flat
    assert "Time between: the middle one, by the column" in flat
    again = [row["self_agreement"] for row in told["raters"] if row["self_agreement"]]
    assert sum(row["pairs"] for row in again) == 4
    assert all(row["low"] <= row["same"] <= row["high"] for row in again)
    assert all(row["kappa"] is None or row["kappa_low"] <= row["kappa"] <= row["kappa_high"] for row in again)
    assert all(row["time_between"] is None for row in again)
    days = place.with_name("days.csv")
    days.write_text(place.read_text().replace(",flight", ",day").replace(",1\n", ",2026-05-01\n"))
    assert answer(capsys, "awards", days, "--occasion", "wine")[0] == 2


def test_days_between_repeats_are_counted_and_other_texts_are_refused(capsys, place):
    text = place.read_text().splitlines()
    rows = [line.rpartition(",") for line in text[1:]]
    days = place.with_name("days.csv")
    dated = [f"{left},2026-05-{day:>02}" for left, _comma, day in rows]
    days.write_text("\n".join(["wine,judge,score,day", *dated]))
    _status, out, _err = answer(capsys, "awards", days, "--occasion", "day")
    assert re.search(r"\d days", out)
    # Days are seen without being named.
    _status, alone, _err = answer(capsys, "awards", days, "--json")
    between = [row["self_agreement"]["time_between"] for row in json.loads(alone)["raters"] if row["self_agreement"]]
    assert {one["unit"] for one in between} == {"days"}
    days.write_text(
        "\n".join(["wine,judge,score,day", *(f"{left},noon" for left, *_ in rows[:-1]), f"{rows[-1][0]},dusk"])
    )
    status, _out, err = answer(capsys, "awards", days, "--occasion", "day")
    assert status == 3
    assert "holds neither numbers nor days" in err


def test_without_lines_places_are_told_and_lines_asked_for(capsys, place):
    status, out, _err = answer(capsys, "awards", place, "--first", "5", "--json")
    told = json.loads(out)
    assert status == 0
    assert told["subjects"][0]["given"] is None
    assert told["subjects"][0]["class"] is None
    assert sum(row["first"]["5"] for row in told["subjects"]) == pytest.approx(5)
    assert any("No medal lines are set, so no medals are given" in sentence for sentence in told["caveats"])
    _status, out, _err = answer(capsys, "awards", place)
    assert "that enter or leave the first three." in " ".join(out.split())


def test_the_list_is_saved_with_every_probability_and_lines_to_sign(capsys, place, told):
    book, table = place.with_name("list.xlsx"), place.with_name("list.csv")
    assert main(["awards", str(place), *LINES, "-o", str(book)]) == 0
    assert main(["awards", str(place), *LINES, "-o", str(table)]) == 0
    capsys.readouterr()
    opened = openpyxl.load_workbook(book)
    assert opened.sheetnames == ["Awards", "Judges", "Repeats", "What would change", "Discuss first", "About"]
    sheet = opened["Awards"]
    head = [cell.value for cell in sheet[2]]
    row = dict(zip(head, (cell.value for cell in sheet[3]), strict=True))
    first = told["subjects"][0]
    assert row["Wine"] == first["subject"]
    assert row["P(gold)"] == pytest.approx(first["probabilities"]["gold"])
    assert row["Deserved"] == pytest.approx(first["deserved"])
    assert any(cell.value == "Signed:" for cell in opened["About"]["A"])
    rows = list(csv.DictReader(io.StringIO(table.read_text("utf-8-sig"))))
    assert len(rows) == 30
    assert float(rows[0]["P(gold)"]) == pytest.approx(first["probabilities"]["gold"])
    assert main(["awards", str(place), "-o", str(place.with_name("list.txt"))]) == 2
    assert "is no name for a list of awards" in capsys.readouterr().err


def test_a_worklist_comes_back_as_ratings(capsys, place):
    key = place.parent / "again" / "work.xlsx"
    key.parent.mkdir()
    assert main(["awards", str(place), *LINES, "--worklist", str(key)]) == 0
    capsys.readouterr()
    for copy in key.parent.glob("work-*.xlsx"):
        book = openpyxl.load_workbook(copy)
        sheet = book.worksheets[0]
        titles = [str(cell.value).lower() for cell in next(sheet.iter_rows()) if cell.value]
        column = titles.index("rating") + 1
        for line in range(2, sheet.max_row + 1):
            sheet.cell(line, column).value = 15
        book.save(copy)
    reading = read_now(key)
    assert not [f for f in reading.findings if f.severity.value == "block"]
    assert len(reading.ratings.subjects) == 12
    assert len(reading.ratings.raters) == 6


@pytest.mark.parametrize("rule", ["mean", "median", "trimmed", "borda", "majority"])
def test_every_rule_of_a_committee_has_its_effect(capsys, place, rule):
    _status, out, _err = answer(capsys, "awards", place, *LINES, "--rule", rule, "--json")
    told = json.loads(out)
    assert told["rule"] == rule
    assert {row["rule"] for row in told["rules"]} == {"mean", "median", "trimmed", "borda", "majority", "model"} - {
        rule
    }


def test_a_wanted_class_needs_no_order(capsys):
    status, out, _err = answer(capsys, "awards", "sample:audit", "--wanted", "yes", "--json")
    told = json.loads(out)
    assert (status, told["kind"]) == (0, "classes")
    assert "is “yes” with a belief of" in told["headline"]["follows"]
    beliefs = [row["probabilities"]["yes"] for row in told["subjects"]]
    assert beliefs == sorted(beliefs, reverse=True)
    # Cases of one belief are level: their places are shared.
    assert told["subjects"][0]["rank"]["low"] == 1
    assert told["subjects"][0]["rank"]["high"] > 10
    assert sum(row["first"]["10"] for row in told["subjects"]) == pytest.approx(10)
    assert answer(capsys, "awards", "sample:audit", "--wanted", "yes", "--rule", "mean")[0] == 2


def test_unordered_classes_are_asked_for_their_order(capsys, tmp_path):
    place = tmp_path / "colours.csv"
    rows = [f"c{i},{('red', 'green', 'blue')[i % 3]},{('red', 'green', 'blue')[(i + i % 2) % 3]}" for i in range(12)]
    place.write_text("\n".join(["case,Ann,Ben", *rows]))
    status, _out, err = answer(capsys, "awards", place)
    assert status == 2
    assert "These classes have no order, so nothing says which of them is best." in err
    assert "--order" in err
    assert answer(capsys, "awards", place, "--order", "red,green,blue")[0] == 0


def test_ratings_that_are_all_alike_are_called_so_whatever_lines_are_named(capsys, tmp_path):
    place = tmp_path / "alike.csv"
    place.write_text("\n".join(["wine,judge,score", *(f"W{i},{judge},15" for i in range(12) for judge in "ABC")]))
    for more in ((), ("--cuts", "13,15")):
        status, _out, err = answer(capsys, "awards", place, *more)
        assert status == 4
        assert "is the same, so no wine stands above another." in err
