"""Checks of numbers against the scale that the others make."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.checks.distinct import Values
from tapdesk.ratings.findings import Finding, ask, block, listed, note
from tapdesk.ratings.numbers import is_grouped, number
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.values import NUMBER_CODES, REASON

_SHORT = 12  # steps of a scale
_POINTS = 100
# Days from 1990 to 2050 as spreadsheets number them.
_FIRST_DAY, _LAST_DAY, _DIGITS = 32_874, 55_153, 5


def number_findings(values: Values, made: Assembled, options: ReadingOptions) -> Iterator[Finding]:
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
            ).format(n=values.total(grouped), told=values.told(grouped)),
            default=_("They are read as the numbers they show."),
        )
    among = among_words(values, list(numbers))
    if among:
        yield _numbers_among_words(values, among, made, options)
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
            _("Some ratings lie outside the scale and may be codes for missing: {told}.").format(
                told=values.told(codes)
            ),
            _("If they mean that nobody rated, name them as missing codes (--missing)."),
            _("They are kept as classes."),
            (tuple(codes),),
        )
    # A few words among many numbers do not make the numbers words.
    if len(numbers) > 1 and values.total(list(numbers)) * 5 >= int(values.counts.sum()) * 4:
        yield from _of_scale(values, numbers, whole, codes)


def among_words(values: Values, numbers: Sequence[str]) -> tuple[str, ...]:
    """The numbers, where most ratings are words: ``yes``, but not ``2b`` or ``3+``, which are steps of a scale."""
    words = [t for t in values.texts if t not in numbers and any(c.isalpha() for c in t)]
    words = [t for t in words if not any(c.isdigit() for c in t)]
    few = bool(numbers) and values.total(words) > values.total(numbers)
    return tuple(numbers) if few and len(words) + len(numbers) == len(values.texts) else ()


def _numbers_among_words(values: Values, numbers: tuple[str, ...], made: Assembled, options: ReadingOptions) -> Finding:
    """Numbers that stand where words are the answers, as those of a row of totals do: a question that blocks."""
    message = _("Some ratings are numbers among words: {told}. They may be sums, or codes for missing.").format(
        told=values.told(numbers)
    )
    sides = {*(options.class1 or ()), *(options.class0 or ())}
    if options.keep_summaries or set(numbers) <= sides or None not in {options.class1, options.class0}:
        default = _("They were kept as ratings, as you said.")
        return note("numbers_among_words", values.where(numbers), message, default=default, about=(numbers,))
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
            _("Some ratings are numbers with the other decimal mark: {told}.").format(told=values.told(odd)),
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
                _("Some ratings lie far outside the scale: {told}, perhaps a typing slip (the same key pressed twice).")
                if any(_is_twice(t, numbers) for t in far)
                else _("Some ratings lie far outside the scale: {told}, perhaps a typing slip.")
            ).format(told=values.told(far)),
            _("Correct these cells, or name them as missing codes (--missing)."),
            _("They are kept as classes."),
            (tuple(far),),
        )
    halves = [t for t, n in numbers.items() if n != int(n)]
    if halves and len(whole) >= 2 * len(halves):
        yield ask(
            "half_points",
            values.where(halves),
            _("Some ratings lie between the steps: {told}.").format(told=values.told(halves)),
            _("If only whole steps are allowed, correct these cells."),
            _("Each is a class, in the order of the numbers."),
            (tuple(halves),),
        )
    if len(numbers) > 15:
        yield ask(
            "continuous_scores",
            "",
            _("There are {numbers} different scores, as on a scale without steps.").format(numbers=len(numbers)),
            _("Group them by cut-points, for example with --class1."),
            _("Each score is a class of its own."),
            (tuple(numbers),),
        )


def _dates_told(values: Values, numbers: dict[str, float], dates: list[str]) -> Iterator[Finding]:
    """A question about numbers that are perhaps dates."""
    if dates:
        shown = listed([_("{text} = {day}").format(text=Label(t), day=_day(numbers[t])) for t in dates], 3)
        yield ask(
            "serial_dates",
            values.where(dates),
            _(
                "Some ratings are numbers as a spreadsheet keeps dates: {shown}. Perhaps a score such as 1-5 or 3/4 "
                "was typed and made a date."
            ).format(shown=shown),
            _("Correct these cells, or count them as no rating; in the file, format the column as text first."),
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
