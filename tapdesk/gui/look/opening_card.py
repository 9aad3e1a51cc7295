"""What is seen at once: a small card in the middle of the screen, until the window is there."""

import time

from PySide6.QtCore import QEventLoop, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QLabel

from tapdesk.gui.look.icons import paint
from tapdesk.gui.look.theme import Theme
from tapdesk.language import gettext as _

SIZE = QSize(440, 150)
MARK = 56
PATIENCE = 0.25  # seconds the screen gets to show it: some window systems never tell that they have


def opening_card(theme: Theme) -> QLabel:
    """Show the card and have it painted before anything slow begins; ``close`` takes it away.

    Most of a start goes into loading the statistics. Somebody who has clicked must see before that that it was heard.
    A plain label: Qt's own splash screen waits a second for a window manager that may not be there.
    """
    card = QLabel()
    card.setWindowFlags(Qt.WindowType.SplashScreen | Qt.WindowType.FramelessWindowHint)
    card.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    card.setAccessibleName(_("tapdesk is opening"))
    card.setPixmap(_picture(theme))
    card.adjustSize()
    card.move(QApplication.primaryScreen().availableGeometry().center() - card.rect().center())
    card.show()
    until = time.monotonic() + PATIENCE
    handle = card.windowHandle()
    while not (handle is not None and handle.isExposed()) and time.monotonic() < until:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
    card.repaint()
    QApplication.processEvents()
    return card


def _picture(theme: Theme) -> QPixmap:
    """Name, mark and one sentence, sharp on screens of any density."""
    ratio = QApplication.primaryScreen().devicePixelRatio()
    size = QSize(theme.px(SIZE.width()), theme.px(SIZE.height()))
    picture = QPixmap(size * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(theme.colour("surface"))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.colour("line"), 1))
    painter.drawRect(QRectF(0.5, 0.5, size.width() - 1, size.height() - 1))
    mark, margin = theme.px(MARK), theme.px(36)
    paint(painter, QRectF(margin, (size.height() - mark) / 2, mark, mark), "app", theme, "accent")
    left = margin + mark + theme.px(24)
    wide = size.width() - left - theme.px(16)
    rows: tuple[tuple[str, QFont, QColor], ...] = (
        ("tapdesk", theme.font(24, QFont.Weight.DemiBold), theme.colour("text")),
        (_("Opening…"), theme.font(14), theme.colour("text2")),
        (_("Everything stays on this computer."), theme.font(12), theme.colour("text2")),
    )
    top = theme.px(34)
    for words, font, colour in rows:
        painter.setFont(font)
        painter.setPen(colour)
        high = painter.fontMetrics().height()
        painter.drawText(QRectF(left, top, wide, high), Qt.AlignmentFlag.AlignVCenter, words)
        top += high + theme.px(3)
    painter.end()
    return picture
