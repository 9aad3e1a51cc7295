"""What the window shows: one project value, its undo stack and one signal."""

import zlib
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from tapdesk.gui.running.courtesy import FIRST
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import Decided
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.report.issue.issued import PLACE as ISSUED


class Change(QUndoCommand):
    """The only undo command there is: what was done in words, the project before and after."""

    def __init__(self, document: "Document", text: str, before: Project, after: Project, kind: str = "") -> None:
        super().__init__(text)
        self._document, self._before, self.after, self.kind = document, before, after, kind

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
        self._document.show_decisions_of(self._before)

    def redo(self) -> None:
        """Go on to the project after."""
        self._document.show_decisions_of(self.after)


class Document(QObject):
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
        self._at = ""

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
    def data(self) -> "Data":
        """What the ratings follow from; equal data mean equal ratings."""
        return data_of(self._project)

    @property
    def analysis(self) -> Analysis | None:
        """The analysis that is looked at: the newest, unless another one was chosen; None where there is none."""
        analyses = self._project.analyses
        return next((a for a in analyses if a.name == self._at), analyses[-1] if analyses else None)

    def look_at(self, name: str) -> None:
        """Look at another analysis."""
        self._at = name
        self._tell()

    def set_analyses(self, analyses: tuple[Analysis, ...], name: str = "") -> None:
        """Have other analyses, and look at one of them; like answers, that is not taken back by undo."""
        self._project, self._at = replace(self._project, analyses=analyses), name
        self._tell()

    def open(self, project: Project) -> None:
        """Show another project; what was undone or done before is no longer in reach."""
        self._project, self._ratings, self._at = project, None, ""
        self.undo_stack.clear()
        self._tell()

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

    def keep(self, analysis: Analysis, made_on: "Data") -> None:
        """Add a result and what it was made on; results are not taken back by undo."""
        known = replace(analysis, made_on=made_on.ratings_fingerprint)
        self._project, self._at = self._project.with_analysis(known).refreshed(), analysis.name
        self._tell()

    def record(self, project: Project) -> None:
        """Show a project that remembers something more that happened, such as a report that was issued."""
        self._project = project
        self._tell()

    def _tell(self) -> None:
        """Say that something changed; what is computed meanwhile waits until the panes have drawn it."""
        with FIRST.going():
            self.changed.emit()

    def show_decisions_of(self, project: Project) -> None:
        """Show a project's data, decisions and words with the analyses made so far, marked where they no longer match.

        What was issued stays recorded: a file that left the program is not called back by undo.
        """
        if data_of(project) != self.data:
            self._ratings = None
        project = project.with_note(ISSUED, self._project.notes.get(ISSUED, ""))
        self._project = replace(project, analyses=self._project.analyses).refreshed()
        self._tell()


@dataclass(frozen=True, slots=True)
class Data:
    """What ratings follow from: the reading itself and the decisions about it."""

    reading: Reading | None
    decisions: tuple[Decided, ...]

    @property
    def ratings_fingerprint(self) -> str:
        """Of the ratings that follow."""
        return Project(self.reading, self.decisions).ratings_fingerprint


def data_of(project: Project) -> Data:
    """What the ratings of a project follow from."""
    return Data(project.reading, project.in_force)
