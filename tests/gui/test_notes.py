"""Notes on the blocks of the results, what the report prints, words of scales, and pairs of raters as a square."""

import pytest
from PySide6.QtCore import Qt

from tapdesk.agreement.word_scales import LANDIS_KOCH, benchmark
from tapdesk.answers.content import Paragraph
from tapdesk.answers.parts import BLOCKS, COMMENTED, PARTS
from tapdesk.project.files.file import load
from tapdesk.report.build import build
from tapdesk.report.setup import setup

LONG = 240_000


def said(project, section):
    report = build(project)
    found = next(s for s in report.sections if s.key == section)
    return [(b.opening, b.text) for b in found.blocks if isinstance(b, Paragraph)]


def typed(qtbot, note, words):
    if not note.isVisible():
        note.open()
    qtbot.keyClicks(note.edit, words)
    note.tell()


def test_a_note_on_a_block_is_kept_in_the_project_printed_and_taken_back(fitted, qtbot):
    fitted.go(2)
    block = fitted.results.part_blocks["chance"]
    assert not block.note.isVisible()
    qtbot.mouseClick(block.note_tool, Qt.MouseButton.LeftButton)
    assert block.note.isVisible()
    typed(qtbot, block.note, "Nobody knew the vintage.")
    document = fitted.session.document
    assert ("Comment on “Could this be chance?”.", "Nobody knew the vintage.") in said(document.project, "results")
    assert "Could this be chance?" in document.undo_stack.undoText()
    document.undo_stack.undo()
    assert block.note.words == ""
    assert "vintage" not in str(said(document.project, "results"))
    document.undo_stack.redo()
    assert block.note.words == "Nobody knew the vintage."


def test_what_is_typed_in_one_go_is_taken_back_in_one_go_and_other_notes_stay(fitted, qtbot):
    fitted.go(2)
    stack, blocks = fitted.session.document.undo_stack, fitted.results.part_blocks
    typed(qtbot, blocks["coefficients"].note, "One")
    before = stack.count()
    typed(qtbot, blocks["chance"].note, "First")
    typed(qtbot, blocks["chance"].note, " and second")
    assert stack.count() == before + 1
    stack.undo()
    assert fitted.session.document.project.notes[PARTS_BY_KEY["coefficients"].place] == "One"
    assert PARTS_BY_KEY["chance"].place not in fitted.session.document.project.notes


PARTS_BY_KEY = {part.key: part for part in PARTS}


def test_words_typed_a_moment_ago_are_saved(fitted, qtbot, monkeypatch, tmp_path):
    place = tmp_path / "notes.tapdesk"
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.where_to_save", lambda _parent, _suggestion: place)
    fitted.go(2)
    note = fitted.results.part_blocks["model"].note
    if not note.isVisible():
        note.open()
    qtbot.keyClicks(note.edit, "Just typed")
    with qtbot.waitSignal(fitted.project_file.saving.done, timeout=LONG):
        fitted.save()
    assert load(place).notes[PARTS_BY_KEY["model"].place] == "Just typed"


def test_every_block_of_the_results_has_a_note_and_a_tick_of_the_report(fitted):
    fitted.go(2)
    blocks = {key: fitted.results.part_blocks[key] for key in (part.key for part in BLOCKS if not part.on_demand)}
    fitted.results.notes.refresh()
    assert all(block.in_report.isChecked() for block in blocks.values())
    assert all(block.note.edit.accessibleName() for block in blocks.values())


def test_a_block_that_is_not_to_be_printed_leaves_its_section_out_and_can_be_put_back(fitted, qtbot):
    fitted.go(2)
    blocks, document = fitted.results.part_blocks, fitted.session.document
    qtbot.mouseClick(blocks["coefficients"].in_report, Qt.MouseButton.LeftButton)
    assert setup(document.project).leave_out == ("agreement",)
    assert not blocks["pairs"].in_report.isChecked()
    assert blocks["chance"].in_report.isChecked()
    document.undo_stack.undo()
    assert setup(document.project).leave_out == ()
    assert blocks["pairs"].in_report.isChecked()


