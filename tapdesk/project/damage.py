"""The findings by the damage they do: what has to be answered first, what causes others, what touches most ratings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext, say
from tapdesk.project.decisions.base import Decision
from tapdesk.project.decisions.classes import MergeClasses, TreatAsMissing
from tapdesk.project.decisions.ratings import LeaveOutRaters, LeaveOutSubjects
from tapdesk.project.fixes.fix import Fix
from tapdesk.project.project import Project
from tapdesk.project.review_state import (
    FindingState,
    as_decided,
    blocking_findings,
    checks_open,
    finding_states,
    open_questions,
    states_of,
)
from tapdesk.ratings.findings import Finding, Groups, Severity

_REMOVES = (LeaveOutRaters, LeaveOutSubjects)
_MENDS = (*_REMOVES, MergeClasses, TreatAsMissing)
# What is asked about sets of labels settles what is asked about each set as a class.
_OF_SETS = "sets_of_labels"
_BY_SETS = frozenset({"order_unknown", "rare_class", "different_subsets"})
_MOST = 200_000  # ratings up to which it is tried what would follow from an answer
_MOST_TRIED = 8
_RANK = {severity: rank for rank, severity in enumerate(Severity)}


@dataclass(frozen=True, eq=False)
class Check:
    """A finding with its damage.

    Attributes
    ----------
    state
        The finding and where it stands.
    touched
        How many ratings the first thing that can be done about it would change; 0 where that is not known.
    follows
        Open findings that are no longer so once it is answered.
    """

    state: FindingState
    touched: int = 0
    follows: tuple[FindingState, ...] = ()

    @property
    def follows_words(self) -> tuple[str, str]:
        """How many findings come from it, and what becomes of them; empty where none does."""
        n = len(self.follows)
        if not n:
            return "", ""
        effect = _("It goes when that is answered.") if n == 1 else _("They go when that is answered.")
        return ngettext("{n} remark comes from that", "{n} remarks come from that", n).format(n=n), effect


# As long as a project is shown its checks stand.
@lru_cache(maxsize=2)
def checks_by_damage(project: Project) -> tuple[Check, ...]:
    """Every finding once, open ones first, what follows from another under it.

    Among those that are open come first what blocks, then what asks; of each the one from which most others follow,
    then the one that touches most ratings. What was answered and what is gone keeps its order.

    Raises
    ------
    TapdeskError
        When no file is open.
    """
    states = finding_states(project)
    small = project.all_classes.subject.size <= _MOST
    caused: dict[int, int] = {}
    for root in _roots(states) if small else ():
        for place in _following(project, states, root):
            # What follows from another causes nothing by itself.
            if place not in caused and place not in caused.values() and root not in caused:
                caused[place] = root
    checks = []
    for place, state in enumerate(states):
        if place not in caused:
            follows = tuple(states[other] for other, root in caused.items() if root == place)
            checks.append(Check(state, _touched(project, state) if state.open and small else 0, follows))
    order = sorted(range(len(checks)), key=lambda i: (*_rank(checks[i]), i))
    return tuple(checks[i] for i in order)


def findings_by_damage(project: Project) -> tuple[Finding, ...]:
    """Every finding as it stands, as `findings_now` tells it, each followed by those that come from it."""
    states = (state for check in checks_by_damage(project) for state in (check.state, *check.follows))
    return tuple(sorted(map(as_decided, states), key=lambda f: _RANK[f.severity]))


def without_consequences(project: Project) -> Mapping[tuple[str, Groups], str]:
    """The findings that come from no other, by code and what they are about, with what comes from each in words."""
    checks = checks_by_damage(project)
    return {(c.state.finding.code, c.state.finding.about): joined(*c.follows_words, sep=". ") for c in checks}


def _rank(check: Check) -> tuple[bool, int, int, int]:
    severity = _RANK[check.state.finding.severity]
    if not check.state.open:
        return True, severity, 0, 0
    return False, severity, -len(check.follows), -check.touched


def _roots(states: tuple[FindingState, ...]) -> list[int]:
    """The findings that may cause others, those that block first."""
    may = [i for i, state in enumerate(states) if state.open and state.finding.severity is not Severity.NOTE]
    return sorted(may, key=lambda i: _RANK[states[i].finding.severity])[:_MOST_TRIED]


def _following(project: Project, states: tuple[FindingState, ...], root: int) -> Iterator[int]:
    """The open findings that would be no longer so once one is answered; what only asks settles no other question."""
    finding = states[root].finding
    blocks = finding.severity is Severity.BLOCK
    if finding.code == _OF_SETS:
        yield from (i for i, s in enumerate(states) if s.open and s.finding.code in _BY_SETS)
        return
    fix = mending_fix(states[root], _REMOVES if blocks else _MENDS)
    if fix is None or fix.decision is None:
        return
    try:
        after = states_of(project.decide(fix.decision, when="", everywhere=fix.everywhere))
    except TapdeskError:
        return
    for i, (now, then) in enumerate(zip(states, after, strict=True)):
        lighter = now.finding.severity is Severity.NOTE or (blocks and now.finding.severity is not Severity.BLOCK)
        if i != root and now.open and not then.open and lighter:
            yield i


@lru_cache(maxsize=1)
def open_line(project: Project) -> str:
    """One thin line about what is still open: how many checks, and the worst of them; empty where none is."""
    count = open_questions(project) + len(blocking_findings(project))
    if not count:
        return ""
    worst = next(c.state.finding for c in checks_by_damage(project) if c.state.open)
    if count == 1:
        return _("{count}: {worst}").format(count=checks_open(count), worst=say(worst.message))
    return _("{count}; the gravest: {worst}").format(count=checks_open(count), worst=say(worst.message))


def mending_fix(state: FindingState, kinds: tuple[type[Decision], ...] = _MENDS) -> Fix | None:
    """The first of the fixes that answer a finding by changing ratings in some way; None where there is none."""
    return next((fix for fix in state.fixes if isinstance(fix.decision, kinds)), None)


def _decision(state: FindingState, kinds: tuple[type[Decision], ...]) -> Decision | None:
    fix = mending_fix(state, kinds)
    return None if fix is None else fix.decision


def _touched(project: Project, state: FindingState) -> int:
    """How many ratings the first such decision changes."""
    decision = _decision(state, _MENDS)
    try:
        return 0 if decision is None else decision.touches(project.all_classes)
    except TapdeskError:
        return 0
