"""A finished figure with its numbers as the user's computer writes them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tapdesk.language import POINT, speaking, voice
from tapdesk.report.figure import Axis, Cells, Figure
from tapdesk.report.signs import rewritten


def localised(figure: Figure, names: Sequence[str] = ()) -> Figure:
    """The figure for the screen: a picture that another thread has made has points, as files have.

    Parameters
    ----------
    figure
        As it is saved.
    names
        What the user has named: words that stay as they are wherever they stand.
    """

    def told(words: str) -> str:
        return rewritten(words, names)

    def axis(a: Axis) -> Axis:
        return replace(a, title=told(a.title), ticks=tuple((at, told(words)) for at, words in a.ticks))

    def cells(mark: Cells) -> Cells:
        texts = tuple(tuple(told(text) for text in row) for row in mark.texts)
        return replace(mark, label=told(mark.label), texts=texts)

    return replace(
        figure,
        title=told(figure.title),
        alt=told(figure.alt),
        note=told(figure.note),
        x=axis(figure.x),
        y=axis(figure.y),
        marks=tuple(cells(m) if isinstance(m, Cells) else replace(m, label=told(m.label)) for m in figure.marks),
    )


def drawn(make: Callable[[], Sequence[Figure]], names: Sequence[str] = ()) -> tuple[Figure, ...]:
    """Figures made as for a file, and then localised once: some of their words are written without `report.numbers`."""
    with speaking(replace(voice(), signs=POINT)):
        made = make()
    return tuple(localised(figure, names) for figure in made)
