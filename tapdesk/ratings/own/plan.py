"""The plan of blank rating sheets: who rates what in which order, with hidden repeats and known cases mixed in."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings.grid import column_letter

LEAST_APART = 3
"""Of a hidden repeat and its first showing lie at least a third of the cases apart, up to the number below."""
_MOST_APART = 10
MOST_LINES = 1_000_000
"""More rows than this fit on no sheet."""


@dataclass(frozen=True)
class CaseList:
    """The cases that are to be rated.

    Attributes
    ----------
    names
        Of the cases, each once.
    shown
        By the name of a column what raters are to see of each case, in the order of ``names``.
    known
        For each case the answer that is known to be true, empty for none; empty where none is known at all.
    """

    names: tuple[str, ...]
    shown: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One rating that is asked for.

    Attributes
    ----------
    item
        By what the line is known again: the letter of the rater and its place.
    rater, case
        Places in the lists of the plan.
    place
        In the order of the rater, counted from 1.
    time
        1 for the first showing of a case, 2 for a hidden repeat.
    """

    item: str
    rater: int
    case: int
    place: int
    time: int


@dataclass(frozen=True)
class SheetPlan:
    """Who rates what, in which order.

    Attributes
    ----------
    cases, raters, classes
        What is rated, by whom, and what can be said of it, lowest first.
    ordered
        Whether the order of the classes means something.
    coded
        Whether raters see items in place of the names of cases.
    seed
        From which the orders follow.
    lines
        By rater, each in the order of that rater.
    """

    cases: CaseList
    raters: tuple[str, ...]
    classes: tuple[str, ...]
    ordered: bool
    coded: bool
    seed: int
    lines: tuple[SheetLine, ...]

    def lines_of(self, rater: int) -> tuple[SheetLine, ...]:
        """The lines of one rater, in their order."""
        return tuple(line for line in self.lines if line.rater == rater)


def plan_sheets(
    cases: CaseList,
    raters: Sequence[str],
    classes: Sequence[str],
    *,
    ordered: bool = True,
    repeats: int = 0,
    coded: bool = False,
    seed: int = 1,
) -> SheetPlan:
    """A random order of the cases for each rater, some of them shown twice.

    Parameters
    ----------
    cases, raters, classes
        What is rated, by whom, and what can be said of it, lowest first.
    ordered
        Whether the order of the classes means something.
    repeats
        How many cases each rater sees a second time, others for each rater; these see items in place of names then.
    coded
        Whether raters see items in place of names anyway.
    seed
        The same seed gives the same sheets.

    Raises
    ------
    UsageError
        When a name stands twice or is blank, there is no case, rater or second class, a known answer is no class, or
        more repeats are wanted than lie far enough apart.
    """
    _refuse_names(_("cases"), cases.names, 1)
    _refuse_names(_("raters"), raters, 1)
    _refuse_names(_("classes"), classes, 2)
    apart = _refuse_sizes(cases, len(raters), classes, repeats)
    random = np.random.default_rng(seed)
    lines: list[SheetLine] = []
    for rater in range(len(raters)):
        shown = _order(random, len(cases.names), repeats, apart)
        met: set[int] = set()
        for place, case in enumerate(shown, start=1):
            item = f"{column_letter(rater)}{place:0{max(len(str(len(shown))), 2)}d}"
            lines.append(SheetLine(item, rater, case, place, 1 + (case in met)))
            met.add(case)
    return SheetPlan(cases, tuple(raters), tuple(classes), ordered, coded or repeats > 0, seed, tuple(lines))


def _refuse_sizes(cases: CaseList, raters: int, classes: Sequence[str], repeats: int) -> int:
    """Refuse unknown answers and more lines or repeats than fit; how far repeats lie apart."""
    unknown = [text for text in dict.fromkeys(cases.known) if text and text not in classes]
    if unknown:
        raise UsageError(
            _("The known answer '{text}' is none of the classes.").format(text=Label(unknown[0])),
            fix=_("Name it among the classes, or correct it in the list of cases."),
        )
    count = len(cases.names)
    apart = max(1, min(_MOST_APART, count // LEAST_APART))
    most = max(count - apart, 0)
    if not 0 <= repeats <= most:
        raise UsageError(
            _("{repeats:,} hidden repeats do not fit: of {count:,} cases at most {most:,} can come again.").format(
                repeats=repeats, count=count, most=most
            ),
            fix=_("Choose fewer repeats, or more cases."),
        )
    if (count + repeats) * raters > MOST_LINES:
        raise UsageError(
            _("{lines:,} ratings are too many for a workbook.").format(lines=(count + repeats) * raters),
            fix=_("Choose fewer cases or raters."),
        )
    return apart


def _order(random: np.random.Generator, count: int, repeats: int, apart: int) -> list[int]:
    """All cases in a random order, some of them once more, at least so many cases further on."""
    order = random.permutation(count).tolist()
    again: Iterable[int] = random.choice(max(count - apart, 0), size=repeats, replace=False) if repeats else []
    behind: dict[int, list[int]] = {}
    for place in sorted(int(p) for p in again):
        # Behind which case of the first showings it comes again.
        behind.setdefault(int(random.integers(place + apart, count)), []).append(order[place])
    return [case for place, first in enumerate(order) for case in (first, *behind.get(place, ()))]


def _refuse_names(what: str, names: Sequence[str], least: int) -> None:
    """Refuse too few names, blank ones, and one that stands twice."""
    plain = [name.strip() for name in names]
    if len(plain) < least or not all(plain):
        message = _("One of the {what} has no name.") if len(plain) >= least else _("There are too few {what}.")
        raise UsageError(message.format(what=what), fix=_("Name each of them once, separated by commas."))
    twice = next((name for name in plain if plain.count(name) > 1), None) if len(set(plain)) < len(plain) else None
    if twice is not None:
        raise UsageError(
            _("'{name}' stands twice among the {what}.").format(name=Label(twice), what=what),
            fix=_("Name each of them once."),
        )
