"""What the window shows: one project value, its undo stack and one signal."""

import zlib
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from tapdesk.answers.naming import NAMES, Naming, RatersAs, naming
from tapdesk.answers.pseudonyms import coded_fit, coded_ratings
from tapdesk.fitting.fit import Fit
from tapdesk.gui.runs.gui_priority import GUI_PRIORITY
from tapdesk.language import gettext as _
from tapdesk.language import speak, voice
from tapdesk.models.parameters import ParameterName
from tapdesk.project.decisions.base import DecisionEntry
from tapdesk.project.files.contents import current_history, undoable_part
from tapdesk.project.nouns import nouns_of
from tapdesk.project.project import Analysis, History, Project
from tapdesk.project.shown import shown_analysis, with_shown
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading


class Change(QUndoCommand):
    """The only undo command there is: what was done in words, the project before and after."""

    def __init__(self, document: "OpenDocument", text: str, before: Project, after: Project, kind: str = "") -> None:
        super().__init__(text)
        self._document, self.before, self.after, self.kind = document, before, after, kind

    def id(self) -> int:
        """Changes with one number that follow each other are one change: words as they are typed."""
        return zlib.crc32(self.kind.encode()) & 0x7FFFFFFF if self.kind else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over what a later change of the same kind did."""
        if not isinstance(other, Change) or other.kind != self.kind:
            return False
        self.after = other.after
        return True

    def undo(self) -> None:
        """Go back to the project before."""
        self._document.show_decisions_of(self.before)

    def redo(self) -> None:
        """Go on to the project after."""
        self._document.show_decisions_of(self.after)


class OpenDocument(QObject):
    """The current project. Panes read it and ask it for changes; they never call each other.

    Attributes
    ----------
    changed
        Emitted after every change, whatever it was.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self._project = Project()
        self._ratings: Ratings | None = None
        self._restoring = False

    @property
    def project(self) -> Project:
        """The project as it stands."""
        return self._project

    @property
    def empty(self) -> bool:
        """Whether no ratings are open."""
        return self._project.reading is None

    @property
    def ratings(self) -> Ratings:
        """The current ratings, worked out once for each state of the project."""
        if self._ratings is None:
            self._ratings = self._project.ratings
        return self._ratings

    @property
    def data(self) -> "DataVersion":
        """What the ratings follow from; equal data mean equal ratings."""
        return data_of(self._project)

    @property
    def analysis(self) -> Analysis | None:
        """The analysis that is looked at: the newest, unless another one was chosen; None where there is none."""
        return shown_analysis(self._project)

    def look_at(self, name: str) -> None:
        """Look at another analysis."""
        self._project = with_shown(self._project, name)
        self._tell()

    def set_analyses(self, analyses: tuple[Analysis, ...], name: str = "") -> None:
        """Have other analyses, and look at one of them; like answers, that is not taken back by undo."""
        self._project = with_shown(replace(self._project, analyses=analyses), name)
        self._tell()

    def open(self, project: Project) -> None:
        """Show another project, with what can be undone and redone in it."""
        self._project, self._ratings = replace(project, history=None), None
        self.undo_stack.clear()
        history = current_history(project)
        if history is not None:
            self._restore(history)
        self._tell()

    def _restore(self, history: History) -> None:
        """Fill the undo stack with steps made before; the project itself stays what it is."""
        states = history.states
        self._restoring = True
        try:
            for text, before, after in zip(history.texts, states, states[1:], strict=False):
                # Without a kind: what is typed now is not taken back together with what was typed then.
                self.undo_stack.push(Change(self, text, before, after))
            self.undo_stack.setIndex(history.at)
        finally:
            self._restoring = False

    @property
    def history(self) -> History | None:
        """What can be undone and redone; None where nothing can."""
        count, at = self.undo_stack.count(), self.undo_stack.index()
        steps = [step for i in range(count) if isinstance(step := self.undo_stack.command(i), Change)]
        if not steps:
            return None
        states = [undoable_part(project) for project in (steps[0].before, *(step.after for step in steps))]
        states[at] = undoable_part(self._project)
        return History(tuple(states), tuple(step.text() for step in steps), at)

    @property
    def kept(self) -> Project:
        """The project as it goes into a file: with what can be undone and redone."""
        return replace(self._project, history=self.history)

    def do(self, text: str, after: Project, kind: str = "") -> None:
        """Make a change that can be taken back; ``text`` names it in the Edit menu.

        Changes of one ``kind`` that follow each other are taken back together.
        """
        self.undo_stack.push(Change(self, text, self._project, after, kind))

    def note(self, place: str, words: str, about: str) -> None:
        """Keep the user's words at a place of the report; what is typed in one go is taken back in one go."""
        if words.strip() != self._project.notes.get(place, "").strip():
            after = self._project.with_note(place, words.strip())
            self.do(_("Note on “{about}”").format(about=about), after, kind=place)

    def keep(self, analysis: Analysis, made_on: "DataVersion") -> None:
        """Add a result and what it was made on; results are not taken back by undo."""
        known = replace(analysis, made_on=made_on.ratings_fingerprint)
        at = self._project.question
        if made_on.question != at:
            # Another question was chosen while it ran: the answer is kept with its own.
            of_its_own = self._project.with_question(made_on.question).with_analysis(known).refreshed()
            self._project = of_its_own.with_question(at)
        else:
            self._project = with_shown(self._project.with_analysis(known).refreshed(), known.name)
        self._tell()

    def record(self, project: Project) -> None:
        """Show a project that remembers something more that happened, such as a report that was issued."""
        self._project = project
        self._tell()

    def _tell(self) -> None:
        """Say that something changed; what is computed meanwhile waits until the panes have drawn it."""
        # What is said from now on is said in the words of this project.
        speak(replace(voice(), nouns=nouns_of(self._project)))
        with GUI_PRIORITY.going():
            self.changed.emit()

    def show_decisions_of(self, project: Project) -> None:
        """Show a project's data, decisions and words with the analyses made so far, marked where they no longer match.

        What was issued stays recorded: a file that left the program is not called back by undo.
        """
        if self._restoring:
            return
        if data_of(project) != self.data:
            self._ratings = None
        self._project = replace(project, history=None).with_answers_of(self._project)
        self._tell()


