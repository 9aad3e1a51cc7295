"""The selftest from outside: it passes on a sound program, leaves files others can read, and names what is broken."""

import json
import zipfile

import pikepdf
import pytest

from tapdesk.cli import selftest
from tapdesk.cli.main import main


@pytest.fixture
def run(capsys):
    def call(*arguments):
        status = main(["selftest", *arguments])
        return status, *capsys.readouterr()

    return call


def test_a_sound_program_passes_every_step_and_leaves_whole_files(run, tmp_path):
    folder = tmp_path / "a new folder"
    status, out, err = run("--json", "-o", str(folder))
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert [row["step"] for row in told["rows"]] == [name for name, _ in selftest.STEPS]
    assert told["seconds"] >= sum(row["seconds"] for row in told["rows"]) - 0.01
    with pikepdf.open(folder / "report.pdf") as report:
        assert len(report.pages) >= 2
        assert report.Root.MarkInfo.Marked
    with zipfile.ZipFile(folder / "report.xlsx") as workbook:
        assert workbook.testzip() is None
    assert (folder / "figure.png").read_bytes().startswith(b"\x89PNG")
    with zipfile.ZipFile(folder / "selftest.tapdesk") as project:
        assert project.testzip() is None
    # What it saved, the program itself reads again.
    assert main(["check", str(folder / "ratings.xlsx")]) == 0


def test_a_wrong_number_fails_the_step_it_comes_from(run, monkeypatch, tmp_path):
    monkeypatch.setitem(selftest.KNOWN, "a", 0.55)
    status, out, err = run("-o", str(tmp_path))
    assert (status, out) == (1, "")
    assert "The step 'fit' failed: a is 0.54" in err


def test_a_missing_part_is_told_in_a_sentence(run, monkeypatch, tmp_path):
    def no_compiler(*_arguments):
        raise ImportError("the library of the compiler cannot be loaded")

    monkeypatch.setattr("tapdesk.cli.selftest.figures", no_compiler)
    steps = tuple(step for step in selftest.STEPS if step[0] not in {"sample", "study"})
    monkeypatch.setattr(selftest, "STEPS", steps)
    status, _, err = run("-o", str(tmp_path))
    assert status == 1
    assert "The step 'draw' failed: ImportError: the library of the compiler cannot be loaded" in err
    assert "Traceback" not in err


def test_a_folder_that_cannot_be_made_is_the_users_to_mend(run, tmp_path):
    (tmp_path / "file").write_text("")
    status, _, err = run("-o", str(tmp_path / "file" / "folder"))
    assert status == 3
    assert "Part of this path is a file, not a folder." in err


def test_nothing_stays_behind_without_a_folder(run, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(selftest, "STEPS", tuple(step for step in selftest.STEPS if step[0] in {"read", "fit"}))
    assert run()[0] == 0
    assert list(tmp_path.iterdir()) == []
