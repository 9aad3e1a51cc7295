"""Section: summary for the committee."""

from gettext import gettext as _

from tapdesk.report import numbers, words
from tapdesk.report.figures_search import estimates, estimates_needs
from tapdesk.report.report import Block, Paragraph, Picture, Section, Voice
from tapdesk.report.sections.context import Context, Done
from tapdesk.report.words_parameters import degeneracy


def summary(context: Context) -> Section | None:
    """The answer in a few sentences, drafted by rules."""
    blocks: list[Block] = []
    for done in context.done:
        blocks += _answer(done, context, several=len(context.done) > 1)
    if not context.done:
        blocks.append(Paragraph(_no_analysis(context), Voice.LEAD))
    if context.ratings is not None:
        blocks.append(Paragraph(_counted(context), Voice.BODY))
    if context.done:
        blocks.append(Paragraph(words.not_said(context.nouns), Voice.BOXED, _("What this report does not say.")))
    return Section("summary", _("Summary for the committee"), tuple(blocks), numbered=False)


def _no_analysis(context: Context) -> str:
    if context.ratings is None:
        return _("No ratings have been read yet, so there is nothing to report.")
    return _("No analysis has been run. This report describes the data only.")


def _counted(context: Context) -> str:
    ratings = context.ratings
    if ratings is None:
        return ""
    nouns = context.nouns
    return _("The data are {m} {ratings} of {n} {subjects} in {k} classes.").format(
        m=numbers.count(ratings.rating_count),
        ratings=nouns.ratings,
        n=numbers.count(ratings.subject_count),
        subjects=nouns.subjects,
        k=len(ratings.classes),
    )


def _answer(done: Done, context: Context, *, several: bool) -> list[Block]:
    """Headline, consequence and warnings of one analysis."""
    fit, nouns = done.fit, context.nouns
    ratings = context.ratings
    blocks: list[Block] = []
    if done.analysis.stale:
        blocks.append(Paragraph(stale(done), Voice.WARNING, _("Out of date.")))
    if ratings is None:
        return blocks
    opening = _("{model}.").format(model=fit.model.name) if several else ""
    blocks.append(Paragraph(words.headline(fit, ratings, nouns), Voice.LEAD, opening))
    blocks.append(Paragraph(f"{words.consequence(fit, nouns)} {words.drawn_note(fit)}".strip()))
    if estimates_needs(fit, ratings) is None:
        (figure,) = estimates(fit, ratings)
        blocks.append(Picture(figure.title, (figure,), figure.note, height=60.0 + 32.0 * len(figure.y.ticks)))
    warnings = [words.caution(fit, ratings, nouns), *degeneracy(fit, nouns)]
    blocks += [Paragraph(text, Voice.WARNING, _("Read with care.")) for text in warnings if text]
    return [block for block in blocks if not isinstance(block, Paragraph) or block.text]


def stale(done: Done) -> str:
    """That the data changed after a run."""
    return _(
        "The data were changed after this analysis ran ({when}). Its numbers belong to the earlier data: run it again."
    ).format(when=numbers.moment(done.analysis.run_at))
