"""Texts that are dates or times, as programs write them."""

import re

_DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}(?:[ T].*)?|\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})|\d{1,2}\.\d{1,2}\."
    r"|\d{1,2}:\d{2}(?::\d{2})?"
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
    found = re.match(r"\d{4}-(\d{1,2})-(\d{1,2})", text.strip())
    return (int(found.group(2)), int(found.group(1))) if found else day_and_month(text)


def day_and_month(text: str) -> tuple[int, int] | None:
    """The two numbers of a date such as ``3/4/2024``, ``4-Mar`` or ``Mar-04``, in the order they are written."""
    plain = text.strip()
    found = re.fullmatch(r"(\d{1,2})[./-](\d{1,2})(?:[./-](?:\d{2}|\d{4})|\.)", plain)
    if found:
        return int(found.group(1)), int(found.group(2))
    if not _MONTH.fullmatch(plain):
        return None
    first, second = re.findall(r"\d+|[^\W\d]+", plain)[:2]
    return _part(first), _part(second)


def _part(text: str) -> int:
    """A number, or that of a month."""
    return int(text) if text.isdigit() else _MONTH_OF[text.lower()]
