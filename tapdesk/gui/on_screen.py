"""The voice of the window: its language, and numbers as the computer of the user writes them."""

from collections.abc import Iterable

from PySide6.QtCore import QLocale

from tapdesk.language import POINT, Signs, Voice, wanted_language
from tapdesk.report.signs import rewritten


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
