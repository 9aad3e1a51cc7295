"""Writing a file so that it is either whole or not there, and the old one stays until the new one is."""

import errno
import filecmp
import glob
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _

_PART = ".part"
_LONG_AGO = 24 * 3600.0
_MOST_VERSIONS = 9
_NUMBERED = re.compile(r"/dev/std(in|out|err)|(?:/dev|/proc/self)/fd/([0-9]{1,9})")


def save(path: str | Path, content: bytes, *, keep: int = 0, private: bool = False) -> None:
    """Write a file beside its target, flush it to the disk, then put it in place.

    Whatever moment the program or the machine stops at, the target holds the old or the new content, whole. Links are
    written through; pipes and devices, where nothing can be put in place, are written as they are.

    Parameters
    ----------
    path, content
        The target and what it shall hold.
    keep
        How many earlier versions stay beside it, ``name~1`` the newest of them.
    private
        Whether it is for its owner alone, from its first byte and whatever the usual rights are.

    Raises
    ------
    TapdeskError
        When the place cannot be written; whatever stood there before is untouched.
    """
    named = Path(path)
    if stream(named):
        _write_stream(named, content)
        return
    target = real_path(named)
    temporary = _temporary_path(target)
    try:
        _write_temporary(temporary, target, content, private=private)
        if keep:
            _rotate(target, keep)
        temporary.replace(target)
        _settle(target.parent)
    except OSError as error:
        raise write_refusal(error, named) from error
    finally:
        # Gone already where it was put in place; left over where that failed or was stopped.
        _drop(temporary)


def real_path(path: Path) -> Path:
    """The file a name stands for, through symbolic links."""
    return Path(os.path.realpath(path))


def stream(path: Path) -> bool:
    """Whether a name stands for a pipe, a terminal or the like, to which can only be written as it comes."""
    if _NUMBERED.fullmatch(str(path)):
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def _write_stream(path: Path, content: bytes) -> None:
    """Write to a pipe or a device; an open one that has a number is taken as it is, not opened anew."""
    numbered = _NUMBERED.fullmatch(str(path))
    try:
        if numbered:
            sys.stdout.flush()
            number = {"in": 0, "out": 1, "err": 2}.get(numbered.group(1) or "", -1)
            handle = os.dup(int(numbered.group(2)) if numbered.group(2) else number)
        else:
            # A pipe nobody reads from is told at once, not waited for.
            handle = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
            os.set_blocking(handle, True)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
    except OSError as error:
        raise write_refusal(error, path) from error


def _temporary_path(target: Path) -> Path:
    """Where the new content of a file is written before it takes the place of the old."""
    if not target.name:
        raise TapdeskError(_("This is a folder, not a file."), str(target), _("Give the file a name."))
    return target.with_name(f"{_unfinished(target)}{os.getpid()}{_PART}")


def _write_temporary(temporary: Path, target: Path, content: bytes, *, private: bool = False) -> None:
    """Write and flush the new content of a file, with the rights of the old; the target itself is not touched."""
    _swept(target)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "folder", str(target))
    if target.is_symlink():
        # Links that lead anywhere were followed before.
        raise OSError(errno.ELOOP, "circle", str(target))
    # Made anew: what a stopped writer left under this name is not written through.
    _drop(temporary)
    from tapdesk.project.files.locks import open_private  # little is written that others may not read

    with open_private(temporary, empty=True) if private else temporary.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    if private:
        temporary.chmod(0o600)
    else:
        _as_before(temporary, target)


def versions(path: str | Path) -> tuple[Path, ...]:
    """The earlier versions kept beside a file, the newest first."""
    target = real_path(Path(path))
    return tuple(place for i in range(1, _MOST_VERSIONS + 1) if (place := _version(target, i)).is_file())


def _version(target: Path, number: int) -> Path:
    return target.with_name(f"{target.name}~{number}")


def _rotate(target: Path, keep: int) -> None:
    """Make the present file version 1 and move the others on; the target itself never goes away."""
    first = _version(target, 1)
    if not target.exists() or (first.exists() and _same_content(first, target)):
        # The second happens after a stop between here and the replacement: nothing new has come since.
        return
    for number in range(keep, 1, -1):
        newer = _version(target, number - 1)
        if newer.exists():
            newer.replace(_version(target, number))
    copy = target.with_name(f"{_unfinished(target)}{os.getpid()}.version{_PART}")
    try:
        # Where it is a copy, it is made whole before it takes the place.
        _second_name(target, copy)
        copy.replace(first)
    finally:
        _drop(copy)


def _same_content(one: Path, other: Path) -> bool:
    return one.samefile(other) or filecmp.cmp(one, other, shallow=False)


def _unfinished(target: Path) -> str:
    return f".{target.name[:40]}."


