"""What the program tells: banners, error cards, checks, the headline, sentences and the strip of numbers."""

import re
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tapdesk.answers.number_cells import NumberCell
from tapdesk.errors import TapdeskError
from tapdesk.gui.theme.icons import Glyph, State
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Frame, button, clear, plain, role, rule, text
from tapdesk.gui.widgets.layouts import Flow
from tapdesk.language import gettext as _
from tapdesk.language import joined, say

if TYPE_CHECKING:
    # Only a name here: what is said of a result is loaded with the results.
    from tapdesk.answers.flags import Flag

LETTERS = ("t", "a", "p")
WIDEST = 6
NARROW = 3
LONG = 18


def rows_of(cells: Sequence[NumberCell], most: int = WIDEST) -> list[list[NumberCell]]:
    """The cells in rows of at most six; the cells of one symbol are not torn apart needlessly.

    Numbers of many places need more room, so fewer of them stand beside each other.
    """
    rows: list[list[NumberCell]] = [[]]
    longest = max((len(cell.value) + len(cell.interval) for cell in cells), default=0)
    if longest > LONG:
        # Five that need one row have a fifth of it each, in which two more signs have room.
        most = min(most, 5 if len(cells) == 5 and longest <= LONG + 2 else 4)
    # The coefficients stand together, as the cells of one symbol do.
    for group in dict.fromkeys(_group(cell) for cell in cells):
        of_one = [cell for cell in cells if _group(cell) == group]
        if rows[-1] and len(rows[-1]) + len(of_one) > most:
            rows.append([])
        for cell in of_one:
            if len(rows[-1]) == most:
                rows.append([])
            rows[-1].append(cell)
    return rows


def _group(cell: NumberCell) -> str:
    return cell.symbol if cell.ours else ""


class NumberStrip(Frame):
    """Cells split by thin lines, in one frame; no cell is ever hidden."""

    def __init__(self) -> None:
        super().__init__("card", margins=(0, 0, 0, 0), gap=0)
        self._labels: list[tuple[QLabel, str]] = []
        self._cells: tuple[NumberCell, ...] = ()
        self._most = WIDEST

    @property
    def cells(self) -> tuple[NumberCell, ...]:
        """What is shown."""
        return self._cells

    def show_cells(self, cells: Sequence[NumberCell]) -> None:
        """Show other numbers."""
        clear(self.box)
        self._labels = []
        self._cells = tuple(cells)
        for i, row in enumerate(rows_of(cells, self._most)):
            if i:
                self.box.addWidget(rule())
            line = plain(across=True, gap=0)
            for j, cell in enumerate(row):
                if j:
                    line.box.addWidget(rule(upright=True))
                line.box.addWidget(self._cell(cell), 1)
            self.box.addWidget(line)

    def hold(self, most: int) -> None:
        """Put at most so many cells beside each other."""
        if most != self._most:
            self._most = most
            self.show_cells(self._cells)

    def quiet(self, *, dim: bool) -> None:
        """Dim the numbers while newer ones are on their way."""
        for label, usual in self._labels:
            label.setProperty("tone", "3" if dim else usual)
            label.style().polish(label)

    def _cell(self, cell: NumberCell) -> Frame:
        frame = plain(gap=1, margins=(14, 9, 8, 9))
        letter = cell.symbol if cell.symbol not in LETTERS else f"<i>{cell.symbol}</i>"
        symbol = text(letter, "card" if cell.symbol in LETTERS else "strong", rich=cell.symbol in LETTERS)
        tone = "3" if cell.set_back else "accent" if cell.ours else ""
        value = text(cell.value, "body" if cell.set_back else "number", tone)
        interval = text(cell.interval, "body", "2", wrap=cell.interval.startswith(_("no ")))
        count = text(cell.count, "caption", "3")
        self._labels += [(symbol, ""), (value, tone), (interval, "2")]
        top, middle = QHBoxLayout(), QHBoxLayout()
        top.setSpacing(6)
        top.addWidget(symbol, 0, Qt.AlignmentFlag.AlignBaseline)
        top.addWidget(text(cell.words, "caption", "3"), 0, Qt.AlignmentFlag.AlignBaseline)
        top.addStretch(1)
        middle.setSpacing(9)
        middle.addWidget(value, 0, Qt.AlignmentFlag.AlignBaseline)
        middle.addWidget(interval, 1, Qt.AlignmentFlag.AlignBaseline)
        frame.box.addLayout(top)
        frame.box.addLayout(middle)
        frame.box.addWidget(count)
        if cell.why:
            frame.box.addWidget(text(cell.why, "caption", "2", wrap=True))
        frame.box.addStretch(1)
        frame.setAccessibleName(
            f"{cell.symbol}, {cell.words}: {cell.value}, {cell.interval}. {cell.count}. {cell.why}".strip()
        )
        frame.setToolTip(cell.why)
        return frame


