"""Columns that stand beside each other where there is room, and below each other where there is not."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QWidget

from tapdesk.gui.look.theme import Theme


class Columns(QScrollArea):
    """Widgets in columns.

    Parameters
    ----------
    parts
        Each widget with its share of the width and its smallest width in pixels at 100 % text.
    narrow
        Below this width (at 100 % text) they stand below each other.
    low
        The height each of them gets at least when they do.
    head
        Widgets above all columns, which scroll with them: large words would leave no room below.
    """

    def __init__(
        self,
        theme: Theme,
        parts: Sequence[tuple[QWidget, int, int]],
        *,
        narrow: int,
        low: Sequence[int] = (),
        head: Sequence[QWidget] = (),
    ) -> None:
        super().__init__()
        self._theme, self._parts, self._narrow = theme, parts, narrow
        self._low = low or [0] * len(parts)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        inside = QWidget()
        inside.setProperty("role", "scrolled")
        whole = QBoxLayout(QBoxLayout.Direction.TopToBottom, inside)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(12)
        for widget in head:
            whole.addWidget(widget)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._box.setSpacing(14)
        whole.addLayout(self._box, 1)
        for widget, share, _ in parts:
            self._box.addWidget(widget, share)
        self.setWidget(inside)
        theme.changed.connect(self._arrange)
        self._arrange()

    @property
    def beside(self) -> bool:
        """Whether the columns stand beside each other."""
        return self._box.direction() is QBoxLayout.Direction.LeftToRight

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange for the new width."""
        self._arrange()
        super().resizeEvent(event)

    def _arrange(self) -> None:
        beside = self.width() >= self._theme.px(self._narrow)
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._box.setDirection(way)
        for i, ((widget, share, least), low) in enumerate(zip(self._parts, self._low, strict=True)):
            fixed = beside and share == 0
            widget.setMinimumWidth(self._theme.px(least) if beside else 0)
            widget.setMaximumWidth(self._theme.px(least) if fixed else 16_777_215)
            widget.setMinimumHeight(0 if beside else self._theme.px(low))
            # Height nobody asks for goes to the last one: between the others it would be a gap.
            self._box.setStretch(i, share if beside else int(i == len(self._parts) - 1))
