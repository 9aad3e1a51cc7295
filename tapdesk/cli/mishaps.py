"""What is said where something went wrong that no command foresaw: short memory, missing parts, a bug of ours."""

import errno
import platform
import re
import sys
import traceback
from pathlib import Path

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.project.files.locks import data_folder, open_private, private_folder
from tapdesk.version import VERSION

FAULT = 70
"""The exit status of a bug (EX_SOFTWARE of sysexits.h): 1 is that of ``verify``."""
LOG = "fault.log"

_LONGEST_WORD = 400  # a path may be this long
_QT = {"PySide6", "shiboken6", "pyqtgraph"}
_SHORT = re.compile(r"cannot allocate memory|failed to map segment|not enough memory", re.IGNORECASE)
_NO_ROOM = {errno.ENOMEM, errno.EAGAIN}


def explained(error: BaseException) -> TapdeskError | None:
    """The sentence for what is no bug: memory that is short, parts of the program that are not installed.

    None where it is anything else.
    """
    if isinstance(error, TapdeskError):
        return error
    if isinstance(error, ImportError):
        return _not_loaded(error)
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _NO_ROOM):
        return TapdeskError(
            _("There is not enough memory for this."),
            fix=_("Close other programs, or ask for less: fewer ratings, classes, re-draws or --workers."),
        )
    if isinstance(error, OSError) and error.errno in {errno.EMFILE, errno.ENFILE}:
        return TapdeskError(
            _("The system does not allow this program to open more files."),
            fix=_("Raise the limit (ulimit -n), or close other programs."),
        )
    return None


def _not_loaded(error: ImportError) -> TapdeskError | None:
    """The sentence for a part that could not be loaded; None where it is one of ours."""
    name, reason = error.name or "", str(error)
    if _SHORT.search(reason):
        return TapdeskError(
            _("There is not enough memory to load the program."), fix=_("Close other programs and try again.")
        )
    if name.partition(".")[0] in _QT or "Qt" in reason or "libEGL" in reason or "libGL" in reason:
        if isinstance(error, ModuleNotFoundError):
            return TapdeskError(
                _("The window needs {name}, which is not installed.").format(name=name.partition(".")[0]),
                fix=_(
                    "Install it with: pip install PySide6-Essentials pyqtgraph. All commands work without it; "
                    "see: tapdesk --help"
                ),
            )
        return TapdeskError(
            _("The window cannot be loaded on this system: {reason}.").format(reason=reason.rstrip(".")),
            fix=_(
                "Install the library that is named (on Debian and Ubuntu: libegl1, libgl1). All commands work "
                "without it; see: tapdesk --help"
            ),
        )
    if name.partition(".")[0] == "tapdesk":
        return None
    return TapdeskError(
        _("A part of the program cannot be loaded: {reason}.").format(reason=reason.rstrip(".")),
        fix=_("Install tapdesk again; its parts belong together."),
    )


def one_line(text: str) -> str:
    """A sentence as one line that a terminal can bear: nothing that steers it, no word of endless length."""
    words = ("".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in word) for word in text.split())
    return " ".join(w if len(w) <= _LONGEST_WORD else f"{w[: _LONGEST_WORD // 2]}…{w[-20:]}" for w in words)


def fault(error: BaseException) -> str:
    """The sentence for a bug of ours; where it happened is kept in a file for whoever looks after the program."""
    kind = type(error).__name__
    said = str(error)[:200]
    place = _logged(error)
    kept = _(" The details are in {place}.").format(place=place) if place is not None else ""
    return _(
        "this is a fault of the program, not of your data: {kind}: {said}.{kept} "
        "Run it again with --debug to see where."
    ).format(kind=kind, said=said, kept=kept)


def _logged(error: BaseException) -> Path | None:
    """Write the traceback where only the user can read it; None where there is no room for it."""
    head = f"tapdesk {VERSION}, Python {platform.python_version()}, {sys.platform}\n\n"
    text = head + "".join(traceback.format_exception(error))
    try:
        place = private_folder(data_folder()) / LOG
        with open_private(place, empty=True) as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except (OSError, RuntimeError):
        # RuntimeError: there is no home.
        return None
    return place
