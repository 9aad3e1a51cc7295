"""Whatever the form of a report, and however many files it is: all of it is there or nothing, and old files stay."""

import errno
import os
from pathlib import Path

import pytest

from tapdesk.answers.side_results import Wanted
from tapdesk.errors import TapdeskError
from tapdesk.progress import finish
from tapdesk.project.files.outputs import Outputs
from tapdesk.project.files.saving import save_all
from tapdesk.report.build import build
from tapdesk.report.forms.write import write
from tapdesk.report.letters import write_letters
from tapdesk.report.setup import prepare

from .examples import project_of
from .test_large import panel

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def inside(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def failing_at(monkeypatch, place, call, error):
    """Let the system refuse one call of a function, counted from 1."""
    real = getattr(*place)
    made = []

    def refused(*arguments, **more):
        made.append(arguments)
        if len(made) == call:
            raise error
        return real(*arguments, **more)

    monkeypatch.setattr(*place, refused)


def test_several_files_are_written_and_replaced(tmp_path):
    one, two = tmp_path / "one.pdf", tmp_path / "two.pdf"
    save_all([(one, b"1")])
    save_all([(one, b"new"), (two, b"2")])
    assert inside(tmp_path) == {"one.pdf": b"new", "two.pdf": b"2"}


def test_long_names_that_begin_alike_are_not_mixed_up(tmp_path):
    files = [(tmp_path / f"{'a very long name ' * 4}{i}.png", bytes([i])) for i in range(5)]
    save_all(files)
    assert inside(tmp_path) == {path.name: content for path, content in files}


@pytest.mark.parametrize("call", [1, 3])
@pytest.mark.parametrize("stopped", [FULL, KeyboardInterrupt()])
def test_a_disk_that_fills_up_and_a_stop_half_way_change_nothing(tmp_path, monkeypatch, call, stopped):
    before = [(tmp_path / f"{i}.pdf", b"old") for i in range(2)]
    save_all(before)
    failing_at(monkeypatch, (os, "fsync"), call, stopped)
    with pytest.raises((TapdeskError, KeyboardInterrupt)) as caught:
        save_all([(tmp_path / f"{i}.pdf", b"new") for i in range(4)])
    if isinstance(caught.value, TapdeskError):
        assert "disk is full" in caught.value.what
        assert caught.value.where == str(tmp_path / f"{call - 1}.pdf")
    assert inside(tmp_path) == {"0.pdf": b"old", "1.pdf": b"old"}


@pytest.mark.parametrize("linked", [True, False])
def test_a_file_held_by_another_program_when_others_are_in_place_puts_these_back(tmp_path, monkeypatch, linked):
    save_all([(tmp_path / "0.pdf", b"old"), (tmp_path / "2.pdf", b"old")])
    if not linked:
        # As on a memory stick, where a file has one name only.
        failing_at(monkeypatch, (os, "link"), 1, OSError(errno.EPERM, "no links"))
    failing_at(monkeypatch, (Path, "replace"), 3, PermissionError(errno.EACCES, "held"))
    with pytest.raises(TapdeskError, match="another program has it open") as caught:
        save_all([(tmp_path / f"{i}.pdf", b"new") for i in range(4)])
    assert caught.value.where == str(tmp_path / "2.pdf")
    assert inside(tmp_path) == {"0.pdf": b"old", "2.pdf": b"old"}


@pytest.fixture(scope="module")
def project():
    return project_of(None, panel(("Ana", "Ben", "Cy"), 2, 60))


@pytest.fixture(scope="module")
def known(project):
    return finish(prepare(project, Wanted(replicates=5, tests=False, sensitivity=False)))


@pytest.mark.parametrize("refusal", [errno.ENOSPC, errno.EACCES, errno.EROFS])
@pytest.mark.parametrize("suffix", [".pdf", ".html", ".xlsx", ".png"])
def test_no_form_of_the_report_is_half_written(project, tmp_path, monkeypatch, suffix, refusal):
    names = ["out-01.png", "out-02.png"] if suffix == ".png" else [f"out{suffix}"]
    for name in names:
        (tmp_path / name).write_bytes(b"the old one")
    report = build(project, leave_out={"design", "data", "description", "technical", "counts", "purpose"})
    failing_at(monkeypatch, (os, "fsync"), len(names), OSError(refusal, os.strerror(refusal)))
    with pytest.raises(TapdeskError) as caught:
        write(report, tmp_path / f"out{suffix}", ppi=20, outputs=Outputs(force=True))
    assert caught.value.where == str(tmp_path / names[-1])
    assert caught.value.fix
    assert inside(tmp_path) == dict.fromkeys(names, b"the old one")


def test_no_letter_is_there_when_the_disk_fills_up_at_the_last_of_them(project, known, tmp_path, monkeypatch):
    failing_at(monkeypatch, (os, "fsync"), 3, FULL)
    with pytest.raises(TapdeskError, match="disk is full"):
        finish(write_letters(project, known, tmp_path))
    assert inside(tmp_path) == {}
