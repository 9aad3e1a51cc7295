"""Several small figures on one sheet: a picture of its own, as SVG, PNG or PDF."""

import re
from dataclasses import dataclass, replace
from html import escape

from tapdesk.answers import fonts
from tapdesk.answers.figure import Figure
from tapdesk.answers.svg.draw import svg
from tapdesk.answers.svg.plane import SIZE, SMALL, number, text_element, words
from tapdesk.answers.svg.style import palette

_GAP = 18.0
_TITLE = 16.0
_LINE, _SMALL_LINE, _TITLE_LINE = 18.0, 17.0, 22.0


@dataclass(frozen=True, eq=False)
class Sheet:
    """Figures in rows under one title.

    Attributes
    ----------
    title
        The plain sentence above all.
    figures
        The panels, row by row; the title of each stands above it, their notes are not printed.
    columns
        Panels in a row.
    width, height
        Of each panel in pixels.
    note
        What was counted; printed below.
    """

    title: str
    figures: tuple[Figure, ...]
    columns: int = 1
    width: float = 600.0
    height: float = 230.0
    note: str = ""

    @property
    def alt(self) -> str:
        """What the panels show, in words."""
        return " ".join(figure.alt for figure in self.figures)

    @property
    def across(self) -> float:
        """Width of the whole in pixels."""
        columns = min(self.columns, len(self.figures))
        return columns * self.width + (columns - 1) * _GAP


def sheet_svg(sheet: Sheet) -> str:
    """A sheet as an SVG document, in the colours of paper."""
    colours = palette("print")
    body: list[str] = []
    y = 0.0
    for line in fonts.wrapped(fonts.shown(sheet.title), _TITLE, sheet.across, bold=True):
        body.append(words(0, y + 17, line, colours["text"], size=_TITLE, bold=True))
        y += _TITLE_LINE
    y += 12
    for at in range(0, len(sheet.figures), sheet.columns):
        row = sheet.figures[at : at + sheet.columns]
        heads = [_head(figure, sheet) for figure in row]
        tall = _LINE * max(len(head) for head in heads)
        for j, (figure, head) in enumerate(zip(row, heads, strict=True)):
            x = j * (sheet.width + _GAP)
            body += [
                words(x, y + 13 + _LINE * i, line, colours["text2"], bold=True, size=SIZE)
                for i, line in enumerate(head)
            ]
            body.append(_placed(figure, x, y + tall, sheet))
        y += tall + sheet.height + _GAP
    for line in fonts.wrapped(fonts.shown(sheet.note), SMALL, sheet.across) if sheet.note else []:
        body.append(words(0, y + 8, line, colours["text3"], size=SMALL))
        y += _SMALL_LINE
    size = f'width="{number(sheet.across)}" height="{number(y)}" viewBox="0 0 {number(sheet.across)} {number(y)}"'
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(fonts.shown(sheet.alt))}">'
    )
    described = text_element("title", fonts.shown(sheet.title)) + text_element("desc", fonts.shown(sheet.alt))
    return "\n".join([opening, described, *body, "</svg>", ""])


def _head(figure: Figure, sheet: Sheet) -> list[str]:
    """The title of a panel in lines; none where it only says what the sheet says."""
    return (
        []
        if figure.title == sheet.title
        else fonts.wrapped(fonts.shown(figure.title), SIZE, sheet.width - 4, bold=True)
    )


def _placed(figure: Figure, x: float, y: float, sheet: Sheet) -> str:
    """One panel as an SVG inside another; what it shows in words is told once, by the whole."""
    drawn = svg(replace(figure, title="", alt=""), width=sheet.width, height=sheet.height)
    drawn = drawn.replace(text_element("title", "") + text_element("desc", "") + "\n", "", 1).strip()
    return re.sub(r"^<svg [^>]*?(viewBox=\"[^\"]*\")[^>]*>", _opening(x, y, sheet), drawn, count=1)


def _opening(x: float, y: float, sheet: Sheet) -> str:
    place = f'x="{number(x)}" y="{number(y)}" width="{number(sheet.width)}" height="{number(sheet.height)}"'
    return f"<svg {place} \\1>"
