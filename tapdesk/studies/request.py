"""What is asked of an analysis, complete and frozen."""

from dataclasses import dataclass

from tapdesk.errors import UsageError
from tapdesk.fitting.priors import Prior
from tapdesk.fitting.sampling.priors import Dirichlet
from tapdesk.language import gettext as _
from tapdesk.models.model import RaterModel

INTERVALS = ("profile", "wald", "bootstrap", "parametric-bootstrap", "none")
ESTIMATORS = ("exact-em", "moment-em", "posterior")
COVERAGE_KINDS = ("profile", "wald", "bootstrap", "parametric-bootstrap", "posterior")
"""The intervals whose coverage can be simulated."""
# Data sets of each cell where none are named: those asked of the program one by one take half a second each.
COVERAGE_SETS = (2000, 50)
"""Data sets of each cell of a study of coverage: of profile intervals, of the others."""
# More only narrow the error of the simulation.
GRID_SETS = (1, 5, 20)
"""Data sets of each cell of a grid that can be asked for."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for: the same request on the same ratings gives the same fit.

    Attributes
    ----------
    model, estimator, interval, level, replicates, seed
        As on the command line (cli.md); ``bootstrap`` re-draws subjects, ``parametric-bootstrap`` draws data sets from
        the fitted model on the same design.
    subjects
        Whether the posterior of every subject is wanted.
    redraws
        Whether bootstrap distributions are wanted although the intervals are of another kind.
    tests
        Whether tests by parametric bootstrap are wanted.
    priors, chains, draws, sharpness
        Of a posterior.
    moment_prior
        Of moment E-M: ``average`` or ``flat``.

    Raises
    ------
    UsageError
        When a value makes no sense; it stands in the sentence.
    """

    model: RaterModel
    estimator: str = "exact-em"
    interval: str = "profile"
    level: float = 0.95
    replicates: int = 2000
    seed: int = 1
    subjects: bool = False
    redraws: bool = False
    tests: bool = False
    priors: tuple[Prior | Dirichlet, ...] = ()
    chains: int = 16
    draws: int = 800
    sharpness: float = 30.0
    moment_prior: str = "average"

    def __post_init__(self) -> None:
        for what, value, known in (
            ("interval", self.interval, INTERVALS),
            ("estimator", self.estimator, ESTIMATORS),
        ):
            if value not in known:
                raise UsageError(
                    _("There is no {what} '{value}'.").format(what=what, value=value),
                    fix=_("Choose one of {known}.").format(known=", ".join(known)),
                )
        if not 0 < self.level < 1:
            raise UsageError(
                _("The level {level} is not between 0 and 1.").format(level=self.level), fix=_("A usual level is 0.95.")
            )
        if self.replicates < 1:
            raise UsageError(
                _("{replicates} re-draws are too few.").format(replicates=self.replicates),
                fix=_("A usual number is 2000."),
            )
        if self.seed < 0:
            raise UsageError(
                _("The seed {seed} is below 0.").format(seed=self.seed), fix=_("Choose a whole number of at least 0.")
            )
