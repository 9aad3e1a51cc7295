"""Values to JSON and arrays to bytes and back, without pickle; nothing is believed before it is checked."""

import io
import math
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from inspect import isabstract
from pathlib import Path
from tokenize import TokenError
from types import MappingProxyType, NoneType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import BootstrapTest, Curve, Draws, Fit, JointDensity, Posterior, SampledPosterior, Trace
from tapdesk.fitting.profile import Profile
from tapdesk.language import CaseName, Label, Message, Number, Own, RaterName, Symbol, plain
from tapdesk.models.parameters import Parameters
from tapdesk.project import project
from tapdesk.project.decisions import base, classes, names, ratings
from tapdesk.project.decisions.base import Decision
from tapdesk.ratings.ratings import COLOURS, CovariateOf, Ratings

_KINDS = "biufU"
_PARTS = frozenset(f.name for f in fields(Parameters))
_MOST_HEADER = 10_000
_MOST_AXES = 8
# What reading a header that is no header ends with: it is told as Python writes a dictionary.
_UNREADABLE = (ValueError, TypeError, SyntaxError, TokenError, RecursionError, MemoryError, OverflowError)


class DamagedError(Exception):
    """What a project file holds cannot be what this program wrote; the text says what."""


class UnknownPartError(DamagedError):
    """A value has a part that this program does not know: a later one may have written it."""


def pack(array: NDArray[Any]) -> bytes:
    """An array as the bytes of an ``npy`` file.

    Raises
    ------
    TypeError
        When it holds objects.
    """
    if array.dtype.kind not in _KINDS:
        raise TypeError(f"an array of {array.dtype} is not kept in a project")
    file = io.BytesIO()
    np.lib.format.write_array(file, np.ascontiguousarray(array).reshape(array.shape), allow_pickle=False)
    return file.getvalue()


def unpack(content: bytes, name: str) -> NDArray[Any]:
    """The array in the bytes of an ``npy`` file; ``name`` is told when they are none.

    The size is checked against the bytes that are there before any memory is taken.

    Raises
    ------
    DamagedError
        When the bytes are not an array of plain numbers or texts of exactly the size they say.
    """
    file = io.BytesIO(content)
    try:
        if np.lib.format.read_magic(file) != (1, 0):
            raise DamagedError(f"{name} is of an unknown kind")
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(file, max_header_size=_MOST_HEADER)
    except _UNREADABLE as problem:
        raise DamagedError(f"{name} is no array") from problem
    if dtype.kind not in _KINDS or dtype.hasobject or fortran or len(shape) > _MOST_AXES:
        raise DamagedError(f"{name} is an array of a kind that does not belong there")
    if any(type(n) is not int or n < 0 for n in shape):
        raise DamagedError(f"{name} has no proper size")
    start = file.tell()
    if math.prod(shape) * dtype.itemsize != len(content) - start:
        raise DamagedError(f"{name} is not as large as it says")
    if dtype.itemsize == 0:
        return np.zeros(shape if math.prod(shape) == 0 else (0,), dtype)
    flat = np.frombuffer(content, dtype, offset=start)
    return flat.astype(dtype.newbyteorder("=")).reshape(shape)


def _narrow(array: NDArray[Any]) -> NDArray[Any]:
    """The same whole numbers in the smallest type that holds them; other arrays as they are."""
    if array.dtype.kind not in "iu" or not array.size:
        return array
    low, high = int(array.min()), int(array.max())
    for small in (np.int8, np.int16, np.int32):
        if np.iinfo(small).min <= low and high <= np.iinfo(small).max and array.dtype.itemsize > small().itemsize:
            return array.astype(small)
    return array


DECISIONS: tuple[type[Decision], ...] = tuple(
    kind
    for room in (classes, ratings, names, base, project)
    for kind in vars(room).values()
    if isinstance(kind, type) and issubclass(kind, Decision) and not isabstract(kind)
    if kind.__module__ == room.__name__
)
"""Every kind of decision there is."""
BY_KIND: Mapping[str, type[Decision]] = MappingProxyType({row.kind: row for row in DECISIONS})

TAG = "~"
ARRAY, TEXTS, NUMBER = "array", "texts", "number"
MESSAGE, WRITTEN = "message", "written"


# Classes that had another name when the format of the file was fixed keep it there.
_NAMES_IN_FILES = {
    "StoredProject": "Kept",
    "StoredReading": "KeptReading",
    "StoredStep": "KeptStep",
    "StoredHistory": "KeptHistory",
    "DecisionEntry": "Decided",
}


