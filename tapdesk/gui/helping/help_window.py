"""Help: pages in plain words, searchable, without any connection."""

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTextBrowser,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from tapdesk.gui.helping.help_pages import found, page, pages
from tapdesk.gui.helping.page_pictures import PagePictures
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import button, plain, text
from tapdesk.gui.widgets.window_size import WindowSize
from tapdesk.language import gettext as _


class Help(QDialog):
    """A window beside the main one: search and pages at the left, the page at the right."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setWindowTitle(_("Help"))
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Search the help"))
        self.search.setAccessibleName(_("Search the help"))
        self.search.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setAccessibleName(_("Pages of help"))
        self.list.setProperty("role", "pages")
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.none = text(_("No page holds all of these words. Try one word, such as kappa."), "small", "2", wrap=True)
        self.browser = QTextBrowser()
        self.browser.setAccessibleName(_("Page of help"))
        # No link leaves the program.
        self.browser.setOpenLinks(False)
        self.browser.anchorClicked.connect(self._follow)
        left = plain(gap=8).add(self.search, self.list, self.none)
        left.box.setStretch(1, 1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(left)
        split.addWidget(self.browser)
        split.setStretchFactor(1, 1)
        split.setSizes([theme.px(230), theme.px(620)])
        split.setChildrenCollapsible(False)
        foot = plain(across=True)
        foot.box.addStretch(1)
        foot.add(button(_("Close"), self.hide, name=_("Close the help")))
        box = QVBoxLayout(self)
        box.addWidget(split, 1)
        box.addWidget(foot)
        self.key = pages()[0].key
        self.search.textChanged.connect(self._fill)
        self.search.returnPressed.connect(self._next)
        self.list.currentItemChanged.connect(self._on_chosen)
        self.pictures = PagePictures(theme, self.browser)
        theme.changed.connect(self._dress)
        WindowSize(self, theme, 880, 640)
        self._fill()

    def open_page(self, key: str = "") -> None:
        """Show a page; the one that was looked at last where none is named."""
        self.search.clear()
        self._choose(key or self.key)
        self.show()
        self.activateWindow()
        self.search.setFocus()

    def _choose(self, key: str) -> None:
        for i in range(self.list.count()):
            if self.list.item(i).data(Qt.ItemDataRole.UserRole) == key:
                self.list.setCurrentRow(i)

    @Slot()
    def _fill(self) -> None:
        """List the pages that hold what is looked for."""
        hits = found(self.search.text())
        self.list.blockSignals(True)
        self.list.clear()
        for hit in hits:
            words = hit.page.title if not hit.around else f"{hit.page.title}\n{hit.around}"
            item = QListWidgetItem(words)
            item.setData(Qt.ItemDataRole.UserRole, hit.page.key)
            self.list.addItem(item)
        self.list.blockSignals(False)
        self.none.setVisible(not hits)
        self.list.setVisible(bool(hits))
        if hits:
            keys = [hit.page.key for hit in hits]
            self.list.setCurrentRow(keys.index(self.key) if self.key in keys else 0)
            self._on_chosen()

    @Slot()
    def _on_chosen(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.key = item.data(Qt.ItemDataRole.UserRole)
            self._show()

    def _show(self) -> None:
        """Show the page, and mark what is looked for."""
        theme = self._theme
        document = self.browser.document()
        document.setDefaultFont(theme.font(14))
        document.setDocumentMargin(theme.px(16))
        shown = page(self.key)
        self.browser.setMarkdown(shown.markdown)
        self._lighten()
        self.pictures.of(shown.pictures)
        self._mark()

    def _lighten(self) -> None:
        """What is bold in semi-bold: there is no bold face, and one made from a lighter one would be smeared."""
        semibold, cursor = QTextCharFormat(), QTextCursor(self.browser.document())
        semibold.setFontWeight(QFont.Weight.DemiBold)
        heavy = []
        while not cursor.atEnd():
            cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
            if cursor.charFormat().fontWeight() > QFont.Weight.DemiBold:
                heavy.append(cursor.position())
        for at in heavy:
            cursor.setPosition(at - 1)
            cursor.setPosition(at, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(semibold)

    def _mark(self) -> None:
        marks = []
        form = QTextCharFormat()
        form.setBackground(QColor(self._theme.colour("b95")))
        for word in self.search.text().split():
            at = self.browser.document().find(word, 0)
            while not at.isNull():
                selection = QTextEdit.ExtraSelection()
                selection.cursor, selection.format = at, form
                marks.append(selection)
                at = self.browser.document().find(word, at)
        self.browser.setExtraSelections(marks)
        if marks:
            first = min(marks, key=lambda mark: mark.cursor.position()).cursor
            self.browser.setTextCursor(QTextCursor(self.browser.document()))
            place = QTextCursor(first)
            place.clearSelection()
            self.browser.setTextCursor(place)
            self.browser.ensureCursorVisible()

    @Slot()
    def _next(self) -> None:
        """Go to the next place of the first word; at the end begin again."""
        word = next(iter(self.search.text().split()), "")
        if word and not self.browser.find(word):
            self.browser.moveCursor(QTextCursor.MoveOperation.Start)
            self.browser.find(word, QTextDocument.FindFlag(0))

    @Slot(QUrl)
    def _follow(self, link: QUrl) -> None:
        place = page(self.key).places.get(link.fragment())
        if place is not None and not link.path():
            self._go_to(place)
        elif not self.pictures.follow(link) and link.scheme() == "help":
            self.search.clear()
            self._choose(link.path())

    def _go_to(self, heading: str) -> None:
        """Show a heading at the top of the page."""
        block = self.browser.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and block.text() == heading:
                top = self.browser.document().documentLayout().blockBoundingRect(block).top()
                self.browser.verticalScrollBar().setValue(int(top))
                self.browser.setTextCursor(QTextCursor(block))
                self.browser.verticalScrollBar().setValue(int(top))
                return
            block = block.next()

    @Slot()
    def _dress(self) -> None:
        if self.isVisible():
            self._show()
