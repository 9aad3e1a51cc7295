"""The differences of two analyses drawn into their tables: each as a mark with its interval, about no change.

It stands alone because it draws, and the pane around it does not.
"""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from tapdesk.answers import what_if as words
from tapdesk.answers.numbers import decimal
from tapdesk.answers.what_if import Verdict
from tapdesk.gui.theme.icons import paint
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.tables import TableView, TextTable
from tapdesk.language import gettext as _
from tapdesk.language import say
from tapdesk.studies.comparison import Contrast
from tapdesk.studies.what_if import COEFFICIENTS

# The mark of each verdict and its colour; the shape alone tells which it is.
MARKS = {
    Verdict.YES: ("mark-done", "accent"),
    Verdict.SMALL: ("mark-small", "accent"),
    Verdict.NO: ("mark-no", "text3"),
    Verdict.CANNOT_TELL: ("mark-open", "know"),
}
PLOT = 3  # the column of the picture
_SIDE, _EDGE, _WIDE, _MARK = 6, 7, 132, 16
# Of the names of the numbers: longer ones go on in a second line.
_WORDS = 172
_LEAST = 0.05
_TICKS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 2.0)
Index = QModelIndex | QPersistentModelIndex


def reach_of(rows: Sequence[Contrast], smallest: float | None) -> float:
    """How far the one axis of all rows goes to either side: a round number that holds every interval."""
    ends = [abs(end) for c in rows for end in (c.difference.low, c.difference.high) if end is not None]
    furthest = max([*ends, smallest or 0.0, _LEAST])
    return next((tick for tick in _TICKS if tick >= furthest), furthest)


