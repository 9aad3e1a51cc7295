"""Decisions about single ratings: which count, and what they say."""

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from tapdesk.errors import TapdeskError
from tapdesk.language import CaseName, Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import (
    Decision,
    Mask,
    among,
    columns_with,
    counted,
    kept,
    nothing_of,
    place_of,
    places_of,
)
from tapdesk.ratings.findings import quoted
from tapdesk.ratings.ratings import CovariateOf, Ratings


@dataclass(frozen=True, slots=True)
class LeaveOutSubjects(Decision):
    """Cases that do not count.

    Attributes
    ----------
    names
        The cases.
    with_classes
        Whether classes that only they hold go with them, as the numbers in a row of totals do.
    """

    kind: ClassVar[str] = "without_subjects"
    names: tuple[str, ...]
    with_classes: bool = False

    def words(self, before: Ratings) -> str:
        """Which cases, and which classes go with them."""
        told = ngettext(
            "Left out of the data: the case {names}.", "Left out of the data: the cases {names}.", len(self.names)
        ).format(names=quoted([*map(CaseName, self.names)], 12))
        gone = among(self.names, before.subjects)[before.subject]
        return joined(told, _of_nobody_else(before, gone)) if self.with_classes else told

    def touches(self, before: Ratings) -> int:
        """Their ratings."""
        return counted(before, among(self.names, before.subjects)[before.subject])

    def apply(self, before: Ratings) -> Ratings:
        """The other cases."""
        gone = places_of(self.names, before.subjects, "case")[before.subject]
        after = kept(before, ~gone)
        return _without_classes(after, _only_in(before, gone)) if self.with_classes else after


@dataclass(frozen=True, slots=True)
class LeaveOutRaters(Decision):
    """Raters that do not count; as for cases, classes that only they used may go with them."""

    kind: ClassVar[str] = "without_raters"
    names: tuple[str, ...]
    with_classes: bool = False

    def words(self, before: Ratings) -> str:
        """Which raters, and which classes go with them."""
        told = ngettext(
            "Left out of the data: the rater {names}.", "Left out of the data: the raters {names}.", len(self.names)
        ).format(names=quoted([*map(RaterName, self.names)], 12))
        gone = among(self.names, before.raters)[before.rater]
        return joined(told, _of_nobody_else(before, gone)) if self.with_classes else told

    def touches(self, before: Ratings) -> int:
        """Their ratings."""
        return counted(before, among(self.names, before.raters)[before.rater])

    def apply(self, before: Ratings) -> Ratings:
        """The other raters."""
        gone = places_of(self.names, before.raters, "rater")
        after = kept(before, ~gone[before.rater])
        if self.with_classes:
            after = _without_classes(after, _only_in(before, gone[before.rater]))
        return replace(
            after,
            rater=(np.cumsum(~gone) - 1)[after.rater],
            raters=tuple(n for n, g in zip(before.raters, gone, strict=True) if not g),
            covariates=columns_with(after, CovariateOf.RATER, ~gone),
        )


def _only_in(before: Ratings, gone: Mask) -> tuple[str, ...]:
    """The classes that occur among some ratings, shape (m,), and nowhere else."""
    used = np.bincount(before.category, minlength=len(before.classes))
    there = np.bincount(before.category[gone], minlength=len(before.classes))
    return tuple(c for c, n, m in zip(before.classes, used, there, strict=True) if n and n == m)


def _without_classes(ratings: Ratings, classes: tuple[str, ...]) -> Ratings:
    """The same ratings without classes that nobody uses any more."""
    left = tuple(c for c in ratings.classes if c not in classes)
    return ratings.with_order(left, ordered=ratings.ordered) if classes else ratings


def _of_nobody_else(before: Ratings, gone: Mask) -> str:
    """A sentence about the classes that go; empty where none does."""
    classes = _only_in(before, gone)
    if not classes:
        return ""
    return _("The classes {classes} occur nowhere else and are gone.").format(classes=quoted(classes, 12))


@dataclass(frozen=True, slots=True)
class KeepWhere(Decision):
    """Only ratings with certain values in a further column."""

    kind: ClassVar[str] = "where"
    column: str
    values: tuple[str, ...]

    def words(self, before: Ratings) -> str:
        """The filter."""
        del before
        return _("Only ratings where the column '{column}' says {values} count.").format(
            column=Label(self.column), values=quoted(self.values, 12)
        )

    def touches(self, before: Ratings) -> int:
        """The ratings left out."""
        return counted(before, ~self._passes(before)) if self.column in before.covariates else 0

    def apply(self, before: Ratings) -> Ratings:
        """The ratings that pass."""
        place_of(self.column, tuple(before.covariates), "column")
        return kept(before, self._passes(before))

    def _passes(self, before: Ratings) -> Mask:
        column = before.covariates[self.column]
        found: Mask = np.array([_says(v, self.values) for v in column.values.tolist()], dtype=np.bool_)
        if column.of is CovariateOf.RATING:
            return found
        return found[before.subject if column.of is CovariateOf.SUBJECT else before.rater]