@dataclass(frozen=True, slots=True)
class DataVersion:
    """What ratings follow from: the reading itself and the decisions about it."""

    reading: Reading | None
    decisions: tuple[DecisionEntry, ...]
    question: str = ""

    @property
    def ratings_fingerprint(self) -> str:
        """Of the ratings that follow."""
        return Project(self.reading, self.decisions, question=self.question).ratings_fingerprint


def data_of(project: Project) -> DataVersion:
    """What the ratings of a project follow from."""
    return DataVersion(project.reading, project.in_force, project.question)


class RaterNaming(QObject):
    """Names or codes for everything but the open file itself, which is shown as it is.

    Attributes
    ----------
    changed
        Raters are called otherwise from now on.
    """

    changed = Signal()

    def __init__(self, document: OpenDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._known: tuple[DataVersion | None, Naming] = (None, NAMES)
        self.codes = False

    def use(self, *, codes: bool) -> None:
        """Call raters by codes, or by their names."""
        if codes is not self.codes:
            self.codes = codes
            self.changed.emit()

    @property
    def names(self) -> Naming:
        """Code by name; empty where names are shown or raters are not known."""
        if not self.codes or self._document.empty:
            return NAMES
        data = self._document.data
        if self._known[0] != data:
            self._known = (data, naming(self._document.project, RatersAs.CODES))
        return self._known[1]

    def fit(self, fit: Fit) -> Fit:
        """A fit with its raters called so."""
        return coded_fit(fit, self.names) if self.names.codes else fit

    def ratings(self, ratings: Ratings) -> Ratings:
        """Ratings with their raters called so."""
        return coded_ratings(ratings, self.names)

    def parameter(self, name: ParameterName) -> str:
        """The name of a number that may belong to a rater."""
        return str(name if name.rater is None else replace(name, rater=self.names.rater(name.rater)))
