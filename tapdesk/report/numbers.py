"""How numbers are written in sentences and tables."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypeAlias

from tapdesk import language
from tapdesk.estimate import Estimate
from tapdesk.language import Number
from tapdesk.language import gettext as _

DASH = "–"
_MOST_PLACES = 4

Style: TypeAlias = language.Style
SCREEN = Style()
REPORT = Style(brackets=True)
APA = Style(leading_zero=False, brackets=True)


def count(number: float) -> str:
    """A whole number with thousands set apart: ``1,098``."""
    return Number(f"{number:,.0f}")


def decimal(value: float | None, style: Style = SCREEN, places: int = 2) -> str:
    """A number of fixed places, a dash for none; the sign is a true minus."""
    if value is None:
        return DASH
    text = f"{abs(value):.{places}f}"
    negative = value < 0 and float(text) != 0
    if not style.leading_zero and text.startswith("0."):
        text = text[1:]
    return Number(f"-{text}" if negative else text)


def places(found: Iterable[Estimate]) -> int:
    """Decimals for numbers in one column: two, or up to four where one that is not 0 or 1 would read so.

    Likewise where the ends of an interval would read as one number, as if there were no doubt at all.
    """
    every = [*found]
    shares = (e.value for e in every if e.value is not None)
    near = [gap for v in shares if (gap := min(abs(v), abs(1 - v))) > 1e-6]
    least = min(near, default=1.0)
    return max([2 if least >= 0.005 else 3 if least >= 0.0005 else 4, *(apart(e.low, e.high) for e in every)])


def apart(low: float | None, high: float | None, least: int = 2) -> int:
    """Decimals that keep the ends of an interval apart, four at most."""
    if low is None or high is None or high - low < 1e-6:
        return least
    return next((n for n in range(least, _MOST_PLACES) if f"{low:.{n}f}" != f"{high:.{n}f}"), _MOST_PLACES)


def about(share: float) -> str:
    """A share out of 100 with its word: ``about 44``, ``fewer than 1``, ``more than 99``."""
    whole = hundredths(share)
    if whole.startswith("<"):
        return _("fewer than {number}").format(number=whole[1:])
    if whole.startswith(">"):
        return _("more than {number}").format(number=whole[1:])
    return _("about {number}").format(number=whole)


def large(value: float | None, places: int = 3) -> str:
    """A number on an open scale, such as a log-likelihood: ``−1,286.116``."""
    if value is None:
        return DASH
    return Number(f"{value:,.{places}f}")


def figures(value: float, most: int = 4) -> str:
    """A number of so many digits that count, whatever its size: ``0.4375``, ``12``, ``1.5e−05``."""
    return Number(f"{value:.{most}g}")


def interval(estimate: Estimate, style: Style = SCREEN, places: int = 2) -> str:
    """The interval of an estimate, a dash for none."""
    if estimate.low is None or estimate.high is None:
        return DASH
    places = apart(estimate.low, estimate.high, places)
    low, high = decimal(estimate.low, style, places), decimal(estimate.high, style, places)
    if style.brackets:
        return f"[{low}, {high}]"
    return _("{low} to {high}").format(low=low, high=high)


def percent(share: float, places: int = 0) -> str:
    """A share in per cent, without places ``95 %`` or with: what is not exactly 0 or 100 never reads so."""
    return _("{number} %").format(number=_out_of_100(share, places) if places else hundredths(share))


def _out_of_100(share: float, places: int) -> str:
    """A share out of 100 with places: ``99.8``, ``<0.1``, ``>99.9``."""
    least = 10.0**-places
    told = decimal(100 * share, places=places)
    if float(told) == 0 and share > 0:
        return f"<{decimal(least, places=places)}"
    top = f">{decimal(100 - least, places=places)}"
    return top if share < 1 and told == decimal(100.0, places=places) else told


def hundredths(share: float) -> str:
    """A share out of 100, whole; what is not exactly 0 or 1 reads ``<1`` or ``>99`` there."""
    whole = round(100 * share)
    if whole == 0 and share > 0:
        return "<1"
    return ">99" if whole == 100 and share < 1 else str(whole)


def ends(low: float, high: float) -> tuple[str, str]:
    """The ends of an interval out of 100, with one place where whole numbers would make them equal."""
    whole = f"{100 * low:.0f}", f"{100 * high:.0f}"
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
