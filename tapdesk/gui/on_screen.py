"""Numbers as the user's computer writes them: on screen, and nowhere else."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import ParamSpec, TypeVar

from PySide6.QtCore import QLocale

from tapdesk.language import POINT, Signs, Voice, speaking, wanted_language
from tapdesk.report.signs import rewritten

P = ParamSpec("P")
R = TypeVar("R")


def signs() -> Signs:
    """The signs of the computer; the point where they could be misread beside digits written 0 to 9."""
    locale = QLocale()
    decimal, thousands = locale.decimalPoint(), locale.groupSeparator()
    if locale.zeroDigit() != "0" or len(decimal) != 1 or thousands == decimal:
        return POINT
    grouped = not locale.numberOptions() & QLocale.NumberOption.OmitGroupSeparator
    return Signs(decimal, thousands if grouped else "")


def screen() -> Voice:
    """The voice of the screen: its language, and the signs of the computer."""
    return Voice(language=wanted_language(), signs=signs())


def on_screen(shows: Callable[P, R]) -> Callable[P, R]:
    """What this function writes is read on screen: its numbers have the signs of the computer.

    Asked for where something is shown rather than for the whole window, so that what is forgotten has a point too much
    on screen, never a comma too much in a file. A slot calls such a function and is none itself: Qt would hand it all
    that a signal carries.
    """

    @wraps(shows)
    def written(*args: P.args, **kwargs: P.kwargs) -> R:
        with speaking(screen()):
            return shows(*args, **kwargs)

    return written


@on_screen
def told(sentence: str, names: Iterable[str] = ()) -> str:
    """A sentence that was made when a file was read, an error met or a decision made, as it is read on screen.

    Parameters
    ----------
    sentence
        As files keep it.
    names
        What the user has named, for a sentence of an older file, which does not know its own parts.
    """
    return rewritten(sentence, names)
