"""A block whose content is worked out when it is asked for, can be stopped, and goes on from where it was."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from tapdesk.errors import TapdeskError
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.running.drive import Drive
from tapdesk.gui.running.job import Job
from tapdesk.gui.widgets.basic import button, plain
from tapdesk.gui.widgets.block import Block, Pictures
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.report import numbers
from tapdesk.report.words import waiting


class Worked(Block):
    """A block with a line of choices; what was worked out for one of them stays while others are looked at.

    Parameters
    ----------
    job
        Does the work; it keeps what is cancelled.

    Attributes
    ----------
    worked
        Emitted with what is to be shown.
    moved
        Emitted when something else is looked at, and when it is there.
    bug
        An exception that is not the user's matter.
    at
        What is looked at; empty where nothing is.
    """

    worked = Signal(object)
    moved = Signal()
    bug = Signal(object)
    ask = _("Choose above what is to be worked out.")

    def __init__(self, theme: Theme, title: str, body: QWidget, pictures: Pictures, job: Job) -> None:
        super().__init__(theme, title, body, pictures, height=40)
        self._job = job
        self._found: dict[str, Any] = {}
        self._stopped: dict[str, Drive] = {}
        self._under_way = self.at = ""
        self.stop = button(_("Stop"), self.stop_work, small=True, name=_("Stop: {title}").format(title=title))
        self.on = button(_("Go on"), self.go_on, small=True, name=_("Go on: {title}").format(title=title))
        self.choices = plain(across=True, gap=8, margins=(14, 0, 14, 6))
        self.choices.add(self.stop, self.on).box.addStretch(1)
        self.box.insertWidget(1, self.choices)
        # These are looked at; where the report can print them, the tick comes with what was worked out.
        for part in (self.apart, self.in_report, self.stop, self.on):
            part.hide()
        job.stepped.connect(self._on_stepped)
        job.done.connect(self._on_done)
        job.failed.connect(self._on_failed)
        self.show_working(self.ask)

    def forget(self) -> None:
        """Nothing is known any more: other results are looked at."""
        self._job.cancel()
        self._found, self._stopped, self.at = {}, {}, ""
        self.show_nothing()

    def look_at(self, key: str, begin: Callable[[], Run[Any]]) -> None:
        """Show what belongs to a choice: what is known of it, or what a run works out from now on."""
        self._leave()
        self.at = key
        if key in self._found:
            self._buttons()
            self.worked.emit(self._found[key])
            return
        self.show_working(_("Working on this…"))
        self._under_way = key
        if key in self._stopped:
            self._job.go_on(self._stopped.pop(key))
        else:
            self._job.start(begin())
        self._buttons()

    def refuse(self, reason: str) -> None:
        """Say why there is nothing for a choice."""
        self._leave()
        self.at = ""
        self.show_trouble(reason)
        self._buttons()

    @property
    def found(self) -> Any:
        """What is shown; None while there is nothing."""
        return self._found.get(self.at)

    def show_nothing(self) -> None:
        """Look at nothing."""
        self._leave()
        self.at = ""
        self.show_working(self.ask)
        self._buttons()

    def _leave(self) -> None:
        """Stop what is worked on; it is kept as far as it came."""
        if self._job.running:
            self._job.cancel()
            if self._job.stopped is not None:
                self._stopped[self._under_way] = self._job.stopped

    def _buttons(self) -> None:
        self.stop.setVisible(self._job.running)
        self.on.setVisible(not self._job.running and self.at in self._stopped)
        self.moved.emit()

    @Slot()
    def stop_work(self) -> None:
        """Stop, on the user's wish."""
        self._leave()
        self.show_working(_("Stopped. What is finished is kept."))
        self._buttons()

    @Slot()
    def go_on(self) -> None:
        """Go on from there."""
        drive = self._stopped.pop(self.at, None)
        if drive is not None:
            self._under_way = self.at
            self._job.go_on(drive)
            self._buttons()

    @Slot(object)
    def _on_stepped(self, steps: Sequence[Step]) -> None:
        last = steps[-1]
        if last.total > 1:
            words = _("Working on this… {done} of {total}")
            left = waiting.left(self._job.seconds, last.done / last.total)
            told = words.format(done=numbers.count(last.done), total=numbers.count(last.total))
            self.show_working(f"{told}, {left}" if left else told)

    @Slot(object)
    def _on_done(self, found: Any) -> None:
        self._found[self._under_way] = found
        self._buttons()
        self.worked.emit(found)

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        self._buttons()
        if isinstance(error, TapdeskError):
            self.show_trouble(f"{error.what} {error.fix}".strip())
        else:
            self.show_trouble(_("This could not be worked out."))
            self.bug.emit(error)
