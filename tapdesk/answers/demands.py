"""What is worked out only where it is asked for: how each part of that kind is asked for, declared once.

From a row come what a project remembers, what a report computes, the tick of the outline and the option of the command
line. The parts themselves hold their row (`tapdesk.answers.part.Part.demand`); it stands apart from them because the
command line reads all rows before anything is computed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from tapdesk.language import gettext as _
from tapdesk.studies.analysis import GRID_SETS

Choice: TypeAlias = bool | int | tuple[str, ...]
"""Wanted or not; data sets of each cell, 0 for none; or the columns it is wanted for."""
_WHILE = _("This takes a while to work out, so it is printed only where it is wanted.")


@dataclass(frozen=True, slots=True)
class Demand:
    """How one part is asked for.

    Attributes
    ----------
    key
        Of the part, and of the section that prints it.
    option
        Of the command ``report``.
    help
        For the help of the command line; empty where the option is one of the fit as well.
    none
        What stands for not wanted, and so the kind of choice.
    stored
        Its name in the notes of projects and in issued reports, where that is not its key; never changed.
    hint
        How long it takes, a sentence.
    """

    key: str
    option: str
    help: str = ""
    none: Choice = False
    stored: str = ""
    hint: str = _WHILE

    @property
    def name(self) -> str:
        """Its name where it is kept."""
        return self.stored or self.key

    @property
    def by_column(self) -> bool:
        """Whether columns are named: it is wanted once for each."""
        return isinstance(self.none, tuple)

    @property
    def by_sets(self) -> bool:
        """Whether so many data sets are asked for."""
        return isinstance(self.none, int) and not isinstance(self.none, bool)

    def sound(self, words: object) -> Choice:
        """A choice as it can be asked for, else none: a damaged note starts no study without end."""
        if self.by_column:
            return tuple(dict.fromkeys(str(column) for column in words)) if isinstance(words, list | tuple) else ()
        if self.by_sets:
            return int(words) if isinstance(words, int) and words in GRID_SETS else 0
        return bool(words)


DEMANDS: tuple[Demand, ...] = (
    Demand(
        "groups",
        "--by",
        "also the answer in every group of COL, and may be named again; or with a model of groups these",
        (),
        "by",
    ),
    Demand("awards", "--awards", "also who wins and how sure that is, by scores, grades or medals"),
    Demand("contour", "--contour", "also how every two of t, a and p hang together"),
    Demand("plan", "--plan", "also what studies of other sizes would tell"),
    Demand("recovery", "--recovery", "also what the numbers imply and if they would be found again"),
    Demand("grid", "--grid", "also which numbers a study of this size could find", 0),
    Demand("square", "--square", "also if kappa is the square of the accuracy in such studies", 0),
    Demand("models", "--tests", stored="between"),
    Demand(
        "pictures",
        "--figure",
        "also this picture, one of those tapdesk figure lists; repeatable",
        (),
        "figures",
    ),
)


def demand(key: str) -> Demand:
    """The row of a part."""
    return next(row for row in DEMANDS if row.key == key)


TICKED = frozenset(row.key for row in DEMANDS if not row.by_column)
"""Keys of the sections whose tick in the outline asks for them; the others are there unless they are left out."""


class Selection(Mapping[str, Choice]):
    """What is asked for, by the key of its part; what is not is absent.

    Parameters
    ----------
    chosen, more
        Choices by key; those that want nothing are left out.

    Raises
    ------
    KeyError
        When there is no such part.
    """

    __slots__ = ("_chosen",)

    def __init__(self, chosen: Mapping[str, Choice] = MappingProxyType({}), /, **more: Choice) -> None:
        every = {**chosen, **more}
        if unknown := every.keys() - {row.key for row in DEMANDS}:
            raise KeyError(*unknown)
        self._chosen = {row.key: every[row.key] for row in DEMANDS if every.get(row.key)}

    def __getitem__(self, key: str) -> Choice:
        return self._chosen[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._chosen)

    def __len__(self) -> int:
        return len(self._chosen)

    def __hash__(self) -> int:
        return hash(tuple(self._chosen.items()))

    def __repr__(self) -> str:
        return f"Selection({self._chosen})"

    def sets(self, key: str) -> int:
        """Data sets of each cell of a study, 0 where it is not wanted."""
        chosen = self._chosen.get(key, 0)
        return 0 if isinstance(chosen, tuple) else int(chosen)

    def columns(self, key: str) -> tuple[str, ...]:
        """The columns a part is wanted for."""
        chosen = self._chosen.get(key, ())
        return chosen if isinstance(chosen, tuple) else ()

    def switched(self, key: str, *, on: bool) -> "Selection":
        """The same with one part asked for, of the fewest data sets, or not."""
        least: Choice = GRID_SETS[0] if demand(key).by_sets else True
        return Selection(self, **{key: least if on else demand(key).none})

    def record(self) -> dict[str, Choice]:
        """Every choice by the name under which it is kept."""
        return {row.name: self.get(row.key, row.none) for row in DEMANDS}

    @classmethod
    def read(cls, by_key: Mapping[str, object]) -> "Selection":
        """The choices that were kept; what is damaged or was not known then is not wanted."""
        return cls({row.key: row.sound(by_key.get(row.name, row.none)) for row in DEMANDS})
