"""Arrays to bytes and back, by the ``npy`` format without pickle; nothing is believed before it is checked."""

import io
import math
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray

_KINDS = "biufU"
_MOST_HEADER = 10_000
_MOST_AXES = 8
# What reading a header that is no header ends with: it is told as Python writes a dictionary.
_UNREADABLE = (ValueError, TypeError, SyntaxError, TokenError, RecursionError, MemoryError, OverflowError)


class DamagedError(Exception):
    """What a project file holds cannot be what this program wrote; the text says what."""


class UnknownPartError(DamagedError):
    """A value has a part that this program does not know: a later one may have written it."""


def packed(array: NDArray[Any]) -> bytes:
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


def unpacked(content: bytes, name: str) -> NDArray[Any]:
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


def narrowed(array: NDArray[Any]) -> NDArray[Any]:
    """The same whole numbers in the smallest type that holds them; other arrays as they are."""
    if array.dtype.kind not in "iu" or not array.size:
        return array
    low, high = int(array.min()), int(array.max())
    for small in (np.int8, np.int16, np.int32):
        if np.iinfo(small).min <= low and high <= np.iinfo(small).max and array.dtype.itemsize > small().itemsize:
            return array.astype(small)
    return array
