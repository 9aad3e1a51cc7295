"""What was counted, in the words of the voice in use."""

from tapdesk.answers import numbers
from tapdesk.language import gettext as _


def counted(subjects: int, ratings: int) -> str:
    """What was counted: ``183 cases, 732 ratings``."""
    return _("{n} {subjects}, {m} {ratings}").format(
        n=numbers.count(subjects),
        subjects=_("{subject}") if subjects == 1 else _("{subjects}"),
        m=numbers.count(ratings),
        ratings=_("{rating}") if ratings == 1 else _("{ratings}"),
    )
