"""The list of the awards as it is looked at, with the judges, what hangs on one of them, and the committee beside it.

Signs are drawn into a table, so that the arrow keys, copying and reading aloud go as in any other.
"""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFontMetricsF, QKeySequence, QPainter, QPen, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QHeaderView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from tapdesk.answers import awards as words
from tapdesk.answers import numbers
from tapdesk.answers.award_part import severity_figure
from tapdesk.answers.content import Paragraph, Picture, Table
from tapdesk.answers.numbers import SCREEN
from tapdesk.answers.part import Content
from tapdesk.gui.results.on_demand_blocks import ContentPage
from tapdesk.gui.results.part_blocks import Panels, inset, show_table
from tapdesk.gui.shell.dialogs import popup
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Choice, Frame, button, plain, text
from tapdesk.gui.widgets.focus import bring_into_view
from tapdesk.gui.widgets.layouts import Flow
from tapdesk.gui.widgets.tables import NOWHERE, TableView, TextTable
from tapdesk.language import RaterName, say
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import label_text
from tapdesk.studies.award_answer import SAFE, Awards, ScoreKind

Index = QModelIndex | QPersistentModelIndex
BRACKET, PLACES, NAME, PLOT, SCORE, GIVEN, DESERVED, LIKELIEST = range(8)
# Pixels at 100 % text: the bracket, the least of a name and of the picture, a bar, a row, and the head.
_BRACKET, _NAME, _PLOT, _BAR, _ROW, _HEAD = 20, 110, 130, 54, 28, 42
_SIDE, _CARDS = 860, 300
_MOST_ROWS, _MOST_CHANGES = 24, 8
# The grounds of the classes, the best first.
_GROUNDS = ("accent", "b50", "b95")


class AwardRows(TextTable):
    """The rows of the list; who hears one hears a sentence, in the column of its name."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.result: Awards | None = None
        self.sentences: tuple[str, ...] = ()
        self._differing: frozenset[int] = frozenset()

    def show_result(self, result: Awards) -> None:
        """Show the list of an answer."""
        table = words.list_table(result, SCREEN)
        self.result = result
        self._differing = frozenset(map(int, words.differing(result)))
        self.sentences = tuple(words.entry_words(result, at) for at in range(len(table.rows)))
        places, name, score, *awards = (column.title for column in table.columns)
        head = ("", places, name, "", score, *awards)
        rows = [("", str(row[0]), str(row[1]), "", str(row[2]), *map(str, row[3:])) for row in table.rows]
        self.show_rows(head, rows, right=(PLACES, SCORE))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One cell."""
        if role in {Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole} and index.column() == NAME:
            return self.sentences[index.row()]
        if role == Qt.ItemDataRole.ForegroundRole and index.column() in {DESERVED, LIKELIEST} and self.differs(index):
            return self._theme.colour("know")
        return super().data(index, role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One name of a column."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in self.right else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignBottom)
        if role == Qt.ItemDataRole.AccessibleTextRole and section in {BRACKET, PLOT}:
            return _("Cannot be told apart") if section == BRACKET else _("Fair score with its interval")
        return super().headerData(section, orientation, role)

    def entry(self, index: Index) -> int:
        """The entry of a row."""
        return -1 if self.result is None else int(self.result.order[index.row()])

    def differs(self, index: Index) -> bool:
        """Whether the likeliest class of a row is another than the one that was given."""
        return self.entry(index) in self._differing


class _Scale:
    """From values to pixels of the column of the picture."""

    def __init__(self, result: Awards, left: float, wide: float) -> None:
        low, high = float(result.low.min()), float(result.high.max())
        room = 0.04 * max(high - low, 1e-9)
        self._low, self._per = low - room, wide / (high - low + 2 * room)
        self._left = left

    def at(self, value: float) -> float:
        return self._left + (value - self._low) * self._per


def _lines(result: Awards) -> tuple[float, ...]:
    """The medal lines that lie where values are drawn."""
    low, high = float(result.low.min()), float(result.high.max())
    return tuple(line for line in result.lines if low < line < high)


class AwardHead(QHeaderView):
    """The head of the list: above the picture stand the medal lines and the classes between them."""

    def __init__(self, theme: Theme, rows: AwardRows) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._theme, self._rows = theme, rows
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)

    def paintSection(self, painter: QPainter, rect: Any, section: int) -> None:
        """Draw one head."""
        painter.save()
        super().paintSection(painter, rect, section)
        painter.restore()
        result = self._rows.result
        if section != PLOT or result is None:
            return
        place, theme = QRectF(rect), self._theme
        scale, lines = _Scale(result, place.left() + 6, place.width() - 12), _lines(result)
        painter.save()
        painter.setPen(theme.colour("text"))
        painter.setFont(theme.font(12, theme.font(12).Weight.DemiBold))
        top = QRectF(place.left(), place.top() + 2, place.width(), place.height() / 2 - 2)
        for line in lines:
            x = scale.at(line)
            box = QRectF(x - 30, top.top(), 60, top.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, numbers.decimal(line, SCREEN, 1).removesuffix(".0"))
        painter.setFont(theme.font(11))
        painter.setPen(theme.colour("text2"))
        ends = [place.left(), *(scale.at(line) for line in lines), place.right()]
        skipped = sum(line <= float(result.low.min()) for line in result.lines)
        below = QRectF(place.left(), place.center().y() - 1, place.width(), place.height() / 2)
        for k, label in enumerate(result.classes[skipped : skipped + len(ends) - 1] if lines else ()):
            box = QRectF(ends[k] + 2, below.top(), ends[k + 1] - ends[k] - 4, below.height())
            if QFontMetricsF(painter.font()).horizontalAdvance(label) <= box.width():
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label)
        painter.restore()


