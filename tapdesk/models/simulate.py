"""Ratings made from a model: random ones, exact ones that occur as often as expected, and what very many come to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, product
from math import comb
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.models.design import rows_of_ratings
from tapdesk.models.model import Accuracy, Cases, RaterModel
from tapdesk.models.parameter_text import parse_parameters
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.ratings.patterns import Kinds
from tapdesk.ratings.ratings import Covariate, CovariateOf, IntArray, Ratings

__all__ = ["exact", "largest_remainder", "parse_parameters", "simulate", "simulate_like"]

IndexArray = NDArray[np.int64]
_MOST_CELLS = 2_000_000
_ROUNDING = 1e-9


def simulate(
    model: RaterModel,
    parameters: Parameters,
    classes: Sequence[str],
    raters: Sequence[str],
    subjects: int,
    seed: int | np.random.SeedSequence,
    groups: Sequence[str] = (),
    again: int = 0,
) -> tuple[Ratings, IndexArray]:
    """Random ratings in which every rater rates every subject once, but for those that are rated again.

    A regression gets covariates that differ between raters: the cosine curves ``x1``, ``x2`` ... of `_spread`, unless
    the model names its own, which then carry these values.

    Parameters
    ----------
    model, parameters
        What is simulated; by-rater parameters have one row for each rater.
    classes, raters
        Names.
    subjects, seed
        How many, and of the random numbers.
    groups, again
        As of `complete_design`.

    Returns
    -------
    Ratings, and the true class of each subject, shape (subjects,).

    Raises
    ------
    ValueError
        When the parameters are no rates, or not those of these classes and raters; the number is in the sentence.
    """
    _check(parameters, len(classes))
    if subjects < 0:
        raise ValueError(f"the number of subjects must be at least 0, not {subjects}")
    empty = _complete(classes, raters, subjects, np.zeros((subjects, len(raters)), dtype=np.int64))
    empty, parameters, unit = _with_units(model, parameters, empty)
    source = np.random.SeedSequence([seed, 3]) if isinstance(seed, int) else seed
    if model.by_group or model.memory:
        return simulate_like(
            complete_design(model, classes, raters, subjects, groups, again), model, parameters, source
        )
    if model.cases is not Cases.ALIKE or model.near:
        return simulate_like(empty, model, parameters, source)
    _check_units(parameters, unit)
    rng = np.random.default_rng(source)
    truth = _drawn(rng, parameters.truth, subjects)
    return _rated(rng, empty, parameters.rating_rates(), unit, truth), truth


def complete_design(
    model: RaterModel,
    classes: Sequence[str],
    raters: Sequence[str],
    subjects: int,
    groups: Sequence[str] = (),
    again: int = 0,
) -> Ratings:
    """A design in which every rater rates every subject; its ratings mean nothing.

    Parameters
    ----------
    model
        Whose columns of groups and occasions are filled, where it names them.
    classes, raters, subjects
        As of `simulate`.
    groups
        Names of the groups, which the subjects are of in turn.
    again
        So many subjects, the first ones, are rated twice by every rater.

    Raises
    ------
    UsageError
        When the model needs groups or repeats and there are none.
    """
    if model.by_group and (len(groups) < 2 or subjects < 2 * len(groups)):
        raise UsageError(
            _("The model {name} needs two groups at least, of two {subjects} each.").format(name=model.name),
            fix=_("Name them, such as --groups north,south."),
        )
    if model.memory and not 0 < again <= subjects:
        raise UsageError(
            _("The model {name} needs {subjects} that are rated twice, at most all of them.").format(name=model.name),
            fix=_("Say how many with --repeats."),
        )
    times = np.where(np.arange(subjects) < again, 2, 1)
    subject = np.repeat(np.arange(subjects), times * len(raters))
    columns = {}
    if model.by_group:
        names = np.array([groups[i % len(groups)] for i in range(subjects)], dtype=object)
        columns[model.groups] = Covariate(model.groups, CovariateOf.SUBJECT, names)
    if again:
        turn = np.concatenate([np.repeat(np.arange(1, n + 1), len(raters)) for n in times.tolist()])
        columns[model.occasions] = Covariate(model.occasions, CovariateOf.RATING, turn.astype(object))
    blank = _complete(classes, raters, subjects, np.zeros((subjects, len(raters)), dtype=np.int64))
    return replace(
        blank,
        subject=subject,
        rater=np.concatenate([np.tile(np.arange(len(raters)), n) for n in times.tolist()]),
        category=np.arange(subject.size) % len(classes),
        covariates=MappingProxyType(columns),
    )


def simulate_like(
    ratings: Ratings, model: RaterModel, parameters: Parameters, seed: int | np.random.SeedSequence
) -> tuple[Ratings, IndexArray]:
    """Random ratings on an existing design: the same subjects rated by the same raters as often.

    A tallied subject that stands for several is told one by one, because its copies come out differently.

    Parameters
    ----------
    ratings
        The design; its classes must be those of the parameters.
    model, parameters
        What is simulated, with by-rater parameters in the order of the ratings' raters (of a regression, units in
        the order of `models.design.rows_of_ratings`).
    seed
        Of the random numbers.

    Returns
    -------
    Ratings, and the true class of each of their subjects.
    """
    _check(parameters, len(ratings.classes))
    ratings = one_by_one(ratings)
    unit, kinds = rows_of_ratings(model, ratings)
    _check_units(parameters, unit)
    rng = np.random.default_rng(seed)
    truth = _drawn(rng, _truth_of(parameters, kinds), len(ratings.subjects))
    if kinds.known is not None:
        truth = np.where(kinds.known >= 0, kinds.known, truth)
    if model.cases is Cases.DIFFICULTY:
        return _rated_by_difficulty(rng, ratings, parameters, truth), truth
    if model.cases is not Cases.ALIKE:
        return _rated_by_case(rng, ratings, model.cases, parameters, truth), truth
    if model.near:
        from tapdesk.models.near_misses import near_rates  # start-up cost, as below

        return _rated(rng, ratings, near_rates(parameters), unit, truth), truth
    if model.memory:
        from tapdesk.models.repeats import with_copies  # start-up cost: few data have repeats

        made = _rated(rng, ratings, parameters.rating_rates(), unit, truth)
        return with_copies(rng, made, model, parameters.spread), truth
    return _rated(rng, ratings, parameters.rating_rates(), unit, truth), truth


def _rated_by_difficulty(
    rng: np.random.Generator, ratings: Ratings, parameters: Parameters, truth: IndexArray
) -> Ratings:
    """The design with classes drawn where some cases are harder for everybody."""
    from tapdesk.models.difficulty import MOST_SIGMA, middle_logits  # start-up cost: few data are made so

    sigma = MOST_SIGMA * parameters.spread[:1]
    alpha, unit = middle_logits(parameters.accuracy[None, :, 0], sigma)[0], ratings.rater
    logits = alpha[unit] - sigma[0] * rng.standard_normal(len(ratings.subjects))[ratings.subject]
    accuracy = 0.5 * (1 + np.tanh(logits / 2))
    edges = _edges(parameters.guessing[:, 0])
    own = edges[unit] if edges.shape[0] > 1 else np.broadcast_to(edges[0], (unit.size, edges.shape[1]))
    guess = (rng.random(unit.size)[:, None] >= own).sum(axis=1)
    right = rng.random(unit.size) < accuracy
    return replace(ratings, category=np.where(right, truth[ratings.subject], guess))


def _rated_by_case(
    rng: np.random.Generator, ratings: Ratings, cases: Cases, parameters: Parameters, truth: IndexArray
) -> Ratings:
    """The design with classes drawn where each case has an accuracy, or a leaning of guesses, of its own."""
    n, rho = len(ratings.subjects), float(parameters.spread[0])
    accuracy = np.full(n, float(parameters.accuracy[0, 0]))
    guessing = np.tile(parameters.guessing[0, 0], (n, 1))
    # Next to 0 and 1 the two ends: all alike, and each case all or nothing.
    weight = (1 - rho) / rho if rho > _ROUNDING else np.inf
    if cases is Cases.HARD:
        accuracy = np.where(rng.random(n) < rho, 0.0, accuracy)
    elif cases is Cases.ACCURACY and np.isfinite(weight):
        own = _dirichlet(rng, np.stack([1 - accuracy, accuracy], axis=1), weight)
        accuracy = own[:, 1]
    elif cases is Cases.MISLEADING and np.isfinite(weight):
        guessing = _dirichlet(rng, guessing, weight)
    case = ratings.subject
    right = rng.random(case.size) < accuracy[case]
    guess = (rng.random(case.size)[:, None] >= _edges(guessing)[case]).sum(axis=1)
    return replace(ratings, category=np.where(right, truth[case], guess))


def _dirichlet(rng: np.random.Generator, mean: FloatArray, weight: float) -> FloatArray:
    """Rates around means of shape (N, K), one draw for each row; of the least weights all of it falls on one class."""
    one = np.eye(mean.shape[1])[_drawn(rng, mean, mean.shape[0])]
    if weight < _ROUNDING:
        return one
    drawn = rng.standard_gamma(np.maximum(mean * weight, 1e-300))
    total = drawn.sum(axis=1, keepdims=True)
    return np.asarray(np.where(total > 0, drawn / np.maximum(total, 1e-300), one))


def _truth_of(parameters: Parameters, kinds: Kinds) -> FloatArray:
    """Rates of the true classes, shape (K,), or (N, K) where subjects are of groups."""
    if parameters.truth.ndim == 1:
        return parameters.truth
    if kinds.group is None:
        raise ValueError("truth of several groups for subjects without a group")
    return np.asarray(parameters.truth[kinds.group])


def _check(parameters: Parameters, classes: int) -> None:
    """Refuse what are no rates of so many classes."""
    if parameters.classes != classes:
        raise ValueError(f"{classes} classes in the design, {parameters.classes} in the parameters")
    for what in ("truth", "accuracy", "guessing"):
        values = getattr(parameters, what)
        wrong = ~((values >= -_ROUNDING) & (values <= 1 + _ROUNDING))
        if wrong.any():
            raise ValueError(f"{what} must lie between 0 and 1, not {values[wrong][0]}")
        if what != "accuracy" and (np.abs(values.sum(axis=-1) - 1) > 1e-6).any():
            raise ValueError(f"rates of {what} must add up to 1, not to {values.sum(axis=-1).ravel()}")


def _check_units(parameters: Parameters, unit: IntArray | None) -> None:
    """Refuse by-rater parameters of fewer raters than there are."""
    rows = {parameters.accuracy.shape[0], parameters.guessing.shape[0]} - {1}
    needed = 1 if unit is None or not unit.size else int(unit.max()) + 1
    for count in rows:
        if needed > count:
            raise ValueError(f"parameters of {count} raters for {needed}")


def exact(
    model: RaterModel, parameters: Parameters, classes: Sequence[str], raters: Sequence[str], subjects: int
) -> tuple[Ratings, IndexArray]:
    """Ratings without chance: every pattern of ratings occurs as often as the model expects.

    True classes get their expected numbers of subjects, and within each class the patterns theirs, both rounded by
    largest remainders so that nothing is lost. Where raters are pooled a pattern is a vector of class counts, dealt
    to the raters in turn; else it is one class for each rater.

    Raises
    ------
    UsageError
        When there are too many patterns to list.
    """
    k, r = len(classes), len(raters)
    by_rater = model.by_rater or model.accuracy is Accuracy.REGRESSION
    cells = k**r if by_rater else comb(k + r - 1, r)
    if cells * k > _MOST_CELLS or cells * r > 20 * _MOST_CELLS:
        raise UsageError(
            _(
                "With {r} {raters} and {k} classes there are {cells:,} patterns of {ratings}, too many to list each."
            ).format(r=r, k=k, cells=cells),
            fix=_("Use fewer {raters}, or random {ratings}."),
        )
    empty = _complete(classes, raters, subjects, np.zeros((subjects, r), dtype=np.int64))
    empty, parameters, unit = _with_units(model, parameters, empty)
    kinds = _sequences(k, r) if by_rater else _count_vectors(k, r)
    rates = parameters.rating_rates()
    row = np.zeros(r, dtype=np.int64) if unit is None else unit[:r]
    each = [_pattern_rates(kinds, rates[row, c], counted=not by_rater) for c in range(k)]
    truth = np.repeat(np.arange(k), largest_remainder(parameters.truth * subjects, subjects))
    picked = [
        np.repeat(np.arange(len(kinds)), largest_remainder(each[c] * n, n))
        for c, n in enumerate(np.bincount(truth, minlength=k))
    ]
    rows = kinds[np.concatenate(picked)]
    if not by_rater:
        turn = (np.arange(r) + np.arange(subjects)[:, None]) % max(r, 1)
        rows = np.take_along_axis(rows, turn, axis=1)
    return replace(empty, category=rows.reshape(-1)), truth


def largest_remainder(expected: FloatArray, total: int) -> IndexArray:
    """Whole numbers near the expected ones with a given sum: those with the largest remainders are rounded up.

    Parameters
    ----------
    expected
        Shape (n,): at least 0, summing to about ``total``.
    total
        The sum to keep.
    """
    # Rounding noise must not decide between remainders that are equal on paper.
    whole = np.floor(expected + 1e-9).astype(np.int64)
    left = total - int(whole.sum())
    if left > 0:
        remainder = np.round(expected - whole, 9)
        whole[np.argsort(-remainder, kind="stable")[:left]] += 1
    return whole


def one_by_one(ratings: Ratings) -> Ratings:
    """The same ratings with every tallied subject told as often as it stands for."""
    if ratings.weight is None or (ratings.weight == 1).all():
        return replace(ratings, weight=None)
    n = len(ratings.subjects)
    each = ratings.ratings_per_subject()
    start = np.cumsum(each) - each
    source = np.repeat(np.arange(n), ratings.weight)
    size = each[source]
    # Row i of the new ratings is the row ``inside`` of the subject it copies.
    inside = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
    row = np.repeat(start[source], size) + inside
    copy = np.arange(source.size) - np.repeat(np.cumsum(ratings.weight) - ratings.weight, ratings.weight)
    names = [
        ratings.subjects[i] if c == 0 else f"{ratings.subjects[i]} ({c + 1})" for i, c in zip(source, copy, strict=True)
    ]
    pick = {CovariateOf.SUBJECT: source, CovariateOf.RATING: row, CovariateOf.RATER: np.arange(len(ratings.raters))}
    more = {name: replace(c, values=c.values[pick[c.of]]) for name, c in ratings.covariates.items()}
    return replace(
        ratings,
        subject=np.repeat(np.arange(source.size), size),
        rater=ratings.rater[row],
        category=ratings.category[row],
        subjects=tuple(names),
        weight=None,
        covariates=MappingProxyType(more),
    )


def _complete(classes: Sequence[str], raters: Sequence[str], subjects: int, rows: IndexArray) -> Ratings:
    """Ratings of a full table, shape (subjects, raters)."""
    width = len(str(subjects))
    return Ratings(
        np.repeat(np.arange(subjects), len(raters)),
        np.tile(np.arange(len(raters)), subjects),
        rows.reshape(-1),
        tuple(f"S{i + 1:0{width}d}" for i in range(subjects)),
        tuple(raters),
        tuple(classes),
    )


def _with_units(
    model: RaterModel, parameters: Parameters, empty: Ratings
) -> tuple[Ratings, Parameters, IndexArray | None]:
    """The design with what a regression needs, its parameters, and the row of the rates for each rating."""
    from scipy.special import expit  # late: slow to load

    raters = len(empty.raters)
    if model.accuracy is not Accuracy.REGRESSION:
        return empty, parameters, np.asarray(empty.rater, dtype=np.int64) if model.by_rater else None
    columns = _spread(raters, parameters.slopes.size - 1)
    names = model.covariates or tuple(f"x{s + 1}" for s in range(columns.shape[1]))
    if len(names) != columns.shape[1]:
        raise UsageError(
            _("The number of covariates is {count}, that of slopes besides the intercept {slopes}.").format(
                count=len(names), slopes=columns.shape[1]
            )
        )
    covariates = {n: Covariate(n, CovariateOf.RATER, columns[:, s]) for s, n in enumerate(names)}
    accuracy = expit(parameters.slopes[0] + columns @ parameters.slopes[1:])[:, None]
    empty = replace(empty, covariates=MappingProxyType(covariates))
    return empty, replace(parameters, accuracy=accuracy), np.asarray(empty.rater, dtype=np.int64)


def _spread(raters: int, columns: int) -> FloatArray:
    """Shape (raters, columns): values between -1 and 1, rising in the first column, uncorrelated between columns."""
    place = np.pi * (np.arange(raters) + 0.5) / raters
    return np.asarray(-np.cos(place[:, None] * np.arange(1, columns + 1)))


def _edges(rates: FloatArray) -> FloatArray:
    """Where one class ends and the next begins on the way from 0 to 1, without the last end."""
    ends = np.cumsum(rates, axis=-1)[..., :-1]
    # A sum that rounding left a hair below 1 must not let in a class that cannot occur.
    return np.where(ends > 1 - 1e-12, 2.0, ends)


def _drawn(rng: np.random.Generator, rates: FloatArray, size: int) -> IndexArray:
    """Classes drawn by inversion, shape (size,), from rates of shape (K,) or (size, K)."""
    chance, edges = rng.random(size), _edges(rates)
    if edges.ndim == 1:
        return np.asarray(np.searchsorted(edges, chance, side="right"), dtype=np.int64)
    return np.asarray((chance[:, None] >= edges).sum(axis=1), dtype=np.int64)


def _rated(
    rng: np.random.Generator, ratings: Ratings, rates: FloatArray, unit: IntArray | None, truth: IndexArray
) -> Ratings:
    """The design with classes drawn from rates of shape (U or 1, K, K)."""
    chance = rng.random(ratings.subject.size)
    row = np.zeros(chance.size, dtype=np.int64) if unit is None or rates.shape[0] == 1 else unit
    true = truth[ratings.subject]
    category = np.zeros(chance.size, dtype=np.int64)
    for edge in np.moveaxis(_edges(rates), 2, 0):
        category += chance >= edge[row, true]
    return replace(ratings, category=category)


def _sequences(classes: int, raters: int) -> IndexArray:
    """Shape (classes ** raters, raters): one class for each rater, in every way."""
    return np.array(list(product(range(classes), repeat=raters)), dtype=np.int64).reshape(-1, raters)


def _count_vectors(classes: int, raters: int) -> IndexArray:
    """Shape (patterns, raters): the sorted ratings of every vector of class counts."""
    return np.array(list(combinations_with_replacement(range(classes), raters)), dtype=np.int64).reshape(-1, raters)


def _pattern_rates(kinds: IndexArray, rates: FloatArray, *, counted: bool) -> FloatArray:
    """Shape (patterns,): probability of each pattern given the true class; ``rates`` (raters, K) by rater."""
    from scipy.special import gammaln, xlogy  # late: slow to load

    raters, k = rates.shape
    if not counted:
        return np.asarray(np.prod(rates[np.arange(raters), kinds], axis=1))
    table = np.stack([(kinds == c).sum(axis=1) for c in range(k)], axis=1)
    ways = gammaln(raters + 1) - gammaln(table + 1).sum(axis=1)
    return np.asarray(np.exp(ways + xlogy(table, rates[0]).sum(axis=1)))


@dataclass(frozen=True, eq=False)
class Asymptotic:
    """Shares that very many ratings come to, each rater rating as often as any other.

    Attributes
    ----------
    truth, given
        Shape (K,): shares of the classes among cases, and among ratings.
    accurate, mixed, inaccurate
        Shares of the pairs of ratings of a case by two raters that match because both are justified, one of them, or
        neither; None where a model has no accuracy.
    random
        How often two guesses of different raters match, whatever the case; None likewise, and where guesses go with the
        case.
    observed
        Share of the pairs that match; None of a single rater.
    kappa
        Fleiss'; None of a single rater, and where only one class is ever given.
    """

    truth: FloatArray
    given: FloatArray
    accurate: float | None = None
    mixed: float | None = None
    inaccurate: float | None = None
    random: float | None = None
    observed: float | None = None
    kappa: float | None = None


def asymptotic(point: Parameters, raters: int) -> Asymptotic | None:
    """Shares in the long run, the generalisation of Kappa Zoo ch. 9, eq. 1, to raters and classes that differ.

    Parameters
    ----------
    point
        The parameters; a regression has none without the values its accuracy goes with, and where cases differ pairs
        match in more ways than these: None.
    raters
        How many; with parameters of their own where the model gives them such.
    """
    # Of ordered classes the rates say everything.
    regression = point.slopes.size and point.guessing.shape[1] == 1
    if regression or point.spread.size:
        return None
    t, k = point.truth, point.classes
    rates = _of_each(point.rating_rates(), raters)
    given = np.asarray(t @ rates.mean(axis=0))
    if raters < 2:
        return Asymptotic(t, given)
    observed = float(t @ _pairs(rates).sum(axis=1))
    chance = float(given @ given)
    kappa = (observed - chance) / (1 - chance) if 1 - chance > 1e-12 else None
    sentence = Asymptotic(t, given, observed=observed, kappa=kappa)
    a = np.broadcast_to(_of_each(point.accuracy, raters), (raters, k))
    if not a.any() and point.guessing.shape[1] > 1:
        return sentence
    p = np.broadcast_to(_of_each(point.guessing, raters), (raters, k, k))
    guessed = (1 - a)[:, :, None] * p
    accurate, inaccurate = float(t @ _pairs(a)), float(t @ _pairs(guessed).sum(axis=1))
    random = float(_pairs(p[:, 0]).sum()) if point.guessing.shape[1] == 1 else None
    return Asymptotic(t, given, accurate, observed - accurate - inaccurate, inaccurate, random, observed, kappa)


def _of_each(values: FloatArray, raters: int) -> FloatArray:
    """Values by rater: those that all share, so often."""
    return np.broadcast_to(values, (raters, *values.shape[1:]))


def _pairs(values: FloatArray) -> FloatArray:
    """The mean of the products of two different raters, the first axis."""
    raters = values.shape[0]
    return np.asarray((values.sum(axis=0) ** 2 - (values**2).sum(axis=0)) / (raters * (raters - 1)))
