"""What the ratings of a panel show at once, before any model: raters whose answer never changes."""

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.words.nouns import PLAIN, Nouns

_ENOUGH = 10  # ratings of one rater, below which always the same answer is nothing strange
_MOST_NAMES = 3


def same_answer(ratings: Ratings, nouns: Nouns = PLAIN) -> str:
    """Which raters gave one answer to every case while others did not; empty where nobody did."""
    if not ratings.raters_known or len(np.unique(ratings.category)) < 2:
        return ""
    table = np.zeros((len(ratings.raters), len(ratings.classes)), dtype=np.int64)
    np.add.at(table, (ratings.rater, ratings.category), 1)
    constant = np.flatnonzero((table.max(axis=1) == table.sum(axis=1)) & (table.sum(axis=1) >= _ENOUGH))
    if not constant.size:
        return ""
    shown = ", ".join(numbers.short(ratings.raters[r], 40) for r in constant[:_MOST_NAMES])
    if constant.size > _MOST_NAMES:
        return _(
            "{n} {raters} gave the same answer to every {subject}, so their {ratings} follow no {subject}."
        ).format(n=numbers.count(constant.size), raters=nouns.raters, subject=nouns.subject, ratings=nouns.ratings)
    return ngettext(
        "{names} gave the same answer to every {subject}, so none of these {ratings} follows its {subject}.",
        "These {raters} gave the same answer to every {subject}, so none of their {ratings} follows its {subject}: "
        "{names}.",
        int(constant.size),
    ).format(names=shown, raters=nouns.raters, subject=nouns.subject, ratings=nouns.ratings)