def tag_of(kind: type) -> str:
    """How a class is called in a file: decisions by their kind, others by their name."""
    name = vars(kind).get("kind")
    if isinstance(name, str) and BY_KIND.get(name) is kind:
        return name
    return _NAMES_IN_FILES.get(kind.__name__, kind.__name__)


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
        for kinds, sentence in self._rows:
            if isinstance(value, kinds):
                return sentence(value)
        if is_dataclass(value) and not isinstance(value, type):
            return {TAG: tag_of(type(value))} | {f.name: self.plain(getattr(value, f.name)) for f in fields(value)}
        raise TypeError(f"a {type(value).__name__} is not kept in a project")

    def _message(self, sentence: Message) -> dict[str, Any]:
        """A sentence by its template and its fields: a file is of no language."""
        plural = {} if sentence.plural is None else {"many": sentence.plural[0], "n": sentence.plural[1]}
        given = [[name, self._field(value)] for name, value in sentence.fields.items()]
        return {TAG: MESSAGE, "template": sentence.template} | plural | ({"fields": given} if given else {})

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
            sentence = self._texts(array) if array.dtype.kind == "O" else self._numbers(array)
            seen = self._seen[id(array)] = (array, sentence)
        return seen[1]

    def _numbers(self, array: NDArray[Any]) -> dict[str, Any]:
        small = _narrow(array)
        name = f"arrays/{len(self.arrays)}.npy"
        self.arrays[name] = small
        by_key: dict[str, Any] = {TAG: ARRAY, "at": name}
        return by_key if small.dtype == array.dtype else by_key | {"as": array.dtype.name}

    def _texts(self, array: NDArray[Any]) -> dict[str, Any]:
        """An array of objects as its distinct values, which must be plain, and their places."""
        index: dict[tuple[type, Any], int] = {}
        codes = np.array([index.setdefault((type(v), v), len(index)) for v in array.ravel().tolist()], dtype=np.int64)
        values = [self.plain(v) for _type, v in index]
        return {TAG: TEXTS, "values": values, "codes": self._array(codes.reshape(array.shape))}


def _check_parts(value: Any) -> None:
    """Refuse a value whose parts do not fit together."""
    sound = _SOUND.get(type(value))
    if sound is not None and not sound(value):
        raise DamagedError(f"the parts of {type(value).__name__} do not fit together")


def _ratings(r: Ratings) -> bool:
    lengths = {CovariateOf.SUBJECT: len(r.subjects), CovariateOf.RATER: len(r.raters), CovariateOf.RATING: r.rater.size}
    columns = all(c.values.shape == (lengths[c.of],) for c in r.covariates.values())
    coloured = len(r.colours) == len(r.classes) and all(not c or c in COLOURS for c in r.colours)
    return columns and coloured and len(r.members) == len(r.classes) == len(set(r.classes))


def _parameters(p: Parameters) -> bool:
    # One vector of true class rates, or one for each group.
    if (p.accuracy.ndim, p.guessing.ndim, p.slopes.ndim, p.spread.ndim) != (2, 3, 1, 1) or p.truth.ndim not in {1, 2}:
        return False
    k = p.truth.shape[-1]
    by_class = p.accuracy.shape[1] in {1, k} and p.guessing.shape[1] in {1, k} and p.guessing.shape[2] == k
    return by_class and p.accuracy.shape[0] > 0 and p.guessing.shape[0] > 0


def _fit(f: Fit) -> bool:
    k = len(f.classes)
    shape_of_truth = f.parameters.truth.shape
    if shape_of_truth[-1] != k or any(o.parameters.truth.shape != shape_of_truth for o in f.optima):
        return False
    if f.subject_posterior is not None and (f.subject_posterior.ndim != 2 or f.subject_posterior.shape[1] != k):
        return False
    for slot in f.slots:
        if slot.part not in _PARTS:
            return False
        shape = getattr(f.parameters, slot.part).shape
        if len(shape) != len(slot.index) or not all(0 <= i < n for i, n in zip(slot.index, shape, strict=True)):
            return False
    return True


def _joint_density(s: JointDensity) -> bool:
    return s.density.shape == (s.x_edges.size - 1, s.y_edges.size - 1) and s.x_edges.ndim == s.y_edges.ndim == 1


