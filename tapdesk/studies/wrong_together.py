"""Whether a panel is wrong together, seen by cases whose true class is known (models_more.md §1).

Agreement tells how well raters follow what the panel has in common. That this is the truth is an assumption, and known
cases can test it: the panel's beliefs about them, found without the key, should miss the key no oftener than a panel
whose consensus is the truth. Beside it stand two accuracies, against the panel and against the key; if raters err
through a common consensus that is right with probability b, their ratio is b.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.agreement.known import LEAST, too_few
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import BootstrapTest, Fit
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, design
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import Key, RaterModel
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.patterns import Patterns
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.batch_fit import CAREFUL, fit_weights
from tapdesk.studies.likelihood_ratio import bootstrap_test
from tapdesk.studies.simulated_data import simulate_datasets

# So sure no belief counts, or one case would decide the score.
_LEAST_BELIEF = 1e-3
_STREAM, _RESAMPLES = 21, 22
_HOW = "bootstrap"


@dataclass(frozen=True, eq=False)
class WrongTogether:
    """What known cases say of a panel.

    Attributes
    ----------
    model
        Whose consensus is held against the key.
    cases
        How many cases are known.
    mismatches, expected_mismatches
        Known cases whose most probable class is another; and how many classes drawn from the beliefs would be another.
    test
        Of the log score of the key among the panel's beliefs, against panels whose consensus is the truth.
    against_panel, against_key
        How often a rating follows the panel's consensus, and the known class.
    consensus
        How often the panel's consensus is the truth: the ratio of the two.
    difference
        The second less the first, by the same resamples.
    raters
        The first two for each rater; empty where the model takes all raters for alike.
    """

    model: str
    cases: int
    mismatches: int
    expected_mismatches: float
    test: BootstrapTest
    against_panel: Estimate
    against_key: Estimate
    consensus: Estimate
    difference: Estimate
    raters: tuple[tuple[Estimate, Estimate], ...] = ()


def wrong_together(
    ratings: Ratings, row: RaterModel, replicates: int, seed: int, level: float = 0.95
) -> Run[WrongTogether]:
    """Hold a panel's consensus against the cases whose true class is known.

    Parameters
    ----------
    ratings
        With a key.
    row
        The model; where raters are known one that tells them apart, or their differences look like common errors.
    replicates
        Simulated panels, and resamples of the cases (known ones and the rest each for themselves).
    seed, level
        Of the random numbers, and of the intervals.

    Yields
    ------
    Step
        Phases ``fit`` and ``re-draws``.

    Raises
    ------
    CannotAnswerError
        Where no case is known, or the accuracy cannot be told with or without the key.
    """
    classes = ratings.known_classes()
    known = np.full(len(ratings.subjects), -1) if classes is None else classes.astype(np.int64)
    if not (known >= 0).any():
        raise CannotAnswerError(_("No true class of these {subjects} is known."))
    plain, keyed = replace(row, key=Key.UNUSED), replace(row, key=Key.CERTAIN)
    panel = yield from relay(ExactEM().run(plain, ratings, seed), 0, 2, "fit")
    clamped = yield from relay(ExactEM().run(keyed, ratings, seed), 1, 2, "fit")
    alone = yield from relay(ExactEM().run(keyed, _known_alone(ratings, known), seed), 2, 2, "fit")
    for fit in (panel, alone):
        if not _tells_accuracy(fit):
            raise CannotAnswerError(_("The accuracy cannot be told, so nothing can be held against the key."))
    plan = design(keyed, ratings)
    evidence = _without_key(plan, plain)
    score, wrong, expected = _scores(evidence, plan.patterns, Stack.of([panel.parameters]), plan.patterns.weight[None])
    draws = yield from _drawn(ratings, (plain, keyed), (panel, clamped), replicates, seed)
    about = _("The panel’s consensus is the truth: it misses known classes by chance only.")
    test = bootstrap_test("together", float(score[0]), None, draws, about)
    numbers, raters = yield from _intervals(ratings, known, (panel, alone), replicates, seed, level)
    count = int((known >= 0).sum())
    return WrongTogether(row.name, count, int(wrong[0]), float(expected[0]), test, *numbers, raters)


def _known_alone(ratings: Ratings, known: NDArray[np.int64]) -> Ratings:
    return ratings.keep((known >= 0)[ratings.subject])


def _without_key(plan: Design, plain: RaterModel) -> Evidence:
    """The patterns of cases with their known classes, for a model that does not look at these."""
    return replace(plan.space, model=plain, anchored=False).evidence(replace(plan.patterns, known=None))


def _scores(
    evidence: Evidence, patterns: Patterns, stack: Stack, weights: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Shapes (B,): log score of the key, known cases taken for another class, and that number for drawn classes.

    Parameters
    ----------
    evidence
        Of the model without the key.
    patterns
        With the known classes.
    stack, weights
        B points, and how often each has each pattern, shape (B, P).
    """
    known = patterns.known if patterns.known is not None else np.full(patterns.patterns, -1)
    of_known = np.flatnonzero(known >= 0)
    beliefs = evidence.posterior(stack)[:, :, of_known]
    own = beliefs[:, known[of_known], np.arange(of_known.size)]
    weight = weights[:, of_known]
    score = -(weight * np.log(np.maximum(own, _LEAST_BELIEF))).sum(axis=1)
    wrong = (weight * (beliefs.argmax(axis=1) != known[of_known])).sum(axis=1)
    return score, wrong, (weight * (1 - own)).sum(axis=1)


