"""The commands that write documents, from outside: reports, figures, and whether a report still holds."""

import json
import re
import struct
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest

from tapdesk.answers.figures import catalog
from tapdesk.answers.figures.catalog import FIGURES
from tapdesk.answers.literature import WORKS
from tapdesk.answers.naming import WITHHELD, CasesAs
from tapdesk.answers.side_results import Wanted
from tapdesk.models.model import model
from tapdesk.progress import Step, finish
from tapdesk.project.files.file import load, save
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.reading import read_now
from tapdesk.report.build import NOTHING
from tapdesk.report.forms.write import written
from tapdesk.report.issue.texts import placed
from tapdesk.report.setup import Setup, arranged, with_setup
from tapdesk.studies.analysis import Request, analyse

QUICK = ("--replicates", "20")
PLAIN = ("--interval", "none")


def pages_of(path: Path) -> list[str]:
    with pypdfium2.PdfDocument(path) as document:
        return [re.sub(r"\s+", " ", page.get_textpage().get_text_bounded()) for page in document]


@pytest.fixture
def quick(monkeypatch):
    """Reports with little beside the answer."""
    little = Wanted(replicates=5, tests=False, raters=False, sensitivity=False)
    monkeypatch.setattr("tapdesk.report.setup.ALL", little)


@pytest.fixture
def bare(monkeypatch):
    """Reports with nothing beside the answer."""

    def unprepared(_project, **_how):
        yield Step(0, 1, "prepare")
        return NOTHING

    monkeypatch.setattr("tapdesk.report.setup.prepare", unprepared)


@pytest.mark.usefixtures("bare")
def test_report_and_figures_are_files_of_their_kind(told, tmp_path: Path):
    pdf, png, svg = tmp_path / "r.pdf", tmp_path / "f.png", tmp_path / "f.svg"
    assert told("report", "sample:wine-cut2", "-o", str(pdf), *PLAIN)[0] == 0
    assert pdf.read_bytes().startswith(b"%PDF")
    kind = ("--kind", "distribution", *PLAIN)
    assert told("figure", "sample:wine-cut2", *kind, "-o", str(png))[0] == 0
    assert told("figure", "sample:wine-cut2", *kind, "-o", str(svg))[0] == 0
    assert png.read_bytes().startswith(b"\x89PNG")
    assert svg.read_text(encoding="utf-8").lstrip().startswith("<svg")


@pytest.mark.usefixtures("bare")
def test_a_figure_takes_the_model_that_the_report_takes_and_says_so(told, tmp_path: Path):
    page = tmp_path / "r.html"
    _status, _out, err = told("report", "sample:paradox", "-o", str(page), *PLAIN)
    assert "so the t-a-t model is used, which takes p = t." in err
    assert "t-a-t model" in page.read_text("utf-8")
    picture = ("figure", "sample:paradox", "--kind", "contour", *PLAIN, "-o", str(tmp_path / "f.svg"))
    status, out, err = told(*picture)
    assert status == 0
    assert "t-a-t model. Lines" in " ".join(out.split())
    assert "so the t-a-t model is used, which takes p = t." in err
    # What is asked for by name is not replaced, and what needs no replacing neither.
    asked = ("figure", "sample:paradox", "--kind", "estimates", *picture[4:], "--force")
    assert told(*asked)[0] == 0
    status, _out, err = told(*asked, "--model", "t-a-p")
    assert status == 4
    assert "t-a-t" not in err
    status, _out, err = told("figure", "sample:wine-cut2", "--kind", "estimates", *picture[4:], "--force")
    assert (status, err) == (0, "")


def test_votes_are_not_predicted_from_an_accuracy_that_may_be_anything(told, tmp_path: Path):
    status, _out, err = told("figure", "sample:paradox", "--kind", "votes", "-o", str(tmp_path / "f.svg"))
    assert status == 4
    assert "How often a vote is right is not" in err


