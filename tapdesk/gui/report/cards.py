"""The cards beside the pages of the report: what is inside, the checklist, and how it is written."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from tapdesk.answers.coefficients import SCALES
from tapdesk.answers.demands import TICKED, demand
from tapdesk.answers.naming import CasesAs, RatersAs
from tapdesk.answers.user_words import Item, grras_meter
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Choice, Frame, PushButton, Segmented, Tick, button, clear, plain, text
from tapdesk.language import gettext as _
from tapdesk.project.project import Project
from tapdesk.report.outline import SECTIONS
from tapdesk.report.setup import Setup, setup

SCALE_ROWS = ((_("no scale"), ""), *((scale.name, key) for key, scale in SCALES.items()))
KINDS = ((_("PDF/A-2a and PDF/UA"), True), (_("PDF/UA only"), False))


class Outline(Frame):
    """The sections in order.

    Attributes
    ----------
    switched
        The key of a section and whether it is wanted.
    wanted
        The page to go to.
    """

    switched = Signal(str, bool)
    wanted = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__("card", margins=(14, 10, 14, 12), gap=6)
        head = plain(across=True).add(text(_("What is inside"), "card"))
        head.box.addStretch(1)
        head.add(text(_("page"), "small", "2"))
        self.ticks = {row.key: Tick(theme, row.title) for row in SECTIONS}
        self.places = {row.key: button("", kind="link", name=row.title) for row in SECTIONS}
        self.absent: dict[str, QLabel] = {row.key: text("", "small", "2") for row in SECTIONS}
        self._starts: Mapping[str, int] = {}
        inside = plain()
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(0, 1)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for at, (key, tick) in enumerate(self.ticks.items()):
            if key in TICKED:
                tick.setToolTip(demand(key).hint)
            tick.toggled.connect(lambda on, key=key: self.switched.emit(key, on))
            self.places[key].clicked.connect(lambda _on=False, key=key: self.wanted.emit(self._starts.get(key, 0)))
            grid.addWidget(tick, at, 0)
            grid.addWidget(self.places[key], at, 1, right)
            grid.addWidget(self.absent[key], at, 1, right)
        inside.box.addLayout(grid)
        self.add(head, inside)
        self.show_starts({})

    def show_chosen(self, chosen: Setup) -> None:
        """Show which sections are switched on; nothing is emitted."""
        for key, tick in self.ticks.items():
            tick.blockSignals(True)
            tick.setChecked(chosen.prints(key))
            tick.blockSignals(False)
            tick.update()
        self.show_starts(self._starts)

    def show_starts(self, starts: Mapping[str, int]) -> None:
        """Show the page each section begins on; one that has nothing to say in these pages has no row."""
        self._starts = starts
        for row in SECTIONS:
            page = starts.get(row.key) if self.ticks[row.key].isChecked() else None
            place, absent = self.places[row.key], self.absent[row.key]
            # Before there are pages every row is shown, and one that is off, so that it can be switched on.
            shown = page is not None or not starts or not self.ticks[row.key].isChecked()
            self.ticks[row.key].setVisible(shown)
            place.setVisible(page is not None)
            absent.setVisible(page is None and shown)
            absent.setText("–" if self.ticks[row.key].isChecked() else "off")
            absent.setToolTip(_("Nothing to say yet") if self.ticks[row.key].isChecked() else _("Switched off"))
            if page is not None:
                place.setText(str(page))
                place.setAccessibleName(_("Go to {title}, page {page}").format(title=row.title, page=page))


class Meter(QWidget):
    """A row of boxes, the first ones filled."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._filled, self._total = theme, 0, 15
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Reporting checklist"))

    def show_count(self, filled: int, total: int) -> None:
        """Show how many are filled."""
        self._filled, self._total = filled, total
        self.setAccessibleDescription(_("{filled} of {total} answered").format(filled=filled, total=total))
        self.update()

    def sizeHint(self) -> QSize:
        """Low and wide."""
        return QSize(120, self._theme.px(12))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the boxes; filled and empty ones differ in more than colour."""
        del event
        painter = QPainter(self)
        step = self.width() / max(self._total, 1)
        for i in range(self._total):
            box = QRectF(i * step + 0.75, 0.75, step - 3, self.height() - 1.5)
            full = i < self._filled
            painter.setPen(QPen(self._theme.colour("accent" if full else "control"), 1))
            painter.setBrush(self._theme.colour("accent" if full else "surface"))
            painter.drawRoundedRect(box, 2, 2)
        painter.end()


class Link(PushButton):
    """A link in as much of its words as there is room for; all of them are its tool tip and its name."""

    def __init__(self, words: str, name: str) -> None:
        super().__init__()
        self._words = words
        self.setProperty("kind", "link")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(name)
        self.setAutoDefault(False)
        self.setToolTip(words)
        # Its words follow the width of the column, not the column the width of its words.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Write as much as there is room for now."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Write as much as there is room for in these letters."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._fit()

    def _fit(self) -> None:
        self.setText(self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, self.width() - 4))


class Checklist(Frame):
    """The meter and the open items; it never stops anybody.

    Attributes
    ----------
    asked
        The place where an item can be answered.
    """

    asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__("card", margins=(14, 11, 14, 12), gap=6)
        self.count = text("", "strong")
        self.meter = Meter(theme)
        self.remark = text("", "small", "2", wrap=True)
        head = plain(across=True).add(text(_("Reporting checklist (GRRAS)"), "card"))
        head.box.addStretch(1)
        head.add(self.count)
        self.rows = plain(gap=2)
        self.add(head, self.meter, self.remark, self.rows)
        self._shown: tuple[Item, ...] | None = None

    def show_project(self, project: Project) -> None:
        """Show what is answered and what is open."""
        filled, total, items = grras_meter(project, setup(project).leave_out)
        if items == self._shown:
            return
        self._shown = items
        self.count.setText(f"{filled} of {total}")
        self.meter.show_count(filled, total)
        left = [item for item in items if not item.filled]
        self.remark.setText(_("Still open. You can save without them.") if left else _("Every item is answered."))
        clear(self.rows.box)
        for item in left:
            words = f"{item.number}  {item.asks}"
            if item.place:
                link = Link(words, _("Answer item {words}").format(words=words))
                link.clicked.connect(lambda _on=False, place=item.place: self.asked.emit(place))
                self.rows.box.addWidget(link)
            else:
                left_out = item.section in setup(project).leave_out
                why = _("its section is switched off") if left_out else _("run an analysis")
                self.rows.add(text(_("{words}: {why}").format(words=words, why=why), "small", "2", wrap=True))


class StyleCard(Frame):
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

    called = Signal(RatersAs)
    cases_called = Signal(CasesAs)
    counted = Signal(bool)
    archived = Signal(bool)
    scaled = Signal(str)
    logo_wanted = Signal(bool)
    words_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__("card", margins=(14, 11, 14, 12), gap=8)
        self.raters = Segmented(theme, _("{Raters} as"), ((_("Names"), RatersAs.NAMES), (_("Codes"), RatersAs.CODES)))
        self.cases = Segmented(theme, _("{Subjects} as"), ((_("Names"), CasesAs.NAMES), (_("Codes"), CasesAs.CODES)))
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
        self.raters_words = text(_("{Raters} as"))
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(7)
        grid.setColumnStretch(1, 1)
        rows = (
            (self.raters_words, self.raters),
            (text(_("{Subjects} as")), self.cases),
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
