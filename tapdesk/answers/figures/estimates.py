"""Pictures of the numbers of a fit: each with its interval, how far it would move, and how the search found it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import fit_words as words
from tapdesk.answers import numbers, range_words
from tapdesk.answers.charts import FIFTHS, MOST_ROWS, Series, curves, forest, histogram
from tapdesk.answers.figure import Axis, Figure, Mark, Points, Role
from tapdesk.answers.numbers import SCREEN, counted
from tapdesk.answers.parameters import cautions, has_belief, kind_of_interval, nothing_moves, share_of
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit, ParameterEstimate, Trace
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext
from tapdesk.models.parameters import ParameterName
from tapdesk.ratings.ratings import Ratings

_BINS = 40
_MOST_PANELS = 12
_MOST_POINTS = 400
# More panels than this stand in two columns.
MOST_STACKED = 4
# Beyond so many pictures of the numbers of one model nobody looks at them; the table holds all.
_MOST_PICTURES = 3
_MOST_LINES = 40


def estimates_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why the numbers cannot be drawn, or None."""
    del ratings
    if not _drawable(fit):
        return _("No number of this fit has a value.")
    return None


def _drawable(fit: Fit) -> list[ParameterEstimate]:
    """The estimates that have a value."""
    return [e for e in fit.estimates if e.estimate.value is not None]


