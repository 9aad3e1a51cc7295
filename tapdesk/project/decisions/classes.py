"""Decisions about the classes: which are asked about, in which order, and which there could be."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from tapdesk.errors import TapdeskError
from tapdesk.language import Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import Decision, place_of, places_of, rating_total
from tapdesk.ratings.findings import quoted_list
from tapdesk.ratings.ratings import COLOURS, Covariate, Ratings, colour_name


@dataclass(frozen=True, slots=True)
class SetClass1(Decision):
    """The classes asked about; none of them means every class by itself.

    It is applied after all other decisions, so that they are told in the classes of the file.

    Attributes
    ----------
    labels
        Class 1.
    others
        Class 0; None for all the rest. Classes on neither side are left out.
    """

    kind: ClassVar[str] = "class1"
    labels: tuple[str, ...]
    others: tuple[str, ...] | None = None

    def words(self, before: Ratings) -> str:
        """What is asked about."""
        if not self.labels:
            return _("Every class stands by itself.")
        if self.others is None:
            return ngettext(
                "{one} is counted; no other class is.", "{one} are counted; no other class is.", len(self.labels)
            ).format(one=quoted_list(self.labels, 12))
        left = [c for c in before.classes if c not in {*self.labels, *self.others}]
        sentence = _("Counted: {one}; not counted: {zero}.").format(
            one=quoted_list(self.labels, 12), zero=quoted_list(self.others, 12)
        )
        return (
            _("{told} {Ratings} {left} are left out.").format(told=sentence, left=quoted_list(left, 12))
            if left
            else sentence
        )

    def touches(self, before: Ratings) -> int:
        """All ratings are told anew."""
        return before.rating_count if self.labels else 0

    def apply(self, before: Ratings) -> Ratings:
        """Class 1 against class 0."""
        return before.dichotomised(self.labels, self.others) if self.labels else before


@dataclass(frozen=True, slots=True)
class ReorderClasses(Decision):
    """The classes in another order, lowest first.

    Attributes
    ----------
    order
        Every class that occurs; classes that do not occur may be added or left out.
    ordered
        Whether the order means something.
    """

    kind: ClassVar[str] = "order"
    order: tuple[str, ...]
    ordered: bool = True

    def words(self, _before: Ratings) -> str:
        """The order."""
        if not self.ordered:
            return _("The classes have no order: {order}.").format(order=quoted_list(self.order, 12))
        return _("Order of the classes, lowest first: {order}.").format(order=quoted_list(self.order, 12))

    def apply(self, before: Ratings) -> Ratings:
        """The new order."""
        return before.with_order(self.order, ordered=self.ordered)


@dataclass(frozen=True, slots=True)
class DeclareClass(Decision):
    """A class that nobody used, though it could have been.

    Attributes
    ----------
    label
        Its name.
    before
        The class it stands in front of; None for the end.
    """

    kind: ClassVar[str] = "declare"
    label: str
    before: str | None = None

    def words(self, _before: Ratings) -> str:
        """The class and its place."""
        if self.before is None:
            return _("'{label}' is a class that nobody used; it stands last.").format(label=Label(self.label))
        return _("'{label}' is a class that nobody used; it stands before '{before}'.").format(
            label=Label(self.label), before=Label(self.before)
        )

    def apply(self, before: Ratings) -> Ratings:
        """One class more."""
        if not self.label.strip() or self.label in before.classes:
            raise TapdeskError(
                _("There is already a class '{label}'.").format(label=Label(self.label)),
                fix=_("Give the new class a name of its own."),
            )
        at = len(before.classes) if self.before is None else place_of(self.before, before.classes, "class")
        order = (*before.classes[:at], self.label, *before.classes[at:])
        return before.with_order(order, ordered=before.ordered)


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

    def words(self, _before: Ratings) -> str:
        """What became what."""
        sentences = [
            _("{labels} are one class, '{into}'.").format(labels=quoted_list(labels, 12), into=Label(into))
            for into, labels in self.groups
        ]
        return joined(*sentences)

    def touches(self, before: Ratings) -> int:
        """The ratings whose class has another name now."""
        renamed = {label for into, labels in self.groups for label in labels if label != into}
        which = np.array([c in renamed for c in before.classes], dtype=bool)
        return rating_total(before, which[before.category])

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
        chosen, sentences = set(labels), list(labels)
        for into, group in self.groups:
            if not chosen & set(group):
                continue
            if not set(group) <= chosen:
                raise TapdeskError(
                    _("{group} cannot become one class: they stand on both sides of the question.").format(
                        group=quoted_list(group, 12)
                    ),
                    fix=_("Choose the counted class again first."),
                )
            at = min(sentences.index(label) for label in group)
            sentences = [
                *(t for t in sentences[:at] if t not in group),
                into,
                *(t for t in sentences[at:] if t not in group),
            ]
        return tuple(sentences)


def _known_as(before: Ratings, old: str, new: str) -> Mapping[str, Covariate]:
    """The further columns, in which known answers follow a class to its new name."""
    column = before.covariates.get(before.known)
    texts = before.known_texts()
    if column is None or texts is None or old.strip() not in texts:
        return before.covariates
    values = np.array([new if text == old.strip() else text for text in texts], dtype=object)
    return MappingProxyType({**before.covariates, column.name: replace(column, values=values)})


@dataclass(frozen=True, slots=True)
class RenameClass(Decision):
    """Another name for a class."""

    kind: ClassVar[str] = "rename"
    old: str
    new: str

    def words(self, _before: Ratings) -> str:
        """Both names."""
        return _("The class '{old}' is now called '{new}'.").format(old=Label(self.old), new=Label(self.new))

    def touches(self, before: Ratings) -> int:
        """The ratings in the class."""
        return rating_total(before, np.array([c == self.old for c in before.classes], dtype=bool)[before.category])

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
        return replace(
            before, classes=tuple(classes), members=tuple(members), covariates=_known_as(before, self.old, self.new)
        )

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
        A name out of `tapdesk.ratings.ratings`; empty for no colour of its own.
    """

    kind: ClassVar[str] = "colour"
    label: str
    colour: str

    def words(self, _before: Ratings) -> str:
        """The class and the colour."""
        if not self.colour:
            return _("The class '{label}' has no colour of its own.").format(label=Label(self.label))
        return _("The class '{label}' is drawn in {colour}.").format(
            label=Label(self.label), colour=colour_name(self.colour)
        )

    def apply(self, before: Ratings) -> Ratings:
        """The same ratings, drawn otherwise."""
        at = place_of(self.label, before.classes, "class")
        if self.colour and self.colour not in COLOURS:
            raise TapdeskError(
                _("There is no colour '{colour}'.").format(colour=self.colour),
                fix=_("The colours are: {colours}.").format(colours=", ".join(map(colour_name, COLOURS))),
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

    def words(self, _before: Ratings) -> str:
        """What is no rating, and of which kind."""
        one, because = len(self.labels) == 1, bool(self.why)
        text = {
            (True, False): _("{labels} means that there is no {rating}."),
            (False, False): _("{labels} mean that there is no {rating}."),
            (True, True): _("{labels} means that there is no {rating}, because: {why}."),
            (False, True): _("{labels} mean that there is no {rating}, because: {why}."),
        }[one, because]
        return text.format(labels=quoted_list(self.labels, 12), why=Label(self.why))

    def touches(self, before: Ratings) -> int:
        """The ratings that are none."""
        gone = np.array([c in self.labels for c in before.classes], dtype=bool)
        return rating_total(before, gone[before.category])

    def apply(self, before: Ratings) -> Ratings:
        """Fewer classes and fewer ratings."""
        gone = places_of(self.labels, before.classes, "class")
        if gone[before.category].all():
            raise TapdeskError(_("No {rating} would be left."), fix=_("Name fewer missing codes."))
        return before.merged(tuple((c,) for c, g in zip(before.classes, gone, strict=True) if not g))


@dataclass(frozen=True, slots=True)
class CountAsAbstention(Decision):
    """Answers that tell nothing of the case: a rater looked and could not say. No case is truly of such a class.

    Attributes
    ----------
    labels
        The classes that are abstentions.
    """

    kind: ClassVar[str] = "abstain"
    labels: tuple[str, ...]

    def words(self, _before: Ratings) -> str:
        """Which answers they are."""
        if len(self.labels) == 1:
            return _("{labels} is an abstention: it tells nothing of the {subject}.").format(
                labels=quoted_list(self.labels)
            )
        return _("{labels} are abstentions: they tell nothing of the {subject}.").format(
            labels=quoted_list(self.labels, 12)
        )

    def touches(self, before: Ratings) -> int:
        """The ratings that are abstentions."""
        chosen = np.array([c in self.labels for c in before.classes], dtype=bool)
        return rating_total(before, chosen[before.category])

    def apply(self, before: Ratings) -> Ratings:
        """The same ratings, the abstentions behind the other classes."""
        chosen = places_of(self.labels, before.classes, "class")
        own = [m for members, c in zip(before.members, chosen, strict=True) if c for m in members]
        marked = replace(before, abstentions=tuple(dict.fromkeys([*before.abstentions, *own])))
        if len(marked.classes) - len(marked.empty_classes) < 1:
            raise TapdeskError(_("No class would be left but abstentions."), fix=_("Name fewer abstentions."))
        empty = set(marked.empty_classes)
        order = [c for i, c in enumerate(marked.classes) if i not in empty]
        order += [c for i, c in enumerate(marked.classes) if i in empty]
        return marked.with_order(order, ordered=marked.ordered)
