"""Decisions about raters, the names of raters and cases, and who wrote what is known of the cases."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tapdesk.errors import TapdeskError
from tapdesk.language import CaseName, Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import (
    Decision,
    Mask,
    place_of,
    places_of,
    rating_total,
    refuse_tallies,
)
from tapdesk.ratings.findings import quoted_list
from tapdesk.ratings.grid import column_letter
from tapdesk.ratings.ratings import CovariateOf, IntArray, Ratings


@dataclass(frozen=True, slots=True)
class FlipRater(Decision):
    """A rater who used the scale upside down."""

    kind: ClassVar[str] = "flip"
    rater: str

    def words(self, before: Ratings) -> str:
        """Who, and the two ends."""
        ends = {"low": Label(before.classes[0]), "high": Label(before.classes[-1])}
        return _("The {ratings} of {rater} are turned round: '{low}' counts as '{high}' and so on.").format(
            rater=RaterName(self.rater), **ends
        )

    def touches(self, before: Ratings) -> int:
        """The ratings that change; the middle of the scale does not."""
        middle = before.category == len(before.classes) - 1 - before.category
        return rating_total(before, self._own(before) & ~middle)

    def apply(self, before: Ratings) -> Ratings:
        """The scale turned round for one rater."""
        place_of(self.rater, before.raters, "rater")
        if not before.ordered and len(before.classes) != 2:
            raise TapdeskError(_("The classes have no order to turn round."), fix=_("Put the classes in order first."))
        turned = len(before.classes) - 1 - before.category
        return replace(before, category=np.where(self._own(before), turned, before.category))

    def _own(self, before: Ratings) -> Mask:
        return np.array([n == self.rater for n in before.raters], dtype=bool)[before.rater]


@dataclass(frozen=True, slots=True)
class NameKeyAuthors(Decision):
    """Who wrote the known answers, in the user's words."""

    kind: ClassVar[str] = "known_by"
    who: str

    def words(self, _before: Ratings) -> str:
        """Who it was."""
        return _("Who wrote the known answers: {who}").format(who=Label(self.who))

    def apply(self, before: Ratings) -> Ratings:
        """The ratings, which know it."""
        if not before.known:
            raise TapdeskError(_("These {ratings} have no known answers."), fix=_("Take this decision back."))
        return replace(before, known_by=self.who)


@dataclass(frozen=True, slots=True)
class TakeKeyAsRater(Decision):
    """What is known is held against the panel like the ratings of one more rater (models_more.md §1)."""

    kind: ClassVar[str] = "key_as_rater"

    def words(self, before: Ratings) -> str:
        """Who joins the panel."""
        return _("The known answers are taken as those of one more {rater}, {name}.").format(
            name=RaterName(before.known)
        )

    def touches(self, before: Ratings) -> int:
        """The known answers, which become ratings."""
        classes = before.known_classes()
        return 0 if classes is None else int((classes >= 0).sum())

    def apply(self, before: Ratings) -> Ratings:
        """One rater more."""
        from tapdesk.models.panels import key_as_rater  # late: few keys are taken as a rater

        return key_as_rater(before)


@dataclass(frozen=True, slots=True)
class JoinRaters(Decision):
    """Several names of one rater."""

    kind: ClassVar[str] = "join_raters"
    names: tuple[str, ...]
    into: str

    def words(self, before: Ratings) -> str:
        """The names, and how many cases more than one of them rated."""
        sentence = _("The {raters} {names} are one person, '{into}'.").format(
            names=quoted_list([*map(RaterName, self.names)], 12), into=RaterName(self.into)
        )
        by = np.zeros(len(before.subjects), dtype=np.int64)
        for one in (i for i, name in enumerate(before.raters) if name in self.names):
            by += np.bincount(before.subject[before.rater == one], minlength=by.size) > 0
        twice = int((by > 1).sum())
        if not twice:
            return sentence
        more = ngettext(
            "On {n:,} {subjects} more than one of them rated; there every {rating} counts, as a repeat.",
            "On {n:,} {subjects} more than one of them rated; there every {rating} counts, as a repeat.",
            twice,
        ).format(n=twice)
        return joined(sentence, more)

    def touches(self, before: Ratings) -> int:
        """The ratings that have another name now."""
        renamed = np.array([n in self.names and n != self.into for n in before.raters], dtype=bool)
        return rating_total(before, renamed[before.rater])

    def apply(self, before: Ratings) -> Ratings:
        """Fewer raters."""
        names, code, first = _joined(before.raters, self.names, self.into, "rater")
        covariates = before.columns_with(CovariateOf.RATER, first)
        return replace(before, rater=code[before.rater], raters=names, covariates=covariates)


