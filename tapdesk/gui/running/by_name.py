"""Choices made by name, for those who know them: they stand above what the question would choose."""

from dataclasses import dataclass, replace

from tapdesk.errors import TapdeskError
from tapdesk.fitting.priors import Dirichlet, Prior, parse_sampling_prior, prior_counts
from tapdesk.language import gettext as _
from tapdesk.models import model
from tapdesk.models.design import design
from tapdesk.models.model import Accuracy, RaterModel, Truth
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, refusal

ESTIMATORS: dict[str, str] = {
    "exact-em": _("Exact E-M: the best-fitting numbers"),
    "moment-em": _("Moment E-M: as in the first publication"),
    "posterior": _("Posterior: what to believe, from priors"),
}
SHORT: dict[str, str] = {"exact-em": _("exact E-M"), "moment-em": _("moment E-M"), "posterior": _("posterior")}


@dataclass(frozen=True, slots=True)
class ByName:
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
    """

    model: str = ""
    covariates: tuple[str, ...] = ()
    estimator: str = "exact-em"
    priors: str = ""
    draws: int = 800
    replicates: int = 0

    @property
    def label(self) -> str:
        """What tells an analysis made so from the one the question leads to; empty where nothing does."""
        parts = [self.model, SHORT[self.estimator] if self.estimator != "exact-em" else ""]
        return ", ".join(part for part in parts if part)

    def chosen(self, asked: RaterModel) -> RaterModel:
        """The model that is run."""
        if not self.model:
            return asked
        named = model.model(self.model)
        return replace(named, covariates=self.covariates) if named.accuracy is Accuracy.REGRESSION else named

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


AS_ASKED = ByName()


def refused(request: Request, ratings: Ratings) -> str:
    """Why these choices cannot be run on these ratings, in words of the window; empty when they can."""
    model = request.model
    if model.accuracy is Accuracy.REGRESSION and not model.covariates:
        columns = ", ".join(ratings.covariates)
        if not columns:
            return _("This model needs a further column of numbers, and the file has none.")
        return _("This model needs at least one further column. Tick one under Columns: {columns}.").format(
            columns=columns
        )
    try:
        reason = refusal(ratings, request)
        if reason is None and request.priors and model.truth is not Truth.SHARPENED:
            prior_counts(design(model, ratings), request.priors)
    except TapdeskError as error:
        return " ".join(part for part in (error.what, error.fix) if part)
    return reason or ""
