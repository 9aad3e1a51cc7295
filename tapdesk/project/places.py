"""Where the program keeps what is its own, on each system."""

import os
import sys
from collections.abc import Mapping
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


def _absolute(told: str | None, usual: Path) -> Path:
    """The folder the environment names; one that is not absolute is to be ignored (XDG base directories)."""
    return Path(told) if told and Path(told).is_absolute() else usual
