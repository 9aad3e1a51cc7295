"""What a plan is about, in few words: class 1, cases, ratings, intervals; and the runs that are chosen by name."""

from functools import lru_cache
from html import escape

from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.ratings.checks.likeness import spoken
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers

IN_SENTENCE: dict[str, str] = {
    "profile": _("{level} profile intervals"),
    "bootstrap": _("{level} intervals from {draws} re-draws"),
    "parametric-bootstrap": _("{level} intervals from {draws} data sets drawn from the model"),
    "wald": _("{level} intervals from the curvature (Wald)"),
    "none": _("no intervals"),
}
NAMED = _("Fit the model <b>{model}</b> by {how}: {what}, {size}, <b>{intervals}</b>, seed <b>{seed}</b>.")
FLAT = _(
    "Find the posterior of the model <b>{model}</b> with <b>flat priors</b>: {what}, {size}, "
    "<b>{level} posterior intervals</b>, seed <b>{seed}</b>."
)
PRIORS = _(
    "Find the posterior of the model <b>{model}</b> with the priors <b>{priors}</b>: {what}, {size}, "
    "<b>{level} posterior intervals</b>, seed <b>{seed}</b>."
)


def cases(count: int) -> str:
    """How many cases: ``1 case`` or ``183 cases``."""
    return ngettext("{count} case", "{count} cases", count).format(count=numbers.count(count))


def what(ratings: Ratings) -> str:
    """What is asked about, as rich text: class 1, or how many categories there are."""
    if len(ratings.classes) == 2:
        # Answers that were merged for a blank or a capital are told once.
        told = {spoken(m): escape(numbers.short(m)) for m in reversed(ratings.class1)}
        members = ", ".join(reversed(told.values()))
        return _("Class 1 = <b>{{{members}}}</b>").format(members=members)
    count = len(ratings.classes)
    return ngettext("<b>{classes} category</b>", "<b>{classes} categories</b>", count).format(classes=count)


@lru_cache(maxsize=4)
def size(ratings: Ratings) -> str:
    """How many cases with how many ratings: ``183 cases with 4 ratings each``."""
    per_case = ratings.ratings_per_subject()
    counted = per_case[per_case > 0]
    told = cases(ratings.subject_count)
    if not counted.size:
        return _("{cases} without ratings").format(cases=told)
    low, high = int(counted.min()), int(counted.max())
    if low == high:
        each = ngettext("{cases} with {n} rating each", "{cases} with {n} ratings each", low)
        return each.format(cases=told, n=numbers.count(low))
    return _("{cases} with {low} to {high} ratings each").format(
        cases=told, low=numbers.count(low), high=numbers.count(high)
    )
