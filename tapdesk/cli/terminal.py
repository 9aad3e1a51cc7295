"""What stands on the terminal: streams that never fail with a bug, sentences for what no command foresaw, progress.

Disks may be full, pipes closed, letters unknown to the encoding.
"""

import codecs
import io
import os
import platform
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step, finish
from tapdesk.version import VERSION

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
_reported: set[str] = set()
"""Those of them that were named: an answer goes out in several pieces."""


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
        for encoding in sorted(_escaped - _reported):
            sentence = _("Output in the encoding {encoding} cannot show every letter; those stand as {form}.")
            sys.stderr.write("tapdesk: {said}\n".format(said=sentence.format(encoding=encoding, form=r"\uXXXX")))
        _reported.update(_escaped)
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


FAULT = 70
"""The exit status of a bug (EX_SOFTWARE of sysexits.h): 1 is that of ``verify``."""
LOG = "fault.log"

_LONGEST_WORD = 400  # a path may be this long


def one_line(text: str) -> str:
    """A sentence as one line that a terminal can bear: nothing that steers it, no word of endless length."""
    words = ("".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in word) for word in text.split())
    return " ".join(w if len(w) <= _LONGEST_WORD else f"{w[: _LONGEST_WORD // 2]}…{w[-20:]}" for w in words)


def fault(error: BaseException) -> str:
    """The sentence for a bug of ours; where it happened is kept in a file for whoever looks after the program."""
    kind = type(error).__name__
    words = str(error)[:200]
    place = _logged(error)
    kept = _(" The details are in {place}.").format(place=place) if place is not None else ""
    return _(
        "this is a fault of the program, not of your data: {kind}: {said}.{kept} "
        "Run it again with --debug to see where."
    ).format(kind=kind, said=words, kept=kept)


def _logged(error: BaseException) -> Path | None:
    """Write the traceback where only the user can read it; None where there is no room for it."""
    head = f"tapdesk {VERSION}, Python {platform.python_version()}, {sys.platform}\n\n"
    text = head + "".join(traceback.format_exception(error))
    from tapdesk.project.files.locks import data_folder, open_private, private_folder  # faults are rare

    try:
        place = private_folder(data_folder()) / LOG
        with open_private(place, empty=True) as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except (OSError, RuntimeError):
        # RuntimeError: there is no home.
        return None
    return place


T = TypeVar("T")
_PATIENCE = 1.0


class Csv(str):
    """A table other programs read: nothing stands before or after it."""

    __slots__ = ()


def run_watched(run: Run[T]) -> T:
    """The result of a run; after a second of silence a line on a terminal tells how far it is, and how long still."""
    if not sys.stderr.isatty():
        return finish(run)
    began = shown = time.monotonic()
    wrote = False
    words = progress_line()

    def watch(step: Step) -> None:
        nonlocal shown, wrote
        now = time.monotonic()
        line = words(step, now)
        if now - began > _PATIENCE and now - shown > 0.1:
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()
            shown, wrote = now, True

    try:
        return finish(run, watch)
    finally:
        if wrote:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def progress_line() -> Callable[[Step, float], str]:
    """What tells of each step, and of the time it came: the phase, how far it is, and how long it will still take.

    Time is counted from the first step of a phase and what was done by then: a study that is gone on with had the rest.
    """
    from tapdesk.answers import numbers

    phase, began, before = "", 0.0, 0

    def tell(step: Step, now: float) -> str:
        nonlocal phase, began, before
        if step.phase != phase:
            phase, began, before = step.phase, now, step.done
        if not step.total:
            return phase
        to_do = step.total - before
        left = numbers.left(now - began, (step.done - before) / to_do if to_do else 1.0)
        return f"{phase} {step.done:,} of {step.total:,}" + (f", {left}" if left else "")

    return tell
