"""A listener to whatever drives a run: a worker, or a job."""

import time

from PySide6.QtCore import QObject, QThread, Slot


class Listener(QObject):
    """Writes down the steps and the endings it hears, when, and in which thread."""

    def __init__(self, speaker):
        super().__init__()
        self.steps, self.endings, self.threads = [], [], set()
        self.batches = []
        speaker.stepped.connect(self.on_stepped)
        speaker.done.connect(self.on_done)
        speaker.cancelled.connect(self.on_cancelled)
        speaker.failed.connect(self.on_failed)

    @Slot(object)
    def on_stepped(self, steps):
        self.threads.add(QThread.currentThread())
        self.batches.append(time.monotonic())
        self.steps += steps

    @Slot(object)
    def on_done(self, result):
        self.endings.append(("done", result))

    @Slot()
    def on_cancelled(self):
        self.endings.append(("cancelled", None))

    @Slot(object)
    def on_failed(self, error):
        self.endings.append(("failed", error))


class OfOneRun(Listener):
    """Nothing may be heard after the ending: what was cancelled never goes on."""

    @Slot(object)
    def on_stepped(self, steps):
        assert not self.endings
        super().on_stepped(steps)
