"""The raters one by one: who stands apart from the panel, by how much, and how sure that is."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tapdesk.answers import cells, differences, numbers
from tapdesk.answers.content import Align, Block, Column, Paragraph, Picture, Table, Tone
from tapdesk.answers.figures import raters as figures
from tapdesk.answers.misfit import raters_differ, too_alike
from tapdesk.answers.numbers import DASH
from tapdesk.answers.part import Answer, Content, Missing, Part, reason_for
from tapdesk.answers.side_results import SideResults, within_chance
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit, ParameterEstimate
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext
from tapdesk.models.model import GROUP_MODELS, Accuracy, model
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse

_MOST_NAMED = 4
_FEW_ROWS = 13


def fit_by_rater(answer: Answer) -> Fit | None:
    """The fit whose accuracies are told of every rater: the answer itself where it tells raters apart.

    A question names one model; a report that quietly fitted another one would give a person two numbers. Where it says
    too little of single raters, these are told as drawn from one population, and that is said (`_taken_together`).
    """
    if answer.side.pooled is not None:
        return answer.side.pooled.fit
    if answer.fit.model.accuracy is Accuracy.PER_RATER:
        return answer.fit
    return answer.side.by_rater


def panel_fit(ratings: Ratings, request: Request) -> Run[Fit]:
    """One accuracy for all raters, to set those of an answer beside that tells them apart.

    Yields
    ------
    Step
        The phases of a fit.
    """
    asked = request.model
    # All else as in the answer: the same groups with truths of their own, the same known classes.
    one = model("tg-a-p", GROUP_MODELS) if asked.truth.by_group else model("t-a-p")
    one = replace(one, groups=asked.groups if asked.truth.by_group else "", key=asked.key)
    return (yield from analyse(ratings, Request(one, level=request.level, seed=request.seed), shares=False))


def panel_accuracy(answer: Answer) -> Estimate | None:
    """The accuracy of the panel as a whole; None where it is not known."""
    if answer.side.pooled is not None:
        return answer.side.pooled.panel
    whole = answer.fit if answer.fit.model.accuracy is Accuracy.ONE else answer.side.panel
    if whole is None or not whole.converged or not whole.identification.identified:
        return None
    result = whole.estimate("a")
    return result if result.value is not None else None


def alike(side: SideResults) -> bool:
    """Whether it was tested if raters are alike, and nothing says they are not: then nobody is set apart."""
    return side.differences is not None and not raters_differ(side)


def compared(side: SideResults) -> bool:
    """Whether it is known who differs from the panel: by their differences, or because nothing says raters differ."""
    return alike(side) or (side.rater_contrasts is not None and side.rater_contrasts.accuracies is not None)


def apart(fit: Fit, side: SideResults) -> tuple[list[ParameterEstimate], list[ParameterEstimate]]:
    """The raters who clearly lie below the panel, by their difference from it, and those above it."""
    contrasts = side.rater_contrasts
    # Who agrees with another for other reasons than the cases looks able, and makes the rest look worse; and of those
    # who may all guess, the ways in which they guess look like accuracies.
    if contrasts is None or alike(side) or too_alike(side) or within_chance(side):
        return [], []
    every = figures.accuracies(fit)
    below = [e for e in every if contrasts.from_panel(e.name.rater or "") < 0]
    return below, [e for e in every if contrasts.from_panel(e.name.rater or "") > 0]


def who_differs(fit: Fit, panel: Estimate, side: SideResults) -> tuple[str, str]:
    """Who stands apart from the panel, in a sentence, and what follows; the same raters the picture marks.

    Parameters
    ----------
    fit
        An accuracy for each rater, settled and identified.
    panel
        The accuracy of the panel.
    side
        With how raters differ from the panel, and with the test of equal raters, where it was made: nobody is named
        unless it rejects.
    """
    if within_chance(side):
        return _by_luck()
    below, above = apart(fit, side)
    every = figures.accuracies(fit)
    unsure = sum(not _judged(e, side) for e in every)
    held = len(every) - len(below) - len(above) - unsure
    sentences = _apart_words(below, above)
    if held and sentences:
        rest = _("The other one does not clearly stand apart.")
        sentences.append(_("The others do not clearly stand apart.") if held > 1 else rest)
    elif held and too_alike(side) and not alike(side):
        sentences.append(_("Nobody is set apart."))
    elif held:
        sentences.append(_("Nobody clearly stands apart from the panel."))
    whole = _("The panel as a whole: {value}.") if panel.low is None else _("The panel as a whole: {value} ({reach}).")
    if side.pooled is not None:
        # Another number than the one accuracy of all ratings, where raters gave unlike many or guess unlike.
        whole = _("The mean of the {raters}, as drawn from one population: {value} ({reach}).")
    follows = [whole.format(value=numbers.value(panel), reach=numbers.interval(panel))]
    follows += [taken_together(side)] if side.pooled is not None else []
    follows += [_one_number(e, side) for e in (*below, *above)[:_MOST_NAMED]]
    if held > 1:
        order = (
            _("The order of the others may be luck.")
            if below or above
            else _("The order of the {raters} may be luck.").format()
        )
        follows.append(order)
    if too_alike(side) and not alike(side):
        why = _(
            "Some {raters} agree more often than the model explains: they look better than they may be, others worse."
        )
        follows.append(why)
    if below or above:
        follows.append(_("Set apart is who differs clearly from the whole panel and from the {rater} in its middle."))
        follows.append(_("{Raters} who copy from each other look accurate, and the others then look worse."))
    if unsure:
        untold = _("For {part} there is no interval, so nothing is said of them.")
        follows.append(untold.format(part=numbers.of_all(unsure, len(every), "raters")))
    if below or above:
        luck = _("Of panels whose {raters} are alike at most about {missing} in 100 set somebody apart.")
        follows.append(luck.format(missing=numbers.rounded(100 * (1 - fit.interval[1]), 0)))
    return joined(*sentences) or _("No {rater} can be set beside the panel: there are no intervals."), joined(*follows)


def _by_luck() -> tuple[str, str]:
    """That nobody is set apart where all may guess, and why."""
    why = _(
        "{Raters} who all guess, each in a way of their own, make such {ratings}; none is then more accurate than "
        "another."
    )
    return _("Nobody is set apart: these {ratings} cannot be told from chance.").format(), why.format()


def taken_together(side: SideResults) -> str:
    """That raters are told as drawn from one population, and why; empty where each is told by itself."""
    pooled = side.pooled
    if pooled is None:
        return ""
    from tapdesk.studies.edge_pooling import FEW_RATINGS  # late: few raters are drawn from a population

    named = pooled.fit.model.name
    if pooled.edge:
        return _(
            "By their own {ratings} alone {names} would have a number on the edge of what is possible, where it tells "
            "little. So all {raters} are told as drawn from one population ({model}, pooled)."
        ).format(names=_some(pooled.edge), model=named)
    return ngettext(
        "{names} gave fewer than {few} {ratings}. So all {raters} are told as drawn from one population ({model}, "
        "pooled).",
        "{names} gave fewer than {few} {ratings} each. So all {raters} are told as drawn from one population ({model}, "
        "pooled).",
        len(pooled.few),
    ).format(names=_some(pooled.few), few=numbers.count(FEW_RATINGS), model=named)


def _some(names: Sequence[str]) -> str:
    """A few names, and how many more."""
    if len(names) <= _MOST_NAMED + 1:
        return numbers.listed(names)
    shown = names[:_MOST_NAMED]
    return _("{names} and {n} more").format(names=", ".join(shown), n=numbers.count(len(names) - _MOST_NAMED))


def _judged(e: ParameterEstimate, side: SideResults) -> bool:
    """Whether it is known how far a rater may be from the panel."""
    result, name = side.rater_contrasts, e.name.rater or ""
    if alike(side):
        return e.estimate.low is not None
    if result is None or result.accuracies is None or name not in result.names:
        return False
    return result.accuracies.between(result.names.index(name), len(result.names)).bounded


def _apart_words(below: list[ParameterEstimate], above: list[ParameterEstimate]) -> list[str]:
    sentences = []
    if below:
        one, many = _("{names} stands below the panel."), _("{names} stand below the panel.")
        sentences.append((one if len(below) == 1 else many).format(names=_names(below)))
    if above:
        one, many = _("{names} stands above the panel."), _("{names} stand above the panel.")
        sentences.append((one if len(above) == 1 else many).format(names=_names(above)))
    return sentences


def _one_number(e: ParameterEstimate, side: SideResults) -> str:
    """A rater's accuracy, and how far it lies from the panel's."""
    result, name = side.rater_contrasts, e.name.rater or ""
    if result is None or result.accuracies is None:
        raise ValueError("nobody is named without a difference from the panel")
    one = result.accuracies.between(result.names.index(name), len(result.names))
    template = _("{rater}: {own}, higher than the panel by {value} ({reach}).")
    if result.from_panel(name) < 0:
        template = _("{rater}: {own}, lower than the panel by {value} ({reach}).")
    sentence = differences.fields(one, result.accuracies.level)
    return template.format(rater=name, own=numbers.value(e.estimate), **sentence)


def _names(group: list[ParameterEstimate]) -> str:
    """Some raters in one line."""
    return numbers.listed([e.name.rater or "" for e in group])


def raters_table(answer: Answer, fit: Fit) -> Table:
    """Each rater, the surest first: ratings given, accuracy, chance answers, and what leaving the rater out does."""
    ratings, style = answer.ratings, answer.style
    given = np.bincount(ratings.rater, ratings.subject_weights()[ratings.subject], len(ratings.raters))
    count = dict(zip(ratings.raters, given, strict=True))
    without = answer.side.without
    moved = {str(r["rater"]): r["kappa_change"] for r in without.records()} if without is not None else {}
    leanings = {(e.name.rater, e.name.category): e.estimate for e in fit.estimates if e.name.name == "p"}
    classes = list(dict.fromkeys(category for rater, category in leanings if rater is not None))
    level = _("{level} interval").format(level=numbers.level(fit.interval[1]))
    right = Align.RIGHT
    columns = [
        Column(_("{Rater}"), wide=True),
        Column(_("{Ratings}"), right),
        Column(_("Accuracy"), right),
        Column(level, right),
    ]
    for category in classes:
        label = numbers.short(category or fit.classes[-1], 24)
        columns += [Column(_("Chance “{value}”").format(value=label), right), Column(level, right)]
    told_by = fit.model.name if answer.side.pooled is None else _("{model}, pooled").format(model=fit.model.name)
    note = [_("{model} model. A dash: the data do not tell.").format(model=told_by)]
    alone = _alone(answer)
    if alone:
        columns.insert(4, Column(_("Alone"), right))
        note.append(_("Alone: by the {ratings} of this {rater} only, by the best fit.").format())
    if moved:
        columns.append(Column(_("Kappa gained"), right))
        last = _("Last column: Fleiss’ kappa with all {raters} minus kappa without this one.")
        note.append(last.format())
    rows = []
    for e in figures.accuracies(fit):
        name = e.name.rater or ""
        row: list[str] = [
            name,
            cells.count(count.get(name, 0)),
            cells.value(e.estimate, style),
            cells.interval(e.estimate, style),
        ]
        if alone:
            row.append(cells.value(alone[name], style))
        for category in classes:
            own = leanings.get((name, category))
            row += [DASH, DASH] if own is None else [cells.value(own, style), cells.interval(own, style)]
        if moved:
            change = moved.get(name)
            row.append(cells.decimal(float(change) if change is not None else None, style, 3))
        rows.append(tuple(row))
    title = _("The {raters} one by one")
    return Table(title, tuple(columns), tuple(rows), joined(*note))


def _alone(answer: Answer) -> dict[str, Estimate]:
    """By rater the accuracy by the fit of each by itself, where others are told; else nothing."""
    pooled = answer.side.pooled
    own = answer.fit if answer.fit.model.accuracy is Accuracy.PER_RATER else answer.side.by_rater
    if pooled is None or own is None:
        return {}
    return {e.name.rater or "": e.estimate for e in figures.accuracies(own)}


def raters_content(answer: Answer) -> Content | Missing | None:
    """Accuracy of each rater beside the panel, and pairs who agree more or less than they should."""
    ratings, side = answer.ratings, answer.side
    if not ratings.raters_known or len(ratings.raters) < 2:
        return None
    if side.opposition is not None and side.opposition.groups:
        why = _("They seem to answer different questions, and what one model says of all of them would be false.")
        return Missing(why, Tone.WARNING, _("No accuracy of single {raters}."))
    fit = fit_by_rater(answer)
    open_ = figures.raters_needs(fit) if fit is not None else ""
    if fit is None or open_:
        why = open_ or reason_for(answer, "by_rater") or _("This was not worked out.")
        return Missing(why, Tone.WARNING, _("No accuracy of single {raters}."), tuple(independence_words(side)))
    panel = panel_accuracy(answer)
    marked = {e.name.rater or "" for group in apart(fit, side) for e in group}
    figure = figures.raters(fit, answer.style, panel, marked, pooled=side.pooled is not None)
    headline = who_differs(fit, panel, side) if panel is not None and fit.converged and compared(side) else None
    caption = _("{interval} intervals").format(interval=numbers.level(fit.interval[1]))
    if panel is not None:
        caption = _("{caption}; whole panel {value}").format(caption=caption, value=numbers.value(panel))
    rows = max(len(figure.y.ticks), 1)
    blocks: list[Block] = [] if headline is None else [Paragraph(headline[0], Tone.LEAD), Paragraph(headline[1])]
    blocks += [Paragraph(words) for words in (_meaning(answer), _other_model(answer, fit), _no_panel(answer)) if words]
    blocks.append(
        Picture(figure.title, (figure,), figure.note, height=50.0 + (25.0 if rows < _FEW_ROWS else 17.0) * rows)
    )
    blocks.append(raters_table(answer, fit))
    blocks += independence_words(side)
    return Content(tuple(blocks), caption=caption, headline=headline)


def independence_words(side: SideResults) -> list[Block]:
    """Whether two raters agree more or less than they should; nothing where that was not looked at."""
    if side.independence is None:
        return []
    tone = Tone.WARNING if side.independence.flagged.any() else Tone.BODY
    return [Paragraph(side.independence.words, tone, _("Independence."))]


def _meaning(answer: Answer) -> str:
    called = _(" {Raters} are called by codes; the key is not in this report.")
    return _(
        "The accuracy of {a_rater} is how often their {ratings} follow the {subject} itself, as far as the shared "
        "pattern of the whole panel can tell. It says nothing about who is right where the panel as a whole is "
        "wrong.{called}"
    ).format(called=called if answer.coded else "")


def _other_model(answer: Answer, fit: Fit) -> str:
    """That another model of the raters fits better, where the question names one: it is said, never used in silence."""
    better = [other for other in answer.side.others if _says_raters(other) and other.aic < fit.aic - _CLEARLY]
    if not better:
        return ""
    best = min(better, key=lambda other: other.aic)
    return _(
        "These numbers come from the {model} model, which the question names. The {other} model describes the same "
        "{ratings} better for its number of parameters (AIC lower by {difference}); its accuracies may differ."
    ).format(model=fit.model.name, other=best.model.name, difference=numbers.large(fit.aic - best.aic, 1))


# A difference in AIC of two is what one idle parameter costs.
_CLEARLY = 2.0


def _says_raters(fit: Fit) -> bool:
    return fit.model.accuracy is Accuracy.PER_RATER and fit.converged and fit.identification.identified


def _no_panel(answer: Answer) -> str:
    """Why no line of the panel stands beside the raters; empty where it does."""
    return "" if panel_accuracy(answer) is not None else reason_for(answer, "panel")


RATERS = Part(
    "raters",
    "raters",
    _("{Raters}, surest first"),
    _(
        "How often the {ratings} of each {rater} follow the {subject}, the surest at the top, with "
        "intervals. The upright line is the panel as a whole. A diamond is {a_rater} who differs from it, "
        "and from the {rater} in the middle, by more than luck explains; the order of all others may be "
        "luck."
    ),
    raters_content,
    uses=("by_rater", "panel", "rater_contrasts"),
    headed=False,
)
