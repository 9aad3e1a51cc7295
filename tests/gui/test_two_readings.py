"""A file with two plausible readings: both previews stand side by side, and one click or key reads it so."""

import pytest
from PySide6.QtCore import Qt

from tapdesk.ratings.options import Layout
from tests.gui.dataset_clicks import LONG

NURSES = "Patient,Lab,Ana,Ben\n" + "".join(
    f"S{i},{n},{'yes' if (i + j) % 3 else 'no'},{'no' if i % 2 else 'yes'}\n"
    for i in range(8)
    for j, n in enumerate(("North", "South"))
)


def test_both_previews_stand_side_by_side_until_one_is_chosen(opened, qtbot):
    window = opened(NURSES)
    two, session = window.dataset.two, window.session
    assert two.isVisibleTo(window)
    heads = [[t.rows.headerData(c, Qt.Orientation.Horizontal) for c in range(t.rows.columnCount())] for t in two.tables]
    assert heads == [["Case: Patient", "Rater: Lab", "Rating: Ana"], ["Case: Patient", "Rater: Ana", "Rater: Ben"]]
    first = [[t.rows.index(0, c).data() for c in range(t.rows.columnCount())] for t in two.tables]
    assert first == [["S0", "North", "no"], ["S0", "no", "yes"]]
    left, right = (t.mapTo(window, t.rect().topLeft()) for t in two.tables)
    assert left.y() == right.y()
    assert left.x() < right.x()
    # Nothing is computed before.
    assert not window.model.run.isEnabled()
    with qtbot.waitSignal(session.reading.done, timeout=LONG):
        qtbot.mouseClick(two.links[2], Qt.MouseButton.LeftButton)
    assert session.document.project.reading.source.layout is Layout.RATERS
    assert not two.isVisibleTo(window)
    session.document.undo_stack.undo()
    assert two.isVisibleTo(window)


def test_the_other_way_is_chosen_by_keyboard(opened, qtbot):
    window = opened(NURSES)
    link = window.dataset.two.links[1]
    link.setFocus()
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        qtbot.keyClick(link, Qt.Key.Key_Space)
    source = window.session.document.project.reading.source
    assert (source.layout, source.roles["rating"]) == (Layout.QUESTIONS, "Ben")


@pytest.mark.parametrize("content", ["case,Ana,Ben,Cy\n" + "".join(f"c{i},y,n,y\nd{i},n,n,y\n" for i in range(9))])
def test_a_file_with_one_reading_shows_none(opened, content):
    assert not opened(content).dataset.two.isVisible()
