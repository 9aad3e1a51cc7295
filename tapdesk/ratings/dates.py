"""Texts that are dates or times, as programs write them."""

import re

_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:[ T].*)?|\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})|\d{1,2}:\d{2}(?::\d{2})?")
_MONTH = re.compile(r"(?i)\d{1,2}[ -](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|"
                    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ -]\d{1,4}")  # fmt: skip


def is_date(text: str) -> bool:
    """Whether a text is a date or a time of day."""
    return bool(_DATE.fullmatch(text.strip()) or _MONTH.fullmatch(text.strip()))
