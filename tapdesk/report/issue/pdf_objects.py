"""Just enough of the PDF format to read pages again: objects, cross-references, streams, later revisions.

Only what PDF writers agree on is read; whatever is damaged, encrypted or unusual raises `UnreadableError`, and a file
that cannot be read is never called unchanged.
"""

import re
import zlib
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Value: TypeAlias = Any
"""A PDF object: bool, None, `Ref`, `Name`, bytes (a string), `Number`, list, dict or `Stream`."""

_SPACE = b"\x00\t\n\x0c\r "
_BLANKS = re.compile(rb"(?:[\x00\t\n\x0c\r ]+|%[^\r\n]*)*")
_REGULAR = re.compile(rb"[^()<>\[\]{}/%\x00\t\n\x0c\r ]*")
_PLAIN_TEXT = re.compile(rb"[^()\\]+")
_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)$")
_REF = re.compile(rb"(\d+)[\s\x00]+(\d+)[\s\x00]+R(?![^\s\x00()<>\[\]{}/%])")
_HEAD = re.compile(rb"[\s\x00]*(\d+)[\s\x00]+(\d+)[\s\x00]+obj")
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_DEEPEST = 200
_MOST = 400_000_000


class UnreadableError(Exception):
    """The file is no PDF that can be read here."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to an object by its number."""

    number: int


class Name(str):
    """A name such as ``/Type``, without its slash."""

    __slots__ = ()


class Number(float):
    """A number."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """A stream: its dictionary, and its bytes as they stand in the file."""

    info: dict[str, Value]
    raw: bytes


class _Parser:
    """Reads objects at a place of some bytes."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at

    def blanks(self) -> None:
        match = _BLANKS.match(self.data, self.at)
        self.at = match.end() if match else self.at

    def value(self, depth: int = 0) -> Value:
        """The next object."""
        if depth > _DEEPEST:
            raise UnreadableError("objects within objects without end")
        self.blanks()
        data, at = self.data, self.at
        two = data[at : at + 2]
        if two == b"<<":
            return self._dictionary(depth)
        if two[:1] == b"[":
            self.at += 1
            return self._list(depth)
        if two[:1] == b"/":
            self.at += 1
            word = self._word()
            if b"#" in word:
                word = re.sub(rb"#([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), word)
            return Name(word.decode("latin-1"))
        if two[:1] == b"(":
            return self._text()
        if two[:1] == b"<":
            end = data.index(b">", at)
            digits = re.sub(rb"[^0-9A-Fa-f]", b"", data[at + 1 : end])
            self.at = end + 1
            return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())
        return self._plain()

    def _plain(self) -> Value:
        match = _REF.match(self.data, self.at)
        if match:
            self.at = match.end()
            return Ref(int(match[1]))
        word = self._word()
        if _NUMBER.match(word):
            return Number(word)
        known: dict[bytes, Value] = {b"true": True, b"false": False, b"null": None}
        if word not in known:
            raise UnreadableError(f"an unknown word {word[:20]!r}")
        return known[word]

    def _word(self) -> bytes:
        match = _REGULAR.match(self.data, self.at)
        self.at = match.end() if match else self.at
        return match[0] if match else b""

    def _list(self, depth: int) -> list[Value]:
        made: list[Value] = []
        while True:
            self.blanks()
            if self.data[self.at : self.at + 1] == b"]":
                self.at += 1
                return made
            made.append(self.value(depth + 1))

    def _dictionary(self, depth: int) -> dict[str, Value]:
        self.at += 2
        made: dict[str, Value] = {}
        while True:
            self.blanks()
            if self.data[self.at : self.at + 2] == b">>":
                self.at += 2
                return made
            key = self.value(depth + 1)
            if not isinstance(key, Name):
                raise UnreadableError("a dictionary without names")
            made[key] = self.value(depth + 1)

    def _text(self) -> bytes:
        self.at += 1
        made, depth = bytearray(), 1
        while True:
            plain = _PLAIN_TEXT.match(self.data, self.at)
            if plain:
                made += plain[0]
                self.at = plain.end()
            sign = self.data[self.at : self.at + 1]
            self.at += 1
            if not sign:
                raise UnreadableError("a text without end")
            if sign == b"\\":
                made += self._escaped()
                continue
            depth += (sign == b"(") - (sign == b")")
            if not depth:
                return bytes(made)
            made += sign

    def _escaped(self) -> bytes:
        octal = re.compile(rb"[0-7]{1,3}").match(self.data, self.at)
        if octal:
            self.at = octal.end()
            return bytes([int(octal[0], 8) & 255])
        sign = self.data[self.at : self.at + 1]
        self.at += 1
        if sign in b"\r\n":
            self.at += self.data[self.at - 1 : self.at + 1] == b"\r\n"
            return b""
        return _ESCAPES.get(sign, sign)


