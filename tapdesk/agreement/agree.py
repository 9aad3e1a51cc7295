"""Every agreement coefficient that is defined for the data, and the reasons for the others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from tapdesk.agreement.catalog import COEFFICIENTS, Kind
from tapdesk.agreement.coefficient import Coefficient
from tapdesk.agreement.intervals import analytic, bootstrap
from tapdesk.agreement.quantity import Case, Usage
from tapdesk.agreement.redraws import redraws
from tapdesk.agreement.tables import Tables
from tapdesk.agreement.weights import Weights
from tapdesk.agreement.weights import weights as named_weights
from tapdesk.errors import UsageError
from tapdesk.estimate import Estimate, undefined
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings

REPEATS = _("Repeated ratings of a case by one rater share that rater's vote.")
RARE = 30
FEW = _(
    "Fewer than {rare} ratings lie outside the commonest class: an interval from so few is often "
    "too narrow and should not be relied on."
).format(rare=RARE)
Interval: TypeAlias = Literal["analytic", "bootstrap", "none"]


@dataclass(frozen=True, eq=False)
class _Row:
    """One coefficient to come: its kind, its weights and what there is to evaluate."""

    kind: Kind
    weights: str | None
    case: Case


def agree(
    ratings: Ratings,
    *,
    weights: Sequence[str | Weights] = ("identity",),
    level: float = 0.95,
    interval: Interval = "analytic",
    replicates: int = 2000,
    seed: int = 1,
) -> Run[tuple[Coefficient, ...]]:
    """All coefficients of the catalog on one set of ratings.

    Missing ratings are simply absent: each coefficient uses the pairs of ratings there are, and tells how many
    subjects and ratings it used and left out. Tallied subjects count as often as they stand for. Repeats of one rater
    on a subject share that rater's vote (``tables.py``).

    Parameters
    ----------
    ratings
        The data.
    weights
        Names (``identity``, ``linear``, ``quadratic``, ``ordinal``) or matrices from ``own_weights``.
    level
        Of the intervals, between 0 and 1.
    interval
        ``analytic`` by standard errors or F, ``bootstrap`` by re-drawing subjects, ``none``.
    replicates, seed
        Of the bootstrap.

    Yields
    ------
    Step
        Phase ``coefficients``, then ``re-draws`` where asked for.

    Raises
    ------
    UsageError
        When weights, level, interval or replicates make no sense.
    """
    if not 0 < level < 1:
        raise UsageError(
            _("The level {level:g} is not between 0 and 1.").format(level=level), fix=_("Use 0.95 for 95 %.")
        )
    if interval not in {"analytic", "bootstrap", "none"}:
        raise UsageError(
            _("There is no interval '{interval}'.").format(interval=interval),
            fix=_("Choose from: analytic, bootstrap, none."),
        )
    if interval == "bootstrap" and replicates < 2:
        raise UsageError(
            _("{replicates} re-draws are too few.").format(replicates=replicates),
            fix=_("Use 2000 or more for an interval."),
        )
    tables = Tables(ratings)
    schemes = [named_weights(choice, ratings) for choice in weights]
    labels = [choice if isinstance(choice, str) else choice.name for choice in weights]
    found: list[Coefficient] = []
    pending: list[_Row] = []
    everything = tables.pattern_usage(np.ones(tables.weight.size, dtype=bool))
    for done, kind in enumerate(COEFFICIENTS):
        yield Step(done, len(COEFFICIENTS), "coefficients")
        for row in _rows(kind, tables, schemes, labels, everything):
            if interval == "bootstrap":
                pending.append(row)
            else:
                found.append(_reported(row, level if interval == "analytic" else None))
    yield Step(len(COEFFICIENTS), len(COEFFICIENTS), "coefficients")
    if interval == "bootstrap":
        found = yield from _bootstrapped(tables, pending, level, replicates, seed)
    return tuple(found)


def _rows(
    kind: Kind, tables: Tables, schemes: Sequence[Weights | str], labels: Sequence[str], everything: Usage
) -> Iterator[_Row]:
    """What one kind has to report: under each of the weights that have a meaning for it, or once."""
    chosen: list[tuple[str, Weights | str]] = []
    for label, scheme in zip(labels, schemes, strict=True):
        named = isinstance(scheme, str) or scheme.name in {"linear", "quadratic", "ordinal"}
        identity = label == "identity"
        if not identity and (kind.named_weights if named else kind.own_weights):
            chosen.append((label, scheme))
    if "identity" in labels or not kind.named_weights:
        chosen.insert(0, ("identity", named_weights("identity", tables.ratings)))
    for label, scheme in chosen:
        for case in kind.cases(tables, scheme):
            # What is refused is refused on all there is.
            whole = case.quantity is None and case.raters is None
            told = replace(case, usage=everything) if whole else case
            if case.quantity is not None:
                notes = (
                    tables.repeats and REPEATS,
                    kind.frail and tables.outside_commonest() < RARE and FEW,
                    told.note,
                )
                told = replace(told, note=joined(*(n for n in notes if n)))
            yield _Row(kind, label if kind.weighted else case.weights, told)


def _reported(row: _Row, level: float | None) -> Coefficient:
    """A row with its large-sample standard error and interval."""
    case = row.case
    if case.quantity is None:
        return _coefficient(row, undefined(case.reason or case.otherwise), "")
    return _coefficient(row, *analytic(case.quantity, level, case.otherwise))


def _bootstrapped(
    tables: Tables, rows: Sequence[_Row], level: float, replicates: int, seed: int
) -> Run[list[Coefficient]]:
    """All rows with the spread of their re-draws."""
    quantities = [row.case.quantity for row in rows if row.case.quantity is not None]
    draws = yield from redraws(tables.weight, quantities, replicates, seed)
    spread = iter(draws)
    found = []
    for row in rows:
        if row.case.quantity is None:
            found.append(_reported(row, level))
        else:
            found.append(_coefficient(row, *bootstrap(row.case.quantity, next(spread), level, row.case.otherwise)))
    return found


def _coefficient(row: _Row, estimate: Estimate, note: str) -> Coefficient:
    case = row.case
    notes = joined(case.note, note)
    return Coefficient(
        row.kind.name,
        row.weights,
        case.metric,
        case.category,
        case.raters,
        estimate,
        case.usage.subjects,
        case.usage.ratings,
        case.usage.left_out,
        notes,
    )
