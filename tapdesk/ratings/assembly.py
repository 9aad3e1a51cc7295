"""Cells to ratings: what is missing, which classes there are and in which order."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, note, row_list
from tapdesk.ratings.grid import Codes, TextColumn, column_letter, column_of
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import Covariate, CovariateOf, IntArray, Ratings
from tapdesk.ratings.texts import Order, class_order, coded_order, missing_codes, number_of_either

NOBODY = "(no name)"
"""How the rater of ratings beside which nobody is named is called."""


@dataclass(frozen=True, eq=False)
class RatingCells:
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
    known
        The covariate that holds known answers; empty for none.
    known_by
        Who wrote them, in the user's words.
    """

    subject: IntArray
    rater: IntArray
    value: TextColumn
    subjects: tuple[str, ...]
    raters: tuple[str, ...]
    row: IntArray
    place: IntArray
    weight: IntArray | None = None
    raters_known: bool = True
    classes: tuple[str, ...] | None = None
    covariates: tuple[Covariate, ...] = ()
    findings: tuple[Finding, ...] = ()
    known: str = ""
    known_by: str = ""

    def keep(self, which: NDArray[np.bool_]) -> "RatingCells":
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

    def compacted(self) -> "RatingCells":
        """The same entries without subjects and raters that have none."""
        seen = np.bincount(self.subject, minlength=len(self.subjects)) > 0
        heard = np.bincount(self.rater, minlength=len(self.raters)) > 0
        kept = self._of_cases(seen)
        columns = (replace(c, values=c.values[heard]) if c.of is CovariateOf.RATER else c for c in kept.covariates)
        return replace(
            kept,
            rater=(np.cumsum(heard) - 1)[self.rater],
            raters=tuple(n for n, h in zip(self.raters, heard, strict=True) if h),
            covariates=tuple(columns),
            value=self.value.used(),
        )

    def rated(self) -> "RatingCells":
        """The same entries without subjects that have none."""
        seen = np.bincount(self.subject, minlength=len(self.subjects)) > 0
        return self if seen.all() else self._of_cases(seen)

    def _of_cases(self, seen: NDArray[np.bool_]) -> "RatingCells":
        columns = (replace(c, values=c.values[seen]) if c.of is CovariateOf.SUBJECT else c for c in self.covariates)
        return replace(
            self,
            subject=(np.cumsum(seen) - 1)[self.subject],
            subjects=tuple(n for n, s in zip(self.subjects, seen, strict=True) if s),
            weight=None if self.weight is None else self.weight[seen],
            covariates=tuple(columns),
        )

    def where(self, entries: IntArray, limit: int = 5) -> str:
        """Cells of the user's file in one line: ``cells B7, C9 and 3 more``."""
        if self.place.size <= 1:
            return row_list(np.unique(self.row[entries]))
        names = [f"{column_letter(int(self.place[e]))}{int(self.row[e])}" for e in entries[:limit]]
        more = _(" and {size:,} more").format(size=entries.size - limit) if entries.size > limit else ""
        cells = joined(joined(*names, sep=", "), more, sep="")
        return ngettext("cell {cells}", "cells {cells}", entries.size).format(cells=cells)


def seat_numbers(subject: IntArray, subjects: int) -> IntArray:
    """Shape (m,): the position of each entry within its subject, counted from 0."""
    order = np.argsort(subject, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(subject, minlength=subjects))[:-1]])
    position = np.empty(subject.size, dtype=np.int64)
    position[order] = np.arange(subject.size) - starts[subject[order]]
    return position


def stack_columns(columns: Sequence[TextColumn]) -> TextColumn:
    """Several columns of equal length as one, row after row, over one list of distinct texts."""
    index: dict[str, int] = {}
    table = np.empty((columns[0].codes.size if columns else 0, len(columns)), dtype=np.int64)
    for j, column in enumerate(columns):
        table[:, j] = np.array([index.setdefault(v, len(index)) for v in column.values], dtype=np.int64)[column.codes]
    return TextColumn(table.ravel(), tuple(index))


@dataclass(frozen=True, eq=False)
class Assembly:
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
    cells: RatingCells
    order: Order
    missing: Mapping[str, int]
    unrated: tuple[str, ...]
    findings: tuple[Finding, ...]
    silent: tuple[str, ...] = ()


