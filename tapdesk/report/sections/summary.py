"""Section: summary for the committee."""

from dataclasses import replace

from tapdesk.answers import award_brief, charts, fit_parts, misfit, numbers, range_words
from tapdesk.answers import awards as award_words
from tapdesk.answers import chance as words_chance
from tapdesk.answers import fit_words as words
from tapdesk.answers import paradox as words_paradox
from tapdesk.answers.cases import believed, sure_of
from tapdesk.answers.coefficients import raw_agreement
from tapdesk.answers.content import Block, Paragraph, Picture, Tone
from tapdesk.answers.figure import Role
from tapdesk.answers.figure_style import restyled
from tapdesk.answers.figures import agreement as figures_agreement
from tapdesk.answers.figures.estimates import estimates, estimates_needs
from tapdesk.answers.parameters import degeneracy, kind_of_interval
from tapdesk.answers.part import Answer
from tapdesk.answers.question import awarded, headline
from tapdesk.answers.side_results import SideResults, within_chance
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext
from tapdesk.project.damage import open_line
from tapdesk.project.decisions.base import DecisionStatus, LogRow
from tapdesk.project.decisions.ratings import KeepWhere
from tapdesk.project.review_state import summaries_as_ratings
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import rows_summary
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context, Done
from tapdesk.studies.award_answer import Awards


def summary(context: Context) -> Section | None:
    """The answer in a few sentences: the user's own, marked as such, or those drafted by rules."""
    own = context.words("summary")
    blocks: list[Block] = []
    if own:
        blocks += [Paragraph(p, Tone.LEAD) for p in own.split("\n") if p.strip()]
        blocks.append(Paragraph(_("These sentences were written by the committee, not drafted by the program.")))
    for done in context.done:
        blocks += _answer(done, context, several=len(context.done) > 1, drafted=not own)
    if not context.done:
        blocks.append(Paragraph(_no_analysis(context), Tone.LEAD))
    answer = None if context.main is None or context.ratings is None else context.answer(context.main)
    result = None if answer is None else awarded(answer)
    if answer is not None and result is not None:
        return _of_awards(blocks, result, answer, context, drafted=not own)
    if context.ratings is not None and not own:
        blocks.append(Paragraph(joined(*_further(context)), Tone.BODY))
    blocks += rows_and_kept(context)
    paradox = context.extras.paradox
    if paradox is not None and "agreement" not in context.left_out and words_paradox.stories(paradox):
        sentence = _("{head} Both are told under Agreement.").format(head=words_paradox.HEADLINE)
        blocks.append(Paragraph(sentence, Tone.WARNING, _("Read with care.")))
    if context.main is not None:
        blocks += _strip(context)
    if context.done:
        blocks.append(
            Paragraph(words.not_said(context.ratings, context.key), Tone.BOXED, _("What this report does not say."))
        )
    return Section("summary", _("Summary for the committee"), tuple(blocks), numbered=False)


def _of_awards(blocks: list[Block], result: Awards, answer: Answer, context: Context, *, drafted: bool) -> Section:
    """The same where who wins was asked: what the committee gave, then the few numbers."""
    if drafted:
        blocks.append(Paragraph(joined(_counted(context), *award_words.ties(result))))
    blocks += rows_and_kept(context)
    first = (block for _key, _title, each in award_brief.first_page(result, answer) for block in each)
    # The picture stands in the section that follows.
    blocks += [block for block in first if not isinstance(block, Picture)]
    blocks.append(Paragraph(award_words.not_said(result), Tone.BOXED, _("What this report does not say.")))
    return Section("summary", _("Summary for the committee"), tuple(blocks), numbered=False)


