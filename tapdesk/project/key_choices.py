"""A column that may hold known answers as three choices, each with what would follow: the key, a rater, or neither."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType

import numpy as np

from tapdesk.errors import TapdeskError
from tapdesk.language import CaseName, Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import LeaveAsRead
from tapdesk.project.decisions.ratings import LeaveOutRaters
from tapdesk.project.fixes.fix import Fix
from tapdesk.project.project import Project
from tapdesk.project.review_state import FindingState
from tapdesk.ratings.findings import Severity, label_text, of_all
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings

CODES = frozenset({"known_answers", "summary_rater", "perhaps_known", "looks_like_consensus", "key_sheet"})
"""Findings that ask whether something is a rater or holds known answers."""
_MOST = 200_000  # ratings of which it is worked out what would follow


class KeyRole(Enum):
    """What a column, rater or sheet that may hold known answers is."""

    KNOWN = "known"
    RATER = "rater"
    NEITHER = "neither"


@dataclass(frozen=True, eq=False)
class KeyChoice:
    """One answer to the question.

    Attributes
    ----------
    role
        What it would be.
    title, words, numbers
        The answer, what follows from it, and that in numbers of these ratings.
    use
        What the button says that gives this answer.
    fix
        What gives the answer.
    preview
        The ratings as they would be; None where they are too many, or stand on another sheet.
    sentence
        One rating of the preview in words.
    """

    role: KeyRole
    title: str
    words: str
    numbers: str
    use: str
    fix: Fix
    preview: Ratings | None
    sentence: str


@dataclass(frozen=True, eq=False)
class KeyQuestion:
    """The question, its answers, and which of them is the ratings' present state or the likeliest.

    Attributes
    ----------
    title
        The question itself.
    choices
        Two or three answers, each role at most once.
    first
        The role that is chosen before the user has.
    """

    title: str
    choices: tuple[KeyChoice, ...]
    first: KeyRole


def key_question(project: Project, state: FindingState) -> KeyQuestion | None:
    """The question of an open finding about one column, rater or sheet; None of any other.

    Parameters
    ----------
    project
        With the ratings that the finding is about.
    state
        The finding with what can be done about it.
    """
    finding = state.finding
    names = finding.about[0] if finding.about else ()
    if finding.code not in CODES or not state.open or len(names) != 1:
        return None
    roles = [_role(fix, finding.code) for fix in state.fixes]
    if len(set(roles)) != len(roles) or KeyRole.KNOWN not in roles or len(roles) < 2:
        return None
    now, name = project.all_classes, names[0]
    small = name in now.raters and now.subject.size <= _MOST
    choices = (_choice(role, fix, now if small else None, name) for role, fix in zip(roles, state.fixes, strict=True))
    title = _("Is “{name}” a rater, or the known answer?")
    if KeyRole.RATER not in roles:
        title = _("Is “{name}” the known answer?")
    if finding.code == "key_sheet":
        title = _("Does the sheet “{name}” hold the known answers?")
    # What only asks is read as a rater until it is answered.
    first = KeyRole.KNOWN if finding.severity is Severity.BLOCK or KeyRole.RATER not in roles else KeyRole.RATER
    return KeyQuestion(title.format(name=label_text(name)), tuple(sorted(choices, key=_place)), first)


def _place(choice: KeyChoice) -> int:
    return list(KeyRole).index(choice.role)


def _role(fix: Fix, code: str) -> KeyRole:
    if fix.options.get("known") or fix.options.get("known_sheet"):
        return KeyRole.KNOWN
    if fix.options.get("rater_sheet") or (isinstance(fix.decision, LeaveAsRead) and code != "key_sheet"):
        return KeyRole.RATER
    return KeyRole.NEITHER


def _choice(role: KeyRole, fix: Fix, now: Ratings | None, name: str) -> KeyChoice:
    preview = None if now is None else _preview(role, now, name)
    numbers = () if now is None or preview is None else tuple(_numbers(role, now, preview, name))
    if role is KeyRole.KNOWN:
        title, use = _("The known answer"), _("Use as the known answer")
        words = _("Each of the {raters} is measured against it, on the {subjects} that have one. It is no rater.")
    elif role is KeyRole.RATER:
        title, use = _("A rater like the others"), _("Use as a rater")
        words = _("It counts as one more, with mistakes like anyone’s.")
    else:
        title, use = _("Neither: leave it out"), _("Leave it out")
        words = _("It stays in the file and is used for nothing. You can take this back under Decisions.")
    sentence = "" if preview is None else one_rating(preview)
    return KeyChoice(role, title, words.format(), joined(*numbers), use, fix, preview, sentence)


def one_rating(preview: Ratings) -> str:
    """One rating in words, of a case whose answer is known where one is."""
    known = preview.known_texts()
    texts = np.array(known if known is not None else ("",) * len(preview.subjects), dtype=object)
    entries = np.flatnonzero(texts[preview.subject] != "") if known is not None else np.arange(preview.subject.size)
    if not entries.size:
        return ""
    entry = int(entries[entries.size // 2])
    case = int(preview.subject[entry])
    sentence = _("The {rater} {name} gave the {subject} {case} the {rating} {label}.").format(
        name=RaterName(preview.raters[int(preview.rater[entry])], 40),
        case=CaseName(preview.subjects[case], 40),
        label=Label(label_text(preview.classes[int(preview.category[entry])], 40)),
    )
    known_answer = _("The known answer is {known}.").format(known=Label(label_text(texts[case], 40)))
    return joined(sentence, known_answer if texts[case] else "")


def _preview(role: KeyRole, now: Ratings, name: str) -> Ratings | None:
    """The ratings as they would be with one rater in another role."""
    if role is KeyRole.RATER:
        return now
    try:
        rest = LeaveOutRaters((name,), with_classes=role is KeyRole.NEITHER).apply(now)
    except TapdeskError:
        return None
    if role is KeyRole.NEITHER:
        return rest
    texts = _texts_of(now, name)
    told = np.array([texts.get(case, "") for case in rest.subjects], dtype=object)
    covariates = {**rest.covariates, name: Covariate(name, CovariateOf.SUBJECT, told)}
    return replace(rest, covariates=MappingProxyType(covariates), known=name)


def _texts_of(ratings: Ratings, name: str) -> dict[str, str]:
    """By case what a rater said of it."""
    own = ratings.rater == ratings.raters.index(name)
    pairs = zip(ratings.subject[own].tolist(), ratings.category[own].tolist(), strict=True)
    return {ratings.subjects[case]: ratings.members[label][0] for case, label in pairs}


def _numbers(role: KeyRole, now: Ratings, preview: Ratings, name: str) -> Iterator[str]:
    """Who would be counted, and how the others agree with the one that is asked about."""
    count = int((np.bincount(preview.rater, minlength=len(preview.raters)) > 0).sum())
    yield ngettext("{n:,} rater is counted.", "{n:,} raters are counted.", count).format(n=count)
    if role is KeyRole.KNOWN:
        known = preview.known_classes()
        on = np.zeros(0, dtype=bool) if known is None else known[preview.subject] >= 0
        if known is not None and on.any():
            right = (known[preview.subject] == preview.category)[on]
            yield ngettext(
                "{part} rating there says the same.",
                "{part} ratings there say the same.",
                right.size,
            ).format(part=of_all(int(right.sum()), right.size, first=True))
    elif role is KeyRole.RATER:
        agree, of = _with_majority(now, name)
        if of:
            yield ngettext(
                "{name} says what most others say of {part} with a clear majority.",
                "{name} says what most others say of {part} with a clear majority.",
                of,
            ).format(name=RaterName(name), part=of_all(agree, of, "subjects"))


def _with_majority(now: Ratings, name: str) -> tuple[int, int]:
    """On how many cases a rater says what most of the others say, of how many with a clear majority."""
    own = now.rater == now.raters.index(name)
    counts = now.counts()
    subject, category = now.subject[own], now.category[own]
    others = counts[subject].copy()
    np.subtract.at(others, (np.arange(subject.size), category), 1)
    top = others.max(axis=1, initial=0)
    clear = (top > 0) & ((others == top[:, None]).sum(axis=1) == 1)
    return int((others.argmax(axis=1) == category)[clear].sum()), int(clear.sum())
