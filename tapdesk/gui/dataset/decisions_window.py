"""The Decisions log: what was decided about the ratings, when, and what each decision touched."""

from dataclasses import replace

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from tapdesk.answers import numbers
from tapdesk.errors import TapdeskError
from tapdesk.gui.results.fit_presenter import clock
from tapdesk.gui.shell.session import Session
from tapdesk.gui.shell.status_texts import names_in
from tapdesk.gui.theme.icons import State
from tapdesk.gui.theme.localised_numbers import localised_text as as_here
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import button, clear, plain, rule, scroll_area, text
from tapdesk.gui.widgets.layouts import WindowSize
from tapdesk.gui.widgets.messages import CheckRow, ErrorCard
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.project.project import DecisionStatus, LogRow, Project, TakeBack
from tapdesk.project.recipes import stated_options
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import Reading

MARKS = {
    DecisionStatus.IN_FORCE: State.DONE,
    DecisionStatus.REPLACED: State.INFO,
    DecisionStatus.TAKEN_BACK: State.INFO,
    DecisionStatus.NOT_APPLIED: State.KNOW,
}


class DecisionsWindow(QDialog):
    """A window beside the main one; it follows the project, and every row can be taken back."""

    def __init__(self, theme: Theme, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._session = theme, session
        self.setWindowTitle(_("Decisions"))
        WindowSize(self, theme, 560, 480)
        self.words = text("", "body", "2", wrap=True)
        self.error = ErrorCard(theme)
        self.rows = plain(gap=0)
        inside = plain(gap=0).add(self.rows)
        inside.box.addStretch(1)
        foot = plain(across=True)
        foot.box.addStretch(1)
        foot.add(button(_("Close"), self.hide, name=_("Close the decisions")))
        box = QVBoxLayout(self)
        for part in (text(_("Decisions"), "card"), self.words, self.error):
            box.addWidget(part)
        box.addWidget(scroll_area(inside), 1)
        box.addWidget(foot)
        session.document.changed.connect(self._on_changed)

    def showEvent(self, event: object) -> None:
        """Show the log as it stands."""
        del event
        self.refresh()

    @Slot()
    def _on_changed(self) -> None:
        # The log is worked out only while somebody looks at it.
        if self.isVisible():
            self.refresh()

    def refresh(self) -> None:
        """Show the log as it stands, the newest decision first."""
        self.error.hide()
        clear(self.rows.box)
        project = self._session.document.project
        log, choices = project.log, _choices(project.reading)
        self.words.setText(
            _("Each can be taken back by itself; the file is left untouched.")
            if log or choices
            else _("Nothing was decided about the ratings: they stand as they were read.")
        )
        for row in reversed(log):
            self.rows.add(rule(), self._row(row, project))
        for name, words in choices:
            self.rows.add(rule(), self._reading_row(name, words))

    def _row(self, row: LogRow, project: Project) -> CheckRow:
        return CheckRow(
            self._theme,
            MARKS[row.standing],
            as_here(row.words, _names(project)),
            effect(row),
            ((_("Take back"), lambda: self.take_back(row)),) if can_be_taken_back(row, project) else (),
        )

    def _reading_row(self, name: str, words: str) -> CheckRow:
        """A choice about how the file is read; taken back, it is guessed again."""
        acts = ((_("Guess it again"), lambda: self.guess_again(name)),)
        return CheckRow(self._theme, State.DONE, _("How the file is read: {words}.").format(words=words), "", acts)

    def guess_again(self, name: str) -> None:
        """Take back a choice about how the file is read: it is read once more, and this is guessed."""
        reading = self._session.document.project.reading
        if reading is not None:
            self._session.read_again(replace(reading.asked, **{name: getattr(ReadingOptions(), name)}))

    def take_back(self, row: LogRow) -> None:
        """Take a decision back; that can be undone."""
        document = self._session.document
        try:
            document.do(
                _("Take back: {words}").format(words=numbers.short(row.words, 40)), document.project.take_back(row.id)
            )
        except TapdeskError as problem:
            self.error.show_error(problem)


def _choices(reading: Reading | None) -> tuple[tuple[str, str], ...]:
    """What the user said about reading; how an example is read is not the user's choice."""
    return () if reading is None or reading.source.path is None else stated_options(reading.asked)


def _names(project: Project) -> tuple[str, ...]:
    """What the user has named, in the file or since."""
    ratings, reading = project.all_classes, project.reading
    return (*(names_in(reading) if reading is not None else ()), *ratings.classes, *ratings.raters, *ratings.subjects)


def effect(row: LogRow) -> str:
    """When, what it touched, and what became of it, in one line."""
    ratings = ngettext("{touches} rating", "{touches} ratings", row.touches).format(touches=numbers.count(row.touches))
    template = _("Decision {id}, {clock}.")
    if row.standing is DecisionStatus.IN_FORCE and row.touches:
        template = _("Decision {id}, {clock}, touches {ratings}.")
    if row.standing is not DecisionStatus.IN_FORCE:
        template = _("Decision {id}, {clock}, {standing}.")
    told = template.format(id=row.id, clock=clock(row.when), ratings=ratings, standing=row.standing.value)
    reason = _("Reason: {reason}").format(reason=row.reason) if row.reason else ""
    return " ".join(part for part in (told, row.problem, reason) if part)


def can_be_taken_back(row: LogRow, project: Project) -> bool:
    """Whether a row of the log is a decision that still could be in force."""
    if row.standing is DecisionStatus.TAKEN_BACK:
        return False
    return not any(d.id == row.id and isinstance(d.decision, TakeBack) for d in project.in_force)