def assemble(
    cells: RatingCells, name: str, decimal: str, options: ReadingOptions, codes: Codes | None = None
) -> Assembly:
    """The ratings in some cells; ``codes`` are the numbers behind them, where the file knows these.

    Raises
    ------
    TapdeskError
        When no rating is left, or a rating is not in the order the user gave.
    UsageError
        When the user named one text as a class and as a missing code.
    """
    _refuse_two_meanings(options)
    # Where the layout names the classes, they stay as they are called.
    value, findings = _tidy_numbers(cells.value, decimal, options) if cells.classes is None else (cells.value, ())
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
    order = class_order(
        labels, decimal, cells.classes, None if cells.classes is not None else cells.value.counts().tolist()
    )
    coded = None if codes is None else coded_order(labels, codes.code, codes.measure)
    # Where the file does not say whether its codes mean an order, words that everybody knows do.
    if coded is not None and (coded.how != "coded" or order.how != "scale"):
        order = coded
    ratings = _ratings(cells, order)
    if options.order is not None:
        said = _with_abstentions(options.order, ratings.classes, options)
        _check_order(cells, said, name)
        ratings = ratings.with_order(said, ordered=not options.unordered)
        order = Order(said, ordered=ratings.ordered, how="said" if ratings.ordered else "listed")
    if options.abstain:
        # Behind what is decided: the order of the others stays whole.
        decided = tuple(c for c in ratings.classes if c not in _abstentions(ratings.classes, options))
        ratings = ratings.with_order(_with_abstentions(decided, ratings.classes, options), ordered=ratings.ordered)
        ratings = replace(ratings, abstentions=_abstentions(ratings.classes, options))
        order = replace(order, classes=ratings.classes)
    rated = np.bincount(cells.subject, minlength=len(cells.subjects)) > 0
    unrated = tuple(n for n, r in zip(cells.subjects, rated, strict=True) if not r) if not rated.all() else ()
    there = frozenset(ratings.raters) if len(ratings.raters) < len(cells.raters) else frozenset(cells.raters)
    silent = tuple(n for n in cells.raters if n not in there)
    return Assembly(ratings, cells, order, MappingProxyType(dict(missing)), unrated, findings, silent)


def _abstentions(classes: Sequence[str], options: ReadingOptions) -> tuple[str, ...]:
    """The classes that are abstentions, in whatever case they are written."""
    named = {text.strip().casefold() for text in options.abstain or ()}
    return tuple(c for c in classes if c.strip().casefold() in named)


def _with_abstentions(order: Sequence[str], classes: Sequence[str], options: ReadingOptions) -> tuple[str, ...]:
    """An order, with the abstentions it leaves out behind it."""
    return (*order, *(c for c in _abstentions(classes, options) if c not in order))


def _refuse_two_meanings(options: ReadingOptions) -> None:
    """A text is a class, a missing code or an abstention; the user cannot have meant two of these."""
    named = {text.strip().casefold() for text in options.abstain or ()}
    sides = (*(options.class1 or ()), *(options.class0 or ()), *(options.missing or ()))
    for text in dict.fromkeys(sides):
        if text.strip().casefold() in named:
            raise UsageError(
                _("'{text}' is named as an abstention and as something else.").format(text=Label(text)),
                "--abstain",
                _("Leave it out of --abstain, or out of --missing, --class1 and --class0."),
            )
    both = [c for c in dict.fromkeys(options.classes) if c.strip() in {m.strip() for m in options.missing or ()}]
    if both:
        raise UsageError(
            _("'{text}' is named as a class and as a missing code.").format(text=Label(both[0])),
            "--missing",
            _("Leave it out of --missing if it is an answer, or out of --order, --class1 and --class0 if it is none."),
        )


def _tidy_numbers(value: TextColumn, decimal: str, options: ReadingOptions) -> tuple[TextColumn, tuple[Finding, ...]]:
    """Numbers written as text (``3 ``, ``'3``) told as numbers, when every rating is a number then."""
    plain = [v.strip().removeprefix("'").strip() for v in value.values]
    if plain == list(value.values):
        return value, ()
    absent = missing_codes(plain, options.missing, options.classes, decimal)
    if not all(a or number_of_either(p) is not None for a, p in zip(absent, plain, strict=True)):
        return value, ()
    merged = column_of(plain)
    counts = value.counts()
    changed = sum(int(n) for n, p, v in zip(counts, plain, value.values, strict=True) if p != v and v.strip())
    column = TextColumn(merged.codes[value.codes], merged.values)
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


def _ratings(cells: RatingCells, order: Order) -> Ratings:
    """Ratings with the classes in their order; cases without a rating are dropped, and persons without one."""
    rank = {label: i for i, label in enumerate(order.classes)}
    category = np.array([rank[text] for text in cells.value.values], dtype=np.int64)[cells.value.codes]
    cells = cells.rated()
    return Ratings.of(
        cells.subject,
        cells.rater,
        category,
        cells.subjects,
        cells.raters,
        order.classes,
        ordered=order.ordered,
        raters_known=cells.raters_known,
        weight=cells.weight,
        covariates={c.name: c for c in cells.covariates},
        known=cells.known,
        known_by=cells.known_by,
    ).panel()


def _check_order(cells: RatingCells, order: tuple[str, ...], name: str) -> None:
    """Refuse ratings outside the order the user gave, naming the cells and the likely slip."""
    outside = [i for i, v in enumerate(cells.value.values) if v not in order]
    if not outside:
        return
    sentences = []
    for i in outside[:5]:
        entries = np.flatnonzero(cells.value.codes == i)
        sentences.append(
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
        _("Some ratings are not in the order given: {told}.").format(told=joined(*sentences, sep="; ")),
        f"{name}, row {int(cells.row[first])}",
        fix,
    )


def _slip(text: str, order: tuple[str, ...]) -> str:
    """What was perhaps meant: the same digit twice, another case, a missing blank."""
    for label in order:
        if text.casefold().replace(" ", "") == label.casefold().replace(" ", "") or text == label * 2:
            return _(" (perhaps {label}, a typing slip)").format(label=Label(label))
    return ""
