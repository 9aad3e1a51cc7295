"""How many items of the checklist are answered, and the way to those that are not."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tapdesk.answers.user_words import Item, grras_meter
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import Frame, clear, plain, text
from tapdesk.gui.widgets.push_button import PushButton
from tapdesk.language import gettext as _
from tapdesk.project.project import Project
from tapdesk.report.setup import setup


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
        self.said = text("", "small", "2", wrap=True)
        head = plain(across=True).add(text(_("Reporting checklist (GRRAS)"), "card"))
        head.box.addStretch(1)
        head.add(self.count)
        self.rows = plain(gap=2)
        self.add(head, self.meter, self.said, self.rows)
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
        self.said.setText(_("Still open. You can save without them.") if left else _("Every item is answered."))
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
                self.rows.add(text(f"{words}: {why}", "small", "2", wrap=True))
