"""Two analyses set against each other, number by number, each difference with an interval of its own.

Cases that stand in both, by their names, are drawn again for both at once; cases of one only by themselves, so that
either keeps its size. Where no case is shared the joint likelihood answers at once. Of several raters, and of several
classes, some number differs by luck: their intervals hold for all of them together (Bonferroni).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting.fit_summary import subject_posterior
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.parameters import FloatArray, ParameterName
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.findings import quoted_list
from tapdesk.ratings.ratings import Ratings, digest
from tapdesk.studies.contrast_intervals import (
    ALIKE,
    added_difference,
    drawn_difference,
    joint_difference,
)
from tapdesk.studies.what_if import MeasuredNumber, Measurement, Side

REPLICATES = 1000
SURE = 0.9
MOST_MOVES = 50
FEWEST = 20
"""Cases either analysis must rest on for intervals of differences: of fewer neither resamples nor likelihoods tell."""
_FEW = _("One of the two rests on too few {subjects} for an interval of the difference.")
_CELLS = 4_000_000
_STREAM = 67


@dataclass(frozen=True, slots=True)
class Contrast:
    """One number of both analyses.

    Attributes
    ----------
    name
        What it is.
    a, b
        Its value in each, with interval, or why there is none.
    difference
        The second less the first with its interval, or why there is none; how it was found is in ``how``.
    """

    name: ParameterName
    a: Estimate
    b: Estimate
    difference: Estimate

    @property
    def exactly_alike(self) -> bool:
        """Whether there is nothing that could differ."""
        return self.difference.how == ALIKE


@dataclass(frozen=True, slots=True)
class CaseMove:
    """A case whose likeliest class is another one in the second analysis.

    Attributes
    ----------
    name
        Of the case.
    before, after
        Its likeliest class in the first and the second.
    surety
        How probable that class is in the second.
    """

    name: str
    before: str
    after: str
    surety: float


@dataclass(frozen=True, slots=True)
class CaseMoves:
    """What becomes of the cases that stand in both analyses.

    Attributes
    ----------
    shared
        How many there are.
    count
        How many of them have another likeliest class.
    moves
        The surest of these, `MOST_MOVES` at most.
    unsure
        Of how many cases either analysis is less than 90 % sure.
    """

    shared: int
    count: int
    moves: tuple[CaseMove, ...]
    unsure: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two analyses side by side.

    Attributes
    ----------
    a, b
        The analyses.
    contrasts
        The numbers that both have, in the order of the first.
    shared
        How many cases stand in both, by their names.
    replicates
        How often cases were drawn again; 0 where no case is shared.
    level
        Of the intervals.
    same
        Whether both are the same ratings asked the same.
    cases
        What becomes of the cases of both; None where no case is shared, or either tells no class of a single case.
    """

    a: Side
    b: Side
    contrasts: tuple[Contrast, ...]
    shared: int
    replicates: int
    level: float
    same: bool = False
    cases: CaseMoves | None = None

    @property
    def raters_in_common(self) -> tuple[str, ...] | None:
        """The raters that both have; None where one of the two does not know who rated."""
        one, other = self.a.ratings, self.b.ratings
        if not (one.raters_known and other.raters_known):
            return None
        return tuple(name for name in one.raters if name in set(other.raters))

    def contrast(self, name: str, category: str | None = None, rater: str | None = None) -> Contrast | None:
        """The contrast of a number; None where the two do not have it both."""
        wanted = (name, category, rater)
        return next((c for c in self.contrasts if (c.name.name, c.name.category, c.name.rater) == wanted), None)


def matched_classes(one: Ratings, other: Ratings, where: str = "") -> Ratings:
    """The other ratings with the classes of the first, in its order; a class that only one of them uses stays.

    Parameters
    ----------
    one, other
        The ratings.
    where
        What the other file is called, for the sentence that refuses it.

    Raises
    ------
    CannotAnswerError
        When each has classes that the other lacks, so that nothing says which is which.
    """
    ours, theirs = set(one.classes), set(other.classes)
    if ours == theirs and one.classes == other.classes:
        return other
    if theirs <= ours:
        return other.with_order(one.classes, ordered=one.ordered)
    if ours <= theirs:
        return other
    raise CannotAnswerError(
        _("The two have different classes: {mine} only in the first, {theirs} only in the second.").format(
            mine=quoted_list([c for c in one.classes if c not in theirs], 4),
            theirs=quoted_list([c for c in other.classes if c not in ours], 4),
        ),
        where,
        fix=_("Match them first: rename or merge classes, or count the same ones with --class1 in both."),
    )