@pytest.mark.usefixtures("quick")
def test_a_report_can_be_held_against_its_project(told, answered, tmp_path: Path):
    place, pdf = tmp_path / "wine.tapdesk", tmp_path / "wine.pdf"
    project = Project().with_reading(read_now("sample:wine-cut1"))
    save(project, place)
    assert told("report", str(place), "-o", str(pdf), *PLAIN)[0] == 0
    assert answered("verify", str(pdf))["outcome"] == "unchecked"
    save(Project().with_reading(read_now("sample:wine-cut2")), place)
    status, out, _err = told("verify", str(pdf), str(place), "--json")
    assert (status, json.loads(out)["outcome"]) == (1, "differs")


@pytest.mark.usefixtures("quick")
def test_a_report_of_a_spreadsheet_says_that_its_date_is_to_be_written_and_prints_none(told, tmp_path: Path):
    one, two = tmp_path / "one.pdf", tmp_path / "two.pdf"
    for path in (one, two):
        assert told("report", "sample:wine-cut2", "-o", str(path), *QUICK)[0] == 0
    assert one.read_bytes() == two.read_bytes()
    said = pages_of(one)
    assert "Date to be written at signing" in said[0]
    assert all("Draft, not signed" in page for page in said)
    # The only years that are printed are those of the literature.
    literature = {year for work in WORKS for year in re.findall(r"\b(?:19|20)\d\d\b", work.work)}
    printed = set(re.findall(r"\b(?:19|20)\d\d\b", " ".join(said)))
    assert {"1971", "2011"} <= printed <= literature


@pytest.mark.usefixtures("quick")
def test_the_day_of_issue_is_given_by_the_user_printed_on_every_page_and_verified(told, answered, tmp_path: Path):
    place, path = tmp_path / "wine.tapdesk", tmp_path / "issued.pdf"
    project = Project().with_reading(read_now("sample:wine-cut2"))
    asked = Request(model("t-a-p"), interval="none")
    save(project.with_analysis(Analysis("main", asked, finish(analyse(project.ratings, asked)))), place)
    assert told("report", str(place), "-o", str(path), "--issued", "2026-05-14")[0] == 0
    said = pages_of(path)
    assert all("Issued 14 May 2026" in page for page in said)
    assert "to be written at signing" not in said[0]
    verdict = answered("verify", str(path), str(place))
    assert verdict["outcome"] == "matches"
    assert "the same to the last byte" in " ".join(verdict["sentences"])


@pytest.mark.usefixtures("quick")
def test_an_issued_report_is_the_same_twice_and_verified_with_its_data_file_alone(told, answered, tmp_path: Path):
    table, path = tmp_path / "panel.csv", tmp_path / "x.pdf"
    answers = [[(i % 5 > 1) ^ (i % (7 + j) == j) for j in range(3)] for i in range(40)]
    rows = [",".join([f"k{i}", *("fit" if x else "unfit" for x in row)]) for i, row in enumerate(answers)]
    table.write_text("\n".join(["case,ann,bob,cat", *rows]))
    typed = ("--class1", "unfit", "--model", "t-a-t", "--level", "0.9", "--seed", "7", *QUICK)
    command = ("report", str(table), *typed, "--issued", "2026-05-14", "-o", str(path))
    assert told(*command)[0] == 0
    first = path.read_bytes()
    path.unlink()
    assert told(*command)[0] == 0
    assert path.read_bytes() == first
    printed = " ".join(pages_of(path))
    assert "What to type tapdesk report panel.csv --class1 unfit --model t-a-t --level 0.9" in printed
    verdict = answered("verify", str(path), str(table))
    assert (verdict["outcome"], verdict["exit_status"]) == ("matches", 0)
    said = " ".join(verdict["sentences"])
    assert "the same to the last byte" in said
    assert "project" not in said
    # One answer more, and it is no longer what the report was made of.
    table.write_text(table.read_text() + "\nk40,fit,fit,fit")
    status, out, _err = told("verify", str(path), str(table))
    assert status == 1
    assert "The data file is not the one the report was made from." in " ".join(out.split())


