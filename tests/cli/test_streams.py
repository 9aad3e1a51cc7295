"""Full disks, terminals without letters, pipes, devices and missing parts: one sentence from the program itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tapdesk.cli.main import main
from tapdesk.errors import TapdeskError, explanation
from tapdesk.project.files.recognition import is_project
from tapdesk.ratings.formats import files
from tapdesk.ratings.reading import read_now

ROOT = Path(__file__).resolve().parents[2]
TABLE = "case,Ana,Ben,Cleo\n" + "".join(f"{i},ja,{'いい' if i % 2 else 'ja'},ja\n" for i in range(6))


def run(script, folder, **environment):
    """What a line of shell answers; ``$T`` is the program."""
    program = f"{sys.executable} -m tapdesk"
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT), "T": program, "XDG_DATA_HOME": str(folder), **environment}
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=surroundings, capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_full_disk_is_a_sentence_and_no_number_is_lost_in_silence(tmp_path):
    status, _out, said = run("$T --version > /dev/full", tmp_path)
    assert status == 3
    assert said.startswith("tapdesk: standard output: The answer could not be written: No space left on device.")
    assert len(said.splitlines()) == 1


def test_a_terminal_without_letters_still_shows_every_number(tmp_path):
    (tmp_path / "t.csv").write_text(TABLE, encoding="utf-8")
    status, out, said = run("$T agree t.csv 2> /dev/full", tmp_path, PYTHONIOENCODING="ascii")
    assert (status, said) == (0, "")
    assert r"\u3044\u3044" in out
    assert "-0." in out  # the minus of this program is a minus in every encoding


def test_letters_the_terminal_lacks_are_named_once(tmp_path):
    (tmp_path / "t.csv").write_text(TABLE, encoding="utf-8")
    status, _out, said = run("$T agree t.csv --class1 いい", tmp_path, PYTHONIOENCODING="ascii")
    lacking = "tapdesk: Output in the encoding ascii cannot show every letter; those stand as \\uXXXX."
    assert (status, said.splitlines()) == (0, [lacking])


def test_pipes_and_devices_are_refused_before_they_are_opened(tmp_path, capsys):
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    for place, words in ((pipe, "This is a pipe, not a file."), (Path("/dev/zero"), "This is a device, not a file.")):
        assert not is_project(place)
        for command in ("check", "verify"):
            assert main([command, str(place)]) == 3
            assert words in capsys.readouterr().err


def test_a_file_that_changes_or_goes_while_it_is_read_is_refused(tmp_path, monkeypatch):
    place = tmp_path / "t.csv"
    place.write_text(TABLE, encoding="utf-8")
    told = os.fstat
    with monkeypatch.context() as patched:

        def grown(handle):
            """A writer adds a row after the size was looked at."""
            size = told(handle)
            with place.open("a", encoding="utf-8") as other:
                other.write("9,ja,ja,ja\n")
            return size

        patched.setattr(files.os, "fstat", grown)
        with pytest.raises(TapdeskError, match="was changed while it was read"):
            read_now(place)
    place.unlink()
    with pytest.raises(TapdeskError, match="no such file"):
        read_now(place)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ModuleNotFoundError("No module named 'PySide6'", name="PySide6"), "pip install 'tapdesk[desktop]'"),
        (ImportError("libEGL.so.1: cannot open shared object file"), "libegl1"),
        (ImportError("x.so: failed to map segment from shared object"), "not enough memory to load"),
        (MemoryError(), "not enough memory for this"),
    ],
)
def test_what_is_no_bug_is_said_plainly(error, words):
    said = explanation(error)
    assert said is not None
    assert said.exit_status == 3
    assert words in str(said)


def test_a_bug_is_none_of_the_exit_statuses_of_answers_and_leaves_its_place(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("tapdesk.cli.analyses.check", lambda _args: 1 / 0)
    assert main(["check", "sample:jury"]) == 70
    said = capsys.readouterr().err
    assert said.startswith("tapdesk: this is a fault of the program")
    assert "Traceback" not in said
    log = tmp_path / "tapdesk" / "fault.log"
    assert log.stat().st_mode & 0o777 == 0o600
    assert "ZeroDivisionError" in log.read_text()


def test_without_qt_the_program_says_what_to_install(tmp_path):
    (tmp_path / "PySide6").mkdir()
    (tmp_path / "PySide6" / "__init__.py").write_text("raise ModuleNotFoundError('none', name='PySide6')\n")
    status, out, said = run("$T", tmp_path, PYTHONPATH=f"{tmp_path}:{ROOT}")
    assert (status, out) == (3, "")
    assert said.startswith("tapdesk: The window needs PySide6, which is not installed. Install it with: pip install")
    assert len(said.splitlines()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_too_little_memory_to_load_is_a_sentence(tmp_path):
    status, out, said = run("ulimit -v 150000; $T check sample:jury", tmp_path)
    assert (status, out) == (3, "")
    assert said.startswith("tapdesk: There is not enough memory for this.")
