"""Ctrl-C and requests to end at any moment: one line, an exit status, nothing half-written, no process left."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest

PROGRAM = Path(__file__).with_name("interrupted.py")
ROOT = Path(__file__).resolve().parents[2]
NEVER = 10**9
WORKED_OUT = ("--interval", "bootstrap", "--replicates", "200")
COMMANDS = {
    "check csv": ("check", "t.csv"),
    "check xlsx": ("check", "t.xlsx"),
    "fit csv": ("fit", "t.csv", *WORKED_OUT, "--json=out.json"),
    "report xlsx": ("report", "t.xlsx", "-o", "out.html", *WORKED_OUT),
    "report csv": ("report", "t.csv", "-o", "out.pdf", *WORKED_OUT),
    "figure csv": ("figure", "t.csv", "--kind", "distribution", "-o", "out.png", *WORKED_OUT),
    "study csv": ("study", "horizon", "t.csv", "--workers", "2", "--replicates", "400", "-o", "out.csv"),
    "simulate": ("simulate", "--param", "t=.5", "--param", "a=.5", "--param", "p=.5", "--subjects", "40", "--raters",
                 "3", "-o", "out.csv", "--truth-out", "out2.csv"),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    """A table, as text and as a workbook."""
    rows = [("case", "Ana", "Ben", "Cleo")]
    rows += [(f"c{i}", "yn"[i % 2], "yn"[i % 3 > 0], "yn"[i % 5 > 2]) for i in range(30)]
    (tmp_path / "t.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    return tmp_path


def interrupted(folder, moment, number, *arguments):
    """Exit status and standard error of the program that gets a signal at a moment, once all its processes ended."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(folder / "data")}
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(moment), str(int(number)), *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,  # its processes hold standard output too: this ends when the last one has
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def wrong(folder, moment, number, *arguments):
    """What is wrong with how a command stopped; empty where it is as promised."""
    before = set(folder.iterdir())
    status, said = interrupted(folder, moment, number, *arguments)
    left = {p.name for p in set(folder.iterdir()) - before}
    wholes = {p for p in left if not p.startswith("out") or (folder / p).stat().st_size == 0}
    for name in left - wholes:
        (folder / name).unlink()
    # While it is loaded, and nothing can be half-written, the system ends it by itself.
    if (status == 0 and "stopped" not in said) or (status, said, wholes) == (-signal.SIGTERM, "", set()):
        return ""
    lines = [line for line in said.splitlines() if line != "tapdesk: stopped."]
    if status != 128 + number or "tapdesk: stopped." not in said or lines or wholes:
        return f"moment {moment}, signal {int(number)}: status {status}, left {sorted(wholes)}: {said[-600:]}"
    return ""


@pytest.mark.parametrize(
    ("number", "answer"), [(signal.SIGINT, (130, "tapdesk: stopped.\n")), (signal.SIGTERM, (-signal.SIGTERM, ""))]
)
def test_a_signal_while_the_program_is_loaded_is_no_traceback(folder, number, answer):
    assert interrupted(folder, 60, number, "check", "t.csv") == answer


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_signal_at_any_moment_is_one_line_and_leaves_nothing(folder, command, number):
    status, said = interrupted(folder, NEVER, number, *COMMANDS[command])
    assert status == 0, said
    for made in folder.glob("out*"):
        made.unlink()
    moments = int(said.splitlines()[-1])
    assert moments > 100
    # The last ones are those in which files are written.
    tried = sorted({*range(7, moments, moments // 12), *range(moments - 12, moments + 1)})
    faults = [found for moment in tried if (found := wrong(folder, moment, number, *COMMANDS[command]))]
    assert not faults, "\n".join(faults)
