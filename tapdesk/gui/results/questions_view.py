"""What shows the questions of a form: intervals and marks in the cells of the table, chips, and the chosen question."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QButtonGroup, QMenu, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from tapdesk.answers import criteria as words
from tapdesk.answers import numbers
from tapdesk.answers.figure import Role
from tapdesk.answers.question_columns import COEFFICIENTS, USUAL, Order, TableCoefficient, order_words
from tapdesk.gui.pictures.figure_view import SvgView
from tapdesk.gui.results.layout import DetailsTable
from tapdesk.gui.results.part_blocks import show_table
from tapdesk.gui.theme.icons import icon
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.chip import Chip
from tapdesk.gui.widgets.controls import Frame, Tick, rule, text, tone
from tapdesk.gui.widgets.layouts import Flow
from tapdesk.gui.widgets.tables import TableView
from tapdesk.language import gettext as _
from tapdesk.language import in_voice, joined
from tapdesk.studies.criteria import Advice, CriterionRow, Verdict

_TINTS = {Role.SINGLED_OUT: "know", Role.REFERENCE: "text3", Role.MODEL: "accent"}
# The icon of a verdict and its colour.
MARKS = {one: (f"mark-{mark}", _TINTS[role]) for one, (mark, role) in words.MARKS.items()}
_LINE, _MARK, _LEFT = 100, 8, 8
_WORDS = 80  # pixels at 100 % text for what a number of the panel is
_STANDS = 1  # columns from the last but one: where the verdict stands
SHOWN = 30  # rows that are seen without scrolling within the table
# Columns that go first where there is no room, counted from the left: cases, raw agreement, AC1.
_SPARED = (1, 3, 4)
Index = QModelIndex | QPersistentModelIndex


class _Cell(QStyledItemDelegate):
    """A cell of a question, which knows its row."""

    def __init__(self, theme: Theme, rows: Sequence[CriterionRow], parent: TableView) -> None:
        super().__init__(parent)
        self._theme, self._rows = theme, rows


class IntervalCell(_Cell):
    """The interval of the accuracy as a line on a scale from 0 to 1, before its words."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for the words and the line."""
        size = super().sizeHint(option, index)
        return QSize(size.width() + self._theme.px(_LINE) + self._theme.px(_MARK), size.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the words, then the line to their left."""
        super().paint(painter, option, index)
        row = self._rows[index.row()]
        place = QRectF(option.rect)
        left, wide = place.left() + self._theme.px(_LEFT), float(self._theme.px(_LINE))
        middle = place.center().y()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.colour("line"), 1))
        for at in (0.0, 0.5, 1.0):
            x = round(left + at * wide) + 0.5
            painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()))
        accuracy = row.accuracy
        if accuracy.low is not None and accuracy.high is not None:
            self._draw(painter, row, [left + float(x) * wide for x in (accuracy.low, accuracy.high)], middle)
        if accuracy.value is not None:
            self._dot(painter, row, QPointF(left + accuracy.value * wide, middle))
        painter.restore()

    def _draw(self, painter: QPainter, row: CriterionRow, ends: list[float], middle: float) -> None:
        """The line with its caps; dashes where no accuracy is told."""
        cap, pen = self._theme.px(4.5), QPen(self._theme.colour(MARKS[row.verdict][1]), self._theme.px(2))
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        for x in ends:
            painter.drawLine(QPointF(x, middle - cap), QPointF(x, middle + cap))
        if row.accuracy.value is None:
            pen.setDashPattern([1.6, 1.2])
            painter.setPen(pen)
        painter.drawLine(QPointF(ends[0], middle), QPointF(ends[1], middle))

    def _dot(self, painter: QPainter, row: CriterionRow, at: QPointF) -> None:
        """A dot where it is clear, a diamond where it is mixed, an open square elsewhere."""
        colour, size = self._theme.colour(MARKS[row.verdict][1]), self._theme.px(10) / 3
        painter.setPen(QPen(colour, 1.4))
        if row.verdict is Verdict.CLEAR:
            painter.setBrush(colour)
            painter.drawEllipse(at, size, size)
        elif row.verdict is Verdict.MIXED:
            painter.setBrush(colour)
            moves = ((0, -size), (size, 0), (0, size), (-size, 0))
            painter.drawPolygon(QPolygonF([at + QPointF(x, y) for x, y in moves]))
        else:
            painter.setBrush(self._theme.colour("surface"))
            painter.drawRect(QRectF(at.x() - size, at.y() - size, 2 * size, 2 * size))


class VerdictCell(_Cell):
    """The verdict with its mark."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Put the mark before the words."""
        super().initStyleOption(option, index)
        name, tint = MARKS[self._rows[index.row()].verdict]
        option.icon = icon(name, self._theme, tint, self._theme.px(14))
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
        option.decorationSize = QSize(self._theme.px(14), self._theme.px(14))


class AdviceCell(_Cell):
    """What to do about a question, in the colour of a link where it leads somewhere."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Give the words their colour."""
        super().initStyleOption(option, index)
        if leads_to(self._rows[index.row()]):
            for group in (QPalette.ColorRole.Text, QPalette.ColorRole.HighlightedText):
                option.palette.setColor(group, self._theme.colour("accent"))


_LEADS = {Advice.DEFINE: "cases", Advice.EXAMPLES: "cases", Advice.RATER: "differ", Advice.SCALE: "pairs"}


def has_results(row: CriterionRow) -> bool:
    """Whether a question could be estimated, so that there are results of it to see."""
    return row.numbers.fit is not None


def leads_to(row: CriterionRow) -> str:
    """The part of a question's results that its advice leads to; empty where it leads nowhere."""
    return _LEADS.get(row.advice, "") if has_results(row) else ""


def dress_cells(theme: Theme, view: TableView, rows: Sequence[CriterionRow]) -> None:
    """Draw the intervals and the marks of questions into their table (`tapdesk.answers.criteria.table`)."""
    stands = view.rows.columnCount() - 1 - _STANDS
    view.setItemDelegateForColumn(words.INTERVAL, IntervalCell(theme, rows, view))
    view.setItemDelegateForColumn(stands, VerdictCell(theme, rows, view))
    view.setItemDelegateForColumn(stands + 1, AdviceCell(theme, rows, view))
    Scale(theme, view, words.INTERVAL)
    # Its cells are measured as they will be drawn.
    view.ensurePolished()
    view.fill()


class Scale(QWidget):
    """The ends and the middle of the scale of the intervals, above them in the head of their column."""

    def __init__(self, theme: Theme, view: TableView, column: int) -> None:
        head = view.horizontalHeader()
        super().__init__(head.viewport())
        self._theme, self._head, self._column = theme, head, column
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        head.sectionResized.connect(self._follow)
        head.geometriesChanged.connect(self._follow)
        view.horizontalScrollBar().valueChanged.connect(self._follow)
        self._follow()
        self.show()

    @Slot()
    def _follow(self) -> None:
        """Stay above the lines of the column."""
        left = self._head.sectionViewportPosition(self._column)
        wide = self._theme.px(_LINE + 2 * _LEFT)
        self.setGeometry(left, 0, min(wide, self._head.sectionSize(self._column)), self._head.height())

    def paintEvent(self, event: object) -> None:
        """Write 0, 0.5 and 1 above the three lines."""
        del event
        painter = QPainter(self)
        painter.setFont(self._head.font())
        painter.setPen(self._theme.colour("text2"))
        for at in (0.0, 0.5, 1.0):
            words = numbers.decimal(at, places=int(at == 0.5))
            wide = painter.fontMetrics().horizontalAdvance(words)
            middle = self._theme.px(_LEFT) + at * self._theme.px(_LINE)
            place = QRectF(max(middle - wide / 2, 0.0), 0, wide + 2, self.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, words)
        painter.end()


class VerdictChips(QWidget):
    """One chip for all questions, and one for every verdict there is, each with its number; one of them is chosen.

    Attributes
    ----------
    chosen
        Emitted when another is.
    verdict
        Whose questions are wanted; None for all.
    """

    chosen = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.verdict: Verdict | None = None
        self.chips: dict[Verdict | None, Chip] = {}
        self._group = QButtonGroup(self)
        self._flow = Flow(self, gap=8)
        self.setAccessibleName(_("Which questions are shown"))

    def offer(self, rows: Sequence[CriterionRow]) -> None:
        """The chips of these questions; all are chosen."""
        for chip in self.chips.values():
            self._group.removeButton(chip)
            self._flow.removeWidget(chip)
            chip.deleteLater()
        self.chips, self.verdict = {}, None
        offered: tuple[Verdict | None, ...] = (None, *Verdict)
        for one in offered:
            count = sum(one in {None, row.verdict} for row in rows)
            if count:
                name = _("All") if one is None else words.verdict(one).capitalize()
                chip = self.chips[one] = Chip(self._theme, name, str(count), checkable=True, ticked=False)
                chip.setChecked(one is None)
                self._group.addButton(chip)
                self._flow.addWidget(chip)
                chip.clicked.connect(self._choosing(one))

    def _choosing(self, one: Verdict | None) -> Callable[[], None]:
        def choose() -> None:
            self.choose(one)

        return choose

    def choose(self, one: Verdict | None) -> None:
        """Choose the questions of a verdict, or all."""
        if one in self.chips and one is not self.verdict:
            self.verdict = one
            self.chips[one].setChecked(True)
            self.chosen.emit()


class OrderChip(Chip):
    """By what the questions are sorted, and a menu of what else they can be sorted by.

    Attributes
    ----------
    ordered
        Emitted when another order was chosen.
    order
        The one that is.
    """

    ordered = Signal()

    def __init__(self, theme: Theme) -> None:
        self.order, self._coefficient = Order.NEED, USUAL
        super().__init__(theme, _("Sorted by"), "")
        self.offer()

    def offer(self, chosen: TableCoefficient | None = None) -> None:
        """Tell the orders in the words of the file that is open, and of the coefficient that is chosen by now."""
        self._coefficient = chosen or self._coefficient
        self.show_value(in_voice(order_words(self.order, self._coefficient)))
        menu = QMenu(self)
        for one in Order:
            row = menu.addAction(in_voice(order_words(one, self._coefficient)))
            row.setCheckable(True)
            row.setChecked(one is self.order)
            row.triggered.connect(partial(self._on_chosen, one))
        if self._menu is not None:
            self._menu.deleteLater()
        self.set_menu(menu)

    def _on_chosen(self, order: Order, _on: bool = False) -> None:
        self.choose(order)

    def choose(self, order: Order) -> None:
        """Sort by something."""
        if order is not self.order:
            self.order = order
            self.offer()
            self.ordered.emit()


class CoefficientChip(Chip):
    """The coefficient that stands beside raw agreement, and a menu of the others.

    Attributes
    ----------
    picked
        Emitted with the name of another one that was chosen here.
    coefficient
        The one that is.
    """

    picked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        self.coefficient = USUAL
        super().__init__(theme, _("Coefficient"), "")
        self.show_coefficient(USUAL)

    def show_coefficient(self, chosen: TableCoefficient) -> bool:
        """Show which one is chosen; whether it is another than before."""
        before, self.coefficient = self.coefficient, chosen
        if before is not chosen or self._menu is None:
            self.show_value(in_voice(chosen.title))
            menu = QMenu(self)
            for one in COEFFICIENTS:
                row = menu.addAction(in_voice(one.title))
                row.setCheckable(True)
                row.setChecked(one is chosen)
                row.triggered.connect(partial(self._on_picked, one.name))
            if self._menu is not None:
                self._menu.deleteLater()
            self.set_menu(menu)
        return before is not chosen

    def _on_picked(self, name: str, _on: bool = False) -> None:
        if name != self.coefficient.name:
            self.picked.emit(name)


class PanelTable(DetailsTable):
    """Few rows in little room: what a number is goes on in a second line, the numbers are whole."""

    def divide(self, room: int) -> None:
        """Give the numbers what they need, and the words what is left."""
        columns = range(1, self.rows.columnCount())
        for column in columns:
            self.setColumnWidth(column, self.wanted(column))
        left = room - sum(self.wanted(column) for column in columns)
        self.setColumnWidth(0, max(left, self._theme.px(_WORDS)))


class QuestionPanel(Frame):
    """The chosen question: how it stands with it, its numbers, how often each rater says the class, what to do."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("none", margins=(12, 4, 8, 4), gap=6)
        self._theme = theme
        self.verdict, self.name = text("", "smallstrong"), text("", "card", wrap=True)
        self.said = text("", "small", "2", wrap=True)
        self.table = PanelTable(theme, _("The chosen question in numbers"))
        self.rests = text("", "caption", "3", wrap=True)
        self.heading = text("", "smallstrong", wrap=True)
        self.shares = SvgView(theme, _("How often each {rater} says the class"))
        self.shares.setMinimumSize(200, 120)
        # In as many lines as they need: none of them is cut where the panel is narrow.
        self.buttons = QWidget()
        self.button_lines = Flow(self.buttons)
        self.add(self.verdict, self.name, self.said, rule(), self.table, self.rests, rule(), self.heading, self.shares)
        self.own_page = Tick(theme, _("Give it its own page in the report"), "small")
        self.add(self.buttons, self.own_page)
        self.box.addStretch(1)
        self.hide()

    def show_row(self, row: CriterionRow, chosen: TableCoefficient = USUAL) -> None:
        """Show another question, with the coefficient of the table."""
        tint = {"know": "know", "text3": "3"}.get(MARKS[row.verdict][1], "")
        tone(self.verdict, tint)
        self.verdict.setText(joined(words.verdict(row.verdict).capitalize(), words.advice(row), sep=": "))
        self.name.setText(row.name)
        self.said.setText(in_voice(joined(*words.talk(row))) or in_voice(words.not_said()))
        own = in_voice(words.own_numbers(row, chosen=chosen))
        self.table.setAccessibleName(own.title)
        show_table(self.table, own, own.rows)
        self.rests.setText(own.note)
        figure = in_voice(words.shares_figure(row))
        self.heading.setVisible(figure is not None)
        self.shares.setVisible(figure is not None)
        if figure is not None:
            self.heading.setText(figure.title)
            self.shares.show_figures((figure,))
            self.shares.setFixedHeight(self._theme.px(min(70 + 24 * len(row.numbers.shares), 320)))
        self.show()


class Beside(QWidget):
    """A page with the panel of what is chosen at its right, or below it where there is no room.

    Parameters
    ----------
    theme, page, panel
        The window's, and what stands beside each other.
    """

    _PANEL, _LEAST = 300, 1_080

    def __init__(self, theme: Theme, page: QWidget, panel: QWidget) -> None:
        super().__init__()
        self._theme, self._panel = theme, panel
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._box.addWidget(page, 1, Qt.AlignmentFlag.AlignTop)
        self._box.addWidget(panel, 0)
        self._table: TableView | None = None
        # It may come out of a stack, which hides what is not on top.
        page.show()

    def resizeEvent(self, event: object) -> None:
        """Change between beside and below."""
        del event
        self._arrange()

    def fit(self, table: TableView) -> None:
        """Leave out columns of this table while there is no room for all of them."""
        self._table = table
        # It has the letters of its window, and so the widths of its columns, only when it is shown.
        table.installEventFilter(self)
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look again what has room in a table that is shown."""
        if event.type() == QEvent.Type.Show and watched is self._table:
            self._arrange()
        return super().eventFilter(watched, event)

    def _arrange(self) -> None:
        across = self.width() >= self._theme.px(self._LEAST)
        way = QVBoxLayout.Direction.LeftToRight if across else QVBoxLayout.Direction.TopToBottom
        self._panel.setMaximumWidth(self._theme.px(self._PANEL) if across else 16_777_215)
        self._panel.setMinimumWidth(self._theme.px(self._PANEL) if across else 0)
        self._box.setDirection(way)
        if self._table is None:
            return
        room = self.width() - (self._theme.px(self._PANEL) if across else 0)
        if self._table.rows.rowCount() > SHOWN:
            room -= self._table.verticalScrollBar().sizeHint().width()
        heads = self._table.horizontalHeader()
        needed = [
            max(self._table.sizeHintForColumn(i), heads.sectionSizeHint(i))
            for i in range(self._table.rows.columnCount())
        ]
        for column in _SPARED:
            tight = sum(needed) > room
            self._table.setColumnHidden(column, tight)
            needed[column] *= not tight
        self._table.fill()
