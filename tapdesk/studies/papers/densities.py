"""Posterior densities of the paradox table and of switched labels (Kappa Zoo ch. 4, exact instead of sampled)."""

from collections.abc import Iterable
from functools import partial

import numpy as np
from scipy.special import expit, logsumexp

from tapdesk.fitting.fit import Curve, Posterior
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.models.simulate import exact, parse_parameters
from tapdesk.progress import Run, Step
from tapdesk.ratings.patterns import tabulate
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.papers.asked import Asked, example, size_of_data
from tapdesk.studies.paradox import between, exact_posterior, masses
from tapdesk.studies.parallel import in_parallel
from tapdesk.studies.table import Cell, Table, joined

# Agreements on class 0, and disagreements: the text of the paper, and the data its code draws.
PARADOX = ((998, 2), (980, 2))
COLUMNS = ("data", "model", "parameter", "what", "at", "value")
_CELLS = 50
# How far from 0 the middle of p - t is drawn.
_NEAR = 0.01
SWITCHED = ("t=.3", "a0=.5", "a1=.2", "p0=.7", "p1=.1")
_SWITCHED_SUBJECTS, _SWITCHED_RATERS = 1000, 100


def tallied(agree: int, differ: int) -> Ratings:
    """Subjects with two ratings each: both 0, or one of each."""
    return Ratings(
        np.array([0, 0, 1, 1]),
        np.array([0, 1, 0, 1]),
        np.array([0, 0, 0, 1]),
        ("both 0", "one of each"),
        ("seat 1", "seat 2"),
        ("0", "1"),
        raters_known=False,
        weight=np.array([agree, differ]),
    )


def paradox(asked: Asked) -> Run[Table]:
    """Exact posterior of t, a, p and of p - t under t-a-p; the 998 + 2 subjects unless ratings are given."""
    ratings = asked.ratings
    if ratings is None:
        ratings = yield from example("paradox")
    found = yield from exact_posterior(ratings, "t-a-p", asked.seed)
    rows = list(_told("given" if asked.ratings is not None else "998 + 2", "t-a-p", found))
    return Table("paradox", COLUMNS, tuple(rows), size_of_data(ratings))


def both_models(asked: Asked) -> Run[Table]:
    """Posterior densities of t-a-p and t-a0a1-p, for 998 + 2 subjects and for the 980 + 2 of the paper's code."""
    units = [(data, name) for data in PARADOX for name in ("t-a-p", "t-a0a1-p")]
    parts = yield from in_parallel(partial(_of_one, asked.seed), units, asked.workers, kept=asked.kept)
    return joined("densities", COLUMNS, parts)


def _of_one(seed: int, unit: tuple[tuple[int, int], str]) -> Run[tuple[tuple[Cell, ...], ...]]:
    """The rows of one model on one of the data sets."""
    (agree, differ), name = unit
    found = yield from exact_posterior(tallied(agree, differ), name, seed)
    return tuple(_told(f"{agree} + {differ}", name, found))


def _told(data: str, name: str, found: Posterior) -> Iterable[tuple[Cell, ...]]:
    """Shares of the posterior in fiftieths of the scale (of p - t also near 0), modes with masses, means."""
    for parameter, curve in found.marginals.items():
        yield from _shares(data, name, str(parameter), curve, (0.0, 1.0))
    if found.guess_minus_truth is not None:
        yield from _shares(data, name, "p - t", found.guess_minus_truth, (-1.0, 1.0))
        edges = np.linspace(-_NEAR, _NEAR, _CELLS + 1)
        near = between(found.guess_minus_truth, edges)
        for at, value in zip((edges[1:] + edges[:-1]) / 2, near, strict=True):
            yield (data, name, "p - t", "near", float(at), float(value))
    for summary in found.summaries:
        yield (data, name, str(summary.name), "mean", summary.mean, None)
        for mode in summary.modes:
            yield (data, name, str(summary.name), "mode", mode.at, mode.mass)


def _shares(
    data: str, name: str, parameter: str, curve: Curve, ends: tuple[float, float]
) -> Iterable[tuple[Cell, ...]]:
    edges = np.linspace(*ends, round((ends[1] - ends[0]) * _CELLS) + 1)
    for at, value in zip((edges[1:] + edges[:-1]) / 2, masses(curve, edges), strict=True):
        yield (data, name, parameter, "share", float(at), float(value))


