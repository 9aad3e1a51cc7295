"""Whether a column is a rater or holds known answers: a card for each answer, with what would follow from it."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QVBoxLayout, QWidget

from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Frame, Radio, button, plain, role, text
from tapdesk.gui.widgets.layouts import Flow
from tapdesk.language import gettext as _
from tapdesk.language import joined, say
from tapdesk.project.key_choices import KeyChoice, KeyQuestion, KeyRole


class _CardRadio(Radio):
    """The ring and the title of a card; Enter gives the answer that is chosen."""

    accepted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is as good as the button below the cards."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.accepted.emit()
        else:
            super().keyPressEvent(event)


class _Card(Frame):
    """One answer; a click anywhere in it chooses it."""

    def __init__(self, theme: Theme, choice: KeyChoice, question: str) -> None:
        super().__init__("row", margins=(12, 9, 12, 9), gap=3)
        self.choice = choice
        self.radio = _CardRadio(theme, say(choice.title))
        self.radio.setProperty("type", "strong")
        words, counts = say(choice.words), say(choice.numbers)
        self.radio.setAccessibleDescription(joined(question, words, counts))
        below = plain(gap=2, margins=(theme.px(21), 0, 0, 0)).add(text(words, "small", "2", wrap=True))
        if counts:
            below.add(text(counts, "caption", "3", wrap=True))
        self.add(self.radio, below)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.radio.toggled.connect(self._on_toggled)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose this answer."""
        super().mouseReleaseEvent(event)
        if self.rect().contains(event.position().toPoint()):
            self.radio.setFocus(Qt.FocusReason.MouseFocusReason)
            self.radio.setChecked(True)

    @Slot(bool)
    def _on_toggled(self, on: bool) -> None:
        role(self, "picked" if on else "row")


class KeyCards(QWidget):
    """The answers under their question, one of them chosen, and the button that gives it.

    Attributes
    ----------
    previewed
        Emitted with the choice whose ratings are to be shown, when another is chosen.
    answered
        Emitted with the fix of the choice, when the answer is given.
    """

    previewed = Signal(object)
    answered = Signal(object)

    def __init__(self, theme: Theme, question: KeyQuestion, chosen: KeyRole | None = None) -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        self.setAccessibleName(say(question.title))
        box = plain(gap=7, margins=(0, 5, 0, 2))
        self.cards = tuple(_Card(theme, choice, say(question.title)) for choice in question.choices)
        for card in self.cards:
            self._group.addButton(card.radio)
            card.radio.accepted.connect(self.answer)
            box.add(card)
        self.use = button("", self.answer, kind="primary", small=True)
        # In a narrow window the key stands below its button.
        foot = QWidget()
        flow = Flow(foot, gap=10)
        for part in (self.use, text(_("Enter"), "caption", "3")):
            flow.addWidget(part)
        box.add(foot)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(box)
        roles = {card.choice.role: card for card in self.cards}
        with QSignalBlocker(self._group):
            roles.get(chosen or question.first, self.cards[0]).radio.setChecked(True)
        self._name_button()
        self._group.buttonToggled.connect(self._on_chosen)

    @property
    def choice(self) -> KeyChoice:
        """The answer that is chosen."""
        return next(card.choice for card in self.cards if card.radio.isChecked())

    @property
    def radio(self) -> Radio:
        """Where the keyboard comes to: the chosen answer."""
        return next(card.radio for card in self.cards if card.radio.isChecked())

    @Slot()
    def answer(self) -> None:
        """Give the answer that is chosen."""
        self.answered.emit(self.choice.fix)

    def _name_button(self) -> None:
        self.use.setText(say(self.choice.use))
        self.use.setAccessibleName(f"{self.use.text()}: {self.accessibleName()}")

    @Slot(object, bool)
    def _on_chosen(self, _button: object, on: bool) -> None:
        if on:
            self._name_button()
            self.previewed.emit(self.choice)
