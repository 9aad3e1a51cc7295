"""Texts that are dates or times, as programs write them."""

import re

_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:[ T].*)?|\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})|\d{1,2}:\d{2}(?::\d{2})?")
_MONTH = re.compile(r"(?i)\d{1,2}[ -](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|"
                    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ -]\d{1,4}")  # fmt: skip
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def is_date(text: str) -> bool:
    """Whether a text is a date or a time of day."""
    return bool(_DATE.fullmatch(text.strip()) or _MONTH.fullmatch(text.strip()))


def day_and_month(text: str) -> tuple[int, int] | None:
    """The two numbers of a date such as ``3/4/2024``, ``4-Mar`` or ``Mar-04``, in the order they are written."""
    plain = text.strip()
    found = re.fullmatch(r"(\d{1,2})[./-](\d{1,2})[./-](?:\d{2}|\d{4})", plain)
    if found:
        return int(found.group(1)), int(found.group(2))
    if not _MONTH.fullmatch(plain):
        return None
    first, second = (_part(part) for part in re.split(r"[ -]", plain, maxsplit=1))
    return first, second


def _part(text: str) -> int:
    """A number, or that of a month."""
    return int(text) if text.isdigit() else _MONTHS.index(text[:3].lower()) + 1
