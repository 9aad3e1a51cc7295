"""Decisions about single ratings: which count, and what they say."""

from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from tapdesk.errors import TapdeskError
from tapdesk.language import CaseName, Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import (
    Decision,
    Mask,
    chosen_mask,
    keep_only,
    place_of,
    places_of,
    rating_total,
    refuse_tallies,
    unknown_value,
)
from tapdesk.ratings.findings import quoted_list
from tapdesk.ratings.ratings import Covariate, CovariateOf, IntArray, Ratings


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
        sentence = ngettext(
            "Left out of the data: the {subject} {names}.",
            "Left out of the data: the {subjects} {names}.",
            len(self.names),
        ).format(names=quoted_list([*map(CaseName, self.names)], 12))
        gone = chosen_mask(self.names, before.subjects)[before.subject]
        return joined(sentence, _of_nobody_else(before, gone)) if self.with_classes else sentence

    def touches(self, before: Ratings) -> int:
        """Their ratings."""
        return rating_total(before, chosen_mask(self.names, before.subjects)[before.subject])

    def apply(self, before: Ratings) -> Ratings:
        """The other cases."""
        gone = places_of(self.names, before.subjects, "case")[before.subject]
        after = keep_only(before, ~gone)
        return _without_classes(after, _only_in(before, gone)) if self.with_classes else after


@dataclass(frozen=True, slots=True)
class LeaveOutRaters(Decision):
    """Raters that do not count; as for cases, classes that only they used may go with them."""

    kind: ClassVar[str] = "without_raters"
    names: tuple[str, ...]
    with_classes: bool = False

    def words(self, before: Ratings) -> str:
        """Which raters, and which classes go with them."""
        sentence = ngettext(
            "Left out of the data: the {rater} {names}.", "Left out of the data: the {raters} {names}.", len(self.names)
        ).format(names=quoted_list([*map(RaterName, self.names)], 12))
        gone = chosen_mask(self.names, before.raters)[before.rater]
        return joined(sentence, _of_nobody_else(before, gone)) if self.with_classes else sentence

    def touches(self, before: Ratings) -> int:
        """Their ratings."""
        return rating_total(before, chosen_mask(self.names, before.raters)[before.rater])

    def apply(self, before: Ratings) -> Ratings:
        """The other raters."""
        gone = places_of(self.names, before.raters, "rater")
        after = keep_only(before, ~gone[before.rater])
        if self.with_classes:
            after = _without_classes(after, _only_in(before, gone[before.rater]))
        return replace(
            after,
            rater=(np.cumsum(~gone) - 1)[after.rater],
            raters=tuple(n for n, g in zip(before.raters, gone, strict=True) if not g),
            covariates=after.columns_with(CovariateOf.RATER, ~gone),
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
    return _("The classes {classes} are no longer used.").format(classes=quoted_list(classes, 12))


@dataclass(frozen=True, slots=True)
class KeepWhere(Decision):
    """Only ratings with certain values in a further column."""

    kind: ClassVar[str] = "where"
    column: str
    values: tuple[str, ...]

    def words(self, _before: Ratings) -> str:
        """The filter."""
        return _("Only {ratings} where the column '{column}' says {values} count.").format(
            column=Label(self.column), values=quoted_list(self.values, 12)
        )

    def touches(self, before: Ratings) -> int:
        """The ratings left out."""
        return rating_total(before, ~self._passes(before)) if self.column in before.covariates else 0

    def apply(self, before: Ratings) -> Ratings:
        """The ratings that pass."""
        place_of(self.column, tuple(before.covariates), "column")
        return keep_only(before, self._passes(before))

    def _passes(self, before: Ratings) -> Mask:
        column = before.covariates[self.column]
        mask: Mask = np.array([_says(v, self.values) for v in column.values.tolist()], dtype=np.bool_)
        if column.of is CovariateOf.RATING:
            return mask
        return mask[before.subject if column.of is CovariateOf.SUBJECT else before.rater]


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
            sentence = _("Left out by hand: the {rating} '{was}' of {subject} by {rater}.").format(**names)
        else:
            sentence = _("Changed by hand: {rater} rated {subject} '{now}'; it was '{was}' before.").format(**names)
        if self._last_of_class(before):
            return _("{told} The class '{was}' is no longer used.").format(told=sentence, **names)
        return sentence

    def touches(self, before: Ratings) -> int:
        """One rating, or that of every case the row stands for."""
        if before.weight is None:
            return 1
        return int(before.weight[place_of(self.subject, before.subjects, "case")])

    def apply(self, before: Ratings) -> Ratings:
        """The change, if the rating still is what it was."""
        subject = place_of(self.subject, before.subjects, "case")
        rater = place_of(self.rater, before.raters, "rater")
        result = np.flatnonzero((before.subject == subject) & (before.rater == rater))
        is_now = before.classes[before.category[result[self.nth]]] if 0 <= self.nth < result.size else None
        if is_now != self.was or (self.was is None and self.nth != result.size) or self.was == self.now:
            raise TapdeskError(
                _("The {rating} of {subject} by {rater} is not what it was when it was changed.").format(
                    subject=CaseName(self.subject), rater=RaterName(self.rater)
                ),
                fix=_("Look at it again, and take this decision back or make it again."),
            )
        classes = self._classes(before)
        after = before if classes == before.classes else before.with_order(classes, ordered=before.ordered)
        if self.now is None:
            after = keep_only(after, np.arange(after.subject.size) != result[self.nth])
        elif self.was is None:
            after = _inserted(after, subject, rater, classes.index(self.now))
        else:
            category = after.category.copy()
            category[result[self.nth]] = classes.index(self.now)
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
        name: replace(c, values=np.insert(c.values, at, unknown_value(c))) if c.of is CovariateOf.RATING else c
        for name, c in ratings.covariates.items()
    }
    return replace(
        ratings,
        subject=np.insert(ratings.subject, at, subject),
        rater=np.insert(ratings.rater, at, rater),
        category=np.insert(ratings.category, at, category),
        covariates=MappingProxyType(covariates),
    )


