"""The window stays awake while ratings are drawn again, sampled, opened and printed."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.gui.shell.dialogs import Answer
from tapdesk.gui.shell.session import Session
from tapdesk.gui.shell.window import MainWindow
from tapdesk.gui.theme.theme import Theme, add_fonts
from tests.benchmarks.test_event_loop import LONG, MOST, Pulse, as_in_the_program
from tests.gui.monkey import Monkey

__all__ = ["as_in_the_program"]

pytestmark = [pytest.mark.benchmark, pytest.mark.usefixtures("as_in_the_program")]


@pytest.fixture
def jury(qtbot, monkeypatch, tmp_path):
    """The window on the simulated jury, silver and gold as class 1."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.about_changes", lambda _parent, _name: Answer.DROP)
    add_fonts()
    theme, session = Theme(), Session()
    window = MainWindow(theme, session)
    theme.dress()
    qtbot.addWidget(window, before_close_func=lambda w: w.session.fitting.cancel())
    window.resize(1440, 900)
    window.show()
    with qtbot.waitSignal(session.reading.done, timeout=LONG):
        window.open_sample("jury")
    session.choose_class1(("silver", "gold"))
    qtbot.waitUntil(lambda: session.ready, timeout=LONG)
    yield window
    assert window.stop(LONG)


def awake(qtbot, signal, act):
    """The longest gap, in seconds, of a 10 ms timer from the start of something to its end."""
    qtbot.wait(300)
    pulse = Pulse()
    pulse.timer.start()
    with qtbot.waitSignal(signal, timeout=LONG):
        act()
    qtbot.wait(200)
    pulse.timer.stop()
    gaps, work, own = pulse.gaps(), pulse.work(), pulse.own()
    told = f"longest {1000 * gaps.max():.0f} ms, p99 {1000 * np.quantile(gaps, 0.99):.0f} ms over {gaps.size} beats"
    told = f"{told}; without waiting for a processor {1000 * own.max():.0f} ms"
    print(f"{told}; of the processor at most {1000 * work.max():.0f} ms, p99 {1000 * np.quantile(work, 0.99):.0f} ms")
    return gaps.max()


@pytest.mark.parametrize("interval", ["bootstrap", "parametric-bootstrap"])
def test_no_gap_over_fifty_milliseconds_while_cases_are_drawn_again(jury, qtbot, interval):
    jury.session.choose(interval=interval)
    qtbot.waitUntil(lambda: jury.session.ready, timeout=LONG)
    jury.go(1)
    assert awake(qtbot, jury.session.fitting.done, jury.run) <= MOST


def test_no_gap_over_fifty_milliseconds_while_a_posterior_is_sampled(jury, qtbot):
    jury.session.choose(named=replace(jury.session.plan.named, model="t-aj-pj", estimator="posterior"))
    qtbot.waitUntil(lambda: jury.session.ready, timeout=LONG)
    jury.go(1)
    assert awake(qtbot, jury.session.fitting.done, jury.run) <= MOST


def test_no_gap_over_fifty_milliseconds_while_a_million_rows_are_opened(jury, qtbot, tmp_path):
    rng = np.random.default_rng(3)
    place = tmp_path / "million.csv"
    with place.open("w", encoding="utf-8") as file:
        file.write("case,rater,rating\n")
        grades = rng.choice(["low", "mid", "high"], 1_000_000).tolist()
        file.writelines(f"c{i // 5},r{i % 5},{grade}\n" for i, grade in enumerate(grades))
    assert awake(qtbot, jury.session.reading.done, lambda: jury.open_file(str(place))) <= MOST
    assert jury.session.document.project.reading.ratings.category.size == 1_000_000


def test_no_gap_over_fifty_milliseconds_while_a_report_is_made_and_saved(jury, qtbot, tmp_path):
    with qtbot.waitSignal(jury.session.fitting.done, timeout=LONG):
        jury.run()
    jury.go(3)
    qtbot.waitUntil(lambda: jury.report.preview.ready, timeout=LONG)
    saved = awake(qtbot, jury.report.export.job.done, lambda: jury.report.save_to(tmp_path / "report.pdf"))
    assert saved <= MOST


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_random_use_is_told_how_often_it_waited_more_than_fifty_milliseconds(
    jury, monkeypatch, tmp_path, record_property
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.file_to_save", lambda *_: ("", ""))
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.folder", lambda *_: "")
    monkeypatch.setattr("tapdesk.gui.report.export.open_file", lambda _path: True)
    (tmp_path / "wards.csv").write_text("case,Ana,Ben\n" + "".join(f"r{i},{i % 2},{i % 3 % 2}\n" for i in range(30)))
    pulse = Pulse()
    pulse.timer.start()
    Monkey(jury, 5, [tmp_path / "wards.csv"]).play(600)
    pulse.timer.stop()
    gaps, own = pulse.gaps(), pulse.own()
    # Acts follow each other without a pause, and a dialog that is made takes its time: counted, not judged.
    print(f"{(own > MOST).sum()} of {gaps.size} beats late, the latest by {1000 * own.max():.0f} ms")
    record_property("late", int((own > MOST).sum()))
    assert gaps.size > 100
