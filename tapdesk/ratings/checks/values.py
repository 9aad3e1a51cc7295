"""Checks of the distinct ratings as texts: alike, dates and marks, missing ones."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError, Ways
from tapdesk.language import Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembly, RatingCells
from tapdesk.ratings.findings import Finding, ask, block, name_list, note, quoted_list, short_text
from tapdesk.ratings.label_sets import label_sets
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.texts import (
    ERRORS,
    MOST_STEPS,
    NUMBER_CODES,
    REASON,
    bare_form,
    case_folded_form,
    drawn_form,
    is_date,
    is_grouped,
    meaning,
    missing_codes,
    names_by_key,
    number,
    number_key,
    perhaps_missing,
    two_numbers,
    without_remark,
)

_MEASURED = re.compile(r"\d\s*[A-Za-zµμ]")


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
    cells: RatingCells
    decimal: str

    def where(self, texts: Sequence[str]) -> str:
        """The cells that hold some ratings."""
        wanted = np.isin(np.arange(len(self.texts)), [self.texts.index(t) for t in texts])
        return self.cells.where(np.flatnonzero(wanted[self.cells.value.codes]))

    def total(self, texts: Sequence[str]) -> int:
        """How often some ratings occur together."""
        return int(sum(self.counts[self.texts.index(t)] for t in texts))

    def listing(self, texts: Sequence[str]) -> str:
        """Ratings with how often each occurs."""
        return name_list([_("'{text}' ({n:,})").format(text=short_text(t), n=self.total([t])) for t in texts])


def values_of(made: Assembly, decimal: str) -> Values:
    """The distinct ratings of a table."""
    column = made.cells.value
    return Values(column.values, np.asarray(column.counts(), dtype=np.int64), made.cells, decimal)


_SHORT, _POINTS = 12, 100  # steps of a short scale, and of one of many points
# Days from 1990 to 2050 as spreadsheets number them.
_FIRST_DAY, _LAST_DAY, _DIGITS = 32_874, 55_153, 5


def _number_findings(values: Values, made: Assembly, options: ReadingOptions) -> Iterator[Finding]:
    """Numbers among words or outside the scale, slips of the finger, half points, and measurements."""
    numbers = {t: n for t in values.texts if (n := number(t, values.decimal)) is not None}
    yield from _otherwise_marked(values, numbers)
    dates = _serial_dates(numbers)
    yield from _dates_told(values, numbers, dates)
    numbers = {t: n for t, n in numbers.items() if t not in dates}
    grouped = [t for t in numbers if is_grouped(t, values.decimal)]
    if grouped:
        yield note(
            "thousands_marks",
            values.where(grouped),
            ngettext(
                "In {n:,} number a mark or a blank sets the thousands apart: {told}.",
                "In {n:,} numbers a mark or a blank sets the thousands apart: {told}.",
                values.total(grouped),
            ).format(n=values.total(grouped), told=values.listing(grouped)),
            default=_("They are read as the numbers they show."),
        )
    if any(map(_MEASURED.search, values.texts)):
        # Start-up cost: few ratings are measured in units.
        from tapdesk.ratings.checks.units import mixed_units, units_told

        if amounts := mixed_units(values.texts, values.decimal):
            yield units_told(amounts, values.where, values.total, keep=options.keep_summaries)
            return
    among = _among_words(values, list(numbers))
    if among:
        yield numbers_among_words(values, among, made, options)
        return
    # What occurs once, as a sum in a row of totals does, says nothing about where the scale ends.
    often = {t: n for t, n in numbers.items() if values.total([t]) > 1}
    steps = often if 2 < len(often) <= _SHORT else numbers
    whole = sorted(n for n in steps.values() if n == int(n))
    codes = [t for t in numbers if t in NUMBER_CODES and _outside(numbers[t], whole)]
    if codes:
        yield ask(
            "maybe_missing_number",
            values.where(codes),
            _("Some {ratings} lie outside the scale and may be codes for missing: {told}.").format(
                told=values.listing(codes)
            ),
            _("If they mean that nobody rated, name them as missing codes (--missing)."),
            _("They are kept as classes."),
            (tuple(codes),),
        )
    # A few words among many numbers do not make the numbers words.
    if len(numbers) > 1 and values.total(list(numbers)) * 5 >= int(values.counts.sum()) * 4:
        yield from _of_scale(values, numbers, whole, codes)


def _among_words(values: Values, numbers: Sequence[str]) -> tuple[str, ...]:
    """The numbers, where most ratings are words: ``yes``, but not ``2b`` or ``3+``, which are steps of a scale."""
    words = [t for t in values.texts if t not in numbers and any(c.isalpha() for c in t)]
    words = [t for t in words if not any(c.isdigit() for c in t)]
    few = bool(numbers) and values.total(words) > values.total(numbers)
    return tuple(numbers) if few and len(words) + len(numbers) == len(values.texts) else ()


def numbers_among_words(values: Values, numbers: tuple[str, ...], made: Assembly, options: ReadingOptions) -> Finding:
    """Numbers that stand where words are the answers, as those of a row of totals do: a question that blocks."""
    message = _("Some {ratings} are numbers among words: {told}. They may be sums, or codes for missing.").format(
        told=values.listing(numbers)
    )
    sides = {*(options.class1 or ()), *(options.class0 or ())}
    if options.keep_summaries or set(numbers) <= sides or None not in {options.class1, options.class0}:
        from tapdesk.ratings.checks.units import (  # start-up cost: few keep what looks like no rating
            KEPT,
        )

        return note("numbers_among_words", values.where(numbers), message, default=KEPT, about=(numbers,))
    codes = [*(t for t in made.missing if t and not t.startswith(REASON)), *numbers]
    return block(
        "numbers_among_words",
        values.where(numbers),
        message,
        _(
            'If they mean that nobody rated, say --missing "{numbers}". If they are sums below the table, leave these '
            "rows out (--last-row, --where). If they are answers, name all classes in their order (--order), or say "
            "--keep-summaries."
        ).format(numbers=",".join(codes[:12])),
        _("They are kept as classes."),
        (numbers,),
    )


def _otherwise_marked(values: Values, numbers: dict[str, float]) -> Iterator[Finding]:
    """Numbers that are none because they have the other decimal mark, as one slip in a column does."""
    other = "," if values.decimal == "." else "."
    known = set(numbers.values())
    read = {t: number(t, other) for t in values.texts if t not in numbers and other in t}
    odd = [t for t, n in read.items() if n is not None and n not in known]
    if odd and numbers:
        yield ask(
            "other_decimal_mark",
            values.where(odd),
            _("Some {ratings} are numbers with the other decimal mark: {told}.").format(told=values.listing(odd)),
            _("If they are slips, write them like the other numbers."),
            _("They are kept as classes, and not as numbers."),
            tuple((t, t.replace(other, values.decimal)) for t in odd),
        )


def _of_scale(
    values: Values, numbers: dict[str, float], whole: Sequence[float], codes: Sequence[str]
) -> Iterator[Finding]:
    """Numbers that do not fit the others: slips of the finger, half points, and measurements."""
    far = [t for t in numbers if t not in codes and _is_slip(t, numbers, values)]
    if far:
        yield ask(
            "far_value",
            values.where(far),
            (
                _(
                    "Some {ratings} lie far outside the scale: {told}, perhaps a typing slip (the same key "
                    "pressed twice)."
                )
                if any(_is_twice(t, numbers) for t in far)
                else _("Some {ratings} lie far outside the scale: {told}, perhaps a typing slip.")
            ).format(told=values.listing(far)),
            _("Correct these cells, or name them as missing codes (--missing)."),
            _("They are kept as classes."),
            (tuple(far),),
        )
    halves = [t for t, n in numbers.items() if n != int(n)]
    if halves and len(whole) >= 2 * len(halves):
        yield ask(
            "half_points",
            values.where(halves),
            _("Some {ratings} lie between the steps: {told}.").format(told=values.listing(halves)),
            _("If only whole steps are allowed, correct these cells."),
            _("Each is a class, in the order of the numbers."),
            (tuple(halves),),
        )
    if len(numbers) > MOST_STEPS:
        from tapdesk.ratings.checks.units import many_scores  # start-up cost, as above

        yield many_scores(tuple(numbers))


def _dates_told(values: Values, numbers: dict[str, float], dates: list[str]) -> Iterator[Finding]:
    """A question about numbers that are perhaps dates."""
    if dates:
        shown = name_list([_("{text} = {day}").format(text=Label(t), day=_day(numbers[t])) for t in dates], 3)
        yield ask(
            "serial_dates",
            values.where(dates),
            _(
                "Some {ratings} are numbers as a spreadsheet keeps dates: {shown}. Perhaps a score such as "
                "1-5 or 3/4 was typed and made a date."
            ).format(shown=shown),
            _("Correct these cells, or count them as no {rating}; in the file, format the column as text first."),
            _("They are kept as classes of their own."),
            (tuple(dates),),
        )


def _serial_dates(numbers: dict[str, float]) -> list[str]:
    """Whole numbers that are days of our time to a spreadsheet, where the other ratings are no such numbers."""
    days = [t for t, n in numbers.items() if n == int(n) and _FIRST_DAY <= n <= _LAST_DAY and len(t) == _DIGITS]
    others = [n for t, n in numbers.items() if t not in days]
    return days if len(days) <= len(numbers) // 2 and max(others, default=0.0) < _FIRST_DAY / _SHORT else []


def _day(number: float) -> str:
    """The day a spreadsheet shows for a number."""
    return (date(1899, 12, 30) + timedelta(days=int(number))).isoformat()


def _outside(value: float, whole: Sequence[float]) -> bool:
    """Whether a number stands apart from the run of the others."""
    others = [n for n in whole if n != value and str(int(n)) not in NUMBER_CODES]
    if len(others) < 2:
        return False
    top = others[-1]
    if len(others) > _SHORT and top > _POINTS / 2 and value <= _POINTS:
        return False  # points out of a hundred reach so far
    return (value < 0 <= others[0]) or value > top + 1


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


MOST_WORDS = 50
MOST_NUMBERS = 250
_FEW = 10


def refuse_what_is_no_rating(values: Values, name: str, options: ReadingOptions, ways: Ways = ()) -> None:
    """Refuse identifiers, dates, comments and measurements in the place of ratings.

    Raises
    ------
    TapdeskError
        Saying what the column looks like and what to choose instead; ``ways`` are offered with it.
    """
    if options.order is not None:
        return
    texts, total = values.texts, int(values.counts.sum())
    numeric = sum(number(t, values.decimal) is not None for t in texts) / len(texts)
    choose = _("Choose the column that holds the {ratings} (--rating or --columns).")
    if total >= _FEW and all(is_date(t) for t in texts):
        raise TapdeskError(
            _("The {ratings} are all dates or times; this looks like a date column."), name, choose, ways=ways
        )
    # No identifier has decimals: they are measurements, which are asked about.
    fractions = sum((n := number(t, values.decimal)) is not None and n != int(n) for t in texts)
    if total >= 2 * _FEW and len(texts) == total and 2 * fractions < len(texts):
        like = "remarks" if sum(t.count(" ") > 2 for t in texts) > len(texts) / 2 else "identifiers"
        raise TapdeskError(
            _("All {total:,} {ratings} are different, as {like} are: {texts}.").format(
                total=total, like=like, texts=quoted_list(texts, 3)
            ),
            name,
            choose,
            ways=ways,
        )
    # Sets of a few labels are many texts; which label is asked about then (`checks/sets.py`).
    if len(texts) > (MOST_NUMBERS if numeric > 0.9 else MOST_WORDS) and label_sets(texts) is None:
        order = np.argsort(-values.counts, kind="stable")[:_FEW]
        top = values.listing([texts[i] for i in order])
        what = "scores" if numeric > 0.9 else "texts"
        raise TapdeskError(
            _("There are {texts:,} different {what} where {ratings} should be; the most frequent are {top}.").format(
                texts=len(texts), what=what, top=top
            ),
            name,
            _(
                "{choose} Comments cannot be analysed; measurements need cut-points first. Where they are classes, "
                "name them all (--order)."
            ).format(choose=choose),
            ways=ways,
        )


TICK = re.compile(r"[xX✓✔☑☒✗✘1]|[yY](?:es)?|ja|oui", re.IGNORECASE)


def _order_findings(made: Assembly) -> Iterator[Finding]:
    """Whether the order of the classes is only how they happen to come."""
    if made.order.how in {"appearance", "part", "coded"} and len(made.order.classes) > 1:
        last = made.order.classes[-1]
        binary = len(made.order.classes) == 2
        yield ask(
            "order_unknown",
            "",
            joined(
                (
                    _("Not all classes have a known order: {classes}.")
                    if made.order.how == "part"
                    else _("The classes have no known order: {classes}.")
                ).format(classes=quoted_list(made.order.rest or made.order.classes, 8)),
                _("The counted class is '{last}', the one that came last.").format(last=short_text(last))
                if binary
                else "",
            ),
            _("Name the class in question (--class1).")
            if binary
            else _("If the classes are ordered, give their order."),
            _("They stand in the order in which they first appear.")
            if made.order.how == "appearance"
            else _("They stand in the order of their codes in the file.")
            if made.order.how == "coded"
            else _("Those with a known order come first; the others follow in the order in which they first appear."),
            (made.order.classes,),
        )


def _class_findings(made: Assembly) -> Iterator[Finding]:
    """Only one class, or a class that hardly occurs."""
    ratings = made.ratings
    weights = None if ratings.weight is None else ratings.weight[ratings.subject]
    counts = np.bincount(ratings.category, weights, len(ratings.classes)).astype(np.int64)
    if (counts > 0).sum() == 1:
        only = ratings.classes[int(counts.argmax())]
        ticks = TICK.fullmatch(only.strip()) is not None and any(not text for text in made.missing)
        yield ask(
            "one_class",
            "",
            _(
                "Every {rating} is '{only}': there is nothing to tell apart, and most coefficients are not "
                "defined. {Raters} agree on all of them."
            ).format(only=short_text(only)),
            _(
                "If a blank cell says that nothing was ticked, write a word such as no there in the file: "
                "a blank cell is read as no {rating}."
            )
            if ticks
            else _("If other classes were possible, name them in the order (--order)."),
            _("The data are described; what is undefined says so."),
        )
        return
    yield from rare_classes(ratings)


def rare_classes(ratings: Ratings) -> Iterator[Finding]:
    """Classes that hardly occur among many ratings."""
    weights = None if ratings.weight is None else ratings.weight[ratings.subject]
    counts = np.bincount(ratings.category, weights, len(ratings.classes)).astype(np.int64)
    few = [(c, n) for c, n in zip(ratings.classes, counts, strict=True) if 0 < n < 5]
    rare = [_("'{text}' ({n:,})").format(text=short_text(c), n=n) for c, n in few]
    if rare and counts.sum() >= 100:
        yield note(
            "rare_class",
            "",
            _("Some classes hardly occur: {rare}. Agreement on them cannot be judged, and intervals are wide.").format(
                rare=name_list(rare)
            ),
            about=(tuple(c for c, _n in few),),
        )


_FORMS = re.compile(r"\d+ ?[-–] ?\d+|\d+\+|[<>≤≥] ?\d+|\d+ ?/ ?\d+|[★☆⭐✓✔✗✘☑☒]+|[xX]")


def value_findings(values: Values, made: Assembly, options: ReadingOptions) -> Iterator[Finding]:
    """What the distinct ratings show."""
    if made.order.how == "columns":
        yield from _class_findings(made)
        return
    yield from _same(values)
    yield from _forms(values)
    yield from _missing(values, made, options)
    if options.order is None:
        yield from _number_findings(values, made, options)
        yield from _order_findings(made)
    yield from _class_findings(made)


def _same(values: Values) -> Iterator[Finding]:
    """Ratings that are perhaps one class written in several ways."""
    kept = _("They are kept as different classes.")
    items: set[tuple[str, ...]] = set()
    kinds = (
        ("look_alikes", drawn_form, _("look the same and are written with different letters")),
        ("case_space_variants", case_folded_form, _("differ only in capitals or blanks")),
        ("same_number", number_key(values.decimal), _("are the same number written differently")),
        ("same_meaning", meaning, "probably mean the same"),
        ("remark_behind", without_remark(values.texts), _("differ only in what stands behind them in brackets")),
    )
    for code, key, what in kinds:
        for group in names_by_key(values.texts, key):
            if group in items:
                continue
            items.add(group)
            yield ask(
                code,
                values.where(group[1:]),
                _("The {ratings} {told} {what}.").format(told=values.listing(group), what=what),
                _("If they are one class, merge them."),
                kept,
                (tuple(sorted(group, key=lambda t: -values.total([t]))),),
            )


def _forms(values: Values) -> Iterator[Finding]:
    """Dates, percentages and other marks among ratings."""
    dates = [t for t in values.texts if is_date(t)]
    if dates:
        yield ask(
            "dates_among_ratings",
            values.where(dates),
            _("Some {ratings} are dates: {told}{before}.").format(
                told=values.listing(dates), before=_before_it_was_a_date(dates[0])
            ),
            _("Correct these cells, or count them as no {rating}; in the file, format the column as text first."),
            _("They are kept as classes of their own."),
            (tuple(dates),),
        )
    percents = [t for t in values.texts if t.endswith("%") and number(t, values.decimal) is not None]
    if percents:
        yield ask(
            "percentages",
            values.where(percents),
            _("Some {ratings} are percentages: {told}.").format(told=values.listing(percents)),
            _("If they are measurements, group them by cut-points."),
            _("Each percentage is a class."),
            (tuple(percents),),
        )
    forms = [t for t in values.texts if _FORMS.fullmatch(t.strip()) and t not in dates]
    if forms:
        some = "Some ratings" if len(forms) < len(values.texts) else "All ratings"
        yield ask(
            "unusual_marks",
            values.where(forms),
            _("{some} are ranges, fractions or marks: {told}.").format(some=some, told=values.listing(forms)),
            _("If they stand for a class that exists, write that class."),
            _("Each is a class as it is written."),
            (tuple(forms),),
        )


def _before_it_was_a_date(text: str) -> str:
    """What was perhaps typed before a spreadsheet made a date of it."""
    numbers = two_numbers(text)
    if numbers is None:
        return ""
    # Which of the two numbers is the month depends on the country of the spreadsheet.
    return _(" ({text} was perhaps typed as {first}-{second} or {second}-{first})").format(
        text=short_text(text), first=numbers[0], second=numbers[1]
    )


_MOST_CODES = 8


def _missing(values: Values, made: Assembly, options: ReadingOptions) -> Iterator[Finding]:
    """Texts that mean, or may mean, that there is no rating."""
    codes = {t: n for t, n in made.missing.items() if t and t.casefold() not in ERRORS and not t.startswith(REASON)}
    if codes and options.missing is None:
        sentence = name_list([_("'{text}' ({n:,})").format(text=Label(t), n=n) for t, n in codes.items()])
        yield ask(
            "missing_codes",
            "",
            _("Some cells hold a code that usually means no {rating}: {told}.").format(told=sentence),
            _("If one of them is an answer, name the real missing codes (--missing)."),
            _("They are read as no {rating}."),
            (tuple(codes),),
        )
    yield from _codes_not_there(values, made, options)
    errors = {t: n for t, n in made.missing.items() if t.casefold() in ERRORS}
    if errors and options.missing is None:
        sentence = name_list([_("{text} ({n:,})").format(text=Label(t), n=n) for t, n in errors.items()])
        yield note(
            "error_texts",
            "",
            _("Some cells hold an error of a spreadsheet: {told}.").format(told=sentence),
            default=_("They are no {rating}."),
        )
    words = perhaps_missing(values.texts, options.missing, options.abstain)
    # Each code may mean something else, so each is a question of its own; very many are one.
    for group in [[word] for word in words] if len(words) <= _MOST_CODES else [words]:
        yield ask(
            "maybe_missing_word",
            values.where(group),
            _("This sounds like a missing {rating}: {told}.").format(told=values.listing(group)),
            _(
                "If nobody rated there, name it as a missing code (--missing); if {raters} looked and "
                "could not say, as an abstention (--abstain)."
            ),
            _("They are kept as classes."),
            (tuple(group),),
        )
    yield from _abstentions_told(values, made, options)
    if len([t for t, n in made.missing.items() if n]) > 1:
        sentence = name_list(
            [
                _("{text} ({n:,})").format(text=Label(t.removeprefix(REASON)) or _("blank"), n=n)
                for t, n in made.missing.items()
                if n
            ]
        )
        yield note(
            "missing_kinds",
            "",
            _("There are several kinds of missing {rating}, counted apart: {told}.").format(told=sentence),
        )


def _abstentions_told(values: Values, made: Assembly, options: ReadingOptions) -> Iterator[Finding]:
    """What was named as an abstention, how often it was answered, and what of it no cell holds."""
    there = made.ratings.abstentions
    if there:
        message = _("{Raters} abstained: {told}.").format(told=values.listing(there))
        yield note("abstentions", "", message, default=_("An abstention tells nothing of its {subject}."))
    known = {text.strip().casefold() for text in there}
    for code in dict.fromkeys(c.strip() for c in options.abstain or ()):
        if code and code.casefold() not in known:
            message = _("You named '{code}' as an abstention, but no cell holds it.").format(code=short_text(code))
            yield note("abstention_unused", "", message, _("Check how it is written in the file."))


def _codes_not_there(values: Values, made: Assembly, options: ReadingOptions) -> Iterator[Finding]:
    """Missing codes of the user that no cell holds, and the ratings that are perhaps the same code typed otherwise."""
    items = [t for t, n in made.missing.items() if t and n]
    for code in dict.fromkeys(c.strip() for c in options.missing or ()):
        if not code or any(missing_codes(items, [code], (), values.decimal)):
            continue
        like = tuple(
            t
            for t in values.texts
            if case_folded_form(t) == case_folded_form(code) or (bare_form(code) and bare_form(t) == bare_form(code))
        )
        message = _("You named '{code}' as a missing code, but no cell holds it.").format(code=short_text(code))
        if not like:
            yield note("missing_code_unused", "", message, _("Check how it is written in the file."))
            continue
        yield ask(
            "missing_code_like",
            values.where(like),
            _("{message} Some {ratings} look like it: {told}.").format(message=message, told=values.listing(like)),
            _("If they mean that nobody rated, name them as missing codes as well (--missing)."),
            _("They are kept as classes."),
            (like,),
        )
