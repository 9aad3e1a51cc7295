"""Without memory, a home, a place for temporary files or a true clock: a sentence, or an answer as ever."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tapdesk.cli.main import main
from tapdesk.report.forms import pdf

ROOT = Path(__file__).resolve().parents[2]
ROWS = [",".join([str(i), *("yn"[(i + (i % k == 0)) % 2] for k in (4, 7, 5))]) for i in range(60)]
TABLE = "\n".join(["case,Ana,Ben,Cy", *ROWS, ""])
MEGABYTE = 1 << 20
SHORT = "tapdesk: There is not enough memory"


@pytest.fixture
def table(tmp_path):
    place = tmp_path / "t.csv"
    place.write_text(TABLE)
    return place


def program(*arguments, megabytes=None, without=(), **environment):
    """The program in a process of its own, with so much address space, without some variables and with others."""
    surroundings = {name: value for name, value in os.environ.items() if name not in without}
    surroundings |= {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1", **environment}
    command = [sys.executable, "-m", "tapdesk", *map(str, arguments)]
    if megabytes is not None:
        command = ["bash", "-c", f'ulimit -v {megabytes * 1024}; exec "$@"', "bash", *command]
    return subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep to no such limit")
@pytest.mark.parametrize("megabytes", [60, 280, 300, pytest.param(330, marks=pytest.mark.slow)])
def test_a_command_within_a_limit_of_memory_answers_or_says_one_sentence(table, megabytes):
    done = program("fit", table, "--interval", "none", megabytes=megabytes)
    if done.returncode == 0:
        assert "t-a-p, 60 cases" in done.stdout
        return
    assert done.returncode == 3
    assert done.stderr.startswith(SHORT)
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep to no such limit")
@pytest.mark.parametrize("megabytes", [340, 380, 420, 460, 520, 600])
def test_a_report_within_a_limit_of_memory_is_whole_or_the_old_one_stays(table, megabytes):
    out = table.with_name("r.pdf")
    out.write_bytes(b"old")
    asked = ("report", table, "--interval", "none", "--replicates", "10", "-o", out, "--force")
    done = program(*asked, megabytes=megabytes)
    if done.returncode == 0:
        assert out.read_bytes().startswith(b"%PDF")
        return
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1].startswith(SHORT)
    assert "Traceback" not in done.stderr
    assert out.read_bytes() == b"old"
    assert {p.name for p in table.parent.iterdir()} == {"t.csv", "r.pdf"}


def test_the_compiler_of_reports_is_not_begun_without_memory(table, monkeypatch, capsys):
    # Where it gets no memory it ends the program, and the window with it.
    monkeypatch.setattr(pdf, "_ROOM", 1 << 60)
    out = table.with_name("f.pdf")
    assert main(["figure", str(table), "--kind", "tree", "--interval", "none", "-o", str(out)]) == 3
    assert capsys.readouterr().err.startswith(SHORT)
    assert not out.exists()


@pytest.mark.costly(2)
@pytest.mark.parametrize(
    ("without", "environment"),
    [
        (("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), {}),
        (("XDG_DATA_HOME",), {"HOME": "/nonexistent"}),
        (("XDG_DATA_HOME",), {"HOME": "/dev/null"}),
        ((), {"TMPDIR": "/nonexistent"}),
        ((), {"TMPDIR": "/dev/null", "HOME": "", "XDG_DATA_HOME": ""}),
    ],
)
def test_a_figure_needs_no_home_and_no_place_for_temporary_files(table, without, environment):
    out = table.with_name("f.pdf")
    asked = ("figure", table, "--kind", "tree", "--interval", "none", "-o", out)
    done = program(*asked, without=without, **environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert out.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("seconds", [0, -(10**9), 2**31 + 10, 10**11])
def test_the_moment_of_a_file_is_nothing_to_go_by(table, seconds, capsys):
    os.utime(table, (seconds, seconds))
    out = table.with_name("s.csv")
    words = ["simulate", "--param", "t=.5", "--param", "a=.5", "--param", "p=.5", "--subjects", "4", "--raters", "2"]
    assert main([*words, "-o", str(out)]) == 0
    os.utime(out, (seconds, seconds))
    assert main([*words, "-o", str(out), "--force"]) == 0
    assert main(["check", str(table)]) == 0
    assert capsys.readouterr().err == ""


WINDOW = "import sys; from tapdesk.gui.app import run; sys.exit(run(['--quit']))"
NO_FONTS = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>'


@pytest.mark.parametrize("lacking", ["home", "places", "fonts"])
def test_the_window_opens_without_a_home_places_to_write_or_fonts_of_the_system(tmp_path, lacking):
    (tmp_path / "fonts.conf").write_text(NO_FONTS)
    given = {
        "home": {},
        "places": {"HOME": "/dev/null", "TMPDIR": "/nonexistent", "XDG_RUNTIME_DIR": "/nonexistent"},
        "fonts": {"FONTCONFIG_FILE": str(tmp_path / "fonts.conf"), "HOME": str(tmp_path)},
    }[lacking]
    kept = {k: v for k, v in os.environ.items() if k != "HOME" and not k.startswith("XDG_")}
    surroundings = {**kept, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen", **given}
    command = [sys.executable, "-c", WINDOW]
    done = subprocess.run(command, cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
