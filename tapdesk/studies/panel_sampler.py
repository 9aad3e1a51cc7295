"""The posterior of a panel that scores entries: what each entry is worth, and how each judge scores.

Judge j gives entry i the score y_ij = alpha_j + beta_j u_i + e, e ~ N(0, sigma_j^2): alpha_j tells how generous the
judge is, beta_j how far the judge follows the entries (1 as the panel does, 0 not at all, below 0 turned round),
sigma_j how scattered the scores are. u_i ~ N(0, tau^2). The numbers of the judges are partially pooled: alpha_j
normal, beta_j a mixture of three kinds (who follows the entries, who guesses, who turns the scale round, so that one
of these does not move what is believed of the others), sigma_j^2 scaled inverse chi-square with an unknown degree of
likeness. This is a many-facet model (Linacre 1989) with a slope and a spread of each judge, and in its ordered form a
graded-response model (Samejima 1969; Johnson & Albert 1999, ch. 5).

What a fair panel would give is F_i = mean(alpha) + u_i: on the scale of these judges, with their severity taken out.

Sampling is by Gibbs steps on several chains at once. The alpha are drawn with the u integrated out (a matrix of judges
by judges), so that level and severity do not hold each other up. A score may be known up to an interval only: rounding
(fixed ends), or an ordered class (cut points that are sampled as well). Then the score itself is drawn, and cut points
and the scale of all values by Metropolis steps in which the scores are integrated out: cut points given drawn scores
hardly move (Cowles 1996).
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run, Step

IndexArray = NDArray[np.integer[Any]]
# Kinds of judges: who follows the entries, who does not, who turns the scale round; how their slopes scatter around
# these (of the first it is sampled), and as how many judges of each kind are counted before the data speak.
_KIND_SLOPES = np.array([1.0, 0.0, -1.0])
_KIND_SPREADS = (0.3, 0.4)
_KIND_COUNTS = np.array([4.0, 1.0, 0.5])
# How far slopes are from 1, and how much judges differ in spread, before the data speak.
_SLOPE_SCALE = 0.2
_LIKENESS = np.array([2.0, 4.0, 8.0, 16.0, 32.0, 64.0])
_EVERY = 10


@dataclass(frozen=True, eq=False)
class PanelScores:
    """Scores of entries by judges.

    Attributes
    ----------
    entry, judge
        Shape (m,): who gave which score, sorted by entry and judge.
    value
        Shape (m,): the scores; of ordered classes their place, 0 the lowest.
    entries, judges
        How many there are.
    step
        Scores are rounded to multiples of it; 0 where this does not matter.
    classes
        Of ordered classes how many; 0 for scores.
    """

    entry: IndexArray
    judge: IndexArray
    value: FloatArray
    entries: int
    judges: int
    step: float = 0.0
    classes: int = 0

    @staticmethod
    def of(
        entry: IndexArray,
        judge: IndexArray,
        value: FloatArray,
        size: tuple[int, int],
        *,
        step: float = 0.0,
        classes: int = 0,
    ) -> "PanelScores":
        """Scores in any order; ``size`` is the number of entries and judges."""
        order = np.lexsort((judge, entry))
        return PanelScores(
            entry[order].astype(np.int64),
            judge[order].astype(np.int64),
            np.asarray(value, dtype=float)[order],
            *size,
            step,
            classes,
        )

    @property
    def latent(self) -> bool:
        """Whether the scores themselves are drawn."""
        return self.step > 0 or self.classes > 0


@dataclass(frozen=True, eq=False)
class PanelDraws:
    """Draws of the posterior, shape (D, ...), chains one behind another.

    Attributes
    ----------
    fair
        Shape (D, N): what a fair panel would give.
    level, slope, spread
        Shape (D, J): of each judge the points above the panel, the slope and the standard deviation.
    cuts
        Shape (D, K - 1): the lines between ordered classes; no columns for scores.
    chains
        How many.
    rhat
        The largest of the split potential scale reductions over entries, judges and lines.
    """

    fair: FloatArray
    level: FloatArray
    slope: FloatArray
    spread: FloatArray
    cuts: FloatArray
    chains: int
    rhat: float

    def thin(self, step: int) -> "PanelDraws":
        """Every draw at a multiple of a step."""
        return self._of(slice(None, None, step))

    def chain(self, which: int) -> "PanelDraws":
        """The draws of one chain."""
        size = self.fair.shape[0] // self.chains
        return self._of(slice(which * size, (which + 1) * size))

    def _of(self, rows: slice) -> "PanelDraws":
        names = ("fair", "level", "slope", "spread", "cuts")
        return replace(self, **{name: getattr(self, name)[rows] for name in names})


@dataclass(eq=False)
class _State:
    """Where the chains stand; shapes begin with the chains (B)."""

    alpha: FloatArray
    beta: FloatArray
    var: FloatArray
    u: FloatArray
    tau2: FloatArray
    omega2: FloatArray
    eta2: FloatArray
    kinds: FloatArray
    likeness: FloatArray
    typical: FloatArray
    cuts: FloatArray
    total: FloatArray
    square: FloatArray


class PanelSampler:
    """Chains on the scores of one panel, each with or without some of the judges.

    Parameters
    ----------
    scores
        The panel.
    keep
        Shape (B, J): whether each chain counts a judge's scores.
    rng
        Of all draws.
    """

    def __init__(self, scores: PanelScores, keep: NDArray[np.bool_], rng: np.random.Generator) -> None:
        self.scores, self.rng = scores, rng
        self.keep = keep.astype(float)
        self.chains = keep.shape[0]
        cell = scores.entry * scores.judges + scores.judge
        self._cells, self._first = np.unique(cell, return_index=True)
        shape = (scores.entries, scores.judges)
        self.count = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(float)
        self._weight = self.keep[:, scores.judge]
        self._place = scores.value.astype(np.intp) if scores.classes else np.zeros(0, dtype=np.intp)
        self._sweeps = 0
        # The scale of the scores, for priors that depend on no unit.
        self.unit = 1.0 if scores.classes else max(float(np.std(scores.value)), scores.step, 1e-9)
        self._jump = np.full((self.chains, 4), [0.15, 0.05, 0.1, 0.1])
        self.state = self._start()

    def restart(self, draws: PanelDraws) -> None:
        """Begin at draws of another run on the same scores, evenly spaced."""
        at = np.linspace(0, draws.fair.shape[0] - 1, self.chains).astype(int)
        level = draws.fair[at].mean(axis=1, keepdims=True)
        self.state = replace(
            self.state,
            alpha=draws.level[at] + level,
            beta=draws.slope[at].copy(),
            var=draws.spread[at] ** 2,
            u=draws.fair[at] - level,
            cuts=draws.cuts[at].copy(),
            tau2=draws.fair[at].var(axis=1),
        )
        if self.scores.latent:
            self._draw_scores()

    def _start(self) -> _State:
        s, b = self.scores, self.chains
        shape = (b, s.judges)
        cuts = np.zeros((b, 0))
        value = s.value
        if s.classes:
            from scipy.special import ndtri  # late: slow to load

            share = np.bincount(s.value.astype(int), minlength=s.classes) / s.value.size
            ends = ndtri(np.clip(share.cumsum()[:-1], 1e-3, 1 - 1e-3)) * 1.5
            cuts = np.tile(ends, (b, 1))
            middle = np.concatenate([[ends[0] - 1], (ends[1:] + ends[:-1]) / 2, [ends[-1] + 1]])
            value = middle[s.value.astype(int)]
        drawn = np.tile(value, (b, 1))
        mean = np.bincount(s.entry, value, s.entries) / np.maximum(np.bincount(s.entry, minlength=s.entries), 1)
        u = mean - value.mean() + self.rng.normal(0, 0.3 * self.unit, (b, s.entries))
        part = np.full(b, (0.5 * self.unit) ** 2)
        return _State(
            np.full(shape, value.mean()),
            np.ones(shape),
            np.full(shape, (0.8 * self.unit) ** 2 if not s.classes else 1.0),
            u,
            part.copy(),
            part.copy() / 2,
            np.full(b, 0.01),
            np.tile(_KIND_COUNTS / _KIND_COUNTS.sum(), (b, 1)),
            np.full(b, 8.0),
            np.full(b, (0.8 * self.unit) ** 2 if not s.classes else 1.0),
            cuts,
            *self._sums(drawn),
        )

    def _sums(self, value: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Shape (B, N, J): sum of the scores in each cell; (B, J): sum of squares of each judge."""
        s = self.scores
        total = np.zeros((value.shape[0], s.entries * s.judges))
        total[:, self._cells] = np.add.reduceat(value, self._first, axis=1)
        square = np.stack([np.bincount(s.judge, row * row, s.judges) for row in value]).astype(float)
        return total.reshape(-1, s.entries, s.judges), square

    # One sweep ------------------------------------------------------------------------------------------------------

    def sweep(self, *, tune: bool = False) -> None:
        """One step of every chain; ``tune`` fits the reach of Metropolis steps to how often they are taken."""
        if self.scores.classes:
            self._move_lines(tune=tune)
        if self.scores.latent:
            self._draw_scores()
        self._draw_levels_and_values()
        self._draw_slopes()
        self._draw_spreads()
        self._draw_variances()

    def _draw_levels_and_values(self) -> None:
        """Levels with the values integrated out, then the values."""
        x, n = self.state, self.count
        w = self.keep / x.var
        pull = n * (w * x.beta)[:, None, :]
        precision = 1 / x.tau2[:, None] + (n @ (w * x.beta**2)[..., None])[..., 0]
        seen = (x.total @ (w * x.beta)[..., None])[..., 0]
        share = pull / precision[..., None]
        system = -np.swapaxes(pull, 1, 2) @ share
        right = w * x.total.sum(axis=1) - (np.swapaxes(share, 1, 2) @ seen[..., None])[..., 0]
        at = np.arange(self.scores.judges)
        system[:, at, at] += w * n.sum(axis=0) + 1 / x.omega2[:, None]
        # The common level has a flat prior for scores; of ordered classes it is 0, and the lines are free.
        if not self.scores.classes:
            system -= (1 / (x.omega2 * self.scores.judges))[:, None, None]
            # With no trace of a judge's scores the system is singular by rounding alone.
            system[:, at, at] += 1e-9 / x.omega2[:, None]
        root = np.linalg.cholesky(system)
        mean = np.linalg.solve(system, right[..., None])
        noise = np.linalg.solve(np.swapaxes(root, 1, 2), self.rng.normal(size=mean.shape))
        x.alpha = (mean + noise)[..., 0]
        about = (seen - (pull @ x.alpha[..., None])[..., 0]) / precision
        x.u = about + self.rng.normal(size=about.shape) / np.sqrt(precision)

    def _draw_slopes(self) -> None:
        """The kind of every judge with the slope integrated out, then the slope."""
        x, n = self.state, self.count
        w = self.keep / x.var
        seen = np.maximum(w * ((x.u**2) @ n), 1e-12)
        left = (np.swapaxes(x.total, 1, 2) @ x.u[..., None])[..., 0] - x.alpha * (x.u @ n)
        near = w * left / seen
        spread = np.stack([np.sqrt(x.eta2), *(np.full(self.chains, sd) for sd in _KIND_SPREADS)], axis=1)[:, None, :]
        wide = 1 / seen[..., None] + spread**2
        density = np.log(x.kinds)[:, None, :] - (np.log(wide) + (near[..., None] - _KIND_SLOPES) ** 2 / wide) / 2
        kind = (density - np.log(-np.log(self.rng.random(density.shape)))).argmax(axis=2)
        middle, sd = _KIND_SLOPES[kind], np.take_along_axis(spread[:, 0], kind, axis=1)
        precision = seen + 1 / sd**2
        x.beta = (seen * near + middle / sd**2) / precision + self.rng.normal(size=kind.shape) / np.sqrt(precision)
        counts = np.stack([(kind == k).sum(axis=1) for k in range(len(_KIND_SLOPES))], axis=1)
        x.kinds = self.rng.gamma(counts + _KIND_COUNTS)
        x.kinds = np.maximum(x.kinds / x.kinds.sum(axis=1, keepdims=True), 1e-12)
        far = ((x.beta - 1) ** 2 * (kind == 0)).sum(axis=1)
        x.eta2 = self._variance(far, counts[:, 0], x.eta2, _SLOPE_SCALE)

    def _draw_spreads(self) -> None:
        x, n = self.state, self.count
        each = n.sum(axis=0)
        mean = x.alpha[:, None, :] + x.beta[:, None, :] * x.u[..., None]
        rest = np.maximum(x.square + (mean * (n * mean - 2 * x.total)).sum(axis=1), 0.0) * self.keep
        shape = (x.likeness[:, None] + each * self.keep) / 2
        x.var = (x.likeness * x.typical)[:, None] / 2 + rest / 2
        x.var /= self.rng.gamma(shape)
        x.var = np.maximum(x.var, (1e-4 * self.unit) ** 2)
        inverse, judges = (1 / x.var).sum(axis=1), self.scores.judges
        if not self.scores.classes:
            x.typical = self.rng.gamma(x.likeness * judges / 2 + 0.5) / (x.likeness / 2 * inverse + 0.5 / self.unit**2)
        from scipy.special import gammaln  # late: slow to load

        half = _LIKENESS / 2
        logs = np.log(x.var).sum(axis=1)[:, None]
        density = (
            judges * (half * np.log(half * x.typical[:, None]) - gammaln(half))
            - half * logs
            - half * x.typical[:, None] * inverse[:, None]
        )
        chosen = density - np.log(-np.log(self.rng.random(density.shape)))
        x.likeness = _LIKENESS[chosen.argmax(axis=1)]

    def _draw_variances(self) -> None:
        x, s = self.state, self.scores
        before = x.tau2, x.omega2
        x.tau2 = self._variance((x.u**2).sum(axis=1), s.entries, x.tau2, 2 * self.unit)
        free = s.judges if s.classes else s.judges - 1
        middle = 0.0 if s.classes else x.alpha.mean(axis=1, keepdims=True)
        x.omega2 = self._variance(((x.alpha - middle) ** 2).sum(axis=1), free, x.omega2, self.unit)
        if s.classes:
            # What was drawn knows nothing of the lines: it is a proposal, which the lines may refuse.
            ratio = _lines_prior(x.cuts, x.tau2, x.omega2) - _lines_prior(x.cuts, *before)
            refused = np.log(self.rng.random(self.chains)) >= ratio
            x.tau2, x.omega2 = np.where(refused, before[0], x.tau2), np.where(refused, before[1], x.omega2)

    def _variance(self, square: FloatArray, free: IndexArray | int, now: FloatArray, scale: float) -> FloatArray:
        """A variance whose root has a half-t prior of 2 degrees of freedom (Huang & Wand 2013), shape (B,)."""
        helper = (1 / scale**2 + 2 / now) / self.rng.gamma(1.5, size=now.shape)
        made = (2 / helper + square / 2) / self.rng.gamma((free + 2) / 2, size=now.shape)
        return np.maximum(made, (1e-4 * scale) ** 2)

    # Scores that are known up to an interval ------------------------------------------------------------------------

    def _mean(self) -> FloatArray:
        x, s = self.state, self.scores
        return np.asarray(self._by_judge(x.alpha) + self._by_judge(x.beta) * np.take(x.u, s.entry, axis=1))

    def _by_judge(self, numbers: FloatArray) -> FloatArray:
        """Shape (B, m): of every score the number of its judge."""
        return np.take(numbers, self.scores.judge, axis=1)

    def _ends(self, cuts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Shape (B, m): the interval of each score."""
        s = self.scores
        if not s.classes:
            return (s.value - s.step / 2)[None], (s.value + s.step / 2)[None]
        far = np.full((cuts.shape[0], 1), np.inf)
        ends = np.concatenate([-far, cuts, far], axis=1)
        return np.take(ends, self._place, axis=1), np.take(ends[:, 1:], self._place, axis=1)

    def _draw_scores(self) -> None:
        """Every score from its truncated normal distribution."""
        from scipy.special import ndtr, ndtri  # late: slow to load

        mean = self._mean()
        sd = self._by_judge(np.sqrt(self.state.var))
        low, high = self._ends(self.state.cuts)
        low, high = (low - mean) / sd, (high - mean) / sd
        # The lower tail is the one with many digits.
        turned = low > 0
        low, high = np.where(turned, -high, low), np.where(turned, -low, high)
        first, last = ndtr(low), ndtr(high)
        drawn = ndtri(first + self.rng.random(mean.shape) * (last - first))
        # Where both ends lie beyond all digits the nearer one stands for the score.
        drawn = np.where(np.isfinite(drawn), np.clip(drawn, low, high), high)
        self.state.total, self.state.square = self._sums(mean + sd * np.where(turned, -drawn, drawn))

    def _log_likelihood(self, cuts: FloatArray, mean: FloatArray, sd: FloatArray) -> FloatArray:
        """Shape (B,): of the classes, the scores integrated out."""
        from scipy.special import ndtr  # late: slow to load

        low, high = self._ends(cuts)
        # Only one of two tails has many digits: scores above the mean are turned round.
        side = np.where(low + high > 2 * mean, -1.0, 1.0) / sd
        first, last = (low - mean) * side, (high - mean) * side
        inside = np.abs(ndtr(last) - ndtr(first))
        return np.asarray(np.einsum("bm,bm->b", np.log(np.maximum(inside, 1e-300)), self._weight))

    def _move_lines(self, *, tune: bool) -> None:
        """Metropolis steps: all lines; by turns the scale of everything, or lines together with the values; the unit.

        Each step costs the likelihood of every score, so the two that only help the chains along take turns.
        """
        x = self.state
        sd, mean = self._by_judge(np.sqrt(x.var)), self._mean()
        now = self._log_likelihood(x.cuts, mean, sd)
        jump = self._jump[:, 0] * np.sqrt(100 / max(self.scores.value.size, 1)) * 2
        cuts = x.cuts + self.rng.normal(size=x.cuts.shape) * jump[:, None]
        rising = (np.diff(cuts, axis=1) > 0).all(axis=1)
        new = self._log_likelihood(np.sort(cuts, axis=1), mean, sd)
        prior = _lines_prior(cuts, x.tau2, x.omega2) - _lines_prior(x.cuts, x.tau2, x.omega2)
        taken = self._taken(np.where(rising, new - now + prior, -np.inf), 0, tune=tune)
        x.cuts = np.where(taken[:, None], cuts, x.cuts)
        now = np.where(taken, new, now)
        self._sweeps += 1
        if self._sweeps % 2:
            self._move_scale(now, mean, sd, tune=tune)
        else:
            self._move_together(now, mean, sd, tune=tune)
        self._move_unit(tune=tune)

    def _move_scale(self, now: FloatArray, mean: FloatArray, sd: FloatArray, *, tune: bool) -> None:
        """A Metropolis step of the scale of levels, values and lines; ``now`` is the likelihood before it."""
        x = self.state
        log_g = self.rng.normal(size=self.chains) * self._jump[:, 1]
        g = np.exp(log_g)[:, None]
        new = self._log_likelihood(x.cuts * g, mean * g, sd)
        # Values and levels scale with their variances, which have half-t priors.
        prior = self._scale_prior(x.tau2, g[:, 0], 2.0) + self._scale_prior(x.omega2, g[:, 0])
        prior += self._lines_ratio(g[:, 0])
        g = np.where(self._taken(new - now + prior, 1, tune=tune)[:, None], g, 1.0)
        x.cuts, x.alpha, x.u = x.cuts * g, x.alpha * g, x.u * g
        x.tau2, x.omega2 = x.tau2 * g[:, 0] ** 2, x.omega2 * g[:, 0] ** 2

    def _move_together(self, now: FloatArray, mean: FloatArray, sd: FloatArray, *, tune: bool) -> None:
        """A Metropolis step of all lines together with all values; ``now`` is the likelihood before it."""
        x = self.state
        h = (self.rng.normal(size=self.chains) * self._jump[:, 2] * np.sqrt(x.tau2))[:, None]
        new = self._log_likelihood(x.cuts + h, mean + self._by_judge(x.beta) * h, sd)
        prior = (x.u**2 - (x.u + h) ** 2).sum(axis=1) / (2 * x.tau2)
        prior += _lines_prior(x.cuts + h, x.tau2, x.omega2) - _lines_prior(x.cuts, x.tau2, x.omega2)
        h = np.where(self._taken(new - now + prior, 2, tune=tune)[:, None], h, 0.0)
        x.u, x.cuts = x.u + h, x.cuts + h

    def _move_unit(self, *, tune: bool) -> None:
        """A Metropolis step of the unit of everything, spreads as well: the ratings cannot tell it, priors hold it."""
        x = self.state
        log_g = self.rng.normal(size=self.chains) * self._jump[:, 3]
        g = np.exp(log_g)
        near = x.likeness / 2 * ((1 / g**2 - 1) * (1 / x.var).sum(axis=1) * x.typical)
        prior = self._lines_ratio(g) - log_g * x.likeness * self.scores.judges - near
        prior += self._scale_prior(x.tau2, g, 2.0) + self._scale_prior(x.omega2, g)
        g = np.where(self._taken(prior, 3, tune=tune), g, 1.0)
        x.cuts, x.alpha, x.u = x.cuts * g[:, None], x.alpha * g[:, None], x.u * g[:, None]
        x.tau2, x.omega2, x.var = x.tau2 * g**2, x.omega2 * g**2, x.var * g[:, None] ** 2

    def _lines_ratio(self, g: FloatArray) -> FloatArray:
        """Shape (B,): what the prior of the lines says of lines, values and levels that are g times as large."""
        x = self.state
        now = _lines_prior(x.cuts, x.tau2, x.omega2)
        new = _lines_prior(x.cuts * g[:, None], x.tau2 * g**2, x.omega2 * g**2)
        return np.asarray(new - now + x.cuts.shape[1] * np.log(g))

    @staticmethod
    def _scale_prior(var: FloatArray, g: FloatArray, scale: float = 1.0) -> FloatArray:
        """Shape (B,): what a half-t prior of 2 degrees of freedom says of a root that is g times as large."""
        now = np.sqrt(var) / scale
        return np.asarray(-1.5 * (np.log1p((g * now) ** 2 / 2) - np.log1p(now**2 / 2)) + np.log(g))

    def _taken(self, ratio: FloatArray, which: int, *, tune: bool) -> NDArray[np.bool_]:
        """Shape (B,): whether steps are taken; with ``tune`` their reach is changed."""
        taken = np.log(self.rng.random(self.chains)) < ratio
        if tune:
            self._jump[:, which] *= np.exp(0.15 * (taken - 0.3))
        return np.asarray(taken)


def _lines_prior(cuts: FloatArray, tau2: FloatArray, omega2: FloatArray) -> FloatArray:
    """Shape (B,): the logarithm of the prior of the lines between classes, up to a constant.

    Every way to share the scores of all judges among the classes is as likely as any other before the data speak: of
    scores that scatter by tau^2 + omega^2 + 1, the shares below the lines are ordered uniform numbers, so the lines
    are ordered normal ones (the induced Dirichlet prior, M. Betancourt 2025, "Ordinal modeling"). Lines that were as
    likely wherever they lie would take entries to differ by more than the scores say, and be too sure of each.
    """
    wide = tau2 + omega2 + 1.0
    return np.asarray(-(cuts**2).sum(axis=1) / (2 * wide) - cuts.shape[1] * np.log(wide) / 2)


def drive(sampler: PanelSampler, warm: int, draws: int, phase: str) -> Run[PanelDraws]:
    """Draws of the posterior of a panel; those of each chain stand together.

    Parameters
    ----------
    sampler
        Of the panel, wherever its chains stand.
    warm, draws
        Steps that tune it and are not kept, and steps that are.
    phase
        Of the steps.

    Yields
    ------
    Step
        Every ten steps of all chains; among its values `fair`, the mean of the values so far.
    """
    for step in range(warm):
        sampler.sweep(tune=True)
        if step % _EVERY == 0:
            yield Step(step, warm + draws, phase)
    kept: list[tuple[FloatArray, ...]] = []
    share = sampler.keep / sampler.keep.sum(axis=1, keepdims=True)
    running = np.zeros(sampler.scores.entries)
    for step in range(draws):
        sampler.sweep()
        x = sampler.state
        middle = (x.alpha * share).sum(axis=1, keepdims=True)
        kept.append(_in_units(x, middle) if sampler.scores.classes else _as_scores(x, middle))
        running += kept[-1][0].mean(axis=0)
        if step % _EVERY == 0:
            yield Step(warm + step, warm + draws, phase, {"fair": running / (step + 1)})
    stacked = [np.stack(part, axis=1) for part in zip(*kept, strict=True)]
    rhat = max(_split_rhat(part) for part in stacked if part.shape[2])
    flat = [part.reshape(sampler.chains * draws, part.shape[2]) for part in stacked]
    fair, level, slope, spread, cuts = flat
    return PanelDraws(fair, level, slope, spread, cuts, sampler.chains, rhat)


def _as_scores(x: _State, middle: FloatArray) -> tuple[FloatArray, ...]:
    """What is kept of a step: fair values, levels, slopes, spreads, lines."""
    return x.u + middle, x.alpha - middle, x.beta.copy(), np.sqrt(x.var), x.cuts.copy()


def _in_units(x: _State, middle: FloatArray) -> tuple[FloatArray, ...]:
    """The same of ordered classes, from the middle of the lines in units of the typical spread: both are free."""
    unit = np.exp(np.log(x.var).mean(axis=1, keepdims=True) / 2)
    fair, level, slope, spread, cuts = _as_scores(x, middle)
    zero = cuts.mean(axis=1, keepdims=True)
    return (fair - zero) / unit, level / unit, slope, spread / unit, (cuts - zero) / unit


def _split_rhat(draws: FloatArray) -> float:
    """The largest potential scale reduction of chains cut in halves, of draws (B, D, n) (Gelman et al. 2013)."""
    half = draws.shape[1] // 2
    if half < 2:
        return float("nan")
    parts = np.concatenate([draws[:, :half], draws[:, half : 2 * half]])
    within = parts.var(axis=1, ddof=1).mean(axis=0)
    between = parts.mean(axis=1).var(axis=0, ddof=1)
    return float(np.sqrt((half - 1) / half + between / np.maximum(within, 1e-300)).max())
