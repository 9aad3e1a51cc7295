"""How the report is written: raters, numbers, kind of PDF, logo, and the way to the user's own words."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout

from tapdesk.answers.coefficients import SCALES
from tapdesk.answers.naming import CasesAs, RatersAs
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import Choice, Frame, button, plain, text
from tapdesk.gui.widgets.segmented import Segmented
from tapdesk.language import gettext as _
from tapdesk.report.setup import Setup

SCALE_ROWS = ((_("no scale"), ""), *((scale.name, key) for key, scale in SCALES.items()))
KINDS = ((_("PDF/A-2a and PDF/UA"), True), (_("PDF/UA only"), False))


class Written(Frame):
    """The card of choices; they are shown from the project and told by signals.

    Attributes
    ----------
    called
        How the raters are called in the preview.
    cases_called
        How the cases are called.
    counted, archived
        Whether numbers are APA's; whether the PDF is for archives.
    scaled
        The key of the scale whose words are printed; empty for none.
    logo_wanted
        True to choose a logo, False to remove it.
    words_wanted
        The words of the report are to be edited.
    """

    called = Signal(object)
    cases_called = Signal(object)
    counted = Signal(bool)
    archived = Signal(bool)
    scaled = Signal(str)
    logo_wanted = Signal(bool)
    words_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__("card", margins=(14, 11, 14, 12), gap=8)
        self.raters = Segmented(theme, _("Raters as"), ((_("Names"), RatersAs.NAMES), (_("Codes"), RatersAs.CODES)))
        self.cases = Segmented(theme, _("Cases as"), ((_("Names"), CasesAs.NAMES), (_("Codes"), CasesAs.CODES)))
        self.numbers = Segmented(theme, _("Numbers as"), (("0.44", False), (_(".44 (APA)"), True)))
        self.kind = Choice(theme, "PDF", KINDS)
        self.kind.setToolTip(_("PDF/A is for long keeping; both can be read aloud by a screen reader."))
        self.scale = Choice(theme, _("Words of a scale"), SCALE_ROWS)
        self.scale.setToolTip(_("A word for each coefficient, and how sure it is. Such scales are a convention."))
        self.choose_logo = button(_("Choose…"), self._choose, small=True, name=_("Choose the logo of the committee"))
        self.drop_logo = button(_("Remove"), self._remove, small=True, name=_("Remove the logo of the committee"))
        self.words = button(_("Title, summary and your words…"), self.words_wanted.emit, small=True)
        logo = plain(across=True, gap=6).add(self.choose_logo, self.drop_logo)
        logo.box.addStretch(1)
        self.raters_words = text(_("Raters as"))
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(7)
        grid.setColumnStretch(1, 1)
        rows = (
            (self.raters_words, self.raters),
            (text(_("Cases as")), self.cases),
            (text(_("Numbers as")), self.numbers),
            (text(_("Words of")), self.scale),
            (text("PDF"), self.kind),
            (text(_("Logo")), logo),
        )
        for at, (label, control) in enumerate(rows):
            grid.addWidget(label, at, 0)
            grid.addWidget(control, at, 1, Qt.AlignmentFlag(0))
        self.add(text(_("How it is written"), "card"))
        self.add(text(_("Names or codes: asked again each time you save."), "small", "2", wrap=True))
        self.box.addLayout(grid)
        self.add(self.words)
        self.raters.chosen.connect(self.called)
        self.cases.chosen.connect(self.cases_called)
        self.numbers.chosen.connect(lambda apa: self.counted.emit(bool(apa)))
        self.scale.activated.connect(lambda _row: self.scaled.emit(str(self.scale.currentData())))
        self.kind.activated.connect(lambda _row: self.archived.emit(bool(self.kind.currentData())))

    def show_setup(self, chosen: Setup, *, raters_known: bool) -> None:
        """Show what the project remembers; nothing is emitted."""
        self.cases.choose(chosen.cases_as)
        self.numbers.choose(chosen.apa)
        self.kind.choose(chosen.archive)
        self.scale.choose(chosen.scale)
        self.drop_logo.setVisible(chosen.logo is not None)
        self.choose_logo.setText(_("Change…") if chosen.logo is not None else _("Choose…"))
        self.raters.setVisible(raters_known)
        self.raters_words.setVisible(raters_known)

    def _choose(self) -> None:
        self.logo_wanted.emit(True)

    def _remove(self) -> None:
        self.logo_wanted.emit(False)
