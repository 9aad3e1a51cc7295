"""Pictures that hold the model against the ratings."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Band, Figure, Line, Points, Role
from tapdesk.fitting.fit import Fit
from tapdesk.language import Number, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.distribution import Shares, call_rates, given_ranges, posterior_points, seen_ranges, shares

_HALF = 0.2
_APART = 0.13
_SAME = 1e-6
_SATURATED = 0.005  # a difference in shares that a model with a number for each share leaves only by rounding
BAND_LEVEL = 0.95
_DRAWS = 1000


def distribution_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why the distribution of ratings over subjects cannot be drawn, or None."""
    if not ratings.subject.size:
        return _("There are no ratings to draw.")
    if fit.classes != ratings.classes:
        return _("The classes have changed since this model was fitted: run it again.")
    if fit.parameters.rating_rates().shape[0] != 1:
        return _("Raters differ in this model, so no single curve of expected shares exists.")
    return None


def distribution(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """Observed share of subjects with k of their ratings in a class, against the model and random answers.

    For two classes one figure for class 1, for more one figure for each class. The expected shares are exact
    mixtures of binomials for the numbers of ratings at hand ([MRR], distribution check; models.md §8).
    """
    wanted = (1,) if len(fit.classes) == 2 else tuple(range(len(fit.classes)))
    found = [shares(ratings, fit, category, BAND_LEVEL) for category in wanted]
    top = _top(max(float(max(s.observed.max(), *(e.max() for e in s.expected.values()))) for s in found))
    panels = len(wanted) > 1
    return tuple(_distribution(fit, s, fit.classes[c], top, panels=panels) for c, s in zip(wanted, found, strict=True))


def _top(largest: float) -> float:
    """The upper end of an axis of shares: the next full ten per cent above."""
    return min(1.0, float(np.ceil(10 * min(1.0, 1.08 * largest) - 1e-9)) / 10)


def _distribution(fit: Fit, s: Shares, label: str, top: float, *, panels: bool) -> Figure:
    name = numbers.short(label, 36)
    top = min(1.0, max(top, float(_top(s.high.max() / 1.08))))
    by_model, by_chance = s.expected[fit.model.name], s.expected["random"]
    k = np.arange(s.observed.size, dtype=np.float64)
    # One box for each k: NaN between the boxes breaks the band.
    x = np.stack([k - _HALF, k + _HALF, np.full(k.size, np.nan)], axis=1).ravel()
    boxes = [np.repeat(end, 3) for end in (s.low, s.high)]
    random, model, able = _("Random answers"), _("{model} model").format(model=fit.model.name), _("Experts (P-a-P)")
    if panels:
        random, model, able = _("Random"), fit.model.name, _("Experts")
    expert = s.expected.get("expert")
    every = max(1, int(np.ceil(k.size / (8 if panels else 16))))
    return Figure(
        kind="distribution",
        title=_distribution_title(fit, s, name),
        alt=_distribution_alt(fit, s, name),
        x=Axis(_asked(s, name, panels=panels), -0.6, k.size - 0.4, tuple((float(i), str(int(i))) for i in k[::every])),
        y=Axis(_("Share of cases"), 0.0, top, percent=True),
        marks=(
            Band("", x, boxes[0], boxes[1], Role.OBSERVED),
            Line(random, k, by_chance, Role.REFERENCE),
            Points("", k, by_chance, Role.REFERENCE),
            *(() if expert is None else (Line(able, k, expert, Role.OTHER_START),)),
            Line(model, k, by_model, Role.MODEL),
            Points(_("Observed"), k, s.observed, Role.OBSERVED),
        ),
        note=_of_draws(_distribution_note(s), fit),
    )


def _asked(s: Shares, name: str, *, panels: bool) -> str:
    """The title of the horizontal axis, short where panels stand beside each other."""
    if panels:
        return _("Ratings “{label}”").format(label=name)
    if s.ratings is not None:
        if s.ratings == 1:
            return _("Whether the one rating of a case said “{label}”").format(label=name)
        return _("How many of the {r} ratings of a case said “{label}”").format(r=s.ratings, label=name)
    return _("How many ratings of a case said “{label}”").format(label=name)


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
        return _("“{label}”: with one rating of each case any model follows the data, so this proves nothing").format(
            label=name
        )
    if _follows_anything(fit, s) and worst < _SATURATED:
        return _(
            "“{label}”: with only {r} ratings of each case this model can follow almost any data, so a close fit "
            "proves nothing"
        ).format(label=name, r=s.ratings)
    if _closer(fit, s):
        return _("“{label}”: the model differs from the data by at most {points} in 100 cases").format(
            label=name, points=_points(worst)
        )
    return _("“{label}”: the model is no nearer to the data than random answers are").format(label=name)


def _points(difference: float) -> str:
    return Number(f"{100 * difference:.0f}") if difference >= 0.01 else Number(f"{100 * difference:.1f}")


def _distribution_alt(fit: Fit, s: Shares, name: str) -> str:
    return _(
        "Shares of cases by number of ratings “{label}”, from 0 to {most}. Observed: {observed}. "
        "{model} model: {expected}. Random answers: {random}."
    ).format(
        label=name,
        most=s.observed.size - 1,
        model=fit.model.name,
        observed=_listed(s.observed),
        expected=_listed(s.expected[fit.model.name]),
        random=_listed(s.expected["random"]),
    )


def _listed(values: NDArray[np.float64]) -> str:
    return ", ".join(numbers.percent(float(v)) for v in values)


def _distribution_note(s: Shares) -> str:
    whom = (
        ngettext("N = {n} cases, {r} rating each.", "N = {n} cases, {r} ratings each.", s.ratings or 0).format(
            n=numbers.count(s.subjects), r=s.ratings
        )
        if s.of == s.subjects
        else _("N = {n} of {all} cases: those with {r} ratings, the most frequent number.").format(
            n=numbers.count(s.subjects), all=numbers.count(s.of), r=s.ratings
        )
    )
    if s.ratings is None:
        whom = _("N = {n} cases with {least} to {most} ratings each, drawn together.").format(
            n=numbers.count(s.subjects), least=s.least, most=s.observed.size - 1
        )
    experts = _("Experts: true rates and guesses both at the overall rate.") if "expert" in s.expected else ""
    return (
        _(
            "{whom} Grey boxes: where 95 of 100 re-draws of the cases put the observed share. "
            "Random answers: every rating picked at the overall rate, whatever the case. {experts}"
        )
        .format(whom=whom, experts=experts)
        .strip()
    )


def _of_draws(note: str, fit: Fit) -> str:
    """What the line of the model is where it comes from a posterior."""
    if posterior_points(fit, 1) is None:
        return note
    return _("{note} By the model: the mean over what can be believed, not one answer.").format(note=note)


def class_rates_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why the shares of the classes cannot be drawn, or None."""
    return distribution_needs(fit, ratings)


def class_rates(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """Share of the ratings in each class: observed, and c = a t + (1 - a) p of the model beside the truth t."""
    observed = ratings.class_rates()
    truth = fit.parameters.truth
    drawn = posterior_points(fit, _DRAWS)
    given = truth @ fit.parameters.rating_rates()[0]
    if drawn is not None:
        given = np.array([(drawn.truth * call_rates(drawn, c)[:, 0]).sum(axis=1).mean() for c in range(truth.size)])
    k = np.arange(observed.size, dtype=np.float64)
    largest = float(max(observed.max(), given.max(), truth.max()))
    open_truth = {str(e.name) for e in fit.estimates if e.name.name == "t" and e.estimate.value is None}
    level = fit.interval[1]
    marks: list[Band | Points] = [
        *_bars(_("Ratings given"), observed, ratings.colours),
        # Beside each other, for the three lines would lie upon each other.
        _ranged("", k - _APART, observed, Role.OBSERVED, seen_ranges(ratings, level)),
        _ranged(_("Ratings, by the model"), k, given, Role.REFERENCE, given_ranges(fit)),
    ]
    if not open_truth:
        marks.append(_ranged(_("True classes, by the model"), k + _APART, truth, Role.MODEL, truth_ranges(fit)))
    names = [numbers.short(label, 24) for label in fit.classes]
    listed = "; ".join(
        _("{label}: {share} of the ratings, {truth} of the cases by the model").format(
            label=name, share=numbers.percent(float(o)), truth=numbers.percent(float(t))
        )
        if not open_truth
        else _("{label}: {share} of the ratings").format(label=name, share=numbers.percent(float(o)))
        for name, o, t in zip(names, observed, truth, strict=True)
    )
    most = int(observed.argmax())
    largest = max([largest, *(float(m.high.max()) for m in marks if isinstance(m, Points) and m.high is not None)])
    return (
        Figure(
            kind="class_rates",
            title=_("“{label}” was given most often: {often}").format(
                label=names[most], often=numbers.often(float(observed[most]))
            ),
            alt=_("Shares by class. {listed}.").format(listed=listed),
            x=Axis("", -0.6, k.size - 0.4, tuple(zip(k.tolist(), names, strict=True)), colours=ratings.colours),
            y=Axis(_("Share"), 0.0, float(_top(largest)), percent=True),
            marks=tuple(marks),
            note=_(
                "N = {m} ratings of {n} cases. Lines: {level} intervals, of the ratings given by standard errors."
            ).format(
                m=numbers.count(ratings.rating_count),
                n=numbers.count(ratings.subject_count),
                level=numbers.level(level),
            ),
        ),
    )


def _ranged(
    label: str,
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    role: Role,
    ranges: Sequence[tuple[float, float] | None],
) -> Points:
    """Points with their intervals; one that has none, or one that does not hold it, has a line of no length."""
    held = [r if r is not None and r[0] <= v <= r[1] else (v, v) for r, v in zip(ranges, y, strict=False)]
    if not held:
        return Points(label, x, y, role)
    low, high = np.array(held, dtype=np.float64).T
    return Points(label, x, y, role, low, high)


def truth_ranges(fit: Fit) -> tuple[tuple[float, float] | None, ...]:
    """For each class the interval of its share of the cases."""
    told = [e.estimate for e in fit.estimates if e.name.name == "t"]
    ends = [None if e.low is None or e.high is None else (e.low, e.high) for e in told]
    if len(ends) == 1:
        # Of two classes the number tells of class 1.
        (pair,) = ends
        return (None if pair is None else (1 - pair[1], 1 - pair[0]), pair)
    return tuple(ends)


def _bars(label: str, heights: NDArray[np.float64], colours: tuple[str, ...]) -> Iterator[Band]:
    """A bar for each class, shape (K,), those of one colour together."""
    for colour in dict.fromkeys(colours):
        k = np.array([i for i, c in enumerate(colours) if c == colour], dtype=np.float64)
        edges = np.stack([k - _HALF, k + _HALF, np.full(k.size, np.nan)], axis=1).ravel()
        tall = np.repeat(heights[k.astype(np.int64)], 3)
        yield Band(label, edges, np.zeros(tall.size), tall, Role.OBSERVED, colour=colour)
