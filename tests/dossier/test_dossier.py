"""The dossier from outside: what its pages and its JSON say, that its verdict can fail, that it stays the same."""

import hashlib
import io
import json
import re
import tomllib
from collections import Counter
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pypdfium2
import pytest

from tapdesk.cli.main import main
from tapdesk.dossier import peers, reference, study_tables
from tapdesk.dossier.installation import LIBRARIES, installation
from tapdesk.project.files.outputs import OutputKind, mark_in
from tapdesk.version import VERSION
from tests.dossier.test_reference import quick

ROOT = Path(__file__).resolve().parents[2]
GOOD = re.compile(r"All ([\d,]+) values that were computed again agree with those of other programs")
MOST_PAGES = 12
PEER_VALUES = 587


def few():
    """The coefficients, and one fit, which are soon answered."""
    rows = [row for row in quick() if row["command"] == "agree"]
    return [*rows, next(row for row in quick() if row["command"] == "fit" and len(row["values"]) > 4)]


@pytest.fixture
def kept(monkeypatch):
    """Few reference questions, to be changed by a test."""
    rows = few()
    monkeypatch.setattr(reference, "kept_questions", lambda: rows)
    return rows


@pytest.fixture
def ask(tmp_path, capsys):
    """The exit status, the pages as texts, the JSON, and standard error."""

    def call(*more):
        place = tmp_path / "dossier.pdf"
        status = main(["dossier", "-o", str(place), "--json", *more])
        told = capsys.readouterr()
        with pypdfium2.PdfDocument(io.BytesIO(place.read_bytes())) as document:
            pages = [re.sub(r"\s+", " ", page.get_textpage().get_text_bounded()) for page in document]
        return status, pages, json.loads(told.out), told.err

    return call


def test_all_is_well_and_the_pages_say_so(ask, kept):
    status, pages, answer, err = ask()
    n = sum(len(row["values"]) for row in kept)
    assert (status, answer["holds"], err) == (0, True, "")
    assert GOOD.search(pages[0])[1] == f"{n + PEER_VALUES:,}" == GOOD.search(answer["headline"])[1]
    assert [check["key"] for check in answer["checks"]] == ["reference", "peers", "words", "beliefs", "awards"]
    assert all(check["holds"] for check in answer["checks"])
    whole = " ".join(pages)
    for title in (
        "What was found", "Reference values", "Coefficients of other programs", "How often intervals hold the truth",
        "How often are our words wrong?", "Is it so as often as it is said?", "Versions and files",
    ):  # fmt: skip
        assert title in whole
    assert "does not hold" not in whole
    assert "NOT SO" not in whole
    assert f"tapdesk {VERSION}" in pages[0]
    assert answer["digest"] in whole.replace(" ", "")
    assert "\u200b" not in whole[whole.index("Versions and files", len(pages[0])) :]
    assert answer["digest"][:16] in pages[0]
    for one in answer["peers"]:
        assert f"{one['program']} {one['version']} {len(one['values'])} {len(one['values'])}" in whole


def test_each_kept_value_stands_on_a_page_with_its_verdict(ask, kept):
    _status, pages, answer, _err = ask()
    whole = " ".join(pages)
    assert [row["command"] for row in answer["rows"]] == [row["command"] for row in kept]
    for row, told in zip(kept, answer["rows"], strict=True):
        assert f"{len(row['values'])} of {len(row['values'])}" in whole
        assert [value["agrees"] for value in told["values"]] == [True] * len(row["values"])
        for value in row["values"]:
            if "within" in value and value["kept"] is not None:
                digits = Decimal(repr(abs(value["kept"]))).quantize(Decimal("0.0001"), ROUND_HALF_UP)
                assert str(digits) in whole, value


def test_one_value_that_is_otherwise_fails_the_dossier(ask, kept):
    value = next(value for value in kept[-1]["values"] if value["of"] == "t")
    value["kept"] += 2 * value["within"]
    status, pages, answer, err = ask()
    assert (status, answer["exit_status"], answer["holds"]) == (70, 70, False)
    assert "1 thing is not as it should be: this copy of the program must not be relied on." in pages[0]
    assert "does not hold" in pages[0]
    assert "What is not as it should be" in pages[0]
    assert "NOT SO" in " ".join(pages)
    assert not GOOD.search(" ".join(pages))
    assert err.startswith(f"tapdesk: Not so: fit {kept[-1]['file']} ")
    assert len(err.splitlines()) == 1
    off = [one for row in answer["rows"] for one in row["values"] if not one["agrees"]]
    assert [(one["what"], one["kept"]) for one in off] == [("t", value["kept"])]


def test_yes_in_place_of_no_fails_it(ask, kept):
    value = next(value for value in kept[-1]["values"] if value["of"] == "identified")
    value["kept"] = not value["kept"]
    status, _pages, answer, _err = ask()
    assert status == 70
    assert [check["key"] for check in answer["checks"] if not check["holds"]] == ["reference"]


def test_a_question_that_is_refused_fails_it_with_the_reason(ask, kept):
    kept[-1]["options"] = [*kept[-1]["options"], "--columns", "nonsense"]
    status, _pages, answer, err = ask()
    assert status == 70
    assert "nonsense" in answer["rows"][-1]["refused"]
    assert len(err.splitlines()) == len(kept[-1]["values"])
    assert "is not told" in err


