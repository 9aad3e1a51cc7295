"""Whether somebody else has written a file since it was read: two windows, or two people on a shared drive."""

import time
from dataclasses import dataclass, replace
from pathlib import Path

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.project.files.file import save
from tapdesk.project.files.locks import Lock
from tapdesk.project.project import Project

_TRIES, _PAUSE = 3000, 0.01


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it was when it was last read or written here.

    Attributes
    ----------
    changed_at
        When it was changed, in nanoseconds as the file system tells.
    size
        Its bytes; None where not the file itself was seen, but other work of that time.
    node
        What the file system calls it: a file that takes the place of another one is called otherwise.
    """

    changed_at: int
    size: int | None
    node: int = 0

    def as_work(self) -> "Seen":
        """What stands for work on another file: of that one only the time is known."""
        return replace(self, size=None)


class ChangedMeanwhileError(TapdeskError):
    """The file is not what it was: saving would put somebody's work aside."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            _("“{name}” was changed by another window or program since it was opened here.").format(name=path.name),
            str(path),
            _("Save under another name, or replace it; the other work then stays beside it as “{name}~1”.").format(
                name=path.name
            ),
        )


def seen(path: Path) -> Seen | None:
    """A file as it is now; None where there is none, or it cannot be looked at."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Seen(found.st_mtime_ns, found.st_size, found.st_ino)


def refuse_if_changed(path: Path, known: Seen | None) -> None:
    """Refuse where a file is not what it was; one that is gone, or was never seen, is no other work.

    Raises
    ------
    ChangedMeanwhileError
        When somebody else has written it.
    """
    now = seen(path)
    if now is None or known is None:
        return
    if now.changed_at > known.changed_at if known.size is None else now != known:
        raise ChangedMeanwhileError(path)


def save_if_unchanged(project: Project, path: Path, known: Seen | None) -> Seen | None:
    """Save a project where its file is what it was; of two windows that save at one time, the second sees the first.

    Parameters
    ----------
    project, path
        What to save, and where.
    known
        The file that may be replaced, as it was seen last; None for any.

    Returns
    -------
    Seen or None
        The file as it is now.

    Raises
    ------
    ChangedMeanwhileError
        When somebody else has written it.
    TapdeskError
        When it cannot be written.
    """
    lock = _turn(path)
    try:
        refuse_if_changed(path, known)
        save(project, path)
        return seen(path)
    finally:
        if lock is not None:
            lock.release(remove=True)


def _turn(path: Path) -> Lock | None:
    """The lock under which a file is looked at and replaced; None where there can be none.

    Raises
    ------
    TapdeskError
        When somebody else holds it for very long.
    """
    target = path.resolve() if path.is_symlink() else path
    place = target.with_name(f".{target.name[:60]}.saving")
    for _again in range(_TRIES):
        try:
            return Lock(place)
        except BlockingIOError:
            time.sleep(_PAUSE)
        except OSError:
            # A folder that may not be written, or one without locks: saving itself says what is the matter.
            return None
    raise TapdeskError(
        _("“{name}” is just being saved by another window, which does not come to an end.").format(name=path.name),
        str(path),
        _("Save under another name, or look at the other window."),
    )
