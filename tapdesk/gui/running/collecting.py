"""Garbage is collected in the thread of the window, and nowhere else."""

import gc
import sys

from PySide6.QtCore import QObject, QTimer, Slot

EVERY = 500  # milliseconds between two looks
LOADED = 50  # more modules than this are a library: reading tables, or statistics, of some hundred modules each


class Collecting(QObject):
    """Takes the collection of garbage away from the interpreter, which would do it in whatever thread runs.

    A dialog that nobody holds any more may be part of a circle. Collected while a computation runs in its thread, its
    widgets would be destroyed there, which Qt does not survive.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self.look)
        self._modules = 0

    def start(self) -> None:
        """From now on only this collects; what there is already stays as it is.

        What was thrown away while it was loaded is little, and to look for it would take longer than a picture may.
        """
        self._keep()
        gc.disable()
        self._timer.start()

    def _keep(self) -> None:
        """Leave alone what there is: modules and classes live as long as the program, and are most of it."""
        gc.freeze()
        self._modules = len(sys.modules)

    def stop(self) -> None:
        """Give it back to the interpreter."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    @Slot()
    def look(self) -> None:
        """Collect what the interpreter would have collected by now."""
        if len(sys.modules) > self._modules + LOADED:
            # To look through a library once more would hold up the window for as long as a picture takes.
            self._keep()
            return
        for generation, (count, limit) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True)):
            if count <= limit:
                return
            gc.collect(generation)
