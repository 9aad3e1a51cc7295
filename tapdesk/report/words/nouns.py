"""What cases, raters and ratings are called."""

from dataclasses import dataclass


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
