"""Section: truth, accuracy and chance."""

from gettext import gettext as _

from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers, tables, words
from tapdesk.report.figures import FIGURES
from tapdesk.report.figures_search import MOST_STACKED
from tapdesk.report.report import Block, Heading, Paragraph, Picture, Section, Voice
from tapdesk.report.sections.context import Context, Done
from tapdesk.report.sections.summary import stale
from tapdesk.report.words_parameters import degeneracy, meanings

# Small panels below each other need less height than a picture that stands alone.
_HEIGHTS = {"parameters": 92.0, "profile": 130.0}
_ELSEWHERE = {"estimates"}
_PANEL_HEIGHT = 200.0
_MOST_PANELS = 4


def results(context: Context) -> Section | None:
    """The numbers with intervals and N, what they mean, and the pictures behind them."""
    if not context.done or context.ratings is None:
        return None
    blocks: list[Block] = []
    for done in context.done:
        if len(context.done) > 1:
            blocks.append(Heading(done.fit.model.name))
        blocks += _one(done, context.ratings, context)
    return Section("results", _("Truth, accuracy and chance"), tuple(blocks))


def _one(done: Done, ratings: Ratings, context: Context) -> list[Block]:
    fit, nouns = done.fit, context.nouns
    blocks: list[Block] = []
    if done.analysis.stale:
        blocks.append(Paragraph(stale(done), Voice.WARNING, _("Out of date.")))
    blocks.append(Paragraph(f"{fit.status.value} {words.identification(fit)}"))
    warnings = [words.caution(fit, ratings, nouns), *degeneracy(fit, nouns)]
    warnings += words.fit_findings(fit)
    blocks += [Paragraph(text, Voice.WARNING) for text in warnings if text]
    blocks.append(tables.estimates(fit, context.style, nouns))
    if len(fit.classes) == 2:
        blocks += [Paragraph(m.sentence, opening=m.symbol) for m in meanings(fit, nouns) if m.sentence]
    blocks += pictures(done, ratings)
    blocks.append(tables.details(fit, context.style))
    return blocks


def pictures(done: Done, ratings: Ratings) -> list[Block]:
    """Every picture of the catalog that this fit supports; the others say in a sentence why not."""
    blocks: list[Block] = []
    for row in FIGURES:
        if row.kind in _ELSEWHERE or row.needs(done.fit, ratings) is not None:
            continue
        panels = row.draw(done.fit, ratings)
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
