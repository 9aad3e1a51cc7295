"""What was understood of a file, as lines for the terminal."""

from tapdesk.cli.told import rater_count
from tapdesk.ratings.findings import Finding, Severity
from tapdesk.ratings.reading import Reading
from tapdesk.report.text import paragraph, plain

_MARKS = {Severity.BLOCK: "STOP", Severity.ASK: "ASK ", Severity.NOTE: "NOTE"}


def in_short(reading: Reading) -> str:
    """One line about the data, and one about what should be looked at."""
    r = reading.ratings
    line = (
        f"{plain(reading.source.name)}: {r.subject_count:,} cases, {rater_count(r):,} raters, "
        f"{r.rating_count:,} ratings, {reading.missing:,} missing; classes {_classes(reading)}."
    )
    asks = sum(f.severity is not Severity.NOTE for f in reading.findings)
    if asks:
        line += f" {asks} finding{'s' if asks > 1 else ''} to look at: see tapdesk check."
    return paragraph(line)


def in_full(reading: Reading) -> str:
    """Everything: how it was read, one rating as the test, and each finding with what to do."""
    blocks = [paragraph(" ".join(reading.source.words)), paragraph(reading.source.sentence), in_short(reading)]
    if reading.left_out_subjects or reading.left_out_ratings:
        blocks.append(f"Left out: {reading.left_out_subjects:,} cases, {reading.left_out_ratings:,} ratings.")
    if reading.findings:
        blocks += [_finding(f) for f in reading.findings]
    else:
        blocks.append("Ready. Nothing to look at.")
    return "\n\n".join(b for b in blocks if b)


def _classes(reading: Reading) -> str:
    r = reading.ratings
    told = " < ".join(plain(c) for c in reading.as_read.classes[:12])
    more = len(reading.as_read.classes) - 12
    told += f" and {more} more" if more > 0 else ""
    if len(r.classes) == 2:
        told += f" (class 1: {', '.join(plain(c) for c in r.class1)})"
    return told


def _finding(f: Finding) -> str:
    where = f" ({f.where})" if f.where else ""
    default = f" Meanwhile: {f.default}" if f.default else ""
    return paragraph(f"{_MARKS[f.severity]}  {f.message}{where} {f.fix}{default}")
