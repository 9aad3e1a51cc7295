"""What a text is: a number, a date, the same name as another, a code for a missing rating."""

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from html import unescape

from tapdesk.ratings.vocabulary import known_scale, largest_part

# More different scores than this are a scale without steps.
MOST_STEPS = 15

_SPACES = "\u00a0\u202f\u2009 '’"
_PLAIN = re.compile(r"[+-]?(\d+([.,]\d+)?|[.,]\d+)([eE][+-]?\d+)?%?")
_GROUPED = re.compile(r"[+-]?\d{1,3}([.,' \u00a0\u202f\u2009’]\d{3})+([.,]\d+)?%?")
_AMBIGUOUS = re.compile(r"[+-]?[1-9]\d{0,2}([.,])\d{3}")
# What can only be a decimal mark: one mark, and not exactly three digits after one to three digits.
_DECIMAL = re.compile(r"[+-]?(?:\d*([.,])(?:\d{1,2}|\d{4,})|0([.,])\d+|\d{4,}([.,])\d+)(?:[eE][+-]?\d+)?%?")
_BOTH = re.compile(r"[+-]?\d{1,3}(?:([.,' \u00a0\u202f\u2009’])\d{3})+([.,])\d+%?")


def is_number(text: str) -> bool:
    """Whether a text is a number under some decimal mark."""
    text = text.strip()
    return bool(_PLAIN.fullmatch(text) or _GROUPED.fullmatch(text))


def number(text: str, decimal: str = ".") -> float | None:
    """The number a text stands for under a decimal mark, or None.

    Thousands marks (the other mark, blanks, apostrophes) are taken out only where they group by three.
    """
    digits = _digits(text, decimal)
    if digits is None:
        return None
    return float(digits[0]) / 100 if digits[1] else float(digits[0])


def exact_number(text: str, decimal: str = ".") -> Decimal | None:
    """The number a text stands for, all its digits: two long codes that differ in the last one are two numbers."""
    digits = _digits(text, decimal) or _digits(text, "," if decimal == "." else ".")
    if digits is None:
        return None
    try:
        value = Decimal(digits[0])
    except InvalidOperation:
        # More zeros behind the mark than a decimal number can have.
        value = Decimal(float(digits[0]))
    return value.scaleb(-2) if digits[1] else value


def _digits(text: str, decimal: str) -> tuple[str, bool] | None:
    """A text that is a number as Python writes it, and whether it is a share of a hundred; None for any other text."""
    text = text.strip().lstrip("'").replace("−", "-")
    share = text.endswith("%")
    text = text.removesuffix("%").strip()
    other = "," if decimal == "." else "."
    if _GROUPED.fullmatch(text):
        whole, mark, rest = text.partition(decimal)
        groups = re.split(rf"[{re.escape(other)}{_SPACES}]", whole)
        if len(groups) > 1 and all(len(g) == 3 for g in groups[1:]) and rest.isdigit() == bool(mark):
            text = "".join(groups) + mark + rest
    if not _PLAIN.fullmatch(text) or other in text:
        return None
    text = text.replace(",", ".")
    if not math.isfinite(float(text)):
        return None  # 1e400 is a text: no number of the program stands for it
    return text, share


def number_of_either(text: str, decimal: str = ".") -> float | None:
    """The number a text stands for under a decimal mark, else under the other one, or None."""
    result = number(text, decimal)
    return number(text, "," if decimal == "." else ".") if result is None else result


def is_grouped(text: str, decimal: str = ".") -> bool:
    """Whether a text is a number whose thousands are set apart by a mark or a blank."""
    text = text.strip().lstrip("'")
    other = "," if decimal == "." else "."
    return (
        bool(_GROUPED.fullmatch(text))
        and any(c in text for c in f"{other}{_SPACES}")
        and (number(text, decimal) is not None)
    )


@dataclass(frozen=True)
class DecimalEvidence:
    """What the numbers of a file say about its decimal mark.

    Attributes
    ----------
    comma, dot
        Some distinct numbers that can only be read with that mark.
    ambiguous
        Some distinct numbers like ``1,234`` that can be read both ways.
    """

    comma: tuple[str, ...]
    dot: tuple[str, ...]
    ambiguous: tuple[str, ...]

    @property
    def mark(self) -> str | None:
        """The mark that all numbers allow, or None while they allow both or neither."""
        if bool(self.comma) == bool(self.dot):
            return None
        return "," if self.comma else "."


