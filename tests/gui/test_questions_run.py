"""All questions of a form while they are worked on: live, stopped, gone on with, sorted; the window never waits."""

import random
from collections import Counter
from threading import Event

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel

from tapdesk.answers.content import Table
from tapdesk.answers.question_columns import Order
from tapdesk.gui.results.all_questions import report_of
from tapdesk.progress import Step
from tapdesk.project.decisions.ratings import LeaveOutRaters
from tapdesk.report.setup import setup
from tapdesk.studies import criteria
from tests.gui.conftest import LONG
from tests.gui.test_turns import Turns

VERY_LONG = 4 * LONG
N, RECORDS, HELD_AT = 30, 180, 12
NURSES = ("Adams", "Brown", "Chen", "Davies", "Evans", "Hughes")


@pytest.fixture
def place(tmp_path):
    """Thirty questions of six nurses about 180 records, followed as often as their places tell; one has one answer."""
    rng = random.Random(4)
    lines = ["Record,Nurse," + ",".join(f"Item {q + 1}" for q in range(N))]
    follows = [0.2 + 0.75 * ((7 * q) % N) / N for q in range(N)]
    for record in range(RECORDS):
        true = [rng.random() < 0.5 for _ in range(N)]
        for nurse in NURSES:
            given = (t if rng.random() < a else rng.random() < 0.5 for t, a in zip(true[1:], follows[1:], strict=True))
            lines.append(f"R{record},{nurse},Yes," + ",".join("Yes" if one else "No" for one in given))
    path = tmp_path / "form.csv"
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def gate(monkeypatch):
    """Questions are counted when they are begun; the one after twelve waits until the gate is open."""
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 20)
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS_EACH", 1)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 10)
    opened, begun, real = Event(), [], criteria.numbers_of

    def counted(level, seed, draws, question):
        begun.append(question.name)
        while len(begun) > HELD_AT and not opened.wait(0.005):
            yield Step(0, 1, "questions")
        return (yield from real(level, seed, draws, question))

    monkeypatch.setattr("tapdesk.studies.criteria.numbers_of", counted)
    opened.begun = begun
    yield opened
    opened.set()


@pytest.fixture
def held(window, qtbot, place, gate):
    """The window with twelve of the thirty questions done, while the next one is worked on."""
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.session.open(str(place))
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    window.go(2)
    block = window.results.questions
    block.begin.click()
    qtbot.waitUntil(lambda: len(shown(block)) == HELD_AT, timeout=VERY_LONG)
    # A row may be seen before the next question is begun.
    qtbot.waitUntil(lambda: len(gate.begun) == HELD_AT + 1, timeout=LONG)
    return window


def shown(block):
    return [] if block.table_view is None else [row[0] for row in block.table_view.rows.rows]


def said(block):
    return [label.text() for label in block.page.findChildren(QLabel) if label.isVisible()]


def test_rows_come_live_while_the_window_goes_on_and_the_row_that_is_looked_at_stays(held, qtbot, gate):
    block = held.results.questions
    assert f"{HELD_AT} of {N} questions done" in said(block)
    assert block.stop.isVisible()
    # The window turns, and what is pressed is done, while a question is worked on.
    turns = Turns()
    block.table_view.selectRow(5)
    looked_at = shown(block)[5]
    assert block.panel.name.text() == looked_at
    qtbot.waitUntil(lambda: turns.count > 20, timeout=LONG)
    assert block.result is None
    gate.set()
    qtbot.waitUntil(lambda: block.result is not None, timeout=VERY_LONG)
    assert len(shown(block)) == N
    assert block.panel.name.text() == looked_at
    assert shown(block)[block.table_view.currentIndex().row()] == looked_at
    assert Counter(gate.begun) == Counter(dict.fromkeys(shown(block), 1))


def test_what_is_stopped_stays_in_sight_and_going_on_does_the_rest_and_nothing_twice(held, qtbot, gate):
    block = held.results.questions
    done = shown(block)
    block.stop.click()
    told = f"Stopped after {HELD_AT} of {N} questions. What is done stays, and Go on does the others."
    assert told in said(block)
    assert shown(block) == done
    assert block.on.isVisible()
    assert not block.stop.isVisible()
    # What is done is read as ever: a row opens its own results, and the way back leads to the rows that are done.
    block.table_view.selectRow(2)
    with qtbot.waitSignal(held.session.fitting.done, timeout=LONG):
        block.read.click()
    assert held.session.document.project.question == done[2]
    held.results.see_all.click()
    assert shown(block) == done
    assert told in said(block)
    block.on.click()
    qtbot.waitUntil(lambda: f"{HELD_AT} of {N} questions done" in said(block), timeout=LONG)
    gate.set()
    qtbot.waitUntil(lambda: block.result is not None, timeout=VERY_LONG)
    assert set(done) < set(shown(block))
    assert Counter(gate.begun) == Counter(dict.fromkeys(shown(block), 1))


