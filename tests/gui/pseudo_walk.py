"""What a window says in the pseudo-language; run by `test_pseudo_walk` in a process of its own."""

import re
from dataclasses import astuple

from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QFileDialog, QLabel, QMenu, QWidget

from tapdesk.answers.literature import WORKS
from tapdesk.gui.report import export_dialog
from tapdesk.gui.shell import dialogs, table_dialogs
from tapdesk.language import Nouns
from tapdesk.project.nouns import nouns_of
from tests.gui import openings, readable
from tests.gui.conftest import LONG, worked_out

# Keys of a keyboard, codings of text, names of models and methods, scales called by who published them.
NOT_OURS = re.compile(
    r"(Ctrl|Shift|Alt|Esc)\b.*|latin-1|mac-roman|utf-8|cp\d+|(tg-)?dawid-skene|exact-em, \d+|[A-Z][\w ]+ \(\d{4}\)"
)
WORD = re.compile(r"[^\W\d_]{4,}")
KEYS = re.compile(r"\b(Ctrl|Shift|Alt)\+\S+")

# What the walk itself asks the questions with.
GIVEN = {*map(str, openings.ANSWERS.values()), *openings.ANSWERS["rows"], "It was issued."}


def outside(text):
    """The words of a text that stand in no brackets."""
    while (inner := re.sub(r"⟦[^⟦⟧]*⟧", " ", text)) != text:
        text = inner
    # What is shortened for its place has lost its last bracket.
    text = re.sub(r"⟦[^⟦⟧]*…$", " ", text)
    return KEYS.sub(" ", text)


def own_words(window):
    """What is the user's own, longest first."""
    ratings, reading = window.session.document.project.all_classes, window.session.document.project.reading
    own = {*ratings.raters, *ratings.classes, *reading.preview.header, *reading.as_read.classes, reading.source.name}
    # What the file calls its things; the program's own words for them are in its language.
    nouns = {*astuple(nouns_of(window.session.document.project))} - {*astuple(Nouns())}
    nouns |= {word[:1].upper() + word[1:] for word in nouns}
    # Works are called and cited as they were published.
    works = {text for work in WORKS for text in (work.cite, work.work)}
    return sorted({*own, *nouns, *works, "tapdesk", "jury"}, key=len, reverse=True)


def of_plots():
    """What the menus say that pyqtgraph brings with its plots."""
    for top in QApplication.topLevelWidgets():
        words = {words for words, _place in readable.of_tree(top)}
        if isinstance(top, QMenu) and words & {"Plot Options", "Transforms", "Export", "Show X Grid"}:
            yield from words


def unsaid(window):
    """Where, and the texts with words in no brackets that are nobody's."""
    foreign = {*of_plots(), "Export", "Export..."}
    for text, place in readable.everything().items():
        if text not in foreign and not_ours(window, text):
            yield place, text


def not_ours(window, text):
    """Whether a text has words that were not looked up."""
    left = "" if NOT_OURS.fullmatch(text) else outside(text)
    for name in own_words(window):
        left = left.replace(name, " ")
    return WORD.search(left) is not None


def cut(window):
    """What is on the screen and does not show all of its words."""
    for one in window.findChildren(QWidget):
        if not one.isVisible() or one.visibleRegion().isEmpty():
            continue
        words = one.currentText() if isinstance(one, QComboBox) else getattr(one, "text", str)()
        if not words or not isinstance(one, QLabel | QAbstractButton | QComboBox):
            continue
        if one.hasHeightForWidth():
            if one.heightForWidth(one.width()) > one.height() + 1:
                yield f"{words}: {one.heightForWidth(one.width())} high, in {one.height()}"
        elif one.sizeHint().width() > one.width() + 1:
            yield f"{words}: {one.sizeHint().width()} wide, in {one.width()}"


def walked(window, qtbot, look):
    """What one look yields of each pane."""
    rows = {}
    for place in range(4):
        window.go(place)
        if place == 2:
            qtbot.waitUntil(lambda: worked_out(window), timeout=LONG)
        if place == 3:
            qtbot.waitUntil(lambda: not window.report.job.running, timeout=LONG)
        QApplication.processEvents()
        rows |= {row: place for row in look(window) if row not in rows}
    return rows


def test_all_that_can_be_read_of_every_pane_is_in_the_language_of_the_screen(fitted, qtbot):
    rows = walked(fitted, qtbot, unsaid)
    assert rows == {}, "\n".join(f"{place} {row!r}" for row, place in rows.items())


def test_every_word_on_the_screen_has_its_room(fitted, qtbot):
    fitted.resize(1280, 800)
    rows = walked(fitted, qtbot, cut)
    assert rows == {}, "\n".join(f"{place} {row}" for row, place in rows.items())


def test_every_dialog_is_in_the_language_of_the_screen_and_has_room_for_it(fitted, monkeypatch):
    rows = {}

    def looked_at(dialog):
        if not isinstance(dialog, QFileDialog):
            dialog.show()
            QApplication.processEvents()
            for words, place in readable.of_tree(dialog):
                if words not in GIVEN and not_ours(fitted, words):
                    rows[words] = f"{type(dialog).__name__}, {place}"
            rows.update(dict.fromkeys(cut(dialog), type(dialog).__name__))
            dialog.hide()
        seen.append(dialog)
        return False

    seen = []
    for module in (dialogs, table_dialogs, export_dialog):
        if hasattr(module, "execute"):
            monkeypatch.setattr(module, "execute", looked_at)
    for _name, act in openings.question_openings(fitted):
        act()
    theme, project = fitted.theme, fitted.session.document.project
    looked_at(table_dialogs.CleanedDialog(theme, fitted, project))
    looked_at(table_dialogs.SheetsDialog(theme, fitted, project, ""))
    looked_at(export_dialog.ExportDialog(fitted.report, "jury", raters=True, issue=True, cases=True, file="jury.pdf"))
    assert len(seen) > 15
    assert rows == {}, "\n".join(f"{place} {row!r}" for row, place in rows.items())
