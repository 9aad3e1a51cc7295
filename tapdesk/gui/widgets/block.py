"""A block of the results: a plain title, tools, a picture or words, and the same as a table."""

from collections.abc import Callable, Sequence
from functools import cached_property, partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QWidget

from tapdesk.answers.figure import Figure
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Frame, Tick, ToolIcon, plain, rule, text
from tapdesk.gui.widgets.focus import bring_into_view
from tapdesk.gui.widgets.layouts import Pages
from tapdesk.gui.widgets.tables import TableView, put_picture, put_table
from tapdesk.language import PLAIN, say, speaking
from tapdesk.language import gettext as _

PAUSE = 500  # milliseconds without a key before the words are told
LONG = 12
# Pixels at 100 % text of a block with a picture, and of one of sentences: they need no more than they have.
BLOCK, LOW_BLOCK = 232, 120
Rows = tuple[Sequence[str], Sequence[Sequence[str]]]
Pictures = Callable[[], tuple[str, tuple[Figure, ...]]]


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


class Block(Frame):
    """A card with a head, a body, and the table view of the same.

    Parameters
    ----------
    title
        The plain title, a question or a fact.
    body
        Picture or words.
    pictures
        Makes the picture for a file: its kind and its panels, none while there is nothing to draw.

    Attributes
    ----------
    reported
        Emitted with whether the user wants it in the report.
    saved
        Emitted with the panels of the picture and its kind, to be saved where the user wants.
    exported
        Emitted with the heads and the rows of the table, to be saved as CSV where the user wants.
    wide
        Whether it stands over the whole width, also where others stand in two columns.
    """

    wide = False
    reported = Signal(bool)
    saved = Signal(tuple, str)
    exported = Signal(object, object)

    def __init__(self, theme: Theme, title: str, body: QWidget, pictures: Pictures, height: int = BLOCK) -> None:
        super().__init__("card", margins=(1, 0, 1, 8), gap=0)
        self.setAccessibleName(title)
        self._rows: Rows | None = None
        self._right: Sequence[int] | None = None
        self.footnote = ""
        self.title = text(title, "card", wrap=True)
        self.caption = text("", "caption", "3", wrap=True)
        self.caption.hide()
        self.line = text("", "caption", "3", wrap=True)
        self.line.setContentsMargins(14, 0, 14, 4)
        self.line.hide()
        self.body = body
        self.trouble = text("", "body", "2", wrap=True)
        self.trouble.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.trouble.setContentsMargins(14, 6, 14, 6)
        self.stack = Pages()
        for part in (body, self.trouble):
            self.stack.addWidget(part)
        self._theme, self._high = theme, height
        theme.changed.connect(self._dress)
        self._dress()
        self._pictures = pictures
        self.note = Note(theme, title)
        self.explanation = text("", "small", "2", wrap=True)
        self.explanation.setContentsMargins(14, 0, 14, 8)
        self.explanation.hide()
        self.add(self._head(theme, title), self.explanation, self.line)
        self.box.addWidget(self.stack, 1)
        self.add(self.note)

    def _head(self, theme: Theme, title: str) -> Frame:
        """The title with the tools beside it."""
        head = plain(across=True, gap=5, margins=(14, 6, 8, 6)).add(self.title, self.caption)
        # The title keeps one line where it can: the caption stands beside it only while it is short.
        head.box.setStretch(0, 3)
        head.box.setStretch(1, 1)
        self.explain_tool = ToolIcon(theme, "mark-info", _("Explain: {title}").format(title=title), self.explain)
        self.explain_tool.hide()
        self.view = ToolIcon(theme, "table", _("Show as a table: {title}").format(title=title), self.toggle)
        self.copy = ToolIcon(theme, "copy", _("Copy the table: {title}").format(title=title), self.copy_table)
        self.tools = plain(across=True, gap=2).add(self.view, self.copy)
        words = _("Copy the picture: {title}"), _("Save the picture: {title}")
        self.picture_tools = (
            ToolIcon(theme, "picture", words[0].format(title=title), self.copy_picture),
            ToolIcon(theme, "save", words[1].format(title=title), self.save_picture),
        )
        self.tools.add(*self.picture_tools)
        self.note_tool = ToolIcon(theme, "note", _("Write a note: {title}").format(title=title), self.note.open)
        self.in_report = Tick(theme, _("In report"), "small")
        self.in_report.setAccessibleName(_("In report: {title}").format(title=title))
        self.in_report.clicked.connect(self.reported)
        self.apart = rule(upright=True)
        tools = (self.explain_tool, self.view, self.copy, *self.picture_tools, self.note_tool, self.in_report)
        named = (
            _("Explain: {title}"), _("Show as a table: {title}"), _("Copy the table: {title}"), *words,
            _("Write a note: {title}"), _("In report: {title}"),
        )  # fmt: skip
        self._called = tuple(zip(tools, named, strict=True))
        return head.add(self.explain_tool, self.tools, self.note_tool, self.apart, self.in_report)

    def _dress(self) -> None:
        self.stack.setMinimumHeight(self._theme.px(self._high))

    def call(self, title: str) -> None:
        """Be called by another title, in the words of the file that is open by now; its tools as well."""
        before = self.accessibleName()
        self.title.setText(title)
        if title == before:
            return
        # What shows it is called as it is.
        for part in (self, *self.stack.findChildren(QWidget)):
            if part.accessibleName() == before:
                part.setAccessibleName(title)
        for tool, words in self._called:
            tool.setAccessibleName(words.format(title=title))
            if isinstance(tool, ToolIcon):
                tool.setToolTip(words.format(title=title))

    def hold(self, high: int) -> None:
        """Be at least so high, in pixels at 100 % text, without head and note."""
        if high != self._high:
            self._high = high
            self._dress()

    def offer_picture(self, *, there: bool) -> None:
        """Offer to copy and to save the picture, where there is one."""
        for tool in self.picture_tools:
            tool.setVisible(there)

    def explain_with(self, words: str) -> None:
        """Offer an explanation of what is shown: these sentences."""
        self.explanation.setText(words)
        self.explain_tool.show()

    def explain(self) -> None:
        """Show the explanation, or hide it again."""
        self.explanation.setVisible(self.explanation.isHidden())
        bring_into_view(self.explanation)

    def show_part(self, words: str, *, printed: bool, section: str) -> None:
        """Show the note that is kept, and whether the section that prints this block is in the report."""
        self.note.show_words(words)
        self.in_report.setChecked(printed)
        self.in_report.setToolTip(
            _("Prints or leaves out the section “{section}” of the report.").format(section=section)
        )

    @cached_property
    def table(self) -> TableView:
        """What is shown, as a table; made when it is first looked at."""
        name = _("{title} As a table").format(title=self.accessibleName())
        view = TableView(self._theme, name, grid=False)
        self.stack.insertWidget(1, view)
        self._fill(view)
        return view

    def _fill(self, view: TableView) -> None:
        """Put the rows into the table view; words stand to the left, numbers to the right."""
        if self._rows is not None:
            header, rows = self._rows
            view.rows.show_rows(header, rows, right=range(1, len(header)) if self._right is None else self._right)
            view.fill()

    @property
    def rows(self) -> Rows | None:
        """The table of what is shown."""
        return self._rows

    def show_rows(
        self,
        header: Sequence[str],
        rows: Sequence[Sequence[str]],
        caption: str = "",
        note: str = "",
        right: Sequence[int] | None = None,
    ) -> None:
        """Tell the block the table of what its body shows; ``right`` are the columns of numbers, all but the first."""
        self._rows, self.footnote, self._right = (header, rows), note, right
        if "table" in self.__dict__:
            self._fill(self.table)
        # A short caption stands beside the title, a long one in a line of its own.
        long = len(caption) > LONG
        self.caption.setText("" if long else caption)
        self.caption.setVisible(bool(caption) and not long)
        self.line.setText(caption if long else "")
        self.line.setVisible(long)
        self.tools.setEnabled(True)
        if self.stack.currentWidget() is self.trouble:
            self.stack.setCurrentWidget(self.body)

    def show_trouble(self, reason: str) -> None:
        """Only this block has failed: a dash and the reason."""
        self._instead("\n".join(["–", say(reason)]))

    def show_working(self, words: str) -> None:
        """What is to stand here is still being worked out."""
        self._instead(words)

    def _instead(self, words: str) -> None:
        self._rows = None
        self.caption.hide()
        self.line.hide()
        self.trouble.setText(words)
        self.tools.setEnabled(False)
        self.stack.setCurrentWidget(self.trouble)

    def toggle(self) -> None:
        """Change between picture and table."""
        if self._rows is not None:
            self.stack.setCurrentWidget(self.table if self.stack.currentWidget() is self.body else self.body)
            if self.stack.currentWidget() is self.table:
                self.table.fill()

    def copy_table(self) -> None:
        """Put the table on the clipboard as a spreadsheet takes it."""
        if self._rows is not None:
            put_table(*self._rows, self.footnote, self.title.text())

    def save_table(self) -> None:
        """Ask for the table to be saved as CSV."""
        if self._rows is not None:
            self.exported.emit(*self._rows)

    def tool_menu(self) -> QMenu:
        """What can be done with what is shown, as a menu: the tools of the head, and a file of the table."""
        menu = QMenu(self)
        rows = [(_("Copy the table"), self.copy_table), (_("Save the table as CSV…"), self.save_table)]
        if not self.picture_tools[0].isHidden():
            rows += [(_("Copy the picture"), self.copy_picture), (_("Save the picture…"), self.save_picture)]
        for words, act in rows:
            menu.addAction(words).triggered.connect(lambda _on=False, act=act: act())
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer the same by the right button and by the menu key."""
        if self._rows is not None:
            self.tool_menu().popup(event.globalPos())
            event.accept()

    def _for_a_file(self) -> tuple[str, tuple[Figure, ...]]:
        """The pictures as files have them, whatever the screen speaks."""
        with speaking(PLAIN):
            return self._pictures()

    def copy_picture(self) -> None:
        """Put the picture on the clipboard as it is printed."""
        _kind, panels = self._for_a_file()
        if panels:
            with speaking(PLAIN):
                put_picture(panels)

    def save_picture(self) -> None:
        """Ask for the picture to be saved."""
        kind, panels = self._for_a_file()
        if panels:
            self.saved.emit(panels, kind)


class BlockFiller(QObject):
    """Fills blocks, and tells a fault of the program once.

    Attributes
    ----------
    bug
        The exception that stopped a block.
    """

    bug = Signal(BaseException)

    def __init__(self) -> None:
        super().__init__()
        self._known_faults: set[tuple[str, str]] = set()

    def fill(self, how: Callable[[], None], *blocks: Block) -> None:
        """Fill blocks; where that fails they say so, and what is below them is filled all the same."""
        try:
            how()
        except Exception as error:
            words = _("A fault of the program keeps this from being shown. The other parts are not touched by it.")
            for block in blocks:
                block.show_trouble(words)
            fault = (blocks[0].accessibleName(), repr(error))
            if fault not in self._known_faults:
                self._known_faults.add(fault)
                # After everything else has been shown: the dialog waits for the user.
                QTimer.singleShot(0, self, partial(self.bug.emit, error))
