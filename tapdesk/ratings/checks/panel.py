"""Checks of who rated what: repeats, coverage, and raters that are like no others or too like another."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.checks.connection import panels
from tapdesk.ratings.findings import Finding, ask, block, listed, many, note, quoted
from tapdesk.ratings.layouts.roles import Roles, is_numbered_seat
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import Ratings

_MOST_DENSE = 4_000_000
_MOST_RATERS = 60
_ENOUGH = 20
# A rater is called upside-down where chance would hardly do it: 3 standard errors, and no weak relation.
_CLEARLY, _LEAST = -3.0, -0.3


def panel_findings(made: Assembled, found: Roles, options: ReadingOptions) -> Iterator[Finding]:
    """What the pattern of who rated what shows."""
    ratings = made.ratings
    per_subject = ratings.ratings_per_subject()
    yield from _seats(ratings, found, options)
    yield from _numbers_of_ratings(made, per_subject)
    if not ratings.raters_known or found.layout in {Layout.COUNTS, Layout.CONFUSION}:
        return
    yield from _repeats(made)
    yield from _per_rater(ratings)
    yield from _disconnected(ratings)
    if len(ratings.raters) <= _MOST_RATERS and len(ratings.subjects) * len(ratings.raters) <= _MOST_DENSE:
        yield from _compared(ratings)


def _seats(ratings: Ratings, found: Roles, options: ReadingOptions) -> Iterator[Finding]:
    """Whether numbered columns are persons or seats."""
    if found.layout is not Layout.RATERS or options.raters_are is not None:
        return
    if all(is_numbered_seat(n) for n in ratings.raters):
        names = f"{ratings.raters[0]} to {ratings.raters[-1]}"
        yield ask(
            "seats_or_people", "",
            f"Are {names} people, or seats? If different people may sit in one seat, results per rater would mix them.",
            "Say which it is (--raters-are seats or people).", "They are taken as the same people throughout.",
        )  # fmt: skip


def _numbers_of_ratings(made: Assembled, per_subject: NDArray[np.int64]) -> Iterator[Finding]:
    """Too few ratings per case to compare anything."""
    most = int(per_subject.max(initial=0))
    if most <= 1:
        yield block(
            "one_rating_per_subject", "", "No case has more than one rating, so there is no agreement to measure.",
            "Add a second rater, or use the data for planning and description.",
        )  # fmt: skip
    elif made.ratings.raters_known and len(made.ratings.raters) == 1:
        yield block(
            "one_rater", "", "There is only one rater: repeated ratings show how steady this rater is, not agreement "
            "between raters.",
            "Add a second rater, or check which column names the raters.",
        )  # fmt: skip
    elif most == 2:
        yield note(
            "two_ratings_per_subject", "",
            "No case has more than two ratings. With two classes, truth, accuracy and guessing can then be told apart "
            "only by assuming that guesses come out like the truth (p = t).",
            "Add a third rating for some cases, or use the model t-a-t.",
        )  # fmt: skip
    single = int((per_subject == 1).sum())
    if single and most > 1:
        yield note(
            "cases_with_one_rating", "",
            f"{single:,} of {many(per_subject.size, 'case', 'cases')} with ratings have only one; such cases say "
            "nothing about agreement.",
        )  # fmt: skip
    if made.unrated:
        yield note(
            "cases_without_rating", "",
            f"{many(len(made.unrated), 'case has', 'cases have')} no rating at all: {quoted(made.unrated)}.",
            default="They are left out.",
        )  # fmt: skip


def _repeats(made: Assembled) -> Iterator[Finding]:
    """A rater who rated a case more than once, with the same or with another answer."""
    ratings = made.ratings
    key = ratings.subject.astype(np.int64) * len(ratings.raters) + ratings.rater
    order = np.argsort(key, kind="stable")
    again = np.flatnonzero(np.diff(key[order]) == 0)
    if not again.size:
        return
    first, second = order[again], order[again + 1]
    same = ratings.category[first] == ratings.category[second]
    for code, pairs, words in (
        ("repeats_same", second[same], "the same answer"),
        ("repeats_different", second[~same], "another answer"),
    ):
        if not pairs.size:
            continue
        shown = [f"{ratings.raters[ratings.rater[i]]} on {ratings.subjects[ratings.subject[i]]}" for i in pairs[:5]]
        more = f" and {pairs.size - 5:,} more" if pairs.size > 5 else ""
        yield ask(
            code, f"{', '.join(shown)}{more}",
            f"A case was rated again by the same rater with {words}, {pairs.size:,} times.",
            "If a repeat is a copying error, say which rating counts.",
            "Every repeat counts as a rating of its own.",
        )  # fmt: skip


def _per_rater(ratings: Ratings) -> Iterator[Finding]:
    """Raters with one rating, with one answer, or with only some of the classes."""
    j, k = len(ratings.raters), len(ratings.classes)
    table = np.bincount(ratings.rater.astype(np.int64) * k + ratings.category, minlength=j * k).reshape(j, k)
    totals, used = table.sum(axis=1), (table > 0).sum(axis=1)
    names = np.array(ratings.raters, dtype=object)
    if (totals == 1).any():
        yield note(
            "raters_with_one_rating", "", f"Some raters gave one rating only: {quoted(names[totals == 1].tolist())}.",
            default="They count in pooled results; nothing is said about them one by one.",
        )  # fmt: skip
    constant = (used == 1) & (totals >= 5)
    if constant.any() and (table.sum(axis=0) > 0).sum() > 1:
        told = [f"{names[i]} (always '{ratings.classes[int(table[i].argmax())]}')" for i in np.flatnonzero(constant)]
        yield note("constant_rater", "", f"Some raters gave one answer only: {listed(told)}.")
    present = table.sum(axis=0) > 0
    partial = (used < present.sum()) & (used > 1) & (totals >= _ENOUGH)
    if partial.any():
        told = [
            f"{names[i]} never used {quoted([ratings.classes[c] for c in np.flatnonzero(present & (table[i] == 0))])}"
            for i in np.flatnonzero(partial)
        ]
        never = present & (table[partial] == 0).any(axis=0)
        yield note(
            "different_subsets", "", f"Raters used different classes: {listed(told, 3)}. All classes count.",
            about=(tuple(c for c, n in zip(ratings.classes, never, strict=True) if n),),
        )  # fmt: skip


def _disconnected(ratings: Ratings) -> Iterator[Finding]:
    """Groups of raters that share no case."""
    groups = panels(ratings)
    if len(groups) > 1:
        told = "; ".join(f"{listed(g)}" for g in groups[:4])
        yield note(
            "disconnected_panels", "",
            f"The raters form {len(groups)} groups that share no case: {told}. They cannot be compared across groups.",
            "Let some raters of each group rate the same cases, or analyse the groups one by one.",
        )  # fmt: skip


def _compared(ratings: Ratings) -> Iterator[Finding]:
    """Raters that copy another, follow the majority, or seem to have the scale upside down."""
    dense = np.full((len(ratings.subjects), len(ratings.raters)), -1, dtype=np.int64)
    dense[ratings.subject, ratings.rater] = ratings.category
    for one in range(dense.shape[1]):
        for other in range(one):
            both = (dense[:, one] >= 0) & (dense[:, other] >= 0)
            a, b = dense[both, other], dense[both, one]
            if both.sum() >= _ENOUGH and (a == b).all() and np.unique(a).size > 1:
                yield ask(
                    "identical_raters", "",
                    f"{ratings.raters[other]} and {ratings.raters[one]} gave the same answer on all "
                    f"{int(both.sum()):,} cases both rated. Is it one person twice, or a copied column?",
                    "If it is a copy, leave one of the two out.", "Both count as raters.",
                    ((ratings.raters[other], ratings.raters[one]),),
                )  # fmt: skip
    if dense.shape[1] >= 3:
        yield from _against_the_others(ratings, dense)
        yield from _upside_down(ratings, dense)


def _against_the_others(ratings: Ratings, dense: NDArray[np.int64]) -> Iterator[Finding]:
    """Each rater against what all others say."""
    k = len(ratings.classes)
    counts = np.stack([(dense == c).sum(axis=1) for c in range(k)], axis=1)
    for j, name in enumerate(ratings.raters):
        rated = dense[:, j] >= 0
        others = counts[rated].copy()
        others[np.arange(others.shape[0]), dense[rated, j]] -= 1
        number = others.sum(axis=1)
        useful = number >= 2
        if useful.sum() < _ENOUGH:
            continue
        own, others, number = dense[rated, j][useful], others[useful], number[useful]
        top = others.max(axis=1)
        clear = (others == top[:, None]).sum(axis=1) == 1
        follows = float((others.argmax(axis=1) == own)[clear].mean()) if clear.sum() >= _ENOUGH else 0.0
        united = float((top == number).mean())
        if follows > 0.98 and united < 0.9:
            yield ask(
                "looks_like_consensus", "",
                f"{name} gave the majority's answer on {follows:.0%} of the cases, though the others often differ. "
                "A majority or consensus posing as a rater makes agreement look better than it is.",
                "If it is a consensus, leave this rater out.", "It counts as a rater.", ((name,),),
            )  # fmt: skip


def _upside_down(ratings: Ratings, dense: NDArray[np.int64]) -> Iterator[Finding]:
    """Raters whose scale seems turned round; with the clearest turned back, the others are looked at again."""
    if not ratings.ordered:
        return
    k, turned = len(ratings.classes), dense.copy()
    found: list[int] = []
    while len(found) < dense.shape[1] // 2:
        against = np.array([_against(turned, j) for j in range(dense.shape[1])])
        worst = int(against.argmin())
        if against[worst] > _CLEARLY or worst in found:
            break
        found.append(worst)
        rated = turned[:, worst] >= 0
        turned[rated, worst] = k - 1 - turned[rated, worst]
    for j in sorted(found):
        name = ratings.raters[j]
        yield ask(
            "reversed_rater", "",
            f"{name}'s answers look upside-down: high where all others are low (1 = best?).",
            "If the scale was turned round, turn it back for this rater.", "Nothing is turned round.", ((name,),),
        )  # fmt: skip


def _against(dense: NDArray[np.int64], rater: int) -> float:
    """How far below 0 the correlation of a rater with the mean of the others lies, in standard errors (Fisher's z)."""
    there = dense >= 0
    number = there.sum(axis=1) - there[:, rater]
    useful = there[:, rater] & (number >= 2)
    if useful.sum() < _ENOUGH:
        return 0.0
    own = dense[useful, rater].astype(np.float64)
    mean = (np.where(there, dense, 0).sum(axis=1)[useful] - own) / number[useful]
    if own.std() == 0 or mean.std() == 0:
        return 0.0
    r = float(np.clip(np.corrcoef(own, mean)[0, 1], -0.999999, 0.999999))
    return float(np.arctanh(r) * np.sqrt(own.size - 3)) if r < _LEAST else 0.0