class AwardCell(QStyledItemDelegate):
    """Draws the signs of the list: bracket, value with its interval, the class that was given, the bar of belief."""

    def __init__(self, theme: Theme, rows: AwardRows, parent: TableView) -> None:
        super().__init__(parent)
        self._theme, self._rows = theme, rows

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for the words and the signs beside them."""
        size = super().sizeHint(option, index)
        more = {DESERVED: _BAR + 8, GIVEN: 18}.get(index.column(), 0)
        return QSize(size.width() + self._theme.px(more), size.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a cell."""
        result, column = self._rows.result, index.column()
        draw = {BRACKET: self._bracket, PLOT: self._plot, GIVEN: self._given, DESERVED: self._deserved}.get(column)
        if draw is None or result is None:
            super().paint(painter, option, index)
            return
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        shown.text = ""
        widget = shown.widget
        widget.style().drawControl(widget.style().ControlElement.CE_ItemViewItem, shown, painter, widget)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(painter, QRectF(option.rect), index, result)
        painter.restore()

    def _bracket(self, painter: QPainter, place: QRectF, index: Index, result: Awards) -> None:
        row = index.row()
        group = next(((a, b) for a, b in result.groups if a <= row <= b), None)
        if group is None:
            return
        painter.setPen(QPen(self._theme.colour("text3"), 1.2))
        x, reach = place.left() + self._theme.px(6), self._theme.px(8)
        top = place.top() + 4 if row == group[0] else place.top()
        bottom = place.bottom() - 4 if row == group[1] else place.bottom()
        painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        for end, here in ((top, row == group[0]), (bottom, row == group[1])):
            if here:
                painter.drawLine(QPointF(x, end), QPointF(x + reach, end))

    def _plot(self, painter: QPainter, place: QRectF, index: Index, result: Awards) -> None:
        i, middle = self._rows.entry(index), place.center().y()
        scale = _Scale(result, place.left() + 6, place.width() - 12)
        painter.setPen(QPen(self._theme.colour("text3"), 1, Qt.PenStyle.DashLine))
        for line in _lines(result):
            painter.drawLine(QPointF(scale.at(line), place.top()), QPointF(scale.at(line), place.bottom()))
        colour = self._theme.colour("accent")
        painter.setPen(QPen(colour, 1.6))
        low, high, cap = scale.at(float(result.low[i])), scale.at(float(result.high[i])), place.height() / 6
        painter.drawLine(QPointF(low, middle), QPointF(high, middle))
        for end in (low, high):
            painter.drawLine(QPointF(end, middle - cap), QPointF(end, middle + cap))
        painter.setBrush(colour)
        at, radius = QPointF(scale.at(float(result.fair[i])), middle), place.height() / 7
        painter.drawEllipse(at, radius, radius)

    def _given(self, painter: QPainter, place: QRectF, index: Index, result: Awards) -> None:
        given, theme = int(result.result.given[self._rows.entry(index)]), self._theme
        if given < 0:
            return
        if result.wanted >= 0:
            # Of classes without an order the one that is wanted is the award.
            below = int(given != result.wanted)
            ground = "" if below else _GROUNDS[0]
        else:
            below = len(result.classes) - 1 - given
            # The lowest class of several is no award.
            ground = _GROUNDS[min(below, len(_GROUNDS) - 1)] if given or len(result.classes) < 3 else ""
        high = min(place.height() - 6, theme.px(21))
        box = QRectF(place.left() + 4, place.center().y() - high / 2, place.width() - 8, high)
        painter.setFont(theme.font(12, theme.font(12).Weight.DemiBold if not below else theme.font(12).Weight.Normal))
        label = QFontMetricsF(painter.font()).elidedText(
            result.classes[given], Qt.TextElideMode.ElideRight, box.width() - 6
        )
        if ground:
            painter.setPen(QPen(theme.colour("accent"), 1))
            painter.setBrush(theme.colour(ground))
            painter.drawRoundedRect(box, 3, 3)
        painter.setPen(theme.colour("onaccent" if ground == "accent" else "text"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label)

    def _deserved(self, painter: QPainter, place: QRectF, index: Index, result: Awards) -> None:
        share, theme = float(result.deserved[self._rows.entry(index)]), self._theme
        if math.isnan(share):
            return
        wide, high = theme.px(_BAR), theme.px(7)
        bar = QRectF(place.left() + 6, place.center().y() - high / 2, wide, high)
        other = self._rows.differs(index)
        painter.setPen(QPen(theme.colour("control"), 1))
        painter.setBrush(theme.colour("surface"))
        painter.drawRoundedRect(bar, 3, 3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("know" if other else "accent" if round(100 * share) >= 100 * SAFE else "b50"))
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), max(wide * share, 2.0), high), 3, 3)
        painter.setPen(theme.colour("know" if other else "text"))
        painter.setFont(theme.font(12.5))
        beside = QRectF(bar.right() + 4, place.top(), place.right() - bar.right() - 8, place.height())
        painter.drawText(beside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, str(index.data()))


