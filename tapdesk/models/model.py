"""A model is one choice of sharing for each of truth, accuracy and guessing."""

from dataclasses import dataclass
from enum import Enum


class Truth(Enum):
    """What is assumed about the true class rates."""

    FREE = "one free vector"
    OBSERVED = "fixed at the observed rates"
    UNIFORM = "fixed, all classes equal"
    SHARPENED = "one number for each subject, sharpened towards 0 and 1"


class Accuracy(Enum):
    """Who shares an accuracy."""

    ONE = "one for all"
    PER_CLASS = "one for each true class"
    PER_RATER = "one for each rater"
    REGRESSION = "logistic in covariates"
    NONE = "none: guessing by true class says everything"


class Guessing(Enum):
    """Who shares the rates of the classes picked without knowledge."""

    ONE = "one vector for all"
    AS_TRUTH = "tied to the true class rates"
    OBSERVED = "fixed at the observed rates"
    PER_CLASS = "one vector for each true class"
    PER_RATER = "one vector for each rater"
    PER_RATER_AND_CLASS = "one vector for each rater and true class"


@dataclass(frozen=True, slots=True)
class RaterModel:
    """One point of the sharing grid (models.md §2).

    Each rating is accurate with probability a, and then the true class; otherwise it is drawn from p:
    Pr(C = c | T = k) = a I(c = k) + (1 - a) p(c).

    Attributes
    ----------
    name
        The name used in commands, reports and files.
    truth, accuracy, guessing
        The sharing choices.
    about
        What the model assumes, one plain sentence.
    covariates
        Names of the covariates of a regression, in order.
    """

    name: str
    truth: Truth
    accuracy: Accuracy
    guessing: Guessing
    about: str = ""
    covariates: tuple[str, ...] = ()

    @property
    def by_rater(self) -> bool:
        """Whether the model needs to know who gave each rating."""
        return self.accuracy is Accuracy.PER_RATER or self.guessing in {
            Guessing.PER_RATER,
            Guessing.PER_RATER_AND_CLASS,
        }
