"""The pages of the report as they are printed, at any size, and small ones to find them by."""

from typing import cast

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon, QImage, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QListView, QListWidget, QListWidgetItem, QScrollArea, QVBoxLayout, QWidget

from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Frame, clear, plain, text
from tapdesk.language import gettext as _
from tapdesk.language import ngettext

PAGE_WIDTH = 400
WHOLE = 794  # pixels across A4 at 100 %
THUMB_WIDTH = 64
FIT = 0
ZOOMS = ((_("Fit"), FIT), ("50 %", 50), ("75 %", 75), ("100 %", 100), ("150 %", 150), ("200 %", 200))
_GAP = 16


class PageView(QWidget):
    """One page; it is scaled when it is first seen, not before."""

    def __init__(self, theme: Theme, image: QImage, wide: int, number: int) -> None:
        super().__init__()
        self._theme, self._image = theme, image
        self._scaled: QPixmap | None = None
        high = round(wide * image.height() / max(image.width(), 1)) if not image.isNull() else round(wide * 1.414)
        self.setFixedSize(wide, high)
        self.setAccessibleName(_("Page {number}").format(number=number))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the page with its edge."""
        del event
        painter = QPainter(self)
        ratio = self.devicePixelRatioF()
        wanted = QSize(round(self.width() * ratio), round(self.height() * ratio))
        if self._image.isNull():
            painter.fillRect(self.rect(), self._theme.colour("surface"))
        else:
            if self._scaled is None or self._scaled.size() != wanted:
                smooth = Qt.TransformationMode.SmoothTransformation
                made = self._image.scaled(wanted, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
                self._scaled = QPixmap.fromImage(made)
            painter.drawPixmap(QRectF(self.rect()), self._scaled, QRectF(self._scaled.rect()))
        painter.setPen(QPen(self._theme.colour("control"), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()


class PageScroll(QScrollArea):
    """The pages, two side by side where there is room.

    Attributes
    ----------
    turned
        Another page is the uppermost one that is seen: its number, from 1.
    zoomed
        The wheel asks for another size: 1 for larger, -1 for smaller.
    """

    turned = Signal(int)
    zoomed = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._images: tuple[QImage, ...] = ()
        self.views: list[PageView] = []
        self._placed = (0, 0)
        self._at = 0
        self.zoom = FIT
        self.setAccessibleName(_("Pages of the report"))
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        inside = QWidget()
        inside.setProperty("role", "scrolled")
        self.setWidget(inside)
        self._box = QVBoxLayout(inside)
        self._box.setContentsMargins(_GAP, _GAP, _GAP, _GAP)
        self._box.setSpacing(_GAP)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.say("")

    @property
    def count(self) -> int:
        """How many pages are shown."""
        return len(self._images)

    def say(self, words: str) -> None:
        """Show words in the place of pages."""
        self._images, self.views, self._at = (), [], 0
        clear(self._box)
        if words:
            self._box.addWidget(Frame("card", margins=(20, 16, 20, 16)).add(text(words, "lead", "2", wrap=True)))
        self._box.addStretch(1)
        self.setAccessibleDescription(words)

    def wait(self) -> None:
        """Show empty page frames while the pages are made."""
        self._images = (QImage(), QImage())
        self._lay_out()
        self.setAccessibleDescription(_("The pages are being made"))

    def show_pages(self, images: tuple[QImage, ...]) -> None:
        """Show pages; the place that was looked at stays."""
        place = self.verticalScrollBar().value()
        self._images = images
        self._lay_out()
        self.verticalScrollBar().setValue(place)
        count = len(images)
        self.setAccessibleDescription(ngettext("{n} page", "{n} pages", count).format(n=count))
        self._on_scrolled()

    def set_zoom(self, percent: int) -> None:
        """Show the pages at a size in per cent, or as they fit; the page that is looked at stays in view."""
        at = self._at
        self.zoom = percent
        if self._images:
            self._lay_out()
            self.go(at)

    @Slot(int)
    def go(self, number: int) -> None:
        """Bring a page into view."""
        if 1 <= number <= len(self.views):
            self.verticalScrollBar().setValue(max(self._top(self.views[number - 1]) - _GAP, 0))
            self._on_scrolled()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pages to the new width."""
        super().resizeEvent(event)
        if self._images and self._fitting() != self._placed:
            self._lay_out()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or with Ctrl show the pages larger or smaller."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoomed.emit(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def _top(self, view: PageView) -> int:
        return view.mapTo(cast("QWidget", self.widget()), QPoint(0, 0)).y()

    @Slot()
    def _on_scrolled(self) -> None:
        """Tell which page is looked at: the first one whose middle is below the upper edge."""
        top = self.verticalScrollBar().value()
        seen = (i for i, view in enumerate(self.views, start=1) if self._top(view) + view.height() / 2 >= top)
        at = next(seen, len(self.views))
        if at != self._at:
            self._at = at
            self.turned.emit(at)

    def _fitting(self) -> tuple[int, int]:
        """Columns and width of a page that fit, with room for the scroll bar."""
        room = self.width() - 44
        if self.zoom:
            wide = self._theme.px(round(WHOLE * self.zoom / 100))
            return max(1, min(2, (room + _GAP) // (wide + _GAP))), wide
        columns = 2 if room >= PAGE_WIDTH * 1.4 else 1
        most = self._theme.px(PAGE_WIDTH) * (3 - columns)
        return columns, max(min(most, (room - _GAP * (columns - 1)) // columns), 120)

    def _lay_out(self) -> None:
        clear(self._box)
        self._placed = columns, wide = self._fitting()
        self.views = [PageView(self._theme, image, wide, i) for i, image in enumerate(self._images, start=1)]
        for at in range(0, len(self.views), columns):
            line = plain(across=True, gap=_GAP)
            line.box.addStretch(1)
            line.add(*self.views[at : at + columns])
            line.setFixedHeight(max(view.height() for view in self.views[at : at + columns]))
            if columns == 2 and at + 1 == len(self.views):
                line.box.addSpacing(wide + _GAP)
            line.box.addStretch(1)
            self._box.addWidget(line)
            line.show()
        self._box.addStretch(1)
        # At once, not with the next event: the place that was looked at is to be found again.
        self._box.activate()
        least = self._box.minimumSize()
        room = self.viewport().size()
        cast("QWidget", self.widget()).resize(max(least.width(), room.width()), max(least.height(), room.height()))


class Thumbnails(QListWidget):
    """Small pages in a column; one is chosen by mouse or keyboard.

    Attributes
    ----------
    wanted
        The number of the page to go to.
    """

    wanted = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName(_("Small pages"))
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setFlow(QListView.Flow.TopToBottom)
        self.setWrapping(False)
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemClicked.connect(self._on_chosen)
        self.itemActivated.connect(self._on_chosen)
        theme.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        wide = self._theme.px(THUMB_WIDTH)
        self.setIconSize(QSize(wide, round(wide * 1.42)))
        self.setGridSize(QSize(wide + 18, round(wide * 1.42) + self._theme.px(24)))
        self.setFixedWidth(wide + 18 + self.verticalScrollBar().sizeHint().width())

    def show_pages(self, thumbs: tuple[QImage, ...]) -> None:
        """Show small pages; the chosen one stays chosen."""
        at = self.currentRow()
        self.blockSignals(True)
        self.clear()
        for number, thumb in enumerate(thumbs, start=1):
            item = QListWidgetItem(QIcon(QPixmap.fromImage(thumb)), str(number))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, _("Page {number}").format(number=number))
            self.addItem(item)
        self.setCurrentRow(min(max(at, 0), len(thumbs) - 1))
        self.blockSignals(False)

    @Slot(int)
    def mark(self, number: int) -> None:
        """Mark the page that is looked at."""
        self.blockSignals(True)
        self.setCurrentRow(number - 1)
        self.blockSignals(False)

    @Slot(QListWidgetItem)
    def _on_chosen(self, item: QListWidgetItem) -> None:
        self.wanted.emit(self.row(item) + 1)
