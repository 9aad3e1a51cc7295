"""A situation: a name, and how what is said in it is brought about."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from tapdesk.errors import TapdeskError
from tapdesk.progress import finish
from tests.words.listening import templates


@dataclass(frozen=True, slots=True)
class Situation:
    """One column of the table of sentences.

    Attributes
    ----------
    key
        Its name in the table.
    act
        Brings about the values in which sentences are; a run is finished, and a refusal is what is said.
    slow
        Whether it takes longer than the fast suite allows.
    """

    key: str
    act: Callable[[], object]
    slow: bool = False

    def heard(self) -> frozenset[str]:
        """The templates that are said."""
        try:
            value = self.act()
            if hasattr(value, "send"):
                value = finish(value)
        except TapdeskError as error:
            value = error
        return templates(value)


def several(
    prefix: str, acts: Iterable[tuple[str, Callable[[], object]]], slow: Collection[str] = ()
) -> tuple[Situation, ...]:
    """Situations with a common beginning of their names, some of them slow."""
    return tuple(Situation(f"{prefix}-{key}", act, key in slow) for key, act in acts)
