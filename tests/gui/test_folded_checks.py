"""What comes from another finding stands under it as one line, and is shown where it is asked for."""

from tests.project.test_damage import audit, totals

from .dataset_clicks import link, rows

ORDER = "Not all classes have a known order"


def tells(window, words):
    return any(words in row.accessibleName() for row in rows(window))


def test_remarks_that_come_from_a_row_of_totals_are_one_line_and_go_with_it(opened, qtbot):
    lines = audit()
    table = "\n".join(",".join(row) for row in (("Record", "Ana", "Ben", "Cy", "Dan"), *lines, totals(lines)))
    window = opened(f"{table}\n")
    qtbot.waitUntil(lambda: tells(window, "3 remarks come from that"))
    assert tells(window, "It is about 4 ratings.")
    # What the answer would do to the number is worked out in a thread, and said in the row.
    qtbot.waitUntil(lambda: tells(window, "Leave out Total Yes: raw agreement goes from "))
    assert not tells(window, ORDER)
    link(window, "Show them").click()
    qtbot.waitUntil(lambda: tells(window, ORDER))
    link(window, "Hide them").click()
    qtbot.waitUntil(lambda: not tells(window, ORDER))
    link(window, "Leave out Total Yes").click()
    qtbot.waitUntil(lambda: not tells(window, "remarks come from"))
    assert window.dataset.checks.words.text() == "Ready"
