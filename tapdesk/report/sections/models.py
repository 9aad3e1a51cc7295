"""Section: the models of the sharing grid, and the tests between them."""

from tapdesk.answers import grid as tables_grid
from tapdesk.answers import model_comparison as words
from tapdesk.answers.content import Block, Paragraph, Picture, Tone
from tapdesk.answers.figures import models as figures_models
from tapdesk.language import gettext as _
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context

_ROW, _EDGE = 24.0, 50.0


def models(context: Context) -> Section | None:
    """Every model these ratings allow, which follows them best, and what each leaves out."""
    found, title = context.extras.between, _("Would another model say otherwise?")
    if found is None:
        why = context.extras.reasons.get("between")
        return Section("models", title, (Paragraph(why, Tone.WARNING),)) if why else None
    figure = figures_models.models(found, context.style)
    fits = [row.fit for row in found.comparison.rows]
    blocks: list[Block] = [
        Paragraph(words.best(found)),
        Picture(figure.title, (figure,), figure.note, height=_EDGE + _ROW * max(len(figure.y.ticks), 2)),
        words.models_table(fits, context.style),
        tables_grid.tests(found),
    ]
    if found.tests:
        blocks.append(Paragraph(words.luck(found)))
    return Section("models", title, (*blocks, *context.comment("models")))
