"""What the columns of a table show: what comes again, what decides what, and which answers agree."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tapdesk.ratings import vocabulary as w
from tapdesk.ratings.label_sets import label_sets
from tapdesk.ratings.layouts import roles as r
from tapdesk.ratings.ratings import IntArray
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import PERHAPS_MISSING, USUAL_MISSING, is_number, number_of_either

UNIQUE = 0.95  # share of the rows that a key tells apart; a few are entered twice in any file
MANY = 50  # different texts: more are remarks
_COLUMNS = 12  # columns that agreement is looked at in
_STEPS = 12  # more different numbers than this are measured, and compared in bands
_BANDS = 5
_MOSTLY = 0.6  # a column of which more is blank and that knows one text is a remark
_PERSON = re.compile(r"[A-ZÀ-Þ]{2,3}|[A-ZÀ-Þ][a-zà-ÿ]+(?: [A-ZÀ-Þ][a-zà-ÿ.]*)?")
_CASE = re.compile(r"(?:[A-Za-zÀ-ÿ]*[ _.-]*\d{2,}(?:[-_/][A-Za-z0-9]+)?|[A-Za-zÀ-ÿ]+[ _.-]*\d+)")


@dataclass(frozen=True, eq=False)
class Profiles:
    """The columns of one table.

    Attributes
    ----------
    table
        The table.
    names
        The columns that are looked at: no dates.
    """

    table: RatingTable
    names: tuple[str, ...]

    @cached_property
    def repeated(self) -> tuple[str, ...]:
        """The columns that may name cases, raters or questions: most of their texts come again, few are blank."""
        return tuple(n for n in self.names if self._comes_again(n))

    def _comes_again(self, name: str) -> bool:
        column = self.table.column(name)
        if len(column.values) < 2 or column.blank.mean() > 1 - UNIQUE:
            return False
        counts = column.counts()
        return bool(counts[counts > 1].sum() * 2 > self.table.rows)

    def count(self, name: str) -> int:
        """How many different texts a column has, a blank one among them."""
        return len(self.table.column(name).used().values)

    def apart(self, *names: str) -> float:
        """The share of the rows that some columns together tell apart."""
        return self.table.combinations(*names) / max(self.table.rows, 1)

    def decides(self, one: str, other: str) -> bool:
        """Whether a column says the same in all rows of each text of another, which comes again."""
        if one == other or self.count(one) * 3 > self.table.rows * 2:
            return False
        return self.table.combinations(other, one) == self.count(one)

    def alike(self, one: str | None, other: str | None) -> bool:
        """Whether two columns part the rows in the same way."""
        if one == other:
            return True
        if one is None or other is None or self.count(one) != self.count(other):
            return False
        return self.table.combinations(one, other) == self.count(one)

    def is_remark(self, name: str) -> bool:
        """Whether a column holds remarks: too many texts for answers, or one text here and there."""
        texts = self.table.texts(name)
        if not texts or (len(texts) > MANY and not all(map(is_number, texts)) and label_sets(list(texts)) is None):
            return True
        if (w.REMARK - w.in_language(self.table.names, w.RATING)).intersection(w.words(name)):
            return True
        return len(texts) == 1 and bool(self.table.column(name).blank.mean() > _MOSTLY)

    def persons(self, name: str) -> float:
        """The share of the texts of a column that look like persons: initials, first names, ``Rater 2``."""
        texts = self.table.texts(name)
        sentence = sum(bool(_PERSON.fullmatch(t)) or r.is_rater_column(t) or _speaks_of_rater(t) for t in texts)
        return sentence / max(len(texts), 1)

    def cases(self, name: str) -> float:
        """The share of the texts of a column that look like numbered cases: ``P017``, ``2031-W``, ``Wine 4``."""
        texts = self.table.texts(name)
        return sum(bool(_CASE.fullmatch(t)) for t in texts) / max(len(texts), 1)

    def agreement(
        self, answers: Sequence[str], items: Sequence[str], scale: Sequence[str], *, by_column: bool, across: bool
    ) -> float:
        """How much the answers within an item agree beyond chance, from 0 (not at all) to 1 (surely and much).

        Parameters
        ----------
        answers
            The columns that hold answers.
        items
            The columns that together name an item.
        scale
            The columns within each text of which chance is reckoned: what another question is about has shares of its
            own.
        by_column, across
            Whether each column of answers is an item of its own, and has a chance of its own.
        """
        sentences = answers[:: -(-len(answers) // _COLUMNS)] if answers else ()
        values, item, chance = self._values(sentences), self._codes(items), self._codes(scale)
        if by_column:
            place = np.arange(len(sentences))[:, None]
            item, chance = item * len(sentences) + place, chance * len(sentences) + (place if across else 0)
        shape = values.shape
        return _beyond_chance(
            values.ravel(), np.broadcast_to(item, shape).ravel(), np.broadcast_to(chance, shape).ravel()
        )

    def _codes(self, names: Sequence[str]) -> IntArray:
        """Shape (rows,): a number for each combination of the texts of some columns."""
        code: IntArray = np.zeros(self.table.rows, dtype=np.int64)
        for name in names:
            column = self.table.column(name)
            code = code * max(len(column.values), 1) + column.codes
        return code

    def _values(self, names: Sequence[str]) -> IntArray:
        """Shape (columns, rows): the answers as numbers of one list, -1 for none."""
        known: dict[str, int] = {}
        lists = []
        for name in names:
            column = self.table.column(name)
            texts = [v.strip() for v in column.values]
            none = [not t or t.casefold() in USUAL_MISSING | PERHAPS_MISSING for t in texts]
            lists.append(
                np.array([-1 if n else known.setdefault(t, len(known)) for t, n in zip(texts, none, strict=True)])
            )
        bands = _bands(tuple(known))
        items = [np.where(x >= 0, bands[x], -1) if bands.size else x for x in lists]
        return np.stack([x[self.table.column(n).codes] for x, n in zip(items, names, strict=True)])


def _bands(texts: Sequence[str]) -> IntArray:
    """Shape (texts,): the number of each text, or of its fifth where there are many numbers."""
    numbers = [number_of_either(t) for t in texts]
    if len(texts) <= _STEPS or any(n is None for n in numbers):
        return np.arange(len(texts))
    measured = np.array([n or 0.0 for n in numbers])
    cuts = np.quantile(measured, np.linspace(0, 1, _BANDS + 1)[1:-1])
    return np.searchsorted(cuts, measured)


def _beyond_chance(values: IntArray, items: IntArray, chance: IntArray) -> float:
    """Agreement of pairs within items beyond chance, from 0 to 1; 1 where it is 0.4 or more and surely so."""
    there = values >= 0
    if not there.any():
        return 0.0
    values, items, chance = values[there], items[there], chance[there]
    classes = int(values.max()) + 1
    item, first = np.unique(items, return_index=True)
    part = np.unique(chance, return_inverse=True)[1]
    table = np.zeros((item.size, classes))
    np.add.at(table, (np.searchsorted(item, items), values), 1)
    shares = np.zeros((int(part.max()) + 1, classes))
    np.add.at(shares, (part, values), 1)
    shares /= shares.sum(axis=1, keepdims=True)
    pairs = table.sum(axis=1) * (table.sum(axis=1) - 1)
    several = pairs > 0
    if not several.any():
        return 0.0
    met = (table * (table - 1)).sum(axis=1)[several] / pairs[several]
    luck = (shares**2).sum(axis=1)[part[first]][several]
    if luck.mean() > 0.999:
        return 0.0
    kappa = (met.mean() - luck.mean()) / (1 - luck.mean())
    spread = max(float(met.std()), 0.05) / np.sqrt(met.size) / (1 - luck.mean())
    return float(np.clip(kappa, 0, 0.4) / 0.4 * np.clip(kappa / spread / 3, 0, 1))


def _speaks_of_rater(text: str) -> bool:
    return bool((w.RATER_ANYWHERE | w.RATER_PERHAPS).intersection(w.words(text)))
