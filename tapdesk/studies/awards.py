"""Who wins and how sure: what each entry is worth, its place, and whether what the committee gave is deserved.

The committee's rule and its result stand first. Beside them stands what the posterior of the panel says
(`panel_sampler`), the uncertainty of the judges' numbers included: of points and of ordered classes the value a fair
panel would give, of classes without an order how likely one wanted class is. A medal is deserved where the value lies
between the lines of its class; of scores the lines are the committee's, of ordered classes those of a judge who leans
nowhere.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.language import CaseName, Label, RaterName
from tapdesk.language import gettext as _
from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.texts import number
from tapdesk.studies.award_answer import AwardRequest, Awards, Caveat, ScoreKind, groups_apart
from tapdesk.studies.award_changes import Change, Committee, usual_rule
from tapdesk.studies.award_rules import COMMITTEE_RULES, Rule, RuleResult, places
from tapdesk.studies.judge_numbers import judge_numbers
from tapdesk.studies.panel_sampler import PanelDraws, PanelSampler, PanelScores, drive
from tapdesk.studies.repeat_times import time_column

_FEWEST_POINTS = 7
_STREAM = 71
_SETTLED, _AGAIN = 1.1, 1.05
_MOST_AGAIN = 1
_MOST_NUMBERS = 12_000_000
_CHAINS, _WARM, _DRAWS = 4, 300, 700
# Of many ordered scores a step takes long: fewer chains are moved, and fewer steps.
_FEW_CHAINS, _FEW_WARM, _FEW_DRAWS = 2, 250, 500
_MANY = 5_000
# Judges times scores: of more nothing is said of the model without each judge, only of the committee's result.
_MOST_LEFT_OUT = 100_000


# What is asked, and whether it can be answered ---------------------------------------------------------------------


def kind_of(ratings: Ratings, request: AwardRequest) -> ScoreKind:
    """What the ratings are to this question.

    Raises
    ------
    UsageError
        When the classes have no order and none is wanted, or the one that is wanted is none of them.
    """
    if request.wanted:
        if request.wanted not in ratings.classes:
            raise UsageError(
                _("There is no class '{label}'.").format(label=Label(request.wanted)),
                "--wanted",
                _("The classes are: {classes}.").format(classes=", ".join(ratings.classes)),
            )
        return ScoreKind.CLASSES
    scores = [number(label, request.decimal) for label in ratings.classes]
    if all(score is not None for score in scores):
        halves = any(score is not None and score != round(score) for score in scores)
        if request.lines or halves or len(scores) >= _FEWEST_POINTS:
            return ScoreKind.POINTS
        return ScoreKind.GRADES
    if request.lines:
        raise UsageError(
            _("There are no scores to cut: the classes are no numbers."), "--cuts", _("Leave out --cuts and --bands.")
        )
    if not ratings.ordered:
        raise UsageError(
            _("These classes have no order, so nothing says which of them is best."),
            fix=_(
                'Say their order, lowest first, such as --order "none,bronze,gold"; or which class is wanted: --wanted.'
            ),
        )
    return ScoreKind.GRADES


def refuse_what_tells_nothing(ratings: Ratings, *, together: bool = True) -> None:
    """Refuse ratings of which nothing can be said, each with its sentence; ``together`` as of `no_awards`.

    Raises
    ------
    CannotAnswerError
        It says why.
    """
    if (reason := no_awards(ratings, together=together)) is not None:
        raise CannotAnswerError(reason)


def no_awards(ratings: Ratings, *, together: bool = True) -> str | None:
    """Why nothing can be said of these ratings, in a sentence; None where something can.

    Parameters
    ----------
    ratings
        Before a class is counted.
    together
        Whether it is looked at if all judges hang together by entries they have in common, which takes a moment.
    """
    if not ratings.raters_known or ratings.weight is not None:
        return _("These {ratings} do not say who gave which, so nobody's severity can be taken out.")
    if np.unique(ratings.rater).size < 2:
        return _("One {rater} alone cannot be told from the {subjects}: severity and quality are one.").format()
    if np.unique(ratings.category).size < 2:
        return _("Every {rating} is the same, so no {subject} stands above another.").format()
    if np.unique(ratings.subject).size < 2:
        return _("There is one {subject}, so there is nothing to place.").format()
    return _parted(ratings) if together else None


def _parted(ratings: Ratings) -> str | None:
    """Why judges without entries in common cannot be compared; None where all hang together."""
    from scipy.sparse import coo_matrix  # late: slow to load
    from scipy.sparse.csgraph import connected_components

    n, j = len(ratings.subjects), len(ratings.raters)
    edges = (np.ones(ratings.subject.size), (ratings.subject, n + ratings.rater))
    used = np.unique(ratings.rater)
    _count, part = connected_components(coo_matrix(edges, shape=(n + j, n + j)), directed=False)
    parts = part[n + used]
    if np.unique(parts).size == 1:
        return None
    if np.unique(ratings.subject * j + ratings.rater).size == np.unique(ratings.subject).size:
        return _("One {rating} each: severity and quality cannot be told apart.").format()
    apart = used[parts == parts[0]]
    if 2 * apart.size > used.size:
        apart = used[parts != parts[0]]
    names = ", ".join(RaterName(ratings.raters[i]) for i in apart[:4])
    return _(
        "{names} and the others have no {subject} in common, so nothing says who of them is strict and which "
        "{subjects} are good."
    ).format(names=names)


def panel_of(ratings: Ratings, request: AwardRequest, kind: ScoreKind) -> tuple[PanelScores, tuple[int, ...]]:
    """The scores of the ratings, and of ordered classes those that somebody used."""
    size = (len(ratings.subjects), len(ratings.raters))
    if kind is ScoreKind.POINTS:
        scale = np.array([number(label, request.decimal) or 0.0 for label in ratings.classes])
        value = scale[ratings.category]
        return PanelScores.of(ratings.subject, ratings.rater, value, size, step=rounding(value)), ()
    used = np.unique(ratings.category)
    value = np.searchsorted(used, ratings.category).astype(float)
    return PanelScores.of(ratings.subject, ratings.rater, value, size, classes=used.size), tuple(used.tolist())


def rounding(value: FloatArray) -> float:
    """The step of rounding, where scores are so coarse that it matters; else 0."""
    step = float(np.diff(np.unique(value)).min(initial=np.inf))
    return step if step > 0.4 * float(value.std()) else 0.0


# The answer -----------------------------------------------------------------------------------------------------------


def awards(ratings: Ratings, request: AwardRequest) -> Run[Awards]:
    """Who wins, how sure.

    Parameters
    ----------
    ratings
        Of known raters.
    request
        What is asked.

    Yields
    ------
    Step
        Phases ``draws`` and ``judges left out``.

    Raises
    ------
    UsageError
        When the classes have no order and none is wanted.
    CannotAnswerError
        When these ratings tell nothing of it, with the reason.
    """
    refuse_what_tells_nothing(ratings)
    kind = kind_of(ratings, request)
    request = replace(request, occasion=request.occasion or time_column(ratings))
    if kind is ScoreKind.CLASSES:
        from tapdesk.studies.class_panel import class_awards  # late: it fits models, which scores do not need

        return (yield from class_awards(ratings, request))
    scores, used = panel_of(ratings, request, kind)
    rng = np.random.default_rng(np.random.SeedSequence([request.seed, _STREAM]))
    draws = yield from draw_until_settled(scores, rng)
    value = AwardValues.of(draws, scores, request)
    classes = tuple(ratings.classes[k] for k in used) if kind is ScoreKind.GRADES else request.names
    committee = Committee(scores, request.rule or usual_rule(scores.classes), request.lines, len(classes))
    model = model_result(value)
    caveats = _caveats(ratings, request, kind, draws, used)
    judges = judge_numbers(ratings, scores, draws, request.level, request.occasion)
    without = yield from leave_out(scores, draws, request, value, rng)
    return Awards(
        kind=kind,
        subjects=tuple(map(CaseName, ratings.subjects)),
        raters=tuple(map(RaterName, ratings.raters)),
        classes=classes,
        lines=request.lines,
        rule=committee.rule,
        result=committee.result,
        ratings=np.bincount(ratings.subject, minlength=len(ratings.subjects)),
        **value.summary(request),
        judges=judges,
        without=tuple(committee.without(j) for j in range(scores.judges)),
        rules=(*(committee.by(r) for r in COMMITTEE_RULES if r is not committee.rule), committee.against(model)),
        corrected=committee.harshest([one.severity.value or 0.0 for one in judges]),
        caveats=caveats,
        gain=value.gains(draws, request),
        request=request,
        left_out=MappingProxyType(without),
    )


def draw_until_settled(scores: PanelScores, rng: np.random.Generator) -> Run[PanelDraws]:
    """Draws of chains that agree, or as many as are worth waiting for.

    Parameters
    ----------
    scores
        The panel.
    rng
        Of all draws.

    Yields
    ------
    Step
        Phase ``draws``; among its values `fair`, the mean of the values so far.
    """
    few = bool(scores.classes) and scores.value.size > _MANY
    chains, warm, count = (_FEW_CHAINS, _FEW_WARM, _FEW_DRAWS) if few else (_CHAINS, _WARM, _DRAWS)
    sampler = PanelSampler(scores, np.ones((chains, scores.judges), dtype=bool), rng)
    draws = yield from drive(sampler, warm, count, "draws")
    for _turn in range(_MOST_AGAIN):
        if draws.rhat <= _AGAIN or scores.value.size > _MANY:
            break
        draws = yield from drive(sampler, 0, 2 * _DRAWS, "draws")
    most = max(_MOST_NUMBERS // max(scores.entries, 1), 400)
    step = -(-draws.fair.shape[0] // most)
    return draws if step == 1 else draws.thin(step)


def _caveats(
    ratings: Ratings, request: AwardRequest, kind: ScoreKind, draws: PanelDraws, used: tuple[int, ...]
) -> tuple[Caveat, ...]:
    judges = np.unique(ratings.subject * len(ratings.raters) + ratings.rater) // len(ratings.raters)
    each = np.bincount(judges, minlength=len(ratings.subjects))
    items = {
        Caveat.TWO_JUDGES: np.unique(ratings.rater).size == 2,
        Caveat.SINGLE_SCORES: bool((each == 1).any()),
        Caveat.NO_LINES: kind is ScoreKind.POINTS and not request.lines,
        Caveat.UNUSED: kind is ScoreKind.GRADES and len(used) < len(ratings.classes),
        Caveat.NOT_SETTLED: not draws.rhat <= _SETTLED,
    }
    return tuple(caveat for caveat, so in items.items() if so)


@dataclass(frozen=True, eq=False)
class AwardValues:
    """Draws of what entries are worth, and the lines between classes.

    Attributes
    ----------
    fair
        Shape (D, N).
    cuts
        Shape (D, K - 1), or (1, K - 1) where they are fixed; no columns without lines.
    score
        From values to what is printed: points as they are, of ordered classes the mean class a typical judge gives.
    """

    fair: FloatArray
    cuts: FloatArray
    score: Callable[[FloatArray, FloatArray], FloatArray]

    @staticmethod
    def of(draws: PanelDraws, scores: PanelScores, request: AwardRequest) -> "AwardValues":
        """Those of a panel."""
        if scores.classes:
            return AwardValues(draws.fair, draws.cuts, mean_class)
        cuts = np.array(request.lines, dtype=float).reshape(1, -1)
        return AwardValues(draws.fair, cuts, lambda fair, _cuts: fair)

    def probability(self) -> FloatArray:
        """Shape (N, K): of each class; no columns without lines."""
        if not self.cuts.shape[1]:
            return np.zeros((self.fair.shape[1], 0))
        above = [np.mean(self.fair >= cut[:, None], axis=0) for cut in self.cuts.T]
        stacked = np.stack([np.ones(self.fair.shape[1]), *above, np.zeros(self.fair.shape[1])])
        return np.asarray((stacked[:-1] - stacked[1:]).T)

    def summary(self, request: AwardRequest) -> dict[str, Any]:
        """Fields of `Awards` that follow from the draws."""
        printed = self.score(self.fair, self.cuts)
        tail = (1 - request.level) / 2
        low, high = np.quantile(printed, [tail, 1 - tail], axis=0)
        fair = printed.mean(axis=0)
        rank = (-self.fair).argsort(axis=1).argsort(axis=1) + 1
        rank_low, rank_high = np.quantile(rank, [tail, 1 - tail], axis=0, method="inverted_cdf")
        first = tuple(m for m in request.first if m < self.fair.shape[1])
        order = np.lexsort((np.arange(fair.size), -fair))
        return {
            "fair": fair,
            "low": np.minimum(low, fair),
            "high": np.maximum(high, fair),
            "rank_low": rank_low.astype(np.int64),
            "rank_high": rank_high.astype(np.int64),
            "probability": self.probability(),
            "first": first,
            "among": np.stack([(rank <= m).mean(axis=0) for m in first], axis=1) if first else np.zeros((fair.size, 0)),
            "order": order,
            "groups": groups_apart(self.fair, order),
            "above_next": np.append((self.fair[:, order[:-1]] > self.fair[:, order[1:]]).mean(axis=0), 1.0),
            "level": request.level,
        }

    def gains(self, draws: PanelDraws, request: AwardRequest) -> FloatArray:
        """Shape (N,): by how much one more score of a typical judge makes the likeliest class likelier, on average.

        Values are taken as normal. Where there are no lines the class is to be among the first or not.
        """
        from tapdesk.studies.case_gains import expected_gain  # late: few ask for a worklist

        fair = self.fair.mean(axis=0)
        cuts = self.cuts.mean(axis=0)
        if not cuts.size:
            most = min(max(request.first, default=1), fair.size - 1)
            cuts = np.sort(fair)[::-1][most - 1 : most + 1].mean(keepdims=True)
        return expected_gain(fair, self.fair.std(axis=0), cuts, float(np.median(draws.spread)))


def mean_class(fair: FloatArray, cuts: FloatArray) -> FloatArray:
    """Shape (D, N): the mean class, 1 the lowest, that a judge without leaning and of typical spread gives."""
    from scipy.special import ndtr  # late: slow to load

    result = np.ones_like(fair)
    for cut in cuts.T:
        result += ndtr(fair - cut[:, None])
    return result


def model_result(value: AwardValues) -> RuleResult:
    """What the model would give: the likeliest class, and the order of fair scores."""
    mean = value.score(value.fair, value.cuts).mean(axis=0)
    probability = value.probability()
    given = probability.argmax(axis=1) if probability.shape[1] else np.full(mean.size, -1)
    return RuleResult(Rule.MODEL, mean, places(mean), np.asarray(given, dtype=np.int64))


def leave_out(
    scores: PanelScores, draws: PanelDraws, request: AwardRequest, value: AwardValues, rng: np.random.Generator
) -> Run[dict[int, tuple[Change, ...]]]:
    """For each judge the entries whose likeliest class, by the model, differs without that judge.

    One chain for each judge, all moved together, begins at a draw of the whole panel. A difference within the error of
    so few draws is none. Without classes nothing is said. A judge without whom the others fall apart has no entry.

    Yields
    ------
    Step
        Phase ``judges left out``.
    """
    keep = ~np.eye(scores.judges, dtype=bool)
    if scores.judges < 3 or not value.cuts.shape[1] or scores.judges * scores.value.size > _MOST_LEFT_OUT:
        return {}
    sampler = PanelSampler(scores, keep, rng)
    sampler.restart(draws)
    short = yield from drive(sampler, 40, 160, "judges left out")
    before = value.probability()
    found: dict[int, tuple[Change, ...]] = {}
    for j in range(scores.judges):
        own = short.chain(j)
        after = AwardValues.of(own, scores, request).probability()
        found[j] = _other_likeliest(before, after)
    return found


# Twice the error of a probability from 160 draws that hang together.
_ERROR = 0.12


def _other_likeliest(before: FloatArray, after: FloatArray) -> tuple[Change, ...]:
    at = np.arange(before.shape[0])
    old, new = before.argmax(axis=1), after.argmax(axis=1)
    clear = (old != new) & (after[at, new] - after[at, old] > _ERROR)
    return tuple(Change(int(i), int(old[i]), int(new[i]), 0, 0) for i in np.flatnonzero(clear))
