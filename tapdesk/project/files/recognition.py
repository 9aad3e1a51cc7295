"""Which files are projects, by name and by content: asked of every file that is given, where few projects are read."""

import zipfile
from pathlib import Path

from tapdesk.ratings.formats.kinds import BROKEN_ZIP

FORM = "tapdesk project"
"""What a project's document calls itself."""
SUFFIX = ".tapdesk"
"""What the name of a project's file ends with."""
DOCUMENT = "project.json"
"""The member of a project's file that holds its document."""


def is_project(path: str | Path) -> bool:
    """Whether a file is, or once was, a project, by its name or its content."""
    place = Path(path)
    if place.suffix.lower() == SUFFIX or SUFFIX + "~" in place.name.lower():
        return True
    try:
        # A pipe would be waited for, and a device may never end.
        if not place.is_file():
            return False
        with zipfile.ZipFile(place) as parts:
            return DOCUMENT in parts.namelist()
    except (*BROKEN_ZIP, OSError):
        return False