def test_a_decision_about_one_question_leaves_what_was_done_before_the_stop(held, qtbot, gate):
    block, document = held.results.questions, held.session.document
    done = set(shown(block))
    block.stop.click()
    one = document.project.question
    assert one in done
    document.do("Rater", document.project.decide(LeaveOutRaters((NURSES[0],))))
    assert block.begin.isVisible()
    gate.set()
    before = len(gate.begun)
    block.begin.click()
    qtbot.waitUntil(lambda: block.result is not None, timeout=VERY_LONG)
    again = gate.begun[before:]
    # The one that was decided about, and all that were not done.
    changed = {
        e.name for e in document.project.form if "Adams" not in document.project.with_question(e.name).ratings.raters
    }
    assert one in changed
    assert Counter(again) == Counter((set(shown(block)) - done) | changed)


def test_questions_are_sorted_by_the_chip_and_by_the_heads_of_the_table(held, qtbot, gate):
    block = held.results.questions
    gate.set()
    qtbot.waitUntil(lambda: block.result is not None, timeout=VERY_LONG)
    assert block.sorting.accessibleName() == "Sorted by: worst first"
    worst_first = shown(block)
    assert [row.name for row in block.result.rows] == worst_first
    act = next(a for a in block.sorting._menu.actions() if a.text() == "as in the file")
    act.trigger()
    assert block.sorting.accessibleName() == "Sorted by: as in the file"
    assert shown(block) == [f"Item {q + 1}" for q in range(N)]
    qtbot.waitUntil(lambda: f"Agreement and accuracy on {N} questions, as in the file" in said(block), timeout=LONG)
    # The panel, and what is opened, follow the row wherever it stands.
    block.table_view.selectRow(3)
    assert block.panel.name.text() == "Item 4"
    heads = block.table_view.horizontalHeader()
    at = heads.sectionViewportPosition(3) + 4
    qtbot.mouseClick(heads.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(at, 8))
    assert block.sorting.order is Order.RAW
    raw = [row[3] for row in block.table_view.rows.rows]
    assert raw == sorted(raw)
    assert block.panel.name.text() == "Item 4"
    assert shown(block)[block.table_view.currentIndex().row()] == "Item 4"
    # A filter keeps the order, and the copy of the table has it.
    block.filter.chips[next(r.verdict for r in block.result.rows if r.name == "Item 4")].click()
    some = [row[3] for row in block.table_view.rows.rows]
    assert len(some) < N
    assert some == sorted(some)
    assert [row[0] for row in block.rows[1]] == shown(block)
    for order in (Order.NAME, Order.CASES, Order.COEFFICIENT, Order.ACCURACY):
        block.sorting.choose(order)
        assert len(shown(block)) == len(some)
    block.filter.chips[None].click()
    block.sorting.choose(Order.NEED)
    assert shown(block) == worst_first


def test_the_coefficient_of_the_table_is_chosen_kept_by_the_project_and_undone(held, qtbot, gate):
    block, document = held.results.questions, held.session.document
    gate.set()
    qtbot.waitUntil(lambda: block.result is not None, timeout=VERY_LONG)
    assert block.coefficient.accessibleName() == "Coefficient: AC1, Gwet"
    before = [row[4] for row in block.table_view.rows.rows]
    next(a for a in block.coefficient._menu.actions() if a.text() == "Kappa, Fleiss").trigger()
    assert block.coefficient.accessibleName() == "Coefficient: Kappa, Fleiss"
    assert setup(document.project).coefficient == "fleiss_kappa"
    assert block.table_view.rows.header[4] == "Kappa"
    by_name = {row.name: row.numbers.coefficient("fleiss_kappa").value for row in block.result.rows}
    for name, *_rest in block.table_view.rows.rows:
        cell = next(row[4] for row in block.table_view.rows.rows if row[0] == name)
        assert cell.values == (by_name[name],)
    assert [row[4] for row in block.table_view.rows.rows] != before
    # The panel beside it has every row whole: no scroll bar, no number cut.
    table = block.panel.table
    assert table.rows.rowCount() >= 4
    assert table.verticalScrollBar().maximum() == table.horizontalScrollBar().maximum() == 0
    assert all(table.columnWidth(column) >= table.wanted(column) for column in (1, 2))
    # What is chosen is sorted by, and stands in the panel and in the report.
    block.sorting.choose(Order.COEFFICIENT)
    values = [row[4].values[0] for row in block.table_view.rows.rows if row[4].values[0] is not None]
    assert values == sorted(values)
    assert block.sorting.accessibleName() == "Sorted by: lowest Kappa first"
    report = report_of(block.result, (), block.coefficient.coefficient)
    heads = [[c.title for c in b.columns] for s in report.sections for b in s.blocks if isinstance(b, Table)]
    assert any("Kappa" in row and "a" in row for row in heads)
    assert not any("AC1" in row and "a" in row for row in heads)
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: block.coefficient.accessibleName() == "Coefficient: AC1, Gwet", timeout=LONG)
    assert block.table_view.rows.header[4] == "AC1"


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720), (1024, 700)])
def test_no_column_of_a_long_table_is_cut(held, qtbot, gate, size):
    block = held.results.questions
    held.resize(*size)
    gate.set()
    qtbot.waitUntil(lambda: block.result is not None, timeout=VERY_LONG)
    view = block.table_view
    qtbot.waitUntil(view.isVisible)
    assert not view.horizontalScrollBar().isVisible()
    # Thirty rows are seen without scrolling within the table.
    assert not view.verticalScrollBar().isVisible()
    for column in range(view.rows.columnCount()):
        if not view.isColumnHidden(column):
            assert view.columnWidth(column) >= view.sizeHintForColumn(column)
