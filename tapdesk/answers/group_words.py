"""What an answer about several groups says: who is truly what, or rated how well, in each of them.

Groups differ in truth or in skill; which of them may differ is an assumption of the model, and it is said
(models_more.md §2).
"""

from tapdesk.answers import numbers
from tapdesk.answers.fit_words import class1_name
from tapdesk.fitting.fit import Fit, ParameterEstimate
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.model import Accuracy, RaterModel
from tapdesk.ratings.ratings import Ratings

_MOST_GROUPS = 8
_ENOUGH = 3


def accuracy_of_groups(fit: Fit) -> str:
    """How good the ratings of each group are, in one sentence; empty where that is no number of each group."""
    if fit.model.accuracy is not Accuracy.PER_GROUP:
        return ""
    rows = [e for e in fit.estimates if e.name.name == "a" and e.estimate.value is not None]
    if not rows or len(rows) > _MOST_GROUPS:
        return ""
    return _("Out of 100 {ratings}, so many follow the {subject}: {shares}.").format(shares=_shares(rows))


def shares_of_groups(fit: Fit, ratings: Ratings) -> str:
    """What follows an answer about groups: how common class 1 is in each, and what that rests on."""
    sentences: list[str] = []
    fields = {"groups": groups_word(fit.model)}
    rows = [e for e in fit.estimates if e.name.name == "t" and e.name.group and e.estimate.value is not None]
    if len(fit.classes) == 2 and 0 < len(rows) <= _MOST_GROUPS:
        sentences.append(
            _("Out of 100 {subjects}, so many would truly be “{one}”: {shares}.").format(
                one=class1_name(fit), shares=_shares(rows)
            )
        )
    if fit.model.truth.by_group and not fit.model.ratings_by_group:
        sentences.append(_("That holds if the {ratings} are equally good in all {groups}.").format(**fields))
    elif fit.model.ratings_by_group and not fit.model.truth.by_group:
        sentences.append(_("That holds if the classes are equally common in all {groups}.").format(**fields))
    groups = {e.name.group for e in fit.estimates if e.name.group is not None}
    return joined(*sentences, either_way(fit.model, len(groups), ratings))


def groups_word(model: RaterModel) -> str:
    """What the groups of a model are called: questions where several are fitted in one model."""
    return _("questions") if model.whole else _("groups")


def either_way(model: RaterModel, groups: int, ratings: Ratings) -> str:
    """That the other explanation of two groups fits as well, where it has as many numbers as this design shows.

    Parameters
    ----------
    model, groups
        What is fitted, and the number of groups.
    ratings
        The design (models_more.md §2).
    """
    one = (model.truth.by_group, model.ratings_by_group) in {(True, False), (False, True)}
    most = int(ratings.ratings_per_subject().max(initial=0))
    if not one or model.by_rater or len(ratings.classes) > 2 or groups != 2 or most >= _ENOUGH:
        return ""
    return _(
        "With two {groups} and two {ratings} of each {subject} it cannot be seen whether the {groups} differ in truth "
        "or in how well they are rated: here it is assumed."
    ).format(groups=groups_word(model))


def _shares(rows: list[ParameterEstimate]) -> str:
    """One number of each group, with its interval."""
    return numbers.listed([_share(e) for e in rows])


def _share(e: ParameterEstimate) -> str:
    value = e.estimate
    group, number = numbers.short(e.name.group or ""), numbers.about(value.value or 0.0)
    if value.low is None or value.high is None:
        return _("{number} in “{group}”").format(number=number, group=group)
    low, high = numbers.ends(value.low, value.high)
    return _("{number} in “{group}” ({low} to {high})").format(number=number, group=group, low=low, high=high)
