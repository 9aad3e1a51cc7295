"""What stands beside an answer and takes time: every study once, when it belongs to an answer, and how it is run.

One row of `SIDE_STUDIES` is one field of `tapdesk.answers.side_results.SideResults`; window, report, letters and
command line work out the same rows, so that none of them can choose another study, model or number of data sets.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

from tapdesk.agreement.coefficients import Coefficient, agree
from tapdesk.agreement.interpretation import shows_paradox as differ
from tapdesk.answers import grid_studies as grid
from tapdesk.answers.brief import STUDIES as BRIEF_STUDIES
from tapdesk.answers.demands import Choice, Selection
from tapdesk.answers.faults import Bug, Fault, attempted
from tapdesk.answers.misfit import raters_differ
from tapdesk.answers.part import Answer, Part
from tapdesk.answers.parts import PARTS
from tapdesk.answers.raters import panel_fit
from tapdesk.answers.side_results import (
    ALL,
    MOST_APART,
    STUDIES,
    Basis,
    SideResults,
    Wanted,
    apart,
    each_left_out,
    few_classes,
    limited,
    several_known,
)
from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy, model
from tapdesk.progress import Run, Step
from tapdesk.project.awards import award_request
from tapdesk.project.project import Analysis, Project
from tapdesk.project.shown import main_analysis
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.case_beliefs import CaseBeliefs, case_beliefs
from tapdesk.studies.chance import chance_of, horizon
from tapdesk.studies.contrasts import Contrasts, class_contrasts, rater_contrasts
from tapdesk.studies.likelihood_ratio import goodness_of_fit
from tapdesk.studies.model_comparison import grid_fits
from tapdesk.studies.opposition import opposition
from tapdesk.studies.paradox import Paradox, paradox
from tapdesk.studies.rater_differences import few_leanings, rater_differences
from tapdesk.studies.rater_pairs import independence
from tapdesk.studies.rater_slopes import rater_slopes
from tapdesk.studies.scan import Direction, Scan, pairs, scan
from tapdesk.studies.subsets import influence
from tapdesk.studies.table import StudyTable

T = TypeVar("T")

# So many numbers have intervals from their profiles.
_MOST_PROFILED = 30
_LEAST_HORIZON = 1000


@dataclass(frozen=True, slots=True)
class SideStudy:
    """One row: the name of a field of the side results, whether it belongs to an answer, and its run."""

    name: str
    belongs: Callable[[Basis], bool]
    run: Callable[[Basis], Run[Any]]


def work_out(
    project: Project, wanted: Wanted | None = None, only: Collection[str] = (), before: SideResults | None = None
) -> Run[SideResults]:
    """Work out what stands beside the answer of a project.

    Parameters
    ----------
    project
        The work; without ratings there is nothing to work out.
    wanted
        Level, seed, data sets and studies; by default every study that stands by itself, with level and seed of the
        project's own answer.
    only
        Names of the studies to work out now; by default all that are wanted.
    before
        What was worked out earlier beside the same answer: it is kept, and later studies may use it.

    Yields
    ------
    Step
        Phase ``report`` before each study, and the phases of its runs.
    """
    if project.reading is None:
        return SideResults()
    main = main_analysis(project)
    if wanted is None:
        wanted = ALL if main is None else replace(ALL, level=main.request.level, seed=main.request.seed)
    known = {} if before is None else _values(before, project, wanted)
    basis = _basis(project, main, wanted, known)
    only = only or (_of_brief(main) if wanted.brief else ())
    every = [s for s in (*SIDE_STUDIES, *ON_DEMAND) if not only or s.name in only]
    whole = _whole_answer(main) if wanted.brief else ""
    rows = [study for study in every if study.name not in known and study.belongs(basis)]
    rows.sort(key=lambda study: study.name != whole)
    faults: list[Fault] = []
    for done, study in enumerate(rows):
        if whole in known:
            break
        yield Step(done, len(rows), "report")
        try:
            made = yield from attempted(_begun(study, basis))
        except TapdeskError as error:
            basis.reasons[study.name] = error.what
            continue
        if isinstance(made, Bug):
            section, title = TITLES[study.name]
            faults.append(Fault(section, title, made.error, whole=False))
        else:
            known[study.name] = made
    yield Step(len(rows), len(rows), "report")
    table = {study.name: known.pop(study.name) for study in ON_DEMAND if study.name in known}
    return SideResults(
        fingerprint=project.data_fingerprint,
        wanted=wanted,
        **known,
        on_demand=MappingProxyType(table),
        reasons=MappingProxyType(basis.reasons),
        faults=tuple(faults),
    )


def _whole_answer(main: Analysis | None) -> str:
    """The study that alone makes the brief of a question, if it has an answer; empty where there is none."""
    return "awards" if main is not None and main.question == "awards" else ""


def _of_brief(main: Analysis | None) -> frozenset[str]:
    """The studies that can change a word of a brief."""
    if whole := _whole_answer(main):
        return BRIEF_STUDIES | {whole}
    return BRIEF_STUDIES | ({"scan"} if main is not None and main.question == "lines" else frozenset())


def _values(before: SideResults, project: Project, wanted: Wanted) -> dict[str, Any]:
    """What there is of studies of the same ratings, with the same level, seed and data sets; by name."""
    made = before.wanted
    numbers = (wanted.level, wanted.replicates, wanted.seed)
    if made is None or before.fingerprint != project.data_fingerprint:
        return {}
    if (made.level, made.replicates, made.seed) != numbers:
        return {}
    values = ((study.name, getattr(before, study.name)) for study in SIDE_STUDIES)
    return {name: value for name, value in values if value is not None and value != ()}


def on_demand(part: Part, answer: Answer, choice: Choice) -> Run[SideResults]:
    """Work out one part on demand beside an answer: the same as a report of it works out.

    Yields
    ------
    Step
        The phases of its study.

    Raises
    ------
    CannotAnswerError
        When these ratings cannot be asked.
    """
    if part.study is None or answer.analysis is None:
        raise ValueError(f"nothing is worked out on demand for '{part.key}'")
    request, fit, reasons = answer.analysis.request, answer.result, dict[str, str]()
    wanted = replace(ALL, level=request.level, seed=request.seed, selection=Selection({part.key: choice}))
    fit = fit if fit is not None and fit.classes == answer.ratings.classes else None
    result = yield from part.study(Basis(answer.ratings, answer.every, fit, request, wanted, {}, reasons))
    return SideResults(wanted=wanted, on_demand=MappingProxyType({part.key: result}), reasons=MappingProxyType(reasons))


def _basis(project: Project, main: Analysis | None, wanted: Wanted, known: dict[str, Any]) -> Basis:
    ratings = project.ratings
    fit = main.fit if main is not None else None
    fit = fit if fit is not None and fit.classes == ratings.classes else None
    request = Request(model("t-a-p")) if main is None else main.request
    asked = award_request(project) if "awards" in wanted.selection else None
    return Basis(ratings, project.all_classes, fit, request, wanted, known, {}, asked)


def _begun(study: SideStudy, basis: Basis) -> Run[Any]:
    """A study that is begun when its turn comes: what stops its making stops no other."""
    return (yield from study.run(basis))


def weights(ratings: Ratings) -> tuple[str, ...]:
    """The weights that make sense: credit for near misses only where the order of classes means something.

    Of very many ratings plain matches only, or every pair of raters would have to be gone through three times.
    """
    if ratings.subject.size > MOST_APART:
        return ("identity",)
    return ("identity", "linear", "quadratic") if ratings.ordered and len(ratings.classes) > 2 else ("identity",)


def _value(result: T) -> Run[T]:
    """A run that is over at once."""
    yield Step(1, 1, "report")
    return result


def _coefficients(basis: Basis) -> Run[tuple[Coefficient, ...]]:
    ratings = basis.ratings
    return (yield from agree(ratings, weights=weights(ratings), level=basis.wanted.level))


def _all_classes(basis: Basis) -> Run[tuple[Coefficient, ...]]:
    return (yield from agree(basis.every, weights=weights(basis.every), level=basis.wanted.level))


def _complete(basis: Basis) -> Run[tuple[Coefficient, ...]]:
    """Coefficients of the subjects that have as many ratings as any, where some have fewer."""
    ratings = basis.ratings
    if ratings.subject.size > MOST_APART:
        raise CannotAnswerError(_("With this many {ratings} the study is left out of the report."))
    each = ratings.ratings_per_subject()
    most = int(each.max(initial=0))
    full = each == most
    weight = ratings.subject_weights()
    if full.all() or most < 2 or weight[full].sum() < 5:
        raise CannotAnswerError(_("Every {subject} has the same number of {ratings}, or too few have all of them."))
    return (yield from agree(ratings.keep(full[ratings.subject]), level=basis.wanted.level))


def _paradox(basis: Basis) -> Run[Paradox | None]:
    """The exact posteriors, where agreement is high, kappa low, and one of two classes rare."""
    yield Step(0, 1, "report")
    ratings, coefficients = basis.ratings, basis.known.get("coefficients", ())
    if len(ratings.classes) != 2 or not differ(coefficients, float(ratings.class_rates().max(initial=0.0))):
        return None
    return (yield from paradox(ratings, coefficients, basis.wanted.seed))


def _opposition(basis: Basis) -> Run[Any]:
    ratings, wanted = basis.ratings, basis.wanted
    request = replace(basis.request, level=wanted.level, seed=wanted.seed)
    return apart(ratings, lambda: opposition(ratings, request))


def _differences(basis: Basis) -> Run[Any]:
    ratings, wanted = basis.ratings, basis.wanted
    return limited(ratings, lambda: rater_differences(ratings, wanted.replicates, wanted.seed, basis.key))


def _slopes(basis: Basis) -> Run[Any]:
    ratings, wanted, fit = basis.ratings, basis.wanted, basis.answer
    return apart(ratings, lambda: rater_slopes(ratings, fit.model, wanted.seed, wanted.level))


def _chance(basis: Basis) -> Run[Any]:
    ratings, wanted = basis.ratings, basis.wanted
    return limited(ratings, lambda: chance_of(ratings, wanted.replicates, wanted.seed))


def _horizon(basis: Basis) -> Run[Any]:
    ratings, wanted = basis.ratings, basis.wanted
    return limited(ratings, lambda: horizon(ratings, max(wanted.replicates, _LEAST_HORIZON), wanted.seed))


def _goodness(basis: Basis) -> Run[Any]:
    ratings, wanted, fit = basis.ratings, basis.wanted, basis.answer
    return apart(
        ratings,
        lambda: goodness_of_fit(ratings, fit.model, wanted.replicates, wanted.seed, fit),
        by_rater=basis.by_rater,
    )


def _panel(basis: Basis) -> Run[Fit]:
    return panel_fit(basis.ratings, basis.request)


def _by_rater(basis: Basis) -> Run[Fit]:
    """Each rater's own accuracy: the answer itself where it tells them, else the model that pays for its numbers."""
    fit, ratings, wanted = basis.fit, basis.ratings, basis.wanted
    if fit is not None and fit.model.accuracy is Accuracy.PER_RATER:
        return (yield from _value(fit))
    untold, settled = "", []
    for name in ("t-aj-pj", "t-aj-p") if few_leanings(ratings) else ("t-aj-p",):
        row = replace(model(name), key=basis.key)
        request = Request(row, interval="none", level=wanted.level, seed=wanted.seed)
        reason = refusal(ratings, request)
        if reason:
            raise CannotAnswerError(reason)
        result = yield from analyse(ratings, request)
        untold = result.identification.words
        if result.identification.identified and result.converged:
            profiled = result.free <= _MOST_PROFILED and ratings.subject.size < MOST_APART
            kind = "profile" if profiled else "wald"
            settled.append((result.degenerate and not profiled, result.aic, replace(request, interval=kind)))
    if not settled:
        raise CannotAnswerError(_("These data do not tell each {rater}'s accuracy apart: {why}").format(why=untold))
    # Own leanings only where they pay for their number; on the edge there are profiles, and no standard errors.
    _bare, _aic, request = min(settled, key=lambda row: row[:2])
    return (yield from analyse(ratings, request, shares=False))


