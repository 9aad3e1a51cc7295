"""The result of fitting one model to one set of ratings, and a posterior's own account of itself."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tapdesk.estimate import AccuracyRange, Estimate, MatchRates, PooledSlope
from tapdesk.fitting.profile import Profile
from tapdesk.language import gettext as _
from tapdesk.language import same_sentence
from tapdesk.models.design import Freedom, Slot
from tapdesk.models.model import RaterModel
from tapdesk.models.parameters import ParameterName, Parameters

# Why a guessing rate has no value where nobody guesses; it does not make a fit degenerate.
NO_GUESS = _("Every {rating} is taken to follow its {subject} here, so nothing shows what a guess would have been.")

# Vehtari, Gelman, Simpson, Carpenter & Bürkner (2021), Bayesian Analysis 16(2): chains agree below it.
MOST_RHAT = 1.01


class Status(Enum):
    """How a fit ended; the value is the sentence the user reads."""

    SETTLED = _("The estimates have settled.")
    DEGENERATE = _("A parameter sits on the edge of what is possible, so some numbers have no meaning.")
    NOT_IDENTIFIED = _("These data cannot separate the parameters: many values fit equally well.")
    NOT_SETTLED = _("The estimates had not settled when the search stopped: do not report them.")


@dataclass(frozen=True, slots=True)
class ParameterEstimate:
    """One named parameter with its estimate on the probability scale (slopes: logit scale)."""

    name: ParameterName
    freedom: Freedom
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class LogLikelihood:
    """Log-likelihood in nats, in both conventions (models.md §4); ``counts`` adds the multinomial coefficients."""

    ratings: float
    counts: float


@dataclass(frozen=True, slots=True)
class Krits:
    """Krits per rating, log base 1/K (models.md §4); None where they are not defined, by true class then none."""

    marginal: float | None
    imputed: float | None
    expected: float | None
    standardised: float | None
    by_class: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class RatingShare:
    """What the numbers do to a single rating: a share of ratings with its interval.

    Attributes
    ----------
    truth
        Of two classes the true one it is a share of: of these cases' ratings those that say class 1. None for the
        share of all ratings that name the true class, whichever that is.
    value
        At the estimate, a probability.
    low, high
        Ends of the interval at the level of the fit; None where there is none.
    how
        ``profile`` or ``posterior``.
    """

    truth: str | None
    value: float
    low: float | None = None
    high: float | None = None
    how: str = "profile"


@dataclass(frozen=True, slots=True)
class IdentifiedRange:
    """What the likelihood leaves open of one parameter, and the same in words."""

    name: ParameterName
    low: float
    high: float
    words: str


@dataclass(frozen=True, slots=True)
class Identification:
    """Whether design and data pin the parameters.

    Attributes
    ----------
    by_design
        False when no data of this design could identify the model.
    here
        False when the data at hand do not, at the estimate.
    words
        The verdict in one or two sentences.
    open_parameters
        Names of the parameters that are not determined.
    ranges
        What is left open, where it can be computed.
    """

    by_design: bool
    here: bool
    words: str
    open_parameters: tuple[ParameterName, ...] = ()
    ranges: tuple[IdentifiedRange, ...] = ()

    @property
    def identified(self) -> bool:
        """Whether the numbers can be read as estimates."""
        return self.by_design and self.here


@dataclass(frozen=True, eq=False)
class Trace:
    """The log-likelihood (ratings form, nats) by E-M step from one start."""

    start: str
    log_likelihood: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Optimum:
    """One maximum.

    Attributes
    ----------
    log_likelihood
        Ratings form, nats.
    parameters
        Where it lies.
    undefined
        Positions in `Fit.slots` of the numbers that have no value there.
    """

    log_likelihood: float
    parameters: Parameters
    undefined: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FitFinding:
    """Something the reader of a fit must know: a code, how grave (``ask`` or ``note``), a sentence, what to do."""

    code: str
    severity: str
    message: str
    fix: str = ""


@dataclass(frozen=True, eq=False)
class Draws:
    """Re-draws or posterior draws: one array of shape (draws,) for each reported parameter.

    Attributes
    ----------
    kind
        ``bootstrap``, ``parametric-bootstrap`` or ``posterior``.
    values
        By parameter name.
    """

    kind: str
    values: Mapping[ParameterName, NDArray[np.float64]] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Mode:
    """One peak of a density: where it is highest (0 or 1 when it rises to the edge), and the mass around it."""

    at: float
    mass: float


@dataclass(frozen=True, slots=True)
class Summary:
    """What the posterior says of one parameter, on the probability scale.

    Attributes
    ----------
    name
        The parameter.
    mean, sd, median
        Its centre and spread.
    q05, q25, q75, q95
        Quantiles.
    hdi_low, hdi_high
        The shortest interval that holds ``Posterior.level`` of the mass.
    modes
        Its peaks, the highest mass first; with two, neither mean nor median describes it.
    """

    name: ParameterName
    mean: float
    sd: float
    median: float
    q05: float
    q25: float
    q75: float
    q95: float
    hdi_low: float
    hdi_high: float
    modes: tuple[Mode, ...]


@dataclass(frozen=True, slots=True)
class PosteriorReading:
    """One of several ways to understand the data: its share of the posterior, in words, and the parameters under it."""

    mass: float
    words: str
    summaries: tuple[Summary, ...]


@dataclass(frozen=True, eq=False)
class Curve:
    """A density for drawing: ``x`` and ``density`` of shape (n,), per unit of ``x``."""

    x: NDArray[np.float64]
    density: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class JointDensity:
    """A joint density for drawing.

    Attributes
    ----------
    x_name, y_name
        The parameters.
    x_edges, y_edges
        Shape (n + 1,), (m + 1,).
    density
        Shape (n, m): per unit of area, in cell (x, y).
    """

    x_name: ParameterName
    y_name: ParameterName
    x_edges: NDArray[np.float64]
    y_edges: NDArray[np.float64]
    density: NDArray[np.float64]


class Sampler(Protocol):
    """Something that makes independent posterior draws."""

    def draw(self, n: int, seed: int) -> Draws:
        """So many independent draws; the same seed gives the same."""
        ...


def no_curves() -> Mapping[ParameterName, Curve]:
    """No densities."""
    return MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Posterior:
    """The posterior of one model.

    Attributes
    ----------
    method
        ``quadrature`` or ``hmc``.
    summaries
        One for each parameter, in the order of reports, over the whole posterior.
    level
        Mass of the ``hdi`` intervals.
    log_evidence
        Log of the integral of likelihood times prior, in nats, in both conventions; None where it is not computed.
    error
        Estimated numerical error of the summaries, on their scale; the largest Monte Carlo error of a mean for hmc.
    rhat, ess_bulk, ess_tail, divergences
        Diagnostics of a sampler, the worst parameter's; None for quadrature.
    other_labelling_mass
        Mass of the labelling with the lower expected diagonal; None where labels cannot switch.
    readings
        The ways to understand the data when there are two; else empty.
    marginals
        Densities on the probability scale, by parameter.
    joint, guess_minus_truth
        Density of (a1, a0), where the model tells them apart; of p - t, where there is one p.
    sampler
        Makes draws (see ``draws``); None where only ``sample`` is kept.
    sample
        Draws kept with the posterior, or None.
    """

    method: str
    summaries: tuple[Summary, ...]
    level: float = 0.95
    log_evidence: LogLikelihood | None = None
    error: float | None = None
    rhat: float | None = None
    ess_bulk: float | None = None
    ess_tail: float | None = None
    divergences: int | None = None
    other_labelling_mass: float | None = None
    readings: tuple[PosteriorReading, ...] = ()
    marginals: Mapping[ParameterName, Curve] = field(default_factory=no_curves)
    joint: JointDensity | None = None
    guess_minus_truth: Curve | None = None
    sampler: Sampler | None = None
    sample: Draws | None = None

    def summary(self, name: str, category: str | None = None, rater: str | None = None) -> Summary:
        """The summary of a named parameter.

        Raises
        ------
        KeyError
            When there is none.
        """
        for row in self.summaries:
            if (row.name.name, row.name.category, row.name.rater) == (name, category, rater):
                return row
        raise KeyError(f"there is no parameter {ParameterName(name, category, rater)}")

    def draws(self, n: int, seed: int) -> Draws:
        """So many draws, by parameter; independent ones where there is a sampler, else drawn again from the kept ones.

        Raises
        ------
        ValueError
            When ``n`` is below 1, or there is nothing to draw from.
        """
        if n < 1:
            raise ValueError(f"the number of draws must be at least 1, not {n}")
        if self.sampler is not None:
            return self.sampler.draw(n, seed)
        if self.sample is None:
            raise ValueError("this posterior keeps neither draws nor a way to make them")
        kept = next(iter(self.sample.values.values())).size
        pick = np.random.default_rng(seed).integers(0, kept, n)
        return Draws("posterior", MappingProxyType({k: v[pick] for k, v in self.sample.values.items()}))


@dataclass(frozen=True, eq=False)
class SampledPosterior(Posterior):
    """A posterior from Hamiltonian Monte Carlo; ``error`` is the largest Monte Carlo standard error of a mean.

    Attributes
    ----------
    settled
        Whether it may be reported.
    chains
        Number of chains.
    accepted
        Mean acceptance probability.
    truth
        Of ``ti-aj-P``: of every subject's t_i mean, sd, 5 %, 50 % and 95 % quantile, (N, 5).
    beside
        Of ``ti-aj-P``: mean and posterior sd of every accuracy under ``t-aj-p``, for comparison.
    population, along
        Of pooled raters the accuracy of a typical and a new one, and the probability that all are alike; by column.
    """

    settled: bool = False
    chains: int = 0
    accepted: float = 0.0
    truth: np.ndarray[tuple[int, int], np.dtype[np.float64]] | None = None
    beside: Mapping[ParameterName, tuple[float, float]] = field(default_factory=lambda: MappingProxyType({}))
    population: tuple[Summary, Summary, float] | None = None
    along: tuple[PooledSlope, ...] = ()


@dataclass(frozen=True, eq=False)
class BootstrapTest:
    """A statistic and how often data drawn from the hypothesis reach it (cli.md, ``tests``).

    Attributes
    ----------
    name
        What is tested: ``a=0``, ``t=p``, ``G2`` ...
    statistic
        The observed statistic.
    df
        Degrees of freedom where counting them means something (the p-value does not rest on them); else None.
    p_bootstrap
        (1 + number of simulated statistics at least as large) / (1 + replicates).
    quantiles
        Of the simulated statistics, by level written as ``0.95``.
    replicates
        Number of simulated data sets.
    draws
        Shape (replicates,): their statistics.
    about
        The hypothesis, in words.
    p_holm, group
        Where one hypothesis is tested for each group: the p-value for all together (Holm), and which group; else None.
    """

    name: str
    statistic: float
    df: int | None
    p_bootstrap: float
    quantiles: Mapping[str, float]
    replicates: int
    draws: NDArray[np.float64]
    about: str = ""
    p_holm: float | None = None
    group: str | None = None

    @property
    def rejects(self) -> bool:
        """Whether fewer than 5 in 100 data sets of the hypothesis look like this, of all groups together."""
        return (self.p_bootstrap if self.p_holm is None else self.p_holm) < 0.05

    @property
    def reached(self) -> int:
        """How many of the simulated data sets reach the observed statistic."""
        return round(self.p_bootstrap * (1 + self.replicates)) - 1

    @property
    def how_often(self) -> str:
        """How often data of the hypothesis look like this, in words."""
        if self.replicates and self.p_bootstrap * (1 + self.replicates) < 1.5:
            # None did: the p-value is then a bound set by the number of data sets, not a frequency.
            return _("less than 1 time in {replicates:,}").format(replicates=self.replicates)
        return one_in(self.p_bootstrap)


def one_in(p: float) -> str:
    """A probability as people say it, to two figures: ``1 time in 5``, ``1 time in 250``, ``more often than not``."""
    if p > 0.6:
        return _("more often than not")
    if p >= 0.45:
        return _("about every second time")
    times = 1 / max(p, 1e-12)
    size = 10 ** max(math.floor(math.log10(times)) - 1, 0)
    return _("1 time in {times:,}").format(times=round(times / size) * size)


@dataclass(frozen=True, eq=False)
class Fit:
    """What one model says about one set of ratings.

    Attributes
    ----------
    model, estimator, seed
        What was fitted, by which method (``exact-em`` ...), from which seed.
    classes, raters
        Class labels in order, and rater names where the model tells them apart (else empty).
    parameters
        The point estimates as arrays.
    estimates
        The point estimates as named numbers with intervals, in the order of reports.
    log_likelihood
        Of the maximum, also beside a posterior, whose mean may lie where hardly anything fits.
    free
        Number of free parameters q.
    subjects, ratings
        What was used.
    krits, match_rates, kappa
        Derived at the maximum; kappa is a^2 (1 - t't) / (1 - c'c), None where undefined.
    status, identification, active_bounds
        How it ended, what the data can tell, which parameters sit on a bound (named, such as ``a = 1``).
    trace
        The best start first, then others, a dozen at most.
    starts
        Number of starts climbed from.
    optima
        Distinct maxima, the best first.
    interval
        Method of the intervals (``profile`` ... ``none``) and level.
    findings
        What the reader must know.
    subject_posterior
        Shape (N, K): probability of each class for each subject, averaged over what is not known of the numbers (at
        the estimate where these are not determined); None when not asked for.
    draws
        Re-draws behind the intervals or posterior draws, or None.
    slots
        Where each reported number stands in the parameter arrays.
    profiles
        The profile likelihoods behind the intervals (``fitting/profile.py``), when they were made.
    posterior
        The posterior's own account (`Posterior`), or None.
    tests, horizon
        Tests by parametric bootstrap, and how far luck alone reaches, by level; empty and None unless asked for.
    shares
        What the numbers do to a single rating (`fitting/rating_shares.py`), where raters share them.
    accuracy_range
        Every accuracy that fits as well without what these ratings cannot test (`fitting/accuracy_range.py`); None
        where nothing of that kind is known.
    mean_accuracy
        Mean of the accuracies over raters or classes, with its profile interval, where several models are set side by
        side (`studies/model_comparison.py`); else None.
    """

    model: RaterModel
    estimator: str
    seed: int
    classes: tuple[str, ...]
    raters: tuple[str, ...]
    parameters: Parameters
    estimates: tuple[ParameterEstimate, ...]
    log_likelihood: LogLikelihood
    free: int
    subjects: int
    ratings: int
    krits: Krits
    match_rates: MatchRates | None
    kappa: float | None
    status: Status
    converged: bool
    iterations: int
    identification: Identification
    active_bounds: tuple[str, ...]
    trace: tuple[Trace, ...]
    optima: tuple[Optimum, ...]
    interval: tuple[str, float]
    findings: tuple[FitFinding, ...] = ()
    subject_posterior: NDArray[np.float64] | None = None
    draws: Draws | None = None
    posterior: Posterior | None = None
    starts: int = 1
    slots: tuple[Slot, ...] = ()
    profiles: tuple[Profile, ...] = ()
    tests: tuple[BootstrapTest, ...] = ()
    horizon: Mapping[str, float] | None = None
    seconds: float = 0.0
    shares: tuple[RatingShare, ...] = ()
    accuracy_range: AccuracyRange | None = None
    mean_accuracy: Estimate | None = None

    @property
    def degenerate(self) -> bool:
        """Whether a parameter sits on the edge of its range, or has no value at this maximum."""
        return bool(self.active_bounds) or self.status is Status.DEGENERATE

    @property
    def aic(self) -> float:
        """Akaike's criterion from the ratings log-likelihood."""
        return 2 * self.free - 2 * self.log_likelihood.ratings

    @property
    def bic(self) -> float:
        """Schwarz's criterion from the ratings log-likelihood; the sample size is the number of subjects."""
        return float(self.free * np.log(max(self.subjects, 1)) - 2 * self.log_likelihood.ratings)

    @property
    def rates_known(self) -> bool:
        """Whether the rates of the ratings are determined: all numbers are, or all but what nobody's guess would be.

        With an accuracy of 1 there are no guesses, and what follows from the rates alone is known without theirs.
        """
        left_open = self.identification.open_parameters
        if self.identification.identified or not self.identification.by_design:
            return self.identification.identified
        reasons = {e.name: e.estimate.undefined for e in self.estimates}
        return bool(left_open) and all(same_sentence(reasons.get(name), NO_GUESS) for name in left_open)

    def estimate(self, name: str, category: str | None = None, rater: str | None = None) -> Estimate:
        """The estimate of a named parameter.

        Raises
        ------
        KeyError
            When the model has no such parameter.
        """
        for e in self.estimates:
            if (e.name.name, e.name.category, e.name.rater) == (name, category, rater):
                return e.estimate
        raise KeyError(f"{self.model.name} has no parameter {ParameterName(name, category, rater)}")
