"""Classes two by two: ordered ones at every cut of the order, and every pair of them (models.md §8)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations

import numpy as np
from scipy.special import chdtrc

from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting.fit import BootstrapTest, Fit
from tapdesk.language import Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.differences import Differences, View, paired_differences
from tapdesk.studies.fleiss_kappa import kappa_estimate, root
from tapdesk.studies.holm import holm
from tapdesk.studies.likelihood_ratio import goodness_of_fit

# Cases with a rating on the rarer side that a cut, or a pair of classes, needs to be fitted: with fewer the estimate
# sits on a bound whatever the raters know.
LEAST = 3
# An accuracy whose interval reaches below this may be none at all.
NO_ACCURACY = 0.005


class Direction(Enum):
    """Which side of every cut is counted, as class 1 (cli.md, scan)."""

    ABOVE = "above"
    BELOW = "below"


@dataclass(frozen=True, eq=False)
class Cut:
    """Everything below against everything above one place in the order.

    Attributes
    ----------
    low, high
        The labels on either side, in their order.
    direction
        Which of them is class 1.
    free, tied
        The fits of t-a-p and t-a-t; None when refused, or t-a-t was not asked for.
    kappa, root_kappa
        Fleiss' kappa of the cut and its root.
    subjects, ratings
        What was used.
    refused
        Why there is no fit, one sentence; None when there is one.
    fitted
        The side that is class 1 of the fits: where the cut was turned, the other one is counted by now.
    """

    low: tuple[str, ...]
    high: tuple[str, ...]
    free: Fit | None
    tied: Fit | None
    kappa: Estimate
    root_kappa: Estimate
    subjects: int
    ratings: int
    refused: str | None = None
    direction: Direction = Direction.ABOVE
    fitted: Direction = Direction.ABOVE

    def estimate(self, name: str) -> Estimate | None:
        """A number of t-a-p about the side that is counted; None where the ratings do not determine it."""
        if self.free is None or not self.free.converged:
            return None
        found = self.free.estimate(name)
        if found.value is None:
            return None
        return found if self.direction is self.fitted or name not in {"t", "p"} else found.complement

    @property
    def gain(self) -> float | None:
        """Twice the log-likelihood that t and p of their own gain over t = p; None where that cannot be tested.

        Where accuracy may be none, t says nothing, and at an edge the gain is not distributed as chi-square.
        """
        free, tied = self.free, self.tied
        if free is None or tied is None or not free.converged or not tied.converged:
            return None
        a = free.estimate("a")
        if free.active_bounds or tied.active_bounds or a.value is None or (a.low is not None and a.low < NO_ACCURACY):
            return None
        return max(2 * (free.log_likelihood.ratings - tied.log_likelihood.ratings), 0.0)

    @property
    def sides(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What is not counted, and what is: class 0 and class 1."""
        return (self.low, self.high) if self.direction is Direction.ABOVE else (self.high, self.low)

    @property
    def name(self) -> str:
        """The two classes at the cut, lower first: ``bronze | silver``."""
        return f"{self.low[-1]} | {self.high[0]}"

    @property
    def words(self) -> str:
        """The direction of the cut, in words."""
        others, counted = self.sides
        return _("{high} is counted, {low} is not.").format(high=_listed(counted), low=_listed(others))


@dataclass(frozen=True, eq=False)
class Scan:
    """All cuts in order.

    Attributes
    ----------
    classes
        The order the cuts follow.
    cuts
        One fewer than classes.
    one_accuracy
        Goodness of fit of t-a-p of all classes, under which every cut has the same accuracy; None when not asked for
        or with two classes.
    differences
        How the accuracies of the cuts with a fit differ, in the order of these; None where that is not known.
    """

    classes: tuple[str, ...]
    cuts: tuple[Cut, ...]
    one_accuracy: BootstrapTest | None = None
    differences: Differences | None = None

    @property
    def direction(self) -> Direction:
        """Which side of every cut is counted."""
        return self.cuts[0].direction

    @property
    def compared(self) -> tuple[Cut, ...]:
        """The cuts whose differences are known, in the order of these."""
        return tuple(cut for cut in self.cuts if _comparable(cut.free))

    @property
    def apart(self) -> tuple[float | None, ...]:
        """How often luck makes t and p of a cut as far apart where t = p: for all tested cuts together (Holm)."""
        by_luck = {i: float(chdtrc(1, gain)) for i, cut in enumerate(self.cuts) if (gain := cut.gain) is not None}
        together = dict(zip(by_luck, holm([*by_luck.values()]), strict=True))
        return tuple(together.get(i) for i in range(len(self.cuts)))

    def turned(self, direction: Direction) -> "Scan":
        """The same cuts with one side counted; accuracy and kappa are those of either side."""
        if direction is self.direction:
            return self
        return replace(self, cuts=tuple(replace(cut, direction=direction) for cut in self.cuts))

    @property
    def words(self) -> str:
        """What the test says, or nothing."""
        if self.one_accuracy is None:
            return ""
        test = self.one_accuracy
        sentence = _("Nothing here speaks against one accuracy for all lines")
        if test.rejects:
            sentence = _("One accuracy does not serve all lines: the {ratings} do not follow the model that says so")
        return _(
            "{said} (misfit {value:.2f}; {n:,} of {all:,} panels made by that model fit as badly or worse)."
        ).format(said=sentence, value=test.statistic, n=test.reached, all=test.replicates)


