"""A question as a card: the question large, what it gives small."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout

from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import text


class QuestionCard(QAbstractButton):
    """One question of several; the chosen one has an accent edge on a soft ground."""

    def __init__(self, theme: Theme, question: str, about: str) -> None:
        super().__init__()
        self._theme = theme
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(question)
        self.setAccessibleDescription(about)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        box = QVBoxLayout(self)
        box.setContentsMargins(14, 12, 14, 12)
        box.setSpacing(2)
        self._usual = about
        self.about = text(about, "small", "2", wrap=True)
        for label in (text(question, "question", wrap=True), self.about):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            box.addWidget(label)

    def refuse(self, reason: str) -> None:
        """Say why the question cannot be asked in place of what it gives; nothing makes it open again."""
        words = reason or self._usual
        self.setEnabled(not reason)
        if self.about.text() != words:
            self.about.setText(words)
            self.setAccessibleDescription(words)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = self.isChecked() and self.isEnabled()
        strong = on or (self.underMouse() and self.isEnabled())
        painter.setPen(QPen(self._theme.colour("accent" if strong else "line"), 1.5 if on else 1))
        painter.setBrush(self._theme.colour("soft" if on else "surface" if self.isEnabled() else "window"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75), 6, 6)
        painter.end()
