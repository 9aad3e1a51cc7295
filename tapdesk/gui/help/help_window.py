"""Help: pages in plain words, searchable, without any connection."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import cast

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QGuiApplication,
    QImage,
    QPixmap,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFragment,
    QTextImageFormat,
)
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QSplitter,
    QTextBrowser,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from tapdesk import resources
from tapdesk.answers.literature import USES, reference
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.window_frame import ACTIONS, MENUS
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import button, plain, text
from tapdesk.gui.widgets.layouts import WindowSize
from tapdesk.gui.widgets.messages import ErrorCard
from tapdesk.language import gettext as _
from tapdesk.project.files.outputs import Outputs, unseal

# A heading that links lead to.
_PLACE = re.compile(r'^## <a id="([^"]*)"></a>(.*)$', re.MULTILINE)
AROUND = 60  # characters shown on each side of what was found
KEYS = (
    (_("Tab, Shift+Tab"), _("Next and previous control")),
    (_("Arrows"), _("Between the cells of a table, the rows of a list, the questions")),
    (_("Space"), _("Press a button, tick a box")),
    (_("Esc"), _("Close a window beside the main one")),
    ("Ctrl+C", _("Copy the chosen cells of a table")),
)
ENLARGE = _("A click on a picture, or Enter on it, shows it as large as it was made.")
# Dots of an inch of a screen, and of the pictures of a page (`study paper --figure all`).
_SCREEN, _MADE = 96, 120
_SCHEME = "picture"
_FILE = "file"
_LATER = 120  # milliseconds: while a window is drawn wider its pictures wait
_EDGE = 12
_MOST = 0.9  # of the screen


@dataclass(frozen=True, slots=True)
class Page:
    """One page.

    Attributes
    ----------
    key
        Its name in links: ``help:numbers``.
    title
        The first line.
    markdown
        All of it.
    pictures
        The folder of its pictures; empty where it has none.
    places
        What is said in the headings that links within the page lead to, by their names.
    """

    key: str
    title: str
    markdown: str
    pictures: str = ""
    places: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def plain(self) -> str:
        """The words without marks, for searching."""
        # What stands for a picture is said by the picture.
        words = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", self.markdown)
        return re.sub(r"[*`|#]|\]\([^)]*\)|\[|^\s*-{3,}.*$", "", words, flags=re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that holds what was looked for, how often, and the words around the first place."""

    page: Page
    count: int
    around: str


@cache
def pages() -> tuple[Page, ...]:
    """Every page in the order they are read."""
    made = []
    for path in sorted(resources.path("help").glob("[0-9]*-*.md"), key=lambda path: int(path.stem.partition("-")[0])):
        words = path.read_text("utf-8")
        made.append(Page(path.stem.split("-", 1)[1], words.splitlines()[0].removeprefix("# "), words))
    return (*made, _papers(), _sources(), _keyboard())


def _sources() -> Page:
    """Where models and methods come from: the words on the papers, and every work of the list of references."""
    words = resources.path("help", "sources.md").read_text("utf-8")
    lines = [words.rstrip(), "", _("## Works"), "", _("| for | work |"), "| --- | --- |"]
    lines += [f"| {use} | {reference(key).work} |" for use, keys in USES for key in keys]
    return Page("sources", words.splitlines()[0].removeprefix("# "), "\n".join(lines) + "\n")


def _papers() -> Page:
    """The page of the papers' figures, as the program wrote it, its places told apart from its words."""
    path = resources.path("help", "reproductions", "README.md")
    words = unseal(path.read_bytes()).decode()
    places = dict(_PLACE.findall(words))
    title = words.splitlines()[0].removeprefix("# ")
    words = _PLACE.sub(r"## \2", words.replace("\n", f"\n\n{ENLARGE}\n", 1))
    return Page("papers", title, words, str(path.parent), MappingProxyType(places))


def _keyboard() -> Page:
    """The page of keys, from the table of actions, so that it is never out of date."""
    rows = [
        f"| {', '.join(row.shortcuts)} | {row.words.replace('&', '')} | {MENUS[row.menu].replace('&', '')} |"
        for row in ACTIONS
        if row.shortcuts
    ]
    others = [f"| {keys} | {what} | |" for keys, what in KEYS]
    lines = [
        _("# The keyboard"),
        "",
        _("Everything can be done without a mouse. A ring shows where the keyboard is."),
        "",
        _("| key | what it does | menu |"),
        "| --- | --- | --- |",
        *rows,
        *others,
    ]
    return Page("keyboard", _("The keyboard"), "\n".join(lines) + "\n")


def page(key: str) -> Page:
    """The page with a key; the first one where there is none."""
    return next((p for p in pages() if p.key == key), pages()[0])


def search(words: str, among: Sequence[Page] | None = None) -> list[Hit]:
    """The pages that hold all of some words, those that hold them most often first; all pages for no words."""
    among = pages() if among is None else among
    wanted = words.casefold().split()
    hits = []
    for one in among:
        text = " ".join(one.plain.split())
        folded = text.casefold()
        counts = [folded.count(word) for word in wanted]
        if all(counts):
            hits.append(Hit(one, sum(counts), _around(text, folded, wanted)))
    return sorted(hits, key=lambda hit: -hit.count) if wanted else hits


def _around(text: str, folded: str, wanted: list[str]) -> str:
    if not wanted:
        return ""
    at = folded.find(wanted[0])
    low, high = max(at - AROUND, 0), min(at + len(wanted[0]) + AROUND, len(text))
    low = text.find(" ", low, at) + 1 if low else 0
    return f"{'…' if low else ''}{text[low:high].strip()}{'…' if high < len(text) else ''}"


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
            # The stubs do not know that a block can be gone through.
            for piece in cast("Iterable[QTextBlock.iterator]", block):
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


class HelpWindow(QDialog):
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
        self.error = ErrorCard(theme)
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
        box.addWidget(self.error)
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
        hits = search(self.search.text())
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
            # No letter stands before the start of a block: a choice from there back takes in whole rows of a table.
            if not cursor.atBlockStart() and cursor.charFormat().fontWeight() > QFont.Weight.DemiBold:
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
        elif link.scheme() == _FILE:
            self._copy(link.path())
        elif not self.pictures.follow(link) and link.scheme() == "help":
            self.search.clear()
            self._choose(link.path())

    def _copy(self, name: str) -> None:
        """Save a file that comes with the help where the user wants it."""
        folders = ("tutorials", "samples")
        source = next((path for one in folders if (path := resources.path(one, name)).is_file()), None)
        if source is None:
            return
        target = dialogs.ask_where(self, _("Save this file"), name, _("Table (*.csv)"))
        if target is not None:
            dialogs.save_files(self, target, lambda: [(target, source.read_bytes())], self.error, Outputs())

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
