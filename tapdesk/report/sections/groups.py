"""Section: the same model in every group of the ratings."""

from tapdesk.answers import grid as tables_grid
from tapdesk.answers import numbers
from tapdesk.answers.content import Block, Heading, Paragraph, Picture, Tone
from tapdesk.answers.figures import models as figures_models
from tapdesk.answers.parameters import kind_of_interval
from tapdesk.language import gettext as _
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context

_ROW, _EDGE = 24.0, 60.0


def groups(context: Context) -> Section | None:
    """For each column that was asked for: the answer in every group, or why there is none."""
    extras, blocks = context.extras, list[Block]()
    asked = extras.wanted.by if extras.wanted is not None else ()
    for column in asked:
        blocks.append(Heading(_("By {column}").format(column=column)))
        table = extras.groups.get(column)
        if table is None:
            why = extras.reasons.get(f"groups: {column}") or extras.reasons.get("groups")
            blocks.append(Paragraph(why or _("These groups could not be worked out."), Tone.WARNING))
            continue
        figure = figures_models.groups(table, context.style)
        blocks.append(Paragraph(_("{told}.").format(told=figure.title)))
        rows = len(figure.y.ticks)
        if rows:
            title = _("The accuracy in every group of “{column}”").format(column=numbers.short(column, 40))
            blocks.append(Picture(title, (figure,), figure.note, height=_EDGE + _ROW * max(rows, 2)))
        kind = kind_of_interval(*context.main.fit.interval) if context.main is not None else _("profile likelihood")
        blocks.append(tables_grid.groups(table, kind, context.style))
    if not blocks:
        return None
    return Section("groups", _("Is it the same in every group?"), (*blocks, *context.comment("groups")))
