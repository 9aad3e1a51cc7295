"""How large pictures are saved: asked before the figures of a report go into a folder."""

from dataclasses import dataclass

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from tapdesk.errors import UsageError
from tapdesk.gui.dialogs import execute
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import Choice, button, plain, text
from tapdesk.language import gettext as _
from tapdesk.report.forms.size import USUAL, Size

KINDS = (
    (_("Drawing (SVG): sharp at every size"), ".svg"),
    (_("Picture (PNG): for texts and slides"), ".png"),
    (_("Page (PDF): sharp at every size"), ".pdf"),
)
# What printers of journals ask of pictures made of dots.
_PRINT = 300


@dataclass(frozen=True, slots=True)
class Form:
    """Kind of file and size of a picture."""

    suffix: str
    size: Size


class Sizes(QDialog):
    """Kind, width and resolution; the last only for pictures made of dots."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Save the figures"))
        self.kind = Choice(theme, _("Kind of picture"), KINDS, 280)
        self.across = QLineEdit(f"{USUAL.millimetres:.0f}")
        self.ppi = QLineEdit(str(_PRINT))
        self.said = text("", "small", "2", wrap=True)
        self.ready = button(_("Go on"), self.accept, kind="primary")
        form = QFormLayout()
        rows = ((_("Kind"), self.kind), (_("Width in mm"), self.across), (_("Dots an inch"), self.ppi))
        for words, field in rows:
            field.setAccessibleName(words)
            form.addRow(words, field)
        foot = plain(across=True)
        foot.box.addStretch(1)
        foot.add(button(_("Cancel"), self.reject), self.ready)
        box = QVBoxLayout(self)
        box.setSpacing(10)
        box.addLayout(form)
        box.addWidget(self.said)
        box.addWidget(foot)
        for changed in (self.kind.currentIndexChanged, self.across.textChanged, self.ppi.textChanged):
            changed.connect(self._on_changed)
        self._on_changed()

    @property
    def form(self) -> Form:
        """What was chosen.

        Raises
        ------
        UsageError
            When no picture can have that size.
        """
        suffix = self.kind.currentData()
        dots = self.ppi.text() if suffix == ".png" else str(_PRINT)
        try:
            return Form(suffix, Size(float(self.across.text()), float(dots)))
        except ValueError as error:
            raise UsageError(_("Width and resolution are numbers."), fix=_("Write them with digits.")) from error

    @Slot()
    def _on_changed(self) -> None:
        """Say what will come out, or why nothing can."""
        dots = self.kind.currentData() == ".png"
        self.ppi.setEnabled(dots)
        try:
            size = self.form.size
        except UsageError as problem:
            self.ready.setEnabled(False)
            self.said.setText(str(problem))
            return
        self.ready.setEnabled(True)
        words = _("Each picture is about {n} dots wide.").format(n=f"{size.pixels / 96 * size.ppi:,.0f}")
        self.said.setText(words if dots else _("Its words stay 10 points high, however wide it is."))


def asked(theme: Theme, parent: QWidget) -> Form | None:
    """Ask; None when the user turns back."""
    dialog = Sizes(theme, parent)
    return dialog.form if execute(dialog) else None
