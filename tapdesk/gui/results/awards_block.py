"""The block of the results that says who wins, how sure: rule and medal lines, the list, and what is saved of it."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLineEdit

from tapdesk.answers.award_part import award_results
from tapdesk.answers.awards import rule_name
from tapdesk.answers.part import Answer
from tapdesk.answers.parts import part
from tapdesk.errors import TapdeskError
from tapdesk.gui.results.on_demand_blocks import Ask, OnDemandBlock
from tapdesk.gui.runs.job import Job
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Choice, button
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.project.bands import band_names, entries, own_bands
from tapdesk.ratings.texts import number
from tapdesk.studies.award_answer import AwardRequest, Awards
from tapdesk.studies.award_rules import COMMITTEE_RULES, Rule


class AwardsBlock(OnDemandBlock):
    """A block with the committee's rule and its medal lines; the list stands below when it is worked out.

    Attributes
    ----------
    listed, worklisted
        Emitted with the answer when the list, or a worklist of it, is to be saved.
    """

    listed = Signal(object)
    worklisted = Signal(object)

    def __init__(self, theme: Theme, job: Job) -> None:
        ask = _(
            "Works out what each entry is worth with the severity of its judges taken out, and how sure the awards "
            "are. The committee’s own result stands first."
        )
        super().__init__(theme, part("awards"), job, ask)
        rules = tuple((str(rule_name(rule)), rule.value) for rule in COMMITTEE_RULES)
        self.rule = Choice(theme, _("Rule of the committee"), ((_("The usual rule"), ""), *rules), 220)
        self.wanted = Choice(theme, _("Class that wins"), (), 200)
        self.lines, self.names = QLineEdit(), QLineEdit()
        self.lines.setPlaceholderText(_("Medal lines, such as 13; 15; 17"))
        self.lines.setAccessibleName(_("Medal lines"))
        self.names.setPlaceholderText(_("Their names, lowest first"))
        self.names.setAccessibleName(_("Names of the medals"))
        self.begin = button(_("Who wins, how sure?"), self.work, small=True)
        self.save_list = button(_("Save the list…"), self._list, small=True)
        self.save_worklist = button(_("Save a worklist…"), self._worklist, small=True)
        for line in (self.lines, self.names):
            line.setMinimumWidth(theme.px(200))
            line.returnPressed.connect(self.work)
        self.offer(self.rule, self.wanted, self.lines, self.names, self.begin, self.save_list, self.save_worklist)
        self.moved.connect(self._offer_files)
        self._offer_files()

    def of(self, answer: Answer) -> None:
        """Another answer, with the controls that its ratings need."""
        scores = all(number(label) is not None for label in answer.every.classes)
        unordered = not scores and not answer.every.ordered
        self.lines.setVisible(scores)
        self.names.setVisible(scores)
        self.rule.setVisible(not unordered)
        self.wanted.setVisible(unordered)
        self.wanted.clear()
        for label in answer.every.classes:
            self.wanted.addItem(label, label)
        super().of(answer)

    def request(self) -> AwardRequest:
        """What is asked, as it stands in the controls.

        Raises
        ------
        UsageError
            When the lines are none of these scores.
        """
        answer = self._answer
        if answer is None:
            return AwardRequest()
        chosen = str(self.rule.currentData())
        # Hidden controls belong to other ratings.
        unordered = not self.wanted.isHidden()
        asked = AwardRequest(
            rule=Rule(chosen) if chosen and not unordered else None,
            wanted=str(self.wanted.currentData()) if unordered else "",
        )
        cuts = () if self.lines.isHidden() else entries(self.lines.text())
        if not cuts:
            return asked
        names = entries(self.names.text())
        own_bands(answer.every, ".", cuts, names)
        lines = tuple(sorted(value for text in cuts if (value := number(text)) is not None))
        return replace(asked, lines=lines, names=names or band_names(lines, "."))

    @Slot()
    def work(self) -> None:
        """Work out the answer to what is asked."""
        answer = self._answer
        if answer is None:
            return
        try:
            asked = self.request()
        except TapdeskError as error:
            self.refuse(joined(error.what, error.fix))
            return
        shown = part("awards")
        # A report works it out by the usual rule, without lines.
        prints = (shown.key, True) if asked == AwardRequest() else None
        begin = partial(award_results, answer, asked)
        key = f"{asked.rule} {asked.wanted} {asked.lines} {asked.names}"
        self.look_at(Ask(key, shown.title, begin, lambda side: shown.content(replace(answer, side=side)), prints))

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
