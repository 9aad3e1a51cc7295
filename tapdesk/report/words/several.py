"""Models with several accuracies, and many numbers that stay open, in sentences."""

from tapdesk.fitting.fit import Fit, IdentifiedRange
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy
from tapdesk.report import numbers
from tapdesk.report.words.nouns import PLAIN, Nouns
from tapdesk.report.words.shares import called, share_of

_MOST_OPEN = 6


def many_accuracies(fit: Fit, counted: str, nouns: Nouns = PLAIN) -> str:
    """That there is no one accuracy to report, and where those that there are stand."""
    templates = {
        Accuracy.PER_RATER: _(
            "Each of the {raters} has an accuracy of their own here, so there is no single one to report: they are "
            "listed below ({model}, {size})."
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


def easier(fit: Fit, nouns: Nouns = PLAIN, *, few: bool = False) -> tuple[str, str]:
    """Whether one class is recognised more easily than another, and what that rests on.

    Classes are only set against each other where their intervals do not meet.

    Parameters
    ----------
    fit
        With an accuracy for each class.
    nouns
        The user's words.
    few
        Whether few data stand behind the numbers.
    """
    if not fit.identification.identified:
        said = _("These {ratings} cannot tell whether one answer is easier to recognise than another.")
        return said.format(ratings=nouns.ratings), ""
    classes = zip(fit.classes, (e for e in fit.estimates if e.name.name.rstrip("01") == "a"), strict=False)
    told = [(numbers.short(c, 40), e.estimate) for c, e in classes if e.estimate.low is not None]
    if len(told) < 2:
        said = _("How sure the accuracy of each class is cannot be said, so none is set against another.")
        return said, ""
    order = sorted(told, key=lambda row: row[1].value or 0.0)
    (worst, least), (best, most) = order[0], order[-1]
    apart = least.high is not None and most.low is not None and least.high < most.low
    said = _("No answer is clearly easier to recognise than another.")
    if apart:
        said = _("“{best}” is easier to recognise than “{worst}”.")
        if few:
            said = _("“{best}” is easier to recognise than “{worst}”, judged from few data.")
    follows = _(
        "A {rating} follows the {subject} itself {least} where the {subject} is truly “{worst}”, and {most} where it "
        "is truly “{best}”."
    )
    if not apart:
        follows = _("{follows} The intervals meet, so the order may be luck.").format(follows=follows)
    fields = {
        "best": best,
        "worst": worst,
        "least": numbers.often(least.value or 0.0, least.low, least.high),
        "most": numbers.often(most.value or 0.0, most.low, most.high),
    }
    return said.format(**fields), follows.format(rating=nouns.rating, subject=nouns.subject, **fields)


def fits_equally(fit: Fit, open_range: IdentifiedRange, nouns: Nouns = PLAIN) -> str:
    """Which values of a number fit equally well, the number called by what it is a share of."""
    one = next((e for e in fit.estimates if e.name == open_range.name), None)
    if one is None or fit.model.accuracy is Accuracy.ONE:
        return open_range.words
    return _("Every share of {called} from {low} to {high} fits equally well.").format(
        called=share_of(one, fit, nouns),
        low=numbers.decimal(open_range.low),
        high=numbers.decimal(open_range.high),
    )


def left_open(fit: Fit, nouns: Nouns = PLAIN) -> str:
    """Which of many numbers stay open, by what they are shares of; empty where their symbols alone tell it."""
    lost = {str(name) for name in fit.identification.open_parameters}
    names = [called(e, fit, nouns) for e in fit.estimates if str(e.name) in lost]
    if all(e.name.name == str(e.name) for e in fit.estimates if str(e.name) in lost):
        return ""
    # One more is named rather than counted.
    most = _MOST_OPEN if len(names) > _MOST_OPEN + 1 else len(names)
    more = len(names) - most
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
    return template.format(ratings=nouns.ratings, names="; ".join(names[:most]), more=numbers.count(more))
