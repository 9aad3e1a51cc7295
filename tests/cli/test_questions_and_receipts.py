"""Questions, receipts and studies: what options do beyond being taken or refused."""

import json
from pathlib import Path

import pytest

from tapdesk import resources
from tapdesk.cli.arguments import command_page
from tapdesk.cli.main import main
from tapdesk.progress import Step
from tapdesk.project.files.file import save
from tapdesk.project.project import Project
from tapdesk.ratings.reading import read_now
from tapdesk.report.build import NOTHING
from tapdesk.studies.coverage import coverage_parts
from tests.cli.test_every_option import BINARY, CONTENT, TWO, answer, wide

# Questions ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", sorted(TWO))
def test_a_question_reads_what_a_filter_reads_and_pools_nothing(capsys, tmp_path: Path, layout):
    place = tmp_path / "two.csv"
    place.write_text(TWO[layout])
    base = ("check", str(place), "--layout", "questions" if layout == "questions-column" else layout.partition("-")[0])
    status, out, err = answer(capsys, *base, "--question", "item", "--only", "B")
    assert status == 0, err
    plain = "long" if layout in {"long", "questions-column"} else layout.partition("-")[0]
    _status, alone, _err = answer(capsys, "check", str(_only_b(tmp_path, TWO[layout])), "--layout", plain)
    keys = ("subjects", "raters", "ratings", "patterns", "missing")
    assert [out["data"][key] for key in keys] == [alone["data"][key] for key in keys]
    assert sorted(out["data"]["classes"]) == sorted(alone["data"]["classes"])
    for more in ((), ("--only", "Q99")):
        status, out, err = answer(capsys, *base, "--question", "item", *more)
        assert (status, out) == (3, None)
        assert "'A' and 'B'" in err


def _only_b(folder: Path, text: str) -> Path:
    """The file with the rows of question B alone, without the column that names it."""
    lines = [line.split(",") for line in text.splitlines()]
    at = lines[0].index("item")
    rows = [line for line in lines if line[at] in {"item", "B"}]
    place = folder / "alone.csv"
    place.write_text("".join(",".join(x for i, x in enumerate(row) if i != at) + "\n" for row in rows))
    return place


def test_a_question_of_a_wide_table_is_read_wide_without_being_told(capsys, tmp_path: Path):
    place = tmp_path / "two.csv"
    place.write_text(TWO["raters"])
    _status, out, _err = answer(capsys, "check", str(place), "--question", "item", "--only", "B")
    assert (out["data"]["layout"], out["data"]["subjects"], out["data"]["ratings"]) == ("raters", 12, 36)
    place.write_text(TWO["long"])
    _status, out, _err = answer(capsys, "check", str(place), "--question", "item", "--only", "A")
    assert (out["data"]["layout"], out["data"]["ratings"]) == ("questions", 48)


# Receipts -----------------------------------------------------------------------------------------------------------


