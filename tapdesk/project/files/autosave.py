"""Work that was not saved yet, kept beside the program's own data and found again after a crash."""

import json
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from operator import itemgetter
from pathlib import Path

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.project.external_change import FileStamp, file_stamp
from tapdesk.project.files import saving
from tapdesk.project.files.file import load, save
from tapdesk.project.files.locks import Lock, data_folder, private_folder
from tapdesk.project.files.recognition import SUFFIX
from tapdesk.project.project import Project

FOLDER = "autosave"
_LOCK, _ABOUT = ".lock", ".json"
_TRIES = 5


class Autosave:
    """The copy of one document that is kept while it is open.

    It is a holder of a lock, and so the one thing here that is not a value: as long as it is alive the copy is not
    offered for recovery; when the process ends without `close`, it is.

    Parameters
    ----------
    document
        The file of the document, None before it was saved.
    folder
        Where copies are kept; the program's own folder unless given.
    seen
        The file as it was when the document was read from it or written to it; None where it was not.

    Raises
    ------
    TapdeskError
        When the folder cannot be made or written.
    """

    def __init__(self, document: Path | None = None, folder: Path | None = None, seen: FileStamp | None = None) -> None:
        self._document, self._seen = document, seen
        self._base, self._lock = _claimed(folder or data_folder() / FOLDER)

    @property
    def path(self) -> Path:
        """The copy; it is there only while there is something that was not saved."""
        return self._base.with_suffix(SUFFIX)

    def write(self, project: Project) -> None:
        """Keep the project as it is now; the last copy stays whole until the new one is.

        Raises
        ------
        TapdeskError
            When there is no room.
        """
        about = {
            "document": None if self._document is None else str(self._document),
            "seen": None if self._seen is None else asdict(self._seen),
            "title": project.title,
            "when": datetime.now().astimezone().isoformat(timespec="seconds"),
        }
        save(project, self.path, versions=0, private=True)
        saving.save(self._base.with_suffix(_ABOUT), json.dumps(about).encode(), private=True)

    def saved(self, document: Path) -> None:
        """The project was saved as this file: there is nothing to recover until it is changed."""
        self._document, self._seen = document, file_stamp(document)
        _remove(self._base)

    def close(self) -> None:
        """The document was closed, saved or not as the user wished: nothing is left behind."""
        _remove(self._base)
        self._lock.release(remove=True)


def is_copy(path: Path) -> bool:
    """Whether a file is a copy that an `Autosave` keeps, and so no place to save to."""
    return path.parent == data_folder() / FOLDER


def _claimed(folder: Path) -> tuple[Path, Lock]:
    """A name nobody uses, and the lock on it; for the owner alone."""
    try:
        private_folder(folder)
        for _again in range(_TRIES):
            base = folder / secrets.token_hex(8)
            # Another window that looks for what can be recovered may hold a new lock for a moment.
            with suppress(BlockingIOError):
                return base, Lock(base.with_suffix(_LOCK))
    except OSError as problem:
        raise _unsafe(folder) from problem
    raise _unsafe(folder)


def _unsafe(folder: Path) -> TapdeskError:
    return TapdeskError(_("Unsaved work cannot be kept safe here."), str(folder), _("Save your work often."))


def _remove(base: Path) -> None:
    """Remove a copy, the words about it, and what a stopped writer left of either."""
    with suppress(OSError):
        for left in (*base.parent.glob(f".{base.name}.*"), base.with_suffix(_ABOUT), base.with_suffix(SUFFIX)):
            left.unlink(missing_ok=True)


@dataclass(frozen=True)
class UnsavedWork:
    """Unsaved work of a process that ended without closing it.

    Attributes
    ----------
    path
        The copy.
    document
        The file it belongs to; None when it was never saved.
    title
        Of the project.
    when
        Local date and time of the copy in ISO form; empty when it is not known.
    seen
        The file it belongs to as it was known when the copy was made; no clock is asked whether it has changed since.
        None where it was not known.
    """

    path: Path
    document: Path | None
    title: str
    when: str
    seen: FileStamp | None

    def load(self) -> Project:
        """The project; the copy stays until `discard`.

        Raises
        ------
        TapdeskError
            When the copy cannot be read.
        """
        return load(self.path)

    def discard(self) -> None:
        """Drop the copy: it was saved elsewhere, or is not wanted."""
        base = self.path.with_suffix("")
        _remove(base)
        with suppress(OSError):
            base.with_suffix(_LOCK).unlink(missing_ok=True)


def recoveries(folder: Path | None = None) -> tuple[UnsavedWork, ...]:
    """The copies nobody holds, the newest first; what other windows work on is not among them."""
    place = folder or data_folder() / FOLDER
    if not place.is_dir():
        return ()
    items = []
    for base in sorted({one.with_suffix("") for suffix in (_LOCK, SUFFIX) for one in place.glob(f"*{suffix}")}):
        with suppress(OSError):
            held = Lock(base.with_suffix(_LOCK))
            copy = base.with_suffix(SUFFIX)
            if copy.is_file():
                held.release()
                items.append((copy.stat().st_mtime_ns, unsaved_work(copy)))
            else:
                # The process ended before its first copy, or after its last one was saved.
                _remove(base)
                held.release(remove=True)
    return tuple(one for _moment, one in sorted(items, key=itemgetter(0), reverse=True))


def unsaved_work(copy: Path) -> UnsavedWork:
    """What is known about a copy; the copy is worth more than the words about it, which may be missing."""
    try:
        about = json.loads(copy.with_suffix(_ABOUT).read_bytes())
        document, title, when = about["document"], str(about["title"]), str(about["when"])
        datetime.fromisoformat(when)
        seen = None if about["seen"] is None else FileStamp(**{name: int(n) for name, n in about["seen"].items()})
        return UnsavedWork(copy, None if document is None else Path(document), title, when, seen)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return UnsavedWork(copy, None, "", "", None)
