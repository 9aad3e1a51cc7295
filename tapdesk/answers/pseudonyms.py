"""What a report tells with raters or cases called by codes, in the order of the codes: none tells that of the file."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.agreement.coefficients import Coefficient
from tapdesk.answers.naming import WITHHELD, Naming
from tapdesk.answers.numbers import DASH
from tapdesk.answers.side_results import SideResults
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Draws, Fit, Identification, IdentifiedRange, ParameterEstimate
from tapdesk.language import PLAIN, CaseName, Message, RaterName, in_voice, joined, voice
from tapdesk.language import gettext as _
from tapdesk.models.design import Slot
from tapdesk.models.parameters import ParameterName, Parameters
from tapdesk.project.decisions.base import Decision, DecisionStatus, LogRow
from tapdesk.project.decisions.classes import (
    ColourClass,
    CountAsAbstention,
    DeclareClass,
    MergeClasses,
    RenameClass,
    ReorderClasses,
    SetClass1,
    TreatAsMissing,
)
from tapdesk.project.decisions.names import FlipRater, JoinRaters, JoinSubjects, NameRaters
from tapdesk.project.decisions.ratings import (
    AddCounts,
    AddPair,
    EditCount,
    EditRating,
    EditWeight,
    KeepRepeats,
    LeaveOutRaters,
    LeaveOutSubjects,
)
from tapdesk.project.project import Project, replay
from tapdesk.ratings.checks.panel import SILENT, UNRATED, rater_summary_findings, seats_finding
from tapdesk.ratings.findings import Finding, Severity, quoted_list
from tapdesk.ratings.ratings import CovariateOf, Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.studies.case_beliefs import CaseBeliefs
from tapdesk.studies.contour import LikelihoodSurface
from tapdesk.studies.contrasts import Contrasts
from tapdesk.studies.opposition import Opposition
from tapdesk.studies.rater_differences import RaterDifferences
from tapdesk.studies.rater_pairs import Independence
from tapdesk.studies.table import Cell, StudyTable

if TYPE_CHECKING:
    # Few raters are drawn from a population, which loads its sampler.
    from tapdesk.studies.edge_pooling import EdgePooling

# Parts of the parameters with a row for each rater, where raters differ.
_BY_UNIT = ("accuracy", "guessing")
# The head of a column of one rater's number: ``a[Ann]``, ``p[yes, Ann] low``.
_HEAD = re.compile(r"^(\w+\[(?:.*, )?)(.*)(\](?: low| high)?)$")


def coded_ratings(ratings: Ratings, names: Naming) -> Ratings:
    """The ratings with raters and cases called as in the report, in the order of their codes.

    The order of the file would give the names away to anybody who knows it.
    """
    if not names.coded:
        return ratings
    of_rater = _by_code([names.rater(name) for name in ratings.raters]) if names.codes else None
    of_case = _by_code([names.case(name) for name in ratings.subjects]) if names.cases else None
    orders = {CovariateOf.RATER: of_rater, CovariateOf.SUBJECT: of_case}
    covariates = {}
    for name, column in ratings.covariates.items():
        by_code = orders.get(column.of)
        covariates[name] = column if by_code is None else replace(column, values=column.values[by_code[0]])
    raters, subjects, weight = ratings.raters, ratings.subjects, ratings.weight
    rater, subject = ratings.rater, ratings.subject
    if of_rater is not None:
        raters = tuple(names.rater(raters[i]) for i in of_rater[0])
        rater = of_rater[1][rater] if rater.size else rater
    if of_case is not None:
        subjects = tuple(names.case(subjects[i]) for i in of_case[0])
        subject = of_case[1][subject] if subject.size else subject
        weight = None if weight is None else weight[of_case[0]]
    rows = np.lexsort((rater, subject)) if ratings.raters_known else np.argsort(subject, kind="stable")
    covariates = {
        name: replace(c, values=c.values[rows]) if c.of is CovariateOf.RATING else c for name, c in covariates.items()
    }
    return replace(
        ratings,
        subject=subject[rows],
        rater=rater[rows],
        category=ratings.category[rows],
        subjects=subjects,
        raters=raters,
        weight=weight,
        covariates=MappingProxyType(covariates),
    )


def _cases_in_order(values: NDArray[np.float64] | None, ratings: Ratings, names: Naming) -> NDArray[np.float64] | None:
    """Numbers with a row for each case, in the order of the codes."""
    if values is None or not names.cases or values.shape[0] != len(ratings.subjects):
        return values
    return values[_by_code([names.case(name) for name in ratings.subjects])[0]]


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


def coded_fit(fit: Fit, names: Naming, ratings: Ratings | None = None) -> Fit:
    """A fit with the raters called as in the report, its parameters in the order of their codes.

    Parameters
    ----------
    fit, names
        The fit, and what raters and cases are called.
    ratings
        What it was fitted to; what it says of single cases is put in the order of their codes, and left aside where
        the ratings are not known.
    """
    fit = _ordered(fit, names)
    if names.cases and fit.subject_posterior is not None:
        known = None if ratings is None else _cases_in_order(fit.subject_posterior, ratings, names)
        fit = replace(fit, subject_posterior=known)

    def named(name: ParameterName) -> ParameterName:
        return _named(name, names)

    says, raters = fit.identification, tuple(names.rater(r) for r in fit.raters)
    ranges = tuple(IdentifiedRange(named(r.name), r.low, r.high, names.text(r.words, "")) for r in says.ranges)
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
            words=names.text(says.words, _open(says, names)),
            open_parameters=tuple(named(n) for n in says.open_parameters),
            ranges=ranges,
        ),
        active_bounds=tuple(_bound(b, fit.raters, names) for b in fit.active_bounds),
        findings=tuple(replace(f, message=names.text(f.message), fix=names.text(f.fix, "")) for f in fit.findings),
        profiles=tuple(replace(p, slot=replace(p.slot, name=named(p.slot.name))) for p in fit.profiles),
        slots=tuple(replace(s, name=named(s.name)) for s in fit.slots),
        draws=draws,
    )


def _in_order(estimates: Sequence[ParameterEstimate], raters: Sequence[str]) -> tuple[ParameterEstimate, ...]:
    """The estimates of each kind of number in the order of the raters; kinds stay where they are."""
    kinds = list(dict.fromkeys(e.name.name for e in estimates))
    place = {rater: i for i, rater in enumerate(raters)}
    return tuple(sorted(estimates, key=lambda e: (kinds.index(e.name.name), place.get(e.name.rater or "", -1))))


def _open(says: Identification, names: Naming) -> str:
    """What cannot be told apart, said anew where the sentence of the fit holds names."""
    if not says.open_parameters:
        return WITHHELD
    listed = joined(*(_named(name, names).as_message() for name in says.open_parameters), sep=", ")
    return _("These data cannot tell {parameters}: many values fit equally well.").format(parameters=listed)


def _bound(text: str, raters: tuple[str, ...], names: Naming) -> str:
    """A bound such as ``p[gold, Ana] = 0`` with the rater called as in the report."""
    if isinstance(text, Message):
        return names.text(text)
    # As files of earlier versions keep it.
    for rater in raters:
        for end, start in (("] =", "["), ("] =", ", ")):
            if f"{start}{rater}{end}" in text:
                return text.replace(f"{start}{rater}{end}", f"{start}{names.rater(rater)}{end}")
    return text


def _coded_estimate(estimate: Estimate, names: Naming) -> Estimate:
    def without_names(words: str | None) -> str | None:
        return None if words is None else names.text(words, _("the {ratings} do not tell it"))

    return replace(
        estimate, undefined=without_names(estimate.undefined), no_interval=without_names(estimate.no_interval)
    )


def coded_coefficient(coefficient: Coefficient, names: Naming) -> Coefficient:
    """A coefficient with the raters called as in the report."""
    one, two = (
        sorted(map(names.rater, coefficient.raters), key=_alphabetical) if coefficient.raters is not None else ("", "")
    )
    pair = None if coefficient.raters is None else (one, two)
    return replace(
        coefficient,
        raters=pair,
        estimate=_coded_estimate(coefficient.estimate, names),
        note=names.text(coefficient.note, ""),
    )


def _coded_surface(surface: LikelihoodSurface, names: Naming) -> LikelihoodSurface:
    """The likelihood over two numbers, of which one may be a rater's."""
    return replace(surface, x_name=_named(surface.x_name, names), y_name=_named(surface.y_name, names))


