"""The voice of the window: its language, and numbers as the computer of the user writes them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from PySide6.QtCore import QLocale

from tapdesk.answers.figure import Axis, Cells, DataTable, Figure, Value
from tapdesk.answers.signs import rewritten
from tapdesk.language import POINT, Signs, Voice, speaking, voice, wanted_language


def signs() -> Signs:
    """The signs of the computer; the point where they could be misread beside digits written 0 to 9."""
    locale = QLocale()
    decimal, thousands = locale.decimalPoint(), locale.groupSeparator()
    if locale.zeroDigit() != "0" or len(decimal) != 1 or thousands == decimal:
        return POINT
    grouped = not locale.numberOptions() & QLocale.NumberOption.OmitGroupSeparator
    return Signs(decimal, thousands if grouped else "")


def screen() -> Voice:
    """The voice of the screen: its language, and the signs of the computer."""
    return Voice(language=wanted_language(), signs=signs())


def localised_text(sentence: str, names: Iterable[str] = ()) -> str:
    """A sentence that was made when a file was read, an error met or a decision made, as it is read on screen.

    Parameters
    ----------
    sentence
        As files keep it.
    names
        What the user has named, for a sentence of an older file, which does not know its own parts.
    """
    return rewritten(sentence, names)


def localised_figure(figure: Figure, names: Sequence[str] = ()) -> Figure:
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

    def cell(value: Value) -> Value:
        return told(value) if isinstance(value, str) else value

    def table(t: DataTable) -> DataTable:
        columns = tuple(replace(column, title=told(column.title)) for column in t.columns)
        return replace(t, columns=columns, rows=tuple(tuple(cell(value) for value in row) for row in t.rows))

    return replace(
        figure,
        title=told(figure.title),
        alt=told(figure.alt),
        note=told(figure.note),
        x=axis(figure.x),
        y=axis(figure.y),
        marks=tuple(cells(m) if isinstance(m, Cells) else replace(m, label=told(m.label)) for m in figure.marks),
        table=table(figure.table),
    )


def localised_figures(make: Callable[[], Sequence[Figure]], names: Sequence[str] = ()) -> tuple[Figure, ...]:
    """Figures made as for a file, and then localised once: some of their words do not ask `answers.numbers`."""
    with speaking(replace(voice(), signs=POINT)):
        made = make()
    return tuple(localised_figure(figure, names) for figure in made)
