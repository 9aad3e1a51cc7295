"""Picture of the ratings that the model finds least probable given all other ratings of their cases."""

from tapdesk.answers import numbers
from tapdesk.answers.figure import Figure, Role
from tapdesk.answers.figures.agreement import dots
from tapdesk.answers.figures.checks import calibration_needs
from tapdesk.answers.fit_words import size
from tapdesk.answers.nouns import PLAIN, Nouns
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.rater_diagnostics import unexpected_ratings

MOST = 12
_NAME = 14
# A rating foretold less often than this is one to look at again.
SURPRISING = 0.2


def surprises_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why no rating can be called surprising, or None."""
    reason = calibration_needs(fit, ratings)
    if reason is None and not fit.rates_known:
        return _("These ratings do not determine the numbers, so no rating can be called surprising.")
    return reason


def surprising(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """The least probable ratings, one row each."""
    return (surprised(fit, ratings),)


def surprised(fit: Fit, ratings: Ratings, style: Style = SCREEN, nouns: Nouns = PLAIN) -> Figure:
    """As `surprising`, with numbers in a style and the user's words."""
    found = unexpected_ratings(ratings, fit, MOST)
    rows = []
    for at, probability in zip(found.rating, found.probability, strict=True):
        named = [numbers.short(ratings.subjects[ratings.subject[at]], _NAME)]
        if ratings.raters_known:
            named.append(numbers.short(ratings.raters[ratings.rater[at]], _NAME))
        named.append(_("“{label}”").format(label=numbers.short(ratings.classes[ratings.category[at]], _NAME)))
        role = Role.SINGLED_OUT if probability < SURPRISING else Role.MODEL
        rows.append((", ".join(named), Estimate(float(probability)), role))
    title = _("No {rating} stands against all others of its {subject}").format(
        rating=nouns.rating, subject=nouns.subject
    )
    if found.probability[0] < SURPRISING:
        title = _("Least expected: {name} ({chance} by the other {ratings})").format(
            name=rows[0][0], chance=numbers.percent(rows[0][1].value or 0.0), ratings=nouns.ratings
        )
    note = _(
        "N = {size}. Each row: how probable a {rating} is by the {model} model, given all other {ratings} of the same "
        "{subject}; the least probable first; diamonds below {most}. Of many {ratings} some are surprising by luck."
    ).format(
        size=size(fit, nouns),
        rating=nouns.rating,
        ratings=nouns.ratings,
        subject=nouns.subject,
        model=fit.model.name,
        most=numbers.percent(SURPRISING),
    )
    return dots(rows, style, kind="surprises", title=title, note=note)