@pytest.mark.usefixtures("quick")
def test_options_belong_to_the_report_they_made_and_not_to_its_project(told, answered, tmp_path: Path):
    path, place = tmp_path / "x.pdf", tmp_path / "x.tapdesk"
    held = ("--leave-out", "counts", "--scale", "landis-koch", "--title", "Ours")
    command = ("report", "sample:wine-cut2", *QUICK, *held, "-o", str(path), "--save-project", str(place))
    assert told(*command)[0] == 0
    # What the report holds is typed again, and not what it is called.
    typed = (
        "What to type tapdesk report wine_cut2.csv --replicates 20 --leave-out counts --scale landis-koch -o REPORT.pdf"
    )
    assert typed in " ".join(" ".join(pages_of(path)).split())
    verdict = answered("verify", str(path), str(place))
    assert verdict["outcome"] == "matches"
    assert "the same to the last byte" in " ".join(verdict["sentences"])
    project = load(place)
    assert "replicates 20" not in " ".join(project.notes.values())
    # As the window makes it.
    later = " ".join(text for _place, text in placed(arranged(project)))
    assert "Options used" not in later
    assert "Settings and fingerprint" in later


@pytest.mark.usefixtures("quick")
def test_a_project_beside_a_report_replaces_nothing_that_came_there_meanwhile(told, tmp_path: Path, monkeypatch):
    path, place = tmp_path / "x.pdf", tmp_path / "x.tapdesk"
    monkeypatch.setattr("tapdesk.report.forms.write.written", _before(written, lambda: place.write_bytes(b"mine")))
    command = ("report", "sample:wine-cut2", *QUICK, "-o", str(path), "--save-project", str(place))
    status, _out, err = told(*command)
    assert status == 2
    assert "“x.tapdesk” is there already, and tapdesk did not write it." in err
    assert place.read_bytes() == b"mine"


def _before(made, act):
    """A function that something happens before."""
    return lambda *given, **named: (act(), made(*given, **named))[1]


def test_a_day_of_issue_that_is_none_is_refused_before_anything_is_read(told, tmp_path: Path):
    status, out, err = told("report", "no such file.csv", "-o", str(tmp_path / "x.pdf"), "--issued", "14.5.2026")
    assert (status, out) == (2, "")
    assert "Write it as year, month and day: 2026-05-14" in err


def test_a_figure_is_drawn_at_the_width_and_resolution_asked_for(told, tmp_path: Path):
    png, svg = tmp_path / "f.png", tmp_path / "f.svg"
    asked = ("figure", "sample:wine-cut2", "--kind", "distribution", *QUICK, "--width", "84")
    assert told(*asked, "--ppi", "300", "-o", str(png))[0] == 0
    assert told(*asked, "-o", str(svg))[0] == 0
    # Width and height stand at a fixed place in a PNG; a margin of nine points is on either side of the drawing.
    across, _down = struct.unpack(">II", png.read_bytes()[16:24])
    assert across == pytest.approx((84 / 25.4 + 18 / 72) * 300, abs=2)
    width = re.search(r'<svg[^>]* width="([\d.]+)"', svg.read_text(encoding="utf-8"))
    assert float(width.group(1)) == pytest.approx(84 / 25.4 * 96, abs=0.01)


@pytest.mark.parametrize(("option", "value"), [("--width", "20"), ("--ppi", "5000"), ("--width", "nan")])
def test_a_size_no_picture_can_have_is_refused(told, tmp_path: Path, option, value):
    asked = ("figure", "sample:wine-cut2", "--kind", "distribution", option, value, "-o", str(tmp_path / "f.png"))
    status, out, err = told(*asked)
    assert (status, out) == (2, "")
    assert "is not a number from" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("quick")
