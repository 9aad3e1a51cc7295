"""The cases: how sure one can be of each, which are worth a discussion, and which categories are confused."""

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import cells, model_checks, numbers, range_words
from tapdesk.answers.class_pairs import class_pairs_table
from tapdesk.answers.content import Align, Block, Column, Paragraph, Picture, Table
from tapdesk.answers.figure import Figure, Role
from tapdesk.answers.figures.classes import class_pairs, confusion, paired
from tapdesk.answers.figures.raters import MOST_SURPRISES, surprised, surprises_needs
from tapdesk.answers.fit_words import no_beliefs, too_wide
from tapdesk.answers.misfit import contradicted, unproved
from tapdesk.answers.numbers import SCREEN
from tapdesk.answers.part import About, Answer, Content, Missing, Part, reason_for
from tapdesk.fitting.fit import Fit
from tapdesk.language import CaseName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.case_beliefs import DOUBTFUL, CaseBeliefs
from tapdesk.studies.likelihood_ratio import follows_anything
from tapdesk.studies.rater_diagnostics import unexpected_ratings

RIGHT = Align.RIGHT
MOST_CASES = 12
_HALF, _LOW, _LOWEST, _ROUGH = 0.5, 1 / 3, 0.2, 0.3
_TIE = 1e-9
_MOST_WORTH = 3
_GAIN = _(
    "Gain: how much likelier the likeliest class becomes by one more {rating}, on average over what that {rating} may "
    "be."
)
_UNSEEN = _(
    "Whether some {subjects} are harder than others, or {raters} did not judge alone, cannot be seen here; if so it is "
    "less sure than this says."
)


def believed(answer: Answer) -> CaseBeliefs | None:
    """What is believed about single cases; None where the accuracy behind it is too unsure for that."""
    result, test, ratings = answer.side.beliefs, answer.side.chance, answer.ratings
    if result is None or (test is not None and not test.more_than_chance):
        return None
    if too_wide(answer.fit) or result.probability.shape != (len(ratings.subjects), len(ratings.classes)):
        return None
    return result


def cases_content(answer: Answer) -> Content | Missing | None:
    """The cases to discuss, the least certain first, and the ratings that stand against all others."""
    ratings = answer.ratings
    if not ratings.subject.size:
        return None
    beliefs = believed(answer)
    if beliefs is None:
        return Missing(no_beliefs(answer.fit, answer.side.chance))
    sure = beliefs.probability.max(axis=1)
    least = int(np.count_nonzero(sure < DOUBTFUL))
    text = range_words.conditional(sure_of(beliefs, answer), answer.fit)
    worth = _worth(beliefs, answer)
    # On the screen all are listed.
    printed = least if answer.style != SCREEN else min(least, MOST_CASES)
    sentence = joined(text, _listed(sure, printed) if least else "", worth)
    blocks: list[Block] = [Paragraph(sentence)]
    most = None if answer.style == SCREEN else min(MOST_CASES, least or MOST_CASES)
    blocks.append(least_certain(ratings, beliefs, most, sure=certain(beliefs, answer)))
    blocks += _surprising(answer)
    count = least if answer.style == SCREEN else min(least, MOST_CASES)
    title = _("Discuss these {count} {subjects}").format(count=numbers.count(count)) if count > 1 else ""
    return Content(tuple(blocks), caption=_("least certain first"), title=title)


def _worth(beliefs: CaseBeliefs, answer: Answer) -> str:
    """The cases for which one more rating is worth most, where there are doubtful ones and beliefs hold."""
    worth, gain = beliefs.worth_another(), beliefs.gain
    if not worth.size or gain is None or not certain(beliefs, answer):
        return ""
    names = joined(*(CaseName(answer.ratings.subjects[i]) for i in worth[:_MOST_WORTH]), sep=", ")
    if worth.size > _MOST_WORTH and gain[worth[_MOST_WORTH]] > gain[worth[_MOST_WORTH - 1]] - _TIE:
        return _("One more {rating} is worth most for {subjects} such as {names}.").format(names=names)
    return _("One more {rating} is worth most for {names}.").format(names=names)


def _surprising(answer: Answer) -> list[Block]:
    """The ratings that stand against all others, where there are any."""
    ratings, fit = answer.ratings, answer.fit
    # Where raters answer different questions, who is unexpected is told by a model that holds for none of them.
    if surprises_needs(fit, ratings) is not None or contradicted(answer.side):
        return []
    figure = surprised(fit, ratings, answer.style)
    if not any(mark.role is Role.SINGLED_OUT for mark in figure.marks):
        return []
    odd = unexpected_ratings(ratings, fit, MOST_SURPRISES)
    rows = [(int(at), float(p)) for at, p in zip(odd.rating, odd.probability, strict=True)]
    picture = Picture(figure.title, (figure,), figure.note, height=_height(figure))
    return [picture, model_checks.surprising(rows, ratings)]