def _says(value: object, wanted: tuple[str, ...]) -> bool:
    """Whether a value is one of some texts; a whole number is written without decimals in a file."""
    whole = isinstance(value, float) and value.is_integer()
    return str(value) in wanted or (whole and str(value).removesuffix(".0") in wanted)


@dataclass(frozen=True, slots=True)
class EditRating(Decision):
    """One rating changed by hand; what stood there is kept.

    Attributes
    ----------
    subject, rater
        Whose rating of what.
    was
        The class that stood there; None where there was no rating.
    now
        The class that is meant; None for no rating.
    nth
        Which of several ratings of this case by this rater, from 0 in the order of the file.
    """

    kind: ClassVar[str] = "edit"
    subject: str
    rater: str
    was: str | None
    now: str | None
    nth: int = 0

    def words(self, before: Ratings) -> str:
        """What stood there and what is meant."""
        names = {
            "subject": CaseName(self.subject),
            "rater": RaterName(self.rater),
            "was": Label(self.was or ""),
            "now": Label(self.now or ""),
        }
        if self.was is None:
            return _("Added by hand: {rater} rated {subject} '{now}'.").format(**names)
        if self.now is None:
            told = _("Left out by hand: the rating '{was}' of {subject} by {rater}.").format(**names)
        else:
            told = _("Changed by hand: {rater} rated {subject} '{now}'; it was '{was}' before.").format(**names)
        if self._last_of_class(before):
            return _("{told} The class '{was}' occurs no more and is gone.").format(told=told, **names)
        return told

    def touches(self, before: Ratings) -> int:
        """One rating, or that of every case the row stands for."""
        if before.weight is None:
            return 1
        return int(before.weight[place_of(self.subject, before.subjects, "case")])

    def apply(self, before: Ratings) -> Ratings:
        """The change, if the rating still is what it was."""
        subject = place_of(self.subject, before.subjects, "case")
        rater = place_of(self.rater, before.raters, "rater")
        found = np.flatnonzero((before.subject == subject) & (before.rater == rater))
        is_now = before.classes[before.category[found[self.nth]]] if 0 <= self.nth < found.size else None
        if is_now != self.was or (self.was is None and self.nth != found.size) or self.was == self.now:
            raise TapdeskError(
                _("The rating of {subject} by {rater} is not what it was when it was changed.").format(
                    subject=CaseName(self.subject), rater=RaterName(self.rater)
                ),
                fix=_("Look at it again, and take this decision back or make it again."),
            )
        classes = self._classes(before)
        after = before if classes == before.classes else before.with_order(classes, ordered=before.ordered)
        if self.now is None:
            after = kept(after, np.arange(after.subject.size) != found[self.nth])
        elif self.was is None:
            after = _inserted(after, subject, rater, classes.index(self.now))
        else:
            category = after.category.copy()
            category[found[self.nth]] = classes.index(self.now)
            after = replace(after, category=category)
        if self._last_of_class(before):
            after = after.with_order(tuple(c for c in after.classes if c != self.was), ordered=after.ordered)
        return after

    def _classes(self, before: Ratings) -> tuple[str, ...]:
        new = self.now is not None and self.now not in before.classes
        return (*before.classes, str(self.now)) if new else before.classes

    def _last_of_class(self, before: Ratings) -> bool:
        """Whether nothing else stands in the class: a slip of the keyboard must not stay a class."""
        if self.was is None or self.was not in before.classes:
            return False
        return int((before.category == before.classes.index(self.was)).sum()) == 1


def _inserted(ratings: Ratings, subject: int, rater: int, category: int) -> Ratings:
    """One rating more, behind the others of its case."""
    at = int(np.searchsorted(ratings.subject, subject, side="right"))
    covariates = {
        name: replace(c, values=np.insert(c.values, at, nothing_of(c))) if c.of is CovariateOf.RATING else c
        for name, c in ratings.covariates.items()
    }
    return replace(
        ratings,
        subject=np.insert(ratings.subject, at, subject),
        rater=np.insert(ratings.rater, at, rater),
        category=np.insert(ratings.category, at, category),
        covariates=MappingProxyType(covariates),
    )