def evidence(texts: Iterable[str]) -> DecimalEvidence:
    """What distinct texts say about the decimal mark."""
    comma: list[str] = []
    dot: list[str] = []
    ambiguous: list[str] = []
    for cell in texts:
        if "," not in cell and "." not in cell:
            continue
        text = cell.strip()
        if _AMBIGUOUS.fullmatch(text):
            ambiguous.append(text)
            continue
        match = _BOTH.fullmatch(text)
        mark = match.group(2) if match and match.group(1) != match.group(2) else None
        if mark is None:
            match = _DECIMAL.fullmatch(text)
            mark = next((g for g in match.groups() if g), None) if match else None
        if mark:
            (comma if mark == "," else dot).append(text)
    return DecimalEvidence(tuple(comma), tuple(dot), tuple(ambiguous))


_DATE = re.compile(
    r"(?i)\d{4}-\d{1,2}-\d{1,2}(?:[ T].*)?|\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})(?:,? \d{1,2}:\d{2}.*)?"
    r"|\d{1,2}\.\d{1,2}\.|\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?"
)
# Months as spreadsheets write them in English, German, French and Spanish.
_MONTHS = (
    "jan january januar janv janvier ene enero",
    "feb february februar févr février febrero",
    "mar march mär mrz märz mars marzo",
    "apr april avr avril abr abril",
    "may mai mayo",
    "jun june juni juin junio",
    "jul july juli juil juillet julio",
    "aug august août ago agosto",
    "sep sept september septembre septiembre",
    "oct october okt oktober octobre octubre",
    "nov november novembre noviembre",
    "dec december dez dezember déc décembre dic diciembre",
)
_MONTH_OF = {word: number for number, words in enumerate(_MONTHS, start=1) for word in words.split()}
_NAMED = f"(?:{'|'.join(sorted(_MONTH_OF, key=len, reverse=True))})"
_MONTH = re.compile(rf"(?i)\d{{1,2}}\.?[ -]?{_NAMED}\.?|{_NAMED}\.?[ -]\d{{1,4}}")


def is_date(text: str) -> bool:
    """Whether a text is a date or a time of day."""
    return bool(_DATE.fullmatch(text.strip()) or _MONTH.fullmatch(text.strip()))


def two_numbers(text: str) -> tuple[int, int] | None:
    """The day and the month of a date, in the order in which they may have been typed before it was one."""
    match = re.match(r"\d{4}-(\d{1,2})-(\d{1,2})", text.strip())
    return (int(match.group(2)), int(match.group(1))) if match else _day_and_month(text)


def _day_and_month(text: str) -> tuple[int, int] | None:
    """The two numbers of a date such as ``3/4/2024``, ``4-Mar`` or ``Mar-04``, in the order they are written."""
    plain = text.strip()
    match = re.fullmatch(r"(\d{1,2})[./-](\d{1,2})(?:[./-](?:\d{2}|\d{4})|\.)", plain)
    if match:
        return int(match.group(1)), int(match.group(2))
    if not _MONTH.fullmatch(plain):
        return None
    first, second = re.findall(r"\d+|[^\W\d]+", plain)[:2]
    return _part(first), _part(second)


def _part(text: str) -> int:
    """A number, or that of a month."""
    return int(text) if text.isdigit() else _MONTH_OF[text.lower()]


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


def names_by_key(names: Sequence[str], key: Callable[[str], object]) -> list[tuple[str, ...]]:
    """Names that share a key, at least two to a group, in order of first appearance."""
    by_key: dict[object, list[str]] = {}
    for name in names:
        by_key.setdefault(key(name), []).append(name)
    return [tuple(g) for k, g in by_key.items() if len(g) > 1 and k is not None]


def drawn_form(name: str) -> str:
    """How a name looks: accents composed, look-alike letters and invisible marks put to one form.

    A letter alone that is drawn like a digit is typed for it, and ``&amp;`` is how web pages write ``&``.
    """
    plain = unicodedata.normalize("NFKC", unescape(name)).translate(_DRAWN_ALIKE)
    return _FOR_DIGITS.get(plain, plain)


def case_folded_form(name: str) -> str:
    """A name without regard to case and blanks."""
    return " ".join(drawn_form(name).casefold().split())


def bare_form(name: str) -> str:
    """A name without regard to case, marks and leading zeros: ``P-01`` and ``p1`` are one."""
    return _LEADING_ZEROS.sub("", _MARKS.sub("", case_folded_form(name)))


def meaning(name: str) -> object:
    """What a name means: a step of a scale of two with several words for it, else the name without marks around it."""
    bare = case_folded_form(name).strip("\"'«»„")
    plain = bare.rstrip(".!,;: ") or bare or case_folded_form(name)
    # A number with its label, a mark of a footnote or a currency is the number: "1 = mild", "2*", "€10" and "10 €".
    if match := _NUMBERED.fullmatch(plain):
        return next(part for part in match.groups() if part)
    for scale in _TWO_SIDED:
        for words in scale:
            if plain in words:
                return words[0]
    return plain


