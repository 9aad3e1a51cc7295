"""What was noticed in the file, with what can be done about it, and the list of what was decided."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QLabel, QVBoxLayout, QWidget

from tapdesk.answers import numbers
from tapdesk.answers.fonts import shown
from tapdesk.errors import TapdeskError
from tapdesk.gui.dataset.key_cards import KeyCards
from tapdesk.gui.dataset.ratings_editing import RatingsDecisions
from tapdesk.gui.runs.job import Job
from tapdesk.gui.shell import status_texts
from tapdesk.gui.shell.opening import OpenedProject, SourceChangedError
from tapdesk.gui.shell.pane import PendingProject
from tapdesk.gui.shell.session import Session
from tapdesk.gui.shell.status_texts import clock
from tapdesk.gui.theme.icons import State
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Frame, button, clear, plain, rule, scroll_area, text
from tapdesk.gui.widgets.focus import FocusRing, bring_into_view
from tapdesk.gui.widgets.layouts import WindowSize
from tapdesk.gui.widgets.messages import Action, CheckRow, ErrorCard, without_options
from tapdesk.gui.widgets.tables import TableView
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext, say
from tapdesk.project.damage import Check, checks_by_damage, mending_fix
from tapdesk.project.decisions.base import DecisionStatus, LogRow, TakeBack
from tapdesk.project.external_change import FileStamp, SourceCheck, SourceDifference, check_source
from tapdesk.project.fixes.fix import Fix
from tapdesk.project.key_choices import KeyChoice, KeyQuestion, KeyRole, key_question
from tapdesk.project.project import Project
from tapdesk.project.recipes import stated_options
from tapdesk.project.review_state import FindingState
from tapdesk.project.what_if import WithoutDecision
from tapdesk.ratings.findings import Groups, Severity, label_text
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading

if TYPE_CHECKING:
    from tapdesk.answers.fix_effects import FixEffect

MARKS = {
    DecisionStatus.IN_FORCE: State.DONE,
    DecisionStatus.REPLACED: State.INFO,
    DecisionStatus.TAKEN_BACK: State.INFO,
    DecisionStatus.NOT_APPLIED: State.KNOW,
    DecisionStatus.ELSEWHERE: State.INFO,
}


# A row or column of sums that is left out is told in the decisions and comes back by one click. Of what else has to be
# answered each choice may be the right one, and none is put forward.
_SAFE = frozenset({"summary_row", "summary_column"})


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
            say(row.words),
            effect(row),
            (*ways_back(project, row.id, partial(self.take_back, row)), self._wonder(row))
            if can_be_taken_back(row, project)
            else (),
        )

    def _wonder(self, row: LogRow) -> Action:
        """Ask what would be without a decision; nothing is taken back."""
        return _("What if without it?"), lambda: self._session.wondered.emit(WithoutDecision(row.id))

    def _reading_row(self, name: str, words: str) -> CheckRow:
        """A choice about how the file is read; taken back, it is guessed again."""
        acts = ((_("Guess it again"), lambda: self.guess_again(name)),)
        return CheckRow(self._theme, State.DONE, _("How the file is read: {words}.").format(words=words), "", acts)

    def guess_again(self, name: str) -> None:
        """Take back a choice about how the file is read: it is read once more, and this is guessed."""
        reading = self._session.document.project.reading
        if reading is not None:
            self._session.read_again(replace(reading.asked, **{name: getattr(ReadingOptions(), name)}))

    def take_back(self, row: LogRow, *, everywhere: bool = True) -> None:
        """Take a decision back, of a form everywhere or for the question that is shown; that can be undone."""
        document = self._session.document
        try:
            after = document.project.take_back(row.id, everywhere=everywhere)
            document.do(_("Take back: {words}").format(words=numbers.short(row.words, 40)), after)
        except TapdeskError as problem:
            self.error.show_error(problem)


def _choices(reading: Reading | None) -> tuple[tuple[str, str], ...]:
    """What the user said about reading; how an example is read is not the user's choice."""
    return () if reading is None or reading.source.path is None else stated_options(reading.asked)


