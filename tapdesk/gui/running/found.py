"""What stands beside a fit, part by part, and the runs that work it out."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum

from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.gui.running.questions import question_of
from tapdesk.language import gettext as _
from tapdesk.models.catalog import model
from tapdesk.models.model import Accuracy
from tapdesk.progress import Run, Step
from tapdesk.project.project import Analysis, Project
from tapdesk.report.extras import Extras, Wanted
from tapdesk.report.prepare import prepare
from tapdesk.studies.analysis import analyse
from tapdesk.studies.request import Request
from tapdesk.studies.scan import scan
from tapdesk.studies.tests import goodness_of_fit

# Simulated panels of the test that one accuracy serves every line.
_ONE_ACCURACY = 300
# Data sets of the test of fit, and with how many ratings it is left out, as in a report.
_PANELS, _MOST_RATINGS = 300, 20_000


class Part(Enum):
    """One of the runs, in the order they are made; the value is what the window says meanwhile."""

    PANEL = _("Working on the panel to set the raters beside…")
    LINES = _("Working on every line between two grades…")
    COEFFICIENTS = _("Working on the coefficients…")
    CHANCE = _("Simulating panels whose ratings carry no information…")
    MISFIT = _("Testing whether data made by the model misfit as much…")


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
    fit, question = analysis.fit, question_of(analysis)
    wanted = []
    if fit is not None and fit.model.accuracy is Accuracy.PER_RATER:
        wanted.append(Part.PANEL)
    if question is not None and question.key == "lines":
        wanted.append(Part.LINES)
    return (*wanted, Part.COEFFICIENTS, Part.CHANCE, Part.MISFIT)


def _none(level: float, seed: int) -> Wanted:
    return Wanted(level=level, seed=seed, agreement=False, tests=False, raters=False, sensitivity=False)


def _coefficients(found: Found) -> Run[Found]:
    request = found.analysis.request
    of_one = replace(found.project, analyses=(found.analysis,))
    more = yield from prepare(of_one, replace(_none(request.level, request.seed), agreement=True))
    return found.with_extras(more)


def _chance(found: Found) -> Run[Found]:
    # Without analyses there is no test of fit: that is a part of its own, for it can take longer than the others.
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
        made = yield from scan(found.project.all_classes, request, test=True, replicates=_ONE_ACCURACY)
    except TapdeskError as error:
        return found.without("scan", error.what)
    return replace(found, extras=replace(found.extras, scan=made))


def _misfit(found: Found) -> Run[Found]:
    fit, ratings = found.analysis.fit, found.project.ratings
    yield Step(0, 1, "re-draws")
    if fit is None or ratings.subject.size > _MOST_RATINGS:
        return found.without("goodness", _("With this many ratings the test of fit would take very long."))
    try:
        test = yield from goodness_of_fit(ratings, fit.model, _PANELS, found.analysis.request.seed, fit)
    except TapdeskError as error:
        return found.without("goodness", error.what)
    return replace(found, extras=replace(found.extras, goodness=test))


RUNS: dict[Part, Callable[[Found], Run[Found]]] = {
    Part.COEFFICIENTS: _coefficients,
    Part.CHANCE: _chance,
    Part.PANEL: _panel,
    Part.LINES: _lines,
    Part.MISFIT: _misfit,
}
ABSENT = {
    Part.COEFFICIENTS: "coefficients",
    Part.CHANCE: "chance",
    Part.PANEL: "panel",
    Part.LINES: "scan",
    Part.MISFIT: "goodness",
}
