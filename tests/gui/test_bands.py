"""Cut points of one's own on scores, from the classes and from the checks."""

from tapdesk.gui.shell import dialogs

from .dataset_clicks import link

SCORES = "wine,Ana,Ben\n" + "".join(f"w{i},{10 + i % 18 / 2},{10 + (i + i % 3) % 18 / 2}\n" for i in range(54))


def test_scores_are_cut_where_the_user_says_so(opened, qtbot, monkeypatch):
    window = opened(SCORES)
    titles = []

    def answered(answers):
        monkeypatch.setattr(dialogs, "line_of_text", lambda *call: titles.append(call[1]) or answers.pop(0))

    answered(["13; 15; 17", "none; bronze; silver; gold"])
    window.dataset.categories_card.cut.click()
    assert window.session.document.project.ratings.classes == ("none", "bronze", "silver", "gold")
    # Bands with names are cut no further.
    assert not window.dataset.categories_card.cut.isVisible()
    window.actions_["undo"].trigger()
    answered(["99", ""])
    link(window, "Cut points of your own…").click()
    qtbot.waitUntil(window.dataset.error.isVisible)
    assert len(window.session.document.project.ratings.classes) > 15
    answered(["15", ""])
    link(window, "Cut points of your own…").click()
    assert window.session.document.project.ratings.classes == ("below 15", "15 or more")


def test_words_offer_no_cut(jury):
    assert not jury.dataset.categories_card.cut.isVisible()
