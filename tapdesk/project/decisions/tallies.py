"""Decisions about numbers of ratings: how many cases a row stands for, how often a class was given to a case."""

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from tapdesk.errors import TapdeskError
from tapdesk.language import CaseName, Label
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import Decision, kept, nothing_of, place_of
from tapdesk.ratings.ratings import Covariate, CovariateOf, IntArray, Ratings

MOST = 200_000_000


@dataclass(frozen=True, slots=True)
class EditWeight(Decision):
    """Another number of cases that a row of tallied data stands for; what stood there is kept.

    Attributes
    ----------
    subject
        The row.
    was, now
        How many cases it stood for, and how many are meant; 0 leaves the row out.
    """

    kind: ClassVar[str] = "weight"
    subject: str
    was: int
    now: int

    def words(self, before: Ratings) -> str:
        """Both numbers."""
        del before
        if not self.now:
            told = _("Changed by hand: {subject} stands for no case and is left out; it was {was:,} before.")
        else:
            told = _("Changed by hand: {subject} stands for {now:,} cases; it was {was:,} before.")
        return told.format(subject=CaseName(self.subject), now=self.now, was=self.was)

    def touches(self, before: Ratings) -> int:
        """The ratings that are more or less than before."""
        at = place_of(self.subject, before.subjects, "case")
        return abs(self.now - self.was) * int((before.subject == at).sum())

    def apply(self, before: Ratings) -> Ratings:
        """The same rows, one of them counted otherwise."""
        if before.weight is None:
            raise TapdeskError(
                _("These data are not tallied: each case stands for itself."), fix=_("Change its ratings.")
            )
        at = place_of(self.subject, before.subjects, "case")
        _sound(self.now, self.was, int(before.weight[at]), self.subject)
        if not self.now:
            return kept(before, before.subject != at)
        weight = before.weight.copy()
        weight[at] = self.now
        return replace(before, weight=weight)


@dataclass(frozen=True, slots=True)
class EditCount(Decision):
    """Another number of ratings of a case in a class, where raters are not known; what stood there is kept.

    Attributes
    ----------
    subject, label
        The case and the class.
    was, now
        How many ratings there were, and how many are meant.
    """

    kind: ClassVar[str] = "count"
    subject: str
    label: str
    was: int
    now: int

    def words(self, before: Ratings) -> str:
        """Both numbers."""
        del before
        return _("Changed by hand: {subject} has {now:,} ratings '{label}'; it was {was:,} before.").format(
            subject=CaseName(self.subject), label=Label(self.label), now=self.now, was=self.was
        )

    def touches(self, before: Ratings) -> int:
        """The ratings that are more or less than before."""
        each = 1 if before.weight is None else int(before.weight[place_of(self.subject, before.subjects, "case")])
        return abs(self.now - self.was) * each

    def apply(self, before: Ratings) -> Ratings:
        """More or fewer ratings, by nobody in particular."""
        if before.raters_known:
            raise TapdeskError(
                _("These ratings are by raters who are known."), fix=_("Change the rating of one of them.")
            )
        subject = place_of(self.subject, before.subjects, "case")
        category = place_of(self.label, before.classes, "class")
        found = np.flatnonzero((before.subject == subject) & (before.category == category))
        _sound(self.now, self.was, found.size, self.subject)
        if self.now < self.was:
            stays = np.ones(before.subject.size, dtype=bool)
            stays[found[self.now :]] = False
            return kept(before, stays)
        return _with_more(before, subject, category, self.now - self.was)


@dataclass(frozen=True, slots=True)
class AddPair(Decision):
    """A number in a cell of two crossed raters that held 0.

    Attributes
    ----------
    subject
        What the row is called; no row of the data is called so.
    labels
        What each of the raters said, in their order.
    now
        How many cases they rated so.
    """

    kind: ClassVar[str] = "pair"
    subject: str
    labels: tuple[str, ...]
    now: int

    def words(self, before: Ratings) -> str:
        """The number, and that there was none."""
        del before
        return _("Changed by hand: {subject} stands for {now:,} cases; it was 0 before.").format(
            subject=CaseName(self.subject), now=self.now
        )

    def touches(self, before: Ratings) -> int:
        """The ratings that are more than before."""
        del before
        return self.now * len(self.labels)

    def apply(self, before: Ratings) -> Ratings:
        """The rows, and one more."""
        if before.weight is None or not before.raters_known or len(before.raters) != len(self.labels):
            raise TapdeskError(_("These data are not two raters crossed."), fix=_("Change the ratings of a case."))
        _sound_new(self.now, self.subject, before)
        category = [place_of(label, before.classes, "class") for label in self.labels]
        return _with_case(before, self.subject, category, np.append(before.weight, self.now))


