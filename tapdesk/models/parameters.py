"""The parameters of a model as arrays, and the names they are known by."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import Label, Message, RaterName, Symbol, joined


@dataclass(frozen=True, eq=False)
class Parameters:
    """Values of truth, accuracy and guessing, all probabilities.

    Leading axes of length 1 mean "shared by all raters", ``by class`` axes of length 1 "by all true classes".

    Attributes
    ----------
    truth
        Shape (K,): rates of the true classes.
    accuracy
        Shape (U or 1, K or 1): by unit (rater) and true class.
    guessing
        Shape (U or 1, K or 1, K): by unit, true class and rated class; sums to one over the last axis.
    slopes
        Shape (1 + covariates,): intercept and coefficients of a regression on the logit scale; empty otherwise.
    """

    truth: NDArray[np.float64]
    accuracy: NDArray[np.float64]
    guessing: NDArray[np.float64]
    slopes: NDArray[np.float64]

    @property
    def classes(self) -> int:
        """Number of classes K."""
        return self.truth.size

    def rating_rates(self) -> NDArray[np.float64]:
        """Shape (U or 1, K, K): probability of the rated class (last axis) given unit and true class."""
        k = self.classes
        miss = (1 - self.accuracy)[:, :, None] * self.guessing
        full = np.broadcast_to(miss, (miss.shape[0], k, k)).copy()
        full[:, np.arange(k), np.arange(k)] += self.accuracy
        return full


@dataclass(frozen=True, slots=True)
class ParameterName:
    """How one number is called (cli.md, "Names").

    Attributes
    ----------
    name
        ``t``, ``a``, ``p``, ``a0``, ``a1``, ``p0``, ``p1``, ``pi`` or ``b``.
    category
        Class label: of K-class vectors, and the true class of ``pi``; else None.
    rater
        Rater name of per-rater parameters; else None.
    rated
        The rated class of ``pi``; else None.
    covariate
        Covariate of a regression slope; else None.
    """

    name: str
    category: str | None = None
    rater: str | None = None
    rated: str | None = None
    covariate: str | None = None

    def as_message(self) -> str:
        """As `str`, for a sentence: it knows which part of it is the name of a rater."""
        inside = ((Label, self.category), (RaterName, self.rater), (Label, self.rated), (Label, self.covariate))
        told = [kind(text) for kind, text in inside if text is not None]
        if not told:
            return Symbol(self.name)
        return Message("{symbol}[{inside}]", fields={"symbol": Symbol(self.name), "inside": joined(*told, sep=", ")})

    def __str__(self) -> str:
        inside = [x for x in (self.category, self.rater, self.rated, self.covariate) if x is not None]
        return f"{self.name}[{', '.join(inside)}]" if inside else self.name