def _named(name: ParameterName, names: Naming) -> ParameterName:
    return name if name.rater is None else replace(name, rater=names.rater(name.rater))


def _coded_table(table: StudyTable, names: Naming) -> StudyTable:
    """A table of groups with the raters called as in the report, wherever they stand: in heads, groups and reasons."""
    columns = tuple(_HEAD.sub(lambda m: f"{m[1]}{names.rater(m[2])}{m[3]}", column) for column in table.columns)
    rows = tuple(tuple(_coded_cell(cell, names) for cell in row) for row in table.rows)
    return StudyTable(table.name, columns, rows)


def _coded_cell(cell: Cell, names: Naming) -> Cell:
    if not isinstance(cell, str):
        return cell
    return names.rater(cell) if cell in names.codes else names.text(cell, DASH)


def _coded(value: Any, names: Naming, ratings: Ratings) -> Any:
    """Whatever a study has found, the fits, surfaces and tables inside it called as in the report."""
    if isinstance(value, Fit):
        return coded_fit(value, names, ratings)
    if isinstance(value, LikelihoodSurface | StudyTable):
        return _coded_surface(value, names) if isinstance(value, LikelihoodSurface) else _coded_table(value, names)
    if isinstance(value, RaterName):
        return RaterName(names.rater(value))
    if isinstance(value, CaseName):
        return CaseName(names.case(value))
    return _coded_inside(value, names, ratings)


