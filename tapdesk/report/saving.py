"""Writing a file so that it is either whole or not there, and the old one stays until the new one is."""

import errno
import os
from contextlib import suppress
from gettext import gettext as _
from pathlib import Path

from tapdesk.errors import TapdeskError


def save(path: str | Path, content: bytes) -> None:
    """Write a file beside its target, flush it to the disk, then put it in place.

    Raises
    ------
    TapdeskError
        When the place cannot be written; whatever stood there before is untouched.
    """
    target = Path(path)
    temporary = target.with_name(f".{target.name[:40]}.{os.getpid()}.part")
    try:
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, "folder", str(target))
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        _as_before(temporary, target)
        temporary.replace(target)
    except OSError as error:
        raise _sentence(error, target) from error
    finally:
        # Gone already where it was put in place; left over where that failed or was stopped.
        _dropped(temporary)


def _dropped(temporary: Path) -> None:
    """Remove what is left of an unfinished file, where the folder allows to."""
    with suppress(OSError):
        temporary.unlink(missing_ok=True)


def _as_before(temporary: Path, target: Path) -> None:
    """Refuse to replace a file that was made read-only; keep who may read it."""
    if target.exists():
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, "read-only", str(target))
        temporary.chmod(target.stat().st_mode & 0o777)


_REASONS = {
    "EISDIR": (_("This is a folder, not a file."), _("Give the file a name.")),
    "ENOSPC": (_("The disk is full, so nothing was saved."), _("Free some space or choose another place.")),
    "EDQUOT": (
        _("Your share of the disk is full, so nothing was saved."),
        _("Free some space or choose another place."),
    ),
    "ENOENT": (_("The folder does not exist."), _("Choose a folder that exists.")),
    "ENOTDIR": (_("Part of this path is a file, not a folder."), _("Choose another folder.")),
    "ENAMETOOLONG": (_("The file name is too long."), _("Choose a shorter name.")),
    "EROFS": (_("This place is read-only, so nothing was saved."), _("Choose a folder you may write to.")),
}
_HELD = (
    _("The file may not be written: it is read-only, or another program has it open."),
    _("Close it there, or choose another name or folder."),
)
_REASONS |= dict.fromkeys(("EACCES", "EPERM", "EBUSY", "ETXTBSY"), _HELD)


def _sentence(error: OSError, target: Path) -> TapdeskError:
    """What went wrong with a file and what to do."""
    other = (
        _("The file could not be saved: {reason}.").format(reason=error.strerror or str(error)),
        _("Choose another place."),
    )
    what, fix = _REASONS.get(errno.errorcode.get(error.errno or 0, ""), other)
    return TapdeskError(what, str(target), fix)
