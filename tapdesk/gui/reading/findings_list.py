"""The Checks card: every finding with where, effect and what can be done about it with one click."""

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QLabel

from tapdesk.gui import sayings
from tapdesk.gui.look.icons import State
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.on_screen import told
from tapdesk.gui.reading.difference_window import Difference
from tapdesk.gui.reading.fixing import Fixing
from tapdesk.gui.reading.later import Later
from tapdesk.gui.reading.source_watch import SourceWatch
from tapdesk.gui.sayings import names_in
from tapdesk.gui.widgets.basic import Frame, clear, plain, rule, scrolled, text
from tapdesk.gui.widgets.focus import FocusRing
from tapdesk.gui.widgets.messages import Action, CheckRow, without_options
from tapdesk.language import gettext as _
from tapdesk.project.external_change import SourceDifference
from tapdesk.project.project import Project
from tapdesk.project.rating_fixes import Fix
from tapdesk.project.review_state import FindingState, finding_states
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading

STATES = {Severity.BLOCK: State.BLOCKED, Severity.ASK: State.KNOW, Severity.NOTE: State.INFO}


class FindingsList(Frame):
    """Findings that wait for an answer, then what was decided, then what only informs, then what is fine."""

    def __init__(self, theme: Theme, fixing: Fixing, watch: SourceWatch) -> None:
        super().__init__("card", margins=(1, 0, 1, 1), gap=0)
        self._theme, self._fixing, self._watch = theme, fixing, watch
        self.difference = Difference(theme, watch, self)
        self._words = text("", "body", "2")
        self._rows = plain(gap=0)
        self.later = Later(self.show_project)
        self._open: list[CheckRow] = []
        inside = plain(gap=0).add(self._rows)
        inside.box.addStretch(1)
        self._area = scrolled(inside)
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
        at, before = bar.value(), self._focused()
        clear(self._rows.box)
        self._words.setText(sayings.checks(project))
        changed = self._watch.about(reading)
        if changed is not None:
            self._rows.add(rule(), self._changed(changed))
        found = finding_states(project)
        names = names_in(reading)
        self._open = []
        for row in sorted(found, key=_rank):
            one = self._row(row, names)
            self._rows.add(rule(), one)
            if row.open and one.links:
                self._open.append(one)
        asked = any(row.open and row.finding.severity is not Severity.NOTE for row in found)
        for fact, effect in _fine(reading, project.all_classes, asked=asked):
            self._rows.add(rule(), CheckRow(self._theme, State.DONE, fact, effect))
        self._focus(before)
        bar.setValue(min(at, bar.maximum()) if at else 0)
        if before is not None:
            QTimer.singleShot(0, self, self._see)

    def _changed(self, found: SourceDifference) -> CheckRow:
        """The row about a file that is not what was read from it any more."""
        acts: list[Action] = []
        words = told(found.words)
        if found.cells:
            acts.append((_("See what differs"), lambda: self.difference.show_difference(found)))
        if found.reading is not None:
            acts.append((_("Take over the changed file"), self._watch.take_over))
        effect = _("The project goes on with the ratings as they were read.")
        return CheckRow(self._theme, State.KNOW, words, effect, tuple(acts))

    def _row(self, row: FindingState, names: tuple[str, ...]) -> CheckRow:
        finding = row.finding
        own = (*names, *(name for group in finding.about for name in group))
        message = told(finding.message, own)
        place = f"{finding.where[:1].upper()}{finding.where[1:]}." if finding.where else ""
        if row.done is not None:
            number, words = row.done.id, row.done.words
            back: tuple[Action, ...] = ((_("Take back"), lambda: self._fixing.take_back(number, words)),)
            effect = _("{place} Decision {number}: {words}").format(place=place, number=number, words=words).strip()
            return CheckRow(self._theme, State.DONE, message, told(effect, own), back)
        if row.gone:
            return CheckRow(self._theme, State.DONE, message, _("It is no longer in the data."))
        # What is an option of the command line is a link here.
        todo = without_options(finding.fix)
        effect = " ".join(part for part in (place, finding.default, todo) if part)
        acts = tuple((fix.words, lambda fix=fix: self._fix(fix)) for fix in row.fixes)
        return CheckRow(self._theme, STATES[finding.severity], message, told(effect, own), acts)

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
        found = next((r for r in in_turn if r in self._open), in_turn[0] if in_turn else None)
        if found is not None:
            found.show()
            found.links[0].setFocus(Qt.FocusReason.OtherFocusReason)

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
        """Scroll to where the keyboard is."""
        at = self.window().focusWidget()
        if at is not None and self._rows.isAncestorOf(at):
            self._area.ensureWidgetVisible(at)


def _rank(row: FindingState) -> tuple[bool, int]:
    """Open questions first, settled ones after them, each by how grave it is."""
    return not row.open, list(Severity).index(row.finding.severity)


def _fine(reading: Reading, ratings: Ratings, *, asked: bool) -> list[tuple[str, str]]:
    """What is in order; it stays listed because it builds trust, but not while questions are open about it."""
    rows = []
    used = int((ratings.class_rates() > 0).sum())
    effect = _("{used} of {classes} categories are used.").format(used=used, classes=len(ratings.classes))
    if not asked:
        rows.append((_("Every rating is a known category"), effect))
    if not reading.missing:
        rows.append((_("No rating is missing"), ""))
    return rows
