"""Coefficients of other programs, kept with their versions, and ours of the same ratings computed again.

Left out is what means another thing there: weights of classes without an order, where other programs take the alphabet
for one, and weights of classes unevenly spaced, where two of them count places.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tapdesk import resources
from tapdesk.agreement.coefficients import Coefficient, agree
from tapdesk.dossier.reference import FOLDER, ReferenceValue
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings

PROGRAMS = ("irrcac", "krippendorff", "scikit-learn", "statsmodels")
WITHIN = 1e-9
_WEIGHTS = ("identity", "linear", "quadratic", "ordinal")
_UNORDERED, _UNEVEN = "words", "uneven-scores"
_NUMBERS = ("value", "se", "low", "high")


@dataclass(frozen=True, slots=True)
class PeerAnswers:
    """What another program answered, and ours.

    Attributes
    ----------
    program, version
        Which one.
    values
        Its numbers and ours.
    """

    program: str
    version: str
    values: tuple[ReferenceValue, ...]


def _file(name: str) -> Any:
    return json.loads(resources.path(FOLDER, "peers", f"{name}.json").read_text("utf-8"))


def peer_cases() -> dict[str, Mapping[str, Any]]:
    """The ratings that were given to every program, by name."""
    return {case["name"]: case for case in _file("cases")}


def peer_ratings(case: Mapping[str, Any]) -> Ratings:
    """One of these as ratings: a row for each case, a column for each rater, none where one is missing."""
    classes, rows = case["classes"], case["ratings"]
    cells = [(i, j, classes.index(x)) for i, row in enumerate(rows) for j, x in enumerate(row) if x is not None]
    raters = [f"R{j + 1}" for j in range(max(map(len, rows)))]
    subject, rater, category = np.array(cells, dtype=np.int64).T
    return Ratings.of(subject, rater, category, [f"S{i}" for i in range(len(rows))], raters, list(map(str, classes)))


def compare_peers() -> Run[tuple[PeerAnswers, ...]]:
    """Every kept coefficient beside ours.

    Yields
    ------
    Step
        One for each set of ratings, with those of the coefficients inside.
    """
    cases = peer_cases()
    ours: dict[str, Sequence[Coefficient]] = {}
    for i, (name, case) in enumerate(cases.items()):
        yield Step(i, len(cases), "coefficients")
        weights = _WEIGHTS if name != _UNORDERED else _WEIGHTS[:1]
        ours[name] = yield from agree(peer_ratings(case), weights=weights)
    made = []
    for program in PROGRAMS:
        kept = _file(program)
        values = tuple(value for name in cases for value in _values(program, name, kept["answers"][name], ours[name]))
        made.append(PeerAnswers(kept["program"], kept["version"], values))
    return tuple(made)


def _values(
    program: str, name: str, kept: Mapping[str, Mapping[str, float | None]], ours: Sequence[Coefficient]
) -> Iterator[ReferenceValue]:
    for key, numbers in kept.items():
        coefficient, scheme, *pair = key.split("/")
        if _means_another(program, name, coefficient, scheme):
            continue
        # Alpha is told by its metric, which is not the weights of others.
        metric = scheme if program == "krippendorff" else "nominal" if coefficient == "krippendorff_alpha" else None
        weights = "identity" if metric is not None else scheme
        raters = tuple(f"R{int(j) + 1}" for j in pair[0].split("-")) if pair else None
        one = _which(ours, coefficient, weights, metric, raters)
        for number in _NUMBERS:
            if number in numbers:
                value = None if one is None else getattr(one.estimate, number)
                yield ReferenceValue(
                    f"{name} {key} {number}", numbers[number], value, WITHIN, available=one is not None
                )


def _means_another(program: str, name: str, coefficient: str, scheme: str) -> bool:
    """Whether a number of another program is none of ours by its definition."""
    if scheme == "identity" or program == "krippendorff":
        return False
    if coefficient == "krippendorff_alpha":
        return True
    return name == _UNORDERED or (name == _UNEVEN and program != "irrcac")


def _which(
    ours: Sequence[Coefficient], name: str, weights: str, metric: str | None, raters: tuple[str, ...] | None
) -> Coefficient | None:
    """The one coefficient that is meant."""
    return next(
        (
            one
            for one in ours
            if one.name == name
            and (one.metric == metric if metric is not None else one.weights == weights)
            and raters in {None, one.raters}
            and one.category is None
        ),
        None,
    )