class AwardList(TableView):
    """The list: names take what room there is, and are cut first."""

    def __init__(self, theme: Theme, name: str) -> None:
        self.shown = AwardRows(theme)
        super().__init__(theme, name, grid=False, rows=self.shown)
        self.setHorizontalHeader(AwardHead(theme, self.shown))
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setMinimumSectionSize(8)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setItemDelegate(AwardCell(theme, self.shown, self))
        self._dress()

    def show_result(self, result: Awards) -> None:
        """Show the list of an answer."""
        self.shown.show_result(result)
        first = self.shown.index(0, NAME, NOWHERE)
        self.selectionModel().setCurrentIndex(first, QItemSelectionModel.SelectionFlag.NoUpdate)
        self._dress()
        self.fill()

    def share(self) -> None:
        """Every column as wide as it needs; the picture and the names share the rest."""
        if len(self._needed) < SCORE:
            return
        px, room = self._theme.px, self.viewport().width()
        fixed = sum(n for i, n in enumerate(self._needed) if i not in {BRACKET, NAME, PLOT}) + px(_BRACKET)
        rest = max(room - fixed, px(_NAME) + px(_PLOT))
        name = max(min(self._needed[NAME] + px(8), rest - max(px(_PLOT), round(0.4 * rest))), px(_NAME))
        for i, needed in enumerate(self._needed):
            self.setColumnWidth(i, {BRACKET: px(_BRACKET), NAME: name, PLOT: rest - name}.get(i, needed))

    def _dress(self) -> None:
        super()._dress()
        px = self._theme.px
        self.verticalHeader().setDefaultSectionSize(px(_ROW))
        self.horizontalHeader().setFixedHeight(px(_HEAD))
        self.setFixedHeight(px(_HEAD) + px(_ROW) * min(max(self.shown.rowCount(), 1), _MOST_ROWS) + px(2))


