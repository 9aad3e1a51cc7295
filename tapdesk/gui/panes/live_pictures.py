"""The pictures of a run that goes on: drawn again where something was added, one in a turn of the event loop."""

from tapdesk.gui.look.chains import LiveChains
from tapdesk.gui.look.live import LiveTrace
from tapdesk.gui.ridge import Ridge


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
        self.lines = self.rows = self._rows_next = False

    def draw_next(self) -> None:
        """Draw what has grown and had not its turn for longest."""
        if self.lines and not (self.rows and self._rows_next):
            self.lines, self._rows_next = False, True
            self._trace.redraw()
            self._chains.redraw()
        elif self.rows:
            self.rows = self._rows_next = False
            self._ridge.update()

    def draw_end(self) -> None:
        """Draw all of them as they stay, and tell the distributions in words."""
        self._trace.redraw(running=False)
        self._chains.redraw()
        self._ridge.update()
        self._ridge.setAccessibleDescription(self._ridge.describe())
