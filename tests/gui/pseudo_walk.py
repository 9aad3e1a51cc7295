"""What a window says in the pseudo-language; run by `test_pseudo_walk` in a process of its own."""

import re

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel

from tests.gui.conftest import LONG, worked_out
from tests.gui.readable import plain

# Keys of a keyboard, codings of text, and the menu pyqtgraph brings with its plots.
NOT_OURS = re.compile(r"(Ctrl|Shift|Alt|Esc)\b.*|latin-1|mac-roman|utf-8|cp\d+")
OF_PLOTS = {"Plot Options", "Transforms", "Downsample", "Average", "Alpha", "Grid", "Points", "Export..."}
WORD = re.compile(r"[^\W\d_]{4,}")


def outside(text):
    """The words of a text that stand in no brackets."""
    # What is shortened for its place has lost its last bracket.
    text = re.sub(r"⟦[^⟦⟧]*…$", " ", text)
    while (inner := re.sub(r"⟦[^⟦⟧]*⟧", " ", text)) != text:
        text = inner
    return text


def shown(window):
    """What labels, buttons and actions say."""
    for kind in (QLabel, QAbstractButton, QAction):
        for one in window.findChildren(kind):
            if one.text():
                yield plain(one.text())
    for top in QApplication.topLevelWidgets():
        yield from (plain(one.text()) for one in top.findChildren(QAction) if one.text())


def unsaid(window):
    """The texts with words in no brackets that are nobody's."""
    ratings, reading = window.session.document.project.all_classes, window.session.document.project.reading
    own = (*ratings.raters, *ratings.classes, *reading.preview.header, *reading.as_read.classes, reading.source.name)
    names = sorted({*own, "tapdesk", "jury"}, key=len, reverse=True)
    for text in shown(window):
        left = "" if text in OF_PLOTS or NOT_OURS.fullmatch(text) else outside(text)
        for name in names:
            left = left.replace(name, " ")
        if WORD.search(left):
            yield text


def test_every_label_button_and_action_of_every_pane_is_in_the_language_of_the_screen(fitted, qtbot):
    found = {}
    for place in range(4):
        fitted.go(place)
        if place == 2:
            qtbot.waitUntil(lambda: worked_out(fitted), timeout=LONG)
        found |= dict.fromkeys(unsaid(fitted), place)
    assert found == {}, "\n".join(f"{place} {text!r}" for text, place in found.items())
