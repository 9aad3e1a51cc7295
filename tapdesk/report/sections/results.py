"""Section: truth, accuracy and chance."""

from collections.abc import Collection

from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.charts import restyled
from tapdesk.report.figures import chance as figures_chance
from tapdesk.report.figures.catalog import FIGURES
from tapdesk.report.figures.estimates import MOST_STACKED
from tapdesk.report.figures.shares import distribution_needs
from tapdesk.report.numbers import Style
from tapdesk.report.report import Block, Heading, Paragraph, Picture, Section, Voice
from tapdesk.report.sections.context import Context, Done
from tapdesk.report.sections.summary import stale
from tapdesk.report.tables import checks as tables_checks
from tapdesk.report.tables import fit as tables
from tapdesk.report.words import chance as words_chance
from tapdesk.report.words import fit as words
from tapdesk.report.words import misfit as words_misfit
from tapdesk.report.words.parameters import degeneracy, meanings
from tapdesk.studies.distribution import shares

# Small panels below each other need less height than a picture that stands alone.
_HEIGHTS = {"parameters": 92.0, "profile": 130.0}
_HERE = ("distribution", "profile")
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
    fit, nouns = done.fit, context.nouns
    blocks: list[Block] = []
    if done.analysis.stale:
        blocks.append(Paragraph(stale(done), Voice.WARNING, _("Out of date.")))
    blocks.append(Paragraph(f"{words.settled(fit)} {words.identification(fit)}"))
    warnings = [words.caution(fit, ratings, nouns), *degeneracy(fit, nouns)]
    warnings += words.fit_findings(fit)
    blocks += [Paragraph(text, Voice.WARNING) for text in warnings if text]
    blocks.append(tables.estimates(fit, context.style, nouns))
    if len(fit.classes) == 2:
        blocks += [Paragraph(m.sentence, opening=m.symbol) for m in meanings(fit, nouns) if m.sentence]
    if not done.analysis.stale:
        blocks += pictures(done, ratings, _HERE[:1], context.style)
        if distribution_needs(fit, ratings) is None:
            told = [
                (fit.classes[c], shares(ratings, fit, c))
                for c in ((1,) if len(fit.classes) == 2 else range(len(fit.classes)))
            ]
            blocks.append(tables_checks.distributed(told, fit.model.name, nouns))
        blocks += pictures(done, ratings, _HERE[1:], context.style)
    if context.extras.goodness is not None and done is context.main:
        blocks.append(Paragraph(words_misfit.misfit(context.extras.goodness, nouns)))
    return blocks


def _chance(context: Context) -> list[Block]:
    """Whether panels without information could look like this one."""
    extras = context.extras
    blocks: list[Block] = []
    if extras.chance is not None:
        blocks += [Heading(_("Could this be chance?")), Paragraph(words_chance.verdict(extras.chance, context.nouns))]
        figure = figures_chance.chance(extras.chance)
        blocks.append(Picture(figure.title, (figure,), figure.note, height=190.0))
    elif "chance" in extras.reasons:
        blocks += [Heading(_("Could this be chance?")), Paragraph(extras.reasons["chance"])]
    if extras.horizon is not None:
        blocks.append(Paragraph(words_chance.horizon(extras.horizon, context.style, context.nouns)))
    if extras.chance is not None or extras.horizon is not None:
        blocks.append(tables_checks.luck(extras.chance, extras.horizon, context.style))
    return blocks


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
