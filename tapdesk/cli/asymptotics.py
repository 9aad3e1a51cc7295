"""What simulated ratings come to in the long run, as words and as records."""

from collections.abc import Sequence
from typing import Any

from tapdesk.cli.tables import Column, aligned, number
from tapdesk.models.simulate import Asymptotic

_REGRESSION = "What this comes to in the long run depends on the columns that the accuracy goes with."
_MATCHES = (
    ("accurate", "both justified"),
    ("mixed", "one justified, one by luck"),
    ("inaccurate", "both by luck"),
    ("observed", "all pairs that match"),
    ("random", "two guesses match"),
    ("kappa", "Fleiss' kappa"),
)


def words(found: Asymptotic | None, classes: Sequence[str]) -> str:
    """The shares in the long run as two tables, with what they are shares of."""
    if found is None:
        return _REGRESSION
    shares = [
        (label, number(float(t)), number(float(c)))
        for label, t, c in zip(classes, found.truth, found.given, strict=True)
    ]
    matches = [(title, number(getattr(found, name))) for name, title in _MATCHES]
    parts = [
        "In the long run, by the numbers themselves:",
        aligned([Column("Class"), Column.right("true of cases"), Column.right("of the ratings")], shares),
        aligned([Column("Pairs of ratings of a case"), Column.right("share")], matches),
    ]
    if found.observed is None:
        parts.append("A single rater has no pairs, so there is nothing that could match.")
    elif found.accurate is None:
        parts.append("This model has no accuracy, so the matches have no causes.")
    return "\n".join(parts)


def record(found: Asymptotic | None, classes: Sequence[str]) -> dict[str, Any] | None:
    """The same as plain values; None of a regression."""
    if found is None:
        return None
    rates = [
        {"class": label, "true": float(t), "given": float(c)}
        for label, t, c in zip(classes, found.truth, found.given, strict=True)
    ]
    return {"classes": rates, **{name: getattr(found, name) for name, _title in _MATCHES}}
