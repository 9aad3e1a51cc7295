"""What the program proposes in the model pane: a model that goes with the ratings, why, and that one may decline."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tapdesk.answers.proposals import declined_keys, seen_in_ratings
from tapdesk.answers.question import QUESTIONS
from tapdesk.models.model import Key, model
from tapdesk.project.files.file import decode, encode
from tests.gui.dataset_clicks import LONG, choose

# The offscreen platform has menus but no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def wards(count=160, raters=3):
    """Cases of two wards, of which one has more that are truly yes."""
    rng = np.random.default_rng(8)
    lines = ["case,ward," + ",".join("ABCDEF"[:raters])]
    for i in range(count):
        true = rng.random() < (0.7 if i % 2 else 0.2)
        cells = ("yes" if (true if rng.random() < 0.8 else rng.random() < 0.4) else "no" for _rater in range(raters))
        lines.append(f"c{i},{'east' if i % 2 else 'west'}," + ",".join(cells))
    return "\n".join(lines) + "\n"


def rounds(repeats=25):
    """Raters who rated some cases in two rounds, and often copied themselves."""
    rng = np.random.default_rng(3)
    lines = ["case,rater,round,rating"]
    for i in range(60):
        true = rng.random() < 0.45
        for j in range(4):
            last = None
            for turn in (1, 2) if i < repeats else (1,):
                fresh = true if rng.random() < 0.7 else rng.random() < 0.5
                last = last if last is not None and rng.random() < 0.5 else fresh
                lines.append(f"c{i},r{j},{turn},{'yes' if last else 'no'}")
    return "\n".join(lines) + "\n"


def hard():
    """Six ratings of each case, a third of which are beyond everybody."""
    rng = np.random.default_rng(3)
    lines = ["case,A,B,C,D,E,F"]
    for i in range(250):
        true, beyond = rng.random() < 0.5, rng.random() < 0.35
        cells = (true if not beyond and rng.random() < 0.9 else rng.random() < 0.5 for _rater in range(6))
        lines.append(f"c{i}," + ",".join("yes" if cell else "no" for cell in cells))
    return "\n".join(lines) + "\n"


def ready(window, qtbot):
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)


def click(qtbot, button):
    # Before it is laid out there is nothing to be hit.
    qtbot.waitUntil(lambda: button.height() > 0, timeout=LONG)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def shown(window):
    """Keys of the parts whose blocks stand in the results."""
    return [block.part.key for block in window.results.blocks if hasattr(block, "part")]


def run(window, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 20)
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        window.run()
    return window.session.document.analysis


def test_groups_are_proposed_with_the_reason_and_run_where_they_are_taken(opened, qtbot, monkeypatch):
    window = opened(wards())
    ready(window, qtbot)
    window.go(1)
    card = window.model.proposal
    assert card.isVisible()
    assert card.head.text() == "The program proposes the model tg-a-p"
    assert card.reason.text() == "The cases are of 2 groups (“ward”)."
    assert "ratings are then taken to be equally good in all" in card.words.text()
    click(qtbot, card.use)
    ready(window, qtbot)
    assert card.head.text() == "Proposed, and used: the model tg-a-p"
    assert not card.use.isVisible()
    assert "tg-a-p" in window.model.light.title.text()
    analysis = run(window, qtbot, monkeypatch)
    assert (analysis.fit.model.name, analysis.fit.model.groups) == ("tg-a-p", "ward")
    assert analysis.label == "tg-a-p, by “ward”"
    assert window.session.out_of_date == ""
    window.go(2)
    qtbot.waitUntil(lambda: "contrasts" in shown(window), timeout=LONG)
    window.go(1)
    click(qtbot, card.back)
    ready(window, qtbot)
    assert window.session.plan.model.name == "t-a-p"


def test_what_is_declined_is_not_proposed_again_until_it_is_asked_for(opened, qtbot):
    window = opened(wards())
    ready(window, qtbot)
    window.go(1)
    card = window.model.proposal
    click(qtbot, card.decline)
    assert not card.reason.isVisible()
    assert window.session.plan.model.name == "t-a-p"
    project = window.session.document.project
    assert declined_keys(project) == ("groups:ward",)
    assert declined_keys(decode(encode(project), "again.tapdesk")) == ("groups:ward",)
    click(qtbot, card.again)
    assert card.reason.isVisible()


def test_two_groups_with_two_ratings_are_told_to_be_an_assumption_before_the_run(opened, qtbot):
    window = opened(wards(raters=2))
    ready(window, qtbot)
    window.go(1)
    assert "it cannot be seen whether the groups differ in truth" in window.model.proposal.words.text()
    click(qtbot, window.model.proposal.use)
    ready(window, qtbot)
    assert "it cannot be seen whether the groups differ in truth" in window.model.light.words.text()


def test_cases_rated_again_in_rounds_propose_a_memory_and_what_it_costs(opened, qtbot, monkeypatch):
    window = opened(rounds())
    ready(window, qtbot)
    window.go(1)
    card = window.model.proposal
    assert "All 4 raters rated some cases again." in card.reason.text()
    assert "a copy tells nothing new" in card.words.text()
    click(qtbot, card.use)
    ready(window, qtbot)
    analysis = run(window, qtbot, monkeypatch)
    assert analysis.fit.model.name == "t-aj-p+m"
    assert analysis.request.model.occasions == "round"


def test_that_some_cases_are_harder_is_proposed_once_the_ratings_say_so(opened, qtbot, monkeypatch):
    window = opened(hard())
    ready(window, qtbot)
    window.go(1)
    assert not window.model.proposal.isVisible()
    run(window, qtbot, monkeypatch)
    card = window.model.proposal
    qtbot.waitUntil(card.isVisible, timeout=LONG)
    assert card.reason.text() == "Your ratings say that some cases are harder."
    assert "none of them is the one that is right" in card.words.text()
    keys = [block.part.key for block in window.results.part_blocks]
    window.go(2)
    qtbot.waitUntil(
        lambda: "dependence" in [b.part.key for b in window.results.blocks if hasattr(b, "part")], timeout=LONG
    )
    assert "contrasts" not in keys
    window.go(1)
    click(qtbot, card.use)
    ready(window, qtbot)
    assert window.session.plan.model.name in {"t-ah-p", "t-ai-p", "t-a-pi"}


def test_known_answers_are_certain_unless_they_are_set_beside(opened, qtbot, monkeypatch):
    rng = np.random.default_rng(2)
    lines = ["case,A,B,C,Gold standard"]
    for i in range(90):
        true = rng.random() < 0.4
        cells = ["yes" if (true if rng.random() < 0.8 else rng.random() < 0.5) else "no" for _rater in range(3)]
        lines.append(f"c{i}," + ",".join(cells) + "," + (("yes" if true else "no") if i % 3 == 0 else ""))
    window = opened("\n".join(lines) + "\n")
    choose(qtbot, window, "known", "Gold standard")
    ready(window, qtbot)
    window.go(1)
    choices = window.model.choices
    assert choices.key.isVisible()
    assert choices.key.currentData() is Key.CERTAIN
    assert "are held against what is true of these cases" in choices.key_words.text()
    assert "The known answers are taken as <b>certain</b>." in window.model.sentence.text()
    assert run(window, qtbot, monkeypatch).fit.model.key is Key.CERTAIN
    choices.key.setCurrentIndex(choices.key.findData(Key.UNUSED))
    choices.key.activated.emit(choices.key.currentIndex())
    ready(window, qtbot)
    assert "certain" not in window.model.sentence.text()
    analysis = run(window, qtbot, monkeypatch)
    assert analysis.fit.model.key is Key.UNUSED
    assert analysis.label == "without the known answers"


@pytest.mark.parametrize(
    ("text", "usual", "expected"),
    [
        (wards(raters=3), "t-aj-pj", {"groups:ward": "tg-aj-pj"}),
        (rounds(repeats=0), "t-a-p", {}),
    ],
)
def test_what_is_proposed_goes_with_the_question(tmp_path, text, usual, expected):
    from tapdesk.ratings.reading import read_now

    file = tmp_path / "ratings.csv"
    file.write_text(text)
    found = seen_in_ratings(read_now(file).ratings, model(usual))
    assert {one.key: one.model for one in found} == expected


def apart():
    """Six raters of forty cases, two of whom are hardly ever wrong."""
    rng = np.random.default_rng(2)
    right = (1.0, 1.0, 0.7, 0.6, 0.6, 0.5)
    lines = ["case,A,B,C,D,E,F"]
    for i in range(40):
        true = rng.random() < 0.5
        cells = (true if rng.random() < a else rng.random() < 0.5 for a in right)
        lines.append(f"c{i}," + ",".join("yes" if cell else "no" for cell in cells))
    return "\n".join(lines) + "\n"


def test_raters_on_an_edge_are_proposed_to_be_drawn_from_one_population_and_that_can_be_declined(
    opened, qtbot, monkeypatch
):
    window = opened(apart())
    ready(window, qtbot)
    window.go(1)
    question = next(q for q in QUESTIONS if q.key == "raters")
    window.session.choose(question=question)
    ready(window, qtbot)
    card = window.model.proposal
    assert not card.isVisible()
    run(window, qtbot, monkeypatch)
    qtbot.waitUntil(card.isVisible, timeout=LONG)
    assert card.reason.text().startswith("The fit of each rater alone puts ")
    assert "nobody is believed to be perfect" in card.words.text()
    click(qtbot, card.decline)
    assert not card.reason.isVisible()
    assert declined_keys(window.session.document.project) == ("pool",)
    click(qtbot, card.again)
    click(qtbot, card.use)
    ready(window, qtbot)
    assert window.session.plan.named.pool
    click(qtbot, card.back)
    ready(window, qtbot)
    assert not window.session.plan.named.pool
