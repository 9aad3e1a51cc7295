"""A long day at the window: what a fit leaves behind is let go when the next one has come."""

import gc
from pathlib import Path

import pytest

from tapdesk.fitting.fit import Fit
from tapdesk.gui.runs.job import Worker

LONG = 240_000
WARM, FITS = 60, 200
MOST = 12_000_000  # bytes; one kept fit of the jury with its pictures would be some 100 kB, so 140 of them show


def resident():
    """Bytes of memory in use by this process."""
    rows = Path("/proc/self/status").read_text("ascii").splitlines()
    return int(next(row for row in rows if row.startswith("VmRSS")).split()[1]) * 1024


def fits_alive():
    gc.collect()
    return sum(isinstance(thing, Fit) for thing in gc.get_objects())


@pytest.mark.slow
def test_two_hundred_fits_leave_no_more_memory_than_sixty(jury, qtbot, monkeypatch):
    # What stands beside a fit is tried by its own tests; here the fits and what shows them are worn.
    monkeypatch.setattr("tapdesk.gui.runs.side_studies.studies_of", lambda _analysis: ())
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 200)
    session = jury.session
    jury.go(2)
    used, kept_by_other_tests = 0, fits_alive()
    for at in range(FITS):
        session.choose(seed=at + 1, interval="none")
        qtbot.waitUntil(lambda: session.ready, timeout=LONG)
        with qtbot.waitSignal(session.fitting.done, timeout=LONG):
            session.run()
        qtbot.wait(5)
        if at + 1 == WARM:
            gc.collect()
            used = resident()
    assert fits_alive() - kept_by_other_tests <= 6
    qtbot.waitUntil(lambda: len(session.fitting.findChildren(Worker)) <= 1, timeout=LONG)
    grown = resident() - used
    assert grown < MOST, f"{grown / 1e6:.1f} MB more after {FITS - WARM} further fits"
