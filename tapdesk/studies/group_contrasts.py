"""Whether groups differ, and by how much: differences with profile intervals, tests of equality (models_more.md §2).

A difference has an interval of its own, its reach where the likelihood stays near its maximum; whether the intervals of
two groups meet says nothing. Equality is tested by the likelihood ratio of nested models on data
simulated on the design. With two ratings of a case and two groups either truth or skill may be said to differ, and
nothing says which; then there is no test.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import numpy as np

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.climb import Climb
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import BootstrapTest, Fit
from tapdesk.fitting.identification import verdict
from tapdesk.fitting.likelihood_region import extremes
from tapdesk.language import gettext as _
from tapdesk.models.design import Slot, design
from tapdesk.models.model import GROUP_MODELS, MODELS, QUESTION_MODELS, Accuracy, Guessing, RaterModel, Truth
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.batch_fit import CAREFUL, fit_weights
from tapdesk.studies.holm import holm
from tapdesk.studies.likelihood_ratio import Nested, bootstrap_test, likelihood_ratio
from tapdesk.studies.simulated_data import simulate_datasets

_MOST_GROUPS = 6
_STREAM = 61
_OF_GROUP = {Accuracy.ONE: Accuracy.PER_GROUP, Accuracy.PER_RATER: Accuracy.PER_RATER_AND_GROUP}
_SHARED = {own: shared for shared, own in _OF_GROUP.items()}


@dataclass(frozen=True, slots=True)
class GroupContrast:
    """One number of two groups.

    Attributes
    ----------
    name
        ``t``, ``a`` or ``p``.
    of, minus
        The groups.
    value
        The difference of the estimates.
    low, high
        Ends of its profile interval; None where the search for them failed.
    category, rater
        As of the number; None where it has none.
    """

    name: str
    of: str
    minus: str
    value: float
    low: float | None
    high: float | None
    category: str | None = None
    rater: str | None = None

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out no difference."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


@dataclass(frozen=True, eq=False)
class GroupAlone:
    """One group whose accuracy is free against that of all others together.

    Attributes
    ----------
    group
        Its name.
    test
        Of the group being like the others.
    p_holm
        The p-value for all groups together (Holm).
    accuracy, others
        Of the group alone, and of all others together: where one stands apart, the others differ from what it is a part
        of as well, to the other side.
    """

    group: str
    test: BootstrapTest
    p_holm: float
    accuracy: float
    others: float


def group_contrasts(ratings: Ratings, fit: Fit, names: tuple[str, ...] = ("t", "a")) -> Run[tuple[GroupContrast, ...]]:
    """Differences between groups, a later one minus an earlier one: every two, of more than six neighbours only.

    Parameters
    ----------
    ratings, fit
        The data, and a maximum-likelihood fit of a model of groups.
    names
        Which numbers are set against each other.

    Yields
    ------
    Step
        Phase ``intervals``.

    Raises
    ------
    CannotAnswerError
        When the fit has no such numbers that the data tell apart.
    """
    plan = design(fit.model, ratings)
    known = {e.name for e in fit.estimates if e.estimate.value is not None}
    by_number: dict[tuple[str, str | None, str | None], dict[str, Slot]] = {}
    for slot in plan.slots:
        name = slot.name
        if name.group is not None and name.name in names and name in known:
            by_number.setdefault((name.name, name.category, name.rater), {})[name.group] = slot
    pairs = [(key, one, other) for key, own in by_number.items() for one, other in _pairs(list(own.values()))]
    if not pairs or not fit.identification.by_design or fit.estimator != ExactEM.name:
        raise CannotAnswerError(_("These {ratings} tell no number of two groups, so there is no difference."))
    evidence = plan.space.evidence(plan.patterns)
    top = fit.log_likelihood.ratings
    origins = [o.parameters for o in fit.optima if top - o.log_likelihood < 2][:3] or [fit.parameters]
    # Half the way from -1 to 1, for what is looked for is a probability.
    ends = yield from extremes(
        plan, evidence, origins, top, [_halved(one, other) for _key, one, other in pairs], fit.interval[1]
    )
    return tuple(
        GroupContrast(
            key[0],
            str(other.name.group),
            str(one.name.group),
            other.value(fit.parameters) - one.value(fit.parameters),
            None if end is None else 2 * end[0] - 1,
            None if end is None else 2 * end[1] - 1,
            key[1],
            key[2],
        )
        for (key, one, other), end in zip(pairs, ends, strict=True)
    )


def _pairs(slots: list[Slot]) -> list[tuple[Slot, Slot]]:
    if len(slots) > _MOST_GROUPS:
        return list(pairwise(slots))
    return list(combinations(slots, 2))


def _halved(one: Slot, other: Slot) -> Callable[[Stack], FloatArray]:
    return lambda stack: np.asarray((1 + other.column(stack) - one.column(stack)) / 2)


def equal_accuracies(row: RaterModel) -> Nested:
    """The hypothesis ``equal-a-groups``: accuracy is the same in all groups, all else as in the model.

    Raises
    ------
    CannotAnswerError
        When the model has no accuracies that could differ by group.
    """
    if row.accuracy not in {*_OF_GROUP, *_SHARED} or not row.groups:
        raise CannotAnswerError(_("This model has no accuracies that could differ by group."))
    shared = _SHARED.get(row.accuracy, row.accuracy)
    about = _("Accuracy is the same in all groups.")
    return Nested("equal-a-groups", _with(row, accuracy=_OF_GROUP[shared]), _with(row, accuracy=shared), about)


def equal_truths(row: RaterModel) -> Nested:
    """The hypothesis ``equal-t-groups``: the true classes are as common in all groups, all else as in the model.

    Raises
    ------
    CannotAnswerError
        When the rates of the true classes are held, or the model names no groups.
    """
    if not row.truth.free or not row.groups:
        raise CannotAnswerError(_("This model has no true class rates that could differ by group."))
    about = _("The true classes are as common in all groups.")
    return Nested("equal-t-groups", _with(row, truth=Truth.PER_GROUP), _with(row, truth=Truth.FREE), about)


def _with(row: RaterModel, *, truth: Truth | None = None, accuracy: Accuracy | None = None) -> RaterModel:
    """The model with another sharing, by its name where it has one.

    Raises
    ------
    CannotAnswerError
        When raters and groups would have to share numbers crosswise.
    """
    made = replace(row, truth=truth or row.truth, accuracy=accuracy or row.accuracy)
    parts = (made.accuracy, made.guessing)
    crossed = any(p.by_rater for p in parts) and any(p.by_group for p in parts)
    if crossed and not (made.accuracy.by_rater and made.accuracy.by_group and made.guessing is Guessing.ONE):
        raise CannotAnswerError(
            _("Where {raters} have leanings of their own, accuracies by group cannot be set beside.")
        )
    for other in (*MODELS, *GROUP_MODELS, *QUESTION_MODELS):
        if replace(other, name=made.name, about=made.about) == replace(made, groups="", key=other.key, whole=""):
            return replace(made, name=other.name, about=other.about)
    return replace(made, name=f"{row.name}*", about="")


def equality_test(ratings: Ratings, nested: Nested, replicates: int, seed: int) -> Run[BootstrapTest]:
    """The likelihood-ratio test of `equal_accuracies` or `equal_truths`.

    Parameters
    ----------
    ratings, nested, replicates, seed
        As of `likelihood_ratio`.

    Yields
    ------
    Step
        Phases ``fit`` and ``re-draws``.

    Raises
    ------
    CannotAnswerError
        When the design cannot tell the larger model, as two ratings of a case in two groups cannot say whether truth or
        skill differs.
    """
    if not verdict(nested.larger, ratings).by_design:
        raise CannotAnswerError(
            _("These {ratings} cannot say whether groups differ in truth or in skill: either explains them as well.")
        )
    free = [design(row, ratings).space.free for row in (nested.larger, nested.smaller or nested.larger)]
    named = replace(nested, df=free[0] - free[1])
    return (yield from likelihood_ratio(ratings, named, replicates, seed))


def groups_alone(ratings: Ratings, row: RaterModel, replicates: int, seed: int) -> Run[tuple[GroupAlone, ...]]:
    """Each group, such as a question, with an accuracy of its own against one for all others.

    Parameters
    ----------
    ratings, replicates, seed
        As of `equality_test`.
    row
        ``tg-a-pg`` or ``tq-a-pq``: then what a group has of its own is its log-likelihood alone.

    Yields
    ------
    Step
        Phases ``fit`` and ``re-draws``.

    Raises
    ------
    CannotAnswerError
        When the model is another, or the design cannot tell the accuracies of the groups.
    """
    if (row.truth, row.accuracy, row.guessing) != (Truth.PER_GROUP, Accuracy.ONE, Guessing.PER_GROUP):
        raise CannotAnswerError(
            _("Groups are tried one by one where only accuracy is shared: choose tg-a-pg or tq-a-pq.")
        )
    if not verdict(equal_accuracies(row).larger, ratings).by_design:
        raise CannotAnswerError(_("These {ratings} do not tell the accuracy of each group."))
    fit = yield from relay(ExactEM().run(row, ratings, seed), 0, 1, "fit")
    plan = design(row, ratings)
    seen, found = yield from _gains(ratings, fit, plan.patterns.weight[None])
    draws, done = [], 0
    root = np.random.SeedSequence([seed, _STREAM])
    for some in simulate_datasets(ratings, row, fit.parameters, replicates, root):
        _plan, weights = some.tabulate(row)
        gains, _found = yield from relay(_gains(some.ratings, fit, weights), done, replicates, "re-draws")
        draws.append(gains)
        done += some.count
        yield Step(done, replicates, "re-draws")
    drawn = np.concatenate(draws) if draws else np.zeros((0, len(plan.groups)))
    about = _("This group is rated as accurately as the others.")
    tests = [bootstrap_test("equal-a-group", float(seen[0, g]), 1, drawn[:, g], about) for g in range(len(plan.groups))]
    every = holm([test.p_bootstrap for test in tests])
    return tuple(
        GroupAlone(*one, *map(float, found[0, g])) for g, one in enumerate(zip(plan.groups, tests, every, strict=True))
    )


def _gains(ratings: Ratings, fit: Fit, weights: FloatArray) -> Run[tuple[FloatArray, FloatArray]]:
    """What each group gains by an accuracy of its own, and that accuracy with that of the others.

    Of data sets with weights (B, P): twice the gain of log-likelihood (B, G), accuracies (B, G, 2).
    """
    plan = design(fit.model, ratings)
    evidence, group = plan.space.evidence(plan.patterns), plan.patterns.group
    own = np.zeros(plan.patterns.patterns, dtype=np.int64) if group is None else group

    def ended(part: FloatArray) -> Run[Climb]:
        return (yield from fit_weights(plan.space, evidence, part, [fit.parameters], effort=CAREFUL))

    whole = (yield from ended(weights)).log_likelihood
    gains, found = [], []
    for g in range(len(plan.groups)):
        # Without the others a group is alone, and they are without it: what is not rated costs nothing.
        alone = yield from ended(np.where(own == g, weights, 0.0))
        rest = yield from ended(np.where(own == g, 0.0, weights))
        gains.append(np.maximum(2 * (alone.log_likelihood + rest.log_likelihood - whole), 0.0))
        found.append(np.stack([end.stack.accuracy[:, 0, 0] for end in (alone, rest)], axis=1))
    return np.stack(gains, axis=1), np.stack(found, axis=1)
