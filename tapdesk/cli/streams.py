"""Standard output and standard error that never fail with a bug: full disks, closed pipes, letters they cannot show."""

import codecs
import io
import os
import sys
from contextlib import suppress
from typing import Any

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _

HANDLER = "tapdesk.readable"
# Signs this program writes itself; a minus must stay a minus. All others stand as \uXXXX, so that two names never
# become one.
_PLAIN = str.maketrans(
    {
        "−": "-", "–": "-", "—": "-", "‑": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "…": "...",
        "×": "x", "·": "*", "≤": "<=", "≥": ">=", "≈": "~", "±": "+-", "→": "->", "─": "-", "│": "|", "•": "*",
        "\N{NO-BREAK SPACE}": " ", "\N{THIN SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " ", "κ": "kappa", "α": "alpha",
        "½": "1/2", "\N{WORD JOINER}": "",
    }
)  # fmt: skip

_escaped: set[str] = set()
"""The encodings that lacked a letter of somebody's name."""


def claim_streams() -> None:
    r"""Make the standard streams of this process safe to write to.

    A closed one is the empty device, so that no file of ours takes its number. What standard error cannot take is
    dropped. What the encoding of the terminal cannot show is written readably, with ``\uXXXX`` for letters.
    """
    for number in range(3):
        _open(number)
    codecs.register_error(HANDLER, _readable)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.TextIOWrapper(io.FileIO(os.devnull, "w"), encoding="utf-8"))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=HANDLER)
    if isinstance(sys.stderr, io.TextIOWrapper):
        with suppress(OSError, ValueError):
            sys.stderr = io.TextIOWrapper(
                _Forgiving(sys.stderr.fileno(), "w", closefd=False),
                encoding=sys.stderr.encoding,
                errors=HANDLER,
                write_through=True,
            )


def answer(text: str) -> None:
    """Write to standard output and see that it arrives.

    Raises
    ------
    BrokenPipeError
        When whoever read has gone.
    TapdeskError
        When it cannot be written.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
        for encoding in sorted(_escaped):
            said = _("Output in the encoding {encoding} cannot show every letter; those stand as {form}.")
            sys.stderr.write("tapdesk: {said}\n".format(said=said.format(encoding=encoding, form=r"\uXXXX")))
        _escaped.clear()
    except BrokenPipeError:
        abandon_output()
        raise
    except OSError as error:
        abandon_output()
        raise TapdeskError(
            _("The answer could not be written: {reason}.").format(reason=error.strerror or str(error)),
            _("standard output"),
            _("Free some space, or write it to another place."),
        ) from error


def abandon_output() -> None:
    """What is still on its way to standard output goes nowhere, so that the end of the program is quiet."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _open(number: int) -> None:
    """Have the empty device under a number that is not open; the lowest free one is the next that is given."""
    try:
        os.fstat(number)
    except OSError:
        with suppress(OSError):
            os.open(os.devnull, os.O_RDWR)


def _readable(error: UnicodeError) -> tuple[str | bytes, int]:
    r"""In place of letters an encoding has not: plain signs for our own, ``\uXXXX`` for names."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    plain = error.object[error.start : error.end].translate(_PLAIN)
    shown = "".join(c if c.isascii() else rf"\u{ord(c):04x}" for c in plain)
    if shown != plain:
        _escaped.add(error.encoding)
    return shown, error.end


class _Forgiving(io.FileIO):
    """A file that takes everything, also where there is no room for it."""

    def write(self, data: Any) -> int:
        """Write what can be written; the rest is dropped."""
        size = memoryview(data).nbytes
        try:
            return super().write(data) or size
        except OSError:
            return size
