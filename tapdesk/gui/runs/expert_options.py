"""What was chosen by name under "More options": what the command line has as options of the fit.

It stands apart from the plan because projects that are opened, and proposals, lead to it as well.
"""

from dataclasses import dataclass, replace

from tapdesk.answers.proposals import Proposal
from tapdesk.errors import TapdeskError
from tapdesk.fitting.priors import Dirichlet, Prior, parse_sampling_prior
from tapdesk.language import gettext as _
from tapdesk.models import model as catalog
from tapdesk.models.model import Accuracy, RaterModel, Truth

SHORT: dict[str, str] = {"exact-em": _("exact E-M"), "moment-em": _("moment E-M"), "posterior": _("posterior")}
CHAINS, SHARPNESS = 16, 30.0


@dataclass(frozen=True, slots=True)
class ExpertOptions:
    """What was chosen by name; empty or 0 means: as the question has it.

    Attributes
    ----------
    model
        A name of the catalog of models.
    covariates
        Of a model whose accuracy depends on columns of the file.
    estimator
        How the numbers are found.
    priors
        As written, such as ``a=beta(2,5); t=beta(1,1)``.
    draws
        Draws of each chain of a sampled posterior.
    replicates
        Re-draws of the cases.
    groups
        Column of a model of groups.
    occasions
        Column that orders the ratings of a case by one rater, of a model of repeats.
    pool
        Whether raters are drawn from one population; of beliefs.
    chains
        Of a sampled posterior.
    sharpness
        How near the truths of single cases are to 0 and 1, of a model that has them.
    moment_prior
        Of moment E-M: ``average`` or ``flat``.
    uniform
        Whether all classes are taken as equally common, where the shares of the truth are free else.
    """

    model: str = ""
    covariates: tuple[str, ...] = ()
    estimator: str = "exact-em"
    priors: str = ""
    draws: int = 800
    replicates: int = 0
    groups: str = ""
    occasions: str = ""
    pool: bool = False
    chains: int = CHAINS
    sharpness: float = SHARPNESS
    moment_prior: str = "average"
    uniform: bool = False

    @property
    def label(self) -> str:
        """What tells an analysis made so from the one the question leads to; empty where nothing does."""
        parts = [self.model, SHORT[self.estimator] if self.estimator != "exact-em" else ""]
        parts += [_("by “{column}”").format(column=self.groups) if self.groups else ""]
        parts += [_("one population of {raters}").format() if self.pool else ""]
        parts += [_("classes equally common") if self.uniform else ""]
        parts += [_("flat prior") if self.estimator == "moment-em" and self.moment_prior == "flat" else ""]
        return ", ".join(part for part in parts if part)

    def chosen(self, rater_model: RaterModel) -> RaterModel:
        """The model that is run."""
        if self.uniform and (free := self._with_free_truth(rater_model)) is not None:
            return replace(free, truth=Truth.UNIFORM)
        return self._named(rater_model)

    def _with_free_truth(self, rater_model: RaterModel) -> RaterModel | None:
        """The model, where the shares of its truth are free."""
        row = self._named(rater_model)
        return row if row.truth is Truth.FREE else None

    def _named(self, rater_model: RaterModel) -> RaterModel:
        if not self.model:
            return rater_model
        named = catalog.model(self.model, catalog.GRID_MODELS)
        if named.accuracy is Accuracy.REGRESSION:
            return replace(named, covariates=self.covariates)
        if self.pool:
            named = replace(named, covariates=self.covariates)
        groups = self.groups if named.by_group else ""
        return replace(named, groups=groups, occasions=self.occasions if named.memory else "")

    def taking(self, proposal: Proposal) -> "ExpertOptions":
        """The same with what the program proposes."""
        estimator = "posterior" if proposal.pool else "exact-em"
        chosen = replace(self, model=proposal.model, covariates=(), estimator=estimator, priors="", pool=proposal.pool)
        chosen = replace(chosen, uniform=False)
        return replace(chosen, groups=proposal.groups, occasions=proposal.occasions)

    def takes(self, proposal: Proposal) -> bool:
        """Whether what the program proposes is what was chosen."""
        return self == self.taking(proposal)

    @property
    def written(self) -> tuple[str, ...]:
        """The priors one by one, as written."""
        return tuple(part.strip() for part in self.priors.split(";") if part.strip())

    def prior_values(self) -> tuple[Prior | Dirichlet, ...]:
        """The priors of a posterior; none for any other estimator.

        Raises
        ------
        TapdeskError
            When one cannot be read.
        """
        return tuple(map(parse_sampling_prior, self.written)) if self.estimator == "posterior" else ()

    @property
    def unreadable(self) -> str:
        """Why the priors cannot be read; empty when they can."""
        try:
            self.prior_values()
        except TapdeskError as error:
            return " ".join(part for part in (error.what, error.fix) if part)
        return ""


NO_OPTIONS = ExpertOptions()
