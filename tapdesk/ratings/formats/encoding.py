"""Bytes to text, strictly: a byte-order mark or UTF-8; anything else is asked, never guessed over."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import gettext as _

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_USUAL = ("cp1252", "cp1250", "mac_roman", "iso8859_2")
_SAMPLE = 200_000
_PIECE = 1 << 21
_SOMETHING = re.compile(rb"[^\x00\t\r\n ]")


@dataclass(frozen=True)
class Decoded:
    """Text as clean UTF-8 bytes (no mark, plain line feeds), and how the file had written it."""

    data: bytes
    encoding: str
    marked: bool
    guessed: bool


_GUESS = (("Guess the encoding", MappingProxyType({"encoding": None})),)


def decoded(raw: bytes, name: str, encoding: str | None = None) -> Decoded:
    """The text of a file.

    Parameters
    ----------
    raw
        The whole file.
    name
        What to call it in a sentence.
    encoding
        What the user said; None decides by a byte-order mark, else strict UTF-8.

    Raises
    ------
    TapdeskError
        When the file is empty, is not text, or its encoding is uncertain (with previews of the candidates).
    """
    if _SOMETHING.search(raw) is None:
        raise TapdeskError(_("The file is empty."), name, _("Export it again, or choose another file."))
    if encoding is not None:
        return _as_said(raw, name, encoding)
    for mark, codec in _MARKS:
        if raw.startswith(mark):
            return Decoded(_clean(raw, name, codec), codec.removesuffix("-sig"), marked=True, guessed=False)
    if b"\x00" in raw:
        _refuse_nulls(raw, name)
    if not _is_utf8(raw):
        raise _uncertain(raw, name)
    return Decoded(_ends(raw), "utf-8", marked=False, guessed=True)


def _is_utf8(raw: bytes) -> bool:
    """Whether all of a text is valid."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for piece in _pieces(raw):
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _as_said(raw: bytes, name: str, encoding: str) -> Decoded:
    try:
        codec = codecs.lookup(encoding).name
        "a".encode(codec)  # what packs bytes is looked up as well, and is no encoding of text
    except LookupError:
        raise UsageError(
            _("There is no encoding '{encoding}'.").format(encoding=encoding),
            fix=_("Try utf-8, cp1252, cp1250 or utf-16."),
        ) from None
    data = _clean(raw, name, "utf-8-sig" if codec == "utf-8" else codec)
    return Decoded(data, codec, marked=False, guessed=False)


def _strict(raw: bytes, name: str, codec: str) -> str:
    """The text, or where it stops making sense."""
    try:
        return raw.decode(codec)
    except UnicodeDecodeError as problem:
        row = raw[: problem.start].count(b"\n") + 1
        raise TapdeskError(
            _("The text is not valid {encoding} from row {row} on.").format(encoding=problem.encoding, row=row),
            f"{name}, row {row}",
            _("Export the file again as 'CSV UTF-8', or name its encoding with --encoding."),
            ways=_GUESS,
        ) from None
    except UnicodeError:
        raise TapdeskError(
            _("The text is not valid {codec}.").format(codec=codec),
            name,
            _("Name the encoding with --encoding."),
            ways=_GUESS,
        ) from None


def _clean(raw: bytes, name: str, codec: str) -> bytes:
    """A text told in UTF-8 with plain line feeds."""
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        parts = [decoder.decode(piece).encode("utf-8") for piece in _pieces(raw)]
        parts.append(decoder.decode(b"", final=True).encode("utf-8"))
    except UnicodeError:
        # In one go, which knows the place.
        parts = [_strict(raw, name, codec).encode("utf-8")]
    data = b"".join(parts)
    if b"\x00" in data:
        raise not_text(name)
    return _ends(data)


def _ends(data: bytes) -> bytes:
    """Line ends of Windows and of old Macs told as one, and no mark where one file was put behind another."""
    if b"\r" in data:
        data = _one_end(data)
    inside = any(codecs.BOM_UTF8 in data[max(at - 2, 0) : at + _PIECE] for at in range(0, len(data), _PIECE))
    return data.replace(b"\n" + codecs.BOM_UTF8, b"\n") if inside else data