@dataclass(eq=False)
class Document:
    """A PDF, its objects read when they are asked for.

    Attributes
    ----------
    data
        The bytes of the file.
    trailer
        The newest trailer.
    revisions
        How many sections of cross-references there are.
    """

    data: bytes
    trailer: dict[str, Value] = field(default_factory=dict)
    revisions: int = 0
    _places: dict[int, tuple[int, int]] = field(default_factory=dict)
    _known: dict[int, Value] = field(default_factory=dict)
    _packed: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        start = self.data.rfind(b"startxref")
        match = re.compile(rb"startxref\s+(\d+)").match(self.data, max(start, 0))
        if not match:
            raise UnreadableError("no cross-references")
        at: int | None = int(match[1])
        seen: set[int] = set()
        while at is not None and at not in seen:
            seen.add(at)
            trailer = self._section(at)
            self.revisions += 1
            self.trailer = self.trailer or trailer
            if isinstance(trailer.get("XRefStm"), Number):
                self._section(int(trailer["XRefStm"]))
            before = trailer.get("Prev")
            at = int(before) if isinstance(before, Number) else None
        if "Encrypt" in self.trailer:
            raise UnreadableError("it is encrypted")

    def _section(self, at: int) -> dict[str, Value]:
        parser = _Parser(self.data, at)
        parser.blanks()
        if self.data.startswith(b"xref", parser.at):
            return self._table(parser)
        stream = self._object_at(at, None)
        if not isinstance(stream, Stream):
            raise UnreadableError("no cross-references where they should be")
        self._stream(stream)
        return stream.info

    def _table(self, parser: _Parser) -> dict[str, Value]:
        parser.at += 4
        row = re.compile(rb"\s*(\d{1,10})\s+(\d{1,5})\s+([nf])")
        head = re.compile(rb"\s*(\d+)\s+(\d+)(?=\s)")
        while True:
            parser.blanks()
            if self.data.startswith(b"trailer", parser.at):
                parser.at += 7
                trailer = parser.value()
                if not isinstance(trailer, dict):
                    raise UnreadableError("no trailer")
                return trailer
            match = head.match(self.data, parser.at)
            if not match:
                raise UnreadableError("a damaged table of cross-references")
            first, count = int(match[1]), int(match[2])
            parser.at = match.end()
            for number in range(first, first + count):
                entry = row.match(self.data, parser.at)
                if not entry:
                    raise UnreadableError("a damaged row of cross-references")
                parser.at = entry.end()
                self._places.setdefault(number, (1, int(entry[1])) if entry[3] == b"n" else (0, 0))

    def _stream(self, stream: Stream) -> None:
        data, widths = self.decoded(stream), [int(w) for w in stream.info["W"]]
        size = int(stream.info["Size"])
        index = [int(i) for i in stream.info.get("Index", [0, size])]
        at = 0
        for first, count in zip(index[::2], index[1::2], strict=True):
            for number in range(first, first + count):
                fields = []
                for width in widths:
                    fields.append(int.from_bytes(data[at : at + width], "big"))
                    at += width
                kind = fields[0] if widths[0] else 1
                self._places.setdefault(number, (kind, fields[1]))

    def get(self, value: Value) -> Value:
        """A value itself, where it is a reference what it refers to."""
        for _turn in range(_DEEPEST):
            if not isinstance(value, Ref):
                return value
            value = self._numbered(value.number)
        raise UnreadableError("references that go round")

    def _numbered(self, number: int) -> Value:
        if number not in self._known:
            kind, at = self._places.get(number, (0, 0))
            if kind == 1:
                self._known[number] = self._object_at(at, number)
            elif kind == 2:
                self._unpack(at)
                self._known.setdefault(number, None)
            else:
                self._known[number] = None
        return self._known[number]

    def _object_at(self, at: int, number: int | None) -> Value:
        head = _HEAD.match(self.data, at)
        if not head or (number is not None and int(head[1]) != number):
            raise UnreadableError("an object is not where it should be")
        parser = _Parser(self.data, head.end())
        value = parser.value()
        parser.blanks()
        if not isinstance(value, dict) or not self.data.startswith(b"stream", parser.at):
            return value
        start = parser.at + 6
        start += 2 if self.data[start : start + 2] == b"\r\n" else 1
        length = self.get(value.get("Length"))
        if not isinstance(length, Number):
            raise UnreadableError("a stream without a length")
        end = start + int(length)
        if not self.data[end : end + 20].lstrip(_SPACE).startswith(b"endstream"):
            raise UnreadableError("a stream of another length than it says")
        return Stream(value, self.data[start:end])

    def _unpack(self, holder: int) -> None:
        """Read all objects of a stream of objects."""
        stream = self.get(Ref(holder))
        if not isinstance(stream, Stream):
            raise UnreadableError("no stream of objects where one should be")
        data, first, count = self.decoded(stream), int(self.get(stream.info["First"])), int(self.get(stream.info["N"]))
        heads = [int(word) for word in data[:first].split()[: 2 * count]]
        for number, at in zip(heads[::2], heads[1::2], strict=True):
            if self._places.get(number) == (2, holder):
                self._known[number] = _Parser(data, first + at).value()

    def decoded(self, stream: Stream) -> bytes:
        """The bytes of a stream, unpacked where they are packed as most are."""
        filters = self.get(stream.info.get("Filter")) or []
        names = [self.get(f) for f in filters] if isinstance(filters, list) else [filters]
        if names != ["FlateDecode"]:
            return stream.raw
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(stream.raw, _MOST)
        if unpacker.unconsumed_tail:
            raise UnreadableError("a stream too large to unpack")
        words = self.get(stream.info.get("DecodeParms"))
        words = self.get(words[0]) if isinstance(words, list) else words
        parms = words if isinstance(words, dict) else {}
        if int(self.get(parms.get("Predictor", 1))) < 10:
            return data
        return _unpredicted(data, int(self.get(parms.get("Columns", 1))))


def _unpredicted(data: bytes, columns: int) -> bytes:
    """Rows of single bytes as they were before PNG's predictors."""
    before, made = bytes(columns), bytearray()
    for at in range(0, len(data), columns + 1):
        kind, row = data[at], bytearray(data[at + 1 : at + 1 + columns])
        if kind not in {0, 1, 2}:
            raise UnreadableError("an unusual predictor")
        for i in range(len(row)):
            left = row[i - 1] if kind == 1 and i else 0
            row[i] = (row[i] + left + (before[i] if kind == 2 else 0)) & 255
        made += row
        before = bytes(row).ljust(columns, b"\x00")
    return bytes(made)
