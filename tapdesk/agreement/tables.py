"""WEIGHTS AND Ratings as tables: subjects by classes, raters by classes, and pairs of raters.

The unit is the *vote*: each rater has one vote on each subject. Where a rater rated a subject more than once, the
repeats share that vote (three ratings "a, a, b" are two thirds of a vote for a and one third for b), and only votes
of two different raters are compared: a rater agreeing with themselves is not agreement between raters.
Where raters are not known, repeats cannot be told apart and every rating counts as the vote of another rater.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.agreement.quantity import Family, LeftOut, Usage
from tapdesk.errors import UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings.patterns import tabulate
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.texts import number

NO_ORDER = _(
    "The classes have no order, so there is no nearer or farther between them. If they have one, "
    "put them in order when the file is read."
)
NO_ZERO = _("The ratio metric needs class labels that are numbers of at least 0, with 0 meaning none.")


@dataclass(frozen=True, eq=False)
class Scores:
    """The classes as numbers.

    Attributes
    ----------
    values
        Shape (K,): a number for each class.
    counted
        True where the labels are not numbers and the classes are counted 1, 2, 3 in their order.
    """

    values: NDArray[np.float64]
    counted: bool


def scores(ratings: Ratings) -> Scores | None:
    """The classes as numbers: the labels themselves, else their rank; None where the classes have no order.

    Two classes always have ranks: with two, every order and every spacing says the same.
    """
    for decimal in (".", ","):
        read = [_number(label, decimal) for label in ratings.classes]
        values = np.array([np.nan if x is None else x for x in read])
        # One number written in two ways (1 and 1.0) is two classes without a distance.
        if np.isfinite(values).all() and np.unique(values).size >= min(2, values.size) > 0:
            return Scores(values, counted=False)
    if ratings.ordered or len(ratings.classes) <= 2:
        return Scores(np.arange(1.0, len(ratings.classes) + 1), counted=True)
    return None


def _number(label: str, decimal: str) -> float | None:
    """A label as a number; powers of ten (1e5) too."""
    try:
        return float(label)
    except ValueError:
        return number(label, decimal)


@dataclass(frozen=True, eq=False)
class Weights:
    """Credit for a pair of ratings: 1 for the same class, down to 0.

    Attributes
    ----------
    name
        ``identity``, ``linear``, ``quadratic``, ``ordinal`` or the user's own name.
    matrix
        Shape (K, K): symmetric, ones on the diagonal, between 0 and 1.
    """

    name: str
    matrix: NDArray[np.float64]

    @property
    def disagreement(self) -> NDArray[np.float64]:
        """Shape (K, K): what is missing to full credit."""
        return 1.0 - self.matrix

    @property
    def identity(self) -> bool:
        """Whether only equal classes get credit."""
        return bool(np.array_equal(self.matrix, np.eye(self.matrix.shape[0])))


def user_weights(name: str, matrix: NDArray[np.float64]) -> Weights:
    """A user's matrix of credits, checked.

    Raises
    ------
    UsageError
        When the matrix is not square, symmetric, between 0 and 1 with ones on the diagonal and something below 1.
    """
    matrix = np.asarray(matrix, dtype=np.float64)
    where = f"weights '{name}'"
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise UsageError(
            _("The weights are not a square table."), where, _("Give one row and one column for each class.")
        )
    if not np.isfinite(matrix).all() or matrix.min() < 0 or matrix.max() > 1:
        raise UsageError(_("A weight is not between 0 and 1."), where, _("Use 1 for full agreement and 0 for none."))
    if (np.diag(matrix) != 1).any():
        raise UsageError(_("The same class twice must count as full agreement."), where, _("Put 1 on the diagonal."))
    if not np.array_equal(matrix, matrix.T):
        raise UsageError(
            _("The weights change when the two {ratings} change places."), where, _("Make the table symmetric.")
        )
    if matrix.min() == 1 and matrix.shape[0] > 1:
        raise UsageError(_("Every pair of classes counts as full agreement."), where, _("Give some pair less than 1."))
    return Weights(name, matrix)


def _linear(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 - np.abs(values[:, None] - values) / np.ptp(values)


def _quadratic(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 - ((values[:, None] - values) / np.ptp(values)) ** 2


def _ordinal(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pairs of classes lying within the span of two, out of all pairs (Gwet 2014, table 3.6)."""
    rank = np.argsort(np.argsort(values)).astype(np.float64)
    span = np.abs(rank[:, None] - rank)
    k = values.size
    credit: NDArray[np.float64] = 1 - span * (span + 1) / (k * (k - 1))
    return credit


