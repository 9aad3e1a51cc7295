"""Names of files that leave the program, and words about them."""

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from tapdesk.language import gettext as _


def without(missing: str) -> str:
    """What a bug of ours left out of what was saved."""
    return _("A fault of the program left this out: {missing}.").format(missing=missing)


def free_name(path: Path) -> Path:
    """The first of ``name (2)``, ``name (3)`` … that is not there yet."""
    number = 2
    while (other := path.with_stem(f"{path.stem} ({number})")).exists():
        number += 1
    return other


def plain_name(name: str) -> str:
    """A name a file can have everywhere."""
    return "".join("_" if c in '<>:"/\\|?*' or ord(c) < 32 else c for c in name)[:80].strip(" .") or "report"


def opened(path: Path) -> None:
    """Show a file or folder in the program the system has for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
