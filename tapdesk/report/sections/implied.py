"""Section, printed where it is asked for: what the numbers imply, and whether they would be found again."""

from tapdesk.answers import implied as tables
from tapdesk.answers.charts import restyled
from tapdesk.answers.content import Block, Heading, Paragraph, Picture, Tone
from tapdesk.answers.figures import designs as figures_designs
from tapdesk.answers.figures import shares as figures_shares
from tapdesk.answers.fit_words import warns
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context

_HIGH = 200.0
_ROW, _EDGE = 21.0, 50.0


def implied(context: Context) -> Section | None:
    """How much of the agreement is luck by the model, and where the numbers would be found if they were true."""
    found, title = context.extras.recovery, _("What do these numbers imply?")
    why = context.extras.reasons.get("recovery")
    if found is None:
        return Section("recovery", title, (Paragraph(why, Tone.WARNING),)) if why else None
    blocks = [*_expected(found.fit, context), *_again(context)]
    if context.ratings is not None and warns(found.fit, context.ratings):
        blocks.insert(0, Paragraph(figures_shares.unsure(), Tone.WARNING))
    return Section("recovery", title, (*blocks, *context.comment("recovery")))


def _expected(fit: Fit, context: Context) -> list[Block]:
    """Classes and matches by the model, beside those seen."""
    ratings = context.ratings
    if ratings is None:
        return []
    reason = figures_shares.expected_needs(fit, ratings)
    if reason is not None:
        return [Paragraph(reason)]
    matches, rates = (restyled(figure, context.style) for figure in figures_shares.expected(fit, ratings))
    return [
        Paragraph(_("{said}.").format(said=matches.title)),
        Picture(
            _("Pairs of ratings that match, and why"),
            (matches,),
            matches.note,
            height=_EDGE + _ROW * len(matches.y.ticks),
        ),
        tables.matches(fit, ratings, context.style),
        Paragraph(_("{said}.").format(said=rates.title)),
        Picture(_("Shares of the classes, seen and implied"), (rates,), rates.note, height=_HIGH),
        tables.rates(fit, ratings),
    ]


def _again(context: Context) -> list[Block]:
    """Where the numbers would be found again."""
    found = context.extras.recovery
    if found is None:
        return []
    figure = restyled(figures_designs.recovery(found.fit, found.found, found.replicates), context.style)
    blocks: list[Block] = [
        Heading(_("Would such numbers be found again?")),
        Paragraph(_("{said}.").format(said=figure.title)),
    ]
    if figure.marks:
        high = _EDGE + _ROW * len(figure.y.ticks)
        blocks.append(
            Picture(_("Where the numbers would be found, and what they are"), (figure,), figure.note, height=high)
        )
    return [*blocks, tables.again(found, context.style)]
