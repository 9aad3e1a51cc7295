"""Pictures of shares: of cases by their ratings, of the classes, and how much of the matches is luck."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.charts import Series, Shown, curves, forest
from tapdesk.answers.figure import Axis, Figure, Role
from tapdesk.answers.fit_words import size, warns
from tapdesk.answers.numbers import SCREEN
from tapdesk.estimate import Estimate, MatchRates
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.fit_summary import match_rates
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.model import Cases, Ordered
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.distribution import (
    Shares,
    call_rates,
    given_ranges,
    implied_ranges,
    posterior_points,
    seen_ranges,
    shares,
)
from tapdesk.studies.fleiss_kappa import agreement_estimate, kappa_estimate
from tapdesk.studies.rating_expectations import class_shares, independent

_APART = 0.13
_SAME = 1e-6
_SATURATED = 0.005  # a difference in shares that a model with a number for each share leaves only by rounding
BAND_LEVEL = 0.95
_DRAWS = 1000
MATCH = _("Pairs that match")
# How much of the way down to the interval of the accuracy re-draws have to come; and what is no accuracy, squared.
_REACHED, _LUCK = 0.5, 1e-4
BOTH, ONE, NEITHER = _("… both justified"), _("… one justified, one by luck"), _("… both by luck")


def no_one_rating(fit: Fit) -> str | None:
    """Why no rating stands for all of them, so that what follows from one cannot be drawn; None where one does."""
    row = fit.model
    if row.truth.by_group:
        return _("Groups differ in this model in how common the classes are: choose one without groups, such as t-a-p.")
    if row.cases is not Cases.ALIKE:
        return _("{Subjects} differ in this model in more than their truth: choose one in which they do not, as t-a-p.")
    if row.near or row.ordered is not Ordered.NONE:
        return _("In this model a miss is no mere guess: choose one in which it is, such as t-a-p.")
    return None


def distribution_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why the distribution of ratings over subjects cannot be drawn, or None."""
    if not ratings.subject.size:
        return _("There are no {ratings} to draw.")
    if fit.classes != ratings.classes:
        return _("The classes have changed since this model was fitted: run it again.")
    if fit.parameters.rating_rates().shape[0] != 1:
        return _("{Raters} differ in this model, so no single curve of expected shares exists.")
    return None


