"""The phases of a run, one a line."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt

from tapdesk.gui.look.icons import Glyph, State
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import Frame, clear, plain, text
from tapdesk.gui.widgets.steady import steady
from tapdesk.language import gettext as _


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of a run: how it stands, what it is, and a note at the end of its line."""

    state: State
    words: str
    note: str = ""


class PhaseList(Frame):
    """The phases of a run, one a line."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("none", margins=(0, 0, 0, 0), gap=0)
        self._theme = theme
        self._shown: tuple[Phase, ...] = ()
        self._rows: list[tuple[Glyph, object, object]] = []
        self.setAccessibleName(_("Steps of the run"))

    def show_phases(self, phases: Sequence[Phase]) -> None:
        """Show the phases; lines are made anew only where their number changes."""
        if len(phases) != len(self._rows):
            clear(self.box)
            self._rows = [self._row() for _phase in phases]
        for (mark, words, note), phase in zip(self._rows, phases, strict=True):
            mark.show_state(phase.state)
            words.setText(phase.words)
            kind = "strong" if phase.state is State.RUNNING else "body"
            if words.property("type") != kind:
                words.setProperty("type", kind)
                words.style().polish(words)
            steady(note, phase.note)
        self._shown = tuple(phases)
        self.setAccessibleDescription(". ".join(f"{p.words} {p.note}".strip() for p in phases))

    def turn(self) -> None:
        """Turn the busy arc of what is running."""
        for (mark, _words, _note), phase in zip(self._rows, self._shown, strict=True):
            if phase.state is State.RUNNING:
                mark.turn()

    def _row(self) -> tuple[Glyph, object, object]:
        mark, words, note = Glyph.of(self._theme, State.EMPTY), text(wrap=True), text("", "small", "2")
        line = plain(across=True, gap=10, margins=(0, 5, 0, 5)).add(mark, words)
        line.box.setStretch(1, 1)
        note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line.add(note)
        self.box.addWidget(line)
        return mark, words, note
