"""Sections, printed where they are asked for, of what studies as large as this one find."""

from tapdesk.answers import design_study as tables
from tapdesk.answers import design_study as words
from tapdesk.answers.content import Block, Paragraph, Picture, Table, Tone
from tapdesk.answers.figures import design_study as figures
from tapdesk.language import gettext as _
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context

_HIGH = 165.0


def grid(context: Context) -> Section | None:
    """Whether numbers other than those of the answer would be found again."""
    found = context.extras.grid
    if found is None:
        return _left_out("grid", words.GRID, context)
    drawn = figures.grid(found)
    table = tables.grid(found, context.style)
    return _section("grid", words.GRID, (words.why_grid(), drawn, table), context, 3)


def square(context: Context) -> Section | None:
    """Whether kappa is the square of the accuracy."""
    found = context.extras.square
    if found is None:
        return _left_out("square", words.SQUARE, context)
    drawn = figures.squares(found)
    table = tables.squares(found, context.style)
    return _section("square", words.SQUARE, (words.why_square(), drawn, table), context, 2)


def _section(key: str, title: str, parts: tuple[str, figures.Drawn, Table], context: Context, columns: int) -> Section:
    why, drawn, table = parts
    blocks: list[Block] = [
        Paragraph(_("{said}.").format(said=drawn.said)),
        Paragraph(why),
        Picture(title, drawn.panels, drawn.note, height=_HIGH, columns=columns),
        table,
    ]
    return Section(key, title, (*blocks, *context.comment(key)))


def _left_out(key: str, title: str, context: Context) -> Section | None:
    """Why there is nothing, where it was asked for."""
    why = context.extras.reasons.get(key)
    return Section(key, title, (Paragraph(why, Tone.WARNING),)) if why else None
