"""Names that look or mean the same although a computer tells them apart."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from html import unescape

from tapdesk.ratings.numbers import number

# Letters of other scripts that are drawn like Latin ones, and marks typed in several ways.
_DRAWN_ALIKE = str.maketrans(
    "АВСЕНІЈКМОРЅТХаеорсухіјѕАΑΒΕΖΗΙΚΜΝΟΡΤΥΧο‘’“”´`‐‑‒–—−\u00a0\u2007\u202f",
    "ABCEHIJKMOPSTXaeopcyxijsAABEZHIKMNOPTYXo''\"\"''------   ",
    "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f",
)
_TWO_SIDED = (
    # A column of ticks beside one of words gives TRUE and Yes.
    (
        ("no", "n", "false", "f", "nein", "non", "falsch", "faux", "falso"),
        ("yes", "y", "true", "t", "ja", "oui", "wahr", "vrai", "vero", "verdadero"),
    ),
    (("negative", "neg", "-"), ("positive", "pos", "+")),
)
_AMOUNT = r"(\d+(?:[.,]\d+)?)"
_CURRENCY = r"(?:[€$£¥]|eur|usd|gbp|chf)"
_NUMBERED = re.compile(
    rf"{_AMOUNT} ?[=:)] ?[^\W\d].*|{_AMOUNT} ?[*†‡?]+|{_CURRENCY} ?{_AMOUNT}|{_AMOUNT} ?{_CURRENCY}", re.IGNORECASE
)
_FOR_DIGITS = {"O": "0", "o": "0", "l": "1", "|": "1"}
_MARKS = re.compile(r"[\W_]+")
_LEADING_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")


def groups(names: Sequence[str], key: Callable[[str], object]) -> list[tuple[str, ...]]:
    """Names that share a key, at least two to a group, in order of first appearance."""
    found: dict[object, list[str]] = {}
    for name in names:
        found.setdefault(key(name), []).append(name)
    return [tuple(g) for k, g in found.items() if len(g) > 1 and k is not None]


def drawn(name: str) -> str:
    """How a name looks: accents composed, look-alike letters and invisible marks put to one form.

    A letter alone that is drawn like a digit is typed for it, and ``&amp;`` is how web pages write ``&``.
    """
    plain = unicodedata.normalize("NFKC", unescape(name)).translate(_DRAWN_ALIKE)
    return _FOR_DIGITS.get(plain, plain)


def spoken(name: str) -> str:
    """A name without regard to case and blanks."""
    return " ".join(drawn(name).casefold().split())


def loose(name: str) -> str:
    """A name without regard to case, marks and leading zeros: ``P-01`` and ``p1`` are one."""
    return _LEADING_ZEROS.sub("", _MARKS.sub("", spoken(name)))


def meant(name: str) -> object:
    """What a name means: a step of a scale of two with several words for it, else the name without marks around it."""
    bare = spoken(name).strip("\"'«»„")
    plain = bare.rstrip(".!,;: ") or bare or spoken(name)
    # A number with its label, a mark of a footnote or a currency is the number: "1 = mild", "2*", "€10" and "10 €".
    if found := _NUMBERED.fullmatch(plain):
        return next(part for part in found.groups() if part)
    for scale in _TWO_SIDED:
        for words in scale:
            if plain in words:
                return words[0]
    return plain


def counted(decimal: str) -> Callable[[str], object]:
    """A key by the number a name stands for: ``1``, ``01`` and ``1.0`` are one, and so are ``1.5`` and ``1,5``."""
    other = "," if decimal == "." else "."

    def key(name: str) -> object:
        found = number(name, decimal)
        return number(name, other) if found is None else found

    return key
