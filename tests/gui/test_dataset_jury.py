"""A jury's messy workbook in German goes in by mouse alone and by keyboard alone: each finding is one visible act."""

import datetime as dt

import openpyxl
import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from tapdesk.ratings.ratings import fingerprint
from tests.gui.test_dataset_messy import LONG, Keyboard, Mouse, again, goes_back_and_forth, links

# The offscreen platform has menus but no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
STEPS = ("2", "2,5", "3", "3,5", "4", "4,5")
ACTS = (
    *("Count it", "That is right", "They are notes", "No ratings there", "Merge as “3,5”"),
    *("Write 2024-05-03 as 3,5", "Count as no rating", "Write 44 as 4", "Leave out Mittelwert", "Leave out Mittel"),
    "This order is right",
)


@pytest.fixture
def jury_book(tmp_path):
    """A title, half points as texts with a comma and one with a dot, a half point turned into a date, a slip, means."""
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["Weinfest 2024"], [], ["Wein", "Jahrgang", "Juror 1", "Juror 2", "Juror 3", "Juror 4", "Mittelwert"]):
        sheet.append(row)
    for i in range(24):
        points = [STEPS[(i + (i // 7) * j) % 6] for j in range(4)]
        sheet.append([f"W{i + 1:02d}", 2019 + i % 4, *points, "3,4"])
    sheet["D9"], sheet["D11"], sheet["E13"], sheet["C17"] = dt.date(2024, 5, 3), "k.A.", "44", "3.5"
    sheet.append(["Mittel", None, "3,2", "3,1", "3,3", "3,2", "3,2"])
    sheet.append(["Quelle: Sekretariat"])
    sheet.column_dimensions["F"].hidden = True
    path = tmp_path / "Weinfest.xlsx"
    book.save(path)
    return path


@pytest.mark.parametrize("way", [Mouse, Keyboard])
def test_the_workbook_of_a_jury_is_mended_by_one_act_for_each_finding(way, window, qtbot, jury_book):
    session, pane, hand = window.session, window.dataset, way(window, qtbot)
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    session.open(str(jury_book))
    qtbot.waitUntil(window.start.error.isVisible, timeout=LONG)
    assert "mixes decimal commas and decimal dots: '3.5' in row 17" in window.start.error.words[0]
    buttons = window.start.error.findChildren(QPushButton)
    again(qtbot, window, lambda: hand.press(next(b for b in buttons if b.text() == "Comma is the decimal mark")))
    read = session.document.project.reading
    assert read.as_read.raters == ("Juror 1", "Juror 2", "Juror 3", "Juror 4", "Mittelwert")
    states = [(read, fingerprint(session.document.project.all_classes))]
    for words in ACTS:
        hand.press(links(window)[words])
        states.append((session.document.project.reading, fingerprint(session.document.project.all_classes)))
    assert pane.checks.words.text() == "Ready"
    now = session.document.project.all_classes
    assert now.classes == STEPS
    assert now.ordered
    assert (now.subject_count, now.rating_count) == (24, 95)
    by_name = {
        (now.subjects[s], now.raters[r]): now.classes[c]
        for s, r, c in zip(now.subject, now.rater, now.category, strict=True)
    }
    assert by_name["W06", "Juror 2"] == "3,5"
    assert by_name["W10", "Juror 3"] == "4"
    assert by_name["W14", "Juror 1"] == "3,5"
    assert ("W08", "Juror 2") not in by_name
    assert len(session.document.project.log) == len(ACTS)
    goes_back_and_forth(window, qtbot, states)
