"""From the JSON and arrays of a project file to frozen values; what does not fit its declared type is refused."""

import math
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError
from tapdesk.fitting.posterior import Posterior
from tapdesk.fitting.profile import Profile
from tapdesk.fitting.sampling.diagnosis import SampledPosterior
from tapdesk.language import CaseName, Label, Message, Number, Own, RaterName, Symbol
from tapdesk.project.decisions.base import Decision
from tapdesk.project.files.arrays import DamagedError, UnknownPartError
from tapdesk.project.files.catalog import BY_KIND
from tapdesk.project.files.codec import ARRAY, MESSAGE, NUMBER, TAG, TEXTS, WRITTEN, tag_of
from tapdesk.project.files.sound import check
from tapdesk.studies.bootstrapped import BootstrapTest

# What may stand where a class declares nothing: a fit leaves open which account a method gives of itself.
OPEN: Mapping[str, type] = types.MappingProxyType(
    {tag_of(c): c for c in (Posterior, SampledPosterior, Profile, BootstrapTest)}
)
_OWN: Mapping[str, type[Own]] = types.MappingProxyType({c.kind: c for c in (RaterName, CaseName, Label, Symbol)})
_LARGEST = 1 << 128
_DEEPEST = 16  # sentences within sentences
_LENGTHS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


class Reader:
    """Turns JSON back into values.

    Parameters
    ----------
    array
        The array by its name in the file.
    """

    def __init__(self, array: Callable[[str], NDArray[Any]]) -> None:
        self._array_of = array
        self._known: dict[str, NDArray[Any]] = {}
        self._containers: Mapping[Any, Callable[[Any, Any], Any]] = {
            tuple: self._tuple,
            Mapping: self._mapping,
            np.ndarray: self._array,
        }

    def value(self, told: Any, hint: Any) -> Any:
        """The value of a declared type.

        Raises
        ------
        DamagedError
            When what is told is not of that type.
        """
        origin = get_origin(hint)
        if origin in {Union, types.UnionType}:
            return self._one_of(told, get_args(hint))
        if origin in self._containers:
            return self._containers[origin](told, hint)
        if hint is Any:
            return None if told is None else self._object(told, self._class_of(told, OPEN))
        if hint is Decision:
            return self._object(told, self._class_of(told, BY_KIND))
        if isinstance(hint, type) and is_dataclass(hint):
            return self._object(told, hint)
        return self._scalar(told, hint)

    def _one_of(self, told: Any, arms: tuple[Any, ...]) -> Any:
        if told is None and type(None) in arms:
            return None
        left = [arm for arm in arms if arm is not type(None)]
        tag = told.get(TAG) if isinstance(told, dict) else None
        classes = [arm for arm in left if isinstance(arm, type) and is_dataclass(arm) and tag_of(arm) == tag]
        if len(left) > 1 and len(classes) != 1:
            raise DamagedError(f"{tag!r:.40} does not belong where it stands")
        return self.value(told, classes[0] if len(left) > 1 else left[0])

    def _tuple(self, told: Any, hint: Any) -> tuple[Any, ...]:
        parts = get_args(hint)
        if not isinstance(told, list):
            raise DamagedError("a list is missing")
        if len(parts) == 2 and parts[1] is Ellipsis:
            # Names of cases can be millions: they are not looked at one call each.
            if parts[0] is str and all(type(v) is str for v in told):
                return tuple(told)
            return tuple(self.value(v, parts[0]) for v in told)
        if len(told) != len(parts):
            raise DamagedError("a list is too long or too short")
        return tuple(self.value(v, part) for v, part in zip(told, parts, strict=True))

    def _mapping(self, told: Any, hint: Any) -> Mapping[Any, Any]:
        parts = get_args(hint)
        if not isinstance(told, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in told):
            raise DamagedError("a table of names is missing")
        pairs = {self.value(k, parts[0]): self.value(v, parts[1]) for k, v in told}
        if len(pairs) < len(told):
            raise DamagedError("a name stands twice")
        return types.MappingProxyType(pairs)

    def _array(self, told: Any, hint: Any) -> NDArray[Any]:
        wanted = _element(hint)
        if isinstance(told, dict) and told.get(TAG) == TEXTS and wanted is Any:
            return self._texts(told)
        if not isinstance(told, dict) or told.get(TAG) != ARRAY or not isinstance(told.get("at"), str):
            raise DamagedError("an array is missing")
        key = f"{told['at']} {told.get('as')}"
        if key not in self._known:
            array = self._array_of(told["at"])
            if "as" in told:
                if told["as"] not in _LENGTHS or array.dtype.kind not in "iu":
                    raise DamagedError(f"{told['at']} holds no whole numbers")
                array = array.astype(told["as"])
            self._known[key] = array
        array = self._known[key]
        if wanted is not Any and not np.issubdtype(array.dtype, get_origin(wanted) or wanted):
            raise DamagedError(f"{told['at']} holds numbers of another kind")
        return array

    def _texts(self, told: dict[str, Any]) -> NDArray[Any]:
        values, codes = told.get("values"), self._array(told.get("codes"), NDArray[np.int64])
        if not isinstance(values, list) or (codes.size and (codes.min() < 0 or codes.max() >= len(values))):
            raise DamagedError("the texts of a column are missing")
        known = np.empty(len(values), dtype=object)
        for i, one in enumerate(values):
            known[i] = None if one is None else self._scalar(one, type(one) if not isinstance(one, dict) else float)
        return np.asarray(known[codes], dtype=object)

    def _scalar(self, told: Any, hint: Any) -> Any:
        if hint is float:
            return _float(told)
        if hint is int and type(told) is int and abs(told) < _LARGEST:
            return told
        if hint in {str, bool} and type(told) is hint:
            return told
        if hint is str and isinstance(told, dict) and told.get(TAG) == MESSAGE:
            return _message(told, _DEEPEST)
        if hint is Path and type(told) is str and "\0" not in told:
            return Path(told)
        if isinstance(hint, type) and issubclass(hint, Enum) and type(told) is str and told in hint.__members__:
            return hint[told]
        raise DamagedError(f"{str(told)[:40]!r} stands where {getattr(hint, '__name__', hint)} is expected")

    @staticmethod
    def _class_of(told: Any, allowed: Mapping[str, type]) -> type:
        tag = told.get(TAG) if isinstance(told, dict) else None
        if not isinstance(tag, str) or tag not in allowed:
            raise DamagedError(f"{tag!r:.40} is nothing this program knows")
        return allowed[tag]

    def _object(self, told: Any, kind: type) -> Any:
        if not isinstance(told, dict) or told.get(TAG) != tag_of(kind):
            raise DamagedError(f"{kind.__name__} is missing")
        declared = _fields(kind)
        unknown = told.keys() - declared.keys() - {TAG}
        if unknown:
            raise UnknownPartError(f"{kind.__name__} has an unknown part '{min(unknown)[:40]}'")
        parts = {}
        for name, (one, hint) in declared.items():
            if name in told:
                parts[name] = self.value(told[name], hint)
            elif one.default is MISSING and one.default_factory is MISSING:
                raise DamagedError(f"{kind.__name__} lacks its part '{name}'")
        try:
            made = kind(**parts)
        except TapdeskError as problem:
            raise DamagedError(f"{kind.__name__} cannot be: {problem.what}") from problem
        except (ValueError, TypeError, IndexError) as problem:
            raise DamagedError(f"{kind.__name__} cannot be: {problem}") from problem
        check(made)
        return made