def test_groups_and_tests_between_models_are_printed_when_they_are_asked_for(told, tmp_path: Path):
    wards, page = tmp_path / "wards.csv", tmp_path / "r.html"
    rows = [
        f"c{i},r{j},{'yes' if (i + (j == 0 and i % 4 == 0)) % 2 else 'no'},w{i % 2}"
        for i in range(24)
        for j in range(3)
    ]
    wards.write_text("\n".join(["case,rater,rating,ward", *rows]))
    with pytest.MonkeyPatch.context() as patch:
        # Nobody waits for an answer that is thrown away.
        patch.setattr("tapdesk.cli.documents.analyse", None)
        status, out, err = told("report", str(wards), "-o", str(page), "--by", "house")
    assert (status, out) == (2, "")
    assert "There is no column 'house' beside the ratings, as --by names it. There are: ward." in err
    assert not page.exists()
    assert told("report", str(wards), "-o", str(page), "--by", "ward", "--tests", *QUICK, *PLAIN)[0] == 0
    text = page.read_text(encoding="utf-8")
    assert "Is it the same in every group?" in text
    assert "Could all raters be equally accurate?" in text


def test_a_figure_is_told_as_sentence_numbers_and_note_besides_the_file(told, answered, tmp_path: Path):
    png = tmp_path / "v.png"
    asked = ("figure", "sample:wine-cut2", "--kind", "votes", *QUICK, "-o", str(png))
    status, out, _err = told(*asked)
    assert status == 0
    assert out.startswith("A vote of 5 ratings would be right about ")
    assert "Ties are broken by lot." in " ".join(out.split())
    assert f"Saved {png}." in out
    rows = answered(*asked)["rows"]
    votes = {row["x"]: row["y"] for row in rows if row["what"] == "vote"}
    best = {row["x"]: row["y"] for row in rows if row["what"] == "best rule"}
    assert sorted(votes) == list(range(1, 16))
    # One rating cannot be outvoted; the best rule is never worse than a vote.
    assert all(best[r] >= votes[r] - 1e-12 for r in votes)
    assert {row["panel"] for row in rows} == {out.splitlines()[0]}


FURTHER = ("contour", "plan", "recovery", "grid", "square")


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("keys", [("plan", "recovery"), pytest.param(FURTHER, marks=pytest.mark.slow)])
def test_a_report_prints_what_takes_long_only_where_it_is_asked_for(told, tmp_path: Path, monkeypatch, keys):
    monkeypatch.setattr("tapdesk.answers.figures.designs.SUBJECTS", (50,))
    page = tmp_path / "r.html"
    asked = ("report", "sample:wine-cut2", "-o", str(page), *PLAIN)
    for there in ((), keys):
        assert told(*asked, *(f"--{key}" for key in there))[0] == 0
        printed = page.read_text(encoding="utf-8")
        assert [key for key in FURTHER if f'id="{key}"' in printed] == list(there)
    assert ("729 data sets of 183 cases" in printed) is ("grid" in keys)


CALLED = ("Maximiliane", "Philomena", "Kunigunde")
FEW = "purpose,design,description,technical,counts,checks,raters,sensitivity,agreement,cases,results"


@pytest.fixture
def panel_of_names(tmp_path: Path) -> Path:
    """A table of three raters and sixty cases with names that can be looked for."""
    place = tmp_path / "Maximiliane audit.csv"
    rows = ["case," + ",".join(CALLED)]
    rows += [f"Fallakte-{i:02d}," + ",".join("yn"[(i + (i % k == 0)) % 2] for k in (9, 14, 11)) for i in range(60)]
    place.write_text("\n".join(rows) + "\n")
    return place


# Those that name somebody with every change, all others in the slow suite.
NAMING = ("pairs", "surprises", "calibration", "influence", "independence")


