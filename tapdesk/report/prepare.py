"""Everything a report needs that takes time, as one run."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar

from tapdesk.agreement.coefficients import Coefficient, agree
from tapdesk.agreement.interpretation import shows_paradox as differ
from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.progress import Run, Step
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.beliefs import beliefs
from tapdesk.report.extras import ALL, STUDIES, Extras, Wanted
from tapdesk.report.faults import Bug, Fault, attempted
from tapdesk.report.further import planned, recovered, together
from tapdesk.report.limits import MOST_APART, apart, each_left_out, few_classes, limited
from tapdesk.report.setup import setup
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.chance import chance, horizon
from tapdesk.studies.class_pairs import pairs
from tapdesk.studies.design_study import DesignStudy, kappa_squares, processes, recovery_grid
from tapdesk.studies.groups import group_table
from tapdesk.studies.independence import Independence, independence
from tapdesk.studies.influence import influence
from tapdesk.studies.model_comparison import compare_grid, few_leanings, grid_fits
from tapdesk.studies.paradox import Paradox, paradox
from tapdesk.studies.scan import scan
from tapdesk.studies.table import StudyTable
from tapdesk.studies.tests import goodness_of_fit

T = TypeVar("T")

# So many numbers have intervals from their profiles.
_MOST_PROFILED = 30
# Parts that are made only where they are asked for, by their name in `Wanted`, in `Setup` and in `Extras`.
_FURTHER = ("between", "contour", "plan", "recovery", "grid", "square")


def prepare(project: Project, wanted: Wanted | None = None) -> Run[Extras]:
    """Compute what the report of a project prints besides the project's own answers.

    Parameters
    ----------
    project
        The work; without ratings there is nothing to compute.
    wanted
        Which parts; by default all the project asks for, with level and seed of its own answer.

    Yields
    ------
    Step
        Phase ``report`` before each part, and the phases of its runs.
    """
    if project.reading is None:
        return Extras()
    ratings = project.ratings
    main = main_analysis(project)
    if wanted is None:
        wanted = ALL if main is None else replace(ALL, level=main.request.level, seed=main.request.seed)
        chosen = setup(project)
        wanted = replace(wanted, by=chosen.by, **{name: getattr(chosen, name) for name in _FURTHER})
    made: dict[str, Any] = {"fingerprint": project.data_fingerprint, "wanted": wanted}
    reasons: dict[str, str] = {}
    fit = main.fit if main is not None else None
    fit = fit if fit is not None and fit.classes == ratings.classes else None
    parts = _parts(project, ratings, fit, wanted, made)
    asked = Request(model("t-a-p")) if main is None else main.request
    parts += _asked_for(ratings, fit, wanted, asked, reasons)
    if fit is not None:
        parts.append(("beliefs", lambda: _value(beliefs(ratings, fit))))
    faults: list[Fault] = []
    for done, (name, part) in enumerate(parts):
        yield Step(done, len(parts), "report")
        try:
            found = yield from attempted(_begun(part))
        except TapdeskError as error:
            reasons[name] = error.what
            continue
        if isinstance(found, Bug):
            section, title = STUDIES[name]
            faults.append(Fault(section, title, found.error, whole=False))
        else:
            made[name] = found
    yield Step(len(parts), len(parts), "report")
    return Extras(**made, reasons=MappingProxyType(reasons), faults=tuple(faults))


def prepare_further(project: Project, known: Extras) -> Run[Extras]:
    """What is known of the same answer, with what the project asks for by now.

    Yields
    ------
    Step
        As `prepare`; nothing that is known is worked out again.
    """
    chosen = setup(project)
    asked = {name: getattr(chosen, name) for name in _FURTHER}
    wanted = replace(known.wanted or ALL, by=chosen.by, **asked)
    new = tuple(column for column in chosen.by if column not in known.groups)
    missing = {name: on if _lacks(known, name, on) else type(on)() for name, on in asked.items()}
    none = replace(wanted, agreement=False, tests=False, raters=False, sensitivity=False, by=new, **missing)
    found = yield from prepare(project, none)
    groups = {**known.groups, **found.groups}
    kept: dict[str, Any] = {
        name: (getattr(found, name) or getattr(known, name)) if on else None for name, on in asked.items()
    }
    return replace(
        known,
        **kept,
        wanted=wanted,
        groups=MappingProxyType({column: groups[column] for column in chosen.by if column in groups}),
        reasons=MappingProxyType({**known.reasons, **found.reasons}),
        faults=(*known.faults, *found.faults),
    )


def _lacks(known: Extras, name: str, wanted: int) -> bool:
    """Whether a part is wanted that is not known, or known with another number of data sets."""
    found = getattr(known, name)
    return bool(wanted) and (found is None or (isinstance(found, DesignStudy) and found.replicates != wanted))


def _begun(part: Callable[[], Run[T]]) -> Run[T]:
    """A part that is made when its turn comes: what stops its making stops no other part."""
    return (yield from part())


def main_analysis(project: Project) -> Analysis | None:
    """The first analysis whose answer belongs to the current ratings: the one the studies are made for."""
    return next((a for a in project.analyses if a.fit is not None and not a.stale), None)


def _parts(
    project: Project, ratings: Ratings, fit: Fit | None, wanted: Wanted, made: dict[str, Any]
) -> list[tuple[str, Callable[[], Run[Any]]]]:
    """The parts in order, each a run to be started; a later one may use what is made by then."""
    n, seed, every = wanted.replicates, wanted.seed, project.all_classes
    told = fit is not None and fit.model.by_rater
    parts: list[tuple[str, Callable[[], Run[Any]]]] = []
    if wanted.agreement:
        parts.append(("coefficients", lambda: agree(ratings, weights=weights(ratings), level=wanted.level)))
        if every.classes != ratings.classes:
            parts.append(("every_class", lambda: _value(every)))
            parts.append(("all_classes", lambda: agree(every, weights=weights(every), level=wanted.level)))
        parts.append(("complete", lambda: _complete(ratings, wanted.level)))
        parts.append(("paradox", lambda: _paradox(ratings, made.get("coefficients", ()), seed)))
    if wanted.tests:
        parts += [
            ("chance", lambda: limited(ratings, lambda: chance(ratings, n, seed))),
            ("horizon", lambda: limited(ratings, lambda: horizon(ratings, max(n, 1000), seed))),
        ]
        if fit is not None:
            parts.append(("goodness", lambda: apart(ratings, lambda: _goodness(ratings, fit, n, seed), by_rater=told)))
    if wanted.raters and ratings.raters_known:
        parts.append(("by_rater", lambda: _by_rater(ratings, wanted)))
        parts.append(("without", lambda: each_left_out(ratings, lambda: influence(ratings, seed, wanted.level))))
        if fit is not None:
            parts.append(("independence", lambda: apart(ratings, lambda: _together(ratings, made, fit, n, seed))))
    if wanted.sensitivity:
        asked = Request(model("t-a-t"), level=wanted.level, seed=seed)
        parts.append(("others", lambda: grid_fits(ratings, seed, wanted.level, n)))
        if every.ordered and len(every.classes) > 2:
            parts.append(("scan", lambda: few_classes(every, lambda: scan(every, asked, test=True, replicates=n))))
        if len(every.classes) > 2:
            parts.append(("pairs", lambda: few_classes(every, lambda: pairs(every, asked))))
    return parts


def _asked_for(
    ratings: Ratings, fit: Fit | None, wanted: Wanted, asked: Request, reasons: dict[str, str]
) -> list[tuple[str, Callable[[], Run[Any]]]]:
    """The parts that take long and are made only where the user wants them."""
    parts: list[tuple[str, Callable[[], Run[Any]]]] = []
    n, seed, told = wanted.replicates, wanted.seed, fit is not None and fit.model.by_rater
    if wanted.between:
        parts.append(("between", lambda: compare_grid(ratings, n, seed)))
    if wanted.contour:
        parts.append(
            ("contour", lambda: apart(ratings, lambda: together(ratings, fit, wanted.level, seed), by_rater=told))
        )
    if wanted.by:
        each = replace(asked, subjects=False, redraws=False, tests=False)
        parts.append(("groups", lambda: _groups(ratings, wanted.by, each, reasons)))
    if wanted.plan:
        parts.append(("plan", lambda: planned(ratings, fit, wanted.level, seed, n)))
    if wanted.recovery:
        parts.append(("recovery", lambda: apart(ratings, lambda: recovered(ratings, fit, seed, n), by_rater=told)))
    if wanted.grid:
        parts.append(("grid", lambda: recovery_grid(ratings, wanted.grid, seed, processes())))
    if wanted.square:
        parts.append(("square", lambda: kappa_squares(ratings, wanted.square, seed, processes())))
    return parts


def weights(ratings: Ratings) -> tuple[str, ...]:
    """The weights that make sense: credit for near misses only where the order of classes means something.

    Of very many ratings plain matches only, or every pair of raters would have to be gone through three times.
    """
    if ratings.subject.size > MOST_APART:
        return ("identity",)
    return ("identity", "linear", "quadratic") if ratings.ordered and len(ratings.classes) > 2 else ("identity",)


def _value(found: T) -> Run[T]:
    """A run that is over at once."""
    yield Step(1, 1, "report")
    return found


def _complete(ratings: Ratings, level: float) -> Run[tuple[Coefficient, ...]]:
    """Coefficients of the subjects that have as many ratings as any, where some have fewer."""
    if ratings.subject.size > MOST_APART:
        raise CannotAnswerError(_("With this many ratings the study is left out of the report."))
    each = ratings.ratings_per_subject()
    most = int(each.max(initial=0))
    full = each == most
    weight = ratings.subject_weights()
    if full.all() or most < 2 or weight[full].sum() < 5:
        raise CannotAnswerError(_("Every case has the same number of ratings, or too few have all of them."))
    found = yield from agree(ratings.keep(full[ratings.subject]), level=level)
    return found


def _paradox(ratings: Ratings, found: tuple[Coefficient, ...], seed: int) -> Run[Paradox | None]:
    """The exact posteriors, where agreement is high, kappa low, and one of two classes rare."""
    yield Step(0, 1, "report")
    if len(ratings.classes) != 2 or not differ(found, float(ratings.class_rates().max(initial=0.0))):
        return None
    return (yield from paradox(ratings, found, seed))


def _groups(
    ratings: Ratings, columns: tuple[str, ...], asked: Request, reasons: dict[str, str]
) -> Run[Mapping[str, StudyTable]]:
    """The model in every group of each column; a column that cannot be answered says why, and the others go on."""
    found = {}
    for column in columns:
        try:
            found[column] = yield from group_table(ratings, column, asked)
        except TapdeskError as error:
            reasons[f"groups: {column}"] = error.what
    return MappingProxyType(found)


def _goodness(ratings: Ratings, fit: Fit, replicates: int, seed: int) -> Run[Any]:
    found = yield from goodness_of_fit(ratings, fit.model, replicates, seed, fit)
    return found


def _by_rater(ratings: Ratings, wanted: Wanted) -> Run[Fit]:
    """Each rater's own accuracy and leaning, with the intervals that can be had in reasonable time."""
    told, known = "", []
    for name in ("t-aj-pj", "t-aj-p") if few_leanings(ratings) else ("t-aj-p",):
        asked = Request(model(name), interval="none", level=wanted.level, seed=wanted.seed)
        reason = refusal(ratings, asked)
        if reason:
            raise CannotAnswerError(reason)
        found = yield from analyse(ratings, asked)
        told = found.identification.words
        if found.identification.identified and found.converged:
            known.append((found.degenerate, found.aic, asked, found))
    if not known:
        raise CannotAnswerError(_("These data do not tell each rater's accuracy apart: {why}").format(why=told))
    # Own leanings only where they pay for their number; an estimate on the edge has no interval to print.
    _edge, _aic, asked, found = min(known, key=lambda row: row[:2])
    kind = "profile" if found.free <= _MOST_PROFILED and ratings.subject.size < MOST_APART else "wald"
    found = yield from analyse(ratings, replace(asked, interval=kind))
    return found


def _together(ratings: Ratings, made: dict[str, Any], fit: Fit, replicates: int, seed: int) -> Run[Independence]:
    """Pairs of raters against a model that lets raters differ, or two able raters would look like a copied column."""
    found = yield from independence(ratings, made.get("by_rater", fit), replicates, seed)
    return found
