"""Pictures of what the model says of raters and ratings, and of what each rater contributes (models.md §8)."""

import numpy as np

from tapdesk.answers import model_checks as words_checks
from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Figure, Line, Points, Role
from tapdesk.answers.figures.agreement import MOST_ROWS, dots
from tapdesk.answers.fit_words import too_wide
from tapdesk.answers.nouns import counted
from tapdesk.answers.numbers import SCREEN
from tapdesk.fitting.fit import Fit
from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.independence import Independence, independence
from tapdesk.studies.planning import votes
from tapdesk.studies.rater_diagnostics import Calibration, rater_calibration, rater_entropies, rating_calibration
from tapdesk.studies.simulated_data import complete_count_vectors

_TICKS = tuple((i / 5, Number(f"{i / 5:g}")) for i in range(6))
_MOST_CLASSES = 4
_MOST_VOTES = 15
_NAME = 22
_REPLICATES = 300


def _size(fit: Fit) -> str:
    return _("N = {size}; {model} model.").format(size=counted(fit.subjects, fit.ratings), model=fit.model.name)


def _readable(fit: Fit, ratings: Ratings) -> str | None:
    """Why nothing can be drawn of these ratings with this fit, or None."""
    if not ratings.subject.size:
        return _("There are no ratings to draw.")
    if fit.classes != ratings.classes:
        return _("The classes have changed since this model was fitted: run it again.")
    if fit.model.name == "ti-aj-P":
        return _("This picture needs a model with true classes, such as t-aj-p.")
    return None


def calibration_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why calibration cannot be drawn, or None."""
    if ratings.subject.size and not (ratings.ratings_per_subject() > 1).any():
        return _("No case has two ratings, so there is nothing that the model could predict from the others.")
    return _readable(fit, ratings)


def calibration(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """Modelled against observed rates: of ratings in groups, and of raters where they are known.

    Of two classes class 1 is told, of more each class, the first few of many.
    """
    return (*ratings_foretold(fit, ratings), *(raters_foretold(fit, ratings) if ratings.raters_known else ()))


def ratings_foretold(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """Calibration of groups of ratings, one panel for each class that is told."""
    return tuple(
        _calibrated(fit, rating_calibration(ratings, fit, c), fit.classes[c], raters=False) for c in told_classes(fit)
    )


def raters_foretold(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """Calibration of raters, one panel for each class that is told."""
    return tuple(
        _calibrated(fit, rater_calibration(ratings, fit, c), fit.classes[c], raters=True) for c in told_classes(fit)
    )


def told_classes(fit: Fit) -> tuple[int, ...]:
    """The classes whose calibration is told: class 1 of two, else the first few."""
    return (1,) if len(fit.classes) == 2 else tuple(range(len(fit.classes)))[:_MOST_CLASSES]


def _calibrated(fit: Fit, found: Calibration, label: str, *, raters: bool) -> Figure:
    name = numbers.short(label, _NAME)
    off = numbers.decimal(found.mean_absolute_error)
    title = _("Ratings “{label}”, by group: {off} between model and data").format(label=name, off=off)
    if raters:
        title = _("Ratings “{label}”, by rater: {off} between model and data").format(label=name, off=off)
    outside = int(words_checks.beyond(found).sum())
    listed = "; ".join(
        _("{name} modelled {m}, observed {o}").format(
            name=numbers.short(who, _NAME), m=numbers.decimal(float(m)), o=numbers.decimal(float(o))
        )
        for who, m, o in zip(found.names, found.modelled, found.observed, strict=True)
    )
    kind = _("Each dot is one rater.")
    if not raters:
        kind = _(
            "Each dot is a group of ratings for which the model, given the other ratings of a case, says much the same."
        )
    return Figure(
        kind="calibration",
        title=title,
        alt=_("Modelled against observed rate of “{label}”. {listed}.").format(label=name, listed=listed),
        x=Axis(_("rate by the model"), 0.0, 1.0, _TICKS),
        y=Axis(_("observed rate of “{label}”").format(label=name), 0.0, 1.0, _TICKS),
        marks=(
            Line("", np.array([0.0, 1.0]), np.array([0.0, 1.0]), Role.REFERENCE),
            Points("", found.modelled, found.observed, Role.OBSERVED, found.low, found.high),
        ),
        note=_(
            "{size} {kind} Lines: two standard errors; {outside} of {all} are further from the diagonal than luck "
            "explains. {note}"
        )
        .format(size=_size(fit), kind=kind, outside=outside, all=len(found.names), note=found.note)
        .strip(),
    )


def independence_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why pairs of raters cannot be compared with the model, or None."""
    if not ratings.raters_known:
        return _("This needs to know who gave each rating, and here the raters are not known.")
    if len(ratings.raters) < 2:
        return _("There is one rater only, so there are no pairs.")
    return _readable(fit, ratings)


