"""What is finished of a study that is not: kept piece by piece, so that it can be gone on with later."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol, Self

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import gettext as _


class FinishedPieces(Protocol):
    """Answers by the place of their piece; a dictionary is one."""

    def __contains__(self, place: object, /) -> bool:
        """Whether that piece is finished."""
        ...

    def __getitem__(self, place: int, /) -> Any:
        """Its answer."""
        ...

    def __setitem__(self, place: int, answer: Any, /) -> None:
        """Keep an answer."""
        ...


class Checkpoint:
    """Answers kept in a file while a study runs: a line of JSON for what was asked, and one for each piece.

    Every line is on the disk before the next piece is waited for, so that whatever ends the study, what was finished
    is there. Answers are plain values: numbers keep all their digits, lists come back as tuples.

    Parameters
    ----------
    place
        The file; it need not exist.
    asked
        Everything the answers follow from, plain values by name.

    Raises
    ------
    UsageError
        When the file is of another study.
    TapdeskError
        When it cannot be read or written.
    """

    def __init__(self, place: Path, asked: Mapping[str, Any]) -> None:
        self.place = place
        self._head = json.dumps({"asked": dict(asked)}).encode()
        self._asked = json.loads(self._head)["asked"]
        self._answers: dict[int, Any] = {}
        self._out: IO[bytes] | None = None
        whole = self._read() if place.exists() else 0
        self.known = len(self._answers)
        try:
            self._out = place.open("r+b" if whole else "wb")
            # A line that was cut off while it was written is written anew.
            self._out.truncate(whole)
            self._out.seek(whole)
            if not whole:
                self._write(self._head)
        except (OSError, TapdeskError) as error:
            self._give_up(whole)
            if isinstance(error, TapdeskError):
                raise
            raise TapdeskError(
                _("What is finished cannot be kept in {place}: {strerror}.").format(
                    place=place, strerror=error.strerror
                ),
                fix=_("Choose another place with -o."),
            ) from error

    def _give_up(self, whole: int) -> None:
        """Close the file that cannot be written; one that holds nothing yet is not left behind."""
        if self._out is not None:
            with suppress(OSError):
                self.__exit__(None, None, None)
            if not whole:
                with suppress(OSError):
                    self.place.unlink()

    def _read(self) -> int:
        """Take over what the file holds; how many bytes of it are whole lines."""
        another = UsageError(
            _("{place} was left by a study that was asked otherwise.").format(place=self.place),
            fix=_("Ask for the same again, or name another file with -o; without that study's file it cannot go on."),
        )
        try:
            *lines, rest = self.place.read_bytes().split(b"\n")
            told = [json.loads(line) for line in lines]
            if not told and self._head.startswith(rest):
                return 0
            if not told or told[0]["asked"] != self._asked:
                raise another
            self._answers = {int(row["piece"]): _tuples(row["answer"]) for row in told[1:]}
        except (ValueError, KeyError, TypeError) as error:
            raise another from error
        except OSError as error:
            raise TapdeskError(
                _("{place} cannot be read: {strerror}.").format(place=self.place, strerror=error.strerror),
                fix=_("Choose another place."),
            ) from error
        return sum(len(line) + 1 for line in lines)

    def _write(self, line: bytes) -> None:
        if self._out is None:
            raise ValueError("the file of finished pieces is closed")
        try:
            self._out.write(line + b"\n")
            self._out.flush()
            os.fsync(self._out.fileno())
        except OSError as error:
            raise TapdeskError(
                _("What is finished cannot be kept in {place}: {strerror}.").format(
                    place=self.place, strerror=error.strerror
                ),
                fix=_("Make room on the disk, then start the same study again: it goes on from there."),
            ) from error

    def __contains__(self, place: object, /) -> bool:
        """Whether that piece is finished."""
        return place in self._answers

    def __getitem__(self, place: int, /) -> Any:
        """Its answer."""
        return self._answers[place]

    def __setitem__(self, place: int, answer: Any, /) -> None:
        """Keep an answer."""
        self._write(json.dumps({"piece": place, "answer": answer}).encode())
        self._answers[place] = answer

    def __len__(self) -> int:
        """How many pieces are finished."""
        return len(self._answers)

    def __enter__(self) -> Self:
        """Itself; the file is closed at the end, and stays."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        if self._out is not None:
            out, self._out = self._out, None
            out.close()

    def remove(self) -> None:
        """The study is finished: the file is no longer needed."""
        # Left behind, it would be taken up by the same study and by no other.
        with suppress(OSError):
            self.__exit__(None, None, None)
            self.place.unlink(missing_ok=True)


def _tuples(told: Any) -> Any:
    """Lists as the tuples they were."""
    return tuple(map(_tuples, told)) if isinstance(told, list) else told