def effect(row: LogRow) -> str:
    """When, what it touched, and what became of it, in one line."""
    ratings = ngettext("{touches} rating", "{touches} ratings", row.touches).format(touches=numbers.count(row.touches))
    template = _("Decision {id}, {clock}.")
    if row.standing is DecisionStatus.IN_FORCE and row.touches:
        template = _("Decision {id}, {clock}, touches {ratings}.")
    if row.standing is not DecisionStatus.IN_FORCE:
        template = _("Decision {id}, {clock}, {standing}.")
    sentence = template.format(id=row.id, clock=clock(row.when), ratings=ratings, standing=row.standing.value)
    reason = _("Reason: {reason}").format(reason=row.reason) if row.reason else ""
    return " ".join(part for part in (sentence, row.problem, reason) if part)


def ways_back(project: Project, number: int, take_back: Callable[..., object]) -> tuple[Action, ...]:
    """How a decision can be taken back: of one about every question of a form for one of them, or for all."""
    entry = next(d for d in project.in_force if d.id == number)
    if not project.form or entry.question:
        return ((_("Take back"), take_back),)
    alone = _("Take back for “{question}” only").format(question=label_text(project.question))
    return (
        (_("Take back for all questions"), take_back),
        (alone, lambda: take_back(everywhere=False)),
    )


def can_be_taken_back(row: LogRow, project: Project) -> bool:
    """Whether a row of the log is a decision that still could be in force."""
    if row.standing is DecisionStatus.TAKEN_BACK:
        return False
    return not any(d.id == row.id and isinstance(d.decision, TakeBack) for d in project.in_force)


HEADER = (_("{Subject}"), _("{Rater}"), _("As it was read"), _("In the file now"))
STATES = {Severity.BLOCK: State.BLOCKED, Severity.ASK: State.KNOW, Severity.NOTE: State.INFO}


class SourceWatch(QObject):
    """Looks in a thread: when a project was opened, the file was found to be another one, or somebody comes back here.

    Attributes
    ----------
    noticed
        Emitted when there is something to tell.
    """

    noticed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.job = Job(self)
        self._reading: Reading | None = None
        self._difference: SourceDifference | None = None
        self._files: tuple[FileStamp | None, ...] | None = None
        session.opened.connect(self._on_opened)
        self.job.done.connect(self._on_done)
        self.job.failed.connect(session.bug)
        session.reading.failed.connect(self._on_not_read)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.applicationStateChanged.connect(self._on_state)

    def about(self, reading: Reading) -> SourceDifference | None:
        """What differs between the file and a reading of it; None where nothing does, or it is not known."""
        return self._difference if reading is self._reading else None

    def take_over(self) -> None:
        """Read the ratings from the file as it is now; that can be taken back."""
        result, document = self._difference, self._session.document
        if result is not None and result.reading is not None:
            document.do(_("Take over the changed file"), document.project.with_reading(result.reading))

    @Slot(object)
    def _on_opened(self, opened: OpenedProject | None) -> None:
        self.job.cancel()
        self._difference, self._reading = None, None
        if opened is not None:
            self._look()

    @Slot(object)
    def _on_not_read(self, error: BaseException) -> None:
        if isinstance(error, SourceChangedError):
            self._look()

    @Slot(Qt.ApplicationState)
    def _on_state(self, state: Qt.ApplicationState) -> None:
        """Look once when somebody comes back from another program, such as the one that wrote the file."""
        back = state == Qt.ApplicationState.ApplicationActive
        if back and not self._session.document.empty and not self._session.reading.running and not self.job.running:
            self._look()

    def _look(self) -> None:
        project = self._session.document.project
        if project.reading is not self._reading:
            # What was found about other ratings says nothing about these.
            self._reading, self._difference, self._files = project.reading, None, None
        self.job.start(check_source(project, self._files))

    @Slot(object)
    def _on_done(self, looked: SourceCheck) -> None:
        before, self._files = self._difference, looked.files
        if looked.compared:
            self._difference = looked.found
            self._session.changed_since = None if looked.found is None else self._reading
            # A row that is there goes when the old file is put back.
            if before is not None or looked.found is not None:
                self.noticed.emit()


