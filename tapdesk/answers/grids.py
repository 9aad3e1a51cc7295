"""Pictures of rows and columns: shaded cells with numbers, boxes that fill their share, boxes by their corners."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from tapdesk.answers import fonts, numbers
from tapdesk.answers.charts import SQUARE, Floats, told_by
from tapdesk.answers.figure import Axis, Band, Cells, DataColumn, DataTable, Figure, Role, Unit, Value, Words
from tapdesk.language import gettext as _

CELL_NAME = 22
# About how many pixels lie between the axes of a picture of columns with names.
_ACROSS = 430.0
# How far to each side a box reaches that fills its place.
_BOX = 0.46


def heat(
    kind: str,
    title: str,
    names: tuple[Sequence[Value], Sequence[Value]],
    values: Floats,
    axes: tuple[Axis, Axis],
    write: Callable[[float], str],
    *,
    note: str = "",
    alt: str = "",
    ends: tuple[float, float] = (0.0, 1.0),
    role: Role = Role.CLASSICAL,
    value: DataColumn,
    height: float = SQUARE,
) -> Figure:
    """Shaded cells with their numbers, row 0 on top; NaN leaves a cell empty.

    Parameters
    ----------
    kind, title, note, alt, height
        Of the figure.
    names
        What rows and columns stand for: names, or ranges of a scale. Where they are the same names the square is
        symmetric, and each number is told once.
    values
        Shape (rows, columns).
    axes
        Across and up.
    write
        What stands in a cell.
    ends, role
        The values of the lightest and of the strongest shade, and whose they are.
    value
        What the numbers are.
    """
    same = names[0] == names[1]
    rows: list[tuple[Value, ...]] = []
    at: dict[tuple[int, int], int] = {}
    for (i, j), v in np.ndenumerate(values):
        if np.isfinite(v) and not (same and i > j):
            at[i, j] = len(rows)
            if same:
                at[j, i] = len(rows)
            rows.append((names[0][i], names[1][j], float(v)))
    units = [Unit.NAME if all(isinstance(n, str) for n in of) else Unit.NUMBER for of in names]
    table = DataTable(
        (
            DataColumn("row", axes[1].title or _("Row"), units[0]),
            DataColumn("column", axes[0].title or _("Column"), units[1]),
            value,
        ),
        tuple(rows),
    )
    texts = tuple(tuple(write(float(v)) if np.isfinite(v) else "" for v in row) for row in values)
    cells = Cells("", values, texts, *ends, role, tuple(at.get(place, -1) for place in np.ndindex(values.shape)))
    return Figure(kind, title, alt or told_by(title, table), *axes, (cells,), note, table, height)


def share_boxes(
    kind: str,
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    share: Floats,
    *,
    note: str,
    colours: Sequence[str] = (),
    row_colours: Sequence[str] = (),
    written: bool = False,
) -> Figure:
    """Boxes that fill their share of their places, shape (rows, columns), row 0 on top.

    Parameters
    ----------
    kind, title, note
        Of the figure; columns whose names would not fit stand by number, and the note says which is which.
    rows, columns
        Their names.
    share
        Shares of 1.
    colours, row_colours
        A name of a colour for each column, and for each row, where they are classes.
    written
        Whether the hundredths stand in the boxes: a small one alone is hard to read, and a pale one hard to see.
    """
    k, n = len(columns), len(rows)
    by_number = wider(columns, 8)
    short = numbers.shorts(columns, CELL_NAME)
    if by_number:
        key = "; ".join(f"{i + 1} = {c}" for i, c in enumerate(numbers.shorts(columns, 30)))
        note = f"{note} {key}."
    table = DataTable(
        (
            DataColumn("row", _("Row"), Unit.NAME),
            DataColumn("column", _("Column"), Unit.NAME),
            DataColumn("value", _("Value"), Unit.SHARE),
        ),
        tuple((rows[i], columns[j], float(v)) for (i, j), v in np.ndenumerate(share)),
    )
    ticks = tuple((float(i), str(i + 1) if by_number else c) for i, c in enumerate(short))
    up = tuple((float(n - 1 - i), name) for i, name in enumerate(numbers.shorts(rows, CELL_NAME)))
    return Figure(
        kind,
        title,
        told_by(title, table),
        Axis("", -0.5, k - 0.5, ticks, colours=tuple(colours)),
        Axis("", -0.6, n - 0.4, up, colours=tuple(row_colours)),
        (*_share_bands(share, colours), *(_hundredths(share) if written else ())),
        note,
        table,
    )


def wider(names: Sequence[str], gap: float) -> bool:
    """Whether names are too wide to stand beside each other with a gap in pixels, so that numbers must do."""
    room = _ACROSS / max(len(names), 1) - gap
    return any(fonts.width(numbers.short(name, CELL_NAME), 13) > room for name in names)


def boxes(corners: Sequence[tuple[float, float, float, float]], role: Role, *, inner: bool = False) -> Band:
    """Boxes by left, right, bottom and top; NaN between them breaks the band."""
    every = [row for x0, x1, y0, y1 in corners for row in ((x0, y0, y1), (x1, y0, y1), (np.nan,) * 3)]
    points = np.array(every or [(np.nan,) * 3], dtype=np.float64)
    return Band("", points[:, 0], points[:, 1], points[:, 2], role, inner=inner)


def _share_bands(share: Floats, colours: Sequence[str]) -> list[Band]:
    """A box in each cell that fills its share of the cell, those of one colour together."""
    last = share.shape[0] - 1
    corners: dict[str, list[tuple[float, float, float, float]]] = {colour: [] for colour in colours}
    for (i, j), value in np.ndenumerate(share):
        half = _BOX * float(np.sqrt(value))
        if half > 0:
            corners[colours[j]].append((j - half, j + half, last - i - half, last - i + half))
    return [replace(boxes(sentence, Role.MODEL, inner=True), colour=colour) for colour, sentence in corners.items()]


def _hundredths(share: Floats) -> list[Words]:
    """The hundredths in every cell."""
    last = share.shape[0] - 1
    by_key: dict[str, list[tuple[float, float]]] = {}
    for (i, j), value in np.ndenumerate(share):
        if value > 0:
            by_key.setdefault(numbers.hundredths(float(value)), []).append((float(j), float(last - i)))
    places = {sentence: np.array(at) for sentence, at in by_key.items()}
    return [Words(sentence, at[:, 0], at[:, 1], Role.OBSERVED) for sentence, at in places.items()]