def _pooled(basis: Basis) -> Run[Any]:
    """Raters drawn from one population, where the fit of each by itself says little of them."""
    own, opposed = basis.known.get("by_rater"), basis.known.get("opposition")
    if own is None or not grid.pools_raters(own, basis.ratings, SideResults(opposition=opposed)):
        return _value(None)
    return grid.pooled_of(basis.ratings, own, basis.wanted.seed)


def _rater_contrasts(basis: Basis) -> Run[Contrasts]:
    """Raters against the panel as a whole: the answer itself where it has one accuracy, else the panel's own fit."""
    ratings, own, fit = basis.ratings, basis.known.get("by_rater"), basis.fit
    if own is None:
        raise CannotAnswerError(basis.reasons.get("by_rater") or _("These {ratings} tell no {rater} by themselves."))
    if (pooled := basis.known.get("pooled")) is not None:
        against: Contrasts = pooled.contrasts
        return (yield from _value(against))
    panel = fit if fit is not None and fit.model.accuracy is Accuracy.ONE else basis.known.get("panel")
    return (yield from apart(ratings, lambda: rater_contrasts(ratings, own, panel, basis.wanted.seed)))


def _class_contrasts(basis: Basis) -> Run[Contrasts]:
    ratings, fit, seed = basis.ratings, basis.answer, basis.wanted.seed
    return limited(ratings, lambda: class_contrasts(ratings, fit, seed))