def class_rates_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why the shares of the classes cannot be drawn, or None."""
    if fit.model.truth.by_group:
        return no_one_rating(fit)
    return distribution_needs(fit, ratings)


def distribution(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """Observed share of subjects with k of their ratings in a class, against the model and random answers.

    For two classes one figure for class 1, for more one figure for each class. The expected shares are exact
    mixtures of binomials for the numbers of ratings at hand ([MRR], distribution check; models.md §8).
    """
    wanted = (1,) if len(fit.classes) == 2 else tuple(range(len(fit.classes)))
    items = [shares(ratings, fit, category, BAND_LEVEL) for category in wanted]
    top = _top(max(float(max(s.observed.max(), *(e.max() for e in s.expected.values()))) for s in items))
    panels = len(wanted) > 1
    return tuple(_distribution(fit, s, fit.classes[c], top, panels=panels) for c, s in zip(wanted, items, strict=True))


def _top(largest: float) -> float:
    """The upper end of an axis of shares: the next full ten per cent above."""
    return min(1.0, float(np.ceil(10 * min(1.0, 1.08 * largest) - 1e-9)) / 10)


def _distribution(fit: Fit, s: Shares, label: str, top: float, *, panels: bool) -> Figure:
    name = numbers.short(label, 36)
    k = np.arange(s.observed.size, dtype=np.float64)
    random, model, able = _("Random answers"), _("{model} model").format(model=fit.model.name), _("Experts (P-a-P)")
    if panels:
        random, model, able = _("Random"), fit.model.name, _("Experts")
    every = max(1, int(np.ceil(k.size / (8 if panels else 16))))
    series = [Series(random, k, s.expected["random"], Role.REFERENCE, Shown.DOTTED_LINE)]
    if "expert" in s.expected:
        series.append(Series(able, k, s.expected["expert"], Role.OTHER_START))
    return curves(
        "distribution",
        _distribution_title(fit, s, name),
        Axis(
            _axis_title(s, name, panels=panels), -0.6, k.size - 0.4, tuple((float(i), str(int(i))) for i in k[::every])
        ),
        Axis(_("Share of {subjects}"), 0.0, min(1.0, max(top, _top(s.high.max() / 1.08))), percent=True),
        [
            *series,
            Series(model, k, s.expected[fit.model.name]),
            Series(_("Observed"), k, s.observed, Role.OBSERVED, Shown.BOXES, s.low, s.high),
        ],
        note=_of_draws(_distribution_note(s), fit),
    )


def _axis_title(s: Shares, name: str, *, panels: bool) -> str:
    """The title of the horizontal axis, short where panels stand beside each other."""
    if panels:
        return _("{Ratings} “{label}”").format(label=name)
    if s.ratings is not None:
        if s.ratings == 1:
            return _("Whether the one {rating} of {a_subject} said “{label}”").format(label=name)
        return _("How many of the {r} {ratings} of {a_subject} said “{label}”").format(r=s.ratings, label=name)
    return _("How many {ratings} of {a_subject} said “{label}”").format(label=name)


def _closer(fit: Fit, s: Shares) -> bool:
    """Whether the model lies nearer to the observed shares than random answers do (sum of differences)."""
    off = {name: float(np.abs(s.observed - s.expected[name]).sum()) for name in (fit.model.name, "random")}
    # Where guessing explains all, the two are one curve but for the last digits.
    return off[fit.model.name] < off["random"] - _SAME


def _follows_anything(fit: Fit, s: Shares) -> bool:
    """Whether the model has as many free numbers as there are shares to follow (models.md §8: df R - 3 for t-a-p)."""
    return len(fit.classes) == 2 and s.ratings is not None and s.of == s.subjects and fit.free >= s.ratings


def _distribution_title(fit: Fit, s: Shares, name: str) -> str:
    worst = float(np.abs(s.observed - s.expected[fit.model.name]).max())
    if s.ratings == 1 and s.of == s.subjects:
        return _(
            "“{label}”: with one {rating} of each {subject} any model follows the data, so this proves nothing"
        ).format(label=name)
    if _follows_anything(fit, s) and worst < _SATURATED:
        return _(
            "“{label}”: with only {r} {ratings} of each {subject} this model can follow almost any data, so a close "
            "fit "
            "proves nothing"
        ).format(label=name, r=s.ratings)
    if _closer(fit, s):
        return _("“{label}”: the model differs from the data by at most {points} in 100 {subjects}").format(
            label=name, points=_points(worst)
        )
    return _("“{label}”: the model is no nearer to the data than random answers are").format(label=name)


def _points(difference: float) -> str:
    return numbers.decimal(100 * difference, places=0 if difference >= 0.01 else 1)


def _distribution_note(s: Shares) -> str:
    each = _("N = {n} {subjects}, {r} {ratings} each.")
    if s.ratings == 1:
        each = _("N = {n} {subjects}, {r} {rating} each.")
    whom = (
        each.format(n=numbers.count(s.subjects), r=s.ratings)
        if s.of == s.subjects
        else _("N = {n} of {all} {subjects}: those with {r} {ratings}, the most frequent number.").format(
            n=numbers.count(s.subjects), all=numbers.count(s.of), r=s.ratings
        )
    )
    if s.ratings is None:
        whom = _("N = {n} {subjects} with {least} to {most} {ratings} each, drawn together.").format(
            n=numbers.count(s.subjects), least=s.least, most=s.observed.size - 1
        )
    experts = _("Experts: true rates and guesses both at the overall rate.") if "expert" in s.expected else ""
    boxes = _(
        "Grey boxes: where 95 of 100 resamples of the {subjects} put the observed share. Random answers: every "
        "{rating} picked at the overall rate, whatever the {subject}."
    )
    return joined(whom, boxes, experts)


def _of_draws(note: str, fit: Fit) -> str:
    """What the line of the model is where it comes from a posterior."""
    if not independent(fit.model):
        return _("{note} By the model: very many simulated {subjects}.").format(note=note)
    if posterior_points(fit, 1) is None:
        return note
    return _("{note} By the model: the mean over what can be believed, not one answer.").format(note=note)


def class_rates(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """Share of the ratings in each class: observed, and c = a t + (1 - a) p of the model beside the truth t."""
    observed = ratings.class_rates()
    drawn = posterior_points(fit, _DRAWS)
    given, truth = class_shares(fit, ratings)
    if drawn is not None:
        given = np.array([(drawn.truth * call_rates(drawn, c)[:, 0]).sum(axis=1).mean() for c in range(truth.size)])
    k = np.arange(observed.size, dtype=np.float64)
    open_truth = any(e.name.name == "t" and e.estimate.value is None for e in fit.estimates)
    level = fit.interval[1]
    ratings_by, truth_by = _("{Ratings}, by the model"), _("True classes, by the model")
    given_bars = Series(
        _("{Ratings} given"), k, observed, Role.OBSERVED, Shown.BARS, label="", colours=ratings.colours, aside=-_APART
    )
    series = [
        # Beside each other, for the three lines would lie upon each other.
        _ranged(given_bars, seen_ranges(ratings, level)),
        _ranged(Series(ratings_by, k, given, Role.REFERENCE, Shown.DOTS), given_ranges(fit)),
    ]
    if not open_truth:
        series.append(_ranged(Series(truth_by, k, truth, shown=Shown.DOTS, aside=_APART), truth_ranges(fit)))
    names = [numbers.short(label, 24) for label in fit.classes]
    most = int(observed.argmax())
    ends = [float(np.nanmax(one.high)) for one in series if one.high is not None and np.isfinite(one.high).any()]
    largest = max(float(observed.max()), float(given.max()), float(truth.max()), *ends)
    return (
        curves(
            "class_rates",
            _("“{label}” was given most often: {often}").format(
                label=names[most], often=numbers.often(float(observed[most]))
            ),
            Axis("", -0.6, k.size - 0.4, tuple(zip(k.tolist(), names, strict=True)), colours=ratings.colours),
            Axis(_("Share"), 0.0, _top(largest), percent=True),
            series,
            note=_(
                "N = {m} {ratings} of {n} {subjects}. Lines: {level} intervals, of the {ratings} given by standard "
                "errors."
            ).format(
                m=numbers.count(ratings.rating_count),
                n=numbers.count(ratings.subject_count),
                level=numbers.level(level),
            ),
            places=fit.classes,
        ),
    )


def _ranged(one: Series, ranges: Sequence[tuple[float, float] | None]) -> Series:
    """A series with its intervals; a number that has none, or one that does not hold it, has none."""
    if not ranges:
        return one
    ends = [r if r is not None and r[0] <= v <= r[1] else (np.nan,) * 2 for r, v in zip(ranges, one.y, strict=True)]
    low, high = np.array(ends, dtype=np.float64).T
    return replace(one, low=low, high=high)


def truth_ranges(fit: Fit) -> tuple[tuple[float, float] | None, ...]:
    """For each class the interval of its share of the cases."""
    sentences = [e.estimate for e in fit.estimates if e.name.name == "t"]
    ends = [None if e.low is None or e.high is None else (e.low, e.high) for e in sentences]
    if len(ends) == 1:
        # Of two classes the number tells of class 1.
        (pair,) = ends
        return (None if pair is None else (1 - pair[1], 1 - pair[0]), pair)
    return tuple(ends)


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
        """A number that the model implies: with its profile interval, else with its range where that holds it."""
        profiled = next(((low, high) for one, low, high in self.rates.reach if one == name), None)
        if profiled is not None:
            return Estimate(value).between(*profiled, self.level, "profile")
        low, high = self.ranges.get(name, (1.0, 0.0))
        if not low <= value <= high:
            return Estimate(value)
        return Estimate(value).between(low, high, self.level, self.how)

    @property
    def drawn(self) -> frozenset[str]:
        """The numbers that are told with a range of re-draws, where there is one."""
        return frozenset({"mixed", "inaccurate", "observed", "kappa"}) - {name for name, *_ends in self.rates.reach}

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
    if (reason := no_one_rating(fit)) is not None:
        return reason
    if match_rates(fit.parameters) is None:
        return _("{Raters} or classes differ in this model: this needs one with one accuracy for all, such as t-a-p.")
    reason = distribution_needs(fit, ratings)
    if reason is not None:
        return reason
    if not fit.converged:
        return _("The estimates had not settled when the search stopped, so nothing follows from them.")
    if fit.match_rates is None or not fit.rates_known:
        return _("These {ratings} do not determine all numbers, so they do not tell how much of the agreement is luck.")
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
    return matches(fit, ratings), replace(rates, kind="expected", title=most_given(fit, ratings))


def most_given(fit: Fit, ratings: Ratings) -> str:
    """Of the class given most often: seen, by the model, and how many cases it is true of; without a full stop."""
    seen = ratings.class_rates()
    most = int(seen.argmax())
    given, truth = class_shares(fit, ratings)
    sentences = (numbers.percent(float(x[most])) for x in (seen, given, truth))
    return _(
        "“{label}” is {seen} of the {ratings}, {given} by the model, which finds it true of {true} of the {subjects}"
    ).format(label=numbers.short(fit.classes[most], 24), **dict(zip(("seen", "given", "true"), sentences, strict=True)))


def matches(fit: Fit, ratings: Ratings) -> Figure:
    """Matching pairs of ratings by cause, and kappa, each by the model and as it was seen."""
    words = implied(fit, ratings)
    rows: list[tuple[str, Estimate, Role]] = []
    if words.seen is not None:
        rows.append((_("Pairs that match, seen"), words.matching, Role.OBSERVED))
    (_match, observed), *causes = words.rows
    rows.append((_("Pairs that match, by the model"), observed, Role.MODEL))
    rows += [(name, e, Role.MODEL) for name, e in causes]
    if words.seen_kappa is not None:
        rows.append((_("Fleiss’ kappa, seen"), words.kappa_seen, Role.OBSERVED))
    if words.model_kappa is not None:
        rows.append((_("Kappa, by the model"), words.model_kappa, Role.MODEL))
    return forest(rows, SCREEN, kind="expected", title=luck(words), note=_note(fit, ratings, words))


def luck(words: Implied) -> str:
    """How much of the agreement is knowledge and how much luck, without a full stop."""
    r = words.rates
    if words.both.low is not None and r.accurate > 1 - _LUCK:
        return _(
            "By the model all {ratings} match because both are justified, none by luck; at least {low} of the pairs "
            "are "
            "justified on both sides, by the interval of the accuracy"
        ).format(low=numbers.percent(words.both.low))
    if words.both.high is not None and r.accurate < _LUCK:
        return _(
            "By the model no {ratings} match because both are justified; {high} of the pairs at most could, by the "
            "interval of the accuracy"
        ).format(high=numbers.percent(words.both.high))
    if words.both.low is not None and words.both.low < _LUCK:
        return _(
            "By the model {both} of the pairs of {ratings} that match are justified on both sides, but the interval of "
            "the accuracy reaches 0: all of them may be luck"
        ).format(both=numbers.percent(r.accurate / r.observed))
    both, one, none = (
        _share(words.by_model(f"of {name}", value / r.observed))
        for name, value in (("accurate", r.accurate), ("mixed", r.mixed), ("inaccurate", r.inaccurate))
    )
    return _(
        "Of the pairs of {ratings} that match, {both} are justified on both sides, {one} on one, and {none} match by "
        "luck alone"
    ).format(both=both, one=one, none=none)


def _share(e: Estimate) -> str:
    """A share in per cent, and between which it may lie."""
    share = numbers.percent(e.value or 0.0)
    if e.low is None or e.high is None:
        return share
    low, high = numbers.ends(e.low, e.high)
    return _("{share} ({low} to {high})").format(share=share, low=low, high=high)


def _note(fit: Fit, ratings: Ratings, words: Implied) -> str:
    note = _("N = {size}; {model} model. Shares of all pairs of {ratings} of {a_subject}. {how}").format(
        size=size(fit), model=fit.model.name, how=intervals_from(words)
    )
    return joined(note, unsure() if warns(fit, ratings) else "")


def intervals_from(words: Implied) -> str:
    """Where the intervals come from, or that there are none."""
    parts = [_("Intervals, {level}:").format(level=numbers.level(words.level))]
    if words.both.level is not None:
        parts.append(_("of pairs justified on both sides the accuracy at the two ends of its interval;"))
    if words.rates.reach:
        parts.append(_("of the other pairs the likelihood;"))
    drawn = {
        "bootstrap": _("of the other numbers by the model from resamples of the {subjects};"),
        "parametric-bootstrap": _("of the other numbers by the model from data sets drawn from it;"),
        "posterior": _("of the other numbers by the model from draws from what can be believed;"),
    }
    if set(words.ranges) & words.drawn:
        parts.append(drawn.get(words.how, drawn["bootstrap"]))
    parts.append(_("of what was seen by standard errors."))
    if words.rates.reach:
        if not words.ranges:
            parts.append(_("Without resamples the kappa that follows has none."))
        return joined(*parts)
    if words.unlike:
        parts.append(
            _(
                "Resamples of the {subjects} do not reach as far down as the interval of the "
                "accuracy, so shares by cause have none."
            )
        )
    if not words.ranges and words.how and words.rates.accurate > 1 - _LUCK:
        parts.append(_("The other numbers by the model have none: on the edge all resamples come out alike."))
    elif not words.ranges:
        parts.append(_("Without resamples the other numbers by the model have none."))
    return joined(*parts)


def unsure() -> str:
    """That what follows from unsure numbers is unsure as well."""
    return _("The numbers behind this are unsure themselves, so what follows from them is an example.")
