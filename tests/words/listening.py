"""What is said in a value: the templates of all sentences in it, however deep, and those inside others."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum

from tapdesk.errors import TapdeskError
from tapdesk.language import Message


def templates(*values: object) -> frozenset[str]:
    """The templates said in some values; of one that depends on a number the one that was said."""
    known: dict[int, object] = {}
    return frozenset(template for value in values for template in _said(value, known))


def _said(value: object, known: dict[int, object]) -> Iterator[str]:
    """Sentences in a value; what was gone through before is not gone through again."""
    if isinstance(value, Message):
        yield value.template if value.plural is None or value.plural[1] == 1 else value.plural[0]
        yield from _said(tuple(value.fields.values()), known)
        return
    if isinstance(value, str | bytes | int | float | type | None) or callable(value) or id(value) in known:
        return
    # Held, so that no other value takes its place in memory.
    known[id(value)] = value
    for one in _inside(value):
        yield from _said(one, known)


def _inside(value: object) -> tuple[object, ...]:
    if isinstance(value, TapdeskError):
        return (value.what, value.where, value.fix)
    if isinstance(value, Enum):
        return (value.value,)
    if isinstance(value, Mapping):
        return tuple(value.values())
    if isinstance(value, tuple | list | set | frozenset):
        return tuple(value)
    if is_dataclass(value):
        return tuple(getattr(value, field.name) for field in fields(value))
    return ()
