"""Where the chains start: dispersed, mirrored, and a first idea of the posterior's shape."""

import numpy as np

from tapdesk.fitting.sampling.adapt import Scale
from tapdesk.fitting.sampling.target import ModelTarget, Target
from tapdesk.fitting.starts import starts
from tapdesk.models.labelling import canonical
from tapdesk.models.space import Tally
from tapdesk.models.stack import FloatArray, Stack
from tapdesk.progress import Run, Step

_CLIMB = 40
_MOST_FULL = 250
_PROBES = 16
# Curvature of the posterior where neither data nor prior bend it much; the widest step that is worth trying.
_LEAST_CURVATURE = 0.05
_SPREAD = 2.0


def dispersed(
    target: ModelTarget, general: Target, chains: int, seed: int, rng: np.random.Generator
) -> Run[FloatArray]:
    """Shape (chains, q): starting points around every mode that is worth a visit, wider than the posterior.

    Named and random points and their mirror images (the raters' other camp as the one that is right) climb a little
    towards the nearest mode; those that end hopelessly low are replaced by others. Each is then moved by twice the
    width of the posterior there, so that chains which agree in the end have come from different places.

    Parameters
    ----------
    target
        The density, for its model.
    general
        The same density, perhaps in a faster form.
    chains
        How many.
    seed
        Of the random starting points.
    rng
        Of what moves them.

    Yields
    ------
    Step
        Phase ``sampling``, one for each E-M step, without progress.
    """
    first = starts(target.plan, seed, random=chains)
    plain = np.array([i for i, name in enumerate(first.names) if not name.startswith("grid")])[: max(chains // 2, 2)]
    stack = first.stack.take(plain)
    stack = Stack.join([stack, _mirrored(target, stack)])
    stack = yield from _climbed(target, stack)
    at = target.coordinates(stack)
    fine = target.allowed(at)
    if not fine.all():
        named = canonical(target.plan.space, stack).inside(0.02 / target.plan.space.classes)
        at = np.where(fine[:, None], at, target.coordinates(named))
    return scattered(general, at, chains, rng)


def scattered(target: Target, at: FloatArray, chains: int, rng: np.random.Generator) -> FloatArray:
    """Shape (chains, q): points near modes (n, q) moved by twice the width of the density around the best of them.

    Modes too low to hold mass worth counting are left out, the others take turns.
    """
    level = target(at)[0]
    worth = np.flatnonzero(level >= level.max() - 10 - target.size)
    chosen = at[worth[np.argsort(-level[worth], kind="stable")]]
    chosen = chosen[np.arange(chains) % chosen.shape[0]]
    around = laplace(target, at[int(level.argmax())])
    moved = chosen + _SPREAD * (around.out(rng.standard_normal(chosen.shape)) - around.centre)
    fine = target.allowed(moved) & np.isfinite(target(moved)[0])
    return np.asarray(np.where(fine[:, None], moved, chosen))


def _mirrored(target: ModelTarget, stack: Stack) -> Stack:
    """The points as the other camp of raters sees them: classes in reverse, the accurate ones inaccurate."""
    turned = target.plan.space.point(stack.truth[:, ::-1], 1 - stack.accuracy, stack.guessing[..., ::-1])
    return target.plan.space.settle(Stack(turned.truth, turned.accuracy, turned.guessing, -stack.slopes))


def _climbed(target: ModelTarget, stack: Stack) -> Run[Stack]:
    """Some E-M steps towards the modes of the density on the line, where the priors are counts like others."""
    space, prior = target.plan.space, target.prior
    for _ in range(_CLIMB):
        moved = []
        for i in range(0, stack.size, target.rows):
            part = stack.take(np.arange(i, min(i + target.rows, stack.size)))
            t = space.tally(target.evidence.expect(part))
            more = Tally(
                t.log_likelihood,
                t.truth + prior.truth,
                t.hits + prior.hits,
                t.ratings + prior.ratings,
                t.guesses + prior.guesses,
            )
            moved.append(space.maximise(more, part))
            yield Step(0, 0, "sampling")
        stack = Stack.join(moved)
    return stack


def laplace(target: Target, at: FloatArray) -> Scale:
    """The shape of a density around a point (q,): inverse curvature, full where the space is small enough."""
    q = at.size
    if q <= _MOST_FULL:
        steps = 1e-4 * np.eye(q)
        slopes = target(np.concatenate([at + steps, at - steps]))[1]
        second = (slopes[:q] - slopes[q:]) / 2e-4
        values, vectors = np.linalg.eigh(-(second + second.T) / 2)
        covariance = (vectors / np.maximum(values, _LEAST_CURVATURE)) @ vectors.T
        return Scale(at, np.linalg.cholesky(covariance))
    # The diagonal from random signs: the mean of v * (H v) over v (Bekas, Kokiopoulou & Saad 2007).
    signs = np.where(np.random.default_rng(q).random((_PROBES, q)) < 0.5, -1.0, 1.0)
    slopes = target(np.concatenate([at + 1e-4 * signs, at - 1e-4 * signs]))[1]
    curvature = -(signs * (slopes[:_PROBES] - slopes[_PROBES:]) / 2e-4).mean(axis=0)
    return Scale(at, 1 / np.sqrt(np.maximum(curvature, _LEAST_CURVATURE)))