class DifferenceWindow(QDialog):
    """A window beside the main one; looking changes nothing."""

    def __init__(self, theme: Theme, watch: SourceWatch, parent: QWidget) -> None:
        super().__init__(parent)
        self._watch = watch
        self.setWindowTitle(_("What differs"))
        WindowSize(self, theme, 640, 460)
        self.words = text("", "card", wrap=True)
        self.table = TableView(theme, _("Ratings that differ"), grid=False)
        self.more = text("", "caption", "3", wrap=True)
        foot = plain(across=True).add(button(_("Take over the changed file"), self._take_over, small=True))
        foot.box.addStretch(1)
        foot.add(button(_("Close"), self.hide, small=True, name=_("Close the differences")))
        box = QVBoxLayout(self)
        box.setSpacing(8)
        box.addWidget(self.words)
        box.addWidget(self.table, 1)
        box.addWidget(self.more)
        box.addWidget(foot)

    def show_difference(self, difference: SourceDifference) -> None:
        """Show the ratings that differ."""
        self.words.setText(say(difference.words))
        self.table.rows.show_rows(tuple(say(head) for head in HEADER), rows_of(difference))
        total = difference.changed + difference.added + difference.removed
        self.more.setText(
            _("The project goes on with the ratings as they were read, until you take over the file.")
            if total <= len(difference.cells)
            else _(
                "The first {cells} of {total} are listed. The project goes on with the ratings as they "
                "were read, until you take over the file."
            ).format(cells=numbers.count(len(difference.cells)), total=numbers.count(total))
        )
        self.show()
        self.raise_()
        self.table.fill()

    def _take_over(self) -> None:
        self.hide()
        self._watch.take_over()


def rows_of(difference: SourceDifference) -> list[tuple[str, str, str, str]]:
    """A row for each rating that differs; a dash where there is none."""
    return [
        (
            cell.subject,
            cell.rater,
            "–" if cell.was is None else shown(cell.was),
            "–" if cell.now is None else shown(cell.now),
        )
        for cell in difference.cells
    ]


