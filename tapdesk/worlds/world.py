"""A world: raters who judge cases in a known way, so that every sentence about their ratings can be held against it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr, ndtri

from tapdesk.models.parameters import FloatArray
from tapdesk.ratings.grid import csv_text
from tapdesk.ratings.options import RatersAre, ReadingOptions

IntArray = NDArray[np.int64]
MISSING = -1
# What fills the cell of a rating that is missing: nothing.
_BLANK = ""


@dataclass(frozen=True, eq=False)
class SimulatedPanel:
    """One set of ratings drawn from a world.

    Attributes
    ----------
    labels
        Of the classes.
    ratings
        Shape (cases, raters): place of the class in ``labels``, ``MISSING`` where there is none.
    truth
        Shape (cases,): place of the true class.
    ages
        A number known of each rater; empty where none is.
    named
        Whether the columns are people; else they are seats that anybody may have taken.
    """

    labels: tuple[str, ...]
    ratings: IntArray
    truth: IntArray
    ages: tuple[float, ...] = ()
    named: bool = True

    @property
    def raters(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(f"R{j + 1}" for j in range(self.ratings.shape[1]))

    @property
    def options(self) -> ReadingOptions:
        """What a user says of the file."""
        return ReadingOptions(raters_are=None if self.named else RatersAre.SEATS)

    @cached_property
    def unanimous(self) -> bool:
        """Whether the ratings of each case are all the same."""
        shown = np.ma.masked_equal(self.ratings, MISSING)
        return bool((shown.max(axis=1) == shown.min(axis=1)).all())

    def text(self) -> str:
        """The ratings as the file a user brings: a column for each rater, or a row for each rating where ages are."""
        cells = [[_BLANK if c == MISSING else self.labels[c] for c in row] for row in self.ratings]
        if not self.ages:
            rows = [(f"c{i + 1}", *row) for i, row in enumerate(cells)]
            return csv_text(("case", *self.raters), rows).text
        seats = tuple(zip(self.raters, self.ages, strict=True))
        rows = [
            (f"c{i + 1}", name, cell, f"{age:g}")
            for i, row in enumerate(cells)
            for (name, age), cell in zip(seats, row, strict=True)
            if cell
        ]
        return csv_text(("case", "rater", "rating", "age"), rows).text


@dataclass(frozen=True, slots=True)
class World:
    """How ratings come about. What is not named is as the model ``t-a-p`` has it.

    Attributes
    ----------
    key, about
        Short name, and one sentence for a reader.
    cases, raters
        Size of a panel.
    truth
        True rate of each class.
    accuracy
        Share of ratings that follow the case: one for all raters, or one for each.
    guessing
        How the other ratings fall into the classes: one row for all raters, or one for each.
    by_class
        Accuracy where the case is of each class, in place of ``accuracy``.
    hard
        Share of cases on which every rater guesses.
    spread
        Standard deviation of the difficulty of cases on the probit scale; rates of ratings over all cases stay what
        ``accuracy`` and ``guessing`` make them (Qu, Tan and Kutner 1996, Biometrics 52, 797).
    varied
        Whether each case has an accuracy of its own, all between 0 and 1 equally likely, in place of ``accuracy``.
    near
        Standard deviation of an error on an ordered scale, in grades, in place of all guessing.
    copied
        Share of cases on which the second rater writes what the first wrote.
    herd
        Share of cases on which all write what the first wrote.
    lookalike
        Share of cases truly of the first class which to everyone are of the second.
    camp
        So many of the last raters judge something else, that has nothing to do with the first.
    turned
        So many of the last raters use a scale of two classes the other way round.
    later
        Accuracy in the second half of the cases; None where it is the same.
    missing
        Share of ratings that are not there.
    ages
        A number known of each rater.
    slope
        What the logit of the accuracy gains with one unit of that number, beyond its mean.
    uneven
        Standard deviation of the logit of the accuracy from rater to rater, drawn anew for every panel.
    labels
        Of the classes; by default no and yes, or numbered grades.
    named
        Whether the file says who gave which rating.
    """

    key: str
    about: str
    cases: int
    raters: int
    truth: tuple[float, ...] = (0.6, 0.4)
    accuracy: tuple[float, ...] = (0.6,)
    guessing: tuple[tuple[float, ...], ...] = ((0.6, 0.4),)
    by_class: tuple[float, ...] = ()
    hard: float = 0.0
    spread: float = 0.0
    varied: bool = False
    near: float = 0.0
    copied: float = 0.0
    herd: float = 0.0
    lookalike: float = 0.0
    camp: int = 0
    turned: int = 0
    later: float | None = None
    missing: float = 0.0
    ages: tuple[float, ...] = ()
    slope: float = 0.0
    uneven: float = 0.0
    labels: tuple[str, ...] = ()
    named: bool = True

    # What is true here ---------------------------------------------------------------------------------------------

    @property
    def classes(self) -> tuple[str, ...]:
        """Labels of the classes."""
        count = len(self.truth)
        return self.labels or (("no", "yes") if count == 2 else tuple(str(k + 1) for k in range(count)))

    @property
    def alone(self) -> bool:
        """Whether every rater judges alone: nobody copies, and nothing deceives or divides them all."""
        return not (self.copied or self.herd or self.lookalike or self.camp)

    @property
    def alike_cases(self) -> bool:
        """Whether no case is harder than another."""
        return not (self.hard or self.spread or self.varied or self.near or self.later is not None)

    @property
    def alike_raters(self) -> bool:
        """Whether raters differ in nothing."""
        apart = {*self.accuracy[1:]} - {self.accuracy[0]} or {*self.guessing[1:]} - {self.guessing[0]}
        return not (apart or self.uneven or self.slope or self.turned or self.camp or self.copied)

    @property
    def unlike(self) -> tuple[int, ...]:
        """Places of the raters whose accuracy is not that of most; of raters who are all alike nobody."""
        if len(self.accuracy) == 1:
            return ()
        most = max(self.accuracy, key=self.accuracy.count)
        return tuple(j for j, one in enumerate(self.accuracy) if one != most)

    @property
    def as_modelled(self) -> bool:
        """Whether ``t-a-p`` holds to the letter."""
        return self.alone and self.alike_cases and self.alike_raters and not self.by_class

    @property
    def mean_accuracy(self) -> float | None:
        """Share of ratings that follow their case; None where no such share is defined."""
        if self.near or self.herd or self.lookalike or self.camp or self.uneven or self.slope or self.turned:
            return None
        if self.varied:
            return 0.5
        one = float(np.dot(self.truth, self.by_class)) if self.by_class else float(np.mean(self.accuracy))
        one = one if self.later is None else (one + self.later) / 2
        return one * (1 - self.hard)

    # Panels --------------------------------------------------------------------------------------------------------

    def draw(self, random: np.random.Generator) -> SimulatedPanel:
        """A panel of this world."""
        truth = random.choice(len(self.truth), self.cases, p=self.truth)
        seen = self._seen(truth, random)
        if self.near:
            ratings = np.rint(seen + self.near * random.standard_normal(seen.shape)).astype(np.int64)
            ratings = np.clip(ratings, 0, len(self.truth) - 1)
        elif self.spread:
            ratings = self._of_spread_cases(seen, random)
        else:
            ratings = np.where(random.random(seen.shape) < self._accuracies(truth, random), seen, self._guesses(random))
        copied = random.random(self.cases) < self.copied
        ratings[copied, 1] = ratings[copied, 0]
        herd = random.random(self.cases) < self.herd
        ratings[herd] = ratings[herd, :1]
        if self.turned:
            ratings[:, -self.turned :] = 1 - ratings[:, -self.turned :]
        ratings[random.random(ratings.shape) < self.missing] = MISSING
        return SimulatedPanel(self.classes, ratings.astype(np.int64), truth.astype(np.int64), self.ages, self.named)

    def _seen(self, truth: IntArray, random: np.random.Generator) -> IntArray:
        """Shape (cases, raters): the class that a rating follows if it follows anything."""
        apparent = np.where((truth == 0) & (random.random(truth.size) < self.lookalike), 1, truth)
        seen = np.repeat(apparent[:, None], self.raters, axis=1)
        if self.camp:
            other = random.choice(len(self.truth), self.cases, p=self.truth)
            seen[:, -self.camp :] = other[:, None]
        return seen

    def _accuracies(self, truth: IntArray, random: np.random.Generator) -> FloatArray:
        """Shape (cases, raters): probability that a rating follows its case."""
        rates = np.broadcast_to(np.asarray(self.accuracy), self.raters).copy()
        if self.ages or self.uneven:
            logit = np.log(rates / (1 - rates)) + self.uneven * random.standard_normal(self.raters)
            ages = np.asarray(self.ages or np.zeros(self.raters))
            rates = expit(logit + self.slope * (ages - ages.mean()))
        every = np.repeat(rates[None, :], self.cases, axis=0)
        if self.by_class:
            every = np.repeat(np.asarray(self.by_class)[truth][:, None], self.raters, axis=1)
        if self.varied:
            every = np.repeat(random.random((self.cases, 1)), self.raters, axis=1)
        if self.later is not None:
            every[self.cases // 2 :] = self.later
        every[random.random(self.cases) < self.hard] = 0.0
        return every

    def _guesses(self, random: np.random.Generator) -> IntArray:
        """Shape (cases, raters): what each rating is if it follows nothing."""
        rows = np.asarray(self.guessing)
        cuts = np.cumsum(np.broadcast_to(rows, (self.raters, rows.shape[1])), axis=1)[:, :-1]
        picks = random.random((self.cases, self.raters, 1))
        return np.asarray((picks > cuts[None, :, :]).sum(axis=2), dtype=np.int64)

    def _of_spread_cases(self, seen: IntArray, random: np.random.Generator) -> IntArray:
        """Ratings of two classes whose cases are easier or harder than others, the same for all raters."""
        one, guess = self.accuracy[0], np.asarray(self.guessing[0])
        right = one + (1 - one) * guess[seen]
        ease = random.standard_normal((self.cases, 1))
        share = ndtr(ndtri(right) * np.sqrt(1 + self.spread**2) + self.spread * ease)
        return np.where(random.random(seen.shape) < share, seen, 1 - seen)
