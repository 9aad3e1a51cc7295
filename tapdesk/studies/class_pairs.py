"""Pairwise conditional accuracy: how well raters tell two classes apart when they chose one of them (models.md §8)."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting.fit import Fit
from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.fleiss_kappa import kappa_estimate, root
from tapdesk.studies.scan import LEAST

ABOUT = _(
    "Each number looks only at ratings of the two classes. It is not below the accuracy of all "
    "classes together, because guesses that fell elsewhere are out of sight; cases that "
    "belong to a third class add pure guesses."
)


@dataclass(frozen=True, eq=False)
class Pair:
    """Two classes alone.

    Attributes
    ----------
    first, second
        Their labels, in order; ``second`` is class 1.
    subjects, ratings
        Subjects and ratings with one of the two classes.
    compared
        Subjects with at least two such ratings, which alone tell of agreement.
    kappa, root_kappa
        Fleiss' kappa of these ratings and its root.
    accuracy
        The accuracy of t-a-t.
    fit
        That fit; None when refused.
    """

    first: str
    second: str
    subjects: int
    ratings: int
    compared: int
    kappa: Estimate
    root_kappa: Estimate
    accuracy: Estimate
    fit: Fit | None


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of classes, in the order of the classes."""

    classes: tuple[str, ...]
    pairs: tuple[Pair, ...]
    about: str = ABOUT


def pairs(ratings: Ratings, request: Request) -> Run[Pairs]:
    """For every pair of classes keep only their ratings, and report root kappa and the accuracy of t-a-t.

    Parameters
    ----------
    ratings
        The data.
    request
        Interval, level, replicates and seed; the model is of no account.

    Yields
    ------
    Step
        Phase ``pairs`` before each pair, and the phases of its fit.

    Raises
    ------
    CannotAnswerError
        When there are fewer than two classes.
    """
    labels = ratings.classes
    if len(labels) < 2:
        raise CannotAnswerError(_("There is only one class, so there is no pair."), fix=_("Declare the other classes."))
    every = list(combinations(labels, 2))
    found = []
    for done, (first, second) in enumerate(every):
        yield Step(done, len(every), "pairs")
        pair = yield from _pair(ratings, first, second, request)
        found.append(pair)
    yield Step(len(every), len(every), "pairs")
    return Pairs(labels, tuple(found))


def _too_few(two: Ratings, first: str, second: str) -> str | None:
    """Why the subjects with two such ratings say too little of one of the classes, or None."""
    several = two.ratings_per_subject() > 1
    weight = two.subject_weights()
    for side, label in enumerate((first, second)):
        there = np.zeros(weight.size, dtype=bool)
        there[two.subject[two.category == side]] = True
        cases = int(weight[there & several].sum())
        if cases == 0:
            return _(
                "All ratings that can be compared are in one class, none is '{label}', so '{first}' and "
                "'{second}' cannot be told apart."
            ).format(label=Label(label), first=Label(first), second=Label(second))
        if cases < LEAST:
            return ngettext(
                "Only {n} case has a rating of '{label}' to compare, too few: {least} are needed.",
                "Only {n} cases have a rating of '{label}' to compare, too few: {least} are needed.",
                cases,
            ).format(n=cases, label=Label(label), least=LEAST)
    return None


def _pair(ratings: Ratings, first: str, second: str, request: Request) -> Run[Pair]:
    two = ratings.merged(((first,), (second,)))
    weight = two.subject_weights()
    compared = int(weight[two.ratings_per_subject() > 1].sum())
    kappa = kappa_estimate(two, request.level)
    alone = _("No case has two ratings that are '{first}' or '{second}', so there is no agreement to learn from.")
    fit, accuracy = None, undefined(alone.format(first=Label(first), second=Label(second)))
    reason = _too_few(two, first, second) if compared else None
    if reason:
        # A rating that stands alone in its subject lifts kappa without ever being compared.
        kappa, accuracy = undefined(reason), undefined(reason)
    elif compared:
        wanted = Request(model("t-a-t"), "exact-em", request.interval, request.level, request.replicates, request.seed)
        try:
            fit = yield from analyse(two, wanted)
            accuracy = fit.estimate("a")
        except TapdeskError as error:
            accuracy = undefined(error.what)
    return Pair(first, second, two.subject_count, two.rating_count, compared, kappa, root(kappa), accuracy, fit)
