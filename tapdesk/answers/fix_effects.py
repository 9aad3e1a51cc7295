"""What the answer to a check would do to the number in the headline, where that is worked out in a moment."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

from tapdesk.agreement.kappas import percent_agreement
from tapdesk.agreement.tables import Tables
from tapdesk.agreement.tables import weights as named_weights
from tapdesk.answers import numbers
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.language import joined, say
from tapdesk.models.model import model
from tapdesk.progress import Run, Step, finish
from tapdesk.project.damage import checks_by_damage, mending_fix
from tapdesk.project.project import Project
from tapdesk.project.review_state import FindingState
from tapdesk.ratings.findings import Finding, Severity
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse, refusal

_MOST, _MOST_RATINGS, _MOST_CLASSES = 4, 20_000, 12
_MODEL = Request(model("t-a-p"), interval="none")


@dataclass(frozen=True)
class FixEffect:
    """A number of the ratings as they stand, and what it would be.

    Attributes
    ----------
    finding
        What is asked.
    answer
        The words of the answer that was tried.
    accuracy
        Whether the number is the accuracy; else raw agreement, of the whole panel.
    before, after
        The number, between 0 and 1.
    """

    finding: Finding
    answer: str
    accuracy: bool
    before: float
    after: float


def fix_effects(project: Project) -> Run[tuple[FixEffect, ...]]:
    """What the first answer to each of the worst open checks would do; nothing of large ratings.

    The number is the accuracy where the t-a-p model has one before and after, else raw agreement.

    Yields
    ------
    Step
        Those of the fits; phase ``check``.
    """
    if project.reading is None or project.ratings.subject.size > _MOST_RATINGS:
        return ()
    tried = worth_trying(project)
    made: list[FixEffect] = []
    before: tuple[float | None, float | None] | None = None
    for done, state in enumerate(tried):
        yield Step(done, len(tried), "check")
        after = _changed(project, state)
        fix = mending_fix(state)
        if after is None or fix is None:
            continue
        if before is None:
            before = yield from _numbers(project.ratings)
        then = yield from _numbers(after)
        for accuracy, was, will in ((True, before[0], then[0]), (False, before[1], then[1])):
            if was is not None and will is not None:
                made.append(FixEffect(state.finding, fix.words, accuracy, was, will))
                break
    return tuple(made)


def worth_trying(project: Project) -> list[FindingState]:
    """The worst of the questions that are open and that an answer would mend."""
    states = (check.state for check in checks_by_damage(project) if check.state.open)
    asked = (state for state in states if state.finding.severity is not Severity.NOTE)
    return [state for state in asked if mending_fix(state) is not None][:_MOST]


def _changed(project: Project, state: FindingState) -> Ratings | None:
    """The ratings as an answer would leave them; None where it cannot be given."""
    fix = mending_fix(state)
    if fix is None or fix.decision is None:
        return None
    try:
        return project.decide(fix.decision, when="", everywhere=fix.everywhere).ratings
    except TapdeskError:
        return None


def _numbers(ratings: Ratings) -> Run[tuple[float | None, float | None]]:
    """The accuracy and the raw agreement of some ratings, each None where there is none."""
    return (yield from _accuracy(ratings)), _agreement(ratings)


def _accuracy(ratings: Ratings) -> Run[float | None]:
    if len(ratings.classes) > _MOST_CLASSES or refusal(ratings, _MODEL) is not None:
        return None
    fit = yield from analyse(ratings, _MODEL, shares=False)
    if not fit.converged or not fit.identification.identified or fit.degenerate:
        return None
    return fit.estimate("a").value


def _agreement(ratings: Ratings) -> float | None:
    for case in percent_agreement(Tables(ratings), named_weights("identity", ratings)):
        if case.quantity is not None and case.raters is None:
            value = case.quantity.point()
            return value if isfinite(value) else None
    return None


def effect_words(effect: FixEffect, style: Style = SCREEN) -> str:
    """The effect in a sentence: Leave out Gold: the accuracy goes from 0.57 to 0.73."""
    was, will = (numbers.decimal(value, style) for value in (effect.before, effect.after))
    if was == will:
        sentence = _("{answer}: raw agreement stays at {was}.")
        if effect.accuracy:
            sentence = _("{answer}: the accuracy stays at {was}.")
    else:
        sentence = _("{answer}: raw agreement goes from {was} to {will}.")
        if effect.accuracy:
            sentence = _("{answer}: the accuracy goes from {was} to {will}.")
    return sentence.format(answer=say(effect.answer), was=was, will=will)


def with_effects(findings: Sequence[Finding], project: Project) -> tuple[Finding, ...]:
    """Findings that say what their answers would do, where that is known."""
    effects = finish(fix_effects(project))
    of_finding = {(e.finding.code, e.finding.about): effect_words(e) for e in effects}
    told = ((f, of_finding.get((f.code, f.about))) for f in findings)
    return tuple(f if words is None else replace(f, default=joined(f.default, words)) for f, words in told)
