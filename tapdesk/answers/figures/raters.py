"""Pictures of the raters one by one and in pairs: accuracy, what they contribute, whom they follow, what surprises."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from tapdesk.agreement.known import known_shares
from tapdesk.answers import model_checks as words_checks
from tapdesk.answers import numbers
from tapdesk.answers.charts import FIFTHS, MOST_ROWS, Series, Shown, Spread, counting, curves, forest, histogram
from tapdesk.answers.figure import Axis, Figure, Mark, Role
from tapdesk.answers.figures.checks import calibration_needs, readable, size_of
from tapdesk.answers.fit_words import size
from tapdesk.answers.numbers import SCREEN, Style, counted
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit, ParameterEstimate
from tapdesk.language import Number, joined
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy, Key
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.accurate_raters import LEAST, AccurateRaters, accurate_raters
from tapdesk.studies.contrasts import information_contrasts
from tapdesk.studies.differences import Differences
from tapdesk.studies.rater_diagnostics import leave_one_out, rater_informations, unexpected_ratings
from tapdesk.studies.rater_pairs import Independence, independence
from tapdesk.studies.subsets import accuracy_without, influence, kappa_without
from tapdesk.studies.table import StudyTable

_NAME = 22
# Fewer raters are better read one by one.
_FEWEST = 5
_TENTHS, _FIFTHS, _HALF = 10, 5, 0.5
_FEWEST_CHOSEN, _ASIDE = 3, 0.09
_REPLICATES = 300
# A change that is none.
_SAME = 0.005
MOST_SURPRISES = 12
_SURPRISE_NAME = 14
# A rating foretold less often than this is one to look at again.
SURPRISING = 0.2


def accuracies(fit: Fit) -> tuple[ParameterEstimate, ...]:
    """The accuracies of the raters, the highest first, those without value last."""
    items = [e for e in fit.estimates if e.name.name == "a" and e.name.rater is not None]
    return tuple(sorted(items, key=lambda e: -1.0 if e.estimate.value is None else e.estimate.value, reverse=True))


def histogram_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why the accuracies of the raters cannot be drawn as a histogram, or None."""
    if not ratings.raters_known:
        return _("This needs to know who gave each {rating}, and here the {raters} are not known.")
    if (reason := readable(fit, ratings)) is not None:
        return reason
    known = [e for e in accuracies(fit) if e.estimate.value is not None]
    if len(known) < _FEWEST:
        return _(
            "A histogram of {raters} needs at least {least} whose accuracies are told apart, as by t-aj-p."
        ).format(least=_FEWEST)
    return None


