"""What each command loads: nobody waits for a part of the program that the answer does not need."""

import json
import os
import subprocess
import sys

import pytest

from tapdesk.cli.arguments import parser
from tapdesk.cli.first_page import first_page

LIST = """
import io, json, sys
from contextlib import redirect_stdout
from tapdesk.__main__ import main
sys.argv = ["tapdesk", *sys.argv[1:]]
said = io.StringIO()
with redirect_stdout(said):
    status = main()
print(json.dumps([status, said.getvalue(), sorted(sys.modules)]))
"""


def loaded(*arguments):
    """The status and the words of a command in a process of its own, and the modules it has loaded."""
    surroundings = {**os.environ, "COLUMNS": "100"}
    command = [sys.executable, "-c", LIST, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings, check=False)
    assert done.returncode == 0, done.stderr
    status, words, modules = json.loads(done.stdout)
    assert status == 0
    return words, set(modules)


@pytest.mark.parametrize("argument", ["--version", "--help", "-h"])
def test_the_first_page_loads_the_version_and_the_parser_alone(argument, monkeypatch):
    words, modules = loaded(argument)
    ours = {"", ".__main__", ".cli", ".cli.first_page", ".cli.stopping", ".version"}
    assert {name for name in modules if name.split(".")[0] == "tapdesk"} == {f"tapdesk{name}" for name in ours}
    assert not modules & {"numpy", "scipy", "pandas", "multiprocessing", "dataclasses", "inspect"}
    # What it says is what the whole program would say.
    monkeypatch.setenv("COLUMNS", "100")
    assert words == first_page([argument])
    if argument != "--version":
        assert words == parser().format_help()
    assert words.isascii()


def test_only_a_page_that_is_asked_for_alone_is_the_first_one():
    assert first_page(["fit", "--help"]) is None
    assert first_page(["--version", "--debug"]) is None
    assert first_page([]) is None


# What no answer about a small plain table needs, by the part of it that would be loaded.
HEAVY = {"pandas", "openpyxl", "charset_normalizer", "numpy.f2py", "numpy.testing", "matplotlib", "PySide6", "typst"}
SCIENTIFIC = {"scipy.stats", "scipy.optimize", "scipy.sparse", "scipy.linalg", "scipy.interpolate", "scipy.signal"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("fit", "sample:jury"),
        ("fit", "sample:jury", "--class1", "gold,silver", "--interval", "none"),
        ("check", "sample:jury"),
        ("scan", "sample:jury", "--interval", "none"),
    ],
)
def test_an_answer_about_a_plain_table_loads_only_what_it_computes_with(arguments):
    _words, modules = loaded(*arguments)
    assert "scipy.special" in modules
    assert not modules & HEAVY
    assert not modules & SCIENTIFIC
    assert not {name for name in modules if name.startswith(("tapdesk.gui", "tapdesk.report", "tapdesk.papers"))}


def test_numpy_offers_what_it_did_before_scipy_was_loaded():
    # Of its names two are kept from scipy, and only from it.
    code = "from tapdesk.__main__ import main; main(['--version']); import numpy; print(numpy.f2py and numpy.testing)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "numpy.testing" in done.stdout
