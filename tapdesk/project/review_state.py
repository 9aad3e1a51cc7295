"""The findings of a reading beside what was decided about them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from tapdesk.errors import TapdeskError
from tapdesk.language import Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import Decision, DecisionEntry, DecisionStatus, LeaveAsRead, LogRow
from tapdesk.project.decisions.classes import ReorderClasses, SetClass1, TreatAsMissing
from tapdesk.project.decisions.names import FlipRater, NameKeyAuthors, NameRaters, NumberCases
from tapdesk.project.decisions.ratings import KeepRepeats, KeepWhere
from tapdesk.project.project import Project
from tapdesk.ratings.assembly import NOBODY
from tapdesk.ratings.checks.panel import connected_panels, per_rater, sparse_raters
from tapdesk.ratings.checks.values import rare_classes
from tapdesk.ratings.findings import SUMMARIES, Finding, Severity, label_text, quoted_list
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.texts import MOST_STEPS, class_order

if TYPE_CHECKING:
    from tapdesk.project.fixes.fix import Fix

_MOST_CLASSES = 12
# Decisions that answer a question by being in force, whichever names they hold.
_ANSWERS: dict[str, type[Decision] | tuple[type[Decision], ...]] = {
    "order_unknown": ReorderClasses,
    "repeats_same": KeepRepeats,
    "repeats_different": KeepRepeats,
    "reversed_rater": FlipRater,
    "known_by": NameKeyAuthors,
    "rounds": KeepWhere,
    "rows_of_questions": KeepWhere,
    "personal_data": (NameRaters, NumberCases),
    "persons_as_cases": NumberCases,
}
# Notes about classes: they are told anew of those that are left.
_OF_CLASSES: dict[str, Callable[[Ratings], Iterator[Finding]]] = {
    "different_subsets": per_rater,
    "rare_class": rare_classes,
}
# Notes about who rated what: decisions can end what they tell, as that of a row of totals does with its nobody.
_STILL: dict[str, Callable[[Ratings], bool]] = {
    "cases_with_one_rating": lambda now: bool((now.ratings_per_subject() == 1).any()),
    "two_ratings_per_subject": lambda now: int(now.ratings_per_subject().max(initial=0)) <= 2,
    "raters_with_one_rating": lambda now: bool((np.bincount(now.rater) == 1).any()),
    "rater_without_name": lambda now: NOBODY in now.raters,
    "disconnected_panels": lambda now: len(connected_panels(now)) > 1,
}
_MOST = 1_000_000  # ratings that are looked through without a wait
_OTHER = (LeaveAsRead, SetClass1, ReorderClasses)


@dataclass(frozen=True, eq=False)
class FindingState:
    """A finding and where it stands.

    Attributes
    ----------
    finding
        What was noticed when the file was read.
    fixes
        What can be done about it now.
    done
        The decision that settled it, if one did.
    gone
        Whether what was noticed is no longer in the data.
    """

    finding: Finding
    fixes: "tuple[Fix, ...]"
    done: LogRow | None = None
    gone: bool = False

    @property
    def open(self) -> bool:
        """Whether it still waits for an answer, or cannot have one."""
        return self.done is None and not self.gone


# The window asks at every refresh; a project is a value, so its findings stand as long as it does.
@lru_cache(maxsize=2)
def finding_states(project: Project) -> tuple[FindingState, ...]:
    """Every finding of the reading, the gravest first, with what was decided about it.

    Raises
    ------
    TapdeskError
        When no file is open.
    """
    return states_of(project)


def states_of(project: Project) -> tuple[FindingState, ...]:
    """The same of a project that is only tried, in the order of its reading as well: it is not remembered."""
    now, reading = project.all_classes, project.reading
    if reading is None or not reading.findings:
        return ()
    from tapdesk.project.fixes.catalog import fixes  # start-up cost: a reading without a remark has nothing to fix

    standing = [
        (entry, row)
        for entry, row in zip(project.in_force, project.log, strict=True)
        if row.standing is DecisionStatus.IN_FORCE
    ]
    rows, small = [], now.subject.size <= _MOST
    for finding in reading.findings:
        offered = fixes(finding, reading, now)
        row = _answer(finding, standing)
        gone, told_now = False, None
        if row is None and not _decisive(offered):
            usual = _decisive(fixes(finding, reading, reading.as_read))
            if usual:
                gone, row = True, _touching(finding, standing, usual)
        if finding.code in _OF_CLASSES and set(now.classes) != set(reading.as_read.classes) and small:
            # What it says about classes that were merged or left out is no longer so.
            told_now = next((f for f in _OF_CLASSES[finding.code](now) if f.code == finding.code), None)
            gone = told_now is None
        if row is None and finding.code == "order_unknown" and _in_known_order(now):
            gone, row = True, _touching(finding, standing, (Decision,))
        still = _STILL.get(finding.code)
        if still is not None and now is not reading.as_read and small:
            gone = not still(now)
        words = (told_now or _told_now(finding, now)) if row is None else finding
        rows.append(FindingState(words, offered, row, gone))
    return tuple(rows)


def _in_known_order(now: Ratings) -> bool:
    """Whether two classes are left, and stand as everybody has them: the order of two says only which is counted."""
    known = class_order(now.classes, ".", None)
    return len(now.classes) == 2 and known.ordered and known.classes == now.classes


def _told_now(finding: Finding, now: Ratings) -> Finding:
    """A question about the order of the classes, many scores or a rater of few cases, as what was decided left them."""
    if finding.code == "continuous_scores":
        left = tuple(text for text in finding.about[0] if text in now.classes)
        from tapdesk.ratings.checks.units import many_scores  # late: a fit is read without it

        return many_scores(left) if MOST_STEPS < len(left) < len(finding.about[0]) else finding
    if finding.code == "sparse_rater":
        anew = next((f for f in sparse_raters(now) if f.about == finding.about), finding)
        return replace(finding, message=anew.message)
    if finding.code != "order_unknown" or not finding.about or set(finding.about[0]) == set(now.classes):
        return finding
    message = _("The order of the classes is not certain: {classes}.").format(classes=quoted_list(now.classes, 8))
    return replace(finding, message=message, default=_("They stand in this order."))


def findings_now(project: Project) -> tuple[Finding, ...]:
    """Every finding as it stands, what waits for an answer first: one that was answered says with what."""
    items = [as_decided(row) for row in finding_states(project)]
    return tuple(sorted(items, key=lambda f: list(Severity).index(f.severity)))


def as_decided(row: FindingState) -> Finding:
    """A finding that asked and was answered, told with the answer; any other as it is."""
    if row.open or row.finding.severity is Severity.NOTE:
        return row.finding
    answer = _("It is no longer in the data.") if row.done is None else row.done.words
    return replace(row.finding, severity=Severity.DECIDED, fix="", default=answer)


def words_now(project: Project) -> tuple[str, ...]:
    """How the file was read, sentence by sentence, with the classes as they are by now."""
    reading = project.reading
    if reading is None:
        return ()
    words, now, read = reading.source.words, project.all_classes, reading.as_read
    if (now.classes, now.ordered) == (read.classes, read.ordered):
        return words
    if not now.classes:
        return (*words[:-1], _("By your decisions no rating is left."))
    shown = [Label(label_text(c, 40)) for c in now.classes[:_MOST_CLASSES]]
    classes = joined(*shown, sep=" < " if now.ordered else ", ")
    if more := now.classes[_MOST_CLASSES:]:
        classes = _("{classes} and {n:,} more").format(classes=classes, n=len(more))
    return (*words[:-1], _("By your decisions the classes are now: {classes}.").format(classes=classes))


def blocking_findings(project: Project) -> tuple[Finding, ...]:
    """The findings that block and were not answered: nothing is computed before they are."""
    reading = project.reading
    if reading is None or all(f.severity is not Severity.BLOCK for f in reading.findings):
        return ()
    return tuple(row.finding for row in finding_states(project) if row.open and row.finding.severity is Severity.BLOCK)


def codes_decided(project: Project) -> tuple[str, ...]:
    """The classes that were decided to mean no rating."""
    both = zip(project.in_force, project.log, strict=True)
    kinds = [d.decision for d, row in both if row.standing is DecisionStatus.IN_FORCE]
    return tuple(dict.fromkeys(c for one in kinds if isinstance(one, TreatAsMissing) for c in one.labels))


def refuse_blocking(project: Project, by: str | None = None) -> None:
    """Refuse to answer where a finding blocks, with every question and what to choose from.

    Parameters
    ----------
    project
        The work.
    by
        A column that an answer is given apart for each value of: nothing is pooled over it.

    Raises
    ------
    TapdeskError
        When a finding that blocks was not answered.
    """
    items = [f for f in blocking_findings(project) if f.code != "rows_of_questions" or by not in f.about[0]]
    if items and project.reading is not None:
        more = [joined(f.message, f.where and _("({where})").format(where=f.where), f.fix) for f in items[1:]]
        where = joined(Label(project.reading.source.name), items[0].where, sep=", ")
        raise TapdeskError(items[0].message, where, joined(items[0].fix, *more))


def refuse_blocking_of_form(project: Project) -> None:
    """Refuse to set the questions of a form side by side where a finding blocks one of them, with their names.

    Raises
    ------
    TapdeskError
        When a finding that blocks was not answered.
    """
    names = [one.name for one in project.form if one.reading and blocking_findings(project.with_question(one.name))]
    if names:
        first = project.with_question(names[0])
        raise TapdeskError(
            ngettext(
                "On {n} question a check must be answered first: {names}.",
                "On {n} questions a check must be answered first: {names}.",
                len(names),
            ).format(n=len(names), names=quoted_list(names, 5)),
            Label(names[0]),
            joined(blocking_findings(first)[0].message, _("Choose the question on the Dataset pane and answer there.")),
        )


def summaries_as_ratings(project: Project) -> tuple[Finding, ...]:
    """What looks like a summary or like known answers and counts as ratings, because the user said so."""
    rows = [row for row in finding_states(project) if row.finding.code in SUMMARIES and not row.gone]
    return tuple(
        row.finding
        for row in rows
        if row.finding.severity is Severity.NOTE or (row.done is not None and row.done.id in _left_as_read(project))
    )


def _left_as_read(project: Project) -> frozenset[int]:
    return frozenset(d.id for d in project.in_force if isinstance(d.decision, LeaveAsRead))


def checks_open(count: int) -> str:
    """How many checks are open."""
    return ngettext("{count} check is open", "{count} checks are open", count).format(count=count)


def open_questions(project: Project) -> int:
    """How many questions are still open."""
    return sum(row.open and row.finding.severity is Severity.ASK for row in finding_states(project))


# The window asks at every refresh; where nothing was asked of a question, nothing is looked through.
@lru_cache(maxsize=2)
def questions_with_open_checks(project: Project) -> tuple[str, ...]:
    """The questions of a form, other than the one that is shown, of which checks are open."""
    asking = (
        one.name
        for one in project.form
        if one.name != project.question
        and one.reading is not None
        and any(finding.severity is Severity.ASK for finding in one.reading.findings)
    )
    return tuple(name for name in asking if open_questions(project.with_question(name)))


def _answer(finding: Finding, standing: Sequence[tuple[DecisionEntry, LogRow]]) -> LogRow | None:
    """The last decision that answers a finding by itself."""
    kind = _ANSWERS.get(finding.code)
    names = {name for group in finding.about for name in group}
    for entry, row in reversed(standing):
        decision = entry.decision
        if isinstance(decision, LeaveAsRead):
            if (decision.code, decision.about) == (finding.code, finding.about):
                return row
        elif kind is not None and isinstance(decision, kind):
            named = isinstance(decision, FlipRater | KeepWhere)
            if not named or names & set(_texts(decision)):
                return row
    return None


def _decisive(offered: "Sequence[Fix]") -> tuple[type[Decision], ...]:
    """The kinds of decisions among the fixes that change the ratings."""
    return tuple(type(f.decision) for f in offered if f.decision is not None and not isinstance(f.decision, _OTHER))


def _touching(
    finding: Finding, standing: Sequence[tuple[DecisionEntry, LogRow]], usual: tuple[type[Decision], ...]
) -> LogRow | None:
    """The last decision about a name the finding is about, of a usual kind if there is one."""
    names = {name for group in finding.about for name in group}
    about = [
        (isinstance(entry.decision, usual), row.id, row)
        for entry, row in standing
        if not isinstance(entry.decision, _OTHER) and names & set(_texts(entry.decision))
    ]
    return max(about, key=lambda result: result[:2])[2] if about else None


def _texts(value: Any) -> Iterator[str]:
    """Every text in a decision."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)
    elif is_dataclass(value):
        for one in fields(value):
            yield from _texts(getattr(value, one.name))
