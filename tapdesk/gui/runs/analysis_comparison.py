"""Several analyses of one project: their names, and their numbers side by side."""

from collections.abc import Sequence
from dataclasses import replace

from tapdesk.answers import numbers
from tapdesk.answers.numbers import DASH
from tapdesk.answers.parameters import kind_of_interval
from tapdesk.fitting.fit import Fit
from tapdesk.gui.results import fit_presenter
from tapdesk.gui.runs.plan import Plan
from tapdesk.language import gettext as _
from tapdesk.project.project import Analysis, name_of

LONGEST = 60


def another(plan: Plan, analyses: Sequence[Analysis]) -> str:
    """A label for one more analysis of the same question: that of the plan with the next free number behind it."""
    taken = {a.name for a in analyses} | {plan.name}
    number = 2
    while name_of(plan.question.key, label := f"{plan.shown_label} {number}".strip()) in taken:
        number += 1
    return label


def relabel(analysis: Analysis, label: str, analyses: Sequence[Analysis]) -> tuple[Analysis, str]:
    """The analysis with another label, and the reason where it cannot be had."""
    label = " ".join(label.split())
    if len(label) > LONGEST:
        return analysis, _("A label has at most {most} letters.").format(most=LONGEST)
    if not analysis.question and not label:
        return analysis, _("An analysis needs a name.")
    new = replace(analysis, label=label)
    if new.name != analysis.name and any(a.name == new.name for a in analyses):
        return analysis, _("Another analysis has this label: choose a different one.")
    return new, ""


def short(analysis: Analysis) -> str:
    """The name of an analysis for a list: the question cut short, the label whole."""
    if not analysis.question or not analysis.label:
        return numbers.short(analysis.name, LONGEST)
    # The label first: it is what tells the analyses of a list apart.
    return f"{analysis.label}: {numbers.short(name_of(analysis.question, ''), 40)}"


def state(analysis: Analysis) -> str:
    """How an analysis stands, in words."""
    if analysis.fit is None:
        return _("not run yet")
    return (
        _("data changed after this run")
        if analysis.stale
        else _("run {when}").format(when=fit_presenter.clock(analysis.run_at))
    )


def side_by_side(analyses: Sequence[Analysis]) -> tuple[tuple[str, ...], list[tuple[str, ...]], str]:
    """Analyses with an answer as columns of a table, and what must be known to compare them.

    Returns
    -------
    tuple
        Header, rows, and a note.
    """
    done = [(a, a.fit) for a in analyses if a.fit is not None]
    same_data = len({a.made_on for a, _fit in done}) == 1
    rows: list[tuple[str, ...]] = [
        (_("Model"), *(f.model.name for _a, f in done)),
        (_("Method"), *(f.estimator for _a, f in done)),
        (_("Intervals"), *(kind_of_interval(*f.interval) for _a, f in done)),
        (_("Class 1"), *(_class1(f) for _a, f in done)),
        (_("Cases, ratings"), *(f"{numbers.count(f.subjects)}, {numbers.count(f.ratings)}" for _a, f in done)),
    ]
    # What every model has first, the numbers of single raters and classes below.
    names = sorted(dict.fromkeys(str(e.name) for _a, f in done for e in f.estimates), key=lambda name: "[" in name)
    rows += [(name, *(_told(f, name) for _a, f in done)) for name in names]
    rows += [
        (_("Log-likelihood"), *(numbers.large(f.log_likelihood.ratings) for _a, f in done)),
        (_("Free numbers"), *(str(f.free) for _a, f in done)),
        (_("AIC"), *(_criterion(f, f.aic, same_data=same_data) for _a, f in done)),
        (_("BIC"), *(_criterion(f, f.bic, same_data=same_data) for _a, f in done)),
        (_("Search"), *(f.status.value for _a, f in done)),
        (_("Stands"), *(state(a) for a, _f in done)),
    ]
    note = (
        _("AIC and BIC: the lower, the better the model follows the same ratings for the numbers it uses.")
        if same_data
        else _(
            "These analyses were made on different ratings or categories, so AIC and BIC say nothing and are left out."
        )
    )
    return (_("What"), *(short(a) for a, _f in done)), rows, note


def _class1(fit: Fit) -> str:
    """What t is the share of."""
    if len(fit.classes) == 2:
        return numbers.short(fit.classes[1], 40)
    return _("each of {count} categories by itself").format(count=len(fit.classes))


def _told(fit: Fit, name: str) -> str:
    found = next((e.estimate for e in fit.estimates if str(e.name) == name), None)
    if found is None:
        return DASH
    value = numbers.value(found)
    return value if found.low is None else f"{value} ({numbers.interval(found)})"


def _criterion(fit: Fit, value: float, *, same_data: bool) -> str:
    """AIC or BIC where it may be compared: for maxima of the likelihood of the same ratings."""
    return numbers.large(value) if same_data and fit.estimator == "exact-em" and fit.converged else DASH
