"""What a number, a list or a day that is typed may be; anything else is one sentence that names the option."""

import argparse
import csv
import math
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _

_WHOLE = re.compile(r"[-+]?[0-9]{1,30}")
_SHOWN = 40
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2099, 12, 31)


def in_short(text: str) -> str:
    """What was typed, on one line and not longer than a sentence bears."""
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text[: _SHOWN + 1])
    return f"'{shown}'" if len(text) <= _SHOWN else f"'{shown[:_SHOWN]}…'"


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A whole number between two bounds, both included; called with what was typed it is a type of argparse."""

    least: int
    most: int

    def __call__(self, text: str) -> int:
        """The number.

        Raises
        ------
        argparse.ArgumentTypeError
            When it is none or lies outside; argparse puts the option in front.
        """
        value = int(text) if _WHOLE.fullmatch(text.strip()) else None
        if value is None or not self.least <= value <= self.most:
            raise argparse.ArgumentTypeError(
                _("{given} is not a whole number from {least} to {most:,}").format(
                    given=in_short(text), least=self.least, most=self.most
                )
            )
        return value


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number between two bounds, both included; called with what was typed it is a type of argparse."""

    least: float
    most: float

    def __call__(self, text: str) -> float:
        """The number.

        Raises
        ------
        argparse.ArgumentTypeError
            When it is none or lies outside; argparse puts the option in front.
        """
        value = _decimal(text)
        if not self.least <= value <= self.most:
            raise argparse.ArgumentTypeError(
                _("{given} is not a number from {least:g} to {most:g}").format(
                    given=in_short(text), least=self.least, most=self.most
                )
            )
        return value


def probability(text: str) -> float:
    """A number above 0 and below 1.

    Raises
    ------
    argparse.ArgumentTypeError
        When it is none; argparse puts the option in front.
    """
    value = _decimal(text)
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(
            _("{given} is not between 0 and 1; write for example 0.95").format(given=in_short(text))
        )
    return value


def _decimal(text: str) -> float:
    """The number a text shows; not a number where it shows none."""
    try:
        return float(text) if len(text) <= _SHOWN and "_" not in text else math.nan
    except ValueError:
        return math.nan


REPLICATES = WholeNumber(1, 1_000_000)
"""Re-draws or data sets: more would take years."""
SEED = WholeNumber(0, 2**63 - 1)
WORKERS = WholeNumber(1, 256)
SUBJECTS = WholeNumber(1, 10_000_000)
RATERS = WholeNumber(1, 10_000)
CHAINS = WholeNumber(1, 64)
DRAWS = WholeNumber(1, 1_000_000)
ROW = WholeNumber(0, 100_000_000)
"""A row of a file; 0 has a meaning of its own."""
SHARPNESS = Number(1e-3, 1e6)

MOST_RATINGS = 20_000_000


def refuse_absurd_size(subjects: int | None, raters: int | None) -> None:
    """Refuse subjects and raters that together are more ratings than a study can hold.

    Raises
    ------
    UsageError
        Naming both.
    """
    ratings = (subjects or 1) * (raters or 1)
    if ratings > MOST_RATINGS:
        raise UsageError(
            _(
                "{subjects:,} subjects by {raters:,} raters are {ratings:,} ratings; at most {most:,} can be made."
            ).format(subjects=subjects or 1, raters=raters or 1, ratings=ratings, most=MOST_RATINGS),
            fix=_("Choose smaller numbers for --subjects and --raters."),
        )


def listed(text: str) -> tuple[str, ...]:
    """A list given as one CSV record; blanks around the entries do not count.

    Raises
    ------
    argparse.ArgumentTypeError
        When it is more than one record or no sound one; argparse puts the option in front.
    """
    try:
        rows = list(csv.reader([text], skipinitialspace=True))
    except csv.Error:
        rows = []
    if text and len(rows) != 1:
        raise argparse.ArgumentTypeError(
            _("{given} is not a list on one line; separate its entries by commas").format(given=in_short(text))
        )
    return tuple(cell.strip() for cell in rows[0]) if rows else ()


_MARKS = {"tab": "\t", "\\t": "\t", "space": " "}


def delimiter(text: str) -> str:
    """The sign between the cells of a text file: one sign, or the word ``tab`` or ``space``.

    Raises
    ------
    argparse.ArgumentTypeError
        When it is more, or nothing, or could stand in a cell; argparse puts the option in front.
    """
    sign = _MARKS.get(text.lower(), text)
    if len(sign) != 1 or not sign.isascii() or sign.isalnum() or sign in '"\r\n\0.':
        raise argparse.ArgumentTypeError(
            _("{given} cannot separate columns; name one sign such as ; or , or the word tab").format(
                given=in_short(text)
            )
        )
    return sign


def dated(text: str) -> datetime:
    """A day such as ``2026-05-14``, within what a report can be issued on.

    Raises
    ------
    UsageError
        When it is no day, or lies before 2000 or after 2099.
    """
    try:
        day = date.fromisoformat(text.strip())
    except ValueError as error:
        raise UsageError(
            _("{given} is not a day.").format(given=in_short(text)),
            fix=_("Write it as year, month and day: 2026-05-14."),
        ) from error
    if not FIRST_DAY <= day <= LAST_DAY:
        raise UsageError(
            _("No report is issued on {day}.").format(day=day.isoformat()),
            fix=_("Choose a day from {first} to {last}.").format(
                first=FIRST_DAY.isoformat(), last=LAST_DAY.isoformat()
            ),
        )
    return datetime.combine(day, time(), UTC)
