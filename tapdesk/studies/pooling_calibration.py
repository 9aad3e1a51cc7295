"""Whether beliefs about a population of raters are calibrated: the truth's rank among posterior draws is uniform.

Populations, truths and panels are drawn from the priors and sampled as a user's panel would be (simulation-based
calibration; Talts et al. 2018, arXiv:1804.06788). What is ranked is fixed in advance.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.special import expit, logit
from scipy.stats import chisquare

from tapdesk.errors import UsageError
from tapdesk.fitting.sampling.pooled import PooledRaters, PoolRequest, pooled_raters
from tapdesk.fitting.sampling.pooled_quick import quick_pooled_raters
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray, ParameterName, Parameters
from tapdesk.models.simulate import simulate
from tapdesk.progress import Run, Step, relay
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.table import Cell, StudyTable

COLUMNS = ("how", "number", "sets", "told", "mean", "in_90", "p_uniform")
NUMBERS = (
    ParameterName("t"), ParameterName("a", rater="R1"), ParameterName("p"), ParameterName("mu"), ParameterName("omega"),
)  # fmt: skip
"""What is ranked: one of each kind, and both numbers of the population."""
SETS, SUBJECTS, RATERS = 300, 20, 6
_REQUESTS = {
    "hmc": PoolRequest(chains=8, draws=100, warmup=150),
    "approximation": PoolRequest(chains=8, draws=1000),
}
_KEPT, _BINS = 99, 10
_PIECES = 30
_STREAM = 51


@dataclass(frozen=True, slots=True)
class PoolingPart:
    """Some of the data sets by one method; set r is the same whatever else is asked for."""

    how: str
    first: int
    last: int
    seed: int


def pooling_parts(how: str = "hmc", sets: int = SETS, seed: int = 1) -> tuple[PoolingPart, ...]:
    """What `pooling_calibration` works on, in several pieces.

    Raises
    ------
    UsageError
        When the method is neither ``hmc`` nor ``approximation``.
    """
    if how not in {"hmc", "approximation"}:
        raise UsageError(_("A population of raters is found by hmc or by approximation."))
    ends = np.unique(np.linspace(0, sets, min(_PIECES, max(sets, 1)) + 1).astype(int)).tolist()
    return tuple(PoolingPart(how, a, b, seed) for a, b in pairwise(ends))


def pooling_calibration(
    how: str = "hmc", sets: int = SETS, seed: int = 1, workers: int = 1, kept: FinishedPieces | None = None
) -> Run[StudyTable]:
    """A table with a row for each of `NUMBERS`.

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
        When no data sets are asked for, or the method is unknown.
    """
    parts = pooling_parts(how, sets, seed)
    if not parts:
        raise UsageError(_("A study of no panels tells nothing."))
    results = yield from in_parallel(pooling_ranks, parts, workers, kept=kept)
    ranks = np.array([row for piece in results for row in piece], dtype=np.float64)
    return StudyTable("pooling", COLUMNS, tuple(_row(how, i, ranks) for i in range(len(NUMBERS))))


def _row(how: str, i: int, ranks: FloatArray) -> tuple[Cell, ...]:
    sets = len(ranks)
    ranks = ranks[(ranks[:, -1] > 0) | (how == "hmc")]
    share = (ranks[:, i] + 0.5) / (_KEPT + 1)
    counts = np.bincount(np.minimum((share * _BINS).astype(int), _BINS - 1), minlength=_BINS)
    p = float(chisquare(counts).pvalue)
    inside = float(((share > 0.05) & (share < 0.95)).mean())
    return how, str(NUMBERS[i]), sets, len(ranks), float(share.mean()), inside, p


def pooling_ranks(part: PoolingPart) -> Run[list[list[float]]]:
    """For every data set the ranks 0 ... 99 of `NUMBERS`, and whether the method settled."""
    items = []
    total = part.last - part.first
    for r in range(part.first, part.last):
        yield Step(r - part.first, total, "study")
        rng = np.random.default_rng(np.random.SeedSequence([part.seed, _STREAM, r]))
        found, truths = yield from relay(_panel(part, r, rng), r - part.first, total, "study")
        row = [float((_thinned(found.draws[name]) < truth).sum()) for name, truth in zip(NUMBERS, truths, strict=True)]
        items.append([*row, float(found.settled)])
    return items


def _panel(part: PoolingPart, r: int, rng: np.random.Generator) -> Run[tuple[PooledRaters, tuple[float, ...]]]:
    """What is believed of one panel, and the truths of `NUMBERS`."""
    mu, omega = float(logit(rng.random())), abs(float(rng.standard_normal()))
    accuracy = expit(mu + omega * rng.standard_normal(RATERS))
    t, p = rng.random(2)
    point = Parameters(np.array([1 - t, t]), accuracy[:, None], np.array([[[1 - p, p]]]), np.zeros(0))
    names = tuple(f"R{j + 1}" for j in range(RATERS))
    ratings, _truth = simulate(
        model("t-aj-p"), point, ("no", "yes"), names, SUBJECTS, np.random.SeedSequence([part.seed, _STREAM, r, 1])
    )
    method = pooled_raters if part.how == "hmc" else quick_pooled_raters
    found = yield from method(ratings, r, _REQUESTS[part.how])
    return found, (float(t), float(accuracy[0]), float(p), mu, omega)


def _thinned(draws: FloatArray) -> FloatArray:
    """So many draws, far apart in whatever order they stand."""
    return np.asarray(draws[np.linspace(0, draws.size - 1, _KEPT).astype(int)])