def number_key(decimal: str) -> Callable[[str], object]:
    """A key by the number a name stands for: ``1``, ``01`` and ``1.0`` are one, and so are ``1.5`` and ``1,5``."""
    return lambda name: exact_number(name, decimal)


# Texts that mean "nothing here" in every program that writes tables.
USUAL_MISSING = frozenset(
    {"na", "n/a", "n.a.", "n.a", "#n/a", "nan", "null", "#null!", ".", "-", "–", "—", "--", "<na>"}
    | {"#div/0!", "#ref!", "#name?", "#value!", "#num!", "#calc!", "#spill!", "#getting_data"}
)
ERRORS = frozenset(m for m in USUAL_MISSING if m.startswith("#"))
# Words for "no rating" that may also be an answer: they are kept as classes until the user decides.
PERHAPS_MISSING = frozenset(
    word.casefold()
    for word in (
        "?", "missing", "not seen", "not rated", "not done", "not assessed", "not applicable", "not available",
        "could not judge", "cannot judge", "can't judge", "unable to assess", "unable to judge", "unrated", "skip",
        "skipped", "don't know", "do not know", "dk", "unknown", "no answer", "refused", "abstain", "abstained",
        "blank", "empty", "missing value", "missing data", "..", "...", "---", "*", "not scored", "n.d.", "nd", "nr",
        "not recorded", "withheld", "not assessable", "unassessable", "not evaluable", "not gradable", "ungradable",
        "ungradeable", "unratable", "cannot assess", "cannot say", "can't say", "no opinion", "no rating",
        "unsure", "not sure", "undecided", "no idea",
        "not graded", "not answered", "nicht beurteilbar", "nicht bewertet", "keine angabe", "k.a.", "weiß nicht",
        "keine daten", "entfällt", "unbekannt", "non évaluable", "non évalué", "non renseigné", "ne sait pas", "nsp",
        "sans réponse", "inconnu", "no sabe", "no evaluado", "no aplica", "sin respuesta", "sin datos", "s/d", "n/d",
        "n/c", "ns/nc", "desconocido", "non valutabile", "non valutato", "non so", "non applicabile", "sconosciuto",
        "não avaliado", "não sei", "não se aplica", "sem resposta", "desconhecido", "niet beoordeeld", "weet niet",
        "onbekend", "ikke vurderet", "ved ikke", "vet ej", "ej bedömd", "brak danych", "nie wiem", "nie dotyczy",
    )
)  # fmt: skip
# How a code that its file declares as missing is written in a cell, its meaning kept.
REASON = "missing: "
NUMBER_CODES = (
    *("-1", "-7", "-8", "-9", "-77", "-88", "-98", "-99", "-777", "-888", "-998", "-999", "-9999"),
    *("9", "77", "88", "97", "98", "99", "777", "888", "997", "998", "999", "7777", "8888", "9997", "9998", "9999"),
)


def perhaps_missing(
    texts: Sequence[str], missing: Sequence[str] | None, abstentions: Sequence[str] | None
) -> list[str]:
    """Words that may mean that there is no rating, as long as the user did not say what they mean.

    Parameters
    ----------
    texts
        The distinct ratings.
    missing, abstentions
        What was named as no rating, and as an answer that tells nothing; None where nothing was said, empty where
        nothing is.
    """
    if missing is not None or (abstentions is not None and not abstentions):
        return []
    named = {text.strip().casefold() for text in abstentions or ()}
    words = [t for t in texts if case_folded_form(t).strip("()[]{}<>") in PERHAPS_MISSING]
    return [word for word in words if word.strip().casefold() not in named]


def as_reason(text: str) -> str:
    """The cell text of a missing rating whose reason is known: ``missing: not seen``."""
    return f"{REASON}{text}"


@dataclass(frozen=True)
class Order:
    """The classes in their order.

    Attributes
    ----------
    classes
        Lowest first.
    ordered
        Whether the order means something.
    how
        ``said``, ``numbers``, ``scale``, ``part`` (some have a known order, the others stand behind them),
        ``columns`` or ``appearance``; ``codes``, ``nominal`` and ``coded`` by the codes of a statistics program
        that says they are ordered, that they are not, or neither.
    rest
        Of ``part``: those that stand behind the others.
    """

    classes: tuple[str, ...]
    ordered: bool
    how: str
    rest: tuple[str, ...] = ()