def _coded_inside(value: Any, names: Naming, ratings: Ratings) -> Any:
    """The same of what holds other things."""
    if isinstance(value, tuple):
        return tuple(_coded(one, names, ratings) for one in value)
    if isinstance(value, Mapping):
        return MappingProxyType({key: _coded(one, names, ratings) for key, one in value.items()})
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _coded(getattr(value, f.name), names, ratings) for f in fields(value)})
    return value


def _coded_pairs(independence: Independence, names: Naming) -> Independence:
    """Pairs of raters called as in the report, the earlier code of each pair first."""
    called = tuple(names.rater(r) for r in independence.raters)
    place = _by_code(called)[1]
    turned = place[independence.first] > place[independence.second]
    first, second = (
        np.where(turned, independence.second, independence.first),
        np.where(turned, independence.first, independence.second),
    )
    return replace(independence, raters=called, first=first, second=second)


def _coded_differences(differences: RaterDifferences, names: Naming) -> RaterDifferences:
    """How raters differ, called as in the report."""
    apart = tuple(sorted(map(names.rater, differences.apart), key=_alphabetical))
    return replace(differences, raters=tuple(map(names.rater, differences.raters)), apart=apart)


def _coded_pooling(pooled: "EdgePooling", names: Naming, ratings: Ratings) -> "EdgePooling":
    """Raters drawn from one population, called as in the report."""
    edge, few = _sorted(names.rater, pooled.edge), _sorted(names.rater, pooled.few)
    return replace(pooled, fit=coded_fit(pooled.fit, names, ratings), edge=edge, few=few)


def _coded_contrasts(contrasts: Contrasts | None, names: Naming) -> Contrasts | None:
    """How raters differ from the panel and from each other, called as in the report."""
    if contrasts is None:
        return None
    return replace(
        contrasts, names=tuple(map(names.rater, contrasts.names)), informed=tuple(map(names.rater, contrasts.informed))
    )


