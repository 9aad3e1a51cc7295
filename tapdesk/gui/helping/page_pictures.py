"""The pictures of a page of help: as wide as there is room, and in a window of their own as wide as they were made."""

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QGuiApplication, QImage, QPixmap, QTextCursor, QTextDocument, QTextFragment, QTextImageFormat
from PySide6.QtWidgets import QDialog, QLabel, QScrollArea, QTextBrowser, QVBoxLayout

from tapdesk.gui.look.theme import Theme
from tapdesk.language import gettext as _

# Dots of an inch of a screen, and of the pictures of a page (`study paper --figure all`).
_SCREEN, _MADE = 96, 120
_SCHEME = "picture"
_LATER = 120  # milliseconds: while a window is drawn wider its pictures wait
_EDGE = 12
_MOST = 0.9  # of the screen


class PagePictures(QObject):
    """Fits the pictures of the page in a browser, now and whenever it has another width."""

    def __init__(self, theme: Theme, browser: QTextBrowser) -> None:
        super().__init__(browser)
        self._theme, self._browser = theme, browser
        self._folder = Path()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_LATER)
        self._later.timeout.connect(self._fit)
        self.window: QDialog | None = None
        browser.viewport().installEventFilter(self)

    def of(self, folder: str) -> None:
        """The page that is shown now has its pictures there; nowhere where it has none."""
        self._folder = Path(folder)
        self._browser.setSearchPaths([folder] if folder else [])
        if folder:
            self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the pictures again when the page has another width."""
        if event.type() is QEvent.Type.Resize and self._folder != Path():
            self._later.start()
        return super().eventFilter(watched, event)

    @Slot()
    def _fit(self) -> None:
        document = self._browser.document()
        room = self._browser.viewport().width() - 2 * int(document.documentMargin()) - _EDGE
        block = document.begin()
        while block.isValid():
            for piece in block:
                form = piece.fragment().charFormat()
                if form.isImageFormat():
                    self._size(piece.fragment(), form.toImageFormat(), room)
            block = block.next()

    def _size(self, piece: QTextFragment, form: QTextImageFormat, room: int) -> None:
        image = QImage(str(self._folder / form.name()))
        if image.isNull():
            return
        wide = min(self._theme.px(image.width() * _SCREEN / _MADE), max(room, 1))
        if round(form.width()) == wide:
            return
        # Drawn smaller by the page itself, thin lines and small letters would lose dots.
        dense = self._browser.devicePixelRatioF()
        smooth = image.scaledToWidth(round(wide * dense), Qt.TransformationMode.SmoothTransformation)
        smooth.setDevicePixelRatio(dense)
        self._browser.document().addResource(QTextDocument.ResourceType.ImageResource, QUrl(form.name()), smooth)
        form.setAnchor(True)
        form.setAnchorHref(f"{_SCHEME}:{form.name()}")
        form.setToolTip(_("Show this picture as large as it was made"))
        form.setWidth(wide)
        form.setHeight(wide * image.height() / image.width())
        cursor = QTextCursor(self._browser.document())
        cursor.setPosition(piece.position())
        cursor.setPosition(piece.position() + piece.length(), QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(form)

    def follow(self, link: QUrl) -> bool:
        """Show a picture as wide as it was made, where a link leads to one.

        Returns
        -------
        bool
            Whether it does.
        """
        if link.scheme() != _SCHEME:
            return False
        picture = QPixmap(str(self._folder / Path(link.path()).name))
        if picture.isNull():
            return False
        wide = self._theme.px(picture.width() * _SCREEN / _MADE)
        shown = QLabel()
        shown.setPixmap(picture.scaledToWidth(wide, Qt.TransformationMode.SmoothTransformation))
        shown.setAccessibleName(_("Picture"))
        area = QScrollArea()
        area.setWidget(shown)
        area.setAccessibleName(_("Picture, moved with the arrows"))
        self.window = QDialog(self._browser.window())
        self.window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.window.setWindowTitle(_("Picture"))
        box = QVBoxLayout(self.window)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(area)
        screen = QGuiApplication.primaryScreen().availableGeometry()
        high = shown.pixmap().height()
        self.window.resize(min(wide + 4, round(_MOST * screen.width())), min(high + 4, round(_MOST * screen.height())))
        self.window.show()
        area.setFocus()
        return True
