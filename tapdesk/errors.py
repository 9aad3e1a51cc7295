"""The errors a user can mend. Anything else that is raised is a bug of ours."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Ways: TypeAlias = Sequence[tuple[str, Mapping[str, object]]]


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


class CannotAnswerError(TapdeskError):
    """The data are read, but nothing of what was asked can be computed on them."""

    exit_status = 4