def _without(basis: Basis) -> Run[StudyTable]:
    ratings, wanted = basis.ratings, basis.wanted
    return each_left_out(ratings, lambda: influence(ratings, wanted.seed, wanted.level, key=basis.key))


def _independence(basis: Basis) -> Run[Any]:
    """Pairs of raters against a model that lets raters differ where they do: else two able ones look like a copy."""
    ratings, wanted = basis.ratings, basis.wanted
    opposed = basis.known.get("opposition")
    if opposed is not None and opposed.exists:
        # No accuracy is below 0: against such a model those who contradict alike would agree too often.
        raise CannotAnswerError(
            _("The {raters} contradict each other, so what makes pairs of them agree cannot be seen by a model.")
        )
    differences = basis.known.get("differences")
    tests = SideResults(differences=differences, goodness=basis.known.get("goodness"))
    alike = differences is not None and not raters_differ(tests)
    one = basis.answer.model.accuracy is Accuracy.ONE and not basis.answer.model.by_rater
    fit = basis.answer if alike and one else basis.known.get("by_rater", basis.answer)
    return apart(ratings, lambda: independence(ratings, fit, wanted.replicates, wanted.seed))


def _others(basis: Basis) -> Run[tuple[Fit, ...]]:
    wanted = basis.wanted
    return grid_fits(basis.ratings, wanted.seed, wanted.level, basis.key)


