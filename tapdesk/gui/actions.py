"""One table of everything the menus and the keyboard can do."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenuBar, QWidget

from tapdesk.language import gettext as _
from tapdesk.language import say


@dataclass(frozen=True, slots=True)
class Row:
    """One action.

    Attributes
    ----------
    key
        The name under which the window knows it.
    menu
        The menu it stands in.
    words
        What it does; ``&`` marks the letter of the menu.
    shortcuts
        Keys; the first one is shown.
    line_before
        Whether a line separates it from what stands above.
    checkable
        Whether it can be on and off.
    """

    key: str
    menu: str
    words: str
    shortcuts: tuple[str, ...] = ()
    line_before: bool = False
    checkable: bool = False


MENUS = {
    "file": _("&File"),
    "edit": _("&Edit"),
    "view": _("&View"),
    "analysis": _("&Analysis"),
    "report": _("&Report"),
    "help": _("&Help"),
}

ACTIONS: tuple[Row, ...] = (
    Row("open", "file", _("&Open…"), ("Ctrl+O",)),
    Row("paste", "file", _("&Paste ratings"), ("Ctrl+V",)),
    Row("example", "file", _("Try an &example"), ("Ctrl+E",)),
    Row("save", "file", _("&Save"), ("Ctrl+S",), line_before=True),
    Row("save_as", "file", _("Save &as…"), ("Ctrl+Shift+A",)),
    Row("quit", "file", _("&Quit"), ("Ctrl+Q",), line_before=True),
    Row("undo", "edit", _("&Undo"), ("Ctrl+Z",)),
    Row("redo", "edit", _("&Redo"), ("Ctrl+Shift+Z", "Ctrl+Y")),
    Row("find", "edit", _("&Find in the ratings"), ("Ctrl+F",), line_before=True),
    Row("find_next", "edit", _("Find &next"), ("F3",)),
    Row("find_before", "edit", _("Find pre&vious"), ("Shift+F3",)),
    Row("next_question", "edit", _("Next &question of the checks"), ("F8",), line_before=True),
    Row("decisions", "edit", _("&Decisions…"), ("Ctrl+D",)),
    Row("dataset", "view", _("&Dataset"), ("Ctrl+1",)),
    Row("model", "view", _("&Model"), ("Ctrl+2",)),
    Row("results", "view", _("&Results"), ("Ctrl+3",)),
    Row("report", "view", _("Re&port"), ("Ctrl+4",)),
    Row("next_area", "view", _("&Next area"), ("F6",), line_before=True),
    Row("previous_area", "view", _("Previous area"), ("Shift+F6",)),
    Row("larger", "view", _("&Larger text"), ("Ctrl++", "Ctrl+="), line_before=True),
    Row("smaller", "view", _("&Smaller text"), ("Ctrl+-",)),
    Row("usual", "view", _("&Usual text size"), ("Ctrl+0",)),
    Row("light", "view", _("L&ight"), line_before=True, checkable=True),
    Row("dark", "view", _("D&ark"), checkable=True),
    Row("contrast", "view", _("&High contrast"), checkable=True),
    Row("codes", "view", _("Raters as &codes"), line_before=True, checkable=True),
    Row("run", "analysis", _("&Run"), ("Ctrl+R", "F5")),
    Row("cancel", "analysis", _("&Cancel"), ("Ctrl+.",)),
    Row("save_report", "report", _("&Save report (PDF)…"), ("Ctrl+Shift+S",)),
    Row("report_words", "report", _("Title, summary and your &words…"), ("Ctrl+Shift+W",)),
    Row("letters", "report", _("Private &letters to the raters…")),
    Row("print_report", "report", _("&Print…"), ("Ctrl+P",), line_before=True),
    Row("verify", "report", _("&Verify an issued report…"), line_before=True),
    Row("help", "help", _("&Help"), ("F1",)),
    Row("tour", "help", _("&Tour in two minutes")),
    Row("about", "help", _("&About tapdesk"), line_before=True),
)


def fill(bar: QMenuBar, window: QWidget, act: dict[str, Callable[[], object]]) -> dict[str, QAction]:
    """Put all actions into the menus; ``act`` says what each does."""
    made: dict[str, QAction] = {}
    menus = {key: bar.addMenu(say(words)) for key, words in MENUS.items()}
    for row in ACTIONS:
        menu = menus[row.menu]
        if row.line_before:
            menu.addSeparator()
        action = QAction(say(row.words), window)
        action.setShortcuts([QKeySequence(keys) for keys in row.shortcuts])
        action.setCheckable(row.checkable)
        call = act[row.key]
        action.triggered.connect(lambda _checked=False, call=call: call())
        menu.addAction(action)
        made[row.key] = action
    return made