class FindingsList(Frame):
    """Findings that wait for an answer, then what was decided, then what only informs, then what is fine.

    Attributes
    ----------
    previewed
        Emitted with the choice of a card whose ratings are to be shown; None where the ratings stand as they are.
    """

    previewed = Signal(object)

    def __init__(self, theme: Theme, fixing: RatingsDecisions, watch: SourceWatch) -> None:
        super().__init__("card", margins=(1, 0, 1, 1), gap=0)
        self._theme, self._fixing, self._watch = theme, fixing, watch
        self.difference = DifferenceWindow(theme, watch, self)
        self._words = text("", "body", "2", wrap=True)
        self._rows = plain(gap=0)
        self.later = PendingProject(self.show_project)
        self._open: list[CheckRow] = []
        self._reading: Reading | None = None
        self._project: Project | None = None
        self._by_finding: dict[tuple[str, Groups], CheckRow] = {}
        self.effects = Job(self)
        self.effects.done.connect(self._on_effects)
        # Findings of which what follows is shown.
        self._unfolded: set[tuple[str, Groups]] = set()
        self._chosen: dict[tuple[str, Groups], KeyRole] = {}
        self.cards: list[KeyCards] = []
        inside = plain(gap=0).add(self._rows)
        inside.box.addStretch(1)
        self._area = scroll_area(inside)
        self.add(plain(gap=2, margins=(14, 11, 14, 10)).add(text(_("Checks"), "card"), self._words), self._area)
        self.setAccessibleName(_("Checks"))

    @property
    def rows(self) -> Frame:
        """What was found, a row each, with lines between them."""
        self.later.catch_up()
        return self._rows

    @property
    def words(self) -> QLabel:
        """How the data stand, in a few words."""
        self.later.catch_up()
        return self._words

    def show_project(self, project: Project) -> None:
        """Show the findings of a project; the place scrolled to and the keyboard stay about where they were."""
        self.later.drop()
        reading = project.reading
        if reading is None:
            return
        bar = self._area.verticalScrollBar()
        # The checks of another file are read from their beginning.
        same = self._reading is not None and reading.source.sha256 == self._reading.source.sha256
        at, before = (bar.value(), self._focused()) if same else (0, None)
        self._reading, self._project = reading, project
        clear(self._rows.box)
        self._words.setText(status_texts.checks(project))
        changed = self._watch.about(reading)
        if changed is not None:
            self._rows.add(rule(), self._changed(changed))
        self._open, self._by_finding, self.cards = [], {}, []
        checks = checks_by_damage(project)
        for check in checks:
            row = self._row(check.state, check.touched)
            self._by_finding[check.state.finding.code, check.state.finding.about] = row
            self._add(row, check.state)
            if check.follows:
                self._add_follows(check)
        request = any(c.state.open and c.state.finding.severity is not Severity.NOTE for c in checks)
        for fact, effect in _fine(reading, project.all_classes, asked=request):
            self._rows.add(rule(), CheckRow(self._theme, State.DONE, fact, effect))
        self.previewed.emit(self.cards[0].choice if self.cards else None)
        self._focus(before)
        bar.setValue(min(at, bar.maximum()))
        if before is not None:
            QTimer.singleShot(0, self, self._see)
        self._try_answers(checks, project)

    def _try_answers(self, checks: Sequence[Check], project: Project) -> None:
        """Work out in a thread what the answers to open checks would do to the numbers."""
        self.effects.cancel()
        asked = (c.state for c in checks if c.state.open and c.state.finding.severity is not Severity.NOTE)
        if any(mending_fix(state) is not None for state in asked):
            # Start-up cost: the first card has no checks.
            from tapdesk.answers.fix_effects import fix_effects

            self.effects.start(fix_effects(project))

    @Slot(object)
    def _on_effects(self, effects: Sequence["FixEffect"]) -> None:
        from tapdesk.answers.fix_effects import effect_words  # start-up cost: as above

        for effect in effects:
            row = self._by_finding.get((effect.finding.code, effect.finding.about))
            if row is not None and not self.later.waits:
                row.add_effect(effect_words(effect))

    def _add(self, row: CheckRow, state: FindingState) -> None:
        self._rows.add(rule(), row)
        if state.open and row.links:
            self._open.append(row)

    def _add_follows(self, check: Check) -> None:
        """What goes with an answer above: one line, and the findings themselves where they were asked for."""
        key = (check.state.finding.code, check.state.finding.about)
        seen = key in self._unfolded
        fact, effect = check.follows_words
        link = (_("Hide them") if seen else _("Show them"), lambda: self._fold(key))
        self._rows.add(rule(), CheckRow(self._theme, State.INFO, fact, effect, (link,)))
        for state in check.follows if seen else ():
            self._add(self._row(state), state)

    def _fold(self, key: tuple[str, Groups]) -> None:
        """Show what follows from a finding, or no longer."""
        self._unfolded ^= {key}
        QTimer.singleShot(0, self, self._again)

    @Slot()
    def _again(self) -> None:
        if self._project is not None:
            self.show_project(self._project)

    def _changed(self, difference: SourceDifference) -> CheckRow:
        """The row about a file that is not what was read from it any more."""
        acts: list[Action] = []
        words = say(difference.words)
        if difference.cells:
            acts.append((_("See what differs"), lambda: self.difference.show_difference(difference)))
        if difference.reading is not None:
            acts.append((_("Take over the changed file"), self._watch.take_over))
        effect = _("The project goes on with the ratings as they were read.")
        return CheckRow(self._theme, State.KNOW, words, effect, tuple(acts))

    def _row(self, row: FindingState, touched: int = 0) -> CheckRow:
        finding = row.finding
        message = say(finding.message)
        where = say(finding.where)
        place = f"{where[:1].upper()}{where[1:]}." if where else ""
        if row.done is not None:
            number, words = row.done.id, row.done.words
            take_back = partial(self._fixing.take_back, number, words)
            back = () if self._project is None else ways_back(self._project, number, take_back)
            effect = _("{place} Decision {number}: {words}").format(place=place, number=number, words=words).strip()
            return CheckRow(self._theme, State.DONE, message, effect, back)
        if row.gone:
            return CheckRow(self._theme, State.DONE, message, _("It is no longer in the data."))
        # What is an option of the command line is a link here.
        todo = without_options(say(finding.fix))
        size = ngettext("It is about {n} rating.", "It is about {n} ratings.", touched) if touched else ""
        parts = (place, size and size.format(n=numbers.count(touched)), say(finding.default), todo)
        effect = " ".join(part for part in parts if part)
        question = None if self._project is None else key_question(self._project, row)
        if question is not None:
            # What can be done about it stands on the cards.
            return self._key_row(row, question, joined(message, say(finding.default)))
        acts = tuple((fix.words, lambda fix=fix: self._fix(fix)) for fix in row.fixes)
        safe = finding.code in _SAFE
        return CheckRow(self._theme, STATES[finding.severity], message, effect, acts, first_is_safe=safe)

    def _key_row(self, row: FindingState, question: KeyQuestion, effect: str) -> CheckRow:
        """A question with a card for each answer."""
        key = (row.finding.code, row.finding.about)
        made = CheckRow(self._theme, STATES[row.finding.severity], say(question.title), effect)
        cards = KeyCards(self._theme, question, self._chosen.get(key))

        def choose(choice: KeyChoice) -> None:
            self._chosen[key] = choice.role
            made.links = [cards.radio]
            self.previewed.emit(choice)

        cards.previewed.connect(choose)
        cards.answered.connect(self._fix)
        made.add_below(cards)
        made.links = [cards.radio]
        self.cards.append(cards)
        return made

    @Slot(object)
    def _fix(self, fix: Fix) -> None:
        # A row of the file before, in the moment in which those of the next are made, decides nothing.
        if not self.later.waits:
            self._fixing.fix(fix)

    def _focused(self) -> int | None:
        """Which row of the list the keyboard is in."""
        at = self.window().focusWidget()
        for i in range(self._rows.box.count()):
            item = self._rows.box.itemAt(i)
            widget = item.widget() if item is not None else None
            if at is not None and widget is not None and widget.isAncestorOf(at):
                return i
        return None

    def _focus(self, place: int | None) -> None:
        """Put the keyboard on the next open question, so that it is not lost when a row changes.

        Only where none is open it goes to what was decided: a space too many would take that back.
        """
        if place is None:
            return
        items = [self._rows.box.itemAt(i) for i in range(self._rows.box.count())]
        rows = [item.widget() for item in items if item is not None]
        in_turn = [r for r in (*rows[place:], *rows[:place]) if isinstance(r, CheckRow) and r.links]
        result = next((r for r in in_turn if r in self._open), in_turn[0] if in_turn else None)
        if result is not None:
            result.show()
            result.links[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def next_question(self) -> None:
        """Put the keyboard on the next open question after the one it is on; after the last comes the first."""
        rows = self.rows.box
        ring = self.window().findChild(FocusRing)
        if ring is not None:
            # Who goes on by a key sees where the keyboard is.
            ring.by_keyboard = True
        at = self._focused()
        self._focus(0 if at is None else min(at + 1, rows.count()))
        self._see()

    @Slot()
    def _see(self) -> None:
        """Scroll to the question the keyboard is in: its bold line is seen, whatever else has room."""
        place = self._focused()
        item = None if place is None else self._rows.box.itemAt(place)
        row = None if item is None else item.widget()
        if row is not None:
            bring_into_view(row)


def _fine(reading: Reading, ratings: Ratings, *, asked: bool) -> list[tuple[str, str]]:
    """What is in order; it stays listed because it builds trust, but not while questions are open about it."""
    rows = []
    used = int((ratings.class_rates() > 0).sum())
    effect = _("Classes used: {used} of {classes}.").format(used=used, classes=len(ratings.classes))
    if not asked:
        rows.append((_("Every rating is a known class"), effect))
    if not reading.missing:
        rows.append((_("No rating is missing"), ""))
    return rows
