"""Checks of the distinct ratings: each text is looked at once, however often it occurs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.checks.likeness import counted, drawn, groups, meant, spoken
from tapdesk.ratings.dates import day_and_month, is_date
from tapdesk.ratings.findings import Finding, ask, block, listed, many, note, quoted, shortened
from tapdesk.ratings.layouts.cells import Cells
from tapdesk.ratings.numbers import is_grouped, number
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.values import ERRORS, NUMBER_CODES, PERHAPS_MISSING, REASON

_SHORT = 12  # steps of a scale
_FORMS = re.compile(r"\d+ ?[-–] ?\d+|\d+\+|[<>≤≥] ?\d+|\d+ ?/ ?\d+|[★☆⭐✓✔✗✘☑☒]+|[xX]")


@dataclass(frozen=True, eq=False)
class Values:
    """The distinct ratings of some cells, how often each occurs, and where.

    Attributes
    ----------
    texts
        The distinct ratings.
    counts
        Shape (values,): how often each occurs.
    cells
        The cells.
    decimal
        The decimal mark.
    """

    texts: tuple[str, ...]
    counts: NDArray[np.int64]
    cells: Cells
    decimal: str

    def where(self, texts: Sequence[str]) -> str:
        """The cells that hold some ratings."""
        wanted = np.isin(np.arange(len(self.texts)), [self.texts.index(t) for t in texts])
        return self.cells.where(np.flatnonzero(wanted[self.cells.value.codes]))

    def total(self, texts: Sequence[str]) -> int:
        """How often some ratings occur together."""
        return int(sum(self.counts[self.texts.index(t)] for t in texts))

    def told(self, texts: Sequence[str]) -> str:
        """Ratings with how often each occurs."""
        return listed([f"'{shortened(t)}' ({self.total([t]):,})" for t in texts])


def values_of(made: Assembled, decimal: str) -> Values:
    """The distinct ratings of a table."""
    column = made.cells.value
    return Values(column.values, np.asarray(column.counts(), dtype=np.int64), made.cells, decimal)


def value_findings(values: Values, made: Assembled, options: ReadingOptions) -> Iterator[Finding]:
    """What the distinct ratings show."""
    if made.order.how == "columns":
        yield from _classes_used(made)
        return
    yield from _same(values)
    yield from _forms(values)
    yield from _missing(values, made, options)
    if options.order is None:
        yield from _numbers(values)
        yield from _order(values, made)
    yield from _classes_used(made)


def _same(values: Values) -> Iterator[Finding]:
    """Ratings that are perhaps one class written in several ways."""
    kept = "They are kept as different classes."
    told: set[tuple[str, ...]] = set()
    kinds = (
        ("look_alikes", drawn, "look the same and are written with different letters"),
        ("case_space_variants", spoken, "differ only in capitals or blanks"),
        ("same_number", counted(values.decimal), "are the same number written differently"),
        ("same_meaning", meant, "probably mean the same"),
    )
    for code, key, what in kinds:
        for group in groups(values.texts, key):
            if group in told:
                continue
            told.add(group)
            yield ask(
                code, values.where(group[1:]), f"The ratings {values.told(group)} {what}.",
                "If they are one class, merge them.", kept,
                (tuple(sorted(group, key=lambda t: -values.total([t]))),),
            )  # fmt: skip


def _forms(values: Values) -> Iterator[Finding]:
    """Dates, percentages and other marks among ratings."""
    dates = [t for t in values.texts if is_date(t)]
    if dates:
        yield ask(
            "dates_among_ratings", values.where(dates),
            f"Some ratings are dates: {values.told(dates)}{_before_it_was_a_date(dates[0])}.",
            "Correct these cells, or count them as no rating; in the file, format the column as text first.",
            "They are kept as classes of their own.", (tuple(dates),),
        )  # fmt: skip
    percents = [t for t in values.texts if t.endswith("%") and number(t, values.decimal) is not None]
    if percents:
        yield ask(
            "percentages", values.where(percents), f"Some ratings are percentages: {values.told(percents)}.",
            "If they are measurements, group them by cut-points.", "Each percentage is a class.",
            (tuple(percents),),
        )  # fmt: skip
    forms = [t for t in values.texts if _FORMS.fullmatch(t.strip()) and t not in dates]
    if forms:
        some = "Some ratings" if len(forms) < len(values.texts) else "All ratings"
        yield ask(
            "unusual_marks", values.where(forms), f"{some} are ranges, fractions or marks: {values.told(forms)}.",
            "If they stand for a class that exists, write that class.", "Each is a class as it is written.",
            (tuple(forms),),
        )  # fmt: skip


def _before_it_was_a_date(text: str) -> str:
    """What was perhaps typed before a spreadsheet made a date of it."""
    found = re.match(r"\d{4}-(\d{1,2})-(\d{1,2})", text.strip())
    if found:
        month, day = int(found.group(1)), int(found.group(2))
        return f" ({shortened(text)} was perhaps typed as {day}-{month} or {month}/{day})"
    numbers = day_and_month(text)
    if numbers is None:
        return ""
    return f" ({shortened(text)} was perhaps typed as {numbers[0]}-{numbers[1]} or {numbers[0]}/{numbers[1]})"


def _missing(values: Values, made: Assembled, options: ReadingOptions) -> Iterator[Finding]:
    """Texts that mean, or may mean, that there is no rating."""
    codes = {t: n for t, n in made.missing.items() if t and t not in ERRORS and not t.startswith(REASON)}
    if codes and options.missing is None:
        told = listed([f"'{t}' ({n:,})" for t, n in codes.items()])
        yield ask(
            "missing_codes", "", f"Some cells hold a code that usually means no rating: {told}.",
            "If one of them is an answer, name the real missing codes (--missing).",
            "They are read as no rating.", (tuple(codes),),
        )  # fmt: skip
    errors = {t: n for t, n in made.missing.items() if t.casefold() in ERRORS}
    if errors and options.missing is None:
        told = listed([f"{t} ({n:,})" for t, n in errors.items()])
        yield note(
            "error_texts", "", f"Some cells hold an error of a spreadsheet: {told}.", default="They are no rating."
        )
    words = [t for t in values.texts if spoken(t).strip("()[]{}<>") in PERHAPS_MISSING]
    if words and options.missing is None:
        yield ask(
            "maybe_missing_word", values.where(words),
            f"Some ratings sound like a missing rating: {values.told(words)}.",
            "If they mean that nobody rated, name them as missing codes (--missing).",
            "They are kept as classes.", (tuple(words),),
        )  # fmt: skip
    if len([t for t, n in made.missing.items() if n]) > 1:
        told = listed([f"{t.removeprefix(REASON) or 'blank'} ({n:,})" for t, n in made.missing.items() if n])
        yield note("missing_kinds", "", f"There are several kinds of missing rating, counted apart: {told}.")


def _numbers(values: Values) -> Iterator[Finding]:
    """Number codes outside the scale, slips of the finger, half points, and measurements."""
    numbers = {t: n for t in values.texts if (n := number(t, values.decimal)) is not None}
    grouped = [t for t in numbers if is_grouped(t, values.decimal)]
    if grouped:
        yield note(
            "thousands_marks", values.where(grouped),
            f"In {many(values.total(grouped), 'number', 'numbers')} a mark or a blank sets the thousands apart: "
            f"{values.told(grouped)}.",
            default="They are read as the numbers they show.",
        )  # fmt: skip
    if numbers and len(numbers) < len(values.texts) and set(numbers) <= set(NUMBER_CODES):
        yield ask(
            "maybe_missing_number", values.where(list(numbers)),
            f"Some ratings are numbers among words and may be codes for missing: {values.told(list(numbers))}.",
            "If they mean that nobody rated, name them as missing codes (--missing).", "They are kept as classes.",
            (tuple(numbers),),
        )  # fmt: skip
        return
    whole = sorted(n for n in numbers.values() if n == int(n))
    codes = [t for t in numbers if t in NUMBER_CODES and _outside(numbers[t], whole)]
    if codes:
        yield ask(
            "maybe_missing_number", values.where(codes),
            f"Some ratings lie outside the scale and may be codes for missing: {values.told(codes)}.",
            "If they mean that nobody rated, name them as missing codes (--missing).", "They are kept as classes.",
            (tuple(codes),),
        )  # fmt: skip
    if len(numbers) < len(values.texts) or len(numbers) < 2:
        return
    far = [t for t in numbers if t not in codes and _is_slip(t, numbers, values)]
    if far:
        yield ask(
            "far_value", values.where(far),
            f"Some ratings lie far outside the scale: {values.told(far)}, perhaps a typing slip"
            f"{' (the same key pressed twice)' if any(_is_twice(t, numbers) for t in far) else ''}.",
            "Correct these cells, or name them as missing codes (--missing).", "They are kept as classes.",
            (tuple(far),),
        )  # fmt: skip
    halves = [t for t, n in numbers.items() if n != int(n)]
    if halves and len(whole) >= 2 * len(halves):
        yield ask(
            "half_points", values.where(halves), f"Some ratings lie between the steps: {values.told(halves)}.",
            "If only whole steps are allowed, correct these cells.", "Each is a class, in the order of the numbers.",
            (tuple(halves),),
        )  # fmt: skip
    if len(numbers) > 15:
        yield ask(
            "continuous_scores", "", f"There are {len(numbers)} different scores, as on a scale without steps.",
            "Group them by cut-points, for example with --class1.", "Each score is a class of its own.",
        )  # fmt: skip


def _outside(value: float, whole: Sequence[float]) -> bool:
    """Whether a number stands apart from the run of the others."""
    others = [n for n in whole if n != value and str(int(n)) not in NUMBER_CODES]
    if len(others) < 2:
        return False
    return (value < 0 <= others[0]) or value > others[-1] + 1


def _is_slip(text: str, numbers: dict[str, float], values: Values) -> bool:
    """Whether a rare number is twice the same digit of a short scale, or far above or below all usual ones."""
    if not _is_rare(text, values):
        return False
    others = sorted(n for t, n in numbers.items() if t != text and not _is_rare(t, values))
    if len(others) < 2:
        return False
    if numbers[text] < 0:
        return others[0] >= 0 and len(others) <= _SHORT
    return numbers[text] > 2 * max(others[-1], 1) and (_is_twice(text, numbers) or len(others) <= _SHORT)


def _is_rare(text: str, values: Values) -> bool:
    return values.total([text]) * 50 <= int(values.counts.sum()) or values.total([text]) == 1


def _is_twice(text: str, numbers: dict[str, float]) -> bool:
    return len(text) == 2 and text[0] == text[1] and text[0] in numbers


def _order(values: Values, made: Assembled) -> Iterator[Finding]:
    """Whether the order of the classes is only how they happen to come."""
    if made.order.how == "appearance" and len(made.order.classes) > 1:
        last = made.order.classes[-1]
        binary = len(made.order.classes) == 2
        yield ask(
            "order_unknown", "",
            f"The classes have no known order: {quoted(made.order.classes, 8)}."
            + (f" Class 1 is '{shortened(last)}', the one that came last." if binary else ""),
            "Name the class in question (--class1)." if binary else "If the classes are ordered, give their order.",
            "They stand in the order in which they first come.", (made.order.classes,),
        )  # fmt: skip
    del values


def _classes_used(made: Assembled) -> Iterator[Finding]:
    """Only one class, or a class that hardly occurs."""
    ratings = made.ratings
    weights = None if ratings.weight is None else ratings.weight[ratings.subject]
    counts = np.bincount(ratings.category, weights, len(ratings.classes)).astype(np.int64)
    if (counts > 0).sum() == 1:
        only = ratings.classes[int(counts.argmax())]
        yield block(
            "one_class", "",
            f"Every rating is '{shortened(only)}': there is nothing to tell apart, and most coefficients are not "
            "defined. Raters agree on all of them.",
            "If other classes were possible, name them in the order (--order).",
        )  # fmt: skip
        return
    few = [(c, n) for c, n in zip(ratings.classes, counts, strict=True) if 0 < n < 5]
    rare = [f"'{shortened(c)}' ({n:,})" for c, n in few]
    if rare and counts.sum() >= 100:
        yield note(
            "rare_class", "",
            f"Some classes hardly occur: {listed(rare)}. Agreement on them cannot be judged, and intervals are wide.",
            about=(tuple(c for c, _n in few),),
        )  # fmt: skip
