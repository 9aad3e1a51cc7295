"""What is believed of single cases, averaged over what is not known of the numbers (models.md §5.6).

With the estimates taken as known, beliefs of small panels are far too sure: of thirty cases with three ratings each,
what is said to be .99 is right in .87 of them. Under flat priors the numbers have a posterior. Where raters share t, a
and p and there are two classes, it is integrated exactly (`quadrature`); elsewhere points are drawn near its modes and
weighed by it (adaptive multiple importance sampling: Cornuet et al. 2012, Scand. J. Stat. 39, 798), and where that
leaves too few points of weight, it is sampled (`sampling`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, logsumexp

from tapdesk.fitting.priors import prior_counts
from tapdesk.fitting.quadrature.grid import Scanner
from tapdesk.fitting.quadrature.likelihood import BinaryCounts
from tapdesk.fitting.quadrature.method import count_model
from tapdesk.fitting.sampling.hmc import Whitening, climbed, laplace
from tapdesk.fitting.sampling.method import Sampling
from tapdesk.fitting.sampling.target import ModelTarget, SmallTarget, Target, has_few_patterns
from tapdesk.fitting.starts import starts
from tapdesk.models.design import Design
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import Accuracy, Guessing, Truth
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.ratings import Ratings

PHASE = "beliefs"
# Nodes along the three directions that follow the mass: enough for a belief to three digits.
_NODES = (41, 31, 25)
_FREEDOM = 5.0
_FIRST, _MORE, _ROUNDS = 2_000, 5_000, 5
_MOST_MODES, _WORTH = 4, 12.0
_RANDOM = 4
# So many points of full weight leave an error below .02 in any belief.
_ENOUGH = 800.0
_CHUNK = 2_000_000
_MOST_CELLS, _NORMAL = 15_000, 200
_CHAINS, _DRAWS, _WARMUP = 8, 150, 150


def averaged_posterior(
    ratings: Ratings, plan: Design, evidence: Evidence, best: Parameters, seed: int
) -> Run[FloatArray]:
    """Probability of each true class of each case, averaged over the posterior of the numbers under flat priors.

    Parameters
    ----------
    ratings, plan, evidence
        The data, and as a model sees them.
    best
        The maximum of the likelihood: where to begin.
    seed
        Of the points; the exact integral needs none.

    Yields
    ------
    Step
        Phase ``beliefs``.

    Returns
    -------
    array
        Shape (N, K).
    """
    yield Step(0, 1, PHASE)
    model, k = plan.space.model, plan.space.classes
    shared = (model.truth, model.accuracy, model.guessing) == (Truth.FREE, Accuracy.ONE, Guessing.ONE)
    if k == 2 and shared and model.pools:
        by_pattern: FloatArray | None = _exact(plan, evidence)
    elif plan.space.free == 0:
        by_pattern = evidence.posterior(Stack.of([best]))[0].T
    else:
        by_pattern = yield from _weighed(plan, evidence, best, seed)
    if by_pattern is None:
        # Its draws are no re-draws of this fit: whoever draws what comes must not see them.
        drawn = Sampling(_CHAINS, _DRAWS, _WARMUP, subjects=True).run(model, ratings, seed)
        sampled = yield from relay(drawn, 0, 1, PHASE)
        if sampled.subject_posterior is not None:
            return sampled.subject_posterior
        by_pattern = evidence.posterior(Stack.of([best]))[0].T
    yield Step(1, 1, PHASE)
    return np.asarray(by_pattern[plan.patterns.of_subject])


def _exact(plan: Design, evidence: Evidence) -> FloatArray:
    """Shape (P, K): by the nodes of the exact posterior of t-a-p."""
    (half,) = count_model("t-a-p").halves(BinaryCounts.of(plan.patterns))
    scanner = Scanner(half.target, None)
    grid = scanner.grid(scanner.w_box(), _NODES)
    mass = grid.mass.ravel()
    heavy = np.flatnonzero(mass > 1e-9)
    t, a, p = (1 / (1 + np.exp(-np.clip(at.ravel()[heavy], -700, 700))) for at in (grid.x, grid.y, grid.z))
    stack = plan.space.point(np.stack([1 - t, t], axis=1), a, np.stack([1 - p, p], axis=1))
    return _averaged(evidence, stack, mass[heavy])


def _averaged(evidence: Evidence, stack: Stack, weight: FloatArray) -> FloatArray:
    """Shape (P, K): posteriors of the patterns, averaged with weights over points."""
    patterns = evidence.patterns
    rows = max(_CHUNK // max(patterns.patterns * patterns.classes, 1), 1)
    total = np.zeros((patterns.classes, patterns.patterns))
    for at in range(0, stack.size, rows):
        part = np.arange(at, min(at + rows, stack.size))
        total += np.einsum("b,bkp->kp", weight[part], evidence.posterior(stack.take(part)))
    return np.asarray((total / weight.sum()).T)


@dataclass(frozen=True, eq=False)
class _Mixture:
    """Student distributions with few degrees of freedom, which reach farther than any posterior of these models."""

    parts: tuple[Whitening, ...]
    shares: FloatArray

    def draw(self, count: int, rng: np.random.Generator) -> FloatArray:
        """Shape (count, q)."""
        which = rng.choice(len(self.parts), size=count, p=self.shares)
        q = self.parts[0].centre.size
        away = rng.standard_normal((count, q))
        away /= np.sqrt(rng.chisquare(_FREEDOM, size=(count, 1)) / _FREEDOM)
        yes = np.empty((count, q))
        for i, part in enumerate(self.parts):
            yes[which == i] = part.out(away[which == i])
        return yes

    def log_density(self, at: FloatArray) -> FloatArray:
        """Shape (B,): log densities."""
        q = at.shape[1]
        rows = []
        for part in self.parts:
            away = part.back(at)
            size = np.abs(part.factor if part.factor.ndim == 1 else np.diag(part.factor))
            whole = gammaln((_FREEDOM + q) / 2) - gammaln(_FREEDOM / 2) - q / 2 * np.log(_FREEDOM * np.pi)
            tail = (_FREEDOM + q) / 2 * np.log1p((away**2).sum(axis=1) / _FREEDOM)
            rows.append(whole - np.log(size).sum() - tail)
        return np.asarray(logsumexp(np.stack(rows), axis=0, b=self.shares[:, None]))


def _weighed(plan: Design, evidence: Evidence, best: Parameters, seed: int) -> Run[FloatArray | None]:
    """Shape (P, K): by weighted points; None where too few of them have weight."""
    target = ModelTarget(plan, evidence, prior_counts(plan))
    quick: Target = SmallTarget(target) if has_few_patterns(target) else target
    rng = np.random.default_rng([seed, 11])
    modes = yield from _modes(plan, target, quick, best, seed)
    cells = plan.patterns.pattern.size + plan.patterns.patterns * plan.space.classes
    if cells > _MOST_CELLS:
        # So many ratings leave a posterior that is normal, and weights would take minutes.
        points = modes[0].out(rng.standard_normal((_NORMAL, target.size)))
        return _averaged(evidence, target.points(points), np.ones(_NORMAL))
    mixtures = [_Mixture(tuple(modes), np.full(len(modes), 1 / len(modes)))]
    counts, drawn, levels = [], [], []
    weight = np.zeros(0)
    for turn in range(_ROUNDS):
        count = _FIRST if turn == 0 else _MORE
        yield Step(turn, _ROUNDS, PHASE)
        fresh = mixtures[-1].draw(count, rng)
        counts.append(count)
        drawn.append(fresh)
        level = quick(fresh)[0]
        levels.append(np.where(np.isfinite(level) & quick.allowed(fresh), level, -np.inf))
        weight = _weights(np.concatenate(drawn), np.concatenate(levels), mixtures, counts)
        if turn and 1 / float((weight**2).sum()) > 4 * _ENOUGH:
            break
        mixtures.append(_adapted(mixtures[-1], np.concatenate(drawn), weight))
    if not 1 / float((weight**2).sum()) >= _ENOUGH:
        return None
    kept = np.flatnonzero(weight > weight.max() * 1e-6)
    return _averaged(evidence, target.points(np.concatenate(drawn)[kept]), weight[kept])


def _modes(plan: Design, target: ModelTarget, quick: Target, best: Parameters, seed: int) -> Run[Sequence[Whitening]]:
    """The shape of the density around its modes that are worth a visit, the highest first."""
    first = starts(plan, seed, random=_RANDOM)
    plain = [i for i, name in enumerate(first.names) if not name.startswith("grid")]
    stack = Stack.join([Stack.of([best]).inside(0.02), first.stack.take(np.array(plain))])
    stack = yield from climbed(target, plan.space.settle(stack))
    at = target.coordinates(stack)
    level = np.where(quick.allowed(at), quick(at)[0], -np.inf)
    whitenings: list[Whitening] = []
    for i in np.argsort(-level, kind="stable"):
        if len(whitenings) == _MOST_MODES or level[i] < level.max() - _WORTH:
            break
        if all(float((near.back(at[i : i + 1]) ** 2).sum()) > target.size for near in whitenings):
            whitenings.append(laplace(quick, at[i]))
    return whitenings


def _weights(at: FloatArray, level: FloatArray, mixtures: Sequence[_Mixture], counts: Sequence[int]) -> FloatArray:
    """Weights that sum to 1: the posterior over all that was drawn from, taken together."""
    whole = np.asarray(counts, dtype=float) / sum(counts)
    used = mixtures[: len(counts)]
    proposed = logsumexp(np.stack([m.log_density(at) for m in used]), axis=0, b=whole[:, None])
    logs = level - proposed
    logs -= logs.max()
    weight = np.exp(logs)
    return np.asarray(weight / weight.sum())


def _adapted(old: _Mixture, at: FloatArray, weight: FloatArray) -> _Mixture:
    """The mixture with the shape of the weighted points beside its parts."""
    q = at.shape[1]
    # Where few points carry all weight the shape of these few is narrower than the posterior: tempered weights.
    logs = np.log(np.maximum(weight, 1e-300))
    power = 1.0
    while power > 0.05:
        tempered = np.exp(power * (logs - logs.max()))
        tempered /= tempered.sum()
        if 1 / float((tempered**2).sum()) > 10 * q:
            break
        power *= 0.7
    centre = tempered @ at
    away = at - centre
    covariance = (away * tempered[:, None]).T @ away
    try:
        factor = np.linalg.cholesky(covariance + 1e-9 * np.trace(covariance) / q * np.eye(q))
    except np.linalg.LinAlgError:
        return old
    parts = (*old.parts[:_MOST_MODES], Whitening(centre, factor))
    shares = np.full(len(parts), 0.3 / (len(parts) - 1))
    shares[-1] = 0.7
    return _Mixture(parts, shares)