BY_DISTANCE: Mapping[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "linear": _linear,
    "quadratic": _quadratic,
    "ordinal": _ordinal,
}
NAMES = ("identity", *BY_DISTANCE)


def weights(choice: str | Weights, ratings: Ratings) -> Weights | str:
    """The named weights on the classes of the data, or the sentence why they have no meaning there.

    Numeric labels keep their spacing (0, 5, 20); other ordered classes are counted 1, 2, 3.

    Parameters
    ----------
    choice
        A name, or a user's matrix.
    ratings
        The data, for their classes and order.

    Raises
    ------
    UsageError
        When the name is unknown or a user's matrix has another number of classes.
    """
    k = len(ratings.classes)
    if isinstance(choice, Weights):
        if choice.matrix.shape[0] != k:
            raise UsageError(
                _("The table of weights has {given} classes, the {ratings} have {k}.").format(
                    given=choice.matrix.shape[0], k=k
                ),
                f"weights '{choice.name}'",
                _("Give a row and a column for each of: {classes}.").format(classes=", ".join(ratings.classes)),
            )
        return choice
    if choice not in NAMES:
        raise UsageError(
            _("There are no weights '{choice}'.").format(choice=choice),
            fix=_("Choose from: {names}.").format(names=", ".join(NAMES)),
        )
    if choice == "identity" or k < 2:
        return Weights(choice, np.eye(k))
    numbers = scores(ratings)
    if numbers is None:
        return NO_ORDER
    return Weights(choice, BY_DISTANCE[choice](numbers.values))


NO_RATINGS = _("There are no {ratings}.")
NO_PAIRS = _("No {subject} has {ratings} by two {raters}, so there is nothing to compare.")
ONE_RATER = _("All {ratings} are by one {rater}: agreement between {raters} needs at least two.")
UNKNOWN_RATERS = _(
    "Who gave which {rating} is not known, so there is nothing to say about single {raters}. Give each "
    "{rater} a column or a name of their own."
)
PAIR_RATERS = 50
PAIR_RATINGS = 20_000_000


@dataclass(frozen=True)
class CountColumns:
    """Where the sums over subjects stand in the counts family, for K classes.

    Attributes
    ----------
    rated, paired
        Number of subjects with at least one, at least two votes.
    shares
        Shares of each subject's votes in each class, added up over rated subjects.
    agreement
        Shares of each subject's pairs of votes in each pair of classes, added up over paired subjects.
    pairable
        Votes in each class, of paired subjects.
    coincidence
        Pairs of votes in each pair of classes, each subject's divided by its votes minus one.
    matched, involved
        Pairs of votes both in a class, and pairs with the first one in it.
    """

    classes: int

    rated = 0
    paired = 1

    def _block(self, before: int, before_squared: int, width: int) -> slice:
        start = 2 + before * self.classes + before_squared * self.classes**2
        return slice(start, start + width)

    @property
    def shares(self) -> slice:
        """K columns."""
        return self._block(0, 0, self.classes)

    @property
    def pairable(self) -> slice:
        """K columns."""
        return self._block(1, 0, self.classes)

    @property
    def matched(self) -> slice:
        """K columns."""
        return self._block(2, 0, self.classes)

    @property
    def involved(self) -> slice:
        """K columns."""
        return self._block(3, 0, self.classes)

    @property
    def agreement(self) -> slice:
        """K * K columns."""
        return self._block(4, 0, self.classes**2)

    @property
    def coincidence(self) -> slice:
        """K * K columns."""
        return self._block(4, 1, self.classes**2)


