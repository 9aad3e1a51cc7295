"""Several questions beside each other: columns whose names are made of a rater and of what was asked."""

import re

from tapdesk.ratings.findings import Groups
from tapdesk.ratings.layouts.header_words import RATER_ANYWHERE, words
from tapdesk.ratings.layouts.roles import is_rater_column

# What several persons are called by, a number or a letter each.
KINDS = RATER_ANYWHERE | frozenset(
    ["dr", "doctor", "prof", "professor", "mr", "mrs", "ms", "nurse", "resident", "student", "team", "group", "table"]
)
_PARTS = re.compile(r"^(.*?\S)(?: / |[_.:|/ -]+)(\S.*)$")
_LAST_PART = re.compile(r"^(.*\S)(?: / |[_.:|/ -]+)(\S.*?)$")
_MORE = re.compile(r"[_.:|/ -]+(?=\S)")


def questions_of(names: tuple[str, ...]) -> Groups:
    """The columns of each of several questions that were put to every rater; empty where there is but one question.

    Each group begins with the question and goes on with its columns. ``R1 grade, R1 trust, R2 grade, R2 trust`` are two
    questions to R1 and R2; every rater must have been asked every question.
    """
    for pattern in (_PARTS, _LAST_PART):
        split = [pattern.match(n.strip()) for n in names]
        pairs = [(m[1], m[2]) for m in split if m]
        firsts, seconds = (tuple(dict.fromkeys(p[i] for p in pairs)) for i in (0, 1))
        whole = len(pairs) == len(names) == len(set(pairs)) == len(firsts) * len(seconds)
        if not whole or len(firsts) < 2 or len(seconds) < 2:
            continue
        side = 0 if _are_raters(seconds) and not _are_raters(firsts) else 1
        questions, asked = (firsts, seconds)[side], (firsts, seconds)[1 - side]
        # Dr 1, Dr 2, Nurse 1 and Nurse 2 are four persons; Ana 1, Ana 2, Ben 1 and Ben 2 are two, asked twice.
        if all(len(q) < 3 for q in questions) and any(KINDS.intersection(words(n)) for n in asked):
            continue
        return tuple((q, *(n for n, p in zip(names, pairs, strict=True) if p[side] == q)) for q in questions)
    return _added(names)


def _added(names: tuple[str, ...]) -> Groups:
    """The same where the first question has no name of its own: ``Ana, Ana trust, Ben, Ben trust``."""
    base = [n for n in names if not any(_more(n, other) for other in names)]
    more = {b: {found: n for n in names if (found := _more(n, b))} for b in base}
    asked = tuple(more[base[0]]) if base else ()
    if len(base) < 2 or not asked or len(names) != len(base) * (1 + len(asked)):
        return ()
    if any(tuple(sorted(found)) != tuple(sorted(asked)) for found in more.values()):
        return ()
    return ((" / ".join(base), *base), *((q, *(more[b][q] for b in base)) for q in asked))


def _more(name: str, base: str) -> str:
    """What a name has behind another name that it begins with; a column renamed for its number has nothing."""
    gap = _MORE.match(name, len(base)) if name.startswith(base) else None
    return name[gap.end() :] if gap and not re.fullmatch(r"\(\d+\)", name[gap.end() :]) else ""


def _are_raters(names: tuple[str, ...]) -> bool:
    """Whether names are those of raters rather than of questions; a bare number may be either."""
    return all(not n.isdecimal() and (is_rater_column(n) or bool(RATER_ANYWHERE.intersection(words(n)))) for n in names)
