"""Columns that stand for a question and a rater each, and which part of their names is the question."""

import re
from collections.abc import Sequence

from tapdesk.ratings import vocabulary as w
from tapdesk.ratings.findings import Groups
from tapdesk.ratings.layouts import roles as r
from tapdesk.ratings.layouts.profiles import Profiles
from tapdesk.ratings.table import RatingTable

_PARTS = re.compile(r"^(.*?\S)(?: / |[_.:|/ -]+)(\S.*)$")
_LAST_PART = re.compile(r"^(.*\S)(?: / |[_.:|/ -]+)(\S.*?)$")
_MORE = re.compile(r"[_.:|/ -]+(?=\S)")


def wide_questions(names: tuple[str, ...], table: RatingTable | None = None, subject: str | None = None) -> Groups:
    """The columns of each of several questions that were put to every rater; empty where there is but one question.

    Each group begins with the question and goes on with its columns. ``R1 grade, R1 trust, R2 grade, R2 trust`` are two
    questions to R1 and R2; every rater must have been asked every question. Which part of the names is the question is
    told by the names, and by the answers: those to one question agree, and may have classes of their own.

    Parameters
    ----------
    names
        The columns.
    table, subject
        What stands below them, and the column of the cases; None where only the names are known.
    """
    for pattern in (_PARTS, _LAST_PART):
        split = [pattern.match(n.strip()) for n in names]
        pairs = [(m[1], m[2]) for m in split if m]
        firsts, seconds = (tuple(dict.fromkeys(p[i] for p in pairs)) for i in (0, 1))
        whole = len(pairs) == len(names) == len(set(pairs)) == len(firsts) * len(seconds)
        if not whole or len(firsts) < 2 or len(seconds) < 2:
            continue
        sides = tuple(
            tuple((q, *(n for n, p in zip(names, pairs, strict=True) if p[side] == q)) for q in texts)
            for side, texts in ((0, firsts), (1, seconds))
        )
        side = 0 if _points(sides[0], table, subject) > _points(sides[1], table, subject) else 1
        # Dr 1, Dr 2, Nurse 1 and Nurse 2 are four persons; Ana 1, Ana 2, Ben 1 and Ben 2 are two, asked twice.
        short = all(len(q) < 3 and not r.is_like_question(q) for q in seconds)
        if short and any(w.KINDS.intersection(w.words(n)) for n in firsts):
            continue
        return sides[side]
    return _added(names)


def raters_of(question: str, names: Sequence[str]) -> tuple[str, ...]:
    """What is left of the names of the columns of a question without the question; as they are where that tells nobody.

    Parameters
    ----------
    question, names
        One group of `wide_questions`.
    """
    ends = ((n.strip().removeprefix(question), n.strip().removesuffix(question)) for n in names)
    sentences = tuple(min(pair, key=len).strip("_.:|/ -") for pair in ends)
    return sentences if all(sentences) and len(set(sentences)) == len(sentences) else tuple(names)


def _points(groups: Groups, table: RatingTable | None, subject: str | None) -> float:
    """What speaks for the names of some groups of columns being questions, and each group the raters of one."""
    questions = tuple(group[0] for group in groups)
    points = -4.0 if _are_raters(questions) else 0.0
    points += 3.0 * sum(r.is_like_question(q) or r.is_phrase(q) for q in questions) / len(questions)
    if table is None:
        return points
    if not all(_one_scale(table, group[1:]) for group in groups):
        return points - 4.0
    items = () if subject is None or subject not in table.names else (subject,)
    profiles = Profiles(table, table.names)
    agreed = [profiles.agreement(group[1:], items, (), by_column=False, across=False) for group in groups if items]
    return points + 4 * sum(agreed) / max(len(agreed), 1)


def _one_scale(table: RatingTable, names: Sequence[str]) -> bool:
    """Whether some columns answer on one scale."""
    return len(r.rating_columns(table, tuple(names))) == len(names)


def _added(names: tuple[str, ...]) -> Groups:
    """The same where the first question has no name of its own: ``Ana, Ana trust, Ben, Ben trust``."""
    base = [n for n in names if not any(_more(n, other) for other in names)]
    more = {b: {result: n for n in names if (result := _more(n, b))} for b in base}
    items = tuple(more[base[0]]) if base else ()
    if len(base) < 2 or not items or len(names) != len(base) * (1 + len(items)):
        return ()
    if any(tuple(sorted(outcome)) != tuple(sorted(items)) for outcome in more.values()):
        return ()
    return ((" / ".join(base), *base), *((q, *(more[b][q] for b in base)) for q in items))


def _more(name: str, base: str) -> str:
    """What a name has behind another name that it begins with; a column renamed for its number has nothing."""
    gap = _MORE.match(name, len(base)) if name.startswith(base) else None
    return name[gap.end() :] if gap and not re.fullmatch(r"\(\d+\)", name[gap.end() :]) else ""


def _are_raters(names: tuple[str, ...]) -> bool:
    """Whether names are those of raters rather than of questions; a bare number may be either."""
    return all(
        not n.isdecimal()
        and not r.is_like_question(n)
        and (r.is_rater_column(n) or bool(w.RATER_ANYWHERE.intersection(w.words(n))))
        for n in names
    )