class AwardPage(QWidget):
    """What the block of the awards shows.

    Attributes
    ----------
    discussed
        Emitted when the entries about which committee and model differ are to be discussed.
    noted
        Emitted when the decision is to be noted.
    wondered
        Emitted with the judge without whom the whole analysis is to be seen.
    """

    discussed = Signal()
    noted = Signal()
    wondered = Signal(str)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._result: Awards | None = None
        self.setAccessibleName(name)
        self.above, self.rest = ContentPage(theme, name), ContentPage(theme, name)
        self.list = AwardList(theme, _("List of awards"))
        self.list_title, self.key = text("", "smallstrong", wrap=True), text("", "caption", "3", wrap=True)
        self.strict, self.strict_words = Panels(theme, _("Who is strict?")), text("", "small", "2", wrap=True)
        self.judge = Choice(theme, _("Judge left out"), (), 200)
        self.change_words = text("", "smallstrong", wrap=True)
        self.changes = TableView(theme, _("Awards that change"), grid=False, widest=150)
        for bar in (self.changes.setHorizontalScrollBarPolicy, self.changes.setVerticalScrollBarPolicy):
            bar(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.decides = text("", "small", "2", wrap=True)
        self.discuss = button(_("Discuss these"), self.discussed.emit, small=True)
        self.note_it = button(_("Note the decision…"), self.noted.emit, small=True)
        self.judge.activated.connect(self._left_out)
        QShortcut(QKeySequence("Shift+L"), self, self.leave_out_next)
        self._fill()

    def _fill(self) -> None:
        left = plain(gap=4).add(inset(self.list_title), self.list, inset(self.key))
        left.box.addStretch(1)
        self.unit = text("", "caption", "3", wrap=True)
        self.strict_card = Frame("card", gap=4).add(
            text(_("Who is strict?"), "card", wrap=True), self.unit, self.strict, self.strict_words
        )
        title = text(_("If one is left out"), "card", wrap=True)
        self.ways = text("", "caption", "3", wrap=True)
        self.change_card = Frame("card", gap=4).add(title, self.judge, self.change_words, self.changes, self.ways)
        flow = Flow(presses := QWidget(), gap=8)
        flow.addWidget(self.discuss)
        flow.addWidget(self.note_it)
        decides = Frame("headline", gap=6).add(text(_("The committee decides"), "card"), self.decides, presses)
        self.cards = plain(gap=10).add(self.strict_card, self.change_card, decides)
        self.cards.box.addStretch(1)
        self._both = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._both.setSpacing(10)
        self._both.addWidget(left, 1)
        self._both.addWidget(self.cards)
        box = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        box.setContentsMargins(0, 0, 8, 0)
        box.setSpacing(6)
        box.addWidget(self.above)
        box.addLayout(self._both)
        box.addWidget(self.rest)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The cards beside the list where there is room, below it where there is not."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        beside = self.width() >= self._theme.px(_SIDE)
        self._both.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        self.cards.setMaximumWidth(self._theme.px(_CARDS) if beside else 16_777_215)
        self.cards.setMinimumWidth(self._theme.px(_CARDS) if beside else 0)
        # Cards stand in a stack of pages, which asks nobody how high words are in so narrow a column.
        room = (self._theme.px(_CARDS) if beside else self.width()) - 40
        for label in (self.decides, self.strict_words, self.change_words):
            label.setMinimumHeight(max(label.heightForWidth(max(room, 100)), 0))

    @property
    def panels(self) -> list[Panels]:
        """The pictures that are drawn."""
        return [self.strict, *self.rest.panels]

    def show_result(self, result: Awards, content: Content, *, leads: bool) -> None:
        """Show an answer; ``leads`` is whether its headline stands above the page already."""
        self._result = result
        first = next(i for i, block in enumerate(content.blocks) if not isinstance(block, Paragraph))
        self.above.show_content(Content(content.blocks[2 * leads : first]))
        listed = content.tables[0]
        rest = tuple(b for b in content.blocks[first:] if b is not listed and not isinstance(b, Picture))
        self.rest.show_content(Content(rest))
        self._open_rows(result)
        self.list_title.setText(listed.title)
        self.key.setText(words.list_key(result))
        self.list.show_result(result)
        self._show_judges(result)
        other = int(words.differing(result).size)
        self.decides.setText(words.committee_words(result))
        self.discuss.setText(_("Discuss these {n}").format(n=other))
        self.discuss.setAccessibleName(self.discuss.text())
        self.discuss.setVisible(bool(other))
        self._arrange()

    def _show_judges(self, result: Awards) -> None:
        scored = result.kind is not ScoreKind.CLASSES
        self.strict_card.setVisible(scored)
        if scored:
            figure = severity_figure(result, SCREEN)
            self.unit.setText(figure.note)
            self.strict.show_picture((figure,), 44.0 + 19.0 * len(figure.y.ticks), 1)
            self.strict_words.setText(words.strict_words(result))
        self.change_card.setVisible(bool(result.without))
        ways = _("In the table of the {raters}, Enter on a row shows this, and a right click offers the whole What if.")
        self.ways.setText(ways.format())
        self.judge.clear()
        for at, one in enumerate(result.without):
            named = _("{name}: {n}").format(name=result.raters[one.judge], n=len(one.changes))
            self.judge.addItem(named, at)
        harshest = -1 if result.corrected is None else result.corrected.judge
        self.judge.choose(next((i for i, one in enumerate(result.without) if one.judge == harshest), 0))
        self._left_out()

    def _open_rows(self, result: Awards) -> None:
        """Of every row of a judge it can be asked what would be without them."""
        head, places = _("{Rater}").format(), range(len(result.without))
        at = {say(RaterName(result.raters[result.without[place].judge])): place for place in places}
        for table, view in self.rest.tables:
            if table.columns[0].title == head:
                view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
                view.customContextMenuRequested.connect(partial(self._open_menu, view, at))
                view.activated.connect(partial(self._choose_row, view, at))

    def _choose_row(self, view: TableView, at: Mapping[str, int], index: QModelIndex) -> None:
        if (place := at.get(str(view.rows.rows[index.row()][0]))) is not None:
            self.leave_out(place)

    def _open_menu(self, view: TableView, at: Mapping[str, int], where: QPoint) -> None:
        index = view.indexAt(where) if view.indexAt(where).isValid() else view.currentIndex()
        name = str(view.rows.rows[index.row()][0]) if index.isValid() else ""
        if name not in at:
            return
        menu, shown = QMenu(self), label_text(name, 40).replace("&", "&&")
        awards = menu.addAction(_("Which awards change without {shown}?").format(shown=shown))
        awards.triggered.connect(partial(self._choose_row, view, at, index))
        whole = menu.addAction(_("What if without {shown}?").format(shown=shown))
        whole.triggered.connect(partial(self.wondered.emit, name))
        popup(menu, view.viewport().mapToGlobal(where))

    def leave_out(self, place: int) -> None:
        """Show the awards that change without a judge; ``place`` is one in the answer's ``without``."""
        self.judge.choose(place)
        self._left_out()
        bring_into_view(self.change_card)
        self.judge.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def leave_out_next(self) -> None:
        """Leave out the next judge."""
        if self.judge.count():
            self.judge.setCurrentIndex((self.judge.currentIndex() + 1) % self.judge.count())
            self.judge.setFocus()
            self._left_out()

    @Slot()
    def _left_out(self) -> None:
        result, at = self._result, self.judge.currentData()
        if result is None or at is None:
            return
        table: Table = words.left_out_table(result, int(at))
        self.change_words.setText(words.left_out_words(result, int(at)))
        self.changes.setAccessibleName(table.title)
        show_table(self.changes, table, table.rows)
        rows = min(len(table.rows), _MOST_CHANGES)
        self.changes.setFixedHeight(self._theme.px(26) * (rows + 1) + self._theme.px(4))
        self.changes.setVisible(bool(rows))
