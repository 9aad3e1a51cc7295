"""What the bundled faces can show, and how wide it is, read from the tables of the font files themselves."""

import re
import struct
import unicodedata
from dataclasses import dataclass
from functools import cache

from tapdesk import resources
from tapdesk.resources import OTHER_FACES as OTHERS

REGULAR, SEMIBOLD = "Inter-Regular.otf", "Inter-SemiBold.otf"

# Signs that are put together with their neighbours: marks, and the scripts of India and of the countries east of it.
CLUSTERED = re.compile("[\u0300-\u036f\u0900-\u0fff\u1000-\u109f\u1780-\u17ff]")
_FIRST_SCRIPT = 0x0900
_FORWARD = "\u200e"
# Words of scripts that run from right to left (Hebrew to Arabic Extended, and their presentation forms).
_LEFTWARDS = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]+"
_RUN = re.compile(f"{_LEFTWARDS}(?: +{_LEFTWARDS})*")

# Nothing is seen of these on paper: breaks become spaces, marks of direction and of joining are left out.
_SPACES = {"\t", "\n", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"}


@dataclass(frozen=True, eq=False)
class Face:
    """One font file: which glyph a character has, and how far the pen moves.

    Attributes
    ----------
    units
        Font units per em.
    glyphs
        Glyph index by code point.
    advances
        Horizontal advance by glyph index, in font units; the last one holds for all further glyphs.
    """

    units: int
    glyphs: dict[int, int]
    advances: tuple[int, ...]

    def advance(self, character: str) -> float:
        """Width of a character in em; a wide square where the face lacks it."""
        glyph = self.glyphs.get(ord(character))
        if glyph is None:
            return 1.0
        return self.advances[min(glyph, len(self.advances) - 1)] / self.units


@cache
def face(name: str = REGULAR) -> Face:
    """A bundled face by file name (OpenType specification 1.9: head, hhea, hmtx, cmap)."""
    data = resources.path("fonts", name).read_bytes()
    tables: dict[bytes, int] = {}
    for i in range(struct.unpack_from(">H", data, 4)[0]):
        tag, _sum, offset, _length = struct.unpack_from(">4sLLL", data, 12 + 16 * i)
        tables[tag] = offset
    (units,) = struct.unpack_from(">H", data, tables[b"head"] + 18)
    (metrics,) = struct.unpack_from(">H", data, tables[b"hhea"] + 34)
    advances = struct.unpack_from(">" + "Hh" * metrics, data, tables[b"hmtx"])[::2]
    return Face(units, _glyphs(data, tables[b"cmap"]), advances)


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """Glyph index by code point from the Unicode subtables of formats 4 and 12."""
    glyphs: dict[int, int] = {}
    for i in range(struct.unpack_from(">H", data, cmap + 2)[0]):
        platform, _encoding, offset = struct.unpack_from(">HHL", data, cmap + 4 + 8 * i)
        table = cmap + offset
        (form,) = struct.unpack_from(">H", data, table)
        if platform in {0, 3} and form == 12:
            glyphs |= _format_12(data, table)
        elif platform in {0, 3} and form == 4:
            glyphs |= _format_4(data, table)
    return {code: glyph for code, glyph in glyphs.items() if glyph}


def _format_12(data: bytes, table: int) -> dict[int, int]:
    groups = struct.unpack_from(">L", data, table + 12)[0]
    glyphs: dict[int, int] = {}
    for g in range(groups):
        first, last, glyph = struct.unpack_from(">LLL", data, table + 16 + 12 * g)
        glyphs.update(zip(range(first, last + 1), range(glyph, glyph + last - first + 1), strict=True))
    return glyphs


def _format_4(data: bytes, table: int) -> dict[int, int]:
    segments = struct.unpack_from(">H", data, table + 6)[0] // 2
    ends = struct.unpack_from(f">{segments}H", data, table + 14)
    starts = struct.unpack_from(f">{segments}H", data, table + 16 + 2 * segments)
    deltas = struct.unpack_from(f">{segments}H", data, table + 16 + 4 * segments)
    at = table + 16 + 6 * segments
    offsets = struct.unpack_from(f">{segments}H", data, at)
    glyphs = {}
    for s, (first, last, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code
            if offset:
                (glyph,) = struct.unpack_from(">H", data, at + 2 * s + offset + 2 * (code - first))
                if not glyph:
                    continue
            glyphs[code] = (glyph + delta) & 0xFFFF
    return glyphs


def family(text: str) -> str:
    """The faces a text of a drawing is set in: first that whose signs are put together, for it joins only its own."""
    clustered = CLUSTERED.search(text)
    names = OTHERS if clustered is not None and ord(clustered.group()) >= _FIRST_SCRIPT else ()
    own = next((name for name in names if clustered and ord(clustered.group()) in face(name).glyphs), "")
    before = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", own.partition("-")[0])
    return f"{before}, Inter, sans-serif" if own else "Inter, sans-serif"


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Width of a line of text in the unit of ``size``, kerning not counted."""
    return size * sum(_advance(character, bold=bold) for character in text)


@cache
def _advance(character: str, *, bold: bool) -> float:
    """Width of a character in em, from the first face that has it; marks of direction have none."""
    if unicodedata.category(character) == "Cf":
        return 0.0
    first = face(SEMIBOLD if bold else REGULAR)
    if character.isascii() or ord(character) in first.glyphs:
        return first.advance(character)
    # One after the other: the last one takes a while to read.
    return next((f for f in map(face, OTHERS) if ord(character) in f.glyphs), first).advance(character)


def fitted(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """The text, or as much of its two ends as fits into the room, with an ellipsis between."""
    if width(text, size, bold=bold) <= room:
        return text
    for kept in range(len(text) - 1, 1, -1):
        short = f"{text[: kept - kept // 3].rstrip()}…{text[len(text) - kept // 3 :].lstrip()}"
        if width(short, size, bold=bold) <= room:
            return short
    return "…"


def wrapped(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """The text in lines no wider than the room; a longer word is shortened, a per cent sign stays at its number."""
    lines: list[str] = []
    for word in _SPACE.split(text.strip()) if text.strip() else ():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size, bold=bold) <= room:
            lines[-1] = longer
        else:
            lines.append(fitted(word, size, room, bold=bold))
    return lines


# Where a line may end.
_SPACE = re.compile(r"\s+(?!%(?:\W|$))")


@cache
def printable(character: str) -> bool:
    """Whether a bundled text face has the character; private and unassigned ones never count."""
    if unicodedata.category(character) in {"Cc", "Cf", "Cn", "Co", "Cs"}:
        return False
    return any(ord(character) in face(name).glyphs for name in (REGULAR, *OTHERS))


def steady(text: str) -> str:
    """The text with marks around words that run from right to left.

    Without them the numbers after an Arabic name would be put in another order: an interval ``[0.3, 0.5]`` would read
    ``[0.5 ,0.3]``.
    """
    return text if text.isascii() else _RUN.sub(lambda run: f"{_FORWARD}{run.group()}{_FORWARD}", text)


def shown(text: str, missing: set[str] | None = None) -> str:
    """The text with every character the faces lack shown by its code, as in ``[U+738B U+5C0F]``.

    Parameters
    ----------
    text
        Any text of the user.
    missing
        Takes up the characters that were replaced.
    """
    if text.isascii() and text.isprintable():
        return text
    parts: list[str] = []
    codes: list[str] = []
    for character in text:
        if character in _SPACES:
            plain = " "
        elif unicodedata.category(character) == "Cf":
            plain = ""
        elif printable(character):
            plain = character
        else:
            codes.append(f"U+{ord(character):04X}")
            if missing is not None:
                missing.add(character)
            continue
        parts += [*_flushed(codes), plain]
    return steady("".join(parts + _flushed(codes)))


def _flushed(codes: list[str]) -> list[str]:
    """The collected codes as one bracket, and the collection emptied."""
    run = [f"[{' '.join(codes)}]"] if codes else []
    codes.clear()
    return run