@dataclass(frozen=True, slots=True)
class JoinSubjects(Decision):
    """Several names of one case."""

    kind: ClassVar[str] = "join_subjects"
    names: tuple[str, ...]
    into: str

    def words(self, _before: Ratings) -> str:
        """The names."""
        return _("The {subjects} {names} are one {subject}, '{into}'.").format(
            names=quoted_list([*map(CaseName, self.names)], 12), into=CaseName(self.into)
        )

    def touches(self, before: Ratings) -> int:
        """The ratings that have another name now."""
        renamed = np.array([n in self.names and n != self.into for n in before.subjects], dtype=bool)
        return rating_total(before, renamed[before.subject])

    def apply(self, before: Ratings) -> Ratings:
        """Fewer cases; further columns about the case are those of the first name."""
        refuse_tallies(before)
        names, code, first = _joined(before.subjects, self.names, self.into, "case")
        covariates = before.columns_with(CovariateOf.SUBJECT, first)
        return Ratings.of(
            code[before.subject], before.rater, before.category, names, before.raters, before.classes,
            ordered=before.ordered, raters_known=before.raters_known, members=before.members, colours=before.colours,
            covariates=covariates, known=before.known, known_by=before.known_by, abstentions=before.abstentions,
        )  # fmt: skip


def _joined(
    names: tuple[str, ...], chosen: tuple[str, ...], into: str, what: str
) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """New names, the new index of each old name, and an old index for each new name; the first one gives the place."""
    result = places_of(chosen, names, what)
    if not into.strip() or (into in names and into not in chosen):
        raise TapdeskError(
            _("'{into}' is the name of another {what} already.").format(into=into, what=what),
            fix=_("Join that one too, or rename."),
        )
    index: dict[str, int] = {}
    code = [index.setdefault(into if is_one else name, len(index)) for name, is_one in zip(names, result, strict=True)]
    _values, first = np.unique(code, return_index=True)
    return tuple(index), np.array(code, dtype=np.int64), first


@dataclass(frozen=True, slots=True)
class NameRaters(Decision):
    """Other names for raters, such as codes.

    Attributes
    ----------
    names
        Pairs of old and new name.
    """

    kind: ClassVar[str] = "name_raters"
    names: tuple[tuple[str, str], ...]

    def words(self, _before: Ratings) -> str:
        """The new names; the old ones stay with the file as read."""
        return _("The {raters} are called {names}.").format(
            names=quoted_list([RaterName(new) for _old, new in self.names], 12)
        )

    def touches(self, before: Ratings) -> int:
        """The ratings whose rater has another name now."""
        renamed = {old for old, new in self.names if old != new}
        return rating_total(before, np.array([n in renamed for n in before.raters], dtype=bool)[before.rater])

    def apply(self, before: Ratings) -> Ratings:
        """The same raters under other names."""
        new = dict(self.names)
        places_of(new, before.raters, "rater")
        raters = tuple(new.get(name, name) for name in before.raters)
        if len(set(raters)) < len(raters) or not all(name.strip() for name in raters):
            raise TapdeskError(
                _("Two {raters} would have one name."), fix=_("Join {raters} who are one person instead.")
            )
        return replace(before, raters=raters)


@dataclass(frozen=True, slots=True)
class NumberCases(Decision):
    """Cases called by number, where their names are those of persons; the names stay with the file as read."""

    kind: ClassVar[str] = "number_cases"

    def words(self, before: Ratings) -> str:
        """How many; none of the names is repeated here."""
        return _("The {subjects} are called Case 1 to Case {n:,}, in the order of the file.").format(
            n=len(before.subjects)
        )

    def touches(self, before: Ratings) -> int:
        """All ratings: each has a case."""
        return before.rating_count

    def apply(self, before: Ratings) -> Ratings:
        """The same cases under numbers."""
        return replace(before, subjects=tuple(f"Case {i + 1}" for i in range(len(before.subjects))))


def letter_codes(raters: Sequence[str]) -> NameRaters:
    """Codes A to Z, AA, AB … for raters, in their order."""
    return NameRaters(tuple((name, column_letter(i)) for i, name in enumerate(raters)))