def _scan(basis: Basis) -> Run[Scan]:
    plain = replace(basis.request, subjects=False, redraws=False, tests=False)
    request = replace(plain, level=basis.wanted.level, seed=basis.wanted.seed)
    every, n, side = basis.every, basis.wanted.replicates, Direction(basis.wanted.direction)
    return few_classes(every, lambda: scan(every, request, test=True, replicates=n, direction=side))


def _pairs(basis: Basis) -> Run[Any]:
    row = replace(model("t-a-t"), key=basis.key)
    request = Request(row, level=basis.wanted.level, seed=basis.wanted.seed)
    return few_classes(basis.every, lambda: pairs(basis.every, request))


def _beliefs(basis: Basis) -> Run[CaseBeliefs | None]:
    differences = basis.known.get("differences")
    alike = None if differences is None else differences.test
    return case_beliefs(basis.ratings, basis.answer, basis.wanted.seed, alike)


def _dependence(basis: Basis) -> Run[Any]:
    """The answer if cases differ, where what was found by now leaves it open whether they do."""
    known: dict[str, Any] = {
        name: basis.known.get(name) for name in ("goodness", "differences", "independence", "opposition")
    }
    side = SideResults(**known, chance=basis.known.get("chance"))
    if not grid.tells_cases(basis.answer, side):
        return _value(None)
    return grid.dependence_of(basis.ratings, basis.wanted.seed, basis.answer, side)


def _raters_wanted(basis: Basis) -> bool:
    return basis.wanted.raters and basis.ratings.raters_known


def _ordered_wanted(basis: Basis) -> bool:
    return basis.wanted.sensitivity and basis.every.ordered and len(basis.every.classes) > 2


def _wanted(key: str, basis: Basis) -> bool:
    return key in basis.wanted.selection


