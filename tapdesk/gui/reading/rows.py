"""The first cases of the ratings as rows of words."""

import numpy as np

from tapdesk.ratings.ratings import Ratings

FIRST = 200
WIDEST = 60


def first_cases(ratings: Ratings, limit: int = FIRST) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows: a case each, with the class every rater gave it.

    Where raters are not known their seats stand instead; very many raters, or repeats, are told in one cell.
    Several ratings of one case by one rater stand beside each other in the cell.
    """
    last = int(np.searchsorted(ratings.subject, limit))
    subject, rater, category = ratings.subject[:last], ratings.rater[:last], ratings.category[:last]
    used = np.unique(rater)
    cases = min(limit, len(ratings.subjects))
    if used.size > WIDEST:
        return _in_one_cell(ratings, subject, rater, category, cases)
    column = {int(r): j for j, r in enumerate(used)}
    cells = [[""] * used.size for _ in range(cases)]
    for s, r, c in zip(subject.tolist(), rater.tolist(), category.tolist(), strict=True):
        j = column[r]
        label = ratings.classes[c]
        cells[s][j] = f"{cells[s][j]}, {label}" if cells[s][j] else label
    return _framed(ratings, tuple(ratings.raters[r] for r in used), cells)


def _in_one_cell(
    ratings: Ratings, subject: np.ndarray, rater: np.ndarray, category: np.ndarray, cases: int
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    told: list[list[str]] = [[] for _ in range(cases)]
    for s, r, c in zip(subject.tolist(), rater.tolist(), category.tolist(), strict=True):
        told[s].append(f"{ratings.raters[r]}: {ratings.classes[c]}")
    return _framed(ratings, ("Ratings",), [["; ".join(row)] for row in told])


def _framed(
    ratings: Ratings, columns: tuple[str, ...], cells: list[list[str]]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Rows with the name of the case, and how many cases it stands for where that is told."""
    if ratings.weight is None:
        return ("Case", *columns), [(ratings.subjects[i], *row) for i, row in enumerate(cells)]
    weights = ratings.weight
    rows = [(ratings.subjects[i], f"{int(weights[i]):,}", *row) for i, row in enumerate(cells)]
    return ("Case", "Stands for", *columns), rows
