"""One walk through the real window: open, choose, run, read, print."""

import time

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QLabel

from tapdesk.gui.look.icons import State
from tapdesk.gui.running.plan import Guesses
from tapdesk.report.words import fit as words

LONG = 30_000


def rail(window):
    return [(step.state, step.word) for step in window.steps]


def shown(widget):
    """All words of visible labels below a widget."""
    return " ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def test_a_sample_is_opened_asked_run_and_read(window, qtbot):
    desk = window.desk
    with qtbot.waitSignal(desk.reading.done, timeout=LONG):
        window.open_sample("jury")
    assert window.front.currentWidget() is window.dataset
    assert window.dataset.file.rows.rowCount() == 184
    assert window.dataset.read.rows.header == ("Case", "Ana", "Ben", "Carla", "Dimitri")
    assert "183 rows" in window.dataset.sentence.text()
    window.dataset.next.click()
    assert window.panes.currentWidget() is window.model
    chips = {chip.accessibleName(): chip for chip in window.model.choices._chips()}
    qtbot.mouseClick(chips["no medal"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(chips["bronze"], Qt.MouseButton.LeftButton)
    assert desk.document.project.class1 == ("no medal", "bronze")
    assert "{no medal, bronze}" in window.model.sentence.text()
    qtbot.waitUntil(window.model.run.isEnabled, timeout=LONG)
    with qtbot.waitSignal(desk.fitting.done, timeout=LONG):
        window.model.run.click()
    fit = desk.document.analysis.fit
    assert fit.model.name == "t-a-p"
    assert [state for state, _ in rail(window)[:3]] == [State.DONE] * 3
    assert window.model.running.ridge.count == 2000
    window.model.running.show_results.click()
    results = window.results
    assert results.headline.words == words.headline(fit, desk.document.ratings)
    assert [cell.symbol for cell in results.strip.cells] == ["t", "a", "p", "Raw", "Kappa", "AC1"]
    for cell, estimate in zip(results.strip.cells[:3], fit.estimates, strict=True):
        assert cell.value == f"{estimate.estimate.value:.2f}"
        assert cell.interval == f"{estimate.estimate.low:.2f} to {estimate.estimate.high:.2f}"
        assert cell.count == "183 cases, 732 ratings"
    assert results.state.text() == "Up to date"


def test_the_pictures_of_the_run_stay_and_the_results_carry_their_tables(fitted):
    running, results = fitted.model.running, fitted.results
    fitted.go(2)
    assert running.ridge.count == 200
    _, starts = running.trace.table()
    assert len(starts) > 5
    assert "Done in" in running.title.text()
    for block in results.blocks:
        assert block.rows is not None, block.title.text()
        header, rows = block.rows
        assert rows
        block.copy_table()
        copied = QApplication.clipboard().text().splitlines()
        assert copied[0].split("\t") == [" ".join(h.split()) for h in header]
        assert len(copied) == len(rows) + 1
    observed = [row for row in results.blocks[0].rows[1] if row[0] == "Observed"]
    assert observed


def test_every_block_can_be_looked_at_as_a_table_and_back(fitted, qtbot):
    fitted.go(2)
    for block in fitted.results.blocks:
        qtbot.mouseClick(block.view, Qt.MouseButton.LeftButton)
        assert block.stack.currentWidget() is block.table
        assert block.table.rows.rowCount() == len(block.rows[1])
        qtbot.mouseClick(block.view, Qt.MouseButton.LeftButton)
        assert block.stack.currentWidget() is block.body


def test_cancel_answers_within_a_tenth_of_a_second_and_keeps_the_old_results(fitted, qtbot, monkeypatch):
    desk, before = fitted.desk, fitted.desk.document.analysis
    strip = fitted.results.strip.cells
    monkeypatch.setattr("tapdesk.gui.running.plan.REPLICATES", 100_000)
    desk.choose(interval="bootstrap")
    qtbot.waitUntil(lambda: desk.ready)
    fitted.go(1)
    with qtbot.waitSignal(desk.fitting.stepped, timeout=LONG):
        fitted.run()
    assert "Updating" in fitted.results.banner._words.text()
    began = time.monotonic()
    fitted.model.running.cancel.click()
    assert time.monotonic() - began < 0.1
    assert not desk.fitting.running
    assert fitted.model.running.title.text() == "Cancelled"
    standing = [phase.state for phase in fitted.model.running.phases._shown]
    assert State.RUNNING not in standing
    assert standing[-1] is State.EMPTY
    assert fitted.model.run.isEnabled()
    assert desk.fitting.wait(LONG)
    qtbot.wait(50)
    assert desk.document.analysis is before
    assert fitted.results.strip.cells == strip


def test_a_result_that_comes_after_another_file_was_opened_is_dropped(jury, qtbot):
    desk = jury.desk
    with qtbot.waitSignal(desk.fitting.stepped, timeout=LONG):
        jury.run()
    with qtbot.waitSignal(desk.reading.done, timeout=LONG):
        jury.open_sample("paradox")
    assert desk.fitting.wait(LONG)
    qtbot.wait(50)
    assert desk.document.analysis is None
    assert desk.document.project.reading.source.name == "paradox.csv"
    assert jury.model.running.title.text() == "Not run yet"
    assert jury.model.running.ridge.count == 0


def test_a_class_choice_is_undone_and_redone_and_results_know_whether_they_match(fitted):
    desk, stack = fitted.desk, fitted.desk.document.undo_stack
    fit = desk.document.analysis.fit
    desk.choose_class1(("gold",))
    assert desk.document.ratings.class1 == ("gold",)
    assert desk.document.analysis.stale
    assert desk.document.analysis.fit is fit
    assert fitted.steps[2].word == "Out of date"
    assert "Data changed after this run" in fitted.results.banner.words
    assert fitted.actions_["undo"].text() == "&Undo Class 1: gold"
    fitted.actions_["undo"].trigger()
    assert desk.document.ratings.class1 == ("no medal", "bronze")
    assert not desk.document.analysis.stale
    assert fitted.results.banner.words == ""
    fitted.actions_["redo"].trigger()
    assert desk.document.analysis.stale
    stack.undo()
    stack.undo()
    assert desk.document.project.class1 is None
    assert len(desk.document.ratings.classes) == 4


def test_a_change_of_the_choices_marks_the_results_and_going_back_clears_it(fitted):
    desk = fitted.desk
    desk.choose(level=0.9)
    assert "choices changed" in fitted.results.banner.words
    desk.choose(level=0.95)
    assert fitted.results.banner.words == ""


def test_the_order_of_categories_is_moved_by_keyboard_and_undone(jury, qtbot):
    desk = jury.desk
    first = jury.dataset.categories._box.itemAt(0).widget()
    qtbot.keyClick(first, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert desk.document.project.all_classes.classes == ("bronze", "no medal", "silver", "gold")
    desk.document.undo_stack.undo()
    assert desk.document.project.all_classes.classes == ("no medal", "bronze", "silver", "gold")


def test_two_ratings_per_case_are_answered_by_assuming_p_equals_t_and_the_window_says_so(window, qtbot):
    with qtbot.waitSignal(window.desk.reading.done, timeout=LONG):
        window.open_sample("paradox")
    qtbot.waitUntil(lambda: window.desk.ready, timeout=LONG)
    window.go(1)
    assert window.desk.effective.model.name == "t-a-t"
    assert window.model.light.title.text() == "This design can estimate t and a only by assuming p = t"
    assert "assuming" in window.model.sentence.text()
    window.desk.choose(guesses=Guesses.OWN)
    qtbot.waitUntil(lambda: window.desk.ready, timeout=LONG)
    assert window.desk.effective.model.name == "t-a-p"
    assert window.model.light.title.text() == "This design cannot tell all numbers apart"


def test_a_file_that_cannot_be_read_is_said_so_and_what_was_open_stays(fitted, qtbot, tmp_path):
    bad = tmp_path / "broken.xlsx"
    bad.write_bytes(b"PK\x03\x04 this is no workbook")
    fitted.go(2)
    before = fitted.desk.document.project
    with qtbot.waitSignal(fitted.desk.reading.failed, timeout=LONG):
        fitted.open_file(str(bad))
    assert fitted.desk.document.project is before
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
    with qtbot.waitSignal(window.desk.reading.failed, timeout=LONG):
        window.open_file(str(tmp_path / "nowhere.csv"))
    assert window.front.currentWidget() is window.start
    assert window.start.error.isVisible()
    assert "nowhere.csv" in " ".join(window.start.error.words)


def test_a_guess_is_changed_by_its_chip_read_again_and_undone(jury, qtbot):
    desk = jury.desk
    assert desk.document.project.reading.missing == 0
    with qtbot.waitSignal(desk.reading.done, timeout=LONG):
        jury.dataset.chips._again(missing=("gold",))
    reading = desk.document.project.reading
    assert reading.missing == 94
    assert "94 missing" in jury.left_words.text()
    assert desk.document.project.class1 == ("no medal", "bronze")
    desk.document.undo_stack.undo()
    assert desk.document.project.reading.missing == 0
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
    with qtbot.waitSignal(window.desk.reading.done, timeout=LONG):
        window.dropEvent(event)
    assert window.dataset.sub.text() == "dropped.csv"


def test_empty_panes_say_what_is_missing_and_show_no_number_as_real(window, qtbot):
    window.go(1)
    assert window.model.to_dataset.isVisible()
    assert not window.model.run.isEnabled()
    assert "Add ratings first" in window.model.reason.text()
    window.go(2)
    assert not window.results.area.isVisible()
    assert "Example, not your data" in shown(window.results)
    window.go(3)
    assert not window.report.save.isEnabled()
    qtbot.waitUntil(lambda: "Open ratings" in shown(window.report))
    window.run()
    assert not window.desk.fitting.running


def test_data_that_hold_one_class_only_are_refused_in_words(window, qtbot, tmp_path):
    sheet = tmp_path / "all_yes.csv"
    sheet.write_text("case,Ana,Ben,Cy\n" + "".join(f"c{i},yes,yes,yes\n" for i in range(30)))
    with qtbot.waitSignal(window.desk.reading.done, timeout=LONG):
        window.open_file(str(sheet))
    window.go(1)
    qtbot.waitUntil(lambda: window.desk.ready, timeout=LONG)
    assert not window.model.run.isEnabled()
    assert "nothing to tell apart" in window.model.reason.text()


def test_a_bug_in_a_run_ends_in_the_dialog_with_the_old_results_intact(fitted, qtbot, monkeypatch):
    raised = []
    monkeypatch.setattr("tapdesk.gui.main_window.CrashDialog.exec", lambda dialog: raised.append(dialog.details))

    def broken(*_):
        yield from ()
        raise ZeroDivisionError("a mistake of ours")

    monkeypatch.setattr("tapdesk.gui.desk.analyse", broken)
    before = fitted.desk.document.analysis
    with qtbot.waitSignal(fitted.desk.fitting.failed, timeout=LONG):
        fitted.run()
    qtbot.waitUntil(lambda: bool(raised))
    assert "a mistake of ours" in raised[0]
    assert fitted.desk.document.analysis is before
    assert fitted.model.running.title.text() == "Stopped"
    assert not fitted.desk.fitting.running


def test_many_class_results_name_every_number(window, qtbot):
    with qtbot.waitSignal(window.desk.reading.done, timeout=LONG):
        window.open_sample("jury")
    qtbot.waitUntil(lambda: window.desk.ready, timeout=LONG)
    with qtbot.waitSignal(window.desk.fitting.done, timeout=LONG):
        window.run()
    window.go(2)
    assert [cell.symbol for cell in window.results.strip.cells[:9]] == ["t"] * 4 + ["a"] + ["p"] * 4
    assert window.results.class1.accessibleName() == "Class 1: all categories"


@pytest.fixture
def printed(fitted, qtbot):
    fitted.go(3)
    qtbot.waitUntil(lambda: fitted.report.making.ready, timeout=LONG)
    return fitted


def test_the_report_shows_true_pages_and_saves_the_pdf_it_shows(printed, qtbot, tmp_path):
    report = printed.report
    assert len(report.made.pages) >= 3
    assert all(page.startswith(b"\x89PNG") for page in report.made.pages)
    assert report.save.isEnabled()
    place = tmp_path / "report.pdf"
    with qtbot.waitSignal(report.leaving.job.done, timeout=LONG):
        report.save_to(place)
    assert place.read_bytes().startswith(b"%PDF")
    assert f"Saved {len(report.made.pages)} pages" in report.banner.words


def test_a_report_that_cannot_be_saved_says_why_and_loses_nothing(printed, qtbot, tmp_path):
    with qtbot.waitSignal(printed.report.leaving.job.failed, timeout=LONG):
        printed.report.save_to(tmp_path / "no such folder" / "report.pdf")
    assert printed.report.error.isVisible()
    assert "folder" in printed.report.error.words[0].lower()
    assert printed.report.made is not None


def test_a_section_left_out_is_gone_from_the_pages(printed, qtbot):
    report = printed.report
    before = report.made
    report.ticks["summary"].setChecked(False)
    qtbot.waitUntil(lambda: report.made is not before, timeout=LONG)
    assert report.made.pages != before.pages
