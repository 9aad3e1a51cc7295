"""What the set-up says on machines that lack something, tried with stand-ins on an otherwise empty PATH."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("bash", "cat", "cksum", "dirname", "flock", "grep", "tail", "rm", "mkdir", "mktemp", "env", "uname")


@pytest.fixture
def machine(tmp_path):
    """A copy of the program's set-up, and a folder that is the whole PATH."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        if found is not None:
            (programs / name).symlink_to(found)
    (tmp_path / "packaging").mkdir()
    for name in ("run", "setup", "runtime.lock"):
        shutil.copy(ROOT / "packaging" / name, tmp_path / "packaging" / name)
    shutil.copy(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    return tmp_path


def stand_in(machine, name, script):
    place = machine / "bin" / name
    place.write_text(f"#!{shutil.which('bash')}\n{script}\n")
    place.chmod(0o755)


def said(machine, *arguments, **environment):
    done = subprocess.run(
        [str(machine / "bin" / "bash"), str(machine / "packaging" / "run"), *arguments],
        env={"PATH": str(machine / "bin"), "HOME": str(machine), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stderr


def with_all_libraries(machine):
    # A linker that cannot be asked claims nothing, so that no library counts as missing.
    stand_in(machine, "ldconfig", "exit 1")


@pytest.mark.parametrize("version", ["3.10.14", "3.14.0"])
def test_a_python_that_is_too_old_or_too_new_is_named_with_those_that_fit(machine, version):
    with_all_libraries(machine)
    stand_in(machine, "python3", f"echo Python {version}")
    status, words = said(machine, "check", "sample:jury")
    assert status == 1
    fit = "Install one of the three and run this again."
    assert words == f"tapdesk: tapdesk needs Python 3.11, 3.12 or 3.13; this machine has Python {version}. {fit}\n"
    assert not (machine / ".venv").exists()


def test_a_machine_without_python_is_told_so(machine):
    with_all_libraries(machine)
    status, words = said(machine, "--version")
    assert status == 1
    assert "this machine has no Python at all" in words


def test_on_a_machine_without_python_the_systems_own_is_installed_and_then_looked_at(machine):
    with_all_libraries(machine)
    stand_in(machine, "id", "echo 0")
    # As on an old system: what it has does not fit.
    stand_in(machine, "old", "echo Python 3.9.2")
    (machine / "bin" / "cp").symlink_to(shutil.which("cp"))
    put = f"cp {machine}/bin/old {machine}/bin/python3"
    stand_in(machine, "apt-get", f'echo "$*" >>{machine}/asked\n[[ $* != *install* ]] || {put}')
    status, words = said(machine, "--version")
    assert status == 1
    assert "Installing system packages: python3 python3-venv" in words
    assert (machine / "asked").read_text().splitlines()[-1].endswith("--no-install-recommends python3 python3-venv")
    assert "this machine has Python 3.9.2." in words


def test_without_root_and_python_the_exact_line_to_type_is_printed(machine):
    with_all_libraries(machine)
    stand_in(machine, "id", "echo 1000")
    stand_in(machine, "sudo", "exit 1")
    stand_in(machine, "apt-get", "exit 1")
    status, words = said(machine, "--version")
    assert status == 1
    assert words.splitlines()[-1].strip() == "sudo apt-get install -y --no-install-recommends python3 python3-venv"


def test_without_root_the_exact_line_to_type_is_printed_and_nothing_is_installed(machine):
    stand_in(machine, "ldconfig", "echo 'libGL.so.1 (libc6,x86-64) => /usr/lib/libGL.so.1'")
    stand_in(machine, "apt-get", f"echo called >{machine}/called")
    stand_in(machine, "id", "echo 1000")
    stand_in(machine, "sudo", "exit 1")
    status, words = said(machine, QT_QPA_PLATFORM="offscreen")
    assert status == 1
    line = words.splitlines()[-1].strip()
    assert line.startswith("sudo apt-get install -y --no-install-recommends ")
    assert "libxcb-cursor0" in line
    assert " libgl1" not in line
    assert not (machine / "called").exists()


def test_without_apt_the_libraries_are_named_and_the_command_line_goes_on(machine):
    stand_in(machine, "ldconfig", "true")
    status, words = said(machine, QT_QPA_PLATFORM="offscreen")
    assert status == 1
    assert "lacks some packages: libEGL.so.1" in words
    assert "with its package manager and run this again." in words
    # The command line needs no Qt: what stops this one is the Python, which this machine has not either.
    status, words = said(machine, "check", "sample:jury")
    assert "This command goes on, but for the window this system lacks some packages" in words
    assert "this machine has no Python at all" in words


def test_without_a_display_the_command_line_is_shown(machine):
    status, words = said(machine)
    assert status == 1
    assert "bash packaging/run check sample:jury" in words
