"""A short name of some ratings: other ratings have another one."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from tapdesk.ratings.ratings import Ratings

_PIECE = 2_000


# As many as there are ratings in the memory of the replay, told binary and in all classes.
@lru_cache(maxsize=4)
def digest(ratings: Ratings) -> bytes:
    """Thirty-two bytes that follow from the ratings, names, classes, weights and further columns."""
    made = hashlib.sha256()
    for array in (ratings.subject, ratings.rater, ratings.category):
        made.update(array.astype("<i8").tobytes())
    if ratings.weight is not None:
        made.update(ratings.weight.astype("<i8").tobytes())
    for part in _written(ratings):
        made.update(part.encode("utf-8", "surrogatepass"))
    return made.digest()


def fingerprint(ratings: Ratings) -> str:
    """Sixteen hexadecimal digits in groups of four, such as ``7F3A-91C2-0D4E-55B8``.

    They follow from the ratings, not from how they came about: undoing a change brings the fingerprint back.
    """
    return grouped(digest(ratings).hex())


VERSION = 2


def of_work(as_analysed: Ratings, every_class: Ratings, choices: Sequence[object]) -> str:
    """Digits as `fingerprint` makes them, for all that is printed about some ratings.

    Parameters
    ----------
    as_analysed, every_class
        The ratings after all decisions, and before class 1 was chosen.
    choices
        What was decided, as Python writes it.
    """
    made = hashlib.sha256(f"tapdesk fingerprint {VERSION} ".encode())
    made.update(digest(every_class))
    made.update(digest(as_analysed))
    made.update("\x00".join(map(repr, choices)).encode("utf-8", "surrogatepass"))
    return grouped(made.hexdigest())


def grouped(digits: str) -> str:
    """The first sixteen digits in groups of four."""
    digits = digits[:16].upper()
    return "-".join(digits[i : i + 4] for i in range(0, 16, 4))


def _written(ratings: Ratings) -> Iterator[str]:
    """Names, classes and further columns as Python writes them, in pieces: nothing interrupts one call over all."""
    yield "(("
    for names in (ratings.subjects, ratings.raters, ratings.classes):
        yield from _listed(names, "(", ",)" if len(names) == 1 else ")")
        yield ", "
    yield f"{ratings.members!r}), {ratings.ordered!r}, {ratings.raters_known!r})"
    for name, column in sorted(ratings.covariates.items()):
        yield f"({name!r}, {column.of.value!r}, "
        yield from _listed(column.values.tolist(), "[", "]")
        yield ")"


def _listed(values: Sequence[Any], begin: str, end: str) -> Iterator[str]:
    """What ``repr`` writes of a list or tuple."""
    yield begin
    for at in range(0, len(values), _PIECE):
        yield (", " if at else "") + ", ".join(map(repr, values[at : at + _PIECE]))
    yield end
