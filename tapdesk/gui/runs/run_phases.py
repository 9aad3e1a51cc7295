"""The phases of a run, how far it has come in them, and the pictures that fill in meanwhile, in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tapdesk.answers import numbers
from tapdesk.gui.theme.icons import Glyph, State
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Frame, clear, plain, text
from tapdesk.language import gettext as _
from tapdesk.progress import Step

# Of each estimator: its phases, their words, and the share of the bar at which each ends; re-draws take the time, where
# any are made.
_PHASES: dict[str, dict[str, tuple[str, float]]] = {
    "exact-em": {
        "fit": (_("Find the best fit"), 0.15),
        "check": (_("Check that the answer is one answer"), 0.2),
        "intervals": (_("Intervals"), 0.4),
        "re-draws": (_("Re-draw the cases"), 1.0),
    },
    "exact-em-once": {
        "fit": (_("Find the best fit"), 0.3),
        "check": (_("Check that the answer is one answer"), 0.4),
        "intervals": (_("Intervals"), 1.0),
    },
    "moment-em": {"fit": (_("Find the best fit"), 0.95), "check": (_("Check the answer"), 1.0)},
    "posterior": {"posterior": (_("Find what to believe"), 0.98), "check": (_("Check the answer"), 1.0)},
}
REDRAWN = _("Distributions of the numbers over the re-draws")
_ALIASES = {"sampling": "posterior"}
SETTLING = (_("Is it settling?"), _("one line per start; they should meet at the top"))
AGREEING = (_("Do the chains agree?"), _("one line per chain; they should cover each other"))
MOVING = (_("How far would the numbers move?"), _("re-draws of the cases"))
BELIEF = (_("What do the data say?"), _("draws from the posterior"))
ENDS = (_("How sure are the numbers?"), _("intervals, when the run has ended"))


def set_stable_text(label: QLabel, words: str) -> None:
    """Change what a label says; it only ever grows, so that most changes are no reason to lay out the window anew."""
    if label.text() == words:
        return
    wanted = label.fontMetrics().size(Qt.TextFlag.TextSingleLine, words)
    if label.minimumSize() != label.maximumSize() or wanted.width() > label.minimumWidth():
        label.setFixedSize(wanted)
    label.setText(words)


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
        self._rows: list[tuple[Glyph, QLabel, QLabel]] = []
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
            set_stable_text(note, phase.note)
        self._shown = tuple(phases)
        self.setAccessibleDescription(". ".join(f"{p.words} {p.note}".strip() for p in phases))

    def turn(self) -> None:
        """Turn the busy arc of what is running."""
        for (mark, _words, _note), phase in zip(self._rows, self._shown, strict=True):
            if phase.state is State.RUNNING:
                mark.turn()

    def _row(self) -> tuple[Glyph, QLabel, QLabel]:
        mark, words, note = Glyph.of(self._theme, State.EMPTY), text(wrap=True), text("", "small", "2")
        line = plain(across=True, gap=10, margins=(0, 5, 0, 5)).add(mark, words)
        line.box.setStretch(1, 1)
        note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line.add(note)
        self.box.addWidget(line)
        return mark, words, note


class RunCourse:
    """How far a run has come.

    Attributes
    ----------
    share
        Of the whole run, from 0 to 1; it never falls.
    """

    def __init__(self) -> None:
        self._phases = _PHASES["exact-em"]
        self.begin()

    def goes_by(self, estimator: str) -> None:
        """Take the phases of an estimator; without re-draws exact E-M is called ``exact-em-once``."""
        self._phases = _PHASES[estimator]

    def begin(self) -> None:
        """Nothing has been done yet."""
        self._reached: dict[str, Step] = {}
        self._now, self._ended = "", False
        self.share = 0.0

    def end(self) -> None:
        """The run came to its end: every phase that was reached is done."""
        self._ended, self.share = True, 1.0

    @property
    def begun(self) -> bool:
        """Whether anything has been done."""
        return bool(self._reached)

    def is_behind(self, step: Step) -> bool:
        """Whether a step is of a phase the run has left behind: re-draws are followed by one more look at the whole."""
        return phase_of(step) == "check" and "re-draws" in self._reached

    def anew(self, step: Step) -> bool:
        """Whether a step begins its phase anew: a second model is sampled for comparison, with chains of its own."""
        before = self._reached.get("posterior")
        return phase_of(step) == "posterior" and before is not None and step.done < before.done

    def take(self, step: Step) -> None:
        """Count a step."""
        self._now = phase_of(step)
        self._reached[self._now] = step
        self.share = max(self.share, self._far(step))

    def _far(self, step: Step) -> float:
        names, ends = list(self._phases), [end for _words, end in self._phases.values()]
        if phase_of(step) not in names:
            return 0.0
        at = names.index(phase_of(step))
        start = ends[at - 1] if at else 0.0
        return start + (ends[at] - start) * (step.done / step.total if step.total else 0.0)

    def phases(self, *, running: bool) -> list[Phase]:
        """The phases as they stand."""
        rows = []
        now = self._now if running else ""
        reached = [name for name in self._phases if name in self._reached]
        for name, (told, _end) in self._phases.items():
            step = self._reached.get(name)
            # What was cut short by Cancel or by a mistake is not done.
            ended = self._ended or (name in reached and name != reached[-1])
            state = State.RUNNING if name == now else State.DONE if step is not None and ended else State.EMPTY
            rows.append(Phase(state, told, _counted(name, step, state)))
        return rows


def phase_of(step: Step) -> str:
    """The phase of a step: drawing chains and adding up are one to whoever waits."""
    return _ALIASES.get(step.phase, step.phase)


def _counted(name: str, step: Step | None, state: State) -> str:
    """The end of a phase's line: how much of it there is, or is done."""
    if step is None or step.total <= 1:
        return ""
    total = numbers.count(step.total)
    if state is not State.DONE:
        return _("{done} of {total}").format(done=numbers.count(step.done), total=total)
    notes = {"fit": _("{total} starts").format(total=total), "re-draws": _("{total} re-draws").format(total=total)}
    return notes.get(name, "")
