"""The blocks of the results: each shows what a part says, whatever it is; only what was drawn live has its own picture.

Nothing is said about a result here: sentences, tables, figures, captions and titles come from `tapdesk.answers.parts`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol, cast

from PySide6.QtCore import QEvent, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QMenu, QStackedWidget, QVBoxLayout, QWidget

from tapdesk.agreement.word_scales import SCALE_KEYS, SCALES
from tapdesk.answers import numbers
from tapdesk.answers.content import Align, Paragraph, Picture, Table, Tone
from tapdesk.answers.content import Block as ReportBlock
from tapdesk.answers.figure import Figure
from tapdesk.answers.figure_table import rows_of_all
from tapdesk.answers.parameter_names import picture_names
from tapdesk.answers.part import STALE, Answer, Content, Missing, Part
from tapdesk.answers.parts import PARTS, part
from tapdesk.fitting.fit import SampledPosterior
from tapdesk.gui.pictures.figure_view import SvgView
from tapdesk.gui.pictures.live_plots import LiveChains, LiveTrace
from tapdesk.gui.pictures.ridge import RidgePlot
from tapdesk.gui.shell.dialogs import popup
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.block import BLOCK, LOW_BLOCK, Block, Rows
from tapdesk.gui.widgets.controls import Choice, Frame, MenuButton, Segmented, button, clear, plain, text
from tapdesk.gui.widgets.messages import SentenceList
from tapdesk.gui.widgets.tables import TableView
from tapdesk.language import gettext as _
from tapdesk.language import joined, say
from tapdesk.ratings.findings import label_text
from tapdesk.studies.scan import Direction

_LEAST_RATERS = 2  # without one of so few nothing is left to compare
SHORT = 12  # rows of a table that are seen without opening the table view
_LOWEST, _TALLEST = 100.0, 300.0  # pixels of a picture at 100 % text
_ANY = 16_777_215  # the highest a widget may be
_NARROWEST = 270  # pixels of a panel beside another one at 100 % text
Make = Callable[[], Content | Missing | None]
# Which side of every line between ordered classes may be counted.
SIDES = {_("Above the line"): Direction.ABOVE, _("Below the line"): Direction.BELOW}


def heads(table: Table) -> tuple[str, ...]:
    """The titles of the columns."""
    return tuple(column.title for column in table.columns)


def _plain(blocks: Sequence[ReportBlock]) -> list[Paragraph]:
    """The sentences without words before them."""
    return [block for block in blocks if isinstance(block, Paragraph) and not block.opening]


def show_table(view: TableView | Block, table: Table, rows: Sequence[Sequence[str]], caption: str = "") -> None:
    """Show a table in a view, or as that of a block: numbers stand to the right."""
    right = [i for i, column in enumerate(table.columns) if column.align is Align.RIGHT]
    if isinstance(view, Block):
        view.show_rows(heads(table), rows, caption, table.note, right)
    else:
        view.rows.show_rows(heads(table), rows, right=right)
        view.fill()


def inset(label: QLabel) -> Frame:
    """A label as far from the edge as the title of the block."""
    return plain(margins=(14, 0, 14, 0)).add(label)


class Panels(QWidget):
    """The panels of a picture: one over the whole width, several beside each other where there is room."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme, self._columns, self._most = theme, 0, 1
        self._high, self._heights = _LOWEST, [_LOWEST]
        self.views: list[SvgView] = [SvgView(theme, name)]
        self._titles: list[QLabel] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(8)
        self._grid.addWidget(self.views[0], 0, 0)
        theme.changed.connect(self._dress)

    def show_picture(self, panels: Sequence[Figure], high: float, columns: int) -> None:
        """Show the panels of a picture; several have their titles above them."""
        self._high, self._most = high, columns
        # Beside a forest of many rows a histogram keeps its own height.
        self._heights = [min(high, figure.height) for figure in panels] if len(panels) > 1 else [high]
        if len(panels) != len(self.views):
            clear(self._grid)
            self.views = [SvgView(self._theme, figure.title) for figure in panels]
            several = len(panels) > 1
            self._titles = [text("", "small", "2", wrap=True) for _panel in panels] if several else []
            self._columns = 0
            self._arrange()
        for view, figure in zip(self.views, panels, strict=True):
            view.show_figures((figure,))
        for title, figure in zip(self._titles, panels, strict=False):
            title.setText(figure.title)
        self._dress()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many beside each other as there is room for."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        columns = max(1, min(self._most, self.width() // self._theme.px(_NARROWEST)))
        if columns == self._columns:
            return
        for at in range(self._columns):
            self._grid.setColumnStretch(at, 0)
        self._columns = columns
        for at in range(columns):
            self._grid.setColumnStretch(at, 1)
        for i, view in enumerate(self.views):
            if self._titles:
                self._grid.addWidget(inset(self._titles[i]), i // columns * 2, i % columns)
            self._grid.addWidget(view, i // columns * 2 + 1, i % columns)
            top = columns > 1 and self._heights[i] < 0.7 * self._high
            self._grid.setAlignment(view, Qt.AlignmentFlag.AlignTop if top else Qt.AlignmentFlag(0))

    @Slot()
    def _dress(self) -> None:
        self._arrange()
        for view, high in zip(self.views, self._heights, strict=True):
            view.setMinimumHeight(self._theme.px(high))
            # Beside a tall block the picture would be drawn out of all proportion.
            view.setMaximumHeight(self._theme.px(max(1.4 * high, _TALLEST)))
        self.setMinimumHeight(self._grid.totalMinimumSize().height())
        # What is left beside a tall block stands below the words, not above and below the one picture.
        self.setMaximumHeight(self.views[0].maximumHeight() if len(self.views) == 1 else _ANY)


class ContentBody(QWidget):
    """What a part says: a sentence, the first panel of its picture or else its table, what must be known, sentences.

    The whole table belongs to the table view of the block.

    Parameters
    ----------
    live
        A picture that stands in the place of that of the part: one that was drawn while it was computed.
    most
        Panels of its picture that are shown, one below the other.
    """

    def __init__(self, theme: Theme, name: str, live: QWidget | None = None, most: int = 1) -> None:
        super().__init__()
        self._theme, self._name, self.most = theme, name, most
        self.live = live
        self.above, self.below = text("", "small", "2", wrap=True), text("", "caption", "3", wrap=True)
        self.panels: Panels | None = None
        self.sentences: SentenceList | None = None
        self.table: TableView | None = None
        self._box = box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(2)
        self._above, self._below = inset(self.above), inset(self.below)
        box.addWidget(self._above)
        if live is not None:
            box.addWidget(live, 1)
        box.addWidget(self._below)
        box.addStretch(0)
        theme.changed.connect(self._dress)

    @property
    def picture(self) -> SvgView:
        """The picture, or the first of its panels."""
        return self._panels.views[0]

    @property
    def _panels(self) -> Panels:
        if self.panels is None:
            self.panels = Panels(self._theme, say(self._name))
            self._box.insertWidget(self._box.indexOf(self._above) + 1, self.panels, 1)
        return self.panels

    def show_content(self, content: Content) -> None:
        """Show what a part says."""
        lead = self.lead(content)
        at = next((i for i, block in enumerate(content.blocks) if block is lead), len(content.blocks))
        before, after = _plain(content.blocks[:at]), _plain(content.blocks[at:])
        alone = lead is None and self.live is None
        first = next((p.text for p in before if p.tone is Tone.BODY and not alone), "")
        if not first and isinstance(lead, Picture):
            first = lead.panels[0].title
        # A caption that says it already stands in the head of the block.
        first = "" if first == content.caption.rstrip(".") else first
        below = joined(lead.note, *(p.text for p in after)) if lead is not None else ""
        for label, frame, words in ((self.above, self._above, first), (self.below, self._below, below)):
            label.setText(words)
            frame.setVisible(bool(words))
        self._show_picture(lead if isinstance(lead, Picture) else None)
        self._show_table(lead if isinstance(lead, Table) else None)
        self._show_sentences(
            [(p.opening, p.text) for p in content.paragraphs if p.opening or (lead is None and p.text != first)]
        )

    def lead(self, content: Content) -> Picture | Table | None:
        """What stands in the middle: the picture or the table that comes first."""
        if self.live is not None:
            return None
        return next((block for block in content.blocks if isinstance(block, Picture | Table)), None)

    def _show_picture(self, picture: Picture | None) -> None:
        if picture is not None:
            self._panels.show_picture(picture.panels[: self.most], max(picture.height, _LOWEST), 1)
        if self.panels is not None:
            self.panels.setVisible(picture is not None)

    def _show_table(self, table: Table | None) -> None:
        """A short table is seen whole, without a scroll bar of its own."""
        if table is not None:
            if self.table is None:
                self.table = TableView(self._theme, say(self._name), grid=False)
                self._box.insertWidget(self._box.indexOf(self._above) + 1, self.table, 1)
            rows = table.rows[: table.most or SHORT]
            show_table(self.table, table, rows)
            self._dress()
        if self.table is not None:
            self.table.setVisible(table is not None)

    def _show_sentences(self, sentences: Sequence[tuple[str, str]]) -> None:
        if sentences and self.sentences is None:
            self.sentences = SentenceList(say(self._name))
            self._box.insertWidget(self._box.count() - 1, self.sentences)
        if self.sentences is not None:
            self.sentences.say(sentences)
            self.sentences.setVisible(bool(sentences))

    @Slot()
    def _dress(self) -> None:
        if self.table is not None:
            rows = min(self.table.rows.rowCount(), SHORT)
            self.table.setMinimumHeight(self._theme.px(26) * (rows + 1) + self._theme.px(6))

    def event(self, event: QEvent) -> bool:
        """Hold the height the words need at this width and in these letters: the stack of a block does not ask."""
        done = super().event(event)
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            # The layout is up to date here; to invalidate it would ask for the next request, for ever.
            self.setMinimumHeight(max(self._box.heightForWidth(self.width()), 0))
        return done


class PartBlock(Block):
    """A block that shows a part.

    Attributes
    ----------
    part
        What it shows.
    wondered
        Emitted with a rater, as called here: what would be without this one?
    """

    wondered = Signal(str)

    def __init__(self, theme: Theme, shown: Part, body: ContentBody | None = None) -> None:
        self.part = shown
        self.body: ContentBody = body or ContentBody(theme, shown.title)
        self._make: Make = lambda: None
        super().__init__(theme, shown.title, self.body, self._drawn)

    def show_answer(self, answer: Answer, waiting: str = "") -> None:
        """Show what the part says of an answer; what is worked out where it says nothing yet."""
        # A title that says how many is that of this answer; the number of another analysis must not stay.
        self.call(say(self.part.title))
        if waiting:
            self.show_working(waiting)
            return
        self.show_made(partial(self._content, answer), answer)

    def _content(self, answer: Answer) -> Content | Missing | None:
        """What the part says; sentences of other parts that stand in this block come before its own."""
        content = self.part.content(answer)
        if not isinstance(content, Content) or self.body.live is not None or self.body.lead(content) is not None:
            return content
        others = [row.content(answer) for row in PARTS if row.block == self.part.key]
        before = [p for other in others if isinstance(other, Content) for p in other.paragraphs]
        return replace(content, blocks=(*before, *content.blocks))

    def show_made(self, make: Make, answer: Answer) -> None:
        """Show a content; it is made anew for a file, which speaks another language than the screen."""
        content = make()
        if not isinstance(content, Content):
            self.show_trouble(say(content.reason if isinstance(content, Missing) else STALE))
            return
        self._make = make
        self.show_content(content, answer)

    def show_content(self, content: Content, answer: Answer) -> None:
        """Show title, body and table."""
        del answer
        self.call(say(content.title or self.part.title))
        self.body.show_content(content)
        if self.body.table is not None:
            # Made late, it would come after all blocks.
            QWidget.setTabOrder(self.in_report, self.body.table)
        if content.tables:
            show_table(self, content.tables[0], content.tables[0].rows, content.caption)
        elif content.pictures:
            self.show_rows(*rows_of_all(content.pictures[0].panels), caption=content.caption)
        else:
            sentences = [(p.opening, p.text) for p in content.paragraphs]
            self.show_rows((_("What"), _("In words")), sentences, content.caption)
        pictured = isinstance(self.body.lead(content), Picture)
        self.offer_picture(there=pictured)
        self.hold(LOW_BLOCK if self.body.lead(content) is None else BLOCK)

    def _drawn(self) -> tuple[str, tuple[Figure, ...]]:
        """The picture of the part, drawn anew: on screen it speaks as the screen does, in a file as files do."""
        content = self._make()
        panels = content.pictures[0].panels if isinstance(content, Content) and content.pictures else ()
        return panels[0].kind if panels else "", panels


class LivePicture(Protocol):
    """A picture that is drawn while a fit is computed, and stays as it was then."""

    def show_answer(self, answer: Answer) -> None:
        """Fill it from a fit that is done."""

    def table(self) -> Rows:
        """What it shows, as a table."""


class LiveBlock(PartBlock):
    """A block whose picture was drawn while it was computed, and stays as it was then."""

    def __init__(self, theme: Theme, shown: Part, body: ContentBody, picture: LivePicture) -> None:
        self.picture = picture
        super().__init__(theme, shown, body)

    def show_content(self, content: Content, answer: Answer) -> None:
        """Show the live picture with the words of the part."""
        self.picture.show_answer(answer)
        super().show_content(content, answer)
        self.show_rows(*self.picture.table(), caption=content.caption)
        self.offer_picture(there=bool(content.pictures))
        self.hold(BLOCK)


class MovementPicture(RidgePlot):
    """A hill of draws for each number, or its interval."""

    def show_answer(self, answer: Answer) -> None:
        """A row for each number with draws; for each number where none were drawn."""
        fit = answer.fit
        made = fit.draws.values if fit.draws is not None else {}
        # Slopes have no place between 0 and 1: they are drawn with the numbers, on a scale of their own.
        drawn = {name: draws for name, draws in made.items() if name.name != "b"}
        estimates = [e for e in fit.estimates if (not made or e.name in made) and e.name.name != "b"]
        words = picture_names(drawn or [e.name for e in estimates], fit.classes)
        self.reset([] if drawn else [str(e.name) for e in estimates], words)
        for name, draws in drawn.items():
            self.grow(str(name), draws)
        for e in estimates:
            self.mark(str(e.name), e.estimate, numbers.value(e.estimate), numbers.interval(e.estimate))
        self.update()
        self.setAccessibleDescription(self.describe())


class MovementBlock(LiveBlock):
    """How far the numbers would move: a hill of draws for each, or its interval."""

    def __init__(self, theme: Theme) -> None:
        shown = part("movement")
        self.ridge = MovementPicture(theme, shown.title)
        super().__init__(theme, shown, ContentBody(theme, shown.title, self.ridge), self.ridge)

    def show_made(self, make: Make, answer: Answer) -> None:
        """Where nothing was drawn: the numbers with their intervals, which tell how sure they are all the same."""
        drawn = answer.fit.draws is not None and bool(answer.fit.draws.values)
        super().show_made(make if drawn else partial(_with_intervals, answer), answer)


def _with_intervals(answer: Answer) -> Content | Missing | None:
    """What stands in the place of draws, under its own title."""
    shown = part("estimates")
    content = shown.content(answer)
    return replace(content, title=shown.title) if isinstance(content, Content) else content


class SearchPicture(QStackedWidget):
    """The lines of a search, or those of the chains."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.trace, self.chains = LiveTrace(theme), LiveChains(theme)
        for plot in (self.trace, self.chains):
            self.addWidget(plot)

    def show_answer(self, answer: Answer) -> None:
        """Every start of a search; every chain of a posterior."""
        fit, posterior = answer.fit, answer.fit.posterior
        if isinstance(posterior, SampledPosterior) and fit.draws is not None:
            self.setCurrentWidget(self.chains)
            self.chains.reset(picture_names(fit.draws.values, fit.classes))
            draws = {str(name): values for name, values in fit.draws.values.items() if values.size}
            self.chains.grow(draws, posterior.chains, posterior.rhat)
            self.chains.redraw()
            return
        self.setCurrentWidget(self.trace)
        self.trace.reset()
        for trace in fit.trace:
            self.trace.grow(trace.start, trace.log_likelihood)
        self.trace.redraw(running=False)

    def table(self) -> Rows:
        """The table of the lines that are shown."""
        return (self.chains if self.currentWidget() is self.chains else self.trace).table()


class SearchBlock(LiveBlock):
    """The lines of the search, or those of the chains."""

    def __init__(self, theme: Theme) -> None:
        shown = part("search")
        self.settled = SearchPicture(theme)
        super().__init__(theme, shown, ContentBody(theme, shown.title, self.settled), self.settled)


class ScaledBlock(PartBlock):
    """The coefficients, with a choice of a scale whose words stand below them; none unless asked for."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, part("coefficients"))
        self._answer: Answer | None = None
        self.words = ContentBody(theme, _("Words of a scale"))
        rows = ((_("No words"), ""), *((scale.name, key) for key, scale in zip(SCALE_KEYS, SCALES, strict=True)))
        self.scale = Choice(theme, _("Words for the coefficients"), rows, 190)
        self.scale.activated.connect(self._on_chosen)
        line = plain(across=True, gap=8, margins=(14, 0, 14, 0))
        line.add(text(_("Words for these numbers"), "small", "2"), self.scale).box.addStretch(1)
        box = cast("QVBoxLayout", self.body.layout())
        box.insertWidget(0, line)
        box.insertWidget(box.count() - 1, self.words)
        self.words.hide()

    def show_answer(self, answer: Answer, waiting: str = "") -> None:
        """Show the coefficients with the words of the scale that is chosen."""
        self._answer = answer
        super().show_answer(replace(answer, scale=str(self.scale.currentData())), waiting)

    def show_content(self, content: Content, answer: Answer) -> None:
        """Show the coefficients, and below them the words of a scale."""
        super().show_content(content, answer)
        self.words.setVisible(len(content.tables) > 1)
        if len(content.tables) > 1:
            self.words.show_content(Content(content.tables[1:]))

    @Slot()
    def _on_chosen(self) -> None:
        if self._answer is not None:
            at = self.stack.currentWidget()
            self.show_answer(self._answer)
            if at is self.table:
                self.stack.setCurrentWidget(at)


class RatersBlock(PartBlock):
    """The raters by name or code (``coded``), with letters to them (``written``), and what if without one of them."""

    coded = Signal(bool)
    written = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, part("raters"))
        self.without = MenuButton(theme, _("What if without…"))
        self.menu = QMenu(self.without)
        self.without.setMenu(self.menu)
        self.called = Segmented(theme, _("What the {raters} are called"), ((_("Names"), False), (_("Codes"), True)))
        self.called.chosen.connect(self._on_called)
        self.hint = text(_("Show codes before turning the screen to the room."), "small", "2", wrap=True)
        self.letters = button(_("Letters to the {raters}…").format(), self.written.emit, small=True)
        line = plain(across=True, gap=8, margins=(14, 0, 14, 0)).add(self.called, self.without, self.letters)
        line.box.addStretch(1)
        self.hint.setContentsMargins(14, 2, 14, 4)
        for foot in (line, self.hint):
            cast("QVBoxLayout", self.body.layout()).addWidget(foot)
        for shown in (self.body, self.table):
            shown.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.body.customContextMenuRequested.connect(self._on_picture)
        self.table.customContextMenuRequested.connect(self._on_table)

    def show_content(self, content: Content, answer: Answer) -> None:
        """Show the raters; each of three and more can be asked about."""
        super().show_content(content, answer)
        self.called.choose(answer.coded)
        self.letters.setText(_("Letters to the {raters}…").format())
        self.menu.clear()
        names = answer.ratings.raters if answer.ratings.raters_known else ()
        self.without.setVisible(len(names) > _LEAST_RATERS)
        for name in names:
            row = self.menu.addAction(label_text(name, 40).replace("&", "&&"))
            row.triggered.connect(partial(self._wonder, name))

    @Slot(object)
    def _on_called(self, codes: object) -> None:
        self.coded.emit(bool(codes))

    def _wonder(self, name: str, _on: bool = False) -> None:
        self.wondered.emit(name)

    @Slot(QPoint)
    def _on_picture(self, at: QPoint) -> None:
        if not self.menu.isEmpty():
            self.menu.popup(self.body.mapToGlobal(at))

    @Slot(QPoint)
    def _on_table(self, at: QPoint) -> None:
        """Ask about the rater of a row."""
        index = self.table.indexAt(at) if self.table.indexAt(at).isValid() else self.table.currentIndex()
        cells = self.table.rows.rows[index.row()] if index.isValid() else ()
        row = next((one for one in self.menu.actions() if one.text().replace("&&", "&") in cells[:1]), None)
        if row is None:
            self._on_picture(at)
            return
        menu = QMenu(self)
        asked = menu.addAction(_("What if without {shown}?").format(shown=row.text()))
        asked.triggered.connect(row.trigger)
        popup(menu, self.table.viewport().mapToGlobal(at))
