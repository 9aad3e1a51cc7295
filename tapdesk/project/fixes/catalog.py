"""What is offered about each kind of finding.

It stands alone because each of the files it gathers is about one subject.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from tapdesk.language import say
from tapdesk.project.fixes.fix import Case, Fix, Offer
from tapdesk.project.fixes.known import KNOWN
from tapdesk.project.fixes.ratings import RATINGS
from tapdesk.project.fixes.reading import READING
from tapdesk.ratings.findings import Finding
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading

_FIXES: Mapping[str, tuple[Offer, ...]] = MappingProxyType({**READING, **RATINGS, **KNOWN})
# What the file is, and what rows, cases and raters are, is the same for every question of a form.
_OF_ALL = frozenset(
    {
        *READING,
        *("summary_row", "summary_rater", "similar_rater_names", "similar_case_names", "personal_data"),
        *("persons_as_cases", "case_without_name", "rater_without_name"),
    }
)


def fixes(finding: Finding, reading: Reading, now: Ratings) -> tuple[Fix, ...]:
    """What can be done about a finding.

    Parameters
    ----------
    finding
        What was noticed.
    reading
        The reading that noticed it.
    now
        The ratings with the decisions made so far, before class 1 is chosen.
    """
    case = Case(finding, reading, now)
    made: list[Fix] = []
    for offer in _FIXES.get(finding.code, ()):
        if isinstance(offer, Fix):
            made.append(replace(offer, words=say(offer.words)))
        elif isinstance(offer, str):
            made.append(case.leave(say(offer)))
        else:
            made += offer(case)
    if finding.code in _OF_ALL:
        made = [replace(fix, everywhere=fix.decision is not None) for fix in made]
    return tuple(made)
