"""Which method answers a request."""

from typing import Protocol

from tapdesk.errors import UsageError
from tapdesk.fitting.exact_em import ExactEM
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.moment_em import MomentEM
from tapdesk.fitting.priors import Prior
from tapdesk.fitting.sampling.priors import Dirichlet
from tapdesk.language import gettext as _
from tapdesk.models.model import RaterModel
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.request import Request


class Method(Protocol):
    """A way to fit a model, as a value."""

    def refuses(self, model: RaterModel, ratings: Ratings) -> str | None:
        """Why it cannot fit this model to these ratings, one sentence; None when it can."""

    def run(self, model: RaterModel, ratings: Ratings, seed: int) -> Run[Fit]:
        """Fit the model."""


def method(request: Request, ratings: Ratings) -> Method:
    """The method for a request; the exact posterior where there is one, else sampling.

    Raises
    ------
    UsageError
        When there is no such estimator, or priors are given to one that has none.
    """
    estimator = request.estimator
    if estimator != "posterior" and request.priors:
        raise UsageError(_("Priors belong to the posterior only."), fix=_("Add --estimator posterior."))
    if estimator == "exact-em":
        return ExactEM()
    if estimator == "moment-em":
        return MomentEM(prior=request.moment_prior)
    return _posterior(request, ratings)


def _posterior(request: Request, ratings: Ratings) -> Method:
    # Late: a posterior is asked for rarely, and its machinery is a third of all that can be loaded.
    from tapdesk.fitting.quadrature.method import Quadrature
    from tapdesk.fitting.sampling.method import Sampling

    betas = tuple(p for p in request.priors if isinstance(p, Prior))
    exact = Quadrature(betas, request.level, request.subjects)
    if exact.refuses(request.model, ratings) is None and not any(isinstance(p, Dirichlet) for p in request.priors):
        return exact
    return Sampling(
        chains=request.chains,
        draws=request.draws,
        priors=request.priors,
        level=request.level,
        subjects=request.subjects,
        sharpness=request.sharpness,
    )
