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

    What is collected must be garbage for Qt as well. An object of Qt has two halves: what C++ holds, and the wrapper
    with the attributes that Python gave it. The collector sees the wrapper alone. A wrapper is held by that of its
    parent, up to the window, which `gui.app.run` holds; but where the parent was made inside Qt (by a function such as
    ``QFileDialog.getOpenFileName``), nothing holds the wrapper of the parent: a child of ours that names its parent is
    then a circle that is reached from nowhere. It is emptied, while C++ goes on to call its event filter and its paint
    event, which find no attribute any more. So in `gui/`:

    - a dialog is made in Python with a parent, and held by a name while it is executed (`gui.dialogs`);
    - what is put into a window that Qt itself may have made is held by an attribute of an object that lives longer
      (`FocusRing` holds the rings of dialogs);
    - what is made for one use is destroyed by ``deleteLater`` when it is closed (`gui.dialogs.popup`), not left to be
      found here;
    - a getter of Qt that makes what it returns a child of what was asked is put right at once (`next_in_chain`).

    The tests of everything that can be opened hold that against every window and menu.
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
