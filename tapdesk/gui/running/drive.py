"""A run that can be stopped between two steps and driven on later; it then ends as if it had never been stopped."""

import time
from threading import Event
from typing import Any

from tapdesk.progress import Run, Step

_LOOK = 0.05  # seconds between two looks whether the thread before has left the run


class Drive:
    """One run, driven by one thread at a time.

    Attributes
    ----------
    last
        The newest step; None before the first.
    seconds
        How long it has been driven, without the time it stood still.
    """

    def __init__(self, work: Run[Any]) -> None:
        self._work = work
        self._left = Event()
        self._left.set()
        self._ended = False
        self._result: Any = None
        self._error: BaseException | None = None
        self._began = 0.0
        self.last: Step | None = None
        self.seconds = 0.0

    def take(self) -> bool:
        """Take the run over, if the thread that had it has left it by now; else whether it did so within a moment."""
        if not self._left.wait(_LOOK):
            return False
        self._left.clear()
        self._began = time.monotonic()
        return True

    def leave(self, *, keep: bool) -> None:
        """Let go of the run; it is closed, unless it is kept to be gone on with."""
        self.seconds += time.monotonic() - self._began
        try:
            if not keep:
                self._work.close()
        finally:
            self._left.set()

    def step(self) -> Step | None:
        """The next step; None when the run is at its end."""
        if self._error is not None:
            raise self._error
        if not self._ended:
            try:
                self.last = next(self._work)
            except StopIteration as end:
                self._ended, self._result = True, end.value
            except BaseException as error:
                # Told again to whoever goes on with it: a run cannot be driven beyond its mistake.
                self._error = error
                raise
            else:
                return self.last
        return None

    @property
    def result(self) -> Any:
        """What the run returned; once ``step`` was None."""
        return self._result
