"""The exact posterior of the three binary count models by quadrature (models.md §5.5): no Monte Carlo.

The likelihood of binary counts depends on (t, mu1, mu0) only, so every model is three dimensions for the data and
closed or one-dimensional integrals for the rest. The grid (`grid`) follows the mass, whatever its shape, for
one subject as for ten million; the summaries (`marginal`) are read off the nodes.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.fitting.fit import LogLikelihood
from tapdesk.fitting.posterior import Posterior
from tapdesk.fitting.priors import Prior, priors_of
from tapdesk.fitting.quadrature.draws import GridSampler
from tapdesk.fitting.quadrature.inner import OneClass, SharedGuessing
from tapdesk.fitting.quadrature.likelihood import BinaryCounts
from tapdesk.fitting.quadrature.models import OneAccuracy, TwoAccuracies, TwoAndTwo
from tapdesk.fitting.quadrature.parts import Part, Sharing
from tapdesk.fitting.quadrature.pictures import guess_minus_truth, joint_accuracies
from tapdesk.fitting.quadrature.readings import readings
from tapdesk.fitting.quadrature.refine import PHASE, found, solved
from tapdesk.fitting.quadrature.summary import Told, curve, summarise
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy, Guessing, RaterModel, Truth
from tapdesk.models.parameters import ParameterName
from tapdesk.progress import Run, Step
from tapdesk.ratings.patterns import Patterns

KEPT_DRAWS = 4000
_GRID_ORDER = 4
# How much more than its change under a wider kernel a quantile may be off by.
_KERNELS = 3.0
# The summaries shall be right to this; where they are not, so many times as many nodes along w are tried.
_ASKED, _FINER = 1e-4, (1.0, 1.8)
# But not of so large a grid: it would take seconds.
_LARGE = 600_000
# What interpolation in fine tables may add.
_ROUNDING = 5e-7


def sharing_of(model: RaterModel | str, priors: Iterable[Prior] = ()) -> Sharing:
    """The model as quadrature sees it, with the given priors and flat ones for the rest.

    Raises
    ------
    UsageError
        When quadrature is not for this model, or a prior does not fit it.
    """
    name = model if isinstance(model, str) else model.name
    kind = _KINDS.get(name) if isinstance(model, str) else _kind(model)
    if kind is None:
        raise UsageError(
            _("The model '{name}' has no posterior by quadrature.").format(name=name),
            fix=_("Quadrature is for {kinds}; other models are sampled.").format(kinds=", ".join(_KINDS)),
        )
    chosen = priors_of(_NAMES[kind], priors)
    if kind is OneAccuracy:
        return OneAccuracy(chosen["t"], chosen["a"], chosen["p"])
    if kind is TwoAccuracies:
        return TwoAccuracies(chosen["t"], SharedGuessing(chosen["a1"], chosen["a0"], chosen["p"]))
    one = OneClass(chosen["a1"], chosen["p1"])
    return TwoAndTwo(chosen["t"], one, OneClass(chosen["a0"], chosen["p0"].mirrored()))


_KINDS: Mapping[str, type] = MappingProxyType(
    {"t-a-p": OneAccuracy, "t-a0a1-p": TwoAccuracies, "t-ak-p": TwoAccuracies, "t-a0a1-p0p1": TwoAndTwo}
)
_NAMES: Mapping[type, tuple[str, ...]] = MappingProxyType(
    {
        OneAccuracy: ("t", "a", "p"),
        TwoAccuracies: ("t", "a0", "a1", "p"),
        TwoAndTwo: ("t", "a0", "a1", "p0", "p1"),
    }
)


def _kind(model: RaterModel) -> type | None:
    """The kind of a point of the sharing grid, whatever it is called."""
    rows = {
        (Truth.FREE, Accuracy.ONE, Guessing.ONE): OneAccuracy,
        (Truth.FREE, Accuracy.PER_CLASS, Guessing.ONE): TwoAccuracies,
        (Truth.FREE, Accuracy.PER_CLASS, Guessing.PER_CLASS): TwoAndTwo,
    }
    return rows.get((model.truth, model.accuracy, model.guessing))


def posterior_by_quadrature(
    model: RaterModel | str, patterns: Patterns, priors: Iterable[Prior] = (), seed: int = 1, level: float = 0.95
) -> Run[Posterior]:
    """The posterior of ``t-a-p``, ``t-a0a1-p`` or ``t-a0a1-p0p1`` from binary counts.

    Parameters
    ----------
    model
        One of the three, or its name.
    patterns
        Pooled or by rater: only the counts of the two classes are used; the second class is class 1.
    priors
        Beta priors by parameter name; flat where none is given.
    seed
        Of the draws that are kept with the posterior; the numbers do not depend on it.
    level
        Mass of the shortest intervals, between 0 and 1.

    Yields
    ------
    Step
        Phase ``posterior``.

    Raises
    ------
    UsageError
        When the model is another one or a prior does not fit it.
    ValueError
        When the data are not binary, a weight is negative or the level is no share; the value is in the sentence.
    """
    if not 0 < level < 1:
        raise ValueError(f"the level must lie between 0 and 1, not {level}")
    sharing = sharing_of(model, priors)
    counts = BinaryCounts.of(patterns)
    halves = sharing.halves(counts)
    total = 2 * len(halves) + 2
    roughs = yield from found(halves, total)
    for finer in _FINER:
        parts, log_evidence = yield from solved(roughs, finer, total)
        yield Step(total - 2, total, PHASE)
        told = sharing.told(parts)
        error = _error(told, sharing.told([_coarse(part) for part in parts]))
        if error < _ASKED or sum(part.grid.log_mass.size for part in parts) > _LARGE:
            break
    yield Step(total - 1, total, PHASE)
    sampler = GridSampler(sharing, parts)
    sample = sampler.draw(KEPT_DRAWS, seed)
    yield Step(total, total, PHASE)
    return Posterior(
        method="quadrature",
        summaries=tuple(summarise(name, told[name], level) for name in sharing.names),
        level=level,
        log_evidence=LogLikelihood(log_evidence, log_evidence + counts.log_multinomial),
        error=error,
        other_labelling_mass=parts[1].mass if len(parts) > 1 else None,
        readings=readings(sharing, parts, told, level),
        marginals=MappingProxyType({ParameterName(name): curve(told[name].found) for name in sharing.names}),
        joint=joint_accuracies(sharing, parts),
        guess_minus_truth=guess_minus_truth(sharing, parts),
        sampler=sampler,
        sample=sample,
    )


def _coarse(part: Part) -> Part:
    return Part(part.half, part.grid.thinned(), part.mass)


def _error(fine: Mapping[str, Told], coarse: Mapping[str, Told]) -> float:
    """What the summaries may be off by, in all but the worst cases; peaks are left out, they only name places.

    Half the nodes along every axis move them by 16 times what the grid itself errs by, were it of the fourth order as
    its slowest part is; and a kernel a fifth wider moves the quantiles by about as much as the kernel itself does.
    """
    moved = max(float(np.abs(fine[name].numbers() - coarse[name].numbers()).max()) for name in fine)
    return moved / 2.0**_GRID_ORDER + _KERNELS * max(one.blur() for one in fine.values()) + _ROUNDING