OPTION = re.compile(
    _(r" \((?:for example )?--[^)]*\)|,? (?:or |for example )?(?:choose it )?with --[^,;.]*|,? for example --[^,;.]*")
)
# Names of columns stand in quotes and may hold full stops: "Fr. Huber".
_VALUE = re.compile(r'(--[\w-]+) "[^"]*"')
_SENTENCES = re.compile(r"(?<=[.?!])\s+")
Action = tuple[str, Callable[[], object]]


def without_options(text: str) -> str:
    """What can be done, without the options of the command line: here each is a button, a link or a chip."""
    rest = OPTION.sub("", _VALUE.sub(r"\1", text))
    return " ".join(sentence for sentence in _SENTENCES.split(rest) if "--" not in sentence)


class Banner(Frame):
    """One line above a pane: a mark, words, and at most one thing to do. Hidden while there is nothing to say."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("know", across=True, margins=(12, 7, 8, 7), gap=10)
        self._mark = Glyph.of(theme, State.KNOW)
        self._words = text("", wrap=True)
        self._act: Callable[[], object] | None = None
        self._button = button("", self._do, small=True, name=_("Do what the message offers"))
        self.add(self._mark, self._words, self._button)
        self.box.setStretch(1, 1)
        self.hide()

    @property
    def words(self) -> str:
        """What the banner says; empty while it is hidden."""
        return "" if self.isHidden() else self._words.text()

    @property
    def last(self) -> QPushButton:
        """What Tab comes to in it, where there is something to do."""
        return self._button

    def say(self, words: str, state: State = State.KNOW, action: Action | None = None) -> None:
        """Show words, and a button for the action where there is one."""
        role(self, {State.BLOCKED: "stop", State.INFO: "card", State.DONE: "card"}.get(state, "know"))
        self._mark.show_state(state)
        self._words.setText(words)
        self._act = action[1] if action else None
        if action:
            self._button.setText(action[0])
            self._button.setAccessibleName(action[0])
        self._button.setVisible(action is not None)
        self.setAccessibleName(words)
        self.show()

    def _do(self) -> None:
        if self._act is not None:
            self._act()


def details(error: BaseException) -> str:
    """Everything there is to say about an error, for a letter to whoever helps."""
    if isinstance(error, TapdeskError):
        return "\n".join(part for part in (error.what, error.where, error.fix) if part)
    return "".join(traceback.format_exception(error))


class ErrorCard(Frame):
    """What is the matter, where, and what to do; the details go to the clipboard on request.

    What can be settled by a choice is a question, not a mistake: it looks like one, and the keyboard stands before its
    answers.

    Attributes
    ----------
    again
        Reads the file in another way that the error offers; None where that is not possible.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__("stop", across=True, margins=(14, 12, 14, 12), gap=12)
        self._mark = Glyph.of(theme, State.BLOCKED, 20)
        self._what, self._where, self._fix = (
            text("", "card", wrap=True),
            text("", "small", "2", wrap=True),
            text(wrap=True),
        )
        self._before: QWidget | None = None
        self._details = ""
        self._ways = QWidget()
        words = QVBoxLayout()
        words.setSpacing(3)
        for label in (self._what, self._where, self._fix):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            words.addWidget(label)
        self._buttons = plain(across=True, gap=8, margins=(0, 6, 0, 0))
        self._copy = button(_("Copy details"), self.copy_details, small=True)
        self.last = button(_("Close"), self.hide, small=True)
        self._buttons.add(self._copy, self.last).box.addStretch(1)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self._ways.setSizePolicy(policy)
        self._flow = Flow(self._ways, gap=8)
        self.again: Callable[[Mapping[str, object]], object] | None = None
        words.addWidget(self._ways)
        words.addWidget(self._buttons)
        self.box.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        self.box.addLayout(words, 1)
        self.hide()

    @property
    def words(self) -> tuple[str, str, str]:
        """What, where and what to do."""
        return self._what.text(), self._where.text(), self._fix.text()

    def show_error(self, error: TapdeskError, where: str = "") -> None:
        """Show an error the user can mend; ``where`` is said when the error names no place."""
        place = error.where or where
        what, todo = say(error.what), without_options(say(error.fix))
        self._what.setText(what)
        self._where.setText(say(place))
        self._where.setVisible(bool(place))
        # What is an option of the command line is a button or a chip here.
        self._fix.setText(todo)
        self._fix.setVisible(bool(todo))
        asks = self._offer(error)
        role(self, "know" if asks else "stop")
        self._mark.show_state(State.KNOW if asks else State.BLOCKED)
        self._details = "\n".join(part for part in (where, details(error)) if part)
        self.setAccessibleName(joined(what, todo))
        self.show()
        if asks:
            # The answers come next for Tab.
            self._what.setFocus(Qt.FocusReason.OtherFocusReason)

    def _offer(self, error: TapdeskError) -> bool:
        """A button for each other way to read the file; whether there is one."""
        clear(self._flow)
        again = self.again
        last: QWidget = self._what
        ways = [] if again is None else [(words, partial(again, changes)) for words, changes in error.ways]
        self._ways.setVisible(bool(ways))
        if ways and self._before is not None:
            # Where the keyboard stands first: Tab itself passes over words.
            QWidget.setTabOrder(self._before, self._what)
        for words, act in ways:
            way = button(words, act, small=True)
            self._flow.addWidget(way)
            # What is made now would come last for Tab, whatever stands above it.
            QWidget.setTabOrder(last, way)
            last = way
        if ways:
            QWidget.setTabOrder(last, self._copy)
            QWidget.setTabOrder(self._copy, self.last)
        return bool(ways)

    def after(self, control: QWidget) -> None:
        """Say behind which control Tab comes to what the card offers."""
        self._before = control
        for first, second in pairwise((control, self._copy, self.last)):
            QWidget.setTabOrder(first, second)

    def copy_details(self) -> None:
        """Put the details on the clipboard."""
        QApplication.clipboard().setText(self._details)


