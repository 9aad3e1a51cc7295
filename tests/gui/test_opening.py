"""Files that are opened, dropped, read again, or cannot be read."""

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication

LONG = 240_000


def test_a_file_that_cannot_be_read_is_said_so_and_what_was_open_stays(fitted, qtbot, tmp_path):
    bad = tmp_path / "broken.xlsx"
    bad.write_bytes(b"PK\x03\x04 this is no workbook")
    fitted.go(2)
    before = fitted.session.document.project
    with qtbot.waitSignal(fitted.session.reading.failed, timeout=LONG):
        fitted.open_file(str(bad))
    assert fitted.session.document.project is before
    card = fitted.dataset.error
    assert card.isVisible()
    what, where, fix = card.words
    assert what.endswith(".")
    assert "broken.xlsx" in where
    assert fix
    card.copy_details()
    assert what in QApplication.clipboard().text()
    assert fitted.dataset.file.rows.rowCount() == 184
    assert fitted.results.strip.cells


def test_a_first_file_that_cannot_be_read_leaves_the_start_page_with_the_reason(window, qtbot, tmp_path):
    with qtbot.waitSignal(window.session.reading.failed, timeout=LONG):
        window.open_file(str(tmp_path / "nowhere.csv"))
    assert window.front.currentWidget() is window.start
    assert window.start.error.isVisible()
    assert "nowhere.csv" in " ".join(window.start.error.words)


def test_a_guess_is_changed_by_its_chip_read_again_and_undone(jury, qtbot):
    session = jury.session
    assert session.document.project.reading.missing == 0
    with qtbot.waitSignal(session.reading.done, timeout=LONG):
        jury.dataset.chips._again(missing=("gold",))
    reading = session.document.project.reading
    assert reading.missing == 94
    assert "94 missing" in jury.status.left.text()
    assert session.document.project.class1 == ("no medal", "bronze")
    session.document.undo_stack.undo()
    assert session.document.project.reading.missing == 0
    assert jury.dataset.read.rows.rowCount() == 183


def test_a_dropped_file_is_opened(window, qtbot, tmp_path):
    sheet = tmp_path / "dropped.csv"
    rows = "".join(f"c{i},{'yes' if i % 3 else 'no'},{'yes' if i % 2 else 'no'},yes\n" for i in range(30))
    sheet.write_text("case,Ana,Ben,Cy\n" + rows)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(sheet))])
    event = QDropEvent(
        QPoint(300, 300), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.dropEvent(event)
    assert window.dataset.sub.text() == "dropped.csv"
