"""Sections that are printed where they are asked for: two numbers at once, and the size of a next study."""

from dataclasses import replace

from tapdesk.answers import numbers
from tapdesk.answers import optional as tables
from tapdesk.answers import optional as words
from tapdesk.answers.charts import restyled
from tapdesk.answers.content import Block, Paragraph, Picture, Tone
from tapdesk.answers.figure import Figure
from tapdesk.answers.figures import designs as figures_designs
from tapdesk.answers.figures import likelihood as figures_likelihood
from tapdesk.answers.fit_words import size, warns
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context

_SQUARE = 205.0
_HIGH = 230.0


def contour(context: Context) -> Section | None:
    """How every two of t, a and p hang together, as lines of equal likelihood."""
    found, title = context.extras.contour, _("Which two numbers fit together?")
    if found is None:
        return _left_out("contour", title, context)
    panels = tuple(
        restyled(figures_likelihood.panel(found.fit, made, found.root), context.style) for made in found.surfaces
    )
    blocks: list[Block] = [Paragraph(words.together()), *_of_another(found.fit, context)]
    blocks += [Paragraph(_("{said}.").format(said=panel.title)) for panel in panels]
    shown = tuple(replace(panel, title=_short_title(panel)) for panel in panels) if len(panels) > 1 else panels
    blocks += [
        Picture(title, shown, panels[-1].note, height=_SQUARE, columns=min(len(panels), 2)),
        tables.contour_table(found, context.style),
    ]
    return Section("contour", title, (*blocks, *context.comment("contour")))


def _short_title(panel: Figure) -> str:
    """The two numbers: the whole sentence stands above the picture."""
    return _("{one} and {other}").format(one=panel.x.title, other=panel.y.title)


def plan(context: Context) -> Section | None:
    """How much studies of other sizes would tell."""
    found, title = context.extras.plan, _("Would more ratings tell more?")
    if found is None:
        return _left_out("plan", title, context)
    width, sure = (restyled(figure, context.style) for figure in figures_designs.plan(found.table))
    unsure = figures_designs.unsure(found.fit)
    blocks: list[Block] = [
        Paragraph(_("{now} {said}.").format(now=words.width_now(found.fit, context.style), said=width.title)),
        *_of_another(found.fit, context),
        Paragraph(words.supposing()),
    ]
    if not unsure and context.ratings is not None and warns(found.fit, context.ratings):
        unsure = words.example()
    if unsure:
        blocks.append(Paragraph(unsure, Tone.WARNING))
    note = _("{size} gave the numbers, by the {model} model. Each point: {sets} simulated studies.").format(
        size=size(found.fit), model=found.fit.model.name, sets=numbers.count(found.replicates)
    )
    blocks += [
        Picture(_("How wide the accuracy would be known"), (width,), f"{note} {width.note}".strip(), height=_HIGH),
        tables.widths(found, context.style),
        Picture(sure.title, (sure,), sure.note, height=_HIGH),
        tables.sure(found),
    ]
    return Section("plan", title, (*blocks, *context.comment("plan")))


def _of_another(fit: Fit, context: Context) -> list[Block]:
    """That the numbers are not those of the answer, where they are not."""
    main = context.main
    if main is None or main.fit.model.name == fit.model.name:
        return []
    return [Paragraph(words.other_model(fit))]


def _left_out(key: str, title: str, context: Context) -> Section | None:
    """Why there is nothing, where it was asked for."""
    why = context.extras.reasons.get(key)
    return Section(key, title, (Paragraph(why, Tone.WARNING),)) if why else None
