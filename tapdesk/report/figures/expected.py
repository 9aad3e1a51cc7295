"""What the numbers of a fit imply: shares of the classes, and how much of the matches is luck."""

from dataclasses import dataclass, replace

from tapdesk.estimate import Estimate
from tapdesk.fitting.derived import match_rates
from tapdesk.fitting.fit import Fit, MatchRates
from tapdesk.language import gettext as _
from tapdesk.ratings.patterns import tabulate
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.figure import Figure, Role
from tapdesk.report.figures.agreement import dots
from tapdesk.report.figures.data import class_rates, distribution_needs
from tapdesk.report.numbers import SCREEN
from tapdesk.report.words.fit import size, warns
from tapdesk.studies.kappas import kappa_of

MATCH = _("Pairs that match")
BOTH, ONE, NEITHER = _("… both justified"), _("… one justified, one by luck"), _("… both by luck")


@dataclass(frozen=True, slots=True)
class Implied:
    """Matches and kappa as a fit implies them, and as they were seen.

    Attributes
    ----------
    rates
        Shares of all pairs of ratings of a case, by cause.
    both
        The share justified on both sides, with the interval of the accuracy squared.
    kappa
        That follows from the numbers; None where it is undefined.
    seen, seen_kappa
        The share of matching pairs, and Fleiss' kappa, in the ratings; None where there are none.
    """

    rates: MatchRates
    both: Estimate
    kappa: float | None
    seen: float | None
    seen_kappa: float | None


def expected_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why this cannot be told, or None."""
    if match_rates(fit.parameters) is None:
        return _("Raters or classes differ in this model: this needs one with one accuracy for all, such as t-a-p.")
    reason = distribution_needs(fit, ratings)
    if reason is not None:
        return reason
    if not fit.converged:
        return _("The estimates had not settled when the search stopped, so nothing follows from them.")
    if fit.match_rates is None or not fit.identification.identified:
        return _("These ratings do not determine all numbers, so they do not tell how much of the agreement is luck.")
    return None


def implied(fit: Fit, ratings: Ratings) -> Implied:
    """What a fit implies of pairs of ratings; ask `expected_needs` first.

    Raises
    ------
    ValueError
        When the fit implies nothing of the kind.
    """
    rates = fit.match_rates
    if rates is None:
        raise ValueError("this fit has no match rates")
    a = next((e.estimate for e in fit.estimates if e.name.name == "a"), None)
    both = Estimate(rates.accurate)
    if a is not None and a.low is not None and a.high is not None:
        low, high = min(a.low**2, rates.accurate), max(a.high**2, rates.accurate)
        both = both.between(low, high, a.level or fit.interval[1], a.how)
    return Implied(rates, both, fit.kappa, seen_matches(ratings), kappa_of(ratings))


def seen_matches(ratings: Ratings) -> float | None:
    """The share of the pairs of ratings of a case that match, the mean over cases as in Fleiss' kappa."""
    patterns = tabulate(ratings)
    paired = patterns.size > 1
    if not paired.any():
        return None
    table, each, weight = patterns.table[paired], patterns.size[paired], patterns.weight[paired]
    agreed = (table * (table - 1)).sum(axis=1) / (each * (each - 1))
    return float(weight @ agreed / weight.sum())


def expected(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """Matches and shares of the classes, by the model and as they were seen."""
    (rates,) = class_rates(fit, ratings)
    return matches(fit, ratings), replace(rates, kind="expected", title=shares(fit, ratings))


def shares(fit: Fit, ratings: Ratings) -> str:
    """Of the class given most often: seen, by the model, and how many cases it is true of; without a full stop."""
    seen = ratings.class_rates()
    most = int(seen.argmax())
    given = float((fit.parameters.truth @ fit.parameters.rating_rates()[0])[most])
    told = (numbers.percent(x) for x in (float(seen[most]), given, float(fit.parameters.truth[most])))
    return _(
        "“{label}” is {seen} of the ratings, {given} by the model, which finds it true of {true} of the cases"
    ).format(label=numbers.short(fit.classes[most], 24), **dict(zip(("seen", "given", "true"), told, strict=True)))


def matches(fit: Fit, ratings: Ratings) -> Figure:
    """Matching pairs of ratings by cause, and kappa, each by the model and as it was seen."""
    told = implied(fit, ratings)
    r, rows = told.rates, list[tuple[str, Estimate, Role]]()
    if told.seen is not None:
        rows.append((_("Pairs that match, seen"), Estimate(told.seen), Role.OBSERVED))
    rows += [
        (_("Pairs that match, by the model"), Estimate(r.observed), Role.MODEL),
        (BOTH, told.both, Role.MODEL),
        (ONE, Estimate(r.mixed), Role.MODEL),
        (NEITHER, Estimate(r.inaccurate), Role.MODEL),
    ]
    if told.seen_kappa is not None:
        rows.append((_("Fleiss’ kappa, seen"), Estimate(told.seen_kappa), Role.OBSERVED))
    if told.kappa is not None:
        rows.append((_("Kappa, by the model"), Estimate(told.kappa), Role.MODEL))
    return dots(rows, SCREEN, kind="expected", title=luck(told), note=_note(fit, ratings, told))


def luck(told: Implied) -> str:
    """How much of the agreement is knowledge and how much luck, without a full stop."""
    r = told.rates
    both, one, none = (numbers.percent(x / r.observed) for x in (r.accurate, r.mixed, r.inaccurate))
    return _(
        "Of the pairs of ratings that match, {both} are justified on both sides, {one} on one, and {none} match by "
        "luck alone"
    ).format(both=both, one=one, none=none)


def _note(fit: Fit, ratings: Ratings, told: Implied) -> str:
    note = _("N = {size}; {model} model. Shares of all pairs of ratings of a case.").format(
        size=size(fit), model=fit.model.name
    )
    if told.both.level is not None:
        note = _("{note} Line: the accuracy at the two ends of its {level} interval.").format(
            note=note, level=numbers.level(told.both.level)
        )
    return f"{note} {unsure()}" if warns(fit, ratings) else note


def unsure() -> str:
    """That what follows from unsure numbers is unsure as well."""
    return _("The numbers behind this are unsure themselves, so what follows from them is an example.")
