"""The block of the cases most raters got wrong alike: what each said, and the sheet for their discussion."""

from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from tapdesk.agreement.known import CommonError, common_errors
from tapdesk.answers import numbers
from tapdesk.answers.known import ratings_of
from tapdesk.answers.part import Answer, Content
from tapdesk.answers.parts import part
from tapdesk.gui.results.part_blocks import ContentBody, PartBlock
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Frame, Tick, button, clear, plain, text
from tapdesk.language import CaseName, Label, RaterName, joined
from tapdesk.language import gettext as _

_MOST_ROWS, _MOST_CHIPS = 20, 8  # more stand in the table alone


class ErrorRows(QWidget):
    """A row for each case: a tick for the sheet, what is known, a chip for each rating, and how many are wrong alike.

    Attributes
    ----------
    ticks, chips
        One for each row that is shown, and for each of its ratings.
    changed
        Emitted when a tick is set or taken away.
    """

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._errors: tuple[CommonError, ...] = ()
        self.ticks: list[Tick] = []
        self.chips: list[Frame] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(14, 4, 14, 4)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(5)

    @property
    def chosen(self) -> tuple[CommonError, ...]:
        """The cases whose tick is set; those beyond the rows that are shown go with them."""
        ticked = [one for one, tick in zip(self._errors, self.ticks, strict=False) if tick.isChecked()]
        return (*ticked, *self._errors[len(self.ticks) :])

    def show_answer(self, answer: Answer) -> None:
        """Show the cases of an answer."""
        clear(self._grid)
        ratings, self.ticks, self.chips = answer.ratings, [], []
        self._errors = common_errors(ratings)
        for row, one in enumerate(self._errors[:_MOST_ROWS]):
            most = _("{count} of {all} {given}").format(
                count=numbers.count(one.count),
                all=numbers.count(one.ratings),
                given=Label(numbers.short(ratings.classes[one.given], 16)),
            )
            known = _("known: {label}").format(label=Label(numbers.short(ratings.classes[one.known], 16)))
            tick = Tick(self._theme, CaseName(ratings.subjects[one.case]), "strong")
            tick.setAccessibleName(joined(CaseName(ratings.subjects[one.case]), known, most, sep=", "))
            tick.setChecked(True)
            tick.toggled.connect(self.changed)
            self.ticks.append(tick)
            self._grid.addWidget(tick, row, 0)
            self._grid.addWidget(text(known, "small", "2"), row, 1)
            said = ratings_of(ratings, one)
            if len(said) <= _MOST_CHIPS:
                chips = plain(across=True, gap=4)
                for rater, k in said:
                    called = RaterName(ratings.raters[rater]) if ratings.raters_known else ""
                    self.chips.append(_chip(ratings.classes[k], called, right=k == one.known))
                    chips.add(self.chips[-1])
                self._grid.addWidget(chips, row, 2)
            self._grid.addWidget(text(most, "small", "2"), row, 3)
        self._grid.setColumnStretch(0, 1)
        # Room to spare goes below the last row: a chip is as high as its word.
        self._grid.setRowStretch(_MOST_ROWS, 1)


def _chip(label: str, called: str, *, right: bool) -> Frame:
    """One rating in a small frame; the right ones stand out."""
    words: QLabel = text(numbers.short(label, 10), "small", "accent" if right else "")
    chip = Frame("picked" if right else "row", across=True, margins=(6, 1, 6, 1), gap=0).add(words)
    told = f"{called}: {label}" if called else label
    chip.setToolTip(told)
    words.setAccessibleName(told)
    return chip


class ErrorsBlock(PartBlock):
    """The cases that most raters got wrong alike, with the sheet for their discussion.

    Attributes
    ----------
    discussed
        Emitted with the answer and the cases when the sheet is to be saved.
    """

    discussed = Signal(object, object)

    def __init__(self, theme: Theme) -> None:
        shown = part("errors")
        self.cases = ErrorRows(theme)
        super().__init__(theme, shown, ContentBody(theme, shown.title, live=self.cases))
        self._answer: Answer | None = None
        self.sheet = button(_("Save a discussion sheet…"), self._save, small=True)
        self.saved_words = text("", "small", "2", wrap=True)
        self.cases.changed.connect(self._offer)
        line = plain(across=True, gap=8, margins=(14, 4, 14, 4)).add(self.sheet, self.saved_words)
        line.box.setStretch(1, 1)
        cast("QVBoxLayout", self.body.layout()).addWidget(line)

    def show_content(self, content: Content, answer: Answer) -> None:
        """Show the cases, all of them on the sheet."""
        self._answer = answer
        self.cases.show_answer(answer)
        super().show_content(content, answer)
        self.show_saved("")
        self._offer()

    def show_saved(self, words: str) -> None:
        """Say what was saved."""
        self.saved_words.setText(words)

    def _offer(self) -> None:
        self.sheet.setEnabled(bool(self.cases.chosen))

    def _save(self) -> None:
        if self._answer is not None:
            self.discussed.emit(self._answer, self.cases.chosen)
