"""Files and folders of somebody else: one sentence, exit status 3, before any work is done, and nothing is written."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534
# The superuser reads everything: here without that right, and the files are those of another user.
WITHOUT = "-dac_override,-dac_read_search,-fowner"
MAY_NOT_READ, MAY_NOT_WRITE = "The file may not be opened.", "The file may not be written"
READ = {
    "check": ("check", "secret.csv"),
    "fit": ("fit", "secret.csv"),
    "agree": ("agree", "secret.csv"),
    "study": ("study", "horizon", "secret.csv", "-o", "out.csv"),
    "report": ("report", "secret.csv", "-o", "out.pdf"),
    "figure": ("figure", "secret.csv", "--kind", "distribution", "-o", "out.png"),
    "verify": ("verify", "secret.csv"),
    "logo": ("report", "ok.csv", "-o", "out.html", "--logo", "secret.csv"),
    "in a closed folder": ("check", "closed/ok.csv"),
}
WRITE = {
    "json": ("fit", "ok.csv", "--json=open/out.json"),
    "report": ("report", "ok.csv", "-o", "open/out.pdf"),
    "project": ("report", "ok.csv", "-o", "out.html", "--save-project", "open/out.tapdesk"),
    "figure": ("figure", "ok.csv", "--kind", "distribution", "-o", "open/out.png"),
    "in a closed folder": ("fit", "ok.csv", "--json=closed/out.json"),
    "over a file": ("fit", "ok.csv", "--json=open/ok.csv", "--force"),
}


ROWS = {
    **{f"read: {name}": (row, MAY_NOT_READ) for name, row in READ.items()},
    **{f"write: {name}": (row, MAY_NOT_WRITE) for name, row in WRITE.items()},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table of ours and one of somebody else's, a folder that may only be looked into, and one that may not."""
    tmp_path = tmp_path_factory.mktemp("not-ours")
    table = "case,Ana,Ben,Cleo\n" + "".join(f"c{i},{'yn'[i % 2]},{'yn'[i % 3 > 0]},y\n" for i in range(12))
    for name in ("ok.csv", "secret.csv", "open/ok.csv", "closed/ok.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(table)
    places = {"secret.csv": 0o000, "open/ok.csv": 0o444, "open": 0o555, "closed": 0o000}
    for name, mode in places.items():
        (tmp_path / name).chmod(mode)
        if os.geteuid() == 0:
            os.chown(tmp_path / name, NOBODY, NOBODY)
    yield tmp_path
    for name in reversed(places):
        (tmp_path / name).chmod(0o700)


# All commands in one process: what takes long is to load the program.
PROGRAM = """
import contextlib, io, json, sys
from tapdesk.__main__ import main

told = {}
for name, arguments in json.load(sys.stdin).items():
    with contextlib.redirect_stderr(io.StringIO()) as error:
        told[name] = (main(arguments), error.getvalue())
json.dump(told, sys.stdout)
"""


@pytest.fixture(scope="module")
def told(folder):
    """What the program says to an ordinary user: for each row exit status and standard error."""
    program = [sys.executable, "-c", PROGRAM]
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("the superuser reads everything, and there is no setpriv to do without")
        program = ["setpriv", "--bounding-set", WITHOUT, f"--inh-caps={WITHOUT}", *program]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(folder / "data")}
    rows = json.dumps({name: arguments for name, (arguments, _said) in ROWS.items()})
    done = subprocess.run(program, cwd=folder, env=environment, input=rows, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.mark.skipif(sys.platform == "win32", reason="rights of another kind")
@pytest.mark.parametrize("name", ROWS)
def test_what_belongs_to_somebody_else_is_one_sentence(folder, told, name):
    status, error = told[name]
    assert status == 3, error
    assert error.startswith("tapdesk: ")
    assert ROWS[name][1] in error
    assert error.count("\n") == 1
    assert not list(folder.glob("out*"))
    assert not list(folder.glob("open/out*"))
