"""Rows and columns of a table that are computed from its others, whatever they are called: sums, means, medians."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from tapdesk.ratings.layouts.roles import Roles, unlike_most
from tapdesk.ratings.options import Layout
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import number_of_either
from tapdesk.ratings.vocabulary import OUTCOME, words

Numbers = NDArray[np.float64]

# A table so short adds up by chance; of one so long the first rows tell, and nobody sums it up below.
_FEWEST, _MOST = 5, 20_000
# So many rows below a table may sum it up: total, mean, deviation.
_BELOW = 3
# A good rater gives the median of the others often, but not so often where they differ.
_DIFFERING = 15
_ROUNDING = 1e-9
# Fewer different numbers than this agree by chance; more answers than that are no ticks.
_STEPS, _MOST_ANSWERS = 3, 12


def computed_columns(table: RatingTable, roles: Roles) -> frozenset[str]:
    """Rating columns that are sum, mean or median of all other rating columns in every row that has them.

    Parameters
    ----------
    table, roles
        Of a table with raters side by side; of others nothing is computed.
    """
    if roles.layout is not Layout.RATERS or len(roles.columns) < 3 or table.rows < _FEWEST:
        return frozenset()
    values, half = _numbers(table, roles.columns)
    return frozenset(
        name
        for i, name in enumerate(roles.columns)
        if _is_computed(values[:, i], half[:, i], np.delete(values, i, axis=1))
    )


def settled_columns(table: RatingTable, roles: Roles) -> frozenset[str]:
    """Rating columns called unlike raters that never leave what the other raters said, as an outcome agreed on does.

    It says what all others say wherever they agree; of numbers it lies nowhere outside those of the others.

    Parameters
    ----------
    table, roles
        Of a table with raters side by side; of others nothing is settled.
    """
    if roles.layout is not Layout.RATERS or len(roles.columns) < 3 or table.rows < _DIFFERING:
        return frozenset()
    odd = {*unlike_most(roles.columns), *(n for n in roles.columns if OUTCOME.intersection(words(n)))}
    return frozenset(name for name in odd if len(odd) < len(roles.columns) - 1 and _is_settled(table, name, roles, odd))


def _is_settled(table: RatingTable, name: str, roles: Roles, odd: Collection[str]) -> bool:
    others = tuple(n for n in roles.columns if n not in odd)
    values, _half = _numbers(table, (name, *others))
    if not np.isnan(values).any():
        shown = np.where(np.isfinite(values), values, np.nan)
        rows = np.isfinite(shown[:, 0]) & (np.isfinite(shown[:, 1:]).sum(axis=1) >= 2)
        own, rest = shown[rows, 0], shown[rows, 1:]
        low, high = np.nanmin(rest, axis=1, initial=np.inf), np.nanmax(rest, axis=1, initial=-np.inf)
        united = (low == high).sum() >= _DIFFERING or np.unique(values[np.isfinite(values)]).size > 2
        inside = bool(((own >= low) & (own <= high)).all())
        return bool(rows.sum() >= _DIFFERING and united and inside and (low < high).any())
    texts = [
        [table.column(n).text(i).strip().casefold() for n in (name, *others)] for i in range(min(table.rows, _MOST))
    ]
    united = [row[0] for row in texts if row[0] and all(row[1:]) and len(set(row[1:])) == 1]
    alike = all(row[0] == row[1] for row in texts if row[0] and all(row[1:]) and len(set(row[1:])) == 1)
    differ = any(len({t for t in row[1:] if t}) > 1 for row in texts)
    return alike and differ and len(united) >= _DIFFERING and len(set(united)) > 1


def is_computed_question(table: RatingTable, roles: Roles) -> bool:
    """Whether the question that is read is worked out from the others of its form, row by row.

    It is their sum, mean or median, those left of it, or a fixed multiple of their sum; or it counts one of their
    answers, or says its share.

    Parameters
    ----------
    table, roles
        Of a form with its questions side by side; of others nothing is computed.
    """
    if roles.layout is not Layout.QUESTIONS or not roles.others or roles.rating is None or table.rows < _FEWEST:
        return False
    values, half = _numbers(table, (roles.rating,))
    own, near = values[:, 0], half[:, 0]
    if np.isnan(own).any() or np.unique(own[np.isfinite(own)]).size < _STEPS:
        return False
    place = table.names.index(roles.rating)
    left = tuple(n for n in roles.others if table.names.index(n) < place)
    numbers, _half = _numbers(table, roles.others)
    plain = [not bool(np.isnan(numbers[:, i]).any()) for i in range(len(roles.others))]
    for names in dict.fromkeys((roles.others, left)):
        these = np.array([n in names and plain[i] for i, n in enumerate(roles.others)])
        if these.sum() > 1 and (
            _is_computed(own, near, numbers[:, these]) or _is_multiple(own, near, numbers[:, these])
        ):
            return True
        if len(names) > 1 and any(_counts_answer(own, near, table, names, text) for text in _answers(table, names)):
            return True
    return False


def _is_multiple(own: Numbers, half: Numbers, others: Numbers) -> bool:
    """Whether a column is a fixed multiple of the sum of others, as per cent of the points that can be had are."""
    rows = np.isfinite(own) & np.isfinite(others).all(axis=1)
    total = others[rows].sum(axis=1)
    if rows.sum() < _DIFFERING or (total <= 0).any() or np.unique(total).size < _STEPS:
        return False
    factor = float(own[rows].sum() / total.sum())
    return bool(factor > 0 and (np.abs(own[rows] - factor * total) <= 2 * half[rows] + _ROUNDING).all())


def _answers(table: RatingTable, names: tuple[str, ...]) -> list[str]:
    """The answers that several questions share, where they are few."""
    texts = [table.texts(n) for n in names]
    every = sorted(set().union(*texts))
    return [t for t in every if sum(t in own for own in texts) > 1] if len(every) <= _MOST_ANSWERS else []


def _counts_answer(own: Numbers, half: Numbers, table: RatingTable, names: tuple[str, ...], answer: str) -> bool:
    """Whether a column says how often an answer was given in a row, or in what share of the cells that are filled."""
    columns = [table.column(n) for n in names]
    hits = np.stack([np.array([v.strip() == answer for v in c.values])[c.codes[:_MOST]] for c in columns], axis=1)
    there = np.stack([~c.blank[:_MOST] for c in columns], axis=1)
    rows = np.isfinite(own) & there.any(axis=1)
    count, filled = hits[rows].sum(axis=1), there[rows].sum(axis=1)
    if rows.sum() < _DIFFERING or np.unique(count).size < _STEPS:
        return False
    near = half[rows] + _ROUNDING
    shown = (count, count / filled, 100 * count / filled)
    return any(bool((np.abs(own[rows] - number) <= near).all()) for number in shown)


def computed_rows(table: RatingTable, roles: Roles) -> NDArray[np.bool_]:
    """Shape (rows,): rows at the end that are the sum or the mean of all rows above in every column with a cell.

    Parameters
    ----------
    table, roles
        Of a table with raters side by side; of others nothing is computed.
    """
    marked = np.zeros(table.rows, dtype=bool)
    if roles.layout is not Layout.RATERS or len(roles.columns) < 2 or table.rows > _MOST:
        return marked
    values, half = _numbers(table, roles.columns)
    for below in range(1, _BELOW + 1):
        above = values[: table.rows - below]
        if len(above) < _FEWEST:
            break
        for row in range(table.rows - below, table.rows):
            marked[row] |= _sums_up(values[row], half[row], above)
    return marked


def _numbers(table: RatingTable, names: tuple[str, ...]) -> tuple[Numbers, Numbers]:
    """What the cells of the first rows say as numbers, blank -inf and words NaN, and half of their last place.

    Both of shape (rows, columns).
    """
    read, places = [], []
    for name in names:
        column = table.column(name)
        numbers = [-np.inf if not text.strip() else number_of_either(text) for text in column.values]
        half = np.array([_half_place(text) for text in column.values])
        read.append(np.array([np.nan if n is None else n for n in numbers], dtype=np.float64)[column.codes[:_MOST]])
        places.append(half[column.codes[:_MOST]])
    return np.stack(read, axis=1), np.stack(places, axis=1)


def _half_place(text: str) -> float:
    """Half of the last decimal place a number shows: .005 of ``0.47``, ``47%`` being the same."""
    digits = text.strip().rstrip("% ")
    shown = len(digits) - 1 - max(digits.rfind("."), digits.rfind(",")) if {".", ","} & set(digits) else 0
    return float(0.5 * 10.0 ** -(shown + 2 * text.strip().endswith("%")))


def _is_computed(own: Numbers, half: Numbers, others: Numbers) -> bool:
    """Whether a column is what the others come to in every row."""
    rows = np.isfinite(own)
    if rows.sum() < _FEWEST or np.isnan(own).any() or np.isnan(others).any():
        return False
    own, half, others = own[rows], half[rows] + _ROUNDING, others[rows]
    filled = np.isfinite(others)
    if (filled.sum(axis=1) < 2).any():
        return False
    shown = np.where(filled, others, np.nan)
    return _is_sum(own, half, shown) or _is_difference(own, half, shown) or _is_middle(own, half, shown)


def _is_sum(own: Numbers, half: Numbers, shown: Numbers) -> bool:
    """Whether a column is the sum of others that are not negative: of two and their difference none is."""
    adds = (np.abs(own - np.nansum(shown, axis=1)) <= half).all() and not (shown < 0).any()
    return bool(adds and (own > np.nanmax(shown, axis=1)).sum() >= _FEWEST)


def _is_difference(own: Numbers, half: Numbers, shown: Numbers) -> bool:
    """Whether a column is what one of two others is above the other."""
    if shown.shape[1] != 2 or not (own < 0).any():
        return False
    gap = shown[:, 0] - shown[:, 1]
    return any(bool((np.abs(own - sign * gap) <= half).all()) for sign in (1, -1))


def _is_middle(own: Numbers, half: Numbers, shown: Numbers) -> bool:
    """Whether a column is the mean or the median of the others."""
    steps = np.unique(shown[np.isfinite(shown)])
    # A whole mean is what a rater might have given; one with decimals the others do not have is none.
    if (np.abs(own - np.nanmean(shown, axis=1)) <= half).all() and not np.isin(own, steps).all():
        return True
    differing = np.nanmin(shown, axis=1) < np.nanmax(shown, axis=1)
    if steps.size < 3 or differing.sum() < _DIFFERING:
        return False
    return bool((np.abs(own - np.nanmedian(shown, axis=1)) <= half).all())


def _sums_up(row: Numbers, half: Numbers, above: Numbers) -> bool:
    """Whether the numbers of a row are the sums, or the means, of what stands above them."""
    filled = np.isfinite(row)
    if filled.sum() < 2 or np.isnan(row).any():
        return False
    above = above[:, filled]
    known = np.isfinite(above)
    if np.isnan(above).any() or (known.sum(axis=0) < _FEWEST).any():
        return False
    own, near = row[filled], half[filled] + _ROUNDING
    shown = np.where(known, above, np.nan)
    top = np.nanmax(shown, axis=0)
    if (np.abs(own - np.nansum(shown, axis=0)) <= near).all() and (own > top).sum() >= 2:
        return True
    means = (np.abs(own - np.nanmean(shown, axis=0)) <= near).all()
    return bool(means and sum(not np.isin(n, shown[:, i]) for i, n in enumerate(own)) >= 2)