@dataclass(frozen=True, slots=True)
class AddCounts(Decision):
    """Ratings of a case of the file that had none, where raters are not known.

    Attributes
    ----------
    subject, label
        The case and the class.
    now
        How many ratings are meant.
    """

    kind: ClassVar[str] = "counts_of_new_case"
    subject: str
    label: str
    now: int

    def words(self, before: Ratings) -> str:
        """The number, and that there was none."""
        del before
        return _("Changed by hand: {subject} has {now:,} ratings '{label}'; it had none before.").format(
            subject=CaseName(self.subject), now=self.now, label=Label(self.label)
        )

    def touches(self, before: Ratings) -> int:
        """The ratings."""
        del before
        return self.now

    def apply(self, before: Ratings) -> Ratings:
        """The cases, and one more."""
        if before.raters_known or before.weight is not None:
            raise TapdeskError(
                _("These data are not numbers of ratings of each case."), fix=_("Change the ratings of a case.")
            )
        _sound_new(self.now, self.subject, before)
        category = place_of(self.label, before.classes, "class")
        return _with_more(_with_case(before, self.subject, []), len(before.subjects), category, self.now)


def _sound_new(now: int, subject: str, before: Ratings) -> None:
    """Refuse a number that is none, or a case that is there."""
    _sound(now, 0, 0, subject)
    if subject in before.subjects:
        raise TapdeskError(
            _("There is a case '{subject}' in the data by now.").format(subject=CaseName(subject)),
            fix=_("Look at it again, and take this decision back or make it again."),
        )


def _with_case(ratings: Ratings, subject: str, category: list[int], weight: IntArray | None = None) -> Ratings:
    """A case more at the end, with a rating by each of the first raters."""
    columns = {}
    for name, column in ratings.covariates.items():
        more = {CovariateOf.RATING: len(category), CovariateOf.SUBJECT: 1}.get(column.of, 0)
        columns[name] = replace(column, values=np.append(column.values, [nothing_of(column)] * more))
    return replace(
        ratings,
        subject=np.append(ratings.subject, np.full(len(category), len(ratings.subjects), dtype=ratings.subject.dtype)),
        rater=np.append(ratings.rater, np.arange(len(category), dtype=ratings.rater.dtype)),
        category=np.append(ratings.category, np.array(category, dtype=ratings.category.dtype)),
        subjects=(*ratings.subjects, subject),
        covariates=MappingProxyType(columns),
        weight=weight,
    )


def _sound(now: int, was: int, there: int, subject: str) -> None:
    """Refuse a number that is none, or a change of something that is not there any more."""
    if not 0 <= now <= MOST:
        raise TapdeskError(
            _("{now:,} is not a number from 0 to {most:,}.").format(now=now, most=MOST), fix=_("Type a whole number.")
        )
    if was != there or now == was:
        raise TapdeskError(
            _("The number for {subject} is not what it was when it was changed.").format(subject=CaseName(subject)),
            fix=_("Look at it again, and take this decision back or make it again."),
        )


def _with_more(ratings: Ratings, subject: int, category: int, more: int) -> Ratings:
    """Ratings behind the others of a case, in the next free seats."""
    at = int(np.searchsorted(ratings.subject, subject, side="right"))
    own = ratings.rater[ratings.subject == subject]
    seats = int(own.max(initial=-1)) + 1 + np.arange(more)
    last = int(seats[-1]) + 1
    names = ratings.raters + tuple(str(i + 1) for i in range(len(ratings.raters), last))
    columns = {n: _longer(c, at, more, len(names) - len(ratings.raters)) for n, c in ratings.covariates.items()}
    return replace(
        ratings,
        subject=np.insert(ratings.subject, at, np.full(more, subject)),
        rater=np.insert(ratings.rater, at, seats),
        category=np.insert(ratings.category, at, np.full(more, category)),
        raters=names,
        covariates=MappingProxyType(columns),
    )


def _longer(column: Covariate, at: int, ratings: int, raters: int) -> Covariate:
    """A further column with no value for what was added."""
    values = column.values
    nothing = nothing_of(column)
    if column.of is CovariateOf.RATING:
        return replace(column, values=np.insert(values, at, [nothing] * ratings))
    if column.of is CovariateOf.RATER and raters:
        return replace(column, values=np.append(values, [nothing] * raters))
    return column
