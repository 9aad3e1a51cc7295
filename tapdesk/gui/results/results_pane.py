"""The results pane: one sentence, the numbers, the pictures behind them in one order, and what is kept of each."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from tapdesk.answers import criteria, number_cells, numbers
from tapdesk.answers import fit_words as words
from tapdesk.answers.demands import Choice, Selection, demand
from tapdesk.answers.figure import Figure
from tapdesk.answers.flags import flags
from tapdesk.answers.known_use import known_count
from tapdesk.answers.part import Answer, Part
from tapdesk.answers.parts import BLOCKS, Shelf, parts_of
from tapdesk.answers.pseudonyms import coded_results
from tapdesk.answers.question import headline, headline_warns
from tapdesk.answers.question_columns import table_coefficient
from tapdesk.answers.side_results import SideResults
from tapdesk.fitting.fit import Fit
from tapdesk.gui.model.analyses import AnalysisSwitch
from tapdesk.gui.results.answer_blocks import LinesBlock, PartBlocks
from tapdesk.gui.results.awards_block import AwardFiles, AwardsBlock
from tapdesk.gui.results.cases_block import CasesBlock
from tapdesk.gui.results.errors_block import ErrorsBlock
from tapdesk.gui.results.layout import BlockGrid, DetailsTable, Example
from tapdesk.gui.results.on_demand_blocks import (
    DesignStudyBlock,
    FigureChooser,
    GroupsBlock,
    ModelsBlock,
    OnDemandBlock,
)
from tapdesk.gui.results.part_blocks import PartBlock, RatersBlock
from tapdesk.gui.results.questions_block import QuestionsBlock, save_form_report
from tapdesk.gui.runs.side_studies import CurrentCutPoints, SideStudies, SideStudy
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.dialogs import permitted, save_picture, save_table
from tapdesk.gui.shell.document import OpenDocument
from tapdesk.gui.shell.pane import Pane
from tapdesk.gui.shell.session import Session
from tapdesk.gui.shell.status_texts import clock
from tapdesk.gui.theme.icons import Glyph, State
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.block import Block, BlockFiller
from tapdesk.gui.widgets.chip import Chip
from tapdesk.gui.widgets.controls import Frame, button, plain, scroll_area, text
from tapdesk.gui.widgets.focus import bring_into_view, bring_to_top, tab_through
from tapdesk.gui.widgets.layouts import Flow, Fold
from tapdesk.gui.widgets.messages import NARROW, WIDEST, Headline, NumberStrip
from tapdesk.language import Label, joined
from tapdesk.language import gettext as _
from tapdesk.models.model import Key
from tapdesk.project.damage import open_line
from tapdesk.project.project import Analysis
from tapdesk.ratings.options import ReadingOptions
from tapdesk.report.outline import SECTIONS
from tapdesk.report.report import Report
from tapdesk.report.setup import Setup, setup, with_setup
from tapdesk.studies.scan import Direction

TWO_COLUMNS, SIX_CELLS, THREE_CELLS = 1000, 1120, 560


class ResultsPane(Pane):
    """Headline, strip of numbers, the blocks of the fit and those beside it, and the details below.

    Attributes
    ----------
    to_letters
        Emitted when the raters are to get letters.
    to_checks
        Emitted when somebody wants to see the checks that are open.
    """

    to_letters = Signal()
    to_checks = Signal()

    def __init__(self, theme: Theme, session: Session) -> None:
        super().__init__(theme, session, _("Results"))
        self._shown: Fit | None = None
        self._studies: SideStudies | None = None
        self._lines: tuple[SideStudies | None, CurrentCutPoints | None, Direction] = (None, None, Direction.ABOVE)
        self._answered: Answer | None = None
        titles = (_("Question"), _("Counted class"), _("Known answer"))
        self.question, self.class1, self.known = (Chip(theme, title, "").as_label() for title in titles)
        self.mark, self.state = Glyph.of(theme, State.DONE, 15), text("", "small", "2")
        self.to_report = button(_("Go to the report"), kind="primary")
        self.see_all = button(
            _("All questions"), self._see_all, kind="link", name=_("Back to the table of all questions")
        )
        QShortcut(QKeySequence("Alt+Left"), self, self._see_all)
        self.form_report = button(_("Save one report of all questions…"), kind="primary")
        flow = Flow(sentence := QWidget(), gap=10)
        standing = plain(across=True, gap=6).add(self.mark, self.state)
        self.switch = AnalysisSwitch(theme, session)
        self.criterion = Chip(theme, _("Of the form"), "").as_label()
        self.awards = AwardsBlock(theme, session.awards_job)
        chips = (self.criterion, self.question, self.switch, self.known, self.class1, self.awards.lines_chip)
        for widget in (self.see_all, *chips, standing):
            flow.addWidget(widget)
        self.head.addWidget(sentence, 1)
        self.head.addWidget(self.to_report)
        self.head.addWidget(self.form_report)
        self.head.removeWidget(self.sub)
        self.sub.hide()
        self.empty = Example()
        self.headline = Headline(theme, self._not_said)
        self.strip, self.filling = NumberStrip(), BlockFiller()
        self.filling.bug.connect(session.bug)
        self.grid, self.inside = BlockGrid(), QWidget()
        self.notes = BlockNotes(session.document, self)
        self.headline.led.connect(self._lead)
        self.part_blocks = PartBlocks(theme, self.inside, self.filling, self._begin)
        self.details = DetailsTable(theme, _("Details of the run"))
        self.figure_chooser = FigureChooser(theme, session.picture_job)
        # The words of specialists stand behind one click.
        self.fold = Fold(theme, _("Details for specialists"), self.details)
        self.groups, self.models = GroupsBlock(theme, session.groups_job), ModelsBlock(theme, session.models_job)
        self.of_size = DesignStudyBlock(theme, session.design_job)
        self._begin_demands(session)
        self._fill()
        self.area = scroll_area(self.inside)
        self.box.addWidget(self.empty, 1)
        self.box.addWidget(self.area, 1)
        self._follow(session)
        self.refresh()

    def _begin_demands(self, session: Session) -> None:
        """Connect the blocks that are worked out when they are asked for."""
        self.questions = QuestionsBlock(self.theme, session.questions_job)
        self.questions.wanted.connect(self._read_question)
        self.questions.chosen.connect(session.open_question)
        self.questions.discussed.connect(self._discuss)
        self._to_discuss = ("", "")
        self.questions.headed.connect(self._head_form)
        self.form_report.clicked.connect(self.questions.save_report)
        self.questions.paged.connect(session.give_page)
        self.questions.weighed.connect(self.notes.keep_coefficient)
        self.questions.printed.connect(self._save_form_report)
        self.award_files = AwardFiles(self.awards, session, self.error)
        self.awards.moved.connect(self._say_again)
        self.awards.wondered.connect(session.wonder_without)
        self.figure_chooser.turned.connect(self.notes.count_side)
        on_demand = {"groups": self.groups, "models": self.models, "of_size": self.of_size, "more": self.figure_chooser}
        on_demand["questions"], on_demand["awards"] = self.questions, self.awards
        for shown, block in ((row, on_demand[row.key]) for row in BLOCKS if row.key in on_demand):
            self.notes.connect_block(shown, block)
            block.bug.connect(session.bug)
            block.saved.connect(self._save_picture)
            block.exported.connect(self._save_table)

    def _follow(self, session: Session) -> None:
        """Show anew whatever changes in the session."""
        fitting, studies = session.fitting, (session.side_studies.changed, session.cut_points.changed)
        runs = (fitting.started, fitting.cancelled, fitting.done, fitting.failed)
        for signal in (session.document.changed, session.planned, *runs, *studies):
            signal.connect(self.refresh)
        session.naming.changed.connect(self.call_anew)

    def _begin(self, block: PartBlock) -> None:
        """Connect a block with what is kept of it and with the files it can go to."""
        self.notes.connect_block(block.part, block)
        block.saved.connect(self._save_picture)
        block.exported.connect(self._save_table)
        block.wondered.connect(self.session.wonder_without)
        if isinstance(block, RatersBlock):
            block.coded.connect(self._call)
            block.written.connect(self.to_letters)
        if isinstance(block, LinesBlock):
            block.turned.connect(self.notes.count_side)
        if isinstance(block, CasesBlock):
            block.worklisted.connect(partial(self.award_files.save_cases, block.show_saved))
        if isinstance(block, ErrorsBlock):
            block.discussed.connect(partial(self.award_files.save_discussion, block.show_saved))

    @Slot(bool)
    def _call(self, codes: bool) -> None:  # a signal of Qt carries it by place
        self.session.naming.use(codes=codes)

    def _fill(self) -> None:
        box = QVBoxLayout(self.inside)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        box.addWidget(self.headline)
        box.addWidget(self.strip)
        box.addLayout(self.grid)
        for block in (self.questions, self.awards, self.groups, self.models, self.of_size, self.figure_chooser):
            box.addWidget(block)
        self.details_card = Frame("card").add(self.fold)
        box.addWidget(self.details_card)
        box.addStretch(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Two columns of blocks where there is room, one where there is not."""
        super().resizeEvent(event)
        room = self.width() / self.theme.px(100) * 100
        most = WIDEST if room >= SIX_CELLS else NARROW if room >= THREE_CELLS else 2
        self.strip.hold(most)
        self.empty.hold(most)
        self.grid.stand_in_columns(2 if self.width() >= self.theme.px(TWO_COLUMNS) else 1)

    @property
    def blocks(self) -> list[Block]:
        """Those that belong to this answer, in their order."""
        return self.grid.blocks

    def _order(self) -> None:
        """The keyboard goes as one reads, not as the blocks were made."""
        rest = (self.questions, self.awards, self.groups, self.models, self.of_size, self.figure_chooser)
        first = [block for block in (self.awards, self.figure_chooser) if block.first]
        tab_through((*first, *self.blocks, *(block for block in rest if block not in first), self.fold))

    @Slot()
    def refresh(self) -> None:
        """Show the newest analysis and how it stands."""
        self.award_files.refresh()
        analysis = self.session.document.analysis
        fit = analysis.fit if analysis is not None else None
        has = analysis is not None and fit is not None
        project = self.session.document.project
        for widget in (self.question, self.class1, self.mark, self.state, self.to_report, *self._of_an_answer):
            widget.setVisible(has)
        of_a_form = bool(project.form)
        self.area.setVisible(has or of_a_form)
        self.empty.setVisible(not has and not of_a_form)
        self.see_all.setVisible(of_a_form)
        self.questions.show_coefficient(setup(project).coefficient)
        self.criterion.setVisible(of_a_form)
        self.form_report.setVisible(False)
        self.criterion.show_value(numbers.short(project.question, 40))
        self.known.setVisible(has and analysis is not None and analysis.question == "known")
        # With several analyses the list of them says which question this is.
        self.question.setVisible(has and self.switch.count() < 2)
        if analysis is None or fit is None:
            self._shown = self._studies = None
            self.awards.lines_chip.hide()
            self.banner.hide()
            if of_a_form and self.isVisible():
                self._show_form_alone()
            running = self.session.fitting.running
            self.empty.say(_("The numbers appear here when the run has ended.") if running else "")
            return
        # Filled when it is looked at: the end of a run must not hold up the window.
        if fit is not self._shown and self.isVisible():
            self._shown = fit
            self._show(analysis, fit)
        current = self.session.side_studies.current
        if current is not None and current is not self._studies and current.analysis.fit is self._shown is not None:
            self._studies = current
            self._show_further(current)
        abreast = (self._studies, self.session.cut_points.now, self.figure_chooser.count(setup(project).direction))
        if abreast != self._lines:
            self._lines = abreast
            self._show_lines(*abreast)
        self._show_state(analysis)
        # All classes are placed, whichever of them are counted.
        self.class1.setVisible(not self.awards.first)
        self.figure_chooser.coloured(self.session.document.ratings)

    def _show_form_alone(self) -> None:
        """The table of all questions, where nothing was asked yet of the one that is shown."""
        self.grid.show_blocks([])
        for block in (self.awards, self.groups, self.models, self.of_size, self.figure_chooser):
            block.hide()
        plan = self.session.plan
        self.questions.stand(alone=True)
        self.criterion.hide()
        self.questions.of_file(self.session.document.project, self.session.naming.names, plan.level, plan.seed)
        self.questions.head_again()

    @Slot(str, str)
    def _head_form(self, sentence: str, follows: str) -> None:
        """The headline of the whole form, where no answer about one question has it."""
        if self.questions.alone:
            self.headline.say(sentence, follows, warn=False)
            self.headline.show_flags(())
            self.headline.setVisible(bool(sentence))
            self.form_report.setVisible(bool(sentence))
            if sentence:
                bring_to_top(self.headline)

    def compare_questions(self) -> None:
        """Set all questions of a form side by side, unless they stand so."""
        if self.session.document.project.form and not self.questions.begin.isHidden():
            self.questions.compare()
        bring_to_top(self.headline if self.questions.alone else self.questions)

    def save_form_report(self) -> None:
        """Save one report of all questions of the form, as soon as they stand side by side."""
        self.compare_questions()
        self.questions.save_when_there()

    @property
    def waits_for_all(self) -> bool:
        """Whether the questions of a form can be set side by side, and nothing else is shown here."""
        project = self.session.document.project
        return bool(project.form) and self.session.document.analysis is None and not self.questions.begin.isHidden()

    @property
    def _of_an_answer(self) -> tuple[QWidget, ...]:
        """What is there only beside an answer; medals have no numbers of agreement above them."""
        return self.headline, *(() if self.awards.first else (self.strip,)), self.details_card

    @Slot()
    def _see_all(self) -> None:
        """Go back from one question to the table of all of them."""
        if self.session.document.project.form:
            bring_to_top(self.questions)
            self.questions.take_focus()

    @Slot(str, str)
    def _discuss(self, name: str, part: str) -> None:
        """Show a part of the results of another question, such as its cases, as soon as they are there."""
        self._to_discuss = name, part
        self.session.open_question(name)
        self._show_cases()

    @Slot(str)
    def _lead(self, key: str) -> None:
        """Show the part that a flag leads to."""
        bring_to_top(self.part_blocks[key])

    def _show_cases(self) -> None:
        analysis, (wanted, part) = self.session.document.analysis, self._to_discuss
        if wanted and wanted == self.session.document.project.question and analysis is not None and analysis.fit:
            self._to_discuss = ("", "")
            bring_to_top(self.part_blocks[part])

    def show_block(self, block: Block, *, note: bool = False) -> None:
        """Bring a block into view, with its note open where that is wanted."""
        if note and block.note.isHidden():
            block.note.show()
        bring_into_view(block.note if note else block)

    @Slot()
    def call_anew(self) -> None:
        """Show everything once more with raters called otherwise."""
        self._shown = self._studies = None
        self.refresh()

    def _answer(self, analysis: Analysis, studies: SideStudies | None) -> Answer:
        """What the parts are made from, people called as they are on screen."""
        naming, ratings = self.session.naming, self.session.fitted_ratings
        every = ratings if analysis.stale else self.session.document.project.all_classes
        side = SideResults() if studies is None else coded_results(studies.extras, naming.names, ratings)
        if analysis.fit is None:
            raise ValueError("there is no answer without a fit")
        return Answer(
            naming.fit(analysis.fit),
            naming.ratings(ratings),
            naming.ratings(every),
            side,
            analysis,
            coded=bool(naming.names.codes),
        )

    def _show_further(self, studies: SideStudies) -> None:
        """Show what has been worked out beside the fit by now."""
        answer = self._answer(studies.analysis, studies)
        waiting = "working" if SideStudy.COEFFICIENTS in studies.waiting else ""
        self.strip.show_cells(number_cells.strip_cells(answer, waiting))
        # What was found decides whether some parts stand with the answer at all.
        keys = parts_of(answer)
        if self.grid.show_blocks([self.part_blocks[key] for key in keys]):
            self._order()
            self.notes.refresh()
        self.part_blocks.show(keys, answer, studies)
        self._say(answer)

    def _show_lines(self, studies: SideStudies | None, now: CurrentCutPoints | None, direction: Direction) -> None:
        if studies is None:
            return
        answer = self._answer(studies.analysis, studies)
        if "lines" in parts_of(answer):
            self.part_blocks.show_lines(studies, now, answer, direction)
        stale = studies.analysis.stale
        right = studies.extras.scan if now is None or stale else now.scan if now.intervals else None
        shown = replace(answer, side=replace(answer.side, scan=right))
        self._say(shown)

    def _say(self, answer: Answer) -> None:
        """Say the answer in one sentence; who wins, where that was asked, as soon as it is worked out."""
        self._answered, awards = answer, self.awards
        self.strip.setVisible(not awards.first)
        if awards.first and awards.result is None:
            self.headline.say(_("Who wins, and how sure: not worked out yet."), "", warn=False)
            self.headline.show_flags(())
            return
        if awards.first:
            answer = replace(answer, side=replace(answer.side, on_demand=awards.result.on_demand))
        sentence, follows = headline(answer)
        self.headline.say(sentence, follows, warn=headline_warns(answer))
        shown = () if awards.first else flags(answer, joined(sentence, follows))
        self.headline.show_flags([flag for flag in shown if self.part_blocks[flag.part] in self.blocks])

    @Slot()
    def _say_again(self) -> None:
        if self._answered is not None and self._shown is not None:
            self._say(self._answered)

    def showEvent(self, event: QShowEvent) -> None:
        """Fill the pane when it is looked at."""
        super().showEvent(event)
        self.refresh()

    def _show_state(self, analysis: Analysis) -> None:
        reason, running = self.session.out_of_date, self.session.fitting.running
        when = clock(analysis.run_at)
        if running:
            self.banner.say(_("Updating: the numbers below are from {when}.").format(when=when), State.STALE)
        elif reason:
            self.banner.say(
                _("{reason}. The numbers below are from {when}.").format(reason=reason, when=when),
                State.STALE,
                (_("Run again"), self.session.run),
            )
        elif (words := open_line(self.session.document.project)) != "":
            self.banner.say(words, State.KNOW, (_("Go to the checks"), self.to_checks.emit))
        else:
            self.banner.hide()
        self.mark.show_state(State.STALE if running or reason else State.DONE)
        self.state.setText(_("Updating") if running else reason or _("Up to date"))
        self.headline.quiet(dim=running)
        self.strip.quiet(dim=running)

    def _show(self, analysis: Analysis, fit: Fit) -> None:
        answer = self._answer(analysis, None)
        fit, ratings = answer.fit, answer.ratings
        self.question.show_value(numbers.short(analysis.name, 60))
        self.known.show_value(known_count(ratings))
        self.class1.show_value(numbers.short(ratings.classes[1], 30) if len(ratings.classes) == 2 else _("all classes"))
        self._say(answer)
        self.strip.show_cells(number_cells.fit_cells(fit))
        self._lines = (None, None, Direction.ABOVE)
        keys = parts_of(answer)
        if self.grid.show_blocks([self.part_blocks[key] for key in keys]):
            self._order()
        self.part_blocks.show(keys, answer)
        self.notes.refresh()
        for block in (self.figure_chooser, self.awards, self.groups, self.models, self.of_size):
            block.show()
            block.of(answer)
        request = analysis.request
        self.questions.stand(alone=False)
        self.questions.of_file(self.session.document.project, self.session.naming.names, request.level, request.seed)
        box = cast("QBoxLayout", self.inside.layout())
        if self.awards.answer(analysis, box, self.questions) | self.figure_chooser.answer(analysis, box):
            self._order()
        self._say(answer)
        self.details.rows.show_rows(*number_cells.details(fit, analysis))
        self.details.fill()
        self.area.verticalScrollBar().setValue(0)
        self._show_cases()

    @Slot(object, str)
    def _read_question(self, options: ReadingOptions, name: str) -> None:
        """Read another question of the form; what was said of the one before is out of date then."""
        self.session.read_again(options, _("The question “{name}”").format(name=Label(name)))

    @Slot(object)
    def _save_form_report(self, report: Report) -> None:
        if told := save_form_report(self, report, self.session, self.error):
            self.questions.show_saved(told)

    def _not_said(self) -> None:
        document = self.session.document
        if self.questions.alone:
            dialogs.inform(self, _("What this does not say"), criteria.not_said())
            return
        key = Key.UNUSED if (fit := self._shown) is None else fit.model.key
        dialogs.inform(self, _("What this does not say"), words.not_said(document.project.ratings, key))

    def _save_picture(self, panels: tuple[Figure, ...], kind: str) -> None:
        save_picture(self, panels, self.session.sibling(kind), self.error, permitted(self.session.document.project))

    def _save_table(self, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        may = permitted(self.session.document.project)
        save_table(self, heads, rows, self.session.sibling("table.csv"), self.error, may)


TITLES = {row.key: row.title for row in SECTIONS}


class BlockNotes(QObject):
    """Connects the blocks with the project.

    A block of an answer is printed with its section; one that is worked out on demand where it is asked for, and its
    tick is there once there is something to print.

    Parameters
    ----------
    document
        Where notes and choices are kept.
    """

    def __init__(self, document: OpenDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._blocks: list[tuple[Part | Shelf, Block]] = []
        document.changed.connect(self.refresh)

    def connect_block(self, part: Part | Shelf, block: Block) -> None:
        """Keep the notes and the choice of the block that shows a part."""
        self._blocks.append((part, block))
        block.note.written.connect(lambda words: self._document.note(part.place, words, part.title))
        if isinstance(block, OnDemandBlock):
            block.moved.connect(self.refresh)
            block.reported.connect(lambda wanted: self._ask_for(block, wanted=wanted))
        else:
            block.reported.connect(lambda wanted: self._print_section(part.section, wanted=wanted))
        block.explain_with(part.explanation)

    @Slot(object)
    def count_side(self, direction: Direction) -> None:
        """Count one side of every line between classes, here and in the report."""
        chosen = setup(self._document.project)
        if direction is not chosen.direction:
            words = _("Count above the lines") if direction is Direction.ABOVE else _("Count below the lines")
            self._keep(words, replace(chosen, direction=direction))

    @Slot(str)
    def keep_coefficient(self, name: str) -> None:
        """Keep which coefficient stands in the table of all questions, here and in its report."""
        words = _("Show in the table: {coefficient}").format(coefficient=table_coefficient(name).title)
        self._keep(words, replace(setup(self._document.project), coefficient=name))

    def _print_section(self, key: str, *, wanted: bool) -> None:
        words = _("Print “{title}”") if wanted else _("Leave out “{title}”")
        self._keep(words.format(title=TITLES[key]), setup(self._document.project).switched(key, on=wanted))

    def _ask_for(self, block: OnDemandBlock, *, wanted: bool) -> None:
        if block.at is None or block.prints is None:
            return
        chosen = setup(self._document.project)
        words = _("Print: {title}") if wanted else _("Leave out: {title}")
        after = with_choice(chosen.selection, *block.prints, wanted=wanted)
        self._keep(words.format(title=block.at.title), replace(chosen, selection=after))

    def _keep(self, words: str, chosen: Setup) -> None:
        self._document.do(words, with_setup(self._document.project, chosen))

    @Slot()
    def refresh(self) -> None:
        """Show notes and choices as they are kept."""
        project = self._document.project
        chosen = setup(project)
        for part, block in self._blocks:
            words = project.notes.get(part.place, "")
            if isinstance(block, OnDemandBlock):
                block.note.show_words(words)
                prints = block.prints
                for shown in (block.in_report, block.apart):
                    shown.setVisible(prints is not None)
                block.in_report.setChecked(prints is not None and asks_for(chosen.selection, *prints))
                block.in_report.setToolTip(_("Prints this in the report, or leaves it out."))
            else:
                block.show_part(words, printed=part.section not in chosen.leave_out, section=TITLES[part.section])


def asks_for(selection: Selection, key: str, choice: Choice) -> bool:
    """Whether a choice of a part is asked for."""
    if isinstance(choice, tuple):
        return set(choice) <= set(selection.columns(key))
    return selection.get(key) == choice


def with_choice(selection: Selection, key: str, choice: Choice, *, wanted: bool) -> Selection:
    """The same with a choice of a part asked for, or not; other columns stay."""
    if isinstance(choice, tuple):
        others = tuple(column for column in selection.columns(key) if column not in choice)
        return Selection(selection, **{key: (*others, *choice) if wanted else others})
    return Selection(selection, **{key: choice if wanted else demand(key).none})
