"""Cells to ratings: what is missing, which classes there are and in which order."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, note
from tapdesk.ratings.grid import Column
from tapdesk.ratings.layouts.cells import Cells
from tapdesk.ratings.numbers import number
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.ratings.values import Order, missing_codes, ordered


@dataclass(frozen=True, eq=False)
class Assembled:
    """Ratings and what was decided on the way.

    Attributes
    ----------
    ratings
        The ratings.
    cells
        The cells that hold them, in the order of the file.
    order
        The order of the classes and where it comes from.
    missing
        By text how many cells mean "no rating"; blank cells under the empty text.
    unrated
        Names of the cases without any rating.
    silent
        Names of the raters without any rating.
    findings
        What was noticed.
    """

    ratings: Ratings
    cells: Cells
    order: Order
    missing: Mapping[str, int]
    unrated: tuple[str, ...]
    findings: tuple[Finding, ...]
    silent: tuple[str, ...] = ()


def assemble(cells: Cells, name: str, decimal: str, options: ReadingOptions) -> Assembled:
    """The ratings in some cells.

    Raises
    ------
    TapdeskError
        When no rating is left, or a rating is not in the order the user gave.
    UsageError
        When the user named one text as a class and as a missing code.
    """
    _refuse_two_meanings(options)
    # Where the layout names the classes, they stay as they are called.
    value, findings = tidied(cells.value, decimal, options) if cells.classes is None else (cells.value, ())
    cells = replace(cells, value=value)
    absent = np.array(missing_codes(value.values, options.missing, options.classes, decimal), dtype=bool)
    if cells.classes is not None:
        absent[:] = False
    counts = value.counts()
    missing = Counter({value.values[i].strip(): 0 for i in np.flatnonzero(absent)})
    for i in np.flatnonzero(absent):
        missing[value.values[i].strip()] += int(counts[i])
    if absent.any():
        cells = cells.keep(~absent[value.codes])
        cells = replace(cells, value=cells.value.used())
    if not cells.subject.size:
        raise TapdeskError(
            _("There is no rating: every cell that could hold one is blank or a missing code."),
            name,
            _("Check the sheet, the layout and the rating columns."),
        )
    labels = cells.classes if cells.classes is not None else cells.value.values
    order = ordered(
        labels, decimal, cells.classes, None if cells.classes is not None else cells.value.counts().tolist()
    )
    ratings = _ratings(cells, order)
    if options.order is not None:
        _check_order(cells, options.order, name)
        ratings = ratings.with_order(options.order)
        order = Order(options.order, ordered=True, how="said")
    rated = np.bincount(cells.subject, minlength=len(cells.subjects)) > 0
    unrated = tuple(n for n, r in zip(cells.subjects, rated, strict=True) if not r) if not rated.all() else ()
    there = frozenset(ratings.raters) if len(ratings.raters) < len(cells.raters) else frozenset(cells.raters)
    silent = tuple(n for n in cells.raters if n not in there)
    return Assembled(ratings, cells, order, MappingProxyType(dict(missing)), unrated, findings, silent)


def _refuse_two_meanings(options: ReadingOptions) -> None:
    """A text is a class or a missing code; the user cannot have meant both."""
    both = [c for c in dict.fromkeys(options.classes) if c.strip() in {m.strip() for m in options.missing or ()}]
    if both:
        raise UsageError(
            _("'{text}' is named as a class and as a missing code.").format(text=Label(both[0])),
            "--missing",
            _("Leave it out of --missing if it is an answer, or out of --order, --class1 and --class0 if it is none."),
        )


def tidied(value: Column, decimal: str, options: ReadingOptions) -> tuple[Column, tuple[Finding, ...]]:
    """Numbers written as text (``3 ``, ``'3``) told as numbers, when every rating is a number then."""
    plain = [v.strip().removeprefix("'").strip() for v in value.values]
    if plain == list(value.values):
        return value, ()
    absent = missing_codes(plain, options.missing, options.classes, decimal)
    if not all(a or number(p) is not None or number(p, ",") is not None for a, p in zip(absent, plain, strict=True)):
        return value, ()
    index: dict[str, int] = {}
    codes = np.array([index.setdefault(p, len(index)) for p in plain], dtype=np.int64)
    counts = value.counts()
    changed = sum(int(n) for n, p, v in zip(counts, plain, value.values, strict=True) if p != v and v.strip())
    column = Column(codes[value.codes], tuple(index))
    if not changed:
        return column, ()
    finding = note(
        "numbers_as_text",
        "",
        ngettext(
            "{n:,} number was written as text (with blanks or an apostrophe).",
            "{n:,} numbers were written as text (with blanks or an apostrophe).",
            changed,
        ).format(n=changed),
    )
    return column, (replace(finding, default=_("They are read as the numbers they show.")),)


def _ratings(cells: Cells, order: Order) -> Ratings:
    """Ratings with the classes in their order; cases without a rating are dropped, and persons without one."""
    rank = {label: i for i, label in enumerate(order.classes)}
    category = np.array([rank[text] for text in cells.value.values], dtype=np.int64)[cells.value.codes]
    seen = np.bincount(cells.subject, minlength=len(cells.subjects)) > 0
    subject, subjects, weight = cells.subject, cells.subjects, cells.weight
    covariates = cells.covariates
    if not seen.all():
        subject = (np.cumsum(seen) - 1)[subject]
        subjects = tuple(n for n, s in zip(subjects, seen, strict=True) if s)
        weight = None if weight is None else weight[seen]
        covariates = tuple(_kept(c, seen) for c in covariates)
    return Ratings.of(
        subject,
        cells.rater,
        category,
        subjects,
        cells.raters,
        order.classes,
        ordered=order.ordered,
        raters_known=cells.raters_known,
        weight=weight,
        covariates={c.name: c for c in covariates},
    ).panel()


def _kept(covariate: Covariate, seen: NDArray[np.bool_]) -> Covariate:
    if covariate.of is not CovariateOf.SUBJECT:
        return covariate
    return replace(covariate, values=covariate.values[seen])


def _check_order(cells: Cells, order: tuple[str, ...], name: str) -> None:
    """Refuse ratings outside the order the user gave, naming the cells and the likely slip."""
    outside = [i for i, v in enumerate(cells.value.values) if v not in order]
    if not outside:
        return
    told = []
    for i in outside[:5]:
        entries = np.flatnonzero(cells.value.codes == i)
        told.append(
            _("'{text}' in {where}{slip}").format(
                text=Label(cells.value.values[i]), where=cells.where(entries), slip=_slip(cells.value.values[i], order)
            )
        )
    first = np.flatnonzero(cells.value.codes == outside[0])[0]
    fix = _("Correct these cells, add them to the order, or name them as missing codes (--missing).")
    if [cells.value.values[i] for i in outside] == ["0"]:
        fix = _(
            "If 0 means that there is no rating, name it as a missing code (--missing 0); else add it to the order."
        )
    raise TapdeskError(
        _("Some ratings are not in the order given: {told}.").format(told=joined(*told, sep="; ")),
        f"{name}, row {int(cells.row[first])}",
        fix,
    )


def _slip(text: str, order: tuple[str, ...]) -> str:
    """What was perhaps meant: the same digit twice, another case, a missing blank."""
    for label in order:
        if text.casefold().replace(" ", "") == label.casefold().replace(" ", "") or text == label * 2:
            return _(" (perhaps {label}, a typing slip)").format(label=Label(label))
    return ""