def scan(
    ratings: Ratings,
    request: Request,
    *,
    test: bool = False,
    replicates: int = 1000,
    tied: bool = True,
    known: Sequence[Cut] = (),
    direction: Direction = Direction.ABOVE,
) -> Run[Scan]:
    """Fit t-a-p and t-a-t, and find kappa, at every cut of the order of the classes.

    Parameters
    ----------
    ratings
        The data; the order of its classes is taken as meant.
    request
        Interval, level, replicates and seed; of the model what it makes of known cases.
    test
        Whether to test, on all classes at once, that one accuracy serves all cuts.
    replicates
        Simulated data sets of that test.
    tied
        Whether t-a-t is fitted as well.
    known
        Cuts of the same ratings in another order (`reordered`): one that counts the same classes is taken over.
    direction
        Which side of every cut is class 1.

    Yields
    ------
    Step
        Phase ``scan`` before each cut, and the phases of its fits.

    Raises
    ------
    CannotAnswerError
        When there are fewer than two classes, or no cut can be fitted.
    """
    # An abstention has no place in an order.
    ratings = ratings.decided()
    labels = ratings.classes
    if len(labels) < 2:
        raise CannotAnswerError(_("There is only one class, so there is no cut."), fix=_("Declare the other classes."))
    cuts = []
    for c in range(1, len(labels)):
        yield Step(c - 1, len(labels) - 1, "scan")
        low, high = labels[:c], labels[c:]
        sides = (low, high) if direction is Direction.ABOVE else (high, low)
        cut = next((k for k in known if [*map(set, k.sides)] == [*map(set, sides)]), None)
        if cut is None:
            cut = yield from _cut(ratings, sides, request, tied=tied)
            cut = replace(cut, fitted=direction)
        cuts.append(replace(cut, low=low, high=high, direction=direction))
    if all(cut.refused for cut in cuts):
        raise CannotAnswerError(_("No cut can be fitted. {refused}").format(refused=cuts[0].refused))
    one = None
    if test and len(labels) > 2:
        one = yield from goodness_of_fit(ratings, _request("t-a-p", request).model, replicates, request.seed)
    views = [View(ratings.merged(c.sides), c.free) for c in cuts if c.free is not None and _comparable(c.free)]
    apart = None
    if request.interval != "none":
        apart = yield from paired_differences(ratings, views, request.level, request.seed)
    yield Step(len(cuts), len(cuts), "scan")
    return Scan(labels, tuple(cuts), one, apart)


def _comparable(fit: Fit | None) -> bool:
    """Whether a fit has an accuracy that can be set against others."""
    return fit is not None and fit.converged and fit.estimate("a").value is not None


def reordered(one: Ratings, other: Ratings) -> bool:
    """Whether two values are the same ratings, but for the order of the classes."""
    if sorted(one.classes) != sorted(other.classes):
        return False
    code = np.array([other.classes.index(c) for c in one.classes], dtype=np.int64)
    pairs = (
        (one.subject, other.subject),
        (one.rater, other.rater),
        (code[one.category], other.category),
        (one.subject_weights(), other.subject_weights()),
    )
    return all(np.array_equal(a, b) for a, b in pairs)


def _cut(ratings: Ratings, sides: tuple[tuple[str, ...], tuple[str, ...]], request: Request, *, tied: bool) -> Run[Cut]:
    """One cut; its sides are set in the order of the classes by who asks."""
    binary = ratings.merged(sides)
    kappa = kappa_estimate(binary, request.level)
    size = (binary.subject_count, binary.rating_count)
    reason = _too_few(binary, *sides)
    free = alike = None
    if reason is None:
        try:
            free = yield from analyse(binary, _request("t-a-p", request), shares=False)
            if tied:
                alike = yield from analyse(binary, _request("t-a-t", request), shares=False)
        except TapdeskError as error:
            reason = error.what
    return Cut(*sides, free, alike, kappa, root(kappa), *size, refused=reason)


def _request(name: str, like: Request) -> Request:
    """The request for one of the fits of a cut."""
    row = replace(model(name), key=like.model.key)
    return Request(row, "exact-em", like.interval, like.level, like.replicates, like.seed)


