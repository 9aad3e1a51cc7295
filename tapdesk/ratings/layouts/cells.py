"""Ratings as a layout finds them in a table, before missing codes and the order of classes are decided."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext
from tapdesk.ratings.findings import Finding, rows_named
from tapdesk.ratings.grid import Column, column_letter
from tapdesk.ratings.ratings import Covariate, CovariateOf, IntArray


@dataclass(frozen=True, eq=False)
class Cells:
    """One entry for each cell that can hold a rating.

    Attributes
    ----------
    subject, rater
        Shape (m,): indices into ``subjects`` and ``raters``.
    value
        The texts of the cells, coded.
    row
        Shape (m,): the row of the file, counted from 1.
    place
        Shape (m,): the column of the file, counted from 0; one number where it is always the same.
    weight
        Shape (N,): how many subjects each subject stands for, or None.
    raters_known
        Whether equal rater indices mean the same person.
    classes
        The classes where the layout itself names them, in their order; else None.
    covariates
        Columns of the table that are neither names nor ratings; per subject or per entry.
    findings
        What the layout noticed.
    """

    subject: IntArray
    rater: IntArray
    value: Column
    subjects: tuple[str, ...]
    raters: tuple[str, ...]
    row: IntArray
    place: IntArray
    weight: IntArray | None = None
    raters_known: bool = True
    classes: tuple[str, ...] | None = None
    covariates: tuple[Covariate, ...] = ()
    findings: tuple[Finding, ...] = ()

    def keep(self, which: NDArray[np.bool_]) -> "Cells":
        """Only some entries; subjects and raters keep their names and numbers."""
        covariates = tuple(
            replace(c, values=c.values[which]) if c.of is CovariateOf.RATING else c for c in self.covariates
        )
        return replace(
            self,
            subject=self.subject[which],
            rater=self.rater[which],
            value=self.value.take(which),
            row=self.row[which],
            place=self.place[which] if self.place.size > 1 else self.place,
            covariates=covariates,
        )

    def compacted(self) -> "Cells":
        """The same entries without subjects and raters that have none."""
        seen = np.bincount(self.subject, minlength=len(self.subjects)) > 0
        heard = np.bincount(self.rater, minlength=len(self.raters)) > 0
        return replace(
            self,
            subject=(np.cumsum(seen) - 1)[self.subject],
            rater=(np.cumsum(heard) - 1)[self.rater],
            subjects=tuple(n for n, s in zip(self.subjects, seen, strict=True) if s),
            raters=tuple(n for n, h in zip(self.raters, heard, strict=True) if h),
            value=self.value.used(),
            weight=None if self.weight is None else self.weight[seen],
            covariates=tuple(
                replace(c, values=c.values[seen]) if c.of is CovariateOf.SUBJECT else c for c in self.covariates
            ),
        )

    def where(self, entries: IntArray, limit: int = 5) -> str:
        """Cells of the user's file in one line: ``cells B7, C9 and 3 more``."""
        if self.place.size <= 1:
            return rows_named([int(r) for r in np.unique(self.row[entries])])
        names = [f"{column_letter(int(self.place[e]))}{int(self.row[e])}" for e in entries[:limit]]
        more = _(" and {size:,} more").format(size=entries.size - limit) if entries.size > limit else ""
        cells = joined(joined(*names, sep=", "), more, sep="")
        return ngettext("cell {cells}", "cells {cells}", entries.size).format(cells=cells)


def seats(subject: IntArray, subjects: int) -> IntArray:
    """Shape (m,): the position of each entry within its subject, counted from 0."""
    order = np.argsort(subject, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(subject, minlength=subjects))[:-1]])
    position = np.empty(subject.size, dtype=np.int64)
    position[order] = np.arange(subject.size) - starts[subject[order]]
    return position


def stacked(columns: Sequence[Column]) -> Column:
    """Several columns of equal length as one, row after row, over one list of distinct texts."""
    index: dict[str, int] = {}
    table = np.empty((columns[0].codes.size if columns else 0, len(columns)), dtype=np.int64)
    for j, column in enumerate(columns):
        table[:, j] = np.array([index.setdefault(v, len(index)) for v in column.values], dtype=np.int64)[column.codes]
    return Column(table.ravel(), tuple(index))
