"""The posterior of any model of the catalogue by Hamiltonian Monte Carlo (models.md §5.5)."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.priors import Dirichlet, Prior, prior_counts
from tapdesk.fitting.sampling.hmc import Whitening, dispersed, laplace, run_chains
from tapdesk.fitting.sampling.posterior_summary import SummaryRequest, numbers, reported, summarise_draws
from tapdesk.fitting.sampling.sharpened import SharpenedRequest, compared, refuses_sharpened, run_sharpened
from tapdesk.fitting.sampling.target import ModelTarget, SmallTarget, Target, has_few_patterns
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, design
from tapdesk.models.model import RaterModel, Truth
from tapdesk.models.model import model as by_name
from tapdesk.models.parameters import FloatArray
from tapdesk.models.space import can_switch, canonical
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings

# Numbers kept of all draws, in all forms, in bytes.
_MOST_BYTES = 1e9
_FORMS = 24


@dataclass(frozen=True, slots=True)
class Sampling:
    """Hamiltonian Monte Carlo with the truth summed out; the same seed gives the same draws.

    Attributes
    ----------
    chains
        Chains moved as one array, at least 4.
    draws
        Draws kept of each chain.
    warmup
        Trajectories of each chain before them.
    priors
        Beta and Dirichlet priors by parameter name; flat where none is given.
    level
        Posterior mass of the intervals.
    subjects
        Whether the classes of every subject are wanted, averaged over the draws.
    sharpness
        Of ``ti-aj-P``: d of its sharpening curve.

    Raises
    ------
    UsageError
        When a number makes no sense; the sentence holds it.
    """

    chains: int = 16
    draws: int = 800
    warmup: int = 400
    priors: tuple[Prior | Dirichlet, ...] = ()
    level: float = 0.95
    subjects: bool = False
    sharpness: float = 30.0

    name = "posterior"

    def __post_init__(self) -> None:
        if self.chains < 4:
            raise UsageError(
                _("{chains} chains are too few to be compared.").format(chains=self.chains),
                fix=_("Use at least 4; 16 is usual."),
            )
        if self.draws < 50 or self.warmup < 50:
            few = min(self.draws, self.warmup)
            raise UsageError(
                _("{few} draws or warm-up steps of a chain are too few.").format(few=few),
                fix=_("Use at least 50; 400 or more is usual."),
            )
        if not 0 < self.level < 1:
            raise UsageError(
                _("The level {level} is not between 0 and 1.").format(level=self.level), fix=_("A usual level is 0.95.")
            )
        if not 0 < self.sharpness < np.inf:
            raise UsageError(
                _("The sharpness {sharpness} is not a number above 0.").format(sharpness=self.sharpness),
                fix=_("The usual one is 30."),
            )

    def refuses(self, model: RaterModel, ratings: Ratings) -> str | None:
        """Why this method cannot fit this model to these ratings; None when it can."""
        if model.by_rater and not ratings.raters_known:
            return _(
                "This model needs to know who gave each rating, and here the raters are not known: choose a "
                "model in which raters share everything, such as t-a-p."
            )
        if ratings.rating_count == 0:
            return _("There are no ratings.")
        if len(ratings.classes) < 2:
            return _("There is only one class, so there is nothing to tell apart. Declare the other classes.")
        if model.truth is Truth.SHARPENED:
            return refuses_sharpened(ratings)
        return self._too_large(design(model, ratings).space.free)

    def _too_large(self, free: int) -> str | None:
        """Why so many parameters cannot be sampled; None when they can."""
        if free == 0:
            return _("This model has nothing to estimate on these ratings.")
        needed = _FORMS * float(free) * self.chains * self.draws
        if needed > _MOST_BYTES:
            return _(
                "The draws of {free:,} parameters would need {needed:.1f} GB. Ask for fewer, or use exact-em."
            ).format(free=free, needed=needed / 1e9)
        return None

    def run(self, model: RaterModel, ratings: Ratings, seed: int) -> Run[Fit]:
        """Sample the posterior.

        Parameters
        ----------
        model, ratings
            The model and the data.
        seed
            Of starting points, momenta and acceptances.

        Yields
        ------
        Step
            Phase ``sampling``; ``values`` as in `run_chains`: ``draws`` holds the new draws, ``rhat`` the state.

        Raises
        ------
        UsageError
            When the method refuses, or a prior does not fit the model.
        CannotAnswerError
            When there are no draws to speak of.
        """
        began = time.perf_counter()
        reason = self.refuses(model, ratings)
        if reason:
            raise UsageError(reason)
        if model.truth is Truth.SHARPENED:
            fit = yield from self._sharpened(model, ratings, seed)
            return replace(fit, seconds=time.perf_counter() - began)
        plan = design(model, ratings)
        target = ModelTarget(plan, plan.space.evidence(plan.patterns), prior_counts(plan, self.priors))
        quick: Target = SmallTarget(target) if has_few_patterns(target) else target
        total = self.warmup + self.draws
        yield Step(0, total, "sampling")
        start, scale, rng = yield from begin(target, quick, self.chains, seed)
        sampled = yield from run_chains(
            quick,
            start,
            scale,
            (reported(plan), _reporter(plan, target)),
            warmup=self.warmup,
            draws=self.draws,
            rng=rng,
        )
        yield Step(total, total, "sampling")
        asked = SummaryRequest(self.level, seed, self.subjects, total)
        fit = yield from summarise_draws(target, sampled, reported(plan), ratings, asked)
        return replace(fit, seconds=time.perf_counter() - began)

    def _sharpened(self, model: RaterModel, ratings: Ratings, seed: int) -> Run[Fit]:
        """``ti-aj-P``, and ``t-aj-p`` for comparison with the same accuracy priors."""
        request = SharpenedRequest(
            self.chains, self.draws, self.warmup, self.priors, self.level, self.subjects, self.sharpness
        )
        fit = yield from run_sharpened(model, ratings, request, seed)
        other = yield from replace(self, subjects=False).run(by_name("t-aj-p"), ratings, seed)
        return compared(fit, other)


def begin(
    target: ModelTarget, quick: Target, chains: int, seed: int
) -> Run[tuple[FloatArray, Whitening, np.random.Generator]]:
    """Dispersed starting points (chains, q), the shape around the best of them, and the chains' generator."""
    scatter, moves = np.random.SeedSequence([seed, 3]).spawn(2)
    start = yield from dispersed(target, quick, chains, seed, np.random.default_rng(scatter))
    best = start[int(quick(start)[0].argmax())]
    return start, laplace(quick, best), np.random.default_rng(moves)


def _reporter(plan: Design, target: ModelTarget) -> Callable[[FloatArray], tuple[FloatArray, FloatArray]]:
    """From coordinates to relabelled coordinates and reported numbers."""
    relabels = can_switch(plan.space) and not plan.space.accuracy_free

    def tell(at: FloatArray) -> tuple[FloatArray, FloatArray]:
        stack = target.points(at)
        if relabels:
            stack = canonical(plan.space, stack)
            at = target.coordinates(stack)
        return at, numbers(plan, stack)

    return tell