class CheckRow(Frame):
    """One line of the Checks list: mark, fact, effect, and what can be done about it."""

    def __init__(
        self,
        theme: Theme,
        state: State,
        fact: str,
        effect: str,
        actions: Sequence[Action] = (),
        *,
        first_is_safe: bool = False,
    ) -> None:
        super().__init__("none", across=True, margins=(14, 10, 14, 10), gap=10)
        self.links: list[QAbstractButton] = []
        words = self._words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(text(fact, "strong", wrap=True))
        self._effect = text(effect, "small", "2", wrap=True)
        if not effect:
            self._effect.hide()
        words.addWidget(self._effect)
        if actions:
            links = QWidget()
            policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            policy.setHeightForWidth(True)
            links.setSizePolicy(policy)
            line = Flow(links, gap=14, below=4)
            for words_, act in actions:
                name = f"{words_}: {fact}"
                # What has to be answered has buttons; one is filled only where choosing it too soon loses nothing.
                waits = state is State.BLOCKED
                kind = ("primary" if first_is_safe and not self.links else "") if waits else "link"
                link = button(words_, act, kind=kind, small=waits, name=name)
                line.addWidget(link)
                self.links.append(link)
            words.addSpacing(2)
            words.addWidget(links)
        self.box.addWidget(Glyph.of(theme, state), 0, Qt.AlignmentFlag.AlignTop)
        self.box.addLayout(words, 1)
        kinds = {State.DONE: _("Fine"), State.KNOW: _("To know"), State.BLOCKED: _("Not yet"), State.INFO: _("Note")}
        self.setAccessibleName(f"{kinds.get(state, '')}: {fact} {effect}".strip())

    def add_below(self, widget: QWidget) -> None:
        """Put something below the words, such as answers that need more room than a link."""
        self._words.addWidget(widget)

    def add_effect(self, words: str) -> None:
        """Say more of the effect, once it is known."""
        self._effect.setText(joined(self._effect.text(), words))
        self._effect.show()
        self.setAccessibleName(joined(self.accessibleName(), words))


