"""Projects of earlier formats, one step for each number."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

Document: TypeAlias = dict[str, Any]
"""The JSON of a project; see ``files``."""

FORMAT = 1
"""The number of the format this program writes. It grows when a change would make an older program, or this one with
an older file, read something else than what was written; an added part with a default needs no new number."""

MIGRATIONS: Mapping[int, Callable[[Document], Document]] = MappingProxyType({})
"""From the number of a format to the function that makes the next one of it."""


def lifted(
    document: Document,
    number: int,
    *,
    to: int = FORMAT,
    steps: Mapping[int, Callable[[Document], Document]] = MIGRATIONS,
) -> Document:
    """A document of an earlier format as one of a later format.

    Parameters
    ----------
    document, number
        The document and its format.
    to, steps
        The format wanted, and the step from each number to the next.

    Raises
    ------
    KeyError
        When a step is missing.
    """
    for at in range(number, to):
        document = steps[at](document)
    return document
