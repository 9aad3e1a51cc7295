"""What a report tells with its raters called by codes, in the order of the codes: none tells that of the file."""

import re
from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.agreement.coefficient import Coefficient
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Draws, Fit, IdentifiedRange, ParameterEstimate
from tapdesk.models.parameters import ParameterName, Parameters
from tapdesk.models.slots import Slot
from tapdesk.ratings.ratings import CovariateOf, Ratings
from tapdesk.report.extras import Extras
from tapdesk.report.names import Naming
from tapdesk.studies.independence import Independence
from tapdesk.studies.surface import Surface
from tapdesk.studies.table import Cell, Table

# Parts of the parameters with a row for each rater, where raters differ.
_BY_UNIT = ("accuracy", "guessing")
# The head of a column of one rater's number: ``a[Ann]``, ``p[yes, Ann] low``.
_HEAD = re.compile(r"^(\w+\[(?:.*, )?)(.*)(\](?: low| high)?)$")


def coded_ratings(ratings: Ratings, names: Naming) -> Ratings:
    """The ratings with the raters called as in the report, in the order of their codes.

    The order of the file would give the names away to anybody who knows it.
    """
    if not names.codes:
        return ratings
    called = [names.rater(name) for name in ratings.raters]
    order, place = _by_code(called)
    covariates = {
        name: replace(c, values=c.values[order]) if c.of is CovariateOf.RATER else c
        for name, c in ratings.covariates.items()
    }
    return replace(
        ratings,
        rater=place[ratings.rater] if ratings.rater.size else ratings.rater,
        raters=tuple(called[i] for i in order),
        covariates=MappingProxyType(covariates),
    )


def _alphabetical(code: str) -> tuple[int, str]:
    """``Z`` comes before ``AA``."""
    return len(code), code


def _by_code(called: Sequence[str]) -> tuple[list[int], NDArray[np.int64]]:
    """The order of the codes, and the place of each rater in it."""
    order = sorted(range(len(called)), key=lambda i: _alphabetical(called[i]))
    place = np.empty(len(called), dtype=np.int64)
    place[order] = np.arange(len(called))
    return order, place


def _ordered(fit: Fit, names: Naming) -> Fit:
    """A fit with rows of parameters in the order of the codes, as the raters of `coded_ratings` are."""
    if not names.codes or not fit.model.by_rater or len(fit.raters) < 2:
        return fit
    order, place = _by_code([names.rater(name) for name in fit.raters])

    def moved(point: Parameters) -> Parameters:
        several = {part: getattr(point, part) for part in _BY_UNIT if getattr(point, part).shape[0] == len(order)}
        return replace(point, **{part: rows[order] for part, rows in several.items()})

    def placed(slot: Slot) -> Slot:
        if slot.part not in _BY_UNIT or getattr(fit.parameters, slot.part).shape[0] != len(order):
            return slot
        return replace(slot, index=(int(place[slot.index[0]]), *slot.index[1:]))

    return replace(
        fit,
        raters=tuple(fit.raters[i] for i in order),
        parameters=moved(fit.parameters),
        optima=tuple(replace(o, parameters=moved(o.parameters)) for o in fit.optima),
        slots=tuple(placed(slot) for slot in fit.slots),
        profiles=tuple(replace(p, slot=placed(p.slot)) for p in fit.profiles),
    )


def coded_fit(fit: Fit, names: Naming) -> Fit:
    """A fit with the raters called as in the report, its parameters in the order of their codes."""
    fit = _ordered(fit, names)

    def named(name: ParameterName) -> ParameterName:
        return _named(name, names)

    says, raters = fit.identification, tuple(names.rater(r) for r in fit.raters)
    ranges = tuple(IdentifiedRange(named(r.name), r.low, r.high, names.text(r.words)) for r in says.ranges)
    draws = fit.draws
    if draws is not None:
        draws = Draws(draws.kind, MappingProxyType({named(k): v for k, v in draws.values.items()}))
    return replace(
        fit,
        raters=raters,
        estimates=_in_order(
            [ParameterEstimate(named(e.name), e.freedom, _coded_estimate(e.estimate, names)) for e in fit.estimates],
            raters if names.codes else (),
        ),
        identification=replace(
            says,
            words=names.text(says.words),
            open_parameters=tuple(named(n) for n in says.open_parameters),
            ranges=ranges,
        ),
        active_bounds=tuple(_bound(b, fit.raters, names) for b in fit.active_bounds),
        findings=tuple(replace(f, message=names.text(f.message), fix=names.text(f.fix)) for f in fit.findings),
        profiles=tuple(replace(p, slot=replace(p.slot, name=named(p.slot.name))) for p in fit.profiles),
        slots=tuple(replace(s, name=named(s.name)) for s in fit.slots),
        draws=draws,
    )


