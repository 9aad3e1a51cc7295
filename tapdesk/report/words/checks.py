"""What the checks of a model say, in one sentence each."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.report import numbers
from tapdesk.report.numbers import REPORT, Style
from tapdesk.report.words.fit import size
from tapdesk.report.words.nouns import PLAIN, Nouns
from tapdesk.studies.independence import Independence
from tapdesk.studies.rater_diagnostics import Calibration

_RARE = 0.05
_NO_WIDTH = 1e-6


def calibrated(found: Sequence[Calibration], *, raters: bool, style: Style = REPORT, nouns: Nouns = PLAIN) -> str:
    """How far what the model says is from what was seen, and how often further than luck explains."""
    outside = sum(int(beyond(one).sum()) for one in found)
    every = sum(len(one.names) for one in found)
    weight = np.array([float(one.count.sum()) for one in found])
    apart = float(np.average([one.mean_absolute_error for one in found], weights=weight))
    said = _("On average the share of a class by the model and the one seen are {apart} apart.").format(
        apart=numbers.decimal(apart, style, 3)
    )
    what = nouns.raters if raters else _("groups of {ratings}").format(ratings=nouns.ratings)
    if raters and len(found) > 1:
        what = _("pairs of {rater} and class").format(rater=nouns.rater)
    if every == 1:
        more = _("That is no further than two standard errors.")
        more = _("That is further than two standard errors.") if outside else more
    elif not outside:
        more = _("Of {every} {what} none is further off than two standard errors.")
    else:
        more = ngettext(
            "Of {every} {what} {outside} is further off than two standard errors; about {luck} would be by luck alone.",
            "Of {every} {what} {outside} are further off than two standard errors; about {luck} would be by luck "
            "alone.",
            outside,
        )
    more = more.format(every=numbers.count(every), what=what, outside=numbers.count(outside), luck=_by_luck(every))
    note = next((one.note for one in found if one.note), "")
    return " ".join(part for part in (said, more, note) if part)


def dots(fit: Fit, *, raters: bool, nouns: Nouns = PLAIN) -> str:
    """What a picture of a calibration shows."""
    kind = _("Each dot is one {rater}.")
    if not raters:
        kind = _(
            "Each dot is a group of {ratings} for which the model, given the other {ratings} of a {subject}, says much "
            "the same."
        )
    return _("N = {size}; {model} model. {kind} Lines: two standard errors.").format(
        size=size(fit, nouns),
        model=fit.model.name,
        kind=kind.format(rater=nouns.rater, ratings=nouns.ratings, subject=nouns.subject),
    )


def beyond(found: Calibration) -> NDArray[np.bool_]:
    """Shape (n,): which are further off than luck explains: two standard errors, or one time in twenty.

    Where all ratings or none are in the class there is no standard error; it is asked how often the model would make
    that.
    """
    away = (found.modelled < found.low) | (found.modelled > found.high)
    alike = np.where(found.observed > 0.5, found.modelled, 1 - found.modelled)
    edge = (found.observed <= 0) | (found.observed >= 1)
    return np.asarray(np.where(edge, np.clip(alike, 0.0, 1.0) ** found.count < _RARE, away), dtype=np.bool_)


def together(found: Independence) -> str:
    """Whether pairs of raters stand out; where all agree on everything, that this cannot be seen."""
    if (found.high - found.low).max(initial=0.0) < _NO_WIDTH and not found.flagged.any():
        return _(
            "All raters agree on everything here, so it cannot be seen whether they judged by themselves: one who "
            "copies looks like one who knows."
        )
    return found.words


def _by_luck(every: int) -> str:
    """How many of so many lie beyond two standard errors by luck."""
    expected = round(0.05 * every)
    return numbers.count(expected) if expected else _("none")


def clearest_first(found: Sequence[Estimate]) -> list[int]:
    """Which raters have an entropy, the one whose ratings leave least open first."""
    known = [(e.value, i) for i, e in enumerate(found) if e.value is not None]
    return [i for _value, i in sorted(known)]


def too_few_entropies(nouns: Nouns = PLAIN) -> str:
    """Why it is not said whose ratings say most, where hardly anybody gave more than one."""
    return _("Fewer than two {raters} gave more than one {rating}, so they cannot be compared.").format(
        raters=nouns.raters, rating=nouns.rating
    )


def entropies(names: Sequence[str], found: Sequence[Estimate], style: Style = REPORT, nouns: Nouns = PLAIN) -> str:
    """Whose ratings say most and least, as far as their intervals tell them apart."""
    order = clearest_first(found)
    first, last = order[0], order[-1]
    called = numbers.shorts(names, 40)
    if numbers.decimal(found[first].value, style) == numbers.decimal(found[last].value, style):
        return _("A {rating} of every {rater} leaves about as much open: {value} krits.").format(
            rating=nouns.rating, rater=nouns.rater, value=numbers.decimal(found[first].value, style)
        )
    words = _(
        "A {rating} of {first} leaves least open ({least} krits), one of {last} most ({most}). 0 would be a {rater} "
        "who is always right, 1 one whose {ratings} say nothing."
    )
    if meet(found[first], found[last]):
        words = _(
            "A {rating} of {first} leaves least open ({least} krits), one of {last} most ({most}), but these intervals "
            "meet: luck may be all there is to it. 0 would be a {rater} who is always right, 1 one whose {ratings} say "
            "nothing."
        )
    return words.format(
        rating=nouns.rating,
        ratings=nouns.ratings,
        rater=nouns.rater,
        first=called[first],
        last=called[last],
        least=_reaching(found[first], style),
        most=_reaching(found[last], style),
    )


def meet(one: Estimate, other: Estimate) -> bool:
    """Whether two numbers have intervals that share a value."""
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return False
    return one.low <= other.high and other.low <= one.high


def _reaching(found: Estimate, style: Style) -> str:
    """A number with its interval, where it has one."""
    value = numbers.decimal(found.value, style)
    if found.low is None or found.high is None:
        return value
    return _("{value}, {low} to {high}").format(
        value=value, low=numbers.decimal(found.low, style), high=numbers.decimal(found.high, style)
    )


def no_entropies(nouns: Nouns = PLAIN) -> str:
    """Why it is not told whose ratings say most."""
    return _(
        "Whose {ratings} say most is not reported: how often a {rating} follows its {subject} is known too roughly, or "
        "cannot be told from chance."
    ).format(ratings=nouns.ratings, rating=nouns.rating, subject=nouns.subject)


def no_votes(nouns: Nouns = PLAIN) -> str:
    """Why it is not told how often a vote is right."""
    return _(
        "How often a vote is right is not reported: how often a {rating} follows its {subject} is known too roughly, "
        "or cannot be told from chance."
    ).format(rating=nouns.rating, subject=nouns.subject)