_SOUND: Mapping[type, Callable[[Any], bool]] = MappingProxyType(
    {
        Ratings: _ratings,
        Parameters: _parameters,
        Fit: _fit,
        Draws: lambda d: all(v.ndim == 1 for v in d.values.values()) and len({v.size for v in d.values.values()}) <= 1,
        JointDensity: _joint_density,
        Profile: lambda p: p.at.ndim == 1 and p.at.shape == p.log_likelihood.shape,
        Curve: lambda c: c.x.ndim == 1 and c.x.shape == c.density.shape,
        Trace: lambda t: t.log_likelihood.ndim == 1,
    }
)


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

    def value(self, words: Any, hint: Any) -> Any:
        """The value of a declared type.

        Raises
        ------
        DamagedError
            When what is told is not of that type.
        """
        origin = get_origin(hint)
        if origin in {Union, types.UnionType}:
            return self._one_of(words, get_args(hint))
        if origin in self._containers:
            return self._containers[origin](words, hint)
        if hint is Any:
            return None if words is None else self._object(words, self._class_of(words, OPEN))
        if hint is Decision:
            return self._object(words, self._class_of(words, BY_KIND))
        if isinstance(hint, type) and is_dataclass(hint):
            return self._object(words, hint)
        return self._scalar(words, hint)

    def _one_of(self, words: Any, arms: tuple[Any, ...]) -> Any:
        if words is None and type(None) in arms:
            return None
        left = [arm for arm in arms if arm is not type(None)]
        tag = words.get(TAG) if isinstance(words, dict) else None
        classes = [arm for arm in left if isinstance(arm, type) and is_dataclass(arm) and tag_of(arm) == tag]
        if len(left) > 1 and len(classes) != 1:
            raise DamagedError(f"{tag!r:.40} does not belong where it stands")
        return self.value(words, classes[0] if len(left) > 1 else left[0])

    def _tuple(self, words: Any, hint: Any) -> tuple[Any, ...]:
        parts = get_args(hint)
        if not isinstance(words, list):
            raise DamagedError("a list is missing")
        if len(parts) == 2 and parts[1] is Ellipsis:
            # Names of cases can be millions: they are not looked at one call each.
            if parts[0] is str and all(type(v) is str for v in words):
                return tuple(words)
            return tuple(self.value(v, parts[0]) for v in words)
        if len(words) != len(parts):
            raise DamagedError("a list is too long or too short")
        return tuple(self.value(v, part) for v, part in zip(words, parts, strict=True))

    def _mapping(self, words: Any, hint: Any) -> Mapping[Any, Any]:
        parts = get_args(hint)
        if not isinstance(words, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in words):
            raise DamagedError("a table of names is missing")
        pairs = {self.value(k, parts[0]): self.value(v, parts[1]) for k, v in words}
        if len(pairs) < len(words):
            raise DamagedError("a name stands twice")
        return types.MappingProxyType(pairs)

    def _array(self, words: Any, hint: Any) -> NDArray[Any]:
        wanted = _element(hint)
        if isinstance(words, dict) and words.get(TAG) == TEXTS and wanted is Any:
            return self._texts(words)
        if not isinstance(words, dict) or words.get(TAG) != ARRAY or not isinstance(words.get("at"), str):
            raise DamagedError("an array is missing")
        key = f"{words['at']} {words.get('as')}"
        if key not in self._known:
            array = self._array_of(words["at"])
            if "as" in words:
                if words["as"] not in _LENGTHS or array.dtype.kind not in "iu":
                    raise DamagedError(f"{words['at']} holds no whole numbers")
                array = array.astype(words["as"])
            self._known[key] = array
        array = self._known[key]
        if wanted is not Any and not np.issubdtype(array.dtype, get_origin(wanted) or wanted):
            raise DamagedError(f"{words['at']} holds numbers of another kind")
        return array

    def _texts(self, by_key: dict[str, Any]) -> NDArray[Any]:
        values, codes = by_key.get("values"), self._array(by_key.get("codes"), NDArray[np.int64])
        if not isinstance(values, list) or (codes.size and (codes.min() < 0 or codes.max() >= len(values))):
            raise DamagedError("the texts of a column are missing")
        known = np.empty(len(values), dtype=object)
        for i, one in enumerate(values):
            known[i] = None if one is None else self._scalar(one, type(one) if not isinstance(one, dict) else float)
        return np.asarray(known[codes], dtype=object)

    def _scalar(self, words: Any, hint: Any) -> Any:
        if hint is float:
            return _float(words)
        if hint is int and type(words) is int and abs(words) < _LARGEST:
            return words
        if hint in {str, bool} and type(words) is hint:
            return words
        if hint is str and isinstance(words, dict) and words.get(TAG) == MESSAGE:
            return _message(words, _DEEPEST)
        if hint is Path and type(words) is str and "\0" not in words:
            return Path(words)
        if isinstance(hint, type) and issubclass(hint, Enum) and type(words) is str and words in hint.__members__:
            return hint[words]
        raise DamagedError(f"{str(words)[:40]!r} stands where {getattr(hint, '__name__', hint)} is expected")

    @staticmethod
    def _class_of(words: Any, allowed: Mapping[str, type]) -> type:
        tag = words.get(TAG) if isinstance(words, dict) else None
        if not isinstance(tag, str) or tag not in allowed:
            raise DamagedError(f"{tag!r:.40} is nothing this program knows")
        return allowed[tag]

    def _object(self, words: Any, kind: type) -> Any:
        # A method may give a fuller account of itself than the one that is declared.
        fuller = OPEN.get(str(words.get(TAG))) if isinstance(words, dict) else None
        kind = fuller if fuller is not None and issubclass(fuller, kind) else kind
        if not isinstance(words, dict) or words.get(TAG) != tag_of(kind):
            raise DamagedError(f"{kind.__name__} is missing")
        declared = _fields(kind)
        unknown = words.keys() - declared.keys() - {TAG}
        if unknown:
            raise UnknownPartError(f"{kind.__name__} has an unknown part '{min(unknown)[:40]}'")
        parts = {}
        for name, (one, hint) in declared.items():
            if name in words:
                parts[name] = self.value(words[name], hint)
            elif one.default is MISSING and one.default_factory is MISSING:
                raise DamagedError(f"{kind.__name__} lacks its part '{name}'")
        try:
            made = kind(**parts)
        except TapdeskError as problem:
            raise DamagedError(f"{kind.__name__} cannot be: {problem.what}") from problem
        except (ValueError, TypeError, IndexError) as problem:
            raise DamagedError(f"{kind.__name__} cannot be: {problem}") from problem
        _check_parts(made)
        return made


