"""Files and folders of somebody else: one sentence, exit status 3, before any work is done, and nothing is written."""

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


@pytest.fixture
def folder(tmp_path):
    """A table of ours and one of somebody else's, a folder that may only be looked into, and one that may not."""
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


def ordinary(folder, *arguments):
    """The program as an ordinary user: exit status and standard error."""
    program = [sys.executable, "-m", "tapdesk", *arguments]
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("the superuser reads everything, and there is no setpriv to do without")
        program = ["setpriv", "--bounding-set", WITHOUT, f"--inh-caps={WITHOUT}", *program]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(folder / "data")}
    done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="rights of another kind")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        *(pytest.param(row, MAY_NOT_READ, id=f"read: {name}") for name, row in READ.items()),
        *(pytest.param(row, MAY_NOT_WRITE, id=f"write: {name}") for name, row in WRITE.items()),
    ],
)
def test_what_belongs_to_somebody_else_is_one_sentence(folder, arguments, said):
    status, error = ordinary(folder, *arguments)
    assert status == 3, error
    assert error.startswith("tapdesk: ")
    assert said in error
    assert error.count("\n") == 1
    assert not list(folder.glob("out*"))
    assert not list(folder.glob("open/out*"))
