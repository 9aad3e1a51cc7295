"""Could this be chance: two answers, and all tests a fit can carry (models.md §8).

Both come from data simulated without information at the observed rates on the real design. The likelihood
ratio decides the words; the noise horizon of Fleiss' root kappa is what is drawn on axes.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import BootstrapTest, Fit
from tapdesk.language import gettext as _
from tapdesk.models.model import RaterModel, model
from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.upside_down import table_of_raters
from tapdesk.studies.fleiss_kappa import KappaSource, kappa_draws, kappa_of, repeats
from tapdesk.studies.likelihood_ratio import (
    PAIRS,
    QUANTILES,
    Nested,
    bootstrap_test,
    chance_point,
    check,
    compare,
    drawn_from,
    goodness_of_fit,
    likelihood_ratio,
)
from tapdesk.studies.parallel import FinishedPieces, in_parallel

# Data sets that are drawn together: few enough to be done in a moment, whatever the number of subjects.
_PORTION = 250
_MOST_CELLS = 400_000
# Of an integer that is positive.
_KEY_BITS = 62


@dataclass(frozen=True, eq=False)
class Chance:
    """Whether ratings without information could look like these.

    Attributes
    ----------
    test
        The likelihood ratio of the model against accuracy 0, or the strength of the pattern that raters share.
    model
        Name of the model; empty for the pattern.
    subjects, ratings
        What was tested.
    power
        How often a panel of this size whose raters have accuracy `NOTICED` would be told from chance; None where the
        ratings are told from it.
    """

    test: BootstrapTest
    model: str
    subjects: int
    ratings: int
    power: float | None = None

    @property
    def by_rater(self) -> bool:
        """Whether raters were told apart, so that those who contradict each other are not taken for luck."""
        return not self.model

    @property
    def more_than_chance(self) -> bool:
        """Whether fewer than 5 in 100 data sets without information look like this."""
        return self.test.rejects

    @property
    def words(self) -> str:
        """The verdict in a sentence or two."""
        how_often = self.test.how_often
        if self.more_than_chance:
            return _(
                "More than chance: with {cases:,} {subjects}, {ratings} with no information at all would "
                "look like this {how_often}."
            ).format(cases=self.subjects, how_often=how_often)
        return _(
            "With {cases:,} {subjects}, {ratings} with no information at all would look like this "
            "{how_often}. These {ratings} cannot be told from chance."
        ).format(cases=self.subjects, how_often=how_often)


def chance(ratings: Ratings, replicates: int = 2000, seed: int = 1, within: RaterModel | None = None) -> Run[Chance]:
    """The likelihood ratio against accuracy 0, with its distribution simulated on the real design.

    Parameters
    ----------
    ratings
        The data.
    replicates, seed
        Simulated data sets, and of the random numbers.
    within
        The model; t-a-p unless given. Under accuracy 0 the true rates mean nothing, so no table of chi-square holds.

    Raises
    ------
    CannotAnswerError
        When all ratings are in one class, or no subject has two.
    """
    larger = within or model("t-a-p")
    about = _("No {rating} carries information about its {subject}: every accuracy is 0.")
    test = yield from likelihood_ratio(ratings, Nested("a=0", larger, None, about), replicates, seed)
    return Chance(test, larger.name, ratings.subject_count, ratings.rating_count)


_FEWEST_RATERS, _MOST_RATERS = 3, 40
NOTICED = 0.4
"""The accuracy of which it is told how often a panel of this size would be told from chance."""
_POWER = 200
_LEVEL = 0.05


def chance_of(ratings: Ratings, replicates: int, seed: int, *, power: bool = True) -> Run[Chance]:
    """Whether luck makes such ratings, tested as these ratings deserve: by rater where raters are known.

    Parameters and errors as in `chance`; ``power`` says whether it is wanted where luck is not ruled out.
    """
    known = ratings.raters_known and _FEWEST_RATERS <= len(ratings.raters) <= _MOST_RATERS
    if known and ratings.weight is None and not repeats(ratings):
        return (yield from chance_by_rater(ratings, replicates, seed, power=power))
    result = yield from chance(ratings, replicates, seed)
    if result.more_than_chance or not power:
        return result
    return replace(result, power=(yield from _power(ratings, result, seed)))


def _power(ratings: Ratings, result: Chance, seed: int) -> Run[float]:
    """How often the likelihood ratio notices an accuracy of `NOTICED`, truth and guesses as common as the ratings."""
    larger = model("t-a-p")
    null, _level = chance_point(larger, ratings)
    point = replace(null, accuracy=np.full_like(null.accuracy, NOTICED))
    nested = Nested("a=0", larger, None, "")
    reached = yield from drawn_from(point, ratings, nested, (0, _POWER), seed + 1)
    return float((reached > _limit(result.test)).mean())


def _limit(test: BootstrapTest) -> float:
    """What a statistic must pass for the test to reject: as many draws may reach it as the p-value allows."""
    allowed = max(math.ceil(_LEVEL * (1 + test.replicates)) - 2, 0)
    return float(np.sort(test.draws)[::-1][min(allowed, test.draws.size - 1)])


def chance_by_rater(ratings: Ratings, replicates: int = 2000, seed: int = 1, *, power: bool = True) -> Run[Chance]:
    """The strongest pattern that raters share, against ratings that every rater gave to cases at random.

    One common truth makes the covariance of two raters the product of what each carries of it. Where all carry as much
    the sum of the correlations of all pairs shows it best; where they differ, in sign too, the largest eigenvalue of
    their matrix does. The statistic is the larger of the two, each in standard deviations from its mean over the
    permutations. Under the hypothesis the ratings of a rater go to the rater's cases in any
    order: permutations give the exact distribution, with leanings of each rater's own (Pesarin & Salmaso 2010,
    *Permutation Tests for Complex Data*, ch. 2).

    Parameters
    ----------
    ratings
        Of known raters, each of whom rated a case once at most.
    replicates, seed
        Permutations, and of the random numbers.
    power
        Whether the power is wanted where luck is not ruled out.

    Yields
    ------
    Step
        Phase ``re-draws``.

    Raises
    ------
    CannotAnswerError
        When all ratings are in one class, or no subject has two.
    """
    check(ratings, model("t-a-p"))
    dense, classes = table_of_raters(ratings), len(ratings.classes)
    rng = np.random.default_rng(np.random.SeedSequence([seed, 7]))
    there = dense >= 0
    shared = np.empty((replicates + 1, 2))
    portion = max(min(_PORTION, _MOST_CELLS // max(dense.size, 1)), 1)
    for start in range(0, replicates, portion):
        yield Step(start, replicates, "re-draws")
        stop = min(start + portion, replicates)
        shared[start:stop] = shared_patterns(_permuted(dense, stop - start, rng), there.T, classes)
    shared[-1] = shared_patterns(dense.T[None], there.T, classes)[0]
    # The real ratings are one of the permutations: standardised with them, all are alike under the hypothesis.
    spread = shared.std(axis=0)
    strength = ((shared - shared.mean(axis=0)) / np.where(spread > 0, spread, 1.0)).max(axis=1)
    about = _("No {rating} carries information about its {subject}: every accuracy is 0.")
    scale = shared.mean(axis=0), np.where(spread > 0, spread, 1.0)
    test = bootstrap_test("a=0", float(strength[-1]), None, strength[:-1], about)
    yield Step(replicates, replicates, "re-draws")
    noticed = None
    if power and not test.rejects:
        noticed = _power_by_rater(dense, classes, scale, _limit(test), rng)
    return Chance(test, "", ratings.subject_count, ratings.rating_count, noticed)


def _power_by_rater(
    dense: NDArray[np.int64],
    classes: int,
    scale: tuple[FloatArray, FloatArray],
    limit: float,
    rng: np.random.Generator,
) -> float:
    """How often the strength passes its limit where raters have accuracy `NOTICED` and guess as they rate here."""
    there = dense >= 0
    rates = np.bincount(dense[there], minlength=classes) / there.sum()
    reached = 0
    for _turn in range(_POWER):
        true = rng.choice(classes, size=(dense.shape[0], 1), p=rates)
        guesses = np.full_like(dense, -1)
        for j in range(dense.shape[1]):
            own = dense[there[:, j], j]
            if own.size:
                guesses[there[:, j], j] = rng.choice(own, own.size)
        made = np.where(there, np.where(rng.random(dense.shape) < NOTICED, true, guesses), -1)
        mean, spread = scale
        reached += float(((shared_patterns(made.T[None], there.T, classes)[0] - mean) / spread).max()) > limit
    return reached / _POWER


def _permuted(dense: NDArray[np.int64], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Shape (count, J, N): the ratings of each rater given to the rater's own cases in another order."""
    there = dense >= 0
    # A random key with the class in its last bits: sorting such numbers is much faster than finding their order.
    bits = max(int(dense.max(initial=0)).bit_length(), 1)
    keys = rng.random((count, *dense.shape))
    keys *= 2.0 ** (_KEY_BITS - bits)
    moved = keys.transpose(0, 2, 1).astype(np.int64, order="C")
    moved <<= bits
    moved |= np.where(there, dense, 0).T
    if not there.all():
        moved[:, ~there.T] = np.iinfo(np.int64).max
    moved.sort(axis=2)
    moved &= (1 << bits) - 1
    if there.all():
        return moved
    dealt = np.full(moved.shape, -1, dtype=np.int64)
    for j, own in enumerate(there.T):
        dealt[:, j, own] = moved[:, j, : int(own.sum())]
    return dealt


