"""Raters who rate a case again: a repeat copies the answer before with a probability of its own (models_more.md §6).

Given the true class k, Pr(c2 | c1) = m I(c2 = c1) + (1 - m) pi_k(c2), where c1 is the rater's own answer before. So a
later rating of another class is a fresh one for sure, and one of the same class is a copy with probability
m / (m + (1 - m) pi_k(c2)). Both tell of one entry of the case's posterior only, as first ratings do.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import CaseName, Label, RaterName
from tapdesk.language import gettext as _
from tapdesk.models.evidence import TINY, Expected, StructuredEvidence, safe_log
from tapdesk.models.model import RaterModel
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.ratings.patterns import ALIKE, Kinds, Patterns, tabulate
from tapdesk.ratings.ratings import CovariateOf, IntArray, Ratings, plain_texts
from tapdesk.ratings.time_order import time_ranks

FIRST, OTHER, SAME = 0, 1, 2
"""Of `Patterns.repeat`."""


def occasions(model: RaterModel, ratings: Ratings) -> IntArray:
    """Shape (m,): the place of each rating among all occasions.

    Raises
    ------
    UsageError
        When no rater rated a case again, no column says when, it has gaps or no clear order, or it says the same of two
        ratings of one by one rater.
    """
    if not repeaters_of(ratings):
        raise UsageError(
            _("No {rater} rated {a_subject} more than once, so there is no answer to remember."),
            fix=_("Choose the model without +m."),
        )
    column = ratings.covariates.get(model.occasions)
    if column is not None and column.of is not CovariateOf.RATING:
        raise UsageError(
            _("The column '{column}' is the same for all {ratings} of {a_subject}, so it orders no repeats.").format(
                column=Label(model.occasions)
            ),
            fix=_("Name the column of the date or round of each {rating} with --occasion COL."),
        )
    if column is None:
        raise UsageError(
            _("Nothing says in which order {a_rater} rated {a_subject} again."),
            fix=_("Name the column of the date or round of each {rating} with --occasion COL."),
        )
    texts = plain_texts(column.values)
    # Where a case is rated once a gap does no harm.
    rank = {"": -1, **time_ranks({text for text in texts if text}, model.occasions)}
    order = np.array([rank[text] for text in texts], dtype=np.int64)
    rows = np.lexsort((order, ratings.rater, ratings.subject))
    again = _follows(ratings, rows)
    if (order[rows][again | np.append(again[1:], False)] < 0).any():
        raise UsageError(
            _("The column '{column}' has gaps where {subjects} are rated again, so their order is not known.").format(
                column=Label(model.occasions)
            ),
            fix=_("Fill it for every repeat, or choose the model without +m."),
        )
    tied = np.flatnonzero(again & (np.diff(order[rows], prepend=-1) == 0))
    if tied.size:
        row = int(rows[tied[0]])
        raise UsageError(
            _("'{column}' is the same for two {ratings} of {case} by {rater}, so their order is not known.").format(
                column=Label(model.occasions),
                case=CaseName(ratings.subjects[int(ratings.subject[row])]),
                rater=RaterName(ratings.raters[int(ratings.rater[row])]),
            ),
            fix=_("Correct the column, or choose the model without +m."),
        )
    return order


def _follows(ratings: Ratings, rows: IntArray) -> NDArray[np.bool_]:
    """Shape (m,): whether each of the sorted rows is of the same case and rater as the one before it."""
    same = (np.diff(ratings.subject[rows]) == 0) & (np.diff(ratings.rater[rows]) == 0)
    return np.concatenate([np.zeros(min(rows.size, 1), dtype=bool), same])


def repeaters_of(ratings: Ratings) -> tuple[int, ...]:
    """The raters who rated some case more than once, by index."""
    rows = np.lexsort((ratings.rater, ratings.subject))
    return tuple(np.unique(ratings.rater[rows][_follows(ratings, rows)]).tolist())


def repeat_kinds(ratings: Ratings, order: IntArray) -> IntArray:
    """Shape (m,): `FIRST`, `OTHER` or `SAME` of each rating, by the order of the ratings of a case by one rater."""
    rows = np.lexsort((order, ratings.rater, ratings.subject))
    same = np.diff(ratings.category[rows], prepend=-1) == 0
    kinds = np.zeros(rows.size, dtype=np.int64)
    kinds[rows] = np.where(_follows(ratings, rows), np.where(same, SAME, OTHER), FIRST)
    return kinds


def tabulate_repeats(
    ratings: Ratings, units: IntArray, unit_count: int, order: IntArray, kinds: Kinds = ALIKE
) -> Patterns:
    """As `tabulate`, with first ratings and later ones told apart (`Patterns.repeat`)."""
    code = units.astype(np.int64) + unit_count * repeat_kinds(ratings, order)
    patterns = tabulate(ratings, code, 3 * unit_count, kinds)
    repeat, unit = np.divmod(patterns.unit, unit_count)
    return replace(patterns, unit=unit, units=unit_count, repeat=repeat)


def with_copies(rng: np.random.Generator, ratings: Ratings, model: RaterModel, memory: FloatArray) -> Ratings:
    """Ratings in which some repeats are copies of the answer before.

    Parameters
    ----------
    rng
        The source of chance.
    ratings
        Drawn as if all were fresh.
    model
        With the column of occasions.
    memory
        Shape (M,): of each rater who rated some case again.
    """
    rows = np.lexsort((occasions(model, ratings), ratings.rater, ratings.subject))
    of_rater = np.zeros(len(ratings.raters))
    of_rater[list(repeaters_of(ratings))] = memory
    copied = _follows(ratings, rows) & (rng.random(rows.size) < of_rater[ratings.rater[rows]])
    # A copy of a copy is that of the last fresh answer.
    source = np.maximum.accumulate(np.where(copied, 0, np.arange(rows.size)))
    category = ratings.category.copy()
    category[rows] = ratings.category[rows][source]
    return replace(ratings, category=category)


class _Kinds(StructuredEvidence):
    """First, differing and equal answers of each rater as units of their own, 3 U in all."""

    def __init__(self, patterns: Patterns, raters: int, repeaters: tuple[int, ...], *, informing: bool) -> None:
        super().__init__(patterns, informing=informing)
        self._raters, self._repeaters = raters, list(repeaters)

    def _memory(self, stack: Stack) -> FloatArray:
        """Shape (B, U, 1): of each rater, 0 where nothing was rated again."""
        memory = np.zeros((stack.size, self._raters))
        memory[:, self._repeaters] = stack.spread
        return memory[:, :, None]

    def _rates(self, stack: Stack) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Shapes (B, 3 U, K): rates of an answer where it is right, and wrong; (B, U, K): accuracies."""
        shape = (stack.size, self._raters, self.patterns.classes)
        a = np.broadcast_to(stack.accuracy, shape)
        base = np.broadcast_to((1 - stack.accuracy) * stack.guessing[:, :, 0], shape)
        m = self._memory(stack)
        right, wrong = (
            np.maximum(np.concatenate([rate, (1 - m) * rate, m + (1 - m) * rate], axis=1), TINY)
            for rate in (a + base, base)
        )
        return right, wrong, a

    def _cell_rates(self, stack: Stack) -> tuple[FloatArray, FloatArray, FloatArray]:
        """As of `StructuredEvidence`."""
        right, wrong, _accurate = self._rates(stack)
        log_base = safe_log(wrong)
        return right, np.log(right) - log_base, log_base

    def expect(self, stack: Stack, weights: FloatArray | None = None) -> Expected:
        """See `Evidence.expect`; copies and fresh repeats stand in `Expected.spread`."""
        rate, wrong_rate, accurate = self._rates(stack)
        log_base = safe_log(wrong_rate)
        posterior, log_total = self._settled(stack, np.log(rate) - log_base)
        w = self.patterns.weight if weights is None else weights
        totals = self._totals(weights)[0]
        level = (totals * log_base).sum(axis=(1, 2)) + (log_total * w).sum(axis=-1)
        posterior *= w if weights is None else w[:, None]
        right = self.gather(posterior)
        wrong = np.maximum(totals - right, 0.0)
        m, n = self._memory(stack), self._raters
        fresh = np.concatenate([np.ones_like(m), 1 - m, 1 - m], axis=1)
        by_kind = (stack.size, 3, n, self.patterns.classes)
        hits = (right * fresh / rate).reshape(by_kind).sum(axis=1) * accurate
        copies = m * (right[:, 2 * n :] / rate[:, 2 * n :] + wrong[:, 2 * n :] / wrong_rate[:, 2 * n :])
        given = np.broadcast_to(totals, right.shape).reshape(by_kind)
        own = given.sum(axis=1) - copies
        again = given[:, 1:].sum(axis=(1, 3)) - copies.sum(axis=2)
        spread = np.stack([copies.sum(axis=2), again, np.zeros_like(again)], axis=2)[:, self._repeaters]
        guesses = np.maximum(own - hits, 0.0)
        return Expected(
            level, self._truth.count(posterior), hits, own.sum(axis=2, keepdims=True), guesses[:, :, None], spread
        )