def pairs_together(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its picture."""
    found = yield from independence(ratings, fit, _REPLICATES)
    return (independent(fit, found),)


def independent(fit: Fit, found: Independence) -> Figure:
    """Agreement of pairs of raters against what the model makes of it, the most unusual pairs first."""
    order = np.argsort(-np.abs(found.deviation), kind="stable")[:MOST_ROWS]
    rows = np.arange(order.size - 1, -1, -1, dtype=np.float64)
    names = tuple(
        (float(y), _("{one} and {two}").format(one=_short(found, found.first[i]), two=_short(found, found.second[i])))
        for y, i in zip(rows, order, strict=True)
    )
    seen, flagged = found.observed[order], found.flagged[order]
    low = float(min(found.low[order].min(), seen.min(), 0.0))
    high = float(max(found.high[order].max(), seen.max()))
    pad = 0.05 * max(high - low, 1e-3)
    marks = [
        Points("", found.expected[order], rows, Role.REFERENCE, found.low[order], found.high[order], horizontal=True),
        Points("", seen[~flagged], rows[~flagged], Role.OBSERVED),
        Points("", seen[flagged], rows[flagged], Role.SINGLED_OUT),
    ]
    what = _("covariance of the two raters’ ratings") if found.measure == "covariance" else _("share of equal ratings")
    told = "; ".join(
        _("{pair} {seen}, by the model {low} to {high}").format(
            pair=pair,
            seen=numbers.decimal(float(found.observed[i]), places=3),
            low=numbers.decimal(float(found.low[i]), places=3),
            high=numbers.decimal(float(found.high[i]), places=3),
        )
        for (_y, pair), i in list(zip(names, order, strict=True))[:10]
    )
    note = _(
        "{size} Squares with lines: the middle 95 % of {n} panels made by the model; dots: seen; diamonds: unusual "
        "even among all {pairs} pairs."
    ).format(size=_size(fit), n=numbers.count(found.replicates), pairs=numbers.count(found.observed.size))
    if order.size < found.observed.size:
        note = _("{note} The {k} most unusual are drawn.").format(note=note, k=order.size)
    return Figure(
        kind="independence",
        title=found.words.removesuffix("."),
        alt=_("{words} {told}.").format(words=found.words, told=told),
        x=Axis(what, low - pad, high + pad),
        y=Axis("", -0.6, order.size - 0.4, names),
        marks=tuple(marks),
        note=note,
    )


def _short(found: Independence, at: int) -> str:
    return numbers.short(found.raters[at], 14)


def entropy_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why raters have no entropies of their own, or None."""
    if fit.parameters.rating_rates().shape[0] != len(fit.raters) or len(fit.raters) < 2:
        return _("Raters are alike in this model: choose one that tells them apart, such as t-aj-p.")
    if sum(e.value is not None for e in rater_entropies(fit)) < 2:
        return words_checks.too_few_entropies()
    return _readable(fit, ratings)


def entropies(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """How much each rater's ratings leave open, all true classes equally common: the clearest first."""
    del ratings
    found = rater_entropies(fit)
    order = words_checks.clearest_first(found)
    first, last = order[0], order[-1]
    words = _("A rating of {first} leaves least open, one of {last} most")
    if numbers.decimal(found[first].value) == numbers.decimal(found[last].value):
        words = _("A rating of every rater leaves about as much open")
    elif words_checks.meet(found[first], found[last]):
        words = _("A rating of {first} leaves least open, one of {last} most, but their intervals meet")
    elif all(e.low is None for e in found):
        words = _("A rating of {first} leaves least open, one of {last} most, told without intervals")
    title = words.format(first=numbers.short(fit.raters[first], _NAME), last=numbers.short(fit.raters[last], _NAME))
    rows = [(fit.raters[i], found[i], Role.MODEL) for i in order]
    note = _(
        "{size} Krits: 0 for a rater who is always right, 1 for one whose ratings say nothing of the case."
    ).format(size=_size(fit))
    if any(e.low is not None for e in found):
        note = _("{note} Lines: over the interval of the accuracy of the rater, guesses as estimated.").format(
            note=note
        )
    return (dots(rows, SCREEN, kind="entropy", title=title, note=note),)


def votes_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why votes are not foretold, or None."""
    reason = no_vote(fit, ratings)
    return words_checks.no_votes() if reason is None and too_wide(fit) else reason


def no_vote(fit: Fit, ratings: Ratings) -> str | None:
    """Why votes cannot be foretold, however well the accuracy is known, or None."""
    if fit.parameters.rating_rates().shape[0] != 1:
        return _("Raters differ in this model, so no vote stands for all: choose t-a-p.")
    if not fit.rates_known:
        return _("These ratings do not determine the numbers, so votes cannot be predicted.")
    return _readable(fit, ratings)


def vote_sizes(fit: Fit) -> list[int]:
    """The numbers of ratings whose votes are foretold: as many as can be listed, fewer where there are more classes."""
    k = len(fit.classes)
    most = _MOST_VOTES if k == 2 else _MOST_VOTES // 2
    return [r for r in range(1, most + 1) if complete_count_vectors(1, r, k) is not None] or [1]


def voting(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """How often a vote of so many raters would be right, and the best any rule could do."""
    del ratings
    sizes = vote_sizes(fit)
    found = votes(fit.parameters, sizes)
    at = int(np.argmax(found.ratings == min(5, sizes[-1])))
    title = _("A vote of {r} ratings would be right {often}").format(
        r=Number(f"{found.ratings[at]:g}"), often=numbers.often(float(found.plurality[at]))
    )
    listed = "; ".join(
        _("{r}: {share}").format(r=Number(f"{r:g}"), share=numbers.percent(float(p)))
        for r, p in zip(found.ratings, found.plurality, strict=True)
    )
    return (
        Figure(
            kind="votes",
            title=title,
            alt=_("Chance that a vote equals the truth, by number of ratings. {listed}.").format(listed=listed),
            x=Axis(_("ratings of a case"), 0.5, sizes[-1] + 0.5, tuple((float(r), str(r)) for r in sizes[::2])),
            y=Axis(_("chance to be right"), 0.0, 1.0, percent=True),
            marks=(
                Line(_("best rule"), found.ratings, found.model, Role.REFERENCE),
                Line(_("vote"), found.ratings, found.plurality, Role.MODEL),
                Line(_("95 % sure"), found.ratings, found.certain, Role.OTHER_START),
            ),
            note=_(
                "{size} Ties are broken by lot. 95 % sure: share of cases whose class would be that probable. {behind}"
            ).format(size=_size(fit), behind=_behind(fit)),
        ),
    )


def _behind(fit: Fit) -> str:
    """How sure the accuracy is on which everything rests that is worked out from the numbers."""
    told = [e.estimate for e in fit.estimates if e.name.name == "a"]
    if len(told) == 1 and told[0].low is not None and told[0].high is not None:
        return _("All this takes the accuracy as estimated; the ratings would fit any from {low} to {high}.").format(
            low=numbers.decimal(told[0].low), high=numbers.decimal(told[0].high)
        )
    return _("All this takes the numbers as estimated; how sure they are is not shown.")