def compare(a: Side, b: Side, level: float = 0.95, replicates: int = REPLICATES, seed: int = 1) -> Run[Comparison]:
    """Two analyses, number by number.

    Parameters
    ----------
    a, b
        The analyses; differences are the second less the first.
    level, replicates, seed
        Of the intervals, of cases drawn again where some are shared, and of the draws.

    Yields
    ------
    Step
        Phase ``re-draws``.

    Raises
    ------
    CannotAnswerError
        When the two have no number in common.
    """
    yield Step(0, replicates, "re-draws")
    measured = Measurement(a, level), Measurement(b, level)
    by_name: tuple[Mapping[ParameterName, int], ...] = tuple(
        {number.name: i for i, number in enumerate(one.numbers)} for one in measured
    )
    names = [name for name in by_name[0] if name in by_name[1]]
    if not names:
        raise CannotAnswerError(_("The two analyses have no number in common, so there is nothing to compare."))
    levels = _levels(names, level)
    same = _same(a, b)
    few = min(a.ratings.subject_count, b.ratings.subject_count) < FEWEST
    strata = _strata(a.ratings, b.ratings)
    draws: tuple[FloatArray, FloatArray] | None = None
    if not (same or few) and strata.shared:
        draws = yield from _drawn(measured, strata, replicates, seed)
    contrasts = []
    for name in names:
        i, j = by_name[0][name], by_name[1][name]
        one, other = measured[0].numbers[i], measured[1].numbers[j]
        pair = None if draws is None else (draws[0][:, i], draws[1][:, j])
        difference = _nothing(one.estimate) if same else _difference(one, other, pair, levels[name])
        if few and not same and difference.value is not None:
            difference = difference.without_interval(_FEW)
        contrasts.append(Contrast(name, one.estimate, other.estimate, difference))
    made = 0 if draws is None else replicates
    return Comparison(a, b, tuple(contrasts), strata.shared, made, level, same, _case_moves(a, b, strata))


def _same(a: Side, b: Side) -> bool:
    """Whether the same is asked of the same ratings."""
    return digest(a.ratings) == digest(b.ratings) and a.request.model == b.request.model


def _nothing(one: Estimate) -> Estimate:
    """The difference of a number from itself."""
    if one.value is None:
        return undefined(one.undefined or "")
    return Estimate(0.0).between(0.0, 0.0, one.level or 0.95, ALIKE)


def _difference(
    one: MeasuredNumber, other: MeasuredNumber, draws: tuple[FloatArray, FloatArray] | None, level: float
) -> Estimate:
    """The second number less the first, by what is known of both."""
    values = one.estimate.value, other.estimate.value
    if values[0] is None or values[1] is None:
        return undefined(one.estimate.undefined or other.estimate.undefined or "")
    if draws is not None:
        return drawn_difference(one.estimate, other.estimate, draws, level)
    if one.profile is not None and other.profile is not None:
        return joint_difference(one.profile, other.profile, (values[0], values[1]), level)
    return added_difference(one.estimate, other.estimate, level)


def _levels(names: list[ParameterName], level: float) -> dict[ParameterName, float]:
    """The level of each interval: as wide as its family asks, of raters, and of more than two classes."""
    size = Counter(_family(name) for name in names)
    return {name: 1 - (1 - level) / size[_family(name)] for name in names}


def _family(name: ParameterName) -> tuple[str, str]:
    """What a number is one of several of; one of a class alone is its own family."""
    if name.rater is not None:
        return name.name, "raters"
    return name.name, "classes" if name.category is not None and name.name != "said" else name.category or ""


