"""The lines between grades while the categories are put into another order: found anew, marked, never removed."""

from dataclasses import replace
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton

from tapdesk.answers.question import QUESTIONS
from tapdesk.gui.runs import side_studies as module
from tapdesk.gui.runs.side_studies import CurrentCutPoints, find_cut_points
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read_now
from tapdesk.report.setup import setup
from tapdesk.studies.analysis import Request
from tapdesk.studies.scan import Direction, reordered, scan
from tests.gui.conftest import LONG, worked_out

WALD = Request(model("t-a-p"), interval="wald")
MOVED = ("bronze", "no medal", "silver", "gold")
LINES = next(q for q in QUESTIONS if q.key == "lines")


@pytest.fixture(scope="module")
def jury_read():
    return read_now("sample:jury", ReadingOptions()).ratings


def values(found):
    """Names and numbers of every line: a with its interval, and root kappa."""
    ends = [(c.free.estimate("a").value, c.free.estimate("a").low) for c in found.cuts]
    return [(c.name, c.low, c.high, *e, c.root_kappa.value) for c, e in zip(found.cuts, ends, strict=True)]


def test_lines_of_another_order_are_those_of_a_scan_of_it(jury_read):
    before, moved = finish(scan(jury_read, WALD)), jury_read.with_order(MOVED)
    steps = []
    found = finish(find_cut_points(CurrentCutPoints(None, moved), WALD, before, jury_read), steps.append)
    assert values(found.scan) == values(finish(scan(moved, WALD)))
    assert (found.intervals, found.coming) == (True, False)
    # The estimates came first, before the intervals were worked out.
    first = next(s.values["abreast"] for s in steps if "abreast" in s.values)
    assert [cut.name for cut in first.scan.cuts] == ["bronze | no medal", "no medal | silver", "silver | gold"]
    assert first.scan.cuts[0].free.estimate("a").low is None
    assert first.coming
    # Lines that part the same categories are not fitted again.
    assert [cut.free in {c.free for c in before.cuts} for cut in found.scan.cuts] == [False, True, True]


def test_intervals_of_redraws_wait_for_the_next_run(jury_read):
    asked = replace(WALD, interval="bootstrap", replicates=5)
    found = finish(find_cut_points(CurrentCutPoints(None, jury_read.with_order(MOVED)), asked, None, jury_read))
    assert not found.intervals
    assert "Run again for the intervals." in found.words
    assert all(cut.free.estimate("a").low is None for cut in found.scan.cuts)


def test_lines_of_other_ratings_are_not_taken_over(jury_read):
    fewer = jury_read.keep(jury_read.subject < 100)
    assert reordered(jury_read, jury_read.with_order(MOVED))
    assert not reordered(jury_read, fewer)
    assert not reordered(jury_read, jury_read.merged((("no medal", "bronze"), ("silver",), ("gold",))))
    before = finish(scan(jury_read, WALD))
    found = finish(find_cut_points(CurrentCutPoints(None, fewer), WALD, before, jury_read))
    assert values(found.scan) == values(finish(scan(fewer, WALD)))


def test_categories_dragged_into_another_order_bring_the_lines_up_to_date_and_going_back_finds_those_of_the_run(
    jury, qtbot, monkeypatch
):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 20)
    session, gate, quick = jury.session, Event(), module.scan

    def held(*args, **more):
        while not gate.wait(0.005):
            yield module.Step(0, 1, "scan")
        return (yield from quick(*args, **more))

    session.choose(question=LINES, interval="wald")
    qtbot.waitUntil(lambda: session.ready, timeout=LONG)
    with qtbot.waitSignal(session.fitting.done, timeout=LONG):
        jury.run()
    jury.go(2)
    qtbot.waitUntil(lambda: worked_out(jury), timeout=LONG)
    block = jury.results.part_blocks["lines"]
    first, fit = block.rows[1], session.document.analysis.fit
    monkeypatch.setattr(module, "scan", held)
    jury.go(0)
    jury.dataset.categories.moved.emit(MOVED)
    # While they are found anew the lines of the run stand, marked.
    assert block.rows[1] == first
    assert block.body.above.text().startswith("Out of date.")
    gate.set()
    qtbot.waitUntil(lambda: session.cut_points.now.intervals, timeout=LONG)
    assert [row[0] for row in block.rows[1]] == ["bronze | no medal", "no medal | silver", "silver | gold"]
    assert block.body.above.text().startswith("These lines follow the classes as they stand now")
    # The rest is what it was, and says that it is out of date.
    assert session.document.analysis.fit is fit
    assert session.out_of_date == "Data changed after this run"
    # Without an order there are no lines: those of the run stand, with the reason.
    jury.dataset.categories_card.unordered.click()
    assert "have no order" in block.body.above.text()
    assert block.rows[1] == first
    session.document.undo_stack.undo()
    session.document.undo_stack.undo()
    assert session.cut_points.now is None
    assert block.rows[1] == first
    assert "Out of date" not in block.body.above.text()
    assert session.out_of_date == ""


def test_the_side_that_is_counted_is_turned_by_a_click_kept_for_the_report_and_taken_back(jury, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 20)
    session = jury.session
    session.choose(question=LINES, interval="wald")
    qtbot.waitUntil(lambda: session.ready, timeout=LONG)
    with qtbot.waitSignal(session.fitting.done, timeout=LONG):
        jury.run()
    jury.go(2)
    qtbot.waitUntil(lambda: worked_out(jury), timeout=LONG)
    block = jury.results.part_blocks["lines"]
    above, fit = [row[1] for row in block.rows[1]], session.document.analysis.fit
    # a beside the root of kappa, and below it t beside p: both are seen.
    assert len(block.body.panels.views) == 2
    assert "At none of the lines tested are t and p further apart" in block.body.below.text() + block.body.above.text()
    qtbot.mouseClick(block.sides.findChildren(QAbstractButton)[1], Qt.MouseButton.LeftButton)
    below = [row[1] for row in block.rows[1]]
    assert [float(one) + float(other) for one, other in zip(above, below, strict=True)] == pytest.approx(
        [1] * 3, abs=0.011
    )
    assert setup(session.document.project).direction is Direction.BELOW
    # Nothing is run again, and nothing is out of date.
    assert session.document.analysis.fit is fit
    assert session.out_of_date == ""
    session.document.undo_stack.undo()
    assert [row[1] for row in block.rows[1]] == above
    assert block.sides.value is Direction.ABOVE
