"""What the checks of a model say, in one sentence each."""

from collections.abc import Sequence

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.report import numbers
from tapdesk.report.numbers import REPORT, Style
from tapdesk.report.words.fit import PLAIN, Nouns
from tapdesk.studies.calibration import Calibration


def calibrated(found: Sequence[Calibration], *, raters: bool, style: Style = REPORT, nouns: Nouns = PLAIN) -> str:
    """How far what the model says is from what was seen, and how often further than luck explains."""
    outside = sum(int(((one.modelled < one.low) | (one.modelled > one.high)).sum()) for one in found)
    every = sum(len(one.names) for one in found)
    weight = np.array([float(one.count.sum()) for one in found])
    apart = float(np.average([one.mean_absolute_error for one in found], weights=weight))
    said = _("On average the share of a class by the model and the one seen are {apart} apart.").format(
        apart=numbers.decimal(apart, style, 3)
    )
    what = nouns.raters if raters else _("groups of {ratings}").format(ratings=nouns.ratings)
    if raters and len(found) > 1:
        what = _("pairs of {rater} and class").format(rater=nouns.rater)
    if not outside:
        more = _("Of {every} {what} none is further off than two standard errors.")
    else:
        more = ngettext(
            "Of {every} {what} {outside} is further off than two standard errors; about {luck} would be by luck alone.",
            "Of {every} {what} {outside} are further off than two standard errors; about {luck} would be by luck "
            "alone.",
            outside,
        )
    more = more.format(every=numbers.count(every), what=what, outside=numbers.count(outside), luck=_by_luck(every))
    note = next((one.note for one in found if one.note), "")
    return " ".join(part for part in (said, more, note) if part)


def _by_luck(every: int) -> str:
    """How many of so many lie beyond two standard errors by luck."""
    expected = round(0.05 * every)
    return numbers.count(expected) if expected else _("none")


def entropies(names: Sequence[str], found: Sequence[float], style: Style = REPORT, nouns: Nouns = PLAIN) -> str:
    """Whose ratings say most and least."""
    order = np.argsort(np.asarray(found), kind="stable")
    first, last = int(order[0]), int(order[-1])
    least, most = (numbers.decimal(float(found[at]), style, 2) for at in (first, last))
    if least == most:
        return _("A {rating} of every {rater} leaves about as much open: {value} krits.").format(
            rating=nouns.rating, rater=nouns.rater, value=least
        )
    return _(
        "A {rating} of {first} leaves least open ({least} krits), one of {last} most ({most}). 0 would be a {rater} "
        "who is always right, 1 one whose {ratings} say nothing."
    ).format(
        rating=nouns.rating,
        ratings=nouns.ratings,
        rater=nouns.rater,
        first=numbers.short(names[first], 40),
        last=numbers.short(names[last], 40),
        least=least,
        most=most,
    )


def no_votes(nouns: Nouns = PLAIN) -> str:
    """Why it is not told how often a vote is right."""
    return _(
        "How often a vote is right is not told: how often a {rating} follows its {subject} is known too roughly, or "
        "cannot be told from chance."
    ).format(rating=nouns.rating, subject=nouns.subject)