def test_words_of_a_scale_are_off_until_chosen_and_stand_with_their_probability(fitted):
    fitted.go(2)
    worded = fitted.results.part_blocks["coefficients"]
    assert not worded.words.isVisible()
    worded.scale.setCurrentIndex(1)
    worded.scale.activated.emit(1)
    assert worded.words.isVisible()
    assert worded.scale.currentText() == LANDIS_KOCH.name
    rows = {row[0]: row for row in worded.words.table.rows.rows}
    found = next(
        c for c in fitted.session.side_studies.current.extras.coefficients if c.name == "gwet_ac" and c.raters is None
    )
    told = benchmark(found.estimate, LANDIS_KOCH)
    assert rows["Gwet's AC1"][2] == told.word
    assert "%" in rows["Gwet's AC1"][3]
    worded.scale.setCurrentIndex(0)
    worded.scale.activated.emit(0)
    assert not worded.words.isVisible()


def test_pairs_of_raters_are_a_square_with_their_numbers_as_table_and_in_words(fitted):
    fitted.go(2)
    pairs = fitted.results.part_blocks["pairs"]
    assert pairs.body.picture.isVisibleTo(pairs)
    assert pairs.body.table is None
    header, rows = pairs.rows
    assert header == ("First", "Second", "Kappa", "95 % interval", "Shared wines")
    told = {
        c.raters: c.estimate
        for c in fitted.session.side_studies.current.extras.coefficients
        if c.name == "cohen_kappa" and c.weights == "identity"
    }
    assert len(rows) == 6
    for one, other, kappa, interval, shared in rows:
        e = told[one, other]
        assert kappa == f"{e.value:.2f}"
        assert interval == f"{e.low:.2f} to {e.high:.2f}"
        assert shared == "183"
    assert "Ana" in pairs.body.picture.accessibleDescription()


@pytest.mark.parametrize("scale", [100, 200])
def test_the_results_fit_into_a_small_window_without_scrolling_sideways(fitted, qtbot, scale):
    fitted.go(2)
    fitted.resize(1280, 720)
    fitted.dress(scale=scale)
    qtbot.wait(60)
    area = fitted.results.area
    assert area.widget().minimumSizeHint().width() <= area.viewport().width()
    fitted.dress(scale=100)


@pytest.mark.parametrize("key", ["groups", "models", "of_size", "more"])
def test_what_is_worked_out_when_asked_for_is_explained_and_its_note_is_printed_whatever_is_ticked(fitted, qtbot, key):
    fitted.go(2)
    block, document = getattr(fitted.results, {"more": "figure_chooser"}.get(key, key)), fitted.session.document
    block.explain_tool.click()
    assert block.explanation.isVisible()
    assert [block.explanation.text()] == [part.explanation for part in COMMENTED if part.key == key]
    qtbot.mouseClick(block.note_tool, Qt.MouseButton.LeftButton)
    assert block.note.isVisible()
    typed(qtbot, block.note, "Wards differ in age.")
    (title,) = [part.title for part in COMMENTED if part.key == key]
    assert (f"Comment on “{title}”.", "Wards differ in age.") in said(document.project, "results")
    assert setup(document.project).leave_out == ()
    document.undo_stack.undo()
    assert block.note.words == ""


def test_a_further_picture_the_report_can_print_is_printed_where_it_is_ticked(fitted, qtbot):
    fitted.go(2)
    more, document = fitted.results.figure_chooser, fitted.session.document
    assert more.in_report.isHidden()
    for kind, field in (("votes", "pictures"), ("contour", "contour"), ("expected", "recovery")):
        more.choice.choose(kind)
        more.choice.activated.emit(more.choice.currentIndex())
        qtbot.waitUntil(lambda: more.rows is not None, timeout=LONG)
        assert not more.in_report.isHidden()
        assert not more.in_report.isChecked()
        qtbot.mouseClick(more.in_report, Qt.MouseButton.LeftButton)
        assert field in setup(document.project).selection
        document.undo_stack.undo()
        assert not more.in_report.isChecked()