def third_reading(_asked: Asked) -> Run[Table]:
    """With p = t any accuracy will do: the likelihood along a under t-a-t, and the posterior of a there.

    Returns
    -------
    Table
        For each data set and accuracy the highest log-likelihood below its maximum (``what`` = fall), and for fiftieths
        of the scale the share of the posterior under flat priors (share).
    """
    rows: list[tuple[Cell, ...]] = []
    t = expit(np.linspace(-16, 6, 1201))
    # Flat in t, on the logit scale.
    volume = np.log(t) + np.log1p(-t)
    for done, (agree, differ) in enumerate(PARADOX):
        yield Step(done, len(PARADOX), "study")
        data = f"{agree} + {differ}"
        at = (np.arange(_CELLS) + 0.5) / _CELLS
        level = _tied(tallied(agree, differ), at, t)
        best = level.max(axis=1)
        mass = np.exp(logsumexp(level + volume, axis=1))
        rows += [(data, "t-a-t", "a", "fall", float(x), float(y)) for x, y in zip(at, best - best.max(), strict=True)]
        rows += [(data, "t-a-t", "a", "share", float(x), float(y)) for x, y in zip(at, mass / mass.sum(), strict=True)]
    return Table("third reading", COLUMNS, tuple(rows))


def _tied(ratings: Ratings, a: FloatArray, t: FloatArray) -> FloatArray:
    """Shape (accuracies, truths): log-likelihood of t-a-t."""
    rates = np.stack([1 - t, t], axis=1)
    plan = design(model("t-a-t"), ratings)
    evidence = plan.space.evidence(tabulate(ratings))
    rows = []
    for value in a:
        stack = Stack(rates, np.full((t.size, 1, 1), value), rates[:, None, None, :], np.zeros((t.size, 0)))
        rows.append(evidence.expect(stack).log_likelihood)
    return np.array(rows)


def joint(asked: Asked) -> Run[Table]:
    """The density of (a1, a0) under t-a0a1-p; the 998 + 2 subjects unless ratings are given."""
    ratings = asked.ratings
    if ratings is None:
        ratings = yield from example("paradox")
    found = yield from exact_posterior(ratings, "t-a0a1-p", asked.seed)
    surface = found.joint
    if surface is None:
        raise ValueError("the model has two accuracies")
    x = (surface.x_edges[1:] + surface.x_edges[:-1]) / 2
    y = (surface.y_edges[1:] + surface.y_edges[:-1]) / 2
    rows = [(float(x[i]), float(y[j]), float(v)) for (i, j), v in np.ndenumerate(surface.density)]
    return Table("joint", ("a1", "a0", "density"), tuple(rows), size_of_data(ratings))


def switching(asked: Asked) -> Run[Table]:
    """Parameters whose labels switch: a0 = .5, a1 = .2, p0 = .7, p1 = .1, so true 1s are rated 1 *less* often.

    Exact data of 1000 subjects x 100 ratings at t = .3, for true classes are told apart by 28 against 35 of 100
    ratings only; the posterior of t-a0a1-p0p1.

    Returns
    -------
    Table
        As the other densities, and ``what`` = mass, one row for each labelling: ``parameter`` says which, ``value`` is
        its share of the posterior; ``what`` = median with the parameters under each.
    """
    m = model("t-a0a1-p0p1")
    names = tuple(f"seat {j + 1}" for j in range(_SWITCHED_RATERS))
    point = parse_parameters(m, SWITCHED, ("0", "1"), names)
    ratings, _truth = exact(m, point, ("0", "1"), names, _SWITCHED_SUBJECTS)
    found = yield from exact_posterior(ratings, m.name, asked.seed)
    rows = list(_told("exact", m.name, found))
    for reading in found.readings:
        which = "switched" if "switched" in reading.words else "as labelled"
        rows.append(("exact", m.name, which, "mass", None, reading.mass))
        rows += [("exact", m.name, f"{which}: {s.name}", "median", s.median, None) for s in reading.summaries]
    return Table("label switching", COLUMNS, tuple(rows))