def _float(told: Any) -> float:
    if isinstance(told, dict) and told.get(TAG) == NUMBER and told.get("is") in ("nan", "inf", "-inf"):
        return float(told["is"])
    if (type(told) is int and abs(told) < _LARGEST) or (type(told) is float and math.isfinite(told)):
        return float(told)
    raise DamagedError(f"{str(told)[:40]!r} stands where a number is expected")


def _message(told: dict[str, Any], deepest: int) -> Message:
    """A sentence, told in the voice in use."""
    template, many, n, given = told.get("template"), told.get("many"), told.get("n"), told.get("fields", [])
    known = told.keys() <= {TAG, "template", "many", "n", "fields"} and type(template) is str and type(given) is list
    if not known or not (many is n is None or (type(many) is str and type(n) is int and abs(n) < _LARGEST)):
        raise DamagedError("a sentence is none")
    if not deepest or not all(type(pair) is list and len(pair) == 2 and type(pair[0]) is str for pair in given):
        raise DamagedError("the fields of a sentence are missing")
    fields_of = {name: _field(value, deepest - 1) for name, value in given}
    try:
        return Message(str(template), None if many is None else (many, int(n or 0)), fields_of or None)
    except (KeyError, ValueError, OverflowError) as problem:
        raise DamagedError(f"a sentence cannot be: {problem}") from problem


def _field(told: Any, deepest: int) -> Any:
    """A field of a sentence."""
    if isinstance(told, dict):
        tag, own, limit = told.get(TAG), told.get("is"), told.get("limit", 0)
        if tag == MESSAGE:
            return _message(told, deepest)
        if isinstance(tag, str) and tag in _OWN and type(own) is str and type(limit) is int and 0 <= limit < _LARGEST:
            return _OWN[tag](own, limit)
        if tag == WRITTEN and type(own) is str:
            return Number(own)
    if told is None or type(told) in {str, bool} or (type(told) is int and abs(told) < _LARGEST):
        return told
    return _float(told)


@cache
def _fields(kind: type) -> Mapping[str, tuple[Field[Any], Any]]:
    """The parts of a class with their declared types."""
    hints = get_type_hints(kind)
    return {f.name: (f, hints[f.name]) for f in fields(kind)}


def _element(hint: Any) -> Any:
    """The declared type of the numbers of an array."""
    return get_args(get_args(hint)[1])[0]
