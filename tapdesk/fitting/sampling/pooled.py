"""Raters from one population: accuracies that differ as much as the ratings say (models_more.md §5).

logit a_j = mu + x_j' beta + omega z_j with z_j ~ N(0, 1), so that raters with few ratings are drawn towards the others.
mu ~ Logistic(0, 1), which makes omega = 0 the model with one accuracy and a flat prior of it; omega ~ half-normal(1);
truth is flat; guesses are common and flat, or each rater's own around a common way (`pooled_leanings`). Coordinates are
never centred: near omega = 0 the density of the accuracies would be a funnel (Betancourt & Girolami 2015), that of mu,
log omega and z is not.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import FitFinding
from tapdesk.fitting.priors import prior_counts
from tapdesk.fitting.sampling.hmc import ChainDraws, Whitening, laplace, run_chains
from tapdesk.fitting.sampling.method import Sampling
from tapdesk.fitting.sampling.pooled_leanings import Leanings
from tapdesk.fitting.sampling.posterior_summary import diagnostics
from tapdesk.fitting.sampling.target import SLOPE_SCALE, ModelTarget, SmallTarget, Target, has_few_patterns
from tapdesk.fitting.starts import majority_vote
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, design
from tapdesk.models.model import POOLED, Guessing, RaterModel, model
from tapdesk.models.parameters import FloatArray, ParameterName, Stack
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import CovariateOf, Ratings

FEWEST_RATERS = 3
"""Fewer tell nothing of a population."""
ENOUGH_RATERS = 5
"""With fewer the spread of the population is what was assumed of it."""
ALIKE = 0.05
"""Accuracies whose standard deviation is smaller are alike for practical purposes."""
_FOR_SUBJECTS = 400
_STREAM, _NEW_RATER = 41, 42


@dataclass(frozen=True, slots=True)
class PoolRequest:
    """What is asked of a population of raters.

    Attributes
    ----------
    chains, draws, warmup
        As of `Sampling`.
    covariates
        Columns of raters on which their accuracies may depend.
    subjects
        Whether the classes of every subject are wanted, averaged over the draws.
    spread
        Scale of the half-normal prior of omega, logits.
    """

    chains: int = 16
    draws: int = 800
    warmup: int = 400
    covariates: tuple[str, ...] = ()
    subjects: bool = False
    spread: float = 1.0


@dataclass(frozen=True, slots=True)
class PooledNumber:
    """What is believed of one number.

    Attributes
    ----------
    name
        As reported; ``a`` without a rater is that of a typical or a new one.
    mean, sd, median
        Of the posterior.
    low90, high90, low95, high95
        Ends of the intervals with equal tails.
    """

    name: ParameterName
    mean: float
    sd: float
    median: float
    low90: float
    high90: float
    low95: float
    high95: float

    @staticmethod
    def of(name: ParameterName, draws: FloatArray) -> "PooledNumber":
        """Of draws of shape (n,)."""
        ends = np.quantile(draws, (0.5, 0.05, 0.95, 0.025, 0.975)).tolist()
        return PooledNumber(name, float(draws.mean()), float(draws.std(ddof=1)), *ends)


@dataclass(frozen=True, eq=False)
class PooledRaters:
    """A population of raters and its members.

    Attributes
    ----------
    raters
        Names.
    numbers
        t, a of each rater, p (or that of each rater, and x, how much these differ), mu, slopes of covariates (per
        standard deviation) and omega.
    typical, new
        The accuracy of a typical rater, expit(mu), and of one who is not known yet.
    alike
        Probability that the standard deviation of the accuracies is below `ALIKE`.
    ranks
        Shape (J, J): probability that a rater (row) is the first, second ... most accurate.
    draws
        By number, shape (n,).
    how
        ``hmc`` or ``approximation``.
    settled
        Whether the numbers may be reported.
    worth
        How many independent draws they are worth.
    findings
        What must be known of them.
    subject_posterior
        Shape (N, K), where asked for.
    seconds
        It took.
    """

    raters: tuple[str, ...]
    numbers: tuple[PooledNumber, ...]
    typical: PooledNumber
    new: PooledNumber
    alike: float
    ranks: FloatArray
    draws: Mapping[ParameterName, FloatArray]
    how: str
    settled: bool
    worth: float
    findings: tuple[FitFinding, ...] = ()
    subject_posterior: FloatArray | None = None
    seconds: float = 0.0

    def number(self, name: str, rater: str | None = None) -> PooledNumber:
        """The number of that name; KeyError where there is none."""
        for one in self.numbers:
            if (one.name.name, one.name.rater) == (name, rater):
                return one
        raise KeyError(f"{name} of {rater}")


class PooledTarget:
    """Log density of truth, guessing, mu, beta, log omega and z, and its gradient.

    Parameters
    ----------
    plan
        The tabulated data of one of `POOLED`.
    columns
        Shape (J, S): covariates of the raters, each with mean 0 and standard deviation 1.
    spread
        Scale of the prior of omega.
    """

    def __init__(self, plan: Design, columns: FloatArray, spread: float = 1.0) -> None:
        self.plan, self._columns, self._spread = plan, columns, spread
        prior = prior_counts(plan)
        # The population is the prior of the accuracies.
        prior = replace(prior, hits=np.zeros_like(prior.hits), ratings=np.zeros_like(prior.ratings))
        own_guesses = plan.space.model.guessing is Guessing.PER_RATER
        if own_guesses:
            prior = replace(prior, guesses=np.zeros_like(prior.guesses))
        self._general = ModelTarget(plan, plan.space.evidence(plan.patterns), prior)
        self._inner: Target = SmallTarget(self._general) if has_few_patterns(self._general) else self._general
        self.raters, self.slopes = columns.shape
        self._before = int(np.prod(plan.space.truth_shape[:-1])) * (plan.space.classes - 1)
        self._leanings = Leanings(self._general.basis, self.raters) if own_guesses else None
        self._rates = self._general.size - self.raters if self._leanings is None else self._before + self._leanings.size
        self.size: int = self._rates + 2 + self.slopes + self.raters
        self.omega = self._rates + 1 + self.slopes
        """The place of log omega among the coordinates."""

    @property
    def inside(self) -> ModelTarget:
        """The density without a population; its coordinates are `rates`."""
        return self._general

    def allowed(self, at: FloatArray) -> NDArray[np.bool_]:
        """See `Target.allowed`: labels cannot switch."""
        return np.ones(at.shape[0], dtype=bool)

    def _parts(self, at: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Mu with slopes (B, 1 + S), omega (B, 1), z (B, J), logits of accuracies (B, J)."""
        middle, omega, z = at[:, self._rates : self.omega], np.exp(at[:, [self.omega]]), at[:, self.omega + 1 :]
        return middle, omega, z, middle[:, :1] + middle[:, 1:] @ self._columns.T + omega * z

    def rates(self, at: FloatArray) -> FloatArray:
        """Shape (B, q'): coordinates of the model without a population."""
        first = self._before
        guesses = at[:, first : self._rates]
        if self._leanings is not None:
            guesses = self._leanings.rates(guesses)
        return np.concatenate([at[:, :first], self._parts(at)[3], guesses], axis=1)

    def points(self, at: FloatArray) -> Stack:
        """The points at coordinates (B, q)."""
        return self._general.points(self.rates(at))

    def coordinates(self, stack: Stack) -> FloatArray:
        """Shape (B, q): of points with accuracies inside, the population around them."""
        inner = self._general.coordinates(stack)
        own = inner[:, self._before : self._before + self.raters]
        mu = own.mean(axis=1, keepdims=True)
        omega = np.maximum(own.std(axis=1, keepdims=True), 0.2)
        guesses = inner[:, self._before + self.raters :]
        if self._leanings is not None:
            guesses = self._leanings.coordinates(guesses)
        slopes = np.zeros((stack.size, self.slopes))
        return np.concatenate(
            [inner[:, : self._before], guesses, mu, slopes, np.log(omega), (own - mu) / omega], axis=1
        )

    def __call__(self, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """See `Target.__call__`."""
        middle, omega, z, _logits = self._parts(at)
        level, inner = self._inner(self.rates(at))
        first = self._before
        own = inner[:, first : first + self.raters]
        mu, beta = middle[:, 0], middle[:, 1:]
        level = level - np.logaddexp(0, mu) - np.logaddexp(0, -mu) - (beta**2).sum(axis=1) / (2 * SLOPE_SCALE**2)
        level = level - (z**2).sum(axis=1) / 2 - (omega[:, 0] / self._spread) ** 2 / 2 + at[:, self.omega]
        guesses = inner[:, first + self.raters :]
        if self._leanings is not None:
            believed, guesses = self._leanings.density(at[:, first : self._rates], guesses)
            level = level + believed
        slope = np.concatenate(
            [
                inner[:, :first],
                guesses,
                (own.sum(axis=1) + 1 - 2 * expit(mu))[:, None],
                own @ self._columns - beta / SLOPE_SCALE**2,
                ((own * omega * z).sum(axis=1) - (omega[:, 0] / self._spread) ** 2 + 1)[:, None],
                own * omega - z,
            ],
            axis=1,
        )
        return level, slope

    def names(self, covariates: tuple[str, ...]) -> tuple[ParameterName, ...]:
        """Of the numbers of `values`."""
        rest = [ParameterName("mu"), *(ParameterName("b", covariate=c) for c in covariates), ParameterName("omega")]
        own = () if self._leanings is None else (ParameterName("x"),)
        return (*(slot.name for slot in self.plan.slots), *own, *rest)

    def values(self, at: FloatArray) -> FloatArray:
        """Shape (B, S): the reported numbers."""
        stack = self.points(at)
        own = np.stack([slot.column(stack) for slot in self.plan.slots], axis=1)
        middle, omega, _z, _logits = self._parts(at)
        if self._leanings is not None:
            own = np.concatenate([own, self._leanings.common(at[:, self._before : self._rates])[1][:, None]], axis=1)
        return np.concatenate([own, middle, omega], axis=1)


def refuses_pool(row: RaterModel, ratings: Ratings, covariates: tuple[str, ...] = ()) -> str | None:
    """Why raters of this model, with these columns, cannot be drawn from one population; None when they can."""
    if row.name not in POOLED:
        return _("Pooled {raters} have accuracies of their own: choose one of {models}.").format(
            models=", ".join(POOLED)
        )
    reason = Sampling().refuses(row, ratings)
    if reason is None and len(ratings.raters) < FEWEST_RATERS:
        reason = _("Two {raters} tell nothing of a population of {raters}: three are needed, five are better.")
    if reason is None and len(covariates) + 2 > len(ratings.raters):
        reason = _("So many columns cannot be told apart by {count} {raters}.").format(count=len(ratings.raters))
    if reason is not None:
        return reason
    try:
        rater_columns(ratings, covariates)
    except CannotAnswerError as error:
        return error.what
    return None


def pooled_target(ratings: Ratings, row: RaterModel, request: PoolRequest) -> PooledTarget:
    """The density of a population of raters.

    Raises
    ------
    CannotAnswerError
        When raters cannot be pooled, or a column is none of numbers of raters.
    """
    reason = refuses_pool(row, ratings, request.covariates)
    if reason:
        raise CannotAnswerError(reason)
    columns = [(own - own.mean()) / own.std() for own in rater_columns(ratings, request.covariates).values()]
    matrix = np.stack(columns, axis=1) if columns else np.zeros((len(ratings.raters), 0))
    return PooledTarget(design(row, ratings), matrix, request.spread)


def rater_columns(ratings: Ratings, names: tuple[str, ...]) -> dict[str, FloatArray]:
    """Columns of numbers of the raters, each of shape (J,).

    Raises
    ------
    CannotAnswerError
        When one is no number that is known of every rater and differs between them.
    """
    return {name: _column(ratings, name) for name in names}


def _column(ratings: Ratings, name: str) -> FloatArray:
    column = ratings.covariates.get(name)
    values = None if column is None else ratings.rater_values(name)
    if column is not None and column.of is CovariateOf.RATER:
        values = column.values
    try:
        numbers = None if values is None else np.asarray(values, dtype=np.float64)
    except ValueError:
        numbers = None
    if numbers is None or not np.isfinite(numbers).all() or numbers.std() == 0:
        raise CannotAnswerError(
            _("'{column}' is not a number that is known of every {rater} and differs between them.").format(
                column=Label(name)
            )
        )
    return numbers


def pooled_raters(
    ratings: Ratings, seed: int = 1, request: PoolRequest | None = None, row: RaterModel | None = None
) -> Run[PooledRaters]:
    """Sample a population of raters by Hamiltonian Monte Carlo.

    Parameters
    ----------
    ratings
        Of known raters.
    seed
        Of starting points, momenta and acceptances.
    request
        What is asked; by default a `PoolRequest` as it stands.
    row
        One of `POOLED`; by default ``t-aj-p``.

    Yields
    ------
    Step
        Phase ``sampling`` (see `run_chains`).

    Raises
    ------
    CannotAnswerError
        As of `pooled_target`, and when the chains lose their way.
    """
    began = time.perf_counter()
    request = request or PoolRequest()
    row = row or model("t-aj-p")
    target, sampled = yield from sampled_pool(ratings, row, request, seed)
    flat = sampled.at.reshape(-1, target.size)
    total = request.warmup + request.draws
    worst = yield from diagnostics(sampled, target.names(request.covariates), Step(total, total, "sampling"))
    said = worst.finding()
    findings = () if said is None else (said,)
    return summarise_pool(
        (ratings, row, target, request), flat, seed, ("hmc", worst.settled, worst.ess_bulk, findings, began)
    )


def sampled_pool(
    ratings: Ratings, row: RaterModel, request: PoolRequest, seed: int
) -> Run[tuple[PooledTarget, ChainDraws]]:
    """The density of a population of raters, and draws from it; parameters as of `pooled_raters`.

    Raises
    ------
    CannotAnswerError
        As of `pooled_target`, and when the chains lose their way.
    """
    target = pooled_target(ratings, row, request)
    yield Step(0, request.warmup + request.draws, "sampling")
    scatter, moves = (np.random.default_rng(s) for s in np.random.SeedSequence([seed, _STREAM]).spawn(2))
    start, scale = pooled_starts(target, request.chains, scatter)
    sampled = yield from run_chains(
        target,
        start,
        scale,
        (target.names(request.covariates), lambda at: (at, target.values(at))),
        warmup=request.warmup,
        draws=request.draws,
        rng=moves,
    )
    if not np.isfinite(sampled.at).all():
        raise CannotAnswerError(_("The sampler lost its way on these data."))
    return target, sampled


def pooled_starts(target: PooledTarget, chains: int, rng: np.random.Generator) -> tuple[FloatArray, Whitening]:
    """Shape (chains, q): points around the mode near the majority vote, and the shape of the density there."""
    inside = majority_vote(target.plan).inside(0.02)
    at = target.coordinates(replace(inside, accuracy=np.clip(inside.accuracy, 0.05, 0.95)))
    for _turn in range(200):
        level, slope = target(at)
        step = at + slope / (10 + np.abs(slope).sum(axis=1, keepdims=True))
        at = np.where((target(step)[0] > level)[:, None], step, at)
    around = laplace(target, at[0])
    moved = around.out(1.5 * rng.standard_normal((chains, target.size)))
    # Log omega has no end below: far down there is nothing to be learnt.
    moved[:, target.omega] = np.clip(moved[:, target.omega], -2.5, 1.0)
    fine = np.isfinite(target(moved)[0])
    return np.where(fine[:, None], moved, at), around


def summarise_pool(
    what: tuple[Ratings, RaterModel, PooledTarget, PoolRequest],
    at: FloatArray,
    seed: int,
    how: tuple[str, bool, float, tuple[FitFinding, ...], float],
) -> PooledRaters:
    """From draws (n, q) to what is believed.

    Parameters
    ----------
    what
        The data, the model, its density and the request.
    at
        The draws.
    seed
        Of the raters who are not known yet.
    how
        The method, whether it settled, what its draws are worth, its findings, and when it began.
    """
    ratings, _row, target, request = what
    names, values = target.names(request.covariates), target.values(at)
    draws = {name: np.ascontiguousarray(values[:, i]) for i, name in enumerate(names)}
    own = np.stack([d for name, d in draws.items() if name.name == "a"], axis=1)
    mu, omega = draws[ParameterName("mu")], draws[ParameterName("omega")]
    new = new_raters(mu, omega, seed)
    place = np.argsort(np.argsort(-own, axis=1), axis=1)
    ranks = np.stack([(place == r).mean(axis=0) for r in range(own.shape[1])], axis=1)
    method, settled, worth, findings, began = how
    findings = (*findings, *pool_findings(own.shape[1]))
    accuracy = ParameterName("a")
    return PooledRaters(
        ratings.raters,
        tuple(PooledNumber.of(name, d) for name, d in draws.items()),
        PooledNumber.of(accuracy, expit(mu)),
        PooledNumber.of(accuracy, new),
        float((own.std(axis=1) < ALIKE).mean()),
        ranks,
        MappingProxyType(draws),
        method,
        settled,
        worth,
        findings,
        _classes(target, at) if request.subjects else None,
        time.perf_counter() - began,
    )


def new_raters(mu: FloatArray, omega: FloatArray, seed: int) -> FloatArray:
    """Shape (n,): accuracies of raters who are not known yet, one for each draw of mu and omega, both (n,)."""
    rng = np.random.default_rng(np.random.SeedSequence([seed, _NEW_RATER]))
    return np.asarray(expit(mu + omega * rng.standard_normal(mu.size)))


def pool_findings(count: int) -> tuple[FitFinding, ...]:
    """That so few raters tell little of a population; nothing where they are enough."""
    if count >= ENOUGH_RATERS:
        return ()
    message = _(
        "With {count} {raters}, how much {raters} differ is mostly what was assumed beforehand: five or "
        "more can tell it."
    ).format(count=count)
    return (FitFinding("few_raters", "ask", message, _("Read the accuracies of the single {raters} without pooling.")),)


def _classes(target: PooledTarget, at: FloatArray) -> FloatArray:
    """Shape (N, K): probability of each class of each subject, averaged over draws far apart."""
    some = at[np.unique(np.linspace(0, at.shape[0] - 1, _FOR_SUBJECTS).astype(np.int64))]
    plan = target.plan
    evidence = plan.space.evidence(plan.patterns)
    total = np.zeros((plan.space.classes, plan.patterns.patterns))
    for part in np.array_split(some, max(some.shape[0] // 20, 1)):
        total += evidence.posterior(target.points(part)).sum(axis=0)
    return np.asarray((total / some.shape[0]).T[plan.patterns.of_subject])
