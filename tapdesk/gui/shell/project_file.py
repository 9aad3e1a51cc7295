"""Where the open project is kept: its file, and the copy for the case of a crash."""

from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.gui.dataset.recipes import Recipes
from tapdesk.gui.runs.job import Job, stop_all
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.dialogs import about_replacing, permitted
from tapdesk.gui.shell.opening import OpenedProject
from tapdesk.gui.shell.recents import RecentProjects
from tapdesk.gui.shell.session import Session
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.progress import Step, finish
from tapdesk.project.external_change import ExternalChangeError, FileStamp, save_if_unchanged
from tapdesk.project.files.autosave import Autosave, UnsavedWork, recoveries
from tapdesk.project.files.locks import Entry, OpenElsewhereError, Presence
from tapdesk.project.files.outputs import InTheWayError, OutputKind, OutputMark, Outputs
from tapdesk.project.files.recognition import SUFFIX
from tapdesk.project.project import Project

# Milliseconds from a change to the copy: with the writing of a large one, which takes half a second, less than two
# seconds; and from a copy that could not be written to the next attempt.
AUTOSAVE, RETRY = 1000, 10_000
# Milliseconds a copy under way is waited for before one is written at once.
COPYING = 3000
SavedState = tuple[Project, FileStamp | None, Presence]


def _saved(
    project: Project, path: Path, known: FileStamp | None, presence: Presence | None, outputs: Outputs, *, anyway: bool
) -> Generator[Step, None, SavedState]:
    """Saving as a run: one step, for a file is written whole or not at all.

    ``known`` is what may be replaced, ``presence`` what says that the file is open here; ``anyway`` as `Presence` has
    it.
    """
    yield Step(0, 0, "save")
    outputs.refuse(path, OutputMark(OutputKind.PROJECT, "tapdesk"))
    here = presence if presence is not None and presence.path == path else Presence.claim(path, anyway=anyway)
    try:
        return project, save_if_unchanged(project, path, known), here
    except BaseException:
        if here is not presence:
            here.release()
        raise


def _kept(project: Project, copy: Autosave) -> Generator[Step, None, None]:
    yield Step(0, 0, "save")
    copy.write(project)


def _released(left: list[Presence]) -> Generator[Step, None, None]:
    """Say of projects that they are not open here any more; what is added meanwhile is among them."""
    while left:
        yield Step(0, 0, "close")
        left.pop().release()


def same(one: Project, other: Project) -> bool:
    """Whether two states of a project would be missed no more than one: same data, decisions, answers and words."""
    if one.reading is not other.reading or one.in_force != other.in_force or len(one.analyses) != len(other.analyses):
        return False
    answers = all(a.fit is b.fit and a.name == b.name for a, b in zip(one.analyses, other.analyses, strict=True))
    if one.question != other.question or len(one.form) != len(other.form):
        return False
    # Of the chosen question the answers were compared; of the others each keeps its own.
    rest = [part for part in zip(one.form, other.form, strict=True) if part[0].name != one.question]
    elsewhere = all(a.reading is b.reading and a.analyses == b.analyses for a, b in rest)
    return answers and elsewhere and (one.title, one.notes, one.records) == (other.title, other.notes, other.records)


