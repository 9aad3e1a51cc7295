"""The studies beside a fit, one by one, and the runs that work them out."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum

from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.gui.runs.questions import question_of
from tapdesk.language import gettext as _
from tapdesk.models.catalog import model
from tapdesk.models.model import Accuracy
from tapdesk.progress import Run, Step
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.extras import Extras, Wanted
from tapdesk.report.prepare import prepare
from tapdesk.studies.analysis import analyse
from tapdesk.studies.request import Request
from tapdesk.studies.scan import Scan, reordered, scan
from tapdesk.studies.steps import seldom
from tapdesk.studies.tests import goodness_of_fit

# Simulated panels of the test that one accuracy serves every line.
_ONE_ACCURACY = 300
# Data sets of the test of fit, and with how many ratings it is left out, as in a report.
_PANELS, _MOST_RATINGS = 300, 20_000
# Intervals that take a moment are found at once after the estimates; those from re-draws wait for the next run.
SOON = frozenset({"profile", "wald"})


class SideStudy(Enum):
    """One of the runs, in the order they are made; the value is what the window says meanwhile."""

    PANEL = _("Working on the panel to set the raters beside…")
    LINES = _("Working on every line between two grades…")
    COEFFICIENTS = _("Working on the coefficients…")
    CHANCE = _("Simulating panels whose ratings carry no information…")
    MISFIT = _("Testing whether data made by the model misfit as much…")


@dataclass(frozen=True, eq=False)
class SideStudies:
    """What is known by now about one analysis.

    Attributes
    ----------
    project, analysis
        What it was worked out for.
    extras
        Coefficients, chance, beliefs and the scan, as the report has them, and reasons for what is absent.
    panel
        The fit of one accuracy for all raters beside a fit of single raters; None where not asked for.
    waiting
        The parts still to come.
    """

    project: Project
    analysis: Analysis
    extras: Extras = field(default_factory=Extras)
    panel: Fit | None = None
    waiting: tuple[SideStudy, ...] = ()

    def with_extras(self, more: Extras) -> "SideStudies":
        """The same with what another run of ``prepare`` found."""
        old = self.extras
        return replace(
            self,
            extras=replace(
                old,
                coefficients=more.coefficients or old.coefficients,
                beliefs=more.beliefs or old.beliefs,
                chance=more.chance or old.chance,
                horizon=more.horizon or old.horizon,
                reasons={**old.reasons, **more.reasons},
            ),
        )

    def without(self, name: str, reason: str) -> "SideStudies":
        """The same with the reason why something is absent."""
        return replace(self, extras=replace(self.extras, reasons={**self.extras.reasons, name: reason}))


def studies_of(analysis: Analysis) -> tuple[SideStudy, ...]:
    """The runs that belong to an analysis: what its question asks for first."""
    fit, question = analysis.fit, question_of(analysis)
    wanted = []
    if fit is not None and fit.model.accuracy is Accuracy.PER_RATER:
        wanted.append(SideStudy.PANEL)
    if question is not None and question.key == "lines":
        wanted.append(SideStudy.LINES)
    return (*wanted, SideStudy.COEFFICIENTS, SideStudy.CHANCE, SideStudy.MISFIT)


def _none(level: float, seed: int) -> Wanted:
    return Wanted(level=level, seed=seed, agreement=False, tests=False, raters=False, sensitivity=False)


def _coefficients(found: SideStudies) -> Run[SideStudies]:
    request = found.analysis.request
    of_one = replace(found.project, analyses=(found.analysis,))
    more = yield from prepare(of_one, replace(_none(request.level, request.seed), agreement=True))
    return found.with_extras(more)


def _chance(found: SideStudies) -> Run[SideStudies]:
    # Without analyses there is no test of fit: that is a part of its own, for it can take longer than the others.
    alone = replace(found.project, analyses=())
    request = found.analysis.request
    more = yield from prepare(alone, replace(_none(request.level, request.seed), tests=True))
    return found.with_extras(more)


def _panel(found: SideStudies) -> Run[SideStudies]:
    asked = Request(model("t-a-p"), interval="none", seed=found.analysis.request.seed)
    yield Step(0, 1, "panel")
    try:
        fit = yield from analyse(found.project.ratings, asked)
    except TapdeskError as error:
        return found.without("panel", error.what)
    return replace(found, panel=fit)


def _lines(found: SideStudies) -> Run[SideStudies]:
    request = found.analysis.request
    yield Step(0, 1, "scan")
    try:
        made = yield from scan(found.project.all_classes, request, test=True, replicates=_ONE_ACCURACY)
    except TapdeskError as error:
        return found.without("scan", error.what)
    return replace(found, extras=replace(found.extras, scan=made))


def _misfit(found: SideStudies) -> Run[SideStudies]:
    fit, ratings = found.analysis.fit, found.project.ratings
    yield Step(0, 1, "re-draws")
    if fit is None or ratings.subject.size > _MOST_RATINGS:
        return found.without("goodness", _("With this many ratings the test of fit would take very long."))
    try:
        test = yield from goodness_of_fit(ratings, fit.model, _PANELS, found.analysis.request.seed, fit)
    except TapdeskError as error:
        return found.without("goodness", error.what)
    return replace(found, extras=replace(found.extras, goodness=test))


RUNS: dict[SideStudy, Callable[[SideStudies], Run[SideStudies]]] = {
    SideStudy.COEFFICIENTS: _coefficients,
    SideStudy.CHANCE: _chance,
    SideStudy.PANEL: _panel,
    SideStudy.LINES: _lines,
    SideStudy.MISFIT: _misfit,
}
ABSENT = {
    SideStudy.COEFFICIENTS: "coefficients",
    SideStudy.CHANCE: "chance",
    SideStudy.PANEL: "panel",
    SideStudy.LINES: "scan",
    SideStudy.MISFIT: "goodness",
}


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
        told = _(
            "These lines follow the categories as they stand now; what else stands on this page is of the last run."
        )
        if self.intervals:
            return told
        return f"{told} {_('The intervals follow…') if self.coming else _('Run again for the intervals.')}"


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
        quick = yield from seldom(scan(ratings, replace(request, interval="none"), tied=False, known=cuts))
        soon = request.interval in SOON
        complete = all(any(c.free is k.free for k in cuts) for c in quick.cuts)
        begun = replace(begun, scan=quick, intervals=complete, coming=soon and not complete)
        yield Step(1, 2, "lines", {"abreast": begun})
        if begun.coming:
            whole = yield from seldom(scan(ratings, request, tied=False, known=cuts))
            begun = replace(begun, scan=whole, intervals=True, coming=False)
    except TapdeskError as error:
        return replace(begun, reason=error.what, coming=False)
    return begun
