"""A disk that fails once: every call that changes a folder is counted, and one of them refused."""

import builtins
import errno
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

# What the system may answer.
CODES = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS)
_PATHS = ("replace", "rename", "link", "mkdir", "chmod")


class FailingDisk:
    """Counts what changes files below a folder, and refuses one of it.

    Opening for writing, every write, flush, truncation and flush to the disk, renaming, second names, new folders.

    Parameters
    ----------
    monkeypatch
        Of pytest; what it changes is undone by it.
    folder
        What is watched; other places work as ever.
    """

    def __init__(self, monkeypatch: Any, folder: Path) -> None:
        self.folder = str(folder.resolve())
        self.seen: list[str] = []
        self.at, self.code = 0, 0
        self._handles: set[int] = set()
        self._open, self._os_open, self._fsync = io.open, os.open, os.fsync
        monkeypatch.setattr(io, "open", self.open)
        monkeypatch.setattr(builtins, "open", self.open)
        monkeypatch.setattr(os, "open", self.os_open)
        monkeypatch.setattr(os, "fsync", self.fsync)
        for name in _PATHS:
            monkeypatch.setattr(os, name, self._watched(name, getattr(os, name)))

    def arm(self, at: int, code: int) -> None:
        """Start to count anew; the call with this number, from 1, is refused; 0 refuses none."""
        self.seen, self.at, self.code = [], at, code

    def call(self, what: str) -> None:
        """Count one call, or refuse it."""
        self.seen.append(what)
        if len(self.seen) == self.at:
            raise OSError(self.code, os.strerror(self.code))

    def inside(self, path: Any) -> bool:
        """Whether a path is watched."""
        if isinstance(path, int):
            return path in self._handles
        return str(Path.cwd() / path).startswith(self.folder)

    def open(self, file: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
        """In the place of ``open``."""
        if not set(mode) & set("wxa+") or isinstance(file, int) or not self.inside(file):
            return self._open(file, mode, *more, **named)
        self.call("open")
        made = self._open(file, mode, *more, **named)
        self._handles.add(made.fileno())
        return _Watched(made, self)

    def os_open(self, path: Any, flags: int, *more: Any, **named: Any) -> int:
        """In the place of ``os.open``."""
        watched = self.inside(path)
        if watched:
            self.call("os.open")
        handle = self._os_open(path, flags, *more, **named)
        if watched:
            self._handles.add(handle)
        return handle

    def fsync(self, handle: int) -> None:
        """In the place of ``os.fsync``."""
        if handle in self._handles:
            self.call("fsync")
        self._fsync(handle)

    def _watched(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any, **named: Any) -> Any:
            if self.inside(arguments[-1] if name in {"replace", "rename", "link"} else arguments[0]):
                self.call(name)
            return real(*arguments, **named)

        return called


class _Watched:
    """A file open for writing, each of whose calls is counted."""

    def __init__(self, file: Any, disk: FailingDisk) -> None:
        self._file, self._disk = file, disk

    def __getattr__(self, name: str) -> Any:
        inside = getattr(self._file, name)
        if name not in {"write", "flush", "truncate", "writelines"}:
            return inside

        def called(*arguments: Any) -> Any:
            self._disk.call(name)
            return inside(*arguments)

        return called

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._file.close()

    def __iter__(self) -> Any:
        return iter(self._file)


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with what it holds."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
