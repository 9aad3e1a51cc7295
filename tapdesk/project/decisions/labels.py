"""Decisions about the labels of the classes: which are one, their names and colours, which mean no rating."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tapdesk.errors import TapdeskError
from tapdesk.language import Label, joined
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import Decision, counted, place_of, places_of
from tapdesk.ratings.colours import COLOURS, in_words
from tapdesk.ratings.findings import quoted
from tapdesk.ratings.ratings import Ratings


@dataclass(frozen=True, slots=True)
class MergeClasses(Decision):
    """Classes that are one.

    Attributes
    ----------
    groups
        Pairs of the name of the merged class and the classes in it. It stands where the first of them stood.
    """

    kind: ClassVar[str] = "merge"
    groups: tuple[tuple[str, tuple[str, ...]], ...]

    def words(self, before: Ratings) -> str:
        """What became what."""
        del before
        told = [
            _("{labels} are one class, '{into}'.").format(labels=quoted(labels, 12), into=Label(into))
            for into, labels in self.groups
        ]
        return joined(*told)

    def touches(self, before: Ratings) -> int:
        """The ratings whose class has another name now."""
        renamed = {label for into, labels in self.groups for label in labels if label != into}
        which = np.array([c in renamed for c in before.classes], dtype=bool)
        return counted(before, which[before.category])

    def apply(self, before: Ratings) -> Ratings:
        """Fewer classes."""
        into_of: dict[str, str] = {}
        for into, labels in self.groups:
            places_of(labels, before.classes, "class")
            taken = into in before.classes and into not in labels
            if taken or not into.strip() or any(label in into_of for label in labels):
                raise TapdeskError(
                    _("'{into}' is another class already.").format(into=Label(into)),
                    fix=_("Merge that class too, or choose a name."),
                )
            into_of |= dict.fromkeys(labels, into)
        groups: dict[str, list[str]] = {}
        for label in before.classes:
            groups.setdefault(into_of.get(label, label), []).append(label)
        after = before.merged(tuple(groups.values()), tuple(groups))
        own = dict(zip(before.classes, before.colours, strict=True))
        # A class that others are merged into keeps its colour.
        colours = tuple(own.get(name) or shade for name, shade in zip(groups, after.colours, strict=True))
        return after if colours == after.colours else replace(after, colours=colours)

    def carried(self, labels: tuple[str, ...]) -> tuple[str, ...]:
        """A side keeps a merged class when it held all of it."""
        chosen, told = set(labels), list(labels)
        for into, group in self.groups:
            if not chosen & set(group):
                continue
            if not set(group) <= chosen:
                raise TapdeskError(
                    _("{group} cannot become one class: they stand on both sides of the question.").format(
                        group=quoted(group, 12)
                    ),
                    fix=_("Choose class 1 again first."),
                )
            at = min(told.index(label) for label in group)
            told = [*(t for t in told[:at] if t not in group), into, *(t for t in told[at:] if t not in group)]
        return tuple(told)


@dataclass(frozen=True, slots=True)
class RenameClass(Decision):
    """Another name for a class."""

    kind: ClassVar[str] = "rename"
    old: str
    new: str

    def words(self, before: Ratings) -> str:
        """Both names."""
        del before
        return _("The class '{old}' is now called '{new}'.").format(old=Label(self.old), new=Label(self.new))

    def touches(self, before: Ratings) -> int:
        """The ratings in the class."""
        return counted(before, np.array([c == self.old for c in before.classes], dtype=bool)[before.category])

    def apply(self, before: Ratings) -> Ratings:
        """The same ratings under another name."""
        at = place_of(self.old, before.classes, "class")
        if not self.new.strip() or self.new in before.classes:
            raise TapdeskError(
                _("The class cannot be called '{new}'.").format(new=Label(self.new)),
                fix=_("To make two classes one, merge them."),
            )
        classes, members = list(before.classes), list(before.members)
        classes[at] = self.new
        if members[at] == (self.old,):
            members[at] = (self.new,)
        return replace(before, classes=tuple(classes), members=tuple(members))

    def carried(self, labels: tuple[str, ...]) -> tuple[str, ...]:
        """A side keeps the class under its new name."""
        return tuple(self.new if label == self.old else label for label in labels)


@dataclass(frozen=True, slots=True)
class ColourClass(Decision):
    """A colour for a class, in tables and pictures; no number changes.

    Attributes
    ----------
    label
        The class.
    colour
        A name out of `tapdesk.ratings.colours`; empty for no colour of its own.
    """

    kind: ClassVar[str] = "colour"
    label: str
    colour: str

    def words(self, before: Ratings) -> str:
        """The class and the colour."""
        del before
        if not self.colour:
            return _("The class '{label}' has no colour of its own.").format(label=Label(self.label))
        return _("The class '{label}' is drawn in {colour}.").format(
            label=Label(self.label), colour=in_words(self.colour)
        )

    def touches(self, before: Ratings) -> int:
        """No rating changes."""
        del before
        return 0

    def apply(self, before: Ratings) -> Ratings:
        """The same ratings, drawn otherwise."""
        at = place_of(self.label, before.classes, "class")
        if self.colour and self.colour not in COLOURS:
            raise TapdeskError(
                _("There is no colour '{colour}'.").format(colour=self.colour),
                fix=_("The colours are: {colours}.").format(colours=", ".join(map(in_words, COLOURS))),
            )
        return replace(before, colours=(*before.colours[:at], self.colour, *before.colours[at + 1 :]))


@dataclass(frozen=True, slots=True)
class TreatAsMissing(Decision):
    """Texts that mean: no rating.

    Attributes
    ----------
    labels
        The classes that are none.
    why
        The kind of missing rating, such as ``could not judge``; kinds are told apart in the log.
    """

    kind: ClassVar[str] = "missing"
    labels: tuple[str, ...]
    why: str = ""

    def words(self, before: Ratings) -> str:
        """What is no rating, and of which kind."""
        del before
        one, because = len(self.labels) == 1, bool(self.why)
        told = {
            (True, False): _("{labels} means that there is no rating."),
            (False, False): _("{labels} mean that there is no rating."),
            (True, True): _("{labels} means that there is no rating, because: {why}."),
            (False, True): _("{labels} mean that there is no rating, because: {why}."),
        }[one, because]
        return told.format(labels=quoted(self.labels, 12), why=Label(self.why))

    def touches(self, before: Ratings) -> int:
        """The ratings that are none."""
        gone = np.array([c in self.labels for c in before.classes], dtype=bool)
        return counted(before, gone[before.category])

    def apply(self, before: Ratings) -> Ratings:
        """Fewer classes and fewer ratings."""
        gone = places_of(self.labels, before.classes, "class")
        if gone[before.category].all():
            raise TapdeskError(_("No rating would be left."), fix=_("Name fewer missing codes."))
        return before.merged(tuple((c,) for c, g in zip(before.classes, gone, strict=True) if not g))
