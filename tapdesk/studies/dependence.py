"""What becomes of the answer if cases differ in more than their truth (models_more.md §3).

Ratings of one case go together for other reasons than knowledge: some cases are beyond everybody, some are easier than
others, some mislead. Each of these explains the same ratings by another accuracy, and hardly any panel tells which of
them it is. So the answer is a range over all that fit about as well, and never one of them.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

import numpy as np

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import BootstrapTest, Fit
from tapdesk.fitting.likelihood_region import extremes
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.model import CASE_MODELS, Cases, RaterModel, model
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.fit_power import FitPower

WITHIN = 1.92
"""Half the 95 % quantile of a chi-square with one degree of freedom: nats."""
_LEVEL = 0.95
_MOST_ORIGINS = 3


@dataclass(frozen=True, eq=False)
class CaseExplanation:
    """One way in which cases may differ, fitted.

    Attributes
    ----------
    model
        Its name; ``t-a-p`` where all cases are alike.
    log_likelihood
        In nats, ratings form.
    accuracy
        How often a rating follows its case, over all cases.
    truth
        Shape (K,): rates of the true classes.
    spread
        How much cases differ, from 0 to 1; 0 where they are alike.
    fits
        Whether it lies within reach of the best, and the design can tell its numbers.
    low, high
        How far the accuracy reaches while the likelihood stays near its maximum (profile, 95 %); also where the design
        cannot tell it, then all that fits equally well is in between. None where no end was found.
    """

    model: str
    log_likelihood: float
    accuracy: float
    truth: FloatArray
    spread: float
    fits: bool
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, eq=False)
class Dependence:
    """The answer under every way in which cases may differ.

    Attributes
    ----------
    rows
        All cases alike first, then the others in the order of the catalog.
    seen
        Whether ratings of this design can show that cases differ at all.
    test
        Of all cases alike against hard cases; None where it cannot be seen.
    power
        What the test of fit could have seen, where it does not speak; else None.
    """

    rows: tuple[CaseExplanation, ...]
    seen: bool
    test: BootstrapTest | None = None
    power: FitPower | None = None

    @property
    def accuracies(self) -> tuple[float, float]:
        """The lowest and the highest accuracy of all that fit."""
        values = [row.accuracy for row in self.rows if row.fits]
        return min(values), max(values)

    @property
    def harder(self) -> tuple[float, float] | None:
        """From the lowest to the highest accuracy, with what luck adds, if some cases are harder than others.

        Over the ways in which they may be that fit, or over all where ratings of this design cannot show it; None
        where none of them fits or its ends were not found.
        """
        return self._reach(lambda cases: cases not in {Cases.ALIKE, Cases.MISLEADING})

    @property
    def misleading(self) -> tuple[float, float] | None:
        """The same if some cases mislead everybody."""
        return self._reach(lambda cases: cases is Cases.MISLEADING)

    @property
    def varied(self) -> tuple[float, float] | None:
        """The same if each case has an accuracy of its own.

        Cases that are beyond everybody are left out: one of two classes may always consist of them, however many
        ratings there are, so their range tells nothing of how many there are.
        """
        return self._reach(lambda cases: cases is Cases.ACCURACY)

    def _reach(self, belongs: Callable[[Cases], bool]) -> tuple[float, float] | None:
        names = {row.name for row in CASE_MODELS if belongs(row.cases)}
        rows = [row for row in self.rows if row.model in names and (row.fits or not self.seen)]
        ends = [(row.low, row.high) for row in rows if row.low is not None and row.high is not None]
        if not ends or len(ends) < len(rows):
            return None
        return min(low for low, _high in ends), max(high for _low, high in ends)

    def truths(self, category: int) -> tuple[float, float]:
        """The lowest and the highest share of a true class of all that fit."""
        values = [float(row.truth[category]) for row in self.rows if row.fits]
        return min(values), max(values)


def mean_accuracy(cases: Cases, point: Parameters) -> float:
    """How often a rating follows its case, over all cases: hard ones are followed by nobody."""
    a = float(point.accuracy[0, 0])
    return a * (1 - float(point.spread[0])) if cases is Cases.HARD else a


def dependence(
    ratings: Ratings, seed: int = 1, replicates: int = 0, ends: Collection[Cases] = frozenset(Cases)
) -> Run[Dependence]:
    """Fit every way in which cases may differ beside the model of cases that are alike.

    Parameters
    ----------
    ratings
        The data.
    seed
        Of random starts and simulated data.
    replicates
        Simulated data sets of the test of cases that are alike; none for 0.
    ends
        Of which ways it is looked for how far the accuracy reaches.

    Yields
    ------
    Step
        Phase ``fit`` and, with a test, ``re-draws``.

    Raises
    ------
    CannotAnswerError
        Where the model of cases that are alike cannot be fitted or told.
    """
    plain = model("t-a-p")
    rows = (plain, *CASE_MODELS)
    fits = []
    for done, row in enumerate(rows):
        yield Step(done, len(rows), "fit")
        reason = ExactEM().refuses(row, ratings)
        if reason:
            raise CannotAnswerError(reason)
        fits.append((yield from relay(ExactEM().run(row, ratings, seed), done, len(rows), "fit")))
    yield Step(len(rows), len(rows), "fit")
    if not fits[0].identification.by_design:
        raise CannotAnswerError(_("These {ratings} leave the accuracy open even where all {subjects} are alike."))
    told = [row.cases is Cases.ALIKE or fit.identification.by_design for row, fit in zip(rows, fits, strict=True)]
    best = max(fit.log_likelihood.ratings for fit, tells in zip(fits, told, strict=True) if tells)
    seen, test = any(told[1:]), None
    explained = []
    for row, fit, tells in zip(rows, fits, told, strict=True):
        one = _row(row, fit, best, tells=tells)
        reaches = (one.fits or not seen) and row.cases in ends
        explained.append((yield from _with_ends(one, row, fit, ratings)) if reaches else one)
    if seen and replicates:
        # Late: what stands beside a plain fit is not tested again.
        from tapdesk.studies.grid_hypotheses import no_difficulty
        from tapdesk.studies.likelihood_ratio import likelihood_ratio

        test = yield from likelihood_ratio(ratings, no_difficulty(), replicates, seed)
    return Dependence(tuple(explained), seen, test)


def _with_ends(one: CaseExplanation, row: RaterModel, fit: Fit, ratings: Ratings) -> Run[CaseExplanation]:
    """The explanation with how far its accuracy reaches."""
    plan, top = design(row, ratings), fit.log_likelihood.ratings

    def accuracy(stack: Stack) -> FloatArray:
        a = stack.accuracy[:, 0, 0]
        return a * (1 - stack.spread[:, 0]) if row.cases is Cases.HARD else a

    origins = [o.parameters for o in fit.optima if top - o.log_likelihood < WITHIN][:_MOST_ORIGINS]
    evidence = plan.space.evidence(plan.patterns)
    (ends,) = yield from extremes(plan, evidence, origins or [fit.parameters], top, [accuracy], _LEVEL)
    if ends is None:
        return one
    return replace(one, low=min(ends[0], one.accuracy), high=max(ends[1], one.accuracy))


def _row(row: RaterModel, fit: Fit, best: float, *, tells: bool) -> CaseExplanation:
    point, level = fit.parameters, fit.log_likelihood.ratings
    return CaseExplanation(
        row.name,
        level,
        mean_accuracy(row.cases, point),
        np.asarray(point.truth),
        float(point.spread[0]) if point.spread.size else 0.0,
        tells and best - level <= WITHIN,
    )
