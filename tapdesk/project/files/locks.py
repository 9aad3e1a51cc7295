"""Locks that live as long as the process that holds them, who has a project open, and the folder of own data."""

import errno
import getpass
import hashlib
import json
import os
import platform
import sys
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from threading import RLock
from typing import IO

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _

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


_SUFFIX = ".open"
_TRIES = 5
_LONGEST = 10_000


class Entry(Enum):
    """How a project is opened that somebody else may have open."""

    ASK = "ask"
    COPY = "copy"
    ANYWAY = "anyway"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has a project open.

    Attributes
    ----------
    user, machine
        As the system calls them.
    identity
        What tells the machine from another one of the same name.
    pid, started
        Of the process; when it was started as the system counts, empty where it does not tell.
    since
        Local date and time in ISO form.
    """

    user: str
    machine: str
    identity: str
    pid: int
    started: str
    since: str

    @classmethod
    def this(cls) -> "Holder":
        """The process that asks, now."""
        try:
            user = getpass.getuser()
        except (KeyError, OSError):
            # A user without a name: a container, or an account that was removed.
            user = ""
        now = datetime.now().astimezone().isoformat(timespec="minutes")
        return cls(user, platform.node(), _identity(), os.getpid(), _started(os.getpid()), now)

    @property
    def here(self) -> bool:
        """Whether it is, or was, a process of this machine."""
        return self.identity == _identity()

    @property
    def runs(self) -> bool:
        """Whether the process of this machine still runs; another one that has its number by now is another one."""
        started = _started(self.pid)
        return started != "" and started == self.started

    @property
    def words(self) -> str:
        """Who and since when."""
        since = self.since.replace("T", " ")[:16]
        who = {"user": self.user or _("somebody"), "machine": self.machine or _("another computer")}
        return _("{user} on {machine}, since {since}").format(**who, since=since)


class OpenElsewhereError(TapdeskError):
    """A project is open in another window, or was on another machine and may still be.

    Attributes
    ----------
    path
        The project.
    certain
        Whether it is sure that it is open there.
    """

    def __init__(self, path: Path, holder: Holder | None, *, certain: bool) -> None:
        self.path, self.certain = path, certain
        fields = {"name": path.name, "who": _("who is not known") if holder is None else holder.words}
        if certain:
            what = _("“{name}” is open in another tapdesk window ({who}).").format(**fields)
            fix = _("Close it there first, or work on a copy that is saved under another name.")
        else:
            what = _("“{name}” was opened on another computer ({who}) and not closed there.").format(**fields)
            fix = _("If it is no longer open there, go on anyway; otherwise work on a copy, saved under another name.")
        super().__init__(what, str(path), fix)


class Presence:
    """A project that is open here; `release` says that it is not any more.

    The lock file has the rights of the project: whoever may read the one may know who works on it. It is held by a
    lock of the system, which ends with the process however that ends; where the file system knows no locks, the
    process is looked for.

    Attributes
    ----------
    path
        The project.
    """

    def __init__(self, path: Path, lock: Lock | None) -> None:
        self.path, self._lock = path, lock
        self._place = lock_of(path).absolute()
        if lock is not None:
            _HELD[self._place] = (lock, 1)

    @classmethod
    def claim(cls, path: Path, *, anyway: bool = False) -> "Presence":
        """Say that a project is open here; what this very process has open may be opened once more.

        Parameters
        ----------
        path
            The project; it need not exist.
        anyway
            Whether the word of another machine, which cannot be looked at, counts for nothing.

        Raises
        ------
        OpenElsewhereError
            When it is open elsewhere.
        """
        place = lock_of(path)
        with _GUARD:
            held = _HELD.get(place.absolute())
            if held is not None:
                again = cls(path, None)
                again._lock, count = held
                _HELD[place.absolute()] = (held[0], count + 1)
                return again
            return cls._claimed(path, place, anyway=anyway)

    @classmethod
    def _claimed(cls, path: Path, place: Path, *, anyway: bool) -> "Presence":
        """The same for what this process has not open."""
        for _again in range(_TRIES):
            try:
                lock = Lock(place)
            except BlockingIOError as problem:
                if place.exists():
                    raise OpenElsewhereError(path, _holder(place), certain=True) from problem
                # It was closed there this moment.
                continue
            except PermissionError:
                if cls._is_free(path, place, anyway=anyway):
                    continue
                return cls(path, None)
            except OSError as problem:
                # Nobody can say here who works on it: a folder that is read-only, or a file system without locks.
                return cls(path, None) if problem.errno not in _NO_LOCKS else cls._without_locks(path, anyway=anyway)
            before = _holder(place)
            if before is not None and not before.here and not anyway:
                lock.release()
                raise OpenElsewhereError(path, before, certain=False)
            _sign(place, path)
            return cls(path, lock)
        return cls(path, None)

    @staticmethod
    def _is_free(path: Path, place: Path, *, anyway: bool) -> bool:
        """Whether the lock file of another user was left by a process that has ended, and is gone now."""
        before = _holder(place)
        if before is None:
            return False
        if is_held(place):
            raise OpenElsewhereError(path, before, certain=True)
        if not before.here and not anyway:
            raise OpenElsewhereError(path, before, certain=False)
        try:
            place.unlink(missing_ok=True)
        except OSError:
            return False
        return True

    @classmethod
    def _without_locks(cls, path: Path, *, anyway: bool) -> "Presence":
        """The same where the file system has no locks: by what the lock file says."""
        place = lock_of(path)
        before = _holder(place)
        if before is not None and before != Holder.this():
            if before.here and before.runs and before.pid != os.getpid():
                raise OpenElsewhereError(path, before, certain=True)
            if not before.here and not anyway:
                raise OpenElsewhereError(path, before, certain=False)
        _sign(place, path)
        return cls(path, Lock(place, held=False))

    def release(self) -> None:
        """Say that the project is not open here any more; a second time does nothing."""
        with _GUARD:
            lock, self._lock = self._lock, None
            if lock is None:
                return
            count = _HELD.pop(self._place, (lock, 1))[1]
            if count > 1:
                _HELD[self._place] = (lock, count - 1)
                return
            with suppress(OSError):
                lock.release(remove=True)


# What this process has open: a lock of the system would refuse its own process as any other one.
_HELD: dict[Path, tuple[Lock, int]] = {}
_GUARD = RLock()
_NO_LOCKS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


def lock_of(path: Path) -> Path:
    """The lock file beside a project."""
    target = path.resolve() if path.is_symlink() else path
    return target.with_name(f".{target.name[:60]}{_SUFFIX}")


def _sign(place: Path, path: Path) -> None:
    """Write who has the project open, with the rights the project has."""
    with suppress(OSError):
        place.write_text(json.dumps(asdict(Holder.this())), "utf-8")
        place.chmod(path.stat().st_mode & 0o666 if path.exists() else 0o600)


def _holder(place: Path) -> Holder | None:
    """Who a lock file names; None where it names nobody that can be understood."""
    try:
        with place.open("rb") as file:
            sentence = json.loads(file.read(_LONGEST))
        texts = [str(sentence[name])[:80] for name in ("user", "machine", "identity", "started", "since")]
        user, machine, identity, started, since = (text.replace("\n", " ") for text in texts)
        return Holder(user, machine, identity, int(sentence["pid"]), started, since)
    except (OSError, ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return None


def _identity() -> str:
    """What tells this machine from others, without saying what it is."""
    return hashlib.sha256(f"{platform.node()} {uuid.getnode()}".encode()).hexdigest()[:16]


def _started(pid: int) -> str:
    """When a process was started; empty where it does not run, or the system does not tell."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


