"""Models side by side on the same ratings, and which of them may be compared at all (models.md §3, §8)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.model import Truth
from tapdesk.models.stack import FloatArray
from tapdesk.studies.percentiles import STUCK, TOO_OFTEN_OPEN, with_value
from tapdesk.studies.table import Cell, Table

# With two classes and pooled raters these say the same of any data: a mixture of two binomials.
ONE_MAXIMUM = ("t-a-p", "t-ak-p", "t-a0a1-p0p1")
_CRITERIA = ("log_likelihood", "parameters", "aic", "bic", "krits", "krits_imputed")
COLUMNS = ("model", *_CRITERIA, "accuracy", "accuracy_low", "accuracy_high", "note")
_SAME = _(
    "With two classes and raters not told apart, the models {names} reach the same best "
    "likelihood on any data, so the data cannot choose between them."
)
_RATES = _("Its rates were taken from the data, not estimated, so its AIC and BIC are too favourable.")
_EDGE = _("The estimate lies on the edge of what is possible, where re-draws do not show how uncertain it is.")
_BESIDE = _("The interval does not hold the estimate, so it is not shown.")
_MOST_LOST, _NO_SPREAD = 0.5, 1e-9
# Below this many cases BIC would charge less for a number than AIC does: both are for many cases.
_FEWEST = 8
_FEW = _("With fewer than {fewest} cases AIC and BIC do not tell models apart.").format(fewest=_FEWEST)
_MORE = _("It has as many numbers as there are cases, or more, so counting them means nothing.")
_OPEN = _("The data do not determine all its parameters, so counting them means nothing.")


@dataclass(frozen=True, eq=False)
class Row:
    """One model.

    Attributes
    ----------
    fit
        Its fit.
    comparable
        Whether its AIC and BIC may be set beside those of others.
    note
        Why not, or with which reservation; empty when there is nothing to say.
    """

    fit: Fit
    comparable: bool
    note: str


@dataclass(frozen=True, eq=False)
class Comparison:
    """Models on one set of ratings.

    Attributes
    ----------
    rows
        In the order given.
    by_aic, by_bic
        Index of the best row that may be compared; None when fewer than two may.
    words
        What must be said before any row is read; empty when nothing.
    """

    rows: tuple[Row, ...]
    by_aic: int | None
    by_bic: int | None
    words: str

    def table(self) -> Table:
        """The rows as a table; AIC and BIC are None where they may not be compared, accuracies by `mean_accuracy`."""
        return Table("comparison", COLUMNS, tuple(self._told(row) for row in self.rows))

    def _told(self, row: Row) -> tuple[Cell, ...]:
        fit = row.fit
        criteria = (fit.aic, fit.bic) if row.comparable else (None, None)
        krits = (fit.krits.marginal, fit.krits.imputed)
        a = mean_accuracy(fit)
        accuracy = (None, None, None) if a is None else (a.value, a.low, a.high)
        return (fit.model.name, fit.log_likelihood.ratings, fit.free, *criteria, *krits, *accuracy, row.note)


def compare_fits(fits: Sequence[Fit]) -> Comparison:
    """Set fits of the same ratings side by side.

    Parameters
    ----------
    fits
        One for each model, of the same data.

    Raises
    ------
    UsageError
        When the fits are not of the same ratings.
    """
    if len({(f.subjects, f.ratings, f.classes) for f in fits}) > 1:
        raise UsageError(_("These fits are of different ratings, so they cannot be compared."))
    shared = [f.model.name for f in fits if f.model.name in ONE_MAXIMUM and len(f.classes) == 2]
    same = _SAME.format(names=", ".join(shared)) if len(shared) > 1 else ""
    few = bool(fits) and fits[0].subjects < _FEWEST
    words = joined(same, _FEW if few else "")
    rows = []
    for fit in fits:
        comparable, note = True, ""
        if fit.model.name in shared[1:]:
            # The first of them stands for all against the other models.
            comparable, note = False, same
        elif not fit.identification.by_design:
            comparable, note = False, _OPEN
        elif few:
            # Said once, before all rows.
            comparable = False
        elif fit.free >= fit.subjects:
            comparable, note = False, _MORE
        elif fit.model.truth is Truth.OBSERVED:
            note = _RATES
        rows.append(Row(fit, comparable, note))
    # A model whose rates came from the data is shown, but never wins by that.
    able = [i for i, row in enumerate(rows) if row.comparable and row.note != _RATES]
    if len(able) < 2:
        return Comparison(tuple(rows), None, None, words)
    by_aic, by_bic = min(able, key=lambda i: fits[i].aic), min(able, key=lambda i: fits[i].bic)
    return Comparison(tuple(rows), by_aic, by_bic, words)


def mean_accuracy(fit: Fit) -> Estimate | None:
    """The accuracy of a model as one number, the mean over raters or classes; None where it is not determined.

    Where the fit has re-draws its interval is theirs; there is none on the edge of what is possible.
    """
    told = [e for e in fit.estimates if e.name.name in {"a", "a0", "a1"}]
    values = [e.estimate.value for e in told if e.estimate.value is not None]
    if not told or len(values) < len(told):
        return None
    mean = Estimate(float(np.mean(values)))
    if fit.draws is None:
        return told[0].estimate if len(told) == 1 else mean
    drawn = fit.draws.values
    known = with_value(fit, drawn)
    defined = np.all([known[e.name] for e in told], axis=0)
    ends = _middle(np.mean([drawn[e.name] for e in told], axis=0)[defined], fit.interval[1])
    reason = None
    if any(bound.startswith(("a", "t")) for bound in fit.active_bounds):
        reason = _EDGE
    elif defined.mean() < _MOST_LOST:
        reason = TOO_OFTEN_OPEN
    elif ends[1] - ends[0] < _NO_SPREAD:
        reason = STUCK
    elif not ends[0] <= (mean.value or 0.0) <= ends[1]:
        reason = _BESIDE
    return mean.without_interval(reason) if reason else mean.between(*ends, fit.interval[1], fit.draws.kind)


def _middle(values: FloatArray, level: float) -> tuple[float, float]:
    """The middle share of some values; no width where there are none."""
    if not values.size:
        return 0.0, 0.0
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