def missing_codes(
    values: Sequence[str], sentences: Sequence[str] | None, classes: Collection[str] = (), decimal: str = "."
) -> list[bool]:
    """For each distinct text whether it means "no rating": blanks always, else what was said or is usual.

    Parameters
    ----------
    values
        The texts.
    sentences
        The codes the user named, or None for the usual ones. A number stands for all ways to write it: ``99`` for
        ``99.0`` and ``99,0``.
    classes
        Texts the user named as classes; they are ratings.
    decimal
        The decimal mark of the ratings.
    """
    if sentences is not None:
        codes = {s.strip() for s in sentences}
        sizes = {n for s in codes if (n := exact_number(s, decimal)) is not None}
        codes.add("")
        return [
            (plain := v.strip()) in codes or v.startswith(REASON) or exact_number(plain, decimal) in sizes
            for v in values
        ]
    named = {c.strip().casefold() for c in classes}
    # Where "+" is an answer, "-" is one too.
    usual = USUAL_MISSING - {"-", "–", "—"} if any(v.strip() in {"+", "++"} for v in values) else USUAL_MISSING
    usual -= named
    return [not v.strip() or v.strip().casefold() in usual or v.startswith(REASON) for v in values]


def _numbers_first(values: Sequence[str], numbers: Sequence[float | None]) -> tuple[str, ...]:
    """The numbers among some texts in their order, where they are a scale of their own and not a few codes."""
    items = sorted((n, i) for i, n in enumerate(numbers) if n is not None)
    scale = [i for _n, i in items if values[i] not in NUMBER_CODES]
    return tuple(values[i] for _n, i in items) if len(scale) >= 3 else ()


def class_order(
    values: Sequence[str], decimal: str, columns: Sequence[str] | None, counts: Sequence[int] | None = None
) -> Order:
    """The order of the distinct texts: numeric, else a recognised scale, else columns, else first appearance.

    Where many of them are numbers or steps of one scale, these come first, in their order: first those that occur more
    often by ``counts``, as a sum below the ratings does not.
    """
    numbers = [number(v, decimal) for v in values]
    if values and all(n is not None for n in numbers):
        place = sorted(range(len(values)), key=lambda i: (numbers[i] or 0.0, i))
        return Order(tuple(values[i] for i in place), ordered=True, how="numbers")
    scale = known_scale(values)
    if scale is not None:
        return Order(scale, ordered=True, how="scale")
    if columns is None:
        often = dict(zip(values, counts or [1] * len(values), strict=True))
        parts = [p for p in (_numbers_first(values, numbers), largest_part(values)) if p]
        parts.sort(key=lambda part: -sum(often[v] for v in part))
        known = [v for part in parts for v in part]
        if known and sum(often[v] for v in known) * 2 >= sum(often.values()):
            rest = tuple(v for v in values if v not in set(known))
            return Order((*known, *rest), ordered=False, how="part", rest=rest)
    return Order(tuple(values), ordered=False, how="appearance" if columns is None else "columns")


def coded_order(values: Sequence[str], code: Mapping[str, float], measure: str) -> Order | None:
    """The order of the codes behind the texts, as a file of a statistics program has them; None where one has no code.

    Parameters
    ----------
    values
        The distinct texts.
    code
        By text the number behind it.
    measure
        What the file says of their order: ``nominal``, ``ordinal``, ``scale`` or ``unknown``.
    """
    if not values or any(v not in code for v in values) or len({code[v] for v in values}) < len(values):
        return None
    ordered = measure in {"ordinal", "scale"}
    how = "codes" if ordered else "nominal" if measure == "nominal" else "coded"
    return Order(tuple(sorted(values, key=lambda v: code[v])), ordered=ordered, how=how)


_REMARK = re.compile(r"(.*\S)\s*[(\[]([^()\[\]]*)[)\]]")


def without_remark(texts: Iterable[str]) -> Callable[[str], str | None]:
    """What of a text stands before a remark in brackets, such as who gave it: ``yes (AB)``, ``no (AB)``; else None.

    Parameters
    ----------
    texts
        All of them. A remark stands behind several of them; what only one has, as ``2 (mild)``, belongs to it.
    """
    parts = {t: (m[1].casefold(), m[2].strip().casefold()) for t in texts if (m := _REMARK.fullmatch(t.strip()))}
    pairs = set(parts.values())
    remarks = {remark for _head, remark in pairs if sum(other == remark for _text, other in pairs) > 1}
    heads = {t: head for t, (head, remark) in parts.items() if remark in remarks}
    bare = frozenset(heads.values())
    return lambda text: heads.get(text, text.casefold() if text.casefold() in bare else None)