class ProjectFile(QObject):
    """Saves, keeps a copy of what is not saved, and asks before it could be lost.

    Attributes
    ----------
    changed
        Emitted when the name, what is saved, or what the start pane offers has changed.
    refused
        Why a project could not be saved.
    place
        The file of the open project; None before it was saved.
    left_over
        Copies of work that ended without being saved.
    unsafe
        Why no copy can be kept; empty while one can.
    """

    changed = Signal()
    refused = Signal(TapdeskError)

    def __init__(self, session: Session, window: QWidget, settings: QSettings | None = None) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self.recents, self.recipes = RecentProjects(settings), Recipes(session, settings, self)
        self.left_over: tuple[UnsavedWork, ...] = recoveries()
        self.place: Path | None = None
        self.unsafe = ""
        self.saving, self.keeping, self.releasing = Job(self), Job(self), Job(self)
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self._clean: Project | None = None
        self._seen: FileStamp | None = None
        # The project that is, or is just being, copied.
        self._copied: Project | None = None
        self._copy: Autosave | None = None
        self._presence: Presence | None = None
        # What is not open here any more: said in a thread, for the file system may answer late.
        self._left: list[Presence] = []
        # Whether the window is closed, and whether unsaved work was kept against the end of the program.
        self._closed = self._rescued = False
        self._saving_to: Path | None = None
        self._answers: tuple[Fit | None, ...] = ()
        self._taken_up: UnsavedWork | None = None
        self._after: Callable[[], object] | None = None
        self.timer.timeout.connect(self.keep)
        session.opened.connect(self._on_opened)
        session.document.changed.connect(self._on_changed)
        session.reading.failed.connect(self._on_opening_failed)
        session.reading.cancelled.connect(self._on_opening_failed)
        session.elsewhere.connect(self._on_open_elsewhere)
        self.saving.done.connect(self._on_saved)
        self.saving.failed.connect(self._on_saving_failed)
        self.keeping.done.connect(self._on_kept)
        self.keeping.failed.connect(self._on_keeping_failed)
        self.releasing.done.connect(self._release)
        self.releasing.failed.connect(session.bug)

    # What is shown ----------------------------------------------------------------------------------------------

    @property
    def unsaved(self) -> bool:
        """Whether something would be lost if the project were left now."""
        if self._session.document.empty:
            return False
        return self._clean is None or not same(self._clean, self._session.document.project)

    @property
    def name(self) -> str:
        """What the project is called: its file, or before there is one its title."""
        return self.place.stem if self.place is not None else self._session.document.project.title or _("Untitled")

    @property
    def words(self) -> str:
        """Name and state: ``Spring show · changes not saved``."""
        if self._session.document.empty:
            return _("No project open")
        state = _("saving") if self.saving.running else _("changes not saved") if self.unsaved else _("saved")
        if self.place is None and not self.saving.running:
            state = _("not saved yet")
        if self.unsafe:
            state = _("{state}, and no copy can be kept").format(state=state)
        return _("{name}  ·  {state}").format(name=Label(self.name, 50), state=state)

    # Saving -----------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Save where the project was saved before; ask for a place the first time."""
        if self.place is None:
            self.save_as()
        else:
            self._save_to(self.place)

    def save_as(self) -> None:
        """Ask for a place and save there."""
        if self._session.document.empty:
            return
        name = f"{self.name}{SUFFIX}"
        suggestion = self._session.sibling(name) if self.place is None else str(self.place.parent / name)
        path = dialogs.where_to_save(self._window, suggestion)
        if path is None:
            self._after = None
        else:
            self._save_to(path)

    def _save_to(self, path: Path, *, sure: bool = False, agreed: tuple[Path, ...] = ()) -> None:
        if self._session.document.empty or self.saving.running:
            return
        # A file that was chosen in the dialog was asked about there.
        known = self._seen if path == self.place and not sure else None
        document = self._session.document
        self._saving_to = path
        outputs = permitted(document.project).replacing(*agreed)
        self.saving.start(_saved(document.kept, path, known, self._presence, outputs, anyway=sure))
        self.changed.emit()

    @Slot(object)
    def _on_saved(self, done: SavedState) -> None:
        project, self._seen, presence = done
        self._clean, self.place = project, presence.path
        if self._presence is not presence:
            self._be(presence)
        self.recents.add(self.place, self._clean)
        self._discard_taken_up()
        self._forget_copy()
        self._on_changed()
        after, self._after = self._after, None
        if after is not None:
            after()

    @Slot(object)
    def _on_saving_failed(self, error: BaseException) -> None:
        if isinstance(error, ExternalChangeError | OpenElsewhereError) and self._saving_to is not None:
            self._on_changed()
            self._ask_instead(error, self._saving_to)
            return
        if isinstance(error, InTheWayError):
            self.changed.emit()
            if about_replacing(self._window, error):
                self._save_to(error.paths[0], sure=True, agreed=error.paths)
            else:
                self._after = None
            return
        self._after = None
        self._on_changed()
        if isinstance(error, TapdeskError):
            self.refused.emit(error)
        else:
            self._session.bug.emit(error)

    def _ask_instead(self, error: ExternalChangeError | OpenElsewhereError, place: Path) -> None:
        """The file is not to be replaced without a word: ask what to do instead."""
        if isinstance(error, OpenElsewhereError):
            answer = dialogs.about_saving_there(self._window, error)
        else:
            answer = dialogs.about_other_work(self._window, error)
        if answer is dialogs.Instead.OTHER_NAME:
            self.save_as()
        elif answer is dialogs.Instead.REPLACE:
            self._save_to(place, sure=True)
        else:
            self._after = None

    def _be(self, presence: Presence | None) -> None:
        """The project of another file, or of none, is open here from now on."""
        if self._presence is not None:
            self._left.append(self._presence)
            self._release()
        self._presence = presence

    @Slot()
    def _release(self) -> None:
        if self._left and not self.releasing.running:
            self.releasing.start(_released(self._left))

    # Leaving ----------------------------------------------------------------------------------------------------

    def leave(self, then: Callable[[], object]) -> bool:
        """Whether the open project may be left now; when it is to be saved first, ``then`` is called after that."""
        if self.saving.running:
            self._after = then
            return False
        if not self.unsaved:
            return True
        answer = dialogs.about_changes(self._window, self.name)
        if answer is dialogs.Answer.SAVE:
            self._after = then
            self.save()
        return answer is dialogs.Answer.DROP

    def close(self, milliseconds: int) -> bool:
        """The window closes, all questions answered: nothing is kept but what was rescued.

        Returns
        -------
        bool
            Whether all threads ended in time.
        """
        self.timer.stop()
        self._closed = True
        ended = self.keeping.wait(milliseconds) and stop_all((self.keeping, self.saving), milliseconds)
        self._be(None)
        if self.releasing.wait(milliseconds):
            # What was added after the thread had looked for the last time.
            finish(_released(self._left))
        else:
            ended = False
        if not self._rescued:
            self._discard_taken_up()
            self._forget_copy()
        return ended

    # The copy ---------------------------------------------------------------------------------------------------

    @Slot()
    def keep(self) -> None:
        """Keep a copy of what is not saved, in a thread of its own."""
        if not self.unsaved:
            return
        if self.keeping.running or self.saving.running:
            # As soon as that has come to its end, see `_on_changed`.
            return
        try:
            self._copy = self._copy or Autosave(self.place, seen=self._seen)
        except TapdeskError as problem:
            self._on_keeping_failed(problem)
            return
        document = self._session.document
        self._copied = document.project
        self.keeping.start(_kept(document.kept, self._copy))

    def keep_now(self) -> None:
        """Keep a copy of what is not saved before this returns: the program may not come round to it again.

        Raises
        ------
        TapdeskError
            When there is no place for it, or no room.
        """
        project = self._session.document.project
        if not self.unsaved:
            return
        # What is just being written is written to its end, or two would write one file and the older come last.
        if self.keeping.wait(COPYING) and project is self._copied:
            return
        self._copy = self._copy or Autosave(self.place, seen=self._seen)
        self._copy.write(self._session.document.kept)
        self._copied = project

    @Slot(object)
    def _on_kept(self, _nothing: object) -> None:
        self.unsafe = ""
        self._discard_taken_up()
        # Saved, or taken back, while the copy was written: there is nothing to keep any more.
        if not self.unsaved:
            self._forget_copy()
        elif self._copied is not self._session.document.project and not self.timer.isActive():
            self.keep()

    def rescue(self) -> None:
        """Keep a copy of what is not saved here and now: the program is about to be ended from outside."""
        if self._closed or not self.unsaved:
            return
        self._rescued = True
        with suppress(TapdeskError):
            self.keep_now()

    @Slot(object)
    def _on_keeping_failed(self, error: BaseException) -> None:
        if not isinstance(error, TapdeskError):
            self._session.bug.emit(error)
            return
        self.unsafe, self._copied = f"{error.what} {error.fix}".strip(), None
        self.timer.start(RETRY)
        self.changed.emit()

    def _forget_copy(self) -> None:
        # A copy that is just being written is forgotten when it is there.
        if self._copy is not None and not self.keeping.running:
            self._copy.close()
            self._copy = self._copied = None

    # Opening ----------------------------------------------------------------------------------------------------

    def take_up(self, recovery: UnsavedWork) -> None:
        """Go on with work that was not saved; its copy stays until there is another."""
        if self.leave(lambda: self.take_up(recovery)):
            self._taken_up = recovery
            self._session.open(str(recovery.path))

    def discard(self, recovery: UnsavedWork) -> None:
        """Drop work that was not saved and is not wanted."""
        recovery.discard()
        self.left_over = tuple(r for r in self.left_over if r is not recovery)
        self.changed.emit()

    def _discard_taken_up(self) -> None:
        recovery = self._taken_up
        if recovery is not None and recovery not in self.left_over:
            self._taken_up = None
            recovery.discard()

    @Slot(object)
    def _on_opened(self, opened: OpenedProject | None) -> None:
        self.timer.stop()
        self._forget_copy()
        recovery, project = self._taken_up, self._session.document.project
        self._be(None if opened is None else opened.presence)
        if recovery is not None and opened is not None and opened.path == recovery.path:
            self.place, self._clean = recovery.document, None
            self._seen = recovery.seen
            self.left_over = tuple(r for r in self.left_over if r is not recovery)
            self.keep()
        else:
            self._taken_up = None
            self.place, self._clean = None if opened is None else opened.place, project
            self._seen = None if opened is None else opened.file_stamp
            if self.place is not None:
                self.recents.add(self.place, project)
        self.changed.emit()

    @Slot(object)
    def _on_open_elsewhere(self, error: OpenElsewhereError) -> None:
        answer = dialogs.about_opening(self._window, error)
        if answer is not dialogs.Entrance.STAY:
            entry = Entry.COPY if answer is dialogs.Entrance.COPY else Entry.ANYWAY
            self._session.open(str(error.path), entry=entry)

    @Slot()
    def _on_opening_failed(self) -> None:
        if self._taken_up is not None and self._taken_up in self.left_over:
            self._taken_up = None

    @Slot()
    def _on_changed(self) -> None:
        project = self._session.document.project
        answers = tuple(a.fit for a in project.analyses)
        fresh, self._answers = answers != self._answers, answers
        if not self.unsaved:
            self.timer.stop()
            self._forget_copy()
        elif self._copied is not project and (fresh or not self.timer.isActive()):
            # The end of a run may have been waited for for an hour: it is kept at once.
            self.timer.start(0 if fresh else AUTOSAVE)
        self.changed.emit()
