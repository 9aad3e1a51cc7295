"""The pictures of a run that goes on: drawn again where something was added, one in a turn of the event loop."""

from tapdesk.gui.look.chains import LiveChains
from tapdesk.gui.look.live import LiveTrace
from tapdesk.gui.ridge import Ridge
from tapdesk.gui.running.courtesy import FIRST


class LivePictures:
    """Decides which picture is drawn next; all of them in one turn would hold up the event loop.

    Attributes
    ----------
    lines
        Whether the log-likelihoods or the chains have grown since they were drawn.
    rows
        Whether the distributions have.
    """

    def __init__(self, trace: LiveTrace, chains: LiveChains, ridge: Ridge) -> None:
        self._trace, self._chains, self._ridge = trace, chains, ridge
        self.lines = self.rows = self._rows_next = self._ended = False

    def draw_next(self) -> None:
        """Draw what has grown and had not its turn for longest."""
        self._ended = False
        if self.lines and not (self.rows and self._rows_next):
            self.lines, self._rows_next = False, True
            self._trace.redraw()
            self._chains.redraw()
        elif self.rows:
            self.rows = self._rows_next = False
            self._ridge.update()

    def hold_rows(self) -> None:
        """Numbers are added now, and drawn with the other pictures."""
        self._ridge.setUpdatesEnabled(False)

    def draw_end(self) -> None:
        """Draw all of them as they stay, and tell the distributions in words."""
        self._ended = True
        self._draw_lines()
        self._draw_rows()
        self._tell_rows()

    def draw_end_in_turns(self) -> None:
        """As ``draw_end``, in turns of the event loop: what else the end of a run changes takes its time as well."""
        self._ended = True
        for of, draw in (
            (self._ridge, self._draw_rows),
            (self._trace, self._draw_lines),
            (self._ridge, self._tell_rows),
        ):
            FIRST.later(of, draw)

    def _draw_lines(self) -> None:
        # Not where the next run has begun meanwhile.
        if self._ended:
            self._trace.redraw(running=False)
            self._chains.redraw()

    def _draw_rows(self) -> None:
        self._ridge.setUpdatesEnabled(True)
        self._ridge.update()

    def _tell_rows(self) -> None:
        self._ridge.setAccessibleDescription(self._ridge.describe())
