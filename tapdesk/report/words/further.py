"""Two numbers at once, and the size of a next study, in sentences."""

from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.numbers import REPORT, Style
from tapdesk.report.words.fit import size as counted
from tapdesk.report.words.nouns import PLAIN, Nouns


def together(nouns: Nouns = PLAIN) -> str:
    """What lines over two numbers say that two intervals do not."""
    return _(
        "Two numbers can lean on each other: where one is a little higher, the other may be lower, and the {ratings} "
        "fit as well. An interval of each by itself does not show that; the lines below do. A round shape means that "
        "they are told apart, a long thin one that they are not."
    ).format(ratings=nouns.ratings)


def other_model(fit: Fit) -> str:
    """That these numbers are those of another model than the answer's."""
    return _("Raters are not told apart here: the numbers are those of the {model} model.").format(model=fit.model.name)


def width_now(fit: Fit, style: Style = REPORT, nouns: Nouns = PLAIN) -> str:
    """How closely the ratings at hand pin down the accuracy."""
    a = fit.estimate("a")
    if a.value is None or a.low is None or a.high is None:
        return _("The ratings at hand ({size}) do not say how sure the accuracy is.").format(size=counted(fit, nouns))
    return _(
        "The ratings at hand ({size}) put the accuracy between {low} and {high}, which is {width} wide ({level} "
        "interval)."
    ).format(
        size=counted(fit, nouns),
        low=numbers.decimal(a.low, style),
        high=numbers.decimal(a.high, style),
        width=numbers.decimal(a.high - a.low, style),
        level=numbers.level(a.level or fit.interval[1]),
    )


def example() -> str:
    """That a plan stands on numbers that are unsure themselves."""
    return _(
        "The numbers the plan stands on are unsure themselves, so the plan is an example, not advice: see what is said "
        "of them under Truth, accuracy and chance."
    )


def supposing(nouns: Nouns = PLAIN) -> str:
    """What a plan rests on."""
    return _(
        "The plan asks what studies of other sizes would tell if the numbers were as estimated and the {raters} judged "
        "as they did here. It says nothing about other {raters} or about {subjects} of another kind."
    ).format(raters=nouns.raters, subjects=nouns.subjects)
