"""A lock on a file that lives as long as the process that holds it, however the process ends."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def _take(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: IO[bytes]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """A held lock; the system lets go of it when the process ends.

    Parameters
    ----------
    path
        The file to lock; it is made when it is not there.

    Raises
    ------
    BlockingIOError
        When another process, or another part of this one, holds it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("ab")
        try:
            _take(self._file)
        except OSError as problem:
            self._file.close()
            raise BlockingIOError(str(path)) from problem
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
        if remove and sys.platform != "win32":
            # While it is held, so that nobody else takes a file that is about to go.
            self._path.unlink(missing_ok=True)
        self._file.close()
        if remove:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
