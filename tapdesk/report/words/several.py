"""Models with several accuracies, and many numbers that stay open, in sentences."""

from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy
from tapdesk.report import numbers
from tapdesk.report.words.nouns import PLAIN, Nouns
from tapdesk.report.words.shares import called

_MOST_OPEN = 6


def many_accuracies(fit: Fit, counted: str, nouns: Nouns = PLAIN) -> str:
    """That there is no one accuracy to report, and where those that there are stand."""
    templates = {
        Accuracy.PER_RATER: _(
            "Each of the {raters} has an accuracy of their own here, so there is no single one to report: they are "
            "listed below ({model}, {size})."
        ),
        Accuracy.PER_CLASS: _(
            "Each class has an accuracy of its own here, so there is no single one to report: they are listed "
            "below ({model}, {size})."
        ),
        Accuracy.REGRESSION: _(
            "The accuracy depends on what else is known of each {rating} here, so there is no single one to report: "
            "what it depends on is listed below ({model}, {size})."
        ),
    }
    other = _("This model has no accuracy: its numbers are listed below ({model}, {size}).")
    return templates.get(fit.model.accuracy, other).format(
        raters=nouns.raters, rating=nouns.rating, model=fit.model.name, size=counted
    )


def left_open(fit: Fit, nouns: Nouns = PLAIN) -> str:
    """Which of many numbers stay open, by what they are shares of; empty where their symbols alone tell it."""
    lost = {str(name) for name in fit.identification.open_parameters}
    names = [called(e, fit, nouns) for e in fit.estimates if str(e.name) in lost]
    if all(e.name.name == str(e.name) for e in fit.estimates if str(e.name) in lost):
        return ""
    more = len(names) - _MOST_OPEN
    if more > 0:
        template = _("These {ratings} leave open: {names}; and {more} more numbers.")
    else:
        template = _("These {ratings} leave open: {names}.")
    if not fit.identification.by_design:
        template = _("A design like this leaves open, whatever the {ratings} say: {names}.")
        if more > 0:
            template = _(
                "A design like this leaves open, whatever the {ratings} say: {names}; and {more} more numbers."
            )
    return template.format(ratings=nouns.ratings, names="; ".join(names[:_MOST_OPEN]), more=numbers.count(more))
