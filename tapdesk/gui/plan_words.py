"""What a plan is about, in few words: class 1, cases, ratings."""

from functools import lru_cache
from html import escape

from tapdesk.gui.on_screen import on_screen
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers


def what(ratings: Ratings) -> str:
    """What is asked about, as rich text: class 1, or how many categories there are."""
    if len(ratings.classes) == 2:
        members = ", ".join(escape(numbers.short(m)) for m in ratings.class1)
        return _("Class 1 = <b>{{{members}}}</b>").format(members=members)
    return _("<b>{classes} categories</b>").format(classes=len(ratings.classes))


@lru_cache(maxsize=4)
@on_screen
def size(ratings: Ratings) -> str:
    """How many cases with how many ratings: ``183 cases with 4 ratings each``."""
    per_case = ratings.ratings_per_subject()
    counted = per_case[per_case > 0]
    cases = numbers.count(ratings.subject_count)
    if not counted.size:
        return _("{cases} cases without ratings").format(cases=cases)
    low, high = int(counted.min()), int(counted.max())
    if low == high:
        word = "rating" if low == 1 else "ratings"
        return _("{cases} cases with {low} {word} each").format(cases=cases, low=low, word=word)
    return _("{cases} cases with {low} to {high} ratings each").format(cases=cases, low=low, high=high)
