"""The studies beside a fit, one by one, and the runs that work them out."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import Enum

from tapdesk.answers import grid_studies as grid
from tapdesk.answers.question import question_of
from tapdesk.answers.side_results import ALL, SideResults
from tapdesk.answers.side_studies import work_out
from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.model import Accuracy
from tapdesk.progress import Run, Step
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request
from tapdesk.studies.parallel import thin_steps
from tapdesk.studies.scan import Scan, reordered, scan

# Intervals that take a moment are found at once after the estimates; those from re-draws wait for the next run.
SOON = frozenset({"profile", "wald"})


class SideStudy(Enum):
    """One of the runs, in the order they are made.

    Attributes
    ----------
    names
        The side results it works out (`tapdesk.answers.side_studies.SIDE_STUDIES`).
    words
        What the window says meanwhile.
    """

    OPPOSITION = (("opposition", "differences", "slopes"), _("Looking whether the {raters} are alike…"))
    PANEL = (("by_rater", "panel", "pooled", "rater_contrasts"), _("Working on the panel to set the {raters} beside…"))
    CLASSES = (("class_contrasts",), _("Looking which classes are easier to recognise…"))
    LINES = (("scan",), _("Working on every line between two classes…"))
    COEFFICIENTS = (
        ("coefficients", "every_class", "all_classes", "paradox", "beliefs"),
        _("Working on the coefficients…"),
    )
    CHANCE = (("chance", "horizon"), _("Simulating panels whose {ratings} carry no information…"))
    TOGETHER = (("together",), _("Holding the panel against the known answers…"))
    GROUPS = (("group_contrasts",), _("Working on the differences between groups…"))
    REPEATS = (("consistency",), _("Looking how {raters} repeat their own answers…"))
    DRIFT = (("drift",), _("Looking whether accuracy changed along the order of the {ratings}…"))
    STRICT = (("severities",), _("Looking who is strict and who is mild…"))
    SCORES = (("scores",), _("Working on the scores of the {subjects}…"))
    MISFIT = (("goodness",), _("Testing whether data made by the model misfit as much…"))
    CASES = (
        ("by_rater", "pooled", "rater_contrasts", "independence", "dependence"),
        _("Looking whether some {subjects} may be harder than others…"),
    )

    def __init__(self, names: tuple[str, ...], words: str) -> None:
        self.names, self.words = names, words


@dataclass(frozen=True, eq=False)
class SideStudies:
    """What is known by now about one analysis.

    Attributes
    ----------
    project, analysis
        What it was worked out for.
    extras
        Coefficients, chance, beliefs and the scan, as the report has them, and reasons for what is absent.
    waiting
        The runs still to come.
    """

    project: Project
    analysis: Analysis
    extras: SideResults = field(default_factory=SideResults)
    waiting: tuple[SideStudy, ...] = ()

    def waits_for(self, names: Collection[str]) -> SideStudy | None:
        """The run on its way that works out one of these side results; None where none does."""
        return next((study for study in self.waiting if not set(names).isdisjoint(study.names)), None)

    def without(self, study: SideStudy, reason: str) -> "SideStudies":
        """The same with the reason why what a run works out is absent."""
        absent = {name: reason for name in study.names if name not in self.extras.reasons}
        return replace(self, extras=replace(self.extras, reasons={**self.extras.reasons, **absent}))


def studies_of(analysis: Analysis, ratings: Ratings) -> tuple[SideStudy, ...]:
    """The runs that belong to an analysis of some ratings: what its question asks for first."""
    fit, question = analysis.fit, question_of(analysis)
    wanted = [SideStudy.OPPOSITION]
    if fit is not None and fit.model.accuracy is Accuracy.PER_RATER:
        wanted.append(SideStudy.PANEL)
    if fit is not None and fit.model.accuracy is Accuracy.PER_CLASS:
        wanted.append(SideStudy.CLASSES)
    if question is not None and question.key == "lines":
        wanted.append(SideStudy.LINES)
    own = () if fit is None else _of_the_grid(fit, ratings)
    last = (SideStudy.CASES,) if fit is not None and grid.may_tell_cases(fit) else ()
    return (*wanted, SideStudy.COEFFICIENTS, *own, SideStudy.CHANCE, SideStudy.MISFIT, *last)


def _of_the_grid(fit: Fit, ratings: Ratings) -> tuple[SideStudy, ...]:
    """What belongs to models of known answers, groups, repeats and ordered classes."""
    rows = (
        (SideStudy.TOGETHER, grid.tells_together(fit)),
        (SideStudy.GROUPS, grid.tells_groups(fit)),
        (SideStudy.REPEATS, grid.tells_repeats(fit, ratings)),
        (SideStudy.STRICT, grid.tells_severities(fit)),
        (SideStudy.SCORES, grid.tells_scores(fit)),
    )
    return tuple(study for study, belongs in rows if belongs)


def work_out_next(studies: SideStudies) -> Run[SideStudies]:
    """Work out the first of the runs to come: the same studies as the report prints.

    Yields
    ------
    Step
        As `tapdesk.answers.side_studies.work_out`.
    """
    request, study = studies.analysis.request, studies.waiting[0]
    alone = replace(studies.project, analyses=(studies.analysis,))
    wanted = replace(ALL, level=request.level, seed=request.seed)
    more = yield from work_out(alone, wanted, only=study.names, before=studies.extras)
    if more.faults:
        raise more.faults[0].error
    new = {name: value for name in study.names if (value := getattr(more, name)) not in (None, ())}
    old = studies.extras
    reasons = {**old.reasons, **more.reasons}
    extras = replace(old, **new, reasons=reasons, wanted=wanted, fingerprint=more.fingerprint)
    return replace(studies, extras=extras)


@dataclass(frozen=True, eq=False)
class CurrentCutPoints:
    """The lines of ratings that are no longer those of the run.

    Attributes
    ----------
    fit
        Of the run the lines stand beside.
    ratings
        Every class in the order as it stands now.
    scan
        The lines of these ratings; None before they are there, and where there are none.
    intervals
        Whether they have their intervals.
    coming
        Whether the intervals are on their way.
    reason
        Why there are no lines in these categories; empty where there are.
    """

    fit: Fit
    ratings: Ratings
    scan: Scan | None = None
    intervals: bool = False
    coming: bool = False
    reason: str = ""

    @property
    def words(self) -> str:
        """What must be known about the lines that are shown."""
        if self.scan is None:
            return _("Out of date. {why}").format(why=self.reason or _("The lines are found anew…"))
        sentence = _(
            "These lines follow the classes as they stand now; what else stands on this page is of the last run."
        )
        if self.intervals:
            return sentence
        return joined(sentence, _("The intervals follow…") if self.coming else _("Run again for the intervals."))


def find_cut_points(
    begun: CurrentCutPoints, request: Request, before: Scan | None, of: Ratings
) -> Run[CurrentCutPoints]:
    """The lines of ratings: first the estimates alone, in a step, then intervals where they take only a moment.

    Parameters
    ----------
    begun
        What is to be filled.
    request
        Of the run.
    before, of
        The lines of the run, and the ratings they are of: a line that parts the same categories is taken over.

    Yields
    ------
    Step
        Phase ``lines``; ``values``: ``find_cut_points``, the lines without intervals. And the phases of the fits.
    """
    ratings = begun.ratings
    cuts = before.cuts if before is not None and reordered(of, ratings) else ()
    try:
        quick = yield from thin_steps(scan(ratings, replace(request, interval="none"), tied=False, known=cuts))
        soon = request.interval in SOON
        complete = all(any(c.free is k.free for k in cuts) for c in quick.cuts)
        begun = replace(begun, scan=quick, intervals=complete, coming=soon and not complete)
        yield Step(1, 2, "lines", {"abreast": begun})
        if begun.coming:
            whole = yield from thin_steps(scan(ratings, request, known=cuts))
            begun = replace(begun, scan=whole, intervals=True, coming=False)
    except TapdeskError as error:
        return replace(begun, reason=error.what, coming=False)
    return begun
