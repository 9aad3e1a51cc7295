"""What the program proposes of a model that goes with these ratings, and why; the user may decline.

Some of it is seen in the ratings alone: groups, rounds, an order of the classes, cases rated again. Some is found by
the studies beside an answer: that some cases are harder, that raters have numbers on the edge. What a design cannot
tell is not proposed.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.group_words import either_way
from tapdesk.answers.side_results import SideResults
from tapdesk.errors import TapdeskError
from tapdesk.fitting.identification import UNCHECKED, verdict
from tapdesk.language import Label, joined, same_sentence
from tapdesk.language import gettext as _
from tapdesk.models.model import GRID_MODELS, RaterModel, model
from tapdesk.project.project import Project
from tapdesk.ratings import vocabulary
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings, plain_texts
from tapdesk.studies.dependence import Dependence

MOST_RATINGS = 100_000
"""Of more ratings nothing is proposed that would have to be looked at rating by rating."""
FEW_RATINGS, POOLED_RATERS = 30, 5
_DECLINED = "declined models"  # the name of the record in a project: never changed
_MOST_GROUPS, _LEAST_OF_A_GROUP = 8, 10
_LEAST_CLASSES, _LEAST_RATERS = 3, 3
_ROUNDS = vocabulary.ROUND | vocabulary.REPEAT
_GROUPS = vocabulary.OTHER_COLUMN | vocabulary.BY_THE_WAY


@dataclass(frozen=True, slots=True)
class Proposal:
    """A model that goes with these ratings.

    Attributes
    ----------
    key
        Its short name, by which a project remembers that it was declined.
    reason
        Why, one sentence.
    words
        What the model takes into account, and what that rests on.
    model
        Its name.
    groups, occasions
        The column of the groups, and of the order of repeats; empty where it needs none.
    pool
        Whether raters are drawn from one population.
    """

    key: str
    reason: str
    words: str
    model: str
    groups: str = ""
    occasions: str = ""
    pool: bool = False

    @property
    def rater_model(self) -> RaterModel:
        """The model with its columns."""
        return replace(model(self.model, GRID_MODELS), groups=self.groups, occasions=self.occasions)


def seen_in_ratings(ratings: Ratings, usual: RaterModel) -> tuple[Proposal, ...]:
    """What the ratings themselves propose, before anything is fitted.

    Parameters
    ----------
    ratings
        The data.
    usual
        The model that would be fitted: one that tells raters apart is proposed others that do.
    """
    if ratings.subject.size > MOST_RATINGS or len(ratings.classes) < 2 or not ratings.rating_count:
        return ()
    rows = (
        *_repeats(ratings),
        *(row for name, column in ratings.covariates.items() for row in _groups(ratings, usual, name, column)),
        *_order(ratings, usual),
        *_few(ratings, usual),
    )
    return tuple(row for row in rows if row.pool or _told(row, ratings))


def _told(proposal: Proposal, ratings: Ratings) -> bool:
    """Whether this design can tell the numbers of the model."""
    try:
        found = verdict(proposal.rater_model, ratings)
    except TapdeskError:
        return False
    return found.by_design and not same_sentence(found.words, UNCHECKED)


def _groups(ratings: Ratings, usual: RaterModel, name: str, column: Covariate) -> list[Proposal]:
    """Groups or rounds of a column."""
    spoken = set(vocabulary.words(name))
    if name == ratings.known or not spoken & (_ROUNDS | _GROUPS):
        return []
    texts = plain_texts(column.values.tolist())
    values = set(texts)
    if not 1 < len(values) <= _MOST_GROUPS or "" in values:
        return []
    if column.of is CovariateOf.SUBJECT:
        if min(texts.count(value) for value in values) < _LEAST_OF_A_GROUP:
            return []
        return [_of_cases(ratings, usual, name, len(values))]
    if column.of is CovariateOf.RATER and (usual.by_rater or 2 * len(values) > len(texts)):
        # Of raters of whom nearly each has a value of their own, such as an age, a value is no group.
        return []
    own = "t-ajg-p" if usual.by_rater else "t-ag-p"
    fields = {"column": Label(name), "n": numbers.count(len(values))}
    if column.of is CovariateOf.RATER:
        reason = _("The {raters} are of {n} groups (“{column}”).").format(**fields)
        words = _("Each group may have an accuracy of its own.").format()
    elif spoken & _ROUNDS:
        reason = _("The {ratings} come in {n} rounds (“{column}”).").format(**fields)
        words = _("Each round may have an accuracy of its own; what is true of {a_subject} stays.").format()
    else:
        reason = _("The {ratings} are of {n} groups (“{column}”).").format(**fields)
        words = _("Each group may have an accuracy of its own; what is true of {a_subject} stays.").format()
    return [Proposal(f"groups:{name}", reason, words, own, groups=name)]


def _of_cases(ratings: Ratings, usual: RaterModel, name: str, count: int) -> Proposal:
    """Groups of cases: they may differ in what is true of them."""
    own = "tg-aj-pj" if usual.by_rater else "tg-a-p"
    reason = _("The {subjects} are of {n} groups (“{column}”).").format(n=numbers.count(count), column=Label(name))
    words = _("The classes may be more common in one of them; {ratings} are then taken to be equally good in all.")
    proposal = Proposal(f"groups:{name}", reason, words.format(), own, groups=name)
    return replace(proposal, words=joined(words.format(), either_way(proposal.rater_model, count, ratings)))


def _order(ratings: Ratings, usual: RaterModel) -> list[Proposal]:
    """Classes with an order that raters perceive."""
    if not ratings.ordered or len(ratings.classes) < _LEAST_CLASSES or ratings.ratings_per_subject().max() < 2:
        return []
    own = usual.by_rater and len(ratings.raters) >= _LEAST_RATERS
    words = _("{A_rating} is then oftener next to the truth than far from it.").format()
    if own:
        words = joined(words, _("Each {rater} has lines of their own, strict or mild.").format())
    return [Proposal("order", _("The classes have an order."), words, "sdt" if own else "sdt-1")]


def _repeats(ratings: Ratings) -> list[Proposal]:
    """Raters who rated cases again, where it is told in which order."""
    if not ratings.raters_known or len(ratings.raters) < _LEAST_RATERS:
        return []
    from tapdesk.models.repeats import repeaters_of  # late: few ratings are repeats

    count = len(repeaters_of(ratings))
    columns = [
        name
        for name, column in ratings.covariates.items()
        if column.of is CovariateOf.RATING and set(vocabulary.words(name)) & (_ROUNDS | vocabulary.BY_THE_WAY)
    ]
    if not count or not columns:
        return []
    reason = _("{n} of the {raters} rated some {subjects} again.").format(n=numbers.count(count))
    if count == len(ratings.raters) > 1:
        reason = _("All {n} {raters} rated some {subjects} again.").format(n=numbers.count(count))
    words = _("They may remember their answer: a copy tells nothing new, and is then not counted as agreement.")
    return [Proposal("repeats", reason, words.format(), "t-aj-p+m", occasions=columns[0])]


def _few(ratings: Ratings, usual: RaterModel) -> list[Proposal]:
    """Raters with few ratings, who can be drawn towards the others."""
    if not usual.by_rater or not ratings.raters_known or len(ratings.raters) < POOLED_RATERS:
        return []
    weights = None if ratings.weight is None else ratings.weight[ratings.subject]
    each = np.bincount(ratings.rater, weights, len(ratings.raters))
    few = int((each < FEW_RATINGS).sum())
    if not few:
        return []
    reason = _("{n} of the {raters} gave fewer than {few} {ratings}.").format(n=numbers.count(few), few=FEW_RATINGS)
    if few == len(ratings.raters) > 1:
        reason = _("All {n} {raters} gave fewer than {few} {ratings}.").format(n=numbers.count(few), few=FEW_RATINGS)
    words = _("All are then drawn from one population, so that who rated little is drawn towards the others.")
    return [Proposal("pool", reason, words.format(), "t-aj-p", pool=True)]


def _edges(side: SideResults, usual: RaterModel) -> tuple[Proposal, ...]:
    """Raters whose own ratings put a number of theirs on the edge, who can be drawn towards the others."""
    pooled = side.pooled
    if pooled is None or not usual.by_rater or not pooled.edge:
        return ()
    reason = _(
        "The fit of each {rater} alone puts {n} of the {raters} on an edge, such as an accuracy of 0 or 1."
    ).format(n=numbers.count(len(pooled.edge)))
    words = _("All are then drawn from one population, so that nobody is believed to be perfect, or to know nothing.")
    return (Proposal("pool", reason, words.format(), pooled.fit.model.name, pool=True),)


def proposals_from_studies(side: SideResults, usual: RaterModel) -> tuple[Proposal, ...]:
    """What the studies beside an answer propose, where the ratings say so: harder cases, raters of one population."""
    return (*_harder(side, usual), *_edges(side, usual))


def _harder(side: SideResults, usual: RaterModel) -> tuple[Proposal, ...]:
    """That some cases are harder."""
    seen = side.dependence
    if seen is None or usual.by_rater or usual.name != "t-a-p" or not seen.seen or seen.rows[0].fits:
        return ()
    words = _(
        "One accuracy takes all {subjects} for equally hard. This model fits best of those that let them differ; it "
        "is told beside the others, and none of them is the one that is right."
    )
    best = _best(seen)
    return (Proposal("harder", _("Your {ratings} say that some {subjects} are harder."), words.format(), best),)


def _best(seen: Dependence) -> str:
    """The way in which cases differ that explains the ratings best."""
    return max((row for row in seen.rows[1:] if row.fits), key=lambda row: row.log_likelihood).model


def declined_keys(project: Project) -> tuple[str, ...]:
    """Keys of what the user has declined."""
    try:
        kept = json.loads(project.records.get(_DECLINED, "[]"))
    except ValueError:
        return ()
    return tuple(str(key) for key in kept) if isinstance(kept, list) else ()


def declined(project: Project, keys: Sequence[str]) -> Project:
    """The project that remembers what the user has declined."""
    return project.with_record(_DECLINED, json.dumps(list(dict.fromkeys(keys))))
