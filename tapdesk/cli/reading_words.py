"""What was understood of a file, as lines for the terminal."""

from tapdesk.answers.terminal import paragraph, plain
from tapdesk.cli.told import rater_count
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.reading import Reading


def _several(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def in_short(reading: Reading) -> str:
    """One line about the data, and one about what should be looked at."""
    r = reading.ratings
    line = (
        f"{plain(reading.source.name)}: {_several(r.subject_count, 'case')}, {_several(rater_count(r), 'rater')}, "
        f"{_several(r.rating_count, 'rating')}, {reading.missing:,} missing; classes {_classes(reading)}."
    )
    asks = sum(f.severity is not Severity.NOTE for f in reading.findings)
    if asks:
        line += f" {asks} finding{'s' if asks > 1 else ''} to look at: see tapdesk check."
    return paragraph(line)


def _classes(reading: Reading) -> str:
    r = reading.ratings
    told = " < ".join(plain(c) for c in reading.as_read.classes[:12])
    more = len(reading.as_read.classes) - 12
    told += f" and {more} more" if more > 0 else ""
    if len(r.classes) == 2:
        told += f" (class 1: {', '.join(plain(c) for c in r.class1)})"
    return told
