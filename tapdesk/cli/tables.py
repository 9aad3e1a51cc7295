"""Plain tables for the terminal."""

from collections.abc import Sequence
from dataclasses import dataclass

from tapdesk.answers import terminal
from tapdesk.answers.content import Align, Table
from tapdesk.answers.content import Column as ReportColumn
from tapdesk.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title, and whether numbers stand to the right."""

    title: str
    numeric: bool = False

    @staticmethod
    def right(title: str) -> "Column":
        """A column of numbers."""
        return Column(title, numeric=True)


def aligned(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    """Rows under titles, as the report's tables look on a terminal."""
    made = tuple(ReportColumn(c.title, Align.RIGHT if c.numeric else Align.LEFT) for c in columns)
    return terminal.table(Table(title="", columns=made, rows=tuple(tuple(r) for r in rows)))


def number(value: float | None) -> str:
    """Three decimals, a dash where undefined."""
    return "–" if value is None else f"{value:.3f}".replace("-", "−")


def reach(e: Estimate) -> str:
    """The interval in words; empty where there is none."""
    return "" if e.low is None or e.high is None else f"{number(e.low)} to {number(e.high)}"
