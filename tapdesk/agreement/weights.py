"""How much two unequal classes still agree, and how far apart they are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
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
            _("The weights change when the two ratings change places."), where, _("Make the table symmetric.")
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
                _("The table of weights has {given} classes, the ratings have {k}.").format(
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
