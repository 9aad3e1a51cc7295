"""The signs numbers are written with: a point and a comma in every file, those of the user's computer on screen.

All numbers of the program go through `report.numbers`, and those ask here. What is in use is a context variable: it
holds for one block of code in one thread, so a report that is made meanwhile by another thread keeps its points, and
what nobody has asked to localise is never localised.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Signs:
    """How the parts of a number are set apart.

    Attributes
    ----------
    decimal
        Between whole and fraction.
    thousands
        Between groups of three digits; may be empty.
    """

    decimal: str = "."
    thousands: str = ","


POINT = Signs()
"""Of every file: the report, tables, pictures, the command line."""

_in_use: ContextVar[Signs] = ContextVar("signs of numbers", default=POINT)

# As Python writes them: 1,286.116 or 0.54 or 1.5e-05, not a part of a word, a version, a date or the name of a file.
_WRITTEN = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]\d+)?(?![\w])(?![.,]\w)")
# What stands in quotation marks is the user's own; an apostrophe follows a letter and opens nothing.
_QUOTED = r"“[^”]*”|(?<!\w)'[^\n]*?'(?!\w)"
_MOST_NAMES = 1_000


class Number(str):
    """A number as it is read, which knows how a spreadsheet takes it.

    Attributes
    ----------
    cell
        The same with the decimal sign in use, without groups and with a hyphen for the minus. A spreadsheet reads what
        is pasted by the signs of its own computer: where the comma is the decimal sign it would take ``1.5`` for the
        first of May, and a true minus for a word.
    """

    __slots__ = ("cell",)
    cell: str

    def __new__(cls, plain: str) -> Self:
        """From a number as Python writes it: ``-1,286.116``."""
        signs = _in_use.get()
        made = super().__new__(cls, _with(plain, signs).replace("-", "−"))
        made.cell = _with(plain.replace(",", ""), signs)
        return made

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """A copy is plain text: it must not be written a second time."""
        return str, (str(self),)


def _with(plain: str, signs: Signs) -> str:
    return plain.translate({ord("."): signs.decimal, ord(","): signs.thousands})


@contextmanager
def written_with(signs: Signs) -> Iterator[None]:
    """Numbers written inside this block, by this thread, have these signs."""
    token = _in_use.set(signs)
    try:
        yield
    finally:
        _in_use.reset(token)


def rewritten(text: str, names: Iterable[str] = ()) -> str:
    """A finished sentence with its numbers in the signs in use; what the user wrote inside it stays.

    For the sentences a reading or a fit carries: they were written when it was made, and are kept in files with it.
    The user's own are ``names``, and all that stands in quotation marks.
    """
    signs = _in_use.get()
    if signs == POINT or not _pointed(text):
        return text
    kept = sorted({found for n in names if (found := _standing(n, text))}, key=len, reverse=True)
    if len(kept) > _MOST_NAMES:
        return text  # a point too much rather than a name of the user's changed
    parts = re.split(f"({'|'.join([_QUOTED, *map(re.escape, kept)])})", text)
    # Every second part is a name.
    return "".join(
        part if i % 2 else _WRITTEN.sub(lambda found: _with(found.group(), signs), part) for i, part in enumerate(parts)
    )


def _pointed(text: str) -> list[int]:
    """Where numbers with a point or a comma, which other signs would change, end in a text."""
    if "." not in text and "," not in text:
        return []
    return [n.end() for n in _WRITTEN.finditer(text) if not n.group().isdigit()]


def _standing(name: str, text: str) -> str:
    """What of a name with a number in it stands in a text: all of it, or its beginning where it was shortened."""
    ends = _pointed(name)
    if not ends or name in text:
        return name if ends else ""
    return next((name[:end] for end in reversed(ends) if name[:end] in text), "")
