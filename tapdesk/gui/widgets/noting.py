"""Words of the user beside something: shown when asked for, or when there are any."""

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.areas import bring_into_view
from tapdesk.gui.widgets.basic import Frame, text
from tapdesk.language import gettext as _

PAUSE = 500  # milliseconds without a key before the words are told


class Note(Frame):
    """A field for words; what is typed is told after a pause, and at once when the keyboard leaves.

    Attributes
    ----------
    written
        Emitted with the words.
    """

    written = Signal(str)

    def __init__(self, theme: Theme, about: str) -> None:
        super().__init__("none", margins=(14, 4, 14, 4), gap=3)
        self._theme = theme
        self.edit = QPlainTextEdit()
        self.edit.setAccessibleName(_("Note on: {about}").format(about=about))
        self.edit.setPlaceholderText(_("Your comment; it is printed in the report."))
        self.edit.setTabChangesFocus(True)
        self.add(text(_("Note"), "caption", "3"), self.edit)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self.tell)
        self._telling = False
        self.edit.textChanged.connect(self._on_changed)
        self.edit.installEventFilter(self)
        theme.changed.connect(self._dress)
        self._dress()
        self.hide()

    @property
    def words(self) -> str:
        """What stands in the field."""
        return self.edit.toPlainText()

    def show_words(self, words: str) -> None:
        """Show the words that are kept; what is being typed is not disturbed."""
        if self._timer.isActive() or words == self.words.strip():
            return
        self._telling = True
        self.edit.setPlainText(words)
        self._telling = False
        if words:
            self.show()

    def open(self) -> None:
        """Show the field and put the keyboard into it; hide it when it is empty and shown."""
        if self.isVisible() and not self.words.strip():
            self.hide()
            return
        self.show()
        self.edit.setFocus()
        bring_into_view(self)

    @Slot()
    def tell(self) -> None:
        """Tell the words now where they have not been told."""
        if self._timer.isActive() or self.sender() is self._timer:
            self._timer.stop()
            self.written.emit(self.words)

    @Slot()
    def _on_changed(self) -> None:
        if not self._telling:
            self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell what was typed when the keyboard leaves the field."""
        if event.type() is QEvent.Type.FocusOut:
            self.tell()
        return super().eventFilter(watched, event)

    @Slot()
    def _dress(self) -> None:
        self.edit.setFixedHeight(self._theme.px(62))


def tell_all(inside: QWidget) -> None:
    """Tell what was typed into any note below a widget; called before something is saved or left."""
    for note in inside.findChildren(Note):
        note.tell()
