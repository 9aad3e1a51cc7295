"""One journey as a screen reader makes it: every step by name and role over AT-SPI, on a display nobody sees.

Needs Xvfb, dbus-daemon, at-spi2-core, xdotool and the system's Python with gir1.2-atspi-2.0; `packaging/test --slow`
installs them.
"""

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tapdesk import resources

ROOT = Path(__file__).parents[2]
WALK = ROOT / "packaging" / "smoke_journey.py"
STEPS = ("read:", "asked:", "fitted:", "results:", "report:", "saved:")


def running(stack, command, **options):
    """A program that is ended with the test."""
    made = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    stack.callback(made.wait, 20)
    stack.callback(made.terminate)
    return made


def display_of(stack):
    """A display of our own, as Xvfb names it once it can be used."""
    reading, writing = os.pipe()
    size = ["-screen", "0", "1440x900x24", "-nolisten", "tcp"]
    running(stack, ["Xvfb", "-displayfd", str(writing), *size], pass_fds=[writing])
    os.close(writing)
    with os.fdopen(reading) as told:
        return f":{told.readline().strip()}"


@pytest.mark.slow
def test_ratings_become_a_saved_report_by_names_and_roles_alone(tmp_path):
    session, home, report = tmp_path / "session", tmp_path / "home", tmp_path / "report.pdf"
    for folder in (session, home):
        folder.mkdir(mode=0o700)
    ratings = tmp_path / "ratings.csv"
    shutil.copy(resources.path("samples", "jury.csv"), ratings)
    with ExitStack() as stack:
        bus = f"unix:path={session}/bus"
        places = {"HOME": str(home), "XDG_RUNTIME_DIR": str(session), "DBUS_SESSION_BUS_ADDRESS": bus}
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        around = {**kept, **places, "DISPLAY": display_of(stack), "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
        running(stack, ["dbus-daemon", "--session", "--nofork", f"--address={bus}"], env=around)
        window = running(stack, [sys.executable, "-m", "tapdesk", str(ratings)], env=around, cwd=ROOT)
        # The system's own Python: the bridge to the desktop is none of our packages.
        walk = ["/usr/bin/python3", "-W", "ignore", str(WALK), str(report)]
        walked = subprocess.run(walk, env=around, capture_output=True, text=True, timeout=400, check=False)
        assert walked.returncode == 0, walked.stderr
        assert window.poll() is None
    assert [line.split()[0] for line in walked.stdout.splitlines()] == list(STEPS)
    assert report.read_bytes().startswith(b"%PDF-1.7")
