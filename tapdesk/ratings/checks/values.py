"""Checks of the distinct ratings as texts: alike, dates and marks, missing ones."""

import re
from collections.abc import Iterator

from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.checks.classes import class_findings, order_findings
from tapdesk.ratings.checks.distinct import Values
from tapdesk.ratings.checks.likeness import counted, drawn, groups, loose, meant, spoken
from tapdesk.ratings.checks.scale import number_findings
from tapdesk.ratings.dates import is_date, two_numbers
from tapdesk.ratings.findings import Finding, ask, listed, note, shortened
from tapdesk.ratings.numbers import number
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.values import ERRORS, PERHAPS_MISSING, REASON, missing_codes

_FORMS = re.compile(r"\d+ ?[-–] ?\d+|\d+\+|[<>≤≥] ?\d+|\d+ ?/ ?\d+|[★☆⭐✓✔✗✘☑☒]+|[xX]")


def value_findings(values: Values, made: Assembled, options: ReadingOptions) -> Iterator[Finding]:
    """What the distinct ratings show."""
    if made.order.how == "columns":
        yield from class_findings(made)
        return
    yield from _same(values)
    yield from _forms(values)
    yield from _missing(values, made, options)
    if options.order is None:
        yield from number_findings(values, made, options)
        yield from order_findings(made)
    yield from class_findings(made)


def _same(values: Values) -> Iterator[Finding]:
    """Ratings that are perhaps one class written in several ways."""
    kept = _("They are kept as different classes.")
    told: set[tuple[str, ...]] = set()
    kinds = (
        ("look_alikes", drawn, _("look the same and are written with different letters")),
        ("case_space_variants", spoken, _("differ only in capitals or blanks")),
        ("same_number", counted(values.decimal), _("are the same number written differently")),
        ("same_meaning", meant, "probably mean the same"),
    )
    for code, key, what in kinds:
        for group in groups(values.texts, key):
            if group in told:
                continue
            told.add(group)
            yield ask(
                code,
                values.where(group[1:]),
                _("The ratings {told} {what}.").format(told=values.told(group), what=what),
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
            _("Some ratings are dates: {told}{before}.").format(
                told=values.told(dates), before=_before_it_was_a_date(dates[0])
            ),
            _("Correct these cells, or count them as no rating; in the file, format the column as text first."),
            _("They are kept as classes of their own."),
            (tuple(dates),),
        )
    percents = [t for t in values.texts if t.endswith("%") and number(t, values.decimal) is not None]
    if percents:
        yield ask(
            "percentages",
            values.where(percents),
            _("Some ratings are percentages: {told}.").format(told=values.told(percents)),
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
            _("{some} are ranges, fractions or marks: {told}.").format(some=some, told=values.told(forms)),
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
        text=shortened(text), first=numbers[0], second=numbers[1]
    )


def _missing(values: Values, made: Assembled, options: ReadingOptions) -> Iterator[Finding]:
    """Texts that mean, or may mean, that there is no rating."""
    codes = {t: n for t, n in made.missing.items() if t and t.casefold() not in ERRORS and not t.startswith(REASON)}
    if codes and options.missing is None:
        told = listed([_("'{text}' ({n:,})").format(text=Label(t), n=n) for t, n in codes.items()])
        yield ask(
            "missing_codes",
            "",
            _("Some cells hold a code that usually means no rating: {told}.").format(told=told),
            _("If one of them is an answer, name the real missing codes (--missing)."),
            _("They are read as no rating."),
            (tuple(codes),),
        )
    yield from _codes_not_there(values, made, options)
    errors = {t: n for t, n in made.missing.items() if t.casefold() in ERRORS}
    if errors and options.missing is None:
        told = listed([_("{text} ({n:,})").format(text=Label(t), n=n) for t, n in errors.items()])
        yield note(
            "error_texts",
            "",
            _("Some cells hold an error of a spreadsheet: {told}.").format(told=told),
            default=_("They are no rating."),
        )
    words = [t for t in values.texts if spoken(t).strip("()[]{}<>") in PERHAPS_MISSING]
    if words and options.missing is None:
        yield ask(
            "maybe_missing_word",
            values.where(words),
            _("Some ratings sound like a missing rating: {told}.").format(told=values.told(words)),
            _("If they mean that nobody rated, name them as missing codes (--missing)."),
            _("They are kept as classes."),
            (tuple(words),),
        )
    if len([t for t, n in made.missing.items() if n]) > 1:
        told = listed(
            [
                _("{text} ({n:,})").format(text=Label(t.removeprefix(REASON)) or _("blank"), n=n)
                for t, n in made.missing.items()
                if n
            ]
        )
        yield note(
            "missing_kinds",
            "",
            _("There are several kinds of missing rating, counted apart: {told}.").format(told=told),
        )


def _codes_not_there(values: Values, made: Assembled, options: ReadingOptions) -> Iterator[Finding]:
    """Missing codes of the user that no cell holds, and the ratings that are perhaps the same code typed otherwise."""
    found = [t for t, n in made.missing.items() if t and n]
    for code in dict.fromkeys(c.strip() for c in options.missing or ()):
        if not code or any(missing_codes(found, [code], (), values.decimal)):
            continue
        like = tuple(t for t in values.texts if spoken(t) == spoken(code) or (loose(code) and loose(t) == loose(code)))
        message = _("You named '{code}' as a missing code, but no cell holds it.").format(code=shortened(code))
        if not like:
            yield note("missing_code_unused", "", message, _("Check how it is written in the file."))
            continue
        yield ask(
            "missing_code_like",
            values.where(like),
            _("{message} Some ratings look like it: {told}.").format(message=message, told=values.told(like)),
            _("If they mean that nobody rated, name them as missing codes as well (--missing)."),
            _("They are kept as classes."),
            (like,),
        )
