"""Garbage is collected in the thread of the window, and nowhere else."""

import gc

from PySide6.QtCore import QObject, QTimer, Slot

EVERY = 500  # milliseconds between two looks


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

    def start(self) -> None:
        """From now on only this collects; what there is already stays as it is."""
        gc.collect()
        # Modules and classes live as long as the program: looking at them each time would hold up the window.
        gc.freeze()
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Give it back to the interpreter."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    @Slot()
    def look(self) -> None:
        """Collect what the interpreter would have collected by now."""
        for generation, (count, limit) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True)):
            if count <= limit:
                return
            gc.collect(generation)
