"""One of two analyses that are set side by side: its ratings, its numbers, and how they move with the cases.

The numbers are the shares of the model, what part of the agreement is knowledge, the coefficients of agreement, and
the accuracy of each rater by a model that has one for each. They are those of the maximum of the likelihood: beliefs
rest on what was believed before as well, and cases drawn again would not tell how far they move.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tapdesk.agreement.kappas import fleiss_kappa, gwet_ac, percent_agreement
from tapdesk.agreement.quantity import Quantity, analytic
from tapdesk.agreement.tables import Tables, weights
from tapdesk.errors import TapdeskError
from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.likelihood_region import extremes
from tapdesk.fitting.profile import Profile
from tapdesk.models.design import Freedom, design
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray, ParameterName, Stack
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.differences import ResampledView, View
from tapdesk.studies.rater_differences import few_leanings

KNOWLEDGE = "knowledge"
COEFFICIENTS = {"percent_agreement": percent_agreement, "fleiss_kappa": fleiss_kappa, "gwet_ac": gwet_ac}
RATERS_MODEL = "t-aj-pj"
_OF_MODEL = frozenset({"t", "a", "a0", "a1", "alpha"})
_LEAST_RATERS = 3
_NOTHING = 1e-12
_NEAR = 4.0


@dataclass(frozen=True, eq=False)
class Side:
    """One of two analyses.

    Attributes
    ----------
    ratings
        The data.
    request
        What is asked of them.
    fit
        The answer, a maximum of the likelihood; None where there is none.
    why_not
        Why there is none.
    raters_fit
        A fit with an accuracy for each rater; None where they cannot be told apart or the other has them.
    knowledge
        Of the pairs of ratings that match, the share in which both follow the case; None where the model tells none.
    replaced
        The estimator that was asked for, where the maximum of the likelihood stands in its place; else empty.
    """

    ratings: Ratings
    request: Request
    fit: Fit | None
    why_not: str = ""
    raters_fit: Fit | None = None
    knowledge: Estimate | None = None
    replaced: str = ""

    @property
    def crowded(self) -> bool:
        """Whether raters and classes are too many for an accuracy of each rater."""
        return self.raters_fit is None and self.ratings.raters_known and not few_leanings(self.ratings)


def side_of(ratings: Ratings, request: Request, answer: Fit | None = None, *, raters: bool = True) -> Run[Side]:
    """The analysis of some ratings as one of two.

    Parameters
    ----------
    ratings, request
        The data, and what is asked of them.
    answer
        The answer to that, where there is one already: a maximum with profile intervals is taken as it is.
    raters
        Whether the accuracy of each rater is wanted.

    Yields
    ------
    Step
        As of `analyse`.
    """
    by_likelihood = replace(
        request, estimator=ExactEM.name, interval="profile", priors=(), pool=False, subjects=False, redraws=False,
        tests=False,
    )  # fmt: skip
    replaced = "" if request.estimator == ExactEM.name else request.estimator
    why_not = refusal(ratings, by_likelihood) or ""
    fit = answer if answer is not None and answer.estimator == ExactEM.name and answer.profiles else None
    if fit is None and not why_not:
        try:
            fit = yield from analyse(ratings, by_likelihood)
        except TapdeskError as error:
            why_not = error.what
    own = fit is not None and any(e.name.rater is not None and e.name.name == "a" for e in fit.estimates)
    apart = None if own or not raters else (yield from _raters_apart(ratings, by_likelihood))
    knowledge = None if fit is None else (yield from _knowledge_of(ratings, fit))
    return Side(ratings, request, fit, why_not, apart, knowledge, replaced)


def _raters_apart(ratings: Ratings, request: Request) -> Run[Fit | None]:
    """A fit with an accuracy for each rater.

    None where raters are not known, too few, or cannot be told apart, and where raters and classes are too many for a
    number of each: the scores of a jury on a fine scale.
    """
    each = replace(request, model=replace(model(RATERS_MODEL), key=request.model.key))
    if not ratings.raters_known or len(ratings.raters) < _LEAST_RATERS or not few_leanings(ratings):
        return None
    if refusal(ratings, each):
        return None
    try:
        fit = yield from analyse(ratings, each, only=("a",))
    except TapdeskError:
        return None
    return fit if fit.converged else None


@dataclass(frozen=True, eq=False)
class MeasuredNumber:
    """A number of an analysis that can be set against the same one of another.

    Attributes
    ----------
    name
        What it is; a share of cases always with its class.
    estimate
        Its value and interval, or why it has none.
    profile
        Its profile likelihood; None where there is none.
    """

    name: ParameterName
    estimate: Estimate
    profile: Profile | None = None


class Measurement:
    """The numbers of an analysis, and their values in cases drawn again.

    Parameters
    ----------
    side
        The analysis.
    level
        Of the intervals of the coefficients.

    Attributes
    ----------
    numbers
        In the order of the draws.
    """

    def __init__(self, side: Side, level: float) -> None:
        self.ratings = side.ratings
        self.numbers: list[MeasuredNumber] = []
        self._views: list[ResampledView] = []
        cases = np.arange(len(side.ratings.subjects))
        for fit in (side.fit, side.raters_fit):
            if fit is not None:
                only_raters = fit is side.raters_fit
                numbers, draw = _of_fit(fit, None if only_raters else side.knowledge, only_raters=only_raters)
                self.numbers += numbers
                self._views.append(ResampledView(View(side.ratings, fit, draw), cases))
        self._tables = Tables(side.ratings.decided()) if side.ratings.subject.size else None
        self._quantities: list[Quantity | None] = []
        if self._tables is not None:
            self._measure(self._tables, level)

    def _measure(self, tables: Tables, level: float) -> None:
        """The coefficients, or why they have no value."""
        for name, cases_of in COEFFICIENTS.items():
            case = next(iter(cases_of(tables, weights("identity", tables.ratings))))
            estimate = undefined(case.reason or case.otherwise)
            if case.quantity is not None:
                estimate = analytic(case.quantity, level, case.otherwise)[0]
            self._quantities.append(case.quantity)
            self.numbers.append(MeasuredNumber(ParameterName(name), estimate))

    def draw(self, again: FloatArray) -> Run[FloatArray]:
        """Shape (B, n): every number in draws of the cases, which occur so often: shape (B, N)."""
        parts: list[FloatArray] = []
        for view in self._views:
            parts += [(yield from view.refit(again))]
        if self._tables is not None:
            parts.append(self._coefficients(again, self._tables))
        return np.concatenate(parts, axis=1) if parts else np.zeros((len(again), 0))

    def _coefficients(self, again: FloatArray, tables: Tables) -> FloatArray:
        """Shape (B, coefficients)."""
        if len(tables.ratings.subjects) != again.shape[1]:
            # Cases on which nobody decided have no part in a coefficient.
            place = {name: i for i, name in enumerate(self.ratings.subjects)}
            again = again[:, [place[name] for name in tables.ratings.subjects]]
        rows = np.zeros((len(again), tables.weight.size + 1))
        np.add.at(rows.T, tables.of_subject, again.T)
        columns = [
            np.full(len(again), np.nan)
            if quantity is None
            else quantity.value(quantity.family.redrawn(rows[:, :-1])[:, quantity.columns])
            for quantity in self._quantities
        ]
        return np.column_stack(columns)


def _of_fit(
    fit: Fit, knowledge: Estimate | None, *, only_raters: bool
) -> tuple[list[MeasuredNumber], Callable[[Stack], FloatArray]]:
    """The numbers of a fit that are compared, and what gives them at B points."""
    by_name = {p.slot.name: p for p in fit.profiles}
    known = {e.name: e for e in fit.estimates}
    slots = [
        slot
        for slot in fit.slots
        if slot.name.name in _OF_MODEL and slot.freedom is not Freedom.FIXED and slot.most == 1
        if not only_raters or (slot.name.rater is not None and slot.name.name == "a")
    ]
    numbers = [
        MeasuredNumber(_named(slot.name, fit.classes), known[slot.name].estimate, by_name.get(slot.name))
        for slot in slots
    ]
    readers: list[Callable[[Stack], FloatArray]] = [slot.column for slot in slots]
    for truth, value, low, high in () if only_raters else ((s.truth, s.value, s.low, s.high) for s in fit.shares):
        name = ParameterName("named") if truth is None else ParameterName("said", truth)
        estimate = Estimate(value) if low is None or high is None else Estimate(value).between(
            low, high, fit.interval[1], "profile"
        )  # fmt: skip
        numbers.append(MeasuredNumber(name, estimate))
        readers.append(_share(None if truth is None else fit.classes.index(truth)))
    if knowledge is not None:
        numbers.append(MeasuredNumber(ParameterName(KNOWLEDGE), knowledge))
        readers.append(_knowledge)

    def read(stack: Stack) -> FloatArray:
        return np.column_stack([reader(stack) for reader in readers]) if readers else np.zeros((stack.size, 0))

    return numbers, read


def _named(name: ParameterName, classes: Sequence[str]) -> ParameterName:
    """The name of a number; a share of the cases says of which class also where two classes leave no doubt."""
    if name.name == "t" and name.category is None:
        return replace(name, category=classes[-1])
    if name.name in {"a0", "a1"}:
        return replace(name, name="a", category=classes[int(name.name[1])])
    return name


def _share(truth: int | None) -> Callable[[Stack], FloatArray]:
    """What gives the share of ratings that say class 1 where a class is true, or that name the true class."""

    def read(stack: Stack) -> FloatArray:
        rates = np.array([stack.one(b).rating_rates()[0] for b in range(stack.size)])
        if truth is not None:
            return np.asarray(rates[:, truth, 1])
        return np.asarray(np.einsum("bk,bkk->b", stack.truth, rates))

    return read


def _knowledge(stack: Stack) -> FloatArray:
    """Shape (B,): of the pairs of ratings that match, the share in which both follow the case."""
    a, p, t = stack.accuracy[:, 0, 0], stack.guessing[:, 0, 0], stack.truth
    together = a**2 + 2 * a * (1 - a) * (t * p).sum(axis=1) + (1 - a) ** 2 * (p**2).sum(axis=1)
    return np.asarray(a**2 / np.maximum(together, _NOTHING))


def _knowledge_of(ratings: Ratings, fit: Fit) -> Run[Estimate | None]:
    """The same share of a fit with its profile interval; None where raters or classes differ in accuracy."""
    if fit.match_rates is None or fit.match_rates.observed < _NOTHING:
        return None
    accuracy = fit.estimate("a")
    if accuracy.value is None or fit.match_rates.random is None:
        return undefined(accuracy.undefined) if accuracy.undefined else None
    value = float(_knowledge(Stack.of([fit.parameters]))[0])
    plan, top = design(fit.model, ratings), fit.log_likelihood.ratings
    origins = [o.parameters for o in fit.optima if top - o.log_likelihood < _NEAR][:3] or [fit.parameters]
    ends = yield from extremes(plan, plan.space.evidence(plan.patterns), origins, top, [_knowledge], fit.interval[1])
    if ends[0] is None:
        return Estimate(value)
    low, high = ends[0]
    return Estimate(value).between(min(low, value), max(high, value), fit.interval[1], "profile")