@pytest.mark.parametrize(
    "kind", [row.kind if row.kind in NAMING else pytest.param(row.kind, marks=pytest.mark.slow) for row in FIGURES]
)
def test_a_figure_calls_raters_and_cases_by_code_as_a_report_does(kind, told, panel_of_names, tmp_path: Path):
    more = ("--model", "t-aj-p") if kind == "information" else ()
    asked = ("figure", str(panel_of_names), "--kind", kind, *more, *QUICK, "-o", str(tmp_path / "f.svg"), "--json")
    status, out, _err = told(*asked, "--rater-names", "codes", "--case-names", "codes")
    if status == 4:
        assert out == ""  # these data do not support it, whatever raters are called
        assert told(*asked)[0] == 4
        return
    assert status == 0
    answer = json.loads(out)
    written_ = [Path(name).read_text("utf-8") for name in answer["outputs"]]
    answer.pop("outputs")
    for text in (json.dumps(answer), *written_):
        assert not any(name[:6] in text for name in (*CALLED, "Fallakte"))


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("raters", [CALLED, ("1", "2", "3")])
@pytest.mark.parametrize("command", ["figure", "report", "each"])
def test_a_receipt_beside_codes_holds_no_name_that_was_typed(command, raters, told, tmp_path: Path):
    place = tmp_path / "panel.csv"
    rows = [[f"Fallakte {i}", "AB"[i % 2], *("yn"[(i + (i % k == 0)) % 2] for k in (4, 7, 5))] for i in range(40)]
    lines = [",".join(row) for row in (["case", "ward", *raters], *rows)]
    place.write_text("\n".join(lines), "utf-8")
    more = {
        "figure": ("figure", str(place), "--kind", "tree", "-o", str(tmp_path / "f.svg")),
        "report": ("report", str(place), "--leave-out", FEW, "-o", str(tmp_path / "r.html")),
        "each": ("report", str(place), "--each", "ward", "--leave-out", FEW, "-o", str(tmp_path / "e.html")),
    }[command]
    reads = ("--columns", ",".join(raters), "--raters-are", "people", "--order", "n,y")
    typed = (*reads, *PLAIN, *QUICK, "--json")
    for coded in ((), ("--rater-names", "codes")):
        status, out, err = told(*more, *typed, "--force", *coded)
        assert status == 0, err
        used = {row["option"]: row["value"] for row in json.loads(out)["options_used"]}
        assert used["--raters-are"] == "people"
        assert used["--columns"] == (str(WITHHELD) if coded else list(raters))
        assert used["--order"] == (str(WITHHELD) if coded and command == "each" else ["n", "y"])


def test_names_of_a_figure_are_those_the_project_remembers_and_none_is_left(told, panel_of_names, tmp_path: Path):
    place, out = tmp_path / "p.tapdesk", tmp_path / "f.svg"
    save(with_setup(Project().with_reading(read_now(panel_of_names)), Setup(cases_as=CasesAs.CODES)), place)
    asked = ("figure", str(place), "--kind", "surprises", *PLAIN, "-o", str(out), "--force")
    assert told(*asked)[0] == 0
    assert "Fallakte" not in out.read_text("utf-8")
    assert told(*asked, "--case-names", "names")[0] == 0
    assert "Fallakte" in out.read_text("utf-8")
    assert told("figure", "--kind", "list", str(place), "--rater-names", "codes")[0] == 2


def test_a_figure_with_a_name_left_in_it_is_not_written(told, panel_of_names, tmp_path: Path, monkeypatch):
    real = catalog.made

    def made(*given):
        return [replace(panel, note="As Philomena said.") for panel in (yield from real(*given))]

    monkeypatch.setattr(catalog, "made", made)
    out = tmp_path / "f.svg"
    asked = ("figure", str(panel_of_names), "--kind", "tree", *PLAIN, "-o", str(out))
    status, said, err = told(*asked, "--rater-names", "codes")
    assert (status, said) == (4, "")
    assert "A name that is to be called by a code" in err
    assert "Philomena" not in err
    assert not out.exists()
    assert told(*asked)[0] == 0