def rater_histogram(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """How the accuracies are spread, in tenths; then each rater with interval, and what known answers say."""
    return (_spread(fit), _each(fit, ratings))


def _spread(fit: Fit) -> Figure:
    values = np.array([e.estimate.value for e in accuracies(fit) if e.estimate.value is not None], dtype=np.float64)
    edges = np.linspace(0.0, 1.0, _TENTHS + 1)
    heights, _edges = np.histogram(np.clip(values, 0.0, 1.0), edges)
    above = int((values > _HALF).sum())
    title = _("{part} have an accuracy above one half; the lowest has {least}").format(
        part=numbers.of_all(above, values.size, "raters", first=True), least=numbers.decimal(float(values.min()))
    )
    return histogram(
        "rater_histogram",
        title,
        Axis(_("accuracy"), 0.0, 1.0, FIFTHS),
        counting(_("{raters}"), float(heights.max())),
        edges,
        heights.astype(np.float64),
        note=joined(size_of(fit), _("One bar for each tenth.")),
        marks=(Mark(_("one half"), _HALF),),
    )


def _each(fit: Fit, ratings: Ratings) -> Figure:
    """Each rater's accuracy with interval, the highest on top, and a diamond where known answers tell it."""
    known = known_accuracies(ratings)
    shown = [e for e in accuracies(fit) if e.estimate.value is not None]
    values = [known.get(e.name.rater or "", float("nan")) for e in shown]
    note = size_of(fit)
    if any(e.estimate.low is not None for e in shown):
        level = numbers.level(fit.interval[1])
        note = joined(note, _("Lines: {level} intervals.").format(level=level))
    title = _("Each {rater}: how often the {ratings} follow the {subject}").format()
    if known:
        used = _(" The model uses the known answers too.") if fit.model.key is not Key.UNUSED else ""
        off = float(np.nanmean(np.abs([float(e.estimate.value or 0.0) for e in shown] - np.array(values))))
        title = _("Each {rater} beside the known answers: on average {off} apart").format(off=numbers.decimal(off))
        diamonds = _(
            "Diamonds: the accuracy by the known answers, the share right in each class summed, less 1, over the "
            "number of classes less 1.{used}"
        )
        note = joined(note, diamonds.format(used=used))
    if len(shown) > MOST_ROWS:
        # Who is low is what the picture is looked at for: those between are left out, not the last ones.
        half = MOST_ROWS // 2
        drawn = _("The {n} highest and the {n} lowest of {all} are drawn.")
        note = joined(note, drawn.format(n=numbers.count(half), all=numbers.count(len(shown))))
        shown, values = shown[:half] + shown[-half:], values[:half] + values[-half:]
    rows = [(e.name.rater or "", e.estimate, Role.MODEL) for e in shown]
    others = [(_("by known answers"), values, Role.KNOWN)] if known else []
    # Who is worse than luck on the known answers lies below 0.
    lowest = float(np.floor(_FIFTHS * np.nanmin(values))) if known else 0.0
    ticks = tuple((i / _FIFTHS, Number(f"{i / _FIFTHS:g}")) for i in range(round(lowest), _FIFTHS + 1))
    return forest(
        rows,
        SCREEN,
        kind="rater_histogram",
        title=title,
        note=note,
        others=others,
        what=_("by the model") if known else "",
        marks=(Mark(_("one half"), _HALF),),
        x=Axis("", lowest / _FIFTHS, 1.0, ticks) if lowest < 0 else None,
        ends=[_value(e.estimate) for e in shown] if lowest < 0 else (),
    )


def known_accuracies(ratings: Ratings) -> dict[str, float]:
    """The accuracy of each rater by known answers: (shares right summed over classes - 1)/(K - 1), Youden's J of two.

    In the model the share right of a class is a + (1 - a)p of this class, and these sum to 1 + (K - 1)a. Left out are
    raters who rated no case that is known to be of some class.
    """
    shares = known_shares(ratings)
    if shares is None:
        return {}
    found = {}
    for one in shares.raters:
        right = [e.value for e in one.by_class if e.value is not None]
        if one.rater is not None and len(right) == len(ratings.classes):
            found[ratings.raters[one.rater]] = (sum(right) - 1) / (len(right) - 1)
    return found


def accurate_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why raters cannot be chosen by their accuracy, or None."""
    if not ratings.raters_known:
        return _("This needs to know who gave each {rating}, and here the {raters} are not known.")
    if len(ratings.raters) < _FEWEST_CHOSEN:
        return _("Choosing {raters} by their accuracy needs at least {least}.").format(least=_FEWEST_CHOSEN)
    return readable(fit, ratings)


def choosing(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its pictures."""
    panels = yield from accurate_raters(ratings, fit)
    return chosen(fit, panels)


def chosen(fit: Fit, panels: Sequence[AccurateRaters]) -> tuple[Figure, ...]:
    """All raters, and only those of at least .1, .2, …: accuracy beside root kappa, and t beside p."""
    whole = panels[0]
    half = max((one for one in panels[1:] if one.least <= _HALF), key=lambda one: one.least, default=panels[1])
    title = _chosen_title(whole, half)
    names = [_("all {n}").format(n=len(whole.raters))]
    names += [_("{least}: {n}").format(least=_least(one), n=len(one.raters)) for one in panels[1:]]
    note = _(
        "N = {size}. t-a-p with {level} profile intervals; squares on the left: √κ. The accuracy by which {raters} are "
        "chosen is by {model}. Choosing {raters} by these {ratings} makes what is left look a little better than it is."
    ).format(
        size=size(fit),
        level=numbers.level(fit.interval[1]),
        model=fit.model.name if fit.model.accuracy is Accuracy.PER_RATER else "t-aj-p",
    )
    across = Axis(
        _("least accuracy asked: how many {raters} that leaves").format(),
        -0.5,
        len(panels) - 0.5,
        tuple((float(i), words) for i, words in enumerate(names)),
    )
    shown = [(title, "a, √κ", (("a", "a", Role.MODEL), ("√κ", "", Role.CLASSICAL)))]
    if len(fit.classes) == 2:
        ends = [one.fit.estimate(name).value for name in ("t", "p") for one in (whole, half)]
        rates = str(_("t and p of those who are left"))
        if None not in ends:
            a, b, c, d = map(numbers.decimal, ends)
            rates = _("t from {a} to {b}, p from {c} to {d}").format(a=a, b=b, c=c, d=d)
        shown.append((rates, "t, p", (("t", "t", Role.MODEL), ("p", "p", Role.CLASSICAL))))
    return tuple(
        curves(
            "accurate_raters",
            words,
            across,
            Axis(up, 0.0, 1.0, FIFTHS),
            [_chosen_series(label, name, panels, role) for label, name, role in rows],
            places=names,
            note=note,
        )
        for words, up, rows in shown
    )


def _chosen_title(whole: AccurateRaters, half: AccurateRaters) -> str:
    """What becomes of the accuracy without the raters below one half, or of the least accuracy asked below it."""
    before, after = whole.fit.estimate("a"), half.fit.estimate("a")
    words = _("Without {n} of {all} {raters}, those below {least}, a goes from {before} to {after}")
    if after.value is None:
        words = _("Without {n} of {all} {raters}, those below {least}, a cannot be told")
    elif before.value is None:
        words = _("Without {n} of {all} {raters}, those below {least}, a is {after}; of all it cannot be told")
    return words.format(
        n=len(half.left_out), all=len(whole.raters), least=_least(half), before=_value(before), after=_value(after)
    )


def _least(one: AccurateRaters) -> str:
    """The accuracy that is asked: tenths with one digit."""
    return numbers.decimal(one.least, places=1 if one.least in LEAST else None)


def _chosen_series(label: str, name: str, panels: Sequence[AccurateRaters], role: Role) -> Series:
    """A parameter, or the root of kappa where none is named, of each panel."""
    every = [one.fit.estimate(name) if name else one.root_kappa for one in panels]
    value, low, high = (
        np.array([np.nan if x is None else x for x in ends], dtype=np.float64)
        for ends in zip(*((e.value, e.low, e.high) for e in every), strict=True)
    )
    x = np.arange(len(panels), dtype=np.float64)
    aside = _ASIDE if role is Role.CLASSICAL else -_ASIDE
    return Series(label, x, value, role, Shown.DOTS, low, high, aside)


def raters_needs(fit: Fit) -> str | None:
    """Why no accuracy of a rater can be drawn, or None."""
    if any(e.estimate.value is not None for e in accuracies(fit)):
        return None
    return _("These {ratings} leave open how often the {ratings} of each {rater} follow the {subject}.")


def raters(
    fit: Fit, style: Style, panel: Estimate | None = None, marked: Collection[str] = (), *, pooled: bool = False
) -> Figure:
    """Accuracy of each rater with interval, the highest first; diamonds for those who differ from the panel.

    Those of ``pooled`` raters are told as drawn from one population.
    """
    rows = [
        (e.name.rater or "", e.estimate, Role.SINGLED_OUT if e.name.rater in marked else Role.MODEL)
        for e in accuracies(fit)
    ]
    lines: tuple[Mark, ...] = ()
    if panel is not None and panel.value is not None:
        shown = numbers.value(panel, style)
        words = _("mean {value}") if pooled else _("panel {value}")
        lines = (Mark(words.format(value=shown), panel.value, vertical=True),)
    return forest(
        rows,
        style,
        kind="raters",
        title=_("How often the {ratings} of each {rater} follow the {subject}"),
        note=_(
            "N = {size}; {model} model, {level} intervals. Diamond: differs from the whole panel and from the {rater} "
            "in its middle, by intervals of the differences that are as wide as the number of {raters} asks."
        ).format(
            size=counted(fit.subjects, fit.ratings),
            model=_("{model}, pooled").format(model=fit.model.name) if pooled else fit.model.name,
            level=numbers.level(fit.interval[1]),
        ),
        marks=lines,
    )


def independence_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why pairs of raters cannot be compared with the model, or None."""
    if not ratings.raters_known:
        return _("This needs to know who gave each {rating}, and here the {raters} are not known.")
    if len(ratings.raters) < 2:
        return _("There is one {rater} only, so there are no pairs.")
    return readable(fit, ratings)


def pairs_together(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its picture."""
    result = yield from independence(ratings, fit, _REPLICATES)
    return (independent(fit, result),)


def independent(fit: Fit, result: Independence) -> Figure:
    """Agreement of pairs of raters against what the model makes of it: `Independence.words` says who stands out."""
    order = np.arange(result.observed.size)[:MOST_ROWS]
    rows = [
        (
            _("{one} and {two}").format(one=_short(result, result.first[i]), two=_short(result, result.second[i])),
            Spread(float(result.expected[i]), float(result.low[i]), float(result.high[i])),
            Role.REFERENCE,
        )
        for i in order
    ]
    seen = result.observed[order]
    low = float(min(result.low[order].min(), seen.min(), 0.0))
    high = float(max(result.high[order].max(), seen.max()))
    pad = 0.05 * max(high - low, 1e-3)
    what = (
        _("covariance of the two {raters}’ {ratings}")
        if result.measure == "covariance"
        else _("share of equal {ratings}")
    )
    note = _(
        "{size} Squares: by the model; lines: how far the middle 95 % of {n} panels made by it lie from the model once "
        "it is fitted to them as well; dots: seen. One dot in twenty lies outside by luck."
    ).format(size=size_of(fit), n=numbers.count(result.replicates))
    if order.size < result.observed.size:
        note = _("{note} The first {k} of {pairs} pairs are drawn.").format(
            note=note, k=order.size, pairs=numbers.count(result.observed.size)
        )
    return forest(
        rows,
        SCREEN,
        kind="independence",
        title=result.finding.removesuffix("."),
        note=note,
        what=_("expected"),
        others=[(_("seen"), seen.tolist(), Role.OBSERVED)],
        x=Axis(what, low - pad, high + pad),
    )


def _short(result: Independence, at: int) -> str:
    return numbers.short(result.raters[at], 14)


def information_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why it cannot be said how much ratings of single raters tell, or None."""
    if not ratings.raters_known:
        return _("This needs to know who gave each {rating}, and here the {raters} are not known.")
    if fit.parameters.rating_rates().shape[0] != len(fit.raters) or len(fit.raters) < 2:
        return _("{Raters} are alike in this model: choose one that tells them apart, such as t-aj-p.")
    if sum(e.value is not None for e in rater_informations(fit)) < 2:
        return words_checks.too_few_informations()
    return readable(fit, ratings)


def informing(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its picture."""
    compared = yield from information_contrasts(ratings, fit, fit.seed)
    return (information(fit, *compared),)


def information(fit: Fit, names: Sequence[str] = (), compared: Differences | None = None) -> Figure:
    """How much of the truth a rating of each rater tells: the one that tells most first.

    Parameters
    ----------
    fit
        That tells raters apart.
    names, compared
        The raters whose informations are set against each other, and how these differ; None where that was not asked.
    """
    estimates = rater_informations(fit)
    title = _("How much {a_rating} of each {rater} tells").format()
    if compared is not None:
        one = words_checks.telling_apart(compared)
        title = _("{A_rating} of {first} tells more than one of {last}")
        if not one.clear:
            title = _("Nobody’s {ratings} clearly tell more than those of another")
        title = title.format(first=numbers.short(names[one.higher], _NAME), last=numbers.short(names[one.lower], _NAME))
    rows = [(fit.raters[i], estimates[i], Role.MODEL) for i in words_checks.most_telling_first(estimates)]
    note = _(
        "{size} Information: the share of what is open about {a_subject} that one {rating} settles; 0 for {a_rater} "
        "whose {ratings} say nothing of it, 1 for one who is always right."
    ).format(size=size_of(fit))
    if any(e.low is not None for e in estimates):
        note = _(
            "{note} Lines: over the interval of the accuracy of the {rater}, truth and guesses as estimated."
        ).format(note=note)
    return forest(rows, SCREEN, kind="information", title=title, note=note)


def influence_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why no rater can be left out, or None."""
    if ratings.raters_known and len(ratings.raters) < 3:
        return _("Leaving {a_rater} out needs at least three.")
    return independence_needs(fit, ratings)


def leaving_out(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its pictures."""
    table = yield from influence(ratings, fit.seed, key=fit.model.key)
    return influences(fit, table)


@dataclass(frozen=True, slots=True)
class _Said:
    """What is said of one number: where it changes, where it hardly does, where it is not known of all, below."""

    column: str
    changed: str
    same: str
    only: str
    note: str


_SAID = (
    _Said(
        "a",
        _("Without {rater} the accuracy of the panel would be {value} instead of {whole}"),
        _("Whoever is left out, the accuracy of the panel stays near {whole}"),
        _("Without {rater} the accuracy of the panel would be {value}; with all {raters} the {ratings} do not tell it"),
        _("N = {size}; t-a-p model. Each dot: the accuracy without this {rater}."),
    ),
    _Said(
        "kappa",
        _("Without {rater} Fleiss’ kappa would be {value} instead of {whole}"),
        _("Whoever is left out, Fleiss’ kappa stays near {whole}"),
        _("Without {rater} Fleiss’ kappa would be {value}; with all {raters} it is undefined"),
        _("N = {size}. Each dot: Fleiss’ kappa without this {rater}."),
    ),
)


def influences(fit: Fit, table: StudyTable) -> tuple[Figure, ...]:
    """The accuracy of the panel and Fleiss' kappa with each rater left out, the largest change first.

    Raises
    ------
    CannotAnswerError
        When nothing can be told without any of the raters.
    """
    panels = [_panel(fit, table, sentence) for sentence in _SAID]
    drawn = tuple(panel for panel in panels if panel is not None)
    if not drawn:
        raise CannotAnswerError(_("Nothing can be told of these {ratings} with {a_rater} left out."))
    return drawn


def _panel(fit: Fit, table: StudyTable, words: _Said) -> Figure | None:
    """One number with each rater left out; None where it is never told."""
    values, changes = table.numbers(words.column), table.numbers(f"{words.column}_change")
    known = np.flatnonzero(np.isfinite(values))
    if not known.size:
        return None
    whole = float(values[known[0]] + changes[known[0]])
    order = known[np.argsort(-np.abs(changes[known] if np.isfinite(whole) else values[known]), kind="stable")]
    records = table.records()
    rows = [records[i] for i in order]
    sentences = [accuracy_without(row) if words.column == "a" else kappa_without(row) for row in rows]
    title = words.changed if np.isfinite(whole) else words.only
    if np.isfinite(whole) and (np.abs(changes[known]) < _SAME).all():
        title = words.same
    note = words.note.format(size=counted(fit.subjects, fit.ratings))
    line = [_("Line: with all.")] if np.isfinite(whole) else []
    left = len(records) - len(rows)
    lost = (
        [_("Without {count} of the {raters} the others tell nothing.").format(count=numbers.count(left))]
        if left
        else []
    )
    return forest(
        [(str(row["rater"]), e, Role.MODEL) for row, e in zip(rows, sentences, strict=True) if e is not None],
        SCREEN,
        kind="influence",
        title=title.format(
            rater=_name(str(rows[0]["rater"])),
            value=_value(sentences[0]),
            whole=numbers.decimal(whole),
        ),
        note=joined(note, *line, *_reach(sentences), *lost),
        marks=(Mark(_("with all"), whole),) if np.isfinite(whole) else (),
    )


def _reach(estimates: Sequence[Estimate | None]) -> list[str]:
    """Of which kind the intervals of some numbers are, and why some have none."""
    level = next((e.level for e in estimates if e is not None and e.level is not None), None)
    reasons = dict.fromkeys(e.no_interval for e in estimates if e is not None and e.no_interval)
    if level is None:
        return [*reasons]
    profiled = any(e.how == "profile" for e in estimates if e is not None)
    words = _("{level} profile intervals.") if profiled else _("{level} intervals by standard errors.")
    return [words.format(level=numbers.level(level)), *reasons]


def _name(rater: str) -> str:
    """A number or a letter alone would read as one of the classes."""
    return (
        numbers.short(rater, _NAME)
        if len(rater) > 1 and not rater.isdigit()
        else _("{rater} {name}").format(name=rater)
    )


def _value(e: Estimate | None) -> str:
    """A number with its interval, where it has one."""
    if e is None or e.value is None:
        return numbers.decimal(None)
    if e.low is None or e.high is None:
        return numbers.decimal(e.value)
    words = _("{value} ({low} to {high})")
    return words.format(value=numbers.decimal(e.value), low=numbers.decimal(e.low), high=numbers.decimal(e.high))


def surprises_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why no rating can be called surprising, or None."""
    reason = calibration_needs(fit, ratings)
    if reason is None and not fit.rates_known:
        return _("These {ratings} do not determine the numbers, so no {rating} can be called surprising.")
    return reason


def surprising(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """The least probable ratings, one row each."""
    return (surprised(fit, ratings),)


def surprised(fit: Fit, ratings: Ratings, style: Style = SCREEN) -> Figure:
    """As `surprising`, with numbers in a style and the user's words."""
    result = unexpected_ratings(ratings, fit, MOST_SURPRISES)
    rows = []
    for at, probability in zip(result.rating, result.probability, strict=True):
        named = [numbers.short(ratings.subjects[ratings.subject[at]], _SURPRISE_NAME)]
        if ratings.raters_known:
            named.append(numbers.short(ratings.raters[ratings.rater[at]], _SURPRISE_NAME))
        named.append(_("“{label}”").format(label=numbers.short(ratings.classes[ratings.category[at]], _SURPRISE_NAME)))
        role = Role.SINGLED_OUT if probability < SURPRISING else Role.MODEL
        rows.append((", ".join(named), Estimate(float(probability)), role))
    title = _("No {rating} stands against all others of its {subject}")
    if result.probability[0] < SURPRISING:
        title = _("Least expected: {name} ({chance} by the other {ratings})").format(
            name=rows[0][0], chance=numbers.percent(rows[0][1].value or 0.0)
        )
        alike = int(np.isclose(leave_one_out(ratings, fit), result.probability[0], rtol=1e-6, atol=0.0).sum())
        if alike > 1:
            title = _("Least expected: {n} {ratings}, each {chance} by the others of the {subject}").format(
                n=numbers.count(alike), chance=numbers.percent(rows[0][1].value or 0.0)
            )
    note = _(
        "N = {size}. Each row: how probable {a_rating} is by the {model} model, given all other {ratings} of the same "
        "{subject}; the least probable first; diamonds below {most}. Of many {ratings} some are surprising by luck. "
        "Unexpected is not wrong: who alone is right stands here too."
    ).format(size=size(fit), model=fit.model.name, most=numbers.percent(SURPRISING))
    return forest(rows, style, kind="surprises", title=title, note=note)
