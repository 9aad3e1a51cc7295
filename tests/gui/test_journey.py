"""One walk through the real window: open, choose, run, read, print."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel

from tapdesk.answers import fit_words as words
from tapdesk.answers.question import Guesses
from tapdesk.gui.theme.icons import State

LONG = 240_000


def rail(window):
    return [(step.state, step.word) for step in window.steps]


def shown(widget):
    """All words of visible labels below a widget."""
    return " ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def test_a_sample_is_opened_asked_run_and_read(window, qtbot):
    session = window.session
    with qtbot.waitSignal(session.reading.done, timeout=LONG):
        window.open_sample("jury")
    assert window.front.currentWidget() is window.dataset
    qtbot.waitUntil(lambda: window.dataset.file.rows.rowCount() == 184)
    assert window.dataset.read.rows.header == ("Wine", "Ana", "Ben", "Carla", "Dimitri")
    assert "183 rows" in window.dataset.sentence.text()
    window.dataset.next.click()
    assert window.panes.currentWidget() is window.model
    chips = {chip.accessibleName(): chip for chip in window.model.choices._chips()}
    qtbot.mouseClick(chips["no medal"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(chips["bronze"], Qt.MouseButton.LeftButton)
    assert session.document.project.class1 == ("no medal", "bronze")
    assert "counting <b>“no medal”, “bronze”</b> as one class" in window.model.sentence.text()
    qtbot.waitUntil(window.model.run.isEnabled, timeout=LONG)
    with qtbot.waitSignal(session.fitting.done, timeout=LONG):
        window.model.run.click()
    fit = session.document.analysis.fit
    assert fit.model.name == "t-a-p"
    assert [state for state, _ in rail(window)[:3]] == [State.DONE] * 3
    assert window.model.running.ridge.count == 2000
    window.model.running.show_results.click()
    results = window.results
    assert results.headline.words == words.headline(fit, session.document.ratings)
    assert [cell.symbol for cell in results.strip.cells] == ["t", "a", "p", "Raw", "Kappa", "AC1"]
    for cell, estimate in zip(results.strip.cells[:3], fit.estimates, strict=True):
        assert cell.value == f"{estimate.estimate.value:.2f}"
        assert cell.interval == f"{estimate.estimate.low:.2f} to {estimate.estimate.high:.2f}"
        assert cell.count == "183 wines, 732 ratings"
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
        assert len(copied) == len(rows) + 1 + bool(block.footnote)
    header, rows = results.blocks[0].rows
    observed = [row[header.index("Seen")] for row in rows]
    assert observed


def test_every_block_can_be_looked_at_as_a_table_and_back(fitted, qtbot):
    fitted.go(2)
    for block in fitted.results.blocks:
        qtbot.mouseClick(block.view, Qt.MouseButton.LeftButton)
        assert block.stack.currentWidget() is block.table
        assert block.table.rows.rowCount() == len(block.rows[1])
        qtbot.mouseClick(block.view, Qt.MouseButton.LeftButton)
        assert block.stack.currentWidget() is block.body


def test_the_order_of_categories_is_moved_by_keyboard_and_undone(jury, qtbot):
    session = jury.session
    first = jury.dataset.categories._box.itemAt(0).widget()
    qtbot.keyClick(first, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert session.document.project.all_classes.classes == ("bronze", "no medal", "silver", "gold")
    session.document.undo_stack.undo()
    assert session.document.project.all_classes.classes == ("no medal", "bronze", "silver", "gold")


def test_two_ratings_per_case_are_answered_by_assuming_p_equals_t_and_the_window_says_so(window, qtbot):
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_sample("paradox")
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    window.go(1)
    assert window.session.effective.model.name == "t-a-t"
    assert window.model.light.title.text() == "Your data can answer this only under an assumption."
    assert "assuming" in window.model.sentence.text()
    window.session.choose(guesses=Guesses.OWN)
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    assert window.session.effective.model.name == "t-a-p"
    assert window.model.light.title.text() == "Your data cannot answer all of this."


def test_empty_panes_say_what_is_missing_and_show_no_number_as_real(window, qtbot):
    window.go(1)
    assert window.model.to_dataset.isVisible()
    assert not window.model.run.isEnabled()
    told = window.model.add_first
    assert "Add ratings first" in told.text()
    assert told.mapTo(window, told.rect().bottomLeft()).y() < window.model.cards[0].mapTo(window, QPoint(0, 0)).y()
    window.go(2)
    assert not window.results.area.isVisible()
    assert "Example, not your data" in shown(window.results)
    window.go(3)
    assert not window.report.save.isEnabled()
    qtbot.waitUntil(lambda: "Open ratings" in shown(window.report))
    window.run()
    assert not window.session.fitting.running


def test_data_that_hold_one_class_only_are_refused_in_words(window, qtbot, tmp_path):
    sheet = tmp_path / "all_yes.csv"
    sheet.write_text("case,Ana,Ben,Cy\n" + "".join(f"c{i},yes,yes,yes\n" for i in range(30)))
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_file(str(sheet))
    window.go(1)
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    assert not window.model.run.isEnabled()
    assert "nothing to tell apart" in window.model.reason.text()
    assert window.model.sentence.text() == "Nothing can be run with these choices."
    assert window.steps[1].word == "Cannot be run yet"


def test_many_class_results_name_every_number(window, qtbot):
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_sample("jury")
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        window.run()
    window.go(2)
    assert [cell.symbol for cell in window.results.strip.cells] == ["a", "Raw", "Kappa", "Kappa", "AC1"]
    # What every class has one of stands in the table below.
    head, rows = window.results.part_blocks["classes"].rows
    assert head[:6:2] == ("Class", "t, truly so", "p, as a guess")
    fit = window.session.document.analysis.fit
    told = {str(e.name): e.estimate.value for e in fit.estimates}
    for label, _used, truth, _reach, guess, *_rest in rows:
        assert (truth.values, guess.values) == ((told[f"t[{label}]"],), (told[f"p[{label}]"],))
    assert [row[0] for row in rows] == list(fit.classes)
    assert window.results.class1.accessibleName() == "Counted class: all classes"