def _drawn(
    ratings: Ratings, rows: tuple[RaterModel, RaterModel], fits: tuple[Fit, Fit], replicates: int, seed: int
) -> Run[FloatArray]:
    """Shape (replicates,): the score where the panel's consensus is the truth, refitted without the key."""
    (plain, keyed), (panel, clamped) = rows, fits
    scores: list[FloatArray] = []
    done = 0
    # Drawn from the fit without the key, a panel that is wrong together would be its own yardstick.
    point = clamped.parameters
    for some in simulate_datasets(ratings, keyed, point, replicates, np.random.SeedSequence([seed, _STREAM])):
        plan, weights = some.tabulate(keyed)
        evidence = _without_key(plan, plain)
        space = replace(plan.space, model=plain, anchored=False)
        near = [point, panel.parameters]
        ended = yield from relay(fit_weights(space, evidence, weights, near), done, replicates, "re-draws")
        scores.append(_scores(evidence, plan.patterns, ended.stack, weights)[0])
        done += some.count
        yield Step(done, replicates, "re-draws")
    return np.concatenate(scores) if scores else np.zeros(0)


def _tells_accuracy(fit: Fit) -> bool:
    """Whether the fit has accuracies, and the data tell all of them."""
    left_open = {name.name for name in fit.identification.open_parameters}
    return fit.converged and fit.model.accuracy.free and not {"a", "a0", "a1"} & left_open


def _mean(a: FloatArray, ratings: FloatArray) -> FloatArray:
    """Shape (B,): accuracies of raters, shape (B, J), weighed by their ratings."""
    if a.shape[1] == 1:
        return np.asarray(a[:, 0])
    return np.asarray(a @ ratings / max(float(ratings.sum()), 1e-300))


def _intervals(
    ratings: Ratings, known: NDArray[np.int64], fits: tuple[Fit, Fit], replicates: int, seed: int, level: float
) -> Run[tuple[tuple[Estimate, Estimate, Estimate, Estimate], tuple[tuple[Estimate, Estimate], ...]]]:
    """Accuracy against the panel, against the key, ratio and difference, with percentiles over resamples of the cases.

    The first two for each rater as well, where the model tells them apart; true classes count alike.
    """
    rng = np.random.default_rng(np.random.SeedSequence([seed, _RESAMPLES]))
    size = ratings.subject_weights()
    parts = [np.flatnonzero(known >= 0), np.flatnonzero(known < 0)]
    times = np.zeros((replicates, known.size))
    for part in parts:
        total = int(size[part].sum())
        if total:
            times[:, part] = rng.multinomial(total, size[part] / total, size=replicates)
    accuracies: list[tuple[FloatArray, FloatArray]] = []
    result = []
    for fit, only in zip(fits, (None, parts[0]), strict=True):
        plan = design(fit.model, ratings)
        weights = np.zeros((replicates, plan.patterns.patterns))
        chosen = np.arange(known.size) if only is None else only
        for b in range(replicates):
            weights[b] = np.bincount(plan.patterns.of_subject[chosen], times[b, chosen], plan.patterns.patterns)
        evidence = plan.space.evidence(plan.patterns)
        run = fit_weights(plan.space, evidence, weights, [fit.parameters], effort=CAREFUL)
        ended = yield from relay(run, 0, replicates, "re-draws")
        rated = np.asarray(plan.patterns.totals.sum(axis=1))
        # True classes count alike.
        point, drawn = Stack.of([fit.parameters]).accuracy.mean(axis=2), ended.stack.accuracy.mean(axis=2)
        accuracies.append((point[0], drawn))
        result.append((_mean(point, rated)[0], _mean(drawn, rated)))
    (panel, panels), (key, keys) = result
    ratio = np.divide(keys, panels, out=np.full_like(keys, np.nan), where=panels > 0)
    between = [(panel, panels), (key, keys), (key / panel if panel > 0 else np.nan, ratio)]
    between.append((key - panel, keys - panels))
    first, second, third, fourth = (_estimate(float(value), drawn, level) for value, drawn in between)
    return (first, second, third, fourth), _by_rater(ratings, known, accuracies, level)


def _by_rater(
    ratings: Ratings, known: NDArray[np.int64], accuracies: list[tuple[FloatArray, FloatArray]], level: float
) -> tuple[tuple[Estimate, Estimate], ...]:
    """The accuracy of each rater against the panel and against the key."""
    (panel, panels), (key, keys) = accuracies
    count = len(ratings.raters)
    if not ratings.raters_known or not panel.size == key.size == count > 1:
        return ()
    of_known = np.bincount(ratings.rater[known[ratings.subject] >= 0], minlength=count)
    rows = []
    for j in range(count):
        against = _estimate(float(key[j]), keys[:, j], level)
        if of_known[j] < LEAST:
            against = against.without_interval(too_few(int(of_known[j])))
        rows.append((_estimate(float(panel[j]), panels[:, j], level), against))
    return tuple(rows)


def _estimate(value: float, drawn: FloatArray, level: float) -> Estimate:
    """A number with the percentiles of its resamples; of a ratio beyond 1 nothing is cut off."""
    drawn = drawn[np.isfinite(drawn)]
    if not np.isfinite(value) or not drawn.size:
        return Estimate(None, undefined=_("The panel’s own accuracy is 0, so there is no ratio."))
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Estimate(value).between(min(low, value), max(high, value), level, _HOW)