def _coded_opposition(opposition: Opposition, names: Naming, ratings: Ratings) -> Opposition:
    """Who contradicts whom, in the order of the codes."""

    def called(group: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(map(names.rater, group), key=_alphabetical))

    preview = None if opposition.preview is None else coded_fit(opposition.preview, names, ratings)
    groups = tuple(called(group) for group in opposition.groups)
    return replace(opposition, turned=called(opposition.turned), groups=groups, preview=preview)


def _coded_beliefs(beliefs: CaseBeliefs | None, names: Naming, ratings: Ratings) -> CaseBeliefs | None:
    """What is believed about each case, in the order of their codes."""
    probability = None if beliefs is None else _cases_in_order(beliefs.probability, ratings, names)
    return None if beliefs is None or probability is None else replace(beliefs, probability=probability)


# What is noticed of raters and cases by their ratings alone is told anew.
_ANEW = frozenset(
    {
        "repeats_same", "repeats_different", "raters_with_one_rating", "constant_rater", "different_subsets",
        "disconnected_panels", "identical_raters", "looks_like_consensus", "reversed_rater", "seats_or_people",
    }
)  # fmt: skip


def coded_findings(reading: Reading, names: Naming) -> tuple[Finding, ...]:
    """What reading noticed, with raters and cases called as in the report; what cannot be said so is left out."""
    if not names.secrets.names:
        return in_voice(reading.findings)
    anew: dict[str, list[Finding]] = {f.code: [] for f in reading.findings if f.code in _ANEW}
    if names.coded and anew:
        coded = coded_ratings(reading.as_read, names)
        for made in (*rater_summary_findings(coded), seats_finding(coded)):
            if made.code in anew:
                anew[made.code].append(made)
    findings: list[Finding] = []
    for finding in reading.findings:
        if names.coded and finding.code in _ANEW and finding.severity is not Severity.DECIDED:
            findings += anew.pop(finding.code, [])
        else:
            findings.append(_coded_finding(finding, names))
    return tuple(findings)


def coded_reading(reading: Reading, names: Naming) -> Reading:
    """What was read, as it is told beside a document: file, findings and account call nobody by a name it hides."""
    if not names.coded:
        return reading
    account, source = reading.account, reading.source
    if account is not None:
        raters = [replace(row, name=names.rater(row.name)) for row in account.raters]
        if names.codes:
            raters.sort(key=lambda row: _alphabetical(row.name))
        sheets = tuple(replace(row, name=names.text(row.name, DASH)) for row in account.sheets)
        account = replace(account, raters=tuple(raters), sheets=sheets)
    called = replace(source, name=names.file(source.name, source.sha256))
    return replace(reading, source=called, findings=coded_findings(reading, names), account=account)


def _coded_finding(finding: Finding, names: Naming) -> Finding:
    """A finding as it may be printed."""
    message = names.text(finding.message)
    if finding.code in {UNRATED, SILENT} and names.coded:
        # Those it names are in no ratings: their names are not looked for, so they are told by code or not at all.
        called = names.case if finding.code == UNRATED else names.rater
        by_code = names.cases if finding.code == UNRATED else names.codes
        named = [called(name) for group in finding.about for name in group]
        if by_code and not named:
            message = WITHHELD
        elif by_code:
            sentence = (
                _("{Subjects} without any {rating}: {names}.")
                if by_code is names.cases
                else _("{Raters} without any {rating}: {names}.")
            )
            message = sentence.format(names=quoted_list(sorted(named, key=_alphabetical)))
    return replace(
        finding,
        # The letter of a column tells where in the file a rater stands, whatever the rater is called.
        where=where if (where := names.text(finding.where, DASH)) == finding.where else DASH,
        message=message,
        fix=names.text(finding.fix, ""),
        default=names.text(finding.default, ""),
        about=(),
    )


# Decisions about classes and repeats alone: their sentences hold no name of anybody.
_OF_CLASSES = (
    SetClass1,
    ReorderClasses,
    DeclareClass,
    MergeClasses,
    RenameClass,
    ColourClass,
    TreatAsMissing,
    CountAsAbstention,
    KeepRepeats,
)