def rows_and_kept(context: Context) -> list[Block]:
    """Which rows the answer rests on, and what was kept though it looks like no rating; also below own sentences."""
    reading = context.project.reading
    if reading is None:
        return []
    text = context.names.text
    blocks: list[Block] = []
    # Every filter, wherever it was made: in the reading, or as a decision.
    filters = [rows_summary(reading), *(row.words for row in _filters(context))]
    sentence = joined(*(text(words) for words in filters if words))
    if sentence:
        blocks.append(Paragraph(sentence, Tone.WARNING, _("Rows used.")))
    kept = [
        _("{message} It was kept as {ratings}.").format(message=f.message)
        for f in summaries_as_ratings(context.project)
    ]
    blocks += [Paragraph(text(words), Tone.WARNING, _("Read with care.")) for words in kept]
    still = open_line(context.project)
    if still:
        blocks.append(Paragraph(text(still), Tone.WARNING, _("Not settled.")))
    return blocks


def _filters(context: Context) -> list[LogRow]:
    """The decisions in force that leave only some rows, with how many ratings they leave out."""
    kinds = {d.id for d in context.project.in_force if isinstance(d.decision, KeepWhere)}
    rows = [row for row in context.project.log if row.id in kinds and row.standing is DecisionStatus.IN_FORCE]
    return [replace(row, words=_filtered(row)) for row in rows]


def _filtered(row: LogRow) -> str:
    return _("{words} {n} left out (decision {number}).").format(
        words=row.words, n=numbers.count(row.touches), number=row.id
    )


def _further(context: Context) -> list[str]:
    """What agreement, chance and the cases add to the headline."""
    extras = context.extras
    sentences = [_counted(context), _known(context)]
    shared = raw_agreement(extras.coefficients)
    if shared is not None and shared.estimate.value is not None:
        sentences.append(
            _("Two {raters} give {a_subject} the same class {often}.").format(
                often=numbers.often(shared.estimate.value)
            )
        )
    if extras.chance is not None:
        sentences.append(words_chance.verdict(extras.chance))
    answer = None if context.main is None or context.ratings is None else context.answer(context.main)
    beliefs = None if answer is None else believed(answer)
    if answer is not None and beliefs is not None:
        sentences.append(range_words.conditional(sure_of(beliefs, answer), answer.fit))
    return sentences


def _strip(context: Context) -> list[Block]:
    """Coefficients and the accuracy on one scale, each with its interval."""
    main = context.main
    if main is None:
        return []
    rows = figures_agreement.strip(context.extras.coefficients)
    rows += _accuracy_rows(main.fit, context.extras)
    if len(rows) < 2 and estimates_needs(main.fit, main_ratings(context)) is None:
        figure = restyled(estimates(main.fit, main_ratings(context))[0], context.style)
        return [Picture(figure.title, (figure,), figure.note, height=60.0 + 32.0 * len(figure.y.ticks))]
    if not rows:
        return []
    title = _("Several views of the same {n} {ratings}").format(n=numbers.count(main.fit.ratings))
    note = _("N = {size}. Squares: coefficients, interval by standard errors.").format(size=words.size(main.fit))
    # A model that gives each rater an accuracy has none to draw here.
    if any(role is Role.MODEL for _name, _estimate, role in rows):
        note = _("{note} Circle: {how}.").format(note=note, how=kind_of_interval(*main.fit.interval))
    figure = charts.forest(rows, context.style, kind="summary", title=title, note=note)
    return [Picture(title, (figure,), note, height=50.0 + 27.0 * len(figure.y.ticks))]


def _accuracy_rows(fit: Fit, side: SideResults) -> list[tuple[str, Estimate, Role]]:
    """The accuracy; where a range of them fits equally well its ends, and below them what an assumption makes of it."""
    accuracy_range = range_words.open_range(fit)
    if accuracy_range is None:
        own = [e.estimate for e in fit.estimates if str(e.name) == "a" and e.estimate.value is not None]
        if misfit.set_back(fit, side):
            return [(_("Accuracy a, not to be relied on"), e, Role.REFERENCE) for e in own]
        if misfit.unproved(fit, side):
            return [(_("Accuracy a, if all {subjects} are equally hard").format(), e, Role.MODEL) for e in own]
        return [(_("Accuracy a"), e, Role.MODEL) for e in own]
    ends = [
        (_("Lowest accuracy that fits"), accuracy_range.low),
        (_("Highest accuracy that fits"), accuracy_range.high),
    ]
    rows = [(name, Estimate(value), Role.MODEL) for name, value in ends]
    if accuracy_range.assumed.value is not None:
        rows.append((_("If guesses fall as the truth"), accuracy_range.assumed, Role.SECOND))
    return rows


