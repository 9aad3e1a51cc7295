"""The program is ended from outside: what was not saved is offered at the next start."""

import os
import shutil
import signal
import subprocess
import sys

import pytest

from tapdesk.project.files.autosave import FOLDER, recoveries

# Opens a sample and writes a note that is not saved; where its copy is not to be made by the clock it stops that.
WRITING = """
import os, sys
from tapdesk.gui import app
from tapdesk.gui.shell.window import MainWindow

made = MainWindow.__init__

def init(self, *args):
    made(self, *args)
    self.session.opened.connect(lambda _opened: write(self))
    self.project_file.keeping.done.connect(lambda _done: print("kept", flush=True))

def write(window):
    document = window.session.document
    document.do("A note", document.project.with_note("summary", "Not saved."))
    if sys.argv[1] == "by hand":
        window.project_file.timer.stop()
    print("written", flush=True)

MainWindow.__init__ = init
os.umask(0)
sys.exit(app.run(["sample:jury"]))
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A user's folders, as an earlier version left them: readable for all."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    old = tmp_path / "data" / "tapdesk" / FOLDER
    old.mkdir(parents=True)
    (old / "0011.json").write_text("{}", "utf-8")
    conf = tmp_path / "config" / "tapdesk" / "tapdesk.conf"
    conf.parent.mkdir(parents=True)
    conf.write_text("[General]\nscale=100\n", "utf-8")
    for place in (tmp_path / "data" / "tapdesk", old, conf.parent):
        place.chmod(0o755)
    for place in (old / "0011.json", conf):
        place.chmod(0o644)
    return tmp_path


def started(how, until, **environment):
    """A window in a process of its own that has come to a point."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITING, how], stdout=subprocess.PIPE, text=True, env=os.environ | environment
    )
    for line in process.stdout:
        if line.strip() == until:
            break
    return process


def offered(home):
    """The notes of what is offered at the next start."""
    return [found.load().notes["summary"] for found in recoveries(home / "data" / "tapdesk" / FOLDER)]


def others_may_see(home):
    """What other users may look at."""
    ours = [home / "data" / "tapdesk", home / "config" / "tapdesk"]
    return [str(p) for top in ours for p in (top, *top.rglob("*")) if p.stat().st_mode & 0o077]


ENDS = [signal.SIGTERM, *(pytest.param(one, marks=pytest.mark.slow) for one in (signal.SIGHUP, signal.SIGINT))]


@pytest.mark.parametrize("how", ENDS)
def test_a_signal_ends_the_window_when_its_work_is_kept_and_no_other_user_can_read_it(home, how):
    process = started("by hand", "written")
    process.send_signal(how)
    process.communicate()
    assert process.returncode == -how
    assert offered(home) == ["Not saved."]
    assert others_may_see(home) == []


@pytest.mark.slow
def test_a_killed_window_has_kept_its_work_by_itself(home):
    process = started("by itself", "kept")
    process.kill()
    process.communicate()
    assert offered(home) == ["Not saved."]
    assert others_may_see(home) == []


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="no Xvfb here")
def test_a_window_whose_display_server_dies_keeps_its_work(home):
    hear, say = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(say), "-screen", "0", "1280x800x24"], pass_fds=[say])
    os.close(say)
    with os.fdopen(hear) as heard:
        display = heard.readline().strip()
    process = started("by hand", "written", QT_QPA_PLATFORM="xcb", DISPLAY=f":{display}")
    server.kill()
    server.wait()
    process.communicate()
    assert process.returncode != 0
    assert offered(home) == ["Not saved."]