def _height(figure: Figure) -> float:
    """How high a picture of rows is."""
    return 50.0 + 21.0 * max(len(figure.y.ticks), 2)


def sure_of(beliefs: CaseBeliefs, answer: Answer, *, listed: bool = True) -> str:
    """Of how many cases the panel is less than 90 % sure; nothing sure is said of a model that does not fit.

    Parameters
    ----------
    beliefs, answer
        What is believed of the cases, and what is told.
    listed
        Whether a list of cases follows.
    """
    ratings, test = answer.ratings, answer.side.goodness
    order = _("The {subjects} are listed in the order of the model’s doubt.") if listed else ""
    if _little_known(beliefs, answer):
        why = _(
            "How sure one can be of single {subjects} cannot be said: few of the {ratings} may follow the {subject}, "
            "and how many is known roughly; beliefs that rest on so little are right less often than they say."
        )
        return joined(why, order)
    if _misfits(answer):
        why = _(
            "How sure one can be of single {subjects} cannot be said: the model misses something about these "
            "{ratings}, and its beliefs may be too strong."
        )
        return joined(why, order)
    unsure = int(ratings.subject_weights()[beliefs.probability.max(axis=1) < DOUBTFUL].sum())
    could_see = test is not None and not follows_anything(test) and not unproved(answer.fit, answer.side)
    unseen = "" if could_see else _UNSEEN
    n = numbers.count(ratings.subject_count)
    if not unsure:
        sentence = _("If the model holds, the panel is at least 90 % sure of each of the {n} {subjects}.").format(n=n)
    else:
        sentence = _("The panel is less than 90 % sure of {part}.").format(
            part=numbers.of_all(unsure, ratings.subject_count, "subjects")
        )
    return joined(sentence, unseen)


def certain(beliefs: CaseBeliefs, answer: Answer) -> bool:
    """Whether it can be said how sure one can be of single cases."""
    return not (_misfits(answer) or _little_known(beliefs, answer))


def _little_known(beliefs: CaseBeliefs, answer: Answer) -> bool:
    """The same, of beliefs by the one accuracy: those of a model that tells raters apart rest on other numbers."""
    return beliefs.model == answer.fit.model.name and little_known(answer.fit)


def little_known(fit: Fit) -> bool:
    """Whether the one accuracy is so low and so roughly known that beliefs do not keep what they say.

    Averaged over all accuracies that may be they are right as often as they say; of panels whose accuracy is .3 those
    that overrate it are the surest (200 cases, five ratings: said .94, right in .90 of 2,405 in 60 panels).
    """
    one = next((e.estimate for e in fit.estimates if str(e.name) == "a"), None)
    if one is None or one.value is None or one.low is None or one.high is None:
        return False
    low = one.low < _LOWEST or (one.value < _HALF and one.low < _LOW)
    return low and one.high - one.low > _ROUGH * one.value


def _misfits(answer: Answer) -> bool:
    """Whether the test of fit or the pairs reject the model, whose beliefs are then no measure of certainty."""
    test, pairs = answer.side.goodness, answer.side.independence
    if contradicted(answer.side):
        return True
    return (test is not None and test.rejects) or (pairs is not None and pairs.too_alike)


def _listed(sure: NDArray[np.float64], least: int) -> str:
    if least > MOST_CASES:
        sentence = _(
            "The table lists the {n} least certain {subjects}, the least certain first: they are worth discussing."
        )
        last = float(np.sort(sure)[MOST_CASES - 1])
        alike = int(np.count_nonzero(sure <= last + _TIE)) - MOST_CASES
        if alike:
            sentence = ngettext(
                "The table lists {n} of the least certain {subjects}; {alike} more is as uncertain as its last one.",
                "The table lists {n} of the least certain {subjects}; {alike} more are as uncertain as its last one.",
                alike,
            )
        return sentence.format(n=numbers.count(MOST_CASES), alike=numbers.count(alike))
    return _("The table lists the least certain {subjects} first: they are the ones worth discussing.")


def least_certain(ratings: Ratings, beliefs: CaseBeliefs, most: int | None, *, sure: bool = True) -> Table:
    """Every subject, the least certain first: its ratings, the likeliest class, and how sure one can be of it.

    Where that cannot be said, not ``sure``, the column of beliefs is left out.
    """
    counts, names = ratings.counts(), numbers.shorts(ratings.classes, 28)
    gain = beliefs.gain if sure and ratings.weight is None else None
    rows = []
    for at in beliefs.least_certain():
        best = int(beliefs.probability[at].argmax())
        named = [_("“{label}”: {n}").format(label=c, n=n) for c, n in zip(names, counts[at], strict=True) if n]
        row = [ratings.subjects[at]]
        if ratings.weight is not None:
            row.append(cells.count(int(ratings.weight[at])))
        row.append(names[best])
        if sure:
            row.append(cells.percent_below(float(beliefs.probability[at, best]), DOUBTFUL))
        if gain is not None:
            row.append(cells.percent(float(gain[at])))
        rows.append((*row, "; ".join(named)))
    columns = [Column(_("{Subject}"))]
    if ratings.weight is not None:
        columns.append(Column(_("How many"), RIGHT))
    columns.append(Column(_("Likeliest class")))
    note, further = _("Likeliest class: by the {model} model."), ""
    if sure:
        columns.append(Column(_("Belief"), RIGHT))
        note = _(
            "Belief: probability of the likeliest class by the {model} model, averaged over all values of its numbers "
            "that these {ratings} leave open."
        )
    if gain is not None:
        columns.append(Column(_("Gain"), RIGHT))
        further = _GAIN
    columns.append(Column(_("{Ratings} given"), wide=True))
    title = _("{Subjects} to discuss, least certain first")
    return Table(title, tuple(columns), tuple(rows), joined(note.format(model=beliefs.model), further), most=most)