def main_ratings(context: Context) -> Ratings:
    """The current ratings, which every answer that is up to date rests on."""
    if context.ratings is None:
        raise ValueError("there is no answer without ratings")
    return context.ratings


def _no_analysis(context: Context) -> str:
    if context.ratings is None:
        return _("No {ratings} have been read yet, so there is nothing to report.")
    return _("No analysis has been run. This report describes the data only.")


def _counted(context: Context) -> str:
    ratings = context.ratings
    if ratings is None:
        return ""
    template = ngettext(
        "The data are {m} {ratings} of {n} {subjects}, all in one class.",
        "The data are {m} {ratings} of {n} {subjects} in {k} classes.",
        len(ratings.classes),
    )
    return template.format(
        m=numbers.count(ratings.rating_count), n=numbers.count(ratings.subject_count), k=len(ratings.classes)
    )


def _known(context: Context) -> str:
    """Of how many cases the answer is known, and from whom; empty where none is."""
    ratings = context.ratings
    classes = None if ratings is None else ratings.known_classes()
    if ratings is None or classes is None:
        return ""
    known = int((classes >= 0).sum())
    sentence = _("The answer is known from elsewhere for {n} {subjects}.").format(n=numbers.count(known))
    return joined(sentence, words.known_by(ratings))


def _answer(done: Done, context: Context, *, several: bool, drafted: bool) -> list[Block]:
    """Headline, consequence and warnings of one analysis; warnings stay whoever wrote the sentences."""
    fit = done.fit
    ratings = context.ratings
    blocks: list[Block] = []
    if done.analysis.stale:
        blocks.append(Paragraph(fit_parts.stale(context.answer(done)), Tone.WARNING, _("Out of date.")))
    if ratings is None:
        return blocks
    answer = context.answer(done)
    result = awarded(answer)
    if drafted:
        opening = _("{model}.").format(model=fit.model.name) if several else ""
        sentence, follows = headline(answer)
        blocks.append(Paragraph(sentence, Tone.LEAD, opening))
        blocks.append(Paragraph(joined(follows, words.shares_note(fit) if result is None else "")))
    void = words.void(fit) or within_chance(context.extras) or misfit.missed(fit, context.extras)
    edges = degeneracy(fit, void=void)
    warnings = [words.caution(fit, ratings), *edges, _misfit(done, context)]
    if result is not None:
        # What is said of one accuracy for all is no warning about awards.
        warnings = list(award_words.caveats(result))
    blocks += [Paragraph(text, Tone.WARNING, _("Read with care.")) for text in warnings if text]
    return [block for block in blocks if not isinstance(block, Paragraph) or block.text]


def _misfit(done: Done, context: Context) -> str:
    """That the model of the headline is not how these ratings came about; empty where nothing says so."""
    test = context.extras.goodness
    if test is None or test.p_bootstrap >= misfit.level(context.extras) or done is not context.main:
        return ""
    if misfit.contradicted(context.extras):
        return ""
    reached = round(test.p_bootstrap * (1 + test.replicates)) - 1
    return _(
        "The {model} model misses something about these {ratings}: of {all} data sets made by the model itself, {n} "
        "fit as badly. Read its numbers as a summary, not as the whole story."
    ).format(
        model=done.fit.model.name,
        all=numbers.count(test.replicates),
        n=numbers.count(reached) if reached else _("none"),
    )
