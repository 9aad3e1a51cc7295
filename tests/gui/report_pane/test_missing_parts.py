"""A bug in one section: the pages come without it, the user is told and asked, and the rest is saved."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel

from tapdesk.gui.report.export_dialog import ExportDialog
from tapdesk.gui.shell.crash import CrashDialog
from tapdesk.report import build as building
from tapdesk.report.outline import Row

from .steps import LONG, after, words_of


def broken(_context):
    raise KeyError("kappa")


def test_the_report_is_shown_asked_about_and_saved_without_a_section_that_failed(printed, qtbot, tmp_path, monkeypatch):
    report = printed.report
    rows = tuple(row if row.key != "agreement" else Row(row.key, row.title, broken) for row in building.SECTIONS)
    monkeypatch.setattr(building, "SECTIONS", rows)
    after(qtbot, report, lambda: report.ticks["checklist"].setChecked(False))
    assert report.error.isHidden()
    assert "left this out: Agreement." in report.banner.words

    # The details of the bug come when they are asked for, and only then.
    shown = []
    monkeypatch.setattr(CrashDialog, "exec", lambda dialog: shown.append(dialog.details))
    qtbot.mouseClick(report.banner._button, Qt.LeftButton)
    qtbot.waitUntil(lambda: len(shown) == 1, timeout=LONG)
    assert "KeyError: 'kappa'" in shown[0]

    asked = []

    def answer(dialog):
        asked.append([label.text() for label in dialog.findChildren(QLabel)])
        assert dialog.ready.text() == "Go on without it"
        dialog.names.setChecked(True)
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(ExportDialog, "exec", answer)
    place = tmp_path / "report.pdf"
    monkeypatch.setattr("tapdesk.gui.report.export.ask_where", lambda *_: place)
    with qtbot.waitSignal(report.export.job.done, timeout=LONG):
        qtbot.mouseClick(report.save, Qt.LeftButton)
    assert any("left this out: Agreement." in words for words in asked[0])
    told = words_of(place.read_bytes())
    assert "A fault of the program stopped this section" in told
    assert "Not made Agreement" in told
    assert "Could this be chance?" in told
    assert "left this out: Agreement." in report.banner.words
    assert str(place) in report.banner.words
