"""Whether beliefs about the members of the grid are calibrated: the truth's rank among posterior draws is uniform.

Numbers and panels are drawn from the priors and sampled as a user's panel would be (simulation-based calibration; Talts
et al. 2018, arXiv:1804.06788). What is ranked is fixed in advance: the first number of each kind, and of pooled raters
both numbers of the population.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from zlib import crc32

import numpy as np
from scipy.special import expit, logit
from scipy.stats import chisquare

from tapdesk.errors import UsageError
from tapdesk.fitting.sampling.method import Sampling
from tapdesk.fitting.sampling.pooled import PoolRequest, pooled_raters
from tapdesk.fitting.sampling.pooled_quick import quick_pooled_raters
from tapdesk.language import gettext as _
from tapdesk.models.design import Freedom, Slot, design
from tapdesk.models.difficulty import MOST_SIGMA
from tapdesk.models.model import CASE_MODELS, Cases, model
from tapdesk.models.parameters import FloatArray, ParameterName, Parameters
from tapdesk.models.simulate import simulate, simulate_like
from tapdesk.progress import Run, Step, relay
from tapdesk.studies.grid_panels import blank_panel, grid_panel
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.table import Cell, StudyTable, join_tables

COLUMNS = ("beliefs", "number", "sets", "told", "mean", "in_90", "p_uniform")
POOLED, QUICK = "t-aj-p, pooled", "t-aj-p, pooled, approximation"
LEANING, QUICK_LEANING = "t-aj-pj, pooled", "t-aj-pj, pooled, approximation"
PLAIN = ("t-a-pj", "t-aj-pj")
"""Models of raters who guess each in a way of their own: named and tried as the members of the grid are."""
SAMPLED = (*PLAIN, "tg-a-p", "tg-ag-pg", *(row.name for row in CASE_MODELS), "t-aij-p", "t-an-p", "t-aj-p+m")
BELIEFS = (POOLED, QUICK, LEANING, QUICK_LEANING, *SAMPLED)
"""Whose beliefs are tried: of populations of raters by both methods, and of members of each kind by the sampler."""
SETS = 100
"""Of each approximation, which the sampler stands in for where it does not settle."""
_SUBJECTS, _RATERS = 20, 6
_CHAINED, _DRAWN = PoolRequest(chains=8, draws=100, warmup=150), PoolRequest(chains=8, draws=1000)
_REQUESTS = {POOLED: _CHAINED, QUICK: _DRAWN, LEANING: _CHAINED, QUICK_LEANING: _DRAWN}
_SETS = {**dict.fromkeys((*SAMPLED, LEANING), 200), POOLED: 400, **dict.fromkeys(PLAIN, 1000)}
_SAMPLED_POOLS, _OWN_GUESSES = {POOLED, LEANING}, {LEANING, QUICK_LEANING}
_CHAINS, _DRAWS, _WARMUP = 8, 150, 200
_KEPT, _BINS = 99, 10
_PIECES, _STREAM = 20, 51
_TAIL = 0.05

Ranks = list[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class BeliefPart:
    """Some of the data sets of one kind of belief; set r is the same whatever else is asked for."""

    beliefs: str
    first: int
    last: int
    seed: int


def sets_of(name: str) -> int:
    """How many data sets a kind of belief is tried on: as many as what it takes allows."""
    return _SETS.get(name, SETS)


def belief_parts(names: Sequence[str] = BELIEFS, sets: int | None = None, seed: int = 1) -> tuple[BeliefPart, ...]:
    """What `posterior_calibration` works on, in several pieces.

    Parameters
    ----------
    names
        Of `BELIEFS`.
    sets
        Data sets of each; as many as of `sets_of` where not said.
    seed
        Of all that is drawn.

    Raises
    ------
    UsageError
        When there is no such kind.
    """
    parts = []
    for name in names:
        if name not in BELIEFS:
            raise UsageError(
                _("Beliefs about '{name}' are not tried.").format(name=name),
                fix=_("Choose from these: {known}.").format(known="; ".join(BELIEFS)),
            )
        count = sets_of(name) if sets is None else sets
        ends = np.unique(np.linspace(0, count, min(_PIECES, max(count, 1)) + 1).astype(int)).tolist()
        parts += [BeliefPart(name, a, b, seed) for a, b in pairwise(ends)]
    return tuple(parts)


def posterior_calibration(
    parts: Sequence[BeliefPart], workers: int = 1, kept: FinishedPieces | None = None
) -> Run[StudyTable]:
    """A table with a row for each number that is ranked.

    Parameters
    ----------
    parts
        Of `belief_parts`.
    workers, kept
        As of `coverage`.

    Yields
    ------
    Step
        Phase ``study``.

    Returns
    -------
    StudyTable
        In ``told`` of the ``sets`` the approximation may be reported, and only these are looked at: what the ratings
        decide changes nothing of the ranks. Chains are so short here that all of them are looked at. ``mean`` is that
        of the truth's rank as a share (.5 where all is well), ``in_90`` how often the truth lies between the 5 % and
        95 % quantiles, ``p_uniform`` that of a chi-square test of ten equal bins.

    Raises
    ------
    UsageError
        When no data sets are asked for.
    """
    if not parts:
        raise UsageError(_("A study of no panels tells nothing."))
    results = yield from in_parallel(belief_ranks, parts, workers, kept=kept)
    sets: dict[str, int] = {}
    whole: dict[tuple[str, str], list[float]] = {}
    for part, piece in zip(parts, results, strict=True):
        sets[part.beliefs] = sets.get(part.beliefs, 0) + part.last - part.first
        for name, rank in piece:
            whole.setdefault((part.beliefs, name), []).append(float(rank))
    rows = [_row(beliefs, name, sets[beliefs], np.array(own)) for (beliefs, name), own in whole.items()]
    return join_tables("beliefs", COLUMNS, [rows])


def _row(beliefs: str, name: str, sets: int, ranks: FloatArray) -> tuple[Cell, ...]:
    share = (ranks + 0.5) / (_KEPT + 1)
    counts = np.bincount(np.minimum((share * _BINS).astype(int), _BINS - 1), minlength=_BINS)
    inside = float(((share > _TAIL) & (share < 1 - _TAIL)).mean())
    return beliefs, name, sets, ranks.size, float(share.mean()), inside, float(chisquare(counts).pvalue)


def belief_ranks(part: BeliefPart) -> Run[Ranks]:
    """The ranks 0 ... 99 by number, of every data set that is looked at."""
    items: Ranks = []
    total = part.last - part.first
    draw = _population if part.beliefs in _REQUESTS else _member
    for r in range(part.first, part.last):
        yield Step(r - part.first, total, "study")
        draws, truths = yield from relay(draw(part, r), r - part.first, total, "study")
        items += [(str(name), float((_thinned(draws[name]) < truth).sum())) for name, truth in truths.items() if draws]
    return items


_Beliefs = tuple[Mapping[ParameterName, FloatArray], Mapping[ParameterName, float]]


def _population(part: BeliefPart, r: int) -> Run[_Beliefs]:
    """Draws and truths of a population of raters; no draws where they may not be reported."""
    rng = np.random.default_rng(np.random.SeedSequence([part.seed, _STREAM, r]))
    mu, omega = float(logit(rng.random())), abs(float(rng.standard_normal()))
    accuracy = expit(mu + omega * rng.standard_normal(_RATERS))
    t, p = rng.random(2)
    row, guesses, own = model("t-aj-p"), np.array([[1 - p, p]]), {"p": p}
    if part.beliefs in _OWN_GUESSES:
        # Each rater guesses around a common way; the most unlike have one class when they guess.
        row, x = model("t-aj-pj"), float(rng.random())
        guesses = rng.dirichlet(np.maximum(guesses[0] * (1 / x - 1), 1e-12), _RATERS)
        own = {"x": x}
    point = Parameters(np.array([1 - t, t]), accuracy[:, None], guesses[:, None], np.zeros(0))
    names = tuple(f"R{j + 1}" for j in range(_RATERS))
    ratings, _truth = simulate(
        row, point, ("no", "yes"), names, _SUBJECTS, np.random.SeedSequence([part.seed, _STREAM, r, 1])
    )
    method = pooled_raters if part.beliefs in _SAMPLED_POOLS else quick_pooled_raters
    found = yield from method(ratings, r, _REQUESTS[part.beliefs], row)
    truths = {"t": t, **own, "mu": mu, "omega": omega}
    named = {ParameterName(name): float(value) for name, value in truths.items()}
    named[ParameterName("a", rater=names[0])] = float(accuracy[0])
    if part.beliefs in _OWN_GUESSES:
        named[ParameterName("p", rater=names[0])] = float(guesses[0, 1])
    return found.draws if found.settled or part.beliefs in _SAMPLED_POOLS else {}, named


def _member(part: BeliefPart, r: int) -> Run[_Beliefs]:
    """Draws and truths of a member of the grid."""
    if part.beliefs in PLAIN:
        row, blank = model(part.beliefs), blank_panel(_SUBJECTS, _RATERS)
    else:
        panel = grid_panel(part.beliefs, _SUBJECTS)
        row, blank = panel.model, panel.blank
    plan = design(row, blank)
    first, second = np.random.SeedSequence([part.seed, _STREAM, crc32(part.beliefs.encode()), r]).spawn(2)
    rng, space = np.random.default_rng(first), plan.space
    k = space.classes
    spread = rng.random(space.spreads)
    if space.model.cases is Cases.DIFFICULTY:
        # Half of a normal distribution, in logits.
        spread = np.minimum(np.abs(rng.standard_normal(1)) / MOST_SIGMA, 1.0)
    point = space.point(
        rng.dirichlet(np.ones(k), (1, *space.truth_shape[:-1])).reshape(1, *space.truth_shape),
        rng.random((1, *space.accuracy_shape)),
        rng.dirichlet(np.ones(k), (1, *space.guessing_shape[:2])),
    ).one(0)
    point = replace(point, spread=spread)
    ratings, _truth = simulate_like(blank, row, point, second)
    method = Sampling(chains=_CHAINS, draws=_DRAWS, warmup=_WARMUP)
    fit = yield from method.run(row, ratings, r)
    kinds: dict[str, Slot] = {}
    for slot in plan.slots:
        if slot.freedom is Freedom.FREE:
            kinds.setdefault(slot.name.name, slot)
    sample = None if fit.posterior is None else fit.posterior.sample
    if sample is None:
        raise ArithmeticError("a sampler kept no draws")
    return sample.values, {slot.name: slot.value(point) for slot in kinds.values()}


def _thinned(draws: FloatArray) -> FloatArray:
    """So many draws, far apart in whatever order they stand."""
    return np.asarray(draws[np.linspace(0, draws.size - 1, _KEPT).astype(int)])
