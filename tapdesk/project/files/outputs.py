"""What may be written where: no file that is read, and nothing but what this program wrote itself, unless forced.

Everything that leaves the program is written through `Outputs`, by the command line and by the window.
"""

import errno
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.project.files import saving
from tapdesk.project.files.batch import save_all
from tapdesk.project.files.marks import Kind, Mark, mark_at, mark_in
from tapdesk.ratings.findings import listed

if TYPE_CHECKING:
    # Loaded where a project is written, not with everything that writes.
    from tapdesk.project.project import Project


class InTheWayError(UsageError):
    """A file stands where another is to be written, and it is not for this program to replace it unasked.

    Parameters
    ----------
    paths
        The files, one or more.
    what
        Why they are not replaced, in sentences that name them.
    """

    def __init__(self, paths: tuple[Path, ...], what: str) -> None:
        one = len(paths) == 1
        super().__init__(
            what,
            fix=_("Choose another name, or add --force to replace it.")
            if one
            else _("Choose another name or folder, or add --force to replace them."),
        )
        self.paths = paths


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where files may be written.

    Attributes
    ----------
    inputs
        Files that are read: never written over.
    sources
        Files that the projects among them were made from: never written over.
    force
        Whether other files may be replaced that this program would not replace by itself.
    agreed
        Files of which the user said that they may be replaced.
    """

    inputs: tuple[Path, ...] = ()
    sources: tuple[Path, ...] = ()
    force: bool = False
    agreed: tuple[Path, ...] = ()

    def replacing(self, *paths: Path) -> "Outputs":
        """The same, and some files that stand in the way may be replaced."""
        return replace(self, agreed=(*self.agreed, *paths))

    def refuse(self, path: Path, mark: Mark | None) -> None:
        """Refuse a place before any work is done for it.

        Parameters
        ----------
        path
            Where a file is to be written.
        mark
            What it will say of itself; None for a file that cannot, as CSV.

        Raises
        ------
        UsageError
            When the place is a file that is read.
        InTheWayError
            When a file stands there that may not be replaced unasked.
        TapdeskError
            When nothing can be written there.
        """
        if saving.stream(path):
            return
        self.refuse_inputs(path)
        fault = _unfit(path)
        if fault is not None:
            raise saving.sentence(fault, path)
        if path.exists() and not self.force and not any(same_file(one, path) for one in self.agreed):
            why = _in_the_way(path.name, mark_at(path), mark)
            if why:
                raise InTheWayError((path,), why)

    def save(self, path: Path, content: bytes, *, keep: int = 0) -> None:
        """Write one file whole, or refuse; ``keep`` earlier versions stay beside it.

        Raises
        ------
        UsageError
            As `refuse`.
        TapdeskError
            When it cannot be written; what stood there is untouched.
        """
        self.refuse(path, mark_in(content))
        saving.save(path, content, keep=keep)

    def save_project(self, path: Path, project: "Project") -> None:
        """Write a project, as `tapdesk.project.files.file.save` does, or refuse.

        Raises
        ------
        UsageError
            As `refuse`.
        TapdeskError
            When it cannot be written; what stood there is untouched.
        """
        from tapdesk.project.files.file import save

        self.refuse(path, Mark(Kind.PROJECT, "tapdesk"))
        save(project, path)

    def save_all(self, files: Iterable[tuple[Path, bytes]]) -> None:
        """Write all of several files, or none.

        Raises
        ------
        UsageError
            As `refuse`, and where two of them are the same file.
        TapdeskError
            When one cannot be written; what stood there is untouched.
        """
        ready = tuple(files)
        refuse_twice(path for path, _content in ready)
        refused: list[InTheWayError] = []
        for path, content in ready:
            try:
                self.refuse(path, mark_in(content))
            except InTheWayError as error:
                refused.append(error)
        if len(refused) == 1:
            raise refused[0]
        if refused:
            paths = tuple(path for error in refused for path in error.paths)
            said = (
                _("{what} {n} more files are in the way: {names}.")
                if len(paths) > 2
                else _("{what} {names} is in the way, too.")
            )
            names = listed([f"“{path.name}”" for path in paths[1:]], 5)
            raise InTheWayError(paths, said.format(what=refused[0].what, n=len(paths) - 1, names=names))
        save_all(ready)

    def refuse_inputs(self, path: Path) -> None:
        """Refuse a place that is read.

        Raises
        ------
        UsageError
            It names the file.
        """
        if any(same_file(one, path) for one in self.inputs):
            what = _("“{name}” is read here, so nothing is written over it.")
        elif any(same_file(one, path) for one in self.sources):
            what = _("“{name}” holds the ratings that the project was made from, so nothing is written over it.")
        else:
            return
        raise UsageError(what.format(name=path.name), fix=_("Choose another name for what is written."))


CAREFUL = Outputs()
"""Nothing is replaced that this program did not write."""


def same_file(one: Path, other: Path) -> bool:
    """Whether two names stand for one file, through links of either kind; also where it is not there yet."""
    try:
        return one.samefile(other)
    except OSError:
        return os.path.normcase(os.path.realpath(one)) == os.path.normcase(os.path.realpath(other))


def refuse_twice(paths: Iterable[Path]) -> None:
    """Refuse two outputs that are one file.

    Raises
    ------
    UsageError
        It names the file.
    """
    known: list[Path] = []
    for path in paths:
        if saving.stream(path):
            continue
        if any(same_file(path, other) for other in known):
            raise UsageError(
                _("Two different things would be written to “{name}”.").format(name=path.name),
                fix=_("Give each a name of its own."),
            )
        known.append(path)


def made_folder(path: Path) -> Path:
    """A folder for files that are written, made where it is missing.

    Raises
    ------
    TapdeskError
        When it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise saving.sentence(NotADirectoryError(errno.ENOTDIR, "file", str(path)), path) from error
    except OSError as error:
        raise saving.sentence(error, path) from error
    return path


