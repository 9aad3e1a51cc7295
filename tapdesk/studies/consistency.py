"""Whether raters who rate a case again say the same, and whether that is more than their skill makes of it.

Under conditional independence the two answers of rater j to one case are the same with probability
sum_k t_k sum_c pi_jk(c)^2 (models_more.md §6): consistency is not accuracy, and an unswerving rater may have none at
all. What lies above it is memory, or a habit with the case; its distribution comes from ratings simulated on the design
from the fit, and fitted again. But a fit without memory may take sameness for skill, so that nothing lies above it.
Where it is known in which order the ratings came, the likelihood of copies speaks besides; copies of the other raters
are allowed for then, or this rater would be blamed for theirs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import bdtrc

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import BootstrapTest, Fit
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.model import MEMORY_MODELS, RaterModel
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.models.repeats import repeaters_of
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.patterns import Patterns
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.batch_fit import CAREFUL, fit_weights
from tapdesk.studies.holm import holm
from tapdesk.studies.likelihood_ratio import Nested, likelihood_ratio
from tapdesk.studies.simulated_data import simulate_datasets

_STREAM = 31
# So many panels are looked at first: they settle what would be otherwise less often than this.
_LOOK, _OTHERWISE, _LEVEL = 60, 1e-3, 0.05
_NAME = "memory"


@dataclass(frozen=True, slots=True)
class Consistency:
    """One rater who rated cases again.

    Attributes
    ----------
    rater
        The name.
    pairs
        Pairs of own ratings of one case.
    same
        Share of them in the same class.
    kappa
        Cohen's, of the rater with themselves, by the classes given to these cases; None where all are of one class.
    expected_same, expected_kappa
        What accuracy and leaning alone make of both.
    p_bootstrap
        Share of simulated panels without memory of this rater in which the same lies as far above what their own fit
        expects.
    p_holm
        The same for all raters together (Holm); of `p_memory` where there is one.
    memory
        Share of repeats that are copies of the answer before; None where nothing says in which order ratings came.
    p_memory
        Share of these panels in which the likelihood speaks as strongly for copies; None likewise.
    fresh_same
        Share of pairs in the same class if none were copies; None likewise.
    """

    rater: str
    pairs: int
    same: float
    kappa: float | None
    expected_same: float
    expected_kappa: float | None
    p_bootstrap: float
    p_holm: float
    memory: float | None = None
    p_memory: float | None = None
    fresh_same: float | None = None


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of own ratings of a case, by pattern.

    Attributes
    ----------
    raters
        Shape (M,): who rated some case again.
    same, pairs
        Shape (P, M): pairs of one class, and all pairs.
    given
        Shape (P, M, K): ratings of each class in these cases.
    """

    raters: FloatArray
    same: FloatArray
    pairs: FloatArray
    given: FloatArray

    @staticmethod
    def of(patterns: Patterns, raters: Sequence[int]) -> "_Pairs":
        """The pairs of patterns whose units are the raters."""
        counts = np.zeros((patterns.patterns, patterns.units, patterns.classes))
        np.add.at(counts, (patterns.pattern, patterns.unit, patterns.category), patterns.count)
        counts = counts[:, list(raters)]
        size = counts.sum(axis=2)
        same = (counts * (counts - 1)).sum(axis=2) / 2
        given = np.where((size > 1)[..., None], counts, 0.0)
        return _Pairs(np.array(raters), same, size * (size - 1) / 2, given)

    def shares(self, weights: FloatArray) -> FloatArray:
        """Shape (B, M): share of same pairs, of data sets with weights (B, P)."""
        return np.asarray((weights @ self.same) / np.maximum(weights @ self.pairs, 1e-300))

    def expected(self, stack: Stack) -> FloatArray:
        """Shape (B, M): what the model expects, at B points."""
        result = np.empty((stack.size, self.raters.size))
        for b in range(stack.size):
            rates = stack.one(b).rating_rates()
            rates = np.broadcast_to(rates, (max(int(self.raters.max()) + 1, rates.shape[0]), *rates.shape[1:]))
            result[b] = ((rates[self.raters.astype(int)] ** 2).sum(axis=2) * stack.truth[b]).sum(axis=1)
        return result


