"""What the numbers of a fit imply: shares of the classes, and how much of the matches is luck."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tapdesk.answers import numbers
from tapdesk.answers.figure import Figure, Role
from tapdesk.answers.figures.agreement import dots
from tapdesk.answers.figures.data import class_rates, distribution_needs
from tapdesk.answers.fit_words import size, warns
from tapdesk.answers.numbers import SCREEN
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit, MatchRates
from tapdesk.fitting.fit_summary import match_rates
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.distribution import implied_ranges
from tapdesk.studies.fleiss_kappa import agreement_estimate, kappa_estimate

MATCH = _("Pairs that match")
# How much of the way down to the interval of the accuracy re-draws have to come; and what is no accuracy, squared.
_REACHED, _LUCK = 0.5, 1e-4
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
    matching, kappa_seen
        The same with their intervals by standard errors.
    ranges
        How far the other numbers by the model move in re-draws (`tapdesk.studies.distribution`), by name.
    level, how
        Of these ranges: their level, and whether they are re-draws or draws of a posterior.
    unlike
        Whether re-draws do not reach as far down as the interval of the accuracy, so that most of them are not told.
    """

    rates: MatchRates
    both: Estimate
    kappa: float | None
    seen: float | None
    seen_kappa: float | None
    matching: Estimate
    kappa_seen: Estimate
    ranges: Mapping[str, tuple[float, float]]
    level: float
    how: str
    unlike: bool = False

    def by_model(self, name: str, value: float) -> Estimate:
        """A number that the model implies, with its range where that holds it."""
        low, high = self.ranges.get(name, (1.0, 0.0))
        if not low <= value <= high:
            return Estimate(value)
        return Estimate(value).between(low, high, self.level, self.how)

    @property
    def rows(self) -> tuple[tuple[str, Estimate], ...]:
        """Matches by the model: all, and by cause."""
        r = self.rates
        return (
            (MATCH, self.by_model("observed", r.observed)),
            (BOTH, self.both),
            (ONE, self.by_model("mixed", r.mixed)),
            (NEITHER, self.by_model("inaccurate", r.inaccurate)),
        )

    @property
    def model_kappa(self) -> Estimate | None:
        """The kappa that follows from the numbers."""
        return None if self.kappa is None else self.by_model("kappa", self.kappa)


def expected_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why this cannot be told, or None."""
    if match_rates(fit.parameters) is None:
        return _("Raters or classes differ in this model: this needs one with one accuracy for all, such as t-a-p.")
    reason = distribution_needs(fit, ratings)
    if reason is not None:
        return reason
    if not fit.converged:
        return _("The estimates had not settled when the search stopped, so nothing follows from them.")
    if fit.match_rates is None or not fit.rates_known:
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
    level, how = fit.interval[1], fit.draws.kind if fit.draws is not None else ""
    seen, kappa = agreement_estimate(ratings, level), kappa_estimate(ratings, level)
    ranges = implied_ranges(fit)
    unlike = both.low is not None and "accurate" in ranges and both.low < _REACHED * ranges["accurate"][0]
    if unlike:
        # Near accuracy 0 re-draws find some accuracy again and again: they would promise what the interval does not.
        ranges = {name: ends for name, ends in ranges.items() if name in {"observed", "kappa"}}
    return Implied(
        rates, both, fit.kappa, seen.value, kappa.value, seen, kappa, ranges=ranges, level=level, how=how, unlike=unlike
    )


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
    rows: list[tuple[str, Estimate, Role]] = []
    if told.seen is not None:
        rows.append((_("Pairs that match, seen"), told.matching, Role.OBSERVED))
    (_match, observed), *causes = told.rows
    rows.append((_("Pairs that match, by the model"), observed, Role.MODEL))
    rows += [(name, e, Role.MODEL) for name, e in causes]
    if told.seen_kappa is not None:
        rows.append((_("Fleiss’ kappa, seen"), told.kappa_seen, Role.OBSERVED))
    if told.model_kappa is not None:
        rows.append((_("Kappa, by the model"), told.model_kappa, Role.MODEL))
    return dots(rows, SCREEN, kind="expected", title=luck(told), note=_note(fit, ratings, told))


def luck(told: Implied) -> str:
    """How much of the agreement is knowledge and how much luck, without a full stop."""
    r = told.rates
    if told.both.low is not None and r.accurate > 1 - _LUCK:
        return _(
            "By the model all ratings match because both are justified, none by luck; at least {low} of the pairs are "
            "justified on both sides, by the interval of the accuracy"
        ).format(low=numbers.percent(told.both.low))
    if told.both.high is not None and r.accurate < _LUCK:
        return _(
            "By the model no ratings match because both are justified; {high} of the pairs at most could, by the "
            "interval of the accuracy"
        ).format(high=numbers.percent(told.both.high))
    if told.both.low is not None and told.both.low < _LUCK:
        return _(
            "By the model {both} of the pairs of ratings that match are justified on both sides, but the interval of "
            "the accuracy reaches 0: all of them may be luck"
        ).format(both=numbers.percent(r.accurate / r.observed))
    both, one, none = (
        _share(told.by_model(f"of {name}", value / r.observed))
        for name, value in (("accurate", r.accurate), ("mixed", r.mixed), ("inaccurate", r.inaccurate))
    )
    return _(
        "Of the pairs of ratings that match, {both} are justified on both sides, {one} on one, and {none} match by "
        "luck alone"
    ).format(both=both, one=one, none=none)


def _share(e: Estimate) -> str:
    """A share in per cent, and between which it may lie."""
    share = numbers.percent(e.value or 0.0)
    if e.low is None or e.high is None:
        return share
    low, high = numbers.ends(e.low, e.high)
    return _("{share} ({low} to {high})").format(share=share, low=low, high=high)


def _note(fit: Fit, ratings: Ratings, told: Implied) -> str:
    note = _("N = {size}; {model} model. Shares of all pairs of ratings of a case. {how}").format(
        size=size(fit), model=fit.model.name, how=intervals_from(told)
    )
    return f"{note} {unsure()}" if warns(fit, ratings) else note


def intervals_from(told: Implied) -> str:
    """Where the intervals come from, or that there are none."""
    parts = [_("Intervals, {level}:").format(level=numbers.level(told.level))]
    if told.both.level is not None:
        parts.append(_("of pairs justified on both sides the accuracy at the two ends of its interval;"))
    drawn = {
        "bootstrap": _("of the other numbers by the model from re-draws of the cases;"),
        "parametric-bootstrap": _("of the other numbers by the model from data sets drawn from it;"),
        "posterior": _("of the other numbers by the model from draws of the posterior;"),
    }
    if told.ranges:
        parts.append(drawn.get(told.how, drawn["bootstrap"]))
    parts.append(_("of what was seen by standard errors."))
    if told.unlike:
        parts.append(
            _(
                "Re-draws of the cases do not reach as far down as the interval of the accuracy, so shares by cause "
                "have none."
            )
        )
    if not told.ranges and told.how and told.rates.accurate > 1 - _LUCK:
        parts.append(_("The other numbers by the model have none: on the edge all re-draws come out alike."))
    elif not told.ranges:
        parts.append(_("Without re-draws the other numbers by the model have none."))
    return " ".join(parts)


def unsure() -> str:
    """That what follows from unsure numbers is unsure as well."""
    return _("The numbers behind this are unsure themselves, so what follows from them is an example.")