class Tables:
    """The tables of one set of ratings, each made when it is first asked for.

    Parameters
    ----------
    ratings
        The data; tallied subjects count as often as they stand for.
    """

    def __init__(self, ratings: Ratings) -> None:
        self.ratings = ratings
        self.classes = len(ratings.classes)
        known = ratings.raters_known
        patterns = tabulate(ratings, ratings.rater, len(ratings.raters)) if known else tabulate(ratings)
        # Subjects without ratings, or standing for nobody, carry nothing.
        kept = (patterns.size > 0) & (patterns.weight > 0)
        row = np.cumsum(kept) - 1
        entry = kept[patterns.pattern]
        self.weight: NDArray[np.float64] = patterns.weight[kept]
        # The pattern of each subject; that of one without a pattern is one beyond the last.
        self.of_subject: NDArray[np.int64] = np.where(kept, row, self.weight.size)[patterns.of_subject]
        self.pattern: NDArray[np.int64] = row[patterns.pattern[entry]]
        self.category: NDArray[np.int64] = patterns.category[entry].astype(np.int64)
        self.count: NDArray[np.float64] = patterns.count[entry]
        unit = patterns.unit[entry].astype(np.int64)
        used, self.rater = np.unique(unit, return_inverse=True)
        self.raters = tuple(ratings.raters[j] for j in used) if known else ()
        self.ratings_of: NDArray[np.float64] = patterns.size[kept]
        ballot = self.pattern * max(used.size, 1) + self.rater
        _distinct, self.ballot = np.unique(ballot, return_inverse=True)
        cast = np.bincount(self.ballot, self.count)
        self.repeats = bool(known and (cast > 1).any())
        self.vote: NDArray[np.float64] = self.count / cast[self.ballot] if known else self.count

    @cached_property
    def votes(self) -> NDArray[np.float64]:
        """Shape (P, K): votes of each pattern in each class."""
        flat = self.pattern * self.classes + self.category
        table = np.bincount(flat, self.vote, self.weight.size * self.classes)
        return np.asarray(table, dtype=np.float64).reshape(-1, self.classes)

    @cached_property
    def voters(self) -> NDArray[np.float64]:
        """Shape (P,): number of raters (of ratings where raters are not known) of each pattern."""
        if not self.ratings.raters_known:
            return self.ratings_of
        first = np.unique(self.ballot, return_index=True)[1]
        return np.bincount(self.pattern[first], minlength=self.weight.size).astype(np.float64)

    @cached_property
    def counts(self) -> Family:
        """The counts family: one row for each distinct pattern of votes by class."""
        if self.repeats:
            return Family(self._count_features(self.votes, self.voters), self.weight)
        rows, of_pattern = np.unique(self.votes, axis=0, return_inverse=True)
        of_pattern = of_pattern.ravel()
        weight = np.bincount(of_pattern, self.weight, rows.shape[0]).astype(np.float64)
        return Family(self._count_features(rows, rows.sum(axis=1)), weight, of_pattern)

    def _count_features(self, votes: NDArray[np.float64], voters: NDArray[np.float64]) -> NDArray[np.float64]:
        k, q = self.classes, voters.size
        pairs = votes[:, :, None] * votes[:, None, :]
        if self.repeats:
            self._less_own_pairs(pairs)
        else:
            pairs[:, np.arange(k), np.arange(k)] -= votes
        more = np.maximum(voters - 1, 1)
        paired = voters > 1
        columns = CountColumns(k)
        features = np.zeros((q, columns.coincidence.stop))
        features[:, columns.rated] = 1
        features[:, columns.paired] = paired
        features[:, columns.shares] = votes / voters[:, None]
        features[:, columns.pairable] = votes * paired[:, None]
        features[:, columns.matched] = pairs[:, np.arange(k), np.arange(k)]
        features[:, columns.involved] = pairs.sum(axis=2)
        features[:, columns.agreement] = (pairs / (voters * more)[:, None, None]).reshape(q, -1)
        features[:, columns.coincidence] = (pairs / more[:, None, None]).reshape(q, -1)
        return features

    def _less_own_pairs(self, pairs: NDArray[np.float64]) -> None:
        """Take out of the pairs of votes those that a rater forms with themselves."""
        ballots = np.zeros((self.ballot.max(initial=-1) + 1, self.classes))
        ballots[self.ballot, self.category] = self.vote
        pattern = np.zeros(ballots.shape[0], dtype=np.int64)
        pattern[self.ballot] = self.pattern
        np.subtract.at(pairs, pattern, ballots[:, :, None] * ballots[:, None, :])

    @cached_property
    def paired(self) -> NDArray[np.bool_]:
        """Shape (Q,): rows of the counts family with at least two votes."""
        return np.asarray(self.counts.features[:, CountColumns.paired] > 0)

    @cached_property
    def rater_votes(self) -> Any:
        """Sparse, shape (P, J * K): the votes of each pattern by rater and class."""
        from scipy import sparse  # start-up cost: loads scipy.linalg as well

        at = (self.pattern, self.rater * self.classes + self.category)
        return sparse.csc_array((self.vote, at), shape=(self.weight.size, len(self.raters) * self.classes))

    @cached_property
    def rater_counts(self) -> NDArray[np.float64]:
        """Shape (J, P): the number of ratings of each rater in each pattern."""
        at = self.rater * self.weight.size + self.pattern
        flat = np.bincount(at, self.count, len(self.raters) * self.weight.size)
        return np.asarray(flat, dtype=np.float64).reshape(len(self.raters), self.weight.size)

    @cached_property
    def pair_names(self) -> tuple[tuple[int, int], ...]:
        """All pairs of raters, by index."""
        first, second = np.triu_indices(len(self.raters), 1)
        return tuple(zip(first.tolist(), second.tolist(), strict=True))

    @cached_property
    def pairs(self) -> Family:
        """Columns for every pair of raters: the K x K table of their votes on shared subjects, a block for a pair."""
        from scipy import sparse  # start-up cost: loads scipy.linalg as well

        order = np.lexsort((self.rater, self.pattern))
        pattern, rater = self.pattern[order].astype(np.int64), self.rater[order].astype(np.int64)
        category, vote = self.category[order].astype(np.int64), self.vote[order]
        k, j = self.classes, len(self.raters)
        rows, columns, products = [], [], []
        # Votes of one pattern stand together, so each is met with the one d places on, for d = 1, 2 ...
        for d in range(1, order.size):
            together = pattern[:-d] == pattern[d:]
            if not together.any():
                break
            one = np.flatnonzero(together & (rater[:-d] != rater[d:]))
            other = one + d
            pair = rater[one] * j - rater[one] * (rater[one] + 1) // 2 + rater[other] - rater[one] - 1
            rows.append(pattern[one])
            # Within a block the second rater's class changes slowest; PairTables in pairs.py reads it so.
            columns.append(pair * k * k + category[other] * k + category[one])
            products.append(vote[one] * vote[other])
        empty = [np.zeros(0, dtype=np.int64)]
        at = np.concatenate(rows or empty), np.concatenate(columns or empty)
        shape = (self.weight.size, len(self.pair_names) * k * k)
        return Family(sparse.csc_array((np.concatenate(products or empty), at), shape=shape), self.weight)

    def usage(self, rows: NDArray[np.bool_]) -> Usage:
        """What a coefficient of the counts family rests on, given the rows it uses."""
        family = self.counts
        used = rows[family.of_pattern] if family.of_pattern is not None else rows
        return self.pattern_usage(used)

    def pattern_usage(self, used: NDArray[np.bool_], ratings: NDArray[np.float64] | None = None) -> Usage:
        """What a coefficient rests on, given its patterns and, if not all, the number of ratings it uses of each."""
        weight = self.weight[used]
        subjects = round(float(weight.sum()))
        count = round(float(weight @ (self.ratings_of if ratings is None else ratings)[used]))
        left_out = LeftOut(self.ratings.subject_count - subjects, self.ratings.rating_count - count)
        return Usage(subjects, count, left_out)

    def outside_commonest(self) -> float:
        """Number of votes in all classes but the commonest."""
        votes = self.weight @ self.votes
        return float(votes.sum() - votes.max(initial=0))

    def no_pairs(self) -> str | None:
        """Why nothing can be compared, or None."""
        if not self.weight.size:
            return NO_RATINGS
        if (self.ratings.raters_known and len(self.raters) == 1) or not (self.voters > 1).any():
            return ONE_RATER if self.ratings.raters_known and len(self.raters) == 1 else NO_PAIRS
        return None

    def one_class(self) -> str | None:
        """Why agreement by chance cannot be told apart, or None."""
        used = np.flatnonzero(self.votes.any(axis=0))
        if used.size != 1:
            return None
        return _(
            "Every {rating} is '{label}', so chance alone would give the same agreement and nothing is "
            "left to correct. The raw agreement is 100 %."
        ).format(label=Label(self.ratings.classes[used[0]]))
