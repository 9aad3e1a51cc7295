"""What becomes of the answer if cases differ in more than their truth (models_more.md §3).

Ratings of one case go together for other reasons than knowledge: some cases are beyond everybody, some are easier than
others, some mislead. Each of these explains the same ratings by another accuracy, and hardly any panel tells which of
them it is. So the answer is a range over all that fit about as well, and never one of them.
"""

from dataclasses import dataclass

import numpy as np

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import BootstrapTest, Fit
from tapdesk.language import gettext as _
from tapdesk.models.model import CASE_MODELS, Cases, RaterModel, model
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.grid_hypotheses import no_difficulty
from tapdesk.studies.likelihood_ratio import likelihood_ratio

# Half the 95 % quantile of a chi-square with one degree of freedom: nats.
_WITHIN = 1.92


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
    """

    model: str
    log_likelihood: float
    accuracy: float
    truth: FloatArray
    spread: float
    fits: bool


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
    """

    rows: tuple[CaseExplanation, ...]
    seen: bool
    test: BootstrapTest | None = None

    @property
    def accuracies(self) -> tuple[float, float]:
        """The lowest and the highest accuracy of all that fit."""
        values = [row.accuracy for row in self.rows if row.fits]
        return min(values), max(values)

    def truths(self, category: int) -> tuple[float, float]:
        """The lowest and the highest share of a true class of all that fit."""
        values = [float(row.truth[category]) for row in self.rows if row.fits]
        return min(values), max(values)


def mean_accuracy(cases: Cases, point: Parameters) -> float:
    """How often a rating follows its case, over all cases: hard ones are followed by nobody."""
    a = float(point.accuracy[0, 0])
    return a * (1 - float(point.spread[0])) if cases is Cases.HARD else a


def dependence(ratings: Ratings, seed: int = 1, replicates: int = 0) -> Run[Dependence]:
    """Fit every way in which cases may differ beside the model of cases that are alike.

    Parameters
    ----------
    ratings
        The data.
    seed
        Of random starts and simulated data.
    replicates
        Simulated data sets of the test of cases that are alike; none for 0.

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
        raise CannotAnswerError(_("These ratings leave the accuracy open even where all cases are alike."))
    told = [row.cases is Cases.ALIKE or fit.identification.by_design for row, fit in zip(rows, fits, strict=True)]
    best = max(fit.log_likelihood.ratings for fit, tells in zip(fits, told, strict=True) if tells)
    explained = tuple(_row(row, fit, best, tells=t) for row, fit, t in zip(rows, fits, told, strict=True))
    seen, test = any(told[1:]), None
    if seen and replicates:
        test = yield from likelihood_ratio(ratings, no_difficulty(), replicates, seed)
    return Dependence(explained, seen, test)


def _row(row: RaterModel, fit: Fit, best: float, *, tells: bool) -> CaseExplanation:
    point, level = fit.parameters, fit.log_likelihood.ratings
    return CaseExplanation(
        row.name,
        level,
        mean_accuracy(row.cases, point),
        np.asarray(point.truth),
        float(point.spread[0]) if point.spread.size else 0.0,
        tells and best - level <= _WITHIN,
    )
