"""Models side by side in plain sentences: which follows the ratings best, and what each leaves out."""

import math
from collections.abc import Mapping, Sequence

from tapdesk.answers import cells, numbers
from tapdesk.answers.content import Align, Column, Table
from tapdesk.answers.numbers import Style, counted
from tapdesk.estimate import undefined
from tapdesk.fitting.fit import BootstrapTest, Fit, Posterior
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.studies.model_comparison import GridComparison, compare_fits, mean_accuracy

RIGHT = Align.RIGHT
# As much AIC as one number costs that does nothing.
_NEAR = 2.0
# From this probability on a model is clearly the most probable one.
_CLEARLY = 0.95
_OPEN = undefined(_("The data do not determine it."))

# By the name of a test the hypothesis as a question.
QUESTIONS: dict[str, str] = {
    "a=0": _("Could the {ratings} carry no information at all?"),
    "t=p": _("Could chance answers follow the shares of the truth (p = t)?"),
    "equal accuracies by class": _("Could every class be recognised equally well?"),
    "equal accuracies": _("Could all {raters} be equally accurate?"),
    "equal guessing": _("Could all {raters} guess alike?"),
    "equal accuracies, own guessing": _(
        "Could all {raters} be equally accurate, though each guesses in their own way?"
    ),
    "equal guessing, own accuracies": _("Could all {raters} guess alike, though each has their own accuracy?"),
}

# What sets a model of the grid apart, in few words.
_APART: dict[str, str] = {
    "t-a-p": _("one accuracy"),
    "t-a-t": _("chance follows the truth"),
    "P-a-P": _("rates of the data"),
    "t-ak-p": _("accuracy by class"),
    "t-aj-p": _("accuracy by {rater}"),
    "t-a-pj": _("guessing by {rater}"),
    "t-aj-pj": _("both by {rater}"),
}


def called(name: str) -> str:
    """A model by what sets it apart, and by its name."""
    return _("{words} ({name})").format(words=_APART[name], name=name) if name in _APART else name


def question(name: str) -> str:
    """The hypothesis of a test as a question."""
    return QUESTIONS.get(name, name)


def verdict(test: BootstrapTest) -> str:
    """What a test says of its question."""
    if test.rejects:
        return _("Hardly: simulated panels of which it is true differ this much {often}.").format(often=test.how_often)
    return _("It could: simulated panels of which it is true differ this much {often}.").format(often=test.how_often)


def answers(comparison: GridComparison) -> list[tuple[str, str]]:
    """Every question of the grid with its answer, or the reason why there is none."""
    sentences = [(question(test.name), verdict(test)) for test in comparison.tests]
    return sentences + [(question(name), why) for name, why in comparison.untested.items()]


def best(comparison: GridComparison) -> str:
    """Which model follows the ratings best for the numbers it uses; or that these cannot be compared."""
    compared = comparison.comparison
    if compared.by_aic is None or compared.by_bic is None:
        return _("These {ratings} cannot choose between the models.")
    by_aic, by_bic = (compared.rows[i].fit.model.name for i in (compared.by_aic, compared.by_bic))
    if by_aic == by_bic:
        lowest = compared.rows[compared.by_aic].fit.aic
        near = [row.fit.model.name for row in compared.rows if row.comparable and row.fit.aic - lowest < _NEAR]
        if len(near) > 1:
            return _(
                "For the numbers it uses, {model} follows these {ratings} best (lowest AIC and BIC), but hardly better "
                "than {others}: between them luck may decide."
            ).format(model=by_bic, others=numbers.listed([name for name in near if name != by_aic]))
        return _("For the numbers it uses, {model} follows these {ratings} best (lowest AIC and BIC).").format(
            model=by_bic
        )
    return _(
        "For the numbers it uses, {bic} follows these {ratings} best by BIC, which prefers few numbers, and {aic} by "
        "AIC."
    ).format(bic=by_bic, aic=by_aic)


