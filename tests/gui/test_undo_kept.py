"""What can be undone in the window is there again when the project is opened again."""

import pytest

from tests.gui.test_filing import LONG, place, saved

__all__ = ["place"]


@pytest.mark.usefixtures("place")
def test_undo_and_redo_come_back_with_their_texts_and_their_place(opened, qtbot, place):
    window = opened("case,Ana,Ben\n" + "".join(f"c{i},{i % 2},{i % 3 % 2}\n" for i in range(9)))
    document = window.session.document
    document.do("A first note", document.project.with_note("summary", "One."))
    document.do("A second note", document.project.with_note("summary", "Two."))
    document.undo_stack.undo()
    saved(window, qtbot)
    with qtbot.waitSignal(window.session.opened, timeout=LONG):
        window.open_file(str(place))
    stack = document.undo_stack
    assert (stack.undoText(), stack.redoText()) == ("A first note", "A second note")
    assert document.project.notes["summary"] == "One."
    assert not window.project_file.unsaved
    stack.redo()
    assert document.project.notes["summary"] == "Two."
    stack.undo()
    stack.undo()
    assert "summary" not in document.project.notes
    assert window.project_file.unsaved