class Repeats(Enum):
    """What to do where a rater rated a case more than once."""

    ALL = "all"
    FIRST = "first"
    LAST = "last"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class KeepRepeats(Decision):
    """Which of several ratings of one case by one rater count."""

    kind: ClassVar[str] = "repeats"
    which: Repeats

    def words(self, _before: Ratings) -> str:
        """The rule."""
        return {
            Repeats.ALL: _(
                "Where {a_rater} rated {a_subject} more than once, every {rating} counts: they are real repeats."
            ),
            Repeats.FIRST: _(
                "Where {a_rater} rated {a_subject} more than once, the first {rating} in the file counts."
            ),
            Repeats.LAST: _("Where {a_rater} rated {a_subject} more than once, the last {rating} in the file counts."),
            Repeats.NONE: _("Where {a_rater} rated {a_subject} more than once, none of these {ratings} counts."),
        }[self.which]

    def touches(self, before: Ratings) -> int:
        """The ratings left out."""
        return rating_total(before, ~self._stays(before))

    def apply(self, before: Ratings) -> Ratings:
        """The ratings that count."""
        refuse_tallies(before)
        if not before.raters_known:
            raise TapdeskError(
                _("The {raters} are not known by name, so repeats cannot be told from other {raters}."),
                fix=_("Say that columns are persons when the file is read."),
            )
        return keep_only(before, self._stays(before))

    def _stays(self, before: Ratings) -> Mask:
        """Shape (m,): which ratings count."""
        if self.which is Repeats.ALL or not before.subject.size:
            return np.ones(before.subject.size, dtype=bool)
        key = before.subject.astype(np.int64) * len(before.raters) + before.rater
        order = np.argsort(key, kind="stable")
        differs = np.diff(key[order]) != 0
        first, last = np.append(True, differs), np.append(differs, True)
        chosen = {Repeats.FIRST: first, Repeats.LAST: last, Repeats.NONE: first & last}[self.which]
        stays = np.zeros(key.size, dtype=bool)
        stays[order[chosen]] = True
        return stays


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

    def words(self, _before: Ratings) -> str:
        """Both numbers."""
        if not self.now:
            sentence = _("Changed by hand: {name} stands for no {subject} and is left out; it was {was:,} before.")
        else:
            sentence = ngettext(
                "Changed by hand: {name} stands for {now:,} {subjects}; it was {was:,} before.",
                "Changed by hand: {name} stands for {now:,} {subjects}; it was {was:,} before.",
                self.now,
            )
        return sentence.format(name=CaseName(self.subject), now=self.now, was=self.was)

    def touches(self, before: Ratings) -> int:
        """The ratings that are more or less than before."""
        at = place_of(self.subject, before.subjects, "case")
        return abs(self.now - self.was) * int((before.subject == at).sum())

    def apply(self, before: Ratings) -> Ratings:
        """The same rows, one of them counted otherwise."""
        if before.weight is None:
            raise TapdeskError(
                _("These data are not tallied: each {subject} stands for itself."), fix=_("Change its {ratings}.")
            )
        at = place_of(self.subject, before.subjects, "case")
        _sound(self.now, self.was, int(before.weight[at]), self.subject)
        if not self.now:
            return keep_only(before, before.subject != at)
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

    def words(self, _before: Ratings) -> str:
        """Both numbers."""
        return ngettext(
            "Changed by hand: {subject} has {now:,} {ratings} '{label}'; it was {was:,} before.",
            "Changed by hand: {subject} has {now:,} {ratings} '{label}'; it was {was:,} before.",
            self.now,
        ).format(subject=CaseName(self.subject), label=Label(self.label), now=self.now, was=self.was)

    def touches(self, before: Ratings) -> int:
        """The ratings that are more or less than before."""
        each = 1 if before.weight is None else int(before.weight[place_of(self.subject, before.subjects, "case")])
        return abs(self.now - self.was) * each

    def apply(self, before: Ratings) -> Ratings:
        """More or fewer ratings, by nobody in particular."""
        if before.raters_known:
            raise TapdeskError(
                _("These {ratings} are by {raters} who are known."), fix=_("Change the {rating} of one of them.")
            )
        subject = place_of(self.subject, before.subjects, "case")
        category = place_of(self.label, before.classes, "class")
        result = np.flatnonzero((before.subject == subject) & (before.category == category))
        _sound(self.now, self.was, result.size, self.subject)
        if self.now < self.was:
            stays = np.ones(before.subject.size, dtype=bool)
            stays[result[self.now :]] = False
            return keep_only(before, stays)
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

    def words(self, _before: Ratings) -> str:
        """The number, and that there was none."""
        return ngettext(
            "Changed by hand: {name} stands for {now:,} {subjects}; it was 0 before.",
            "Changed by hand: {name} stands for {now:,} {subjects}; it was 0 before.",
            self.now,
        ).format(name=CaseName(self.subject), now=self.now)

    def touches(self, _before: Ratings) -> int:
        """The ratings that are more than before."""
        return self.now * len(self.labels)

    def apply(self, before: Ratings) -> Ratings:
        """The rows, and one more."""
        if before.weight is None or not before.raters_known or len(before.raters) != len(self.labels):
            raise TapdeskError(
                _("These data are not two {raters} crossed."), fix=_("Change the {ratings} of {a_subject}.")
            )
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

    def words(self, _before: Ratings) -> str:
        """The number, and that there was none."""
        return ngettext(
            "Changed by hand: {subject} has {now:,} {ratings} '{label}'; it had none before.",
            "Changed by hand: {subject} has {now:,} {ratings} '{label}'; it had none before.",
            self.now,
        ).format(subject=CaseName(self.subject), now=self.now, label=Label(self.label))

    def touches(self, _before: Ratings) -> int:
        """The ratings."""
        return self.now

    def apply(self, before: Ratings) -> Ratings:
        """The cases, and one more."""
        if before.raters_known or before.weight is not None:
            raise TapdeskError(
                _("These data are not numbers of {ratings} of each {subject}."),
                fix=_("Change the {ratings} of {a_subject}."),
            )
        _sound_new(self.now, self.subject, before)
        category = place_of(self.label, before.classes, "class")
        return _with_more(_with_case(before, self.subject, []), len(before.subjects), category, self.now)


def _sound_new(now: int, subject: str, before: Ratings) -> None:
    """Refuse a number that is none, or a case that is there."""
    _sound(now, 0, 0, subject)
    if subject in before.subjects:
        raise TapdeskError(
            _("There is {a_subject} '{name}' in the data by now.").format(name=CaseName(subject)),
            fix=_("Look at it again, and take this decision back or make it again."),
        )


def _with_case(ratings: Ratings, subject: str, category: list[int], weight: IntArray | None = None) -> Ratings:
    """A case more at the end, with a rating by each of the first raters."""
    columns = {}
    for name, column in ratings.covariates.items():
        more = {CovariateOf.RATING: len(category), CovariateOf.SUBJECT: 1}.get(column.of, 0)
        columns[name] = replace(column, values=np.append(column.values, [unknown_value(column)] * more))
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
            _("The number for {name} is not what it was when it was changed.").format(name=CaseName(subject)),
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
    nothing = unknown_value(column)
    if column.of is CovariateOf.RATING:
        return replace(column, values=np.insert(values, at, [nothing] * ratings))
    if column.of is CovariateOf.RATER and raters:
        return replace(column, values=np.append(values, [nothing] * raters))
    return column
