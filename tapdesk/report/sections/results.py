"""Section: truth, accuracy and chance."""

from collections.abc import Collection

from tapdesk.answers import fit_tables as tables
from tapdesk.answers import numbers
from tapdesk.answers.charts import restyled
from tapdesk.answers.content import Block, Heading, Paragraph, Picture, Tone
from tapdesk.answers.figures.catalog import FIGURES
from tapdesk.answers.figures.estimates import MOST_STACKED
from tapdesk.answers.fit_parts import CHANCE, chance_content, model_content, words_content
from tapdesk.answers.numbers import Style
from tapdesk.answers.part import Content, Missing
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context, Done
from tapdesk.report.sections.summary import stale

# Small panels below each other need less height than a picture that stands alone.
_HEIGHTS = {"parameters": 92.0, "profile": 130.0}
_HERE = ("profile",)
_PANEL_HEIGHT = 200.0
_MOST_PANELS = 6


def results(context: Context) -> Section | None:
    """The numbers with intervals and N, what they mean, the pictures behind them, and what luck could do."""
    if not context.done or context.ratings is None:
        return None
    blocks: list[Block] = []
    for done in context.done:
        if len(context.done) > 1:
            blocks.append(Heading(done.fit.model.name))
        blocks += _one(done, context.ratings, context)
    blocks += _chance(context)
    return Section("results", _("Truth, accuracy and chance"), (*blocks, *context.comment("results")))


def _one(done: Done, ratings: Ratings, context: Context) -> list[Block]:
    fit = done.fit
    blocks: list[Block] = []
    if done.analysis.stale:
        blocks.append(Paragraph(stale(done), Tone.WARNING, _("Out of date.")))
    answer = context.answer(done)
    blocks += words_content(answer).blocks
    blocks.append(tables.estimates(fit, context.style))
    if not done.analysis.stale:
        looks = model_content(answer)
        blocks += looks.blocks if isinstance(looks, Content) else ()
        blocks += pictures(done, ratings, _HERE, context.style)
    return blocks


def _chance(context: Context) -> list[Block]:
    """Whether panels without information could look like this one."""
    main = context.main
    content = None if main is None else chance_content(context.answer(main))
    if content is None:
        return []
    said: tuple[Block, ...] = (Paragraph(content.reason),) if isinstance(content, Missing) else content.blocks
    return [Heading(CHANCE.title), *said]


def pictures(done: Done, ratings: Ratings, kinds: Collection[str], style: Style) -> list[Block]:
    """The pictures of these kinds that the fit supports."""
    blocks: list[Block] = []
    for row in FIGURES:
        if row.kind not in kinds or row.needs(done.fit, ratings) is not None:
            continue
        panels = tuple(restyled(figure, style) for figure in row.draw(done.fit, ratings))
        shown = panels if row.kind in _HEIGHTS else panels[:_MOST_PANELS]
        beside = len(shown) > (MOST_STACKED if row.kind in _HEIGHTS else 1)
        height = _HEIGHTS.get(row.kind, _PANEL_HEIGHT if beside else 230.0)
        title = shown[0].title if len(shown) == 1 else row.title
        note = shown[-1].note
        if len(panels) > len(shown):
            note = _("{note} The first {n} of {all} classes are drawn.").format(
                note=note, n=numbers.count(len(shown)), all=numbers.count(len(panels))
            )
        blocks.append(Picture(title, shown, note, height, columns=2 if beside else 1))
    return blocks
