"""The tables of long studies that come with the program, in the few numbers a reader asks for.

They take hours and are not made again here: what a dossier can say of them now is what they hold, and whether that is
within what is promised of it.
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from tapdesk import resources
from tapdesk.worlds.claims import CLAIMS
from tapdesk.worlds.study import is_within

Row = Mapping[str, str]
KINDS = ("profile", "wald", "posterior", "bootstrap", "parametric-bootstrap")
"""Kinds of intervals, each with a table of its own."""
FURTHEST, FEWEST = 0.03, 100
"""How far what is said may lie from what is true, and the fewest sayings of a band that is judged by it."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Shares of several cells of a study: the least, the middle and the largest one."""

    cells: int
    least: float
    middle: float
    most: float


@dataclass(frozen=True, slots=True)
class FalseWords:
    """One thing that may be said falsely.

    Attributes
    ----------
    about
        What would be false.
    limit
        The share in which it may be; None where nothing is promised.
    of_cases
        Whether cases are counted, not panels.
    counts
        Of each of the two tables how often it was false, and how often it could be judged.
    """

    about: str
    limit: float | None
    of_cases: bool
    counts: tuple[tuple[int, int], tuple[int, int]]


def study_rows(folder: str, name: str) -> list[dict[str, str]]:
    """The rows of one table."""
    with resources.path("help", folder, f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def spread(rows: Iterable[Row], column: str) -> Spread | None:
    """The shares of a column, of the cells that have one; None where none has."""
    shares = [float(row[column]) for row in rows if row[column]]
    return Spread(len(shares), min(shares), median(shares), max(shares)) if shares else None


def false_words() -> tuple[FalseWords, ...]:
    """Every claim with how often it was false, in the first table and in the second one."""
    tables = study_rows("words", "words"), study_rows("words", "again")
    first, second = ({claim.key: _counts(rows, claim.key) for claim in CLAIMS} for rows in tables)
    return tuple(
        FalseWords(one.about, one.limit, one.cases is not None, (first[one.key], second[one.key])) for one in CLAIMS
    )


def _counts(rows: Sequence[Row], claim: str) -> tuple[int, int]:
    own = [row for row in rows if row["claim"] == claim]
    return sum(map(_false, own)), sum(int(row["judged"]) for row in own)


def _false(row: Row) -> int:
    return round(float(row["false"]) * int(row["judged"]))


def words_beyond() -> tuple[int, tuple[str, ...]]:
    """How many rows of the tables of words there are, and those above their limit."""
    rows = [row for name in ("words", "again") for row in study_rows("words", name)]
    limits = {claim.key: claim.limit for claim in CLAIMS}
    return len(rows), tuple(
        f"{row['world']}, {row['claim']}"
        for row in rows
        if not is_within(_false(row), int(row["judged"]), limits[row["claim"]])
    )


def beliefs() -> list[dict[str, str]]:
    """What is believed of cases as the program tells it, by kind of panel and by band."""
    return [row for row in study_rows("coverage", "beliefs") if row["how"] == "averaged"]


def beliefs_beyond() -> tuple[int, tuple[str, ...]]:
    """How many bands of beliefs there are, and those in which more is said than is right."""
    rows = beliefs()
    return len(rows), tuple(
        f"{row['panel']}, {row['from']} to {row['to']}"
        for row in rows
        if float(row["said"]) - float(row["right"]) > FURTHEST
    )


def awards_beyond() -> tuple[int, tuple[str, ...]]:
    """How many bands of awards are judged, and those in which what is said lies too far from what is true."""
    rows = [row for row in study_rows("coverage", "awards") if int(row["n"]) >= FEWEST]
    return len(rows), tuple(
        f"{row['scores']}, {row['saying']}, {row['from']} to {row['to']}"
        for row in rows
        if abs(float(row["said"]) - float(row["true"])) > FURTHEST
    )
