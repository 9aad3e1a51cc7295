"""Bad input of the newer models in the window: the sentence of the command line stands there before anything is run."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.gui.dataset_clicks import LONG

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def lines(twice=False):
    """60 cases by three raters: a group of one case, a group that varies within a case, some cases rated again."""
    rng = np.random.default_rng(1)
    rows = ["case,rater,rating,ward,visit"]
    for i in range(60):
        true = int(rng.integers(0, 3))
        for j in range(3):
            for turn in (1, 2) if twice and j == 0 else (1,):
                given = "abc"[true if rng.random() < 0.6 else int(rng.integers(0, 3))]
                visit = str(turn) if twice else "mn"[(i + j) % 2]
                rows.append(f"c{i},R{j},{given},{'some' if i else 'solo'},{visit}")
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("twice", "changes", "said"),
    [
        (False, {"model": "sdt"}, "is about ordered classes, and nothing says how these are ordered."),
        (False, {"model": "tg-a-p", "groups": "ward"}, "The group “solo” of 'ward' has one case only"),
        (False, {"model": "tg-a-p", "groups": "visit"}, "Ratings of one case, such as c0, are of several groups"),
        (True, {"model": "t-aj-p+m"}, "This model needs the column with the date or round of each rating"),
    ],
)
def test_what_such_a_model_cannot_use_is_said_beside_it_and_not_run(opened, qtbot, twice, changes, said):
    window = opened(lines(twice))
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    window.go(1)
    window.session.choose(named=replace(window.session.plan.named, **changes))
    qtbot.waitUntil(lambda: said in window.model.light.words.text(), timeout=LONG)
    assert not window.model.run.isEnabled()


def known(*, contradicting=False):
    """60 cases by three raters with known answers: of every fourth case a class nobody gave, or two answers of one."""
    rng = np.random.default_rng(1)
    rows = ["case,rater,rating,gold"]
    for i in range(60):
        true = "abc"[int(rng.integers(0, 3))]
        for j in range(3):
            given = true if rng.random() < 0.6 else "abc"[int(rng.integers(0, 3))]
            other = "abc".replace(true, "")[0] if contradicting and (i, j) == (5, 0) else true
            rows.append(f"c{i},R{j},{given},{'z' if not contradicting and i % 4 == 0 else other}")
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("contradicting", "said"),
    [
        (False, "'z' is no class that a rater gave (15 cases)"),
        (True, "Two rows of the case c5 have different known answers"),
    ],
)
def test_known_answers_that_cannot_be_used_are_told_when_their_column_is_named(opened, qtbot, contradicting, said):
    window = opened(known(contradicting=contradicting))
    chip = window.dataset.chips.chips["known"]
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    menu = chip._menu
    qtbot.waitUntil(menu.isVisible)
    act = next(act for act in menu.actions() if "gold" in act.text())
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(act).center())

    def is_said():
        return any(said in label.text() for label in window.findChildren(QLabel) if label.isVisible())

    qtbot.waitUntil(is_said, timeout=LONG)
    # The file as it was read before stays where the column cannot be taken for what is known.
    assert window.session.document.ratings.knows_answers is not contradicting
