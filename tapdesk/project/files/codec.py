"""Frozen values to plain JSON and arrays and back: by the types their classes declare, and by no others."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import Message, Number, Own, plain
from tapdesk.project.files.arrays import narrowed
from tapdesk.project.files.catalog import BY_KIND

TAG = "~"
ARRAY, TEXTS, NUMBER = "array", "texts", "number"
MESSAGE, WRITTEN = "message", "written"


def tag_of(kind: type) -> str:
    """How a class is called in a file: decisions by their kind, others by their name."""
    name = vars(kind).get("kind")
    return name if isinstance(name, str) and BY_KIND.get(name) is kind else kind.__name__


def _number(value: float) -> Any:
    """A number; JSON has none that is not finite."""
    return float(value) if math.isfinite(value) else {TAG: NUMBER, "is": repr(float(value))}


class Writer:
    """Turns values into JSON, and collects the arrays on the way.

    Attributes
    ----------
    arrays
        What was collected, by its name in the file.
    """

    def __init__(self) -> None:
        self.arrays: dict[str, NDArray[Any]] = {}
        # The arrays themselves are kept beside their ids: an id means something only as long as its array lives.
        self._seen: dict[int, tuple[NDArray[Any], Any]] = {}
        # From the narrow to the wide: a truth value is an int to Python as well.
        self._rows: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
            (Enum, lambda v: v.name),
            (Message, self._message),
            ((Number, Own), plain),
            ((str, bool, NoneType), lambda v: v),
            (np.bool_, bool),
            ((int, np.integer), int),
            ((float, np.floating), _number),
            (Path, str),
            ((tuple, list), self._list),
            (Mapping, self._pairs),
            (np.ndarray, self._array),
        )

    def plain(self, value: Any) -> Any:
        """A value as JSON.

        Raises
        ------
        TypeError
            When the value is of a class that does not belong into a project.
        """
        for kinds, told in self._rows:
            if isinstance(value, kinds):
                return told(value)
        if is_dataclass(value) and not isinstance(value, type):
            return {TAG: tag_of(type(value))} | {f.name: self.plain(getattr(value, f.name)) for f in fields(value)}
        raise TypeError(f"a {type(value).__name__} is not kept in a project")

    def _message(self, told: Message) -> dict[str, Any]:
        """A sentence by its template and its fields: a file is of no language."""
        plural = {} if told.plural is None else {"many": told.plural[0], "n": told.plural[1]}
        given = [[name, self._field(value)] for name, value in told.fields.items()]
        return {TAG: MESSAGE, "template": told.template} | plural | ({"fields": given} if given else {})

    def _field(self, value: Any) -> Any:
        """A field of a sentence with its type."""
        if isinstance(value, Own):
            return {TAG: value.kind, "is": value.whole} | ({"limit": value.limit} if value.limit else {})
        if isinstance(value, Number):
            return {TAG: WRITTEN, "is": value.plain}
        return self.plain(value)

    def _list(self, values: Sequence[Any]) -> list[Any]:
        # Names of cases can be millions: they are not looked at one call each.
        return list(values) if all(type(v) is str for v in values) else [self.plain(v) for v in values]

    def _pairs(self, values: Mapping[Any, Any]) -> list[list[Any]]:
        return [[self.plain(k), self.plain(v)] for k, v in values.items()]

    def _array(self, array: NDArray[Any]) -> Any:
        seen = self._seen.get(id(array))
        if seen is None:
            told = self._texts(array) if array.dtype.kind == "O" else self._numbers(array)
            seen = self._seen[id(array)] = (array, told)
        return seen[1]

    def _numbers(self, array: NDArray[Any]) -> dict[str, Any]:
        small = narrowed(array)
        name = f"arrays/{len(self.arrays)}.npy"
        self.arrays[name] = small
        told: dict[str, Any] = {TAG: ARRAY, "at": name}
        return told if small.dtype == array.dtype else told | {"as": array.dtype.name}

    def _texts(self, array: NDArray[Any]) -> dict[str, Any]:
        """An array of objects as its distinct values, which must be plain, and their places."""
        index: dict[tuple[type, Any], int] = {}
        codes = np.array([index.setdefault((type(v), v), len(index)) for v in array.ravel().tolist()], dtype=np.int64)
        values = [self.plain(v) for _type, v in index]
        return {TAG: TEXTS, "values": values, "codes": self._array(codes.reshape(array.shape))}