def _in_order(told: Sequence[ParameterEstimate], raters: Sequence[str]) -> tuple[ParameterEstimate, ...]:
    """The estimates of each kind of number in the order of the raters; kinds stay where they are."""
    kinds = list(dict.fromkeys(e.name.name for e in told))
    place = {rater: i for i, rater in enumerate(raters)}
    return tuple(sorted(told, key=lambda e: (kinds.index(e.name.name), place.get(e.name.rater or "", -1))))


def _bound(text: str, raters: tuple[str, ...], names: Naming) -> str:
    """A bound such as ``p[gold, Ana] = 0`` with the rater called as in the report."""
    for rater in raters:
        for end, start in (("] =", "["), ("] =", ", ")):
            if f"{start}{rater}{end}" in text:
                return text.replace(f"{start}{rater}{end}", f"{start}{names.rater(rater)}{end}")
    return text


def _coded_estimate(estimate: Estimate, names: Naming) -> Estimate:
    def told(words: str | None) -> str | None:
        return None if words is None else names.text(words)

    return replace(estimate, undefined=told(estimate.undefined), no_interval=told(estimate.no_interval))


def coded_coefficient(found: Coefficient, names: Naming) -> Coefficient:
    """A coefficient with the raters called as in the report."""
    one, two = sorted(map(names.rater, found.raters), key=_alphabetical) if found.raters is not None else ("", "")
    pair = None if found.raters is None else (one, two)
    return replace(found, raters=pair, estimate=_coded_estimate(found.estimate, names), note=names.text(found.note))


def _coded_surface(found: Surface, names: Naming) -> Surface:
    """The likelihood over two numbers, of which one may be a rater's."""
    return replace(found, x_name=_named(found.x_name, names), y_name=_named(found.y_name, names))


def _named(name: ParameterName, names: Naming) -> ParameterName:
    return name if name.rater is None else replace(name, rater=names.rater(name.rater))


def _coded_table(table: Table, names: Naming) -> Table:
    """A table of groups with the raters called as in the report, wherever they stand: in heads, groups and reasons."""
    columns = tuple(_HEAD.sub(lambda m: f"{m[1]}{names.rater(m[2])}{m[3]}", column) for column in table.columns)
    rows = tuple(tuple(_coded_cell(cell, names) for cell in row) for row in table.rows)
    return Table(table.name, columns, rows)


def _coded_cell(cell: Cell, names: Naming) -> Cell:
    if not isinstance(cell, str):
        return cell
    return names.rater(cell) if cell in names.codes else names.text(cell)


def _coded_pairs(found: Independence, names: Naming) -> Independence:
    """Pairs of raters called as in the report, the earlier code of each pair first."""
    called = tuple(names.rater(r) for r in found.raters)
    place = _by_code(called)[1]
    turned = place[found.first] > place[found.second]
    first, second = np.where(turned, found.second, found.first), np.where(turned, found.first, found.second)
    return replace(found, raters=called, first=first, second=second)


def coded_extras(extras: Extras, names: Naming) -> Extras:
    """Studies and coefficients with the raters called as in the report."""
    if not names.codes:
        return extras
    changed: dict[str, Any] = {
        key: tuple(coded_coefficient(c, names) for c in getattr(extras, key))
        for key in ("coefficients", "all_classes", "complete")
    }
    if extras.without is not None:
        rows = [(names.rater(str(row[0])), *row[1:]) for row in extras.without.rows]
        by_code = tuple(sorted(rows, key=lambda row: _alphabetical(str(row[0]))))
        changed["without"] = replace(extras.without, rows=by_code)
    if extras.independence is not None:
        changed["independence"] = _coded_pairs(extras.independence, names)
    if extras.between is not None:
        compared = extras.between.comparison
        compared_rows = tuple(replace(row, fit=coded_fit(row.fit, names)) for row in compared.rows)
        changed["between"] = replace(extras.between, comparison=replace(compared, rows=compared_rows))
    for part in ("contour", "plan", "recovery"):
        found = getattr(extras, part)
        changed[part] = None if found is None else replace(found, fit=coded_fit(found.fit, names))
    if changed["contour"] is not None:
        surfaces = tuple(_coded_surface(made, names) for made in changed["contour"].surfaces)
        changed["contour"] = replace(changed["contour"], surfaces=surfaces)
    changed["groups"] = MappingProxyType({by: _coded_table(table, names) for by, table in extras.groups.items()})
    return replace(
        extras,
        others=tuple(coded_fit(f, names) for f in extras.others),
        by_rater=None if extras.by_rater is None else coded_fit(extras.by_rater, names),
        every_class=None if extras.every_class is None else coded_ratings(extras.every_class, names),
        reasons=MappingProxyType({k: names.text(v) for k, v in extras.reasons.items()}),
        **changed,
    )