NAME = "tapdesk"


def data_folder(
    environment: Mapping[str, str] = os.environ, system: str = sys.platform, home: Path | None = None
) -> Path:
    """The folder for the program's own data; it may not exist yet.

    Parameters
    ----------
    environment, system, home
        As the system tells them.
    """
    home = Path.home() if home is None else home
    if system == "win32":
        return _absolute(environment.get("LOCALAPPDATA"), home / "AppData" / "Local") / NAME
    if system == "darwin":
        return home / "Library" / "Application Support" / NAME
    return _absolute(environment.get("XDG_DATA_HOME"), home / ".local" / "share") / NAME


def private_folder(folder: Path) -> Path:
    """A folder for its owner alone, made where it is not there, whatever the usual rights are.

    Windows has nothing of the kind to set: there the program's data are in the user's profile, which is closed to
    other users, and ``chmod`` knows only of files that may not be written.

    Raises
    ------
    OSError
        When it cannot be made.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(OSError):
        folder.chmod(0o700)
    return folder


def make_private(place: Path) -> None:
    """Take from others the right to look at a file, or at a folder and all that is in it; what is not there is none.

    Earlier versions of the program left what they kept readable for all.
    """
    with suppress(OSError):
        if place.is_symlink():
            return
        if place.is_dir():
            place.chmod(0o700)
            for one in place.iterdir():
                make_private(one)
        elif place.is_file():
            place.chmod(0o600)


def _absolute(sentence: str | None, usual: Path) -> Path:
    """The folder the environment names; one that is not absolute is to be ignored (XDG base directories)."""
    return Path(sentence) if sentence and Path(sentence).is_absolute() else usual
