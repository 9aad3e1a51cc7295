"""What comes from another finding stands under it as one line, and is shown where it is asked for."""

from tapdesk.gui.widgets.messages import CheckRow
from tests.project.test_damage import audit, totals


def rows_of(window):
    return [row for row in window.dataset.checks.rows.findChildren(CheckRow) if not row.isHidden()]


def names_of(window):
    return [row.accessibleName() for row in rows_of(window)]


def press(window, words):
    [link] = [link for row in rows_of(window) for link in row.links if link.text() == words]
    link.click()


def test_remarks_that_come_from_a_row_of_totals_are_one_line_and_go_with_it(opened, qtbot):
    lines = audit()
    table = "\n".join(",".join(row) for row in (("Record", "Ana", "Ben", "Cy", "Dan"), *lines, totals(lines)))
    window = opened(f"{table}\n")
    assert any("3 remarks come from that" in name for name in names_of(window))
    assert any("It is about 4 ratings." in name for name in names_of(window))
    assert not any("Not all classes have a known order" in name for name in names_of(window))
    press(window, "Show them")
    qtbot.waitUntil(lambda: any("Not all classes have a known order" in name for name in names_of(window)))
    press(window, "Hide them")
    qtbot.waitUntil(lambda: not any("Not all classes have a known order" in name for name in names_of(window)))
    press(window, "Leave out Total Yes")
    qtbot.waitUntil(lambda: not any("remarks come from" in name for name in names_of(window)))
    assert window.dataset.checks.words.text() == "Ready"