@dataclass(frozen=True, eq=False)
class _Strata:
    """The cases of two sets of ratings: which are shared.

    Attributes
    ----------
    parts
        Cases that are drawn from among each other: where they stand in the first and the second, -1 where they do
        not, and how many each stands for.
    shared
        How many stand in both.
    """

    parts: tuple[tuple[NDArray[np.int64], NDArray[np.int64], FloatArray], ...]
    shared: int


def _strata(one: Ratings, other: Ratings) -> _Strata:
    """Shared cases, those of the first alone, and those of the second alone."""
    place = {name: i for i, name in enumerate(other.subjects)}
    partner = np.array([place.get(name, -1) for name in one.subjects], dtype=np.int64)
    weights = one.subject_weights(), other.subject_weights()
    both = np.flatnonzero(partner >= 0)
    if (weights[0][both] != weights[1][partner[both]]).any():
        # Rows of two tallies that count otherwise are no cases of the same name.
        both = both[:0]
    mine = np.setdiff1d(np.arange(partner.size), both)
    theirs = np.setdiff1d(np.arange(len(other.subjects)), partner[both])
    parts = (
        (both, partner[both], weights[0][both]),
        (mine, np.full_like(mine, -1), weights[0][mine]),
        (np.full_like(theirs, -1), theirs, weights[1][theirs]),
    )
    return _Strata(tuple(part for part in parts if part[2].sum() > 0), round(float(weights[0][both].sum())))


def _case_moves(a: Side, b: Side, strata: "_Strata") -> CaseMoves | None:
    """Which of the shared cases have another likeliest class in the second analysis."""
    classes = a.ratings.classes
    single = all((side.ratings.subject_weights() == 1).all() for side in (a, b))
    if not strata.shared or not single or a.fit is None or b.fit is None or classes != b.ratings.classes:
        return None
    if not all(fit.rates_known and fit.converged for fit in (a.fit, b.fit)):
        return None
    beliefs = []
    for side, fit in ((a, a.fit), (b, b.fit)):
        plan = design(fit.model, side.ratings)
        beliefs.append(subject_posterior(fit, plan, plan.space.evidence(plan.patterns)))
    places = strata.parts[0][:2]
    before, after = (belief[place] for belief, place in zip(beliefs, places, strict=True))
    likeliest = before.argmax(axis=1), after.argmax(axis=1)
    surety = after.max(axis=1)
    moved = sorted(np.flatnonzero(likeliest[0] != likeliest[1]), key=lambda i: -surety[i])
    moves = tuple(
        CaseMove(a.ratings.subjects[places[0][i]], classes[likeliest[0][i]], classes[likeliest[1][i]], float(surety[i]))
        for i in moved[:MOST_MOVES]
    )
    unsure = tuple(int(np.count_nonzero(belief.max(axis=1) < SURE)) for belief in (before, after))
    return CaseMoves(strata.shared, len(moved), moves, (unsure[0], unsure[1]))


def _drawn(
    measured: tuple[Measurement, Measurement], strata: _Strata, replicates: int, seed: int
) -> Run[tuple[FloatArray, FloatArray]]:
    """Every number of both in the same draws of the cases."""
    sizes = [len(one.ratings.subjects) for one in measured]
    batch = int(np.clip(_CELLS // sum(sizes), 1, replicates))
    rng = np.random.default_rng([seed, _STREAM])
    parts: tuple[list[FloatArray], list[FloatArray]] = ([], [])
    for at in range(0, replicates, batch):
        size = min(batch, replicates - at)
        again = [np.zeros((size, n)) for n in sizes]
        for *places, weight in strata.parts:
            drawn = rng.multinomial(round(float(weight.sum())), weight / weight.sum(), size=size)
            for side, where in zip(again, places, strict=True):
                if where.size and where[0] >= 0:
                    side[:, where] = drawn
        for one, side, kept in zip(measured, again, parts, strict=True):
            kept.append((yield from relay(one.draw(side), at, replicates, "re-draws")))
    yield Step(replicates, replicates, "re-draws")
    return np.concatenate(parts[0]), np.concatenate(parts[1])