def _swept(target: Path) -> None:
    """Remove what writers that were stopped left behind long ago; younger ones may be at work."""
    with suppress(OSError):
        for left in target.parent.glob(f"{glob.escape(_unfinished(target))}*{_PART}"):
            # A moment that lies far ahead is one of a clock that was wrong.
            if abs(time.time() - left.stat().st_mtime) > _LONG_AGO:
                _drop(left)


def _settle(folder: Path) -> None:
    """Have the folder itself written to the disk, where the system knows how to."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _drop(temporary: Path) -> None:
    """Remove what is left of an unfinished file, where the folder allows to."""
    with suppress(OSError):
        temporary.unlink(missing_ok=True)


def _as_before(temporary: Path, target: Path) -> None:
    """Refuse to replace a file that was made read-only; keep who may read it."""
    if target.exists():
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, "read-only", str(target))
        before = target.stat()
        if hasattr(os, "chown") and (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
            # A file of somebody else stays theirs, where the system lets us leave it to them.
            with suppress(OSError):
                os.chown(temporary, before.st_uid, before.st_gid)
        temporary.chmod(before.st_mode & 0o777)


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
    "ENXIO": (_("Nobody reads from this pipe."), _("Start what is to read from it first, or name a file.")),
    "ENODEV": (_("This is a device, not a file."), _("Give the name of a file.")),
    "ELOOP": (_("These links lead round in a circle."), _("Give the name of a file.")),
    "EROFS": (_("This place is read-only, so nothing was saved."), _("Choose a folder you may write to.")),
}
_HELD = (
    _("The file may not be written: it is read-only, or another program has it open."),
    _("Close it there, or choose another name or folder."),
)
_REASONS |= dict.fromkeys(("EACCES", "EPERM", "EBUSY", "ETXTBSY"), _HELD)


def write_refusal(error: OSError, target: Path) -> TapdeskError:
    """What went wrong with a file and what to do."""
    other = (
        _("The file could not be saved: {reason}.").format(reason=error.strerror or str(error)),
        _("Choose another place."),
    )
    what, fix = _REASONS.get(errno.errorcode.get(error.errno or 0, ""), other)
    return TapdeskError(what, str(target), fix)


def save_all(files: Iterable[tuple[Path, bytes]]) -> None:
    """Write every file beside its target, then put all of them in place.

    A full disk, a folder that may not be written, or a file another program holds stops it before anything has
    changed; where a file cannot be put in its place after others were, those are put back as they were.

    Parameters
    ----------
    files
        Targets, no two the same, and what each shall hold.

    Raises
    ------
    TapdeskError
        When one of the places cannot be written; it names the file.
    """
    named = tuple(files)
    # Links are written through.
    plain = tuple((real_path(path), content) for path, content in named if not stream(path))
    # Counted, for the names of unfinished files tell only the start of long names apart.
    ready = [
        (target, _temporary_path(target).with_suffix(f".{i}.part"), content)
        for i, (target, content) in enumerate(plain)
    ]
    placed: list[tuple[Path, Path | None]] = []
    old: list[Path] = []
    target = Path()
    done = False
    try:
        for target, temporary, content in ready:
            _write_temporary(temporary, target, content)
        for target, temporary, _content in ready:
            old.append(temporary.with_suffix(".old.part"))
            kept = _kept(target, old[-1])
            temporary.replace(target)
            placed.append((target, kept))
        done = True
        for folder in {target.parent for target, _temporary, _content in ready}:
            _settle(folder)
    except OSError as error:
        raise write_refusal(error, target) from error
    finally:
        if not done:
            _put_back(placed)
        for left in (*(temporary for _target, temporary, _content in ready), *old):
            _drop(left)
    for path, content in named:
        # Pipes and devices, from which nothing can be taken back, come last.
        if stream(path):
            save(path, content)


def _kept(target: Path, kept: Path) -> Path | None:
    """The file that stands there under a second name; None where there is none."""
    if not target.exists():
        return None
    _drop(kept)
    _second_name(target, kept)
    return kept


def _second_name(target: Path, other: Path) -> None:
    """Have a file under another name as well; as a copy where the file system has no second names.

    A file of somebody else is copied: in a folder where each may remove only what is theirs, as in that for temporary
    files, its second name could not be taken away again.
    """
    try:
        if hasattr(os, "geteuid") and target.stat().st_uid != os.geteuid():
            raise PermissionError(errno.EPERM, "owned by somebody else", str(target))
        os.link(target, other)
    except OSError:
        shutil.copy2(target, other)


def _put_back(placed: list[tuple[Path, Path | None]]) -> None:
    """Undo what was put in place."""
    for target, kept in placed:
        with suppress(OSError):
            if kept is None:
                target.unlink()
            else:
                kept.replace(target)