def consistency(
    ratings: Ratings, row: RaterModel, replicates: int, seed: int, occasions: str = "", known: Fit | None = None
) -> Run[tuple[Consistency, ...]]:
    """Every rater who rated cases again, against what accuracy and leaning alone make of it.

    Parameters
    ----------
    ratings
        Of known raters.
    row
        ``t-aj-p`` or ``t-aj-pj``.
    replicates, seed
        Simulated panels, and of the random numbers.
    occasions
        The column that orders the ratings of a case by one rater; without it nothing is said of copies.
    known
        A fit of these ratings by exact E-M from the same seed, which is not made again where it is of the same model.

    Yields
    ------
    Step
        Phases ``fit`` and ``re-draws``.

    Raises
    ------
    CannotAnswerError
        When no rater rated a case again, or the model cannot be fitted.
    UsageError
        When the column does not order these ratings.
    """
    raters = repeaters_of(ratings) if ratings.raters_known else ()
    reason = ExactEM().refuses(row, ratings)
    if reason is None and not raters:
        reason = _("No {rater} rated {a_subject} more than once, so nothing shows how consistent they are.")
    if reason is not None:
        raise CannotAnswerError(reason)
    remembering = replace(_with_memory(row), occasions=occasions) if occasions else None
    wanted = remembering or row
    if known is not None and known.model == wanted and (known.estimator, known.seed) == (ExactEM.name, seed):
        fit = known
    else:
        fit = yield from relay(ExactEM().run(wanted, ratings, seed), 0, 1, "fit")
    plan = design(fit.model, ratings)
    pairs, weights = _Pairs.of(plan.patterns, raters), plan.patterns.weight[None]
    same = pairs.shares(weights)[0]
    expected, p = np.empty(len(raters)), np.ones((2, len(raters)))
    for i in range(len(raters) if occasions else 1):
        others = plan.space.repeaters[:i] + plan.space.repeaters[i + 1 :]
        null, level = yield from _null(ratings, fit, others, i)
        which = slice(i, i + 1) if occasions else slice(None)
        expected[which] = pairs.expected(Stack.of([null]))[0, which]
        seen = np.append((same - expected)[which], 2 * (fit.log_likelihood.ratings - level) if occasions else [])
        values = yield from _p_values(ratings, fit, (null, others, i), (replicates, seed), (which, seen))
        p[0, which] = values[: values.size - 1] if occasions else values
        p[1, which] = values[-1] if occasions else 1.0
    given = np.einsum("p,pmk->mk", weights[0], pairs.given)
    chance = ((given / given.sum(axis=1, keepdims=True)) ** 2).sum(axis=1)
    fresh = None if remembering is None else pairs.expected(Stack.of([fit.parameters]))[0]
    return tuple(
        Consistency(
            ratings.raters[j],
            round(float(weights[0] @ pairs.pairs[:, i])),
            float(same[i]),
            _kappa(float(same[i]), float(chance[i])),
            float(expected[i]),
            _kappa(float(expected[i]), float(chance[i])),
            float(p[0, i]),
            float(every),
            *(
                (None, None, None)
                if fresh is None
                else (float(fit.parameters.spread[i]), float(p[1, i]), float(fresh[i]))
            ),
        )
        for (i, j), every in zip(enumerate(raters), holm(p[int(fresh is not None)].tolist()), strict=True)
    )


def _p_values(
    ratings: Ratings,
    fit: Fit,
    null: tuple[Parameters, tuple[int, ...], int],
    scale: tuple[int, int],
    judged: tuple[slice, FloatArray],
) -> Run[FloatArray]:
    """P-values of what was seen of some raters: the excess of same pairs, and with memory the gain at the end.

    The first panels settle it where all of them were reached so often that none is below 5 % of all raters together but
    for one in a thousand (Besag & Clifford 1991, Biometrika 78:301): only what may be small is looked at longer.
    """
    (replicates, seed), (which, seen) = scale, judged
    known = np.zeros((0, seen.size))
    for first, end in ((0, min(_LOOK, replicates)), (_LOOK, replicates)):
        if first >= end or (first and _settled(_p_value(seen, known), len(repeaters_of(ratings)))):
            break
        excess, gain = yield from _draws(ratings, fit, null, (end - first, seed), first)
        shown = excess[:, which]
        known = np.concatenate([known, np.column_stack([shown, gain]) if seen.size > shown.shape[1] else shown])
    return _p_value(seen, known)


def _settled(p: FloatArray, raters: int) -> bool:
    """Whether p-values after the first panels are too large to end below the level that Holm asks of the smallest."""
    reached = round(float(p.min()) * (1 + _LOOK)) - 1
    return reached > 0 and bool(bdtrc(reached - 1, _LOOK, _LEVEL / raters) < _OTHERWISE)


