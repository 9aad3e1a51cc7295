"""Where dialogs begin, what the File menu remembers, and what is closed."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from tapdesk.gui.runs.plan import Plan
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.recents import FILES, KEPT, RecentFiles
from tapdesk.gui.shell.session import Session
from tapdesk.gui.shell.window import MainWindow
from tapdesk.gui.theme.icons import State
from tapdesk.ratings.formats.files import BETWEEN

LONG = 240_000
SHEET = "case,Ana,Ben,Cy\n" + "".join(
    f"c{i:02},{'yes' if i % 3 else 'no'},{'yes' if i % 2 else 'no'},yes\n" for i in range(30)
)
UMLAUTS = ("wein;Müller;Köhler\n" + "".join(f"w{i};{'gut' if i % 3 else 'süß'};gut\n" for i in range(30))).encode(
    "cp1252"
)


@pytest.fixture
def sheets(tmp_path):
    """Two spreadsheets in two folders."""
    made = []
    for name in ("spring", "autumn"):
        folder = tmp_path / name
        folder.mkdir()
        made.append(folder / "ward.csv")
        made[-1].write_text(SHEET, encoding="utf-8")
    return made


def read(window, qtbot, path):
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_file(str(path))


def where_it_begins(monkeypatch, call):
    """The folder a dialog of Qt begins in when something is asked for; nobody answers it."""
    seen = []
    monkeypatch.setattr(dialogs, "execute", lambda dialog: seen.append(dialog.directory().absolutePath()) or False)
    call()
    assert len(seen) == 1
    return Path(seen[0])


def test_open_begins_where_the_last_file_was_and_saving_beside_the_workbook(window, qtbot, monkeypatch, sheets):
    spring, autumn = sheets
    read(window, qtbot, spring)
    read(window, qtbot, autumn)
    assert where_it_begins(monkeypatch, window.open_dialog) == autumn.parent
    assert where_it_begins(monkeypatch, window.save_as) == autumn.parent
    export = window.report.export
    monkeypatch.setattr(type(export), "_ask_options", lambda *_told, **_more: object())
    assert where_it_begins(monkeypatch, export.save) == autumn.parent
    assert where_it_begins(monkeypatch, lambda: export.save(".xlsx")) == autumn.parent
    assert where_it_begins(monkeypatch, export.letters) == autumn.parent
    assert where_it_begins(monkeypatch, export.ask_and_verify) == autumn.parent
    # An example, and what was pasted, lie where nobody would look for a report.
    read(window, qtbot, "sample:audit")
    assert where_it_begins(monkeypatch, window.open_dialog) == autumn.parent
    assert not where_it_begins(monkeypatch, export.save).is_relative_to(autumn.parent)
    QApplication.clipboard().setText(SHEET.replace(",", "\t"))
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.actions_["paste"].trigger()
    assert (window.session.place, window.session.folder) == ("", "")
    assert len(window.recents.rows) == 2


def test_a_project_is_saved_where_it_is_and_its_report_beside_the_workbook_or_beside_it(
    window, qtbot, monkeypatch, sheets, tmp_path
):
    spring, _autumn = sheets
    read(window, qtbot, spring)
    place = tmp_path / "projects" / "ward.tapdesk"
    place.parent.mkdir()
    monkeypatch.setattr(dialogs, "where_to_save", lambda _parent, _name: place)
    with qtbot.waitSignal(window.project_file.saving.done, timeout=LONG):
        window.save()
    read(window, qtbot, "sample:audit")
    read(window, qtbot, place)
    assert window.session.folder == str(spring.parent)
    spring.unlink()
    spring.parent.rmdir()
    assert window.session.folder == str(place.parent)
    assert window.recents.rows[0] == str(place)


def test_the_file_menu_opens_what_was_open_before(window, qtbot, sheets):
    spring, autumn = sheets
    assert not window.recent_menu.menuAction().isEnabled()
    for path in sheets:
        read(window, qtbot, path)
    rows = window.recent_menu.actions()
    assert [row.toolTip() for row in rows] == [str(autumn), str(spring)]
    assert [row.text() for row in rows] == ["&1  ward.csv", "&2  ward.csv"]
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        rows[1].trigger()
    assert window.session.place == str(spring)
    assert [row.toolTip() for row in window.recent_menu.actions()] == [str(spring), str(autumn)]
    # What is gone is said so once, and not offered again.
    autumn.unlink()
    with qtbot.waitSignal(window.session.reading.failed, timeout=LONG):
        window.recent_menu.actions()[1].trigger()
    assert [row.toolTip() for row in window.recent_menu.actions()] == [str(spring)]
    assert window.recents.rows == (str(spring),)


def test_what_was_opened_is_remembered_in_the_settings_and_a_list_that_was_spoilt_is_none(qtbot, theme, tmp_path):
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    files = RecentFiles(settings)
    for i in range(KEPT + 3):
        files.add(str(tmp_path / f"{i}.csv"))
    files.add(BETWEEN.join(str(tmp_path / name) for name in ("Ana.csv", "Ben.csv")))
    again = RecentFiles(settings)
    assert again.rows == files.rows
    assert (len(again.rows), again.folder) == (KEPT, str(tmp_path))
    made = MainWindow(theme, Session(), settings)
    qtbot.addWidget(made)
    assert made.recent_menu.actions()[0].text() == "&1  Ana.csv and Ben.csv"
    for spoilt in ("{", "3", json.dumps([1, 2]), json.dumps({"a": "b"}), json.dumps([""])):
        settings.setValue(FILES, spoilt)
        assert RecentFiles(settings).rows == ()
    assert made.stop(LONG)


def test_close_brings_back_the_start_page_and_nothing_of_the_file_is_left(fitted, qtbot):
    session = fitted.session
    fitted.go(2)
    fitted.go(3)
    fitted.actions_["close"].trigger()
    assert session.document.empty
    assert fitted.front.currentWidget() is fitted.start
    assert fitted.panes.currentIndex() == 0
    assert [step.word for step in fitted.steps] == [
        "Nothing open yet", "Add ratings first", "Nothing to show yet", "Nothing to print yet",
    ]  # fmt: skip
    assert fitted.status.left.text() == "No ratings loaded"
    assert fitted.project_words.text() == "No project open"
    assert fitted.windowTitle() == "tapdesk"
    assert session.plan == Plan()
    for place in (1, 2, 3):
        fitted.go(place)
        QApplication.processEvents()
    assert not fitted.model.run.isEnabled()
    assert not fitted.results.strip.isVisible()
    assert not fitted.report.save.isEnabled()
    for key in ("close", "save", "undo", "save_report"):
        assert not fitted.actions_[key].isEnabled(), key
    # And another file is opened as the first one was.
    read(fitted, qtbot, "sample:audit")
    assert fitted.dataset.isVisible()
    assert fitted.status.left.text().startswith("120 records")


def test_close_asks_about_what_is_not_saved_and_about_a_run(jury, qtbot, monkeypatch):
    session = jury.session
    session.choose_class1(("gold",))
    answers = []
    monkeypatch.setattr(dialogs, "about_changes", lambda _parent, name: answers.append(name) or dialogs.Answer.STAY)
    jury.actions_["close"].trigger()
    assert answers == ["jury"]
    assert not session.document.empty
    monkeypatch.setattr(dialogs, "to_stop", lambda _parent: answers.append("run") and False)
    qtbot.waitUntil(lambda: session.ready, timeout=LONG)
    jury.run()
    assert session.fitting.running
    jury.actions_["close"].trigger()
    assert answers == ["jury", "run"]
    assert not session.document.empty
    monkeypatch.setattr(dialogs, "to_stop", lambda _parent: True)
    monkeypatch.setattr(dialogs, "about_changes", lambda _parent, _name: dialogs.Answer.DROP)
    jury.actions_["close"].trigger()
    assert session.document.empty
    qtbot.waitUntil(lambda: not session.fitting.running, timeout=LONG)
    assert session.document.project.analyses == ()


@pytest.mark.parametrize("open_before", [False, True])
def test_which_letters_are_right_is_a_question_whose_answers_tab_reaches_first(window, qtbot, tmp_path, open_before):
    path = tmp_path / "wein.csv"
    path.write_bytes(UMLAUTS)
    if open_before:
        read(window, qtbot, "sample:audit")
    with qtbot.waitSignal(window.session.reading.failed, timeout=LONG):
        window.open_file(str(path))
    window.activateWindow()
    card = window.dataset.error if open_before else window.start.error
    qtbot.waitUntil(card.isVisible)
    # It looks like a question, and tells no code of an alphabet before its answers.
    assert (card.property("role"), card._mark._name) == ("know", State.KNOW.value)
    assert card.words[0] == "Which line shows the letters of this file correctly?"
    assert "cp1252" not in " ".join(card.words)
    ways = [b for b in card._ways.findChildren(QPushButton) if b.isVisible()]
    assert "Müller" in ways[0].text()
    for way in ways:
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is way
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is card._copy
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Backtab)
    ways[0].setFocus()
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        qtbot.keyClick(ways[0], Qt.Key.Key_Space)
    assert window.session.document.project.reading.as_read.raters == ("Müller", "Köhler")
    assert not card.isVisible()


def test_a_mistake_stays_a_mistake(window, qtbot, tmp_path):
    with qtbot.waitSignal(window.session.reading.failed, timeout=LONG):
        window.open_file(str(tmp_path / "nowhere.csv"))
    card = window.start.error
    assert (card.property("role"), card._mark._name) == ("stop", State.BLOCKED.value)
    assert QApplication.focusWidget() is not card._what


def test_the_start_page_names_kinds_of_files_the_crosstab_and_an_example_of_an_audit(window):
    words = {label.text() for label in window.start.findChildren(QLabel)}
    assert any("SPSS or Stata" in text for text in words)
    assert {"Two raters crossed", "a table of counts, as papers print it"} <= words
    assert any(text.startswith("A case-note audit") for text in words)