def coded_log(project: Project, names: Naming) -> tuple[LogRow, ...]:
    """The Decisions log with raters and cases called as in the report, its sentences made anew from the decisions."""
    log, in_force = project.log, project.in_force
    if names.coded and project.reading is not None:
        decided = tuple(replace(d, decision=_coded_decision(d.decision, names)) for d in in_force)
        log = replay(coded_ratings(project.reading.as_read, names), decided, project.question).log
    return tuple(
        replace(
            row,
            words=row.words if isinstance(entry.decision, _OF_CLASSES) else names.text(row.words),
            problem=names.text(row.problem, ""),
            reason=names.text(row.reason),
        )
        for row, entry in zip(log, in_force, strict=True)
        if row.standing is not DecisionStatus.ELSEWHERE
    )


def _coded_decision(decision: Decision, names: Naming) -> Decision:
    """A decision about raters or cases called as in the report."""
    if isinstance(decision, NameRaters) and names.codes:
        pairs = ((names.rater(old), names.rater(new)) for old, new in decision.names)
        return NameRaters(tuple(sorted(pairs, key=lambda pair: _alphabetical(pair[0]))))
    called = names.rater if isinstance(decision, JoinRaters | LeaveOutRaters) else names.case
    if isinstance(decision, JoinRaters | JoinSubjects):
        return replace(decision, names=_sorted(called, decision.names), into=called(decision.into))
    if isinstance(decision, LeaveOutRaters | LeaveOutSubjects):
        return replace(decision, names=_sorted(called, decision.names))
    if isinstance(decision, FlipRater | EditRating):
        decision = replace(decision, rater=names.rater(decision.rater))
    if isinstance(decision, EditRating | EditWeight | EditCount | AddPair | AddCounts):
        decision = replace(decision, subject=names.case(decision.subject))
    return decision


def _sorted(called: Callable[[str], str], names: Sequence[str]) -> tuple[str, ...]:
    """What people are called, in the order of the codes."""
    return tuple(sorted(map(called, names), key=_alphabetical))


def coded_results(extras: SideResults, names: Naming, ratings: Ratings) -> SideResults:
    """Studies and coefficients of some ratings with raters and cases called as in the report."""
    if not names.coded:
        return extras if voice() == PLAIN else in_voice(extras)
    changed: dict[str, Any] = {
        key: tuple(coded_coefficient(c, names) for c in getattr(extras, key))
        for key in ("coefficients", "all_classes", "complete")
    }
    if extras.without is not None:
        cells = [tuple(_coded_cell(cell, names) for cell in row[1:]) for row in extras.without.rows]
        rows = [(names.rater(str(row[0])), *more) for row, more in zip(extras.without.rows, cells, strict=True)]
        by_code = tuple(sorted(rows, key=lambda row: _alphabetical(str(row[0]))))
        changed["without"] = replace(extras.without, rows=by_code)
    if extras.independence is not None:
        changed["independence"] = _coded_pairs(extras.independence, names)
    if extras.differences is not None:
        changed["differences"] = _coded_differences(extras.differences, names)
    if extras.opposition is not None:
        changed["opposition"] = _coded_opposition(extras.opposition, names, ratings)
    if extras.pooled is not None:
        changed["pooled"] = _coded_pooling(extras.pooled, names, ratings)
    changed["on_demand"] = MappingProxyType({k: _coded(v, names, ratings) for k, v in extras.on_demand.items()})
    return replace(
        extras,
        others=tuple(coded_fit(f, names, ratings) for f in extras.others),
        by_rater=None if extras.by_rater is None else coded_fit(extras.by_rater, names, ratings),
        panel=None if extras.panel is None else coded_fit(extras.panel, names, ratings),
        rater_contrasts=_coded_contrasts(extras.rater_contrasts, names),
        beliefs=_coded_beliefs(extras.beliefs, names, ratings),
        every_class=None if extras.every_class is None else coded_ratings(extras.every_class, names),
        reasons=MappingProxyType({k: names.text(v) for k, v in extras.reasons.items()}),
        **changed,
    )
