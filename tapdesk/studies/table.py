"""What a study hands back: named columns and rows, ready to be written as CSV."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tapdesk.models.parameters import FloatArray

Cell = float | int | str | bool | None


@dataclass(frozen=True, eq=False)
class StudyTable:
    """A table of plain values; None is undefined.

    Attributes
    ----------
    name
        What it is, such as ``recovery``.
    columns
        Names of the columns.
    rows
        The rows, each as long as ``columns``.
    size
        Of how many subjects, ratings or data sets it tells, a sentence; empty where its rows say so.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    size: str = ""

    def __post_init__(self) -> None:
        wrong = [i for i, row in enumerate(self.rows) if len(row) != len(self.columns)]
        if wrong:
            raise ValueError(f"row {wrong[0]} has {len(self.rows[wrong[0]])} values for {len(self.columns)} columns")

    def numbers(self, column: str) -> FloatArray:
        """Shape (rows,): one column as numbers, NaN where undefined."""
        at = self.columns.index(column)
        return np.array([np.nan if row[at] is None else float(row[at] or 0) for row in self.rows])

    def only(self, **wanted: Cell) -> "StudyTable":
        """The rows with these values in the named columns."""
        places = [(self.columns.index(name), value) for name, value in wanted.items()]
        rows = tuple(row for row in self.rows if all(row[at] == value for at, value in places))
        return StudyTable(self.name, self.columns, rows, self.size)

    def values(self, column: str) -> tuple[Cell, ...]:
        """One column as it stands."""
        at = self.columns.index(column)
        return tuple(row[at] for row in self.rows)

    def records(self) -> list[dict[str, Cell]]:
        """The rows as dictionaries (the ``rows`` of cli.md)."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def join_tables(name: str, columns: Sequence[str], parts: Sequence[Sequence[tuple[Cell, ...]]]) -> StudyTable:
    """A table from portions of rows."""
    return StudyTable(name, tuple(columns), tuple(row for part in parts for row in part))
