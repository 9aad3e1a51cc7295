"""Where the user writes what only the user can: every place of the report for own words, one beside the other."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QListWidget, QPlainTextEdit, QVBoxLayout, QWidget

from tapdesk.answers import user_words as notes
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import button, plain, text
from tapdesk.gui.widgets.layouts import WindowSize
from tapdesk.language import gettext as _
from tapdesk.project.nouns import PLACE as NOUNS
from tapdesk.project.project import Project
from tapdesk.report.outline import SECTIONS

TITLE = "title"
SHORT = (_("Summary for the committee"), _("Meaning and limits"))  # their places say by themselves where they stand
COMMENTED = ("model", "data", "description", "agreement", "results", "raters", "cases", "sensitivity")


@dataclass(frozen=True, slots=True)
class TextPlace:
    """One place for words: its name in the project, its heading here, and what to write."""

    place: str
    title: str
    question: str


def places() -> tuple[TextPlace, ...]:
    """All places, in the order of the report."""
    titles = {row.key: row.title for row in SECTIONS} | {notes.LETTERS: _("Letters")}
    items = [
        TextPlace(
            TITLE, _("Title"), _("The title of the report; it should say that agreement between {raters} was studied.")
        )
    ]
    sentence = _(
        "One a line: {a_subject} and {subjects}, {a_rater} and {raters}, {a_rating} and {ratings}. Empty: "
        "the words of the file."
    )
    items.append(TextPlace(NOUNS, _("Words for {subjects}, {raters} and {ratings}"), sentence))
    for prompt in notes.PROMPTS:
        section = titles.get(prompt.section, _("First page"))
        name = prompt.title.rstrip(".")
        lines = name if name == section or section in SHORT else f"{section}: {name}"
        items.append(TextPlace(prompt.place, lines, prompt.question))
    for key in COMMENTED:
        words = _("A comment of the committee, printed at the end of this section.")
        items.append(TextPlace(notes.comment(key), _("{titles}: comment").format(titles=titles[key]), words))
    return tuple(items)


def words_at(project: Project, place: str) -> str:
    """What stands at a place."""
    return project.title if place == TITLE else project.notes.get(place, "")


def with_words(project: Project, place: str, words: str) -> Project:
    """The project with other words at a place."""
    words = words.strip()
    return replace(project, title=words) if place == TITLE else project.with_note(place, words)


class OwnWordsWindow(QDialog):
    """Places at the left, what is asked and a field at the right; every change can be taken back.

    Attributes
    ----------
    draft
        Gives the sentences of the summary as they are drafted, to begin from.
    """

    def __init__(self, theme: Theme, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self.draft: Callable[[], str] = str
        self.setWindowTitle(_("Words of the report"))
        WindowSize(self, theme, 760, 460)
        self._rows = places()
        self._at: TextPlace | None = None
        self.list = QListWidget()
        self.list.setAccessibleName(_("Places for your words"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.addItems([row.title for row in self._rows])
        self.heading, self.question = text("", "card"), text("", "body", "2", wrap=True)
        self.field = QPlainTextEdit()
        self.field.setTabChangesFocus(True)
        self.field.setAccessibleName(_("Your words"))
        self.from_draft = button(_("Begin with the drafted sentences"), self._take_draft, small=True)
        right = plain(gap=6).add(self.heading, self.question, self.field, self.from_draft)
        right.box.setStretch(2, 1)
        middle = plain(across=True, gap=14).add(self.list, right)
        for at, share in enumerate((2, 3)):
            middle.box.setStretch(at, share)
        foot = plain(across=True).add(text(_("What you write is kept in the project."), "small", "2"))
        foot.box.addStretch(1)
        self.next_open = button(_("Next open place"), self._go_on)
        foot.add(self.next_open, button(_("Close"), self.close, name=_("Close the words")))
        box = QVBoxLayout(self)
        box.addWidget(middle, 1)
        box.addWidget(foot)
        self.list.currentRowChanged.connect(self._on_row)
        session.document.changed.connect(self._on_changed)
        session.opened.connect(self._on_opened)

    def show_at(self, place: str) -> None:
        """Open at a place."""
        self._mark()
        at = next((i for i, row in enumerate(self._rows) if row.place == place), 0)
        self.list.setCurrentRow(at)
        self._show(self._rows[at])
        self.show()
        self.activateWindow()
        self.field.setFocus()

    def keep(self) -> None:
        """Put what stands in the field into the project."""
        if self._at is None:
            return
        project, words = self._session.document.project, self.field.toPlainText().strip()
        if project.reading is not None and words != words_at(project, self._at.place):
            self._session.document.do(f"Words: {self._at.title}", with_words(project, self._at.place, words))

    def reject(self) -> None:
        """However the window is closed (Qt comes here from its button, its frame and Escape), keep what was written."""
        self.keep()
        self._at = None
        super().reject()

    @Slot(int)
    def _on_row(self, row: int) -> None:
        if row >= 0 and self._rows[row] is not self._at:
            self.keep()
            self._show(self._rows[row])

    @Slot()
    def _on_changed(self) -> None:
        # Undo and redo may change what is shown here; what is being written is kept first, so the two are equal then.
        if self.isVisible():
            self._mark()
            if self._at is not None and not self.field.hasFocus():
                self._show(self._at)

    @Slot()
    def _on_opened(self) -> None:
        # Another project: what stands in the field does not belong to it.
        self._at = None
        self.hide()

    def _show(self, row: TextPlace) -> None:
        self._at = row
        self.heading.setText(row.title)
        self.question.setText(row.question)
        self.field.setAccessibleName(row.title)
        self.field.setAccessibleDescription(row.question)
        self.field.setPlainText(words_at(self._session.document.project, row.place))
        self.from_draft.setVisible(row.place == "summary")

    def _take_draft(self) -> None:
        self.field.setPlainText(self.draft())
        self.field.setFocus()

    def _mark(self) -> None:
        """Show which places are filled: by a tick in words, not by colour alone."""
        project = self._session.document.project
        for i, row in enumerate(self._rows):
            item = self.list.item(i)
            filled = bool(words_at(project, row.place).strip())
            item.setText(f"✓  {row.title}" if filled else f"     {row.title}")
            state = "filled" if filled else "empty"
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{row.title}, {state}")

    def _go_on(self) -> None:
        """Go to the next place of the checklist that is still open."""
        self.keep()
        left = [item.place for item in notes.items(self._session.document.project) if item.place and not item.filled]
        order = [i for i, row in enumerate(self._rows) if row.place in left]
        after = [i for i in order if i > self.list.currentRow()] or order
        if after:
            self.list.setCurrentRow(after[0])
            self.field.setFocus()
