"""What a reading says, for tests."""

from collections.abc import Callable

from tapdesk.errors import TapdeskError
from tapdesk.ratings.findings import Finding, Severity
from tapdesk.ratings.reading import Reading


def told(reading: Reading, code: str) -> Finding:
    """The finding with a code; a test fails when it is not there."""
    found = [f for f in reading.findings if f.code == code]
    assert found, f"no '{code}' among {[f.code for f in reading.findings]}"
    return found[0]


def codes(reading: Reading) -> set[str]:
    """The codes of all findings."""
    return {f.code for f in reading.findings}


def asks(reading: Reading) -> set[str]:
    """The codes of the findings that ask, those that block among them."""
    return {f.code for f in reading.findings if f.severity is not Severity.NOTE}


def blocks(reading: Reading) -> set[str]:
    """The codes of the findings that block: nothing is computed before they are answered."""
    return {f.code for f in reading.findings if f.severity is Severity.BLOCK}


def rows(reading: Reading) -> list[tuple[str, str, str]]:
    """The ratings as triples of names, in order."""
    r = reading.ratings
    return [(r.subjects[s], r.raters[j], r.classes[c]) for s, j, c in zip(r.subject, r.rater, r.category, strict=True)]


def read_or_refused(read: Callable[[str], Reading], content: str) -> Reading | None:
    """A reading, or None where it was refused in words; anything else raised is a fault."""
    try:
        return read(content)
    except TapdeskError:
        return None
