"""What cases, raters and ratings are called."""

from dataclasses import dataclass

from tapdesk.answers import numbers
from tapdesk.language import gettext as _


@dataclass(frozen=True, slots=True)
class Nouns:
    """What is judged, who judges and what a judgement is called (the word for it stands after "a")."""

    subject: str = "case"
    subjects: str = "cases"
    rater: str = "rater"
    raters: str = "raters"
    rating: str = "rating"
    ratings: str = "ratings"


PLAIN = Nouns()


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
