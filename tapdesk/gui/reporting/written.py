"""How the report is written: raters, numbers, kind of PDF, logo, and the way to the user's own words."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout

from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import Choice, Frame, button, plain, text
from tapdesk.gui.widgets.segmented import Segmented
from tapdesk.report.names import RatersAs
from tapdesk.report.setup import Setup
from tapdesk.report.tables.agreement import SCALES

SCALE_ROWS = (("no scale", ""), *((scale.name, key) for key, scale in SCALES.items()))
KINDS = (("PDF/A-2a and PDF/UA", True), ("PDF/UA only", False))


class Written(Frame):
    """The card of choices; they are shown from the project and told by signals.

    Attributes
    ----------
    called
        How the raters are called in the preview.
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
    counted = Signal(bool)
    archived = Signal(bool)
    scaled = Signal(str)
    logo_wanted = Signal(bool)
    words_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__("card", margins=(14, 11, 14, 12), gap=8)
        self.raters = Segmented(theme, "Raters as", (("Names", RatersAs.NAMES), ("Codes", RatersAs.CODES)))
        self.numbers = Segmented(theme, "Numbers as", (("0.44", False), (".44 (APA)", True)))
        self.kind = Choice(theme, "PDF", KINDS)
        self.kind.setToolTip("PDF/A is for long keeping; both can be read aloud by a screen reader.")
        self.scale = Choice(theme, "Words of a scale", SCALE_ROWS)
        self.scale.setToolTip("A word for each coefficient, and how sure it is. Such scales are a convention.")
        self.choose_logo = button("Choose…", self._choose, small=True, name="Choose the logo of the committee")
        self.drop_logo = button("Remove", self._remove, small=True, name="Remove the logo of the committee")
        self.words = button("Title, summary and your words…", self.words_wanted.emit, small=True)
        logo = plain(across=True, gap=6).add(self.choose_logo, self.drop_logo)
        logo.box.addStretch(1)
        self.raters_words = text("Raters as")
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(7)
        grid.setColumnStretch(1, 1)
        rows = (
            (self.raters_words, self.raters),
            (text("Numbers as"), self.numbers),
            (text("Words of"), self.scale),
            (text("PDF"), self.kind),
            (text("Logo"), logo),
        )
        for at, (label, control) in enumerate(rows):
            grid.addWidget(label, at, 0)
            grid.addWidget(control, at, 1, Qt.AlignmentFlag(0))
        self.add(text("How it is written", "card"))
        self.add(text("Names or codes: asked again each time you save.", "small", "2", wrap=True))
        self.box.addLayout(grid)
        self.add(self.words)
        self.raters.chosen.connect(self.called)
        self.numbers.chosen.connect(lambda apa: self.counted.emit(bool(apa)))
        self.scale.activated.connect(lambda _row: self.scaled.emit(str(self.scale.currentData())))
        self.kind.activated.connect(lambda _row: self.archived.emit(bool(self.kind.currentData())))

    def show_setup(self, chosen: Setup, *, raters_known: bool) -> None:
        """Show what the project remembers; nothing is emitted."""
        self.numbers.choose(chosen.apa)
        self.kind.choose(chosen.archive)
        self.scale.choose(chosen.scale)
        self.drop_logo.setVisible(chosen.logo is not None)
        self.choose_logo.setText("Change…" if chosen.logo is not None else "Choose…")
        self.raters.setVisible(raters_known)
        self.raters_words.setVisible(raters_known)

    def _choose(self) -> None:
        self.logo_wanted.emit(True)

    def _remove(self) -> None:
        self.logo_wanted.emit(False)
