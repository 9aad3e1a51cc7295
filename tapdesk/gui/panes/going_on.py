"""The list "Continue" of the start pane: work that was not saved, then the last projects."""

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from tapdesk.answers import numbers
from tapdesk.gui.keeping.recent import Recent, ago
from tapdesk.gui.look.icons import Glyph
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.on_screen import told as as_here
from tapdesk.gui.telling import clock
from tapdesk.gui.widgets.basic import Frame, button, clear, plain, rule, text
from tapdesk.language import gettext as _
from tapdesk.project.files.autosave import UnsavedWork

SHOWN = 4


class GoingOn(Frame):
    """A card with a row for each; hidden while there is none.

    Attributes
    ----------
    opened
        A project file is wanted, by its path.
    taken_up, discarded
        Unsaved work is wanted, or not.
    """

    opened = Signal(str)
    taken_up = Signal(object)
    discarded = Signal(object)

    def __init__(self, theme: Theme, other: Callable[[], object]) -> None:
        super().__init__("card", margins=(0, 0, 0, 0), gap=0)
        self._theme = theme
        self._shown: tuple[Sequence[UnsavedWork], Sequence[Recent]] = ((), ())
        title = text(_("Continue"), "card")
        title.setContentsMargins(14, 9, 14, 9)
        self.rows = plain(gap=0)
        more = button(_("Other project…"), other, kind="link")
        foot = plain(across=True, margins=(14, 9, 14, 9)).add(more)
        foot.box.addStretch(1)
        self.add(title, self.rows, rule(), foot)
        self.hide()

    def show_rows(self, left_over: Sequence[UnsavedWork], recents: Sequence[Recent]) -> None:
        """Show unsaved work first, then the last projects."""
        if self._shown == (left_over, recents):
            return
        self._shown = (left_over, recents)
        clear(self.rows.box)
        for recovery in left_over:
            self.rows.add(rule(), self._recovery(recovery))
        for recent in recents[:SHOWN]:
            self.rows.add(rule(), self._recent(recent))
        self.setVisible(bool(left_over or recents))

    def _recovery(self, recovery: UnsavedWork) -> QWidget:
        name = recovery.document.stem if recovery.document is not None else recovery.title or _("Untitled")
        when = _("from {clock}, not saved").format(clock=clock(recovery.when)) if recovery.when else _("not saved")
        links = plain(across=True, gap=14).add(
            button(
                _("Open"),
                lambda: self.taken_up.emit(recovery),
                kind="link",
                name=_("Open {name}, {when}").format(name=name, when=when),
            ),
            button(
                _("Discard"),
                lambda: self.discarded.emit(recovery),
                kind="link",
                name=_("Discard {name}, {when}").format(name=name, when=when),
            ),
        )
        return self._row("mark-know", "know", (name, f"{when[:1].upper()}{when[1:]}"), links)

    def _recent(self, recent: Recent) -> QWidget:
        when = ago(recent.when, datetime.now().astimezone())
        path = recent.path
        link = button(
            _("Open"),
            lambda: self.opened.emit(path),
            kind="link",
            name=_("Open {name}, {when}").format(name=recent.name, when=when),
        )
        link.setToolTip(path)
        side = plain(across=True, gap=14).add(text(when, "caption", "3"), link)
        return self._row("table", "text2", (recent.name, as_here(recent.about)), side)

    def _row(self, picture: str, tint: str, words: tuple[str, str], side: QWidget) -> Frame:
        told = plain(gap=0).add(
            text(numbers.short(words[0], 60), "strong", wrap=True), text(words[1], "caption", "3", wrap=True)
        )
        row = plain(across=True, gap=14, margins=(14, 5, 14, 5)).add(Glyph(self._theme, picture, tint, 16), told, side)
        row.box.setStretch(1, 1)
        return row