def estimates(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """Every number with its interval, one row each: shares on a scale from 0 to 1, slopes on one of their own."""
    del ratings
    shares = [e for e in _drawable(fit) if e.name.name != "b"]
    many = -(-len(shares) // MOST_ROWS)
    # Pictures of about the same height, instead of a last one with a row or two.
    size = -(-len(shares) // max(many, 1))
    drawn = [_numbers(fit, shares[at : at + size]) for at in range(0, len(shares), max(size, 1))]
    others = slopes(fit)
    return (*drawn[: _MOST_PICTURES - len(others)], *others)


def slopes(fit: Fit) -> tuple[Figure, ...]:
    """Slopes of the accuracy, on the scale they are estimated on; nothing where there are none."""
    shown = [e for e in _drawable(fit) if e.name.name == "b"]
    if not shown:
        return ()
    rows = [(_row_name(e, fit), e.estimate, Role.MODEL) for e in shown]
    ends = [x for e in shown for x in (e.estimate.value, e.estimate.low, e.estimate.high) if x is not None]
    pad = 0.05 * max(max(*ends, 0.0) - min(*ends, 0.0), 1e-3)
    title = _("How the accuracy changes with what is known of the {ratings}")
    note = _("{told} A slope is by how much the logit of the accuracy changes with one more; line: none.")
    figure = forest(
        rows,
        SCREEN,
        kind="estimates",
        title=title,
        note=note.format(told=_estimates_note(fit)),
        x=Axis(_("logit of the accuracy"), min(*ends, 0.0) - pad, max(*ends, 0.0) + pad),
        marks=(Mark(_("none"), 0.0, vertical=True),),
        each=True,
    )
    return (figure,)


def _numbers(fit: Fit, shown: Sequence[ParameterEstimate]) -> Figure:
    """Some of the shares of a fit."""
    rows = [(_row_name(e, fit), e.estimate, Role.MODEL if words.tie(e, fit) == "" else Role.CLASSICAL) for e in shown]
    return forest(
        rows, SCREEN, kind="estimates", title=_numbers_title(fit, shown), note=_estimates_note(fit), each=True
    )


def _numbers_title(fit: Fit, shown: Sequence[ParameterEstimate]) -> str:
    """How accurate the raters are by this model; of other numbers what they are."""
    own = [e.estimate for e in shown if e.name.name == "a"]
    values = [e.value for e in own if e.value is not None]
    if len(values) > 1:
        return _("By the {model} model accuracies run from {low} to {high}").format(
            model=fit.model.name, low=numbers.decimal(min(values)), high=numbers.decimal(max(values))
        )
    if values:
        return _("By the {model} model the accuracy is {value}").format(
            model=fit.model.name, value=range_words.with_ends(own[0])
        )
    return _("The numbers of the {model} model").format(model=fit.model.name)


def _estimates_note(fit: Fit) -> str:
    sentence = _("N = {size}. Lines: {how}.").format(
        size=words.size(fit), how=kind_of_interval(fit.interval[0], fit.interval[1])
    )
    if all(e.estimate.low is None for e in fit.estimates):
        why = next((e.estimate.no_interval for e in fit.estimates if e.estimate.no_interval), None)
        sentence = _("N = {size}. There are no intervals. {why}").format(size=words.size(fit), why=why or "").strip()
    if len(fit.classes) == 2:
        return _("{told} Counting “{one}”.").format(told=sentence, one=words.class1_name(fit))
    return sentence


def _row_name(estimate: ParameterEstimate, fit: Fit) -> str:
    """Symbol and meaning in few words; what class 1 is stands in the note."""
    name = estimate.name
    if name.name == "b":
        return share_of(estimate, fit)
    whom = [numbers.short(x, 20) for x in (name.category, name.rater, name.rated) if x is not None]
    if whom:
        return f"{name.name}  {', '.join(whom)}"
    few = {"t": _("truly of it"), "a": _("follows the {subject}"), "p": _("guesses of it")}
    return f"{name.name}  {few.get(name.name, '')}".rstrip() if len(fit.classes) == 2 or name.name == "a" else name.name


def parameters_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why distributions of the parameters cannot be drawn, or None."""
    del ratings
    if fit.draws is None or not fit.draws.values:
        return _("No resamples were made with this fit: ask for intervals from resamples.")
    return nothing_moves(fit) or None


def parameters(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """A histogram of the re-draws of each estimated parameter: shares on the scale 0 to 1, slopes on their own."""
    del ratings
    draws = fit.draws.values if fit.draws is not None else {}
    # Of a number the ratings leave open the re-draws would look like an answer.
    known = [e for e in fit.estimates if e.estimate.value is not None or has_belief(fit.draws)]
    panels = [e for e in known if e.name in draws]
    return tuple(
        _parameter(fit, e, np.asarray(draws[e.name]), last=len(panels) <= MOST_STACKED and e is panels[-1])
        for e in panels[:_MOST_PANELS]
    )


def _parameter(fit: Fit, estimate: ParameterEstimate, drawn: NDArray[np.float64], *, last: bool) -> Figure:
    finite = drawn[np.isfinite(drawn)]
    x = _scale(estimate, finite, last=last)
    heights, edges = np.histogram(finite, _BINS, (x.low, x.high))
    share = heights / max(finite.size, 1)
    top = max(float(share.max(initial=0.0)), 0.02) * 1.3
    result, name = estimate.estimate, _axis_name(estimate, fit)
    over = []
    if result.value is not None:
        low, high = (np.array([result.value if end is None else end]) for end in (result.low, result.high))
        at, above = np.array([result.value]), np.array([0.9 * top])
        over = [
            Points(
                _value_words(result),
                at,
                above,
                Role.MODEL,
                low,
                high,
                horizontal=True,
                rows=(int(np.count_nonzero(share)),),
            )
        ]
    return histogram(
        "parameters",
        _parameter_title(estimate, name),
        x,
        Axis(name, 0.0, top, ticks=((0.0, ""),)),
        edges,
        share,
        alt=_parameter_alt(fit, estimate, finite, name),
        note=_parameter_note(fit, estimate, drawn.size, finite.size),
        over=over,
        values=[(_("estimate"), result)] if result.value is not None else (),
    )


def _scale(estimate: ParameterEstimate, finite: NDArray[np.float64], *, last: bool) -> Axis:
    """From 0 to 1 for a share; for a slope from the lowest draw to the highest, 0 among them."""
    word = _("Value") if last else ""
    if estimate.name.name != "b":
        return Axis(word, 0.0, 1.0, FIFTHS)
    result = estimate.estimate
    ends = [x for x in (result.value, result.low, result.high, 0.0) if x is not None]
    low, high = min(*ends, *finite.tolist()), max(*ends, *finite.tolist())
    pad = 0.02 * max(high - low, 1e-3)
    return Axis(word or _("logit of the accuracy"), low - pad, high + pad)


def _value_words(estimate: Estimate) -> str:
    """The number and its interval, for the end of a row."""
    value = numbers.value(estimate)
    if estimate.low is None:
        return value
    return _("{value}, {reach}").format(value=value, reach=numbers.interval(estimate))


def _axis_name(estimate: ParameterEstimate, fit: Fit) -> str:
    """A number as its picture calls it: a slope by what it is of, for its letter says nothing."""
    return str(share_of(estimate, fit)) if estimate.name.name == "b" else symbol(estimate.name)


def symbol(name: ParameterName) -> str:
    """A number as axes and tables call it, with the class and the rater it is of, shortened."""
    of = [numbers.short(x, 20) for x in (name.category, name.rater, name.rated) if x is not None]
    return f"{name.name} ({', '.join(of)})" if of else name.name


def _parameter_title(estimate: ParameterEstimate, name: str) -> str:
    result = estimate.estimate
    if result.value is None:
        return _("{name}: no value. {reason}").format(name=name, reason=result.undefined)
    if result.low is None:
        return _("{name} = {value}, without interval").format(name=name, value=numbers.decimal(result.value))
    return _("{name} = {value} ({reach})").format(
        name=name, value=numbers.value(result), reach=numbers.interval(result)
    )


def _parameter_alt(fit: Fit, estimate: ParameterEstimate, finite: NDArray[np.float64], name: str) -> str:
    title = _parameter_title(estimate, name)
    if not finite.size:
        return _("{title}. Nothing that was drawn gave a value.").format(title=title)
    sentence = _(
        "{title}. Of {n} resamples of the {subjects}, half lie between {q25} and {q75}, 95 of 100 "
        "between {low} and {high}; the middle one is {q50}. {model} model."
    )
    if fit.draws is not None and fit.draws.kind == "parametric-bootstrap":
        sentence = _(
            "{title}. Of {n} data sets drawn from the fitted {model} model, half lie between {q25} and {q75}, 95 of "
            "100 between {low} and {high}; the middle one is {q50}."
        )
    if has_belief(fit.draws):
        sentence = _(
            "{title}. Of {n} draws from what can be believed of {model}, half lie between {q25} "
            "and {q75}, 95 of 100 between {low} and {high}; the middle one is {q50}."
        )
    quantiles = dict(zip(("low", "q25", "q50", "q75", "high"), (0.025, 0.25, 0.5, 0.75, 0.975), strict=True))
    at = {key: numbers.decimal(float(np.quantile(finite, q))) for key, q in quantiles.items()}
    return sentence.format(title=title, n=numbers.count(finite.size), model=fit.model.name, **at)


def _parameter_note(fit: Fit, estimate: ParameterEstimate, drawn: int, finite: int) -> str:
    how = kind_of_interval(estimate.estimate.how or fit.interval[0], fit.interval[1])
    note = _("N = {size}. Bars: {draws} resamples of the {subjects}. Line: {how}.")
    if fit.draws is not None and fit.draws.kind == "parametric-bootstrap":
        note = _("N = {size}. Bars: {draws} data sets drawn from the fitted model. Line: {how}.")
    if has_belief(fit.draws):
        note = _("N = {size}. Bars: {draws} draws from what can be believed. Line: {how}.")
    sentence = note.format(size=counted(fit.subjects, fit.ratings), draws=numbers.count(drawn), how=how)
    if finite < drawn:
        sentence = ngettext(
            "{told} In {lost} of them this number is undefined, and it is left out.",
            "{told} In {lost} of them this number is undefined, and they are left out.",
            drawn - finite,
        ).format(told=sentence, lost=numbers.count(drawn - finite))
    return joined(sentence, *cautions(fit))


def convergence_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why the search cannot be drawn, or None."""
    del ratings
    if not any(trace.log_likelihood.size for trace in fit.trace):
        return _("No trace of the search was kept.")
    return None


def convergence(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """The log-likelihood (ratings form, nats) by step, one line for each start, the best on top."""
    del ratings
    traces = [trace for trace in fit.trace if trace.log_likelihood.size]
    best = max(traces, key=lambda trace: float(trace.log_likelihood[-1]))
    others = [trace for trace in traces if trace is not best][:_MOST_LINES]
    ends = np.array([float(trace.log_likelihood[-1]) for trace in traces])
    top = float(ends.max())
    # The first steps climb from far below and would flatten everything that matters.
    early = min(float(trace.log_likelihood[min(2, trace.log_likelihood.size - 1)]) for trace in traces)
    span = max(top - max(early, top - 20 * max(np.ptp(ends), 1.0)), 1e-3)
    longest = max(trace.log_likelihood.size for trace in traces)
    together = int((ends > top - 0.01).sum())
    title = _("{part} starts reach the same best value")
    if len(traces) < fit.starts:
        title = _("{together} of the {starts} starts drawn reach the same best value")
        if together == len(traces) > 1:
            title = _("All {starts} starts drawn reach the same best value")
    drawn = {"together": together, "starts": len(traces)}
    # Of many starts a few are kept to be drawn; that no other maximum was found says it of all.
    one = fit.identification.identified and range_words.open_range(fit) is None
    if together == len(traces) and len(fit.optima) <= 1 and one:
        title = _("All {every} starts meet: one answer").format(every=max(fit.starts, len(traces)))
    alt = _(
        "Log-likelihood by step for {starts} starts. The best ends at {top} after {steps} steps; {part} "
        "starts end within 0.01 of it, the lowest at {low}."
    ).format(
        starts=len(traces),
        top=numbers.large(top),
        steps=best.log_likelihood.size - 1,
        part=numbers.of_all(together, len(traces)),
        low=numbers.large(float(ends.min())),
    )
    note = _(
        "N = {size}. Each line is one start of the search, {drawn} of {all} are drawn; lines may enter from below the "
        "picture."
    ).format(
        size=counted(fit.subjects, fit.ratings), drawn=len(traces), all=numbers.count(max(fit.starts, len(traces)))
    )
    series = [Series(_("Other starts"), *_thinned(trace), Role.OTHER_START) for trace in others]
    return (
        curves(
            "convergence",
            title.format(part=numbers.of_all(together, len(traces), first=True), **drawn),
            Axis(_("Step"), 0.0, float(max(longest - 1, 1))),
            Axis(_("Log-likelihood"), top - 1.05 * span, top + 0.1 * span),
            [*series, Series(_("Best start"), *_thinned(best))],
            note=note,
            alt=alt,
        ),
    )


def _thinned(trace: Trace) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Steps and log-likelihood, at most some hundred points and the first steps all: no eye sees more."""
    size = trace.log_likelihood.size
    kept = np.unique(np.concatenate([np.arange(min(size, 50)), np.linspace(0, size - 1, _MOST_POINTS).astype(int)]))
    return kept.astype(np.float64), trace.log_likelihood[kept]
