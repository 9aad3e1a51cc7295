"""Raters beside the panel as a whole: who stands apart, in sentences, and each of them as a row."""

import numpy as np

from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit, ParameterEstimate
from tapdesk.gui.agreeing import Rows, reach
from tapdesk.gui.telling import places
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.figures import raters as figures_raters
from tapdesk.report.numbers import DASH


def panel(fit: Fit | None) -> Estimate | None:
    """The accuracy of the panel as a whole; None where it is not known."""
    if fit is None or not fit.converged or not fit.identification.identified:
        return None
    found = fit.estimate("a")
    return found if found.value is not None else None


def apart(fit: Fit, whole: Estimate) -> tuple[list[ParameterEstimate], list[ParameterEstimate]]:
    """The raters whose interval lies below the accuracy of the panel, and those whose interval lies above it."""
    value = whole.value if whole.value is not None else 0.0
    told = figures_raters.accuracies(fit)
    below = [e for e in told if e.estimate.high is not None and e.estimate.high < value]
    above = [e for e in told if e.estimate.low is not None and e.estimate.low > value]
    return below, above


def who_differs(fit: Fit, whole: Estimate) -> tuple[str, str]:
    """Who stands apart from the panel, in a sentence, and what follows; the same raters the picture marks.

    Parameters
    ----------
    fit
        An accuracy for each rater, settled and identified.
    whole
        The accuracy of the panel.
    """
    below, above = apart(fit, whole)
    told = figures_raters.accuracies(fit)
    unsure = sum(e.estimate.low is None for e in told)
    held = len(told) - len(below) - len(above) - unsure
    parts = []
    if below:
        one, many = _("{names} stands below the panel."), _("{names} stand below the panel.")
        parts.append((one if len(below) == 1 else many).format(names=_names(below)))
    if above:
        one, many = _("{names} stands above the panel."), _("{names} stand above the panel.")
        parts.append((one if len(above) == 1 else many).format(names=_names(above)))
    if held and parts:
        rest = _("The other one cannot be told from the panel as a whole.")
        parts.append(_("The others cannot be told from the panel as a whole.") if held > 1 else rest)
    elif held:
        all_of_them = _("The {count} raters cannot be told from the panel as a whole.")
        parts.append(all_of_them.format(count=numbers.count(len(told) - unsure)))
    numbers_of = [
        _("{rater}: {value}, somewhere between {low} and {high}.").format(
            rater=e.name.rater, value=reach(e.estimate)[0], low=_end(e.estimate.low, e), high=_end(e.estimate.high, e)
        )
        for e in (*below, *above)
    ]
    follows = [_("The panel as a whole: {reach}.").format(reach=reach(whole)[0]), *numbers_of[:4]]
    if held > 1:
        order = _("The order of the others may be luck.") if parts[:-1] else _("Their order may be luck.")
        follows.append(order)
    if unsure:
        follows.append(
            _("For {unsure} of the {count} raters there is no interval, so nothing is said of them.").format(
                unsure=unsure, count=len(told)
            )
        )
    missing = round(100 * (1 - fit.interval[1]))
    if unsure < len(told):
        follows.append(
            _("About {missing} in 100 such intervals miss by luck alone, so look at many raters with care.").format(
                missing=missing
            )
        )
    return " ".join(parts) or _("No rater can be set beside the panel: there are no intervals."), " ".join(follows)


def _end(value: float | None, of: ParameterEstimate) -> str:
    return numbers.decimal(value, places=places(of.estimate))


def _names(group: list[ParameterEstimate]) -> str:
    """Some raters in one line."""
    names = [e.name.rater or "" for e in group]
    if len(names) < 2:
        return "".join(names)
    return _("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])


def raters(fit: Fit, ratings: Ratings) -> Rows:
    """Each rater: ratings given, accuracy, and the share of chance answers, with intervals; the surest first."""
    given = np.bincount(ratings.rater, ratings.subject_weights()[ratings.subject], len(ratings.raters))
    count = dict(zip(ratings.raters, given, strict=True))
    leanings = [e for e in fit.estimates if e.name.rater is not None and e.name.name == "p"]
    classes = list(dict.fromkeys(e.name.category for e in leanings))
    header = [_("Rater"), _("Ratings"), _("Accuracy"), _("Interval")]
    for category in classes:
        header += [_("Chance “{value}”").format(value=numbers.short(category or fit.classes[-1], 24)), _("Interval")]
    rows = []
    for e in figures_raters.accuracies(fit):
        row = [e.name.rater or "", numbers.count(count.get(e.name.rater or "", 0)), *reach(e.estimate)]
        for category in classes:
            own = [p for p in leanings if (p.name.rater, p.name.category) == (e.name.rater, category)]
            row += reach(own[0].estimate) if own else (DASH, DASH)
        rows.append(tuple(row))
    return tuple(header), rows