def shared_patterns(panels: NDArray[np.int64], there: NDArray[np.bool_], classes: int) -> FloatArray:
    """Sum and largest eigenvalue of the correlations of raters, each times the root of the number of common cases.

    Parameters
    ----------
    panels
        Shape (B, J, N): in each panel the class each rater gave each case, −1 for none. A rater's ratings are the same
        in all panels but for the cases they fall on.
    there
        Shape (J, N): which ratings there are.
    classes
        K; raters agree on a class or they do not, whatever its place in an order.

    Returns
    -------
    FloatArray
        Shape (B, 2).
    """
    rated = np.maximum(there.sum(axis=1), 1)
    summed = np.zeros((panels.shape[0], panels.shape[1], panels.shape[1]))
    own = np.zeros(panels.shape[1])
    # Of two classes one tells all: the other's deviations are the same but for the sign.
    for c in range(1 if classes == 2 else 0, classes):
        mean = (panels[0] == c).sum(axis=1) / rated
        x = (panels == c) - mean[:, None]
        if not there.all():
            x *= there
        summed += x @ x.transpose(0, 2, 1)
        own += (x[0] ** 2).sum(axis=1)
    if classes == 2:
        summed, own = 2 * summed, 2 * own
    both = there.astype(np.float64) @ there.T
    scale = np.sqrt(np.outer(own / rated, own / rated) * np.maximum(both, 1.0))
    z = np.where(scale > 0, summed / np.maximum(scale, 1e-300), 0.0)
    diagonal = np.arange(panels.shape[1])
    z[:, diagonal, diagonal] = 0.0
    return np.stack([z.sum(axis=(1, 2)), np.linalg.eigvalsh(z)[:, -1]], axis=1)


