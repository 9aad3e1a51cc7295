"""Why it is not told how sure one can be of single cases."""

from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy
from tapdesk.report.words.fit import too_wide
from tapdesk.report.words.nouns import PLAIN, Nouns
from tapdesk.studies.chance import Chance


def no_beliefs(fit: Fit | None, chance: Chance | None, nouns: Nouns = PLAIN) -> str:
    """Why it is not told how sure one can be of single cases."""
    if fit is not None and not fit.converged:
        told = _("How sure one can be of single {subjects} is not reported: the estimates had not settled.")
    elif chance is not None and not chance.more_than_chance:
        told = _(
            "How sure one can be of single {subjects} is not reported: these {ratings} cannot be told from chance."
        )
    elif fit is not None and _all_follow(fit):
        told = _(
            "All {ratings} of a {subject} say the same here, so no {subject} is less sure than another. Nobody checked "
            "whether they are right."
        )
    elif fit is not None and too_wide(fit):
        told = _(
            "How sure one can be of single {subjects} is not reported: how often a {rating} follows its {subject} is "
            "known too roughly."
        )
    elif fit is not None and _accuracy(fit) is not None:
        told = _(
            "How sure one can be of single {subjects} is not told: these {ratings} leave open other numbers that it "
            "rests on."
        )
    else:
        told = _(
            "How sure one can be of single {subjects} is not reported: these {ratings} leave open how often a {rating} "
            "follows its {subject}."
        )
    return told.format(subject=nouns.subject, subjects=nouns.subjects, rating=nouns.rating, ratings=nouns.ratings)


def _all_follow(fit: Fit) -> bool:
    """Whether every rating is taken to follow its case."""
    value = _accuracy(fit)
    return value is not None and value > 1 - 1e-6


def _accuracy(fit: Fit) -> float | None:
    """The one accuracy of all raters, where there is such a number and it is determined."""
    if fit.model.accuracy is not Accuracy.ONE:
        return None
    return next((e.estimate.value for e in fit.estimates if e.name.name == "a"), None)