class Headline(Frame):
    """The first sentence of the results, its consequence, what it does not say, and what to know before it is used.

    Attributes
    ----------
    flags, links
        What to know, and a button for each.
    led
        Emitted with the key of the part that a flag leads to.
    """

    led = Signal(str)

    def __init__(self, theme: Theme, more: Callable[[], object]) -> None:
        super().__init__("headline", margins=(18, 13, 18, 12), gap=3)
        self.flags: tuple[Flag, ...] = ()
        self.links: list[QPushButton] = []
        self._sentence = text("", "headline", wrap=True)
        self._consequence = text("", "consequence", "2", wrap=True, rich=True)
        self._consequence.setAccessibleName(_("What follows from it"))
        self._consequence.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByKeyboard | Qt.TextInteractionFlag.LinksAccessibleByMouse
        )
        self._consequence.linkActivated.connect(lambda _link: more())
        self._theme, self._rows = theme, plain(gap=0)
        self.add(self._sentence, self._consequence, self._rows)
        self._rows.hide()

    def show_flags(self, flags: Sequence["Flag"]) -> None:
        """Show what to know, a line each with the way to where it is shown."""
        if tuple(flags) == self.flags:
            return
        self.flags = tuple(flags)
        clear(self._rows.box)
        self.links = []
        for at, flag in enumerate(self.flags):
            mark, words = Glyph.of(self._theme, State.KNOW, 15), text(flag.text, "body", wrap=True)
            link = button(flag.link, partial(self.led.emit, flag.part), kind="link")
            link.setAccessibleDescription(flag.text or self.words)
            self.links.append(link)
            line = plain(across=True, gap=9, margins=(0, 5, 0, 3)).add(*((mark, words) if flag.text else ()), link)
            if flag.text:
                line.box.setStretch(1, 1)
            else:
                line.box.addStretch(1)
            if at or self.flags[0].text:
                self._rows.box.addWidget(rule())
            self._rows.box.addWidget(line)
        self._rows.setVisible(bool(self.flags))

    @property
    def words(self) -> str:
        """The headline sentence."""
        return self._sentence.text()

    def changeEvent(self, event: QEvent) -> None:
        """Write the link in the colour of another look: a text that is laid out keeps the one it had."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.PaletteChange, QEvent.Type.StyleChange}:
            words = self._consequence.text()
            self._consequence.clear()
            self._consequence.setText(words)

    def say(self, sentence: str, consequence: str, *, warn: bool) -> None:
        """Show the sentences; a warning gets an ochre bar."""
        role(self, "warning" if warn else "headline")
        self._sentence.setText(sentence)
        link = _('<a href="more" style="text-decoration: none; font-weight: 500">What this does not say</a>')
        self._consequence.setText(joined(escape(consequence), link))
        self._consequence.setAccessibleName(
            _("{consequence} Link: What this does not say").format(consequence=consequence)
        )
        self.setAccessibleName(f"{sentence} {consequence}".strip())

    def quiet(self, *, dim: bool) -> None:
        """Dim the sentences while newer numbers are on their way."""
        for label, usual in ((self._sentence, ""), (self._consequence, "2")):
            label.setProperty("tone", "3" if dim else usual)
            label.style().polish(label)


class SentenceList(QWidget):
    """Sentences, each under what it is about."""

    def __init__(self, name: str) -> None:
        super().__init__()
        frame = plain(gap=8, margins=(14, 2, 14, 8))
        self._box = frame.box
        self._outer = outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(frame)
        self.setAccessibleName(name)

    def say(self, sentences: Sequence[tuple[str, str]]) -> None:
        """Show sentences."""
        clear(self._box)
        for about, sentence in sentences:
            line = plain(gap=1)
            letter = all(one in LETTERS for one in about.split(", "))
            head = text(f"<i>{about}</i>" if letter else about, "strong" if letter else "smallstrong", rich=letter)
            line.add(head, text(sentence, "small", "2", wrap=True))
            self._box.addWidget(line)
        self._box.addStretch(1)
        self.setAccessibleDescription(" ".join(f"{a}: {s}" for a, s in sentences))

    def event(self, event: QEvent) -> bool:
        """Hold the height the sentences need at this width and in these letters: the stack of a block does not ask."""
        done = super().event(event)
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self.setMinimumHeight(max(self._outer.heightForWidth(self.width()), 0))
        return done
