"""Whether somebody else has written a file since it was read: two windows, or two people on a shared drive."""

from dataclasses import dataclass, replace
from pathlib import Path

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it was when it was last read or written here.

    Attributes
    ----------
    changed_at
        When it was changed, in nanoseconds as the file system tells.
    size
        Its bytes; None where not the file itself was seen, but other work of that time.
    """

    changed_at: int
    size: int | None

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
    return Seen(found.st_mtime_ns, found.st_size)


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