@pytest.mark.usefixtures("kept")
def test_a_number_of_another_program_that_is_otherwise_fails_it(ask, monkeypatch):
    real = peers._file

    def changed(name):
        told = real(name)
        if name == "krippendorff":
            case = next(iter(told["answers"].values()))
            case[next(iter(case))]["value"] += 1e-6
        return told

    monkeypatch.setattr(peers, "_file", changed)
    status, pages, answer, err = ask()
    assert status == 70
    assert [check["key"] for check in answer["checks"] if not check["holds"]] == ["peers"]
    assert "krippendorff" in err
    assert "does not hold" in pages[0]


@pytest.mark.parametrize(
    ("table", "key", "change"),
    [
        ("words", "words", lambda row: row | {"false": "0.9"} if row["claim"] == "no-width" else row),
        ("beliefs", "beliefs", lambda row: row | {"right": "0.1"} if row["how"] == "averaged" else row),
        ("awards", "awards", lambda row: row | {"true": "0.5"} if row["from"] == "0.9" else row),
    ],
)
@pytest.mark.usefixtures("kept")
def test_a_table_that_breaks_its_promise_fails_it(ask, monkeypatch, table, key, change):
    real = study_tables.study_rows

    def changed(folder, name):
        rows = real(folder, name)
        return [change(row) for row in rows] if name == table else rows

    monkeypatch.setattr(study_tables, "study_rows", changed)
    status, _pages, answer, err = ask()
    assert status == 70
    assert [check["key"] for check in answer["checks"] if not check["holds"]] == [key]
    assert "Not so: " in err


def test_that_nothing_was_compared_is_no_verdict(ask, monkeypatch):
    monkeypatch.setattr(reference, "kept_questions", list)
    status, pages, _answer, err = ask()
    assert status == 70
    assert "there was nothing to compare" in err
    assert "does not hold" in pages[0]


def test_of_much_that_is_wrong_the_first_lines_are_printed(ask, kept):
    kept.extend(kept[:])
    for row in kept:
        for value in row["values"]:
            value["kept"] = 99.0
    status, pages, answer, err = ask()
    n = sum(len(row["values"]) for row in kept)
    assert status == 70
    assert len(err.splitlines()) == n == answer["checks"][0]["compared"]
    assert f"{n} things are not as they should be" in pages[0]
    assert "more are in the answer as JSON" in pages[0] + pages[1]


@pytest.mark.usefixtures("kept")
def test_the_same_bytes_twice_and_a_date_where_one_is_given(ask, tmp_path):
    place = tmp_path / "dossier.pdf"
    ask()
    first = place.read_bytes()
    ask()
    assert place.read_bytes() == first
    assert mark_in(first).kind is OutputKind.DOSSIER
    assert not mark_in(first).issued
    _status, pages, _answer, _err = ask("--issued", "2026-05-14", "--paper", "letter")
    assert "Issued 14 May 2026" in pages[0]
    issued = place.read_bytes()
    assert mark_in(issued).issued
    # What was issued is not replaced unasked.
    assert main(["dossier", "-o", str(place)]) == 2
    assert place.read_bytes() == issued


def test_it_is_a_pdf_and_nothing_else(tmp_path, capsys):
    assert main(["dossier", "-o", str(tmp_path / "dossier.docx")]) == 2
    assert "Use a name that ends in .pdf." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_digests_are_those_of_the_files():
    here = installation()
    package = ROOT / "tapdesk"
    own = {
        f"tapdesk/{path.relative_to(package).as_posix()}": path
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    data = {f"resources/{p.relative_to(ROOT / 'resources').as_posix()}": p for p in (ROOT / "resources").rglob("*")}
    wanted = own | {name: path for name, path in data.items() if path.is_file()}
    told = Counter(name for group in here.groups for name, _digest in group.digests)
    assert set(told) == set(wanted)
    assert set(told.values()) == {1}
    assert here.count == len(wanted)
    lines = [f"{hashlib.sha256(wanted[name].read_bytes()).hexdigest()}  {name}\n" for name in sorted(wanted)]
    assert here.digest == hashlib.sha256("".join(lines).encode()).hexdigest()


def test_the_digest_of_a_bundle_is_of_all_it_holds(tmp_path, monkeypatch):
    inside = tmp_path / "inside"
    (inside / "resources").mkdir(parents=True)
    (inside / "resources" / "tokens.json").write_text("{}")
    program = tmp_path / "tapdesk"
    program.write_text("1")
    monkeypatch.setattr("sys._MEIPASS", str(inside), raising=False)
    monkeypatch.setattr("sys.executable", str(program))
    first = installation()
    assert {name for group in first.groups for name, _d in group.digests} == {"tapdesk", "bundle/resources/tokens.json"}
    program.write_text("2")
    assert installation().digest != first.digest


def test_the_libraries_are_those_the_program_asks_for():
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert list(LIBRARIES) == [re.split(r"[<>=!~; ]", one)[0] for one in asked]
    assert all(version for _name, version in installation().libraries)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_whole_dossier_is_short_and_agrees(ask, paper):
    status, pages, answer, err = ask("--paper", paper)
    assert (status, err) == (0, "")
    assert [check["compared"] for check in answer["checks"][:2]] == [466, PEER_VALUES]
    assert len(pages) <= MOST_PAGES
    assert f"Page {len(pages)} of {len(pages)}" in pages[-1]
