"""A fault of ours in one part of a report: the part is left out, its place says so, and the rest goes on."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.progress import Run

T = TypeVar("T")
_OURS = "tapdesk."
# What the user can mend is said in another way; without memory nothing else can be made either.
_PASSED_ON = (TapdeskError, MemoryError)


@dataclass(frozen=True, slots=True)
class Bug:
    """What was raised instead of an answer."""

    error: Exception


@dataclass(frozen=True, slots=True)
class Fault:
    """What could not be made, and the bug behind it.

    Attributes
    ----------
    section
        Key of the section it belongs to.
    title
        What is missing, as a reader knows it: the title of the section, or of a study printed in it.
    error
        The bug itself, for whoever mends it.
    whole
        Whether the whole section is missing, or only a study in it.
    """

    section: str
    title: str
    error: Exception = field(compare=False)
    whole: bool = True

    @property
    def place(self) -> str:
        """Kind and place of the bug: no words of the error itself, for they might hold a name of a rater."""
        frames = [
            (str(frame.f_globals.get("__name__", "")), line)
            for frame, line in traceback.walk_tb(self.error.__traceback__)
        ]
        ours = [(name, line) for name, line in frames if name.startswith(_OURS)]
        kind = type(self.error).__name__
        if not ours:
            return kind
        name, line = ours[-1]
        return _("{kind} in {module}, line {line}").format(kind=kind, module=name, line=line)

    @property
    def words(self) -> str:
        """What the report says in its place."""
        if self.whole:
            sentence = _(
                "A fault of the program stopped this section; the data are not at fault. What is printed elsewhere in "
                "this report was worked out as usual. For whoever looks after the program: {place}."
            )
        else:
            sentence = _(
                "A fault of the program stopped “{title}”; the data are not at fault. What is printed elsewhere in "
                "this report was worked out as usual. For whoever looks after the program: {place}."
            )
        return sentence.format(title=self.title, place=self.place)


def listed(faults: tuple[Fault, ...]) -> str:
    """What is missing, each named once."""
    return ", ".join(dict.fromkeys(fault.title for fault in faults))


def attempt(make: Callable[[], T]) -> T | Bug:
    """What is made, or the bug that stopped it; what the user can mend is raised as ever."""
    try:
        return make()
    except _PASSED_ON:
        raise
    except Exception as error:
        return Bug(error)


def attempted(run: Run[T]) -> Run[T | Bug]:
    """The same of a run."""
    try:
        return (yield from run)
    except _PASSED_ON:
        raise
    except Exception as error:
        return Bug(error)