class Cells(QStyledItemDelegate):
    """Cells whose ground is that of the table and whose content is drawn here."""

    def __init__(self, theme: Theme, parent: TableView) -> None:
        super().__init__(parent)
        self._theme, self._view = theme, parent

    def ground(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the cell without its words."""
        bare = QStyleOptionViewItem(option)
        self.initStyleOption(bare, index)
        bare.text = ""
        self._view.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, bare, painter, self._view)

    def words(self, index: Index) -> str:
        """What stands in a cell."""
        return str(index.data() or "")


class NumberCells(Cells):
    """A number in bold, its interval behind it in a quieter tone."""

    def __init__(self, theme: Theme, parent: TableView, tone: Callable[[int], str], pixels: float = 13) -> None:
        super().__init__(theme, parent)
        self._tone, self._pixels = tone, pixels

    def _fonts(self) -> tuple[QFont, QFont]:
        return self._theme.font(self._pixels, QFont.Weight.DemiBold), self._theme.font(12)

    def _wide(self, text: str) -> tuple[float, float]:
        value, _gap, interval = text.partition(" ")
        bold, light = map(QFontMetricsF, self._fonts())
        return bold.horizontalAdvance(value), light.horizontalAdvance(interval)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for both."""
        value, interval = self._wide(self.words(index))
        gap = self._theme.px(_SIDE) if interval else 0
        size = super().sizeHint(option, index)
        return QSize(round(value + interval + gap) + 2 * self._theme.px(_EDGE), size.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the number and its interval from the right end."""
        self.ground(painter, option, index)
        text = self.words(index)
        value, _gap, interval = text.partition(" ")
        bold, light = self._fonts()
        wide = self._wide(text)
        room = QRectF(option.rect).adjusted(self._theme.px(_EDGE), 0, -self._theme.px(_EDGE), 0)
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.save()
        painter.setFont(light)
        painter.setPen(self._theme.colour("text2"))
        painter.drawText(room, flags, interval)
        painter.setFont(bold)
        painter.setPen(self._theme.colour(self._tone(index.row())))
        left = room.adjusted(0, 0, -(wide[1] + self._theme.px(_SIDE)) if interval else 0, 0)
        painter.drawText(left, flags, value)
        painter.restore()


class VerdictCells(Cells):
    """A verdict as its mark, and where there is room its word."""

    def __init__(
        self, theme: Theme, parent: TableView, verdicts: Callable[[int], Verdict | None], *, worded: bool = True
    ) -> None:
        super().__init__(theme, parent)
        self._verdicts, self._worded = verdicts, worded

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for the mark and the word."""
        size = super().sizeHint(option, index)
        text = QFontMetricsF(self._theme.font(12.5, QFont.Weight.DemiBold)).horizontalAdvance(self.words(index))
        wide = self._theme.px(_MARK + 2 * _EDGE) + (self._theme.px(6) + round(text) if self._worded else 0)
        return QSize(wide, size.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the mark, then the word."""
        if self._view.rows.stands_out(index.row()):
            painter.fillRect(option.rect, self._theme.colour("sunken"))
            return
        self.ground(painter, option, index)
        judged, text = self._verdicts(index.row()), self.words(index)
        place, side = QRectF(option.rect), float(self._theme.px(_MARK))
        left = place.left() + self._theme.px(_EDGE if self._worded else 2)
        if judged is not None:
            name, tint = MARKS[judged]
            paint(painter, QRectF(left, place.center().y() - side / 2, side, side), name, self._theme, tint)
            left += side + self._theme.px(6)
        if not self._worded:
            return
        painter.save()
        painter.setFont(self._theme.font(12.5, QFont.Weight.DemiBold))
        painter.setPen(self._theme.colour("text"))
        painter.drawText(place.adjusted(left - place.left(), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()


class PlotCells(Cells):
    """The difference as a dot with its interval on a scale that is the same for all rows."""

    def __init__(self, theme: Theme, parent: TableView, rows: Sequence[Contrast], smallest: float | None) -> None:
        super().__init__(theme, parent)
        self._rows, self._smallest = rows, smallest
        self.reach = reach_of(rows, smallest)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As wide as the axis."""
        return QSize(self._theme.px(_WIDE), super().sizeHint(option, index).height())

    def at(self, value: float, left: float, wide: float) -> float:
        """Where a value stands in a cell."""
        edge = self._theme.px(_SIDE)
        return left + edge + (wide - 2 * edge) * (0.5 + 0.5 * max(min(value / self.reach, 1.0), -1.0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the band of what makes no difference, the grid, no change as a dashed line, and the interval."""
        self.ground(painter, option, index)
        change, theme = self._rows[index.row()].difference, self._theme
        place = QRectF(option.rect).adjusted(0, 0, 0, -1)
        middle = place.center().y()

        def at(value: float) -> float:
            return self.at(value, place.left(), place.width())

        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._smallest is not None:
            ends = at(-self._smallest), at(self._smallest)
            painter.fillRect(QRectF(ends[0], place.top(), ends[1] - ends[0], place.height()), theme.colour("line"))
        for tick in (-1.0, -0.5, 0.5, 1.0):
            _line(painter, theme.colour("sunken"), 1, at(tick * self.reach), place)
        _line(painter, theme.colour("text3"), 1.4, at(0.0), place, Qt.PenStyle.DashLine)
        colour = theme.colour("accent")
        painter.setPen(QPen(colour, 2))
        if change.low is not None and change.high is not None:
            cap = theme.px(5)
            low, high = at(change.low), at(change.high)
            painter.drawLine(QPointF(low, middle), QPointF(high, middle))
            for end in (low, high):
                painter.drawLine(QPointF(end, middle - cap), QPointF(end, middle + cap))
        if change.value is not None:
            painter.setPen(QPen(theme.colour("surface"), 1.4))
            painter.setBrush(colour)
            painter.drawEllipse(QPointF(at(change.value), middle), theme.px(5), theme.px(5))
        painter.restore()


def _line(
    painter: QPainter, colour: QColor, wide: float, x: float, place: QRectF, dash: Qt.PenStyle = Qt.PenStyle.SolidLine
) -> None:
    """An upright line through a cell."""
    painter.setPen(QPen(colour, wide, dash))
    painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()))


class AxisHeader(QHeaderView):
    """The heads of the table; that of the picture has the ends and the middle of its axis."""

    def __init__(self, theme: Theme, view: TableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, view)
        self._theme, self._view = theme, view
        self.setHighlightSections(False)
        self.setMinimumSectionSize(20)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw a head, and the axis above the picture."""
        painter.save()
        super().paintSection(painter, rect, section)
        painter.restore()
        cells = self._view.itemDelegateForColumn(section)
        if not isinstance(cells, PlotCells):
            return
        painter.save()
        painter.setFont(self._theme.font(11.5))
        painter.setPen(self._theme.colour("text2"))
        end = f"{cells.reach:g}"
        places = len(end.partition(".")[2])
        ends = decimal(-cells.reach, places=places), "+" + decimal(cells.reach, places=places)
        place = QRectF(rect).adjusted(2, 0, -2, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, middle | Qt.AlignmentFlag.AlignLeft, ends[0])
        painter.drawText(place, middle | Qt.AlignmentFlag.AlignRight, ends[1])
        painter.drawText(place, middle | Qt.AlignmentFlag.AlignHCenter, _("no change"))
        painter.restore()


class StrongCells(Cells):
    """What a number is, in the weight of a title; long words go on in a second line."""

    def _font(self) -> QFont:
        return self._theme.font(12.5, QFont.Weight.Medium)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for the words, in two lines where they are long."""
        wide = QFontMetricsF(self._font()).horizontalAdvance(self.words(index)) + self._theme.px(14 + 6)
        return QSize(min(round(wide) + 1, self._theme.px(_WORDS)), super().sizeHint(option, index).height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the words."""
        self.ground(painter, option, index)
        room = QRectF(option.rect).adjusted(self._theme.px(14), 0, -self._theme.px(6), 0)
        painter.save()
        painter.setFont(self._font())
        painter.setPen(self._theme.colour("text"))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextWordWrap), self.words(index))
        painter.restore()


class StretchTable(TableView):
    """A table in which one column has all the room that is left."""

    def __init__(self, theme: Theme, name: str, rows: TextTable, stretch: Sequence[int]) -> None:
        super().__init__(theme, name, grid=False, rows=rows)
        self._stretch = stretch
        # The pane scrolls: all rows have room.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def share(self) -> None:
        """Give every column what it needs, and the rest to the first of those that take it."""
        needed = [self.wanted(i) for i in range(self.rows.columnCount())]
        shown = [i for i in range(len(needed)) if not self.isColumnHidden(i)]
        spare = self.viewport().width() - sum(needed[i] for i in shown)
        taker = next((i for i in self._stretch if i in shown), -1)
        for i in shown:
            least = self._theme.px(90)
            self.setColumnWidth(i, max(needed[i] + spare, min(needed[i], least)) if i == taker else needed[i])

    def fit(self, most: int = 0) -> None:
        """Be as high as all rows and the head, so that the pane scrolls, not the table; or as so many rows at most."""
        head, count = self.horizontalHeader(), self.rows.rowCount()
        part = 0 < most < count
        for row in range(count):
            self.setRowHeight(row, max(self.verticalHeader().defaultSectionSize(), self.words_height(row)))
        scrolls = Qt.ScrollBarPolicy.ScrollBarAsNeeded if part else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(scrolls)
        rows = sum(map(self.rowHeight, range(most if part else count)))
        self.setFixedHeight(rows + (0 if head.isHidden() else head.height()) + 2)

    def words_height(self, row: int) -> int:
        """How high the words of a row are drawn, which go on in as many lines as they need; 0 where they do not."""
        index = self.rows.index(row, 0)
        cells = self.itemDelegateForIndex(index)
        if not isinstance(cells, ChoiceCells) or self.rows.stands_out(row):
            return 0
        return cells.words_height(index, self.columnWidth(0))


class ChangeRows(TextTable):
    """The numbers of both analyses; a row is read aloud as one sentence.

    Attributes
    ----------
    sentences
        One for each row.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.sentences: Sequence[str] = ()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One cell; the first of a row is read as all of it."""
        at = index.row()
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == 0 and at < len(self.sentences):
            return self.sentences[at]
        return super().data(index, role)


class Choices(TextTable):
    """Rows that can be chosen, under heads that cannot."""

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A head is read, not chosen."""
        if self.stands_out(index.row()):
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)


class ChoiceCells(Cells):
    """The words of a choice, in more lines where they are long, or of the head of a group over the whole list."""

    def words_height(self, index: Index, wide: int) -> int:
        """How high the words are in a cell of a width."""
        metrics = QFontMetricsF(self._theme.font(12.5, QFont.Weight.Medium))
        room = QRectF(0, 0, wide - self._theme.px(14) - 2, 10_000)
        words = metrics.boundingRect(room, int(Qt.TextFlag.TextWordWrap), self.words(index))
        return round(words.height()) + self._theme.px(4)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The other columns come first: words go on in further lines."""
        return QSize(self._theme.px(90), super().sizeHint(option, index).height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a head in its own tone: what cannot be chosen is not greyed, it is a title."""
        head = self._view.rows.stands_out(index.row())
        painter.save()
        if head:
            painter.fillRect(option.rect, self._theme.colour("sunken"))
        else:
            self.ground(painter, option, index)
        painter.setFont(self._theme.font(12 if head else 12.5, QFont.Weight.Normal if head else QFont.Weight.Medium))
        painter.setPen(self._theme.colour("text2" if head else "text"))
        room = QRectF(option.rect).adjusted(self._theme.px(14), 0, -2, 0)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextWordWrap), self.words(index))
        painter.restore()


class ChangeCells(NumberCells):
    """The change in a row of the list; what is not worked out yet offers that, in the colour of a link."""

    def __init__(self, theme: Theme, parent: TableView, known: Callable[[int], bool]) -> None:
        super().__init__(theme, parent, lambda _row: "text", 12.5)
        self._known = known

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for the number and its interval, or for the link."""
        if self._known(index.row()) or self._view.rows.stands_out(index.row()):
            return super().sizeHint(option, index)
        wide = QFontMetricsF(self._theme.font(12.5)).horizontalAdvance(self.words(index))
        return QSize(round(wide) + 2 * self._theme.px(_EDGE), super().sizeHint(option, index).height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the number and its interval, or the link."""
        if self._view.rows.stands_out(index.row()):
            painter.fillRect(option.rect, self._theme.colour("sunken"))
            return
        if self._known(index.row()):
            super().paint(painter, option, index)
            return
        self.ground(painter, option, index)
        painter.save()
        painter.setFont(self._theme.font(12.5, QFont.Weight.Medium))
        painter.setPen(self._theme.colour("accent"))
        room = QRectF(option.rect).adjusted(0, 0, -self._theme.px(_EDGE), 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.words(index))
        painter.restore()


# With or without the picture, and the columns that show intervals, until all fit.
_ROOMS = ((True, (1, 2, 4)), (False, (1, 2, 4)), (False, (4,)), (False, ()))


def show_changes(theme: Theme, view: TableView, pair: words.WhatIf, room: int, *, every: bool = True) -> int:
    """Show both answers and their differences in a table; what there is no room for goes, the picture first.

    Returns how many rows are not shown.

    Parameters
    ----------
    theme, view
        The look, and the table, whose rows are `ChangeRows`.
    pair
        The two analyses, in the voice of the window.
    room
        How wide the table may be.
    every
        Whether all rows are shown, or of many classes those that are printed.
    """
    shown, (rows, first) = words.table(pair), words.most_telling(pair.contrasts, pair.smallest)
    rows = rows if every else rows[:first]
    view.setAccessibleName(shown.title)
    _draw_changes(theme, view, rows, pair.smallest)
    if isinstance(view.rows, ChangeRows):
        view.rows.sentences = [say(words.row_sentence(c, pair)) for c in rows]
    heads = [_("number"), *(_side_head(name, i, pair) for i, name in enumerate("AB"))]
    heads += ["", _("B less A"), _("more than chance?")]
    for pictured, whole in _ROOMS:
        lines = []
        for name, a, a_ends, b, b_ends, less, ends, judged in shown.rows[: len(rows)]:
            parts = {1: (a, a_ends), 2: (b, b_ends), 4: (less, ends)}
            cell = {i: words.with_interval(*part) if i in whole else part[0] for i, part in parts.items()}
            lines.append((name, cell[1], cell[2], "", cell[4], judged))
        view.rows.show_rows(heads, lines, right=(1, 2, 4))
        view.setColumnHidden(PLOT, not pictured)
        view.fill()
        if view.needed <= room:
            break
    return len(shown.rows) - len(rows)


def _draw_changes(theme: Theme, view: TableView, rows: Sequence[Contrast], smallest: float | None) -> None:
    """How the cells of the numbers are drawn: those of the model in colour, as everywhere in the window."""
    verdicts = [words.verdict(c, smallest) for c in rows]
    tones = ["text" if c.name.name in COEFFICIENTS else "accent" for c in rows]
    both = NumberCells(theme, view, lambda row: tones[row] if row < len(tones) else "text")
    less = NumberCells(theme, view, lambda _row: "text")
    cells = (both, both, PlotCells(theme, view, rows, smallest), less)
    for column, one in enumerate((*cells, VerdictCells(theme, view, verdicts.__getitem__)), 1):
        before = view.itemDelegateForColumn(column)
        view.setItemDelegateForColumn(column, one)
        if isinstance(before, Cells) and before not in cells:
            before.deleteLater()


def _side_head(name: str, at: int, pair: words.WhatIf) -> str:
    """The head of a side: its letter, and below on how much it rests."""
    if not pair.sizes:
        return name
    subjects, ratings = words.rests_on(pair.sizes[at])
    return f"{name}  {say(subjects)}\n{say(ratings)}"
