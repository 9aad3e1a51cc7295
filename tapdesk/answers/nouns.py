"""What cases, raters and ratings are called."""

from tapdesk.answers import numbers
from tapdesk.language import Nouns
from tapdesk.language import gettext as _

__all__ = ["PLAIN", "Nouns", "counted"]
# Sentences themselves: in another language they are said in it, wherever they are filled in.
PLAIN = Nouns(
    subject=_("case"),
    subjects=_("cases"),
    rater=_("rater"),
    raters=_("raters"),
    rating=_("rating"),
    ratings=_("ratings"),
)


def counted(subjects: int, ratings: int, nouns: Nouns = PLAIN) -> str:
    """What was counted: ``183 cases, 732 ratings``."""
    return _("{n} {subjects}, {m} {ratings}").format(
        n=numbers.count(subjects),
        subjects=nouns.subject if subjects == 1 else nouns.subjects,
        m=numbers.count(ratings),
        ratings=nouns.rating if ratings == 1 else nouns.ratings,
    )


def capital(word: str) -> str:
    """The word with a capital at its beginning, as heads of columns have."""
    return word[:1].upper() + word[1:]
