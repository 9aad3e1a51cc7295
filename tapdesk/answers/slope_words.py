"""Whether accuracy changes with what is known of raters, cases or ratings: by the interval, not by the model alone."""

from tapdesk.answers import numbers
from tapdesk.answers.part import Answer
from tapdesk.answers.range_words import with_ends
from tapdesk.estimate import PooledSlope
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.studies.rater_slopes import RaterSlope


def about_slopes(answer: Answer) -> tuple[str, str] | None:
    """What accuracy changes with, and the accuracies at both ends; None where no slope has an interval."""
    over_raters = {one.covariate: one for one in answer.side.slopes}
    sentences = [along(one) for one in over_raters.values()]
    # A covariate of raters is never judged by their many ratings: where raters tell nothing, that is said.
    ratings, names = answer.ratings, answer.fit.model.covariates
    by_rater = {name for name in names if ratings.rater_values(name) is not None}
    if by_rater > set(over_raters) and (reason := answer.side.reasons.get("slopes")):
        sentences.append(reason)
    sentences += _others(answer.fit, by_rater)
    if not sentences:
        return None
    follows = ""
    if over_raters:
        count = next(iter(over_raters.values())).raters
        follows = _("This is found by comparing {count} {raters}; that each gave many {ratings} does not add to it.")
        follows = follows.format(count=numbers.count(count))
    return joined(*sentences), follows


def along(one: RaterSlope | PooledSlope) -> str:
    """Whether accuracy changes with a column of raters, and from where to where."""
    template = _("There is no sign that accuracy changes with {name}: {first} at {low}, {last} at {high}.")
    if one.changes:
        template = _("Accuracy changes with {name}: {first} at {low}, {last} at {high}.")
    return template.format(
        name=one.covariate,
        first=with_ends(one.at_first),
        last=with_ends(one.at_last),
        low=numbers.figures(one.first),
        high=numbers.figures(one.last),
    )


def _others(fit: Fit, by_rater: set[str]) -> list[str]:
    """The verdict on covariates of cases and ratings, by the interval of the slope."""
    words = []
    for e in fit.estimates:
        low, high, name = e.estimate.low, e.estimate.high, e.name.covariate
        if name not in fit.model.covariates or name in by_rater or low is None or high is None:
            continue
        template = _("There is no sign that accuracy changes with {name}.")
        if low > 0 or high < 0:
            template = _("Accuracy changes with {name}.")
        words.append(template.format(name=name))
    return words