def _float(words: Any) -> float:
    if isinstance(words, dict) and words.get(TAG) == NUMBER and words.get("is") in ("nan", "inf", "-inf"):
        return float(words["is"])
    if (type(words) is int and abs(words) < _LARGEST) or (type(words) is float and math.isfinite(words)):
        return float(words)
    raise DamagedError(f"{str(words)[:40]!r} stands where a number is expected")


def _message(by_key: dict[str, Any], deepest: int) -> Message:
    """A sentence, told in the voice in use."""
    template, many, n, given = by_key.get("template"), by_key.get("many"), by_key.get("n"), by_key.get("fields", [])
    known = by_key.keys() <= {TAG, "template", "many", "n", "fields"} and type(template) is str and type(given) is list
    if not known or not (many is n is None or (type(many) is str and type(n) is int and abs(n) < _LARGEST)):
        raise DamagedError("a sentence is none")
    if not deepest or not all(type(pair) is list and len(pair) == 2 and type(pair[0]) is str for pair in given):
        raise DamagedError("the fields of a sentence are missing")
    fields_of = {name: _field(value, deepest - 1) for name, value in given}
    try:
        return Message(str(template), None if many is None else (many, int(n or 0)), fields_of or None)
    except (KeyError, ValueError, OverflowError) as problem:
        raise DamagedError(f"a sentence cannot be: {problem}") from problem


def _field(words: Any, deepest: int) -> Any:
    """A field of a sentence."""
    if isinstance(words, dict):
        tag, own, limit = words.get(TAG), words.get("is"), words.get("limit", 0)
        if tag == MESSAGE:
            return _message(words, deepest)
        if isinstance(tag, str) and tag in _OWN and type(own) is str and type(limit) is int and 0 <= limit < _LARGEST:
            return _OWN[tag](own, limit)
        if tag == WRITTEN and type(own) is str:
            return Number(own)
    if words is None or type(words) in {str, bool} or (type(words) is int and abs(words) < _LARGEST):
        return words
    return _float(words)


@cache
def _fields(kind: type) -> Mapping[str, tuple[Field[Any], Any]]:
    """The parts of a class with their declared types."""
    hints = get_type_hints(kind)
    return {f.name: (f, hints[f.name]) for f in fields(kind)}


def _element(hint: Any) -> Any:
    """The declared type of the numbers of an array."""
    return get_args(get_args(hint)[1])[0]


def no_array(name: str) -> NDArray[np.int64]:
    """What a text that is kept by itself has in the place of arrays: none.

    Raises
    ------
    DamagedError
        Always.
    """
    raise DamagedError(f"there is no array '{name[:20]}' here")
