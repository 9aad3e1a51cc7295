"""The errors a user can mend. Anything else that is raised is a bug of ours."""

import errno
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tapdesk.language import gettext as _

Ways: TypeAlias = Sequence[tuple[str, Mapping[str, object]]]

_QT = {"PySide6", "shiboken6", "pyqtgraph"}
_SHORT = re.compile(r"cannot allocate memory|failed to map segment|not enough memory", re.IGNORECASE)
_NO_ROOM = {errno.ENOMEM, errno.EAGAIN}


class TapdeskError(Exception):
    """Something the user can mend, said in three parts.

    Parameters
    ----------
    what
        What is the matter, one plain sentence.
    where
        The file, sheet, row, column or option it is about; empty when there is no place.
    fix
        What to do about it, one plain sentence.
    ways
        What a user can choose at once, where a file can be read in other ways: what a button says, and the reading
        options that change, by name.
    """

    exit_status = 3

    def __init__(self, what: str, where: str = "", fix: str = "", *, ways: Ways = ()) -> None:
        super().__init__(what, where, fix)
        self.what = what
        self.where = where
        self.fix = fix
        self.ways = tuple(ways)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.what} {self.fix}".strip()


class UsageError(TapdeskError):
    """The request itself is wrong: an unknown option, model or column name."""

    exit_status = 2


class SeveralQuestionsError(TapdeskError):
    """A file holds several questions and one of them is to be read; parameters as of `TapdeskError`.

    Parameters
    ----------
    what, where, fix, ways
        As of `TapdeskError`.
    each
        Every question with the reading options that read it alone.
    """

    def __init__(self, what: str, where: str = "", fix: str = "", *, ways: Ways = (), each: Ways = ()) -> None:
        super().__init__(what, where, fix, ways=ways)
        self.each = tuple(each)


class CannotAnswerError(TapdeskError):
    """The data are read, but nothing of what was asked can be computed on them."""

    exit_status = 4


def explanation(error: BaseException) -> TapdeskError | None:
    """The sentence for what is no bug: memory that is short, parts of the program that are not installed.

    Parameters
    ----------
    error
        Whatever was raised.

    Returns
    -------
    TapdeskError or None
        None where it is anything else.
    """
    if isinstance(error, TapdeskError):
        return error
    if isinstance(error, ImportError):
        return _not_loaded(error)
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _NO_ROOM):
        return TapdeskError(
            _("There is not enough memory for this."),
            fix=_("Close other programs, or ask for less: fewer ratings, classes, resamples or processes at once."),
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
                    "Install it with: pip install 'tapdesk[desktop]'. All commands work without it; see: tapdesk --help"
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