@dataclass(frozen=True, eq=False)
class Horizon:
    """How large Fleiss' root kappa gets by luck alone.

    Attributes
    ----------
    quantiles
        By level written as ``0.95``: root kappa that ratings without information stay below with that probability; 0
        where kappa is not positive there.
    root_kappa
        Of the real ratings; None where kappa is undefined or negative.
    rates
        Shape (K,): the rates simulated at.
    draws
        Shape (replicates - undefined,): simulated kappas.
    replicates, undefined
        Simulated data sets, and how many of them had no kappa because all ratings fell into one class.
    even
        Whether all classes and numbers of ratings were made equal (Kappa Zoo ch. 2) in place of those at hand.
    repeated
        Whether a rater rated a case more than once. Each rating counts by itself here, real and simulated, while the
        coefficient takes what one rater says of a case for one vote: its root is another number.
    """

    quantiles: Mapping[str, float]
    root_kappa: float | None
    rates: FloatArray
    draws: FloatArray
    replicates: int
    undefined: int
    even: bool
    repeated: bool = False


def horizon(
    ratings: Ratings,
    replicates: int = 2000,
    seed: int = 1,
    *,
    even: bool = False,
    workers: int = 1,
    kept: FinishedPieces | None = None,
) -> Run[Horizon]:
    """Quantiles of Fleiss' root kappa when every rating is drawn at the observed rates.

    Parameters
    ----------
    ratings
        The design and the rates.
    replicates, seed
        Simulated data sets, and of the random numbers.
    even
        Equal class rates, and the mean number of ratings for every subject, in place of those at hand.
    workers
        Number of processes; the answer is the same whatever it is.
    kept
        What an earlier run of the same study had finished when it was ended; what is finished now goes there.

    Yields
    ------
    Step
        Phase ``horizon``, portions of data sets done.

    Raises
    ------
    CannotAnswerError
        When all ratings are in one class, or no subject has two.
    """
    check(ratings, model("t-a-p"))
    k = len(ratings.classes)
    rates = np.full(k, 1 / k) if even else ratings.class_rates()
    each = ratings.ratings_per_subject()
    by_size = np.bincount(each, ratings.subject_weights()).astype(np.int64)
    if even:
        rated = by_size.copy()
        rated[0] = 0
        size = max(round(float(rated @ np.arange(rated.size)) / int(rated.sum())), 2)
        by_size = np.zeros(size + 1, dtype=np.int64)
        by_size[size] = rated.sum()
    source = KappaSource(np.arange(by_size.size), by_size, rates)
    portions = [(at, min(_PORTION, replicates - at)) for at in range(0, replicates, _PORTION)]
    results = yield from in_parallel(partial(_lucky, source, seed), portions, workers, "horizon", kept)
    known = np.array([kappa for portion in results for kappa in portion if kappa is not None])
    if not known.size:
        raise CannotAnswerError(_("All simulated {ratings} fell into one class, so kappa has no horizon here."))
    levels = np.sqrt(np.maximum(np.quantile(known, QUANTILES), 0.0))
    seen = kappa_of(ratings)
    return Horizon(
        MappingProxyType({f"{q:g}": float(x) for q, x in zip(QUANTILES, levels, strict=True)}),
        float(np.sqrt(seen)) if seen is not None and seen >= 0 else None,
        rates,
        known,
        replicates,
        replicates - known.size,
        even,
        repeats(ratings),
    )