def test_an_answer_says_which_options_it_used_and_for_what(capsys, tmp_path: Path):
    place = tmp_path / "ratings.csv"
    place.write_text(BINARY)
    typed = ("--model", "t-a-p,t-ax-p", "--covariates", "ward", "--order", "a,c", "--interval", "none")
    assert main(["fit", str(place), *typed, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told)[:6] == ["tapdesk", "schema", "command", "data", "findings", "options_used"]
    assert told["options_used"] == [
        {"option": "--order", "value": ["a", "c"], "applies_to": ["ratings.csv"]},
        {"option": "--model", "value": ["t-a-p", "t-ax-p"], "applies_to": ["t-a-p", "t-ax-p"]},
        {"option": "--interval", "value": "none", "applies_to": ["t-a-p", "t-ax-p"]},
        {"option": "--covariates", "value": ["ward"], "applies_to": ["t-ax-p"]},
    ]
    assert main(["fit", str(place), *typed]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == (
        "Options used: --order a,c, --model t-a-p,t-ax-p, --interval none, --covariates ward (for t-ax-p)."
    )
    assert main(["check", str(place)]) == 0
    assert "Options used" not in capsys.readouterr().out


def test_the_receipt_of_a_table_for_other_programs_stands_beside_it(capsys):
    given = ("--param", "t=.5", "--param", "a=.5", "--param", "p=.5", "--subjects", "2", "--raters", "2")
    assert main(["simulate", *given]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("subject,rater,rating\n")
    assert "Options used" not in out
    assert err == "Options used: --param t=.5 --param a=.5 --param p=.5, --subjects 2, --raters 2.\n"


def test_reports_of_parts_are_of_the_classes_that_were_asked_about(capsys, tmp_path: Path, monkeypatch):
    def unprepared(_project, **_how):
        yield Step(0, 1, "prepare")
        return NOTHING

    monkeypatch.setattr("tapdesk.report.parts.prepare", unprepared)
    place, page = tmp_path / "ratings.csv", tmp_path / "r.html"
    place.write_text(wide())
    assert main(["report", str(place), "-o", str(page), "--each", "ward", "--class1", "a", "--replicates", "20"]) == 0
    parts = sorted(p for p in tmp_path.iterdir() if p.suffix == ".html")
    assert len(parts) == 2
    for part in parts:
        text = part.read_text("utf-8")
        assert "--class1 a --replicates 20" in text
        assert "t truly c" not in text
    capsys.readouterr()


def test_a_project_whose_findings_ask_is_refused_where_nothing_may_be_asked(capsys, tmp_path: Path):
    place, kept = tmp_path / "ratings.csv", tmp_path / "ratings.tapdesk"
    place.write_text(CONTENT["raters"].replace(",a", ",A", 1))
    save(Project().with_reading(read_now(place)), kept)
    assert main(["check", str(kept)]) == 0
    assert main(["check", str(kept), "--strict"]) == 3
    capsys.readouterr()


def test_coverage_simulates_as_many_sets_as_are_asked_for_whatever_the_interval():
    assert {part.sets for part in coverage_parts(60)} == {60}
    assert {(part.kind == "profile", part.sets) for part in coverage_parts()} == {(True, 2000), (False, 50)}


# The help, and studies ----------------------------------------------------------------------------------------------


def test_the_page_of_commands_in_the_help_is_the_one_the_table_makes():
    place = resources.path("help", "7-command-line.md")
    # After a change of the table: python -c "from tapdesk.cli.arguments import command_page as p; print(p(), end='')"
    assert place.read_text("utf-8") == command_page()


STUDY_CELLS = {
    "recovery": [
        (("--param", "t=.5", "--param", "a=.5", "--param", "p=.5", "--replicates", "2"), typed)
        for typed in (("--subjects", "30"), ("--raters", "3"), ("--seed", "4"), ("--model", "t-a-t"))
    ] + [((), ("--replicates", "2")), (("--replicates", "1"), ("--seed", "2"))],
    "kappa": [
        (("--subjects", "20", "--raters", "3"), typed)
        for typed in (("--subjects", "30"), ("--raters", "4"), ("--replicates", "2"), ("--seed", "4"))
    ] + [(("--subjects", "20"), ("FILE",)), (("FILE", "--subjects", "20"), ("--columns", "Ana,Ben"))],
    "horizon": [
        (("FILE", "--replicates", "20"), typed)
        for typed in (("--replicates", "30"), ("--seed", "4"), ("--class1", "a"), ("--where", "ward=w1"))
    ],
    "plan": [
        (("--param", "t=.5", "--param", "a=.6", "--param", "p=.5", "--subjects", "30", "--raters", "3",
          "--replicates", "4"), typed)
        for typed in (
            ("--param", "a=.8"), ("--subjects", "40"), ("--raters", "4"), ("--replicates", "5"), ("--seed", "4")
        )
    ],
    "groups": [(("FILE", "--by", "ward"), ("--class1", "a")), (("FILE", "--by", "ward"), ("--model", "t-a-t"))],
    "models": [
        (("FILE", "--class1", "a", "--replicates", "2"), typed) for typed in (("--replicates", "3"), ("--seed", "4"))
    ],
    "influence": [(("FILE",), ("--class1", "a")), (("FILE",), ("--columns", "Ana,Ben"))],
    "paper": [
        ((), ("--figure", "cohen")), (("--figure", "cohen"), ("FILE", "--layout", "raters", "--columns", "Ana,Ben")),
        (("--figure", "krits", "--replicates", "1"), ("--seed", "4")), (("--figure", "krits", "--replicates", "1"),
        ("--replicates", "2")),
    ],
}  # fmt: skip
_QUICK = {"kappa", "horizon", "plan", "paper"}


def instead(without: tuple[str, ...], typed: tuple[str, ...]) -> tuple[str, ...]:
    """Options with one more typed; a number of the model, which may be given once, in the place of the one before."""
    if typed[0] != "--param":
        return (*without, *typed)
    name = typed[1].partition("=")[0]
    return tuple(typed[1] if word.startswith(f"{name}=") else word for word in without)


@pytest.mark.parametrize(
    ("kind", "without", "typed"),
    [
        pytest.param(kind, *cell, marks=() if kind in _QUICK else pytest.mark.slow)
        for kind, cells in STUDY_CELLS.items()
        for cell in cells
    ],
)
def test_an_option_of_a_study_changes_its_table(capsys, tmp_path: Path, monkeypatch, kind, without, typed):
    monkeypatch.chdir(tmp_path)
    Path("FILE").write_text(wide())
    one, other = answer(capsys, "study", kind, *without), answer(capsys, "study", kind, *instead(without, typed))
    assert one[0] in {0, 2, 4}
    assert other[0] == 0
    assert one != other


@pytest.mark.slow
@pytest.mark.parametrize("typed", [(), ("--interval", "wald"), ("--seed", "3"), ("--replicates", "3")])
def test_coverage_takes_what_its_help_says(capsys, typed):
    status, out, err = answer(capsys, "study", "coverage", "--interval", "profile", "--replicates", "2", *typed)
    assert status == 0, err
    sets = 3 if "3" in typed and "--replicates" in typed else 2
    assert {row["sets"] for row in out["rows"]} == {sets}
    assert {row["kind"] for row in out["rows"]} == {"wald" if "wald" in typed else "profile"}