def _chosen_class(basis: Basis) -> bool:
    return basis.wanted.agreement and basis.every.classes != basis.ratings.classes


SIDE_STUDIES: tuple[SideStudy, ...] = (
    SideStudy("opposition", lambda b: b.fit is not None and b.ratings.raters_known, _opposition),
    SideStudy("differences", lambda b: b.fit is not None and several_known(b.ratings), _differences),
    SideStudy("slopes", lambda b: b.fit is not None and b.fit.model.accuracy is Accuracy.REGRESSION, _slopes),
    SideStudy("coefficients", lambda b: b.wanted.agreement, _coefficients),
    SideStudy("every_class", _chosen_class, lambda b: _value(b.every)),
    SideStudy("all_classes", _chosen_class, _all_classes),
    SideStudy("complete", lambda b: b.wanted.agreement, _complete),
    SideStudy("paradox", lambda b: b.wanted.agreement, _paradox),
    SideStudy("chance", lambda b: b.wanted.tests, _chance),
    SideStudy("horizon", lambda b: b.wanted.tests, _horizon),
    SideStudy("goodness", lambda b: b.wanted.tests and b.fit is not None, _goodness),
    SideStudy("by_rater", _raters_wanted, _by_rater),
    SideStudy(
        "panel",
        lambda b: (
            _raters_wanted(b)
            and b.fit is not None
            and b.fit.model.accuracy is Accuracy.PER_RATER
            and not b.fit.model.memory
        ),
        _panel,
    ),
    SideStudy("pooled", _raters_wanted, _pooled),
    SideStudy("rater_contrasts", _raters_wanted, _rater_contrasts),
    SideStudy(
        "class_contrasts", lambda b: b.fit is not None and b.fit.model.accuracy is Accuracy.PER_CLASS, _class_contrasts
    ),
    SideStudy("without", lambda b: _raters_wanted(b) and b.wanted.sensitivity, _without),
    SideStudy("independence", lambda b: _raters_wanted(b) and b.fit is not None, _independence),
    SideStudy("others", lambda b: b.wanted.sensitivity, _others),
    SideStudy("scan", _ordered_wanted, _scan),
    SideStudy("pairs", lambda b: b.wanted.sensitivity and len(b.every.classes) > 2, _pairs),
    SideStudy("beliefs", lambda b: b.fit is not None, _beliefs),
    SideStudy("dependence", lambda b: b.wanted.tests and b.fit is not None, _dependence),
    SideStudy(
        "group_contrasts",
        lambda b: b.fit is not None and grid.tells_groups(b.fit),
        lambda b: grid.contrasts_of(b.ratings, b.answer),
    ),
    SideStudy(
        "consistency",
        lambda b: _raters_wanted(b) and b.fit is not None and grid.tells_repeats(b.fit, b.ratings),
        lambda b: grid.consistency_of(b.ratings, b.answer, b.wanted.seed),
    ),
    SideStudy(
        "drift",
        lambda b: b.fit is not None and grid.tells_drift(b.fit),
        lambda b: grid.drift_of(b.ratings, b.answer, b.wanted.seed),
    ),
    SideStudy(
        "together",
        lambda b: b.fit is not None and grid.tells_together(b.fit),
        lambda b: grid.together_of(b.ratings, b.answer, b.wanted.seed, b.wanted.level),
    ),
    SideStudy(
        "severities",
        lambda b: _raters_wanted(b) and b.fit is not None and grid.tells_severities(b.fit),
        lambda b: grid.severities_of(b.ratings, b.answer, b.wanted.seed),
    ),
    SideStudy(
        "scores",
        lambda b: b.fit is not None and grid.tells_scores(b.fit),
        lambda b: grid.scores_of(b.ratings, b.answer, b.wanted.seed),
    ),
)
"""In the order in which they are made: a later one may use what is known by then."""
ON_DEMAND: tuple[SideStudy, ...] = tuple(
    SideStudy(part.key, partial(_wanted, part.key), part.study) for part in PARTS if part.study is not None
)
"""What the parts work out that are printed only where they are asked for."""
TITLES = {**STUDIES, **{part.key: (part.section, part.title) for part in PARTS if part.study is not None}}
"""By the name of each study, the section it is printed in, and what a reader knows it as."""
