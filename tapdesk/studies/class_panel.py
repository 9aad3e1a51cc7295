"""Who wins among classes without an order, of which one is wanted: how likely each case is of that class.

Beliefs are those of the fitted model, averaged over what is not known of its numbers (`case_beliefs`); places are
ranked anew on fits to resampled cases, so that their intervals hold that uncertainty as well.
"""

import numpy as np

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import CaseName, RaterName
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.models.space import canonical
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.award_answer import (
    AwardRequest,
    Awards,
    Caveat,
    ScoreKind,
    groups_apart,
)
from tapdesk.studies.award_changes import Variant, changes
from tapdesk.studies.award_rules import Rule, RuleResult, places
from tapdesk.studies.batch_fit import fit_weights
from tapdesk.studies.case_beliefs import case_beliefs
from tapdesk.studies.case_gains import class_gain
from tapdesk.studies.judge_numbers import JudgeNumbers, entries_of_each
from tapdesk.studies.panel_sampler import IndexArray, PanelScores
from tapdesk.studies.repeat_times import moments_of
from tapdesk.studies.self_agreement import SelfAgreement, self_agreement

_RESAMPLES, _STREAM = 200, 73


def class_awards(ratings: Ratings, request: AwardRequest) -> Run[Awards]:
    """How likely each case is of the wanted class.

    Yields
    ------
    Step
        Those of the fit, and phase ``draws``.

    Raises
    ------
    CannotAnswerError
        When the model cannot be fitted to these ratings, or tells no beliefs.
    """
    asked = Request(model("t-a-p"), interval="none", seed=request.seed)
    if reason := refusal(ratings, asked):
        raise CannotAnswerError(reason)
    fit = yield from analyse(ratings, asked)
    beliefs = yield from case_beliefs(ratings, fit, request.seed)
    if beliefs is None:
        raise CannotAnswerError(_("These {ratings} do not tell how sure one can be of single {subjects}.").format())
    if beliefs.model != fit.model.name:
        fit = yield from analyse(ratings, Request(model(beliefs.model), interval="none", seed=request.seed))
    by_rater = yield from _by_rater(ratings, request)
    wanted = ratings.classes.index(request.wanted)
    drawn = yield from _resampled(ratings, fit, wanted, request.seed)
    rates = fit.parameters.rating_rates().mean(axis=0)
    return _answer(ratings, request, (beliefs.probability, drawn, rates), by_rater)


def _answer(
    ratings: Ratings, request: AwardRequest, of_model: tuple[FloatArray, FloatArray, FloatArray], by_rater: Fit | None
) -> Awards:
    """The answer from the beliefs, those by resampled cases, and the rates at which a further rater answers."""
    probability, drawn, rates = of_model
    wanted = ratings.classes.index(request.wanted)
    fair = probability[:, wanted]
    order = np.lexsort((np.arange(fair.size), -fair))
    tail = (1 - request.level) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail], axis=0)
    best, last = _shared_places(drawn)
    rank_low = np.quantile(best, tail, axis=0, method="inverted_cdf")
    rank_high = np.quantile(last, 1 - tail, axis=0, method="inverted_cdf")
    first = tuple(m for m in request.first if m < fair.size)
    plurality = _plurality(ratings, None)
    model_rule = RuleResult(Rule.MODEL, fair, places(fair), np.asarray(probability.argmax(axis=1), dtype=np.int64))
    each = np.bincount(ratings.subject, minlength=fair.size)
    return Awards(
        kind=ScoreKind.CLASSES,
        subjects=tuple(map(CaseName, ratings.subjects)),
        raters=tuple(map(RaterName, ratings.raters)),
        classes=ratings.classes,
        lines=(),
        rule=Rule.MAJORITY,
        result=plurality,
        ratings=each,
        fair=fair,
        low=np.minimum(low, fair),
        high=np.maximum(high, fair),
        rank_low=rank_low.astype(np.int64),
        rank_high=rank_high.astype(np.int64),
        probability=probability,
        first=first,
        among=_among(best, last, first),
        order=order,
        groups=groups_apart(np.round(drawn, 9), order),
        above_next=np.append((drawn[:, order[:-1]] > drawn[:, order[1:]]).mean(axis=0), 1.0),
        judges=_judges(ratings, by_rater, request),
        without=tuple(
            Variant(j, Rule.MAJORITY, changes(plurality, _plurality(ratings, j), 0, classes=True))
            for j in range(len(ratings.raters))
        ),
        rules=(Variant(-1, Rule.MODEL, changes(plurality, model_rule, 0, classes=True)),),
        corrected=None,
        caveats=(Caveat.SINGLE_SCORES,) if bool((each == 1).any()) else (),
        gain=class_gain(probability, rates),
        request=request,
        level=request.level,
        wanted=wanted,
    )


