"""The chip: a quiet key, a value, and what can be done about it."""

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy

from tapdesk.gui.theme.icons import paint
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import BOX, tick_box
from tapdesk.language import gettext as _

SIDE, GAP = 11, 6


class Chip(QAbstractButton):
    """Key and value in a rounded edge.

    With a menu an arrow stands at its end; a checkable chip carries a tick box, unless it is one of several of which
    one is chosen (``ticked`` is false); a guess worth a look gets an ochre edge and a triangle, one that has to be
    answered first the sign of what stops.
    """

    def __init__(self, theme: Theme, key: str, value: str, *, checkable: bool = False, ticked: bool = True) -> None:
        super().__init__()
        self._theme = theme
        self._key, self._value, self._guess, self._blocks = key, value, False, False
        self._ticked = checkable and ticked
        self._menu: QMenu | None = None
        self.setCheckable(checkable)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._open)
        theme.changed.connect(self.updateGeometry)
        self._name()

    def show_value(self, value: str, *, guess: bool = False, blocks: bool = False) -> None:
        """Show another value; what is asked about carries a mark, another one where nothing is computed before."""
        self._value, self._guess, self._blocks = value, guess or blocks, blocks
        self._name()
        self.updateGeometry()
        self.update()

    def set_menu(self, menu: QMenu) -> None:
        """What opens when the chip is pressed."""
        self._menu = menu
        menu.setAccessibleName(self._key or self._value)
        # The keys of a menu that pops up go to its first row at once.
        menu.aboutToShow.connect(self._to_first_row)
        self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do on Return what a click does, and open the menu on the arrow down as well."""
        pressed = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not self.isCheckable()
        if pressed or (self._menu is not None and event.key() == Qt.Key.Key_Down):
            self.click()
        else:
            super().keyPressEvent(event)

    def as_label(self) -> "Chip":
        """A chip that only tells."""
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        return self

    def sizeHint(self) -> QSize:
        """As wide as its parts."""
        width = 2 * SIDE + sum(w for _words, w in self._parts()) + GAP * (len(self._parts()) - 1)
        return QSize(round(width) + 1, self._theme.px(28))

    def minimumSizeHint(self) -> QSize:
        """Never narrower than its words."""
        return self.sizeHint()

    def paintEvent(self, event: object) -> None:
        """Draw edge, key, value and signs."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = self.isCheckable() and self.isChecked()
        plain = "accent" if on else "control" if self.isEnabled() else "line"
        edge = "stop" if self._blocks else "know" if self._guess else plain
        painter.setPen(QPen(self._theme.colour(edge), 1))
        ground = "soft" if on or (self.underMouse() and self.isEnabled()) else "surface"
        painter.setBrush(self._theme.colour(ground))
        half = self.height() / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), half - 0.5, half - 0.5)
        x = float(SIDE)
        over = max(self.sizeHint().width() - self.width(), 0)
        for part, full in self._parts():
            width = full - over if part == "value" else full
            self._draw(painter, part, QRectF(x, 0, width + 1, self.height()))
            x += width + GAP
        painter.end()

    def _draw(self, painter: QPainter, part: str, place: QRectF) -> None:
        middle = QRectF(place.x(), (self.height() - place.width() + 1) / 2, place.width() - 1, place.width() - 1)
        if part == "guess":
            mark, tint = ("mark-blocked", "stop") if self._blocks else ("mark-know", "know")
            paint(painter, middle, mark, self._theme, tint)
        elif part == "arrow":
            paint(painter, middle, "down", self._theme, "text3")
        elif part == "tick":
            tick_box(painter, self._theme, middle, on=self.isChecked(), enabled=self.isEnabled())
        else:
            painter.setFont(self._font(bold=part == "value" and bool(self._key)))
            tint = "off" if not self.isEnabled() else "text3" if part == "key" else "text"
            painter.setPen(self._theme.colour(tint))
            words = self._key if part == "key" else self._value
            if painter.fontMetrics().horizontalAdvance(words) > place.width() + 1:
                words = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, int(place.width()))
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, words)

    def _parts(self) -> list[tuple[str, float]]:
        """The parts from left to right with their widths."""
        parts: list[tuple[str, float]] = []
        if self._guess:
            parts.append(("guess", self._theme.px(13)))
        if self._ticked:
            parts.append(("tick", self._theme.px(BOX)))
        if self._key:
            parts.append(("key", QFontMetricsF(self._font(bold=False)).horizontalAdvance(self._key)))
        bold = bool(self._key)
        parts.append(("value", QFontMetricsF(self._font(bold=bold)).horizontalAdvance(self._value)))
        if self._menu is not None:
            parts.append(("arrow", self._theme.px(14)))
        return parts

    def _font(self, *, bold: bool) -> QFont:
        return self._theme.font(12.5, QFont.Weight.DemiBold if bold else QFont.Weight.Normal)

    def _name(self) -> None:
        words = f"{self._key}: {self._value}" if self._key else self._value
        self.setAccessibleName(words)
        words = _("It has to be answered first.") if self._blocks else _("A guess worth a look.")
        self.setAccessibleDescription(words if self._guess else "")

    def _to_first_row(self) -> None:
        if self._menu is not None and self._menu.actions():
            self._menu.setActiveAction(self._menu.actions()[0])

    def _open(self) -> None:
        if self._menu is not None:
            self._menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))