def model_probabilities(fits: Mapping[str, Fit]) -> dict[str, float]:
    """How probable each of several models is, given the ratings, where all were as probable before (models.md, 8).

    Parameters
    ----------
    fits
        Of the same ratings, by the name the model was asked for with.

    Returns
    -------
    dict
        By that name, of those whose evidence is worked out exactly: a probability. Empty where fewer than
        two have one: maxima of a belief cannot be compared.
    """
    by_name = {
        name: fit.posterior.log_evidence.ratings
        for name, fit in fits.items()
        if isinstance(fit.posterior, Posterior)
        and fit.posterior.log_evidence is not None
        and fit.posterior.rhat is None
    }
    if len(by_name) < 2:
        return {}
    top = max(by_name.values())
    weights = {name: math.exp(value - top) for name, value in by_name.items()}
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


def by_evidence(fits: Mapping[str, Fit]) -> str:
    """Which of several models the evidence favours, and how clearly; empty where no two have an exact one."""
    shares = model_probabilities(fits)
    if not shares:
        return ""
    best_name, second, *_rest = sorted(shares, key=shares.__getitem__, reverse=True)
    share = numbers.percent(shares[best_name])
    if shares[best_name] < _CLEARLY:
        return _(
            "By the evidence, {best} is the most probable of these models ({share}, if all were as probable before), "
            "but not clearly: {second} has {other}."
        ).format(best=best_name, share=share, second=second, other=numbers.percent(shares[second]))
    return _(
        "By the evidence, {best} is the most probable of these models ({share}, if all were as probable before)."
    ).format(best=best_name, share=share)


def luck(comparison: GridComparison) -> str:
    """How often such answers mislead."""
    count = len(comparison.tests)
    if count < 2:
        return ""
    sets = numbers.count(max(test.replicates for test in comparison.tests))
    return _(
        "Each of the {count} answers rests on {sets} simulated panels. Of such questions about one in twenty is "
        "answered “hardly” by luck alone."
    ).format(sets=sets, count=count)


def intervals(fits: Sequence[Fit]) -> str:
    """Of which kind the intervals of the accuracies are, and why some or all have none."""
    means = [mean_accuracy(fit) for fit in fits]
    known = [a for a in means if a is not None and a.low is not None]
    reasons = joined(*dict.fromkeys(a.no_interval for a in means if a is not None and a.no_interval))
    if not known:
        return reasons or _("No intervals: with this many {ratings} or {raters} they would take very long.")
    sentence = _("{level} profile-likelihood intervals.").format(level=numbers.level(known[0].level or 0.95))
    return _("{told} Without interval: {reasons}").format(told=sentence, reasons=reasons) if reasons else sentence


def models_table(fits: Sequence[Fit], style: Style) -> Table:
    """Models side by side: likelihood, criteria where they may be compared, accuracy with its interval."""
    compared = compare_fits(fits)
    rows = []
    for row in compared.rows:
        a = mean_accuracy(row.fit) or _OPEN
        rows.append(
            (
                row.fit.model.name,
                cells.count(row.fit.free),
                cells.large(row.fit.log_likelihood.ratings, 2),
                cells.large(row.fit.aic if row.comparable else None, 1),
                cells.large(row.fit.bic if row.comparable else None, 1),
                cells.value(a, style),
                cells.interval(a, style),
            )
        )
    notes = [compared.words, *dict.fromkeys(f"{r.fit.model.name}: {r.note}" for r in compared.rows if r.note)]
    if compared.by_bic is not None:
        notes.insert(
            0,
            _("Lowest AIC: {aic}; lowest BIC: {bic}.").format(
                aic=fits[compared.by_aic or 0].model.name, bic=fits[compared.by_bic].model.name
            ),
        )
    size = _("N = {size}.").format(
        size=counted(fits[0].subjects, fits[0].ratings),
    )
    sentence = _("Accuracy: the mean where a model has several; a dash where the data do not determine it.")
    notes += [sentence, intervals(fits), size]
    return Table(
        _("Other models of the same {ratings}"),
        (
            Column(_("Model"), wide=True),
            Column(_("Free"), RIGHT),
            Column(_("Log-lik."), RIGHT),
            Column(_("AIC"), RIGHT),
            Column(_("BIC"), RIGHT),
            Column(_("Accuracy"), RIGHT),
            Column(_("{level} interval").format(level=numbers.level(fits[0].interval[1])), RIGHT),
        ),
        tuple(rows),
        joined(*notes),
    )