def _shared_places(drawn: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Shape (B, N): the best and the last place of each case; cases of one belief are level."""
    level = np.round(drawn, 9)
    best, last = np.empty(level.shape), np.empty(level.shape)
    for row, first, end in zip(-level, best, last, strict=True):
        ordered = np.sort(row)
        first[:] = np.searchsorted(ordered, row, side="left") + 1
        end[:] = np.searchsorted(ordered, row, side="right")
    return best, last


def _among(best: FloatArray, last: FloatArray, first: tuple[int, ...]) -> FloatArray:
    """Shape (N, F): how often a case is among the first; cases that are level at the line have equal chances."""
    inside = [np.clip((m - best + 1) / (last - best + 1), 0.0, 1.0).mean(axis=0) for m in first]
    return np.stack(inside, axis=1) if first else np.zeros((best.shape[1], 0))


def _plurality(ratings: Ratings, without: int | None) -> RuleResult:
    """The commonest class of each case, none where two are equally common; without one of the raters."""
    kept = np.ones(ratings.subject.size, dtype=bool) if without is None else ratings.rater != without
    counts = np.zeros((len(ratings.subjects), len(ratings.classes)))
    np.add.at(counts, (ratings.subject[kept], ratings.category[kept]), 1)
    most = counts.max(axis=1)
    tied = (counts == most[:, None]).sum(axis=1) > 1
    given: IndexArray = np.where(tied | (most == 0), -1, counts.argmax(axis=1)).astype(np.int64)
    value = most / np.maximum(counts.sum(axis=1), 1)
    return RuleResult(Rule.MAJORITY, value, places(value), given)


def _resampled(ratings: Ratings, fit: Fit, wanted: int, seed: int) -> Run[FloatArray]:
    """Shape (B, N): the probability of the wanted class by fits to resampled cases."""
    plan = design(fit.model, ratings)
    evidence = plan.space.evidence(plan.patterns)
    of = np.asarray(plan.patterns.of_subject, dtype=np.int64)
    rng = np.random.default_rng(np.random.SeedSequence([seed, _STREAM]))
    size = ratings.subject_weights()
    weights = np.zeros((_RESAMPLES, plan.patterns.patterns))
    for b, times in enumerate(rng.multinomial(int(size.sum()), size / size.sum(), size=_RESAMPLES)):
        weights[b] = np.bincount(of, times, plan.patterns.patterns)
    run = fit_weights(plan.space, evidence, weights, [fit.parameters])
    climbed = yield from relay(run, 0, _RESAMPLES, "draws")
    stack: Stack = canonical(plan.space, climbed.stack)
    drawn = np.empty((stack.size, of.size))
    for b in range(stack.size):
        drawn[b] = evidence.posterior(stack.take(np.array([b])))[0][wanted][of]
    yield Step(_RESAMPLES, _RESAMPLES, "draws")
    return drawn


def _by_rater(ratings: Ratings, request: AwardRequest) -> Run[Fit | None]:
    """The fit that tells raters apart, with intervals; None where there is none."""
    asked = Request(model("t-aj-p"), level=request.level, seed=request.seed)
    return None if refusal(ratings, asked) else (yield from analyse(ratings, asked))


def _judges(ratings: Ratings, fit: Fit | None, request: AwardRequest) -> tuple[JudgeNumbers, ...]:
    """How often each rater rated, with what accuracy, and how far they agree with themselves."""
    scores = PanelScores.of(
        ratings.subject,
        ratings.rater,
        ratings.category.astype(float),
        (len(ratings.subjects), len(ratings.raters)),
    )
    moments = moments_of(ratings, request.occasion)
    again: dict[int, SelfAgreement] = {row.judge: row for row in self_agreement(scores, None, moments, request.level)}
    none = Estimate(None, undefined=_("Classes without an order have no severity."))
    unknown = Estimate(None, undefined=_("Accuracies of single {raters} cannot be told here."))
    estimates = () if fit is None else fit.estimates
    by_rater = {str(e.name.rater): e.estimate for e in estimates if e.name.name == "a" and e.name.rater is not None}
    count, entries = np.bincount(ratings.rater, minlength=len(ratings.raters)), entries_of_each(scores)
    return tuple(
        JudgeNumbers(
            RaterName(name), int(count[j]), int(entries[j]), none, none, by_rater.get(name, unknown), again.get(j)
        )
        for j, name in enumerate(ratings.raters)
    )
