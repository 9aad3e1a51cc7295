"""What is worked out beside a fit: coefficients, chance, the panel behind single raters, the lines between grades."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum

from PySide6.QtCore import QObject, Signal, Slot

from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.gui.document import Document
from tapdesk.gui.job import Job
from tapdesk.gui.plan import question_of
from tapdesk.models.catalog import model
from tapdesk.models.model import Accuracy
from tapdesk.progress import Run, Step
from tapdesk.project.project import Analysis, Project
from tapdesk.report.extras import Extras, Wanted
from tapdesk.report.prepare import prepare
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.scan import scan


class Part(Enum):
    """One of the runs, in the order they are made; the value is what the window says meanwhile."""

    PANEL = "Working on the panel to set the raters beside…"
    LINES = "Working on every line between two grades…"
    COEFFICIENTS = "Working on the coefficients…"
    CHANCE = "Simulating panels whose ratings carry no information…"


@dataclass(frozen=True, eq=False)
class Found:
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
    waiting: tuple[Part, ...] = ()

    def with_extras(self, more: Extras) -> "Found":
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

    def without(self, name: str, reason: str) -> "Found":
        """The same with the reason why something is absent."""
        return replace(self, extras=replace(self.extras, reasons={**self.extras.reasons, name: reason}))


def parts(analysis: Analysis) -> tuple[Part, ...]:
    """The runs that belong to an analysis: what its question asks for first."""
    fit, question = analysis.fit, question_of(analysis.name)
    wanted = []
    if fit is not None and fit.model.accuracy is Accuracy.PER_RATER:
        wanted.append(Part.PANEL)
    if question is not None and question.key == "lines":
        wanted.append(Part.LINES)
    return (*wanted, Part.COEFFICIENTS, Part.CHANCE)


def _none(level: float, seed: int) -> Wanted:
    return Wanted(level=level, seed=seed, agreement=False, tests=False, raters=False, sensitivity=False)


def _coefficients(found: Found) -> Run[Found]:
    request = found.analysis.request
    of_one = replace(found.project, analyses=(found.analysis,))
    more = yield from prepare(of_one, replace(_none(request.level, request.seed), agreement=True))
    return found.with_extras(more)


def _chance(found: Found) -> Run[Found]:
    # Without analyses there is no test of fit, which this window does not show.
    alone = replace(found.project, analyses=())
    request = found.analysis.request
    more = yield from prepare(alone, replace(_none(request.level, request.seed), tests=True))
    return found.with_extras(more)


def _panel(found: Found) -> Run[Found]:
    asked = Request(model("t-a-p"), interval="none", seed=found.analysis.request.seed)
    yield Step(0, 1, "panel")
    try:
        fit = yield from analyse(found.project.ratings, asked)
    except TapdeskError as error:
        return found.without("panel", error.what)
    return replace(found, panel=fit)


def _lines(found: Found) -> Run[Found]:
    request = found.analysis.request
    yield Step(0, 1, "scan")
    try:
        made = yield from scan(found.project.all_classes, request)
    except TapdeskError as error:
        return found.without("scan", error.what)
    return replace(found, extras=replace(found.extras, scan=made))


RUNS: dict[Part, Callable[[Found], Run[Found]]] = {
    Part.COEFFICIENTS: _coefficients,
    Part.CHANCE: _chance,
    Part.PANEL: _panel,
    Part.LINES: _lines,
}
ABSENT = {Part.COEFFICIENTS: "coefficients", Part.CHANCE: "chance", Part.PANEL: "panel", Part.LINES: "scan"}


REST = 150  # milliseconds in which the window draws what has just come, with the interpreter to itself


class Further(QObject):
    """Follows the newest analysis of a document and works out, part by part, what stands beside its numbers.

    A run for data that have changed meanwhile is dropped; what was found stays until a newer analysis comes.

    Attributes
    ----------
    changed
        A part has come, or another analysis is followed.
    bug
        An exception that is not the user's matter.
    """

    changed = Signal()
    bug = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.job = Job(self)
        self.found: Found | None = None
        self.job.done.connect(self._on_done)
        self.job.failed.connect(self._on_failed)
        document.changed.connect(self.follow)

    @Slot()
    def follow(self) -> None:
        """Look at the newest analysis: begin, go on, or stop."""
        analysis = self._document.analysis
        if self._document.empty or analysis is None or analysis.fit is None:
            self.job.cancel()
            if self.found is not None:
                self.found = None
                self.changed.emit()
            return
        known = self.found.analysis if self.found is not None else None
        # Results that were opened out of date and match again after an undo are followed from then on.
        new = known is None or known.fit is not analysis.fit or (known.stale and not analysis.stale)
        if new:
            self.job.cancel()
            project = self._document.project
            # Nothing can be worked out for ratings that are no longer there.
            waiting = () if analysis.stale else parts(analysis)
            self.found = Found(project, analysis, waiting=waiting)
            self.changed.emit()
        if analysis.stale:
            self.job.cancel()
        elif not self.job.running:
            self._next()

    def _next(self) -> None:
        if self.found is not None and self.found.waiting:
            self.job.start(RUNS[self.found.waiting[0]](self.found), REST)

    @Slot(object)
    def _on_done(self, found: Found) -> None:
        self.found = replace(found, waiting=found.waiting[1:])
        self.changed.emit()
        self._next()

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        if self.found is None:
            return
        part, *rest = self.found.waiting
        reason = error.what if isinstance(error, TapdeskError) else "This could not be worked out."
        self.found = replace(self.found.without(ABSENT[part], reason), waiting=tuple(rest))
        self.changed.emit()
        if not isinstance(error, TapdeskError):
            self.bug.emit(error)
        self._next()
