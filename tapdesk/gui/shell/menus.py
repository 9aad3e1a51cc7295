"""One table of everything the menus and the keyboard can do."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenuBar, QWidget

from tapdesk.language import gettext as _
from tapdesk.language import say

MENUS = {
    "file": _("&File"),
    "edit": _("&Edit"),
    "view": _("&View"),
    "analysis": _("&Analysis"),
    "report": _("&Report"),
    "help": _("&Help"),
}


@dataclass(frozen=True, slots=True)
class ActionRow:
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


ACTIONS: tuple[ActionRow, ...] = (
    ActionRow("open", "file", _("&Open…"), ("Ctrl+O",)),
    ActionRow("paste", "file", _("&Paste ratings"), ("Ctrl+V",)),
    ActionRow("example", "file", _("Try an &example"), ("Ctrl+E",)),
    ActionRow("save", "file", _("&Save"), ("Ctrl+S",), line_before=True),
    ActionRow("save_as", "file", _("Save &as…"), ("Ctrl+Shift+A",)),
    ActionRow("quit", "file", _("&Quit"), ("Ctrl+Q",), line_before=True),
    ActionRow("undo", "edit", _("&Undo"), ("Ctrl+Z",)),
    ActionRow("redo", "edit", _("&Redo"), ("Ctrl+Shift+Z", "Ctrl+Y")),
    ActionRow("find", "edit", _("&Find in the ratings"), ("Ctrl+F",), line_before=True),
    ActionRow("find_next", "edit", _("Find &next"), ("F3",)),
    ActionRow("find_before", "edit", _("Find pre&vious"), ("Shift+F3",)),
    ActionRow("next_question", "edit", _("Next &question of the checks"), ("F8",), line_before=True),
    ActionRow("decisions", "edit", _("&Decisions…"), ("Ctrl+D",)),
    ActionRow("dataset", "view", _("&Dataset"), ("Ctrl+1",)),
    ActionRow("model", "view", _("&Model"), ("Ctrl+2",)),
    ActionRow("results", "view", _("&Results"), ("Ctrl+3",)),
    ActionRow("report", "view", _("Re&port"), ("Ctrl+4",)),
    ActionRow("next_area", "view", _("&Next area"), ("F6",), line_before=True),
    ActionRow("previous_area", "view", _("Previous area"), ("Shift+F6",)),
    ActionRow("larger", "view", _("&Larger text"), ("Ctrl++", "Ctrl+="), line_before=True),
    ActionRow("smaller", "view", _("&Smaller text"), ("Ctrl+-",)),
    ActionRow("usual", "view", _("&Usual text size"), ("Ctrl+0",)),
    ActionRow("light", "view", _("L&ight"), line_before=True, checkable=True),
    ActionRow("dark", "view", _("D&ark"), checkable=True),
    ActionRow("contrast", "view", _("&High contrast"), checkable=True),
    ActionRow("codes", "view", _("Raters as &codes"), line_before=True, checkable=True),
    ActionRow("run", "analysis", _("&Run"), ("Ctrl+R", "F5")),
    ActionRow("cancel", "analysis", _("&Cancel"), ("Ctrl+.",)),
    ActionRow("save_report", "report", _("&Save report (PDF)…"), ("Ctrl+Shift+S",)),
    ActionRow("report_words", "report", _("Title, summary and your &words…"), ("Ctrl+Shift+W",)),
    ActionRow("letters", "report", _("Private &letters to the raters…")),
    ActionRow("print_report", "report", _("&Print…"), ("Ctrl+P",), line_before=True),
    ActionRow("verify", "report", _("&Verify an issued report…"), line_before=True),
    ActionRow("help", "help", _("&Help"), ("F1",)),
    ActionRow("tour", "help", _("&Tour in two minutes")),
    ActionRow("about", "help", _("&About tapdesk"), line_before=True),
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
