"""Numbers in text, by one decimal mark for the whole file and never by the language of the machine."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

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
    value = float(text.replace(",", "."))
    if not math.isfinite(value):
        return None  # 1e400 is a text: no number of the program stands for it
    return value / 100 if share else value


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
        found = _BOTH.fullmatch(text)
        mark = found.group(2) if found and found.group(1) != found.group(2) else None
        if mark is None:
            found = _DECIMAL.fullmatch(text)
            mark = next((g for g in found.groups() if g), None) if found else None
        if mark:
            (comma if mark == "," else dot).append(text)
    return DecimalEvidence(tuple(comma), tuple(dot), tuple(ambiguous))
