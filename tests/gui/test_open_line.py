"""What is still open in the checks stands above the models in one line, and leads there."""

from .dataset_clicks import SHEET, link


def test_open_checks_stand_above_the_models_and_go_with_their_answer(opened, qtbot):
    window = opened(SHEET)
    window.go(1)
    assert window.model.banner.words.startswith("1 check is open: ")
    assert "differ only in capitals" in window.model.banner.words
    window.model.banner.last.click()
    assert window.panes.currentIndex() == 0
    link(window, "Merge as “yes”").click()
    window.go(1)
    qtbot.waitUntil(lambda: window.model.banner.words == "")
    window.actions_["undo"].trigger()
    qtbot.waitUntil(lambda: window.model.banner.words != "")


def test_results_carry_the_same_line_and_lead_to_the_checks(opened, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 40)
    window = opened(SHEET)
    window.session.choose_class1(("yes", "Yes"))
    qtbot.waitUntil(lambda: window.session.ready, timeout=60_000)
    with qtbot.waitSignal(window.session.fitting.done, timeout=60_000):
        window.run()
    window.go(2)
    qtbot.waitUntil(lambda: window.results.banner.words.startswith("1 check is open: "), timeout=60_000)
    assert "differ only in capitals" in window.results.banner.words
    window.results.banner.last.click()
    assert window.panes.currentIndex() == 0
