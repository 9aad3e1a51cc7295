"""What is loaded when the first card and the window show: every package there costs every start of the program."""

import json
import os
import subprocess
import sys

import pytest

# The whole program up to its event loop, which it leaves at once; then what it has loaded.
START = """
import json, sys
from tapdesk.gui import app
first = []
show = app.opening_card
app.opening_card = lambda theme: (first.extend(sys.modules), show(theme))[1]
status = app.run(["--quit"])
print(json.dumps([status, sorted(sys.modules), sorted(first)]))
"""
MEANT = {"PySide6", "numpy", "pyqtgraph", "scipy", "shiboken6", "tapdesk"}
# The reader of XML, a small one; what numpy.f2py (scipy loads all of numpy) and pyqtgraph take where it is installed;
# what setuptools puts into every Python.
ALONG = {"defusedxml", "charset_normalizer", "colorama", "shibokensupport", "_distutils_hack"}
# scipy.special with what it stands on; nothing here may bring scipy.stats, scipy.optimize, scipy.linalg ...
SCIPY = {"special", "_lib", "_cyutility", "_distributor_init", "version", "__config__"}


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    home = str(tmp_path_factory.mktemp("home"))
    places = {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}
    done = subprocess.run(
        [sys.executable, "-c", START],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **places, "QT_QPA_PLATFORM": "offscreen"},
    )
    status, loaded, first = json.loads(done.stdout)
    assert status == 0
    return loaded, first


@pytest.fixture(scope="module")
def loaded(started):
    """What is loaded when the window shows."""
    return started[0]


@pytest.fixture(scope="module")
def first(started):
    """What is loaded when the card shows that says that the window is coming."""
    return started[1]


def test_before_the_first_card_nothing_is_loaded_but_qt_and_what_draws_the_card(first):
    assert {name.split(".")[0] for name in first}.isdisjoint({"numpy", "scipy", "pyqtgraph", "pandas"})
    ours = {name for name in first if name.startswith("tapdesk.")}
    drawing = {"theme", "theme.icons", "theme.style_sheet", "theme.theme", "app"}
    ground = {"tapdesk.gui", "tapdesk.language", "tapdesk.resources", "tapdesk.version"}
    assert ours == {*ground, *(f"tapdesk.gui.{n}" for n in drawing)}


def test_only_the_packages_the_first_window_needs_are_loaded(loaded):
    from importlib.metadata import packages_distributions

    installed = packages_distributions()
    packages = {name.split(".")[0] for name in loaded}
    assert {name for name in packages if name in installed} <= MEANT | ALONG
    assert packages >= MEANT


def test_of_scipy_only_the_special_functions_are_loaded(loaded):
    parts = {name.split(".")[1] for name in loaded if name.startswith("scipy.")}
    assert parts <= SCIPY


def test_what_writes_reports_and_opens_workbooks_waits_until_it_is_asked(loaded):
    late = {"pandas", "typst", "openpyxl", "pyreadstat", "python_calamine", "arviz_stats", "scipy.stats"}
    assert late.isdisjoint(loaded)


def test_the_command_line_is_not_loaded_with_the_window(loaded):
    assert [name for name in loaded if name.startswith("tapdesk.cli")] == []
