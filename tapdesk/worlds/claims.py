"""What the program may say falsely, one row each: how it is known that it was said, and that it was false.

A claim is recognised by phrases of the templates it is made from, never by words of a finished sentence; a test holds
that each phrase stands in a template of the program, so that a sentence cannot be reworded behind the study's back.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tapdesk.answers.raters import apart
from tapdesk.estimate import Estimate
from tapdesk.worlds.statement import Statement
from tapdesk.worlds.world import MISSING, SimulatedPanel, World

_SURE = 0.9
_ROUNDING = 1e-9
_RARE = 0.1


@dataclass(frozen=True, slots=True)
class Claim:
    """One row of the table of false words.

    Attributes
    ----------
    key, about
        Short name, and what a reader calls it.
    limit
        The share of panels in which it may be false; None where nothing can be promised, and the rate is told.
    belongs
        In which worlds it can be judged.
    said
        Whether a report says it.
    false
        Whether it is false of this panel of this world.
    phrases
        Pieces of the templates it is recognised by.
    cases
        Of a claim about single cases, how many it is made of and of how many it is false; a claim about a panel is made
        once.
    """

    key: str
    about: str
    limit: float | None
    belongs: Callable[[World], bool]
    applies: Callable[[Statement], bool]
    false: Callable[[World, SimulatedPanel, Statement], bool]
    phrases: tuple[str, ...] = ()
    cases: Callable[[SimulatedPanel, Statement], tuple[int, int]] | None = None

    def tally(self, world: World, panel: SimulatedPanel, statement: Statement) -> tuple[int, int, int]:
        """How often it could be made, was made, and was false: of a panel, or of its cases."""
        if not self.applies(statement):
            return (0 if self.cases else 1), 0, 0
        if self.cases is not None:
            made, wrong = self.cases(panel, statement)
            return made, made, wrong
        return 1, 1, int(self.false(world, panel, statement))


def _phrased(
    key: str,
    about: str,
    limit: float,
    phrases: tuple[str, ...],
    belongs: Callable[[World], bool],
    false: Callable[[World, SimulatedPanel, Statement], bool] = lambda _world, _panel, _told: True,
) -> Claim:
    """A claim that is said where one of its phrases is; by default false wherever it can be judged."""
    return Claim(key, about, limit, belongs, lambda words: words.says(*phrases), false, phrases)


def _silence(key: str, about: str, limit: float, phrases: tuple[str, ...], belongs: Callable[[World], bool]) -> Claim:
    """That something is not told which has to be told in these worlds."""
    return Claim(key, about, limit, belongs, lambda words: not words.says(*phrases), lambda *_all: True, phrases)


# Numbers --------------------------------------------------------------------------------------------------------------


def _accuracy(statement: Statement) -> Estimate | None:
    """The one accuracy of the headline, where it has an interval."""
    one = next((e.estimate for e in statement.fit.estimates if str(e.name) == "a"), None)
    return one if one is not None and one.low is not None else None


def _outside(value: float, low: float | None, high: float | None) -> bool:
    return (low is not None and value < low - _ROUNDING) or (high is not None and value > high + _ROUNDING)


_PLAIN_ACCURACY = (
    "{number} of 100 {ratings} follow the {subject} ({low} to {high})",
    "{number} of 100 {ratings} follows the {subject} ({low} to {high})",
    "Between {low} and {high} of 100 {ratings} follow the {subject}",
)


_UNPROVED = ("({least} to {most}) if all {subjects} are equally hard; {low} to {high} if some are harder than others",)


def tells_one_accuracy(statement: Statement) -> bool:
    """Whether one accuracy is told, and nothing against it or of what could not be seen."""
    return statement.says(*_PLAIN_ACCURACY) and not statement.says(*_CAVEATS, *_UNPROVED, _UNSEEN_HEADLINE)


def _wrong_accuracy(world: World, _panel: SimulatedPanel, statement: Statement) -> bool:
    accuracy = _accuracy(statement)
    return (
        accuracy is not None
        and world.mean_accuracy is not None
        and _outside(world.mean_accuracy, accuracy.low, accuracy.high)
    )


def _wrong_range(world: World, _panel: SimulatedPanel, statement: Statement) -> bool:
    """Whether the interval of all accuracies that fit misses the one there is."""
    accuracy_range = statement.fit.accuracy_range
    true = world.mean_accuracy
    return (
        accuracy_range is not None
        and true is not None
        and _outside(true, accuracy_range.outer_low, accuracy_range.outer_high)
    )


def _wrong_reach(world: World, _panel: SimulatedPanel, statement: Statement) -> bool:
    """Whether the ranges told if cases differ miss the accuracy there is."""
    seen, true = statement.side.dependence, world.mean_accuracy
    if statement.says(*_UNPROVED):
        own, varied = _accuracy(statement), None if seen is None else seen.varied
        if own is None or own.low is None or own.high is None or varied is None:
            return False
        return true is not None and _outside(true, min(own.low, varied[0]), max(own.high, varied[1]))
    ranges = [ends for ends in (seen.harder, seen.misleading) if ends is not None] if seen is not None else []
    return true is not None and bool(ranges) and all(_outside(true, low, high) for low, high in ranges)


def _wrong_shares(world: World, _panel: SimulatedPanel, statement: Statement) -> bool:
    """Whether an interval of the shares "when truly ..." misses the share there is."""
    one, guess = world.accuracy[0], world.guessing[0]
    for share in statement.fit.shares:
        if share.truth is None:
            continue
        true = (one if share.truth == world.classes[1] else 0.0) + (1 - one) * guess[1]
        if _outside(true, share.low, share.high):
            return True
    return False


def _no_width(_world: World, panel: SimulatedPanel, statement: Statement) -> bool:
    """Whether an interval has no width though ratings differ."""
    ends = [(e.estimate.low, e.estimate.high) for e in statement.fit.estimates if e.freedom.value == "free"]
    ends += [(share.low, share.high) for share in statement.fit.shares]
    return not panel.unanimous and any(low is not None and low == high for low, high in ends)


# Cases ----------------------------------------------------------------------------------------------------------------


def sure_cases(panel: SimulatedPanel, statement: Statement) -> tuple[int, int]:
    """How many cases a panel is at least 90 % sure of, and how many of them are not what they are taken for."""
    beliefs = statement.side.beliefs
    if beliefs is None:
        return 0, 0
    rated = np.flatnonzero((panel.ratings != MISSING).any(axis=1))
    truth = np.array([_place(statement, panel.labels[panel.truth[i]]) for i in rated])
    sure = beliefs.probability.max(axis=1) >= _SURE
    return int(sure.sum()), int((beliefs.probability.argmax(axis=1) != truth)[sure].sum())


def _place(statement: Statement, label: str) -> int:
    """Where a class of the world stands among the classes of the fit; −1 where nobody gave it."""
    return statement.fit.classes.index(label) if label in statement.fit.classes else -1


_UNSEEN_CASES = "or {raters} did not judge alone, cannot be seen here"
_MISFIT = "misses something about these {ratings}"
_HARDER = "Some {subjects} seem harder than others."
_SAID_SURE = ("the panel is at least 90 % sure of each of the {n} {subjects}", "The panel is less than 90 % sure of")


# Rows -----------------------------------------------------------------------------------------------------------------


def _visible(world: World) -> bool:
    """Whether nothing deceives the whole panel at once, which no agreement can show."""
    return not (world.lookalike or world.herd or world.camp)


def _judged_accuracy(world: World) -> bool:
    """Whether one accuracy of all cases and ratings is what there is."""
    judged = world.alone and world.alike_cases and world.mean_accuracy is not None
    return judged and not (world.by_class and len(world.truth) == 2)


def _unlike_cases(world: World) -> bool:
    """Whether cases differ, or raters copied: not all of that can be seen."""
    return _visible(world) and not (world.alike_cases and world.alone) and not world.turned


def _plain_sure(statement: Statement) -> bool:
    return statement.says(*_SAID_SURE) and not statement.says(_UNSEEN_CASES)


def _wrong_range_by_class(world: World, _panel: SimulatedPanel, statement: Statement) -> bool:
    """Whether the range of accuracies that fit if answers are not equally easy misses the one there is."""
    result, true = statement.fit.accuracy_range, world.mean_accuracy
    return result is not None and true is not None and _outside(true, result.low, result.high)


_DIFFER = "The {raters} differ in accuracy, by how much cannot be told."
_CAVEATS = (
    "{Subjects} seem to differ", "The {raters} differ: their accuracies go", "stands apart: {own}",
    "agree more often than one accuracy explains",
    "stand apart: {own}", "The {raters} differ in how often they give each answer", _HARDER,
    _DIFFER, "One accuracy does not describe these {ratings}",
)  # fmt: skip


def _informed(world: World) -> bool:
    """Whether there is plenty of knowledge in plenty of ratings, and no class is rare."""
    return world.cases >= 100 and world.raters >= 3 and max(world.accuracy) >= 0.6 and min(world.truth) >= _RARE


_SET_APART = (
    "{names} stands apart: {own} against {middle}", "{names} stand apart: {own} against {middle}",
    "{names} stands below the panel.", "{names} stand below the panel.",
    "{names} stands above the panel.", "{names} stand above the panel.",
)  # fmt: skip


def _one_apart(world: World) -> bool:
    """Whether one rater alone is not as able as the others, who are alike."""
    return len(world.unlike) == 1


def _named_falsely(world: World, panel: SimulatedPanel, statement: Statement) -> bool:
    """Whether a rater is set apart who is like most."""
    side = statement.side
    named = set(side.differences.apart) if side.differences is not None else set()
    if side.by_rater is not None:
        named |= {e.name.rater or "" for group in apart(side.by_rater, side) for e in group}
    return not named <= {panel.raters[j] for j in world.unlike}


_PAIR = ("agree more often than their accuracies and hard {subjects} explain",)


def _pairs_seen(world: World) -> bool:
    """Whether a pair of raters who copied could be seen."""
    return len(world.truth) == 2 and world.raters >= 5 and world.cases >= 200


def _other_pair(world: World, panel: SimulatedPanel, statement: Statement) -> bool:
    """Whether others than the first two raters are named, of whom the second copied."""
    pairs = statement.side.independence
    return not world.copied or pairs is None or set(pairs.named or ()) != set(panel.raters[:2])


_TURNED = (
    "to use the scale the other way round, or to", "contradict each other: one side seems",
    "to answer another question than", "seem to answer several questions",
)  # fmt: skip
_AGE = ("Accuracy changes with {name}",)
_UNSEEN_HEADLINE = "it cannot be seen whether some {subjects} are harder than others"
# The headline of two ratings a case; an accuracy is then told under the assumption of a model alone.
_RANGE_OF_TWO = ("fits them as well as that {high}", "cannot tell it more closely")
CLAIMS: tuple[Claim, ...] = (
    Claim(
        "accuracy", "The true accuracy lies outside the interval of the headline, and nothing is said against it.",
        0.05, _judged_accuracy,
        lambda words: words.says(*_PLAIN_ACCURACY) and not words.says(*_CAVEATS, *_RANGE_OF_TWO),
        _wrong_accuracy, (*_PLAIN_ACCURACY, *_CAVEATS, *_RANGE_OF_TWO),
    ),
    Claim(
        "accuracy-unseen", "The same where cases differ in difficulty: no test notices that in every panel.", None,
        lambda world: _unlike_cases(world) and world.mean_accuracy is not None,
        tells_one_accuracy, _wrong_accuracy, (_UNSEEN_HEADLINE,),
    ),
    _phrased(
        "range", "Of two ratings a case: the true accuracy lies outside the interval of all accuracies that fit.", 0.05,
        _RANGE_OF_TWO, lambda world: world.as_modelled and world.raters == 2, _wrong_range,
    ),
    _phrased(
        "range-classes", "One answer is easier than the other, and the true accuracy lies outside what is said to fit.",
        0.05, ("on average over the {subjects}",),
        lambda world: bool(world.by_class) and len(world.truth) == 2, _wrong_range_by_class,
    ),
    _silence(
        "classes-untold", "One answer is easier than the other, and nothing is said of what that would change.", 0.05,
        ("on average over the {subjects}",), lambda world: bool(world.by_class) and len(world.truth) == 2,
    ),
    _phrased(
        "shares", "One of the two intervals of “when the case is truly …” misses its true value.", 0.10,
        ("When the {subject} is truly “{one}”",), lambda world: world.as_modelled and len(world.truth) == 2,
        _wrong_shares,
    ),
    Claim("no-width", "An interval has no width.", 0.0, lambda _world: True, lambda _told: True, _no_width),
    _phrased(
        "unanimous", "“All ratings of each case agree”, and they do not.", 0.0,
        ("All {ratings} of each {subject} agree",), lambda _world: True,
        lambda _world, panel, _told: not panel.unanimous,
    ),
    Claim(
        "sure", "A case the panel is at least 90 % sure of is of another class (share of such cases).", 0.06,
        lambda world: _visible(world) and world.alone and world.alike_cases, lambda words: words.says(*_SAID_SURE),
        lambda *_all: False, _SAID_SURE, sure_cases,
    ),
    Claim(
        "sure-unseen", "The same where cases differ or raters copied, and nothing showed it.", None, _unlike_cases,
        _plain_sure, lambda *_all: False, (_UNSEEN_CASES,), sure_cases,
    ),
    Claim(
        "sure-misfit", "It is said how sure the panel is, and that the model misses something.", 0.0,
        lambda _world: True, lambda words: words.says(*_SAID_SURE) and words.says(_MISFIT, _HARDER), lambda *_all: True,
        (_MISFIT, _HARDER),
    ),
    _phrased(
        "more-than-chance", "“More than chance” of ratings that are chance.", 0.05, ("More than chance: of {all}",),
        lambda world: world.accuracy == (0.0,),
    ),
    _phrased(
        "only-chance", "“Within chance” or “guessing alone” of ratings with knowledge (no class rarer than 1 in 10).",
        0.05, ("Within chance: of {all}", "Guessing alone explains these {ratings}"), _informed,
    ),
    _phrased(
        "misfit", "The model is said to miss something where it holds.", 0.05, (_MISFIT,),
        lambda world: world.as_modelled,
    ),
    _phrased(
        "raters-differ", "Raters are said to differ who are alike.", 0.05,
        ("The {raters} differ: their accuracies go", "The {raters} differ in how often they give each answer", _DIFFER),
        lambda world: world.as_modelled,
    ),
    _phrased(
        "apart", "A rater is set apart where all are alike.", 0.05, _SET_APART, lambda world: world.alike_raters,
    ),
    _phrased(
        "apart-like-most", "One rater knows less than the others, and another one is set apart.", 0.05, _SET_APART,
        _one_apart, _named_falsely,
    ),
    _phrased(
        "luck-differs", "Accuracies are said to differ of raters who all guess, each in a way of their own.", 0.05,
        ("The {raters} differ: their accuracies go", _DIFFER, *_SET_APART),
        lambda world: max(world.accuracy) == 0 and not world.alike_raters,
    ),
    _phrased(
        "turned", "A scale is said to be used the other way round, and nobody did.", 0.05, _TURNED,
        lambda world: not (world.turned or world.camp),
    ),
    _phrased(
        "harder-cases", "Cases are said to be harder than others, and none is.", 0.05,
        (_HARDER, "{Subjects} seem to differ"),
        # Of those who copy or judge something else nobody can say whether it is the cases.
        lambda world: world.alike_cases and world.alone and not world.by_class,
    ),
    _phrased(
        "age", "Accuracy is said to change with age where it does not.", 0.08, _AGE,
        lambda world: bool(world.ages) and not world.slope,
    ),
    _silence(
        "age-untold", "“No sign that accuracy changes with age” where it does.", 0.10, _AGE,
        lambda world: world.slope > 0,
    ),
    _silence(
        "turned-untold", "Nothing is said of a scale used the other way round.", 0.10, _TURNED,
        lambda world: world.turned > 0 and world.cases >= 200,
    ),
    _silence(
        "raters-untold", "Nothing is said of raters who differ very much.", 0.10,
        ("The {raters} differ: their accuracies go", _DIFFER, *_SET_APART),
        lambda world: len(world.accuracy) > 1 and world.cases >= 150 and np.ptp(world.accuracy) >= 0.5,
    ),
    Claim(
        "apart-untold", "One rater knows much less than the others, and is not set apart: 60 cases can leave it open.",
        None, _one_apart, lambda words: not words.says(*_SET_APART), lambda *_all: True, _SET_APART,
    ),
    _silence(
        "cases-untold", "Nothing is said of cases that differ very much.", 0.10,
        ("{Subjects} seem to differ", "agree more often than one accuracy explains", _MISFIT, _HARDER),
        lambda world: world.cases >= 200 and world.raters >= 5 and (world.spread >= 1.5 or world.hard >= 0.4),
    ),
    _phrased(
        "reach", "The true accuracy lies outside what is told for the case that some are harder or mislead.", 0.10,
        ("{high} if some are harder", "{most} if some mislead everybody", *_UNPROVED),
        lambda world: world.alone and not world.alike_cases and world.mean_accuracy is not None, _wrong_reach,
    ),
    _phrased(
        "pair", "Two raters are named who agree too often, and did not copy.", 0.05, _PAIR,
        lambda world: _pairs_seen(world) and not world.herd, _other_pair,
    ),
    _silence(
        "pair-untold", "A rater copies another one in half of the cases, and the two are not named.", 0.5, _PAIR,
        lambda world: _pairs_seen(world) and bool(world.copied),
    ),
)  # fmt: skip
"""In the order of the table."""