def _lucky(source: KappaSource, seed: int, portion: tuple[int, int]) -> Run[tuple[float | None, ...]]:
    """Kappas of one portion of data sets, which has random numbers of its own; None where undefined."""
    at, count = portion
    rng = np.random.default_rng(np.random.SeedSequence([seed, 5], spawn_key=(at // _PORTION,)))
    kappas = yield from kappa_draws(source, count, rng)
    return tuple(float(kappa) if np.isfinite(kappa) else None for kappa in kappas)


def with_tests(fit: Fit, ratings: Ratings, replicates: int = 1000, seed: int = 1) -> Run[Fit]:
    """The fit with the tests that make sense for its model on these data, and the noise horizon.

    ``a=0`` and ``t=p`` for models that pool raters, equal accuracies and equal guessing where raters are told apart,
    G-squared, and what `tapdesk.studies.grid_tests` has for the model; what cannot be tested is left out.

    Parameters
    ----------
    fit, ratings
        The fit and its data.
    replicates, seed
        Simulated data sets of each test, and of the random numbers.
    """
    tests: list[BootstrapTest] = []
    from tapdesk.studies.grid_tests import grid_tests, more_than_chance  # start-up cost: few fits are tested

    larger = model("t-a-p") if not fit.model.by_rater or not fit.model.truth.free else more_than_chance(fit.model)
    runs: list[Run[BootstrapTest]] = []
    about = _("No {rating} carries information about its {subject}: every accuracy is 0.")
    runs.append(likelihood_ratio(ratings, Nested("a=0", larger, None, about), replicates, seed))
    if not fit.model.by_rater:
        runs.append(compare(ratings, "t=p", replicates, seed))
    runs += [compare(ratings, pair.name, replicates, seed) for pair in PAIRS[1:] if fit.model.name == pair.larger]
    runs.append(goodness_of_fit(ratings, fit.model, replicates, seed, fit))
    for run in runs:
        try:
            test = yield from run
        except CannotAnswerError:
            continue
        tests.append(test)
    for more in grid_tests(ratings, fit.model, replicates, seed):
        try:
            tests += yield from more
        except CannotAnswerError:
            continue
    try:
        limits = yield from horizon(ratings, max(replicates, 2000), seed)
    except CannotAnswerError:
        return replace(fit, tests=tuple(tests))
    return replace(fit, tests=tuple(tests), horizon=limits.quantiles)
