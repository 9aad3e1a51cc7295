"""Decisions about the classes: which are asked about, in which order, and which there could be."""

from dataclasses import dataclass
from typing import ClassVar

from tapdesk.errors import TapdeskError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import Decision, place_of
from tapdesk.ratings.findings import quoted
from tapdesk.ratings.ratings import Ratings


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
            return _("Class 1 is {one}; all other classes are class 0.").format(one=quoted(self.labels, 12))
        left = [c for c in before.classes if c not in {*self.labels, *self.others}]
        told = _("Class 1 is {one}, class 0 is {zero}.").format(
            one=quoted(self.labels, 12), zero=quoted(self.others, 12)
        )
        return _("{told} Ratings {left} are left out.").format(told=told, left=quoted(left, 12)) if left else told

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

    def words(self, before: Ratings) -> str:
        """The order."""
        del before
        if not self.ordered:
            return _("The classes have no order: {order}.").format(order=quoted(self.order, 12))
        return _("Order of the classes, lowest first: {order}.").format(order=quoted(self.order, 12))

    def touches(self, before: Ratings) -> int:
        """No rating changes."""
        del before
        return 0

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

    def words(self, before: Ratings) -> str:
        """The class and its place."""
        del before
        if self.before is None:
            return _("'{label}' is a class that nobody used; it stands last.").format(label=Label(self.label))
        return _("'{label}' is a class that nobody used; it stands before '{before}'.").format(
            label=Label(self.label), before=Label(self.before)
        )

    def touches(self, before: Ratings) -> int:
        """No rating changes."""
        del before
        return 0

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
