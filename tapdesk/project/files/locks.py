"""A lock on a file that lives as long as the process that holds it, however the process ends."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt

    # Far behind what is written: a byte that is locked cannot be read there.
    _FAR = 1 << 30

    def _take(file: IO[bytes]) -> None:
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as problem:
            raise BlockingIOError(problem.errno, problem.strerror) from problem

else:
    import fcntl

    def _take(file: IO[bytes]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """A held lock; the system lets go of it when the process ends.

    Parameters
    ----------
    path
        The file to lock; it is made, for its owner alone, when it is not there.
    held
        False where the file system knows no locks: then it is a file that goes when it is released.

    Raises
    ------
    BlockingIOError
        When another process, or another part of this one, holds it.
    OSError
        When the file cannot be opened, or the file system knows no locks.
    """

    def __init__(self, path: Path, *, held: bool = True) -> None:
        self._path = path
        self._file = open_private(path)
        if not held:
            return
        try:
            _take(self._file)
        except OSError:
            self._file.close()
            raise
        if not self._is_there():
            # Somebody removed the file between its opening and its locking: a lock nobody can see is none.
            self._file.close()
            raise BlockingIOError(str(path))

    def _is_there(self) -> bool:
        """Whether the locked file is the one that has the name."""
        try:
            return os.path.samestat(self._path.stat(), os.fstat(self._file.fileno()))
        except FileNotFoundError:
            return False

    def release(self, *, remove: bool = False) -> None:
        """Let go, and with ``remove`` drop the file; a second time does nothing."""
        if self._file.closed:
            return
        if remove and sys.platform != "win32":
            # While it is held, so that nobody else takes a file that is about to go.
            self._path.unlink(missing_ok=True)
        self._file.close()
        if remove and sys.platform == "win32":
            with suppress(OSError):
                self._path.unlink(missing_ok=True)


def is_held(path: Path) -> bool:
    """Whether somebody holds the lock of a file that may be read here, but not written."""
    try:
        with path.open("rb") as file:
            _take(file)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def open_private(path: Path, *, empty: bool = False) -> IO[bytes]:
    """Open a file to write at its end, ``empty`` from its beginning; one that is made is for its owner alone.

    Raises
    ------
    OSError
        When it cannot be opened.
    """
    how = os.O_TRUNC if empty else os.O_APPEND
    flags = os.O_WRONLY | os.O_CREAT | how | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, 0o600), "wb" if empty else "ab")
