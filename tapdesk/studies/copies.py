"""Many data sets simulated on one real design and told as weights of the patterns they have in common.

For models that know their raters, or designs with too many vectors of class counts to list (`worlds`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.design import Design, design
from tapdesk.models.model import RaterModel
from tapdesk.models.parameters import Parameters
from tapdesk.models.simulate import one_by_one, simulate_like
from tapdesk.models.stack import FloatArray
from tapdesk.ratings.ratings import Ratings

_CHUNK = 400_000


@dataclass(frozen=True, eq=False)
class Copies:
    """Some simulated data sets in one table.

    Attributes
    ----------
    ratings
        All of them, one after the other within each subject of the design.
    count
        How many data sets B.
    """

    ratings: Ratings
    count: int

    @property
    def owner(self) -> NDArray[np.int64]:
        """Shape (N B,): the data set of each subject."""
        return np.arange(len(self.ratings.subjects)) % self.count

    def told(self, model: RaterModel) -> tuple[Design, FloatArray]:
        """The patterns of a model over all data sets, and how often each data set has them, shape (B, P)."""
        plan = design(model, self.ratings)
        p = plan.patterns.patterns
        flat = self.owner * p + plan.patterns.of_subject
        return plan, np.bincount(flat, minlength=self.count * p).reshape(self.count, p).astype(np.float64)

    def class_counts(self, *, by_rater: bool) -> FloatArray:
        """Shape (B, raters or 1, K): number of ratings in each class."""
        r, k = (len(self.ratings.raters) if by_rater else 1), len(self.ratings.classes)
        rater = self.ratings.rater.astype(np.int64) if by_rater else np.zeros(self.ratings.subject.size, dtype=np.int64)
        flat = (self.owner[self.ratings.subject] * r + rater) * k + self.ratings.category
        return np.bincount(flat, minlength=self.count * r * k).reshape(self.count, r, k).astype(np.float64)


def portion(ratings: Ratings) -> int:
    """How many data sets on the design of the ratings fit the memory side by side; it follows from the design alone."""
    subjects = int(ratings.subject_weights().sum())
    # Two data sets hardly share a pattern where there are many raters, so the table may grow with the square.
    return int(np.clip(np.sqrt(_CHUNK / max(subjects * len(ratings.classes), 1)), 1, 400))


def copies(
    ratings: Ratings,
    model: RaterModel,
    point: Parameters,
    replicates: int,
    seed: np.random.SeedSequence,
    first: int = 0,
) -> Iterator[Copies]:
    """Data sets simulated on the design of the ratings, in portions whose patterns side by side fit the memory.

    Parameters
    ----------
    ratings
        The design.
    model, point
        What is simulated.
    replicates
        Up to which data set.
    seed
        Each portion has random numbers of its own.
    first
        From which data set on, a multiple of `portion`: what is before it was simulated elsewhere.
    """
    ratings = one_by_one(ratings)
    n, size = len(ratings.subjects), portion(ratings)
    for done in range(first, replicates, size):
        count = min(size, replicates - done)
        own = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, done // size))
        yield Copies(simulate_like(replace(ratings, weight=np.full(n, count)), model, point, own)[0], count)
