"""Checks of raters beside each other: copies, a consensus among them, a scale turned round."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import RaterName
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, ask
from tapdesk.ratings.ratings import Ratings

ENOUGH = 20  # cases that two raters share before anything is said about the two
# A rater is called upside-down where chance would hardly do it: 3 standard errors, and no weak relation.
_CLEARLY, _LEAST = -3.0, -0.3


def compared(ratings: Ratings) -> Iterator[Finding]:
    """Raters that copy another, follow the majority, or seem to have the scale upside down."""
    dense = np.full((len(ratings.subjects), len(ratings.raters)), -1, dtype=np.int64)
    dense[ratings.subject, ratings.rater] = ratings.category
    for one in range(dense.shape[1]):
        for other in range(one):
            both = (dense[:, one] >= 0) & (dense[:, other] >= 0)
            a, b = dense[both, other], dense[both, one]
            if both.sum() >= ENOUGH and (a == b).all() and np.unique(a).size > 1:
                yield ask(
                    "identical_raters",
                    "",
                    _(
                        "{first} and {second} gave the same answer on all {n:,} cases both rated. "
                        "Is it one person twice, or a copied column?"
                    ).format(
                        first=RaterName(ratings.raters[other]), second=RaterName(ratings.raters[one]), n=int(both.sum())
                    ),
                    _("If it is a copy, leave one of the two out."),
                    _("Both count as raters."),
                    ((ratings.raters[other], ratings.raters[one]),),
                )
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
        if useful.sum() < ENOUGH:
            continue
        own, others, number = dense[rated, j][useful], others[useful], number[useful]
        top = others.max(axis=1)
        clear = (others == top[:, None]).sum(axis=1) == 1
        follows = float((others.argmax(axis=1) == own)[clear].mean()) if clear.sum() >= ENOUGH else 0.0
        united = float((top == number).mean())
        if follows > 0.98 and united < 0.9:
            yield ask(
                "looks_like_consensus",
                "",
                _(
                    "{name} gave the majority's answer on {follows:.0%} of the cases, though the others often "
                    "differ. A majority or consensus posing as a rater makes agreement look better than it is."
                ).format(name=RaterName(name), follows=follows),
                _("If it is a consensus, leave this rater out."),
                _("It counts as a rater."),
                ((name,),),
            )


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
            "reversed_rater",
            "",
            _("{name}'s answers look upside-down: high where all others are low (1 = best?).").format(
                name=RaterName(name)
            ),
            _("If the scale was turned round, turn it back for this rater."),
            _("Nothing is turned round."),
            ((name,),),
        )


def _against(dense: NDArray[np.int64], rater: int) -> float:
    """How far below 0 the correlation of a rater with the mean of the others lies, in standard errors (Fisher's z)."""
    there = dense >= 0
    number = there.sum(axis=1) - there[:, rater]
    useful = there[:, rater] & (number >= 2)
    if useful.sum() < ENOUGH:
        return 0.0
    own = dense[useful, rater].astype(np.float64)
    mean = (np.where(there, dense, 0).sum(axis=1)[useful] - own) / number[useful]
    if own.std() == 0 or mean.std() == 0:
        return 0.0
    r = float(np.clip(np.corrcoef(own, mean)[0, 1], -0.999999, 0.999999))
    return float(np.arctanh(r) * np.sqrt(own.size - 3)) if r < _LEAST else 0.0
