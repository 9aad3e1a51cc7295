"""Where the program keeps what is its own, on each system."""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

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


def close_to_others(place: Path) -> None:
    """Take from others the right to look at a file, or at a folder and all that is in it; what is not there is none.

    Earlier versions of the program left what they kept readable for all.
    """
    with suppress(OSError):
        if place.is_symlink():
            return
        if place.is_dir():
            place.chmod(0o700)
            for one in place.iterdir():
                close_to_others(one)
        elif place.is_file():
            place.chmod(0o600)


def _absolute(told: str | None, usual: Path) -> Path:
    """The folder the environment names; one that is not absolute is to be ignored (XDG base directories)."""
    return Path(told) if told and Path(told).is_absolute() else usual
