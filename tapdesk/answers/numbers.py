"""How numbers are written in sentences and tables."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from decimal import ROUND_HALF_UP, Context, Decimal
from math import copysign, isfinite
from typing import TypeAlias

from tapdesk import language
from tapdesk.estimate import Estimate
from tapdesk.language import Number, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings import findings

_SOON = 0.02
_BEGUN = 0.5


def left(spent: float, share: float) -> str:
    """How long it will still take; empty while nobody can know.

    Parameters
    ----------
    spent
        Seconds it took so far.
    share
        Of the work that was done in them, from 0 to 1.
    """
    if share <= _SOON or spent < _BEGUN:
        return ""
    remaining = spent * (1 - share) / share
    if remaining < 1:
        return _("a moment left")
    if remaining < 120:
        return _("about {n} s left").format(n=round(remaining))
    if remaining < 7200:
        return _("about {n} min left").format(n=round(remaining / 60))
    hours = round(remaining / 3600)
    return ngettext("about {n} hour left", "about {n} hours left", hours).format(n=hours)


def counted(subjects: int, ratings: int) -> str:
    """What was counted: ``183 cases, 732 ratings``."""
    return _("{n} {subjects}, {m} {ratings}").format(n=count(subjects), m=count(ratings))


DASH = "–"
_MOST_PLACES = 4
# Nearer to 0 or 1 a number is taken to be so: the rest is the search's.
_NOTHING = 1e-6
# Digits of log-likelihoods and counts, so that none is lost before the rounding.
_EXACT = Context(prec=60)

Style: TypeAlias = language.Style
SCREEN = Style()
REPORT = Style(brackets=True)
APA = Style(leading_zero=False, brackets=True)


def count(number: float) -> str:
    """A whole number with thousands set apart: ``1,098``."""
    return Number(f"{number:,.0f}")


def of_all(some: float, every: float, of: str = "", *, first: bool = False) -> str:
    """So many of so many, ``58 of 60 cases`` or ``all 60 cases``; see `tapdesk.ratings.findings.of_all`."""
    return findings.of_all(some, every, of, first=first)


def rounded(value: float, places: int) -> str:
    """A number of fixed places as Python writes it, half up on the decimal digits a reader would see: ``-0.13``.

    Halves of binary fractions fall either way (``0.125`` but also ``0.145``); who checks a report by hand rounds
    what is printed elsewhere with more digits, so the shortest decimal that stands for the number is rounded.
    """
    if not isfinite(value):
        return f"{value:.{places}f}"
    digits = Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _EXACT)
    text = f"{abs(digits):,f}"
    return f"-{text}" if digits < 0 and text.strip("0.,") else text


def decimal(value: float | None, style: Style = SCREEN, places: int | None = None) -> str:
    """A number of fixed places, a dash for none; the sign is a true minus.

    Parameters
    ----------
    value
        The number.
    style
        How it is written.
    places
        Decimals; by default as many as the one rule of the house gives it (`places_of`).
    """
    if value is None:
        return DASH
    return _shown(value, style, places_of(value)) if places is None else _fixed(value, style, places)


def _fixed(value: float, style: Style, places: int) -> str:
    text = rounded(value, places)
    if not style.leading_zero:
        text = text.replace("0.", ".", 1) if text.removeprefix("-").startswith("0.") else text
    return Number(text)


def _shown(value: float, style: Style, places: int) -> str:
    """A number that never reads 0 or 1 where it is neither: ``<0.0001`` where even the most places would say so."""
    least, digits = 10.0**-_MOST_PLACES, rounded(abs(value), places)
    if places == _MOST_PLACES and abs(value) > _NOTHING and float(digits) == 0:
        return f"{'>' if value < 0 else '<'}{_fixed(copysign(least, value), style, places)}"
    if places == _MOST_PLACES and 1 - value > _NOTHING and float(digits) == 1:
        return f">{_fixed(1 - least, style, places)}"
    return _fixed(value, style, places)


def places_of(value: float | None, low: float | None = None, high: float | None = None) -> int:
    """Decimals of a number and the ends of its interval, the one rule of all that is shown: two, up to four.

    More than two where one of them is not 0 or 1 and would read so, or where the ends would read as one number, as if
    there were no doubt at all.
    """
    shown = [v for v in (value, low, high) if v is not None and isfinite(v)]
    near = [gap for v in shown if (gap := min(abs(v), abs(1 - v))) > _NOTHING]
    least = min(near, default=1.0)
    digits = 2 if least >= 0.005 else 3 if least >= 0.0005 else _MOST_PLACES
    if low is not None and high is not None and high - low >= _NOTHING:
        digits = next((n for n in range(digits, _MOST_PLACES) if rounded(low, n) != rounded(high, n)), _MOST_PLACES)
    return digits


def places(estimate: Estimate) -> int:
    """Decimals of an estimate: those of its value and both ends together (`places_of`)."""
    return places_of(estimate.value, estimate.low, estimate.high)


def value(estimate: Estimate, style: Style = SCREEN) -> str:
    """The value of an estimate with the places that it and its interval need, a dash for none."""
    return DASH if estimate.value is None else _shown(estimate.value, style, places(estimate))


def about(share: float, *, first: bool = False) -> str:
    """A share out of 100 with its word: ``about 44``, ``fewer than 1``, ``more than 99``; ``first`` in its sentence."""
    whole = hundredths(share)
    if whole.startswith("<"):
        template = _("Fewer than {number}") if first else _("fewer than {number}")
    elif whole.startswith(">"):
        template = _("More than {number}") if first else _("more than {number}")
    else:
        template = _("About {number}") if first else _("about {number}")
    return template.format(number=whole.lstrip("<>"))


def of_100(share: float) -> int:
    """The whole number out of 100 that stands where a share is told (`about`); 0 where it reads 0."""
    return int(hundredths(share).lstrip("<>"))


def large(value: float | None, places: int = 3) -> str:
    """A number on an open scale, such as a log-likelihood: ``−1,286.116``."""
    if value is None:
        return DASH
    return Number(rounded(value, places))


def figures(value: float, most: int = 4) -> str:
    """A number of so many digits that count, whatever its size: ``0.4375``, ``12``, ``1.5e−05``."""
    return Number(f"{value:.{most}g}")


def interval(estimate: Estimate, style: Style = SCREEN) -> str:
    """The interval of an estimate with the places that it and the value need, a dash for none."""
    if estimate.low is None or estimate.high is None:
        return DASH
    digits = places(estimate)
    low, high = _shown(estimate.low, style, digits), _shown(estimate.high, style, digits)
    if style.brackets:
        return f"[{low}, {high}]"
    return _("{low} to {high}").format(low=low, high=high)


def percent(share: float, places: int = 0) -> str:
    """A share in per cent, without places ``95 %`` or with: what is not exactly 0 or 100 never reads so."""
    return _("{number} %").format(number=_out_of_100(share, places) if places else hundredths(share))


def _out_of_100(share: float, places: int) -> str:
    """A share out of 100 with places: ``99.8``, ``<0.1``, ``>99.9``."""
    least = 10.0**-places
    sentence = decimal(100 * share, places=places)
    if float(sentence) == 0 and share > 0:
        return f"<{decimal(least, places=places)}"
    top = f">{decimal(100 - least, places=places)}"
    return top if share < 1 and sentence == decimal(100.0, places=places) else sentence


def hundredths(share: float) -> str:
    """A share out of 100, whole; what is not exactly 0 or 1 reads ``<1`` or ``>99`` there."""
    whole = rounded(100 * share, 0)
    if whole == "0" and share > 0:
        return "<1"
    return ">99" if whole == "100" and share < 1 else whole


def ends(low: float, high: float) -> tuple[str, str]:
    """The ends of an interval out of 100, with one place where whole numbers would make them equal."""
    whole = rounded(100 * low, 0), rounded(100 * high, 0)
    return whole if whole[0] != whole[1] else (decimal(100 * low, places=1), decimal(100 * high, places=1))


def level(share: float) -> str:
    """A level as it is written in words: ``95 %`` or ``99.9 %``."""
    return _("{number} %").format(number=figures(100 * share, 10))


def often(share: float, low: float | None = None, high: float | None = None) -> str:
    """How often, in words: ``about 44 times in 100 (between 36 and 54)``."""
    phrase = _often(share)
    if low is None or high is None:
        return phrase
    first, last = ends(low, high)
    return _("{often} (between {low} and {high})").format(often=phrase, low=first, high=last)


def _often(share: float) -> str:
    whole = hundredths(share)
    if whole == "<1":
        return _("less than once in 100")
    if whole == ">99":
        return _("more than 99 times in 100")
    if share in {0.0, 1.0}:
        return _("{number} times in 100").format(number=whole)
    if whole == "1":
        return _("about once in 100")
    return _("about {number} times in 100").format(number=whole)


def short(label: str, longest: int = 48) -> str:
    """A label for a sentence: its two ends with an ellipsis where it is longer."""
    label = " ".join(label.split())
    if len(label) <= longest:
        return label
    tail = longest // 3
    return f"{label[: longest - tail - 1].rstrip()}…{label[-tail:].lstrip()}"


def shorts(labels: Sequence[str], longest: int = 48) -> tuple[str, ...]:
    """Labels for sentences, no two the same: where shortening makes them so, each gets its place in the list."""
    made = [short(label, longest) for label in labels]
    times = Counter(made)
    return tuple(
        text if times[text] == 1 else f"{short(label, max(longest - 5, 8))} ({i + 1})"
        for i, (label, text) in enumerate(zip(labels, made, strict=True))
    )


_MONTHS = (
    _("January"),
    _("February"),
    _("March"),
    _("April"),
    _("May"),
    _("June"),
    _("July"),
    _("August"),
    _("September"),
    _("October"),
    _("November"),
    _("December"),
)


def listed(names: Sequence[str]) -> str:
    """Names or numbers in one line: ``A, B and C``."""
    if len(names) < 2:
        return "".join(names)
    return _("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])


def date(when: datetime) -> str:
    """A day in words that read the same everywhere: ``14 May 2025``."""
    return _("{day} {month} {year}").format(day=when.day, month=_MONTHS[when.month - 1], year=when.year)


def day(when: datetime) -> str:
    """A day of the year: ``14 May``."""
    return _("{day} {month}").format(day=when.day, month=_MONTHS[when.month - 1])


def moment(text: str) -> str:
    """A recorded moment (ISO 8601) as day and time; as it stands where it is not one."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return text or DASH
    return _("{date}, {time}").format(date=date(when), time=f"{when:%H:%M}")


def seconds(number: float) -> str:
    """A duration in words."""
    if number < 0.1:
        return _("under {value} s").format(value=decimal(0.1, places=1))
    if number < 10:
        return f"{decimal(number, places=1)} s"
    if number < 120:
        return f"{number:.0f} s"
    return _("{number} min").format(number=f"{number / 60:.0f}")
