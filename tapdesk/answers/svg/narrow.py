"""What is laid out otherwise where a figure is as narrow as a column of print: rows, keys and words inside."""

from tapdesk.answers import fonts
from tapdesk.answers.figure import Figure, Mark, Points, Words
from tapdesk.answers.svg.marks import AnyMark, sample
from tapdesk.answers.svg.plane import LEAST, SIZE, SMALL, Plane, words
from tapdesk.answers.svg.style import LOOKS

NARROW = 400.0
"""Drawings of at most so many pixels have no room for words on both sides of a plot."""
# The sample of a key, and a line of it; how much of the width the words at a side, and the plot of rows, may take.
_SAMPLE, _KEY_LINE = 22.0, 17.0
_KEY_SHARE, _ROWS_SHARE = 0.3, 0.36
# Six points, below which nobody reads.
_SMALLEST = 8.0

KeyLine = tuple[tuple[AnyMark, str], ...]


def side_marks(figure: Figure) -> list[AnyMark]:
    """What has its words at the right of the plot."""
    return [
        m for m in figure.marks if m.label and not isinstance(m, Words) and not (isinstance(m, Mark) and m.vertical)
    ]


def of_rows(figure: Figure) -> bool:
    """Whether each row has its words at the left."""
    return any(isinstance(m, Points) and m.horizontal for m in figure.marks)


def names_above(figure: Figure, width: float, plot: float) -> bool:
    """Whether the words of the rows go above them: beside them they would be cut, or leave no room for the plot."""
    if width > NARROW or not of_rows(figure) or any(figure.y.colours):
        return False
    widest = max((fonts.width(text, LEAST) for _value, text in figure.y.ticks), default=0.0)
    return plot < _ROWS_SHARE * width or widest > 0.4 * width - 8


def key_lines(figure: Figure, width: float) -> tuple[KeyLine, ...]:
    """The series with their words, in lines above the plot, where at its side they would take too much of it."""
    if width > NARROW or of_rows(figure):
        return ()
    by_label: dict[str, AnyMark] = {}
    for mark in side_marks(figure):
        by_label.setdefault(mark.label, mark)
    if not by_label or max(fonts.width(label, SIZE, bold=True) for label in by_label) <= _KEY_SHARE * width:
        return ()
    lines: list[list[tuple[AnyMark, str]]] = [[]]
    room = width
    for label, mark in by_label.items():
        wide = _SAMPLE + 6 + fonts.width(label, SMALL) + 14
        if wide > room and lines[-1]:
            lines.append([])
            room = width
        lines[-1].append((mark, label))
        room -= wide
    return tuple(map(tuple, lines))


def key(lines: tuple[KeyLine, ...], top: float, plane: Plane) -> list[str]:
    """The key as it is drawn: a sample of each series and its words."""
    parts: list[str] = []
    for i, line in enumerate(lines):
        x, y = 0.0, top + _KEY_LINE * i + 9
        for mark, label in line:
            parts += sample(mark, x, x + _SAMPLE, y, plane)
            text = fonts.fitted(label, SMALL, plane.width - x - _SAMPLE - 6)
            parts.append(words(x + _SAMPLE + 6, y + SMALL * 0.36, text, plane.colours["text2"], size=SMALL))
            x += _SAMPLE + 6 + fonts.width(text, SMALL) + 14
    return parts


def key_height(lines: tuple[KeyLine, ...]) -> float:
    """How much room a key needs above the plot."""
    return _KEY_LINE * len(lines) + 4 if lines else 0.0


def letters(figure: Figure, plane: Plane) -> float:
    """The size of the words inside the plot at which none touches another one; the smallest that is read, if none."""
    size = SIZE
    while size > _SMALLEST and touch(figure, plane, size):
        size -= 0.5
    return size


def touch(figure: Figure, plane: Plane, size: float, clear: float = 1.0) -> bool:
    """Whether words inside the plot are nearer than so many of their heights at a size."""
    boxes = [
        (x, y, fonts.width(m.label, size, bold=LOOKS[m.role].bold))
        for m in figure.marks
        if isinstance(m, Words)
        for x, y in plane.pixels(m.x, m.y)
    ]
    for at, (x, y, wide) in enumerate(boxes):
        for other_x, other_y, other_wide in boxes[at + 1 :]:
            if abs(y - other_y) < clear * size and abs(x - other_x) < (wide + other_wide) / 2 + 2:
                return True
    return False
