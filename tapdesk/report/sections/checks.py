"""Section: what the model foretells against what was seen, and what its raters and votes are worth."""

from tapdesk.answers import fit_words as words_fit
from tapdesk.answers import model_checks as tables
from tapdesk.answers import model_checks as words
from tapdesk.answers import numbers
from tapdesk.answers.charts import restyled
from tapdesk.answers.content import Block, Heading, Paragraph, Picture
from tapdesk.answers.figures import checks as figures_checks
from tapdesk.answers.figures import raters as figures_raters
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context, Done
from tapdesk.studies.planning import votes
from tapdesk.studies.rater_diagnostics import Calibration, rater_calibration, rater_entropies, rating_calibration

_HIGH = 200.0
_ROW, _EDGE = 21.0, 50.0


def checks(context: Context) -> Section | None:
    """Whether the model foretells what was seen, who says most, and how often a vote would be right."""
    ratings = context.ratings
    if ratings is None:
        return None
    blocks: list[Block] = []
    # What was fitted to other ratings than these cannot foretell them.
    current = [done for done in context.done if not done.analysis.stale]
    for done in current:
        made = [*_foretold(done, ratings, context), *_votes(done, ratings, context)]
        if made and len(current) > 1:
            blocks.append(Heading(done.fit.model.name))
        blocks += made
    blocks += _together(context)
    blocks += _entropies(ratings, context)
    if not blocks:
        return None
    return Section("checks", _("Does the model hold?"), (*blocks, *context.comment("checks")))


def _foretold(done: Done, ratings: Ratings, context: Context) -> list[Block]:
    """Modelled against observed rates: of ratings, and of raters where they are known."""
    fit = done.fit
    if figures_checks.calibration_needs(fit, ratings) is not None:
        return []
    blocks: list[Block] = [Heading(_("Does the model predict single ratings?"))]
    blocks += _calibrated(fit, ratings, context, raters=False)
    if ratings.raters_known and len(ratings.raters) > 1:
        blocks.append(Heading(_("Does the model predict how often each rater gives a class?")))
        blocks += _calibrated(fit, ratings, context, raters=True)
    return blocks


def _calibrated(fit: Fit, ratings: Ratings, context: Context, *, raters: bool) -> list[Block]:
    """Sentence, picture and table of one calibration."""
    found: list[tuple[str, Calibration]] = []
    for c in figures_checks.told_classes(fit):
        made = rater_calibration(ratings, fit, c) if raters else rating_calibration(ratings, fit, c)
        found.append((fit.classes[c], made))
    drawn = figures_checks.raters_foretold(fit, ratings) if raters else figures_checks.ratings_foretold(fit, ratings)
    panels = tuple(restyled(panel, context.style) for panel in drawn)
    title = panels[0].title if len(panels) == 1 else _("By the model, and as seen")
    told = words.calibrated([one for _label, one in found], raters=raters, style=context.style)
    if 1 < len(found) < len(fit.classes):
        few, every = numbers.count(len(found)), numbers.count(len(fit.classes))
        told = _("{told} Only the first {few} of {every} classes are looked at.").format(
            told=told, few=few, every=every
        )
    return [
        Paragraph(told),
        Picture(title, panels, words.dots(fit, raters=raters), _HIGH, min(len(panels), 2)),
        tables.calibration_table(found, raters=raters, style=context.style),
    ]


def _votes(done: Done, ratings: Ratings, context: Context) -> list[Block]:
    """How often a vote would be right, unless the accuracy behind it is too unsure for that."""
    fit = done.fit
    if figures_checks.no_vote(fit, ratings) is not None:
        return []
    blocks: list[Block] = [Heading(_("How often would a vote be right?"))]
    if _too_unsure(fit, context):
        return [*blocks, Paragraph(words.no_votes())]
    (figure,) = (restyled(panel, context.style) for panel in figures_checks.voting(fit, ratings))
    told = _("{said}, if the model holds.").format(said=figure.title)
    table = tables.voted(votes(fit.parameters, figures_checks.vote_sizes(fit)))
    title = _("How often a vote would be right, by ratings of a case")
    return [*blocks, Paragraph(told), Picture(title, (figure,), figure.note, height=_HIGH), table]


def _too_unsure(fit: Fit, context: Context) -> bool:
    """Whether the accuracy is known so roughly that what follows from it would be a number out of thin air."""
    test = context.extras.chance
    return words_fit.too_wide(fit) or not fit.converged or (test is not None and not test.more_than_chance)


def _together(context: Context) -> list[Block]:
    """Pairs of raters who agree more or less than raters who judge by themselves would."""
    found, main = context.extras.independence, context.main
    if found is None:
        return []
    fit = context.extras.by_rater or (None if main is None else main.fit)
    if fit is None:
        return []
    figure = figures_raters.independent(fit, found)
    high = _EDGE + (_ROW if len(figure.y.ticks) < 13 else 16.0) * max(len(figure.y.ticks), 2)
    return [
        Heading(_("Do two raters agree too well?")),
        Paragraph(words.together(found)),
        Picture(_("Pairs of raters, the most unusual first"), (figure,), figure.note, height=high),
        tables.independent(found, context.style),
    ]


def _entropies(ratings: Ratings, context: Context) -> list[Block]:
    """How much a rating of each rater leaves open, by a model that tells raters apart."""
    main = context.main
    fits = [fit for fit in (None if main is None else main.fit, context.extras.by_rater) if fit is not None]
    fit = next(
        (f for f in fits if f.identification.identified and figures_raters.entropy_needs(f, ratings) is None), None
    )
    if fit is None:
        return []
    if _too_unsure(fit if main is None else main.fit, context):
        return [Heading(_("Whose ratings say most?")), Paragraph(words.no_entropies())]
    found = rater_entropies(fit)
    (figure,) = (restyled(panel, context.style) for panel in figures_raters.entropies(fit, ratings))
    told = words.entropies(fit.raters, found, context.style)
    high = _EDGE + (_ROW if len(figure.y.ticks) < 13 else 16.0) * max(len(figure.y.ticks), 2)
    return [
        Heading(_("Whose ratings say most?")),
        Paragraph(told),
        Picture(_("How much a rating of each rater leaves open"), (figure,), figure.note, height=high),
        tables.entropy_table(fit.raters, found, context.style),
    ]
