"""Where the numbers of a fit would be found again, in data drawn from them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.figure import Figure, Points, Role
from tapdesk.answers.figures.agreement import MOST_ROWS, dots
from tapdesk.answers.figures.expected import unsure
from tapdesk.answers.fit_words import size, warns
from tapdesk.answers.numbers import SCREEN
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.recovery import LEVEL, REPLICATES, RecoveryRange, no_recovery, recover_fit

recovery_needs = no_recovery
# A middle this far from the number, in widths of the range, is more than a matter of taste.
_ASIDE = 0.125
_OFTEN = 0.05
_STANDS_STILL = 1e-6


def recovered(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study from the numbers of a fit, and its picture."""
    found = yield from recover_fit(fit, ratings, REPLICATES, fit.seed)
    figure = recovery(fit, found, REPLICATES)
    return (replace(figure, note=f"{figure.note} {unsure()}") if warns(fit, ratings) else figure,)


def recovery(fit: Fit, found: Sequence[RecoveryRange], sets: int) -> Figure:
    """Each number with the range in which it would be found, and the value it was drawn with."""
    shown = [one for one in found if one.median is not None]
    rows = [
        (
            _called(fit, one),
            Estimate(one.median, low=one.low, high=one.high, level=LEVEL, how="simulation"),
            Role.REFERENCE,
        )
        for one in shown
    ]
    note = _(
        "N = {size}; {model} model. Line and square: the middle {level} of what is found in {sets} data sets of this "
        "design, and the middle one. Dot: the number they were drawn with."
    ).format(size=size(fit), model=fit.model.name, level=numbers.level(LEVEL), sets=numbers.count(sets))
    figure = dots(rows, SCREEN, kind="recovery", title=said(fit, found), note=" ".join((note, *cautions(fit, found))))
    drawn = shown[:MOST_ROWS]
    ring = Points(
        # Words at the end of a row are those of the range.
        "",
        np.array([one.true for one in drawn], dtype=np.float64),
        np.arange(len(drawn) - 1, -1, -1, dtype=np.float64),
        Role.MODEL,
    )
    return replace(figure, marks=(*figure.marks, ring)) if drawn else figure


def said(fit: Fit, found: Sequence[RecoveryRange]) -> str:
    """Where the accuracy would be found, or the number that is found least well; without a full stop."""
    shown = [one for one in found if one.low is not None and one.high is not None]
    if not shown:
        return _("None of these numbers would be found again")
    single = [one for one in shown if str(fit.estimates[one.at].name) == "a"]
    one = single[0] if single else max(shown, key=_width)
    places = numbers.places_of(None, one.low, one.high)
    if _width(one) < _STANDS_STILL:
        return _("If {name} = {true} were true, such data sets would put it there again").format(
            name=_called(fit, one), true=numbers.decimal(one.true, SCREEN)
        )
    words = (
        _(
            "If the numbers were true, 95 of 100 such data sets would put the accuracy {name} = {true} between {low} "
            "and {high}"
        )
        if single
        else _(
            "If the numbers were true, 95 of 100 such data sets would put even the vaguest, {name} = {true}, between "
            "{low} and {high}"
        )
    )
    true, low, high = (numbers.decimal(x, SCREEN, places) for x in (one.true, one.low, one.high))
    return words.format(name=_called(fit, one), true=true, low=low, high=high)


def cautions(fit: Fit, found: Sequence[RecoveryRange]) -> tuple[str, ...]:
    """What must be known besides, one sentence each."""
    told = []
    aside = [one for one in found if one.median is not None and _aside(one)]
    if aside:
        told.append(_("More often than not found too high or too low: {names}.").format(names=_names(fit, aside)))
    edge = [one for one in found if one.on_edge is not None and one.on_edge >= _OFTEN]
    if edge:
        most = max(edge, key=lambda one: one.on_edge or 0.0)
        told.append(
            _("{name} is found at 0 or 1 in {share} of the data sets.").format(
                name=_called(fit, most), share=numbers.percent(most.on_edge or 0.0)
            )
        )
    lost = [one for one in found if one.why_not]
    if lost:
        told.append(_("Not drawn: {names}. {why}").format(names=_names(fit, lost), why=lost[0].why_not))
    elif any(one.without for one in found):
        told.append(_("Data sets in which a number has no value are left out of its range."))
    if fit.active_bounds:
        told.append(_("A number on the edge of what is possible is found there again, however little is known of it."))
    return tuple(told)


def _aside(one: RecoveryRange) -> bool:
    return abs((one.median or 0.0) - (one.true or 0.0)) > _ASIDE * max(_width(one), 1e-9)


def _width(one: RecoveryRange) -> float:
    return (one.high or 0.0) - (one.low or 0.0)


def _called(fit: Fit, one: RecoveryRange) -> str:
    """The symbol with its class or rater, shortened."""
    name = fit.estimates[one.at].name
    inside = [numbers.short(x, 20) for x in (name.category, name.rater, name.rated) if x is not None]
    return f"{name.name} ({', '.join(inside)})" if inside else name.name


def _names(fit: Fit, which: Sequence[RecoveryRange], most: int = 3) -> str:
    names = [_called(fit, one) for one in which]
    if len(names) <= most:
        return ", ".join(names)
    return _("{names} and {count} more").format(names=", ".join(names[:most]), count=numbers.count(len(names) - most))