def _unfit(path: Path) -> OSError | None:
    """Why nothing can be written at a place, as far as can be seen beforehand."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        parent = saving.real(path).parent
        code = 0 if parent.is_dir() else errno.ENOTDIR if parent.exists() else errno.ENOENT
    except OSError as error:
        return error
    else:
        code = errno.EISDIR if stat.S_ISDIR(mode) else 0 if stat.S_ISREG(mode) else errno.ENODEV
        if not code and not os.access(path, os.W_OK):
            code = errno.EACCES
    return OSError(code, os.strerror(code)) if code else None


def _in_the_way(name: str, there: Mark | None, new: Mark | None) -> str:
    """Why a file is not replaced unasked, a sentence; empty where it may be."""
    if there is None and new is None:
        said = _("“{name}” is there already, and a table of this kind does not tell who wrote it.")
    elif there is None:
        said = _("“{name}” is there already, and tapdesk did not write it.")
    elif there.signed:
        said = _("“{name}” is {kind} that was signed, or to which something was added since.")
    elif there.issued:
        said = _("“{name}” is {kind} that was issued.")
    elif there.changed:
        said = _("“{name}” is {kind} that was changed since tapdesk wrote it.")
    elif new is None or not there.same_kind(new):
        said = _("“{name}” is there already and is {kind}, not what would be written.")
    else:
        return ""
    return said.format(name=name, kind="" if there is None else there.kind.words)


FORMS = {".pdf": "pdf", ".html": "html", ".xlsx": "xlsx", ".png": "png", ".svg": "svg", ".json": "json"}


def expected(kind: Kind, path: Path) -> Mark | None:
    """The mark a file of a kind will have, by the ending of its name; None where it can have none."""
    form = FORMS.get(path.suffix.lower())
    return None if form is None else Mark(kind, form)
