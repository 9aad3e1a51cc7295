"""A choice of class 1: at once for data of a usual size, beside the window for very large ones."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal, Slot

from tapdesk.answers.question import QUESTIONS
from tapdesk.gui.document import Document
from tapdesk.gui.plan_words import size
from tapdesk.gui.running.job import Job
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.project.project import Project
from tapdesk.ratings.ratings import fingerprint

SMALL = 100_000  # ratings that are put into two classes within a few milliseconds


@dataclass(frozen=True, eq=False)
class Decided:
    """A project before and after a choice, and what the choice was."""

    before: Project
    after: Project
    words: str


def _decided(before: Project, labels: tuple[str, ...], words: str) -> Run[Decided]:
    """Make the choice, and what the window will ask about it: later it has only to look."""
    yield Step(0, 3, _("class 1"))
    after = before.with_class1(labels or None)
    yield Step(1, 3, _("class 1"))
    ratings, every = after.ratings, after.all_classes
    for question in QUESTIONS:
        question.refuses(ratings, every)
    size(ratings)
    yield Step(2, 3, _("class 1"))
    fingerprint(ratings)
    return Decided(before, after, words)


class Deciding(QObject):
    """Makes choices of class 1 and puts them into the document.

    Attributes
    ----------
    changed
        Another choice is on its way, or none any more.
    wanted
        The labels of the choice that is on its way; None where there is none.
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.job = Job(self)
        self.wanted: tuple[str, ...] | None = None
        self.job.done.connect(self._on_done)
        self.job.failed.connect(self._on_failed)

    def class1(self, labels: tuple[str, ...]) -> None:
        """Make these labels class 1; none of them means all categories as they are."""
        named = ", ".join(labels) if labels else _("every category by itself")
        words, project = _("Class 1: {named}").format(named=named), self._document.project
        if project.reading is None or project.reading.as_read.rating_count <= SMALL:
            self._document.do(words, project.with_class1(labels or None))
            return
        self.wanted = labels
        self.job.start(_decided(project, labels, words))
        self.changed.emit()

    @Slot(object)
    def _on_done(self, decided: Decided) -> None:
        self.wanted = None
        now = self._document.project
        # Other data were opened, or another decision was made meanwhile: the choice was about what is no more.
        if (now.reading, now.in_force) == (decided.before.reading, decided.before.in_force):
            self._document.do(decided.words, replace(decided.after, notes=now.notes, title=now.title))
        self.changed.emit()

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        self.wanted = None
        self.changed.emit()
        self.failed.emit(error)
