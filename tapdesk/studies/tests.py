"""The tests a fit can carry, each against data simulated from its hypothesis (models.md §8, "Tests")."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlogy

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, design
from tapdesk.models.model import RaterModel, Truth, model
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.batch_fit import fit_count_vectors, fit_dataset, fit_weights
from tapdesk.studies.chance import horizon
from tapdesk.studies.likelihood_ratio import BootstrapTest, Nested, bootstrap_test, check, likelihood_ratio
from tapdesk.studies.parallel import run_inside as inside
from tapdesk.studies.simulated_data import CountVectors, design_count_vectors, simulate_datasets


@dataclass(frozen=True, slots=True)
class _Pair:
    """A row of the table of hypotheses: names of the models, and how many parameters the smaller one saves."""

    name: str
    larger: str
    smaller: str
    about: str

    def nested(self, ratings: Ratings) -> Nested:
        larger, smaller = model(self.larger), model(self.smaller)
        df = design(larger, ratings).space.free - design(smaller, ratings).space.free
        return Nested(self.name, larger, smaller, self.about, df)


PAIRS = (
    _Pair("t=p", "t-a-p", "t-a-t", _("Raters who do not know pick each class as often as it is true.")),
    _Pair("equal accuracies by class", "t-ak-p", "t-a-p", _("The accuracy is the same for every true class.")),
    _Pair("equal accuracies", "t-aj-p", "t-a-p", _("All raters are equally accurate.")),
    _Pair("equal guessing", "t-a-pj", "t-a-p", _("All raters pick alike when they do not know.")),
    _Pair(
        "equal accuracies, own guessing", "t-aj-pj", "t-a-pj", _("All raters are equally accurate; leanings differ.")
    ),
    _Pair("equal guessing, own accuracies", "t-aj-pj", "t-aj-p", _("All raters pick alike; accuracies differ.")),
)


def hypothesis(name: str, ratings: Ratings) -> Nested:
    """The named hypothesis on these ratings.

    Raises
    ------
    CannotAnswerError
        When it cannot be tested on them, with the reason.
    """
    row = next(pair for pair in PAIRS if pair.name == name)
    if name == "equal accuracies by class" and len(ratings.classes) == 2:
        raise CannotAnswerError(
            _("With two classes an accuracy for each class fits exactly as well as one for both, so there is no test.")
        )
    nested = row.nested(ratings)
    if nested.by_rater and not ratings.raters_known:
        raise CannotAnswerError(_("This needs to know who gave each rating, and here the raters are not known."))
    return nested


def compare(ratings: Ratings, name: str, replicates: int = 1000, seed: int = 1) -> Run[BootstrapTest]:
    """A likelihood-ratio test between two models of the sharing grid.

    Parameters
    ----------
    ratings
        The data.
    name
        ``t=p``, ``equal accuracies`` ... (`PAIRS`).
    replicates, seed
        Simulated data sets, and of the random numbers.

    Raises
    ------
    CannotAnswerError
        When the hypothesis cannot be tested on these ratings.
    """
    test = yield from likelihood_ratio(ratings, hypothesis(name, ratings), replicates, seed)
    return test


def goodness_of_fit(
    ratings: Ratings, within: RaterModel, replicates: int = 1000, seed: int = 1, fit: Fit | None = None
) -> Run[BootstrapTest]:
    """G-squared of the observed patterns of ratings against those expected by a fitted model.

    2 sum n ln(n / e), over the vectors of class counts where raters are pooled, else over the rows of rated classes;
    expected numbers are within subjects rated by as many (the same) raters. The p-value comes from data simulated from
    the fit and fitted again, because cells are small; where there are more of them than subjects df is not told.

    Parameters
    ----------
    ratings, within
        The data and the model.
    replicates, seed
        Simulated data sets, and of the random numbers.
    fit
        The model's fit, where there is one already. The simulated data are fitted by likelihood, so only such a fit may
        stand beside theirs: the means of a posterior may lie far from all that fits well.

    Raises
    ------
    CannotAnswerError
        When there is nothing to test.
    """
    check(ratings, within)
    if fit is None or fit.estimator != ExactEM.name:
        point, level, _rest = yield from inside(fit_dataset(within, ratings, seed), 0, 1, "fit")
    else:
        point, level = fit.parameters, fit.log_likelihood.ratings
    plan = design(within, ratings)
    pooled = plan.patterns.units == 1
    here = design_count_vectors(ratings) if pooled else None
    df = None
    if here is not None:
        observed = here.observed(ratings)
        statistic = float(_vectors_deviance(here, observed[None], np.array([level]))[0])
        # With fewer subjects than cells the statistic is not near any chi-square: its df would only mislead.
        if here.size.size <= here.subjects.sum():
            df = here.size.size - here.sizes.size - plan.space.free
        draws = yield from _vectors_draws(here, within, point, (replicates, seed))
    else:
        statistic = float(_deviances(plan, plan.patterns.weight[None], np.array([level]))[0])
        draws = yield from _design_draws(ratings, within, point, (replicates, seed))
    about = _("The model's patterns of ratings are those of the data, up to chance.")
    return bootstrap_test("G2", statistic, None if df is None else max(df, 0), draws, about)


def _vectors_deviance(here: CountVectors, weights: FloatArray, level: FloatArray) -> FloatArray:
    """Shape (B,): twice the gain of the saturated model; ``level`` (B,) in ratings form."""
    block = np.repeat(here.subjects, np.bincount(np.searchsorted(here.sizes, here.size)))
    saturated = (xlogy(weights, weights) - xlogy(weights, block)).sum(axis=1)
    return np.asarray(np.maximum(2 * (saturated - (level + weights @ here.log_ways)), 0.0))


def _vectors_draws(
    here: CountVectors, within: RaterModel, point: Parameters, scale: tuple[int, int]
) -> Run[FloatArray]:
    replicates, seed = scale
    rng = np.random.default_rng(np.random.SeedSequence([seed, 6]))
    draws: list[FloatArray] = []
    done = 0
    for weights in here.portions(point, replicates, rng):
        found = yield from inside(fit_count_vectors(within, here, weights, [point]), done, replicates, "re-draws")
        draws.append(_vectors_deviance(here, weights, found.log_likelihood))
        done += weights.shape[0]
        yield Step(done, replicates, "re-draws")
    return np.concatenate(draws)


def _design_draws(ratings: Ratings, within: RaterModel, point: Parameters, scale: tuple[int, int]) -> Run[FloatArray]:
    replicates, seed = scale
    draws: list[FloatArray] = []
    done = 0
    for some in simulate_datasets(ratings, within, point, replicates, np.random.SeedSequence([seed, 6])):
        plan, weights = some.tabulate(within)
        run = fit_weights(plan.space, plan.space.evidence(plan.patterns), weights, [point])
        found = yield from inside(run, done, replicates, "re-draws")
        draws.append(_deviances(plan, weights, found.log_likelihood))
        done += some.count
        yield Step(done, replicates, "re-draws", {"draws": {"G2": draws[-1]}})
    return np.concatenate(draws)


def _deviances(plan: Design, weights: FloatArray, level: FloatArray) -> FloatArray:
    """Shape (B,): twice the gain of giving every pattern its observed share among subjects of the same raters."""
    from scipy import sparse  # start-up cost: loads scipy.linalg as well

    group = _rater_sets(plan)
    belongs = sparse.csr_array((np.ones(group.size), (np.arange(group.size), group)))
    saturated = xlogy(weights, weights).sum(axis=1)
    total = np.asarray(weights @ belongs, dtype=np.float64)
    ways = 0.0
    if plan.patterns.units == 1:
        size, table = plan.patterns.size, plan.patterns.table
        ways = weights @ (gammaln(size + 1) - gammaln(table + 1).sum(axis=1))
    return np.asarray(np.maximum(2 * (saturated - xlogy(total, total).sum(axis=1) - level - ways), 0.0))


def _rater_sets(plan: Design) -> NDArray[np.int64]:
    """Shape (P,): which multiset of raters each pattern is from."""
    patterns = plan.patterns
    times = patterns.count.astype(np.int64)
    rater = np.repeat(patterns.unit, times)
    ends = np.cumsum(patterns.size.astype(np.int64))[:-1]
    known: dict[bytes, int] = {}
    return np.array([known.setdefault(part.tobytes(), len(known)) for part in np.split(rater, ends)], dtype=np.int64)


def with_tests(fit: Fit, ratings: Ratings, replicates: int = 1000, seed: int = 1) -> Run[Fit]:
    """The fit with the tests that make sense for its model on these data, and the noise horizon.

    ``a=0`` and ``t=p`` for models that pool raters, equal accuracies and equal guessing where raters are told apart,
    and G-squared; what cannot be tested is left out.

    Parameters
    ----------
    fit, ratings
        The fit and its data.
    replicates, seed
        Simulated data sets of each test, and of the random numbers.
    """
    found: list[BootstrapTest] = []
    larger = model("t-a-p") if not fit.model.by_rater or fit.model.truth is not Truth.FREE else fit.model
    runs: list[Run[BootstrapTest]] = []
    about = _("No rating carries information about its case: every accuracy is 0.")
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
        found.append(test)
    try:
        limits = yield from horizon(ratings, max(replicates, 2000), seed)
    except CannotAnswerError:
        return replace(fit, tests=tuple(found))
    return replace(fit, tests=tuple(found), horizon=limits.quantiles)
