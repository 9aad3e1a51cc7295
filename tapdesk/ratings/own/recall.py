"""How a table that this program wrote is to be read: the reading options as rows of text, and back.

A workbook holds them on a sheet of its own; beside a CSV they stand in a second file, which names the checksum of the
first, so that they are never taken for those of another table.
"""

import csv
import hashlib
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tapdesk.ratings.formats.kinds import record_of
from tapdesk.ratings.grid import unguard
from tapdesk.ratings.options import Layout, RatersAre, ReadingOptions

RECORD_SHEET = "How it was made"
"""The sheet of a workbook that says how its table is read."""
RECORD_HEAD = ("part", "what", "text", "when", "why")
"""The columns of the record."""
SETTLED = frozenset({"columns_not_rated"})
"""Codes of findings that are asked of other tables, and that a record answers."""
TABLE, READING = "table", "reading"
CHECKSUM = "sha256"
_LISTS = ("columns", "missing", "order", "class1", "class0")
_TEXTS = ("subject", "rater", "rating", "question", "count", "known", "known_by", "decimal", "sheet")
_FLAGS = ("keep_summaries", "unordered")
_NUMBERS = ("header", "header_rows", "last")
_LARGEST = 32 << 20
_QUOTED = re.compile(r"[,\"\r\n]")

Row = Sequence[str]


def record_rows(options: Mapping[str, Any]) -> tuple[tuple[str, str, str], ...]:
    """Reading options by the names of their fields as rows of a record: part, name, text."""
    return tuple((READING, name, _text_of(value)) for name, value in options.items())


def _text_of(value: object) -> str:
    """One option as text: a list as a record of CSV, as on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(_entry, value))
    return str(value.value if isinstance(value, Enum) else value)


def _entry(text: str) -> str:
    """A text in a record of CSV."""
    plain = text and not _QUOTED.search(text) and text == text.strip()
    return text if plain else '"' + text.replace('"', '""') + '"'


def recalled_options(rows: Iterable[Row]) -> Mapping[str, Any]:
    """The reading options in the rows of a record; empty where it is none of ours."""
    options: dict[str, Any] = {}
    known = {f.name for f in fields(ReadingOptions)}
    for part, name, text in (tuple(row)[:3] for row in rows if len(row) >= 3):
        if part == READING and name in known:
            value = _value_of(name, text)
            if value is None:
                return MappingProxyType({})
            options[name] = value
    return MappingProxyType(options if {"layout", "subject"} <= set(options) else {})


def _value_of(name: str, text: str) -> Any:
    """The value of one option; None where its text says nothing."""
    if name in _LISTS:
        return tuple(next(csv.reader(io.StringIO(text, newline="")), ())) if text else ()
    if name in _TEXTS:
        return text
    if name in _FLAGS:
        return {"yes": True, "no": False}.get(text)
    if name in _NUMBERS:
        return int(text) if text.isdecimal() else None
    kinds: Mapping[str, type[Enum]] = {"layout": Layout, "raters_are": RatersAre}
    return next((one for one in kinds.get(name, ()) if one.value == text), None)


def recalled_beside(path: Path, sha256: str) -> Mapping[str, Any]:
    """The reading options in the record beside a CSV; empty where there is none, or it is of another table."""
    record = record_of(path)
    try:
        if not record.is_file() or record.stat().st_size > _LARGEST:
            return MappingProxyType({})
        text = record.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return MappingProxyType({})
    rows = [[unguard(cell) for cell in row] for row in csv.reader(io.StringIO(text, newline=""))]
    named = [row[2] for row in rows if len(row) >= 3 and tuple(row[:2]) == (TABLE, CHECKSUM)]
    if not rows or tuple(rows[0]) != RECORD_HEAD or named != [sha256]:
        return MappingProxyType({})
    return recalled_options(rows[1:])


def checksum(content: bytes) -> str:
    """The checksum by which a record knows its table."""
    return hashlib.sha256(content).hexdigest()
