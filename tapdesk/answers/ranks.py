"""What is said of ratings that are ranks: how alike raters put the cases in order, and the order they make together."""

import numpy as np

from tapdesk.agreement.coefficients import Coefficient
from tapdesk.answers import cells, numbers
from tapdesk.answers.content import Align, Column, Paragraph, Table
from tapdesk.answers.numbers import counted
from tapdesk.answers.part import About, Answer, Content, Part
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.ratings.ranks import are_ranks, place_of_class
from tapdesk.ratings.ratings import Ratings

_MOST = 20


def of_ranks(answer: Answer) -> tuple[str, str] | None:
    """That the ratings are ranks, before any number of a model that takes each for a class; else None."""
    if not are_ranks(answer.ratings):
        return None
    first = _("The {ratings} are ranks: read how alike the {raters} put the {subjects} in order, not an accuracy.")
    then = _(
        "The model below takes each rank for a class of its own, so it only counts exact hits. To ask who is among the "
        "first, cut the ranks into bands."
    ).format()
    concordance = _concordance(answer)
    return first.format(), then if concordance is None else joined(_sentence(concordance, answer), then)


def _concordance(answer: Answer) -> Coefficient | None:
    return next((c for c in answer.side.coefficients if c.name == "kendall_w"), None)


def _sentence(concordance: Coefficient, answer: Answer) -> str:
    """W, its interval and its two ends in words."""
    e = concordance.estimate
    if e.value is None:
        return _("Kendall’s W is undefined. {why}").format(why=e.undefined)
    luck = numbers.decimal(1 / len(answer.ratings.raters), answer.style)
    sentence = _(
        "Kendall’s W is {w}: 1 is the same order by all {raters}, and {luck} is what luck alone gives on average."
    )
    if e.low is not None:
        sentence = _(
            "Kendall’s W is {w}, interval {interval}: 1 is the same order by all {raters}, and {luck} is what luck "
            "alone gives on average."
        )
    return sentence.format(w=numbers.value(e, answer.style), interval=numbers.interval(e, answer.style), luck=luck)


def ranks_content(answer: Answer) -> Content | None:
    """W in words and the mean rank of each case; None where the ratings are no ranks."""
    concordance = _concordance(answer)
    if not are_ranks(answer.every) or concordance is None:
        return None
    every = answer.every
    if answer.ratings is not every and not are_ranks(answer.ratings):
        # Bands have been cut: the coefficients are of the bands.
        return None
    return Content((Paragraph(_sentence(concordance, answer)), _mean_ranks(every, answer)))


def _mean_ranks(ratings: Ratings, answer: Answer) -> Table:
    """The cases by the mean of their ranks, the first one first."""
    place = place_of_class(ratings)[ratings.category]
    n = len(ratings.subjects)
    size = np.bincount(ratings.subject, minlength=n)
    mean = np.bincount(ratings.subject, place, n) / np.maximum(size, 1)
    best, worst = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(best, ratings.subject, place)
    np.maximum.at(worst, ratings.subject, place)
    order = sorted(np.flatnonzero(size).tolist(), key=lambda i: (mean[i], i))
    rows = tuple(
        (
            ratings.subjects[i],
            cells.decimal(float(mean[i]), answer.style),
            cells.count(int(best[i])) if best[i].is_integer() else cells.decimal(float(best[i]), answer.style),
            cells.count(int(worst[i])) if worst[i].is_integer() else cells.decimal(float(worst[i]), answer.style),
            cells.count(int(size[i])),
        )
        for i in order
    )
    right = Align.RIGHT
    return Table(
        _("{Subjects} by their mean rank"),
        (
            Column(_("{Subject}"), wide=True),
            Column(_("Mean rank"), right),
            Column(_("Best"), right),
            Column(_("Worst"), right),
            Column(_("{Ratings}"), right),
        ),
        rows,
        _("N = {size}. Rank 1 is the first. {Subjects} whose mean ranks are close are not told apart by them.").format(
            size=counted(ratings.subject_count, ratings.rating_count)
        ),
        most=_MOST,
    )


RANKS = Part(
    "ranks",
    "agreement",
    _("How alike are the orders?"),
    _(
        "Where each {rater} put the {subjects} in order, {a_rating} is a place, not a class. Kendall’s W "
        "asks how alike the orders are: 1 is the same order by all, and one divided by the number of "
        "{raters} is what luck gives on average."
    ),
    ranks_content,
    about=About.RATINGS,
    uses=("coefficients",),
    block="coefficients",
    commands=("agree",),
)
