"""The question whether one answer is easier: what its blocks show without re-draws, and where nothing can be told."""

import numpy as np
import pytest

from tapdesk.answers.question import QUESTIONS

LONG = 240_000


def test_without_re_draws_the_numbers_stand_with_their_intervals_and_are_saved_so(jury, qtbot, monkeypatch):
    jury.session.choose_class1(())
    jury.session.choose(question=QUESTIONS[4], interval="wald")
    qtbot.waitUntil(lambda: jury.session.ready, timeout=LONG)
    with qtbot.waitSignal(jury.session.fitting.done, timeout=LONG):
        jury.run()
    jury.go(2)
    block = jury.results.part_blocks["movement"]
    assert block.title.text() == "What are the numbers?"
    assert block.stack.currentWidget() is block.body
    header, rows = block.rows
    assert header == ("Number", "Value", "Interval")
    fit = jury.session.document.analysis.fit
    assert len(rows) == len(fit.estimates) == 12
    gold = next(e.estimate for e in fit.estimates if e.name.name == "a" and e.name.category == "gold")
    assert ("a, follows a true “gold”", f"{gold.value:.2f}", f"{gold.low:.2f} to {gold.high:.2f}") in rows
    saved = []
    monkeypatch.setattr("tapdesk.gui.results.results_pane.save_picture", lambda *told: saved.append(told))
    block.save_picture()
    assert saved[0][2] == "estimates"
    assert [figure.kind for figure in saved[0][1]] == ["estimates"]
    # A later fit with re-draws shows them again, under their own name.
    jury.session.choose(question=QUESTIONS[0])
    qtbot.waitUntil(lambda: jury.session.ready, timeout=LONG)
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 100)
    with qtbot.waitSignal(jury.session.fitting.done, timeout=LONG):
        jury.run()
    jury.go(2)
    assert block.title.text() == "How far would the numbers move?"
    assert block.rows[0][0:2] == ("Number", "Resamples")


def test_the_number_of_cases_to_discuss_does_not_stay_where_none_can_be_named(fitted, qtbot):
    fitted.go(2)
    block = fitted.results.part_blocks["cases"]
    assert block.title.text().startswith("Discuss these ")
    fitted.session.choose(question=QUESTIONS[4])
    qtbot.waitUntil(lambda: fitted.session.ready, timeout=LONG)
    with qtbot.waitSignal(fitted.session.fitting.done, timeout=LONG):
        fitted.run()
    fitted.go(2)
    found = fitted.session.side_studies
    qtbot.waitUntil(lambda: found.current is not None and not found.current.waiting, timeout=LONG)
    assert "is not reported" in block.trouble.text()
    assert block.title.text() == "Which wines are worth discussing?"
    assert fitted.results.headline.words == (
        "These ratings cannot tell whether one answer is easier to recognise than another."
    )


def test_raters_of_whom_nothing_is_known_are_told_so_and_not_drawn_on_an_empty_scale(window, qtbot, tmp_path):
    sheet = tmp_path / "one.csv"
    sheet.write_text("case,Ana,Ben,Cy\nc1,yes,no,yes\n")
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_file(str(sheet))
    window.session.choose(question=QUESTIONS[1], interval="wald")
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        window.run()
    window.go(2)
    found = window.session.side_studies
    qtbot.waitUntil(lambda: found.current is not None and not found.current.waiting, timeout=LONG)
    block = window.results.part_blocks["raters"]
    assert block.stack.currentWidget() is block.trouble
    assert "leave open" in block.trouble.text()


def test_enough_data_is_answered_with_the_width_at_hand_first(jury, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 100)
    jury.session.choose(question=QUESTIONS[5], interval="wald")
    qtbot.waitUntil(lambda: jury.session.ready, timeout=LONG)
    with qtbot.waitSignal(jury.session.fitting.done, timeout=LONG):
        jury.run()
    jury.go(2)
    a = jury.session.document.analysis.fit.estimate("a")
    assert jury.results.headline.words == (
        f"The ratings at hand (183 wines, 732 ratings) put the accuracy between {a.low:.2f} and {a.high:.2f}, which is "
        f"{a.high - a.low:.2f} wide (95 % interval)."
    )
    jury.results.figure_chooser.stop_work()


def test_categories_are_set_beside_each_other_also_where_the_answer_knows_two_sides(fitted):
    fitted.go(2)
    results = fitted.results
    block = results.part_blocks["categories"]
    assert block in results.blocks
    order = [results.blocks.index(b) for b in (results.part_blocks["chance"], results.part_blocks["cases"], block)]
    assert order == sorted(order)
    assert results.blocks.index(block) < results.blocks.index(results.part_blocks["coefficients"])
    header, rows = block.rows
    assert [row[0] for row in rows] == ["no medal", "bronze", "silver", "gold"]
    # Counted by hand: every pair of ratings of a wine, both ways.
    counts = fitted.session.document.project.all_classes.counts()
    both = sum(np.outer(row, row) - np.diag(row) for row in counts)
    share = both / both.sum(axis=1, keepdims=True)
    told = np.array([[float(cell.removesuffix(" %").replace("<", "")) for cell in row[1:]] for row in rows]) / 100
    assert told == pytest.approx(share, abs=0.0051)
    assert header[1:] == tuple(f"Another says “{c}”" for c in ("no medal", "bronze", "silver", "gold"))


def test_two_categories_have_no_block_of_their_own(window, qtbot):
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_sample("paradox")
    window.session.choose(interval="wald")
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        window.run()
    window.go(2)
    assert window.results.part_blocks["categories"] not in window.results.blocks
    assert not window.results.part_blocks["categories"].isVisible()