def _one_end(data: bytes) -> bytes:
    """Line feeds only."""
    parts, waits = [], b""
    for piece in _pieces(data):
        part, waits = waits + piece, b""
        if part.endswith(b"\r"):
            # Its line feed may come with the next piece.
            part, waits = part[:-1], b"\r"
        parts.append(part.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    return b"".join(parts) + waits.replace(b"\r", b"\n")


def _pieces(data: bytes) -> Iterator[bytes]:
    """Some milliseconds of work each: nothing interrupts one call over all of a file."""
    for at in range(0, len(data), _PIECE):
        yield data[at : at + _PIECE]


def not_text(name: str) -> TapdeskError:
    """The refusal of a file that holds something else than text."""
    return TapdeskError(
        _("This is not a table of text: it holds bytes that no text has."),
        name,
        _("Open it in the program it comes from and save it as CSV or as an Excel workbook."),
    )


def _refuse_nulls(raw: bytes, name: str) -> None:
    """UTF-16 without its mark is asked about; any other null byte means the file is not text."""
    sample = raw[:_SAMPLE]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    codec = "utf-16-le" if odd > 4 * even else "utf-16-be" if even > 4 * odd else ""
    if not codec or max(even, odd) < len(sample) / 8:
        raise not_text(name)
    line = sample[: len(sample) // 2 * 2].decode(codec, errors="replace").split("\n")[0].strip()
    raise TapdeskError(
        _("The file looks like UTF-16 text without its mark. As {codec} its first line reads: {line}").format(
            codec=codec, line=line[:80]
        ),
        name,
        _("If that reads well, choose it: --encoding {codec}.").format(codec=codec),
        ways=[(_("Read it as {codec}").format(codec=codec), {"encoding": codec})],
    )


def candidates(raw: bytes) -> list[tuple[str, str]]:
    """Encodings in which the text makes sense, the likeliest first, each with a preview of a telling piece.

    Candidates that read the file the same are told once.
    """
    from charset_normalizer import from_bytes  # start-up cost: only files that are not UTF-8 need it

    guesses = [match.encoding for match in from_bytes(raw[:_SAMPLE])]
    found: dict[str, str] = {}
    # The encodings spreadsheets really write come first; a detector confuses neighbours of one family.
    for codec in (*_USUAL, *guesses):
        if len(found) >= 3 and codec not in _USUAL:
            break
        try:
            text = raw.decode(codec)
        except (UnicodeDecodeError, LookupError):
            continue
        if any(c < " " and c not in "\t\n\r" for c in text) or any("\x7f" <= c < "\xa0" for c in text):
            continue
        found.setdefault(_telling(text), codec)
    return [(codec, preview) for preview, codec in found.items()]


def _telling(text: str) -> str:
    """The words of the text that are not plain ASCII, the first few."""
    words: dict[str, None] = {}
    for word in text.replace(",", " ").replace(";", " ").replace("\t", " ").replace('"', " ").split():
        if not word.isascii():
            words[word[:30]] = None
            if len(words) == 3:
                break
    return ", ".join(words)


def _uncertain(raw: bytes, name: str) -> TapdeskError:
    """The question which encoding it is, with previews."""
    control = sum(raw[:_SAMPLE].count(bytes([c])) for c in range(32) if c not in {9, 10, 12, 13})
    options = candidates(raw) if control <= len(raw[:_SAMPLE]) / 1000 else []
    if not options:
        return not_text(name)
    first = next(i for i, b in enumerate(raw) if b > 127)
    row = raw[:first].count(b"\n") + 1
    shown = "; ".join(f"{codec} reads {preview}" for codec, preview in options)
    return TapdeskError(
        _("The letters of this file can be read in more than one way: {shown}.").format(shown=shown),
        f"{name}, row {row}",
        _("Choose the one that reads well, for example --encoding {options}, or export as 'CSV UTF-8'.").format(
            options=options[0][0]
        ),
        ways=[(f"{preview} ({codec})", {"encoding": codec}) for codec, preview in options],
    )
