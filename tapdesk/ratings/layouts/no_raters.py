"""Columns that stand among the ratings and are no rater's: counts of cases, legends, facts about a person or place."""

import re

import numpy as np

from tapdesk.ratings.count_numbers import is_count
from tapdesk.ratings.layouts import header_words as w
from tapdesk.ratings.layouts import roles as r
from tapdesk.ratings.table import Table

_UNNAMED = re.compile(r"unnamed:\s\d+(?:_level_\d+)?", re.IGNORECASE)
_LEAST = 5  # rows that count up: fewer may do so by chance
_ENDS = 1_000


def no_raters(table: Table, candidates: tuple[str, ...]) -> tuple[str, ...]:
    """The columns among some that are no rater's; none where fewer than two would be left."""
    apart = tuple(
        n
        for n in candidates
        if is_index(table, n)
        or counts_cases(table, n)
        or numbers_rows(table, n)
        or _is_legend(table, n)
        or _is_fact(table, n, candidates)
    )
    return apart if len(candidates) - len(apart) >= 2 else ()


def counts_cases(table: Table, name: str) -> bool:
    """Whether a column is called count, weight, n … and holds whole numbers, thousands set apart or not."""
    known = w.in_language(table.names, w.COUNT)
    if not r.is_called(name, known) and not _says_how_many(name):
        return False
    values = r.distinct(table, name)
    return bool(values) and all(map(is_count, values))


def _says_how_many(name: str) -> bool:
    """Whether a column is called ``n``, ``N cases``, ``No. of patients``: how many there are, not which one it is."""
    spoken = w.words(name)
    plural = spoken and spoken[-1] in w.SUBJECT and spoken[-1].endswith("s")
    return spoken == ["n"] or (len(spoken) > 1 and spoken[0] in {"n", "no", "nr", "num", "number"} and bool(plural))


def counts_up(table: Table, name: str) -> bool:
    """Whether a column holds 1, 2, 3 … from the first row to the last, as numbers of cases do."""
    column = table.column(name)
    if table.rows < _LEAST or len(column.values) != table.rows:
        return False
    # All texts differ, so the two ends of a large table tell enough.
    ends = range(table.rows) if table.rows <= 2 * _ENDS else (*range(_ENDS), *range(table.rows - _ENDS, table.rows))
    return all(column.text(i).strip().lstrip("0") == str(i + 1) for i in ends)


def numbers_rows(table: Table, name: str) -> bool:
    """Whether a column is called ``#``, ``Nr`` … and counts the rows."""
    called = name.strip().rstrip(".").casefold()
    return called in w.NUMBER and counts_up(table, name)


def is_index(table: Table, name: str) -> bool:
    """Whether a column is the index that pandas writes without a name: 0, 1, 2 … or names that are all different."""
    if not _UNNAMED.fullmatch(name.strip()) or table.positions[table.names.index(name)]:
        return False
    column = table.column(name)
    return len({v.strip() for v in column.values} - {""}) == table.rows > 1


def holds_answers(table: Table, name: str) -> bool:
    """Whether a column that is called ``id`` alone holds answers as the other columns do, again and again."""
    if w.words(name) != ["id"]:
        return False
    own = r.distinct(table, name)
    # A column in which no two rows are alike is what tells the cases apart.
    others = [r.distinct(table, n) for n in table.names if n != name and not r.all_different(table, n)]
    codes = table.column(name).codes
    # Cases that come again stand together or in turns; answers change from row to row.
    mixed = int((np.diff(codes) != 0).sum()) >= len(own) and not np.array_equal(codes, np.sort(codes))
    return table.rows >= 4 * len(own) and mixed and bool(others) and all(own & o for o in others)


def _is_legend(table: Table, name: str) -> bool:
    """Whether a column stands apart, behind a blank column, and is mostly blank or called a key."""
    place = table.names.index(name)
    gaps = [j for j in range(1, place + 1) if table.positions[j] > table.positions[j - 1] + 1]
    if not table.rows or not gaps or gaps[0] < 2:
        return False
    blank = table.column(name).blank.mean()
    usual = max(float(table.columns[j].blank.mean()) for j in range(gaps[0]))
    return bool(blank > max(0.5, usual) or (w.LEGEND.intersection(w.words(name)) and blank > usual))


def _is_fact(table: Table, name: str, candidates: tuple[str, ...]) -> bool:
    """Whether a column is called sex, age, ward … and holds something that none of the others does."""
    if not w.BESIDE.intersection(w.words(name)) or re.search(r"\d", name):
        return False
    others: set[str] = set()
    for other in candidates:
        if other != name:
            others |= r.distinct(table, other)
    return not r.distinct(table, name) <= others
