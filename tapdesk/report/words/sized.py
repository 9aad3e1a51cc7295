"""What studies as large as this one are for, in sentences."""

from tapdesk.language import gettext as _
from tapdesk.report.words.nouns import PLAIN, Nouns

GRID = _("Which numbers could such a study find?")
SQUARE = _("Is kappa the square of the accuracy?")


def why_grid(nouns: Nouns = PLAIN) -> str:
    """What the study of other numbers is for."""
    return _(
        "Data of the size at hand are drawn from many numbers, not only from those of the answer, and fitted again. "
        "Where dots and lines leave the dashed diagonal, a study with so many {subjects} and {ratings} does not find "
        "what is there: t in particular, where a is small."
    ).format(subjects=nouns.subjects, ratings=nouns.ratings)


def why_square() -> str:
    """What the study of kappa is for."""
    return _(
        "The root of kappa is often taken for the accuracy. That is right where guesses come out like the truth, "
        "t = p, and wrong elsewhere, however large the study."
    )