def _p_value(observed: FloatArray, draws: FloatArray) -> FloatArray:
    """Shape (M,): share of draws (replicates, M) that reach the observed values (M,), which count as one of them."""
    return np.asarray((1 + (draws >= observed - 1e-9 * (1 + np.abs(observed))).sum(axis=0)) / (1 + draws.shape[0]))


def _kappa(same: float, chance: float) -> float | None:
    return (same - chance) / (1 - chance) if chance < 1 - 1e-12 else None


def _null(ratings: Ratings, fit: Fit, others: tuple[int, ...], i: int) -> Run[tuple[Parameters, float]]:
    """The fit without copies of one rater, and its log-likelihood."""
    point = fit.parameters
    plan = design(fit.model, ratings)
    if not plan.space.model.memory:
        return point, fit.log_likelihood.ratings
    space = replace(plan.space, repeaters=others)
    near = replace(point, spread=np.delete(point.spread, i))
    run = fit_weights(
        space, space.evidence(plan.patterns), plan.patterns.weight[None], [near], effort=CAREFUL, phase="fit"
    )
    ended = yield from run
    return ended.stack.one(0), float(ended.log_likelihood[0])


def _draws(
    ratings: Ratings, fit: Fit, null: tuple[Parameters, tuple[int, ...], int], scale: tuple[int, int], first: int
) -> Run[tuple[FloatArray, FloatArray]]:
    """What speaks for memory where there is none: excess of same pairs (replicates, M), likelihood (replicates, 1)."""
    (point, others, i), (replicates, seed) = null, scale
    raters, memory = repeaters_of(ratings), fit.model.memory
    drawn = replace(point, spread=np.insert(point.spread, i, 0.0)) if memory else point
    excess, gain = [np.zeros((0, len(raters)))], [np.zeros((0, 1))]
    done, total = first, first + replicates
    # Panels that are drawn later have random numbers of their own.
    source = np.random.SeedSequence([seed, _STREAM, i, *((first,) if first else ())])
    for some in simulate_datasets(ratings, fit.model, drawn, replicates, source):
        plan, weights = some.tabulate(fit.model)
        space = replace(plan.space, repeaters=others) if memory else plan.space
        run = fit_weights(space, space.evidence(plan.patterns), weights, [point])
        below = yield from relay(run, done, total, "re-draws")
        level = below.log_likelihood
        if memory:
            run = fit_weights(plan.space, plan.space.evidence(plan.patterns), weights, [drawn], also=below.stack)
            level = (yield from relay(run, done, total, "re-draws")).log_likelihood
        pairs = _Pairs.of(plan.patterns, raters)
        excess.append(pairs.shares(weights) - pairs.expected(below.stack))
        gain.append(np.maximum(2 * (level - below.log_likelihood), 0.0)[:, None])
        done += some.count
        yield Step(done, total, "re-draws")
    return np.concatenate(excess), np.concatenate(gain)


def _with_memory(row: RaterModel) -> RaterModel:
    """The same model in which repeats may be copies.

    Raises
    ------
    CannotAnswerError
        When there is none.
    """
    for other in MEMORY_MODELS:
        if (other.truth, other.accuracy, other.guessing) == (row.truth, row.accuracy, row.guessing):
            return replace(other, key=row.key)
    raise CannotAnswerError(_("Of the model {name} there is none with memory.").format(name=row.name))


def no_memory(row: RaterModel, occasions: str) -> Nested:
    """The hypothesis that no repeat is a copy; it lies on an edge, so its statistic has no known law.

    Parameters
    ----------
    row
        ``t-aj-p`` or ``t-aj-pj``.
    occasions
        The column that orders the ratings of a case by one rater.

    Raises
    ------
    CannotAnswerError
        When there is no such model with memory.
    """
    about = _("Nobody copies an answer of their own: repeats are as fresh as first {ratings}.")
    return Nested(_NAME, replace(_with_memory(row), occasions=occasions), row, about)


def memory_test(ratings: Ratings, row: RaterModel, occasions: str, replicates: int, seed: int) -> Run[BootstrapTest]:
    """The likelihood-ratio test that no repeat is a copy; parameters as of `no_memory` and `likelihood_ratio`."""
    return (yield from likelihood_ratio(ratings, no_memory(row, occasions), replicates, seed))
