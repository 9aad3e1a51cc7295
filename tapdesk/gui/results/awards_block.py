"""The block of the results that says who wins, how sure: rule and medal lines, the list, and what is saved of it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QBoxLayout, QLineEdit, QWidget

from tapdesk.agreement.known import CommonError
from tapdesk.answers.award_part import award_results
from tapdesk.answers.awards import differing, rule_name
from tapdesk.answers.part import Answer, Content
from tapdesk.answers.parts import part
from tapdesk.answers.question import question_of
from tapdesk.errors import TapdeskError, UsageError
from tapdesk.gui.results.award_page import AwardPage
from tapdesk.gui.results.on_demand_blocks import Ask, OnDemandBlock
from tapdesk.gui.runs.job import Job
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.dialogs import permitted
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.chip import Chip
from tapdesk.gui.widgets.controls import Choice, button, plain, text
from tapdesk.gui.widgets.focus import bring_into_view
from tapdesk.gui.widgets.messages import ErrorCard
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.project.awards import award_request, medal_lines, with_award_request
from tapdesk.project.bands import band_names, entries, written
from tapdesk.project.project import Analysis
from tapdesk.ratings.texts import number
from tapdesk.studies.award_answer import AwardRequest, Awards
from tapdesk.studies.award_rules import COMMITTEE_RULES, Rule

# Its place where it answers the question: below the headline.
_FIRST = 1
LISTS = _("Workbook (*.xlsx);;Document (*.docx);;Table (*.csv)")
WORKLISTS = _("Workbook (*.xlsx)")
SHEETS = _("Document (*.docx)")


class AwardsBlock(OnDemandBlock):
    """A block with the committee's rule and its medal lines; the list stands below when it is worked out.

    Attributes
    ----------
    decided
        Emitted with rule, lines, names and the class that wins where they are others than the project remembers.
    listed, worklisted, discussed
        Emitted with the answer when the list, a worklist of what one more rating tells most of, or one of the entries
        about which committee and model differ is to be saved.
    wondered
        Emitted with the judge without whom the whole analysis is to be seen.
    first
        Whether it stands before the other blocks: who wins was the question.
    lines_chip
        Stands in the head of the page where who wins was the question: it tells the medal lines, and leads to them.
    """

    decided = Signal(object)
    wondered = Signal(str)
    listed = Signal(object)
    worklisted = Signal(object)
    discussed = Signal(object)

    def __init__(self, theme: Theme, job: Job) -> None:
        ask = _(
            "Works out what each entry is worth with the severity of its judges taken out, and how sure the awards "
            "are. The committee’s own result stands first."
        )
        self.shown = part("awards")
        self.award_page = AwardPage(theme, self.shown.title)
        super().__init__(theme, self.shown, job, ask, self.award_page)
        self.award_page.discussed.connect(self._discuss)
        self.award_page.noted.connect(self._open_note)
        self.award_page.wondered.connect(self.wondered)
        self.first = False
        self._asked = AwardRequest()
        rules = tuple((str(rule_name(rule)), rule.value) for rule in COMMITTEE_RULES)
        self.rule = Choice(theme, _("Rule of the committee"), ((_("The usual rule"), ""), *rules), 220)
        self.wanted = Choice(theme, _("Class that wins"), (), 230)
        self.lines, self.names = QLineEdit(), QLineEdit()
        self.lines.setPlaceholderText(_("Lines: 13; 15; 17"))
        self.lines.setAccessibleName(_("Medal lines"))
        self.names.setPlaceholderText(_("Their names, lowest first"))
        self.names.setAccessibleName(_("Names of the medals"))
        self.lines_chip = Chip(theme, _("Medal lines"), "")
        self.lines_chip.clicked.connect(self._to_lines)
        self.begin = button(_("Who wins, how sure?"), self.work, small=True)
        self.save_list = button(_("Save the list…"), self._list, small=True)
        self.save_worklist = button(_("Save a worklist…"), self._worklist, small=True)
        for line in (self.lines, self.names):
            line.setMinimumWidth(theme.px(200))
            line.returnPressed.connect(self.work)
        self.offer(self.rule, self.wanted, self.lines, self.names, self.begin, self.save_list, self.save_worklist)
        # Beside what is typed: the list as it was last correct stays below.
        self.reason = text("", "small", "stop", wrap=True)
        self.reason_line = plain(margins=(14, 0, 14, 6)).add(self.reason)
        self.saved_words = text("", "small", "2", wrap=True)
        self.saved_line = plain(margins=(14, 0, 14, 6)).add(self.saved_words)
        self.box.insertWidget(2, self.reason_line)
        self.box.insertWidget(3, self.saved_line)
        self._say_reason("")
        self.show_saved("")
        self.moved.connect(self._offer_files)
        self._offer_files()

    def of(self, answer: Answer) -> None:
        """Another answer, with the controls that its ratings need."""
        mark, every = self._asked.decimal, answer.every
        scores = all(number(label, mark) is not None for label in every.classes)
        unordered = not scores and not every.ordered
        self.lines.setVisible(scores)
        self.names.setVisible(scores)
        self.rule.setVisible(not unordered)
        self.wanted.setVisible(unordered)
        self.wanted.clear()
        self.wanted.addItem(_("Choose the class that wins…"), "")
        for label in every.classes:
            self.wanted.addItem(label, label)
        super().of(answer)
        self._show_asked()
        self._show_chip()

    @Slot()
    def _to_lines(self) -> None:
        """Go to where the medal lines are typed."""
        bring_into_view(self.lines)
        self.lines.setFocus(Qt.FocusReason.OtherFocusReason)
        self.lines.selectAll()

    def _show_chip(self) -> None:
        """The medal lines as they were last correct."""
        asked = self._asked
        lines = " · ".join(written(line, asked.decimal) for line in asked.lines)
        self.lines_chip.show_value(_("{lines} points").format(lines=lines) if lines else _("none yet"))
        self.lines_chip.setVisible(self.first and not self.lines.isHidden())

    def show_saved(self, words: str) -> None:
        """Say what was saved; nothing once the list is another."""
        self.saved_words.setText(words)
        self.saved_line.setVisible(bool(words))

    def _say_reason(self, reason: str) -> None:
        self.reason.setText(reason)
        self.reason_line.setVisible(bool(reason))
        for line in (self.lines, self.names):
            line.setAccessibleDescription(reason)

    def decide(self, asked: AwardRequest) -> None:
        """Show what the project remembers; where that is something else than before, what is shown is made anew."""
        known, self._asked = self._asked, asked
        if known != asked:
            self._show_asked()
            if self.at is not None:
                self.work()

    def _show_asked(self) -> None:
        asked = self._asked
        self.rule.choose("" if asked.rule is None else asked.rule.value)
        self.wanted.choose(asked.wanted)
        self.lines.setText("; ".join(written(line, asked.decimal) for line in asked.lines))
        self.names.setText("" if asked.names == band_names(asked.lines, asked.decimal) else "; ".join(asked.names))
        self._show_chip()
        self._say_reason("")

    def answer(self, analysis: Analysis, box: QBoxLayout, after: QWidget) -> bool:
        """Stand before all blocks and begin at once where who wins was asked, else behind another block.

        Returns
        -------
        bool
            Whether it has another place than before.
        """
        question = question_of(analysis)
        first = question is not None and question.demand == self.shown.key
        moved, self.first = self.first != first, first
        if moved:
            box.removeWidget(self)
            box.insertWidget(_FIRST if first else box.indexOf(after) + 1, self)
        self._show_chip()
        if first:
            self.work()
        return moved

    def request(self) -> AwardRequest:
        """What is asked, as it stands in the controls.

        Raises
        ------
        UsageError
            When the lines are none of these scores, or of classes without an order none is chosen.
        """
        answer, mark = self._answer, self._asked.decimal
        if answer is None:
            return self._asked
        # Hidden controls belong to other ratings.
        if not self.wanted.isHidden():
            wanted = str(self.wanted.currentData())
            if not wanted:
                raise UsageError(
                    _("These classes have no order, so nothing says which of them is best."),
                    fix=_("Choose the class that wins, or say their order in Dataset."),
                )
            return replace(self._asked, rule=None, lines=(), names=(), wanted=wanted)
        chosen = str(self.rule.currentData())
        asked = replace(self._asked, rule=Rule(chosen) if chosen else None, lines=(), names=(), wanted="")
        cuts = () if self.lines.isHidden() else entries(self.lines.text())
        if not cuts:
            return asked
        lines, names = medal_lines(answer.every, mark, cuts, entries(self.names.text()))
        return replace(asked, lines=lines, names=names)

    @Slot()
    def work(self) -> None:
        """Work out the answer to what is asked."""
        answer = self._answer
        if answer is None:
            return
        try:
            asked = self.request()
        except TapdeskError as error:
            reason = joined(error.what, error.fix)
            if self.awards is None:
                self.refuse(reason)
            else:
                still = _("Shown is still the list as it was before.")
                self._say_reason(joined(reason, still))
            return
        self._say_reason("")
        if asked != self._asked:
            self._asked = asked
            self._show_chip()
            self.decided.emit(asked)
        begin = partial(award_results, answer, asked)
        key = f"{asked.rule} {asked.wanted} {asked.lines} {asked.names}"
        content = self.shown.content
        prints = (self.shown.key, True)
        self.look_at(Ask(key, self.shown.title, begin, lambda side: content(replace(answer, side=side)), prints))

    def fill_page(self, content: Content) -> None:
        """Show the list, the judges and the committee, and below them all else that is said."""
        result = self.awards
        self.show_saved("")
        if result is not None:
            self.award_page.show_result(result, content, leads=self.first)

    @Slot()
    def _discuss(self) -> None:
        if self.awards is not None:
            self.discussed.emit(self.awards)

    @Slot()
    def _open_note(self) -> None:
        self.note.open()

    @property
    def awards(self) -> Awards | None:
        """The answer that is shown; None while there is none."""
        return None if self.result is None else self.result.on_demand.get("awards")

    @Slot()
    def _offer_files(self) -> None:
        for press in (self.save_list, self.save_worklist):
            press.setVisible(self.awards is not None)

    @Slot()
    def _list(self) -> None:
        if self.awards is not None:
            self.listed.emit(self.awards)

    @Slot()
    def _worklist(self) -> None:
        if self.awards is not None:
            self.worklisted.emit(self.awards)


class AwardFiles(QObject):
    """Connects the block of the awards with the project, which remembers what was decided, and with files.

    Parameters
    ----------
    block, session
        What is connected.
    errors
        Says why a file could not be saved.
    """

    def __init__(self, block: AwardsBlock, session: Session, errors: ErrorCard) -> None:
        super().__init__(block)
        self._block, self._session, self._errors = block, session, errors
        block.decided.connect(self._keep)
        block.listed.connect(self._save_list)
        block.worklisted.connect(self._save_worklist)
        block.discussed.connect(self._save_discussed)

    def refresh(self) -> None:
        """Show what the project remembers by now."""
        self._block.decide(award_request(self._session.document.project))

    @Slot(object)
    def _keep(self, asked: AwardRequest) -> None:
        document = self._session.document
        document.do(_("Rule and lines of the awards"), with_award_request(document.project, asked))

    @Slot(object)
    def _save_list(self, result: Awards) -> None:
        """Ask where, and save the list of awards."""
        from tapdesk.report.award_list import award_files  # late: what writes workbooks is not needed before

        title = self._session.document.project.title
        made = partial(award_files, result, title=title)
        self._save(_("Save the list of awards"), _("awards.xlsx"), LISTS, made, self._block.show_saved)

    @Slot(object)
    def _save_worklist(self, result: Awards) -> None:
        """Ask where, and save rating sheets of the cases for which one more rating is worth most."""
        self._save_sheets(result, None)

    @Slot(object)
    def _save_discussed(self, result: Awards) -> None:
        """Ask where, and save rating sheets of the cases about which committee and model differ."""
        self._save_sheets(result, tuple(map(int, differing(result))))

    def _save_sheets(self, result: Awards, which: tuple[int, ...] | None) -> None:
        from tapdesk.report.award_list import worklist_files  # late, as above

        ratings = self._session.naming.ratings(self._session.document.project.all_classes)
        made = partial(worklist_files, result, ratings, which=which)
        self._save(_("Save a worklist"), _("worklist.xlsx"), WORKLISTS, made, self._block.show_saved)

    def save_cases(self, show: Callable[[str], None], answer: Answer) -> None:
        """Ask where, and save rating sheets of the doubtful cases of an answer; ``show`` is given what was saved."""
        from tapdesk.report.award_list import case_worklist_files  # late, as above

        beliefs = answer.side.beliefs
        if beliefs is not None:
            ratings = self._session.naming.ratings(self._session.document.project.all_classes)
            made = partial(case_worklist_files, beliefs, answer.ratings.subjects, ratings)
            self._save(_("Save a worklist"), _("worklist.xlsx"), WORKLISTS, made, show)

    def save_discussion(self, show: Callable[[str], None], answer: Answer, errors: Sequence[CommonError]) -> None:
        """Ask where, and save the sheet for a discussion of cases most raters got wrong alike."""
        from tapdesk.report.discussion_sheet import discussion_files  # late, as above

        title = self._session.document.project.title
        made = partial(discussion_files, answer.ratings, errors, title=title)
        self._save(_("Save a discussion sheet"), _("discussion.docx"), SHEETS, made, show)

    def _save(
        self,
        title: str,
        name: str,
        kinds: str,
        made: Callable[[Path], Sequence[tuple[Path, bytes]]],
        show: Callable[[str], None],
    ) -> None:
        session, block = self._session, self._block
        path = dialogs.ask_where(block, title, session.sibling(name), kinds)
        if path is None:
            return
        names: list[str] = []

        def make() -> Sequence[tuple[Path, bytes]]:
            files = made(path)
            names[:] = (one.name for one, _bytes in files)
            return files

        if dialogs.save_files(block, path, make, self._errors, permitted(session.document.project)):
            show(_saved(names, path.parent))


def _saved(names: Sequence[str], folder: Path) -> str:
    """What was saved, and where."""
    if len(names) == 1:
        return _("Saved {name} in {folder}.").format(name=names[0], folder=folder)
    return _("Saved {n} files in {folder}: {names}.").format(n=len(names), folder=folder, names=", ".join(names))