def _too_few(binary: Ratings, low: tuple[str, ...], high: tuple[str, ...]) -> str | None:
    """Why a cut tells nothing apart, or too little to fit three numbers to it."""
    weight = binary.subject_weights()
    for side, labels in ((0, low), (1, high)):
        there = np.zeros(weight.size, dtype=bool)
        there[binary.subject[binary.category == side]] = True
        cases = int(weight[there].sum())
        if cases == 0:
            return _("No {rating} is {listed}, so this cut tells nothing apart.").format(listed=_listed(labels))
        if cases < LEAST:
            return ngettext(
                "Only {n} {subjects} has {a_rating} of {listed}, too few to fit this cut: {least} are needed.",
                "Only {n} {subjects} have {a_rating} of {listed}, too few to fit this cut: {least} are needed.",
                cases,
            ).format(n=cases, listed=_listed(labels), least=LEAST)
    return None


def _listed(labels: tuple[str, ...]) -> str:
    if len(labels) == 1:
        return _("'{name}'").format(name=Label(labels[0]))
    before = joined(*(_("'{name}'").format(name=Label(label)) for label in labels[:-1]), sep=", ")
    return _("{before} or '{last}'").format(before=before, last=Label(labels[-1]))


ABOUT = _(
    "Each number looks only at {ratings} of the two classes: guesses that fell elsewhere are out of sight, "
    "which raises it, and {subjects} that belong to a third class add pure guesses, which lowers it. It is "
    "not to be set beside the accuracy of all classes together."
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
    """All pairs of classes, in the order of the classes; ``differences`` of those with an accuracy, in their order."""

    classes: tuple[str, ...]
    pairs: tuple[Pair, ...]
    about: str = ABOUT
    differences: Differences | None = None

    @property
    def compared(self) -> tuple[Pair, ...]:
        """The pairs whose differences are known, in the order of these."""
        return tuple(pair for pair in self.pairs if _comparable(pair.fit))


def pairs(ratings: Ratings, request: Request) -> Run[Pairs]:
    """For every pair of classes keep only their ratings, and report root kappa and the accuracy of t-a-t.

    Parameters
    ----------
    ratings
        The data.
    request
        Interval, level, replicates and seed; of the model what it makes of known cases.

    Yields
    ------
    Step
        Phase ``pairs`` before each pair, and the phases of its fit.

    Raises
    ------
    CannotAnswerError
        When there are fewer than two classes.
    """
    ratings = ratings.decided()
    labels = ratings.classes
    if len(labels) < 2:
        raise CannotAnswerError(_("There is only one class, so there is no pair."), fix=_("Declare the other classes."))
    every = list(combinations(labels, 2))
    items = []
    for done, (first, second) in enumerate(every):
        yield Step(done, len(every), "pairs")
        pair = yield from _pair(ratings, first, second, request)
        items.append(pair)
    views = [
        View(ratings.merged(((p.first,), (p.second,))), p.fit)
        for p in items
        if p.fit is not None and _comparable(p.fit)
    ]
    apart = None
    if request.interval != "none":
        apart = yield from paired_differences(ratings, views, request.level, request.seed)
    yield Step(len(every), len(every), "pairs")
    return Pairs(labels, tuple(items), differences=apart)


def _too_few_of_pair(two: Ratings, first: str, second: str) -> str | None:
    """Why the subjects with two such ratings say too little of one of the classes, or None."""
    several = two.ratings_per_subject() > 1
    weight = two.subject_weights()
    for side, label in enumerate((first, second)):
        there = np.zeros(weight.size, dtype=bool)
        there[two.subject[two.category == side]] = True
        cases = int(weight[there & several].sum())
        if cases == 0:
            return _(
                "All {ratings} that can be compared are in one class, none is '{label}', so '{first}' and "
                "'{second}' cannot be told apart."
            ).format(label=Label(label), first=Label(first), second=Label(second))
        if cases < LEAST:
            return ngettext(
                "Only {n} {subject} has {a_rating} of '{label}' to compare, too few: {least} are needed.",
                "Only {n} {subjects} have {a_rating} of '{label}' to compare, too few: {least} are needed.",
                cases,
            ).format(n=cases, label=Label(label), least=LEAST)
    return None


def _pair(ratings: Ratings, first: str, second: str, request: Request) -> Run[Pair]:
    two = ratings.merged(((first,), (second,)))
    weight = two.subject_weights()
    compared = int(weight[two.ratings_per_subject() > 1].sum())
    kappa = kappa_estimate(two, request.level)
    alone = _(
        "No {subject} has two {ratings} that are '{first}' or '{second}', so there is no agreement to learn from."
    )
    fit, accuracy = None, undefined(alone.format(first=Label(first), second=Label(second)))
    reason = _too_few_of_pair(two, first, second) if compared else None
    if reason:
        # A rating that stands alone in its subject lifts kappa without ever being compared.
        kappa, accuracy = undefined(reason), undefined(reason)
    elif compared:
        try:
            fit = yield from analyse(two, _request("t-a-t", request), shares=False)
            accuracy = fit.estimate("a")
        except TapdeskError as error:
            accuracy = undefined(error.what)
    return Pair(first, second, two.subject_count, two.rating_count, compared, kappa, root(kappa), accuracy, fit)
