"""One agreement coefficient as it is reported."""

from dataclasses import dataclass, field
from typing import Any

from tapdesk.agreement.quantity import LeftOut
from tapdesk.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient, its estimate and what it rests on.

    Attributes
    ----------
    name
        ``fleiss_kappa`` ... as in ``catalog.COEFFICIENTS``.
    weights
        Name of the weights, ``identity`` for an ICC, which knows no others; None for alpha by any metric but nominal.
    metric
        Krippendorff's metric; None for the others.
    category
        The class of a specific agreement; None for the others.
    raters
        The two raters of Cohen's kappa; None for the others.
    estimate
        Value, standard error and interval, or why there is none.
    subjects, ratings
        Numbers used.
    left_out
        Numbers of subjects and ratings not used.
    note
        What the reader must know beside the number; empty when nothing.
    """

    name: str
    weights: str | None
    metric: str | None
    category: str | None
    raters: tuple[str, str] | None
    estimate: Estimate
    subjects: int
    ratings: int
    left_out: LeftOut = field(default_factory=LeftOut)
    note: str = ""

    def record(self) -> dict[str, Any]:
        """The fields of the command line's JSON (cli.md), in its order, and what else there is to say."""
        e = self.estimate
        return {
            "name": self.name,
            "weights": self.weights,
            "metric": self.metric,
            "class": self.category,
            "raters": None if self.raters is None else list(self.raters),
            "value": e.value,
            "se": e.se,
            "low": e.low,
            "high": e.high,
            "undefined": e.undefined,
            "subjects": self.subjects,
            "ratings": self.ratings,
            "left_out": {"subjects": self.left_out.subjects, "ratings": self.left_out.ratings},
            "how": e.how,
            "no_interval": e.no_interval,
            "note": self.note,
        }
