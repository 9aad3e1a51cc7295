"""How far the reading of a file has come, above what is open."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from tapdesk.gui.desk import Desk
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import Bar, button, text
from tapdesk.language import gettext as _
from tapdesk.progress import Step
from tapdesk.report import numbers


class Loading(QWidget):
    """A thin bar, how far reading has come, and Cancel."""

    def __init__(self, theme: Theme, desk: Desk) -> None:
        super().__init__()
        self.bar = Bar(theme, _("Progress of reading"), 6)
        self.words = text(_("Reading"), "small", "2")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.bar, 1)
        row.addWidget(self.words)
        row.addWidget(button(_("Cancel"), desk.reading.cancel, small=True, name=_("Cancel reading")))
        desk.reading.started.connect(self._on_started)
        desk.reading.stepped.connect(self._on_stepped)
        self.hide()

    @Slot()
    def _on_started(self) -> None:
        self.bar.setRange(0, 0)
        self.words.setText(_("Reading"))

    @Slot(object)
    def _on_stepped(self, steps: tuple[Step, ...]) -> None:
        step = steps[-1]
        self.bar.setRange(0, step.total)
        self.bar.setValue(step.done)
        if step.total:
            done, total = numbers.count(step.done), numbers.count(step.total)
            self.words.setText(_("Reading row {done} of about {total}").format(done=done, total=total))