class RepeatEvidence:
    """The E-step where a repeat may be a copy of the answer before it.

    Parameters
    ----------
    patterns
        Of `tabulate_repeats`.
    repeaters
        The raters who rated some case again, in the order of their memories.
    informing
        As of `StructuredEvidence`.
    """

    def __init__(self, patterns: Patterns, repeaters: tuple[int, ...], *, informing: bool = False) -> None:
        self.patterns = patterns
        raters = patterns.units
        repeat = np.zeros(patterns.unit.size, dtype=np.int64) if patterns.repeat is None else patterns.repeat
        parts = replace(patterns, unit=patterns.unit + raters * repeat, units=3 * raters, repeat=None)
        self._kinds = _Kinds(parts, raters, repeaters, informing=informing)

    def expect(self, stack: Stack, weights: FloatArray | None = None) -> Expected:
        """See `Evidence.expect`; copies and fresh repeats stand in `Expected.spread`."""
        return self._kinds.expect(stack, weights)

    def posterior(self, stack: Stack) -> FloatArray:
        """See `Evidence.posterior`."""
        return self._kinds.posterior(stack)

    def pattern_log_likelihood(self, stack: Stack) -> FloatArray:
        """See `Evidence.pattern_log_likelihood`."""
        return self._kinds.pattern_log_likelihood(stack)