def probabilities(answer: Answer) -> Table | None:
    """The probability of every class of every case in the order of the file, for files of tables, not for paper.

    None where nothing can be said of single cases.
    """
    beliefs, ratings = believed(answer), answer.ratings
    if beliefs is None:
        return None
    counts, names = ratings.counts(), numbers.shorts(ratings.classes, 40)
    columns = [Column(_("{Subject}"), wide=True)]
    columns += [Column(_("“{label}”: {Ratings}").format(label=name), RIGHT) for name in names]
    columns.append(Column(_("Likeliest class")))
    columns += [Column(_("Probability of “{label}”").format(label=name), RIGHT) for name in names]
    if ratings.weight is not None:
        columns.insert(1, Column(_("How many"), RIGHT))
    rows = []
    for at, name in enumerate(ratings.subjects):
        shares = beliefs.probability[at]
        row = [name, *map(cells.count, counts[at]), names[int(shares.argmax())]]
        row += [cells.percent(float(p), 1) for p in shares]
        if ratings.weight is not None:
            row.insert(1, cells.count(int(ratings.weight[at])))
        rows.append(tuple(row))
    note = _("Probabilities by the {model} model, averaged over all values of its numbers that these {ratings} allow.")
    caution = "" if certain(beliefs, answer) else sure_of(beliefs, answer)
    title = _("Every {subject}: {ratings} and probabilities")
    return Table(title, tuple(columns), tuple(rows), joined(note.format(model=beliefs.model), caution))


def categories_content(answer: Answer) -> Content | Missing | None:
    """Which categories are given to the same cases by different raters, and how well every two are told apart."""
    shown = answer.every
    figure = confusion(shown)
    if figure is None:
        return Missing(_("No {subject} has two {ratings}, so none can be set beside another."), quiet=True)
    blocks: list[Block] = [
        Picture(figure.title, (figure,), figure.note, height=56.0 + 34.0 * len(shown.classes)),
        confusion_table(shown),
    ]
    pairs = answer.side.pairs
    if pairs is not None:
        made = paired(pairs, shown, answer.style)
        blocks.append(Picture(made.title, (made,), made.note, height=_height(made)))
        blocks.append(class_pairs_table(pairs, answer.style))
    elif why := reason_for(answer, "pairs"):
        untold = _("How well every two classes are told apart is not reported. {why}")
        blocks.append(Paragraph(untold.format(why=why)))
    return Content(tuple(blocks))


def confusion_table(ratings: Ratings) -> Table:
    """When one rater gives the category of the row, how often another gives each: rows sum to 100 %."""
    pairs = class_pairs(ratings)
    share = pairs / np.maximum(pairs.sum(axis=1, keepdims=True), 1e-300)
    columns = [Column(_("Another says “{label}”").format(label=label), RIGHT) for label in ratings.classes]
    rows = tuple(
        (label, *(cells.percent(float(v)) if pairs[i].sum() else numbers.DASH for v in share[i]))
        for i, label in enumerate(ratings.classes)
    )
    return Table(_("Classes confused with each other"), (Column(_("One says"), wide=True), *columns), rows)


CASES = Part(
    "cases",
    "cases",
    _("Which {subjects} are worth discussing?"),
    _(
        "The {subjects} about which the panel tells least. The belief is how sure the model is of the "
        "likeliest answer. It shows where a discussion may help, not that anybody was wrong."
    ),
    cases_content,
    uses=("beliefs", "chance", "goodness"),
    headed=False,
)
CATEGORIES = Part(
    "categories",
    "cases",
    _("Classes confused with each other"),
    _(
        "When one {rater} gives the class at the left, how often another gives each: a full box on the "
        "diagonal is a class that everybody sees alike. Boxes beside it show which two are taken for each "
        "other. Luck is in here as well: a class that is given often is also given often by chance."
    ),
    categories_content,
    uses=("pairs",),
    about=About.RATINGS,
    commands=("pairs",),
)
PARTS = (CASES, CATEGORIES)
"""In the order of the catalog."""
